//! What all screens above the live view do alike: the keys that mean the same everywhere, the help, what the footer
//! says, and what is asked of the stage.

use super::keys::{Binding, NONE, bind};
use super::model::Notice;
use super::stage::Turn;
use super::theme::Theme;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use std::time::Duration;

/// What a key asks for on every screen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Habit {
    /// Leave the view.
    Leave,
    /// Leave as if by SIGINT.
    Interrupt,
    /// Show or hide the help.
    Help,
    /// Close the help, or leave.
    Close,
    /// Write the screen to a file.
    Save,
    /// Colours for a light background, or for a dark one.
    Light,
    /// Draw everything again.
    Redraw,
    /// Go to the background.
    Suspend,
}

/// A table of keys: those that mean the same on every screen, as `$habit`, around the screen's own.
macro_rules! bindings {
    ($habit:path; $($own:expr),* $(,)?) => {
        &[
            $crate::ui::surface::binding(Habit::Leave, $habit(Habit::Leave)),
            $crate::ui::surface::binding(Habit::Help, $habit(Habit::Help)),
            $($own,)*
            $crate::ui::surface::binding(Habit::Save, $habit(Habit::Save)),
            $crate::ui::surface::binding(Habit::Light, $habit(Habit::Light)),
            $crate::ui::surface::binding(Habit::Close, $habit(Habit::Close)),
            $crate::ui::surface::binding(Habit::Redraw, $habit(Habit::Redraw)),
            $crate::ui::surface::binding(Habit::Suspend, $habit(Habit::Suspend)),
            $crate::ui::surface::binding(Habit::Interrupt, $habit(Habit::Interrupt)),
        ]
    };
}
pub(super) use bindings;

/// The line of a table for what a key asks for on every screen, where it is called `action`.
pub(super) const fn binding<A: Copy>(habit: Habit, action: A) -> Binding<A> {
    use KeyCode::{Char, Esc, F};
    const CTRL: KeyModifiers = KeyModifiers::CONTROL;
    match habit {
        Habit::Leave => bind(&[(Char('q'), NONE)], "q", action, "leave", Some("q quit")),
        Habit::Help => bind(&[(Char('?'), NONE), (F(1), NONE)], "?", action, "this help", Some("? help")),
        Habit::Save => bind(&[(Char('w'), NONE)], "w", action, "write the screen to a file", Some("w write")),
        Habit::Light => bind(&[(Char('T'), NONE)], "T", action, "colours for light, for dark", None),
        Habit::Close => bind(&[(Esc, NONE)], "esc", action, "stop, close the help, leave", None),
        Habit::Redraw => bind(&[(Char('l'), CTRL)], "ctrl-l", action, "draw everything again", None),
        Habit::Suspend => bind(&[(Char('z'), CTRL)], "ctrl-z", action, "to the background, until fg", None),
        Habit::Interrupt => bind(&[(Char('c'), CTRL)], "ctrl-c", action, "stop", None),
    }
}

/// Something that happened to a screen.
#[derive(Clone, Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// The screen has another size.
    Resized(Size),
    /// So much time has passed since the last time this was said.
    Passed(Duration),
    /// Something is to be said in the footer.
    Said(Notice),
}

/// Something that a screen asks of the stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Leave the view.
    Leave,
    /// Leave as if by SIGINT.
    Interrupt,
    /// Write the screen to a file.
    Save,
    /// Draw everything again.
    Redraw,
    /// Go to the background.
    Suspend,
}

impl From<Wish> for Turn {
    fn from(wish: Wish) -> Turn {
        match wish {
            Wish::Leave => Turn::Leave,
            Wish::Interrupt => Turn::Interrupt,
            Wish::Save => Turn::Save,
            Wish::Redraw => Turn::Redraw,
            Wish::Suspend => Turn::Suspend,
        }
    }
}

/// The part of a screen's model that all have.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Whether the help is shown.
    pub help: bool,
    /// What the footer says.
    pub notice: Option<Notice>,
    /// What the terminal can show.
    pub theme: Theme,
    /// The size of the screen.
    pub screen: Size,
}

impl Surface {
    /// A screen without anything to say.
    pub fn new(theme: Theme, screen: Size) -> Surface {
        Surface { help: false, notice: None, theme, screen }
    }

    /// A screen on this terminal. The stage tells its size before anything is drawn.
    pub fn of_terminal() -> Surface {
        Surface::new(Theme::from_env(|name| std::env::var(name).ok()), Size::ZERO)
    }

    /// Does what a key asks for that means the same everywhere.
    pub fn perform(&mut self, habit: Habit) -> Option<Wish> {
        match habit {
            Habit::Leave => return Some(Wish::Leave),
            Habit::Close if self.help => self.help = false,
            Habit::Close => return Some(Wish::Leave),
            Habit::Interrupt => return Some(Wish::Interrupt),
            Habit::Suspend => return Some(Wish::Suspend),
            Habit::Redraw => return Some(Wish::Redraw),
            Habit::Save => return Some(Wish::Save),
            Habit::Help => self.help = !self.help,
            Habit::Light => self.theme.light = !self.theme.light,
        }
        None
    }

    /// Says something in the footer.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), bad: false });
    }

    /// Says in the footer that something cannot be.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), bad: true });
    }
}

/// Asserts that a table binds no key twice and no act twice.
#[cfg(test)]
pub fn assert_distinct<A: Copy + Eq + std::hash::Hash + std::fmt::Debug>(bindings: &[Binding<A>]) {
    let mut keys = std::collections::HashSet::new();
    let mut acts = std::collections::HashSet::new();
    for binding in bindings {
        assert!(acts.insert(binding.action), "{:?}", binding.action);
        assert!(binding.keys.iter().all(|key| keys.insert(*key)), "{:?}", binding.action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_closes_the_help_before_it_leaves() {
        let mut surface = Surface::new(Theme::from_env(|_| None), Size::ZERO);
        assert_eq!(surface.perform(Habit::Help), None);
        assert!(surface.help);
        assert_eq!(surface.perform(Habit::Close), None);
        assert_eq!(surface.perform(Habit::Close), Some(Wish::Leave));
    }
}
