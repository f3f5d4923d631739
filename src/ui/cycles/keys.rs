//! The keys of the view of the cycles: one table that is handled, shown in the footer and printed by the help.

use crate::ui::keys::{Binding, NONE, bind, ch};
use crate::ui::surface::{Habit, bindings};
use ratatui::crossterm::event::KeyCode;

/// What a key of the view asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// What it means on every screen.
    Habit(Habit),
    /// One cycle on.
    Step,
    /// One cycle back.
    Back,
    /// Three cycles on.
    Move,
    /// Three cycles back.
    MoveBack,
    /// Run by itself, or stop.
    Run,
    /// Fewer cycles a second.
    Slower,
    /// More cycles a second.
    Faster,
    /// On to the end of the tour.
    End,
    /// Back to cycle 0.
    Restart,
    /// Show the next channel.
    NextChannel,
    /// Show the channel before.
    PreviousChannel,
    /// Show all four channels, or one.
    All,
}

/// Every key, in the order of the help. What the footer shows comes in the order of its worth. A line without text
/// belongs to the one above. Digits before a key make a number: so many times.
pub const BINDINGS: &[Binding<Act>] = bindings![Act::Habit;
    bind(&[ch('s'), ch('l'), ch(' '), (KeyCode::Right, NONE)], "s l space", Act::Step, "a cycle on", Some("s cycle")),
    bind(&[ch('b'), ch('h'), (KeyCode::Left, NONE)], "b h", Act::Back, "a cycle back", Some("b back")),
    bind(&[ch('p')], "p", Act::Run, "run, stop", Some("p run")),
    bind(
        &[(KeyCode::Tab, NONE), ch('c')],
        "tab c C",
        Act::NextChannel,
        "next channel, channel before",
        Some("tab channel"),
    ),
    bind(&[(KeyCode::BackTab, NONE), ch('C')], "", Act::PreviousChannel, "", None),
    bind(&[ch('m')], "m M", Act::Move, "a move on, a move back", Some("mM move")),
    bind(&[ch('M')], "", Act::MoveBack, "", None),
    bind(&[ch('-')], "- +", Act::Slower, "slower, faster", Some("-+ speed")),
    bind(&[ch('+'), ch('=')], "", Act::Faster, "", None),
    bind(&[ch('v')], "v", Act::All, "all four channels, one", Some("v four")),
    bind(&[ch('G'), (KeyCode::End, NONE)], "G", Act::End, "on to the end", Some("G end")),
    bind(&[ch('r'), ch('g'), (KeyCode::Home, NONE)], "r", Act::Restart, "back to cycle 0", Some("r restart")),
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
