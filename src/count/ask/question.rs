//! The question of a count, and its number together with a convention.

use super::board_range::BoardRange;
use super::residues::Modulus;
use super::upright_shape::UprightShape;
use crate::board::{Board, CountedTours, Ending, Shape, Square};
use crate::count::error::CountError;
use crate::table::table;
use num_bigint::BigUint;
use std::fmt;
use std::ops::RangeInclusive;

table! {
    /// What a number of tours counts.
    /// `name`: the name in reports and JSON.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Convention(name: &'static str) {
        /// Every tour once for each direction.
        Directed: "directed";
        /// Every set of moves once.
        Undirected: "undirected";
        /// Tours that differ by a symmetry of the board, or by direction, once.
        Classes: "classes";
    }
}

impl Convention {
    /// How tours are counted, where nothing else is said: closed ones undirected, open ones directed.
    pub fn of(ending: Ending, are_classes: bool) -> Convention {
        match ending {
            _ if are_classes => Convention::Classes,
            Ending::Closed => Convention::Undirected,
            Ending::Open => Convention::Directed,
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A number of tours with its convention. Its text is the number in decimal digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    value: BigUint,
    convention: Convention,
}

impl Count {
    /// A number of tours, counted by a convention.
    pub fn new(value: BigUint, convention: Convention) -> Count {
        Count { value, convention }
    }

    pub fn value(&self) -> &BigUint {
        &self.value
    }

    pub fn convention(&self) -> Convention {
        self.convention
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// Which tours are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountQuestion {
    /// The board with its holes; for a range of boards, the longest one.
    pub shape: Shape,
    /// The range, if the question is for every board of it.
    pub range: Option<BoardRange>,
    /// Closed or open tours. The open ones include tours whose ends are a knight's move apart.
    pub ending: Ending,
    /// Counts open tours directed from this square only. The number of closed tours does not depend on a start.
    pub start: Option<Square>,
    /// Counts classes under symmetry and reversal instead of tours.
    pub unique: bool,
    /// Counts only open tours whose ends are not a knight's move apart.
    pub strict: bool,
}

impl CountQuestion {
    /// The question of all tours with an ending.
    pub fn new(shape: impl Into<Shape>, ending: Ending) -> CountQuestion {
        CountQuestion { shape: shape.into(), range: None, ending, start: None, unique: false, strict: false }
    }

    /// The question of all tours with an ending, for every board of a range.
    pub fn of_range(range: BoardRange, ending: Ending) -> CountQuestion {
        CountQuestion { range: Some(range), ..CountQuestion::new(range.board(range.max_length()), ending) }
    }

    /// The board without regard to holes; for a range of boards, the longest one.
    pub fn board(&self) -> Board {
        self.shape.board()
    }

    /// The names of the holes, if there are any.
    pub fn hole_names(&self) -> Option<Vec<String>> {
        self.shape.has_holes().then(|| self.shape.hole_names())
    }

    /// The name of the board with its holes, or of the range of boards.
    pub fn name(&self) -> String {
        self.range.map_or_else(|| self.shape.short(), |range| range.to_string())
    }

    /// The lengths of the boards, in squares: the range, or the long side of the board.
    pub(in crate::count) fn lengths(&self) -> RangeInclusive<u32> {
        let length = || self.upright().shape.board().rows();
        self.range.map_or_else(|| length()..=length(), BoardRange::lengths)
    }

    /// The shape with its short side across; for a range of boards, the longest one.
    pub(in crate::count) fn upright(&self) -> UprightShape {
        UprightShape::new(&self.shape)
    }

    /// The question for the one board of a length.
    pub(in crate::count) fn of_length(&self, length: u32) -> CountQuestion {
        let shape = self.range.map_or_else(|| self.shape.clone(), |range| range.board(length).into());
        CountQuestion { shape, range: None, ..*self }
    }

    /// The shape whose squares are processed, with its short side across: the upright one, or [the board of the
    /// range](BoardRange::swept_board).
    pub(in crate::count) fn swept_shape(&self) -> Shape {
        self.range.map_or_else(|| self.upright().shape, |range| range.swept_board().into())
    }

    /// Number of squares of the board of a length, holes left out.
    pub(in crate::count) fn squares_of(&self, length: u32) -> u64 {
        self.range.map_or(self.shape.squares().into(), |range| range.board(length).squares().into())
    }

    /// The convention of the answer: closed tours undirected, open ones directed, unless the question is for classes.
    pub fn convention(&self) -> Convention {
        Convention::of(self.ending, self.unique)
    }

    /// The tours that the answer counts.
    pub fn counted_tours(&self) -> CountedTours {
        let &CountQuestion { ending, start, unique, strict, .. } = self;
        CountedTours { ending, unique, strict, from_one_square: start.is_some() && ending == Ending::Open }
    }

    /// The modulus of a question that asks for a remainder.
    ///
    /// Fails when `prime` is no prime, or the answer is no plain sum of counts.
    pub(in crate::count) fn modulo(&self, prime: u32) -> Result<Modulus, CountError> {
        CountError::refuse_if(self.unique, "a modulus counts tours, and not classes: drop it, or drop unique")?;
        Modulus::prime(prime).ok_or(CountError::Question("the modulus must be a prime below 2147483648, such as 65521"))
    }

    /// Checks that the parts of the question do not contradict each other.
    ///
    /// # Errors
    /// [`CountError::Question`] when they do.
    pub fn check(&self) -> Result<(), CountError> {
        if let Some(range) = self.range {
            let why = "a start and classes belong to one board, and not to a range: count one board";
            CountError::refuse_if(self.start.is_some() || self.unique, why)?;
            let is_longest = self.shape == range.board(range.max_length()).into();
            CountError::refuse_if(!is_longest, "the board of a range is its longest one")?;
        }
        let why = "strict counts open tours that cannot be closed: ask for open tours, or drop strict";
        CountError::refuse_if(self.strict && self.ending == Ending::Closed, why)?;
        CountError::refuse_if(self.shape.squares() == 0, "every square of the board is a hole")?;
        let is_beside = self.start.is_some_and(|start| !self.shape.has(start));
        CountError::refuse_if(is_beside, "the start is no square of the board: name one of its squares")?;
        let why = "classes hold tours from different squares: drop the start, or drop unique";
        CountError::refuse_if(self.unique && self.start.is_some(), why)
    }
}
