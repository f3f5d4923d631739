//! Layers in a folder: a file for each, and last of all a manifest, without which they count for nothing.
//!
//! ```text
//! destrier layer 1                     what this is, a line
//! 4 bytes                              the CRC-32 of what comes next
//! 8 bytes a word                       which blocks are kept
//! 4 bytes each                         the CRC-32 of every stretch
//! ..                                   the counts that are kept, group by group
//! ```
//!
//! A stretch is a mebibyte of a group, or what is left of it; most groups are one. It is tested when it is read. Words and
//! sums have the low byte first, as the counts have. A file is written under another name and gets its own when it is
//! whole; the manifest says of what question the layers are, by which numbering, how wide their counts are and how many
//! tours there are. A making that was interrupted has left none, and is done again; one that goes on has a lock on the
//! folder, and whoever comes second is refused. A folder that was made for nothing goes again.

use super::super::asked::SavedQuestion;
use super::super::layers::Layer;
use super::super::plan::CountPlan;
use super::super::spill::Spill;
use super::error::NumberError;
use super::packed::{BitMarks, BlockBody, PackedLayer, Packing, STRETCH, Shape, Stretches};
use crate::bounded::{self, FIRST_LINE_MAX};
use crate::claim::claim;
use crate::memory::zeroed;
use crate::saved::{self, ReplacedFile};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The first line of a layer.
const MAGIC: &[u8; 17] = b"destrier layer 1\n";
/// The first line of the manifest.
const MANIFEST: &str = "destrier layers 1\n";
/// The name of the manifest.
const NAME: &str = "layers";
/// Bytes that a count may take.
const WIDTHS: RangeInclusive<usize> = 1..=8;

/// What a folder of layers says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// How tours are numbered; see the room.
    pub(super) numbering: u32,
    /// Of which tours they are.
    pub(super) question: SavedQuestion,
    /// The sweeps, in order.
    pub(super) sweeps: Vec<SavedSweep>,
}

/// One sweep's layers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct SavedSweep {
    /// The number that it has come to.
    pub(super) total: u64,
    /// Bytes of a count, by layer.
    pub(super) widths: Vec<usize>,
    /// The CRC-32 of each layer's patterns: whoever plans otherwise cannot read it.
    pub(super) patterns: Vec<u32>,
}

/// The sum of a layer's patterns.
pub(super) fn patterns_sum(layer: &Layer) -> u32 {
    saved::checksum([bytemuck::cast_slice(layer.set.table_words())])
}

/// A folder for layers.
#[derive(Debug)]
pub(super) struct LayerFolder {
    path: PathBuf,
    /// It, and those above it that were not there, the innermost first.
    made: Vec<PathBuf>,
    /// Its lock, while layers are made.
    held: Option<File>,
}

impl Drop for LayerFolder {
    fn drop(&mut self) {
        // One that has something in it stays, and one that could not be made is not there.
        self.made.iter().for_each(|folder| drop(fs::remove_dir(folder)));
    }
}

impl LayerFolder {
    /// A folder, made if it is not there.
    ///
    /// # Errors
    /// When it cannot be.
    pub(super) fn new(path: &Path) -> Result<LayerFolder, NumberError> {
        let refused = |error: io::Error| {
            NumberError::layers(path, format!("cannot be a folder for layers: {error}; name one that can be made"))
        };
        let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let made = path.ancestors().take_while(is_new).map(Path::to_owned).collect();
        let folder = LayerFolder { path: path.to_owned(), made, held: None };
        fs::create_dir_all(path).map_err(refused)?;
        Ok(folder)
    }

    /// Keeps others from making layers in it.
    ///
    /// # Errors
    /// When somebody does.
    pub(super) fn claim(&mut self) -> Result<(), NumberError> {
        let refused = |why| NumberError::layers(&self.path, format!("{why}: wait for it, or name another folder"));
        let claimed = claim(&self.path).map_err(refused);
        if claimed.is_err() {
            // It is for them to remove.
            self.made.clear();
        }
        self.held = claimed?;
        Ok(())
    }

    /// The files that the layers of a plan will have.
    fn files(&self, plan: &CountPlan) -> impl Iterator<Item = PathBuf> {
        let sweeps = plan.sweeps.iter().map(|sweep| sweep.layers.layers.len()).enumerate();
        sweeps.flat_map(move |(sweep, layers)| (0..layers).map(move |at| self.layer(sweep, at)))
    }

    /// Bytes that layers of a plan may take: those that are free on its disk, and those of files that a making that was
    /// interrupted has left, which [`LayerFolder::clear`] removes.
    ///
    /// # Errors
    /// When the disk does not say.
    pub(super) fn room(&self, plan: &CountPlan) -> Result<u64, NumberError> {
        let free = Spill::free(&self.path).map_err(|error| NumberError::file(&self.path, &error))?;
        Ok(free + self.files(plan).filter_map(|file| Some(fs::metadata(file).ok()?.len())).sum::<u64>())
    }

    /// Removes layers that count for nothing: a making that was interrupted has left them.
    pub(super) fn clear(&self, plan: &CountPlan) {
        // Most are not there, and what cannot be removed is written over.
        self.files(plan).for_each(|file| drop(fs::remove_file(file)));
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn layer(&self, sweep: usize, at: usize) -> PathBuf {
        self.path.join(format!("sweep-{sweep}-layer-{at:03}"))
    }

    /// The manifest, if the layers are there, which must be of this question, `wanted` by whoever typed it.
    ///
    /// # Errors
    /// When it is damaged, or says something else.
    pub(super) fn manifest(
        &self,
        numbering: u32,
        question: &SavedQuestion,
        wanted: &SavedQuestion,
    ) -> Result<Option<Manifest>, NumberError> {
        let path = self.path.join(NAME);
        if !path.exists() {
            return Ok(None);
        }
        let read = || -> io::Result<Manifest> {
            let mut input = saved::open(&path)?;
            if !input.begins_with(MANIFEST)? {
                return Err(io::Error::other("it is no such file of this version"));
            }
            let line = input.line(FIRST_LINE_MAX)?;
            input.check()?;
            Ok(serde_json::from_slice(&line)?)
        };
        let damaged =
            |error| format!("is no manifest of layers, or damaged: {error}; name another folder, or remove it");
        let found = read().map_err(|error| NumberError::layers(&path, damaged(error)))?;
        let wrong = |problem| Err(NumberError::layers(&self.path, problem));
        if found.question != *question {
            let (has, wanted) = (found.question.words(), wanted.words());
            return wrong(format!("has the layers of the {has}, not of the {wanted}: name another folder"));
        }
        let widths = || found.sweeps.iter().flat_map(|sweep| &sweep.widths);
        if let Some(width) = widths().find(|width| !WIDTHS.contains(width)) {
            let (least, most) = (WIDTHS.start(), WIDTHS.end());
            return wrong(format!(
                "says that a count takes {width} bytes, and counts take {least} to {most}: name another folder, or remove it"
            ));
        }
        if found.numbering != numbering {
            return wrong(format!(
                "has layers for numbering {}, not {numbering}: name another folder",
                found.numbering
            ));
        }
        Ok(Some(found))
    }

    /// Writes the manifest: from now on the layers are there, and nobody has to be kept from making them.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub(super) fn finish(&mut self, manifest: &Manifest) -> Result<(), NumberError> {
        let path = self.path.join(NAME);
        let place = ReplacedFile::new(&path).map_err(|problem| NumberError::layers(&path, problem))?;
        let saved = place.save(MANIFEST, |output| {
            serde_json::to_writer(&mut *output, manifest)?;
            output.write_all(b"\n")
        });
        self.held = None;
        saved.map_err(|error| NumberError::file(&path, &error))
    }

    /// Writes a layer.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub(super) fn write(&self, sweep: usize, at: usize, packing: &Packing<'_>) -> Result<Shape, NumberError> {
        let path = self.layer(sweep, at);
        let write = || -> io::Result<Shape> {
            let shape = packing.shape();
            let file = saved::create_part(&self.path, None)?;
            let mut output = BufWriter::with_capacity(STRETCH as usize, file.as_file());
            let (mut sums, mut packed) = (Vec::new(), Vec::new());
            output.seek(SeekFrom::Start(counts_at(&shape)))?;
            for ends in 0..shape.starts.len() - 1 {
                packed.clear();
                packing.group(&shape, ends, &mut packed)?;
                for stretch in packed.chunks(STRETCH as usize) {
                    sums.extend_from_slice(&crc32fast::hash(stretch).to_le_bytes());
                    output.write_all(stretch)?;
                }
            }
            let marks: Vec<u8> = shape.marks.0.iter().flat_map(|word| word.to_le_bytes()).collect();
            output.seek(SeekFrom::Start(0))?;
            output.write_all(MAGIC)?;
            output.write_all(&saved::checksum([&marks[..], &sums]).to_le_bytes())?;
            output.write_all(&marks)?;
            output.write_all(&sums)?;
            output.flush()?;
            drop(output);
            file.persist(&path).map_err(|error| error.error)?;
            Ok(shape)
        };
        write().map_err(|error| NumberError::file(&path, &error))
    }

    /// Opens a layer; its counts stay where they are.
    ///
    /// # Errors
    /// When it is not there, or damaged.
    pub(super) fn open(
        &self,
        sweep: usize,
        at: usize,
        layer: &Layer,
        width: usize,
    ) -> Result<PackedLayer, NumberError> {
        let path = self.layer(sweep, at);
        let open = || -> io::Result<PackedLayer> {
            let mut file = bounded::open(&path)?;
            let bytes = file.metadata()?.len();
            let of_this_length =
                |is: bool| if is { Ok(()) } else { Err(io::Error::other("it is not as long as it must be")) };
            let (mut magic, mut sum) = ([0; MAGIC.len()], [0; 4]);
            let words = BitMarks::words(layer.blocks());
            // Nothing is made as long as the file should be before it is known to be so long.
            of_this_length(bytes >= (MAGIC.len() + sum.len() + 8 * words) as u64)?;
            let mut marks = zeroed::<u8>(8 * words)?;
            file.read_exact(&mut magic)?;
            file.read_exact(&mut sum)?;
            file.read_exact(&mut marks)?;
            let words =
                marks.chunks_exact(8).map(|word| word.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)));
            let shape = Shape::new(layer, BitMarks(words.collect()), width);
            let (firsts, counts_at) = (firsts(&shape), counts_at(&shape));
            of_this_length(bytes == counts_at + shape.bytes())?;
            let mut sums = zeroed::<u8>(4 * firsts[firsts.len() - 1])?;
            file.read_exact(&mut sums)?;
            if magic != *MAGIC || u32::from_le_bytes(sum) != saved::checksum([&marks[..], &sums]) {
                return Err(io::Error::other("its checksum does not agree with its contents"));
            }
            let sums = sums.chunks_exact(4).map(|sum| u32::from_le_bytes([sum[0], sum[1], sum[2], sum[3]])).collect();
            let stretches = Stretches { path: path.clone(), file, counts_at, firsts, sums };
            Ok(PackedLayer { shape, body: BlockBody::File(stretches) })
        };
        open().map_err(|error| {
            NumberError::layers(
                &path,
                format!("is missing or damaged: {error}; remove the folder, and it is made again"),
            )
        })
    }
}

/// The number of each group's first stretch, and of all stretches at the end.
fn firsts(shape: &Shape) -> Box<[usize]> {
    let mut all = 0;
    let mut firsts = Vec::with_capacity(shape.starts.len());
    for ends in 0..shape.starts.len() - 1 {
        firsts.push(all);
        let bytes = shape.bytes_of(ends);
        all += (bytes.end - bytes.start).div_ceil(STRETCH) as usize;
    }
    firsts.push(all);
    firsts.into()
}

/// Where the counts begin in a file.
fn counts_at(shape: &Shape) -> u64 {
    let firsts = firsts(shape);
    (MAGIC.len() + 4 + 8 * shape.marks.0.len() + 4 * firsts[firsts.len() - 1]) as u64
}
