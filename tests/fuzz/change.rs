//! Changes of a file: a value of its JSON, or bytes; and its checksums, made right again.

use fastrand::Rng;
use serde_json::Value;

/// How a file says that it is whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// It does not.
    None,
    /// The CRC-32 of all before it, in the last four bytes.
    Last,
    /// The same, and in the second line one of the lines after it.
    Search,
    /// One in every line.
    Lines,
    /// One of the header, of the only block, and of the end.
    Packed,
}

/// What the sum in the second line of a search is of, before the lines after it.
const SALT: &[u8] = b"destrier search, by its contents";
/// Bytes of the header and of the end of a packed file.
const PACKED: [usize; 2] = [40, 16];
/// Stands for a value while the others are written.
const MARK: &str = "here stands another value";

/// Values that no file has where they stand now, as text.
fn hostile(rng: &mut Rng) -> (&'static str, String) {
    let many = |open: &str, item: &str, close: &str, count: usize| open.repeat(count) + item + &close.repeat(count);
    let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
    match rng.u8(..22) {
        0 => ("0", "0".into()),
        1 => ("1", "1".into()),
        2 => ("-1", "-1".into()),
        3 => ("1e308", "1e308".into()),
        4 => ("2^63", (1u64 << 63).to_string()),
        5 => ("2^64 - 1", u64::MAX.to_string()),
        6 => ("2^64", (1u128 << 64).to_string()),
        7 => ("2^128", format!("{}0", u128::MAX)),
        8 => ("a million", "1000000".into()),
        9 => ("4097", "4097".into()),
        10 => ("1e-308", "1e-308".into()),
        11 => ("nothing", "null".into()),
        12 => ("true", "true".into()),
        13 => ("no text", "\"\"".into()),
        14 => ("a long text", format!("\"{}\"", "A".repeat(70_000))),
        15 => ("a text of odd characters", "\"\\u0000\\u202e\\ud83d\\ude00\\u001b[2J\"".into()),
        16 => ("a large board", "\"65535x65535\"".into()),
        17 => ("lists in lists", many("[", "", "]", 100)),
        18 => ("more lists in lists than are read", many("[", "", "]", 5000)),
        19 => ("a long list", list("0", 30_000)),
        20 => ("a long list of large numbers", list("4294967295", 3000)),
        _ => ("no members", "{}".into()),
    }
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

/// A line of JSON with one value changed, or taken out; and what was done.
fn json(rng: &mut Rng, line: &[u8]) -> Option<(Vec<u8>, String)> {
    let mut value: Value = serde_json::from_slice(line).ok()?;
    let places = places(&value);
    let place = rng.choice(&places)?;
    if rng.u8(..10) == 0 {
        let (above, name) = place.rsplit_once('/')?;
        value.pointer_mut(above)?.as_object_mut()?.remove(name)?;
        return Some((serde_json::to_vec(&value).ok()?, format!("without {place}")));
    }
    let (words, text) = hostile(rng);
    *value.pointer_mut(place)? = MARK.into();
    let changed = serde_json::to_string(&value).ok()?.replace(&format!("\"{MARK}\""), &text);
    Some((changed.into_bytes(), format!("{place} is {words}")))
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
fn bytes(rng: &mut Rng, text: &mut Vec<u8>) -> String {
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
fn summed(file: &[u8], sums: Sums) -> (Vec<u8>, Vec<u8>) {
    let end = match sums {
        Sums::Last | Sums::Search => file.len() - 4,
        _ => file.len(),
    };
    (file[..end].to_vec(), file[end..].to_vec())
}

/// A text with its sums made right.
pub fn mended(mut text: Vec<u8>, sums: Sums) -> Vec<u8> {
    match sums {
        Sums::None => {}
        Sums::Last => text.extend(crc32fast::hash(&text).to_le_bytes()),
        Sums::Search => {
            let mut lines = text.split_inclusive(|&byte| byte == b'\n');
            let (first, second) = (lines.next().unwrap_or_default().len(), lines.next().unwrap_or_default().len());
            let own = crc32fast::hash(&[SALT, &text[first + second..]].concat());
            text.splice(first..first + second, format!("{own:08x}\n").into_bytes());
            text.extend(crc32fast::hash(&text).to_le_bytes());
        }
        Sums::Lines => {
            let lines = text.split_inclusive(|&byte| byte == b'\n').map(|line| {
                let end = sum_of_line(line).filter(|_| line.ends_with(b"}\n"));
                end.map_or(line.to_vec(), |end| sealed(&line[..end]))
            });
            text = lines.collect::<Vec<_>>().concat();
        }
        Sums::Packed => {
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
pub fn changed(rng: &mut Rng, file: &[u8], sums: Sums) -> (Vec<u8>, String, bool) {
    let (mut text, rest) = summed(file, sums);
    let lines = json_lines(&text);
    let line = rng.choice(&lines).copied().filter(|_| rng.u8(..4) > 0);
    let in_json = line.and_then(|(from, to)| {
        // The sum of a line is its last member, and stays that.
        let members = sum_of_line(&text[from..to]).filter(|_| sums == Sums::Lines);
        let (said, sum) = text[from..to].split_at(members.unwrap_or(to - from));
        let (mut line, what) = match members {
            Some(_) => json(rng, &[said, b"}"].concat())?,
            None => json(rng, said)?,
        };
        line.truncate(line.len() - usize::from(members.is_some()));
        line.extend(sum);
        text.splice(from..to, line);
        Some(what)
    });
    let what = in_json.unwrap_or_else(|| bytes(rng, &mut text));
    if sums == Sums::None || rng.u8(..5) == 0 {
        text.extend(rest);
        return (text, what, false);
    }
    (mended(text, sums), format!("{what}, and its sums right"), true)
}
