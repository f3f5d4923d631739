//! Where frames come from: the one shape of a run that is looked at.

use super::frame::Frame;
use super::question::RunDone;
use crate::board::{Board, Route};
use crate::schedule::StopReason;
use crate::search::{Drawing, HandOver};
use crate::solve::FindAnswer;
use crate::words::visible;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// What may be asked of a run. One that cannot grant a wish does nothing: a count does not pause, and what was kept is
/// past.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// Pause, or go on.
    Pause(bool),
    /// Pause, and let every busy worker enter one node.
    Step,
    /// Limit every worker to so many nodes a second, or no longer.
    Pace(Option<u32>),
    /// Hand branches over by this rule.
    Rule(HandOver),
    /// Look at the position of this worker from now on.
    Select(usize),
    /// Get to cycle `to` of the three-cycle board and wait there, from cycle `from` if it has to be gone back to first.
    Reach {
        /// Where to go back to, if anywhere.
        from: Option<u32>,
        /// Where to get to.
        to: u32,
    },
    /// Stop.
    Stop,
}

/// Gives frames, takes wishes, and ends.
pub trait Source {
    /// What is new since the last look, if anything.
    fn look(&mut self) -> Option<Frame>;

    /// Asks something of the run.
    fn wish(&mut self, wish: Wish);

    /// How it ended, if it does within this time. What is seen by a look after that is the last.
    fn end(&mut self, within: Duration) -> Option<End>;

    /// How many frames its journal could not take so far, if one is written of it.
    fn unrecorded(&self) -> Option<u64> {
        None
    }

    /// Whether more is known already than what the looks so far have given.
    fn is_behind(&self) -> bool {
        false
    }

    /// Whether the run goes on when nobody looks any more: then being told to stop is leaving it.
    fn goes_on_alone(&self) -> bool {
        false
    }

    /// Whether all of it is past: then every frame can be had at once.
    fn is_recorded(&self) -> bool {
        false
    }

    /// The tours that were found, where the run looked for some and has ended.
    fn tours(&self) -> Vec<Arc<dyn Route>> {
        Vec::new()
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    /// A search or a race.
    Run(SearchEnded),
    /// A count, with its number.
    Count(Answered),
    /// A batch of knights: every one has come to its end.
    Map,
    /// A search in parts: all of them are there.
    Campaign,
    /// Nobody knows: what was recorded was cut off before.
    Cut,
    /// It failed or was refused; whoever started it can say why.
    Failed,
}

/// How a search or a race ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchEnded {
    /// Why it ended before the work was done, if so.
    pub stopped: Option<StopReason>,
    /// After which time.
    pub elapsed: Duration,
    /// Where a tour was looked for: how many were found, or why none.
    pub answer: Option<Result<usize, String>>,
    /// The first tour found, as far as it can be drawn.
    pub tour: Option<Drawing>,
}

impl SearchEnded {
    /// What is to be said of the end of a run on a board.
    pub fn of(done: &RunDone, board: Board) -> SearchEnded {
        let mut tour = None;
        let answer = done.answer.as_ref().map(|answer| match answer {
            FindAnswer::Tours(tours) => {
                if let Some(first) = tours.first().filter(|_| board.squares() as usize <= Drawing::SQUARES_MAX) {
                    let squares: Vec<u32> = first.walk().map(u32::from).collect();
                    tour.get_or_insert_with(Drawing::default).path(squares.into_iter(), None);
                }
                Ok(tours.len())
            }
            FindAnswer::Impossible(reason) => Err(visible(&format!("impossible: {reason}"))),
            FindAnswer::NotFound(reason) => Err(visible(&format!("none found: {reason}"))),
            FindAnswer::Refused(reason) => Err(visible(&format!("bad input: {reason}"))),
        });
        SearchEnded { stopped: done.outcome.stopped, elapsed: done.outcome.elapsed, answer, tour }
    }
}

/// The number that a count was asked for, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answered {
    /// Its decimal digits.
    pub digits: String,
    /// The same tours by another convention, digits and name, where that says more.
    pub also: Option<(String, String)>,
    /// How it was found: a sentence.
    pub how: String,
    /// How far a checkpoint had come that the count began with: `row 3 of 8`.
    pub resumed: Option<String>,
}
