//! The keys of the view of a campaign.

use crate::ui::kit::keys::{Action, Keys, Timeline, line};

/// The key table of the view of a campaign.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Down, Action::Up], "scroll the list", "scroll"),
        line(&[Action::First, Action::Last], "its beginning, its end", "first, last"),
    ],
    times: &[],
    timeline: Timeline::None,
};
