//! Packed files on their way out: records are cut into blocks, each with its checksum, between a header and an end.

use super::text_out::WriteError;
use crate::board::Route;
use crate::store::packed::{PackedLayout, footer, record};
use serde::{Deserialize, Serialize};
use std::io::Write;

/// How far a packed file is that is being written, so that it can be gone on with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedProgress {
    /// Tours.
    tours: u64,
    /// CRC-32 of the block that is not whole: its number and its records so far.
    sum: u32,
}

/// Makes a packed file of records; the bytes are somebody else's to write.
#[derive(Debug)]
pub struct Blocks {
    layout: PackedLayout,
    tours: u64,
    /// Of the block that is not whole.
    hasher: crc32fast::Hasher,
    begun: bool,
}

impl Blocks {
    /// A file with nothing in it.
    pub fn new(layout: PackedLayout) -> Blocks {
        Blocks { layout, tours: 0, hasher: crc32fast::Hasher::new(), begun: false }
    }

    /// The same file, gone on with.
    pub fn go_on(layout: PackedLayout, PackedProgress { tours, sum }: PackedProgress) -> Blocks {
        Blocks { layout, tours, hasher: crc32fast::Hasher::new_with_initial(sum), begun: true }
    }

    /// How far it is; nothing before its first byte.
    pub fn far(&self) -> Option<PackedProgress> {
        self.begun.then(|| PackedProgress { tours: self.tours, sum: self.hasher.clone().finalize() })
    }

    /// Appends to `file` what comes of these whole records.
    pub fn add(&mut self, records: &[u8], file: &mut Vec<u8>) {
        self.begin(file);
        let (record, most) = (self.layout.record(), self.layout.records() as u64);
        let mut rest = records;
        while rest.len() >= record {
            let before = self.tours % most;
            if before == 0 {
                self.hasher = crc32fast::Hasher::new();
                self.hasher.update(&(self.tours / most).to_le_bytes());
            }
            let fitting = (rest.len() / record).min((most - before) as usize);
            let (now, later) = rest.split_at(fitting * record);
            self.hasher.update(now);
            file.extend_from_slice(now);
            self.tours += fitting as u64;
            if self.tours.is_multiple_of(most) {
                self.seal(file);
            }
            rest = later;
        }
    }

    /// Appends the end to `file`.
    pub fn end(&mut self, file: &mut Vec<u8>) {
        self.begin(file);
        if !self.tours.is_multiple_of(self.layout.records() as u64) {
            self.seal(file);
        }
        file.extend_from_slice(&footer(self.tours));
    }

    fn begin(&mut self, file: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.begun, true) {
            file.extend_from_slice(&self.layout.header());
        }
    }

    /// Appends the checksum of a block.
    fn seal(&self, file: &mut Vec<u8>) {
        file.extend_from_slice(&self.hasher.clone().finalize().to_le_bytes());
    }
}

/// Writes a tour as a packed file of its own, verified on the way.
///
/// # Errors
/// [`WriteError`] when writing fails or the route is no tour.
pub fn packed(tour: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    packed_all([tour], to)
}

/// The same of several tours of one board and ending.
///
/// # Errors
/// [`WriteError`] when writing fails or a route is no tour.
///
/// # Panics
/// When there is no tour, or one leaves out squares or is of another board.
pub fn packed_all<'a>(tours: impl IntoIterator<Item = &'a dyn Route>, to: &mut dyn Write) -> Result<(), WriteError> {
    let mut tours = tours.into_iter().peekable();
    let layout = tours.peek().map(|tour| PackedLayout::new(tour.board(), tour.ending())).expect("a tour at least");
    let (mut blocks, mut file) = (Blocks::new(layout), Vec::new());
    for tour in tours {
        assert!(tour.board() == layout.board() && tour.holes().is_empty(), "tours of one whole board");
        blocks.add(&record(tour)?, &mut file);
        to.write_all(&file)?;
        file.clear();
    }
    blocks.end(&mut file);
    Ok(to.write_all(&file)?)
}
