//! The model of the view of a count, and its updates. This file uses no clock, channel or terminal.

use super::layout::{CountLayout, CountPane, CountRoom};
use super::words::{WORDS, name};
use crate::board::{Board, Square};
use crate::count::{CountPhase, CountQuestion, CountSnapshot, processing_order};
use crate::run::{Answered, Body, End, Frame, Moment};
use crate::ui::kit::history::History;
use crate::ui::kit::keys::Action;
use crate::ui::kit::screen_keys::{Keys, TimeView, Timeline, line};
use crate::ui::kit::{Clip, PaneFocus, Playback, ScreenMessage, ScreenMsg, Sheet, StageWish, Surface, heat};
use crate::ui::playing::RunModel;
use crate::words;
use ratatui::layout::Rect;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::time::Duration;

/// The key table of the view of a count.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Zoom], "zoom the pane, and back", "zoom"),
        line(&[Action::NextPane, Action::PreviousPane], "next pane, pane before", "pane"),
        line(&[Action::Larger, Action::Smaller], "charts: less time, more", ""),
        line(&[Action::Detach], "leave a count that goes on", "").only(&[TimeView::Now, TimeView::Past]),
        line(PANES, "zoom the pane so numbered", ""),
    ],
    times: &[],
    timeline: Timeline::Frames,
    words: WORDS,
};

/// The digit keys of the panes.
const PANES: &[Action] = &[Action::Digit(1), Action::Digit(2), Action::Digit(3), Action::Digit(4), Action::Digit(5)];

/// All that the view of a count shows.
pub struct CountModel {
    /// The question of the count.
    pub question: CountQuestion,
    /// The squares in the order in which the sweep in work processes them, on the board with its short side across.
    pub order: Vec<Square>,
    /// The board with its short side across.
    pub board: Board,
    /// The latest snapshot.
    pub seen: CountSnapshot,
    /// The time in seconds at which counting started; `None` during planning.
    pub began_s: Option<f64>,
    /// States a second.
    pub pace: CountPace,
    /// The charts over time.
    pub history: History,
    /// All frames of the count, and the moment that is shown.
    pub playback: Playback,
    /// The pane that has the focus.
    pub focus: PaneFocus<CountPane>,
    /// The state that all screens share.
    pub surface: Surface,
}

/// The position of a square relative to the frontier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrontierPlace {
    /// Processed: only the numbers of tours through the square remain.
    Behind,
    /// Being processed.
    Now,
    /// A knight's move away from a processed square: the states describe these squares.
    Frontier,
    /// Not reached yet.
    Ahead,
}

impl CountModel {
    /// The model of a count by `threads` threads before its first frame.
    pub fn new(question: &CountQuestion, threads: usize, surface: Surface) -> CountModel {
        let (board, order) = processing_order(question, 0);
        CountModel {
            question: *question,
            order,
            board,
            seen: CountSnapshot { threads: vec![Default::default(); threads], ..CountSnapshot::default() },
            began_s: None,
            pace: CountPace::default(),
            history: History::default(),
            playback: Playback::default(),
            focus: PaneFocus::on(CountPane::Rows),
            surface,
        }
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<CountLayout> {
        let wanted = CountRoom {
            threads: self.seen.threads.len(),
            board: (self.board.rows(), self.board.cols()),
            answered: self.answer().is_some(),
            zoom: self.focus.zoom(),
        };
        CountLayout::of(self.playback.above(self.surface.screen), wanted)
    }

    /// The visible part of the board in the pane `sweep`, around the current square; the first line of the pane is
    /// for text. `None` if the pane is not visible.
    pub fn sheet(&self, layout: &CountLayout) -> Option<Sheet> {
        let inner = layout.panes.inner(CountPane::Sweep)?;
        let room = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
        let sheet = heat::sheet(room, self.board, 1, self.surface.theme, false, (0, 0));
        let last = self.order.len() - 1;
        let square = self.board.row_col(self.order[self.seen.square.min(last)]);
        // At the top, so that the rows of the board stand beside the rows of states.
        let area = Rect { y: room.y, ..sheet.area };
        Some(Sheet { from: sheet.following(square), area, ..sheet })
    }

    /// The position of a square relative to the frontier. Computed for single squares, because a board may have far
    /// more squares than a screen shows.
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

    /// The number of squares on the frontier, the current one included. All lie in its row or in the next two rows.
    pub fn frontier(&self) -> usize {
        let cols = self.board.cols() as usize;
        let first = (self.seen.square / cols * cols).min(self.order.len());
        let rows = &self.order[first..(first + 3 * cols).min(self.order.len())];
        rows.iter()
            .filter(|&&square| matches!(self.place(square), FrontierPlace::Frontier | FrontierPlace::Now))
            .count()
    }

    /// The index of a square in processing order, from 0. Rows are processed one after the other.
    fn number(&self, square: Square) -> usize {
        let cols = self.board.cols() as usize;
        let row = self.board.row_col(square).0 as usize * cols;
        row + self.order[row..row + cols].iter().position(|&other| other == square).unwrap_or(cols)
    }

    /// The result, if it is known at the moment shown.
    pub fn answer(&self) -> Option<&Answered> {
        if let Some(End::Count(answer)) = self.playback.end_shown() { Some(answer) } else { None }
    }

    /// The share of states that are stored, 0..=1; 1 once the result is known.
    pub fn done(&self) -> f64 {
        if self.answer().is_some() { 1.0 } else { words::share(self.seen.states, self.seen.states_planned) }
    }

    /// The number of states that the threads have stored, without those of a checkpoint.
    pub fn stored(&self) -> u64 {
        // What was read of a forged recording may be any number.
        self.seen.threads.iter().fold(0, |sum, thread| sum.saturating_add(thread.states))
    }

    /// The share of the counting time in which a thread was busy.
    pub fn busy_share(&self, thread: usize) -> Option<f64> {
        let counted_s = self.seen.elapsed_s - self.began_s?;
        (counted_s > 0.0).then(|| (self.seen.threads[thread].busy_s / counted_s).min(1.0))
    }

    /// The number of threads that work on a context.
    pub fn busy(&self) -> usize {
        self.seen.threads.iter().filter(|thread| thread.context.is_some()).count()
    }

    fn sampled(&mut self, now: CountSnapshot) {
        let again = (now.phase, now.pass, now.sweep) != (self.seen.phase, self.seen.pass, self.seen.sweep);
        if again && self.began_s.is_some() {
            self.history.mark('s');
        }
        if now.phase != CountPhase::Planning && self.began_s.is_none() {
            self.began_s = Some(now.elapsed_s);
        }
        if now.sweep != self.seen.sweep {
            (self.board, self.order) = processing_order(&self.question, now.sweep);
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
        let layout = self.layout();
        let is_shown = |pane| layout.as_ref().is_some_and(|layout| layout.panes.rect(pane).is_some());
        match action {
            action if self.focus.perform(action, is_shown) => {}
            Action::Larger | Action::Smaller => {
                self.surface.say(self.history.zoom_and_say(action == Action::Larger));
            }
            Action::Detach if self.playback.goes_on_alone() => return Some(StageWish::Leave),
            Action::Detach => {
                self.surface
                    .complain("a count cannot be left and go on: begin it with --detach, then see it by attach");
            }
            other => return self.surface.perform(other),
        }
        None
    }
}

impl RunModel for CountModel {
    type Effect = StageWish;

    fn takes_keys(&self) -> bool {
        self.surface.takes_keys()
    }

    fn playback(&self) -> &Playback {
        &self.playback
    }

    fn playback_mut(&mut self) -> &mut Playback {
        &mut self.playback
    }

    fn show(&mut self, frame: &Frame) {
        if let Body::Count(seen) = &frame.body {
            self.sampled((**seen).clone());
        }
    }

    fn show_moment(&mut self, from: Option<Moment>) {
        let playback = std::mem::take(&mut self.playback);
        if from.is_none() {
            (self.pace, self.began_s) = (CountPace::default(), None);
            self.history.clear();
        }
        let to = playback.shown().unwrap_or_else(|| playback.past().last());
        playback.past().frames_between(from, to).for_each(|frame| self.show(frame));
        self.playback = playback;
    }

    fn show_end(&mut self, end: &End) -> bool {
        // Zoom ends so that the result is visible.
        self.focus.zoomed &= !matches!(end, End::Count(_));
        matches!(end, End::Count(_) | End::Cut)
    }

    fn clip(&self) -> Option<Clip> {
        let layout = self.layout()?;
        let inner = layout.panes.inner(self.focus.pane)?;
        Some(Clip::Part(name(self.focus.pane).to_owned(), inner))
    }

    fn handle(&mut self, msg: ScreenMsg) -> Option<StageWish> {
        update(self, msg)
    }
}

/// Updates the model from an event; returns a wish for the stage, if any.
pub fn update(model: &mut CountModel, msg: ScreenMsg) -> Option<StageWish> {
    match model.playback.handle(msg, &mut model.surface, &KEYS, model.focus.zoomed) {
        ScreenMessage::Nothing => {}
        ScreenMessage::Asked(Action::Quit) if model.playback.is_at_stake() => {
            model.surface.ask("leave, and end the count?", Action::Quit);
        }
        ScreenMessage::Asked(action) | ScreenMessage::Agreed(action) => return model.perform(action),
        ScreenMessage::Moved(from) => model.show_moment(from),
        ScreenMessage::Clicked(at) => {
            let layout = model.layout();
            let panes = layout.iter().flat_map(|layout| &layout.panes.panes);
            if let Some(&(pane, _)) = panes.into_iter().find(|(_, rect)| rect.contains(at)) {
                model.focus.pane = pane;
            }
        }
    }
    None
}

/// Length of the averaging window, in seconds.
const WINDOW_S: f64 = 1.0;

/// The rate of states over the last second.
#[derive(Clone, Debug, Default)]
pub struct CountPace {
    /// Time in seconds since the start of the count, and states stored by then.
    window: VecDeque<(f64, u64)>,
}

impl CountPace {
    /// Adds a snapshot: `states` stored at `at_s` seconds. If the number is less than before, a new count has
    /// started, and the window restarts.
    pub fn take(&mut self, at_s: f64, states: u64) {
        if self.window.back().is_some_and(|&(_, before)| states < before) {
            self.window.clear();
        }
        self.window.push_back((at_s, states));
        while self.window.get(1).is_some_and(|&(second_s, _)| at_s - second_s >= WINDOW_S) {
            self.window.pop_front();
        }
    }

    /// States a second; `None` before the second snapshot.
    pub fn per_s(&self) -> Option<f64> {
        let (&(from_s, from), &(to_s, to)) = (self.window.front()?, self.window.back()?);
        (to_s > from_s).then(|| (to - from) as f64 / (to_s - from_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_the_mean_of_the_last_second_and_restarts_with_another_count() {
        let mut pace = CountPace::default();
        pace.take(0.5, 100);
        assert_eq!(pace.per_s(), None);
        for (at_s, states) in [(1.0, 200), (1.5, 400), (2.0, 600)] {
            pace.take(at_s, states);
        }
        assert_eq!(pace.per_s(), Some(400.0));
        pace.take(2.5, 600);
        assert_eq!(pace.per_s(), Some(200.0));
        pace.take(3.0, 10);
        assert_eq!(pace.per_s(), None);
        pace.take(3.5, 20);
        assert_eq!(pace.per_s(), Some(20.0));
    }
}
