//! The keys of the program: one table of keys and actions for all screens.
//!
//! A screen lists in [`Keys`](super::Keys) its actions with a description of each. The keys that a screen
//! accepts, its footer, its help and the keys in its messages all come from this table. So a key means one thing
//! everywhere, and no message names a wrong key.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

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
    /// The next theme.
    Theme,
    /// Copy what the selected pane shows to the clipboard of the terminal.
    Copy,
    /// Turn the mouse on or off.
    Mouse,
    /// List the actions by name.
    Palette,
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
pub(super) type Press = (KeyCode, KeyModifiers);

/// A row of the table: the action, its name in the configuration, what the help calls its further keys, and all its
/// keys, the main one first.
pub(super) struct Binding(
    pub(super) Action,
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static [Press],
);

pub(super) const SHIFT: KeyModifiers = KeyModifiers::SHIFT;

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

/// The names and the usual keys of all actions except digits. The configuration may give an action other keys: what holds
/// is in [`keymap`](super::keymap).
pub(super) const TABLE: &[Binding] = &[
    Binding(Action::Quit, "quit", "", &[ch('q')]),
    Binding(Action::Help, "help", "", &[ch('?'), key(KeyCode::F(1))]),
    Binding(Action::Close, "close", "", &[key(KeyCode::Esc)]),
    Binding(Action::Save, "write", "", &[ch('w')]),
    Binding(Action::Theme, "theme", "", &[ch('t')]),
    Binding(Action::Copy, "copy", "", &[ch('y')]),
    Binding(Action::Mouse, "mouse", "", &[ch('m')]),
    Binding(Action::Palette, "palette", "", &[ch(':')]),
    Binding(Action::Redraw, "redraw", "", &[ctrl('l')]),
    Binding(Action::Suspend, "suspend", "", &[ctrl('z')]),
    Binding(Action::Interrupt, "interrupt", "", &[ctrl('c')]),
    Binding(Action::Play, "play", "space", &[ch('p'), ch(' ')]),
    Binding(Action::Step, "step", "", &[ch('s')]),
    Binding(Action::Back, "step_back", "", &[ch('b'), key(KeyCode::Backspace)]),
    Binding(Action::Move, "move_on", "", &[ch('i')]),
    Binding(Action::MoveBack, "move_back", "", &[ch('I')]),
    Binding(Action::Slower, "slower", "", &[ch('-')]),
    Binding(Action::Faster, "faster", "", &[ch('+'), ch('=')]),
    Binding(Action::Left, "left", "arrows", &[ch('h'), key(KeyCode::Left)]),
    Binding(Action::Down, "down", "arrows", &[ch('j'), key(KeyCode::Down), key(KeyCode::PageDown)]),
    Binding(Action::Up, "up", "arrows", &[ch('k'), key(KeyCode::Up), key(KeyCode::PageUp)]),
    Binding(Action::Right, "right", "arrows", &[ch('l'), key(KeyCode::Right)]),
    Binding(Action::First, "first", "", &[ch('g'), key(KeyCode::Home)]),
    Binding(Action::Last, "last", "", &[ch('G'), key(KeyCode::End)]),
    Binding(Action::NextPane, "next_pane", "", &[key(KeyCode::Tab)]),
    Binding(Action::PreviousPane, "previous_pane", "", &[key(KeyCode::BackTab)]),
    Binding(Action::Zoom, "zoom", "enter", &[ch('z'), key(KeyCode::Enter)]),
    Binding(Action::Tour, "view_tour", "", &[ch('v')]),
    Binding(Action::Explain, "explain", "", &[ch('e')]),
    Binding(Action::Why, "why_not_searching", "", &[ch('!')]),
    Binding(Action::Choose, "choose_question", "", &[ch('c')]),
    Binding(Action::Detach, "detach", "", &[ch('d')]),
    Binding(Action::NextScheduler, "next_scheduler", "", &[ch('S')]),
    Binding(Action::ToggleRule, "hand_over_rule", "", &[ch('r')]),
    Binding(Action::Compare, "compare", "", &[ch('C')]),
    Binding(Action::RefreshFaster, "more_frames", "", &[ch('f')]),
    Binding(Action::RefreshSlower, "fewer_frames", "", &[ch('F')]),
    Binding(Action::PreviousEvent, "previous_event", "", &[ch('[')]),
    Binding(Action::NextEvent, "next_event", "", &[ch(']')]),
    Binding(Action::Begin, "beginning", "", &[ch('{')]),
    Binding(Action::Now, "now", "", &[ch('}')]),
    Binding(Action::Jump, "go_to", "", &[ch('@')]),
    Binding(Action::NextTour, "next_tour", "", &[ch('n')]),
    Binding(Action::PreviousTour, "previous_tour", "", &[ch('N')]),
    Binding(Action::Event, "any_event", "", &[ch('a')]),
    Binding(Action::Cut, "next_cut", "", &[ch('x')]),
    Binding(Action::DeadEnd, "next_dead_end", "", &[ch('D')]),
    Binding(Action::Exhaust, "exhaust_square", "", &[ch('u')]),
    Binding(Action::Look, "numbers_or_lines", "", &[ch('#')]),
    Binding(Action::Find, "find", "", &[ch('/')]),
    Binding(Action::Order, "order", "", &[ch('o')]),
    Binding(Action::Larger, "larger", "", &[ch('>')]),
    Binding(Action::Smaller, "smaller", "", &[ch('<')]),
    Binding(Action::ScrollLeft, "scroll_left", "", &[ch('H'), (KeyCode::Left, SHIFT)]),
    Binding(Action::ScrollDown, "scroll_down", "", &[ch('J'), (KeyCode::Down, SHIFT)]),
    Binding(Action::ScrollUp, "scroll_up", "", &[ch('K'), (KeyCode::Up, SHIFT)]),
    Binding(Action::ScrollRight, "scroll_right", "", &[ch('L'), (KeyCode::Right, SHIFT)]),
    Binding(Action::Follow, "follow_knight", "", &[ch('.')]),
    Binding(Action::Picture, "write_picture", "", &[ch('W')]),
    Binding(Action::Best, "best", "", &[ch('B')]),
    Binding(Action::Worst, "worst", "", &[ch('X')]),
];
