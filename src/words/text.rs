//! Text: digits in groups, numbers with their nouns, lines of a width, the name that is nearest to a mistyped one, and text from
//! outside made safe to print on a terminal.

use std::fmt::{Display, Write};

/// The digits of a whole number of any size, with a comma before every third digit from the right.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// The singular of a noun for the number 1, else the plural: `tour`, `tours`. The number is compared as text.
pub fn noun(number: impl Display, one: &str) -> String {
    match number.to_string().as_str() {
        "1" => one.to_owned(),
        _ if ["s", "x", "ch", "sh"].iter().any(|end| one.ends_with(end)) => format!("{one}es"),
        _ => format!("{one}s"),
    }
}

/// A number with grouped digits and its noun: `1 class`, `1,245 classes`, `0 open tours`.
///
/// ```
/// # use destrier::words::number_of;
/// assert_eq!([1, 2, 1245].map(|n| number_of(n, "class")), ["1 class", "2 classes", "1,245 classes"]);
/// assert_eq!([0, 1, 9862].map(|n| number_of(n, "open tour")), ["0 open tours", "1 open tour", "9,862 open tours"]);
/// ```
pub fn number_of(number: impl Display, one: &str) -> String {
    let number = number.to_string();
    format!("{} {}", grouped(&number), noun(&number, one))
}

/// A number of tours with its convention: `1,245 classes`, `1 undirected tour`.
pub fn tours(number: impl Display, convention: &str) -> String {
    match convention {
        "classes" => number_of(number, "class"),
        "" => number_of(number, "tour"),
        convention => number_of(number, &format!("{convention} tour")),
    }
}

/// A number of tours with its convention and without the noun, for summaries whose label is `tours`: `9,862 undirected`.
/// For classes the noun stays: `1 class`.
pub fn by_convention(number: impl Display, convention: &str) -> String {
    match convention {
        "classes" => number_of(number, "class"),
        convention => format!("{} {convention}", grouped(number)),
    }
}

/// Wraps a text to lines of at most `width` characters. It breaks between words, and within a word longer than a line.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                let letters: Vec<char> = word.chars().collect();
                let parts = letters.chunks(width.max(1)).map(|part| part.iter().collect());
                lines.extend(parts.chain(letters.is_empty().then(String::new)));
            }
        }
    }
    lines
}

/// How many letters are to be put in, left out, replaced or exchanged with the next one, to make one word of the other.
///
/// # Source
/// F. J. Damerau, "A technique for computer detection and correction of spelling errors", Communications of the ACM 7,
/// 1964; the form in which no letter is touched twice.
pub fn slips(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let above = &rows[i - 1];
            let replaced = above[j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// The name that is nearest to a word, if it is at most two slips away.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.map(|name| (slips(word, name), name)).min().filter(|(far, _)| *far <= 2).map(|(_, name)| name)
}

/// Escapes every character of a text that a terminal could obey or that is invisible: `\x1b`, `\u{202e}`. Line feeds stay.
///
/// They are the control characters (C0, C1), marks of writing direction, characters that join or separate without taking
/// space, and format characters that belong to no text. Such a character in a message could move the cursor, colour the
/// screen, make the terminal send input as if typed, or make the message read differently from what it contains.
///
/// ```
/// # use destrier::words::visible;
/// assert_eq!(visible("no board: \x1b[31m6x6\u{202e}\nwrite 6x6"), "no board: \\x1b[31m6x6\\u{202e}\nwrite 6x6");
/// ```
pub fn visible(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        // Writing to a string never fails.
        let _ = match c {
            '\n' => escaped.write_char(c),
            '\0'..='\x1f' | '\x7f' => write!(escaped, "\\x{:02x}", u32::from(c)),
            _ if is_obeyed(c) => write!(escaped, "\\u{{{:x}}}", u32::from(c)),
            _ => escaped.write_char(c),
        };
    }
    escaped
}

/// Whether a character is a control or format character: the Unicode categories Cc, Cf, Zl and Zp.
pub fn is_obeyed(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{ad}'
        | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_one_has_no_plural() {
        let nouns = ["class", "dispatch", "box", "push", "tour"].map(|one| (noun(1, one), noun("2", one)));
        assert!(nouns.iter().all(|(one, two)| format!("{one}es") == *two || format!("{one}s") == *two), "{nouns:?}");
        assert_eq!(nouns[1].1, "dispatches");
        assert_eq!([1, 1245].map(|n| tours(n, "classes")), ["1 class", "1,245 classes"]);
        assert_eq!([1, 9862].map(|n| tours(n, "undirected")), ["1 undirected tour", "9,862 undirected tours"]);
        assert_eq!([1, 8].map(|n| by_convention(n, "directed")), ["1 directed", "8 directed"]);
        assert_eq!((tours(1, ""), by_convention(1, "classes")), ("1 tour".to_owned(), "1 class".to_owned()));
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("rank 2, the lowest, as c5, g3", 15), ["rank 2, the", "lowest, as c5,", "g3"]);
        assert_eq!(wrapped("a", 0), ["a"]);
        assert_eq!(wrapped("a longword", 3), ["a", "lon", "gwo", "rd"]);
        assert_eq!(wrapped("", 3), [""]);
    }

    #[test]
    fn slips_are_counted() {
        let of =
            [("tuor", "tour"), ("quik", "quick"), ("forgot", "forget"), ("solver", "every"), ("", "ab"), ("a", "a")];
        assert_eq!(of.map(|(one, other)| slips(one, other)), [1, 1, 1, 4, 2, 0]);
    }

    #[test]
    fn control_characters_are_escaped_and_text_stays() {
        for (text, expected) in [
            ("a1 b3, 8x8: größer 棋盤 ♞\n", "a1 b3, 8x8: größer 棋盤 ♞\n"),
            ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
            ("\r\t\x08\x7f\0", "\\x0d\\x09\\x08\\x7f\\x00"),
            ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
            ("\u{202e}\u{2066}\u{200f}\u{61c}", "\\u{202e}\\u{2066}\\u{200f}\\u{61c}"),
            ("a\u{200b}b\u{feff}c\u{ad}\u{2028}", "a\\u{200b}b\\u{feff}c\\u{ad}\\u{2028}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn no_control_character_is_left() {
        for c in (0..=0x0010_ffff).filter_map(char::from_u32).filter(|&c| c.is_control() && c != '\n') {
            assert!(!visible(&c.to_string()).contains(c), "{c:?}");
        }
    }
}
