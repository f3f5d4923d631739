//! What `destrier merge` does: put parts together, or show how they gather.

use super::together::put_together;
#[cfg(feature = "tui")]
use super::watch::watched;
use crate::cli::args::MergeArgs;
use crate::job::Failure;
#[cfg(not(feature = "tui"))]
use crate::job::usage;

/// Puts the parts together, or shows how they gather. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there are none, or when they are to be seen and cannot be.
pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    if args.watch { watched(args) } else { put_together(args) }
}

#[cfg(not(feature = "tui"))]
fn watched(_: &MergeArgs) -> Result<u8, Failure> {
    Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
}
