//! The part of a model that all screens share: keys, time and size have the same effect on every screen.

use super::keys::{Action, written};
use super::screen_keys::KeyList;
use super::theme::Theme;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::time::Duration;

/// Greatest repeat count.
const TIMES_MAX: u32 = 1_000_000_000;

/// The key that confirms a question.
const AGREES: char = 'y';
/// Lines by which a key scrolls the help.
const SCROLLED: u16 = 3;

/// A notice, which replaces the keys in the footer until the next key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// Whether the notice reports a failure.
    pub bad: bool,
}

impl Notice {
    /// The notice that the frames of a detached run have stopped.
    pub fn cut() -> Notice {
        let text = "nothing more is heard of this run: it was stopped, or the connection ended".to_owned();
        Notice { text, bad: true }
    }
}

/// An event that every screen gets.
#[derive(Clone, Debug)]
pub enum ScreenMsg {
    /// A key was pressed.
    Key(KeyEvent),
    /// The screen has a new size.
    Resized(Size),
    /// The time since the last event of this kind.
    Passed(Duration),
    /// A notice for the footer.
    Said(Notice),
}

/// What remains for the screen after the surface has handled an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurfaceMessage {
    /// An action of the screen, with the repeat count, if one was typed.
    Asked(Action, Option<u32>),
    /// The action that the user confirmed after [`Surface::ask`].
    Agreed(Action),
    /// The elapsed time.
    Passed(Duration),
}

/// A wish of a screen for the stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageWish {
    /// Leave the view.
    Leave,
    /// Close the view, if it was opened over another one.
    Close,
    /// Leave as by SIGINT.
    Interrupt,
    /// Write the screen to a file.
    Save,
    /// Draw every cell again.
    Redraw,
    /// Suspend the program.
    Suspend,
}

/// The part of a model that all screens share.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Whether the help is shown.
    pub help: bool,
    /// Lines of the help that are scrolled off at the top.
    pub scrolled: u16,
    /// The notice in the footer.
    pub notice: Option<Notice>,
    /// An open question before work is lost, and the action to confirm. `y` confirms; any other key declines.
    pub asking: Option<(String, Action)>,
    /// Another action that the question offers by its key.
    pub instead: Option<Action>,
    /// The repeat count typed so far.
    pub times: Option<u32>,
    /// The capabilities of the terminal.
    pub theme: Theme,
    /// The size of the screen.
    pub screen: Size,
}

impl Surface {
    /// A surface without notice or question.
    pub fn new(theme: Theme, screen: Size) -> Surface {
        Surface { help: false, scrolled: 0, notice: None, asking: None, instead: None, times: None, theme, screen }
    }

    /// A surface for this terminal. The stage sets its size before the first frame.
    pub fn of_terminal() -> Surface {
        Surface::new(Theme::from_env(|name| std::env::var(name).ok()), Size::ZERO)
    }

    /// Handles an event of a screen with the given keys; returns what remains for the screen.
    pub fn take(&mut self, msg: ScreenMsg, keys: KeyList) -> Option<SurfaceMessage> {
        match msg {
            ScreenMsg::Key(key) => return self.handle_key(key, keys),
            ScreenMsg::Resized(screen) => self.screen = screen,
            ScreenMsg::Passed(time) => return Some(SurfaceMessage::Passed(time)),
            ScreenMsg::Said(notice) => self.notice = Some(notice),
        }
        None
    }

    fn handle_key(&mut self, key: KeyEvent, keys: KeyList) -> Option<SurfaceMessage> {
        self.notice = None;
        let (times, action, instead) = (self.times.take(), Action::of(key), self.instead.take());
        // Keys with control keep their meaning during a question.
        if let Some((_, asked)) = self.asking.take()
            && !key.modifiers.contains(KeyModifiers::CONTROL)
        {
            if key.code == KeyCode::Char(AGREES) {
                return Some(SurfaceMessage::Agreed(asked));
            }
            if let Some(instead) = instead.filter(|_| action == instead) {
                return Some(SurfaceMessage::Asked(instead, None));
            }
            self.say("nothing is changed");
            return None;
        }
        if self.scroll(action, keys) {
            return None;
        }
        match action.filter(|&action| keys.knows(action)) {
            None => self.say(format!("{} does nothing here; {} lists the keys", written(key), Action::Help.key())),
            Some(Action::Digit(digit)) if !keys.keys.times.is_empty() => {
                let times = times.unwrap_or(0).saturating_mul(10).saturating_add(digit.into()).min(TIMES_MAX);
                self.times = (times > 0).then_some(times);
            }
            Some(action) => return Some(SurfaceMessage::Asked(action, times)),
        }
        None
    }

    /// Scrolls the help, if the action asks for that and not all lines fit. Returns whether it applies.
    fn scroll(&mut self, action: Option<Action>, keys: KeyList) -> bool {
        let below = (keys.lines().count() as u16 + 2).saturating_sub(self.screen.height);
        let to = match action {
            Some(Action::Up) => self.scrolled.saturating_sub(SCROLLED),
            Some(Action::Down) => self.scrolled + SCROLLED,
            _ => return false,
        };
        let scrolls = self.help && below > 0;
        if scrolls {
            self.scrolled = to.min(below);
        }
        scrolls
    }

    /// Performs an action that means the same on every screen; returns a wish for the stage, if any. Other actions
    /// are ignored.
    pub fn perform(&mut self, action: Action) -> Option<StageWish> {
        match action {
            Action::Quit => return Some(StageWish::Leave),
            Action::Close if self.help => self.help = false,
            Action::Close => return Some(StageWish::Close),
            Action::Interrupt => return Some(StageWish::Interrupt),
            Action::Suspend => return Some(StageWish::Suspend),
            Action::Redraw => return Some(StageWish::Redraw),
            Action::Save => return Some(StageWish::Save),
            Action::Help => (self.help, self.scrolled) = (!self.help, 0),
            Action::Light => self.theme.light = !self.theme.light,
            Action::Play | Action::Step | Action::Slower | Action::Faster => {
                let (key, back) = (action.key(), Action::Back.key());
                self.say(format!("{key} is for what is past: {back} goes back there"));
            }
            _ => {}
        }
        None
    }

    /// Asks for confirmation in the footer before work is lost.
    pub fn ask(&mut self, question: impl Into<String>, action: Action) {
        self.asking = Some((question.into(), action));
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
    };

    fn surface() -> Surface {
        Surface::new(Theme::from_env(|_| None), Size::ZERO)
    }

    fn press(surface: &mut Surface, letter: char) -> Option<SurfaceMessage> {
        surface.take(ScreenMsg::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)), COUNTED.now())
    }

    #[test]
    fn escape_closes_the_help_before_it_leaves() {
        let mut surface = surface();
        assert_eq!(surface.perform(Action::Help), None);
        assert!(surface.help);
        assert_eq!(surface.perform(Action::Close), None);
        assert_eq!(surface.perform(Action::Close), Some(StageWish::Close));
    }

    #[test]
    fn ending_a_run_asks_once_and_only_y_confirms() {
        let mut surface = surface();
        for (letter, heard) in [('y', Some(SurfaceMessage::Agreed(Action::Quit))), ('n', None), ('s', None)] {
            surface.ask("leave?", Action::Quit);
            assert_eq!(press(&mut surface, letter), heard, "{letter}");
            assert_eq!(surface.asking, None);
        }
        assert_eq!(press(&mut surface, 's'), Some(SurfaceMessage::Asked(Action::Step, None)));
    }

    #[test]
    fn a_number_belongs_to_the_key_after_it() {
        let mut surface = surface();
        assert_eq!([press(&mut surface, '0'), press(&mut surface, '1'), press(&mut surface, '2')], [None; 3]);
        assert_eq!(surface.times, Some(12));
        assert_eq!(press(&mut surface, 's'), Some(SurfaceMessage::Asked(Action::Step, Some(12))));
        assert_eq!(press(&mut surface, 's'), Some(SurfaceMessage::Asked(Action::Step, None)));
        (0..20).for_each(|_| assert_eq!(press(&mut surface, '9'), None));
        assert_eq!(surface.times, Some(TIMES_MAX));
    }

    #[test]
    fn a_key_without_a_meaning_says_so() {
        let mut surface = surface();
        press(&mut surface, '5');
        for letter in ['y', 'p'] {
            assert_eq!(press(&mut surface, letter), None);
            let text = surface.notice.as_ref().map(|notice| notice.text.as_str());
            assert_eq!(text, Some(format!("{letter} does nothing here; ? lists the keys").as_str()));
        }
        assert_eq!(surface.times, None);
        press(&mut surface, 's');
        assert_eq!(surface.notice, None);
    }
}
