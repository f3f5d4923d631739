//! The keys of the program: one table of keys and actions for all screens.
//!
//! A screen lists in [`Keys`](super::Keys) its actions with a description of each. The keys that a screen
//! accepts, its footer, its help and the keys in its messages all come from this table. So a key means one thing
//! everywhere, and no message names a wrong key.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// An action that a key asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Leave the screen.
    Quit,
    /// Leave as by SIGINT.
    Interrupt,
    /// Show or hide the help.
    Help,
    /// Close what is open: the help, a zoom, a running operation, an earlier moment, or a screen above another one.
    Close,
    /// Write the screen to a file.
    Save,
    /// Switch between colours for a light and for a dark background.
    Light,
    /// Draw every cell again.
    Redraw,
    /// Suspend the program.
    Suspend,
    /// Play or pause.
    Play,
    /// One step forward.
    Step,
    /// One step back.
    Back,
    /// One move of the knight forward, until it enters a square.
    Move,
    /// One move of the knight back.
    MoveBack,
    /// Decrease the speed.
    Slower,
    /// Increase the speed.
    Faster,
    /// Move left; on a time line, back.
    Left,
    /// Move down.
    Down,
    /// Move up.
    Up,
    /// Move right; on a time line, forward.
    Right,
    /// Say why workers do not search.
    Why,
    /// Go to the first item or the start.
    First,
    /// Go to the last item or the end.
    Last,
    /// Move the focus to the next pane.
    NextPane,
    /// Move the focus to the previous pane.
    PreviousPane,
    /// Zoom the focused pane to the whole screen, or back.
    Zoom,
    /// A digit: the number of a pane or of a move, or part of a repeat count.
    Digit(u8),
    /// Step through the tour or the position on the screen.
    Tour,
    /// Step through the search.
    Explain,
    /// Choose another question.
    Choose,
    /// Detach the run into a process without a screen.
    Detach,
    /// Restart with the next scheduler.
    NextScheduler,
    /// Change the hand-over rule of the running search.
    ToggleRule,
    /// Compare the run with another one, side by side.
    Compare,
    /// More frames a second.
    RefreshFaster,
    /// Fewer frames a second.
    RefreshSlower,
    /// Go to the previous event.
    PreviousEvent,
    /// Go to the next event.
    NextEvent,
    /// Go to the first recorded frame of a run.
    Begin,
    /// Go to the present; in a recording, to its end.
    Now,
    /// Go to a typed moment.
    Jump,
    /// Show the next tour.
    NextTour,
    /// Show the previous tour.
    PreviousTour,
    /// Continue to the next event of the search: a cut, a dead end or a tour.
    Event,
    /// Continue to the next cut.
    Cut,
    /// Continue to the next dead end.
    DeadEnd,
    /// Continue until all moves from the current square are exhausted.
    Exhaust,
    /// Switch between numbers and lines.
    Look,
    /// Find a typed square or worker.
    Find,
    /// Change the order.
    Order,
    /// Larger squares, or a shorter time window.
    Larger,
    /// Smaller squares, or a longer time window.
    Smaller,
    /// Scroll left.
    ScrollLeft,
    /// Scroll down.
    ScrollDown,
    /// Scroll up.
    ScrollUp,
    /// Scroll right.
    ScrollRight,
    /// Scroll back to the knight.
    Follow,
    /// Write the tour to a file as a picture.
    Picture,
    /// Go to the best item.
    Best,
    /// Go to the worst item.
    Worst,
}

/// The actions of the ten digits.
pub const DIGITS: &[Action] = &[
    Action::Digit(0),
    Action::Digit(1),
    Action::Digit(2),
    Action::Digit(3),
    Action::Digit(4),
    Action::Digit(5),
    Action::Digit(6),
    Action::Digit(7),
    Action::Digit(8),
    Action::Digit(9),
];

/// A key and its modifiers.
type Press = (KeyCode, KeyModifiers);

/// A row of the table: the action, the name of its main key, further keys for the help, and all its keys.
struct Binding(Action, &'static str, &'static str, &'static [Press]);

const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

/// A key without modifiers.
const fn key(code: KeyCode) -> Press {
    (code, KeyModifiers::NONE)
}

/// A letter, with or without shift.
const fn ch(letter: char) -> Press {
    key(KeyCode::Char(letter))
}

/// A letter with the control key.
const fn ctrl(letter: char) -> Press {
    (KeyCode::Char(letter), KeyModifiers::CONTROL)
}

/// The keys of all actions except digits. The key `:` is reserved for later use in the live view.
const TABLE: &[Binding] = &[
    Binding(Action::Quit, "q", "", &[ch('q')]),
    Binding(Action::Help, "?", "", &[ch('?'), key(KeyCode::F(1))]),
    Binding(Action::Close, "esc", "", &[key(KeyCode::Esc)]),
    Binding(Action::Save, "w", "", &[ch('w')]),
    Binding(Action::Light, "t", "", &[ch('t')]),
    Binding(Action::Redraw, "ctrl-l", "", &[ctrl('l')]),
    Binding(Action::Suspend, "ctrl-z", "", &[ctrl('z')]),
    Binding(Action::Interrupt, "ctrl-c", "", &[ctrl('c')]),
    Binding(Action::Play, "p", "space", &[ch('p'), ch(' ')]),
    Binding(Action::Step, "s", "", &[ch('s')]),
    Binding(Action::Back, "b", "", &[ch('b'), key(KeyCode::Backspace)]),
    Binding(Action::Move, "m", "", &[ch('m')]),
    Binding(Action::MoveBack, "M", "", &[ch('M')]),
    Binding(Action::Slower, "-", "", &[ch('-')]),
    Binding(Action::Faster, "+", "", &[ch('+'), ch('=')]),
    Binding(Action::Left, "h", "arrows", &[ch('h'), key(KeyCode::Left)]),
    Binding(Action::Down, "j", "arrows", &[ch('j'), key(KeyCode::Down), key(KeyCode::PageDown)]),
    Binding(Action::Up, "k", "arrows", &[ch('k'), key(KeyCode::Up), key(KeyCode::PageUp)]),
    Binding(Action::Right, "l", "arrows", &[ch('l'), key(KeyCode::Right)]),
    Binding(Action::First, "g", "", &[ch('g'), key(KeyCode::Home)]),
    Binding(Action::Last, "G", "", &[ch('G'), key(KeyCode::End)]),
    Binding(Action::NextPane, "tab", "", &[key(KeyCode::Tab)]),
    Binding(Action::PreviousPane, "backtab", "", &[key(KeyCode::BackTab)]),
    Binding(Action::Zoom, "z", "enter", &[ch('z'), key(KeyCode::Enter)]),
    Binding(Action::Tour, "v", "", &[ch('v')]),
    Binding(Action::Explain, "e", "", &[ch('e')]),
    Binding(Action::Why, "!", "", &[ch('!')]),
    Binding(Action::Choose, "c", "", &[ch('c')]),
    Binding(Action::Detach, "d", "", &[ch('d')]),
    Binding(Action::NextScheduler, "S", "", &[ch('S')]),
    Binding(Action::ToggleRule, "r", "", &[ch('r')]),
    Binding(Action::Compare, "C", "", &[ch('C')]),
    Binding(Action::RefreshFaster, "f", "", &[ch('f')]),
    Binding(Action::RefreshSlower, "F", "", &[ch('F')]),
    Binding(Action::PreviousEvent, "[", "", &[ch('[')]),
    Binding(Action::NextEvent, "]", "", &[ch(']')]),
    Binding(Action::Begin, "{", "", &[ch('{')]),
    Binding(Action::Now, "}", "", &[ch('}')]),
    Binding(Action::Jump, "@", "", &[ch('@')]),
    Binding(Action::NextTour, "n", "", &[ch('n')]),
    Binding(Action::PreviousTour, "N", "", &[ch('N')]),
    Binding(Action::Event, "a", "", &[ch('a')]),
    Binding(Action::Cut, "x", "", &[ch('x')]),
    Binding(Action::DeadEnd, "D", "", &[ch('D')]),
    Binding(Action::Exhaust, "u", "", &[ch('u')]),
    Binding(Action::Look, "#", "", &[ch('#')]),
    Binding(Action::Find, "/", "", &[ch('/')]),
    Binding(Action::Order, "o", "", &[ch('o')]),
    Binding(Action::Larger, ">", "", &[ch('>')]),
    Binding(Action::Smaller, "<", "", &[ch('<')]),
    Binding(Action::ScrollLeft, "H", "", &[ch('H'), (KeyCode::Left, SHIFT)]),
    Binding(Action::ScrollDown, "J", "", &[ch('J'), (KeyCode::Down, SHIFT)]),
    Binding(Action::ScrollUp, "K", "", &[ch('K'), (KeyCode::Up, SHIFT)]),
    Binding(Action::ScrollRight, "L", "", &[ch('L'), (KeyCode::Right, SHIFT)]),
    Binding(Action::Follow, ".", "", &[ch('.')]),
    Binding(Action::Picture, "W", "", &[ch('W')]),
    Binding(Action::Best, "B", "", &[ch('B')]),
    Binding(Action::Worst, "X", "", &[ch('X')]),
];

impl Action {
    /// The action of a key.
    pub fn of(pressed: KeyEvent) -> Option<Action> {
        if let (KeyCode::Char(digit @ '0'..='9'), KeyModifiers::NONE) = (pressed.code, pressed.modifiers) {
            return Some(Action::Digit(digit as u8 - b'0'));
        }
        let bound = |press| TABLE.iter().find(|binding| binding.3.contains(&press));
        // The character already includes shift.
        let plain = (pressed.code, pressed.modifiers.difference(SHIFT));
        bound((pressed.code, pressed.modifiers)).or_else(|| bound(plain)).map(|binding| binding.0)
    }

    /// The name of the main key, as messages use it.
    pub fn key(self) -> &'static str {
        match self {
            Action::Digit(digit) => &"0123456789"[usize::from(digit)..=usize::from(digit)],
            _ => self.binding().map_or("", |binding| binding.1),
        }
    }

    /// The name of the key that does the same, or an empty text.
    pub(super) fn other_key(self) -> &'static str {
        self.binding().map_or("", |binding| binding.2)
    }

    fn binding(self) -> Option<&'static Binding> {
        TABLE.iter().find(|binding| binding.0 == self)
    }
}

/// The name of a key with its modifiers.
pub fn written(pressed: KeyEvent) -> String {
    let held = |modifier, name| if pressed.modifiers.contains(modifier) { name } else { "" };
    let with = [held(KeyModifiers::CONTROL, "ctrl-"), held(KeyModifiers::ALT, "alt-")].concat();
    match pressed.code {
        KeyCode::Char(letter) if letter != ' ' => format!("{with}{letter}"),
        code => with + &code.to_string().to_lowercase().replace(' ', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::SCREENS;
    use std::collections::HashSet;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        Action::of(KeyEvent::new(code, modifiers))
    }

    /// All screens use one table, in which no key stands twice.
    #[test]
    fn no_letter_stands_for_two_actions_and_each_action_is_known_somewhere() {
        let (mut pressed, mut actions) = (HashSet::new(), HashSet::new());
        for &Binding(action, shown, _, keys) in TABLE {
            assert!(actions.insert(action), "{action:?}");
            assert!(keys.iter().all(|key| pressed.insert(*key)), "{action:?}");
            assert_eq!(written(KeyEvent::new(keys[0].0, keys[0].1)), shown);
            assert!(SCREENS.iter().any(|screen| screen.now().knows(action)), "{action:?}");
        }
        assert!(('0'..='9').all(|digit| !pressed.contains(&ch(digit))));
    }

    #[test]
    fn reserved_keys_are_free() {
        assert_eq!(press(KeyCode::Char(':'), KeyModifiers::NONE), None);
    }

    #[test]
    fn shift_is_part_of_a_letter_but_not_of_an_arrow() {
        assert_eq!(press(KeyCode::Char('s'), KeyModifiers::NONE), Some(Action::Step));
        assert_eq!(press(KeyCode::Char('S'), SHIFT), Some(Action::NextScheduler));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Interrupt));
        assert_eq!(press(KeyCode::BackTab, SHIFT), Some(Action::PreviousPane));
        assert_eq!(press(KeyCode::Left, SHIFT), Some(Action::ScrollLeft));
        assert_eq!(press(KeyCode::Left, KeyModifiers::NONE), Some(Action::Left));
        assert_eq!(press(KeyCode::Char('7'), KeyModifiers::NONE), Some(Action::Digit(7)));
    }
}
