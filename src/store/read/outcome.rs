//! What reading comes to: a tour, or why there is none here, and whether others may follow.

use super::source::ReadFailure;
use crate::board::{Board, Ending, Holes, Square};

/// Why a tour, or a text, could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TourReadError {
    /// A tour that is not what it looked like. The next item is the next tour.
    #[error("{}: {reason}", place(*index, *line))]
    Tour {
        /// Its number among the tours of the text, from 1.
        index: u64,
        /// The line of what is wrong, from 1; 0 in a packed file, which has none.
        line: u64,
        /// The number of the move that is wrong, from 1, where the text lists moves.
        number: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// Tours of a packed file that cannot be believed. The next item is the tour after them.
    #[error("tour {first}: {reason}")]
    Block {
        /// The number of the first of them among the tours of the file, from 1.
        first: u64,
        /// How many they are.
        tours: u64,
        /// What is wrong.
        reason: String,
    },
    /// The text begins with something else than a tour. Nothing follows.
    #[error(
        "line {line}: no tour begins with '{text}'; a tour is a list such as 3x4 a3 c2 a1 b3 .., a grid of move numbers, \
         JSON or SVG"
    )]
    NoTours {
        /// The line.
        line: u64,
        /// How it begins.
        text: String,
    },
    /// The text cannot be read any further. Nothing follows.
    #[error(transparent)]
    Broken(#[from] ReadFailure),
}

/// A tour without its number.
pub struct FoundTour {
    pub line: u64,
    pub board: Board,
    pub ending: Option<Ending>,
    pub holes: Holes,
    pub squares: Vec<Square>,
}

/// The ending of that name.
pub fn ending_named(name: &[u8]) -> Option<Ending> {
    [Ending::Open, Ending::Closed].into_iter().find(|ending| ending.name().as_bytes() == name)
}

/// Why a tour could not be read.
pub struct TourFlaw {
    pub line: u64,
    pub number: Option<usize>,
    pub reason: String,
}

/// Why reading stops.
pub enum ReadStop {
    /// At this tour.
    Flaw(TourFlaw),
    /// At this tour, and none can be found behind it.
    Last(TourFlaw),
    /// At so many tours.
    Block {
        /// How many.
        tours: u64,
        /// What is wrong with them.
        reason: String,
    },
    /// For good.
    End(TourReadError),
}

impl From<ReadFailure> for ReadStop {
    fn from(broken: ReadFailure) -> ReadStop {
        ReadStop::End(TourReadError::Broken(broken))
    }
}

/// Where a tour is: its number, and its line if it has one.
pub fn place(index: u64, line: u64) -> String {
    match line {
        0 => format!("tour {index}"),
        _ => format!("tour {index}, line {line}"),
    }
}
