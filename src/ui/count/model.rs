//! What the view of a count shows, and how it changes. Nothing here reads a clock, a channel or a terminal.

use super::keys::KEYS;
use super::layout::{CountLayout, CountPane, CountRoom};
use super::pace::CountPace;
use crate::board::{Board, Square};
use crate::count::{CountPhase, CountQuestion, CountSnapshot, processing_order};
use crate::run::Answered;
use crate::run::{Body, Frame, Moment};
use crate::ui::kit::Sheet;
use crate::ui::kit::history::History;
use crate::ui::kit::keys::Action;
use crate::ui::kit::{self, heat};
use crate::ui::kit::{Playback, ScreenMessage};
use crate::ui::kit::{StageWish, Surface};
use crate::words;
use ratatui::layout::Rect;
use std::cmp::Ordering;
use std::time::Duration;

/// Everything the screen shows.
pub struct CountModel {
    /// What is asked.
    pub question: CountQuestion,
    /// The squares in the order of their processing, on the board with its short side across.
    pub order: Vec<Square>,
    /// That board.
    pub board: Board,
    /// The latest moment.
    pub seen: CountSnapshot,
    /// Seconds that had passed when the counting began; nothing while it is being planned.
    pub began_s: Option<f64>,
    /// States a second.
    pub pace: CountPace,
    /// The past.
    pub history: History,
    /// The number, once it is known.
    pub answer: Option<Answered>,
    /// All that was seen of the count, and which moment of that is shown.
    pub course: Playback,
    /// How many frames the journal of the count could not take, if one is written.
    pub unrecorded: Option<u64>,
    /// The pane that `zoom` is about.
    pub focus: CountPane,
    /// Whether that has the whole screen.
    pub zoomed: bool,
    /// What all screens have.
    pub surface: Surface,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum CountMsg {
    /// What happens to every screen.
    Screen(kit::ScreenMsg),
    /// The count was looked at.
    Seen(Box<Frame>),
    /// The number is known.
    Answered(Box<Answered>),
}

/// Where the frontier is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrontierPlace {
    /// Processed: nothing is known any more but how many tours go through.
    Behind,
    /// Being processed.
    Now,
    /// A knight's move away from what is processed: what is known is about these squares.
    Frontier,
    /// Not met yet.
    Ahead,
}

impl CountModel {
    /// Before anything is known of a count by so many threads.
    pub fn new(question: &CountQuestion, threads: usize, surface: Surface) -> CountModel {
        let (board, order) = processing_order(question.board);
        CountModel {
            question: *question,
            order,
            board,
            seen: CountSnapshot { threads: vec![Default::default(); threads], ..CountSnapshot::default() },
            began_s: None,
            pace: CountPace::default(),
            history: History::default(),
            answer: None,
            course: Playback::default(),
            unrecorded: None,
            focus: CountPane::Rows,
            zoomed: false,
            surface,
        }
    }

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<CountLayout> {
        let wanted = CountRoom {
            threads: self.seen.threads.len(),
            board: (self.board.rows(), self.board.cols()),
            answered: self.answer().is_some(),
            zoom: self.zoomed.then_some(self.focus),
        };
        CountLayout::of(self.course.above(self.surface.screen), wanted)
    }

    /// The part of the board that is shown in the pane of the sweep, around the square in work; its first line is for
    /// words. Nothing where there is no such pane.
    pub fn sheet(&self, layout: &CountLayout) -> Option<Sheet> {
        let inner = layout.page.inner(layout.rect(CountPane::Sweep)?);
        let room = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
        let sheet = heat::sheet(room, self.board, 1, self.surface.theme, false, (0, 0));
        let last = self.order.len() - 1;
        let square = self.board.row_col(self.order[self.seen.square.min(last)]);
        // At the top, so that its rows stand beside those of the states.
        let area = Rect { y: room.y, ..sheet.area };
        Some(Sheet { from: sheet.following(square), area, ..sheet })
    }

    /// Where a square is. Asked square by square: a board may have far more of them than a screen.
    pub fn place(&self, square: Square) -> FrontierPlace {
        match self.number(square).cmp(&self.seen.square) {
            Ordering::Less => FrontierPlace::Behind,
            Ordering::Equal if self.seen.phase != CountPhase::Planning => FrontierPlace::Now,
            _ if self.board.neighbours(square).any(|next| self.number(next) < self.seen.square) => {
                FrontierPlace::Frontier
            }
            _ => FrontierPlace::Ahead,
        }
    }

    /// How many squares are on the frontier, the one in work among them: all lie in its row or the two after it.
    pub fn frontier(&self) -> usize {
        let cols = self.board.cols() as usize;
        let first = (self.seen.square / cols * cols).min(self.order.len());
        let rows = &self.order[first..(first + 3 * cols).min(self.order.len())];
        rows.iter()
            .filter(|&&square| matches!(self.place(square), FrontierPlace::Frontier | FrontierPlace::Now))
            .count()
    }

    /// Which square in the order of processing a square is, from 0. Rows are processed one after the other.
    fn number(&self, square: Square) -> usize {
        let cols = self.board.cols() as usize;
        let row = self.board.row_col(square).0 as usize * cols;
        row + self.order[row..row + cols].iter().position(|&other| other == square).unwrap_or(cols)
    }

    /// The number, where it is known by the moment that is shown.
    pub fn answer(&self) -> Option<&Answered> {
        self.answer.as_ref().filter(|_| self.course.shown().is_none_or(|shown| shown == self.course.past().last()))
    }

    /// The share of the states that are stored, 0..=1; all of them once the number is known.
    pub fn done(&self) -> f64 {
        if self.answer().is_some() { 1.0 } else { words::share(self.seen.states, self.seen.states_planned) }
    }

    /// States that the threads have stored; those that a checkpoint held already are not among them.
    pub fn stored(&self) -> u64 {
        self.seen.threads.iter().map(|thread| thread.states).sum()
    }

    /// The share of the time since the counting began that a thread was busy.
    pub fn busy_share(&self, thread: usize) -> Option<f64> {
        let counted_s = self.seen.elapsed_s - self.began_s?;
        (counted_s > 0.0).then(|| (self.seen.threads[thread].busy_s / counted_s).min(1.0))
    }

    /// How many threads are at work on a context.
    pub fn busy(&self) -> usize {
        self.seen.threads.iter().filter(|thread| thread.context.is_some()).count()
    }

    /// Shows a count that was recorded, from its beginning.
    pub fn replay(&mut self, course: Playback) {
        self.course = course;
        self.look(None);
    }

    /// Shows the moment that is asked for; what was shown up to the moment `from` is shown already.
    fn look(&mut self, from: Option<Moment>) {
        let course = std::mem::take(&mut self.course);
        if from.is_none() {
            (self.pace, self.began_s) = (CountPace::default(), None);
            self.history.clear();
        }
        let to = course.shown().unwrap_or_else(|| course.past().last());
        course.past().frames_between(from, to).for_each(|frame| self.take(frame));
        self.course = course;
    }

    fn take(&mut self, frame: &Frame) {
        if let Body::Count(seen) = &frame.body {
            self.sampled((**seen).clone());
        }
    }

    fn sampled(&mut self, now: CountSnapshot) {
        let again = (now.phase, now.pass, now.sweep) != (self.seen.phase, self.seen.pass, self.seen.sweep);
        if again && self.began_s.is_some() {
            self.history.mark('s');
        }
        if now.phase != CountPhase::Planning && self.began_s.is_none() {
            self.began_s = Some(now.elapsed_s);
        }
        self.seen = now;
        self.pace.take(self.seen.elapsed_s, self.stored());
        let at = Duration::try_from_secs_f64(self.seen.elapsed_s).unwrap_or_default();
        if self.began_s.is_some() && self.history.due(at) {
            let threads = self.seen.threads.len();
            let shares = (0..threads).map(|thread| self.busy_share(thread)).sum::<Option<f64>>();
            let share = shares.map(|sum| sum / threads.max(1) as f64);
            self.history.push(at, self.busy(), self.pace.per_s().unwrap_or(0.0), share);
        }
    }

    fn perform(&mut self, action: Action) -> Option<StageWish> {
        match action {
            Action::Close if self.zoomed && !self.surface.help => self.zoomed = false,
            Action::Zoom => self.zoomed = !self.zoomed,
            Action::Digit(key) => {
                let same = self.zoomed && self.focus.key() == key;
                self.zoomed = !same;
                self.focus = CountPane::ALL.into_iter().find(|pane| pane.key() == key).unwrap_or(self.focus);
            }
            Action::Larger | Action::Smaller => {
                self.surface.say(self.history.zoom_and_say(action == Action::Larger));
            }
            Action::NextPane => self.turn(true),
            Action::PreviousPane => self.turn(false),
            Action::Detach if self.course.goes_on_alone() => return Some(StageWish::Leave),
            Action::Detach => {
                self.surface
                    .complain("a count cannot be left and go on: begin it with --detach, then see it by attach");
            }
            other => return self.surface.perform(other),
        }
        None
    }

    /// Moves the focus to the next pane that is shown, or to the one before; while one is zoomed, of all.
    fn turn(&mut self, forward: bool) {
        let mut panes: Vec<CountPane> = match (self.zoomed, self.layout()) {
            (false, Some(layout)) => layout.panes.into_iter().map(|(pane, _)| pane).collect(),
            _ => CountPane::ALL.to_vec(),
        };
        if !forward {
            panes.reverse();
        }
        let next = panes.iter().position(|&pane| pane == self.focus).map_or(0, |at| at + 1);
        self.focus = panes.get(next).or(panes.first()).copied().unwrap_or(self.focus);
    }
}

/// Takes in what happened; answers what is wanted of the stage.
pub fn update(model: &mut CountModel, msg: CountMsg) -> Option<StageWish> {
    match msg {
        CountMsg::Screen(msg) => match model.course.hear(msg, &mut model.surface, &KEYS, model.zoomed) {
            ScreenMessage::Nothing => {}
            ScreenMessage::Asked(Action::Quit) if model.answer.is_none() && model.course.is_at_stake() => {
                model.surface.ask("leave, and end the count?", Action::Quit);
            }
            ScreenMessage::Asked(action) | ScreenMessage::Agreed(action) => return model.perform(action),
            ScreenMessage::Moved(from) => model.look(from),
        },
        CountMsg::Seen(frame) => {
            if model.course.shown().is_none() {
                model.take(&frame);
            }
            model.course.take(*frame);
        }
        CountMsg::Answered(answer) => {
            model.answer = Some(*answer);
            // It is to be seen.
            model.zoomed = false;
        }
    }
    None
}
