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
