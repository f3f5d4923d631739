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
use crate::ui::kit::{Action, draw_pane, footer, help, too_small};
use ratatui::Frame;
use ratatui::text::Line;

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
    help::draw(buf, area, &model.surface, KEYS.now(), "board");
}

/// The text before the first step.
fn first_step() -> String {
    format!("{} takes the first step", Action::Step.key())
}
