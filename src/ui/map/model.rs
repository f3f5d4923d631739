//! The model of the map view, and its updates. This file uses no clock, channel or terminal.

use super::words::WORDS;
use crate::board::{Board, Square};
use crate::gpu::DeviceLabel;
use crate::gpu::map::{Batch, Map};
use crate::run::{Body, End, Filled, Frame, Moment};
use crate::ui::kit::keys::Action;
use crate::ui::kit::screen_keys::{Keys, Timeline, line};
use crate::ui::kit::{AfterPlayback, Page, Playback, ScreenEvent, Sheet, StageWish, Surface, heat};
use crate::ui::playing::RunModel;
use ratatui::layout::{Rect, Size};
use std::collections::BTreeMap;
use std::time::Duration;

/// The key table of the map view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Left, Action::Down, Action::Up, Action::Right], "point at a start", "point"),
        line(&[Action::Worst], "the worst start", "worst"),
        line(&[Action::Best], "the best start", "best"),
        line(&[Action::First, Action::Last], "the first start, the last", ""),
    ],
    times: &[],
    timeline: Timeline::Frames,
    words: WORDS,
};

/// Letters of the share on a start square, for example `91.4`.
const LETTERS: u32 = 4;

/// All that the map view shows.
pub struct MapModel {
    /// The device of the work, and why no better device is used; `None` while the device is selected.
    pub placed: Option<(DeviceLabel, String)>,
    /// The results so far.
    pub map: Map,
    /// The elapsed time.
    pub took: Duration,
    /// All frames of the batch, and the moment that is shown.
    pub playback: Playback,
    /// The number of orders by the number of starts from which they complete.
    pub histogram: BTreeMap<u32, u32>,
    /// The first starts with the smallest and with the largest share of orders that complete.
    pub extremes: Option<[Square; 2]>,
    /// The start at the cursor.
    pub cursor: Square,
    /// The state that all screens share.
    pub surface: Surface,
}

impl MapModel {
    /// The model before the first knight.
    pub fn new(batch: Batch, surface: Surface) -> MapModel {
        let map = Map::new(batch);
        let Some(cursor) = batch.board().at(0) else { unreachable!("every board has a square 0") };
        let histogram = BTreeMap::new();
        MapModel {
            placed: None,
            map,
            took: Duration::ZERO,
            playback: Playback::default(),
            histogram,
            extremes: None,
            cursor,
            surface,
        }
    }

    /// Whether every knight has finished at the moment shown.
    pub fn is_over(&self) -> bool {
        self.playback.end_shown() == Some(&End::Map)
    }

    /// The share of the orders that complete from a start; `None` before one was tried.
    pub fn share(&self, start: Square) -> Option<f64> {
        let tried = self.map.tried_from(start);
        (tried > 0).then(|| f64::from(self.map.by_start()[start.index() as usize]) / f64::from(tried))
    }

    /// The smallest and the largest share.
    pub fn range(&self) -> Option<[f64; 2]> {
        let [worst, best] = self.extremes?;
        Some([self.share(worst)?, self.share(best)?])
    }

    fn find_extremes(&self) -> Option<[Square; 2]> {
        let mut shares = self.map.batch().board().all().filter_map(|start| Some((self.share(start)?, start)));
        let first = shares.next()?;
        let [worst, best] = shares.fold([first; 2], |[worst, best], next| {
            [if next.0 < worst.0 { next } else { worst }, if next.0 > best.0 { next } else { best }]
        });
        Some([worst.1, best.1])
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<MapLayout> {
        MapLayout::of(self.playback.above(self.surface.screen))
    }

    /// The whole board as drawn, and the side of a block: a board that does not fit is drawn in square blocks of
    /// starts. `None` if the screen is too small.
    pub fn sheet(&self) -> Option<(Sheet, u32)> {
        let layout = self.layout()?;
        let letters = if self.map.batch().orders() > 1 { LETTERS } else { 1 };
        let (room, board) = (layout.page.inner(layout.starts), self.map.batch().board());
        (1..=board.rows().max(board.cols())).find_map(|side| {
            let blocks = blocks(board, side)?;
            let names = layout.page.framed && side == 1;
            let sheet = heat::sheet(room, blocks, letters, self.surface.theme, names, (0, 0));
            sheet.is_whole().then_some((sheet, side))
        })
    }

    /// The mean share of a block with `side` starts to a side; `None` before every start of it was tried.
    pub fn block_share(&self, (row, col): (u32, u32), side: u32) -> Option<f64> {
        let board = self.map.batch().board();
        let [rows, cols] =
            [(row, board.rows()), (col, board.cols())].map(|(at, end)| at * side..end.min((at + 1) * side));
        let starts = rows.flat_map(|row| cols.clone().filter_map(move |col| board.square(row, col)));
        let shares: Option<Vec<f64>> = starts.map(|start| self.share(start)).collect();
        shares.filter(|shares| !shares.is_empty()).map(|shares| shares.iter().sum::<f64>() / shares.len() as f64)
    }

    fn perform(&mut self, action: Action) -> Option<StageWish> {
        let board = self.map.batch().board();
        let (row, col) = board.row_col(self.cursor);
        let start = match action {
            Action::Left => board.square(row, col.wrapping_sub(1)),
            Action::Down => board.square(row + 1, col),
            Action::Up => board.square(row.wrapping_sub(1), col),
            Action::Right => board.square(row, col + 1),
            Action::First => board.at(0),
            Action::Last => board.at(board.squares() - 1),
            Action::Worst => self.extremes.map(|[worst, _]| worst),
            Action::Best => self.extremes.map(|[_, best]| best),
            other => return self.surface.perform(other),
        };
        self.cursor = start.unwrap_or(self.cursor);
        None
    }
}

/// The board of blocks with `side` squares to a side.
fn blocks(board: Board, side: u32) -> Option<Board> {
    Board::new(board.rows().div_ceil(side).into(), board.cols().div_ceil(side).into()).ok()
}

impl RunModel for MapModel {
    type Effect = StageWish;

    fn playback(&self) -> &Playback {
        &self.playback
    }

    fn playback_mut(&mut self) -> &mut Playback {
        &mut self.playback
    }

    fn show(&mut self, frame: &Frame) {
        let Body::Map(filled) = &frame.body else { return };
        let Filled { placed, map, took } = (**filled).clone();
        (self.placed, self.took) = (placed, took);
        self.map = map.unwrap_or_else(|| Map::new(self.map.batch()));
        self.histogram = self.map.histogram();
        self.extremes = self.find_extremes();
    }

    fn show_moment(&mut self, _from: Option<Moment>) {
        let past = self.playback.past();
        let moment = self.playback.shown().unwrap_or_else(|| past.last());
        if let Some(frame) = past.frame(moment).cloned() {
            self.show(&frame);
        }
    }

    fn show_end(&mut self, end: &End) -> bool {
        matches!(end, End::Map | End::Cut)
    }

    fn handle(&mut self, msg: ScreenEvent) -> Option<StageWish> {
        update(self, msg)
    }
}

/// Updates the model from an event; returns a wish for the stage, if any.
pub fn update(model: &mut MapModel, msg: ScreenEvent) -> Option<StageWish> {
    match model.playback.handle(msg, &mut model.surface, &KEYS, false) {
        AfterPlayback::Asked(Action::Quit) if model.playback.is_at_stake() => {
            model.surface.ask("leave, and end the work?", Action::Quit);
        }
        AfterPlayback::Asked(action) | AfterPlayback::Agreed(action) => return model.perform(action),
        AfterPlayback::Moved(from) => model.show_moment(from),
        AfterPlayback::Clicked(at) => {
            let under = model.sheet().and_then(|(sheet, side)| Some((sheet.board.row_col(sheet.square_at(at)?), side)));
            let board = model.map.batch().board();
            let start = under.and_then(|((row, col), side)| board.square(row * side, col * side));
            model.cursor = start.unwrap_or(model.cursor);
        }
        AfterPlayback::Nothing => {}
    }
    None
}

/// The positions of all parts of the screen.
///
/// ```text
/// header   question and device; progress
/// starts                   | figures
/// footer   keys or a notice
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapLayout {
    /// The header (two lines) and the footer.
    pub page: Page,
    /// The pane of the starts.
    pub starts: Rect,
    /// The pane of the figures.
    pub figures: Rect,
}

/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 16;
/// Width of the figures inside their frame, on a wide and on a narrow screen.
const FIGURES_WIDTH: u16 = 34;
const NARROW_WIDTH: u16 = 18;
/// Least screen width for the wide figures.
const WIDE_WIDTH: u16 = 72;

impl MapLayout {
    /// The layout; `None` if the screen is too small.
    pub fn of(screen: Size) -> Option<MapLayout> {
        let page = Page::of(screen, 2, screen.height >= FRAMED_HEIGHT)?;
        let (body, frame) = (page.body, if page.framed { 2 } else { 0 });
        let width = if screen.width >= WIDE_WIDTH { FIGURES_WIDTH } else { NARROW_WIDTH } + frame;
        let starts = Rect { width: body.width - width, ..body };
        let figures = Rect { x: starts.right(), width, ..body };
        Some(MapLayout { page, starts, figures })
    }
}
