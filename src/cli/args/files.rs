//! Which files are read by commands that look at what is there: tours, and parts.

use crate::board::Board;
use clap::{Args, value_parser};
use std::path::PathBuf;

/// `destrier show`.
#[derive(Args)]
pub struct ShowArgs {
    /// The file of tours; without it, or when it is -, stdin
    ///
    /// Lists of moves, grids, JSON, SVG or packed, compressed or not.
    pub file: Option<PathBuf>,
    /// The board of lists that do not name theirs
    #[arg(long)]
    pub board: Option<Board>,
    /// Begin with tour N of the file, from 1
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    pub tour: Option<u64>,
}

/// `destrier merge`.
#[derive(Args)]
pub struct MergeArgs {
    /// The folder of the parts, as --out-dir made it
    pub folder: PathBuf,
    /// Say how far the parts are, and estimate the whole from them, with the standard error
    ///
    /// Checkpoints of parts that are running or stopped count too.
    #[arg(long)]
    pub estimate: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}
