//! The letter, colour and word of a worker state, used by every pane. The letter carries the meaning; the colour
//! repeats it.

use super::kit::LinePart;
use super::kit::{Role, Theme};
use crate::schedule::WorkerState;

/// How a worker state is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WorkerLook {
    /// The letter.
    pub letter: &'static str,
    /// The colour.
    pub role: Role,
    /// The name of the state.
    pub word: &'static str,
}

const fn look(letter: &'static str, role: Role, word: &'static str) -> WorkerLook {
    WorkerLook { letter, role, word }
}

/// Every look, in the order of the legend.
pub const LOOKS: [WorkerLook; 8] = [
    look("B", Role::Busy, "busy"),
    look("H", Role::Hired, "hired"),
    look("i", Role::Idle, "idle"),
    look("w", Role::Waiting, "waiting"),
    look("d", Role::Descheduled, "descheduled"),
    look("P", Role::Held, "paused"),
    look("S", Role::Held, "slowed"),
    look(".", Role::Done, "done"),
];

impl WorkerLook {
    /// The look of a state; `fresh` marks a worker that was just hired.
    pub fn of(state: WorkerState, fresh: bool) -> WorkerLook {
        let letter = match state {
            WorkerState::Busy | WorkerState::Slowed if fresh => "H",
            WorkerState::Busy => "B",
            WorkerState::Idle => "i",
            WorkerState::Waiting => "w",
            WorkerState::Descheduled => "d",
            WorkerState::Paused => "P",
            WorkerState::Slowed => "S",
            WorkerState::Done => ".",
        };
        *LOOKS.iter().find(|look| look.letter == letter).unwrap_or(&LOOKS[0])
    }

    /// The letter and `word`, as a part of a line.
    pub fn part(&self, theme: Theme, worth: u8, word: &str) -> LinePart {
        LinePart::new(worth).with(theme, self.role, self.letter).with(theme, Role::Label, format!(" {word}"))
    }
}
