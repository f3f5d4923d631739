//! How runs are saved while they work, and resumed: what is the same for all, and the files of a search and a count.
//!
//! FILE is there before the first node on. A run that was killed is resumed from its last save, so a save includes no more
//! than what lies on the disk: tours are brought there before FILE is.
//!
//! Here is what a run does with its file. The file is written, read and checked in `run/checkpoint.rs` for a search
//! and in `count/run` for a count.
//!
//! | file | contents |
//! | --- | --- |
//! | `place.rs` | what is the same for all: the file, its claim, how often it is saved |
//! | `options.rs` | the options of a search that are about its files |
//! | `search.rs`, `stopped_search.rs` | a search: its files, the thread that saves, how it is resumed |
//! | `search_part.rs` | a part of a search; `job/parts.rs` puts parts together |
//! | `count.rs` | a count, and a part of one |

mod count;
mod options;
mod place;
mod search;
mod search_part;
mod stopped_search;

pub use count::{CountFiles, CountPart, modulus_of};
pub use options::{ResumeChanges, SaveOptions, SearchOutput};
pub use place::{claimed_place, place};
pub use search::{FinishedSearch, SearchFiles, SearchStart, refuse_devices};
pub use search_part::SearchPart;
pub use stopped_search::StoppedSearch;
