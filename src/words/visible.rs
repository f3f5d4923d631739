//! Text from outside, made safe to print on a terminal.

use std::fmt::Write;

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
