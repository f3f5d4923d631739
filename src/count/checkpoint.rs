//! A count's finished rows, kept in a file, and the way back.
//!
//! ```text
//! destrier count 1                     what this is
//! {"question":..,"at":24,..}           where the count stands, as one line of JSON
//! counts                               sparse: by group how many blocks and counts, then both; dense: marks, counts
//! 4 bytes                              the CRC-32 of all that
//! ```
//!
//! Numbers are stored with the low byte first. A file is written under another name, brought to the disk, and only
//! then put in place of the one before: whatever happens, the last finished row is there.

use super::census;
use super::dense::{Counts, Store};
use super::error::CountError;
use super::gather::{Found, SparseGroup};
use super::layers::Layer;
use super::pass::State;
use super::plan::Plan;
use super::progress::Progress;
use super::question::Question;
use super::residues::Modulus;
use crate::memory::{Refused, zeroed};
use crate::schedule::words;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The first line.
const MAGIC: &str = "destrier count 1\n";
/// Stretches in which counts are read and written.
const STRETCH: usize = 1 << 20;

/// The second line.
#[derive(Serialize, Deserialize)]
struct Header {
    question: Asked,
    progress: Progress,
    modulus: Modulus,
    /// Squares done.
    at: usize,
    largest: u128,
    nonzero: u64,
    widest: usize,
    /// Bytes of a count; 0 if only those that are not zero are here.
    bytes: usize,
}

/// The question, in words.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
struct Asked {
    board: String,
    ending: String,
    /// The name of the square.
    start: Option<String>,
    unique: bool,
    strict: bool,
    /// The only modulus, if the remainder is all that is wanted.
    modulus: Option<u32>,
}

impl Asked {
    fn new(question: &Question, modulus: Option<u32>) -> Asked {
        let Question { board, ending, start, unique, strict } = *question;
        let start = start.map(|start| board.name(start));
        Asked { board: board.to_string(), ending: ending.name().to_owned(), start, unique, strict, modulus }
    }

    fn words(&self) -> String {
        let Asked { board, ending, start, unique, strict, modulus } = self;
        let start = start.as_ref().map(|start| format!(" from {start}")).unwrap_or_default();
        let kind = if *unique { "classes of " } else { "" };
        let strict = if *strict { " that cannot be closed" } else { "" };
        let modulo = modulus.map(|prime| format!(" modulo {prime}")).unwrap_or_default();
        format!("{kind}{ending} tours of {board}{start}{strict}{modulo}")
    }
}

/// Where a count's rows are kept.
pub(super) struct Checkpoint {
    path: PathBuf,
    modulus: Option<u32>,
}

/// A checkpoint being read: its counts are still to come.
pub(super) struct Saved {
    header: Header,
    input: Summed<BufReader<File>>,
}

impl Saved {
    /// Squares done.
    pub(super) fn at(&self) -> usize {
        self.header.at
    }
}

impl Checkpoint {
    /// A checkpoint in a file, which need not be there, of a count modulo a prime only or of a whole one; its folder
    /// must take files.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it does not.
    pub(super) fn new(path: &Path, modulus: Option<u32>) -> Result<Checkpoint, CountError> {
        // A link is followed: what it points to is replaced, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let checkpoint = Checkpoint { path, modulus };
        if checkpoint.path.is_dir() {
            return Err(checkpoint.problem("is a folder; name a file in it"));
        }
        let beside = tempfile::NamedTempFile::new_in(checkpoint.folder());
        beside.map_err(|error| checkpoint.problem(&format!("cannot write in its folder: {error}")))?;
        Ok(checkpoint)
    }

    fn folder(&self) -> &Path {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    fn problem(&self, problem: &str) -> CountError {
        CountError::Checkpoint { path: self.path.display().to_string(), problem: problem.to_owned() }
    }

    /// What is said of a file that says what cannot be.
    pub(super) fn wrong(&self, what: &str) -> CountError {
        self.damaged(io::Error::other(what.to_owned()))
    }

    /// What is said of a file that cannot be read, unless it was memory that was refused.
    fn damaged(&self, error: io::Error) -> CountError {
        let error = match error.downcast::<Refused>() {
            Ok(refused) => return refused.into(),
            Err(error) => error,
        };
        let error = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
            _ => error.to_string(),
        };
        self.problem(&format!("is damaged ({error}): remove it to begin again, or name another file"))
    }

    /// What the file has, if it is there: a checkpoint of this plan's question.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it is none, is damaged, or belongs to another question.
    pub(super) fn open(&self, plan: &Plan) -> Result<Option<(Saved, Progress)>, CountError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.problem(&error.to_string())),
        };
        let mut input = Summed::new(BufReader::with_capacity(STRETCH, file));
        let mut magic = [0; MAGIC.len()];
        if input.read_exact(&mut magic).is_err() || magic != *MAGIC.as_bytes() {
            return Err(self.problem("is no checkpoint of a count: name another file"));
        }
        let line = input.line().map_err(|error| self.damaged(error))?;
        let header: Header = serde_json::from_slice(&line).map_err(|error| self.damaged(error.into()))?;
        let asked = Asked::new(plan.question(), self.modulus);
        if header.question != asked {
            let (has, asked) = (header.question.words(), asked.words());
            return Err(self.problem(&format!("is a checkpoint of the {has}, not of the {asked}: name another file")));
        }
        // What it says is not to be believed before it has been summed up; where it leads must be there all the same.
        let (sweep, at) = (header.progress.sweep(), header.at);
        if plan.squares(sweep).is_none_or(|squares| at > squares) {
            return Err(self.wrong("it is further than a count can be"));
        }
        if !header.progress.is_sound() || ![2, 4, 8].contains(&header.widest) {
            return Err(self.wrong("what it knows of the answer is no result of a count"));
        }
        let progress = header.progress.clone();
        Ok(Some((Saved { header, input }, progress)))
    }

    /// The state of a saved pass, whose layers are these; its counts go into the store, where they may take `limit`
    /// bytes.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the file is damaged, or has wider counts than there is room for.
    pub(super) fn load(
        &self,
        saved: Saved,
        layers: &[Arc<Layer>],
        store: &mut Store,
        limit: u64,
    ) -> Result<State, CountError> {
        let Saved { header, mut input } = saved;
        let layer = layers.get(header.at).ok_or_else(|| self.damaged(io::ErrorKind::InvalidData.into()))?;
        if !store.fits(0, header.bytes * layer.states() as usize, limit) {
            let wanted = words::bytes(header.bytes as u64 * layer.states());
            return Err(
                self.problem(&format!("has {wanted} of counts, which is more than may be used: raise --memory"))
            );
        }
        let counts = read_counts(&mut input, header.bytes, layer, store).map_err(|error| self.damaged(error));
        let (counts, found) = counts?;
        let sum = input.hasher.clone().finalize();
        let mut stored = [0; 4];
        let read = input.read_exact(&mut stored);
        let rest = read.and_then(|()| input.read(&mut [0])).map_err(|error| self.damaged(error))?;
        if u32::from_le_bytes(stored) != sum || rest > 0 {
            return Err(self.damaged(io::Error::other("its checksum does not agree with its contents")));
        }
        let said = Found { largest: header.largest, nonzero: header.nonzero };
        census::agree(found, said, header.modulus, header.bytes, layer).map_err(|error| self.damaged(error))?;
        Ok(State { modulus: header.modulus, at: header.at, counts, found: said, widest: header.widest })
    }

    /// Puts a state in the file, in place of what it had.
    ///
    /// # Errors
    /// [`CountError::Row`] when the disk does not take it; what the file had is still there.
    pub(super) fn save(
        &self,
        question: &Question,
        progress: &Progress,
        state: &State,
        layer: &Layer,
        store: &Store,
    ) -> Result<(), CountError> {
        let failed = |source| CountError::Row { path: self.path.display().to_string(), source };
        let mut file = tempfile::Builder::new();
        // As for any file that a program makes: whoever the user lets read may read. One that is replaced says who.
        let before = fs::metadata(&self.path).map(|file| Permissions::from_mode(file.mode() & 0o777));
        let mode = before.as_ref().map_or_else(|_| Permissions::from_mode(0o666), Permissions::clone);
        file.prefix(".destrier-").suffix(".part").permissions(mode);
        let file = file.tempfile_in(self.folder()).map_err(failed)?;
        if let Ok(mode) = before {
            file.as_file().set_permissions(mode).map_err(failed)?;
        }
        let header = Header {
            question: Asked::new(question, self.modulus),
            progress: progress.clone(),
            modulus: state.modulus,
            at: state.at,
            largest: state.found.largest,
            nonzero: state.found.nonzero,
            widest: state.widest,
            bytes: state.counts.bytes(),
        };
        let write = || -> io::Result<()> {
            let mut output = Summed::new(BufWriter::with_capacity(STRETCH, file.as_file()));
            output.write_all(MAGIC.as_bytes())?;
            serde_json::to_writer(&mut output, &header)?;
            output.write_all(b"\n")?;
            write_counts(&mut output, &state.counts, layer, store)?;
            let sum = output.hasher.clone().finalize();
            output.write_all(&sum.to_le_bytes())?;
            output.flush()?;
            file.as_file().sync_all()
        };
        write().map_err(failed)?;
        file.persist(&self.path).map_err(|error| failed(error.error))?;
        // The new name, too, must survive what comes.
        File::open(self.folder()).and_then(|folder| folder.sync_all()).map_err(failed)
    }
}

fn write_counts(output: &mut impl Write, counts: &Counts, layer: &Layer, store: &Store) -> io::Result<()> {
    match counts {
        Counts::Sparse(groups) => {
            for group in groups {
                let lengths = [group.ends.len() as u32, group.counts.len() as u32];
                write_words(output, lengths)?;
                write_words(output, group.ends.iter().copied())?;
                write_words(output, group.counts.iter().flat_map(|&(rank, count)| [rank, count]))?;
            }
        }
        Counts::Dense { bytes, marks } => {
            marks.chunks(STRETCH).try_for_each(|marks| {
                let marks: Vec<u8> = marks.iter().map(|&mark| mark.into()).collect();
                output.write_all(&marks)
            })?;
            let mut stretch = vec![0; STRETCH];
            for (offset, length) in stretches(*bytes, layer) {
                store.read(offset, &mut stretch[..length], *bytes * layer.states() as usize)?;
                low_byte_first(&mut stretch[..length], *bytes);
                output.write_all(&stretch[..length])?;
            }
        }
    }
    Ok(())
}

/// Reads the counts of a layer; answers them, and what they come to.
fn read_counts(input: &mut impl Read, bytes: usize, layer: &Layer, store: &mut Store) -> io::Result<(Counts, Found)> {
    if bytes == 0 {
        let groups = (0..layer.places.len() - 1).map(|ends| {
            let blocks = (layer.places[ends + 1].block - layer.places[ends].block) as usize;
            let lengths = read_words(input, 2)?;
            // Before anything is made as long as a damaged file says.
            let most = layer.places[ends + 1].state - layer.places[ends].state;
            if ![0, blocks].contains(&(lengths[0] as usize)) || u64::from(lengths[1]) > most {
                return Err(io::Error::other("a group is longer than it can be"));
            }
            let ends = read_words(input, lengths[0] as usize)?;
            let counts = read_words(input, 2 * lengths[1] as usize)?;
            let counts = counts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
            Ok(SparseGroup { ends, counts })
        });
        let groups = groups.collect::<io::Result<Vec<_>>>()?;
        let found = census::sparse(&groups, layer)?;
        return Ok((Counts::Sparse(groups), found));
    }
    if ![2, 4, 8].contains(&bytes) {
        return Err(io::Error::other("no count has such a width"));
    }
    let mut marks = zeroed::<u8>(layer.blocks() as usize)?;
    input.read_exact(&mut marks)?;
    let marks: Vec<bool> = marks.into_iter().map(|mark| mark != 0).collect();
    let mut census = census::Dense::new(bytes, layer, &marks);
    store.reserve(0, bytes * layer.states() as usize)?;
    let mut stretch = vec![0; STRETCH];
    for (offset, length) in stretches(bytes, layer) {
        input.read_exact(&mut stretch[..length])?;
        low_byte_first(&mut stretch[..length], bytes);
        census.take(&stretch[..length]);
        store.write(offset, &stretch[..length], bytes * layer.states() as usize)?;
    }
    store.turn()?;
    let found = census.found();
    Ok((Counts::Dense { bytes, marks }, found))
}

/// Offsets and lengths that cover a layer's counts.
fn stretches(bytes: usize, layer: &Layer) -> impl Iterator<Item = (u64, usize)> + use<> {
    let all = bytes as u64 * layer.states();
    (0..all).step_by(STRETCH).map(move |offset| (offset, STRETCH.min((all - offset) as usize)))
}

/// Turns counts from the machine's order of bytes to the file's, or back.
fn low_byte_first(counts: &mut [u8], bytes: usize) {
    if cfg!(target_endian = "big") {
        counts.chunks_exact_mut(bytes).for_each(<[u8]>::reverse);
    }
}

fn write_words(output: &mut impl Write, words: impl IntoIterator<Item = u32>) -> io::Result<()> {
    words.into_iter().try_for_each(|word| output.write_all(&word.to_le_bytes()))
}

fn read_words(input: &mut impl Read, count: usize) -> io::Result<Vec<u32>> {
    let mut bytes = zeroed::<u8>(4 * count)?;
    input.read_exact(&mut bytes)?;
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}

/// Sums up what goes through.
struct Summed<T> {
    inner: T,
    hasher: crc32fast::Hasher,
}

impl<T> Summed<T> {
    fn new(inner: T) -> Summed<T> {
        Summed { inner, hasher: crc32fast::Hasher::new() }
    }
}

impl<T: BufRead> Summed<T> {
    /// The rest of a line.
    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.inner.read_until(b'\n', &mut line)?;
        self.hasher.update(&line);
        Ok(line)
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..length]);
        Ok(length)
    }
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
