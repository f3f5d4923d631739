//! The card of a method: what callers know before they use the method. The command line and the views decide by
//! the card and never by the name.

/// Which tours of the problem a solver searches: all of them, or only those with a symmetry. Open or closed is the choice of
/// the problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchedTours {
    All,
    /// The tours that a quarter turn maps to themselves.
    QuarterTurn,
}

/// The card of a method that enumerates.
#[derive(Clone, Copy, Debug)]
pub struct SolverCard {
    /// The name on the command line.
    pub name: &'static str,
    /// One line of description.
    pub summary: &'static str,
    /// Whether the figures by depth are exact when a caller requests them: counted at every node.
    pub exact_levels: bool,
    /// Which tours the method searches.
    pub tours: SearchedTours,
    /// Whether tours are spread so evenly over the tree that the share of tours found gives the share of nodes entered.
    pub evenly: bool,
    /// Whether the method has prune tests, with windows of depths.
    pub prunes: bool,
}

impl SolverCard {
    /// A card without any special property.
    pub const fn new(name: &'static str, summary: &'static str) -> SolverCard {
        SolverCard { name, summary, exact_levels: false, tours: SearchedTours::All, evenly: false, prunes: false }
    }
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
}

/// An option of a request that only some methods use.
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
    /// [`Request::given`](super::Request::given).
    Given,
}

impl RequestOption {
    /// All options.
    pub const ALL: [RequestOption; 6] = [
        RequestOption::Tie,
        RequestOption::Order,
        RequestOption::Hops,
        RequestOption::Library,
        RequestOption::Adapter,
        RequestOption::Given,
    ];

    /// The option on the command line, without the dashes, in messages.
    pub fn name(self) -> &'static str {
        match self {
            RequestOption::Tie => "tie",
            RequestOption::Order => "order",
            RequestOption::Hops => "hops",
            RequestOption::Library => "library",
            RequestOption::Adapter => "adapter",
            RequestOption::Given => "partial with gaps",
        }
    }
}

/// Why a method does not take a problem or a request: one sentence, which also says what the method takes or which other
/// method to use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);
