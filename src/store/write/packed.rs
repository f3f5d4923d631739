//! Writes packed files: records are cut into blocks with checksums, between a header and a footer.

use super::text::WriteError;
use crate::board::Route;
use crate::store::packed::{PackedLayout, footer, record};
use serde::{Deserialize, Serialize};
use std::io::Write;

/// How far a packed file has been written, so that writing can be resumed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackedProgress {
    /// Number of tours written.
    tours: u64,
    /// CRC-32 of the unfinished block: of its number and its records so far.
    sum: u32,
}

/// Makes the bytes of a packed file from records. The caller writes the bytes.
#[derive(Debug)]
pub struct PackedWriter {
    layout: PackedLayout,
    tours: u64,
    /// The checksum of the unfinished block.
    hasher: crc32fast::Hasher,
    has_header: bool,
}

impl PackedWriter {
    /// Begins an empty file.
    pub fn new(layout: PackedLayout) -> PackedWriter {
        PackedWriter { layout, tours: 0, hasher: crc32fast::Hasher::new(), has_header: false }
    }

    /// Resumes a file at the position that [`PackedWriter::progress`] gave.
    pub fn resume(layout: PackedLayout, PackedProgress { tours, sum }: PackedProgress) -> PackedWriter {
        PackedWriter { layout, tours, hasher: crc32fast::Hasher::new_with_initial(sum), has_header: true }
    }

    /// How far the file has been written. `None` before its first byte.
    pub fn progress(&self) -> Option<PackedProgress> {
        self.has_header.then(|| PackedProgress { tours: self.tours, sum: self.hasher.clone().finalize() })
    }

    /// Appends records, whole ones, to `file`, and the checksum of every block that they complete.
    pub fn add(&mut self, records: &[u8], file: &mut Vec<u8>) {
        self.write_header(file);
        let (record, most) = (self.layout.record_bytes(), self.layout.block_records() as u64);
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
                self.end_block(file);
            }
            rest = later;
        }
    }

    /// Appends the footer to `file`, after the checksum of an unfinished block.
    pub fn end(&mut self, file: &mut Vec<u8>) {
        self.write_header(file);
        if !self.tours.is_multiple_of(self.layout.block_records() as u64) {
            self.end_block(file);
        }
        file.extend_from_slice(&footer(self.tours));
    }

    fn write_header(&mut self, file: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.has_header, true) {
            file.extend_from_slice(&self.layout.header());
        }
    }

    /// Appends the checksum of the current block.
    fn end_block(&self, file: &mut Vec<u8>) {
        file.extend_from_slice(&self.hasher.clone().finalize().to_le_bytes());
    }
}

/// Writes one tour as a packed file of its own. The tour is verified while it is written.
///
/// # Errors
/// [`WriteError`] when writing fails or the route is no tour.
pub fn packed(tour: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    packed_all([tour], to)
}

/// Writes several tours of one board and ending as a packed file. The tours are verified while they are written.
///
/// # Errors
/// [`WriteError`] when writing fails or a route is no tour.
///
/// # Panics
/// When there is no tour, or a tour leaves out squares or is of another board than the first.
pub fn packed_all<'a>(tours: impl IntoIterator<Item = &'a dyn Route>, to: &mut dyn Write) -> Result<(), WriteError> {
    let mut tours = tours.into_iter().peekable();
    let layout = tours.peek().map(|tour| PackedLayout::new(tour.board(), tour.ending())).expect("a tour at least");
    let (mut blocks, mut file) = (PackedWriter::new(layout), Vec::new());
    for tour in tours {
        assert!(tour.board() == layout.board && tour.holes().is_empty(), "tours of one whole board");
        blocks.add(&record(tour)?, &mut file);
        to.write_all(&file)?;
        file.clear();
    }
    blocks.end(&mut file);
    Ok(to.write_all(&file)?)
}
