//! The files that one run writes: no two of them may be one file, for the later would destroy the earlier.
//!
//! Each command lists all its files here, each with the option that names it, and checks the list before it begins
//! anything.

use super::fault::{Failure, usage};
use crate::saved::older;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How many links in a row are followed, as by the system.
const LINKS_MAX: usize = 40;

/// The files of one run. Of two that are one file, the later one is refused.
#[derive(Default)]
pub struct WrittenFiles(Vec<WrittenFile>);

struct WrittenFile {
    /// The option, or the command, that names it.
    option: &'static str,
    path: PathBuf,
    /// What the run does with it, in a word.
    does: &'static str,
}

impl WrittenFiles {
    /// Adds the file that an option names, if it names one; `-` is stdout.
    #[must_use]
    pub fn file(self, option: &'static str, path: Option<&Path>) -> WrittenFiles {
        self.add(option, path.filter(|path| *path != Path::new("-")), "writes")
    }

    /// Adds a file whose previous version the run keeps as `FILE~`.
    #[must_use]
    pub fn saved(self, option: &'static str, path: Option<&Path>) -> WrittenFiles {
        let older = path.map(older);
        self.add(option, path, "writes").add(option, older.as_deref(), "writes")
    }

    /// Adds a file that the run reads.
    #[must_use]
    pub fn read(self, option: &'static str, path: &Path) -> WrittenFiles {
        self.add(option, Some(path), "reads")
    }

    fn add(mut self, option: &'static str, path: Option<&Path>, does: &'static str) -> WrittenFiles {
        self.0.extend(path.map(|path| WrittenFile { option, path: path.to_owned(), does }));
        self
    }

    /// Refuses two that are one file.
    ///
    /// # Errors
    /// [`Failure::Usage`] that names both options.
    pub fn check(&self) -> Result<(), Failure> {
        for (i, later) in self.0.iter().enumerate() {
            // What one option names differs by itself, and a killed run may have left FILE and FILE~ as one file.
            let others = self.0[..i].iter().filter(|earlier| earlier.option != later.option);
            if let Some(earlier) = others.into_iter().find(|earlier| is_same(&earlier.path, &later.path)) {
                let WrittenFile { option, path, .. } = later;
                let (path, by, does) = (path.display(), earlier.option, earlier.does);
                return Err(usage(format!("{option} {path}: {by} {does} this file too: name another file")));
            }
        }
        Ok(())
    }
}

/// The whole name of a file that an option names.
///
/// # Errors
/// [`Failure::Usage`] when the working folder was removed, so that the name has no beginning.
pub fn absolute(option: &str, path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| {
        usage(format!("{option} {}: there is no working folder: {error}; change to one that exists", path.display()))
    })
}

/// Whether two names are of one file, or will be once it is made.
fn is_same(one: &Path, other: &Path) -> bool {
    let id = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino())).ok();
    resolved(one) == resolved(other) || id(one).is_some_and(|one| Some(one) == id(other))
}

/// The whole name of a file that need not be there, nor its folder: links are followed as far as there are any.
fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // The name itself may be a link that leads nowhere yet.
    for _ in 0..LINKS_MAX {
        let Ok(to) = fs::read_link(&path) else { break };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    let whole = std::path::absolute(&path).unwrap_or(path);
    let real = whole.ancestors().find_map(|folder| {
        let (real, rest) = (folder.canonicalize().ok()?, whole.strip_prefix(folder).ok()?);
        // Not joined: what is there is not to end in a slash.
        Some(real.iter().chain(rest).collect())
    });
    real.unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn says(files: &WrittenFiles) -> String {
        files.check().err().map_or(String::new(), |failure| failure.to_string())
    }

    #[test]
    fn files_of_different_names_are_one_file_through_links_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("real")).unwrap();
        symlink(at("real"), at("alias")).unwrap();
        fs::write(at("there"), "").unwrap();
        fs::hard_link(at("there"), at("twin")).unwrap();
        symlink("there", at("link")).unwrap();
        symlink("link", at("link-to-link")).unwrap();
        symlink("new", at("link-to-nothing")).unwrap();
        symlink("round", at("round")).unwrap();
        for (one, other, same) in [
            ("x", "x", true),
            ("x", "./x", true),
            ("x", "real/../x", true),
            ("real/x", "alias/x", true),
            ("real/x", "x", false),
            ("none/sub/x", "none/sub/x", true),
            ("none/x", "none/y", false),
            ("alias/none/x", "real/none/x", true),
            ("there", "twin", true),
            ("there", "link-to-link", true),
            ("link", "twin", true),
            ("new", "link-to-nothing", true),
            ("old", "link-to-nothing", false),
            ("round", "x", false),
        ] {
            assert_eq!(is_same(&at(one), &at(other)), same, "{one} {other}");
            assert_eq!(is_same(&at(other), &at(one)), same, "{other} {one}");
        }
    }

    #[test]
    fn the_later_is_refused_and_both_options_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let kept = |name: &str| WrittenFiles::default().saved("--checkpoint", Some(&at(name)));
        assert_eq!(says(&kept("x").file("--out", Some(&at("y"))).file("--record", None)), "");
        let shown = folder.path().display();
        let both = says(&kept("x").file("--out", Some(&at("x~"))));
        assert_eq!(both, format!("--out {shown}/x~: --checkpoint writes this file too: name another file"));
        let read = says(&WrittenFiles::default().read("replay", &at("x")).file("--trace", Some(&at("x"))));
        assert_eq!(read, format!("--trace {shown}/x: replay reads this file too: name another file"));
        // Two that go to stdout are refused elsewhere, with a better reason.
        let stdout = Some(Path::new("-"));
        assert_eq!(says(&WrittenFiles::default().file("--out", stdout).file("--csv", stdout)), "");
        // A run that was killed while it saved may have left both names for one file.
        fs::write(at("x"), "").unwrap();
        fs::hard_link(at("x"), at("x~")).unwrap();
        assert_eq!(says(&kept("x").file("--out", Some(&at("y")))), "");
    }
}
