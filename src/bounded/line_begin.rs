//! Detects what a line is: the beginning of a tour in some form, or a line that is passed over.
//!
//! **A spoilt tour is passed over by no rule.** A heading has at most two squares and numbers, a comment does not consist of
//! squares, and a line most of whose words are squares or numbers is a list or a row of a grid, also where its first word is
//! wrong: the reader of that form names the word.

use super::word::{Word, count, is_between, is_number, names_in, words, words_between};
use std::io::BufRead as _;

/// What begins on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineBegin {
    /// A list: the line begins with a board or a square.
    List,
    /// A number, then a letter: a list on a square board named by its side, or on `8 x 8`, or a wrong row of a grid.
    Side,
    /// A row of a grid.
    Grid,
    Json,
    Svg,
    /// The numbers of the squares in a file of TSPLIB.
    Section,
    /// A comment, a line of a box, or the letters of the columns.
    Aside,
    /// No form.
    Noise,
}

/// Number of bytes that are needed to detect the form.
pub const LOOK_AHEAD_BYTES: usize = 256;

/// The first line of a text.
pub fn first_line(text: &[u8]) -> &[u8] {
    let mut rest = text;
    // The fastest search for a byte that the standard library has.
    let line = &text[..rest.skip_until(b'\n').unwrap_or_default()];
    line.strip_suffix(b"\n").unwrap_or(line)
}

/// What follows the first line of a text and the empty lines, comments and lines of boxes behind it.
fn below(text: &[u8]) -> &[u8] {
    let mut rest = text;
    loop {
        rest = rest.get(first_line(rest).len() + 1..).unwrap_or_default().trim_ascii_start();
        if LineBegin::of(rest) != LineBegin::Aside {
            return rest;
        }
    }
}

/// Whether a line, which must not begin with a blank, is part of a box, the end of an array of another language, or of a quotation in
/// Markdown: signs and blanks alone.
fn is_rule(line: &[u8]) -> bool {
    // Part of a character that draws a box, or of another sign.
    let is_box = |byte: &u8| matches!(byte, 0xe2 | 0x80..=0xbf);
    !line.is_empty() && line.iter().all(|byte| b"+-=_|]});` \t\r".contains(byte) || is_box(byte))
}

/// Whether a line is the letters of the columns: a, b, c and so on, two of them at least.
fn is_columns(line: &[u8]) -> bool {
    let letters = || line.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase);
    let is_part = |byte: &u8| byte.is_ascii_alphabetic() || b" \t\r|-+,;".contains(byte);
    line.iter().all(is_part) && letters().count() > 1 && letters().eq((b'a'..=b'z').take(letters().count()))
}

/// Whether a line is a comment, which begins with `//`, `%` or `#`, or says something of a file of TSPLIB. A number of a square
/// begins with `#`, too, as does a row whose first square is left out, and any sign may be a slip at the beginning of a tour.
fn is_comment(line: &[u8]) -> bool {
    match line {
        [b'#', next, ..] if next.is_ascii_digit() => false,
        [b'#' | b'%', rest @ ..] | [b'/', b'/', rest @ ..] => {
            let [names, numbers, others] = kinds(rest);
            let is_glued = rest.first().is_some_and(|next| !next.is_ascii_whitespace());
            names + numbers < 3 || (others > 0 && !is_glued)
        }
        // A line of the head of a file of TSPLIB, or its last one.
        _ => {
            let key = line.split(|&byte| byte == b':').next().unwrap_or_default().trim_ascii_end();
            let is_key = [b"NAME".as_slice(), b"TYPE", b"COMMENT", b"DIMENSION"].contains(&key);
            line.trim_ascii() == b"EOF" || (is_key && line.contains(&b':'))
        }
    }
}

/// Whether a line may be a heading: it has a word that is no square, at most two squares and numbers, and no sign for a square
/// that is left out. A spoilt tour has more.
pub fn is_heading(line: &[u8]) -> bool {
    let letters = |word: &[u8]| count(word, u8::is_ascii_alphabetic);
    let is_place = |word: &&[u8]| letters(word) < 3 && is_number(&word[letters(word)..]);
    let parts = || words_between(line, |byte| !byte.is_ascii_alphanumeric());
    let is_word = |word: &[u8]| letters(word) == word.len();
    let is_text = |word: &[u8]| word.len() > 1 && word != b"xx" && is_word(word);
    let is_short = || parts().next().is_some() && parts().all(is_word) && line.iter().any(|byte| b",=".contains(byte));
    (parts().any(is_text) || is_short())
        && parts().filter(is_place).count() < 3
        && !words(line).any(|word| Word::of(word) == Word::Hole)
}

/// Whether a line behind the last tour is text: it begins with a word of two letters or more that is no square, no sign and no hole, and
/// has at most two words with a digit.
pub fn is_text(line: &[u8]) -> bool {
    let letters = count(line, u8::is_ascii_alphabetic);
    let is_word = letters > 1 && !line.starts_with(b"xx") && !line[letters..].first().is_some_and(u8::is_ascii_digit);
    let is_known = |word: &&[u8]| word.iter().any(u8::is_ascii_digit) || Word::of(word).is_cell();
    is_word && words(line).filter(is_known).count() < 3
}

/// Whether a line is cells in a bracket each, or a row whose number stands in a bracket, as `[1,]`.
fn is_cells(line: &[u8]) -> bool {
    let cells = || line.split(|&byte| byte == b']').map(<[u8]>::trim_ascii).filter(|cell| !cell.is_empty());
    let inside = |cell: &'_ [u8]| Word::of(cell.strip_prefix(b"[").unwrap_or_default().trim_ascii());
    cells().nth(1).is_some() && cells().all(|cell| inside(cell).is_cell())
}

/// Whether a line has a number or a sign for a square that is left out.
fn has_cells(line: &[u8]) -> bool {
    words(line).any(|word| matches!(Word::of(word), Word::Number(_) | Word::Hole))
}

/// Whether a line begins with brackets and a square that has no quotes, as a list in brackets does.
fn is_open_list(line: &[u8]) -> bool {
    let inside = &line[count(line, |byte| b"[{( ".contains(byte))..];
    let first = &inside[..count(inside, |byte| byte.is_ascii_alphanumeric() || *byte == b'/')];
    let is_called = |word: &[u8]| word.iter().all(u8::is_ascii_alphabetic) && inside[word.len()..].starts_with(b"(");
    match Word::of(first) {
        Word::Name | Word::Pair => true,
        _ => !first.is_empty() && is_called(first),
    }
}

/// Number of bytes of the words that say what stands behind them, `Move 1: `, `THE TOUR IS ----> ` or `A = `, up to the first square
/// or bracket; 0 if there are none.
pub fn label_length(line: &[u8]) -> usize {
    let (mut at, mut has_word) = (0, false);
    while let Some(&first) = line.get(at) {
        let rest = &line[at..];
        let letters = count(rest, u8::is_ascii_alphabetic);
        let digits = count(&rest[letters..], u8::is_ascii_digit);
        let behind = rest.get(letters + digits);
        match (letters, digits) {
            (0, 0) if b" \t:.=>-)".contains(&first) => at += 1,
            (0, 1..) if !matches!(behind, Some(b',' | b'/' | b'x' | b'X')) => at += digits,
            (1.., 0) => {
                has_word |= letters > 1 || behind == Some(&b' ');
                at += letters;
            }
            _ => break,
        }
    }
    if has_word { at } else { 0 }
}

/// Whether a label ends with a sign, so that all of its line belongs to it.
pub fn ends_with_sign(label: &[u8]) -> bool {
    matches!(label.trim_ascii_end().last(), Some(b':' | b'=' | b'>'))
}

/// Whether two labels are of one kind: they differ in the digits of their numbers and in signs at most.
pub fn are_alike<'a>(one: &'a [u8], other: &'a [u8]) -> bool {
    // Its letters, with a 0 for each number.
    let kind = |label: &'a [u8]| {
        let parts = label.chunk_by(|one, next| one.is_ascii_digit() && next.is_ascii_digit());
        parts.map(|part| if part[0].is_ascii_digit() { b'0' } else { part[0] }).filter(u8::is_ascii_alphanumeric)
    };
    kind(one).eq(kind(other))
}

/// Whether the line is a square behind a label, and so is the next one: then both belong to a list.
fn is_labelled(text: &[u8]) -> bool {
    let line = first_line(text);
    let next = text.get(line.len() + 1..).map(first_line).unwrap_or_default().trim_ascii_start();
    let (label, square) = line.split_at(label_length(line));
    let (next_label, next_square) = next.split_at(label_length(next));
    let is_square = |rest: &[u8]| {
        let rest = rest.trim_ascii();
        rest.starts_with(b"(") && rest.ends_with(b")") || matches!(Word::of(rest), Word::Name | Word::Pair)
    };
    !label.is_empty() && are_alike(label, next_label) && is_square(square) && is_square(next_square)
}

/// Whether a line is a size or a number of tours: a number or two, or a board.
fn is_size(line: &[u8]) -> bool {
    let is_short = words(line).nth(2).is_none() && words(line).all(is_number);
    is_short || board_length(line) == line.trim_ascii_end().len()
}

/// Whether a line counts columns: 0, 1, 2 and so on, or 1, 2, 3, three of them at least.
pub fn is_count(line: &[u8]) -> bool {
    let counts = |first: usize| words(line).zip(first..).all(|(word, number)| word == number.to_string().as_bytes());
    let is_begin = words(line).next().is_some_and(|word| word == b"0" || word == b"1");
    is_begin && words(line).nth(2).is_some() && (counts(0) || counts(1))
}

/// Bytes of the board with which a line begins, `8x8`, `8 x 8` or `8×8`; 0 if it begins with none.
pub fn board_length(line: &[u8]) -> usize {
    let rest = &line[count(line, u8::is_ascii_digit)..];
    let by = rest.trim_ascii_start();
    let by = by.strip_prefix("×".as_bytes()).or_else(|| by.strip_prefix(b"x")).or_else(|| by.strip_prefix(b"X"));
    let Some(cols) = by.map(<[u8]>::trim_ascii_start) else { return 0 };
    let behind = &cols[count(cols, u8::is_ascii_digit)..];
    let is_board = rest.len() < line.len() && behind.len() < cols.len();
    if is_board && behind.first().is_none_or(u8::is_ascii_whitespace) { line.len() - behind.len() } else { 0 }
}

/// The number of names of squares, of numbers and signs for squares, and of other words of a line that may be a spoilt tour.
fn kinds(line: &[u8]) -> [usize; 3] {
    let mut kinds = [0; 3];
    for word in words_between(line, |byte| is_between(*byte) || b"()[]{}<>\"'/".contains(byte)) {
        match names_in(word) {
            _ if word != b"-" && Word::of(word).is_cell() => kinds[1] += 1,
            0 => kinds[2] += 1,
            names => kinds[0] += names,
        }
    }
    kinds
}

/// The form of a line most of whose words are of one kind, three at least.
fn form(line: &[u8]) -> LineBegin {
    let [names, numbers, others] = kinds(line);
    match () {
        () if names >= 3 && names > numbers + others => LineBegin::List,
        () if numbers >= 3 && numbers > names + others => LineBegin::Grid,
        () => LineBegin::Noise,
    }
}

/// Whether a tour, or several in brackets, may stand behind a label on its line.
pub fn is_whole_line(text: &[u8]) -> bool {
    let line = first_line(text);
    matches!(LineBegin::of(line), LineBegin::Json | LineBegin::List)
        && line.split(u8::is_ascii_whitespace).nth(2).is_some()
}

impl LineBegin {
    /// Detects what begins on the first line of a text, which must not begin with a blank.
    pub fn of(text: &[u8]) -> LineBegin {
        let line = first_line(text);
        let first = line.split(|&byte| is_between(byte)).next().unwrap_or_default();
        let behind = line[first.len()..].trim_ascii_start();
        match first {
            [b'0'..=b'9', ..] => LineBegin::of_number(line, first, behind),
            _ if line.starts_with(b"[,1]") => LineBegin::Aside,
            [b'[', number @ ..] if is_cells(line) || (is_number(number) && behind.starts_with(b",]")) => {
                LineBegin::Grid
            }
            [b'[' | b'{' | b'(', ..] if is_open_list(line) => LineBegin::List,
            [b'[' | b'{', ..] | [b'(', b'(', ..] => LineBegin::Json,
            [b'(', ..] => LineBegin::List,
            b"TOUR_SECTION" => LineBegin::Section,
            [b'<', ..] if [b"<svg", b"<?xml".as_slice()].iter().any(|tag| first.starts_with(tag)) => LineBegin::Svg,
            _ if is_rule(line) || is_columns(line) || is_comment(line) => LineBegin::Aside,
            _ if is_labelled(text) => LineBegin::List,
            _ if matches!(Word::of(first), Word::Hole | Word::Empty) && has_cells(line) => LineBegin::Grid,
            _ if Word::of(first) == Word::Name => LineBegin::List,
            [] if line.is_empty() => LineBegin::Noise,
            // A row of a box.
            [] | [0xe2, 0x94 | 0x95, _, ..] => {
                let row = line[if first.is_empty() { 1 } else { 3 }..].trim_ascii_start();
                Some(LineBegin::of(row)).filter(|&begin| begin == LineBegin::Grid).unwrap_or(LineBegin::Noise)
            }
            _ => form(line),
        }
    }

    /// What begins on the first line of a text, by what stands on the next one. A line that belongs to a tour and is none is an aside: a
    /// comment, part of a box, or a heading or a size directly before a tour. A line with a number or a hole that is as wide as the row
    /// below it is a row, whatever its first word is.
    pub fn before(ahead: &[u8]) -> LineBegin {
        let (begin, line) = (LineBegin::of(ahead), first_line(ahead).trim_ascii_end());
        let is_tour = matches!(begin, LineBegin::List | LineBegin::Side | LineBegin::Grid);
        if begin != LineBegin::Noise && !(is_tour && (is_size(line) || is_count(line))) {
            return begin;
        }
        let (below, width) = (below(ahead), words(line).count());
        let (next, cols) = (LineBegin::of(below), words(first_line(below)).count());
        // An empty line below says that the line is a tour of its own.
        let touches = || ahead.split(|&byte| byte == b'\n').nth(1).is_some_and(|line| !line.trim_ascii().is_empty());
        let is_size = || is_size(line) && (cols > width || next != LineBegin::Grid);
        match begin {
            _ if next == LineBegin::Noise => begin,
            LineBegin::Noise if next == LineBegin::Grid && cols > 2 && cols == width && has_cells(line) => next,
            LineBegin::Noise if is_heading(line) => LineBegin::Aside,
            _ if is_tour && (is_size() || (is_count(line) && cols == width + 1)) && touches() => LineBegin::Aside,
            _ => begin,
        }
    }

    /// Detects what begins on a line whose first word begins with a digit.
    fn of_number(line: &[u8], first: &[u8], behind: &[u8]) -> LineBegin {
        let is_letter = |text: &[u8]| text.first().is_some_and(u8::is_ascii_alphabetic);
        let is_name = |text: &[u8]| is_letter(text) || matches!(text, [b'#', b'0'..=b'9', ..] | [0xc3, 0x97, ..]);
        let digits = count(first, u8::is_ascii_digit);
        match &first[digits..] {
            [b'x' | b'X' | b'/', ..] | [0xc3, 0x97, ..] => LineBegin::List,
            // The number of a move.
            [b'.' | b')' | b':'] if is_letter(behind) || behind.starts_with(b"(") => LineBegin::List,
            [b'.' | b')' | b':', name @ ..] if is_letter(name) => LineBegin::List,
            [] if is_name(behind) => LineBegin::Side,
            [] if are_pairs(line) => LineBegin::List,
            [] | [0xe2, 0x94 | 0x95, ..] | [b'-', b'>', ..] | [0xe2, 0x86, ..] => LineBegin::Grid,
            _ if matches!(Word::of(first), Word::Number(_)) => LineBegin::Grid,
            _ => form(line),
        }
    }
}

/// Whether a line begins with two rows and columns with a comma between.
fn are_pairs(line: &[u8]) -> bool {
    let is_pair = |word: &&[u8]| Word::of(word) == Word::Pair && word.contains(&b',');
    line.split(u8::is_ascii_whitespace).take(2).filter(is_pair).count() == 2
}
