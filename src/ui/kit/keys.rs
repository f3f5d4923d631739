//! The keys of the program: one table of keys and actions for all screens.
//!
//! A screen lists in [`Keys`] its actions with a description of each. The keys that a screen accepts, its footer, its
//! help and the keys in its messages all come from this file. So a key means one thing everywhere, and no message
//! names a wrong key.

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

/// Which time a screen shows of a run. Help and footer list only keys that have an effect there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeView {
    /// The present.
    Now,
    /// An earlier moment of a run that is running or has just ended.
    Past,
    /// A moment of a recording, which has no present.
    Recording,
}

impl TimeView {
    /// The title of the help.
    pub(super) fn title(self) -> &'static str {
        match self {
            TimeView::Now => " help ",
            TimeView::Past => " help: the past ",
            TimeView::Recording => " help: a recording ",
        }
    }
}

/// A line of the help, usually of one action, or of two opposite ones.
#[derive(Debug)]
pub struct HelpLine {
    actions: &'static [Action],
    /// Further actions with the same effect on this screen.
    same: &'static [Action],
    /// The description.
    pub help: &'static str,
    footer: &'static str,
    /// The times in which the actions have an effect.
    views: &'static [TimeView],
}

/// A line of the help: actions, description, and a word for the footer, which may be empty.
pub const fn line(actions: &'static [Action], help: &'static str, footer: &'static str) -> HelpLine {
    HelpLine { actions, same: &[], help, footer, views: &[TimeView::Now, TimeView::Past, TimeView::Recording] }
}

impl HelpLine {
    /// Adds actions with the same effect on this screen.
    pub const fn or(self, same: &'static [Action]) -> HelpLine {
        HelpLine { same, ..self }
    }

    /// Limits the line to the given times.
    pub const fn only(self, views: &'static [TimeView]) -> HelpLine {
        HelpLine { views, ..self }
    }

    /// Every action of the line.
    pub fn all(&self) -> impl Iterator<Item = Action> {
        self.actions.iter().chain(self.same).copied()
    }

    /// The keys in the help: `- +`, `hjkl arrows`, `1..6`.
    pub fn shown(&self) -> String {
        let mut words = match self.actions {
            [Action::Digit(_), ..] => vec![self.joined()],
            [_] | [_, _] => self.all().map(|action| action.key().to_owned()).collect(),
            _ => vec![self.all().map(Action::key).collect()],
        };
        for also in self.all().filter_map(|action| action.binding()).map(|binding| binding.2) {
            if !also.is_empty() && !words.iter().any(|word| word == also) {
                words.push(also.to_owned());
            }
        }
        words.join(" ")
    }

    /// The keys and the word in the footer, if the footer shows the line.
    pub fn in_footer(&self) -> Option<(String, &'static str)> {
        (!self.footer.is_empty()).then(|| (self.joined(), self.footer))
    }

    /// The keys in a compact form: `-+`, `1..6`, but `tab`.
    fn joined(&self) -> String {
        match self.actions {
            [Action::Digit(first), .., Action::Digit(last)] => format!("{first}..{last}"),
            [first, ..] if first.key().len() > 1 => first.key().to_owned(),
            actions => actions.iter().map(|action| action.key()).collect(),
        }
    }
}

/// Lines of every help, before and after those of the screen.
const FIRST: &[HelpLine] = &[line(&[Action::Quit], "leave", "quit"), line(&[Action::Help], "this help", "help")];
const LAST: &[HelpLine] = &[
    line(&[Action::Save], "write the screen to a file", "write"),
    line(&[Action::Light], "colours for light, for dark", ""),
    line(&[Action::Close], "close what is open", ""),
    line(&[Action::Redraw], "draw everything again", ""),
    line(&[Action::Suspend], "to the background, until fg", ""),
    line(&[Action::Interrupt], "stop", ""),
];

/// Help lines of every screen with a [`Playback`](super::Playback), while it shows the present.
const THEN: &[HelpLine] = &[
    line(&[Action::Step], "then: a frame on", ""),
    line(&[Action::Play], "then: play it, hold it", ""),
    line(&[Action::Slower, Action::Faster], "then: slower, faster", ""),
    line(&[Action::Begin, Action::Now], "to the beginning, to now", ""),
    line(&[Action::Jump], "to a time, share or event", ""),
];

/// Help lines to go back in time, for a run with events.
const BACK_TO_EVENTS: &[HelpLine] = &[
    line(&[Action::PreviousEvent, Action::NextEvent], "back to an event, on to one", "back in time"),
    line(&[Action::Back], "a frame back in time", ""),
];

/// Help line to go back in time, for a run without events.
const BACK_TO_FRAMES: &[HelpLine] = &[line(&[Action::Back], "a frame back in time", "back in time")];

/// Help lines of a screen with a [`Playback`](super::Playback), while it shows an earlier moment. They replace the
/// screen's own lines for these actions.
const PAST: &[HelpLine] = &[
    line(&[Action::Back, Action::Step], "frame before, frame after", "frame"),
    line(&[Action::Play], "play from here, hold", "play"),
    line(&[Action::Begin, Action::Now], "to the beginning, to now", "beginning, now").only(&[TimeView::Past]),
    line(&[Action::Begin, Action::Now], "to the beginning, the end", "beginning, end").only(&[TimeView::Recording]),
    line(&[Action::Jump], "to a time, share or event", "go to"),
    line(&[Action::Slower, Action::Faster], "play slower, faster", "speed"),
];

/// Help line for the events of an earlier moment, for a run with events.
const PAST_EVENTS: &[HelpLine] =
    &[line(&[Action::PreviousEvent, Action::NextEvent], "event before, event after", "event")];

/// The keys of a screen.
#[derive(Debug)]
pub struct Keys {
    /// The screen's own lines, in the order of the help; footer words are listed by priority. A line for an action of
    /// every screen replaces the common line.
    pub own: &'static [HelpLine],
    /// The actions that a typed number repeats, with a word for each; empty if digits have another meaning.
    pub times: &'static [(Action, &'static str)],
    /// The kind of time line.
    pub timeline: Timeline,
}

/// The positions to which a screen can go back in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timeline {
    /// The screen has no time line.
    None,
    /// Frames only: the run has no events.
    Frames,
    /// Frames and events.
    Events,
}

/// The keys of a screen at the time that it shows.
#[derive(Clone, Copy, Debug)]
pub struct KeyList {
    /// The key table of the screen.
    pub keys: &'static Keys,
    /// The time that is shown.
    pub view: TimeView,
}

impl Keys {
    /// The keys of a screen that shows the present; most screens always do.
    pub fn now(&'static self) -> KeyList {
        KeyList { keys: self, view: TimeView::Now }
    }
}

impl KeyList {
    /// The lines of the help at this time.
    pub fn lines(self) -> impl Iterator<Item = &'static HelpLine> {
        let KeyList { keys: Keys { own, timeline, .. }, view } = self;
        let here = move |line: &&HelpLine| line.views.contains(&view);
        let (head, tail): (&'static [HelpLine], &'static [HelpLine]) = match (timeline, view) {
            (Timeline::None, _) => (&[], &[]),
            (Timeline::Frames, TimeView::Now) => (BACK_TO_FRAMES, THEN),
            (Timeline::Frames, _) => (&[], PAST),
            (Timeline::Events, TimeView::Now) => (BACK_TO_EVENTS, THEN),
            (Timeline::Events, _) => (PAST_EVENTS, PAST),
        };
        let of_timeline = move || head.iter().chain(tail).filter(here);
        let is_in =
            |lines: &'static [HelpLine], line: &HelpLine| lines.iter().any(|other| other.actions == line.actions);
        let first = FIRST.iter().map(|common| own.iter().find(|line| line.actions == common.actions).unwrap_or(common));
        // The keys of the time line come first; they replace the screen's own lines for the keys.
        let past = of_timeline().filter(move |_| view != TimeView::Now);
        let asks_past = move |line: &HelpLine| {
            let is_own = |action| line.all().any(|own| own == action);
            view != TimeView::Now && of_timeline().flat_map(HelpLine::all).any(is_own)
        };
        let own_lines = own.iter().filter(here).filter(move |line| !is_in(FIRST, line) && !asks_past(line));
        let now = of_timeline().filter(move |line| view == TimeView::Now && !is_in(own, line));
        let last = LAST.iter().filter(move |line| !is_in(own, line));
        first.chain(past).chain(own_lines).chain(now).chain(last)
    }

    /// Whether the screen has the action at some time. If the action has no effect now, the screen says when it has.
    pub fn knows(self, action: Action) -> bool {
        let views = [TimeView::Now, TimeView::Past, TimeView::Recording];
        views
            .into_iter()
            .any(|view| KeyList { view, ..self }.lines().any(|line| line.all().any(|known| known == action)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::SCREENS;
    use std::collections::HashSet;

    const VIEWS: [TimeView; 3] = [TimeView::Now, TimeView::Past, TimeView::Recording];

    #[test]
    fn every_screen_with_keys_is_listed() {
        let has_keys = |path: &std::path::Path| {
            let text = std::fs::read_to_string(path.join("mod.rs")).unwrap_or_default();
            text.contains("KEYS")
        };
        let ui = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ui");
        let homes = std::fs::read_dir(ui).unwrap().map(|entry| entry.unwrap().path());
        assert_eq!(SCREENS.len(), homes.filter(|home| has_keys(home)).count());
    }

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
    fn a_screen_lists_no_action_twice_and_its_lines_have_room() {
        for (screen, view) in SCREENS.into_iter().flat_map(|screen| VIEWS.map(|view| (screen, view))) {
            let mut listed = HashSet::new();
            for line in (KeyList { keys: screen, view }).lines() {
                assert!(line.all().all(|action| listed.insert(action)), "{line:?}");
                assert!(line.shown().len() <= 12 && line.help.len() <= 27, "{line:?}: {}", line.shown());
            }
            assert!(screen.times.iter().all(|(action, _)| screen.now().knows(*action)));
        }
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

    #[test]
    fn lines_show_their_keys() {
        let shown = |line: HelpLine| (line.shown(), line.in_footer().map(|(keys, _)| keys));
        let pair = line(&[Action::Slower, Action::Faster], "slower, faster", "speed");
        assert_eq!(shown(pair), ("- +".into(), Some("-+".into())));
        let four = line(&[Action::Left, Action::Down, Action::Up, Action::Right], "select", "select");
        assert_eq!(shown(four), ("hjkl arrows".into(), Some("hjkl".into())));
        let step = line(&[Action::Step], "a step on", "step").or(&[Action::Right]);
        assert_eq!(shown(step), ("s l arrows".into(), Some("s".into())));
        let panes = line(&[Action::NextPane, Action::PreviousPane], "pane", "pane");
        assert_eq!(shown(panes), ("tab backtab".into(), Some("tab".into())));
        assert_eq!(shown(line(DIGITS, "so many times", "")), ("0..9".into(), None));
    }
}
