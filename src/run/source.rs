//! The interface of everything that gives frames: viewers look at a run through [`Source`]. A count
//! is one.

use super::frame::{Body, Frame};
use super::question::RunDone;
use crate::board::{Board, Route};
use crate::count::CountWatch;
use crate::event::micros::whole_micros;
use crate::schedule::{RunOutcome, Snapshot, StopReason};
use crate::search::{Drawing, HandOver};
use crate::solve::FindAnswer;
use crate::words::visible;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use serde::{Deserialize, Serialize};
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

/// A request to a run. A source ignores a wish that it cannot grant: a count does not pause, a recording changes no
/// more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// Pause or resume.
    Pause(bool),
    /// Pause, and let every busy worker enter one node.
    Step,
    /// Limit every worker to this many nodes a second, or remove the limit.
    Pace(Option<u32>),
    /// Hand over branches by this rule.
    Rule(HandOver),
    /// Show the position of this worker from now on.
    Select(usize),
    /// Run the three-cycle board to cycle `to` and wait there. Go back to cycle `from` first, if given.
    Reach {
        /// The cycle to go back to first, if any.
        from: Option<u32>,
        /// The cycle to reach.
        to: u32,
    },
    /// Stop the run.
    Stop,
}

/// Settings that a viewer has wished and the run has not confirmed: they are shown, as an older frame does not take them back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wished {
    paused: Option<bool>,
    pace: Option<Option<u32>>,
    hand_over: Option<HandOver>,
}

impl Wished {
    pub(super) fn add(&mut self, wish: Wish) {
        match wish {
            Wish::Pause(paused) => self.paused = Some(paused),
            Wish::Step => self.paused = Some(true),
            Wish::Pace(pace) => self.pace = Some(pace),
            Wish::Rule(rule) => self.hand_over = Some(rule),
            Wish::Select(_) | Wish::Reach { .. } | Wish::Stop => {}
        }
    }

    pub fn show_in(&self, snapshot: &mut Snapshot) {
        snapshot.paused = self.paused.unwrap_or(snapshot.paused);
        snapshot.pace = self.pace.unwrap_or(snapshot.pace);
        snapshot.hand_over = self.hand_over.unwrap_or(snapshot.hand_over);
    }
}

/// A run that can be looked at: gives frames, takes wishes, and ends.
pub trait Source {
    /// The newest frame since the last look, if there is one.
    fn look(&mut self) -> Option<Frame>;

    /// Sends a wish to the run.
    fn wish(&mut self, wish: Wish);

    /// How the run ended, if it ends within this time. The next look gives the last frame.
    fn end(&mut self, within: Duration) -> Option<End>;

    /// How many frames the journal of the run has lost so far, if there is a journal.
    fn unrecorded(&self) -> Option<u64> {
        None
    }

    /// Whether frames are waiting that no look has taken.
    fn is_behind(&self) -> bool {
        false
    }

    /// Whether the frames looked at last are from before this viewer came: newer ones are on their way.
    fn is_catching_up(&self) -> bool {
        false
    }

    /// Settings that the viewer has wished and that no frame confirms yet.
    fn wished(&self) -> Wished {
        Wished::default()
    }

    /// Whether the run continues without this viewer: then [`Wish::Stop`] only detaches the viewer.
    fn outlives_viewer(&self) -> bool {
        false
    }

    /// Whether the viewer may only look: the source ignores every wish that would change the run.
    fn is_read_only(&self) -> bool {
        false
    }

    /// Whether the run is a recording: then every frame can be read at once.
    fn is_recorded(&self) -> bool {
        false
    }

    /// The tours found, after a run that looks for some has ended.
    fn tours(&self) -> Vec<Arc<dyn Route>> {
        Vec::new()
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    /// A search or a race.
    Run(SearchEnd),
    Count(CountResult),
    /// A batch of knights: every knight has reached the end of its path.
    Map,
    /// Unknown: the recording or connection was cut off before the end.
    Cut,
    /// The run failed or was refused; its caller has the reason.
    Failed,
}

/// How a search or a race ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchEnd {
    /// Why the run stopped before the work was done, if it did.
    pub stopped: Option<StopReason>,
    /// Time since the run began.
    pub elapsed: Duration,
    /// All branches that were cut; `None` where that is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pruned: Option<u64>,
    /// Of a run that looks for tours: how many were found, or why none.
    pub answer: Option<Result<usize, String>>,
    /// The first tour found, if it is small enough to draw.
    pub tour: Option<Drawing>,
}

impl SearchEnd {
    pub fn of(done: &RunDone, board: Board) -> SearchEnd {
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
        let RunOutcome { stopped, elapsed, paused, .. } = done.outcome;
        let pruned = Some(done.outcome.total().pruned);
        SearchEnd { stopped, elapsed: whole_micros(elapsed + paused), pruned, answer, tour }
    }
}

/// The result of a count, in words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CountResult {
    /// Decimal digits of the number.
    pub digits: String,
    /// The number by another convention, as digits and name, where that tells more.
    pub also: Option<(String, String)>,
    /// A sentence that says how the number was found.
    pub how: String,
    /// Where the checkpoint stood from which the count was resumed: `row 3 of 8`.
    pub resumed: Option<String>,
}

/// A count on threads of its own.
pub struct CountSource<W> {
    watch: W,
    answer: Receiver<CountResult>,
    end: Option<End>,
}

/// The frame of a count with these meters.
pub fn count_frame(watch: &CountWatch) -> Frame {
    Frame { body: Body::Count(Box::new(watch.snapshot())), events: Vec::new() }
}

impl<W: Deref<Target = CountWatch>> CountSource<W> {
    /// A count with these meters that sends its answer. The count has failed if it drops the channel without an answer.
    pub fn new(watch: W, answer: Receiver<CountResult>) -> CountSource<W> {
        CountSource { watch, answer, end: None }
    }
}

impl<W: Deref<Target = CountWatch>> Source for CountSource<W> {
    fn look(&mut self) -> Option<Frame> {
        Some(count_frame(&self.watch))
    }

    fn wish(&mut self, wish: Wish) {
        if wish == Wish::Stop {
            self.watch.stop();
        }
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        if self.end.is_none() {
            self.end = match self.answer.recv_timeout(within) {
                Ok(answer) => Some(End::Count(answer)),
                Err(RecvTimeoutError::Disconnected) => Some(End::Failed),
                Err(RecvTimeoutError::Timeout) => None,
            };
        }
        self.end.clone()
    }
}
