//! The model of the view of a count, and its updates. This file uses no clock, channel or terminal.
//!
//! Its panes:
//!
//! ```text
//! header    board, tours, convention; phase, states; progress, speed, time left
//! answer    when it is known
//! sweep     rows
//! threads              memory
//! history
//! footer    keys or a notice
//! ```
//!
//! On a small screen panes are dropped in this order: history, memory, sweep, threads, the frames. Each pane can
//! still be zoomed.

use super::history::History;
use super::view::{answer, view};
use crate::board::{Board, Square};
use crate::count::{CountPhase, CountQuestion, CountSnapshot, processing_order};
use crate::run::{Body, CountResult, End, Frame, Moment};
use crate::ui::kit::keys::{Action, digits};
use crate::ui::kit::screen_keys::{KeyList, Keys, TimeView, Timeline, line};
use crate::ui::kit::{
    Clip, Common, Effect, EventAnswer, Grid, Page, Pane, PaneFocus, PaneLayout, Playback, ScreenEvent, Sheet, UNITS,
    heat,
};
use crate::ui::playing::RunModel;
use crate::ui::screen::Model;
use crate::words;
use ratatui::Frame as Canvas;
use ratatui::layout::{Rect, Size};
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::time::Duration;

/// The key table of the view of a count.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::NextPane, Action::PreviousPane], "next pane, pane before", "pane"),
        line(&[Action::Zoom], "zoom the pane, and back", "zoom").or(&[Action::Open]),
        line(digits(CountPane::LIST.len()), "zoom the pane so numbered", "zoom a pane"),
        line(&[Action::Larger, Action::Smaller], "charts: less time, more", "less, more time").first_in(&["history"]),
        line(&[Action::Detach], "leave; the count goes on", "detach").only(&[TimeView::Now, TimeView::Past]),
    ],
    times: &[],
    timeline: Timeline::Frames,
    pane_key: CountPane::key_of,
    words: &[include_str!("help.txt"), UNITS],
};

/// All that the view of a count shows.
pub struct CountModel {
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
    pub focus: PaneFocus<CountPane>,
    /// The state that all screens share.
    pub common: Common,
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
    /// A square that the tours leave out.
    Hole,
}

impl CountModel {
    /// The keys at the time that is shown, for the pane with the focus.
    pub(super) fn keys(&self) -> KeyList {
        self.playback.keys(&KEYS).focused(self.focus.pane.name())
    }

    /// The model of a count by `threads` threads before its first frame.
    pub fn new(question: &CountQuestion, threads: usize, common: Common) -> CountModel {
        let (board, order) = processing_order(question, 0);
        CountModel {
            question: question.clone(),
            order,
            board,
            seen: CountSnapshot { threads: vec![Default::default(); threads], ..CountSnapshot::default() },
            began_s: None,
            pace: CountPace::default(),
            history: History::default(),
            playback: Playback::default(),
            focus: PaneFocus::on(CountPane::Rows),
            common,
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
        CountLayout::of(self.playback.above(self.common.screen), wanted)
    }

    /// The visible part of the board in the pane `sweep`, around the current square; the first line of the pane is
    /// for text. `None` if the pane is not visible.
    pub fn sheet(&self, layout: &CountLayout) -> Option<Sheet> {
        let inner = layout.panes.inner(CountPane::Sweep)?;
        let room = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
        let sheet = heat::sheet(room, self.board, 1, self.common.theme, false, (0, 0));
        let last = self.order.len() - 1;
        let square = self.board.row_col(self.order[self.seen.square.min(last)]);
        // At the top, so that the rows of the board stand beside the rows of states.
        let area = Rect { y: room.y, ..sheet.area };
        Some(Sheet { from: sheet.following(square), area, ..sheet })
    }

    /// The position of a square relative to the frontier. Computed for single squares, because a board may have far
    /// more squares than a screen shows.
    pub fn place(&self, square: Square) -> FrontierPlace {
        let Some(number) = self.number(square) else { return FrontierPlace::Hole };
        let is_behind = |next: Square| self.number(next).is_some_and(|next| next < self.seen.square);
        match number.cmp(&self.seen.square) {
            Ordering::Less => FrontierPlace::Behind,
            Ordering::Equal if self.seen.phase == CountPhase::Counting => FrontierPlace::Now,
            _ if self.board.neighbours(square).any(is_behind) => FrontierPlace::Frontier,
            _ => FrontierPlace::Ahead,
        }
    }

    /// The number of squares on the frontier, the current one included. All lie in its row or in the next two rows.
    pub fn frontier(&self) -> usize {
        let Some(&now) = self.order.get(self.seen.square) else { return 0 };
        let row = self.board.row_col(now).0;
        let rows = self.before_row(row)..self.before_row(row + 3);
        let is_on_it = |square: &&Square| matches!(self.place(**square), FrontierPlace::Frontier | FrontierPlace::Now);
        self.order[rows].iter().filter(is_on_it).count()
    }

    /// The index of a square in processing order, from 0; `None` of a hole.
    fn number(&self, square: Square) -> Option<usize> {
        let row = self.board.row_col(square).0;
        let (first, end) = (self.before_row(row), self.before_row(row + 1));
        self.order[first..end].iter().position(|&other| other == square).map(|place| first + place)
    }

    /// The number of squares that are processed before a row. Rows are processed one after the other.
    fn before_row(&self, row: u32) -> usize {
        self.order.partition_point(|&square| self.board.row_col(square).0 < row)
    }

    /// The result, if it is known at the moment shown.
    pub fn answer(&self) -> Option<&CountResult> {
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

    /// The states a second over all of the time, with the plan, of a count that has its answer.
    pub fn mean(&self) -> Option<f64> {
        self.answer().filter(|_| self.seen.states > 0).map(|_| self.seen.states as f64 / self.seen.elapsed_s.max(1e-9))
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

    fn perform(&mut self, action: Action) -> Effect {
        let layout = self.layout();
        let is_shown = |pane| layout.as_ref().is_some_and(|layout| layout.panes.rect(pane).is_some());
        match action {
            action if self.focus.perform(action, is_shown) => {}
            Action::Larger | Action::Smaller => {
                self.common.say(self.history.window.zoom_and_say(action == Action::Larger));
            }
            Action::Detach if self.playback.goes_on_alone() => return Effect::Leave,
            Action::Detach => {
                self.common.complain("a count cannot be left and go on: begin it with --detach, then see it by attach");
            }
            other => return self.common.perform(other),
        }
        Effect::Stay
    }
}

impl Model for CountModel {
    fn update(&mut self, msg: ScreenEvent) -> Effect {
        let keys = self.keys();
        match self.playback.handle(msg, &mut self.common, keys, self.focus.zoomed) {
            None | Some(EventAnswer::Passed(_)) => {}
            Some(EventAnswer::Asked(Action::Quit, _)) if self.playback.is_at_stake() => {
                self.common.ask("leave, and end the count?", Action::Quit);
            }
            Some(EventAnswer::Asked(action, _) | EventAnswer::Agreed(action)) => return self.perform(action),
            Some(EventAnswer::Moved(from)) => self.show_moment(from),
            Some(EventAnswer::Clicked(at)) => {
                let layout = self.layout();
                let panes = layout.iter().flat_map(|layout| &layout.panes.panes);
                if let Some(&(pane, _)) = panes.into_iter().find(|(_, rect)| rect.contains(at)) {
                    self.focus.pane = pane;
                }
            }
        }
        Effect::Stay
    }

    fn draw(&self, frame: &mut Canvas<'_>) {
        view(self, frame);
    }

    fn moving(&self) -> Option<Duration> {
        self.common.waits().or_else(|| self.playback.is_playing().then(|| self.frame_time()))
    }

    fn takes_keys(&self) -> bool {
        self.common.takes_keys() || self.playback.takes_keys()
    }

    /// The answer, or the text of the pane that fills the screen or has the focus.
    fn clip(&self) -> Option<Clip> {
        if let (Some(answer), None) = (self.answer(), self.focus.zoom()) {
            return Some(Clip::Text("the answer".to_owned(), answer::sentence(self, answer, usize::MAX) + "\n"));
        }
        let layout = self.layout()?;
        let inner = layout.panes.inner(self.focus.pane)?;
        Some(Clip::Part(KEYS.heading(self.focus.pane.name()), inner))
    }
}

impl RunModel for CountModel {
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

/// A pane of the view of a count, which can be focused and zoomed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CountPane {
    /// The board with the frontier.
    Sweep,
    /// The states of each row.
    Rows,
    Threads,
    /// Memory and counters.
    Memory,
    /// The charts over time.
    History,
}

/// The input of the layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountRoom {
    pub threads: usize,
    /// Rows and columns of the board, turned so that its short side is across.
    pub board: (u32, u32),
    /// Whether the result is known.
    pub answered: bool,
    /// The zoomed pane, which fills the screen.
    pub zoom: Option<CountPane>,
}

/// The positions of all parts of the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountLayout {
    /// The visible panes, with the page.
    pub panes: PaneLayout<CountPane>,
    /// The result, if it is shown.
    pub answer: Option<Rect>,
}

/// Least screen heights with frames, and with a third header line.
const FRAMED_HEIGHT: u16 = 16;
const TALL_HEIGHT: u16 = 20;
/// Height of the result, with a frame and without.
const ANSWER_HEIGHT: [u16; 2] = [9, 7];
/// Width of the pane `memory`, and least height of `memory` and `threads`, frame included.
const MEMORY_WIDTH: u16 = 30;
const LOWER_MIN: u16 = 8;
/// Least widths of `sweep` and of `rows` beside it, frames included.
const SWEEP_MIN: u16 = 19;
const ROWS_MIN: u16 = 38;
/// Least heights of `rows` and of `history`, frames included.
const UPPER_MIN: u16 = 9;
const HISTORY_MIN: u16 = 6;
/// Least screen width for `memory` beside `threads`.
const WIDE_WIDTH: u16 = 72;
/// Greatest height of a square, in lines.
const SQUARE_MAX: u16 = 4;

impl CountLayout {
    /// The layout; `None` if the screen is too small.
    pub fn of(screen: Size, wanted: CountRoom) -> Option<CountLayout> {
        let header = if screen.height >= TALL_HEIGHT { 3 } else { 2 };
        let page = Page::of(screen, header, screen.height >= FRAMED_HEIGHT)?;
        let (body, framed) = (page.body, page.framed);
        if let Some(pane) = wanted.zoom {
            return Some(CountLayout { panes: PaneLayout { page, panes: vec![(pane, body)] }, answer: None });
        }
        let answer = if wanted.answered { ANSWER_HEIGHT[usize::from(!framed)].min(body.height) } else { 0 };
        let rest = rows(body, answer, body.height - answer);
        let panes = if framed { framed_panes(rest, wanted) } else { bare_panes(rest, wanted.threads) };
        let answer = (answer > 0).then_some(Rect { height: answer, ..body });
        Some(CountLayout { panes: PaneLayout { page, panes }, answer })
    }
}

/// The part of an area that begins `top` lines below its top and is `height` lines high.
fn rows(area: Rect, top: u16, height: u16) -> Rect {
    Rect { y: area.y + top, height, ..area }
}

fn framed_panes(body: Rect, wanted: CountRoom) -> Vec<(CountPane, Rect)> {
    let beside = if body.width >= WIDE_WIDTH { MEMORY_WIDTH } else { 0 };
    let limit = (body.height * 9 / 20).saturating_sub(3).max(1);
    // Two lines of frame and one line for the current step.
    let lower = (Grid::rows_wanted(wanted.threads, body.width - beside - 2, limit) + 3).max(LOWER_MIN);
    let lower = if body.height >= lower + UPPER_MIN { lower } else { 0 };
    let rest = body.height - lower;
    let (high, history) = square(rest, wanted.board, body.width);
    let mut panes = upper_panes(rows(body, 0, rest - history), wanted.board.1, high);
    if lower > 0 {
        let area = rows(body, rest - history, lower);
        panes.push((CountPane::Threads, Rect { width: area.width - beside, ..area }));
        let memory = Rect { x: area.right() - beside, width: beside, ..area };
        panes.extend((beside > 0).then_some((CountPane::Memory, memory)));
    }
    panes.extend((history > 0).then(|| (CountPane::History, rows(body, body.height - history, history))));
    panes
}

/// The height of a square of the board, as great as the history allows, and the height of the history.
fn square(rest: u16, (board_rows, cols): (u32, u32), width: u16) -> (u16, u16) {
    // Two lines of frame, one of text above the board, and one of colours below it.
    let upper = |high: u16| u16::try_from(board_rows).unwrap_or(u16::MAX).saturating_mul(high).saturating_add(4);
    let fits = |high: &u16| {
        let history = HISTORY_MIN.max(rest * 3 / 10);
        cols.saturating_mul(2 * u32::from(*high)) <= u32::from(width) * 2 / 5
            && upper(*high).saturating_add(history) <= rest
    };
    let high = (1..=SQUARE_MAX).rev().find(fits).unwrap_or(1);
    let left = rest.saturating_sub(upper(high));
    (high, if left >= HISTORY_MIN { left } else { 0 })
}

fn upper_panes(area: Rect, cols: u32, high: u16) -> Vec<(CountPane, Rect)> {
    let wide = u16::try_from(cols).unwrap_or(u16::MAX).saturating_mul(2 * high).saturating_add(3);
    let sweep = wide.clamp(SWEEP_MIN, (area.width * 2 / 5).max(SWEEP_MIN));
    if area.width < sweep + ROWS_MIN {
        return vec![(CountPane::Rows, area)];
    }
    let right = Rect { x: area.x + sweep, width: area.width - sweep, ..area };
    vec![(CountPane::Sweep, Rect { width: sweep, ..area }), (CountPane::Rows, right)]
}

/// The panes of low screens: the rows, and below them the current step and the threads.
fn bare_panes(body: Rect, threads: usize) -> Vec<(CountPane, Rect)> {
    let lower = Grid::rows_wanted(threads, body.width, 2) + 1;
    if body.height < lower + 3 {
        return if body.height > 0 { vec![(CountPane::Rows, body)] } else { Vec::new() };
    }
    let upper = body.height - lower;
    vec![(CountPane::Rows, rows(body, 0, upper)), (CountPane::Threads, rows(body, upper, lower))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    fn shown(width: u16, height: u16, threads: usize, answered: bool) -> Vec<CountPane> {
        let wanted = CountRoom { threads, board: (8, 8), answered, zoom: None };
        let layout = CountLayout::of(Size { width, height }, wanted).unwrap();
        assert_eq!(layout.answer.is_some(), answered);
        layout.panes.panes.iter().map(|(pane, _)| *pane).collect()
    }

    #[test]
    fn panes_are_dropped_in_the_order_of_their_worth() {
        use CountPane::{History, Memory, Rows, Sweep, Threads};
        assert_eq!(shown(200, 60, 256, false), [Sweep, Rows, Threads, Memory, History]);
        assert_eq!(shown(80, 24, 256, false), [Sweep, Rows, Threads, Memory]);
        assert_eq!(shown(70, 24, 2, false), [Sweep, Rows, Threads]);
        assert_eq!(shown(50, 24, 2, false), [Rows, Threads]);
        assert_eq!(shown(80, 16, 2, false), [Sweep, Rows]);
        assert_eq!(shown(40, 10, 256, false), [Rows, Threads]);
        assert_eq!(shown(80, 24, 2, true), [Sweep, Rows]);
        assert_eq!(shown(40, 10, 2, true), []);
    }

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, threads in 1usize..4097, board in (1u32..300, 1u32..40),
            answered: bool, zoom in prop::option::of(prop::sample::select(CountPane::all().collect::<Vec<_>>())),
        ) {
            let layout = CountLayout::of(Size { width, height }, CountRoom { threads, board, answered, zoom }).unwrap();
            let mut covered = vec![0u8; usize::from(width) * usize::from(height)];
            let panes = layout.panes.panes.iter().map(|&(_, rect)| rect).chain(layout.answer);
            for position in panes.chain([layout.panes.page.header, layout.panes.page.footer]).flat_map(Rect::positions) {
                prop_assert!(position.x < width && position.y < height);
                covered[usize::from(position.y) * usize::from(width) + usize::from(position.x)] += 1;
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
            prop_assert!(layout.panes.panes.iter().all(|(_, rect)| rect.height > 0 && rect.width >= SWEEP_MIN));
        }
    }
}
