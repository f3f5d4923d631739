//! Which tours are to be looked at.

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
