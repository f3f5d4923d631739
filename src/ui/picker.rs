//! The picker: selects board, question, method, scheduler, threads and start square without leaving the program.
//!
//! ```text
//!  destrier  choose what to watch
//!
//!  board       8x8         type ROWSxCOLS, such as 6x6 or 3x10
//!  question  < search all >  every tour is counted
//!  ..
//! ╭ methods ─────────────────────────────────────────────────────────────────╮
//! │ brute         brute searches closed tours only; use path ..               │
//! │>path          open or closed tours by path extension ..                   │
//! ╰──────────────────────────────────────────────────────────────────────────╯
//!  enter start  esc back  arrows choose
//! ```
//!
//! It lists every method of [`SOLVERS`] for the kind of question, with the reason if a method refuses it. Every value is a
//! text, and `Picker::choice` reads them all: so a row is typed or chosen, and no row is handled apart.

use super::kit::keymap::written;
use super::kit::keys::Action;
use super::kit::{LinePart, Notice, Role, SCREEN_MIN, ScreenEvent, Theme, Turn, append, fit, put, too_small};
use super::screen::Screen;
use crate::board::{Board, BoardError, Ending};
use crate::find::Tie;
use crate::run::{Plan, Question};
use crate::schedule::{Scheduler, THREADS_MAX};
use crate::solve::{self, Method, Problem, Request, SOLVERS};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;
use ratatui::widgets::{Block, Paragraph, Widget, Wrap};
use std::cell::RefCell;
use std::rc::Rc;

/// Where the picker leaves its plan for the screen below.
pub type Chosen = Rc<RefCell<Option<Plan>>>;

/// Longest text of a row.
const TEXT_MAX: usize = 16;
const NAME_WIDTH: u16 = 11;
const VALUE_WIDTH: u16 = 20;
/// Lines for the description of the selected method.
const ABOUT_HEIGHT: u16 = 3;

/// The rows, by their places.
const BOARD: usize = 0;
const QUESTION: usize = 1;
const ENDING: usize = 2;
const METHOD: usize = 3;
const START: usize = 4;
const TIE: usize = 5;
const SCHEDULER: usize = 6;
const THREADS: usize = 7;
const NAMES: [&str; 8] = ["board", "question", "tours", "method", "start", "tie-break", "scheduler", "threads"];

const SEARCH: &str = "search all";
const FIND: &str = "find one";
const OWN_TIE: &str = "the method's own";

/// A value that a row can have.
#[derive(Clone, Debug)]
struct Choice {
    name: String,
    about: String,
    /// Why a method refuses the question, if it does.
    refusal: Option<String>,
}

impl Choice {
    fn new(name: impl ToString, about: impl Into<String>) -> Choice {
        Choice { name: name.to_string(), about: about.into(), refusal: None }
    }
}

/// The picker as a screen.
pub struct Picker {
    /// The plan that the form began with; its hand-over rule and time limit stay.
    before: Plan,
    values: [String; NAMES.len()],
    /// What each row can be; of a row that is typed, what to type.
    choices: [Vec<Choice>; NAMES.len()],
    /// The selected row.
    row: usize,
    /// Whether nothing was typed since the row was entered; if so, the first letter replaces the text.
    is_fresh: bool,
    notice: Option<Notice>,
    theme: Theme,
    chosen: Chosen,
}

impl Picker {
    /// A picker that starts with the current plan.
    pub fn new(plan: &Plan, theme: Theme, chosen: Chosen) -> Picker {
        let question = &plan.question;
        let tie = if let Question::Find(_, request) = question { request.tie } else { None };
        let values = [
            question.board().to_string(),
            if question.finds() { FIND } else { SEARCH }.to_owned(),
            question.ending().name().to_owned(),
            question.method().to_owned(),
            question.start().map_or_else(String::new, |start| question.board().name(start)),
            tie.map_or(OWN_TIE.to_owned(), |tie| tie.to_string()),
            plan.scheduler.name().to_owned(),
            plan.threads.to_string(),
        ];
        let ties = [OWN_TIE.to_owned()].into_iter().chain(Tie::ALL.map(|tie| tie.to_string()));
        let choices = [
            vec![Choice::new("", "type ROWSxCOLS, such as 6x6 or 3x10")],
            vec![Choice::new(SEARCH, "every tour is counted"), Choice::new(FIND, "attempts race for one tour")],
            vec![
                Choice::new(Ending::Closed.name(), "the last square is a move from the first"),
                Choice::new(Ending::Open.name(), "the last square may be anywhere"),
            ],
            Vec::new(),
            vec![Choice::new("", "type a square, such as a1; empty: any")],
            ties.map(|tie| Choice::new(tie, "decides between squares of the same rank")).collect(),
            Scheduler::ALL.map(|scheduler| Choice::new(scheduler.name(), scheduler.summary())).into(),
            vec![Choice::new("", format!("type a number, 1 to {THREADS_MAX}"))],
        ];
        let before = plan.clone();
        let mut picker = Picker { before, values, choices, row: BOARD, is_fresh: true, notice: None, theme, chosen };
        picker.offer();
        picker
    }

    fn finds(&self) -> bool {
        self.values[QUESTION] == FIND
    }

    /// The rows that the question needs.
    fn rows(&self) -> impl DoubleEndedIterator<Item = usize> {
        let other = if self.finds() { SCHEDULER } else { TIE };
        (BOARD..=THREADS).filter(move |&row| row != other)
    }

    /// Whether the selected row is typed; otherwise a value is selected.
    fn is_typed(&self) -> bool {
        matches!(self.row, BOARD | START | THREADS)
    }

    /// The place of the value of a row among its choices; 0 of a row that is typed.
    fn place(&self, row: usize) -> usize {
        self.choices[row].iter().position(|choice| choice.name == self.values[row]).unwrap_or(0)
    }

    fn hint(&self, row: usize) -> String {
        let Choice { about, refusal, .. } = &self.choices[row][self.place(row)];
        refusal.as_ref().map_or_else(|| about.clone(), |reason| format!("not now: {reason}"))
    }

    /// Asks every method of the kind whether it accepts the question.
    fn offer(&mut self) {
        let finds = self.finds();
        let of_kind = SOLVERS.iter().filter(|method| matches!(method, Method::Find(_)) == finds);
        let offers = of_kind.map(|method| {
            let refusal = self.question(method.name()).ok().and_then(|question| question.refusal());
            Choice { refusal, ..Choice::new(method.name(), method.summary()) }
        });
        self.choices[METHOD] = offers.collect();
    }

    fn question(&self, method: &str) -> Result<Question, String> {
        let board: Board = self.values[BOARD].trim().parse().map_err(|error: BoardError| error.to_string())?;
        let start = Some(self.values[START].trim()).filter(|name| !name.is_empty());
        let start = start.map(|name| board.parse_square(name)).transpose().map_err(|error| error.to_string())?;
        let ending = if self.values[ENDING] == Ending::Open.name() { Ending::Open } else { Ending::Closed };
        let missing = || format!("no method is called {method}");
        if self.finds() {
            let finder = solve::finder_by_name(method).ok_or_else(missing)?;
            let tie = self.values[TIE].parse().ok();
            return Ok(Question::Find(finder, Request { start, tie, ..Request::new(board, ending) }));
        }
        let solver = solve::solver_by_name(method).ok_or_else(missing)?;
        Ok(Question::Search(solver, Problem { start, ..Problem::new(board, ending) }))
    }

    /// The plan that the form describes, or a sentence that says what is wrong.
    fn choice(&self) -> Result<Plan, String> {
        let question = self.question(&self.values[METHOD])?;
        if let Some(refusal) = question.refusal() {
            return Err(refusal);
        }
        let typed = &self.values[THREADS];
        let threads = typed.trim().parse().ok().filter(|threads| (1..=THREADS_MAX).contains(threads));
        let threads = threads.ok_or_else(|| format!("'{typed}' is not a number of threads: 1 to {THREADS_MAX}"))?;
        let scheduler = Scheduler::ALL[self.place(SCHEDULER)];
        let threads = if !self.finds() && scheduler == Scheduler::Serial { 1 } else { threads };
        let Plan { hand_over, deadline, .. } = self.before;
        Ok(Plan { scheduler, hand_over, deadline, ..Plan::of(question, threads) })
    }

    /// Selects the row above or below.
    fn go(&mut self, by: isize) {
        let rows: Vec<usize> = self.rows().collect();
        let at = rows.iter().position(|&row| row == self.row).unwrap_or(0);
        self.row = rows[at.saturating_add_signed(by).min(rows.len() - 1)];
        self.is_fresh = true;
    }

    /// Selects the choice before or after, in a circle.
    fn turn(&mut self, by: isize) {
        if self.is_typed() {
            return;
        }
        let choices = &self.choices[self.row];
        let at = (self.place(self.row) as isize + by).rem_euclid(choices.len() as isize) as usize;
        self.values[self.row] = choices[at].name.clone();
        if self.row == METHOD {
            return;
        }
        self.offer();
        // The method selected for another question may refuse this one; then the first that accepts it is selected.
        let offers = &self.choices[METHOD];
        let accepts = |choice: &&Choice| choice.refusal.is_none();
        if !offers.iter().filter(accepts).any(|choice| choice.name == self.values[METHOD]) {
            self.values[METHOD] = offers.iter().find(accepts).unwrap_or(&offers[0]).name.clone();
        }
    }

    fn write(&mut self, letters: &str) {
        let value = &mut self.values[self.row];
        if std::mem::take(&mut self.is_fresh) {
            value.clear();
        }
        letters.chars().for_each(|letter| append(value, letter, TEXT_MAX));
        self.offer();
    }

    /// Handles a key: on a typed row, a letter is only a letter.
    fn press(&mut self, key: KeyEvent) -> Turn {
        let action = Action::of(key);
        match action {
            Some(Action::Interrupt) => return Turn::Interrupt,
            Some(Action::Redraw) => return Turn::Redraw,
            Some(Action::Suspend) => return Turn::Suspend,
            _ => self.notice = None,
        }
        match (key.code, action) {
            (KeyCode::Char(letter), _)
                if self.is_typed() && key.modifiers.difference(KeyModifiers::SHIFT).is_empty() =>
            {
                self.write(letter.encode_utf8(&mut [0; 4]));
            }
            (KeyCode::Backspace, _) if self.is_typed() => {
                self.is_fresh = false;
                self.values[self.row].pop();
                self.offer();
            }
            (KeyCode::Enter, _) => match self.choice() {
                Ok(plan) => {
                    self.chosen.replace(Some(plan));
                    return Turn::Leave;
                }
                Err(text) => self.notice = Some(Notice { text, bad: true }),
            },
            (_, Some(Action::Up | Action::PreviousPane)) => self.go(-1),
            (_, Some(Action::Down | Action::NextPane)) => self.go(1),
            (_, Some(Action::Left)) => self.turn(-1),
            (_, Some(Action::Right)) => self.turn(1),
            (_, Some(Action::Quit | Action::Close)) => return Turn::Leave,
            _ => self.notice = Some(Notice { text: format!("{} does nothing here", written(key)), bad: false }),
        }
        Turn::Stay
    }

    fn draw_row(&self, buf: &mut Buffer, area: Rect, row: usize) {
        let (here, theme) = (self.row == row, self.theme);
        let style = theme.style(if here { Role::Focus } else { Role::Label });
        put(buf, area, area.x + 1, area.y, NAMES[row], style);
        let value = &self.values[row];
        let shown = match (here, self.is_typed()) {
            (true, true) => format!(" {value}_"),
            (true, false) => format!("< {value} >"),
            (false, _) => format!("  {value}"),
        };
        let strong = theme.style(Role::Strong);
        let style = if here { strong.add_modifier(Modifier::REVERSED) } else { strong };
        put(buf, area, area.x + NAME_WIDTH, area.y, &shown, style);
        let hint = area.x + NAME_WIDTH + VALUE_WIDTH + 2;
        if here && hint + 10 < area.right() {
            put(buf, area, hint, area.y, &self.hint(row), theme.style(Role::Text));
        }
    }

    fn draw_methods(&self, buf: &mut Buffer, area: Rect) {
        let theme = self.theme;
        let block = Block::bordered()
            .border_set(theme.glyphs().border)
            .border_style(theme.style(Role::Border))
            .title(Span::styled(" methods ", theme.style(Role::Strong)));
        let inner = block.inner(area);
        block.render(area, buf);
        let (offers, chosen) = (&self.choices[METHOD], self.place(METHOD));
        let names = offers.iter().map(|offer| offer.name.len() as u16 + 3).max().unwrap_or(0);
        let list = Rect { height: inner.height.saturating_sub(ABOUT_HEIGHT).max(1), ..inner };
        let about =
            Rect { x: inner.x + 1, y: list.bottom(), width: inner.width - 2, height: inner.height - list.height };
        let hint = Paragraph::new(self.hint(METHOD)).wrap(Wrap { trim: true });
        hint.style(theme.style(Role::Text)).render(about, buf);
        // The selected method stays visible.
        let skipped = (chosen + 1).saturating_sub(usize::from(list.height));
        for (y, (at, offer)) in (list.y..list.bottom()).zip(offers.iter().enumerate().skip(skipped)) {
            let own = at == chosen;
            let (mark, refused) = if own { (">", Role::Bad) } else { (" ", Role::Idle) };
            let (name, text, role) = match &offer.refusal {
                Some(reason) => (Role::Idle, reason, refused),
                None => (Role::Text, &offer.about, Role::Label),
            };
            put(buf, inner, inner.x, y, mark, theme.style(Role::Focus));
            put(buf, inner, inner.x + 1, y, &offer.name, theme.style(if own { Role::Strong } else { name }));
            put(buf, inner, inner.x + names, y, text, theme.style(role));
        }
    }

    fn draw_footer(&self, buf: &mut Buffer, area: Rect) {
        let theme = self.theme;
        if let Some(notice) = &self.notice {
            let role = if notice.bad { Role::Bad } else { Role::Strong };
            put(buf, area, area.x + 1, area.y, &notice.text, theme.style(role));
            return;
        }
        let keys = [("enter", "start"), ("esc", "back"), ("arrows", "choose"), ("letters", "type")];
        let parts = keys.iter().zip((0..u8::MAX).rev()).map(|((key, word), worth)| {
            LinePart::new(worth).with(theme, Role::Strong, *key).with(theme, Role::Label, format!(" {word}"))
        });
        let line = fit(parts.collect(), area.width.saturating_sub(2), 2);
        line.render(Rect { x: area.x + 1, width: area.width - 1, ..area }, buf);
    }
}

impl Screen for Picker {
    fn take(&mut self, msg: ScreenEvent) -> Turn {
        match msg {
            ScreenEvent::Key(key) => return self.press(key),
            ScreenEvent::Said(notice) => self.notice = Some(notice),
            ScreenEvent::Pasted(text) if self.is_typed() => {
                self.notice = None;
                self.write(&text);
            }
            ScreenEvent::Pasted(_) => self.notice = Some(Notice::paste_ignored()),
            ScreenEvent::Looks(theme, _) => self.theme = theme,
            ScreenEvent::Resized(_) | ScreenEvent::Passed(_) | ScreenEvent::Mouse(_) | ScreenEvent::Taken(_) => {}
        }
        Turn::Stay
    }

    fn opened(&mut self) -> Option<Box<dyn Screen>> {
        None
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let (area, theme) = (frame.area(), self.theme);
        let buf = frame.buffer_mut();
        if area.width < SCREEN_MIN.width || area.height < SCREEN_MIN.height {
            too_small(buf, area);
            return;
        }
        let x = put(buf, area, area.x + 1, area.y, "destrier", theme.style(Role::Focus));
        put(buf, area, x + 2, area.y, "choose what to watch", theme.style(Role::Strong));
        let rows: Vec<usize> = self.rows().collect();
        let roomy = area.height as usize >= rows.len() + 6;
        let top = area.y + if roomy { 2 } else { 1 };
        for (y, &row) in (top..).zip(&rows) {
            self.draw_row(buf, Rect { y, height: 1, ..area }, row);
        }
        let below = top + rows.len() as u16 + u16::from(roomy);
        let footer = area.bottom() - 1;
        if footer >= below + 4 {
            self.draw_methods(buf, Rect { y: below, height: footer - below, ..area });
        }
        self.draw_footer(buf, Rect { y: footer, height: 1, ..area });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picker() -> Picker {
        let solver = solve::solver_by_name("path").unwrap();
        let problem = Problem::new("8x8".parse().unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(solver, problem), 4);
        Picker::new(&plan, Theme::RICH, Chosen::default())
    }

    /// Presses keys; returns the plan that was started.
    fn press(picker: &mut Picker, keys: &[KeyCode]) -> Option<Plan> {
        keys.iter().for_each(|&key| drop(picker.take(ScreenEvent::Key(key.into()))));
        picker.chosen.take()
    }

    fn type_in(picker: &mut Picker, text: &str) {
        press(picker, &[KeyCode::Backspace; TEXT_MAX]);
        press(picker, &text.chars().map(KeyCode::Char).collect::<Vec<_>>());
    }

    fn notice(picker: &Picker) -> &str {
        picker.notice.as_ref().map_or("", |notice| &notice.text)
    }

    const DOWN: KeyCode = KeyCode::Down;
    const RIGHT: KeyCode = KeyCode::Right;

    #[test]
    fn the_plan_that_is_shown_is_started() {
        let choice = press(&mut picker(), &[KeyCode::Enter]).unwrap();
        assert_eq!((choice.question.method(), choice.threads), ("path", 4));
        let mut changed = picker();
        type_in(&mut changed, "6x6");
        // Down to the tours, open; down past the method to the start; down to scheduler and threads.
        press(&mut changed, &[DOWN, DOWN, RIGHT, DOWN, DOWN]);
        type_in(&mut changed, "a1");
        press(&mut changed, &[DOWN, KeyCode::Left, DOWN]);
        type_in(&mut changed, "12");
        let Plan { question, threads, scheduler, .. } = press(&mut changed, &[KeyCode::Enter]).unwrap();
        assert_eq!((question.board().to_string(), question.ending()), ("6x6".into(), Ending::Open));
        assert_eq!(question.start(), "6x6".parse::<Board>().unwrap().parse_square("a1").ok());
        // The serial scheduler always uses one thread.
        assert_eq!((scheduler, threads), (Scheduler::Serial, 1));
    }

    #[test]
    fn every_value_of_a_plan_is_kept() {
        let mut picker = picker();
        press(&mut picker, &[DOWN, RIGHT, DOWN, DOWN, DOWN, DOWN, RIGHT, RIGHT]);
        let plan = press(&mut picker, &[KeyCode::Enter]).unwrap();
        let again = Picker::new(&plan, Theme::RICH, Chosen::default());
        assert_eq!((&again.values, again.finds()), (&picker.values, true));
        let Question::Find(_, request) = plan.question else { panic!("a find") };
        assert_eq!(request.tie, Some(Tie::ALL[1]));
    }

    #[test]
    fn a_method_that_refuses_the_question_says_why_and_another_is_selected() {
        let mut picker = picker();
        press(&mut picker, &[DOWN, DOWN, DOWN]);
        let select_radley = |picker: &mut Picker| {
            while picker.values[METHOD] != "radley" {
                press(picker, &[RIGHT]);
            }
        };
        select_radley(&mut picker);
        press(&mut picker, &[KeyCode::Up, RIGHT]);
        let radley = picker.choices[METHOD].iter().find(|offer| offer.name == "radley").unwrap();
        assert!(radley.refusal.as_deref().unwrap().contains("closed tours only"));
        assert_eq!(picker.values[METHOD], "brute");
        press(&mut picker, &[DOWN]);
        select_radley(&mut picker);
        assert!(press(&mut picker, &[KeyCode::Enter]).is_none());
        assert!(picker.notice.as_ref().unwrap().bad && notice(&picker).contains("closed tours only"));
    }

    #[test]
    fn the_first_letter_replaces_the_text_and_the_next_are_appended() {
        let mut picker = picker();
        press(&mut picker, &"5x6".chars().map(KeyCode::Char).collect::<Vec<_>>());
        assert_eq!(picker.values[BOARD], "5x6");
        press(&mut picker, &[DOWN, KeyCode::Up, KeyCode::Backspace, KeyCode::Char('7')]);
        assert_eq!(picker.values[BOARD], "5x7");
    }

    #[test]
    fn a_text_is_pasted_on_a_row_that_is_typed() {
        let mut picker = picker();
        picker.take(ScreenEvent::Pasted("6x6\n\r".into()));
        assert_eq!((picker.values[BOARD].as_str(), notice(&picker)), ("6x6", ""));
        press(&mut picker, &[DOWN]);
        picker.take(ScreenEvent::Pasted("7".into()));
        assert_eq!((picker.row, picker.notice), (QUESTION, Some(Notice::paste_ignored())));
    }

    #[test]
    fn invalid_text_is_reported_and_nothing_starts() {
        for (row, text, error) in
            [(0, "8y8", "'8y8' is not a board"), (4, "j9", "'j9' is not on the board"), (6, "0", "1 to 4096")]
        {
            let mut picker = picker();
            press(&mut picker, &vec![DOWN; row]);
            type_in(&mut picker, text);
            assert!(press(&mut picker, &[KeyCode::Enter]).is_none());
            assert!(notice(&picker).contains(error), "{}", notice(&picker));
        }
    }
}
