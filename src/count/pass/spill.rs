//! Counts in files, for layers larger than memory.
//!
//! The two layers of a step lie in two files of a folder that the user names. The groups of a context are read, worked
//! on in memory, and written. So every count is read once and written once a step, in stretches of the size of a group. A step to
//! a halved layer has two parts: the second reads the counts once more, and reads and writes those to which it adds.
//! The files have no names: they vanish when the program ends, in whatever way.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Two layers in files: one to read, one to write.
pub struct Spill {
    folder: PathBuf,
    files: [File; 2],
    /// Which of the files is read.
    reading: usize,
    /// Bytes of each layer.
    sizes: [u64; 2],
}

impl Spill {
    /// Two empty files in a folder; fails if the folder does not exist or cannot be written.
    pub fn new(folder: &Path) -> io::Result<Spill> {
        let files = [tempfile::tempfile_in(folder)?, tempfile::tempfile_in(folder)?];
        Ok(Spill { folder: folder.to_owned(), files, reading: 0, sizes: [0; 2] })
    }

    /// Bytes free on the folder's disk; fails if the folder does not exist.
    pub fn free_bytes(folder: &Path) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(folder)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes of both layers.
    pub fn bytes(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// Reads a stretch of the layer to read.
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.files[self.reading].read_exact_at(bytes, offset)
    }

    /// Writes a stretch of the layer to write.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.files[1 - self.reading].write_all_at(bytes, offset)
    }

    /// Reads a stretch of the layer to write, as far as it has been written.
    pub fn read_written(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.files[1 - self.reading].read_exact_at(bytes, offset)
    }

    /// Begins a layer to write, of `bytes` bytes, and forgets the earlier content of its file.
    pub fn begin_layer(&mut self, bytes: u64) -> io::Result<()> {
        let writing = 1 - self.reading;
        self.files[writing].set_len(0)?;
        self.files[writing].set_len(bytes)?;
        self.sizes[writing] = bytes;
        Ok(())
    }

    /// Makes the layer that was written the layer to read, and forgets the other one.
    pub fn swap(&mut self) -> io::Result<()> {
        self.files[self.reading].set_len(0)?;
        self.sizes[self.reading] = 0;
        self.reading = 1 - self.reading;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_after_the_swap() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path()).unwrap();
        spill.begin_layer(8).unwrap();
        spill.write(3, &[7, 8]).unwrap();
        spill.swap().unwrap();
        let mut bytes = [9; 8];
        spill.read(0, &mut bytes).unwrap();
        assert_eq!(bytes, [0, 0, 0, 7, 8, 0, 0, 0]);
        assert_eq!(spill.bytes(), 8);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
    }
}
