//! The keys of the map view: one table that is handled, shown in the footer and printed by the help.

use crate::ui::keys::{Binding, NONE, bind, ch};
use crate::ui::surface::{Habit, bindings};
use ratatui::crossterm::event::KeyCode;

/// What a key of the map view asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// What it means on every screen.
    Habit(Habit),
    /// The start to the left.
    Left,
    /// The start below.
    Down,
    /// The start above.
    Up,
    /// The start to the right.
    Right,
    /// The first start.
    First,
    /// The last start.
    Last,
    /// The start from which the most orders complete.
    Best,
    /// The start from which the fewest do.
    Worst,
}

/// Every key, in the order of the help. What the footer shows comes in the order of its worth. A line without text
/// belongs to the one above.
pub const BINDINGS: &[Binding<Act>] = bindings![Act::Habit;
    bind(&[ch('h'), (KeyCode::Left, NONE)], "hjkl arrows", Act::Left, "point at a start", Some("hjkl point")),
    bind(&[ch('j'), (KeyCode::Down, NONE)], "", Act::Down, "", None),
    bind(&[ch('k'), (KeyCode::Up, NONE)], "", Act::Up, "", None),
    bind(&[ch('l'), (KeyCode::Right, NONE)], "", Act::Right, "", None),
    bind(&[ch('x')], "x", Act::Worst, "the worst start", Some("x worst")),
    bind(&[ch('b')], "b", Act::Best, "the best start", Some("b best")),
    bind(&[ch('g'), (KeyCode::Home, NONE)], "g G", Act::First, "the first start, the last", None),
    bind(&[ch('G'), (KeyCode::End, NONE)], "", Act::Last, "", None),
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
