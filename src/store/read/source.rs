//! Bytes of a text in words, with the number of the line, in bounded memory.

use super::input::TextInput;
use super::plain::PlainTours;
use super::stretch::{self, Extent, StretchResult};
use std::io::{self, Read, Seek, SeekFrom};

/// The longest word that is read whole; the longest name of a square has seven letters and ten digits.
pub const WORD_MAX: usize = 64;
const BUFFER: usize = 1 << 16;
/// Bytes of the first stretch of plain tours, and how many times as long the next one is. They soon are as long as the
/// input: threads that begin, or are woken, may take some milliseconds to get a core of their own.
const STRETCH: (usize, usize) = (1 << 18, 16);
/// Bytes that are looked at together.
const PIECE: usize = 256;

/// Why there is nothing more to read, though the text has not ended.
#[derive(Debug, thiserror::Error)]
pub enum ReadFailure {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A byte that no text has.
    #[error("line {line}: this is not text (a byte {byte:#04x})")]
    Binary {
        /// The line.
        line: u64,
        /// The byte.
        byte: u8,
    },
}

/// What ends a word besides blanks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordEnd {
    /// The end of the line.
    Line,
    /// The next tag; lines do not matter.
    Tag,
}

/// A text that is being read.
pub struct TextSource<R: Read> {
    inner: TextInput<R>,
    buffer: Box<[u8]>,
    /// What is unread: `buffer[at..end]`.
    at: usize,
    end: usize,
    /// Bytes behind `end` that wait behind a byte of no text, if there is one: `buffer[end]`.
    binary: bool,
    line: u64,
    /// Why there is no more, if what came before that is still to be read.
    broken: Option<io::Error>,
    /// Bytes of the next stretch: the more, the longer all was plain.
    stretch: usize,
}

/// How many bytes of a text are whole lines.
pub fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

/// Whether the byte is a blank inside a line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0c)
}

impl<R: Read> TextSource<R> {
    pub fn new(inner: R) -> TextSource<R> {
        let (inner, buffer) = (TextInput::new(inner), vec![0; BUFFER].into());
        TextSource { inner, buffer, at: 0, end: 0, binary: false, line: 1, broken: None, stretch: STRETCH.0 }
    }

    /// The number of the line, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Reads more behind what is unread; false at the end, or when there is no room.
    fn more(&mut self) -> Result<bool, ReadFailure> {
        if self.binary {
            let line = self.line + self.buffer[self.at..self.end].iter().filter(|&&byte| byte == b'\n').count() as u64;
            return Err(ReadFailure::Binary { line, byte: self.buffer[self.end] });
        }
        let before = self.end - self.at;
        let count = self.fill()?;
        self.sift(before);
        Ok(count > 0)
    }

    /// Reads more behind what is unread, whatever it is; answers how many bytes.
    fn fill(&mut self) -> io::Result<usize> {
        if self.at > 0 {
            self.buffer.copy_within(self.at..self.end, 0);
            (self.at, self.end) = (0, self.end - self.at);
        }
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        loop {
            match self.inner.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    let count = read?;
                    self.end += count;
                    return Ok(count);
                }
            }
        }
    }

    /// Looks for a byte of no text in what is unread, from so many bytes on: the text ends before it.
    fn sift(&mut self, from: usize) {
        let begin = self.at + from;
        let new = &self.buffer[begin..self.end];
        let no_text = |&byte: &u8| (byte < b' ' && byte != b'\n' && !is_blank(byte)) || byte == 0x7f;
        // Nearly all is text: pieces are looked at as a whole, which takes a tenth of the time.
        let is_text = |piece: &[u8]| !piece.iter().fold(false, |wrong, byte| wrong | no_text(byte));
        let sound = new.chunks(PIECE).take_while(|piece| is_text(piece)).map(<[u8]>::len).sum();
        let wrong = new[sound..].iter().position(no_text).map(|at| begin + sound + at);
        self.binary = wrong.is_some();
        self.end = wrong.unwrap_or(self.end);
    }

    /// What is unread, as far as `count` bytes or the end, of an input that need not be text. It is to be asked for before
    /// anything else, or never. Where reading fails that is the end, and [`TextSource::is_cut`] says why.
    pub fn raw(&mut self, count: usize) -> &[u8] {
        while self.end - self.at < count && self.broken.is_none() {
            // A length that is only said takes no memory.
            if self.end - self.at == self.buffer.len() {
                self.widen(count.min(2 * self.buffer.len()));
            }
            match self.fill() {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => self.broken = Some(error),
            }
        }
        &self.buffer[self.at..self.end.min(self.at + count)]
    }

    /// Whether the end that [`TextSource::raw`] came to is none: the file is compressed, and was cut off there.
    ///
    /// # Errors
    /// Where reading failed otherwise.
    pub fn is_cut(&mut self) -> Result<bool, ReadFailure> {
        match self.broken.take_if(|error| error.kind() != io::ErrorKind::UnexpectedEof) {
            Some(error) => Err(error.into()),
            None => Ok(self.broken.is_some()),
        }
    }

    /// Takes bytes that [`TextSource::raw`] answered.
    pub fn take_raw(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Goes to this byte of the input; false where that cannot be done.
    pub fn seek(&mut self, place: SeekFrom) -> bool
    where
        R: Seek,
    {
        let done = self.inner.seek(place);
        if done {
            (self.at, self.end, self.broken) = (0, 0, None);
        }
        done
    }

    /// Takes what comes as text from now on.
    pub fn is_text(&mut self) {
        if !self.binary {
            self.sift(0);
        }
    }

    /// The next byte, which stays.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<u8>, ReadFailure> {
        while self.at == self.end {
            if !self.more()? {
                return Ok(None);
            }
        }
        Ok(Some(self.buffer[self.at]))
    }

    /// Takes the byte that was peeked.
    #[inline]
    pub fn take(&mut self) {
        self.line += u64::from(self.buffer[self.at] == b'\n');
        self.at += 1;
    }

    /// Takes everything up to the first byte of `these`, which stays, or to the end.
    pub fn skip_until(&mut self, these: impl Fn(u8) -> bool) -> Result<Option<u8>, ReadFailure> {
        loop {
            match self.peek()? {
                Some(byte) if !these(byte) => self.take(),
                found => return Ok(found),
            }
        }
    }

    /// Takes blanks, and line ends where lines do not matter; answers the byte behind them.
    pub fn skip_blanks(&mut self, until: WordEnd) -> Result<Option<u8>, ReadFailure> {
        self.skip_until(|byte| !(is_blank(byte) || (byte == b'\n' && until == WordEnd::Tag)))
    }

    /// Takes the rest of the line with its end.
    pub fn skip_line(&mut self) -> Result<(), ReadFailure> {
        if self.skip_until(|byte| byte == b'\n')?.is_some() {
            self.take();
        }
        Ok(())
    }

    /// What is unread, as far as `count` bytes or the end of the text.
    pub fn ahead(&mut self, count: usize) -> Result<&[u8], ReadFailure> {
        while self.end - self.at < count && !self.binary && self.more()? {}
        Ok(&self.buffer[self.at..self.end.min(self.at + count)])
    }

    /// The whole lines that are unread; reads more only if there is none, and then once. Empty when the next line is long,
    /// or is the last and has no end.
    pub fn lines(&mut self) -> Result<&[u8], ReadFailure> {
        let mut length = whole_lines(&self.buffer[self.at..self.end]);
        if length == 0 && !self.binary && self.more()? {
            length = whole_lines(&self.buffer[self.at..self.end]);
        }
        Ok(&self.buffer[self.at..self.at + length])
    }

    /// Takes plain tours from a stretch of input, checked in such pieces by at most so many threads, as [`stretch::check`]
    /// says; answers whether it was plain from end to end. What is unread behind them need not be text.
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
        if self.binary || self.broken.is_some() {
            return (PlainTours::default(), false);
        }
        let mut rest = std::mem::take(&mut self.buffer).into_vec();
        rest.truncate(self.end);
        let extent = Extent { threads, piece, bytes: self.stretch };
        let StretchResult { tours, is_plain, mut unread, at, broken } =
            stretch::check(&mut self.inner, (rest, self.at), extent, whole, check);
        // Where there was nothing, a line is too long, or there is no more.
        let times = if tours.tours > 0 { STRETCH.1 } else { 1 };
        self.stretch = if is_plain { self.stretch.saturating_mul(times) } else { STRETCH.0 };
        (self.at, self.end, self.broken) = (at, unread.len(), broken);
        unread.resize(unread.len() + BUFFER, 0);
        self.buffer = unread.into();
        (tours, is_plain)
    }

    /// Takes whole lines that are known.
    pub fn take_lines(&mut self, lines: u64, bytes: usize) {
        self.line += lines;
        self.at += bytes;
    }

    /// Reads at least so many bytes at once from now on.
    fn widen(&mut self, bytes: usize) {
        if self.buffer.len() < bytes {
            let mut buffer = std::mem::take(&mut self.buffer).into_vec();
            buffer.resize(bytes, 0);
            self.buffer = buffer.into();
        }
    }

    /// Takes the next word, of bytes that are none of `separators`; nothing before the end of the line or the tag.
    ///
    /// A word longer than [`WORD_MAX`] may come in pieces, the first of them longer than that.
    #[inline]
    pub fn word(&mut self, separators: impl Fn(u8) -> bool, until: WordEnd) -> Result<Option<&[u8]>, ReadFailure> {
        let stop = match until {
            WordEnd::Line => b'\n',
            WordEnd::Tag => b'<',
        };
        let apart = |byte: u8| is_blank(byte) || separators(byte) || (byte == b'\n' && until == WordEnd::Tag);
        match self.skip_until(|byte| !apart(byte))? {
            Some(byte) if byte != stop => {}
            _ => return Ok(None),
        }
        let mut length = 0;
        loop {
            let unread = &self.buffer[self.at + length..self.end];
            match unread.iter().position(|&byte| byte == stop || apart(byte)) {
                Some(more) => {
                    length += more;
                    break;
                }
                None => {
                    length = self.end - self.at;
                    if length > WORD_MAX || !self.more()? {
                        break;
                    }
                }
            }
        }
        self.at += length;
        Ok(Some(&self.buffer[self.at - length..self.at]))
    }
}

/// Some bytes of a text for a message, not too many of them.
pub fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(WORD_MAX)]);
    let mut shown: String = text.chars().filter(|c| !c.is_control()).take(24).collect();
    if shown.len() < word.len() {
        shown += "..";
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time.
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
                while let Some(word) = source.word(|byte| byte == b',', until).unwrap() {
                    words.push((String::from_utf8(word.to_vec()).unwrap(), source.line()));
                }
                match source.peek().unwrap() {
                    Some(b'\n') => source.take(),
                    _ => return words,
                }
            }
        };
        let expected: Vec<_> = [("a1", 1), ("b3", 1), ("c5", 2), ("d7", 4)].map(|(w, l)| (w.to_owned(), l)).into();
        assert_eq!(words(TextSource::new(&mut Drop(text)), WordEnd::Tag), expected);
        assert_eq!(words(TextSource::new(&mut &text[..]), WordEnd::Tag), expected);
        let by_lines = words(TextSource::new(&mut Drop(text)), WordEnd::Line);
        assert_eq!(by_lines.last(), Some(&("d7<x>".to_owned(), 4)));
    }

    #[test]
    fn what_is_no_text_is_found_where_it_stands_and_not_before() {
        let mut source = TextSource::new(&b"a1 b3\nc5\n\0d7"[..]);
        let mut words = || source.word(|_| false, WordEnd::Tag).map(|word| word.map(shown));
        for expected in ["a1", "b3", "c5"] {
            assert_eq!(words().unwrap().as_deref(), Some(expected));
        }
        assert_eq!(words().unwrap_err().to_string(), "line 3: this is not text (a byte 0x00)");
    }

    #[test]
    fn a_word_without_end_is_not_kept() {
        let mut source = TextSource::new(io::repeat(b'a'));
        let word = source.word(|_| false, WordEnd::Line).unwrap().unwrap();
        assert!(word.len() > WORD_MAX && word.len() <= BUFFER);
        assert_eq!(shown(word), format!("{}..", "a".repeat(24)));
    }
}
