//! The keys of the view of a count.

use crate::ui::kit::keys::{Action, Keys, TimeView, Timeline, line};

/// The key table of the view of a count.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Zoom], "zoom the pane, and back", "zoom"),
        line(&[Action::NextPane, Action::PreviousPane], "next pane, pane before", "pane"),
        line(&[Action::Larger, Action::Smaller], "charts: less time, more", ""),
        line(&[Action::Detach], "leave a count that goes on", "").only(&[TimeView::Now, TimeView::Past]),
        line(PANES, "zoom the pane so numbered", ""),
    ],
    times: &[],
    timeline: Timeline::Frames,
};

/// The digit keys of the panes.
const PANES: &[Action] = &[Action::Digit(1), Action::Digit(2), Action::Digit(3), Action::Digit(4), Action::Digit(5)];
