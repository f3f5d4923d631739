//! A lesson as data: what stands above its screen, and how that is opened.

use crate::ui::live::{LiveScreen, Session};
use crate::ui::stage::Screen;
use ratatui::layout::Size;

/// Opens the screen of a lesson, which is then told its size; or says why it cannot be shown here.
pub type OpenLesson = Box<dyn Fn() -> Result<Box<dyn Screen>, String>>;

/// One lesson.
pub struct Lesson {
    /// Its title.
    pub title: &'static str,
    /// What is to be seen, in at most three lines of 78 letters.
    pub text: &'static str,
    /// Which keys to press, in a line.
    pub keys: &'static str,
    /// Opens its screen.
    pub open: OpenLesson,
}

/// The live view of a session, before its size is known; with all panes, whatever was remembered.
pub fn live_lesson(session: Session) -> Box<dyn Screen> {
    Box::new(LiveScreen::new(session, Size::ZERO).unzoomed())
}
