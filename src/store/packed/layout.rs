//! Where everything is in a packed file: its header, its blocks and its end.

use crate::board::{Board, Ending, Square};
use crate::saved;

/// What every version begins with.
pub const NAME: &[u8] = b"destrier packed ";
/// What this one begins with.
const MAGIC: &[u8] = b"destrier packed 1\n";
/// Bytes of the header.
pub const HEADER: usize = 40;
/// What the end begins with.
const END: &[u8] = b"end\n";
/// Bytes of the end.
pub const FOOTER: usize = 16;
/// Bytes of a checksum.
pub const SUM: usize = 4;
/// Bytes of records that make a block.
const BLOCK: usize = 1 << 16;

/// What a packed file holds, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedLayout {
    board: Board,
    ending: Ending,
}

impl PackedLayout {
    /// The layout of tours of this board and ending, which leave no squares out.
    pub fn new(board: Board, ending: Ending) -> PackedLayout {
        PackedLayout { board, ending }
    }

    /// The board.
    pub fn board(self) -> Board {
        self.board
    }

    /// The ending.
    pub fn ending(self) -> Ending {
        self.ending
    }

    /// Bytes of the first square of a record.
    pub(super) fn start(self) -> usize {
        let last = self.board.squares() - 1;
        (4 - last.leading_zeros() as usize / 8).max(1)
    }

    /// Bytes of a record.
    pub fn record(self) -> usize {
        self.start() + (3 * (self.board.squares() as usize - 1)).div_ceil(8)
    }

    /// Records of a block.
    pub fn records(self) -> usize {
        (BLOCK / self.record()).max(1)
    }

    /// Bytes of a whole block, its checksum with it.
    pub fn block(self) -> usize {
        self.records() * self.record() + SUM
    }

    /// The byte of a file that a block begins at.
    pub fn place(self, block: u64) -> u64 {
        HEADER as u64 + block * self.block() as u64
    }

    /// The header.
    pub fn header(self) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..MAGIC.len()].copy_from_slice(MAGIC);
        header[18] = u8::from(self.ending == Ending::Closed);
        let numbers = [self.board.rows(), self.board.cols(), self.record() as u32, self.records() as u32];
        let (said, sum) = header.split_at_mut(HEADER - SUM);
        for (bytes, number) in said[20..].chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        sum.copy_from_slice(&saved::checksum([&*said]).to_le_bytes());
        header
    }

    /// The layout of a file that begins so.
    ///
    /// # Errors
    /// What is wrong with its header.
    pub fn read(header: &[u8]) -> Result<PackedLayout, String> {
        let said = header.get(..HEADER - SUM).filter(|_| header.len() >= HEADER);
        let said = said.ok_or("the packed file ends in its header: it was cut off")?;
        if !said.starts_with(MAGIC) {
            let version = String::from_utf8_lossy(&said[NAME.len()..MAGIC.len()]).trim_end().to_owned();
            return Err(format!("a packed file of version '{version}', and this program reads version 1"));
        }
        let number = |at: usize| u64::from(u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[at + byte])));
        let ending = [Ending::Open, Ending::Closed].get(usize::from(said[18])).copied();
        let layout =
            Board::new(number(20), number(24)).ok().zip(ending).map(|(b, ending)| PackedLayout::new(b, ending));
        layout.filter(|layout| layout.header() == header[..HEADER]).ok_or("the header is damaged".to_owned())
    }

    /// The checksum of a block with this number, from 0, and these records.
    pub fn sum(block: u64, records: &[u8]) -> u32 {
        saved::checksum([&block.to_le_bytes(), records])
    }

    /// The records of a block, if its checksum, which is behind them, is right.
    pub fn sound(number: u64, block: &[u8]) -> Option<&[u8]> {
        let (records, sum) = block.split_last_chunk::<SUM>()?;
        (u32::from_le_bytes(*sum) == PackedLayout::sum(number, records)).then_some(records)
    }
}

/// The end of a file with so many tours.
pub fn footer(tours: u64) -> [u8; FOOTER] {
    let mut footer = [0; FOOTER];
    footer[..END.len()].copy_from_slice(END);
    footer[END.len()..FOOTER - SUM].copy_from_slice(&tours.to_le_bytes());
    let sum = saved::checksum([&footer[..FOOTER - SUM]]);
    footer[FOOTER - SUM..].copy_from_slice(&sum.to_le_bytes());
    footer
}

/// The number of tours of a file that ends so.
pub fn tours_at_end(bytes: &[u8]) -> Option<u64> {
    let tours = u64::from_le_bytes(bytes.get(END.len()..FOOTER - SUM)?.try_into().ok()?);
    (bytes == footer(tours)).then_some(tours)
}

/// Which square a record begins with, as its first bytes.
pub(super) fn start_bytes(layout: PackedLayout, square: Square) -> impl Iterator<Item = u8> {
    square.index().to_le_bytes().into_iter().take(layout.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(board: &str, ending: Ending) -> PackedLayout {
        PackedLayout::new(board.parse().unwrap(), ending)
    }

    #[test]
    fn a_header_is_read_as_it_was_written_and_nothing_else_is() {
        for board in ["1x1", "3x4", "8x8", "16x16", "257x1", "2000x2000", "1x4294967294"] {
            for ending in [Ending::Open, Ending::Closed] {
                let layout = layout(board, ending);
                let header = layout.header();
                assert_eq!(PackedLayout::read(&header), Ok(layout));
                for (at, bit) in (0..HEADER).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                    let mut damaged = header;
                    damaged[at] ^= 1 << bit;
                    assert!(PackedLayout::read(&damaged).is_err(), "{at} {bit}");
                }
                assert!((0..HEADER).all(|length| PackedLayout::read(&header[..length]).is_err()));
            }
        }
        let other = [b"destrier packed 2\n".as_slice(), &[0; HEADER]].concat();
        let says = "a packed file of version '2', and this program reads version 1";
        assert_eq!(PackedLayout::read(&other), Err(says.to_owned()));
    }

    #[test]
    fn records_and_blocks_are_as_long_as_the_format_says() {
        for (board, record, records) in [
            ("1x1", 1, 65_536),
            ("3x4", 6, 10_922),
            ("6x8", 19, 3449),
            ("8x8", 25, 2621),
            ("16x16", 97, 675),
            ("257x1", 98, 668),
            ("2000x2000", 1_500_003, 1),
        ] {
            let layout = layout(board, Ending::Open);
            assert_eq!((layout.record(), layout.records()), (record, records), "{board}");
            assert_eq!(layout.place(2), 40 + 2 * (records * record + 4) as u64);
        }
    }

    #[test]
    fn the_end_says_how_many_tours_there_are() {
        for tours in [0, 1, u64::MAX] {
            let end = footer(tours);
            assert_eq!(tours_at_end(&end), Some(tours));
            assert!((0..FOOTER).all(|at| {
                let mut damaged = end;
                damaged[at] ^= 1;
                tours_at_end(&damaged).is_none() && tours_at_end(&end[..at]).is_none()
            }));
        }
    }
}
