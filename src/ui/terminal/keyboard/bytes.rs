//! Decodes the bytes of a terminal into keys.
//!
//! The sequences are those of ECMA-48 and xterm, and kitty's `u` for a terminal that another program left in that
//! mode. Bytes from 0x80 on are UTF-8, so no control has its form of eight bits.
//!
//! # Late answers
//!
//! A terminal may answer a question of another program. What lies between `ESC P`, `ESC X`, `ESC ]`, `ESC ^` or `ESC _`
//! and its end (`ESC \`, or BEL) is such an answer, and no key. Where the end does not come, keys act again: after
//! [`STRING_MAX`] bytes, [`REST_TIME`] after the last byte, or at a byte that ECMA-48 does not allow there, such as
//! `ctrl-c`.
//!
//! Alt and P are the bytes `ESC P`, too. They are a key if no byte follows within [`ESCAPE_TIME`], or if the answer that
//! they would begin has no end and is shorter than an answer can be ([`TYPED_MAX`]). The next keys then act as well.

use crate::ui::kit::ScreenEvent;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use std::collections::VecDeque;
use std::time::Duration;

const ESC: u8 = 0x1b;
/// The answer of a working terminal to the terminal question.
const ANSWER: &str = "\x1b[0n";

/// A longer sequence is not a key.
const SEQUENCE_MAX: usize = 64;
/// A longer answer of a terminal is none.
const STRING_MAX: usize = 4096;
/// As many bytes without an end are keys that were typed: alt, and a key or two behind it.
const TYPED_MAX: usize = 4;
/// An escape and what comes within this time belong together.
const ESCAPE_TIME: Duration = Duration::from_millis(100);
/// How long the rest of a sequence, an answer or a pasted text is waited for.
const REST_TIME: Duration = Duration::from_secs(1);
/// Ctrl-C, and how long it may be a part of a text that is pasted.
const INTERRUPT: u8 = 0x03;
const INTERRUPT_TIME: Duration = Duration::from_secs(2);

/// Decodes bytes into keys; keeps an incomplete sequence until the rest arrives.
#[derive(Debug, Default)]
pub struct Decoder {
    begun: Vec<u8>,
    /// The text that is being pasted.
    paste: Option<Paste>,
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
    /// A number of bytes before a text that is pasted.
    Paste(usize),
    /// An incomplete sequence.
    Begun,
}

impl Decoder {
    /// Decodes bytes that were read together.
    pub fn take(&mut self, bytes: &[u8], keys: &mut VecDeque<ScreenEvent>) {
        if let Some(paste) = &mut self.paste {
            paste.take(bytes);
            if paste.is_full() {
                self.give_up(keys);
            }
            return;
        }
        // A key behind the escape key is no key with alt.
        if self.begun == [ESC] && !matches!(bytes, [b'[' | b']' | b'O' | b'P' | b'X' | b'^' | b'_', ..]) {
            self.give_up(keys);
        }
        let mut begun = std::mem::take(&mut self.begun);
        begun.extend_from_slice(bytes);
        let mut rest = begun.as_slice();
        while !rest.is_empty() {
            let length = match first(rest) {
                First::Key(key, length) => {
                    keys.push_back(ScreenEvent::Key(key));
                    length
                }
                First::Mouse(event, length) => {
                    keys.push_back(ScreenEvent::Mouse(event));
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
                First::Paste(length) => {
                    self.paste = Some(Paste::default());
                    return self.take(&rest[length..], keys);
                }
                First::Begun => break,
            };
            rest = &rest[length..];
        }
        self.begun = rest.to_vec();
    }

    pub fn is_pasting(&self) -> bool {
        self.paste.is_some()
    }

    /// Gives up a text that has been pasted for so long, if the bytes that come next are Ctrl-C and nothing else: a key that is
    /// held down leaves no pause in which the text could end.
    pub fn heed_interrupt(&mut self, bytes: &[u8], pasted_for: Duration, keys: &mut VecDeque<ScreenEvent>) {
        if self.is_pasting() && pasted_for >= INTERRUPT_TIME && bytes.iter().all(|&byte| byte == INTERRUPT) {
            self.give_up(keys);
        }
    }

    /// How long the rest of what has begun is waited for before it is given up; `None` if nothing has begun.
    pub fn patience(&self) -> Option<Duration> {
        match (&self.paste, self.begun.as_slice()) {
            (None, []) => None,
            (None, [ESC] | [ESC, _]) => Some(ESCAPE_TIME),
            (Some(paste), _) if paste.has_ended() => Some(ESCAPE_TIME),
            _ => Some(REST_TIME),
        }
    }

    /// Gives up what has begun, because its rest has not come: a text is pasted as far as it came, a few bytes are the
    /// keys that were typed, and more bytes are dropped.
    pub fn give_up(&mut self, keys: &mut VecDeque<ScreenEvent>) {
        if let Some(paste) = self.paste.take() {
            let has_ended = paste.has_ended();
            let (text, behind) = paste.end();
            // The answers that came in a text without an end are missed otherwise.
            self.answers += if has_ended { 0 } else { text.matches(ANSWER).count() };
            keys.push_back(ScreenEvent::Pasted(text));
            return self.take(&behind, keys);
        }
        let begun = std::mem::take(&mut self.begun);
        let typed = match *begun {
            [ESC] => First::Key(KeyCode::Esc.into(), 1),
            [ESC, ref rest @ ..] if begun.len() <= TYPED_MAX => alt(rest),
            _ => return,
        };
        if let First::Key(key, length) = typed {
            keys.push_back(ScreenEvent::Key(key));
            self.take(&begun[length..], keys);
        }
    }
}

fn first(bytes: &[u8]) -> First {
    match *bytes {
        [ESC] => First::Begun,
        [ESC, ESC, ..] => First::Key(KeyCode::Esc.into(), 1),
        [ESC, b'[', ref rest @ ..] => sequence(rest),
        [ESC, b']' | b'P' | b'X' | b'^' | b'_', ..] => string(bytes),
        [ESC, b'O'] => First::Begun,
        [ESC, b'O', b'R', ..] => key(Some(KeyCode::F(3)), KeyModifiers::NONE, 3),
        [ESC, b'O', letter @ 0x40..0x7f, ..] => key(named(letter), KeyModifiers::NONE, 3),
        [ESC, b'O', ..] => First::Noise(2),
        [ESC, ref rest @ ..] => alt(rest),
        _ => plain(bytes),
    }
}

/// Decodes a key that was pressed with alt; an ESC stands before it.
fn alt(bytes: &[u8]) -> First {
    match plain(bytes) {
        First::Key(key, length) => First::Key(KeyEvent::new(key.code, key.modifiers | KeyModifiers::ALT), length + 1),
        First::Noise(length) => First::Noise(length + 1),
        other => other,
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

/// Decodes an answer of the terminal (OSC, DCS, SOS, PM, APC), or the key with alt that begins like one.
fn string(bytes: &[u8]) -> First {
    let allowed = |byte: &u8| matches!(byte, 0x08..=0x0d | 0x20..=0x7e | 0x80..);
    let end = 2 + bytes[2..].iter().take_while(|byte| allowed(byte)).count();
    if end > STRING_MAX {
        return First::Noise(STRING_MAX);
    }
    let length = match bytes[end..] {
        [] | [ESC] => return First::Begun,
        [0x07, ..] => end + 1,
        [ESC, b'\\', ..] => end + 2,
        _ if end <= TYPED_MAX => return alt(&bytes[1..]),
        _ => return First::Noise(end),
    };
    let report = std::str::from_utf8(&bytes[2..end]).ok().filter(|_| bytes[1] == b']');
    report.and_then(background).map_or(First::Noise(length), |light| First::Background(light, length))
}

/// Decodes the bytes after `ESC [`: numbers separated by `;`, and a last byte that gives the meaning.
fn sequence(bytes: &[u8]) -> First {
    let end = bytes.iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
    if end + 2 > SEQUENCE_MAX {
        return First::Noise(SEQUENCE_MAX);
    }
    if end == bytes.len() {
        return First::Begun;
    }
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
    let first = numbers.next().unwrap_or_default();
    let code = first.value;
    let held = numbers.next().unwrap_or_default();
    if held.part == Some(RELEASED) {
        return First::Noise(length);
    }
    let modifiers = modifiers(held.value.unwrap_or(1));
    let named = match last {
        // DSR: 0 reports a working terminal, 3 a fault.
        b'n' => return First::Answer(length),
        b'~' if code == Some(PASTED) => return First::Paste(length),
        b'~' => code.and_then(numbered),
        b'u' => {
            return first
                .letter(modifiers)
                .and_then(|code| unicode(code, modifiers))
                .map_or(First::Noise(length), |key| First::Key(key, length));
        }
        _ => named(last),
    };
    key(named, modifiers, length)
}

/// The code before pasted text.
const PASTED: u32 = 200;
/// kitty's code for the release of a key.
const RELEASED: u32 = 3;

/// A number of a sequence, and optional further ones after colons: of a key the code, that with shift, and that of the key at
/// the same place of a Latin layout.
#[derive(Clone, Copy, Default)]
struct Number {
    value: Option<u32>,
    part: Option<u32>,
    base: Option<u32>,
}

impl Number {
    fn new(text: &[u8]) -> Number {
        let mut parts = text.split(|&byte| byte == b':');
        let mut next =
            || parts.next().and_then(|part| std::str::from_utf8(part).ok()).and_then(|part| part.parse().ok());
        Number { value: next(), part: next(), base: next() }
    }

    /// The code of a key: that of its place where it is no ASCII letter and the terminal says the place.
    fn letter(self, modifiers: KeyModifiers) -> Option<u32> {
        let has_shift = modifiers.contains(KeyModifiers::SHIFT);
        // A letter with an accent stands where others have a digit or a sign: only a letter stands for one.
        let base = self.base.filter(|_| self.value > Some(0x7f)).and_then(char::from_u32);
        let base = base.filter(char::is_ascii_alphabetic);
        match (base, self.part) {
            (Some(base), _) => Some(if has_shift { base.to_ascii_uppercase() } else { base }.into()),
            (None, Some(shifted)) if has_shift => Some(shifted),
            _ => self.value,
        }
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

// Pasted text, which a terminal in the mode of bracketed paste (2004) puts between `ESC [ 200 ~` and `ESC [ 201 ~`.
//
// Nothing of it is a key, whatever the text contains. A text that contains the end itself, which most terminals remove,
// seems to end there: therefore the bytes behind an end wait until no byte has come for a moment. If another end comes
// first, they belong to the text. A text without an end ends when no byte has come for a second, or after two at Ctrl-C.

/// The sequence behind pasted text.
const END: &[u8] = b"\x1b[201~";
/// Bytes of a text that are kept, and bytes behind its end that wait. No field takes as many.
const KEPT: usize = 1024;

/// A text that is being pasted.
#[derive(Debug, Default)]
pub struct Paste {
    /// The beginning of the text.
    text: Vec<u8>,
    /// The bytes that came last: before the end what may be a part of it, then all that came behind it.
    last: Vec<u8>,
    ended: bool,
}

impl Paste {
    /// Adds bytes that were read together.
    pub fn take(&mut self, bytes: &[u8]) {
        self.last.extend_from_slice(bytes);
        while let Some(at) = self.last.windows(END.len()).position(|part| part == END) {
            self.keep(at);
            self.last.drain(..END.len());
            self.ended = true;
        }
        if !self.ended {
            self.keep((self.last.len() + 1).saturating_sub(END.len()));
        }
    }

    /// Moves some of the last bytes to the text, of which the beginning is kept.
    fn keep(&mut self, count: usize) {
        let room = if self.ended { 0 } else { KEPT - self.text.len() };
        self.text.extend(self.last.drain(..count).take(room));
    }

    /// Whether the end has come.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether more bytes came behind the end than can wait.
    pub fn is_full(&self) -> bool {
        self.ended && self.last.len() > KEPT
    }

    /// The text, and the bytes behind it, which may be keys.
    pub fn end(mut self) -> (String, Vec<u8>) {
        if !self.ended {
            self.keep(self.last.len());
        }
        (String::from_utf8_lossy(&self.text).into_owned(), self.last)
    }
}

/// Whether the background is light, if a report is about it: `11;rgb:ffff/ffff/dddd`. The weights of the three colours are
/// those of ITU-R BT.709.
pub fn background(report: &str) -> Option<bool> {
    let colour = report.strip_prefix("11;rgb:")?;
    let part = |digits: &str| {
        let most = 16_u32.checked_pow(digits.len() as u32)?.checked_sub(1).filter(|&most| most > 0)?;
        Some(f64::from(u32::from_str_radix(digits, 16).ok()?) / f64::from(most))
    };
    let mut parts = colour.split('/').map(part);
    let [red, green, blue] = [parts.next()??, parts.next()??, parts.next()??];
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5)
}

/// A use of the mouse: button, column and row from 1, separated by `;`. Only presses of the left button and the wheel
/// matter here.
pub fn mouse(numbers: &[u8], pressed: bool) -> Option<MouseEvent> {
    let mut numbers = std::str::from_utf8(numbers).ok()?.split(';').map(|number| number.parse::<u32>().ok());
    let [button, column, row] = [numbers.next()??, numbers.next()??, numbers.next()??];
    let kind = match button {
        0 if pressed => MouseEventKind::Down(MouseButton::Left),
        64 => MouseEventKind::ScrollUp,
        65 => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let cell = |number: u32| u16::try_from(number.checked_sub(1)?).ok();
    Some(MouseEvent { kind, column: cell(column)?, row: cell(row)?, modifiers: KeyModifiers::NONE })
}

#[cfg(test)]
mod tests;
