//! The keys of the map view.

use crate::ui::kit::keys::{Action, Keys, Timeline, line};

/// The key table of the map view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Left, Action::Down, Action::Up, Action::Right], "point at a start", "point"),
        line(&[Action::Worst], "the worst start", "worst"),
        line(&[Action::Best], "the best start", "best"),
        line(&[Action::First, Action::Last], "the first start, the last", ""),
    ],
    times: &[],
    timeline: Timeline::Frames,
};
