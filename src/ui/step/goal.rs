//! The goals of a run of steps, and the places to go to.

use crate::explain::{StepEvent, Tape};
use std::str::FromStr;

/// Steps of a burst; they take some milliseconds.
const BURST: u64 = 4000;

/// The goal of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    Step,
    /// An entered square.
    Node,
    /// A move that is cut.
    Cut,
    DeadEnd,
    Tour,
    /// A cut, the end of a branch or a tour.
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
            Goal::Event => matches!(
                event,
                StepEvent::Cut { .. } | StepEvent::DeadEnd { .. } | StepEvent::Image { .. } | StepEvent::Tour { .. }
            ),
            Goal::Depth(most) => depth <= most,
            Goal::End => false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepRun {
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

/// A place to go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepPlace {
    Step(u64),
    Node(u64),
    /// The next event of a kind.
    Next(Goal),
}

impl FromStr for StepPlace {
    type Err = String;

    fn from_str(text: &str) -> Result<StepPlace, String> {
        let lower = text.trim().to_lowercase();
        let number = |text: &str| text.trim().replace(',', "").parse::<u64>().ok();
        let node = lower.strip_prefix("node").or_else(|| lower.strip_prefix('n')).and_then(number);
        let step = number(lower.strip_prefix("step").unwrap_or(&lower));
        match lower.strip_prefix("next ").unwrap_or(&lower).trim_start() {
            "cut" => Ok(StepPlace::Next(Goal::Cut)),
            "dead end" => Ok(StepPlace::Next(Goal::DeadEnd)),
            "tour" => Ok(StepPlace::Next(Goal::Tour)),
            _ => node.map(StepPlace::Node).or(step.map(StepPlace::Step)).ok_or_else(|| {
                format!(
                    "'{text}' is no place: write 1200 for a step, node 500, or cut, dead end, tour for the next one"
                )
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_typed() {
        for (text, place) in [
            ("1200", StepPlace::Step(1200)),
            ("step 1,200", StepPlace::Step(1200)),
            (" Node 500 ", StepPlace::Node(500)),
            ("n7", StepPlace::Node(7)),
            ("dead end", StepPlace::Next(Goal::DeadEnd)),
            ("cut", StepPlace::Next(Goal::Cut)),
            ("tour", StepPlace::Next(Goal::Tour)),
            ("next cut", StepPlace::Next(Goal::Cut)),
            ("Next dead end", StepPlace::Next(Goal::DeadEnd)),
            ("next tour", StepPlace::Next(Goal::Tour)),
        ] {
            assert_eq!(text.parse(), Ok(place), "{text}");
        }
        for text in ["", "-1", "node", "n", "cuts", "next", "next 7", "1 2", "99999999999999999999"] {
            assert!(text.parse::<StepPlace>().is_err_and(|why| why.contains("is no place")), "{text}");
        }
    }
}
