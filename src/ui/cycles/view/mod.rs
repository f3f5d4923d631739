//! Draws the view of the cycles.
//!
//! ```text
//!  destrier  8x8 from e6  gpu-cycles                               RUNNING 6/s
//!  cycle 37 of 192  1 arrive 2 ranks 3 decide  square 13 of 64 ━━━━╸─────────
//! ╭ rank B ─────────────── 0 ▒▒▒▒▒▒▒▒ 8 ╮╭ figures ──────────────────────────╮
//! │ the board as a heat map of one      ││ the knight and its last decision, │
//! │ channel, or of all four side by     ││ ranks, the source's model, what   │
//! │ side                                ││ was measured, and on what         │
//! ╰─────────────────────────────────────╯╰───────────────────────────────────╯
//!  what happens in this cycle, in words
//!  q quit  ? help  s cycle  ..
//! ```

mod figures;
mod header;
mod words;

use super::channel::Channel;
use super::layout::{CyclesLayout, digits};
use super::model::CyclesModel;
use crate::gpu::cycle::CycleFacts;
use crate::ui::kit::{PaneTitle, Role, draw_pane, footer, heat, help, padded, too_small};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Draws the model.
pub fn view(model: &CyclesModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    let facts = model.facts();
    header::draw(buf, layout.page.header, model, &facts);
    for &(channel, pane) in &layout.boards {
        draw_board(buf, &layout, pane, model, &facts, channel);
    }
    let inner = draw_pane(buf, layout.figures, &layout.page, model.surface.theme, "figures", Line::default());
    figures::draw(buf, inner, model, &facts);
    words::draw(buf, layout.words, model, &facts);
    footer::draw(buf, layout.page.footer, &model.surface, model.keys());
    help::draw(buf, area, &model.surface, model.keys(), "board");
}

fn draw_board(
    buf: &mut Buffer,
    layout: &CyclesLayout,
    pane: Rect,
    model: &CyclesModel,
    facts: &CycleFacts,
    channel: Channel,
) {
    let (board, theme) = (model.film.first().board(), model.surface.theme);
    let sheet = layout.sheet(pane, board, theme, model.from);
    let (least, most) = channel.range(facts.squares);
    let focused = layout.boards.len() > 1 && channel == model.channel;
    let title = PaneTitle { text: channel.name(), key: None, focused, below: ("", Role::Label) };
    draw_pane(buf, pane, &layout.page, theme, title, padded(heat::scale(theme, &least, &most)));
    let digits = digits(board);
    heat::draw(buf, &sheet, theme, |square| channel.spot(&model.film, facts, square, digits, theme.ascii));
}
