//! Runs of many steps for one key, until a goal is met. A run advances in bursts, so that the user can watch and stop
//! it.

use crate::explain::{StepEvent, Tape};

/// Steps of a burst; they take some milliseconds.
const BURST: u64 = 4000;

/// The goal of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A step.
    Step,
    /// An entered square.
    Node,
    /// A move that is cut.
    Cut,
    /// A dead end.
    DeadEnd,
    /// A tour.
    Tour,
    /// A cut, a dead end or a tour.
    Event,
    /// A path with at most this number of squares.
    Depth(usize),
    /// The end of the search.
    End,
}

impl Goal {
    /// The goal in words.
    pub fn name(self) -> String {
        match self {
            Goal::Step => "steps".to_owned(),
            Goal::Node => "nodes".to_owned(),
            Goal::Cut => "the next cut".to_owned(),
            Goal::DeadEnd => "the next dead end".to_owned(),
            Goal::Tour => "the next tour".to_owned(),
            Goal::Event => "the next event".to_owned(),
            Goal::Depth(depth) => format!("depth {depth}"),
            Goal::End => "the end".to_owned(),
        }
    }

    fn is_met(self, event: &StepEvent, depth: usize) -> bool {
        match self {
            Goal::Step => true,
            Goal::Node => event.enters(),
            Goal::Cut => matches!(event, StepEvent::Cut { .. }),
            Goal::DeadEnd => matches!(event, StepEvent::DeadEnd { .. }),
            Goal::Tour => matches!(event, StepEvent::Tour { .. }),
            Goal::Event => matches!(event, StepEvent::Cut { .. } | StepEvent::DeadEnd { .. } | StepEvent::Tour { .. }),
            Goal::Depth(most) => depth <= most,
            Goal::End => false,
        }
    }
}

/// A run of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepRun {
    /// The goal.
    pub goal: Goal,
    /// How often the goal must still be met.
    pub times: u64,
}

impl StepRun {
    /// Advances the run by a burst. Returns whether the run has ended: the goal is met or the search is finished.
    pub fn burst(&mut self, tape: &mut Tape) -> bool {
        for _ in 0..BURST {
            let event = tape.forward();
            if event == StepEvent::Finished {
                return true;
            }
            if self.goal.is_met(&event, tape.search().depth()) {
                self.times = self.times.saturating_sub(1);
                if self.times == 0 {
                    return true;
                }
            }
        }
        false
    }
}
