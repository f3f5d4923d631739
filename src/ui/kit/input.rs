//! A text that the user types, usually in the footer: a moment, a worker, a move or a square.

use super::message::ScreenEvent;
use ratatui::crossterm::event::{KeyCode, KeyModifiers};

/// Longest text, in bytes.
const TEXT_MAX: usize = 200;

/// An input field for a text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct TextInput {
    /// The text so far; `None` while the field is closed.
    text: Option<String>,
    /// Whether the text was suggested, and no key has changed it.
    suggested: bool,
}

/// What an input field did with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputKey {
    /// The message has its usual meaning: the field is closed, the control key is held, or nothing is typed.
    Usual,
    /// A key or a pasted text changed or closed the field.
    Typed,
    /// The user entered this text, and the field is closed.
    Entered(String),
}

/// Appends a letter to a text of at most `most` bytes; control characters are no letters.
pub fn append(text: &mut String, letter: char, most: usize) {
    if text.len() < most && !letter.is_control() {
        text.push(letter);
    }
}

impl TextInput {
    /// Opens the field with the beginning of a text.
    pub fn open(&mut self, text: impl Into<String>) {
        *self = TextInput { text: Some(text.into()), suggested: false };
    }

    /// Opens the field with a text that the first letter replaces.
    pub fn suggest(&mut self, text: &str) {
        *self = TextInput { text: Some(text.to_owned()), suggested: true };
    }

    /// The text so far; `None` while the field is closed.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Handles a key or a pasted text. Escape closes the field, and so does backspace if the field is empty.
    pub fn take(&mut self, msg: &ScreenEvent) -> InputKey {
        let Some(text) = &mut self.text else { return InputKey::Usual };
        let code = match msg {
            ScreenEvent::Key(key) if !key.modifiers.contains(KeyModifiers::CONTROL) => key.code,
            ScreenEvent::Pasted(pasted) => {
                self.write(pasted);
                return InputKey::Typed;
            }
            // What is typed covers the keys that a click would press.
            ScreenEvent::Mouse(_) => return InputKey::Typed,
            _ => return InputKey::Usual,
        };
        match code {
            KeyCode::Enter => return InputKey::Entered(self.text.take().unwrap_or_default().trim().to_owned()),
            KeyCode::Esc => self.text = None,
            KeyCode::Backspace if text.pop().is_none() => self.text = None,
            KeyCode::Char(letter) => self.write(letter.encode_utf8(&mut [0; 4])),
            _ => {}
        }
        self.suggested = false;
        InputKey::Typed
    }

    /// Appends letters to the text, or begins it with them where it is only suggested.
    fn write(&mut self, letters: &str) {
        let text = self.text.get_or_insert_default();
        if std::mem::take(&mut self.suggested) {
            text.clear();
        }
        letters.chars().for_each(|letter| append(text, letter, TEXT_MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_replaces_what_was_suggested_and_backspace_keeps_its_beginning() {
        for (keys, text) in [("x", "x"), ("xy", "xy"), ("\u{8}x", "name.txx")] {
            let mut input = TextInput::default();
            input.suggest("name.txt");
            for key in keys.chars() {
                let code = if key == '\u{8}' { KeyCode::Backspace } else { KeyCode::Char(key) };
                input.take(&ScreenEvent::Key(code.into()));
            }
            assert_eq!(input.text(), Some(text));
        }
    }

    #[test]
    fn a_pasted_text_replaces_what_was_suggested_and_never_enters_it() {
        let mut input = TextInput::default();
        let paste = |input: &mut TextInput, text: &str| input.take(&ScreenEvent::Pasted(text.to_owned()));
        assert_eq!(paste(&mut input, "x"), InputKey::Usual);
        input.suggest("name.txt");
        assert_eq!(paste(&mut input, "a\nb\x1b\t"), InputKey::Typed);
        assert_eq!(paste(&mut input, "\rq"), InputKey::Typed);
        assert_eq!(input.text(), Some("abq"));
        paste(&mut input, &"q".repeat(2000));
        assert_eq!(input.text().map(str::len), Some(TEXT_MAX));
    }
}
