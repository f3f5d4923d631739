//! The keys of the program: one table of keys and actions for all screens.
//!
//! A screen lists in [`Keys`](super::Keys) its actions with a description of each. The keys that a screen
//! accepts, its footer, its help and the keys in its messages all come from this table. So no message names a wrong
//! key. What an action does is said by the screen: `j` selects a worker, scrolls a pane, or is ten moves of a tour.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

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

/// A row of the table.
#[derive(Debug)]
pub(super) struct Binding {
    pub action: Action,
    /// The name in the configuration.
    pub name: &'static str,
    /// What the action does, on every screen.
    pub about: &'static str,
    /// What the help calls the further keys; may be empty.
    pub further: &'static str,
    /// All keys, the main one first.
    pub keys: &'static [Press],
}

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

/// Declares the actions and the table of their usual keys, a row each.
macro_rules! actions {
    ($($Action:ident: $name:literal, $about:literal, $further:literal, $keys:expr;)+) => {
        /// An action that a key asks for.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Action {
            $(#[doc = $about] $Action,)+
            /// A digit: the number of a pane or of a move, or part of a repeat count.
            Digit(u8),
        }

        /// The names and the usual keys of all actions except digits. The configuration may give an action other keys: what
        /// holds is in [`keymap`](super::keymap).
        pub(super) static TABLE: &[Binding] = &[$(Binding {
            action: Action::$Action,
            name: $name,
            about: $about,
            further: $further,
            keys: $keys,
        }),+];
    };
}

actions! {
    Quit: "quit", "leave the screen", "", &[ch('q')];
    Help: "help", "show or hide the help", "", &[ch('?'), key(KeyCode::F(1))];
    Close: "close", "close what is open", "", &[key(KeyCode::Esc)];
    Save: "write", "write the screen to a file", "", &[ch('w')];
    Theme: "theme", "the colours: the next of five themes", "", &[ch('t')];
    Signs: "signs", "draw with braille, blocks or ASCII", "", &[ch('U')];
    Keep: "keep", "keep colours and signs for later", "", &[ch('A')];
    Copy: "copy", "copy what the pane shows", "", &[ch('y')];
    Mouse: "mouse", "turn the mouse on or off", "", &[ch('m')];
    Palette: "palette", "all commands by name", "", &[ch(':')];
    Redraw: "redraw", "draw everything again", "", &[ctrl('l')];
    Suspend: "suspend", "to the background, until fg", "", &[ctrl('z')];
    Interrupt: "interrupt", "stop", "", &[ctrl('c')];
    Play: "play", "pause or play", "space", &[ch('p'), ch(' ')];
    Step: "step", "a step forward", "", &[ch('s')];
    Back: "step_back", "a step back", "", &[ch('b'), key(KeyCode::Backspace)];
    Move: "move_on", "a move of the knight forward", "", &[ch('i')];
    MoveBack: "move_back", "a move of the knight back", "", &[ch('I')];
    Slower: "slower", "slower", "", &[ch('-')];
    Faster: "faster", "faster", "", &[ch('+'), ch('=')];
    Left: "left", "to the left; on a time line, back", "arrows", &[ch('h'), key(KeyCode::Left)];
    Down: "down", "down", "arrows", &[ch('j'), key(KeyCode::Down), key(KeyCode::PageDown)];
    Up: "up", "up", "arrows", &[ch('k'), key(KeyCode::Up), key(KeyCode::PageUp)];
    Right: "right", "to the right; on a time line, forward", "arrows", &[ch('l'), key(KeyCode::Right)];
    First: "first", "to the first item, or the start", "", &[ch('g'), key(KeyCode::Home)];
    Last: "last", "to the last item, or the end", "", &[ch('G'), key(KeyCode::End)];
    NextPane: "next_pane", "to the next pane", "", &[key(KeyCode::Tab)];
    PreviousPane: "previous_pane", "to the pane before", "", &[key(KeyCode::BackTab)];
    Arrange: "arrange", "the next arrangement of panes", "", &[ch('L')];
    Zoom: "zoom", "the pane on the whole screen, and back", "", &[ch('z')];
    Open: "open", "the page of what is selected, and back", "", &[key(KeyCode::Enter)];
    Tour: "view_tour", "step through the tour on the screen", "", &[ch('v')];
    Explain: "explain", "step through the search", "", &[ch('e')];
    Why: "why_not_searching", "why workers do not search", "", &[ch('!')];
    LargerBoard: "larger_board", "from the demonstration to 8x8", "", &[ch('B')];
    Detach: "detach", "leave, and the run goes on", "", &[ch('d')];
    NextScheduler: "next_scheduler", "start again under the next scheduler", "", &[ch('S')];
    Threads: "threads", "go on with another number of threads", "", &[ch('R')];
    ToggleRule: "hand_over_rule", "the other rule by which work is handed over", "", &[ch('r')];
    Compare: "compare", "side by side with another run", "", &[ch('C')];
    RefreshFaster: "more_frames", "more frames a second", "", &[ch('f')];
    RefreshSlower: "fewer_frames", "fewer frames a second", "", &[ch('F')];
    PreviousEvent: "previous_event", "back to the event before", "", &[ch('[')];
    NextEvent: "next_event", "to the next event", "", &[ch(']')];
    PreviousWait: "previous_wait", "back to the wait before", "", &[ch('(')];
    NextWait: "next_wait", "to the next wait", "", &[ch(')')];
    Begin: "beginning", "to the beginning of the run", "", &[ch('{')];
    Now: "now", "to the present; in a recording, to its end", "", &[ch('}')];
    Jump: "go_to", "to a moment that is typed", "", &[ch('@')];
    NextTour: "next_tour", "to the next tour", "", &[ch('n')];
    PreviousTour: "previous_tour", "to the tour before", "", &[ch('N')];
    Event: "any_event", "to the next cut, end of a branch or tour", "", &[ch('a')];
    Cut: "next_cut", "to the next cut", "", &[ch('x')];
    DeadEnd: "next_dead_end", "to the next dead end", "", &[ch('D')];
    Exhaust: "exhaust_square", "until the square has no moves left", "", &[ch('u')];
    Look: "numbers_or_lines", "numbers or lines", "", &[ch('#')];
    Timeline: "timeline", "workers over time, or as they are now", "", &[ch('T')];
    Find: "find", "find a square or a worker that is typed", "", &[ch('/')];
    Order: "order", "another order of the list", "", &[ch('o')];
    Group: "group", "workers by groups of CPUs", "", &[ch('c')];
    Reverse: "reverse", "the order the other way round", "", &[ch('O')];
    Larger: "larger", "larger squares; charts of less time", "", &[ch('>')];
    Smaller: "smaller", "smaller squares; charts of more time", "", &[ch('<')];
    ScrollLeft: "scroll_left", "scroll to the left", "", &[ch('H'), (KeyCode::Left, SHIFT)];
    ScrollDown: "scroll_down", "scroll down", "", &[ch('J'), (KeyCode::Down, SHIFT)];
    ScrollUp: "scroll_up", "scroll up", "", &[ch('K'), (KeyCode::Up, SHIFT)];
    ScrollRight: "scroll_right", "scroll to the right", "", &[ch('L'), (KeyCode::Right, SHIFT)];
    Follow: "follow_knight", "scroll back to the knight", "", &[ch('.')];
    Picture: "write_picture", "write the tour to a file, as a picture", "", &[ch('W')];
}
