//! What a method that finds tours is asked, and what it answers.

use super::card::{FinderCard, Refusal, RequestOption};
use crate::board::{Board, Ending, Holes, PackedTour, Route, Square, Tour};
use crate::explain::Explained;
use crate::find::genetic::Generation;
use crate::find::{MoveOrder, Tie, seed_of};
use crate::gpu::{DeviceChoice, DeviceLabel, GpuError};
use crate::schedule::{Attempts, Crew, Race, RaceEnd, RaceResult, RunError, RunOutcome, StopReason};
use std::path::PathBuf;
use std::sync::Arc;

/// Which tour is wanted.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The board.
    pub board: Board,
    /// Open or closed.
    pub ending: Ending,
    /// The first square.
    pub start: Option<Square>,
    /// The last square.
    pub end: Option<Square>,
    /// Squares to be left out.
    pub holes: Holes,
    /// Moves that must be part of the tour, in either direction.
    pub must: Vec<[Square; 2]>,
    /// Moves that must not.
    pub must_not: Vec<[Square; 2]>,
    /// What decides between squares of the same rank; the method's own choice without it.
    pub tie: Option<Tie>,
    /// In which order the moves are tried; the method's own choice without it.
    pub order: Option<MoveOrder>,
    /// Moves decided per look-ahead, at least 1.
    pub hops: u32,
    /// Where random numbers begin: the same seed finds the same tours.
    pub seed: u64,
    /// How many different tours, at least 1.
    pub tours: u64,
    /// A file of tours to choose from.
    pub library: Option<PathBuf>,
    /// Which device is to do the work.
    pub adapter: DeviceChoice,
}

impl Request {
    /// One tour of a board with this ending, any will do.
    pub fn new(board: Board, ending: Ending) -> Request {
        Request {
            board,
            ending,
            start: None,
            end: None,
            holes: Holes::none(),
            must: Vec::new(),
            must_not: Vec::new(),
            tie: None,
            order: None,
            hops: 1,
            seed: 0,
            tours: 1,
            library: None,
            adapter: DeviceChoice::Any,
        }
    }

    /// Where the random numbers of an attempt begin: different for attempts of different numbers.
    pub fn seed_of(&self, attempt: u64) -> u64 {
        seed_of(self.seed, attempt)
    }

    /// Whether any tour will do: no square or move is prescribed.
    pub fn is_plain(&self) -> bool {
        self.start.is_none() && self.end.is_none() && self.is_free()
    }

    /// Whether nothing but start and end is prescribed.
    pub fn is_free(&self) -> bool {
        self.holes.is_empty() && self.must.is_empty() && self.must_not.is_empty()
    }

    /// Runs numbered attempts on the workers of a crew until there are tours enough; `none` says why there is none
    /// when every attempt has searched or given up.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn race(
        &self,
        crew: &Crew,
        attempts: &Attempts<'_>,
        none: impl FnOnce(&RaceResult) -> String,
    ) -> Result<FindResult, RunError> {
        let Request { board, ending, tours, .. } = *self;
        let finish = crew.race(&Race { board, ending, holes: self.holes.clone(), tours, attempts })?;
        let answer = match finish.end {
            _ if !finish.tours.is_empty() => {
                FindAnswer::Tours(finish.tours.into_iter().map(|tour| Arc::new(tour) as Arc<dyn Route>).collect())
            }
            RaceEnd::Exhausted => FindAnswer::Impossible(none(&finish)),
            RaceEnd::GivenUp | RaceEnd::Enough => FindAnswer::NotFound(none(&finish)),
            RaceEnd::Stopped => FindAnswer::NotFound(stopped(&finish.outcome)),
        };
        Ok(FindResult { answer, attempts: finish.attempts, device: None, outcome: finish.outcome })
    }
}

/// A tour in little memory: there may be many.
pub fn route(tour: &Tour) -> Arc<dyn Route> {
    Arc::new(PackedTour::from(tour))
}

fn stopped(outcome: &RunOutcome) -> String {
    let why = match outcome.stopped {
        Some(StopReason::Deadline) => "the deadline passed",
        _ => "the run was stopped",
    };
    format!("{why} before a tour was found")
}

/// What a method answers.
#[derive(Clone, Debug)]
pub enum FindAnswer {
    /// Tours, different ones, as many as were wanted; fewer if there are no more, or no more were found.
    Tours(Vec<Arc<dyn Route>>),
    /// There is no such tour, which is proven: the reason, a sentence without its full stop.
    Impossible(String),
    /// None was found, which proves nothing: why the method ended, a sentence without its full stop.
    NotFound(String),
    /// It cannot be answered as it is put: the method does not take it, or what was given to answer from cannot be read.
    Refused(String),
}

/// An answer and what it cost.
#[derive(Debug)]
pub struct FindResult {
    /// The answer.
    pub answer: FindAnswer,
    /// Attempts begun; 0 for a construction.
    pub attempts: u64,
    /// What did the work of a method that leaves it to a device.
    pub device: Option<DoneBy>,
    /// What the workers did.
    pub outcome: RunOutcome,
}

/// A device, or its twin, that did the work of a method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DoneBy {
    /// What did it, to the last.
    pub label: DeviceLabel,
    /// Why that is the twin on the CPU, if a device was wanted.
    pub instead: Option<GpuError>,
}

impl RequestOption {
    /// Whether a request turns it.
    pub fn is_turned(self, request: &Request) -> bool {
        match self {
            RequestOption::Tie => request.tie.is_some(),
            RequestOption::Order => request.order.is_some(),
            RequestOption::Hops => request.hops > 1,
            RequestOption::Library => request.library.is_some(),
            RequestOption::Adapter => request.adapter != DeviceChoice::Any,
        }
    }
}

impl FindResult {
    /// That there is no such tour, for a reason that needs no search.
    ///
    /// # Errors
    /// [`RunError`] when a thread could not be started.
    pub fn impossible(crew: &Crew, reason: String) -> Result<FindResult, RunError> {
        let (answer, outcome) = crew.construct(|| FindAnswer::Impossible(reason))?;
        Ok(FindResult { answer, attempts: 0, device: None, outcome })
    }
}

/// Is told each generation that is complete, with the number of its attempt.
pub type GenerationListener<'a> = dyn Fn(u64, &Generation) + Sync + 'a;

/// A method that finds tours, by name.
pub trait Finder: Sync {
    /// What is to be known of it.
    fn card(&self) -> &'static FinderCard;

    /// Its name on the command line.
    fn name(&self) -> &'static str {
        self.card().name
    }

    /// The method that answers the request in its place, if it leaves it to another one.
    fn leaves_to(&self, _request: &Request) -> Option<&'static dyn Finder> {
        None
    }

    /// Whether it takes the request; cheap.
    ///
    /// # Errors
    /// A [`Refusal`] that says why not, and what would do.
    fn admits(&self, request: &Request) -> Result<(), Refusal>;

    /// Looks for tours with the crew; blocks until it is done or stopped.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    ///
    /// # Panics
    /// When the method does not admit the request.
    fn find(&self, request: &Request, crew: Crew) -> Result<FindResult, RunError>;

    /// Looks for tours as [`Finder::find`] does, and tells every generation as soon as it is complete; nothing where
    /// there are none. The tours do not depend on the number of workers; which generations are told of attempts after
    /// the one that answered does.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    fn find_telling(
        &self,
        request: &Request,
        crew: Crew,
        _told: &GenerationListener<'_>,
    ) -> Result<FindResult, RunError> {
        self.find(request, crew)
    }

    /// The same search as one that says what it does, step by step, for a request that it admits.
    ///
    /// # Errors
    /// A [`Refusal`] that says why it cannot.
    fn explained(&self, _: &Request) -> Result<Box<dyn Explained>, Refusal> {
        let why = "it does not try one move after the other; use dfs, order-by-avail or a search of all tours";
        Err(Refusal(format!("{} has no step view: {why}", self.name())))
    }
}

/// Why there is no such tour, as far as a theorem or the colours tell.
pub fn impossible(request: &Request) -> Option<String> {
    let Request { board, ending, start, end, ref holes, .. } = *request;
    if holes.is_empty() {
        let known = match ending {
            Ending::Closed => Some(board.existence(ending)),
            Ending::Open => board.existence_between(start, end),
        };
        return known.filter(|known| !known.exists).map(|known| known.reason);
    }
    // What cuts the board is a better reason than the colours, and edges finds it.
    None
}
