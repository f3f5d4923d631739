//! Tour files compressed by zstd: every block of tours is a zstd frame of its own.
//!
//! So every worker compresses its own blocks, and a run can resume writing a file whose last blocks were cut off. Any zstd
//! reader decompresses the frames one after the other. It skips the first and the last frame, which hold no data. A file
//! that begins with [`BEGIN_FRAME`] and does not end with [`END_FRAME`] was cut off, even if it ends between two frames.

use crate::lock::LockAlways as _;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

/// The first frame of a file, which readers skip.
pub const BEGIN_FRAME: [u8; 12] = *b"\x5d\x2a\x4d\x18\x04\0\0\0tour";
/// The last frame of a file, which readers skip.
pub const END_FRAME: [u8; 12] = *b"\x5d\x2a\x4d\x18\x04\0\0\0end\n";
/// The compression level. At this level zstd compresses a hundred megabytes a second and more, as fast as tours are found.
const LEVEL: i32 = 1;

/// Maximal number of compressors. Each takes some hundred kilobytes; eight of them are faster than any disk.
const COMPRESSORS: usize = 8;

/// Compresses blocks for any number of threads, at most eight blocks at once.
pub struct FrameCompressor {
    /// The idle compressors. Each is created at its first use; the last one of the list is used first.
    idle: Mutex<Vec<Option<Compressor<'static>>>>,
    /// Signals that a compressor is idle again.
    freed: Condvar,
}

impl Default for FrameCompressor {
    fn default() -> FrameCompressor {
        FrameCompressor { idle: Mutex::new((0..COMPRESSORS).map(|_| None).collect()), freed: Condvar::new() }
    }
}

impl FrameCompressor {
    /// The block as a zstd frame.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn compress(&self, block: &[u8]) -> io::Result<Vec<u8>> {
        let idle = || self.idle.locked();
        let one = self.freed.wait_while(idle(), |idle| idle.is_empty());
        let mut compressor = one.unwrap_or_else(PoisonError::into_inner).pop().flatten();
        let frame = compress_with(&mut compressor, block);
        idle().push(compressor);
        self.freed.notify_one();
        frame
    }
}

/// Compresses a block by a compressor, which is created at its first use.
fn compress_with(compressor: &mut Option<Compressor<'static>>, block: &[u8]) -> io::Result<Vec<u8>> {
    let compressor = match compressor {
        Some(compressor) => compressor,
        None => compressor.insert(new_compressor()?),
    };
    compressor.compress(block)
}

fn new_compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    Ok(compressor)
}
