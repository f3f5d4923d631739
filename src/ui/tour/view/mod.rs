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

use super::keys::KEYS;
use super::model::{Prompt, TourModel};
use super::moves::Moves;
use crate::ui::kit::frame_pane;
use crate::ui::kit::too_small;
use crate::ui::kit::{footer, help};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
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
    draw_footer(buf, layout.page.footer, model);
    help::draw(buf, area, &model.surface, KEYS.now(), 0, |_, _| ());
}

/// Draws the question, the notice or the keys.
fn draw_footer(buf: &mut Buffer, area: Rect, model: &TourModel) {
    let asked = match &model.prompt {
        None => return footer::draw(buf, area, &model.surface, KEYS.now()),
        Some(Prompt::Move(text)) => ("to move ", text.as_str()),
        Some(Prompt::Square(text)) => ("to square ", text.as_str()),
    };
    footer::draw_prompt(buf, area, &model.surface, asked, "enter goes there, esc does not");
}
