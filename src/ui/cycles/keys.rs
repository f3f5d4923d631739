//! The keys of the view of the cycles.

use crate::ui::kit::keys::{Action, DIGITS, Keys, Timeline, line};

/// The key table of the view of the cycles.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a cycle on", "cycle").or(&[Action::Right]),
        line(&[Action::Back], "a cycle back", "back").or(&[Action::Left]),
        line(&[Action::Play], "run, stop", "run"),
        line(&[Action::NextPane, Action::PreviousPane], "next channel, one before", "channel"),
        line(&[Action::Move, Action::MoveBack], "a move on, a move back", "move"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::Zoom], "one channel, all four", "zoom"),
        line(&[Action::Last], "on to the end", "end"),
        line(&[Action::First], "back to cycle 0", "beginning"),
        line(DIGITS, "so many times the next key", ""),
    ],
    times: &[
        (Action::Step, "cycles"),
        (Action::Back, "back"),
        (Action::Move, "moves"),
        (Action::MoveBack, "moves back"),
    ],
    timeline: Timeline::None,
};
