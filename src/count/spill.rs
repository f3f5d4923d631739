//! Counts in files: layers larger than memory.
//!
//! The two layers of a step lie in two files of a folder that the user names. A context's groups are read in one go,
//! worked on in memory, and written in one go; every count is read once and written once a step, in stretches of the
//! size of a group. The files have no names from the beginning: they vanish with the program, however it ends.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// Two layers in files.
pub(super) struct Spill {
    folder: PathBuf,
    files: [File; 2],
    /// Which of them is read.
    reading: usize,
    /// How many bytes the layers have.
    sizes: [u64; 2],
}

impl Spill {
    /// Two empty files in a folder.
    ///
    /// # Errors
    /// When the folder is not there or cannot be written.
    pub(super) fn new(folder: &Path) -> io::Result<Spill> {
        let files = [tempfile::tempfile_in(folder)?, tempfile::tempfile_in(folder)?];
        Ok(Spill { folder: folder.to_owned(), files, reading: 0, sizes: [0; 2] })
    }

    /// Bytes free on the folder's disk.
    ///
    /// # Errors
    /// When the folder is not there.
    pub(super) fn free(folder: &Path) -> io::Result<u64> {
        let disk = rustix::fs::statvfs(folder)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Bytes of both layers.
    pub(super) fn bytes(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// Reads a stretch of the layer that is read.
    pub(super) fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.files[self.reading].read_exact_at(bytes, offset)
    }

    /// Writes a stretch of the layer that is written.
    pub(super) fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.files[1 - self.reading].write_all_at(bytes, offset)
    }

    /// The layer to be written will have so many bytes; what stood there is forgotten.
    pub(super) fn begin(&mut self, bytes: u64) -> io::Result<()> {
        let writing = 1 - self.reading;
        self.files[writing].set_len(0)?;
        self.files[writing].set_len(bytes)?;
        self.sizes[writing] = bytes;
        Ok(())
    }

    /// The layer that was written is read from now on; the other is forgotten.
    pub(super) fn turn(&mut self) -> io::Result<()> {
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
    fn what_was_written_is_read_after_the_turn() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::new(folder.path()).unwrap();
        spill.begin(8).unwrap();
        spill.write(3, &[7, 8]).unwrap();
        spill.turn().unwrap();
        let mut bytes = [9; 8];
        spill.read(0, &mut bytes).unwrap();
        assert_eq!(bytes, [0, 0, 0, 7, 8, 0, 0, 0]);
        assert_eq!(spill.bytes(), 8);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
    }
}
