//! What is simulated: how many workers, how they share the tree, and what takes how long.

use super::costs::Costs;
use crate::schedule::TreeCut;
use crate::schedule::rule::NominationRule;

/// How virtual workers share a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// Idle workers come to busy ones and are hired, by this rule.
    Hire(NominationRule),
    /// Idle workers steal the oldest branch of one that they come upon by chance.
    Steal,
    /// Prefixes of the tree are dealt out once, cut so.
    Deal(TreeCut),
}

/// What is simulated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulationPlan {
    /// Number of workers, 1 at least.
    pub workers: usize,
    /// How they share the tree.
    pub sharing: Sharing,
    /// What takes how long.
    pub costs: Costs,
    /// Where what is left to chance begins.
    pub seed: u32,
}
