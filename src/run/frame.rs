//! One look at a run, whatever it is a run of: owned data, with no thread, clock or device behind it.

use super::Machine;
use crate::count;
use crate::event::Event;
use crate::gpu::Label;
use crate::gpu::map::Map;
use crate::schedule::Snapshot;
use crate::search::Drawing;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of what a frame holds: whoever reads frames that somebody else wrote compares it first.
pub const FORMAT: u32 = 1;

/// One look at a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// What was seen.
    pub body: Body,
    /// The rare things that have happened since the look before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
}

/// What is seen of a run, by what is run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The search of a tree, or a race of attempts at a tour.
    Tree(Box<Tree>),
    /// A count by frontier states.
    Count(Box<count::Snapshot>),
    /// A batch of knights.
    Map(Box<Filled>),
    /// The device that goes through the cycles of the three-cycle board.
    Cycles(Box<Machine>),
}

/// A search or a race at one moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tree {
    /// The meters.
    pub snapshot: Snapshot,
    /// The position of the worker that was [selected](super::Wish::Select), where it is looked at: not in every frame,
    /// for of a free run it is but a flicker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Drawing>,
}

/// What came of the knights of a batch so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Filled {
    /// Who moves them, and why it is nobody better, which may be empty; nothing while that is being found out.
    pub placed: Option<(Label, String)>,
    /// What came of them; nothing before the first one.
    pub map: Option<Map>,
    /// How long it took.
    pub took: Duration,
}
