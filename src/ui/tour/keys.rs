//! The keys of the tour view: one table that is handled, shown in the footer and printed by the help.

use crate::ui::keys::{Binding, NONE, bind, ch};
use crate::ui::surface::{Habit, bindings};
use ratatui::crossterm::event::{KeyCode, KeyModifiers};

/// What a key of the tour view asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// What it means on every screen.
    Habit(Habit),
    /// One move on.
    Next,
    /// One move back.
    Previous,
    /// Ten moves on.
    NextTen,
    /// Ten moves back.
    PreviousTen,
    /// To the start.
    First,
    /// To the last square.
    Last,
    /// Ask for the number of a move.
    ToMove,
    /// Ask for a square.
    ToSquare,
    /// Move by itself, or stop.
    Play,
    /// Fewer moves a second.
    Slower,
    /// More moves a second.
    Faster,
    /// Numbers or lines.
    Look,
    /// Larger squares.
    Larger,
    /// Smaller squares.
    Smaller,
    /// Show what lies above.
    ScrollUp,
    /// Show what lies below.
    ScrollDown,
    /// Show what lies to the left.
    ScrollLeft,
    /// Show what lies to the right.
    ScrollRight,
    /// Back to the knight.
    Follow,
    /// The next tour.
    NextTour,
    /// The tour before.
    PreviousTour,
    /// Write the tour to a file as a picture.
    Picture,
}

const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

/// Keys that ask for a move: the digits are its first.
const TO_MOVE: &[(KeyCode, KeyModifiers)] =
    &[ch(':'), ch('0'), ch('1'), ch('2'), ch('3'), ch('4'), ch('5'), ch('6'), ch('7'), ch('8'), ch('9')];

/// Every key, in the order of the help. What the footer shows comes in the order of its worth. A line without text
/// belongs to the one above.
pub const BINDINGS: &[Binding<Act>] = bindings![Act::Habit;
    bind(&[ch('h'), (KeyCode::Left, NONE)], "h l arrows", Act::Previous, "a move back, a move on", Some("hl step")),
    bind(&[ch('l'), (KeyCode::Right, NONE)], "", Act::Next, "", None),
    bind(
        &[ch('H'), ch('k'), (KeyCode::Up, NONE), (KeyCode::PageUp, NONE)],
        "H L up down",
        Act::PreviousTen,
        "ten back, ten on",
        Some("HL ten"),
    ),
    bind(&[ch('L'), ch('j'), (KeyCode::Down, NONE), (KeyCode::PageDown, NONE)], "", Act::NextTen, "", None),
    bind(&[ch('p'), ch(' ')], "p space", Act::Play, "play, stop", Some("p play")),
    bind(&[ch('-')], "- +", Act::Slower, "slower, faster", Some("-+ speed")),
    bind(&[ch('+'), ch('=')], "", Act::Faster, "", None),
    bind(TO_MOVE, ": 0..9", Act::ToMove, "to a move, by its number", Some(": move")),
    bind(&[ch('/')], "/", Act::ToSquare, "to a square", Some("/ square")),
    bind(&[ch('g'), (KeyCode::Home, NONE)], "g G", Act::First, "the start, the end", None),
    bind(&[ch('G'), (KeyCode::End, NONE)], "", Act::Last, "", None),
    bind(&[ch('v')], "v", Act::Look, "numbers, lines", Some("v numbers")),
    bind(&[ch('n')], "n N", Act::NextTour, "next tour, tour before", Some("n tour")),
    bind(&[ch('N')], "", Act::PreviousTour, "", None),
    bind(&[ch('z')], "z Z", Act::Larger, "larger squares, smaller", Some("z size")),
    bind(&[ch('Z')], "", Act::Smaller, "", None),
    bind(&[ch('J'), (KeyCode::Down, SHIFT)], "J K < >", Act::ScrollDown, "scroll; also shift-arrows", None),
    bind(&[ch('K'), (KeyCode::Up, SHIFT)], "", Act::ScrollUp, "", None),
    bind(&[ch('<'), (KeyCode::Left, SHIFT)], "", Act::ScrollLeft, "", None),
    bind(&[ch('>'), (KeyCode::Right, SHIFT)], "", Act::ScrollRight, "", None),
    bind(&[ch('.')], ".", Act::Follow, "back to the knight", None),
    bind(&[ch('W')], "W", Act::Picture, "write the tour, as an SVG", None),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::keys::lookup;
    use crate::ui::surface::assert_distinct;
    use ratatui::crossterm::event::KeyEvent;

    #[test]
    fn no_key_is_bound_twice_and_no_act_twice() {
        assert_distinct(BINDINGS);
    }

    #[test]
    fn an_arrow_steps_and_with_shift_it_scrolls() {
        let press = |code, modifiers| lookup(BINDINGS, KeyEvent::new(code, modifiers));
        assert_eq!(press(KeyCode::Left, NONE), Some(Act::Previous));
        assert_eq!(press(KeyCode::Left, SHIFT), Some(Act::ScrollLeft));
        assert_eq!(press(KeyCode::Char('L'), SHIFT), Some(Act::NextTen));
        assert_eq!(press(KeyCode::Char('7'), NONE), Some(Act::ToMove));
    }
}
