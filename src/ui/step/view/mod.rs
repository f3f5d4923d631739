//! Draws the step view.
//!
//! ```text
//!  destrier  6x6 closed  radley, any-isolated                       step 1,234
//!  nodes 1,020  cut 35  dead ends 60  tours 0  back 1,009  depth 12 ━━━━━━╸────
//! ╭ board ─────────────────────────────╮╭ moves from d2 ─────────────────────╮
//! │ the path and the knight, or pieces,││ in the order tried, each with how  │
//! │ the ranks of the squares that may  ││ it stands with it                  │
//! │ be next, those cut, isolated ones  │╰────────────────────────────────────╯
//! │                                    │╭ tree ──────────────────────────────╮
//! │                                    ││ what was tried, cut, and is left   │
//! │                                    │╰────────────────────────────────────╯
//! │                                    │╭ steps ─────────────────────────────╮
//! │                                    ││ the latest, in words               │
//! ╰────────────────────────────────────╯╰────────────────────────────────────╯
//!  q quit  ? help  s step  b back  ..
//! ```

mod board;
mod header;
mod log;
mod moves;
mod tree;

use super::layout::StepPane;
use super::model::{KEYS, StepModel};
use crate::ui::kit::{Action, PaneTitle, Role, draw_pane, footer, help, too_small};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Draws the model.
pub fn view(model: &StepModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    header::draw(buf, layout.page.header, model, layout.page.framed);
    for &(pane, rect) in &layout.panes {
        draw(buf, layout.page.inner(rect), model, pane);
        if layout.page.framed {
            let legend = if pane == StepPane::Steps { log::legend(model) } else { Line::default() };
            let title = if pane == StepPane::Moves { moves::title(model) } else { pane.name().to_owned() };
            let focused = model.focus.pane == pane && !model.focus.zoomed;
            let title = PaneTitle { text: &title, key: None, focused, below: ("", Role::Label) };
            draw_pane(buf, rect, &layout.page, model.surface.theme, title, legend);
        }
    }
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    let hint = "1200, node 500, cut, tour";
    footer::draw_input(buf, layout.page.footer, &model.surface, &model.jump, "go to ", hint);
    help::draw(buf, area, &model.surface, KEYS.now(), model.focus.zoom().unwrap_or(StepPane::Board).name());
}

/// Draws the inside of a pane.
fn draw(buf: &mut Buffer, inner: Rect, model: &StepModel, pane: StepPane) {
    let choices = || model.tape.search().choices();
    match pane {
        StepPane::Board => {
            if let Some(sheet) = model.sheet() {
                board::draw(buf, model, &sheet, &choices());
            }
        }
        StepPane::Moves => moves::draw(buf, inner, model, &choices()),
        StepPane::Tree => tree::draw(buf, inner, model),
        StepPane::Steps => log::draw(buf, inner, model),
    }
}

/// The text before the first step.
fn first_step() -> String {
    format!("{} takes the first step", Action::Step.key())
}
