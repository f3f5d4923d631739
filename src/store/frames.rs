//! Files compressed by zstd, as this program writes them: each block of tours is a frame of its own.
//!
//! So every worker compresses its own blocks, and a file whose last ones are cut off can be gone on with. Any reader of
//! zstd takes the frames one after the other. It skips the first and the last, which hold no data: a file that begins
//! with [`MARK`] and does not end with [`END`] was cut off, even where one frame ends and the next begins.

use std::io;
use std::sync::{Mutex, PoisonError};
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

/// The first frame, one to be skipped.
pub const MARK: [u8; 12] = *b"\x5d\x2a\x4d\x18\x04\0\0\0tour";
/// The last frame, one to be skipped.
pub const END: [u8; 12] = *b"\x5d\x2a\x4d\x18\x04\0\0\0end\n";
/// What any other file compressed by zstd begins with.
pub const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// How hard zstd tries. Tours are found at a hundred megabytes a second and more, which is what it does at this level.
const LEVEL: i32 = 1;

/// Compresses blocks, for any number of threads at once.
#[derive(Default)]
pub struct Frames {
    /// Those that nobody uses.
    idle: Mutex<Vec<Compressor<'static>>>,
}

impl Frames {
    /// A block as a frame.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn frame(&self, block: &[u8]) -> io::Result<Vec<u8>> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop();
        let mut compressor = kept.map_or_else(compressor, Ok)?;
        let frame = compressor.compress(block)?;
        idle().push(compressor);
        Ok(frame)
    }
}

fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    Ok(compressor)
}
