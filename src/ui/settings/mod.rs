//! The settings of the screens: what a user keeps. `README.md` is for users.
//!
//! ```text
//!  default < state.toml < config.toml < environment < options of the command line
//! ```
//!
//! The settings of the process are set once, before its first screen ([`use_settings`]).
//!
//! | file | contents |
//! | --- | --- |
//! | `values.rs` | the settings as data, and those of this process |
//! | `file.rs` | every setting by its name: reads a file; what is wrong, with its line; writes the whole file |
//! | `user.rs` | the files of this user: where they are, in which order they are read, what keys have changed |

mod file;
mod user;
mod values;

pub use file::SettingsError;
pub use user::{is_named, kept, load, note, remember};
pub use values::{Look, ScreenSettings, current, use_settings};
