//! Detects what a line is: the beginning of a tour in some form, or a line that is passed over.
//!
//! **A spoilt tour is passed over by no rule.** A heading has at most two squares and numbers, a comment does not consist of
//! squares, and a line most of whose words are squares or numbers is a list or a row of a grid, also where its first word is
//! wrong: the reader of that form names the word.

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
    text.split(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// What follows the first line of a text and the empty lines, comments and lines of boxes behind it.
pub fn below(text: &[u8]) -> &[u8] {
    let mut rest = text;
    loop {
        rest = rest.get(first_line(rest).len() + 1..).unwrap_or_default().trim_ascii_start();
        if LineBegin::of(rest) != LineBegin::Aside {
            return rest;
        }
    }
}

/// Number of bytes at the beginning of a text for which `is_in` holds.
fn count(text: &[u8], is_in: impl Fn(&u8) -> bool) -> usize {
    text.iter().take_while(|byte| is_in(byte)).count()
}

/// Whether a line, which must not begin with a blank, is part of a box, the end of an array of another language, or of a quotation in
/// Markdown: signs and blanks alone.
fn is_rule(line: &[u8]) -> bool {
    let mut rest = line;
    loop {
        rest = match rest {
            [] => return !line.is_empty(),
            [sign, more @ ..] if b"+-=_|]});` \t\r".contains(sign) => more,
            [0xe2, 0x94 | 0x95, _, more @ ..] => more,
            _ => return false,
        }
    }
}

/// Whether a line is the letters of the columns: a, b, c and so on, two of them at least.
fn is_columns(line: &[u8]) -> bool {
    let mut letters = (b'a'..=b'z').peekable();
    let is_next = |byte: u8| match byte.is_ascii_alphabetic() {
        true => letters.next() == Some(byte.to_ascii_lowercase()),
        false => b" \t\r|-+,;".contains(&byte),
    };
    line.iter().copied().all(is_next) && letters.peek().is_none_or(|&next| next > b'b')
}

/// Whether a line is a comment, which begins with `//`, `%` or `#`, or says something of a file of TSPLIB. A number of a square
/// begins with `#`, too, as does a row whose first square is left out, and any sign may be a slip at the beginning of a tour.
fn is_comment(line: &[u8]) -> bool {
    match line {
        [b'#', next, ..] if next.is_ascii_digit() => false,
        [b'#' | b'%', rest @ ..] | [b'/', b'/', rest @ ..] => {
            let Words { names, numbers, others } = Words::of(rest);
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
    let words = || line.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut signs = line.split(u8::is_ascii_whitespace);
    words().any(|word| word.len() > 1 && letters(word) == word.len())
        && words().filter(is_place).count() < 3
        && !signs.any(is_hole)
}

/// Whether a line is a size or a number of tours: a number or two, or a board.
pub fn is_size(line: &[u8]) -> bool {
    let mut words = line.split(|&byte| is_between(byte)).filter(|word| !word.is_empty());
    let is_short = words.by_ref().take(2).all(is_number) && words.next().is_none();
    is_short || board_length(line) == line.trim_ascii_end().len()
}

/// Whether a line counts columns: 0, 1, 2 and so on, or 1, 2, 3, three of them at least.
pub fn is_count(line: &[u8]) -> bool {
    let words = || line.split(|&byte| is_between(byte)).filter(|word| !word.is_empty());
    let counts = |first: usize| words().zip(first..).all(|(word, number)| word == number.to_string().as_bytes());
    words().nth(2).is_some() && (counts(0) || counts(1))
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

/// The words of a line that may be a spoilt tour, by what they are.
struct Words {
    names: usize,
    /// Numbers and signs for squares that are left out.
    numbers: usize,
    others: usize,
}

impl Words {
    fn of(line: &[u8]) -> Words {
        let mut words = Words { names: 0, numbers: 0, others: 0 };
        for word in line.split(|&byte| is_between(byte) || b"()[]{}<>\"'/".contains(&byte)) {
            match names_in(word) {
                _ if is_number(word) || is_hole(word) => words.numbers += 1,
                0 => words.others += usize::from(!word.is_empty()),
                names => words.names += names,
            }
        }
        words
    }

    /// The form of a line most of whose words are of one kind, three at least.
    fn form(&self) -> LineBegin {
        let Words { names, numbers, others } = *self;
        match () {
            () if names >= 3 && names > numbers + others => LineBegin::List,
            () if numbers >= 3 && numbers > names + others => LineBegin::Grid,
            () => LineBegin::Noise,
        }
    }
}

fn is_number(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// Whether a word stands for a square that is left out.
fn is_hole(word: &[u8]) -> bool {
    matches!(word, b"." | b"*" | b"**" | b"#")
}

/// Whether a byte stands between words.
pub fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'|')
}

/// Number of names of squares in a word; 0 if it has something else, unless it has three names at least.
fn names_in(word: &[u8]) -> usize {
    let is_begin = |pair: &&[u8]| pair[0].is_ascii_alphabetic() && pair[1].is_ascii_digit();
    let names = word.windows(2).filter(is_begin).count();
    if names >= 3 || is_names(word) { names } else { 0 }
}

/// Whether a word is names of squares, one or some with dashes, arrows or nothing between them.
fn is_names(word: &[u8]) -> bool {
    let is_sign = |byte: &u8| matches!(byte, b'-' | b'>' | b':') || !byte.is_ascii();
    let (mut rest, mut names) = (word, 0);
    while !rest.is_empty() {
        let letters = count(rest, u8::is_ascii_alphabetic);
        let digits = count(&rest[letters..], u8::is_ascii_digit);
        if letters == 0 || digits == 0 {
            return false;
        }
        names += 1;
        rest = &rest[letters + digits..];
        rest = &rest[count(rest, is_sign)..];
    }
    names > 0
}

impl LineBegin {
    /// Detects what begins on the first line of a text, which must not begin with a blank.
    pub fn of(text: &[u8]) -> LineBegin {
        let line = first_line(text);
        let first = line.split(|&byte| is_between(byte)).next().unwrap_or_default();
        let behind = line[first.len()..].trim_ascii_start();
        match first {
            [b'0'..=b'9', ..] => LineBegin::of_number(line, first, behind),
            [b'[' | b'{', ..] | [b'(', b'(', ..] => LineBegin::Json,
            [b'(', ..] => LineBegin::List,
            b"TOUR_SECTION" => LineBegin::Section,
            [b'<', ..] if [b"<svg", b"<?xml".as_slice()].iter().any(|tag| first.starts_with(tag)) => LineBegin::Svg,
            [b'#', number @ ..] if is_number(number) => LineBegin::List,
            _ if is_rule(line) || is_columns(line) || is_comment(line) => LineBegin::Aside,
            _ if is_hole(first) => LineBegin::Grid,
            _ if is_names(first) => LineBegin::List,
            [] if line.is_empty() => LineBegin::Noise,
            // A row of a box.
            [] | [0xe2, 0x94 | 0x95, _, ..] => {
                let row = &line[if first.is_empty() { 1 } else { 3 }..];
                let is_grid = LineBegin::of(row.trim_ascii_start()) == LineBegin::Grid;
                if is_grid { LineBegin::Grid } else { LineBegin::Noise }
            }
            _ => Words::of(line).form(),
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
            [] if is_pair(line) && behind.split(u8::is_ascii_whitespace).nth(1).is_some_and(is_pair) => LineBegin::List,
            [] | [0xe2, 0x94 | 0x95, ..] => LineBegin::Grid,
            _ => Words::of(line).form(),
        }
    }
}

fn first_word(text: &[u8]) -> &[u8] {
    text.split(u8::is_ascii_whitespace).next().unwrap_or_default()
}

/// Whether the first word of a text is a row and a column with a comma between.
fn is_pair(text: &[u8]) -> bool {
    let mut parts = first_word(text).split(|&byte| byte == b',');
    parts.by_ref().take(2).filter(|part| is_number(part)).count() == 2 && parts.next().is_none()
}
