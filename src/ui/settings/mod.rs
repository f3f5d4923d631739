//! The settings of the screens: what a user keeps. `README.md` is for users.
//!
//! ```text
//!  default < state.toml < config.toml < environment < options of the command line
//! ```
//!
//! `table.rs` lists the settings: name, explanation, how a value is read and written. Reading, refusing, printing and
//! remembering all follow it. The settings of the process are set once, before its first screen ([`use_settings`]).
//!
//! | file | contents |
//! | --- | --- |
//! | `values.rs` | the settings as data, and those of this process |
//! | `table.rs` | every setting by its name |
//! | `file.rs` | reads a file; what is wrong, with its line; writes the whole file |
//! | `load.rs`, `place.rs` | in which order files are read; where they are |
//! | `state.rs` | what keys have changed, remembered until the next session |

mod file;
mod load;
mod place;
mod state;
mod table;
pub(super) mod values;

pub use file::SettingsError;
pub use load::load;
pub use state::{note, remember};
pub use values::{Look, ScreenSettings, current, use_settings};
