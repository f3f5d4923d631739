//! The letter, colour and word of a worker state, used by every pane. The letter carries the meaning; the colour
//! repeats it.

use crate::schedule::WorkerState;
use crate::ui::kit::{LinePart, Role, Theme};

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

/// Finds the worker with a number, or the next worker in a state. `ranked` is the order on the screen; the search
/// starts after `selected`.
///
/// # Errors
/// A sentence for the footer if no worker matches.
pub fn find_worker(
    text: &str,
    ranked: &[usize],
    selected: usize,
    look: impl Fn(usize) -> WorkerLook,
) -> Result<usize, String> {
    if let Ok(number) = text.parse::<usize>() {
        let last = ranked.len().saturating_sub(1);
        return if number <= last { Ok(number) } else { Err(format!("workers are numbered 0 to {last}")) };
    }
    let Some(word) = LOOKS.iter().map(|look| look.word).find(|word| !text.is_empty() && word.starts_with(text)) else {
        let words = LOOKS.map(|look| look.word).join(", ");
        return Err(format!("a number or one of {words} is to be found"));
    };
    let after = ranked.iter().position(|&worker| worker == selected).map_or(0, |place| place + 1);
    let mut round = ranked[after..].iter().chain(&ranked[..after]);
    round.find(|&&worker| look(worker).word == word).copied().ok_or_else(|| format!("no worker is {word} here"))
}
