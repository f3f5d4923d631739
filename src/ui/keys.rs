//! The keys of the live view.

use super::kit::keys::{Action, Keys, TimeView, Timeline, line};

/// The key table of the live view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Quit], "quit, with the summary", "quit"),
        line(&[Action::Help], "this help", "help"),
        line(&[Action::Play], "pause, go on; play the past", "pause"),
        line(&[Action::Step], "a node each; past: a frame", "step"),
        line(&[Action::Slower, Action::Faster], "slow motion: slower, faster", "slow motion"),
        line(&[Action::PreviousEvent, Action::NextEvent], "back to an event, on to one", "back in time"),
        line(&[Action::Left, Action::Down, Action::Up, Action::Right], "select a worker", "select"),
        line(&[Action::First, Action::Last], "the first worker, the last", ""),
        line(&[Action::Find], "find by number, by state", "find"),
        line(&[Action::Order], "order: nodes, depth, ..", "order"),
        line(&[Action::NextPane, Action::PreviousPane], "next pane, pane before", "pane"),
        line(&[Action::Zoom], "zoom the pane, and back", "zoom"),
        line(PANES, "zoom the pane so numbered", ""),
        line(&[Action::Tour], "view what is on the board", "view tour"),
        line(&[Action::Explain], "explain the search in steps", "explain"),
        line(&[Action::Choose], "choose something else", "choose").only(&[TimeView::Now]),
        line(&[Action::Detach], "leave, and the run goes on", "detach").only(&[TimeView::Now, TimeView::Past]),
        line(&[Action::NextScheduler], "start again: next scheduler", "scheduler").only(&[TimeView::Now]),
        line(&[Action::ToggleRule], "the other hand-over rule", "rule").only(&[TimeView::Now]),
        line(&[Action::Compare], "side by side with the other", "compare").only(&[TimeView::Now, TimeView::Past]),
        line(&[Action::RefreshFaster, Action::RefreshSlower], "more frames a second, fewer", ""),
        line(&[Action::Larger, Action::Smaller], "charts: less time, more", ""),
    ],
    times: &[],
    timeline: Timeline::Events,
};

/// The digit keys of the panes.
const PANES: &[Action] =
    &[Action::Digit(1), Action::Digit(2), Action::Digit(3), Action::Digit(4), Action::Digit(5), Action::Digit(6)];
