//! What is to be known of a method before it is asked anything: its card, from which command line, picker and views take
//! what it can do, so that nothing recognises a method by its name.

/// Which tours a solver searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchedTours {
    /// All of them.
    All,
    /// Those that a quarter turn takes to themselves.
    QuarterTurn,
}

/// The card of a method that enumerates.
#[derive(Clone, Copy, Debug)]
pub struct SolverCard {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// Whether its figures by depth are counted at every node whenever they are asked for.
    pub exact_levels: bool,
    /// Which tours it searches.
    pub tours: SearchedTours,
    /// Whether it finds tours so evenly that their share tells the share of the nodes.
    pub evenly: bool,
    /// Whether one worker does all the work, on the [`adapter`](super::Problem::adapter), however many there are.
    pub alone: bool,
    /// Whether it has prune tests, with windows of depths.
    pub prunes: bool,
}

impl SolverCard {
    /// A method of which nothing is special.
    pub const fn new(name: &'static str, summary: &'static str) -> SolverCard {
        SolverCard {
            name,
            summary,
            exact_levels: false,
            tours: SearchedTours::All,
            evenly: false,
            alone: false,
            prunes: false,
        }
    }
}

/// The card of a method that finds.
#[derive(Clone, Copy, Debug)]
pub struct FinderCard {
    /// Its name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub summary: &'static str,
    /// The knobs that it heeds; a request that turns another one is not for it.
    pub heeds: &'static [RequestOption],
    /// Whether it lets a path grow and closes it only by luck, so that an open tour is meant where neither is asked for.
    pub closes_by_luck: bool,
    /// Whether it goes cycle by cycle, and has a view of these.
    pub cycles: bool,
    /// Whether it breeds generations, which can be told.
    pub generations: bool,
    /// Whether its tours are made of rotated paths, which can be printed side by side.
    pub paths: bool,
    /// Whether it makes attempts, each known by its number, so that it can be stopped and gone on with.
    pub attempts: bool,
}

impl FinderCard {
    /// A method of which nothing is special.
    pub const fn new(name: &'static str, summary: &'static str) -> FinderCard {
        let (closes_by_luck, cycles, generations, paths) = (false, false, false, false);
        FinderCard { name, summary, heeds: &[], closes_by_luck, cycles, generations, paths, attempts: true }
    }
}

/// What a request may say of the way to work, and not of the tour: only some methods heed it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RequestOption {
    /// [`Request::tie`](super::Request::tie).
    Tie,
    /// [`Request::order`](super::Request::order).
    Order,
    /// [`Request::hops`](super::Request::hops).
    Hops,
    /// [`Request::library`](super::Request::library).
    Library,
    /// [`Request::adapter`](super::Request::adapter).
    Adapter,
}

impl RequestOption {
    /// Every knob.
    pub const ALL: [RequestOption; 5] =
        [RequestOption::Tie, RequestOption::Order, RequestOption::Hops, RequestOption::Library, RequestOption::Adapter];

    /// Its name on the command line, less the dashes.
    pub fn name(self) -> &'static str {
        match self {
            RequestOption::Tie => "tie",
            RequestOption::Order => "order",
            RequestOption::Hops => "hops",
            RequestOption::Library => "library",
            RequestOption::Adapter => "adapter",
        }
    }
}

/// Why a method does not take a problem or a request: a sentence that says what it does take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);
