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

use super::model::{KEYS, TourModel};
use super::moves::Moves;
use crate::ui::kit::{draw_pane, footer, help, too_small};
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
    let theme = model.surface.theme;
    draw_pane(buf, layout.board, &layout.page, theme, "board", board::legend(model, &sheet));
    let title = format!("moves from {}", model.route().board().name(model.square()));
    let inner = draw_pane(buf, layout.moves, &layout.page, theme, title.as_str(), Line::default());
    board::draw(buf, model, &sheet, &moves);
    let rest = moves::draw(buf, inner, model, &moves);
    if layout.page.framed && !sheet.is_whole() {
        map::draw(buf, rest, model, &sheet);
    }
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    let hint = "enter goes there, esc does not";
    footer::draw_input(buf, layout.page.footer, &model.surface, &model.input, "to square ", hint);
    help::draw(buf, area, &model.surface, KEYS.now(), "board");
}
