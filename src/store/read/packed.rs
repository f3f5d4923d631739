//! Packed files on their way in: block by block, each believed only if its checksum is right.
//!
//! Many blocks without a fault are checked as a [`stretch`](super::stretch), by several threads. What is wrong
//! with a tour is found by reading its block again, record by record.

use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::plain::PlainTours;
use super::source::{ReadFailure, TextSource};
use crate::board::{Checker, Ending, Holes, SMALL_SQUARES_MAX};
use crate::store::packed::{FOOTER, HEADER, NAME, PackedLayout, SUM, Unpacker, tours_at_end};
use std::io::{Read, Seek, SeekFrom};
use std::ops::RangeInclusive;

/// Where reading stands in a packed file.
pub struct PackedReader {
    unpacker: Unpacker,
    checker: Option<(Ending, Checker)>,
    /// The number of the block that comes next, or is being read.
    block: u64,
    /// Tours before that block.
    before: u64,
    /// The records of the block that is being read, and how many bytes of them were.
    records: Vec<u8>,
    at: usize,
    over: bool,
}

/// What comes next in a file.
enum PackedItem {
    /// So many bytes of records and their checksum.
    Block(usize),
    /// The end, which says how many tours there are.
    End(u64),
    /// Neither.
    Cut,
}

impl PackedReader {
    /// The packed file that begins here, if one does; else all is as it was.
    ///
    /// # Errors
    /// [`ReadStop`] when its beginning is damaged.
    pub fn begin<R: Read>(source: &mut TextSource<R>) -> Result<Option<PackedReader>, ReadStop> {
        if source.raw(NAME.len()) != NAME {
            source.is_text();
            return Ok(None);
        }
        if source.raw(HEADER).len() < HEADER {
            source.is_cut()?;
        }
        let layout = PackedLayout::read(source.raw(HEADER)).map_err(|reason| ReadStop::Last(flaw(None, reason)))?;
        source.take_raw(HEADER);
        let unpacker = Unpacker::new(layout);
        let records = Vec::new();
        Ok(Some(PackedReader { unpacker, checker: None, block: 0, before: 0, records, at: 0, over: false }))
    }

    /// What the file holds.
    pub fn layout(&self) -> PackedLayout {
        self.unpacker.layout()
    }

    /// Goes from the beginning to the block of this tour, from 0, if the file can be gone about in and has it; answers
    /// how many tours are before that block.
    ///
    /// # Errors
    /// [`ReadFailure`] when the end of the file cannot be read.
    pub fn seek<R: Read + Seek>(&mut self, source: &mut TextSource<R>, tour: u64) -> Result<u64, ReadFailure> {
        if !source.seek(SeekFrom::End(-(FOOTER as i64))) {
            return Ok(0);
        }
        let there = tours_at_end(source.raw(FOOTER)).is_some_and(|tours| tour < tours);
        let records = self.layout().records() as u64;
        self.block = if there { tour / records } else { 0 };
        self.before = self.block * records;
        source.seek(SeekFrom::Start(self.layout().place(self.block)));
        Ok(self.before)
    }

    /// The next tour, if there is one.
    ///
    /// # Errors
    /// [`ReadStop`] for a tour that is none, or a block of them.
    pub fn find<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<FoundTour>, ReadStop> {
        if self.over {
            return Ok(None);
        }
        let layout = self.layout();
        if self.at == self.records.len() && !self.load(source)? {
            self.over = true;
            return Ok(None);
        }
        let record = &self.records[self.at..self.at + layout.record()];
        self.at += layout.record();
        let (squares, wrong) = self.unpacker.squares(record);
        if let Some((number, reason)) = wrong {
            return Err(ReadStop::Flaw(flaw(Some(number), reason)));
        }
        Ok(Some(FoundTour {
            line: 0,
            board: layout.board(),
            ending: Some(layout.ending()),
            holes: Holes::none(),
            squares,
        }))
    }

    /// Takes the records of the next block; false at the end.
    fn load<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<bool, ReadStop> {
        let layout = self.layout();
        self.pass(self.records.len() / layout.record());
        let (number, before) = (self.block, self.before);
        match next(layout, source)? {
            PackedItem::Block(bytes) => {
                let tours = (bytes - SUM) / layout.record();
                let records = PackedLayout::sound(number, source.raw(bytes)).map(<[u8]>::to_vec);
                source.take_raw(bytes);
                match records {
                    Some(records) => self.records = records,
                    None => {
                        self.pass(tours);
                        return Err(damaged(number, before + 1..=self.before));
                    }
                }
                Ok(true)
            }
            PackedItem::End(tours) if tours == before => Ok(false),
            PackedItem::End(tours) => {
                self.over = true;
                Err(ReadStop::Last(flaw(None, format!("the end says that there are {tours} tours, not {before}"))))
            }
            PackedItem::Cut => {
                self.over = true;
                let reason = format!("the file ends in block {} without its end: it is cut off or damaged", number + 1);
                Err(ReadStop::Last(flaw(None, reason)))
            }
        }
    }

    /// Goes to the next block behind one of so many tours.
    fn pass(&mut self, tours: usize) {
        (self.records, self.at) = (Vec::new(), 0);
        self.block += u64::from(tours > 0);
        self.before += tours as u64;
    }

    /// Takes the next whole blocks in which all is right, checked as tours of this ending by at most so many threads.
    /// It takes none between two tours of a block.
    pub fn plain<R: Read + Send>(&mut self, source: &mut TextSource<R>, ending: Ending, threads: usize) -> PlainTours {
        let layout = self.layout();
        if self.over || self.at < self.records.len() || !self.can_check(ending) {
            return PlainTours::default();
        }
        self.pass(self.records.len() / layout.record());
        // Behind the last whole block there is more: the end, or a block that is not whole.
        let block = layout.block();
        let whole = |bytes: &[u8]| bytes.len().saturating_sub(FOOTER) / block * block;
        let check = |before: u64, blocks: &[u8]| self.run(self.block + before / block as u64, blocks);
        let (taken, _) = source.take_stretch(threads, 2 * block + FOOTER, whole, check);
        self.block += (taken.bytes / block) as u64;
        self.before += taken.tours;
        taken
    }

    /// Makes ready to check tours of this ending, or of that of the file if that asks for more.
    fn can_check(&mut self, ending: Ending) -> bool {
        let layout = self.layout();
        let ending = if layout.ending() == Ending::Closed { Ending::Closed } else { ending };
        if self.checker.as_ref().is_none_or(|(of, _)| *of != ending) {
            self.checker = Checker::new(layout.board(), ending).map(|checker| (ending, checker));
        }
        self.checker.is_some()
    }

    /// The blocks, of whole ones, before the first that has a fault.
    fn run(&self, first: u64, blocks: &[u8]) -> PlainTours {
        let layout = self.layout();
        let mut run = PlainTours::default();
        for (number, block) in (first..).zip(blocks.chunks_exact(layout.block())) {
            let Some(closed) = PackedLayout::sound(number, block).and_then(|records| self.closed(records)) else {
                break;
            };
            run.add(PlainTours { tours: layout.records() as u64, closed, bytes: block.len() });
        }
        run
    }

    /// How many tours close, of records that are all tours.
    fn closed(&self, records: &[u8]) -> Option<u64> {
        let (_, checker) = self.checker.as_ref()?;
        let mut squares = [0; SMALL_SQUARES_MAX];
        let squares = &mut squares[..self.layout().board().squares() as usize];
        let mut closed = 0;
        for record in records.chunks_exact(self.layout().record()) {
            if !self.unpacker.unpack(record, squares) {
                return None;
            }
            closed += u64::from(checker.pass(squares)?.closes());
        }
        Some(closed)
    }
}

fn flaw(number: Option<usize>, reason: String) -> TourFlaw {
    TourFlaw { line: 0, number, reason }
}

/// That a block is not what it was, with these tours.
fn damaged(block: u64, tours: RangeInclusive<u64>) -> ReadStop {
    let (block, first, last) = (block + 1, tours.start(), tours.end());
    let reason =
        format!("block {block} (tours {first} to {last}) is damaged: its checksum is not that of what it holds");
    ReadStop::Block { tours: last + 1 - first, reason }
}

/// What comes next; none of it is taken.
fn next<R: Read>(layout: PackedLayout, source: &mut TextSource<R>) -> Result<PackedItem, ReadFailure> {
    let block = layout.block();
    let bytes = source.raw(block + FOOTER);
    if bytes.len() == block + FOOTER {
        return Ok(PackedItem::Block(block));
    }
    let rest = bytes.len().saturating_sub(FOOTER);
    let records = rest.saturating_sub(SUM);
    let next = match tours_at_end(&bytes[rest..]) {
        Some(tours) if rest == 0 => PackedItem::End(tours),
        Some(_) if records > 0 && records.is_multiple_of(layout.record()) => PackedItem::Block(rest),
        _ => PackedItem::Cut,
    };
    // Of a compressed file the end may be whole and something behind it be missing: then that is said once all is read.
    let is_last = !matches!(next, PackedItem::Block(_));
    Ok(if is_last && source.is_cut()? { PackedItem::Cut } else { next })
}
