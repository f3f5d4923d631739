//! How runs are saved while they work, and resumed: what is the same for all, and the files of a search, a race and a count.
//!
//! FILE is there before the first node on. A run that was killed is resumed from its last save, so a save includes no more
//! than what lies on the disk: tours are brought there before FILE is.

mod count;
mod count_part;
mod place;
mod race;
mod search;
mod search_checkpoint;
mod search_part;
mod stopped_search;

pub use count::CountFiles;
pub use count_part::{CountPart, modulus_of};
pub use place::{ResumeChanges, SaveOptions, claimed_place, place};
pub use race::{RaceCheckpoint, RaceOutput};
pub use search::{BegunSearch, EndedSearch, SearchFiles, refuse_devices};
pub use search_part::{SearchPart, part_command, part_words};
pub use stopped_search::StoppedSearch;
