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
use super::model::{CyclesModel, KEYS};
use crate::gpu::cycle::CycleFacts;
use crate::ui::kit::{PaneTitle, Role, Theme, draw_pane, footer, heat, help, padded, put, too_small, wrapped};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

/// Width of the legend beside the keys.
const LEGEND_WIDTH: u16 = 34;

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
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    let legend = |buf: &mut Buffer, beside| draw_legend(buf, beside, model.surface.theme);
    help::draw(buf, area, &model.surface, KEYS.now(), LEGEND_WIDTH, legend);
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

/// Draws the legend of the marks on the board.
fn draw_legend(buf: &mut Buffer, area: Rect, theme: Theme) {
    put(buf, area, area.x, area.y, "on the board", theme.style(Role::Label));
    let reversed = |role| theme.style(role).add_modifier(Modifier::REVERSED);
    let marks = [
        (" 3 ", reversed(Role::Strong), "the knight"),
        ("!3!", reversed(Role::Bad), "a rank that is wrong"),
        ("(3)", theme.style(Role::Text), "a rank that may be used"),
        ("[3]", reversed(Role::Hired), "where it will go"),
    ];
    let mut y = area.y + 1;
    for (mark, style, words) in marks {
        put(buf, area, area.x, y, mark, style);
        put(buf, area, area.x + 5, y, words, theme.style(Role::Text));
        y += 1;
    }
    put(buf, area, area.x, y + 1, "moves", theme.style(Role::Label));
    let compass = [". 3 . 1 .", "7 . . . 5", ". . N . .", "6 . . . 4", ". 2 . 0 ."];
    for (y, line) in (y + 2..area.bottom()).zip(compass) {
        put(buf, area, area.x, y, line, theme.style(Role::Text));
    }
    let y = y + 3 + compass.len() as u16;
    put(buf, area, area.x, y, "checked", theme.style(Role::Label));
    let checked = "the board that was read back is, in every square, the one that the CPU computes from the moves alone, \
                   by Warnsdorff's rule";
    for (y, line) in (y + 1..area.bottom()).zip(wrapped(checked, usize::from(area.width))) {
        put(buf, area, area.x, y, &line, theme.style(Role::Text));
    }
}
