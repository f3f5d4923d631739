//! Reads packed files block by block. A block is used only if its checksum is right.
//!
//! Several threads verify many sound blocks at once, as a [`stretch`](super::stretch). To say what is wrong with a tour,
//! its block is read again, record by record.

use super::outcome::{ReadStop, ReadTour, Skip, TextPlace, TourReadError, WordPlaces, flaw};
use super::plain::PlainTours;
use super::source::TextSource;
use crate::board::{Checker, Ending, SMALL_SQUARES_MAX};
use crate::bounded::{FileFormat, FileKind};
use crate::store::check::first_wrong_move;
use crate::store::packed::{FOOTER_BYTES, HEADER_BYTES, MAGIC, PackedLayout, SUM_BYTES, Unpacker, tours_at_end};
use std::io::{self, Read, Seek, SeekFrom};

/// The form of tours that are packed.
pub const PACKED: &str = "packed";
/// How the first line of a packed file begins, of any version.
const NAME: &[u8] = MAGIC.split_at(MAGIC.len() - 2).0;
/// Bytes that have the first line of a packed file, of any version.
const FIRST_LINE_BYTES: usize = NAME.len() + 11;

/// The position of the reader in a packed file.
pub struct PackedReader {
    pub layout: PackedLayout,
    unpacker: Unpacker,
    /// Number of the next block, from 0.
    block: u64,
    /// Number of tours before that block.
    tours_before: u64,
    /// The records of the block before it, and the offset in them of the next record.
    records: Vec<u8>,
    at: usize,
}

impl PackedReader {
    /// Begins to read a packed file. If the input is not one, nothing is consumed and the result is `None`.
    ///
    /// # Errors
    /// [`ReadStop`] when the header is damaged.
    pub fn begin<R: Read>(source: &mut TextSource<R>) -> Result<Option<PackedReader>, ReadStop> {
        // Tours may come slowly, from a pipe: no more is waited for than is needed.
        let is_named = source.peek_raw(MAGIC.len()).starts_with(NAME);
        let is_packed = |found: FileFormat| found.kind == FileKind::Packed;
        if !is_named || !FileFormat::of(source.peek_raw(FIRST_LINE_BYTES)).is_some_and(is_packed) {
            return Ok(None);
        }
        if source.peek_raw(HEADER_BYTES).len() < HEADER_BYTES {
            source.is_cut_off()?;
        }
        let layout = PackedLayout::read(source.peek_raw(HEADER_BYTES)).map_err(last)?;
        source.take_raw(HEADER_BYTES);
        let (unpacker, records) = (Unpacker::new(layout), Vec::new());
        Ok(Some(PackedReader { layout, unpacker, block: 0, tours_before: 0, records, at: 0 }))
    }

    /// Seeks from the header to the block of this tour, from 0. Returns the number of tours before the block. If the input
    /// cannot seek or has no such tour, the reader stays at the first block.
    ///
    /// # Errors
    /// [`io::Error`] when the end of the file cannot be read.
    pub fn seek<R: Read + Seek>(&mut self, source: &mut TextSource<R>, tour: u64) -> io::Result<u64> {
        if !source.seek(SeekFrom::End(-(FOOTER_BYTES as i64))) {
            return Ok(0);
        }
        let has_tour = tours_at_end(source.peek_raw(FOOTER_BYTES)).is_some_and(|tours| tour < tours);
        let records = self.layout.block_records() as u64;
        self.block = if has_tour { tour / records } else { 0 };
        self.tours_before = self.block * records;
        source.seek(SeekFrom::Start(self.layout.block_offset(self.block)));
        Ok(self.tours_before)
    }

    /// Reads the next tour; `None` at the end of the file.
    ///
    /// # Errors
    /// [`ReadStop`] for a tour that leaves the board, or for a damaged block.
    pub fn next_tour<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<ReadTour>, ReadStop> {
        let layout = self.layout;
        if self.at == self.records.len() && !self.load_block(source)? {
            return Ok(None);
        }
        let record = &self.records[self.at..self.at + layout.record_bytes()];
        self.at += layout.record_bytes();
        let (squares, wrong) = self.unpacker.squares(record);
        if let Some(wrong) = wrong {
            let (number, reason) = first_wrong_move(&layout.board.into(), &squares).unwrap_or(wrong);
            return Err(flaw(TextPlace::default(), Some(number), reason));
        }
        let found = ReadTour::new(layout.board.into(), squares, WordPlaces::default(), PACKED);
        Ok(Some(ReadTour { ending: Some(layout.ending), ..found }))
    }

    /// Reads the records of the next block. Returns false at the end of the file.
    fn load_block<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<bool, ReadStop> {
        let layout = self.layout;
        let (number, before, record) = (self.block, self.tours_before, layout.record_bytes());
        let bytes = source.peek_raw(layout.block_bytes() + FOOTER_BYTES);
        let (left, rest) = (bytes.len(), bytes.len().saturating_sub(FOOTER_BYTES));
        let footer = tours_at_end(&bytes[rest..]);
        let is_block = |records: usize| footer.is_some() && records > 0 && records.is_multiple_of(record);
        if rest == layout.block_bytes() || is_block(rest.saturating_sub(SUM_BYTES)) {
            let records = PackedLayout::verified_records(number, source.peek_raw(rest)).map(<[u8]>::to_vec);
            source.take_raw(rest);
            let tours = ((rest - SUM_BYTES) / record) as u64;
            (self.block, self.tours_before) = (number + 1, before + tours);
            let Some(records) = records else {
                let (block, first, last) = (self.block, before + 1, self.tours_before);
                let reason = format!(
                    "block {block} (tours {first} to {last}) is damaged: its checksum does not agree with its contents"
                );
                return Err(TourReadError::Tour { index: 0, tours, line: 0, column: None, number: None, reason }.into());
            };
            (self.records, self.at) = (records, 0);
            return Ok(true);
        }
        // A compressed file may be cut off behind a sound footer. This is reported here, once all tours have been read.
        let is_cut_off = source.is_cut_off()?;
        let rest = match footer.filter(|_| rest == 0) {
            Some(tours) if !is_cut_off && tours == before => return Ok(false),
            Some(tours) if !is_cut_off => {
                return Err(last(format!("the footer says {tours} tours, but the file has {before}")));
            }
            None if left > 0 => format!("; its last {left} bytes, {record} for each tour, are not checked"),
            _ => String::new(),
        };
        let block = number + 1;
        Err(last(format!("the file ends in block {block} without a footer: it was cut off or is damaged{rest}")))
    }

    /// Verifies the next whole blocks, as tours of this ending and by at most `threads` threads, up to the first block with a
    /// fault. It takes no blocks while the current block has unread records.
    pub fn take_plain<R: Read + Send>(
        &mut self,
        source: &mut TextSource<R>,
        ending: Ending,
        threads: usize,
    ) -> PlainTours {
        let layout = self.layout;
        if self.at < self.records.len() {
            return PlainTours::default();
        }
        let ending = if layout.ending == Ending::Closed { Ending::Closed } else { ending };
        // There is none for a board that is too large.
        let Some(checker) = Checker::new(layout.board, ending) else { return PlainTours::default() };
        // The last whole block is followed by the footer, or by an unfinished block and the footer.
        let block = layout.block_bytes();
        let whole = |bytes: &[u8]| bytes.len().saturating_sub(FOOTER_BYTES) / block * block;
        let check =
            |before: u64, blocks: &[u8]| self.check_blocks(&checker, self.block + before / block as u64, blocks);
        let (taken, _) = source.take_stretch(threads, 2 * block + FOOTER_BYTES, whole, check);
        self.block += (taken.bytes / block) as u64;
        self.tours_before += taken.tours;
        taken
    }

    /// Verifies whole blocks, from number `first` on, up to the first with a fault.
    fn check_blocks(&self, checker: &Checker, first: u64, blocks: &[u8]) -> PlainTours {
        let layout = self.layout;
        let mut run = PlainTours::default();
        for (number, block) in (first..).zip(blocks.chunks_exact(layout.block_bytes())) {
            let records = PackedLayout::verified_records(number, block);
            let Some(closed) = records.and_then(|records| self.count_closed(checker, records)) else { break };
            let tours = layout.block_records() as u64;
            run.add(PlainTours { tours, closed, bytes: block.len(), ..PlainTours::default() });
        }
        run
    }

    /// The number of closed tours among these records; `None` if one is no tour.
    fn count_closed(&self, checker: &Checker, records: &[u8]) -> Option<u64> {
        let mut squares = [0; SMALL_SQUARES_MAX];
        let squares = &mut squares[..self.layout.board.squares() as usize];
        let mut closed = 0;
        for record in records.chunks_exact(self.layout.record_bytes()) {
            if !self.unpacker.unpack(record, squares) {
                return None;
            }
            closed += u64::from(checker.pass(squares)?.closes());
        }
        Some(closed)
    }
}

/// A fault behind which no tour is found; a packed file has no lines.
fn last(reason: String) -> ReadStop {
    flaw(TextPlace::default(), None, reason).skipping(Skip::All)
}
