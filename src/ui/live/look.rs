//! The letter, colour and word of a worker state, used by every pane. The letter carries the meaning; the colour
//! repeats it.

use crate::schedule::WorkerState;
use crate::ui::kit::{Role, WorkerLook};

/// Every look, in the order of the legend.
pub const LOOKS: [WorkerLook; 8] = [
    WorkerLook::new("B", Role::Busy, "busy"),
    WorkerLook::new("H", Role::Hired, "hired"),
    WorkerLook::new("i", Role::Idle, "idle"),
    WorkerLook::new("w", Role::Waiting, "waiting"),
    WorkerLook::new("d", Role::Descheduled, "descheduled"),
    WorkerLook::new("P", Role::Held, "paused"),
    WorkerLook::new("S", Role::Held, "slowed"),
    WorkerLook::new(".", Role::Done, "done"),
];

/// The look of a state; `fresh` marks a worker that was just hired.
pub fn look_of(state: WorkerState, fresh: bool) -> WorkerLook {
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
