//! The keys: one table that is handled, shown in the footer and printed by the help.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Leave, with the summary.
    Quit,
    /// Leave as if by SIGINT.
    Interrupt,
    /// Show or hide the help.
    Help,
    /// Close help or zoom.
    Close,
    /// Pause or go on.
    Pause,
    /// Let every busy worker enter one node.
    Step,
    /// Slow motion: fewer nodes a second.
    Slower,
    /// Slow motion: more nodes a second.
    Faster,
    /// Select the worker to the left.
    Left,
    /// Select the worker below.
    Down,
    /// Select the worker above.
    Up,
    /// Select the worker to the right.
    Right,
    /// Select the first worker.
    First,
    /// Select the last worker.
    Last,
    /// Move the focus to the next pane.
    NextPane,
    /// Move the focus to the pane before.
    PreviousPane,
    /// Give the whole screen to the focused pane, or take it back.
    Zoom,
    /// Give the whole screen to this pane (from 1), or take it back.
    ZoomPane(u8),
    /// Step through the tour or the position on the screen.
    Tour,
    /// Step through the search.
    Explain,
    /// Ask something else.
    Choose,
    /// Start again with the next scheduler.
    NextScheduler,
    /// Change the hand-over rule while running.
    ToggleRule,
    /// More frames a second.
    RefreshFaster,
    /// Fewer frames a second.
    RefreshSlower,
    /// Colours for a light background, or for a dark one.
    Light,
    /// Write the screen to a file.
    Save,
    /// Draw everything again.
    Redraw,
    /// Go to the background.
    Suspend,
}

/// A line of a table of keys.
#[derive(Debug)]
pub struct Binding<A = Action> {
    /// The keys that do it.
    pub keys: &'static [(KeyCode, KeyModifiers)],
    /// The keys as people read them.
    pub shown: &'static str,
    /// What they do.
    pub action: A,
    /// One line about it.
    pub help: &'static str,
    /// The key and a word for the footer, if it is shown there.
    pub footer: Option<&'static str>,
}

/// A key alone.
pub(super) const NONE: KeyModifiers = KeyModifiers::NONE;
const CTRL: KeyModifiers = KeyModifiers::CONTROL;

/// A letter, shifted or not.
pub(super) const fn ch(letter: char) -> (KeyCode, KeyModifiers) {
    (KeyCode::Char(letter), NONE)
}

/// A letter with the control key.
pub(super) const fn ctrl(letter: char) -> (KeyCode, KeyModifiers) {
    (KeyCode::Char(letter), CTRL)
}

/// A line of a table: keys, how they are written, what they do, in the help, in the footer.
pub(super) const fn bind<A: Copy>(
    keys: &'static [(KeyCode, KeyModifiers)],
    shown: &'static str,
    action: A,
    help: &'static str,
    footer: Option<&'static str>,
) -> Binding<A> {
    Binding { keys, shown, action, help, footer }
}

/// Every key, in the order of the help. What the footer shows comes in the order of its worth. A line without text
/// belongs to the one above.
pub const BINDINGS: &[Binding] = &[
    bind(&[ch('q')], "q", Action::Quit, "quit, with the summary", Some("q quit")),
    bind(&[ch('?'), (KeyCode::F(1), NONE)], "?", Action::Help, "this help", Some("? help")),
    bind(&[ch('p'), ch(' ')], "p space", Action::Pause, "pause, go on", Some("p pause")),
    bind(&[ch('s'), ch('n')], "s n", Action::Step, "one node per worker or lane", Some("s step")),
    bind(&[ch('-')], "- +", Action::Slower, "slow motion: slower, faster", Some("-+ slow motion")),
    bind(&[ch('+'), ch('=')], "", Action::Faster, "", None),
    bind(&[ch('h'), (KeyCode::Left, NONE)], "hjkl arrows", Action::Left, "select a worker", Some("hjkl select")),
    bind(&[ch('j'), (KeyCode::Down, NONE)], "", Action::Down, "", None),
    bind(&[ch('k'), (KeyCode::Up, NONE)], "", Action::Up, "", None),
    bind(&[ch('l'), (KeyCode::Right, NONE)], "", Action::Right, "", None),
    bind(&[ch('g'), (KeyCode::Home, NONE)], "g G", Action::First, "the first worker, the last", None),
    bind(&[ch('G'), (KeyCode::End, NONE)], "", Action::Last, "", None),
    bind(&[(KeyCode::Tab, NONE)], "tab", Action::NextPane, "next pane; shift-tab before", Some("tab pane")),
    bind(&[(KeyCode::BackTab, NONE)], "", Action::PreviousPane, "", None),
    bind(&[ch('z'), (KeyCode::Enter, NONE)], "z enter", Action::Zoom, "zoom the pane, and back", Some("z zoom")),
    bind(&[ch('1')], "1..6", Action::ZoomPane(1), "zoom the pane of that number", None),
    bind(&[ch('2')], "", Action::ZoomPane(2), "", None),
    bind(&[ch('3')], "", Action::ZoomPane(3), "", None),
    bind(&[ch('4')], "", Action::ZoomPane(4), "", None),
    bind(&[ch('5')], "", Action::ZoomPane(5), "", None),
    bind(&[ch('6')], "", Action::ZoomPane(6), "", None),
    bind(&[ch('v')], "v", Action::Tour, "view what is on the board", Some("v view tour")),
    bind(&[ch('e')], "e", Action::Explain, "explain the search in steps", Some("e explain")),
    bind(&[ch('c')], "c", Action::Choose, "choose something else", Some("c choose")),
    bind(&[ch('S')], "S", Action::NextScheduler, "start again: next scheduler", Some("S scheduler")),
    bind(&[ch('r')], "r", Action::ToggleRule, "the other hand-over rule", Some("r rule")),
    bind(&[ch('w')], "w", Action::Save, "write the screen to a file", Some("w write")),
    bind(&[ch('f')], "f F", Action::RefreshFaster, "more frames a second, fewer", None),
    bind(&[ch('F')], "", Action::RefreshSlower, "", None),
    bind(&[ch('t')], "t", Action::Light, "colours for light, for dark", None),
    bind(&[(KeyCode::Esc, NONE)], "esc", Action::Close, "close help or zoom", None),
    bind(&[ctrl('l')], "ctrl-l", Action::Redraw, "draw everything again", None),
    bind(&[ctrl('z')], "ctrl-z", Action::Suspend, "to the background, until fg", None),
    bind(&[ctrl('c')], "ctrl-c", Action::Interrupt, "stop, with the summary", None),
];

/// What a key asks of the live view, if anything.
pub fn action(key: KeyEvent) -> Option<Action> {
    lookup(BINDINGS, key)
}

/// What a key asks for by a table, if anything.
pub fn lookup<A: Copy>(bindings: &[Binding<A>], key: KeyEvent) -> Option<A> {
    let bound = |pressed| bindings.iter().find(|binding| binding.keys.contains(&pressed));
    // Shift is part of a character already.
    let plain = (key.code, key.modifiers.difference(KeyModifiers::SHIFT));
    bound((key.code, key.modifiers)).or_else(|| bound(plain)).map(|binding| binding.action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_is_bound_twice_and_no_action_twice() {
        let mut keys = HashSet::new();
        let mut actions = HashSet::new();
        for binding in BINDINGS {
            assert!(actions.insert(binding.action), "{:?}", binding.action);
            assert!(binding.keys.iter().all(|key| keys.insert(*key)), "{:?}", binding.action);
        }
    }

    #[test]
    fn shifted_and_plain_letters_differ() {
        let press = |letter, modifiers| action(KeyEvent::new(KeyCode::Char(letter), modifiers));
        assert_eq!(press('s', KeyModifiers::NONE), Some(Action::Step));
        assert_eq!(press('S', KeyModifiers::SHIFT), Some(Action::NextScheduler));
        assert_eq!(press('c', KeyModifiers::CONTROL), Some(Action::Interrupt));
        assert_eq!(press('x', KeyModifiers::NONE), None);
        assert_eq!(action(KeyEvent::new(KeyCode::BackTab, KeyModifiers::SHIFT)), Some(Action::PreviousPane));
    }
}
