//! Detects the format of a line from its first words.

/// The format that begins on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineBegin {
    /// A list: the line begins with a board or a square.
    List,
    /// A number, then a square: a list on a square board named by its side, or a wrong row of a grid.
    Side,
    /// A row of a grid.
    Grid,
    Json,
    Svg,
    /// The numbers of the squares in a file of TSPLIB.
    Section,
    /// No format.
    Noise,
}

/// Number of bytes that are needed to detect the format.
pub const LOOK_AHEAD_BYTES: usize = 256;

/// The first line of a text.
pub fn first_line(text: &[u8]) -> &[u8] {
    text.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Whether the first line of a text, which must not begin with a blank, is part of a box: bars, dashes and blanks alone.
pub fn is_rule(text: &[u8]) -> bool {
    let mut rest = text;
    loop {
        rest = match rest {
            [] | [b'\n', ..] => return !text.is_empty(),
            [b'+' | b'-' | b'=' | b'_' | b'|' | b' ' | b'\t' | b'\r', more @ ..] => more,
            [0xe2, 0x94 | 0x95, _, more @ ..] => more,
            _ => return false,
        }
    }
}

/// A line without the bar that it begins with; bars are also drawn by characters for boxes.
fn after_bar(line: &[u8]) -> Option<&[u8]> {
    match line {
        [b'|', rest @ ..] | [0xe2, 0x94 | 0x95, _, rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Whether a line is a comment: it begins with `//`, `%`, or `#` and no number of a square, or says something of a file of TSPLIB.
pub fn is_comment(line: &[u8]) -> bool {
    match line {
        [b'#', next, ..] => !next.is_ascii_digit(),
        [b'#'] | [b'%', ..] | [b'/', b'/', ..] => true,
        // A line of the head of a file of TSPLIB, or its last one.
        _ => {
            let key = line.split(|&byte| byte == b':').next().unwrap_or_default().trim_ascii_end();
            let is_key = [b"NAME".as_slice(), b"TYPE", b"COMMENT", b"DIMENSION"].contains(&key);
            line.trim_ascii() == b"EOF" || (is_key && line.contains(&b':'))
        }
    }
}

/// Whether a line may be a heading: it has a word that is no square, and no more than two squares and numbers. A spoilt tour has
/// more.
pub fn is_heading(line: &[u8]) -> bool {
    let letters = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_number = |word: &[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let is_place = |word: &&[u8]| is_number(&word[letters(word)..]) && letters(word) < 3;
    let words = || line.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words().any(|word| word.len() > 1 && letters(word) == word.len()) && words().filter(is_place).count() < 3
}

/// Whether a word is names of squares, one or some with dashes, arrows or nothing between them.
fn is_names(word: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'-' | b'>' | b':') || !byte.is_ascii();
    let (mut rest, mut names) = (word, 0);
    while !rest.is_empty() {
        let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = rest[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if letters == 0 || digits == 0 {
            return false;
        }
        names += 1;
        rest = &rest[letters + digits..];
        rest = &rest[rest.iter().take_while(|byte| is_sign(byte)).count()..];
    }
    names > 0
}

impl LineBegin {
    /// Detects the format of a text, which must not begin with a blank.
    pub fn of(text: &[u8]) -> LineBegin {
        // A row of a box.
        if let Some(row) = after_bar(text) {
            return if LineBegin::of(row.trim_ascii_start()) == LineBegin::Grid {
                LineBegin::Grid
            } else {
                LineBegin::Noise
            };
        }
        let is_between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|');
        let first = text.split(is_between).next().unwrap_or_default();
        let digits = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match first {
            [b'[', rest @ ..] if rest.first() == Some(&b'(') => LineBegin::List,
            [b'(', ..] => LineBegin::List,
            [b'[' | b'{', ..] => LineBegin::Json,
            b"TOUR_SECTION" => LineBegin::Section,
            [b'<', ..] if [b"<svg", b"<?xml".as_slice()].iter().any(|tag| first.starts_with(tag)) => LineBegin::Svg,
            b"." | b"*" | b"**" => LineBegin::Grid,
            [b'#', number @ ..] if !number.is_empty() && digits(number) == number.len() => LineBegin::List,
            [b'0'..=b'9', ..] => match (&first[digits(first)..], text[first.len()..].trim_ascii_start()) {
                ([b'x' | b'X' | b'/', ..], _) => LineBegin::List,
                ([b'.', ..], [b'a'..=b'z' | b'A'..=b'Z', ..]) => LineBegin::List,
                ([], [b'a'..=b'z' | b'A'..=b'Z' | b'#', ..]) => LineBegin::Side,
                ([] | [0xe2, 0x94 | 0x95, ..], _) => LineBegin::Grid,
                _ => LineBegin::Noise,
            },
            _ if is_names(first) => LineBegin::List,
            _ => LineBegin::Noise,
        }
    }
}
