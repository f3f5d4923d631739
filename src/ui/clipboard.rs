//! The clipboard of the terminal (OSC 52), which is that of the user's own machine, also over SSH.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// Bytes of the longest text that is copied: terminals take some 100 KB, in letters of which 4 are 3 bytes.
const TEXT_MAX: usize = 74_000;

/// What a terminal is sent to copy a text; `None` if the text is too long for one.
pub fn copying(text: &str) -> Option<String> {
    (text.len() <= TEXT_MAX).then(|| format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_sent_in_the_letters_of_base64_if_it_is_not_too_long() {
        assert_eq!(copying("8x8 a1\n").as_deref(), Some("\x1b]52;c;OHg4IGExCg==\x07"));
        assert!(copying(&"a".repeat(TEXT_MAX)).is_some_and(|sent| sent.len() < 100_000));
        assert_eq!(copying(&"a".repeat(TEXT_MAX + 1)), None);
    }
}
