//! The keys of the view of runs that are compared.

use crate::ui::kit::keys::{Action, Keys, Timeline, line};

/// What the view knows.
pub const KEYS: Keys = Keys {
    own: &[line(&[Action::Larger, Action::Smaller], "the beginning larger, or more of the time", "time")],
    times: &[],
    course: Timeline::None,
};
