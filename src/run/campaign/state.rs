//! What is seen of a search whose parts gather in a folder: plain data.

use super::pace::{CampaignRates, PartFigures};
use super::states::PartState;
use crate::run::whole::WholeEstimate;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A campaign at one moment.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Campaign {
    /// Time since the looking began.
    pub at: Duration,
    /// What is asked, in words; empty before there is a part.
    pub question: String,
    /// How tours are counted; empty before there is a part.
    pub convention: String,
    /// How every part stands, in their order.
    #[serde(with = "super::states::runs")]
    pub parts: Vec<PartState>,
    /// How many new files have been read, and of how many, while there are more to be read.
    pub reading: Option<(u64, u64)>,
    /// What parts that are done and parts that are running have come to.
    pub figures: PartFigures,
    /// What they come to in a second now, all machines together; nothing before that can be said.
    pub rates: Option<CampaignRates>,
    /// What the parts that are done tell of all; nothing before there are two.
    pub estimate: Option<Estimates>,
    /// Seconds that the rest takes at the present rate, as far as that can be said.
    pub left_s: Option<f64>,
    /// The estimate of the tours after so many parts, in the order in which they came; every so many of them.
    pub trend: Vec<Trend>,
    /// Parts that are not done and have a checkpoint: those that are running, then those that are stale.
    pub running: Vec<Running>,
    /// Files that are no part of it, the first of them.
    pub wrong: Vec<WrongFile>,
    /// How many more there are.
    pub more_wrong: u64,
    /// Why the folder cannot be looked into, if it cannot now.
    pub trouble: Option<String>,
    /// Whether there is no such folder yet: the first part makes it.
    #[serde(default)]
    pub absent: bool,
    /// Whether all parts are there, and nothing else is.
    pub complete: bool,
}

/// What some of the parts tell of all.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimates {
    /// Tours.
    pub tours: WholeEstimate,
    /// Nodes.
    pub nodes: WholeEstimate,
    /// Seconds of workers with work.
    pub cpu_s: WholeEstimate,
}

/// An estimate that was.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trend {
    /// How many parts told it.
    pub parts: u32,
    /// Tours of the whole.
    pub tours: f64,
    /// The standard error of that.
    pub error: f64,
}

/// A part that is not done and has a checkpoint.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Running {
    /// Its number.
    pub part: u32,
    /// What it has come to.
    pub figures: PartFigures,
    /// Seconds since it was last kept, as far as is known.
    pub age_s: f64,
    /// Whether it has not been kept for so long that nobody seems to work at it.
    pub stale: bool,
    /// The share of it that is done, by what parts that are done have come to.
    pub done: Option<f64>,
}

/// A file that is no part of the campaign.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WrongFile {
    /// Its name.
    pub name: String,
    /// What is wrong, in words that follow its name.
    pub why: String,
}

impl Campaign {
    /// How many parts stand so.
    pub fn count(&self, state: PartState) -> usize {
        self.parts.iter().filter(|&&part| part == state).count()
    }

    /// How much memory it takes.
    pub(in crate::run) fn bytes(&self) -> usize {
        let texts: usize =
            self.wrong.iter().map(|wrong| size_of::<WrongFile>() + wrong.name.len() + wrong.why.len()).sum();
        size_of::<Campaign>()
            + size_of_val(&self.parts[..])
            + size_of_val(&self.trend[..])
            + size_of_val(&self.running[..])
            + texts
    }
}
