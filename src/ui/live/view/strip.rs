//! The strip below the header: each worker has a cell in two rows, its state and its nodes of the last second.
//!
//! ```text
//!  state BBBBBBBB BBwBBBBB  BBBBBBBB nBBBBBBB
//!  nodes ▇▇▇▆▇▇▇▇ ▇▇▁▇▇▇▆▇  ▇▇▇▇▇▇▇▇ ▁▇▇▇▇▇▇▇
//! ```
//!
//! Workers stand together that were last seen on CPUs with one cache, and two blanks are between two sockets. Where a line has
//! no room for all, there are more lines of each row.

use crate::ui::kit::{Page, Role, put};
use crate::ui::live::model::LiveModel;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

/// Workers of the smallest crew with a strip.
const WORKERS_MIN: usize = 32;
/// Width of the names of the rows, with a blank before and behind them.
const LABEL: u16 = 7;
const ROWS: [&str; 2] = ["state", "nodes"];

/// Each worker with the column and the line of its cell, where a line has so many cells.
fn cells(model: &LiveModel, width: u16) -> Vec<(usize, u16, u16)> {
    let (mut cells, mut x, mut line, mut before) = (Vec::new(), 0, 0, None);
    for ([socket, _], workers) in model.balance.by_place() {
        x += before.map_or(0, |other| if other == socket { 1 } else { 2 });
        let long = workers.len() as u16;
        if x > 0 && x + long > width && long <= width {
            (x, line) = (0, line + 1);
        }
        for worker in workers {
            if x >= width {
                (x, line) = (0, line + 1);
            }
            cells.push((worker, x, line));
            x += 1;
        }
        before = Some(socket);
    }
    cells
}

/// The lines of the strip on a screen of this width; none of a small crew.
pub fn height(model: &LiveModel, width: u16) -> u16 {
    let cells = cells(model, width.saturating_sub(LABEL + 1));
    let lines = cells.last().map_or(0, |(_, _, line)| line + 1);
    if cells.len() < WORKERS_MIN { 0 } else { lines * ROWS.len() as u16 }
}

/// The lines between the header and the panes.
fn area(page: &Page) -> Rect {
    let y = page.header.bottom();
    Rect { y, height: page.body.y - y, ..page.body }
}

/// The worker whose cell is there, if there is one.
pub fn worker_at(model: &LiveModel, page: &Page, at: Position) -> Option<usize> {
    let area = Some(area(page)).filter(|area| area.contains(at))?;
    let place = ((at.x - area.x).checked_sub(LABEL)?, (at.y - area.y) / ROWS.len() as u16);
    let cells = cells(model, area.width.saturating_sub(LABEL + 1));
    cells.into_iter().find(|&(_, x, line)| (x, line) == place).map(|(worker, ..)| worker)
}

/// Draws the strip.
pub fn draw(buf: &mut Buffer, page: &Page, model: &LiveModel) {
    let area = area(page);
    let theme = model.common.theme;
    let rate = |worker| model.rates.nodes_per_s_of(&[worker]);
    let most = (0..model.snapshot.workers.len()).map(rate).fold(0.0, f64::max);
    for (y, row) in (area.y..area.bottom()).zip(ROWS.iter().cycle()) {
        put(buf, area, area.x + 1, y, row, theme.style(Role::Label));
    }
    for (worker, x, line) in cells(model, area.width.saturating_sub(LABEL + 1)) {
        let (x, y) = (area.x + LABEL + x, area.y + line * ROWS.len() as u16);
        let look = model.look(worker);
        let selected = if worker == model.selected { Modifier::REVERSED } else { Modifier::empty() };
        put(buf, area, x, y, look.letter, theme.style(look.role).add_modifier(selected));
        // A worker that entered any node has a column, and the highest does not touch the letter above it.
        let sevenths = (rate(worker) / most.max(1.0) * 7.0).ceil() as usize;
        put(buf, area, x, y + 1, theme.glyphs().column[sevenths.min(7)], theme.style(Role::Busy));
    }
}
