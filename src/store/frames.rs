//! Files compressed by zstd, as this program writes them: each block of tours is a frame of its own.
//!
//! So every worker compresses its own blocks, and a file whose last ones are cut off can be gone on with. Any reader of
//! zstd takes the frames one after the other. It skips the first and the last, which hold no data: a file that begins
//! with [`MARK`] and does not end with [`END`] was cut off, even where one frame ends and the next begins.

use crate::lock::LockAlways as _;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
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

/// Compressors at most: each holds some hundred kilobytes, and so many of them compress more than any disk takes.
const COMPRESSORS: usize = 8;

/// Compresses blocks, for any number of threads; a few at once.
pub struct Frames {
    /// Those that nobody uses, made when they are first used: the last ones are.
    idle: Mutex<Vec<Option<Compressor<'static>>>>,
    /// There is one again.
    freed: Condvar,
}

impl Default for Frames {
    fn default() -> Frames {
        Frames { idle: Mutex::new((0..COMPRESSORS).map(|_| None).collect()), freed: Condvar::new() }
    }
}

impl Frames {
    /// A block as a frame.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn frame(&self, block: &[u8]) -> io::Result<Vec<u8>> {
        let idle = || self.idle.locked();
        let one = self.freed.wait_while(idle(), |idle| idle.is_empty());
        let mut kept = one.unwrap_or_else(PoisonError::into_inner).pop().flatten();
        let frame = compress(&mut kept, block);
        idle().push(kept);
        self.freed.notify_one();
        frame
    }
}

/// Compresses a block by what is kept, made if there is nothing.
fn compress(kept: &mut Option<Compressor<'static>>, block: &[u8]) -> io::Result<Vec<u8>> {
    let compressor = match kept {
        Some(compressor) => compressor,
        None => kept.insert(compressor()?),
    };
    compressor.compress(block)
}

fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    Ok(compressor)
}
