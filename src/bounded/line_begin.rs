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
    /// No format.
    Noise,
}

/// Number of bytes that are needed to detect the format.
pub const LOOK_AHEAD_BYTES: usize = 256;

impl LineBegin {
    /// Detects the format of a text, which must not begin with a blank.
    pub fn of(text: &[u8]) -> LineBegin {
        let first = text.split(|byte| byte.is_ascii_whitespace() || *byte == b',').next().unwrap_or_default();
        let letters = first.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match first {
            [b'[' | b'{', ..] => LineBegin::Json,
            [b'<', ..] if [b"<svg", b"<?xml".as_slice()].iter().any(|tag| first.starts_with(tag)) => LineBegin::Svg,
            b"." => LineBegin::Grid,
            [b'#', number @ ..] if !number.is_empty() && digits(number) == number.len() => LineBegin::List,
            [b'0'..=b'9', ..] => match (&first[digits(first)..], text[first.len()..].trim_ascii_start()) {
                ([b'x' | b'X', ..], _) => LineBegin::List,
                ([], [b'a'..=b'z' | b'A'..=b'Z' | b'#', ..]) => LineBegin::Side,
                ([], _) => LineBegin::Grid,
                _ => LineBegin::Noise,
            },
            _ if letters > 0 && letters < first.len() && letters + digits(&first[letters..]) == first.len() => {
                LineBegin::List
            }
            _ => LineBegin::Noise,
        }
    }
}
