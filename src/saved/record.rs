//! A record: the one form of all files that a run saves and a later run resumes from.
//!
//! ```text
//! destrier count 6                     the first line: program, kind of file, version of its format
//! {"question":..,"elapsed_s":..}       the header: one line of JSON; times are seconds
//! ..                                   the body: what the kind of file has besides, or nothing
//! 4 bytes                              the CRC-32 of all bytes before, the low byte first
//! ```
//!
//! [`SavedFile::save_record`] writes such a file, [`read`] reads it. A header is read as a stream: no length is believed before
//! its bytes are there. The length of a record is that of the open file, never of its name: a run at work gives the name to
//! another file. [`RecordFault`] has the one set of words for a file that cannot be used, and [`refusal`] offers the previous
//! file.

use super::checksum::{self, ChecksumStream};
use super::replaced::{SavedFile, older};
use crate::bounded::{self, FileFormat, FileKind};
use crate::claim::file_id;
use crate::memory::MemoryRefused;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// Bytes of the checksum at the end.
const CHECKSUM_BYTES: u64 = 4;
/// Most bytes of a first line.
const FIRST_LINE_MAX: u64 = 64;
/// Most bytes of a file whose checksum is computed to explain an error.
const BLAMED_MAX: u64 = 1 << 30;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordKind {
    /// The kind of file, which has the first line.
    pub kind: FileKind,
    /// Most bytes of a header.
    pub header_max: u64,
}

/// Why a file cannot be used as a record. The text follows the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum RecordFault {
    /// No file has the name.
    #[error("is not there: name a file that --checkpoint has written")]
    Missing,
    /// The file is something else, or of another question.
    #[error("{0}")]
    Foreign(String),
    /// The file is a record of the kind and the version, but compressed.
    #[error("is compressed by zstd: decompress it first")]
    Compressed,
    /// The content of the file is damaged, or contradicts itself.
    #[error("is damaged ({0})")]
    Damaged(String),
    /// The system does not let the file be read.
    #[error("cannot be read: {0}")]
    Unreadable(io::Error),
    /// The file needs more memory than there is.
    #[error("{0}")]
    Memory(#[from] MemoryRefused),
}

impl RecordFault {
    /// The fault of content that contradicts itself.
    pub fn damaged(why: impl ToString) -> RecordFault {
        RecordFault::Damaged(why.to_string())
    }
}

impl From<io::Error> for RecordFault {
    fn from(error: io::Error) -> RecordFault {
        match error.kind() {
            io::ErrorKind::NotFound => RecordFault::Missing,
            io::ErrorKind::UnexpectedEof => RecordFault::damaged("it ends too early"),
            io::ErrorKind::OutOfMemory => match error.downcast::<MemoryRefused>() {
                Ok(refused) => RecordFault::Memory(refused),
                Err(error) => RecordFault::Unreadable(error),
            },
            // Readers of bodies say so what they find.
            io::ErrorKind::InvalidData | io::ErrorKind::Other => RecordFault::damaged(error),
            _ => RecordFault::Unreadable(error),
        }
    }
}

impl From<serde_json::Error> for RecordFault {
    fn from(error: serde_json::Error) -> RecordFault {
        if error.is_io() { io::Error::from(error).into() } else { RecordFault::damaged(error) }
    }
}

/// An open file.
type RecordStream = ChecksumStream<BufReader<File>>;

/// The body of an open record, and the checksum behind it.
#[derive(Debug)]
pub struct RecordBody {
    input: RecordStream,
    /// Bytes of the body that are not read yet.
    left: u64,
}

impl RecordBody {
    /// Reads a line of the body, of at most `longest` bytes, without its end.
    ///
    /// # Errors
    /// [`RecordFault::Damaged`] when the line is longer, or has no end.
    pub fn line(&mut self, longest: u64) -> Result<Vec<u8>, RecordFault> {
        let mut line = self.input.line(longest.min(self.left))?;
        self.left -= line.len() as u64;
        if line.pop() == Some(b'\n') { Ok(line) } else { Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()) }
    }

    /// Checks that the body has been read, and that the checksum is right.
    ///
    /// # Errors
    /// [`RecordFault::Damaged`] otherwise.
    pub fn finish(mut self) -> Result<(), RecordFault> {
        self.check_end()
    }

    fn check_end(&mut self) -> Result<(), RecordFault> {
        if self.left > 0 {
            return Err(RecordFault::damaged("it is longer than its header says"));
        }
        Ok(self.input.check()?)
    }

    /// Reads the rest of the body without a look at it, checks the checksum, and goes back to where it was.
    ///
    /// # Errors
    /// [`RecordFault::Damaged`] when it is wrong, or the file is shorter or longer than it was.
    pub fn check(&mut self) -> Result<(), RecordFault> {
        let (place, left) = (self.input.place()?, self.left);
        io::copy(self, &mut io::sink())?;
        if self.left > 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        self.check_end()?;
        self.left = left;
        Ok(self.input.go_back(place)?)
    }

    /// Whether the record has a header only.
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }
}

impl Read for RecordBody {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = (&mut self.input).take(self.left).read(bytes)?;
        self.left -= length as u64;
        Ok(length)
    }
}

/// The header of an open record, and its body.
type OpenRecord<H> = Result<(H, RecordBody), RecordFault>;

/// Opens a record and reads its first two lines.
fn open<H: DeserializeOwned>(path: &Path, kind: &RecordKind) -> OpenRecord<H> {
    if fs::metadata(path)?.is_dir() {
        return Err(RecordFault::Foreign("is a folder".to_owned()));
    }
    let input = checksum::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::Other => RecordFault::Foreign("is no regular file".to_owned()),
        _ => error.into(),
    })?;
    head(path, kind, input)
}

/// Reads the first two lines of the open file `input`. A run may have given its name, `path`, to another file since.
fn head<H: DeserializeOwned>(path: &Path, kind: &RecordKind, mut input: RecordStream) -> OpenRecord<H> {
    let first_line = input.line(FIRST_LINE_MAX).unwrap_or_default();
    if first_line != kind.kind.first_line().as_bytes() {
        let found = FileFormat::of_file(path)?;
        // Its first line would be the one wanted, unless it is compressed.
        if found.is_some_and(|found| found.kind == kind.kind && found.is_current()) {
            return Err(RecordFault::Compressed);
        }
        return Err(RecordFault::Foreign(bounded::refusal(found, kind.kind.name())));
    }
    let length = input.file_bytes()?.saturating_sub(first_line.len() as u64);
    let mut limited = (&mut input).take(kind.header_max);
    let header = H::deserialize(&mut serde_json::Deserializer::from_reader(&mut limited));
    let (is_cut, read) = (limited.limit() == 0, kind.header_max - limited.limit());
    let header = match header {
        Err(_) if is_cut => {
            let longest = crate::words::bytes(kind.header_max);
            return Err(RecordFault::damaged(format!("its header has more than {longest}")));
        }
        header => header?,
    };
    let end = input.line(1)?;
    if end != b"\n" {
        return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
    }
    let left = length.checked_sub(read + 1 + CHECKSUM_BYTES).ok_or(io::ErrorKind::UnexpectedEof);
    Ok((header, RecordBody { input, left: left.map_err(io::Error::from)? }))
}

/// Reads a record of whose header and body `parse` makes something. It checks the end of the body. A wrong checksum is named instead of a later fault, because it is
/// the cause.
///
/// # Errors
/// [`RecordFault`].
pub fn read<H: DeserializeOwned, T>(
    path: &Path,
    kind: &RecordKind,
    parse: impl Fn(H, RecordBody) -> Result<T, RecordFault>,
) -> Result<T, RecordFault> {
    let read = || open(path, kind).and_then(|(header, body)| parse(header, body));
    let before = file_id(path);
    // A run at work replaces its file at any moment.
    let parsed = read().or_else(|fault| if file_id(path) == before { Err(fault) } else { read() });
    parsed.map_err(|fault| cause(path, fault))
}

/// What is wrong with a file in which a fault was found: where its content is damaged, a wrong checksum is the cause of whatever
/// else is wrong.
fn cause(path: &Path, fault: RecordFault) -> RecordFault {
    match fault {
        RecordFault::Damaged(found) => check_sum(path).err().unwrap_or(RecordFault::Damaged(found)),
        fault => fault,
    }
}

/// Checks the checksum of a file, unless the file is very large or too short.
fn check_sum(path: &Path) -> Result<(), RecordFault> {
    let mut input = checksum::open(path)?;
    let content = input.file_bytes()?.checked_sub(CHECKSUM_BYTES).filter(|&bytes| bytes < BLAMED_MAX);
    let Some(content) = content else { return Ok(()) };
    io::copy(&mut (&mut input).take(content), &mut io::sink())?;
    Ok(input.check()?)
}

/// The words for a file that cannot be used, to follow its name. They offer the previous file if `is_whole` says that it can be
/// used.
pub(super) fn refusal(path: &Path, fault: &RecordFault, is_whole: impl FnOnce(&Path) -> bool) -> String {
    let previous = older(path);
    let is_lost = matches!(fault, RecordFault::Missing | RecordFault::Damaged(_) | RecordFault::Foreign(_));
    let remedy = match fault {
        _ if is_lost && is_whole(&previous) => format!(
            "; the previous checkpoint is whole: mv {} {} and run the same command again to resume it",
            quoted(&previous),
            quoted(path)
        ),
        RecordFault::Foreign(why) if why.contains(": ") => "; name another file".to_owned(),
        RecordFault::Foreign(_) => ": name another file".to_owned(),
        RecordFault::Compressed => ", or name another file".to_owned(),
        RecordFault::Damaged(_) => ": remove it to begin again, or name another file".to_owned(),
        _ => String::new(),
    };
    format!("{fault}{remedy}")
}

/// A name as a word for the shell.
fn quoted(path: &Path) -> String {
    let name = path.display().to_string().replace('\'', "'\\''");
    let dash = if name.starts_with('-') { "./" } else { "" };
    format!("'{dash}{name}'")
}

impl SavedFile {
    /// Replaces the file by a record with this header, and a body that `write` writes.
    ///
    /// # Errors
    /// The errors of [`SavedFile::save`]; [`io::ErrorKind::InvalidInput`] for a header that no reader would take.
    pub fn save_record<H: Serialize>(
        &self,
        kind: &RecordKind,
        header: &H,
        write: impl FnOnce(&mut ChecksumStream<BufWriter<&File>>) -> io::Result<()>,
    ) -> io::Result<()> {
        let header = serde_json::to_vec(header)?;
        if header.len() as u64 >= kind.header_max {
            let (longest, name) = (crate::words::bytes(kind.header_max), kind.kind.name());
            let why = format!("its header takes more than {longest}, the limit of a {name}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        self.save(kind.kind.first_line(), |output| {
            output.write_all(&header)?;
            output.write_all(b"\n")?;
            write(output)
        })
    }
}

/// Times in a header: seconds.
pub mod seconds {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        time.as_secs_f64().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let wrong = |_| D::Error::custom("a time is negative, or larger than any run can count");
        f64::deserialize(deserializer).and_then(|seconds| Duration::try_from_secs_f64(seconds).map_err(wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: RecordKind = RecordKind { kind: FileKind::Layer, header_max: 1 << 10 };

    /// The header and the body of a file, or why it is refused.
    fn content(path: &Path) -> Result<(Vec<u32>, String), String> {
        let text = |header, mut body: RecordBody| {
            let line = String::from_utf8(body.line(8)?).unwrap();
            body.finish().map(|()| (header, line))
        };
        read(path, &KIND, text).map_err(|fault| refusal(path, &fault, |older| content(older).is_ok()))
    }

    #[test]
    fn a_record_is_read_again_and_any_change_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        assert!(content(&path).is_err_and(|why| why.starts_with("is not there")));
        SavedFile::new(&path).unwrap().save_record(&KIND, &[7, 8], |body| writeln!(body, "body")).unwrap();
        assert_eq!(content(&path), Ok((vec![7, 8], "body".to_owned())));
        let (header, mut body) = open::<Vec<u32>>(&path, &KIND).unwrap();
        assert_eq!((header, body.is_empty()), (vec![7, 8], false));
        body.check().unwrap();
        assert_eq!(body.line(8).unwrap(), b"body");
        body.finish().unwrap();
        let good = fs::read(&path).unwrap();
        for at in 0..good.len() {
            let mut changed = good.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            assert!(content(&path).is_err(), "{at}");
            fs::write(&path, &good[..at]).unwrap();
            assert!(content(&path).is_err(), "{at}");
        }
        fs::write(&path, [&good[..], b"x"].concat()).unwrap();
        assert!(content(&path).is_err());
    }

    /// A run at work may replace its file between any two steps of a reader, by a longer or a shorter one.
    #[test]
    fn a_record_that_a_run_replaces_meanwhile_is_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        let file = SavedFile::new(&path).unwrap();
        let save = |n: u32| {
            let body = "x".repeat(n as usize);
            file.save_record(&KIND, &[n], |output| writeln!(output, "{body}")).unwrap();
        };
        let body_of = |header: Vec<u32>, mut body: RecordBody| {
            let length = body.line(1 << 10)?.len() as u32;
            body.finish().map(|()| (header[0], length))
        };
        for (opened, replaced_by) in [(3, 500), (500, 3)] {
            save(opened);
            let input = checksum::open(&path).unwrap();
            save(replaced_by);
            let (header, body) = head(&path, &KIND, input).unwrap();
            assert_eq!(body_of(header, body).unwrap(), (opened, opened));
        }
        // Damage is read once more if another file has the name by then, and only then.
        for is_replaced in [true, false] {
            save(7);
            let reads = std::cell::Cell::new(0);
            let read = read(&path, &KIND, |header, body| match reads.replace(reads.get() + 1) {
                0 => {
                    is_replaced.then(|| save(8));
                    Err(RecordFault::damaged("the first file"))
                }
                _ => body_of(header, body),
            });
            assert_eq!((read.ok(), reads.get()), (is_replaced.then_some((8, 8)), 1 + u32::from(is_replaced)));
        }
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            use std::sync::atomic::Ordering::Relaxed;
            scope.spawn(|| (1..).take_while(|_| !is_over.load(Relaxed)).for_each(|n| save(n % 1000)));
            let read_often =
                || (0..200).all(|_| read(&path, &KIND, body_of).is_ok_and(|(header, body)| header == body));
            let readers: Vec<_> = (0..4).map(|_| scope.spawn(read_often)).collect();
            let are_whole = readers.into_iter().all(|reader| reader.join().unwrap_or(false));
            is_over.store(true, Relaxed);
            assert!(are_whole, "a reader called a file damaged");
        });
    }

    #[test]
    fn a_refusal_says_what_is_wrong_and_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        let put = |text: &[u8]| {
            let sum = crc32fast::hash(text).to_le_bytes();
            fs::write(&path, [text, &sum].concat()).unwrap();
        };
        let line = FileKind::Layer.first_line();
        for (text, says) in [
            ("notes\n".to_owned(), "is no layer of a numbering: name another file"),
            (
                "destrier layer 17\n[1]\nbody\n".to_owned(),
                "is a layer of a numbering of version 17, and this program reads",
            ),
            ("destrier layer +2\n[1]\nbody\n".to_owned(), "is no layer of a numbering: name another file"),
            ("destrier layer 02\n[1]\nbody\n".to_owned(), "is no layer of a numbering: name another file"),
            (
                format!("{line}[1]\na long body\n"),
                "is damaged (a line has more than 8 bytes): remove it to begin again",
            ),
            (format!("{line}[1]\nbody\nmore\n"), "is damaged (it is longer than its header says): remove it"),
            (format!("{line}{{}}\nbody\n"), "is damaged (invalid type: map, expected a sequence"),
        ] {
            put(text.as_bytes());
            let why = content(&path).unwrap_err();
            assert!(why.starts_with(says), "{text}: {why}");
        }
        put(format!("{line}[{}1]\nbody\n", "1,".repeat(1 << 10)).as_bytes());
        assert!(content(&path).unwrap_err().contains("its header has more than 1"), "{:?}", content(&path));
        put(format!("{line}[1]\nbody\n").as_bytes());
        let whole = fs::read(&path).unwrap();
        fs::write(&path, zstd::encode_all(&whole[..], 1).unwrap()).unwrap();
        assert_eq!(content(&path).unwrap_err(), "is compressed by zstd: decompress it first, or name another file");
        fs::write(&path, zstd::encode_all(FileKind::Journal.first_line().as_bytes(), 1).unwrap()).unwrap();
        assert!(content(&path).unwrap_err().starts_with("is a journal, not a layer of a numbering: "));
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600), 0)
            .unwrap();
        assert_eq!(content(&pipe).unwrap_err(), "is no regular file: name another file");
        let file = SavedFile::new(&path).unwrap();
        for _ in 0..2 {
            file.save_record(&KIND, &[1], |body| writeln!(body, "body")).unwrap();
        }
        fs::write(&path, format!("{line}[1]\nbody\n0000")).unwrap();
        let why = content(&path).unwrap_err();
        let says = "is damaged (its checksum does not agree with its contents); the previous checkpoint is whole: mv '";
        assert!(why.starts_with(says), "{why}");
        let long = vec![1; 1 << 10];
        let refused = file.save_record(&KIND, &long, |_| Ok(())).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
    }
}
