//! The packed format: tours of one board and one ending, three bits a move, with a checksum for each block. A tour can be
//! found by its number.
//!
//! Numbers are little-endian. All bytes of the header that are not listed are zero.
//!
//! ```text
//! header, 40 bytes
//!    0  "destrier packed 1" and a line feed: format and version
//!   18  the ending, a byte: 0 open, 1 closed
//!   20  rows, columns, bytes of a record, records of a block: four bytes each
//!   36  CRC-32 of these 36 bytes
//! blocks, one after the other
//!    0  records; as many as the header says, in the last block possibly fewer
//!   ..  CRC-32 of the number of the block, from 0 in eight bytes, and of its records
//! footer, 16 bytes
//!    0  "end" and a line feed
//!    4  number of tours, eight bytes
//!   12  CRC-32 of these 12 bytes
//!
//! record
//!    0  the first square, row by row from 0 at the top left: one byte on boards of up to 256 squares, two up to 65536,
//!       then three, then four
//!   ..  a direction for every other square, three bits each: the first in the low bits of the first byte, and so on.
//!       The bits behind the last direction are ignored.
//!
//! direction   0       1       2       3       4       5       6       7
//! down, right 1,-2   -1,-2    2,-1   -2,-1   -2,1     2,1    -1,2     1,2
//! ```
//!
//! A block has as many records as fit in 64 KiB, at least one. So tour number n, from 0, is record n % r of block n / r,
//! where r is the number of records of a block. That block begins at byte 40 + (n / r) * (r * record + 4), so a reader can
//! seek to it. A file without a footer was cut off, or is still being written.

mod layout;
mod record;

pub use layout::{FOOTER_BYTES, HEADER_BYTES, MAGIC, PackedLayout, SUM_BYTES, footer, tours_at_end};
pub use record::{Packer, Unpacker, record};
