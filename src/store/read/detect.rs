//! What a text looks like, seen from its first word.

/// What the source prints above its columns: see `columns`.
pub const HEADING: &[u8] = b"Sym tour";

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineBegin {
    /// A board or a square: a list.
    List,
    /// A number, then a square: a list on a board named by its side, unless it is a wrong row of a grid.
    Side,
    /// A row of a grid.
    Grid,
    /// Four paths side by side.
    Columns,
    /// JSON.
    Json,
    /// SVG.
    Svg,
    /// None of these.
    Noise,
}

/// Bytes that tell what a line begins with.
pub const AHEAD: usize = 256;

impl LineBegin {
    /// What a text begins with that begins with no blank.
    pub fn of(text: &[u8]) -> LineBegin {
        let first = text.split(|byte| byte.is_ascii_whitespace() || *byte == b',').next().unwrap_or_default();
        let letters = first.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let numbers = first.split(|&byte| byte == b':');
        let is_four = numbers.clone().count() == 4 && numbers.clone().all(|n| !n.is_empty() && digits(n) == n.len());
        match first {
            _ if is_four || text.starts_with(HEADING) => LineBegin::Columns,
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
