//! The part of a model that all screens share: keys, time and size have the same effect on every screen.

use super::footer;
use super::help;
use super::help::{CommandKey, CommandList};
use super::input::{InputKey, TextInput};
use super::keymap::written;
use super::keys::Action;
use super::message::{Effect, EventAnswer, Notice, ScreenEvent};
use super::places::latin;
use super::screen_keys::KeyList;
use super::theme::Theme;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Size};
use std::time::Duration;

/// Greatest repeat count.
const TIMES_MAX: u32 = 1_000_000_000;

/// A key that is held down comes again sooner than that. Only after it does the key that asked a question confirm it.
const HELD: Duration = Duration::from_secs(1);
/// The key that confirms a question, as enter does.
const AGREES: char = 'y';
/// Lines by which a key scrolls the help.
const SCROLLED: u16 = 3;
/// The name that is proposed for a file of the screen; N is the next free number.
const SCREEN_FILE: &str = "destrier-screen-N.txt";

/// The part of a model that all screens share.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// Whether the help is shown.
    pub help: bool,
    /// Lines of the help that are scrolled off at the top.
    pub scrolled: u16,
    /// The field for what is searched in the help.
    pub search: TextInput,
    /// What is searched in the help; may be empty.
    pub sought: String,
    /// The list of commands, if it is open.
    pub commands: Option<CommandList>,
    /// The field for the name of the file that the screen is written to.
    pub file: TextInput,
    entered: Option<String>,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// Lines below the footer.
    pub below: u16,
    /// Letters that the screen around this one takes.
    pub taken: &'static [char],
    /// The notice in the footer.
    pub notice: Option<Notice>,
    /// An open question before work is lost, and the action to confirm. Most keys decline.
    pub asking: Option<(String, Action)>,
    /// Time since the question was asked, or its key came again.
    quiet: Duration,
    /// Another action that the question offers by its key.
    pub instead: Option<Action>,
    /// The repeat count typed so far.
    pub times: Option<u32>,
    /// The capabilities of the terminal.
    pub theme: Theme,
    pub screen: Size,
}

impl Common {
    /// The common part, without notice or question.
    pub fn new(theme: Theme, screen: Size) -> Common {
        Common { theme, screen, ..Common::default() }
    }

    /// Whether every key belongs to something that is open: the help, the list of commands, a line or a question.
    pub fn takes_keys(&self) -> bool {
        let is_typing = [&self.search, &self.file].iter().any(|input| input.text().is_some());
        is_typing || self.help || self.commands.is_some() || self.asking.is_some()
    }

    /// Of a screen that the session is going to show: it sets size and looks before the first frame.
    pub fn for_session() -> Common {
        Common::new(Theme::RICH, Size::ZERO)
    }

    /// Handles an event of a screen with the given keys; returns what remains for the screen.
    pub fn take(&mut self, msg: ScreenEvent, keys: KeyList) -> Option<EventAnswer> {
        match msg {
            ScreenEvent::Key(key) => return self.handle_key(key, keys),
            ScreenEvent::Mouse(event) => return self.handle_mouse(event, keys),
            ScreenEvent::Pasted(_) => {
                self.times = None;
                let typed = self.take_typed(&msg, None, keys);
                self.notice = typed.is_none().then(Notice::paste_ignored);
            }
            ScreenEvent::Resized(screen) => self.screen = screen,
            ScreenEvent::Looks(theme, mouse) => (self.theme, self.mouse) = (theme, mouse),
            ScreenEvent::Passed(time) => {
                self.quiet = self.quiet.saturating_add(time);
                return Some(EventAnswer::Passed(time));
            }
            ScreenEvent::Said(notice) => self.notice = Some(notice),
            ScreenEvent::Taken(letters) => self.taken = letters,
        }
        None
    }

    fn handle_key(&mut self, key: KeyEvent, keys: KeyList) -> Option<EventAnswer> {
        self.notice = None;
        let (times, instead) = (self.times.take(), self.instead.take());
        let action = match (key.code, Action::of(key, |action| keys.knows(action))) {
            (KeyCode::PageDown, Some(Action::Down)) if self.help || keys.has_pages() => Some(Action::ScrollDown),
            (KeyCode::PageUp, Some(Action::Up)) if self.help || keys.has_pages() => Some(Action::ScrollUp),
            (KeyCode::Char(' '), _) if self.help => Some(Action::ScrollDown),
            (_, action) => action,
        };
        let answered = self.take_answer(key, action, instead);
        if let Some(taken) = answered.or_else(|| self.take_typed(&ScreenEvent::Key(key), action, keys)) {
            return taken;
        }
        if self.help && self.read_help(action, keys) {
            return None;
        }
        match action.filter(|&action| keys.knows(action)) {
            Some(Action::Digit(digit)) if !keys.keys.times.is_empty() => {
                let times = times.unwrap_or(0).saturating_mul(10).saturating_add(digit.into()).min(TIMES_MAX);
                self.times = (times > 0).then_some(times);
            }
            action => match (times, key.code) {
                // The keys that edit a number.
                (Some(_), KeyCode::Esc) => {}
                (Some(times), KeyCode::Backspace) => self.times = Some(times / 10).filter(|&times| times > 0),
                (Some(_), KeyCode::Enter) if keys.repeats(Action::First) => {
                    return Some(EventAnswer::Asked(Action::First, times));
                }
                _ => match action {
                    Some(action) => return Some(EventAnswer::Asked(action, times)),
                    None => {
                        // Who typed a letter of another layout may have no question mark where others have it.
                        let help = match key.code {
                            KeyCode::Char(letter) if !letter.is_ascii() => Action::Help.reachable_key(),
                            _ => Action::Help.key().to_owned(),
                        };
                        self.say(format!("{} does nothing here; {help} lists the keys", written(key)));
                    }
                },
            },
        }
        None
    }

    /// Takes a key as the answer to an open question, if one is open. Returns what remains for the screen.
    fn take_answer(
        &mut self,
        key: KeyEvent,
        action: Option<Action>,
        instead: Option<Action>,
    ) -> Option<Option<EventAnswer>> {
        // Keys with control keep their meaning during a question.
        let (question, asked) = self.asking.take().filter(|_| !key.modifiers.contains(KeyModifiers::CONTROL))?;
        let (is_again, quiet) = (action == Some(asked), std::mem::take(&mut self.quiet));
        if is_again && quiet < HELD {
            (self.asking, self.instead) = (Some((question, asked)), instead);
            return Some(None);
        }
        let code = latin(key).unwrap_or(key).code;
        if is_again || matches!(code, KeyCode::Char(AGREES) | KeyCode::Enter) {
            return Some(Some(EventAnswer::Agreed(asked)));
        }
        let instead = instead.filter(|_| action == instead);
        if instead.is_none() {
            self.say("nothing is changed");
        }
        Some(instead.map(|instead| EventAnswer::Asked(instead, None)))
    }

    /// Takes a key or a pasted text for what is being typed: a command, the name of a file, or what is searched in the
    /// help. Returns what remains for the screen, if something is being typed.
    fn take_typed(&mut self, msg: &ScreenEvent, action: Option<Action>, keys: KeyList) -> Option<Option<EventAnswer>> {
        let has_control = matches!(msg, ScreenEvent::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL));
        if let Some(list) = self.commands.as_mut().filter(|_| !has_control) {
            match list.take(msg, action, keys) {
                CommandKey::Open => return Some(None),
                CommandKey::Closed => {
                    self.commands = None;
                    return Some(None);
                }
                CommandKey::Chosen(action) => {
                    self.commands = None;
                    return Some(Some(EventAnswer::Asked(action, None)));
                }
            }
        }
        match self.file.take(msg) {
            InputKey::Usual => {}
            InputKey::Typed => return Some(None),
            InputKey::Entered(name) => {
                self.entered = Some(name).filter(|name| !name.is_empty());
                return Some(self.entered.is_some().then_some(EventAnswer::Asked(Action::Save, None)));
            }
        }
        match self.search.take(msg) {
            InputKey::Usual => return None,
            InputKey::Typed => self.sought = self.search.text().unwrap_or_default().to_owned(),
            InputKey::Entered(text) => self.sought = text,
        }
        self.scrolled = 0;
        Some(None)
    }

    /// Handles an action on the open help: scrolls it, searches in it, closes it. Returns whether it is one.
    fn read_help(&mut self, action: Option<Action>, keys: KeyList) -> bool {
        let page = self.screen.height.saturating_sub(2);
        let below = (help::rows(keys, &self.sought, self.taken, self.screen).len() as u16).saturating_sub(page);
        let to = match action {
            Some(Action::Close) if !self.sought.is_empty() => {
                self.sought.clear();
                0
            }
            // What lies over the screen is what is left, not the screen.
            Some(Action::Close | Action::Quit) => {
                self.help = false;
                0
            }
            Some(Action::Find) => {
                self.search.open("");
                self.sought.clear();
                0
            }
            Some(Action::Up) => self.scrolled.saturating_sub(SCROLLED),
            Some(Action::Down) => self.scrolled.saturating_add(SCROLLED),
            Some(Action::ScrollUp) => self.scrolled.saturating_sub(page),
            Some(Action::ScrollDown) => self.scrolled.saturating_add(page),
            Some(Action::First) => 0,
            Some(Action::Last) => below,
            _ => return false,
        };
        self.scrolled = to.min(below);
        true
    }

    /// The wheel is the key that moves up or down; a click closes what lies over the screen, or presses a key of the footer.
    fn handle_mouse(&mut self, event: MouseEvent, keys: KeyList) -> Option<EventAnswer> {
        let wheel = match event.kind {
            MouseEventKind::ScrollUp => Action::Up,
            MouseEventKind::ScrollDown => Action::Down,
            MouseEventKind::Down(MouseButton::Left) => {
                let shows_keys = self.notice.take().is_none() && self.times.is_none() && !self.takes_keys();
                let is_covered = self.help || self.commands.is_some();
                (self.help, self.commands) = (false, None);
                let at = Position { x: event.column, y: event.row };
                if shows_keys && at.y + 1 + self.below == self.screen.height {
                    return self.handle_key(footer::key_at(self, keys, at.x)?, keys);
                }
                return (!is_covered).then_some(EventAnswer::Clicked(at));
            }
            _ => return None,
        };
        let is_read = self.help && self.read_help(Some(wheel), keys);
        (!is_read && keys.knows(wheel)).then_some(EventAnswer::Asked(wheel, None))
    }

    /// Performs an action that means the same on every screen; other actions are ignored.
    pub fn perform(&mut self, action: Action) -> Effect {
        match action {
            Action::Quit => return Effect::Leave,
            Action::Close => return Effect::Close,
            Action::Interrupt => return Effect::Interrupt,
            Action::Suspend => return Effect::Suspend,
            Action::Redraw => return Effect::Redraw,
            Action::Save => match self.entered.take() {
                Some(name) => return Effect::Save(name),
                None => self.file.suggest(SCREEN_FILE),
            },
            Action::Copy => return Effect::Copy,
            Action::Mouse => return Effect::Mouse,
            Action::Palette => self.commands = Some(CommandList::default()),
            Action::Help => {
                (self.help, self.scrolled) = (!self.help, 0);
                self.sought.clear();
            }
            Action::Theme => return Effect::NextTheme,
            Action::Signs => return Effect::NextSigns,
            Action::Keep => return Effect::KeepLook,
            Action::Play | Action::Step | Action::Slower | Action::Faster => {
                let (key, back) = (action.key(), Action::Back.key());
                self.say(format!("{key} is for what is past: {back} goes back there"));
            }
            _ => {}
        }
        Effect::Stay
    }

    /// Asks for confirmation in the footer before work is lost.
    pub fn ask(&mut self, question: impl Into<String>, action: Action) {
        // A question is never hidden.
        self.help = false;
        self.asking = Some((question.into(), action));
        self.quiet = Duration::ZERO;
    }

    /// How often time is to pass while a question is open.
    pub fn waits(&self) -> Option<Duration> {
        self.asking.is_some().then_some(HELD / 10)
    }

    /// Takes the question back: what it asks about is over.
    pub fn drop_question(&mut self) {
        (self.asking, self.instead) = (None, None);
    }

    /// Asks for confirmation and offers another action.
    pub fn ask_or(&mut self, question: impl Into<String>, action: Action, instead: Action) {
        self.ask(question, action);
        self.instead = Some(instead);
    }

    /// Shows a notice in the footer.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), bad: false });
    }

    /// Shows a notice of failure in the footer.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), bad: true });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::kit::keys::DIGITS;
    use crate::ui::kit::screen_keys::{Keys, Timeline, line};

    const COUNTED: Keys = Keys {
        own: &[line(&[Action::Step], "", ""), line(DIGITS, "", "")],
        times: &[(Action::Step, "steps")],
        timeline: Timeline::None,
        pane_key: |_| None,
        words: &[],
    };

    fn common() -> Common {
        Common::new(Theme::from_env(|_| None), Size::ZERO)
    }

    fn press(common: &mut Common, letter: char) -> Option<EventAnswer> {
        common.take(ScreenEvent::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)), COUNTED.now())
    }

    #[test]
    fn escape_closes_what_is_searched_then_the_help_and_then_leaves() {
        let mut common = common();
        assert_eq!(common.perform(Action::Help), Effect::Stay);
        for letter in ['/', 's', 't', 'e'] {
            assert_eq!(press(&mut common, letter), None);
        }
        assert_eq!((common.sought.as_str(), common.search.text()), ("ste", Some("ste")));
        let enter = |common: &mut Common, code: KeyCode| common.take(ScreenEvent::Key(code.into()), COUNTED.now());
        assert_eq!(enter(&mut common, KeyCode::Enter), None);
        assert_eq!((common.sought.as_str(), common.search.text()), ("ste", None));
        enter(&mut common, KeyCode::Esc);
        assert!(common.help && common.sought.is_empty());
        enter(&mut common, KeyCode::Esc);
        assert!(!common.help);
        assert_eq!(enter(&mut common, KeyCode::Esc), Some(EventAnswer::Asked(Action::Close, None)));
        assert_eq!(common.perform(Action::Close), Effect::Close);
    }

    #[test]
    fn the_list_of_commands_is_filtered_and_performs_the_chosen_one() {
        let mut common = common();
        assert_eq!(press(&mut common, ':'), Some(EventAnswer::Asked(Action::Palette, None)));
        common.perform(Action::Palette);
        let names = |common: &Common| {
            let list = common.commands.clone().unwrap_or_default();
            list.commands(COUNTED.now()).into_iter().map(|command| command.name).collect::<Vec<_>>()
        };
        assert!(names(&common).len() > 8, "{:?}", names(&common));
        "the".chars().for_each(|letter| assert_eq!(press(&mut common, letter), None));
        assert!(names(&common).len() > 1 && names(&common)[0] == "theme", "{:?}", names(&common));
        for _ in 0..3 {
            common.take(ScreenEvent::Key(KeyCode::Backspace.into()), COUNTED.now());
        }
        for letter in "STEP".chars() {
            press(&mut common, letter);
        }
        assert_eq!(names(&common), ["step"]);
        let enter = ScreenEvent::Key(KeyCode::Enter.into());
        assert_eq!(common.take(enter, COUNTED.now()), Some(EventAnswer::Asked(Action::Step, None)));
        assert_eq!(common.commands, None);
    }

    #[test]
    fn the_screen_is_written_to_the_file_that_is_named() {
        let mut common = common();
        assert_eq!(common.perform(Action::Save), Effect::Stay);
        assert_eq!(common.file.text(), Some(SCREEN_FILE));
        for _ in 0..4 {
            common.take(ScreenEvent::Key(KeyCode::Backspace.into()), COUNTED.now());
        }
        ".svg".chars().for_each(|letter| assert_eq!(press(&mut common, letter), None));
        let enter = ScreenEvent::Key(KeyCode::Enter.into());
        assert_eq!(common.take(enter, COUNTED.now()), Some(EventAnswer::Asked(Action::Save, None)));
        assert_eq!(common.perform(Action::Save), Effect::Save("destrier-screen-N.svg".to_owned()));
    }

    #[test]
    fn a_pasted_text_goes_where_something_is_typed_and_is_ignored_elsewhere() {
        let paste = |common: &mut Common, text: &str| {
            assert_eq!(common.take(ScreenEvent::Pasted(text.to_owned()), COUNTED.now()), None);
            common.notice.take()
        };
        let mut common = common();
        common.perform(Action::Save);
        assert_eq!((paste(&mut common, "y.svg\r"), common.file.text()), (None, Some("y.svg")));
        common.file = TextInput::default();
        common.perform(Action::Help);
        assert_eq!(paste(&mut common, "q\x1b"), Some(Notice::paste_ignored()));
        press(&mut common, '/');
        assert_eq!((paste(&mut common, "step"), common.sought.as_str()), (None, "step"));
        common.search = TextInput::default();
        common.perform(Action::Palette);
        assert_eq!(paste(&mut common, "qu\nit"), None);
        assert_eq!(common.commands.take().map(|list| list.typed), Some("quit".to_owned()));
        common.ask("leave?", Action::Quit);
        assert_eq!(paste(&mut common, "y"), Some(Notice::paste_ignored()));
        assert!(common.asking.is_some());
    }

    #[test]
    fn ending_a_run_asks_once_and_a_key_that_is_held_down_ends_none() {
        let mut common = common();
        common.ask("leave?", Action::Quit);
        let (pass, quit) = (|ms| ScreenEvent::Passed(Duration::from_millis(ms)), EventAnswer::Agreed(Action::Quit));
        for _ in 0..100 {
            common.take(pass(700), COUNTED.now());
            assert_eq!((press(&mut common, 'q'), common.asking.is_some()), (None, true));
        }
        common.take(pass(700), COUNTED.now());
        common.take(pass(700), COUNTED.now());
        assert_eq!(press(&mut common, 'q'), Some(quit));
        common.ask("leave?", Action::Quit);
        assert_eq!(common.take(ScreenEvent::Key(KeyCode::Enter.into()), COUNTED.now()), Some(quit));
        for (letter, heard) in [('y', Some(EventAnswer::Agreed(Action::Quit))), ('n', None), ('s', None)] {
            common.ask("leave?", Action::Quit);
            assert_eq!(press(&mut common, letter), heard, "{letter}");
            assert_eq!(common.asking, None);
        }
        assert_eq!(press(&mut common, 's'), Some(EventAnswer::Asked(Action::Step, None)));
    }

    #[test]
    fn a_number_belongs_to_the_key_after_it() {
        let mut common = common();
        assert_eq!([press(&mut common, '0'), press(&mut common, '1'), press(&mut common, '2')], [None; 3]);
        assert_eq!(common.times, Some(12));
        assert_eq!(press(&mut common, 's'), Some(EventAnswer::Asked(Action::Step, Some(12))));
        assert_eq!(press(&mut common, 's'), Some(EventAnswer::Asked(Action::Step, None)));
        (0..20).for_each(|_| assert_eq!(press(&mut common, '9'), None));
        assert_eq!(common.times, Some(TIMES_MAX));
        let edit = |common: &mut Common, code: KeyCode| common.take(ScreenEvent::Key(code.into()), COUNTED.now());
        assert_eq!(edit(&mut common, KeyCode::Backspace), None);
        assert_eq!(common.times, Some(TIMES_MAX / 10));
        assert_eq!(edit(&mut common, KeyCode::Esc), None);
        assert_eq!(common.times, None);
    }

    #[test]
    fn a_key_without_a_meaning_says_so() {
        let mut common = common();
        press(&mut common, '5');
        for letter in ['V', 'p'] {
            assert_eq!(press(&mut common, letter), None);
            let text = common.notice.as_ref().map(|notice| notice.text.as_str());
            assert_eq!(text, Some(format!("{letter} does nothing here; ? lists the keys").as_str()));
        }
        assert_eq!(press(&mut common, 'é'), None);
        let text = common.notice.as_ref().map(|notice| notice.text.as_str());
        assert_eq!(text, Some("é does nothing here; f1 lists the keys"));
        assert_eq!(common.times, None);
        press(&mut common, 's');
        assert_eq!(common.notice, None);
    }
}
