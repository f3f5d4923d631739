//! The card of a method that enumerates: what callers know before they use the method. The command line and the views decide by
//! the card and never by the name. The card of a method that finds is in `finder.rs`.

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

/// Why a method does not take a problem or a request: one sentence, which also says what the method takes or which other
/// method to use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// Refuses for the reason, if there is one.
pub(super) fn refuse(why: Option<impl Into<String>>) -> Result<(), Refusal> {
    why.map_or(Ok(()), |why| Err(Refusal(why.into())))
}
