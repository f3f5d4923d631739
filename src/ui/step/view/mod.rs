//! Draws the step view.
//!
//! ```text
//!  destrier  6x6 closed  radley, any-isolated                       step 1,234
//!  nodes 1,020  cut 35  dead ends 60  tours 0  back 1,009  depth 12 ━━━━━━╸────
//! ╭ board ─────────────────────────────╮╭ moves from d2 ─────────────────────╮
//! │ the path, the knight, the ranks    ││ in the order tried, each with how  │
//! │ of the squares it may enter, those ││ it stands with it                  │
//! │ that are cut, isolated squares     │╰────────────────────────────────────╯
//! │                                    │╭ steps ─────────────────────────────╮
//! │                                    ││ the latest, in words               │
//! ╰────────────────────────────────────╯╰────────────────────────────────────╯
//!  q quit  ? help  s step  b back  ..
//! ```

mod board;
mod header;
mod log;
mod moves;

use super::model::{KEYS, StepModel};
use crate::ui::kit::{Action, Role, draw_pane, footer, help, put, too_small};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Width of the legend beside the keys.
const LEGEND_WIDTH: u16 = 30;

/// Draws the model.
pub fn view(model: &StepModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let (Some(layout), Some(sheet)) = (model.layout(), model.sheet()) else {
        return too_small(buf, area);
    };
    let choices = model.tape.search().choices();
    header::draw(buf, layout.page.header, model, layout.page.framed);
    let (page, theme) = (&layout.page, model.surface.theme);
    draw_pane(buf, layout.board, page, theme, "board", Line::default());
    board::draw(buf, model, &sheet, &choices);
    let inner = draw_pane(buf, layout.moves, page, theme, moves::title(model).as_str(), Line::default());
    moves::draw(buf, inner, model, &choices);
    if let Some(log) = layout.log {
        let inner = draw_pane(buf, log, page, theme, "steps", log::legend(model));
        log::draw(buf, inner, model);
    }
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    help::draw(buf, area, &model.surface, KEYS.now(), LEGEND_WIDTH, |buf, beside| draw_legend(buf, beside, model));
}

/// The text before the first step.
fn first_step() -> String {
    format!("{} takes the first step", Action::Step.key())
}

/// Draws the legend of the marks on the board.
fn draw_legend(buf: &mut Buffer, area: Rect, model: &StepModel) {
    let theme = model.surface.theme;
    put(buf, area, area.x, area.y, "on the board", theme.style(Role::Label));
    let kept = theme.glyphs().reserved;
    let marks = [
        ("[3]", Role::Hired, "next move, rank 3"),
        ("(3)", Role::Hired, "a move for later"),
        ("-3-", Role::Label, "tried, exhausted"),
        ("x3x", Role::Pruned, "cut"),
        ("!0!", Role::Bad, "isolated, or the reason"),
        (kept, Role::Waiting, "kept for the last move"),
    ];
    for (y, (mark, role, words)) in (area.y + 1..area.bottom()).zip(marks) {
        put(buf, area, area.x, y, mark, theme.style(role));
        put(buf, area, area.x + 5, y, words, theme.style(Role::Text));
    }
    let below = area.y + marks.len() as u16 + 2;
    put(buf, area, area.x, below, "numbers", theme.style(Role::Label));
    let words = [
        format!("10{} takes ten steps,", Action::Step.key()),
        format!("5{} goes to the fifth tour", Action::NextTour.key()),
    ];
    for (y, words) in (below + 1..area.bottom()).zip(words) {
        put(buf, area, area.x, y, &words, theme.style(Role::Text));
    }
}
