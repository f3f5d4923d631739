//! What help and manual say beside the options: examples, exit codes, files, see also.
//!
//! A page is a file in `text/`, of the name of its command; `page.rs` says how it is written. Help (`-h`, `--help`) and manual
//! (`destrier man`) are made of the same pages, and a test runs every example in them.

mod help;
mod manual;
mod page;

pub use help::described;
pub use manual::{ManArgs, run};
pub use page::{CommandPage, Example, HowTested, pages};
