//! A part of a tree, and the rule by which a search gives one away.

use serde::{Deserialize, Serialize};

/// Which untried branch a search gives away.
#[derive(Default, Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HandOver {
    /// The first untried sibling at the lowest open level: the largest part. Needs two untried branches and keeps one.
    #[default]
    Shallowest,
    /// The next move at the current level, Radley's rule. Needs a node entered since the task began.
    Next,
}

impl HandOver {
    /// Both rules, the default first.
    pub const ALL: [HandOver; 2] = [HandOver::Shallowest, HandOver::Next];

    /// The name of the rule on the command line.
    pub fn name(self) -> &'static str {
        match self {
            HandOver::Shallowest => "shallowest",
            HandOver::Next => "next",
        }
    }
}

/// A subtree that no worker has entered yet: the choices that lead to it, and its share of the whole tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// Choices from the root; the last one is still to be entered. Empty: the whole tree.
    pub choices: Box<[u8]>,
    /// Share of the whole tree, 0..=1, if every branching shares equally.
    pub share: f64,
}

impl Task {
    /// The whole tree.
    pub fn root() -> Task {
        Task { choices: Box::default(), share: 1.0 }
    }
}
