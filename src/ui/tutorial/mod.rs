//! The tutorial: one lesson after another, each a real screen with a few sentences above it.
//!
//! ```text
//!  3 of 10  An uneven division                                space next  b back  q out
//!  The tree is cut into two blocks beforehand, and no work can move ..
//!  Press ! to read why.
//! ─────────────────────────────────────────────────────────────────────────────────────
//!  the screen of the lesson, with all its keys but these three
//! ```

mod caption;
mod lesson;
mod screen;

pub use lesson::{Lesson, OpenLesson, live_lesson};
pub use screen::{TutorialScreen, show};
