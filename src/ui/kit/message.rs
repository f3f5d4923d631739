//! What reaches a screen, and what its model asks for.

use super::keys::Action;
use super::theme::Theme;
use crate::run::{Moment, Wish};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use ratatui::layout::{Position, Rect, Size};
use std::time::Duration;

/// A notice, which replaces the keys in the footer until the next key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// Whether the notice reports a failure.
    pub bad: bool,
}

impl From<String> for Notice {
    /// A notice that reports no failure.
    fn from(text: String) -> Notice {
        Notice { text, bad: false }
    }
}

impl Notice {
    /// The notice that the frames of a detached run have stopped.
    pub fn cut() -> Notice {
        let text = "nothing more is heard of this run: it was stopped, or the connection ended".to_owned();
        Notice { text, bad: true }
    }

    /// The notice that a text was pasted where nothing is typed.
    pub fn paste_ignored() -> Notice {
        Notice { text: "pasted text is ignored here".to_owned(), bad: false }
    }
}

/// An event that every screen gets.
#[derive(Clone, Debug)]
pub enum ScreenEvent {
    /// A key was pressed.
    Key(KeyEvent),
    Mouse(MouseEvent),
    /// A text was pasted. It goes into the field that is open, and is never a key.
    Pasted(String),
    /// The screen has a new size.
    Resized(Size),
    /// The colours, and whether the mouse is used, may have changed.
    Looks(Theme, bool),
    /// The time since the last event of this kind.
    Passed(Duration),
    /// A notice for the footer.
    Said(Notice),
    /// Letters that never reach this screen, because the screen around it uses them.
    Taken(&'static [char]),
}

/// What the parts that all screens have leave of an event to the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventAnswer {
    /// An action of the screen, with the repeat count, if one was typed.
    Asked(Action, Option<u32>),
    /// The action that the user confirmed after [`Common::ask`](super::Common::ask).
    Agreed(Action),
    /// The cell that was clicked.
    Clicked(Position),
    /// The elapsed time.
    Passed(Duration),
    /// Another moment of the run is shown. Everything up to the moment in `Some` is already on the screen; `None` means: compute
    /// the screen from the start.
    Moved(Option<Moment>),
}

/// What a model asks for after an event: of the session, of its run, or of its screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Stay,
    /// Close the screen; closing the lowest screen ends the session.
    Leave,
    /// Close the screen, unless it is the lowest one.
    Close,
    /// End the session.
    Quit,
    /// End the session as by SIGINT.
    Interrupt,
    /// Write the screen to a file of this name.
    Save(String),
    /// Copy what [`Clip`] of the screen says.
    Copy,
    /// Turn the mouse on or off.
    Mouse,
    /// Show the next theme.
    NextTheme,
    /// Draw with the next signs.
    NextSigns,
    /// Keep theme and signs for later sessions.
    KeepLook,
    /// Draw every cell again.
    Redraw,
    /// Suspend the program until it is continued.
    Suspend,
    /// Open the screen that this one has ready over it.
    Open,
    /// Send this wish to the run.
    Run(Wish),
    /// Do what the key means that a model cannot do: open another screen, start a run, write a file.
    Do(Action),
}

/// What is copied of a screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clip {
    /// A part of the screen as it is drawn, with its name.
    Part(String, Rect),
    Text(String, String),
}
