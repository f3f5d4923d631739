//! The input as words, with line numbers and in bounded memory; decompressed if its first bytes are those of zstd.

use super::decompress::UnpackedInput;
use super::outcome::TextPlace;
use super::plain::PlainTours;
use super::stretch::{self, Extent, StretchResult};
use crate::bounded::{count, first_line};
use std::io::{self, Read, Seek, SeekFrom};

/// Longest word that is certainly read whole: a tour without blanks is one, up to 300x300 at least.
const WHOLE_WORD: usize = 1 << 20;
const BUFFER: usize = 1 << 16;
/// Bytes of the first stretch of plain tours, and the factor by which the next one is longer. Stretches soon are as long as
/// the input, because threads that start or wake up may wait some milliseconds for a core.
const STRETCH: (usize, usize) = (1 << 18, 16);

/// Where words end: with the line, or at the next tag, where line feeds are blanks.
pub const LINE: u8 = b'\n';
pub const TAG: u8 = b'<';

/// The input of a reader of text.
pub struct TextSource<R: Read> {
    inner: UnpackedInput<R>,
    buffer: Vec<u8>,
    /// Number of bytes that have left the buffer.
    gone: u64,
    /// The unread bytes are `buffer[at..end]`.
    at: usize,
    end: usize,
    line: u64,
    /// Lines that were passed over, because they are no part of a tour.
    pub passed_over: u64,
    /// Number of bytes before the line.
    line_begin: u64,
    /// An error of the input, to be reported after the unread bytes.
    error_behind: Option<io::Error>,
    /// Bytes of the next stretch. They grow while everything is plain.
    stretch: usize,
    /// What of a colour code, `ESC [`, digits and semicolons, `m`, was read last: its escape, a `[` for what is inside, or 0.
    code: u8,
    /// The byte of the buffer up to which colour codes were looked for. Plain tours, which have none, are taken without that.
    blanked: usize,
}

const ESCAPE: u8 = 0x1b;

/// Whether the byte is a blank inside a line.
#[inline]
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0c)
}

impl<R: Read> TextSource<R> {
    pub fn new(inner: R) -> TextSource<R> {
        let (inner, buffer) = (UnpackedInput::new(inner), vec![0; BUFFER]);
        let (gone, at, end, line, passed_over, line_begin, blanked) = (0, 0, 0, 1, 0, 0, 0);
        let (error_behind, stretch, code) = (None, STRETCH.0, 0);
        TextSource { inner, buffer, gone, at, end, line, passed_over, line_begin, error_behind, stretch, code, blanked }
    }

    /// Makes blanks of the colour codes of terminals in the unread bytes, which must be text.
    pub fn blank_codes(&mut self) {
        if self.blanked < self.at {
            self.code = 0;
        }
        let unseen = self.blanked.max(self.at)..self.end;
        self.blanked = self.end;
        // The search for one byte is the fastest way through plain text.
        if self.code == 0 && !self.buffer[unseen.clone()].contains(&ESCAPE) {
            return;
        }
        for at in unseen {
            let byte = self.buffer[at];
            let next = match (self.code, byte) {
                (_, ESCAPE) => ESCAPE,
                (ESCAPE, b'[') | (b'[', b'0'..=b'9' | b';') => b'[',
                _ => 0,
            };
            // An escape that begins no code stays.
            if self.code == ESCAPE && next == b'[' && at > 0 {
                self.buffer[at - 1] = b' ';
            }
            if next == b'[' || (self.code == b'[' && byte == b'm') {
                self.buffer[at] = b' ';
            }
            self.code = next;
        }
    }

    /// Number of bytes before the next one.
    #[inline]
    pub fn passed(&self) -> u64 {
        self.gone + self.at as u64
    }

    /// The place of the next byte.
    #[inline]
    pub fn place(&self) -> TextPlace {
        let before = self.passed();
        TextPlace { line: self.line, column: before - self.line_begin + 1, before }
    }

    /// Reads more bytes behind the unread ones, with their colour codes, into a larger buffer if they fill it. It grows only as bytes
    /// arrive, because what is waited for may come from a damaged file. Returns whether there are more.
    pub fn fill(&mut self) -> io::Result<bool> {
        if self.end - self.at == self.buffer.len() {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
        if self.at > 0 {
            self.blanked = self.blanked.saturating_sub(self.at);
            self.buffer.copy_within(self.at..self.end, 0);
            self.gone += self.at as u64;
            (self.at, self.end) = (0, self.end - self.at);
        }
        if let Some(error) = self.error_behind.take() {
            return Err(error);
        }
        let count = self.inner.read(&mut self.buffer[self.end..])?;
        self.end += count;
        Ok(count > 0)
    }

    /// The next `count` bytes as they are, or fewer at the end of the input. An error of the input ends the bytes;
    /// [`TextSource::is_cut_off`] reports it.
    pub fn peek_raw(&mut self, count: usize) -> &[u8] {
        let mut more = true;
        while more && self.end - self.at < count {
            (more, self.error_behind) = self.fill().map_or_else(|error| (false, Some(error)), |more| (more, None));
        }
        &self.buffer[self.at..self.end.min(self.at + count)]
    }

    /// Whether the input ended early for [`TextSource::peek_raw`]: the file is compressed, and was cut off.
    ///
    /// # Errors
    /// [`io::Error`] when the input had another error.
    pub fn is_cut_off(&mut self) -> io::Result<bool> {
        match self.error_behind.take_if(|error| error.kind() != io::ErrorKind::UnexpectedEof) {
            Some(error) => Err(error),
            None => Ok(self.error_behind.is_some()),
        }
    }

    /// Consumes so many bytes, whatever line feeds they have.
    pub fn take_raw(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Seeks to a byte of the input. Returns false where that is not possible.
    pub fn seek(&mut self, place: SeekFrom) -> bool
    where
        R: Seek,
    {
        let done = self.inner.seek(place);
        if done {
            (self.at, self.end, self.blanked, self.error_behind) = (0, 0, 0, None);
        }
        done
    }

    /// The next byte, which is not consumed; `None` at the end.
    #[inline]
    pub fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.look_ahead(1)?.first().copied())
    }

    /// Consumes the byte that [`TextSource::peek`] returned.
    #[inline]
    pub fn take(&mut self) {
        self.at += 1;
        if self.buffer[self.at - 1] == b'\n' {
            self.line += 1;
            self.line_begin = self.passed();
        }
    }

    /// Consumes so many bytes, which have been looked at.
    pub fn take_bytes(&mut self, count: usize) {
        (0..count).for_each(|_| self.take());
    }

    /// Consumes bytes up to the first for which `is_end` holds, or up to the end. Returns that byte, which is not consumed.
    #[inline]
    pub fn skip_until(&mut self, mut is_end: impl FnMut(u8) -> bool) -> io::Result<Option<u8>> {
        loop {
            while self.at < self.end {
                let byte = self.buffer[self.at];
                if is_end(byte) {
                    return Ok(Some(byte));
                }
                self.take();
            }
            if !self.read_more()? {
                return Ok(None);
            }
        }
    }

    /// Consumes blanks, and line feeds unless the line is the limit. Returns the next byte, which is not consumed.
    #[inline]
    pub fn skip_blanks(&mut self, until: u8) -> io::Result<Option<u8>> {
        self.skip_until(|byte| !(is_blank(byte) || (byte == b'\n' && until == TAG)))
    }

    /// Consumes the rest of the line with its line feed.
    pub fn skip_line(&mut self) -> io::Result<()> {
        while self.peek()?.is_some_and(|byte| byte != b'\n') {
            self.at += first_line(self.unread()).len();
        }
        if self.at < self.end {
            self.take();
        }
        Ok(())
    }

    /// Consumes the rest of a line that is no part of a tour, and counts it.
    pub fn pass_over(&mut self) -> io::Result<()> {
        self.passed_over += 1;
        self.skip_line()
    }

    /// The next `count` bytes, or fewer at the end of the text. They are not consumed.
    pub fn look_ahead(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.end - self.at < count && self.read_more()? {}
        Ok(&self.buffer[self.at..self.end.min(self.at + count)])
    }

    /// The unread bytes that have been read from the input.
    pub fn unread(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Reads more text behind the unread bytes. Returns whether there is more.
    pub fn read_more(&mut self) -> io::Result<bool> {
        let more = self.fill()?;
        self.blank_codes();
        Ok(more)
    }

    /// Verifies and consumes plain tours in a stretch of input, in pieces and by at most `threads` threads; see
    /// [`stretch::check`]. Returns the tours, and whether the whole stretch was plain.
    pub fn take_stretch(
        &mut self,
        threads: usize,
        piece: usize,
        whole: impl Fn(&[u8]) -> usize + Sync,
        check: impl Fn(u64, &[u8]) -> PlainTours + Sync,
    ) -> (PlainTours, bool)
    where
        R: Send,
    {
        if self.error_behind.is_some() {
            return (PlainTours::default(), false);
        }
        let mut rest = std::mem::take(&mut self.buffer);
        rest.truncate(self.end);
        let extent = Extent { threads, piece, bytes: self.stretch };
        let StretchResult { tours, is_plain, mut unread, error } =
            stretch::check(&mut self.inner, rest, self.at, extent, whole, check);
        // Without tours the stretch does not grow: a line may be too long, or the input may have ended.
        let times = if tours.bytes > 0 { STRETCH.1 } else { 1 };
        self.stretch = if is_plain { self.stretch.saturating_mul(times) } else { STRETCH.0 };
        self.gone += (self.at + tours.bytes) as u64;
        (self.at, self.end, self.blanked, self.error_behind) = (0, unread.len(), 0, error);
        unread.resize(unread.len() + BUFFER, 0);
        self.buffer = unread;
        (tours, is_plain)
    }

    /// Notes that bytes that were consumed have this number of line feeds, at least one, and so many bytes behind the last of them.
    pub fn note_lines(&mut self, lines: u64, column: usize) {
        self.line += lines;
        self.line_begin = self.passed() - column as u64;
    }

    /// Consumes the next word, a run of bytes without blanks and `separators`, which stands at the place. `None` at the end of the line or
    /// tag.
    ///
    /// A word longer than [`WHOLE_WORD`] may be returned in pieces. The first piece is longer than that.
    #[inline]
    pub fn word(&mut self, separators: impl Fn(u8) -> bool, until: u8) -> io::Result<Option<(&[u8], TextPlace)>> {
        let apart = |byte: u8| is_blank(byte) || separators(byte) || (byte == b'\n' && until == TAG);
        if self.skip_until(|byte| !apart(byte))?.is_none_or(|byte| byte == until) {
            return Ok(None);
        }
        let mut length = 0;
        loop {
            length += count(&self.buffer[self.at + length..self.end], |&byte| byte != until && !apart(byte));
            if self.at + length < self.end || length > WHOLE_WORD || !self.read_more()? {
                break;
            }
        }
        let place = self.place();
        self.at += length;
        Ok(Some((&self.buffer[self.at - length..self.at], place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded::excerpt;

    /// An input that gives one byte at a time.
    struct Drop<'a>(&'a [u8]);

    impl Read for Drop<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.0.len().min(1);
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn words_do_not_depend_on_how_the_bytes_arrive() {
        let text = b" a1 b3,\r\n\tc5\n\nd7<x>";
        let words = |mut source: TextSource<&mut dyn Read>, until| {
            let mut words = Vec::new();
            loop {
                while let Some((word, place)) = source.word(|byte| byte == b',', until).unwrap() {
                    words.push((String::from_utf8(word.to_vec()).unwrap(), place.line));
                }
                match source.peek().unwrap() {
                    Some(b'\n') => source.take(),
                    _ => return words,
                }
            }
        };
        let expected: Vec<_> = [("a1", 1), ("b3", 1), ("c5", 2), ("d7", 4)].map(|(w, l)| (w.to_owned(), l)).into();
        assert_eq!(words(TextSource::new(&mut Drop(text)), TAG), expected);
        assert_eq!(words(TextSource::new(&mut &text[..]), TAG), expected);
        let by_lines = words(TextSource::new(&mut Drop(text)), LINE);
        assert_eq!(by_lines.last(), Some(&("d7<x>".to_owned(), 4)));
    }

    #[test]
    fn a_byte_that_is_no_text_is_part_of_a_word() {
        let mut source = TextSource::new(&b"a1 b\x7f\xff3\n\0\x0b\x1fd7"[..]);
        for (expected, line) in [("a1", 1), ("b\u{fffd}\u{fffd}3", 1), ("\u{fffd}\u{fffd}\u{fffd}d7", 2)] {
            let (word, place) = source.word(|_| false, TAG).unwrap().unwrap();
            assert_eq!((excerpt(word).as_str(), place.line), (expected, line));
        }
    }

    #[test]
    fn a_word_without_end_is_read_in_bounded_memory() {
        let mut source = TextSource::new(io::repeat(b'a'));
        let (word, _) = source.word(|_| false, LINE).unwrap().unwrap();
        assert!(word.len() > WHOLE_WORD && word.len() <= 2 * WHOLE_WORD);
        assert_eq!(excerpt(word), format!("{}..", "a".repeat(24)));
    }
}
