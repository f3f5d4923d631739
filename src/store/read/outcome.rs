//! The results of reading: a tour, or an error that says whether more tours may follow.

use crate::board::{Ending, Shape, Square, Tour, TourFault};
use crate::store::check::{check, fault_move, fault_number, is_first_again};
use std::io;

/// Why a tour, or a whole text, could not be read.
#[derive(Debug, thiserror::Error)]
pub enum TourReadError {
    /// A tour that could not be read, or the tours of a damaged block in a packed file. The next item is the tour behind them.
    #[error("{}: {reason}", tour_location(*index, *line))]
    Tour {
        /// Number of the tour in the text, from 1; of a block, that of its first tour.
        index: u64,
        /// Number of these tours: 1 but for a block.
        tours: u64,
        /// The line with the error, from 1; 0 in a packed file, which has no lines.
        line: u64,
        /// The first byte of what is wrong, in its line, from 1, where it is known.
        column: Option<u64>,
        /// Number of the wrong move, from 1, where the text lists moves.
        number: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// Lines that are no part of a tour. The next item is the tour behind them, which has the next number.
    #[error("{}: {reason}", lines_named(*from, *to))]
    Skipped {
        /// The first of the lines, from 1.
        from: u64,
        /// The last one.
        to: u64,
        /// Why they are not read.
        reason: String,
    },
    /// Reading the input failed, or the text does not begin with a tour. No item follows.
    #[error(transparent)]
    Broken(#[from] io::Error),
}

/// A place in a text: line and byte of the line, both from 1. In a packed file both are 0; the column is 0 where it is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextPlace {
    pub line: u64,
    pub column: u64,
    /// Number of bytes of the text before it.
    pub before: u64,
}

impl TextPlace {
    /// The place so many bytes further on its line.
    pub fn plus(self, bytes: usize) -> TextPlace {
        TextPlace { column: self.column + bytes as u64, before: self.before + bytes as u64, ..self }
    }
}

/// The place in a text of a tour, and those of its squares, or of the first 4,096 of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WordPlaces {
    /// Where the tour begins.
    pub begin: TextPlace,
    places: Vec<TextPlace>,
    /// Whether the places are in the order of the squares of the board, not of the moves, as in a grid.
    pub is_by_square: bool,
}

impl WordPlaces {
    const MAX: usize = 1 << 12;

    /// Those of a tour that begins here, with room for a tour of the usual board.
    pub fn new(begin: TextPlace) -> WordPlaces {
        WordPlaces { begin, places: Vec::with_capacity(64), is_by_square: false }
    }

    #[inline]
    pub fn push(&mut self, place: TextPlace) {
        if self.places.len() < WordPlaces::MAX {
            self.places.push(place);
        }
    }

    /// The place that was added at this index.
    pub fn at(&self, index: usize) -> Option<TextPlace> {
        self.places.get(index).copied()
    }

    /// The line on which the tour begins.
    fn line(&self) -> TextPlace {
        TextPlace { column: 0, ..self.begin }
    }

    /// The flaw of the word that was added at this index, or else of the tour.
    pub fn flaw(&self, index: usize, number: usize, reason: impl Into<String>) -> ReadStop {
        flaw(self.at(index).unwrap_or(self.begin), Some(number), reason)
    }

    /// The same places, in the order of the squares of the board.
    pub fn by_square(self) -> WordPlaces {
        WordPlaces { is_by_square: true, ..self }
    }

    /// The places at these indices.
    pub fn only(&self, is_in: impl Fn(usize) -> bool) -> WordPlaces {
        let places = self.places.iter().enumerate().filter(|&(at, _)| is_in(at)).map(|(_, &place)| place);
        WordPlaces { places: places.collect(), ..*self }
    }

    /// The place of a move, by its number from 1, to this square.
    pub fn of_move(&self, number: usize, square: Option<Square>) -> Option<TextPlace> {
        self.at(if self.is_by_square { square?.index() as usize } else { number.checked_sub(1)? })
    }
}

/// A tour as the text gives it. [`ReadTour::verify`] verifies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadTour {
    /// Number of the tour in the text, from 1.
    pub index: u64,
    /// The board with the squares that the tour leaves out. The board is named by the text, given to the reader, or the smallest that
    /// holds the squares.
    pub shape: Shape,
    /// The ending, if the text names it.
    pub ending: Option<Ending>,
    /// The squares in their order. A list longer than its board ends with the first square too many.
    pub squares: Vec<Square>,
    /// Where it and its squares stand in the text.
    pub(super) places: WordPlaces,
    /// The form in which the text has it, in a word or some.
    pub(super) form: &'static str,
    /// Whether no text and no option names the board, and a list goes on as if the next line belonged to it.
    pub(super) may_go_on: bool,
    /// Whether no reason is wanted if it is wrong.
    pub(super) is_counted: bool,
}

impl ReadTour {
    /// A tour of which nothing more is known.
    pub(super) fn new(shape: Shape, squares: Vec<Square>, places: WordPlaces, form: &'static str) -> ReadTour {
        let (index, ending, may_go_on, is_counted) = (0, None, false, false);
        ReadTour { index, shape, ending, squares, places, form, may_go_on, is_counted }
    }

    /// The line on which the tour begins, from 1; 0 in a packed file, which has no lines.
    pub fn line(&self) -> u64 {
        self.places.begin.line
    }

    /// The tour as one of this shape, whose holes it leaves out also where it does not say so.
    ///
    /// # Errors
    /// [`TourReadError::Tour`] for a tour that leaves out other squares.
    pub fn of_shape(self, shape: &Shape) -> Result<ReadTour, TourReadError> {
        if self.shape.has_holes() && self.shape != *shape {
            let reason = format!("the tour leaves out other squares than {}", shape.short());
            return Err(fault(self.index, self.places.line(), None, reason));
        }
        Ok(ReadTour { shape: shape.clone(), ..self })
    }

    /// Takes the first square away from the end of a closed tour that names it again.
    pub(super) fn close(&mut self) -> bool {
        let is_again = is_first_again(&self.shape, &self.squares);
        self.squares.truncate(self.squares.len() - usize::from(is_again));
        is_again
    }

    /// Verifies the tour.
    ///
    /// # Errors
    /// [`TourReadError::Tour`] with the first wrong move. That of a move that is missing is the line of the tour.
    pub fn verify(self, ending: Ending) -> Result<Tour, TourReadError> {
        let ReadTour { index, shape, squares, places, may_go_on, is_counted, .. } = self;
        let length = squares.len();
        let empty = (shape.squares() as usize).saturating_sub(length);
        check(shape, ending, squares).map_err(|wrong| {
            let number = fault_number(&wrong, length);
            let place = places.of_move(number, fault_move(&wrong).map(|(_, square)| square));
            let reason = match wrong {
                _ if is_counted => String::new(),
                TourFault::Length { .. } if places.is_by_square => {
                    format!("{empty} {} empty: no whole tour", if empty == 1 { "square is" } else { "squares are" })
                }
                TourFault::Length { .. } if may_go_on => {
                    format!("{wrong}; if the lines below belong to it, name the board by --board")
                }
                wrong => wrong.to_string(),
            };
            fault(index, place.unwrap_or(places.line()), Some(number), reason)
        })
    }
}

pub fn ending_named(name: &[u8]) -> Option<Ending> {
    [Ending::Open, Ending::Closed].into_iter().find(|ending| ending.name().as_bytes() == name)
}

/// Why no tour was read.
pub struct ReadStop {
    /// The error. It has no number of a tour yet.
    pub error: TourReadError,
    /// What has to be skipped behind it, if that is not known before.
    pub skip: Option<Skip>,
}

/// What has to be skipped before the next tour. It is skipped when the next tour is asked for, so that an error is
/// reported without waiting for more input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Skip {
    Nothing,
    /// A byte order mark at the beginning.
    Mark,
    /// The rest of the line.
    Line,
    /// The rest of the picture.
    Picture,
    /// The rest of the line of a broken text.
    Broken,
    /// Everything: nothing more can be read.
    All,
}

impl ReadStop {
    /// The same error in a text of which this is skipped, if nothing else is.
    pub fn skipping(self, skip: Skip) -> ReadStop {
        ReadStop { skip: self.skip.or(Some(skip)), ..self }
    }
}

/// The error of a tour that is wrong at this place. `number` is that of the wrong move.
fn fault(index: u64, place: TextPlace, number: Option<usize>, reason: impl Into<String>) -> TourReadError {
    let (line, column) = (place.line, Some(place.column).filter(|&column| column > 0));
    TourReadError::Tour { index, tours: 1, line, column, number, reason: reason.into() }
}

/// A tour that is wrong, behind which others may follow. `number` is that of the wrong move.
pub fn flaw(place: TextPlace, number: Option<usize>, reason: impl Into<String>) -> ReadStop {
    fault(0, place, number, reason).into()
}

/// A tour that is wrong, and what it is part of cannot be read further; others may follow on a later line.
pub fn broken(place: TextPlace, reason: impl Into<String>) -> ReadStop {
    flaw(place, None, reason).skipping(Skip::Broken)
}

impl From<TourReadError> for ReadStop {
    fn from(error: TourReadError) -> ReadStop {
        ReadStop { error, skip: None }
    }
}

impl From<io::Error> for ReadStop {
    fn from(error: io::Error) -> ReadStop {
        ReadStop::from(TourReadError::Broken(error)).skipping(Skip::All)
    }
}

/// The location of a tour for a message: its number, and its line unless that is 0.
pub fn tour_location(index: u64, line: u64) -> String {
    if line == 0 { format!("tour {index}") } else { format!("tour {index}, line {line}") }
}

/// Lines for a message.
pub fn lines_named(from: u64, to: u64) -> String {
    if from == to { format!("line {from}") } else { format!("lines {from} to {to}") }
}
