//! Pasted text, which a terminal in the mode of bracketed paste (2004) puts between `ESC [ 200 ~` and `ESC [ 201 ~`.
//!
//! Nothing of it is a key, whatever the text contains. A text that contains the end itself, which most terminals remove,
//! seems to end there: therefore the bytes behind an end wait until no byte has come for a moment. If another end comes
//! first, they belong to the text. A text without an end ends when no byte has come for a second.

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
