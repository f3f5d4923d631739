//! One look at a run, whatever it is a run of: owned data, with no thread, clock or device behind it.

use super::campaign::state::Campaign;
use super::compact;
use super::machine::Machine;
use crate::count;
use crate::event::Event;
use crate::gpu::DeviceLabel;
use crate::gpu::map::Map;
use crate::schedule::Snapshot;
use crate::search::Drawing;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The version of what a frame holds: whoever reads frames that somebody else wrote compares it first.
pub const FORMAT: u32 = 4;

/// One look at a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// What was seen.
    pub body: Body,
    /// The rare things that have happened since the look before.
    #[serde(with = "compact::events", default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
}

impl Frame {
    /// When it was: time since the run began.
    pub fn at(&self) -> Duration {
        match &self.body {
            Body::Tree(tree) => tree.snapshot.elapsed,
            Body::Count(seen) => Duration::try_from_secs_f64(seen.elapsed_s).unwrap_or_default(),
            Body::Map(filled) => filled.took,
            Body::Cycles(machine) => machine.total.wall,
            Body::Campaign(campaign) => campaign.at,
        }
    }

    /// The position of a worker, if it was looked at.
    pub fn position(&self, worker: usize) -> Option<&Drawing> {
        let Body::Tree(tree) = &self.body else { return None };
        tree.positions.iter().find(|(other, _)| *other == worker).map(|(_, drawing)| drawing)
    }
}

/// What is seen of a run, by what is run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The search of a tree, or a race of attempts at a tour.
    Tree(Box<TreeFrame>),
    /// A count by frontier states.
    Count(Box<count::CountSnapshot>),
    /// A batch of knights.
    Map(Box<Filled>),
    /// The device that goes through the cycles of the three-cycle board.
    Cycles(Box<Machine>),
    /// A search in parts, done by whoever does one.
    Campaign(Box<Campaign>),
}

/// A search or a race at one moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TreeFrame {
    /// The meters.
    pub snapshot: Snapshot,
    /// Positions of workers, by their numbers, as far as they were looked at: of the one that was
    /// [selected](super::Wish::Select) some times a second, for of a free run it is but a flicker; of all of them once a
    /// second; of those that were hired since the look before.
    #[serde(with = "compact::positions", default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<(usize, Drawing)>,
}

/// What came of the knights of a batch so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Filled {
    /// Who moves them, and why it is nobody better, which may be empty; nothing while that is being found out.
    pub placed: Option<(DeviceLabel, String)>,
    /// What came of them; nothing before the first one.
    pub map: Option<Map>,
    /// How long it took.
    pub took: Duration,
}
