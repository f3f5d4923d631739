//! Draws the tour view.
//!
//! ```text
//!  destrier  8x8 open  kurapati.txt                  tour 1 of 3   PLAYING 5/s
//!  move 12 of 64  e6  ━━━━━━━━━━━╸────────────────────────────────────────────
//! ╭ board ─────────────────────────────╮╭ moves from e6 ─────────────────────╮
//! │ the path so far, the knight,       ││ the eight moves, their ranks, the  │
//! │ ranks on the squares it may enter  ││ one that is taken and why          │
//! ╰────────────────────────────────────╯╰────────────────────────────────────╯
//!  q quit  ? help  hl move  p play  ..
//! ```

mod board;
mod header;
mod map;
mod moves;

use super::model::{KEYS, TourGoal, TourModel};
use super::moves::Moves;
use crate::ui::kit::frame_pane;
use crate::ui::kit::too_small;
use crate::ui::kit::{footer, help};
use ratatui::Frame;
use ratatui::text::Line;

/// Draws the model.
pub fn view(model: &TourModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let (Some(layout), Some(sheet)) = (model.layout(), model.sheet()) else {
        return too_small(buf, area);
    };
    let moves = Moves::at(model.route(), model.k, model.shown().tie);
    header::draw(buf, layout.page.header, model);
    if layout.page.framed {
        let from = model.route().board().name(model.square());
        frame_pane(buf, layout.board, model.surface.theme, "board", board::legend(model, &sheet));
        frame_pane(buf, layout.moves, model.surface.theme, format!("moves from {from}").as_str(), Line::default());
    }
    board::draw(buf, model, &sheet, &moves);
    let rest = moves::draw(buf, layout.page.inner(layout.moves), model, &moves);
    if layout.page.framed && !sheet.is_whole() {
        map::draw(buf, rest, model, &sheet);
    }
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    let question = if model.goal == TourGoal::Move { "to move " } else { "to square " };
    model.input.draw(buf, layout.page.footer, &model.surface, question, "enter goes there, esc does not");
    help::draw(buf, area, &model.surface, KEYS.now(), 0, |_, _| ());
}
