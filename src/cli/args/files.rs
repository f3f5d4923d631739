//! Which files are read by commands that look at what is there: tours, and parts.

use crate::board::Board;
use clap::{Args, value_parser};
use std::path::PathBuf;

/// `destrier show`.
#[derive(Args)]
pub struct ShowArgs {
    /// The file of tours: lists of moves, grids, four paths, JSON, SVG or packed, compressed or not; without it, or when
    /// it is -, stdin
    pub file: Option<PathBuf>,
    /// The board of lists that do not name theirs
    #[arg(long)]
    pub board: Option<Board>,
    /// Begin with tour N of the file, from 1; of a packed file nothing before it is read
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub tour: Option<u64>,
}

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
