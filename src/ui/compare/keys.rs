//! The keys of the view of runs that are compared.

use crate::ui::kit::keys::{Action, Keys, Timeline, line};

/// The key table of the comparison.
pub const KEYS: Keys = Keys {
    own: &[line(&[Action::Larger, Action::Smaller], "less or more of the time", "time")],
    times: &[],
    timeline: Timeline::None,
};
