//! What `destrier merge` does: put parts together, or show how they gather.

use super::together::put_together;
use crate::cli::args::MergeArgs;
use crate::cli::terminal::on_screens;
use crate::job::Failure;

/// Puts the parts together, or shows how they gather. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there are none, or when they are to be seen and cannot be.
pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    if args.watch { on_screens!(args => super::watch::watched(args)) } else { put_together(args) }
}
