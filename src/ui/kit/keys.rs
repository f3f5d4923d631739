//! The keys of the program: one table of keys and actions for all screens.
//!
//! A screen lists in [`Keys`](super::Keys) its actions with a description of each. The keys that a screen
//! accepts, its footer, its help and the keys in its messages all come from this table. So no message names a wrong
//! key. What an action does is said by the screen: `j` selects a worker, scrolls a pane, or is ten moves of a tour.

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
    /// Open what is selected; where nothing opens, as [`Zoom`](Action::Zoom).
    Open,
    /// A digit: the number of a pane or of a move, or part of a repeat count.
    Digit(u8),
    /// Step through the tour or the position on the screen.
    Tour,
    /// Step through the search.
    Explain,
    /// Go on from the demonstration to the larger board.
    LargerBoard,
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
    /// Continue to the next event of the search: a cut, the end of a branch or a tour.
    Event,
    /// Continue to the next cut.
    Cut,
    /// Continue to the next dead end.
    DeadEnd,
    /// Continue until all moves from the current square are exhausted.
    Exhaust,
    /// Switch between numbers and lines.
    Look,
    /// Workers over time, or as they are now.
    Timeline,
    /// Find a typed square or worker.
    Find,
    /// Change the order.
    Order,
    /// The other way round.
    Reverse,
    /// Larger squares, or a shorter time window.
    Larger,
    /// Smaller squares, or a longer time window.
    Smaller,
    ScrollLeft,
    ScrollDown,
    ScrollUp,
    ScrollRight,
    /// Scroll back to the knight.
    Follow,
    /// Write the tour to a file as a picture.
    Picture,
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

/// The digit keys of so many panes, from 1.
pub const fn digits(panes: usize) -> &'static [Action] {
    DIGITS.split_at(panes + 1).0.split_at(1).1
}

pub(super) type Press = (KeyCode, KeyModifiers);

/// A row of the table: the action, its name in the configuration and what it does on every screen, what the help calls its
/// further keys, and all its keys, the main one first.
pub(super) struct Binding(
    pub(super) Action,
    pub(super) &'static str,
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
    Binding(Action::Quit, "quit", "leave the screen", "", &[ch('q')]),
    Binding(Action::Help, "help", "show or hide the help", "", &[ch('?'), key(KeyCode::F(1))]),
    Binding(Action::Close, "close", "close what is open", "", &[key(KeyCode::Esc)]),
    Binding(Action::Save, "write", "write the screen to a file", "", &[ch('w')]),
    Binding(Action::Theme, "theme", "the next of five themes", "", &[ch('t')]),
    Binding(Action::Copy, "copy", "copy what the pane shows", "", &[ch('y')]),
    Binding(Action::Mouse, "mouse", "turn the mouse on or off", "", &[ch('m')]),
    Binding(Action::Palette, "palette", "all commands by name", "", &[ch(':')]),
    Binding(Action::Redraw, "redraw", "draw everything again", "", &[ctrl('l')]),
    Binding(Action::Suspend, "suspend", "to the background, until fg", "", &[ctrl('z')]),
    Binding(Action::Interrupt, "interrupt", "stop", "", &[ctrl('c')]),
    Binding(Action::Play, "play", "pause or play", "space", &[ch('p'), ch(' ')]),
    Binding(Action::Step, "step", "a step forward", "", &[ch('s')]),
    Binding(Action::Back, "step_back", "a step back", "", &[ch('b'), key(KeyCode::Backspace)]),
    Binding(Action::Move, "move_on", "a move of the knight forward", "", &[ch('i')]),
    Binding(Action::MoveBack, "move_back", "a move of the knight back", "", &[ch('I')]),
    Binding(Action::Slower, "slower", "slower", "", &[ch('-')]),
    Binding(Action::Faster, "faster", "faster", "", &[ch('+'), ch('=')]),
    Binding(Action::Left, "left", "to the left; on a time line, back", "arrows", &[ch('h'), key(KeyCode::Left)]),
    Binding(Action::Down, "down", "down", "arrows", &[ch('j'), key(KeyCode::Down), key(KeyCode::PageDown)]),
    Binding(Action::Up, "up", "up", "arrows", &[ch('k'), key(KeyCode::Up), key(KeyCode::PageUp)]),
    Binding(Action::Right, "right", "to the right; on a time line, forward", "arrows", &[ch('l'), key(KeyCode::Right)]),
    Binding(Action::First, "first", "to the first item, or the start", "", &[ch('g'), key(KeyCode::Home)]),
    Binding(Action::Last, "last", "to the last item, or the end", "", &[ch('G'), key(KeyCode::End)]),
    Binding(Action::NextPane, "next_pane", "to the next pane", "", &[key(KeyCode::Tab)]),
    Binding(Action::PreviousPane, "previous_pane", "to the pane before", "", &[key(KeyCode::BackTab)]),
    Binding(Action::Zoom, "zoom", "the pane on the whole screen, and back", "", &[ch('z')]),
    Binding(Action::Open, "open", "the page of what is selected, and back", "", &[key(KeyCode::Enter)]),
    Binding(Action::Tour, "view_tour", "step through the tour on the screen", "", &[ch('v')]),
    Binding(Action::Explain, "explain", "step through the search", "", &[ch('e')]),
    Binding(Action::Why, "why_not_searching", "why workers do not search", "", &[ch('!')]),
    Binding(Action::LargerBoard, "larger_board", "from the demonstration to 8x8", "", &[ch('B')]),
    Binding(Action::Detach, "detach", "leave, and the run goes on", "", &[ch('d')]),
    Binding(Action::NextScheduler, "next_scheduler", "start again under the next scheduler", "", &[ch('S')]),
    Binding(Action::ToggleRule, "hand_over_rule", "the other rule by which work is handed over", "", &[ch('r')]),
    Binding(Action::Compare, "compare", "side by side with another run", "", &[ch('C')]),
    Binding(Action::RefreshFaster, "more_frames", "more frames a second", "", &[ch('f')]),
    Binding(Action::RefreshSlower, "fewer_frames", "fewer frames a second", "", &[ch('F')]),
    Binding(Action::PreviousEvent, "previous_event", "back to the event before", "", &[ch('[')]),
    Binding(Action::NextEvent, "next_event", "to the next event", "", &[ch(']')]),
    Binding(Action::Begin, "beginning", "to the beginning of the run", "", &[ch('{')]),
    Binding(Action::Now, "now", "to the present; in a recording, to its end", "", &[ch('}')]),
    Binding(Action::Jump, "go_to", "to a moment that is typed", "", &[ch('@')]),
    Binding(Action::NextTour, "next_tour", "to the next tour", "", &[ch('n')]),
    Binding(Action::PreviousTour, "previous_tour", "to the tour before", "", &[ch('N')]),
    Binding(Action::Event, "any_event", "to the next cut, end of a branch or tour", "", &[ch('a')]),
    Binding(Action::Cut, "next_cut", "to the next cut", "", &[ch('x')]),
    Binding(Action::DeadEnd, "next_dead_end", "to the next dead end", "", &[ch('D')]),
    Binding(Action::Exhaust, "exhaust_square", "until the square has no moves left", "", &[ch('u')]),
    Binding(Action::Look, "numbers_or_lines", "numbers or lines", "", &[ch('#')]),
    Binding(Action::Timeline, "timeline", "workers over time, or as they are now", "", &[ch('T')]),
    Binding(Action::Find, "find", "find a square or a worker that is typed", "", &[ch('/')]),
    Binding(Action::Order, "order", "another order of the list", "", &[ch('o')]),
    Binding(Action::Reverse, "reverse", "the order the other way round", "", &[ch('O')]),
    Binding(Action::Larger, "larger", "larger squares; charts of less time", "", &[ch('>')]),
    Binding(Action::Smaller, "smaller", "smaller squares; charts of more time", "", &[ch('<')]),
    Binding(Action::ScrollLeft, "scroll_left", "scroll to the left", "", &[ch('H'), (KeyCode::Left, SHIFT)]),
    Binding(Action::ScrollDown, "scroll_down", "scroll down", "", &[ch('J'), (KeyCode::Down, SHIFT)]),
    Binding(Action::ScrollUp, "scroll_up", "scroll up", "", &[ch('K'), (KeyCode::Up, SHIFT)]),
    Binding(Action::ScrollRight, "scroll_right", "scroll to the right", "", &[ch('L'), (KeyCode::Right, SHIFT)]),
    Binding(Action::Follow, "follow_knight", "scroll back to the knight", "", &[ch('.')]),
    Binding(Action::Picture, "write_picture", "write the tour to a file, as a picture", "", &[ch('W')]),
];
