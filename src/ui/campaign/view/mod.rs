//! Draws the view of a campaign.
//!
//! ```text
//!  destrier  6x7 closed tours by path  undirected                     GATHERING 1:02
//!  done 31.2%  13 of 40 parts  running 2  left 18 s  ━━━━━━━━━━╸────────────────────
//! ╭ parts ─────────────────────────── █ done  ● running  ○ stale  · missing  ! wrong ╮
//! │ every part, or several in a cell                                                 │
//! ╭ figures ─────────────╮╭ estimate ──────────────── by parts, ± 2 standard errors ╮
//! │ tours, nodes, speed   ││ the estimate of the whole as it narrows               │
//! ╭ running ─────────────────────────────────────────────────────────────────────────╮
//! │ files that are wrong, parts that are running                                     │
//!  q quit  ? help  jk scroll  ..
//! ```

mod estimate;
mod figures;
mod header;
mod parts;

use super::model::{CampaignModel, KEYS};
use crate::ui::kit::{draw_pane, footer, help, put, too_small};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Draws the model.
pub fn view(model: &CampaignModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    let page = &layout.page;
    header::draw(buf, page.header, model);
    parts::draw(buf, layout.parts, page, model);
    let inside = draw_pane(buf, layout.figures, page, model.surface.theme, "figures", Line::default());
    figures::draw(buf, inside, model);
    if let Some(rect) = layout.estimate {
        estimate::draw(buf, rect, page, model);
    }
    let inside = draw_pane(buf, layout.list, page, model.surface.theme, "running, wrong", Line::default());
    draw_list(buf, inside, model);
    footer::draw(buf, page.footer, &model.surface, KEYS.now());
    help::draw(buf, area, &model.surface, KEYS.now(), "parts");
}

/// Draws the rows of the list that fit, from the first visible row.
fn draw_list(buf: &mut Buffer, area: Rect, model: &CampaignModel) {
    for (y, row) in (area.y..area.bottom()).zip(model.rows(area.width).into_iter().skip(model.top)) {
        put(buf, area, area.x + 1, y, &row.text, model.surface.theme.style(row.role));
    }
}
