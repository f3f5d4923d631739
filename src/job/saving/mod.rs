//! How runs are saved while they work, and resumed: what is the same for all, and the files of a search and a count.
//!
//! FILE is there before the first node on. A run that was killed is resumed from its last save, so a save includes no more
//! than what lies on the disk: tours are brought there before FILE is.
//!
//! Every run goes the same way with its file: `place.rs` claims it, [`SavedFile`](crate::saved::SavedFile) reads it, compares it with
//! what is asked, and notes how each save ended, and `place.rs` gives a complete part its name and says how to resume. What the
//! file has is in `run/checkpoint.rs` for a search and in `count/run` for a count. `job/parts.rs` puts parts together.
//!
//! | file | contents |
//! | --- | --- |
//! | `place.rs` | what is the same for all: the file, its claim, how often it is saved, the files of a part, how to resume |
//! | `options.rs` | the options of a search that are about its files |
//! | `search.rs`, `stopped_search.rs` | a search: its files, the thread that saves, how it is resumed |
//! | `count.rs` | a count |

mod count;
mod options;
mod place;
mod search;
mod stopped_search;

pub use count::CountFiles;
pub use options::{ResumeChanges, SaveOptions, SearchOutput, SearchPart};
pub use place::{PartFiles, resumed};
pub use search::SearchFiles;
pub use stopped_search::StoppedSearch;
