//! What does not fit, in memory or on a disk: the one sentence for it.

use crate::words;
use std::fmt;
use std::path::Path;

/// The most memory that a process can get.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryCeiling {
    pub bytes: u64,
    /// What limits the memory, as the subject of a sentence, such as `this machine`.
    pub by: &'static str,
}

/// The memory that may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryLimit {
    pub bytes: u64,
    /// The most that the process can get, if known.
    pub ceiling: Option<MemoryCeiling>,
}

impl From<u64> for MemoryLimit {
    fn from(bytes: u64) -> MemoryLimit {
        MemoryLimit { bytes, ceiling: None }
    }
}

/// Something that takes more memory, or more of a disk, than it may.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortage {
    /// What does not fit, as the subject of a sentence, such as `counting the closed tours of 8x8`.
    pub of: String,
    /// Bytes that it takes, if that is known before it takes them.
    pub bytes: Option<u64>,
    /// Bytes that it may take.
    pub limit: u64,
    /// The folder on the disk that is too small; none for memory.
    pub folder: Option<String>,
    /// What would fit, or what to do.
    pub advice: String,
}

impl Shortage {
    /// What takes `bytes` of memory, of which `limit` may be used. `instead` are the ways to do with less, beside the option that
    /// gives the memory.
    pub fn of_memory(
        of: String,
        bytes: u64,
        limit: MemoryLimit,
        instead: impl IntoIterator<Item = String>,
    ) -> Shortage {
        let mut ways: Vec<String> = instead.into_iter().collect();
        // Rounded up, so that the printed size is enough when it is typed.
        let option = format!("--memory {}M", bytes.div_ceil(1 << 20));
        let too_small = limit.ceiling.filter(|most| most.bytes < bytes);
        ways.extend(match (limit.ceiling, too_small) {
            (_, Some(_)) => None,
            (Some(_), None) => Some(option),
            (None, None) => Some(format!("{option}, if the machine has that much")),
        });
        let fits = (!ways.is_empty()).then(|| format!("What would fit: {}", ways.join("; ")));
        let no_more = too_small
            .map(|most| format!("No --memory helps: {} allows no more than {}", most.by, words::bytes(most.bytes)));
        let advice = fits.into_iter().chain(no_more).collect::<Vec<_>>().join(". ");
        Shortage { of, bytes: Some(bytes), limit: limit.bytes, folder: None, advice }
    }

    /// What takes more than the `limit` bytes of memory that may be used; how much more is not known.
    pub fn beyond(of: String, limit: u64) -> Shortage {
        Shortage { of, bytes: None, limit, folder: None, advice: "Raise --memory".to_owned() }
    }

    /// What takes `bytes` on the disk of a folder, where `free` are free.
    pub fn of_disk(of: String, bytes: u64, free: u64, folder: impl AsRef<Path>) -> Shortage {
        let advice = "Make room, or name a folder on a larger disk".to_owned();
        Shortage { of, bytes: Some(bytes), limit: free, folder: Some(folder.as_ref().display().to_string()), advice }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shortage { of, bytes, limit, folder, advice } = self;
        let (takes, limit) = (bytes.map(words::bytes), words::bytes(*limit));
        match (takes, folder) {
            (Some(takes), Some(folder)) => {
                write!(f, "{folder}: {of} takes up to {takes} of disk, and {limit} are free there")?
            }
            (Some(takes), None) => write!(f, "{of} takes {takes} of memory, and {limit} may be used")?,
            (None, _) => write!(f, "{of} takes more than the {limit} of memory that may be used")?,
        }
        write!(f, ". {advice}")
    }
}

impl std::error::Error for Shortage {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_says_what_does_not_fit_and_what_would() {
        let of = || "counting".to_owned();
        let ceiling = |bytes| Some(MemoryCeiling { bytes, by: "this machine" });
        let limit = |ceiling| MemoryLimit { bytes: 1 << 20, ceiling };
        let memory = |ceiling| Shortage::of_memory(of(), 2 << 20, limit(ceiling), ["5x5".to_owned()]).to_string();
        let begin = "counting takes 2 MiB of memory, and 1 MiB may be used. What would fit: 5x5; ";
        assert_eq!(memory(ceiling(1 << 30)), format!("{begin}--memory 2M"));
        assert_eq!(memory(None), format!("{begin}--memory 2M, if the machine has that much"));
        assert_eq!(
            memory(ceiling(99)),
            "counting takes 2 MiB of memory, and 1 MiB may be used. What would fit: 5x5. No --memory helps: this machine allows \
             no more than 99 B"
        );
        let alone = Shortage::of_memory(of(), 2 << 20, limit(ceiling(99)), []).to_string();
        assert!(alone.ends_with("may be used. No --memory helps: this machine allows no more than 99 B"), "{alone}");
        let more = Shortage::beyond(of(), 99).to_string();
        assert_eq!(more, "counting takes more than the 99 B of memory that may be used. Raise --memory");
        let disk = Shortage::of_disk(of(), 100, 99, "/dir").to_string();
        let says = "/dir: counting takes up to 100 B of disk, and 99 B are free there. Make room, or name a folder on a larger disk";
        assert_eq!(disk, says);
    }
}
