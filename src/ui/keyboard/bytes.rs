//! Decodes the bytes of a terminal into keys.
//!
//! The sequences are those of ECMA-48 and xterm, and kitty's `u` for a terminal that another program left in that
//! mode.

use super::reports::{background, mouse};
use crate::ui::kit::ScreenMsg;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use std::collections::VecDeque;

const ESC: u8 = 0x1b;

/// A longer sequence is not a key.
const SEQUENCE_MAX: usize = 64;

/// Decodes bytes into keys; keeps an incomplete sequence until the rest arrives.
#[derive(Debug, Default)]
pub struct Decoder {
    begun: Vec<u8>,
    /// The number of answers to the terminal question (DSR 5) so far.
    pub answers: usize,
    /// Whether the background is light, once the terminal has said it.
    pub light: Option<bool>,
}

/// The first item of some bytes.
#[derive(PartialEq, Debug)]
enum First {
    /// A key, and its length in bytes.
    Key(KeyEvent, usize),
    /// A use of the mouse, and its length in bytes.
    Mouse(MouseEvent, usize),
    /// A number of bytes without a key that matters here.
    Noise(usize),
    /// A number of bytes that are an answer of the terminal.
    Answer(usize),
    /// A background that is light or not, and the length in bytes of the answer that says so.
    Background(bool, usize),
    /// An incomplete sequence.
    Begun,
}

impl Decoder {
    /// Decodes bytes that were read together. An ESC at the end is the escape key.
    pub fn take(&mut self, bytes: &[u8], keys: &mut VecDeque<ScreenMsg>) {
        self.begun.extend_from_slice(bytes);
        let mut rest = self.begun.as_slice();
        while !rest.is_empty() {
            let length = match first(rest) {
                First::Key(key, length) => {
                    keys.push_back(ScreenMsg::Key(key));
                    length
                }
                First::Mouse(event, length) => {
                    keys.push_back(ScreenMsg::Mouse(event));
                    length
                }
                First::Noise(length) => length,
                First::Answer(length) => {
                    self.answers += 1;
                    length
                }
                First::Background(light, length) => {
                    self.light = Some(light);
                    length
                }
                First::Begun if rest == [ESC] => {
                    keys.push_back(ScreenMsg::Key(KeyCode::Esc.into()));
                    1
                }
                First::Begun if rest.len() > SEQUENCE_MAX => rest.len(),
                First::Begun => break,
            };
            rest = &rest[length..];
        }
        self.begun = rest.to_vec();
    }
}

fn first(bytes: &[u8]) -> First {
    match *bytes {
        [ESC] => First::Begun,
        [ESC, ESC, ..] => First::Key(KeyCode::Esc.into(), 1),
        [ESC, b'[', ref rest @ ..] => sequence(rest),
        [ESC, b']'] => First::Begun,
        [ESC, b']', b'0'..=b'9', ..] => report(bytes),
        [ESC, b'O'] => First::Begun,
        [ESC, b'O', b'R', ..] => key(Some(KeyCode::F(3)), KeyModifiers::NONE, 3),
        [ESC, b'O', letter @ 0x40..0x7f, ..] => key(named(letter), KeyModifiers::NONE, 3),
        [ESC, b'O', ..] => First::Noise(2),
        [ESC, ref rest @ ..] => match plain(rest) {
            First::Key(key, length) => {
                First::Key(KeyEvent::new(key.code, key.modifiers | KeyModifiers::ALT), length + 1)
            }
            First::Noise(length) | First::Answer(length) | First::Mouse(_, length) | First::Background(_, length) => {
                First::Noise(length + 1)
            }
            First::Begun => First::Begun,
        },
        _ => plain(bytes),
    }
}

/// Decodes a key that is a single character.
fn plain(bytes: &[u8]) -> First {
    let control = |letter: u8| First::Key(KeyEvent::new(KeyCode::Char(letter.into()), KeyModifiers::CONTROL), 1);
    match bytes[0] {
        b'\r' => First::Key(KeyCode::Enter.into(), 1),
        b'\t' => First::Key(KeyCode::Tab.into(), 1),
        0x7f => First::Key(KeyCode::Backspace.into(), 1),
        0 => control(b' '),
        byte @ 0x01..=0x1a => control(byte - 1 + b'a'),
        byte @ 0x1c..=0x1f => control(byte - 0x1c + b'4'),
        _ => character(bytes),
    }
}

/// Decodes a UTF-8 character of at most four bytes.
fn character(bytes: &[u8]) -> First {
    let bytes = &bytes[..bytes.len().min(4)];
    let whole = match std::str::from_utf8(bytes) {
        Ok(text) => text.len(),
        Err(error) if error.valid_up_to() > 0 => error.valid_up_to(),
        Err(error) => return error.error_len().map_or(First::Begun, First::Noise),
    };
    let first = std::str::from_utf8(&bytes[..whole]).ok().and_then(|text| text.chars().next());
    first.map_or(First::Noise(1), |first| First::Key(typed(first, KeyModifiers::NONE), first.len_utf8()))
}

/// A character key; capitals include shift.
fn typed(character: char, modifiers: KeyModifiers) -> KeyEvent {
    let shift = if character.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    KeyEvent::new(KeyCode::Char(character), modifiers | shift)
}

/// Decodes a report of the terminal (OSC): it ends in BEL or `ESC \`, and another escape cuts it off.
fn report(bytes: &[u8]) -> First {
    let Some(end) = bytes[2..].iter().position(|&byte| byte < 0x20 || byte == 0x7f).map(|at| at + 2) else {
        return First::Begun;
    };
    let length = match bytes[end..] {
        [0x07, ..] => end + 1,
        [ESC] => return First::Begun,
        [ESC, b'\\', ..] => end + 2,
        _ => return First::Noise(end),
    };
    std::str::from_utf8(&bytes[2..end])
        .ok()
        .and_then(background)
        .map_or(First::Noise(length), |light| First::Background(light, length))
}

/// Decodes the bytes after `ESC [`: numbers separated by `;`, and a last byte that gives the meaning.
fn sequence(bytes: &[u8]) -> First {
    let Some(end) = bytes.iter().position(|byte| !(0x20..0x40).contains(byte)) else { return First::Begun };
    let length = end + 3;
    let last = bytes[end];
    // Function keys of the Linux console.
    if (end, last) == (0, b'[') {
        return match bytes.get(1) {
            None => First::Begun,
            Some(letter @ b'A'..=b'E') => key(Some(KeyCode::F(letter - b'A' + 1)), KeyModifiers::NONE, length + 1),
            Some(_) => First::Noise(length),
        };
    }
    if !(0x40..0x7f).contains(&last) {
        // The sequence was cut off: the next byte begins another item.
        return First::Noise(length - 1);
    }
    if let Some(numbers) = bytes[..end].strip_prefix(b"<").filter(|_| matches!(last, b'M' | b'm')) {
        return mouse(numbers, last == b'M').map_or(First::Noise(length), |event| First::Mouse(event, length));
    }
    let mut numbers = bytes[..end].split(|&byte| byte == b';').map(Number::new);
    let code = numbers.next().unwrap_or_default().value;
    let held = numbers.next().unwrap_or_default();
    if held.part == Some(RELEASED) {
        return First::Noise(length);
    }
    let modifiers = modifiers(held.value.unwrap_or(1));
    let named = match last {
        // DSR: 0 reports a working terminal, 3 a fault.
        b'n' => return First::Answer(length),
        b'~' => code.and_then(numbered),
        b'u' => {
            return code
                .and_then(|code| unicode(code, modifiers))
                .map_or(First::Noise(length), |key| First::Key(key, length));
        }
        _ => named(last),
    };
    key(named, modifiers, length)
}

/// kitty's code for the release of a key.
const RELEASED: u32 = 3;

/// A number of a sequence, and an optional second number after a colon.
#[derive(Clone, Copy, Default)]
struct Number {
    value: Option<u32>,
    part: Option<u32>,
}

impl Number {
    fn new(text: &[u8]) -> Number {
        let mut parts = text.split(|&byte| byte == b':');
        let mut next =
            || parts.next().and_then(|part| std::str::from_utf8(part).ok()).and_then(|part| part.parse().ok());
        Number { value: next(), part: next() }
    }
}

fn key(code: Option<KeyCode>, modifiers: KeyModifiers, length: usize) -> First {
    let shift = if code == Some(KeyCode::BackTab) { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    code.map_or(First::Noise(length), |code| First::Key(KeyEvent::new(code, modifiers | shift), length))
}

/// Keys with a letter code. `R` would be F3, but also marks a report of the cursor position.
fn named(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P' => KeyCode::F(1),
        b'Q' => KeyCode::F(2),
        b'S' => KeyCode::F(4),
        b'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

/// Keys with a number code.
fn numbered(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23..=24 => KeyCode::F(number as u8 - 12),
        _ => return None,
    })
}

/// Keys with a character code.
fn unicode(code: u32, modifiers: KeyModifiers) -> Option<KeyEvent> {
    let code = match char::from_u32(code)? {
        '\x1b' => KeyCode::Esc,
        '\r' => KeyCode::Enter,
        '\t' if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        '\t' => KeyCode::Tab,
        '\x7f' => KeyCode::Backspace,
        character => return Some(typed(character, modifiers)),
    };
    Some(KeyEvent::new(code, modifiers))
}

/// The modifier keys: one more than the sum of 1 for shift, 2 for alt and 4 for control. Others do not matter here.
fn modifiers(number: u32) -> KeyModifiers {
    let held = number.saturating_sub(1);
    let of = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    of.into_iter().filter(|(bit, _)| held & bit != 0).fold(KeyModifiers::NONE, |all, (_, one)| all | one)
}

#[cfg(test)]
mod tests;
