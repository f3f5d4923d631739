//! Changes of a file: a value of its JSON, or bytes; and its checksums, made right again.

use fastrand::Rng;
use serde_json::Value;

/// How a file says that it is whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checksums {
    /// It does not.
    None,
    /// The CRC-32 of all before it, in the last four bytes.
    Last,
    /// One in every line.
    Lines,
    /// One of the header, of the only block, and of the end.
    Packed,
}

/// Bytes of the header and of the end of a packed file.
const PACKED: [usize; 2] = [40, 16];
/// Stands for a value while the others are written.
const MARK: &str = "here stands another value";

/// Values that no file has where they are put: what they are, and how they are written.
fn hostile() -> Vec<(&'static str, String)> {
    let lists = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
    vec![
        ("0", "0".into()),
        ("1", "1".into()),
        ("-1", "-1".into()),
        ("1e308", "1e308".into()),
        ("1e-308", "1e-308".into()),
        ("4097", "4097".into()),
        ("a million", "1000000".into()),
        ("2^63", (1u64 << 63).to_string()),
        ("2^64 - 1", u64::MAX.to_string()),
        ("2^64", (1u128 << 64).to_string()),
        ("2^128", "340282366920938463463374607431768211456".into()),
        ("nothing", "null".into()),
        ("true", "true".into()),
        ("no text", "\"\"".into()),
        ("a long text", format!("\"{}\"", "A".repeat(70_000))),
        ("a text of odd characters", "\"\\u0000\\u202e\\ud83d\\ude00\\u001b[2J\"".into()),
        ("a large board", "\"65535x65535\"".into()),
        ("lists in lists", lists(100)),
        ("more lists in lists than are read", lists(5000)),
        ("a long list", list("0", 30_000)),
        ("a long list of large numbers", list("4294967295", 3000)),
        ("no members", "{}".into()),
    ]
}

/// The places of all values in a value.
fn places(value: &Value) -> Vec<String> {
    fn walk(value: &Value, at: &str, places: &mut Vec<String>) {
        let mut below = |name: &str, value: &Value| {
            let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
            walk(value, &at, places);
            places.push(at);
        };
        match value {
            // Of a long list the first few and the last.
            Value::Array(items) => {
                (0..items.len())
                    .filter(|&at| at < 3 || at + 1 == items.len())
                    .for_each(|at| below(&at.to_string(), &items[at]));
            }
            Value::Object(members) => members.iter().for_each(|(name, value)| below(name, value)),
            _ => {}
        }
    }
    let mut all = Vec::new();
    walk(value, "", &mut all);
    all
}

/// What is done with a value of a line: another one is put in its place, or it is taken out.
#[derive(Clone)]
enum Instead {
    Value(&'static str, String),
    Nothing,
}

/// A line of JSON in which something else is at a place; and what that is.
fn json(line: &[u8], place: &str, instead: &Instead) -> Option<(Vec<u8>, String)> {
    let mut value: Value = serde_json::from_slice(line).ok()?;
    let Instead::Value(words, text) = instead else {
        let (above, name) = place.rsplit_once('/')?;
        value.pointer_mut(above)?.as_object_mut()?.remove(name)?;
        return Some((serde_json::to_vec(&value).ok()?, format!("without {place}")));
    };
    *value.pointer_mut(place)? = MARK.into();
    let changed = serde_json::to_string(&value).ok()?.replace(&format!("\"{MARK}\""), text);
    Some((changed.into_bytes(), format!("{place} is {words}")))
}

/// A text in a line of which something is done with the value at a place.
fn in_line(
    text: &[u8],
    (from, to): (usize, usize),
    sums: Checksums,
    place: &str,
    instead: &Instead,
) -> Option<(Vec<u8>, String)> {
    // The sum of a line is its last member, and stays that.
    let members = sum_of_line(&text[from..to]).filter(|_| sums == Checksums::Lines);
    let (said, sum) = text[from..to].split_at(members.unwrap_or(to - from));
    let brace = if members.is_some() { &b"}"[..] } else { b"" };
    let (line, what) = json(&[said, brace].concat(), place, instead)?;
    let line = &line[..line.len() - brace.len()];
    Some(([&text[..from], line, sum, &text[to..]].concat(), what))
}

/// The places of the values of a line.
fn places_in(line: &[u8]) -> Vec<String> {
    let mut places = serde_json::from_slice(line).map(|value| places(&value)).unwrap_or_default();
    places.retain(|place| place != "/crc");
    places
}

/// The lines that hold JSON, each by its beginning and end without the line end.
fn json_lines(text: &[u8]) -> Vec<(usize, usize)> {
    let mut at = 0;
    let lines = text.split_inclusive(|&byte| byte == b'\n').map(|line| {
        at += line.len();
        (at - line.len(), at - usize::from(line.ends_with(b"\n")))
    });
    lines
        .filter(|&(from, to)| {
            matches!(text.get(from), Some(b'{' | b'[')) && serde_json::from_slice::<Value>(&text[from..to]).is_ok()
        })
        .collect()
}

/// Changes bytes; answers what was done.
pub fn bytes(rng: &mut Rng, text: &mut Vec<u8>) -> String {
    let at = rng.usize(..text.len().max(1));
    if text.is_empty() {
        return "nothing".into();
    }
    match rng.u8(..7) {
        0 => {
            text[at] ^= 1 << rng.u8(..8);
            format!("another bit at {at}")
        }
        1 => {
            text[at] = rng.u8(..);
            format!("another byte at {at}")
        }
        2 => {
            text.remove(at);
            format!("without byte {at}")
        }
        3 => {
            text.insert(at, rng.u8(b'0'..=b'9'));
            format!("a digit at {at}")
        }
        4 => {
            text.truncate(at);
            format!("cut off at {at}")
        }
        5 => {
            let piece = text[at..text.len().min(at + rng.usize(1..200))].to_vec();
            let to = rng.usize(..text.len());
            text.splice(to..to, piece);
            format!("a piece of {at} once more at {to}")
        }
        _ => {
            let end = text.len().min(at + 8);
            text[at..end].fill(0xff);
            format!("ones from {at} on")
        }
    }
}

/// What is summed up, and the rest.
fn summed(file: &[u8], sums: Checksums) -> (Vec<u8>, Vec<u8>) {
    let end = match sums {
        Checksums::Last => file.len() - 4,
        _ => file.len(),
    };
    (file[..end].to_vec(), file[end..].to_vec())
}

/// A text with its sums made right.
pub fn mended(mut text: Vec<u8>, sums: Checksums) -> Vec<u8> {
    match sums {
        Checksums::None => {}
        Checksums::Last => text.extend(crc32fast::hash(&text).to_le_bytes()),
        Checksums::Lines => {
            let lines = text.split_inclusive(|&byte| byte == b'\n').map(|line| {
                let end = sum_of_line(line).filter(|_| line.ends_with(b"}\n"));
                end.map_or(line.to_vec(), |end| sealed(&line[..end]))
            });
            text = lines.collect::<Vec<_>>().concat();
        }
        Checksums::Packed => {
            let ([header, end], length) = (PACKED, text.len());
            let mut sum = |from: usize, to: usize, before: &[u8]| {
                if from + 4 <= to && to <= text.len() {
                    let sum = crc32fast::hash(&[before, &text[from..to - 4]].concat());
                    text[to - 4..to].copy_from_slice(&sum.to_le_bytes());
                }
            };
            sum(0, header, &[]);
            sum(header, length.saturating_sub(end), &0u64.to_le_bytes());
            sum(length.saturating_sub(end), length, &[]);
        }
    }
    text
}

/// Where the sum of a line begins, if it has one.
fn sum_of_line(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b",\"crc\":";
    line.windows(NAME.len()).rposition(|bytes| bytes == NAME)
}

/// A line of a journal that says this, without its last brace.
pub fn sealed(members: &[u8]) -> Vec<u8> {
    [members, format!(",\"crc\":\"{:08x}\"}}\n", crc32fast::hash(members)).as_bytes()].concat()
}

/// A changed file, what was done, and whether its sums were made right again.
pub fn changed(rng: &mut Rng, file: &[u8], sums: Checksums) -> (Vec<u8>, String, bool) {
    let (mut text, rest) = summed(file, sums);
    let lines = json_lines(&text);
    let line = rng.choice(&lines).copied().filter(|_| rng.u8(..4) > 0);
    let in_json = line.and_then(|(from, to)| {
        let place = rng.choice(places_in(&text[from..to]))?;
        let (words, value) = rng.choice(hostile())?;
        let instead = if rng.u8(..10) == 0 { Instead::Nothing } else { Instead::Value(words, value) };
        in_line(&text, (from, to), sums, &place, &instead)
    });
    let in_json = in_json.map(|(changed, what)| {
        text = changed;
        what
    });
    let what = in_json.unwrap_or_else(|| bytes(rng, &mut text));
    if sums == Checksums::None || rng.u8(..5) == 0 {
        text.extend(rest);
        return (text, what, false);
    }
    (mended(text, sums), format!("{what}, and its sums right"), true)
}

/// The first line of JSON of a file with every value in it changed in every way, and the sums of the file made right again:
/// how many files that are, and the one of a number.
pub struct Every {
    text: Vec<u8>,
    sums: Checksums,
    line: (usize, usize),
    places: Vec<String>,
    instead: Vec<Instead>,
}

impl Every {
    pub fn of(file: &[u8], sums: Checksums) -> Every {
        let (text, _) = summed(file, sums);
        let line = json_lines(&text)[0];
        let places = places_in(&text[line.0..line.1]);
        let values = hostile().into_iter().map(|(words, value)| Instead::Value(words, value));
        Every { line, places, instead: values.chain([Instead::Nothing]).collect(), text, sums }
    }

    pub fn count(&self) -> usize {
        self.places.len() * self.instead.len()
    }

    /// The file of a number; nothing where a value cannot be taken out.
    pub fn file(&self, number: usize) -> Option<(Vec<u8>, String)> {
        let (place, instead) = (number / self.instead.len(), number % self.instead.len());
        let (text, what) = in_line(&self.text, self.line, self.sums, &self.places[place], &self.instead[instead])?;
        Some((mended(text, self.sums), what))
    }
}
