//! The results of reading: a tour, or an error that says whether more tours may follow.

use crate::board::{Board, Ending, Holes, Square};
use std::io;

/// Why a tour, or a whole text, could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TourReadError {
    /// A tour that could not be read. The next item is the next tour.
    #[error("{}: {reason}", tour_location(*index, *line))]
    Tour {
        /// Number of the tour in the text, from 1.
        index: u64,
        /// The line with the error, from 1; 0 in a packed file, which has no lines.
        line: u64,
        /// Number of the wrong move, from 1, where the text lists moves.
        number: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// The tours of a damaged block in a packed file. The next item is the tour after the block.
    #[error("tour {first}: {reason}")]
    Block {
        /// Number of the first tour of the block in the file, from 1.
        first: u64,
        /// Number of tours in the block.
        tours: u64,
        /// What is wrong.
        reason: String,
    },
    /// The text does not begin with a tour. No item follows.
    #[error(
        "line {line}: no tour begins with '{text}'; a tour is a list such as 3x4 a3 c2 a1 b3 .., a grid of move numbers, \
         JSON or SVG"
    )]
    NoTours {
        /// The line, from 1.
        line: u64,
        /// The beginning of that line.
        text: String,
    },
    /// Reading the input failed. No item follows.
    #[error(transparent)]
    Broken(#[from] io::Error),
}

/// A tour that was read, without its number.
pub struct FoundTour {
    pub line: u64,
    pub board: Board,
    pub ending: Option<Ending>,
    pub holes: Holes,
    pub squares: Vec<Square>,
    /// The form in which the text has it, in a word or some.
    pub form: &'static str,
}

pub fn ending_named(name: &[u8]) -> Option<Ending> {
    [Ending::Open, Ending::Closed].into_iter().find(|ending| ending.name().as_bytes() == name)
}

/// Why a tour could not be read.
pub struct TourFlaw {
    pub line: u64,
    pub number: Option<usize>,
    pub reason: String,
}

/// Why no tour was read.
pub enum ReadStop {
    /// This tour is wrong; others may follow.
    Flaw(TourFlaw),
    /// This tour is wrong, and what it is part of cannot be read further; others may follow on a later line.
    Broken(TourFlaw),
    /// This tour is wrong, and no further tour can be found.
    Last(TourFlaw),
    /// The tours of a block are damaged; others may follow.
    Block {
        /// Number of tours in the block.
        tours: u64,
        /// What is wrong with the block.
        reason: String,
    },
    /// The input cannot be read further.
    End(TourReadError),
}

impl From<io::Error> for ReadStop {
    fn from(broken: io::Error) -> ReadStop {
        ReadStop::End(TourReadError::Broken(broken))
    }
}

/// The location of a tour for a message: its number, and its line unless that is 0.
pub fn tour_location(index: u64, line: u64) -> String {
    match line {
        0 => format!("tour {index}"),
        _ => format!("tour {index}, line {line}"),
    }
}
