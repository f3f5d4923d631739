//! Runs: many steps for one key, until something happens. They go in bursts, so that they can be stopped and seen.

use crate::explain::{StepEvent, Tape};

/// Steps of a burst: some thousandths of a second.
const BURST: u64 = 4000;

/// What a run waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any step.
    Step,
    /// A square entered.
    Node,
    /// A move cut.
    Cut,
    /// A dead end.
    DeadEnd,
    /// A tour.
    Tour,
    /// A cut, a dead end or a tour.
    Event,
    /// No more than so many squares on the path.
    Depth(usize),
}

impl Goal {
    /// What it waits for, in words.
    pub fn name(self) -> String {
        match self {
            Goal::Step => "steps".to_owned(),
            Goal::Node => "nodes".to_owned(),
            Goal::Cut => "the next cut".to_owned(),
            Goal::DeadEnd => "the next dead end".to_owned(),
            Goal::Tour => "the next tour".to_owned(),
            Goal::Event => "the next event".to_owned(),
            Goal::Depth(depth) => format!("depth {depth}"),
        }
    }

    fn is_met(self, event: &StepEvent, depth: usize) -> bool {
        match self {
            Goal::Step => true,
            Goal::Node => matches!(event, StepEvent::Entered { .. }),
            Goal::Cut => matches!(event, StepEvent::Cut { .. }),
            Goal::DeadEnd => matches!(event, StepEvent::DeadEnd { .. }),
            Goal::Tour => matches!(event, StepEvent::Tour { .. }),
            Goal::Event => matches!(event, StepEvent::Cut { .. } | StepEvent::DeadEnd { .. } | StepEvent::Tour { .. }),
            Goal::Depth(most) => depth <= most,
        }
    }
}

/// A run under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepRun {
    /// What it waits for.
    pub goal: Goal,
    /// How many times.
    pub times: u64,
}

impl StepRun {
    /// Goes on for a burst; answers whether the run is over: what it waited for has happened, or all is searched.
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
