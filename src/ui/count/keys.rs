//! The keys of the view of a count: one table that is handled, shown in the footer and printed by the help.

use crate::ui::keys::{Binding, NONE, bind, ch};
use crate::ui::surface::{Habit, bindings};
use ratatui::crossterm::event::KeyCode;

/// What a key of the view of a count asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// What it means on every screen.
    Habit(Habit),
    /// Give the whole screen to the focused pane, or take it back.
    Zoom,
    /// Give the whole screen to the pane of this key, or take it back.
    ZoomPane(u8),
    /// Move the focus to the next pane.
    NextPane,
    /// Move the focus to the pane before.
    PreviousPane,
}

/// Every key, in the order of the help. What the footer shows comes in the order of its worth. A line without text
/// belongs to the one above.
pub const BINDINGS: &[Binding<Act>] = bindings![Act::Habit;
    bind(&[ch('z'), (KeyCode::Enter, NONE)], "z enter", Act::Zoom, "zoom the pane, and back", Some("z zoom")),
    bind(&[(KeyCode::Tab, NONE)], "tab", Act::NextPane, "next pane; shift-tab before", Some("tab pane")),
    bind(&[(KeyCode::BackTab, NONE)], "", Act::PreviousPane, "", None),
    bind(&[ch('1')], "1..5", Act::ZoomPane(1), "zoom the pane of that number", None),
    bind(&[ch('2')], "", Act::ZoomPane(2), "", None),
    bind(&[ch('3')], "", Act::ZoomPane(3), "", None),
    bind(&[ch('4')], "", Act::ZoomPane(4), "", None),
    bind(&[ch('5')], "", Act::ZoomPane(5), "", None),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::surface::assert_distinct;

    #[test]
    fn no_key_is_bound_twice_and_no_act_twice() {
        assert_distinct(BINDINGS);
    }
}
