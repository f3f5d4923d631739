//! The keys of the step view: one table that is handled, shown in the footer and printed by the help.

use crate::ui::keys::{Binding, NONE, bind, ch};
use crate::ui::surface::{Habit, bindings};
use ratatui::crossterm::event::KeyCode;

/// What a key of the step view asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// What it means on every screen.
    Habit(Habit),
    /// One step on.
    Step,
    /// One step back.
    Back,
    /// On until a square has been entered.
    Node,
    /// Back to where a square had been entered.
    NodeBack,
    /// On to the next cut, dead end or tour.
    Event,
    /// On to the next cut.
    Cut,
    /// On to the next dead end.
    DeadEnd,
    /// On to the next tour.
    Tour,
    /// On until everything beyond the present square is exhausted.
    Up,
    /// Back to the beginning.
    Restart,
    /// Step by itself, or stop.
    Play,
    /// Fewer steps a second.
    Slower,
    /// More steps a second.
    Faster,
    /// Show older lines of the log.
    Older,
    /// Show later lines of the log.
    Later,
    /// Numbers or lines.
    Look,
}

/// Every key, in the order of the help. What the footer shows comes in the order of its worth. A line without text
/// belongs to the one above. Digits before a key make a number: so many times.
pub const BINDINGS: &[Binding<Act>] = bindings![Act::Habit;
    bind(&[ch('s'), ch('l'), ch(' '), (KeyCode::Right, NONE)], "s l space", Act::Step, "a step on", Some("s step")),
    bind(&[ch('b'), ch('h'), (KeyCode::Left, NONE)], "b h", Act::Back, "a step back", Some("b back")),
    bind(&[ch('n')], "n N", Act::Node, "next node, node before", Some("n node")),
    bind(&[ch('N')], "", Act::NodeBack, "", None),
    bind(&[ch('e')], "e", Act::Event, "next cut, dead end or tour", Some("e event")),
    bind(&[ch('t')], "t", Act::Tour, "next tour", Some("t tour")),
    bind(&[ch('d')], "d", Act::DeadEnd, "next dead end", Some("d dead end")),
    bind(&[ch('c')], "c", Act::Cut, "next move that is cut", Some("c cut")),
    bind(&[ch('u')], "u", Act::Up, "until this one is exhausted", Some("u up")),
    bind(&[ch('p')], "p", Act::Play, "play, stop", Some("p play")),
    bind(&[ch('-')], "- +", Act::Slower, "slower, faster", Some("-+ speed")),
    bind(&[ch('+'), ch('=')], "", Act::Faster, "", None),
    bind(&[ch('r'), ch('g'), (KeyCode::Home, NONE)], "r", Act::Restart, "back to the beginning", Some("r restart")),
    bind(&[ch('k'), (KeyCode::Up, NONE)], "k j arrows", Act::Older, "older lines, later ones", Some("kj log")),
    bind(&[ch('j'), (KeyCode::Down, NONE)], "", Act::Later, "", None),
    bind(&[ch('v')], "v", Act::Look, "numbers, lines", Some("v lines")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::surface::assert_distinct;

    #[test]
    fn no_key_is_bound_twice_no_act_twice_and_digits_are_free() {
        assert_distinct(BINDINGS);
        let is_bound = |key| BINDINGS.iter().any(|binding| binding.keys.contains(&key));
        assert!(('0'..='9').all(|digit| !is_bound(ch(digit))));
    }
}
