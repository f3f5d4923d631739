//! The trait of every method that finds tours, its card, its request, and its answer.

use super::card::Refusal;
use crate::board::{Board, Ending, Holes, PackedTour, Route, Shape, Square, Tour};
use crate::count::Convention;
use crate::explain::Explained;
use crate::find::genetic::Generation;
use crate::find::{MoveOrder, Tie, seed_of};
use crate::gpu::{DeviceChoice, DoneBy};
use crate::schedule::{Attempts, Crew, Race, RaceEnd, RaceResult, RunError, RunOutcome, StopReason};
use crate::words::number_of;
use std::path::PathBuf;
use std::sync::Arc;

/// Which tour a finder looks for, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The board, and the squares that the tour leaves out.
    pub shape: Shape,
    /// Open or closed.
    pub ending: Ending,
    /// The first square.
    pub start: Option<Square>,
    /// The last square.
    pub end: Option<Square>,
    /// Moves that the tour must contain, in either direction.
    pub must: Vec<[Square; 2]>,
    /// Moves that the tour must not contain, in either direction.
    pub must_not: Box<[[Square; 2]]>,
    /// Moves by their number, from 1, and the squares to which they must lead.
    pub given: Box<[(u32, Square)]>,
    /// Whether reasons are to count these moves from 0, as the grid does that gives them.
    pub counts_from_0: bool,
    /// The tie-break between squares of equal rank; `None` leaves it to the method.
    pub tie: Option<Tie>,
    /// The order in which moves are tried; `None` leaves it to the method.
    pub order: Option<MoveOrder>,
    /// Number of moves decided at once, at least 1.
    pub hops: u32,
    /// The seed of the random numbers, which determines the tours.
    pub seed: u64,
    /// Number of different tours, at least 1.
    pub tours: u64,
    /// A file of tours to choose from.
    pub library: Option<PathBuf>,
    /// The device that does the work.
    pub adapter: DeviceChoice,
}

impl Request {
    /// A request for any one tour of a shape with this ending.
    pub fn new(shape: impl Into<Shape>, ending: Ending) -> Request {
        Request {
            shape: shape.into(),
            ending,
            start: None,
            end: None,
            must: Vec::new(),
            must_not: Box::default(),
            given: Box::default(),
            counts_from_0: false,
            tie: None,
            order: None,
            hops: 1,
            seed: 0,
            tours: 1,
            library: None,
            adapter: DeviceChoice::Any,
        }
    }

    pub fn board(&self) -> Board {
        self.shape.board()
    }

    /// The squares that the tour leaves out.
    pub fn holes(&self) -> &Holes {
        self.shape.holes()
    }

    /// The seed of the random numbers of one attempt; attempts with different numbers have different seeds.
    pub fn seed_of(&self, attempt: u64) -> u64 {
        seed_of(self.seed, attempt)
    }

    /// Whether the request prescribes no square and no move.
    pub fn is_plain(&self) -> bool {
        self.start.is_none() && self.end.is_none() && self.restricts_ends_only()
    }

    /// Whether the request prescribes nothing but a start and an end.
    pub fn restricts_ends_only(&self) -> bool {
        !self.shape.has_holes() && !self.prescribes_moves()
    }

    /// Whether the request prescribes or forbids a move.
    pub fn prescribes_moves(&self) -> bool {
        !self.must.is_empty() || !self.must_not.is_empty()
    }

    /// How the tours are counted, as a word of the command line's contract.
    pub fn convention(&self) -> &'static str {
        Convention::of(self.ending, false).name()
    }

    /// The settings beside board and ending, in few words; those that are not the usual ones. A text with the name of the shape
    /// has its holes already.
    pub fn detail(&self, names_holes: bool) -> Vec<String> {
        let name = |square: Square| self.board().name(square);
        let some = |of: usize, one: &str, which: &str| (of > 0).then(|| number_of(of, one) + which);
        let words = [
            self.tie.map(|tie| tie.to_string()),
            self.order.map(|order| format!("order {order}")),
            (self.hops > 1).then(|| format!("{} hops", self.hops)),
            self.start.map(|start| format!("from {}", name(start))),
            self.end.map(|end| format!("to {}", name(end))),
            some(if names_holes { self.holes().len() } else { 0 }, "hole", ""),
            some(self.must.len(), "move", " given"),
            some(self.must_not.len(), "move", " forbidden"),
            some(self.given.len(), "number", " given"),
            (self.tours > 1).then(|| format!("{} tours", self.tours)),
            (self.seed != 0).then(|| format!("seed {}", self.seed)),
        ];
        words.into_iter().flatten().collect()
    }

    /// Runs numbered attempts on the workers of a crew until they have found the requested number of tours. `none` gives the
    /// reason when all attempts end without a tour.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn race(
        &self,
        crew: &Crew,
        attempts: &Attempts<'_>,
        none: impl FnOnce(&RaceResult) -> String,
    ) -> Result<FindResult, RunError> {
        let Request { ending, tours, .. } = *self;
        let (shape, are_grids) = (self.shape.clone(), !self.given.is_empty());
        let finish = crew.race(&Race { shape, ending, tours, are_grids, attempts })?;
        let answer = match finish.end {
            _ if !finish.tours.is_empty() => {
                FindAnswer::Tours(finish.tours.into_iter().map(|tour| Arc::new(tour) as Arc<dyn Route>).collect())
            }
            RaceEnd::Exhausted => FindAnswer::Impossible(none(&finish)),
            RaceEnd::GivenUp | RaceEnd::Enough => FindAnswer::NotFound(none(&finish)),
            RaceEnd::Stopped => FindAnswer::NotFound(why_stopped(&finish.outcome)),
        };
        Ok(FindResult { answer, attempts: finish.attempts, device: None, outcome: finish.outcome })
    }
}

/// A tour as a route in packed form, which takes little memory.
pub fn packed_route(tour: &Tour) -> Arc<dyn Route> {
    Arc::new(PackedTour::from(tour))
}

fn why_stopped(outcome: &RunOutcome) -> String {
    let why = match outcome.stopped {
        Some(StopReason::Deadline) => "the deadline passed",
        _ => "the run was stopped",
    };
    format!("{why} before a tour was found")
}

#[derive(Clone, Debug)]
pub enum FindAnswer {
    /// Different tours, as many as requested; fewer if there are no more, or the method found no more.
    Tours(Vec<Arc<dyn Route>>),
    /// A proof that there is no such tour: the reason, a sentence without its full stop.
    Impossible(String),
    /// No tour was found, which proves nothing: why the method ended, a sentence without its full stop.
    NotFound(String),
    /// The method does not take the request, or cannot read a file that the request names: the reason.
    Refused(String),
}

/// An answer, and the work for it.
#[derive(Debug)]
pub struct FindResult {
    pub answer: FindAnswer,
    /// Number of attempts started; 0 for a construction.
    pub attempts: u64,
    /// The device that did the work, for a method that uses one.
    pub device: Option<DoneBy>,
    /// The figures of the workers.
    pub outcome: RunOutcome,
}

/// An option of a request that only some methods use.
#[derive(Clone, Copy, Debug)]
pub struct RequestOption {
    /// The option on the command line, without the dashes, in messages.
    pub name: &'static str,
    /// Whether a request sets it.
    pub is_set: fn(&Request) -> bool,
}

impl RequestOption {
    pub const TIE: RequestOption = RequestOption { name: "tie", is_set: |request| request.tie.is_some() };
    pub const ORDER: RequestOption = RequestOption { name: "order", is_set: |request| request.order.is_some() };
    pub const HOPS: RequestOption = RequestOption { name: "hops", is_set: |request| request.hops > 1 };
    pub const LIBRARY: RequestOption = RequestOption { name: "library", is_set: |request| request.library.is_some() };
    pub const ADAPTER: RequestOption =
        RequestOption { name: "adapter", is_set: |request| request.adapter != DeviceChoice::Any };
    pub const GIVEN: RequestOption =
        RequestOption { name: "partial with gaps", is_set: |request| !request.given.is_empty() };

    /// All options.
    pub const ALL: [RequestOption; 6] = [Self::TIE, Self::ORDER, Self::HOPS, Self::LIBRARY, Self::ADAPTER, Self::GIVEN];
}

/// The card of a method that finds.
#[derive(Clone, Copy, Debug)]
pub struct FinderCard {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of description.
    pub summary: &'static str,
    /// The options that the method uses. A request that sets another option needs another method.
    pub options: &'static [RequestOption],
    /// Whether the method extends a path and closes it only by luck. A request without an ending then means an open tour.
    pub closes_by_luck: bool,
    /// Whether the method works cycle by cycle and has a view of the cycles.
    pub cycles: bool,
    /// Whether the method breeds generations and reports them.
    pub generations: bool,
    /// Whether the tours are made of rotated paths, which can be printed side by side.
    pub paths: bool,
    /// Whether the method makes numbered attempts, so that a run can be stopped and resumed.
    pub attempts: bool,
}

impl FinderCard {
    /// A card without any special property.
    pub const fn new(name: &'static str, summary: &'static str) -> FinderCard {
        let (closes_by_luck, cycles, generations, paths) = (false, false, false, false);
        FinderCard { name, summary, options: &[], closes_by_luck, cycles, generations, paths, attempts: true }
    }

    /// Whether the method uses an option.
    pub fn takes(&self, option: &RequestOption) -> bool {
        self.options.iter().any(|own| own.name == option.name)
    }
}

impl FindResult {
    /// The result that there is no such tour, for a reason that needs no search.
    ///
    /// # Errors
    /// [`RunError`] when a thread could not be started.
    pub fn impossible(crew: &Crew, reason: String) -> Result<FindResult, RunError> {
        let (answer, outcome) = crew.construct(|| FindAnswer::Impossible(reason))?;
        Ok(FindResult { answer, attempts: 0, device: None, outcome })
    }
}

/// A function that receives each complete generation, with the number of its attempt.
pub type GenerationListener<'a> = dyn Fn(u64, &Generation) + Sync + 'a;

/// A method that finds one tour or a few.
pub trait Finder: Sync {
    fn card(&self) -> &'static FinderCard;

    /// The name on the command line.
    fn name(&self) -> &'static str {
        self.card().name
    }

    /// The finder to which this one leaves the request; `None` if it answers the request itself.
    fn delegate(&self, _request: &Request) -> Option<&'static dyn Finder> {
        None
    }

    /// Checks whether the finder takes the request. Cheap.
    ///
    /// # Errors
    /// A [`Refusal`] when the finder does not take the request.
    fn admits(&self, request: &Request) -> Result<(), Refusal>;

    /// Looks for tours with the crew. Blocks until the answer is known or the crew is stopped. Every generation is passed to
    /// `listener` as soon as it is complete, if the method has generations. The tours do not depend on the number of workers.
    /// That number decides, however, which generations arrive from attempts after the attempt that answers.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    ///
    /// # Panics
    /// When the finder does not admit the request.
    fn find(&self, request: &Request, crew: Crew, listener: &GenerationListener<'_>) -> Result<FindResult, RunError>;

    /// The search for an admitted request for the step view, which explains every step.
    ///
    /// # Errors
    /// A [`Refusal`] when the finder has no step view.
    fn step_view(&self, _: &Request) -> Result<Box<dyn Explained>, Refusal> {
        no_step_view(self.name())
    }
}

/// The refusal of a finder without a step view.
pub(super) fn no_step_view(name: &str) -> Result<Box<dyn Explained>, Refusal> {
    let why = "it does not try one move after another; use dfs, order-by-avail or a solver that has one, such as path";
    Err(Refusal(format!("{name} has no step view: {why}")))
}

/// Why there is no such tour, as far as a theorem or the colours prove it; `None` on a board with holes.
pub fn why_impossible(request: &Request) -> Option<String> {
    let Request { ref shape, ending, start, end, .. } = *request;
    if !shape.has_holes() {
        let board = shape.board();
        let known = match ending {
            Ending::Closed => Some(board.existence(ending)),
            Ending::Open => board.existence_between(start, end),
        };
        return known.filter(|known| !known.exists).map(|known| known.reason);
    }
    // On a board with holes, a cut is a better reason than the colours, and edges finds it.
    None
}
