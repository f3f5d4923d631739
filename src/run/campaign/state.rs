//! The state of a search whose parts gather in a folder: plain data.

use super::pace::{CampaignRates, PartFigures};
use super::states::PartState;
use crate::run::whole::WholeEstimate;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The state of a campaign at one moment.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Campaign {
    /// Time since the first look.
    pub at: Duration,
    /// The question in words; empty before there is a part.
    pub question: String,
    /// The convention by which tours are counted; empty before there is a part.
    pub convention: String,
    /// The state of every part, in order.
    #[serde(with = "super::states::runs")]
    pub parts: Vec<PartState>,
    /// How many new files have been read, and of how many, while reading is in progress.
    pub reading: Option<(u64, u64)>,
    /// The sum of the complete and the running parts.
    pub figures: PartFigures,
    /// The current speed of all machines together; `None` while it is unknown.
    pub rates: Option<CampaignRates>,
    /// The estimate from the complete parts; `None` before there are two.
    pub estimate: Option<Estimates>,
    /// Seconds left at the present speed, if known.
    pub left_s: Option<f64>,
    /// Estimates of the tours after 2, 3 .. parts, in the order in which the parts came, at most 256 points.
    pub trend: Vec<Trend>,
    /// Incomplete parts with a checkpoint: the running ones, then the stale ones.
    pub running: Vec<Running>,
    /// Files that are not part of the campaign, the first of them.
    pub wrong: Vec<WrongFile>,
    /// How many more wrong files there are.
    pub more_wrong: u64,
    /// Why the folder cannot be read, if it cannot now.
    pub trouble: Option<String>,
    /// Whether the folder does not exist yet: the first part makes it.
    #[serde(default)]
    pub absent: bool,
    /// Whether all parts are complete and no other file is there.
    pub complete: bool,
}

/// The estimates of the whole search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimates {
    /// Tours.
    pub tours: WholeEstimate,
    /// Nodes.
    pub nodes: WholeEstimate,
    /// Seconds of workers with work.
    pub cpu_s: WholeEstimate,
}

/// An earlier estimate.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trend {
    /// Parts in the sample.
    pub parts: u32,
    /// Estimated tours of the whole.
    pub tours: f64,
    /// Standard error of the estimate.
    pub error: f64,
}

/// An incomplete part with a checkpoint.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Running {
    /// Number of the part.
    pub part: u32,
    /// Figures so far.
    pub figures: PartFigures,
    /// Seconds since its last save, as far as known.
    pub age_s: f64,
    /// Whether it has not been saved for so long that it seems abandoned.
    pub stale: bool,
    /// The share of the part that is done, by the mean of the complete parts.
    pub done: Option<f64>,
}

/// A file that is not part of the campaign.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WrongFile {
    /// File name.
    pub name: String,
    /// What is wrong, in words that follow the name.
    pub why: String,
}

impl Campaign {
    /// How many parts are in this state.
    pub fn count(&self, state: PartState) -> usize {
        self.parts.iter().filter(|&&part| part == state).count()
    }

    /// The memory that the state takes, in bytes.
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
