//! What a word of a tour file is, decided once for all forms.

/// What a word is. A word has no blank and no [separator](is_between) in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// A square by its name, `e6` or `#21`, or several with signs between them.
    Name,
    /// A whole number, also `7.` or `7.0`.
    Number(u32),
    /// Row and column, `2,4` or `2/4`.
    Pair,
    /// A square that the tour leaves out.
    Hole,
    /// A square that the tour does not visit, or of which nothing is said.
    Empty,
    Other,
}

impl Word {
    /// What these bytes are.
    #[inline]
    pub fn of(word: &[u8]) -> Word {
        match word {
            [b'0'..=b'9', ..] => Word::of_digits(word),
            b"." | b"#" | b"##" | b"*" | b"**" | b"xx" => Word::Hole,
            b"_" | b"__" | b"?" | b"-" | b"--" | b"-1" => Word::Empty,
            [b'#', digits @ ..] if is_number(digits) => Word::Name,
            [first, ..] if first.is_ascii_alphabetic() && is_names(word) => Word::Name,
            _ => Word::Other,
        }
    }

    fn of_digits(word: &[u8]) -> Word {
        let digits = count(word, u8::is_ascii_digit);
        let value = word[..digits].iter().fold(0, |value, digit| (10 * value + u64::from(digit - b'0')).min(NUMBERS));
        match &word[digits..] {
            [b'.', zeros @ ..] | zeros if value < NUMBERS && zeros.iter().all(|&byte| byte == b'0') => {
                Word::Number(value as u32)
            }
            [b',' | b'/', more @ ..] if is_number(more) => Word::Pair,
            _ => Word::Other,
        }
    }

    /// Whether the word may stand for a square of a grid.
    pub fn is_cell(self) -> bool {
        matches!(self, Word::Number(_) | Word::Hole | Word::Empty)
    }
}

/// Longest word that may name a square, or is said in full. The longest name has seven letters and ten digits.
pub const WORD_MAX: usize = 64;

/// Numbers of moves are below this one.
const NUMBERS: u64 = 1_000_000_000;

/// Whether a byte stands between the words of a grid.
#[inline]
pub fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|')
}

/// The words of a line.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    words_between(line, |&byte| is_between(byte))
}

/// The words between bytes for which `is_apart` holds.
pub fn words_between(text: &[u8], is_apart: impl Fn(&u8) -> bool) -> impl Iterator<Item = &[u8]> {
    text.split(is_apart).filter(|word| !word.is_empty())
}

/// Number of bytes at the beginning of a text for which `is_in` holds.
pub fn count(text: &[u8], is_in: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_in(byte)).count()
}

pub fn is_number(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// Number of names of squares in a word; 0 if it has something else, unless it has three names at least.
pub fn names_in(word: &[u8]) -> usize {
    let is_begin = |pair: &&[u8]| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit();
    let names = word.windows(2).filter(is_begin).count();
    if names >= 3 || is_names(word) { names } else { 0 }
}

/// Whether a word is names of squares, one or some with dashes, arrows or nothing between them.
pub fn is_names(word: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'>' | b':') || !byte.is_ascii();
    let mut found = Vec::new();
    word.first().is_some_and(u8::is_ascii_alphabetic)
        && word.iter().all(is_part)
        && pieces(word, &mut found).is_ok()
        && found.iter().all(|(_, piece)| matches!(piece, Piece::Name(_)))
}

/// A word for a message. Control characters are replaced, as bytes are that are no text.
pub fn printable(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// The beginning of a word, for a message.
pub fn excerpt(word: &[u8]) -> String {
    let text = printable(&word[..word.len().min(WORD_MAX)]);
    let mut start: String = text.chars().take(24).collect();
    if start.len() < text.len() || word.len() > WORD_MAX {
        start += "..";
    }
    start
}

/// A part of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// A name of so many bytes.
    Name(usize),
    Pair([u32; 2]),
    /// The number of a move.
    Count(u32),
}

/// Takes a text of names, pairs and the signs between them apart, into squares and numbers of moves, each with its place in the text. A
/// number that is in no bracket, with a point, bracket or colon behind it, only counts. Bytes that are no ASCII are signs.
///
/// # Errors
/// The place of what is none of these.
pub fn pieces(text: &[u8], into: &mut Vec<(usize, Piece)>) -> Result<(), usize> {
    let is_sign = |byte: &u8| b"()[]{}<>-,;:|'\" \t\r".contains(byte) || !byte.is_ascii();
    let digits = |text: &[u8]| count(text, u8::is_ascii_digit);
    let number = |digits: &[u8]| str::from_utf8(digits).ok()?.parse().ok();
    into.clear();
    let (mut at, mut open) = (0, 0usize);
    loop {
        let signs = &text[at..at + count(&text[at..], is_sign)];
        for sign in signs {
            open = if *sign == b'(' { open + 1 } else { open.saturating_sub(usize::from(*sign == b')')) };
        }
        at += signs.len();
        let (place, rest) = (at, &text[at..]);
        let Some(&first) = rest.first() else { return Ok(()) };
        let before = if first == b'#' { 1 } else { count(rest, u8::is_ascii_alphabetic) };
        let (piece, behind) = rest.split_at(before + digits(&rest[before..]));
        at += piece.len();
        // A number below 0 is no row.
        let is_negative = matches!(signs, [b'-'] if into.is_empty()) || matches!(signs, [.., b'(' | b',' | b' ', b'-']);
        let found = match (before, behind) {
            // A word that calls a pair.
            (1.., [b'(', ..]) if piece.len() == before && first != b'#' => continue,
            _ if piece.len() == before || (before == 0 && is_negative) => None,
            (0, [b'.' | b')' | b':', ..]) if open == 0 => {
                at += 1;
                number(piece).map(Piece::Count)
            }
            (0, [b',' | b'/', more @ ..]) => {
                let more = more.trim_ascii_start();
                let (other, behind) = more.split_at(digits(more));
                at = text.len() - behind.len();
                number(piece).zip(number(other)).map(|(row, col)| Piece::Pair([row, col]))
            }
            (0, _) => None,
            _ => Some(Piece::Name(piece.len())),
        };
        into.push((place, found.ok_or(place)?));
    }
}
