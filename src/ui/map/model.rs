//! What the map view shows, and how it changes. Nothing here reads a clock, a channel or a terminal.

use super::keys::KEYS;
use super::layout::MapLayout;
use crate::board::{Board, Square};
use crate::gpu::DeviceLabel;
use crate::gpu::map::{Batch, Map};
use crate::run::{Body, Filled, Frame};
use crate::ui::kit::Sheet;
use crate::ui::kit::heat;
use crate::ui::kit::keys::Action;
use crate::ui::kit::{Playback, ScreenMessage};
use crate::ui::kit::{ScreenMsg, StageWish, Surface};
use std::collections::BTreeMap;
use std::time::Duration;

/// Letters of the share on a start: `91.4`.
const LETTERS: u32 = 4;

/// Everything the screen shows.
pub struct MapModel {
    /// Who does the work, and why it is nobody better; nothing while that is being found out.
    pub placed: Option<(DeviceLabel, String)>,
    /// What came of the knights so far.
    pub map: Map,
    /// How long it took.
    pub took: Duration,
    /// Whether every knight has come to its end.
    pub over: bool,
    /// All that was seen of the batch, and which moment of that is shown.
    pub course: Playback,
    /// How many frames the journal of the batch could not take, if one is written.
    pub unrecorded: Option<u64>,
    /// How many orders complete from so many starts.
    pub histogram: BTreeMap<u32, u32>,
    /// The first start from which the smallest share of the orders completes, and that with the largest.
    pub extremes: Option<[Square; 2]>,
    /// The start that the user points at.
    pub cursor: Square,
    /// What all screens have.
    pub surface: Surface,
}

impl MapModel {
    /// Before the first knight.
    pub fn new(batch: Batch, surface: Surface) -> MapModel {
        let map = Map::new(batch);
        let Some(cursor) = batch.board().at(0) else { unreachable!("every board has a square 0") };
        let histogram = BTreeMap::new();
        MapModel {
            placed: None,
            map,
            took: Duration::ZERO,
            over: false,
            course: Playback::default(),
            unrecorded: None,
            histogram,
            extremes: None,
            cursor,
            surface,
        }
    }

    /// Takes in what was seen of the work.
    pub fn take(&mut self, frame: Frame) {
        if self.course.shown().is_none() {
            self.show(&frame);
        }
        self.course.take(frame);
    }

    /// Shows a batch that was recorded, from its beginning.
    pub fn replay(&mut self, course: Playback) {
        self.course = course;
        self.look();
    }

    /// Shows the moment that is asked for.
    fn look(&mut self) {
        let past = self.course.past();
        let moment = self.course.shown().unwrap_or_else(|| past.last());
        if let Some(frame) = past.frame(moment).cloned() {
            self.show(&frame);
        }
    }

    fn show(&mut self, frame: &Frame) {
        let Body::Map(filled) = &frame.body else { return };
        let Filled { placed, map, took } = (**filled).clone();
        (self.placed, self.took) = (placed, took);
        self.map = map.unwrap_or_else(|| Map::new(self.map.batch()));
        self.histogram = self.map.histogram();
        self.extremes = self.find_extremes();
    }

    /// Whether every knight has come to its end by the moment that is shown.
    pub fn is_over(&self) -> bool {
        self.over && self.course.shown().is_none_or(|shown| shown == self.course.past().last())
    }

    /// The share of the orders that complete from a start; nothing before one was tried.
    pub fn share(&self, start: Square) -> Option<f64> {
        let tried = self.map.tried_from(start);
        (tried > 0).then(|| f64::from(self.map.by_start()[start.index() as usize]) / f64::from(tried))
    }

    /// The smallest share and the largest.
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

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<MapLayout> {
        MapLayout::of(self.course.above(self.surface.screen))
    }

    /// The whole board as it is shown, with how many starts to the side each of its squares stands for: a board that
    /// has no room otherwise is drawn in blocks. Nothing when the screen is too small.
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

    /// The mean share of a block of so many starts to the side; nothing before all of them were tried.
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

/// A board of blocks of so many squares to the side.
fn blocks(board: Board, side: u32) -> Option<Board> {
    Board::new(board.rows().div_ceil(side).into(), board.cols().div_ceil(side).into()).ok()
}

/// Takes in what happened; answers what is wanted of the stage.
pub fn update(model: &mut MapModel, msg: ScreenMsg) -> Option<StageWish> {
    match model.course.hear(msg, &mut model.surface, &KEYS, false) {
        ScreenMessage::Asked(Action::Quit) if !model.over && model.course.is_at_stake() => {
            model.surface.ask("leave, and end the work?", Action::Quit);
        }
        ScreenMessage::Asked(action) | ScreenMessage::Agreed(action) => return model.perform(action),
        ScreenMessage::Moved(_) => model.look(),
        ScreenMessage::Nothing => {}
    }
    None
}
