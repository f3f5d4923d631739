//! The layout of a packed file: its header, its blocks and its footer.

use crate::board::{Board, Ending, Square};
use crate::bounded::FileKind;
use crate::saved;

pub const MAGIC: &[u8] = FileKind::Packed.first_line().as_bytes();
pub const HEADER_BYTES: usize = 40;
/// The first bytes of the footer.
const FOOTER_MARK: &[u8] = b"end\n";
pub const FOOTER_BYTES: usize = 16;
/// Number of bytes of a checksum.
pub const SUM_BYTES: usize = 4;
/// Maximal number of bytes of the records in a block; a longer record is a block of its own.
const BLOCK_RECORD_BYTES: usize = 1 << 16;

/// The contents of a packed file, from which the sizes and offsets of its parts follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedLayout {
    pub board: Board,
    pub ending: Ending,
}

impl PackedLayout {
    /// The layout for tours of this board and ending, without holes.
    pub fn new(board: Board, ending: Ending) -> PackedLayout {
        PackedLayout { board, ending }
    }

    /// Number of bytes of the first square in a record.
    pub(super) fn start_bytes(self) -> usize {
        let last = self.board.squares() - 1;
        (4 - last.leading_zeros() as usize / 8).max(1)
    }

    pub fn record_bytes(self) -> usize {
        self.start_bytes() + (3 * (self.board.squares() as usize - 1)).div_ceil(8)
    }

    pub fn block_records(self) -> usize {
        (BLOCK_RECORD_BYTES / self.record_bytes()).max(1)
    }

    /// Number of bytes of a whole block with its checksum.
    pub fn block_bytes(self) -> usize {
        self.block_records() * self.record_bytes() + SUM_BYTES
    }

    /// The offset in the file of a block, by its number from 0.
    pub fn block_offset(self, block: u64) -> u64 {
        HEADER_BYTES as u64 + block * self.block_bytes() as u64
    }

    /// Number of bytes of so many records, with the header and the checksums of whole blocks.
    pub fn bytes_of(self, records: u64) -> u64 {
        let most = self.block_records() as u64;
        let whole = (records / most).saturating_mul(self.block_bytes() as u64);
        let begun = records % most * self.record_bytes() as u64;
        if records == 0 { 0 } else { whole.saturating_add(HEADER_BYTES as u64 + begun) }
    }

    pub fn header(self) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        header[..MAGIC.len()].copy_from_slice(MAGIC);
        header[18] = u8::from(self.ending == Ending::Closed);
        let numbers = [self.board.rows(), self.board.cols(), self.record_bytes() as u32, self.block_records() as u32];
        let (covered, sum) = header.split_at_mut(HEADER_BYTES - SUM_BYTES);
        for (bytes, number) in covered[20..].chunks_exact_mut(4).zip(numbers) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        sum.copy_from_slice(&saved::checksum([&*covered]).to_le_bytes());
        header
    }

    /// Reads a header.
    ///
    /// # Errors
    /// A message that says what is wrong with the header.
    pub fn read(header: &[u8]) -> Result<PackedLayout, String> {
        // The header of another version may be shorter.
        FileKind::Packed.check(header).map_err(|why| format!("this {why}"))?;
        let bytes = header.get(..HEADER_BYTES - SUM_BYTES).filter(|_| header.len() >= HEADER_BYTES);
        let bytes = bytes.ok_or("the packed file ends in its header: it was cut off")?;
        let number = |at: usize| u64::from(u32::from_le_bytes([0, 1, 2, 3].map(|byte| header[at + byte])));
        let ending = [Ending::Open, Ending::Closed].get(usize::from(bytes[18])).copied();
        let layout =
            Board::new(number(20), number(24)).ok().zip(ending).map(|(b, ending)| PackedLayout::new(b, ending));
        layout
            .filter(|layout| layout.header() == header[..HEADER_BYTES])
            .ok_or("the header of the packed file is damaged".to_owned())
    }

    /// The checksum of a block with this number, from 0, and with these records.
    pub fn block_sum(block: u64, records: &[u8]) -> u32 {
        saved::checksum([&block.to_le_bytes(), records])
    }

    /// The records of a block with this number, if its checksum, which follows the records, is right.
    pub fn verified_records(number: u64, block: &[u8]) -> Option<&[u8]> {
        let (records, sum) = block.split_last_chunk::<SUM_BYTES>()?;
        (u32::from_le_bytes(*sum) == PackedLayout::block_sum(number, records)).then_some(records)
    }
}

/// The footer of a file with this number of tours.
pub fn footer(tours: u64) -> [u8; FOOTER_BYTES] {
    let mut footer = [0; FOOTER_BYTES];
    footer[..FOOTER_MARK.len()].copy_from_slice(FOOTER_MARK);
    footer[FOOTER_MARK.len()..FOOTER_BYTES - SUM_BYTES].copy_from_slice(&tours.to_le_bytes());
    let sum = saved::checksum([&footer[..FOOTER_BYTES - SUM_BYTES]]);
    footer[FOOTER_BYTES - SUM_BYTES..].copy_from_slice(&sum.to_le_bytes());
    footer
}

/// The number of tours in a footer, if these bytes are a sound footer.
pub fn tours_at_end(bytes: &[u8]) -> Option<u64> {
    let tours = u64::from_le_bytes(bytes.get(FOOTER_MARK.len()..FOOTER_BYTES - SUM_BYTES)?.try_into().ok()?);
    (bytes == footer(tours)).then_some(tours)
}

/// The first square of a record, as bytes.
pub(super) fn start_square_bytes(layout: PackedLayout, square: Square) -> impl Iterator<Item = u8> {
    square.index().to_le_bytes().into_iter().take(layout.start_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(board: &str, ending: Ending) -> PackedLayout {
        PackedLayout::new(board.parse().unwrap(), ending)
    }

    #[test]
    fn only_an_undamaged_header_is_read() {
        for board in ["1x1", "3x4", "8x8", "16x16", "257x1", "2000x2000", "1x4294967294"] {
            for ending in [Ending::Open, Ending::Closed] {
                let layout = layout(board, ending);
                let header = layout.header();
                assert_eq!(PackedLayout::read(&header), Ok(layout));
                for (at, bit) in (0..HEADER_BYTES).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                    let mut damaged = header;
                    damaged[at] ^= 1 << bit;
                    assert!(PackedLayout::read(&damaged).is_err(), "{at} {bit}");
                }
                assert!((0..HEADER_BYTES).all(|length| PackedLayout::read(&header[..length]).is_err()));
            }
        }
        let other = [b"destrier packed 2\n".as_slice(), &[0; HEADER_BYTES]].concat();
        let says = "this is a file of packed tours of version 2, and this program reads version 1: ";
        assert!(PackedLayout::read(&other).unwrap_err().starts_with(says));
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
            assert_eq!((layout.record_bytes(), layout.block_records()), (record, records), "{board}");
            assert_eq!(layout.block_offset(2), 40 + 2 * (records * record + 4) as u64);
        }
    }

    #[test]
    fn the_footer_gives_the_number_of_tours() {
        for tours in [0, 1, u64::MAX] {
            let end = footer(tours);
            assert_eq!(tours_at_end(&end), Some(tours));
            assert!((0..FOOTER_BYTES).all(|at| {
                let mut damaged = end;
                damaged[at] ^= 1;
                tours_at_end(&damaged).is_none() && tours_at_end(&end[..at]).is_none()
            }));
        }
    }
}
