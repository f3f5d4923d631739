//! Which parts are put together.

use clap::Args;
use std::path::PathBuf;

/// `destrier merge`.
#[derive(Args)]
pub struct MergeArgs {
    /// The folder of the parts, as --out-dir made it
    pub folder: PathBuf,
    /// Print what the parts that are there tell of the whole: the tours, the standard error, the time
    #[arg(long)]
    pub estimate: bool,
    /// See the parts gather on the screen while they are being done, and print what they come to when that is left; a
    /// folder that is not there yet is waited for
    #[arg(long, conflicts_with = "estimate")]
    pub watch: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}
