//! Checks that the disks have room for the files of a count: its spilled layers, and its checkpoint with the previous
//! one and the one that is being written. Folders on one disk share its free space.

use crate::count::error::CountError;
use crate::count::pass::store::Spill;
use crate::count::shortage::Shortage;
use crate::{saved, words};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What a folder must hold.
#[derive(Clone, Debug)]
pub struct DiskNeed {
    folder: PathBuf,
    pub bytes: u64,
    what: &'static str,
}

impl DiskNeed {
    /// Counts in files of a folder.
    pub fn spill(folder: &Path, bytes: u64) -> DiskNeed {
        DiskNeed { folder: folder.to_owned(), bytes, what: "for counts" }
    }

    /// A checkpoint, in bytes at the end of a row and in bytes after any square, at most. The folder holds two finished
    /// files and the one that is being written, which may hold any square after a stop. Existing checkpoint files are
    /// replaced, which frees their space.
    pub fn checkpoint(file: &Path, at_row_end: u64, anywhere: u64) -> DiskNeed {
        let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
        let bytes = (2 * at_row_end + anywhere).saturating_sub(size(file) + size(&saved::older(file)));
        let what = "for the checkpoint, the one before it, and the next while it is written";
        DiskNeed { folder: saved::folder(file).to_owned(), bytes, what }
    }
}

/// The number of a disk, and what it must hold.
type Disk = (u64, Vec<DiskNeed>);

/// Checks that the folders take files and that their disks have enough free space.
pub fn check_disks(needs: Vec<DiskNeed>) -> Result<(), CountError> {
    let mut disks: Vec<Disk> = Vec::new();
    for need in needs {
        let failed = |error| unusable(&need.folder, error);
        tempfile::tempfile_in(&need.folder).map_err(failed)?;
        let disk = fs::metadata(&need.folder).map_err(failed)?.dev();
        match disks.iter_mut().find(|(other, _)| *other == disk) {
            Some((_, needs)) => needs.push(need),
            None => disks.push((disk, vec![need])),
        }
    }
    disks.iter().try_for_each(|(_, needs)| {
        let folder = &needs[0].folder;
        Ok(check_free(needs, Spill::free_bytes(folder).map_err(|error| unusable(folder, error))?)?)
    })
}

fn unusable(folder: &Path, error: io::Error) -> CountError {
    CountError::unusable(folder, format!("{error}: name an existing folder that can be written"))
}

/// Checks that a disk with `free` bytes free has room for `needs`.
fn check_free(needs: &[DiskNeed], free: u64) -> Result<(), Shortage> {
    let bytes = needs.iter().map(|need| need.bytes).sum();
    if bytes <= free {
        return Ok(());
    }
    let mut folders: Vec<String> = needs.iter().map(|need| need.folder.display().to_string()).collect();
    folders.dedup();
    let part = |need: &DiskNeed| format!("{} {}", words::bytes(need.bytes), need.what);
    let parts = needs.iter().map(part).collect::<Vec<_>>().join(", ");
    Err(Shortage::of_disk(format!("the count ({parts})"), bytes, free, folders.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_on_one_disk_are_added_up() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rows");
        let needs = [DiskNeed::spill(folder.path(), 500), DiskNeed::checkpoint(&file, 100, 300)];
        assert!(check_free(&needs, 1000).is_ok());
        let refused = check_free(&needs, 999).unwrap_err();
        let said = refused.to_string();
        for figure in
            ["1000 B of disk", "999 B are free", "500 B for counts", "500 B for the checkpoint, the one before"]
        {
            assert!(said.contains(figure), "{figure}: {said}");
        }
        // Two existing files will be replaced.
        fs::write(&file, [0; 90]).unwrap();
        fs::write(saved::older(&file), [0; 60]).unwrap();
        assert!(check_free(&[DiskNeed::checkpoint(&file, 100, 300)], 350).is_ok());
        assert!(check_free(&[DiskNeed::checkpoint(&file, 100, 300)], 349).is_err());
    }

    #[test]
    fn needs_beyond_the_free_space_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let needs = |bytes| vec![DiskNeed::spill(folder.path(), bytes), DiskNeed::spill(folder.path(), bytes)];
        assert!(check_disks(needs(1)).is_ok());
        let free = Spill::free_bytes(folder.path()).unwrap();
        assert!(matches!(check_disks(needs(free)), Err(CountError::Shortage(_))), "together they do not fit");
        assert!(matches!(check_disks(vec![DiskNeed::spill(Path::new("/nowhere"), 1)]), Err(CountError::Saved(_))));
    }
}
