//! The tutorial: one lesson after another, each a real screen with a few sentences above it.
//!
//! ```text
//!  3 of 10  An uneven division                              space n next  b back  q out
//!  The tree is cut into two blocks beforehand, and no work can move ..
//!  Press ! to read why.
//! ─────────────────────────────────────────────────────────────────────────────────────
//!  the screen of the lesson, with all its keys but these four
//! ```

use crate::ui::kit::{Clip, Effect, Role, ScreenEvent, Theme, put, put_reason, wrapped};
use crate::ui::live::{self, Session};
use crate::ui::save::drawn;
use crate::ui::screen::{Exit, Screen, UiError};
use crate::ui::settings::Look;
use crate::ui::terminal::TerminalSession;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent};
use ratatui::layout::{Position, Rect, Size};
use std::time::Instant;

/// Opens the screen of a lesson, which is then told its size and looks; or says why it cannot be shown here.
pub type OpenLesson = Box<dyn Fn() -> Result<Box<dyn Screen>, String>>;

pub struct Lesson {
    pub title: &'static str,
    /// What is to be seen, in at most three lines of 78 letters.
    pub text: String,
    /// Which keys to press, in a line.
    pub keys: String,
    /// Opens its screen.
    pub open: OpenLesson,
}

/// The live view of a session, before its size is known; with all panes, whatever was remembered.
pub fn live_lesson(session: Session) -> Box<dyn Screen> {
    Box::new(live::screen(session, Size::ZERO).unzoomed())
}

/// The smallest screen on which the sentences of all lessons are whole.
const LEAST: Size = Size { width: 80, height: 24 };

/// The letters of the tutorial, which no lesson gets.
const OWN_LETTERS: &[char] = &[' ', 'n', 'b', 'q'];

pub struct TutorialScreen {
    lessons: Vec<Lesson>,
    place: usize,
    /// How many lessons have been opened.
    seen: usize,
    size: Size,
    theme: Theme,
    /// Whether the mouse is used.
    mouse: bool,
    /// The screen of the lesson, or why there is none; nothing before the size is known.
    shown: Option<Result<Box<dyn Screen>, String>>,
}

impl TutorialScreen {
    /// The tutorial before its first lesson.
    ///
    /// # Panics
    /// If there is no lesson.
    pub fn new(lessons: Vec<Lesson>, theme: Theme) -> TutorialScreen {
        assert!(!lessons.is_empty(), "there is a lesson");
        TutorialScreen { lessons, place: 0, seen: 0, size: Size::ZERO, theme, mouse: false, shown: None }
    }

    /// The number of the lesson, counted from 0.
    pub fn place(&self) -> usize {
        self.place
    }

    /// How many lessons have been seen.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// The size of the screen of a lesson.
    fn room(&self) -> Size {
        Size { height: self.size.height.saturating_sub(CAPTION_LINES), ..self.size }
    }

    /// Opens the lesson at `place`, which begins anew.
    fn open(&mut self, place: usize) {
        self.place = place;
        self.seen = self.seen.max(place + 1);
        // The run of the lesson before is told to end first.
        self.shown = None;
        let opened = (self.lessons[place].open)();
        self.shown = Some(opened.map(|mut screen| {
            screen.take(ScreenEvent::Taken(OWN_LETTERS));
            screen.take(ScreenEvent::Resized(self.room()));
            screen.take(ScreenEvent::Looks(self.theme, self.mouse));
            screen
        }));
    }

    /// The screen of the lesson, if it is open.
    fn lesson(&self) -> Option<&dyn Screen> {
        self.shown.as_ref()?.as_deref().ok()
    }

    fn inner(&mut self) -> Option<&mut Box<dyn Screen>> {
        self.shown.as_mut()?.as_mut().ok()
    }

    /// What an effect of the lesson's screen is for the session: such a screen does not end the tutorial.
    fn of_lesson(effect: Effect) -> Effect {
        match effect {
            Effect::Leave | Effect::Close | Effect::Quit => Effect::Stay,
            effect => effect,
        }
    }

    fn own_key(&mut self, key: KeyEvent) -> Option<Effect> {
        if key.modifiers != KeyModifiers::NONE {
            return None;
        }
        match key.code {
            KeyCode::Char(' ' | 'n') if self.place + 1 == self.lessons.len() => Some(Effect::Leave),
            KeyCode::Char(' ' | 'n') => {
                self.open(self.place + 1);
                Some(Effect::Stay)
            }
            KeyCode::Char('b') => {
                self.open(self.place.saturating_sub(1));
                Some(Effect::Stay)
            }
            KeyCode::Char('q') => Some(Effect::Leave),
            _ => None,
        }
    }
}

impl Screen for TutorialScreen {
    fn take(&mut self, msg: ScreenEvent) -> Effect {
        let msg = match msg {
            ScreenEvent::Resized(size) => {
                self.size = size;
                if self.shown.is_none() {
                    self.open(self.place);
                    return Effect::Stay;
                }
                ScreenEvent::Resized(self.room())
            }
            ScreenEvent::Key(key) => {
                let is_own = !self.inner().is_some_and(|screen| screen.takes_keys());
                match is_own.then(|| self.own_key(key)).flatten() {
                    Some(effect) => return effect,
                    None => ScreenEvent::Key(key),
                }
            }
            ScreenEvent::Mouse(event) => match event.row.checked_sub(CAPTION_LINES) {
                Some(row) => ScreenEvent::Mouse(MouseEvent { row, ..event }),
                None => return Effect::Stay,
            },
            ScreenEvent::Looks(theme, mouse) => {
                (self.theme, self.mouse) = (theme, mouse);
                ScreenEvent::Looks(theme, mouse)
            }
            msg => msg,
        };
        self.inner().map_or(Effect::Stay, |screen| TutorialScreen::of_lesson(screen.take(msg)))
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let (area, room) = (frame.area(), self.room());
        let buf = frame.buffer_mut();
        if self.size.width < LEAST.width || self.size.height < LEAST.height {
            let Size { width, height } = LEAST;
            return put_reason(
                buf,
                area,
                self.theme,
                &format!("the tutorial needs {width}x{height}: enlarge the screen"),
            );
        }
        let caption = Rect { height: CAPTION_LINES.min(area.height), ..area };
        draw_caption(buf, caption, self.theme, &self.lessons[self.place], self.place, self.lessons.len());
        let below = Rect::new(area.x, caption.bottom(), room.width, room.height).intersection(area);
        match &self.shown {
            Some(Ok(screen)) => {
                let inside = drawn(room, |frame| screen.draw(frame));
                for Position { x, y } in below.positions() {
                    buf[(x, y)] = inside[(x - below.x, y - below.y)].clone();
                }
            }
            Some(Err(why)) => put_reason(buf, below, self.theme, why),
            None => {}
        }
    }

    fn due(&self) -> Option<Instant> {
        self.lesson()?.due()
    }

    fn tick(&mut self, now: Instant) -> Effect {
        self.inner().map_or(Effect::Stay, |screen| TutorialScreen::of_lesson(screen.tick(now)))
    }

    fn has_work_left(&self) -> bool {
        self.lesson().is_some_and(|screen| screen.has_work_left())
    }

    fn clip(&self) -> Option<Clip> {
        Some(match self.lesson()?.clip()? {
            Clip::Part(what, part) => Clip::Part(what, Rect { y: part.y + CAPTION_LINES, ..part }),
            text => text,
        })
    }

    fn opened(&mut self) -> Option<Box<dyn Screen>> {
        self.inner()?.opened()
    }

    fn uncovered(&mut self) {
        let room = self.room();
        if let Some(screen) = self.inner() {
            screen.take(ScreenEvent::Resized(room));
            screen.uncovered();
        }
    }
}

/// Shows the lessons until the user leaves or a signal arrives. Returns which it was, and how many lessons were seen.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn show(lessons: Vec<Lesson>) -> Result<(Exit, usize), UiError> {
    let mut tutorial = TutorialScreen::new(lessons, Look::of_terminal().theme());
    let exit = TerminalSession::enter()?.show(&mut tutorial)?;
    Ok((exit, tutorial.seen()))
}

/// Lines of a caption: the title, three lines of text, one of keys, and a line below.
pub const CAPTION_LINES: u16 = 6;
/// The keys of the tutorial, and those of its last lesson.
const KEYS: &str = "space n next  b back  q out";
const LAST_KEYS: &str = "space n end  b back  q out";

/// Draws the caption of lesson `place`, counted from 0, of so many.
fn draw_caption(buf: &mut Buffer, area: Rect, theme: Theme, lesson: &Lesson, place: usize, all: usize) {
    let title = format!("{} of {all}  {}", place + 1, lesson.title);
    let x = put(buf, area, area.x + 1, area.y, &title, theme.style(Role::Strong));
    let keys = if place + 1 == all { LAST_KEYS } else { KEYS };
    let keys_at = area.right().saturating_sub(keys.len() as u16 + 1);
    if keys_at > x {
        put(buf, area, keys_at, area.y, keys, theme.style(Role::Focus));
    }
    let width = usize::from(area.width.saturating_sub(2));
    let lines = wrapped(&lesson.text, width).into_iter().map(|line| (line, Role::Text)).take(3);
    let last = (lesson.keys.clone(), Role::Hired);
    for (y, (line, role)) in (area.y + 1..area.bottom().saturating_sub(1)).zip(lines.chain([last])) {
        put(buf, area, area.x + 1, y, &line, theme.style(role));
    }
    let below = theme.glyphs().border.horizontal_top.repeat(area.width.into());
    put(buf, area, area.x, area.bottom() - 1, &below, theme.style(Role::Border));
}

#[cfg(test)]
mod tests {
    use super::{OpenLesson, *};
    use std::cell::RefCell;
    use std::rc::Rc;

    /// A screen that notes what it is given, and has a letter.
    struct Noted(char, Rc<RefCell<Vec<String>>>);

    /// The letter of a screen to which every key belongs.
    const OPEN: char = 'o';

    impl Screen for Noted {
        fn takes_keys(&self) -> bool {
            self.0 == OPEN
        }

        fn opened(&mut self) -> Option<Box<dyn Screen>> {
            Some(Box::new(Noted(self.0, Rc::clone(&self.1))))
        }

        fn has_work_left(&self) -> bool {
            self.0 == OPEN
        }

        fn clip(&self) -> Option<Clip> {
            let part = Clip::Part("a pane".to_owned(), Rect::new(2, 3, 4, 5));
            Some(if self.0 == OPEN { Clip::Text("a text".to_owned(), "all of it".to_owned()) } else { part })
        }

        fn take(&mut self, msg: ScreenEvent) -> Effect {
            self.1.borrow_mut().push(format!("{} {msg:?}", self.0));
            Effect::Quit
        }

        fn draw(&self, frame: &mut Frame<'_>) {
            let area = frame.area();
            frame.buffer_mut().set_string(
                0,
                area.height - 1,
                self.0.to_string().repeat(area.width.into()),
                ratatui::style::Style::new(),
            );
        }
    }

    fn key(letter: char) -> ScreenEvent {
        ScreenEvent::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE))
    }

    #[test]
    fn its_keys_turn_the_pages_and_the_others_are_those_of_the_lesson() {
        let notes = Rc::new(RefCell::new(Vec::new()));
        let lesson = |letter, fails: bool| {
            let notes = Rc::clone(&notes);
            let open: OpenLesson = Box::new(move || {
                if fails {
                    Err("not on this machine".to_owned())
                } else {
                    Ok(Box::new(Noted(letter, Rc::clone(&notes))))
                }
            });
            Lesson { title: "a title", text: "some text".to_owned(), keys: "press x".to_owned(), open }
        };
        let theme = Theme::from_env(|_| None);
        let mut tutorial = TutorialScreen::new(vec![lesson('x', false), lesson('y', true), lesson('z', false)], theme);
        let size = LEAST;
        let text = |tutorial: &TutorialScreen| {
            let drawn = drawn(size, |frame| tutorial.draw(frame));
            crate::ui::save::text_of(&drawn, drawn.area)
        };
        tutorial.take(ScreenEvent::Resized(size));
        assert!(
            text(&tutorial).starts_with(" 1 of 3  a title ")
                && text(&tutorial).ends_with(&format!("{}\n", "x".repeat(80)))
        );
        // What is copied is what the pane of the lesson shows, which is below the caption.
        let below = Rect::new(2, 3 + CAPTION_LINES, 4, 5);
        assert_eq!(tutorial.clip(), Some(Clip::Part("a pane".to_owned(), below)));
        assert!(!tutorial.has_work_left());
        // No key of the lesson ends the tutorial.
        assert!(matches!(tutorial.take(key('p')), Effect::Stay));
        assert!(notes.borrow().last().is_some_and(|note| note.starts_with("x Key")), "{notes:?}");
        assert!(notes.borrow()[0].contains("Taken([' ', 'n', 'b', 'q'])"), "{notes:?}");
        assert!(notes.borrow()[1].contains("height: 18"), "{notes:?}");
        tutorial.take(key(' '));
        assert!(text(&tutorial).contains("not on this machine"), "{}", text(&tutorial));
        assert_eq!(tutorial.clip(), None);
        tutorial.take(key('n'));
        assert!(text(&tutorial).contains("3 of 3") && tutorial.place() == 2);
        assert!(tutorial.opened().is_some(), "a screen that a lesson opens is opened");
        // Every lesson has the looks of the terminal, not only the first one.
        assert!(notes.borrow().iter().any(|note| note.starts_with("z Looks") && note.contains("Sixteen")), "{notes:?}");
        tutorial.take(key('b'));
        assert_eq!((tutorial.place(), tutorial.seen()), (1, 3));
        tutorial.take(key(' '));
        assert!(matches!(tutorial.take(key(' ')), Effect::Leave));
        assert!(matches!(tutorial.take(key('q')), Effect::Leave));
        // Where a line is typed, every letter is part of it.
        let mut typing = TutorialScreen::new(vec![lesson(OPEN, false)], theme);
        typing.take(ScreenEvent::Resized(size));
        assert!(matches!(typing.clip(), Some(Clip::Text(..))) && typing.has_work_left());
        for letter in [' ', 'n', 'b', 'q'] {
            assert!(matches!(typing.take(key(letter)), Effect::Stay));
            assert!(notes.borrow().last().is_some_and(|note| note.contains(&format!("Char({letter:?})"))), "{notes:?}");
        }
        typing.take(ScreenEvent::Resized(Size { width: 40, height: 10 }));
        assert!(text(&typing).contains("the tutorial needs 80x24"));
    }
}
