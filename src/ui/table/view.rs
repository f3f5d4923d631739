//! Draws the tables.
//!
//! ```text
//!  destrier  reproduce radley                                          RUNNING
//! [1 by depth]  2 by run
//!  6x6 closed tours by radley, --prune all-isolated at every depth ..
//!  █ pruned  ─ published  to 19.7M branches
//!                      ─   ▇ ▅ ▇ ─
//!              ─ ▇ ▇ ▇ ▇ ▇ ▇ ▇ ▇ ▇ ▇ ▇ ─
//!  depth   published      pruned        nodes
//!  0               0           0            0  =
//!  q quit  ? help  tab table  ..
//! ```

use super::chart;
use super::layout::TablesLayout;
use super::model::{KEYS, ShownTable, TablesModel, TablesState};
use crate::ui::kit::{LinePart, Role, badge, fit, footer, header_line, help, put, put_reason, titled, too_small};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

/// Draws the model.
pub fn view(model: &TablesModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    let theme = model.surface.theme;
    draw_header(buf, layout.page.header, model);
    match model.shown() {
        None => put_reason(buf, layout.page.body, theme, "the first table is being computed"),
        Some(table) => {
            let (said, lines) = &layout.about;
            for (y, line) in (said.y..said.bottom()).zip(lines) {
                put(buf, *said, said.x, y, line, theme.style(Role::Text));
            }
            if let (Some(parts), Some(chart)) = (layout.chart, &table.head.chart) {
                chart::draw(buf, parts, theme, table, chart);
            }
            if let Some(area) = layout.figures {
                draw_figures(buf, area, model, &layout, table);
            }
        }
    }
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    help::draw(buf, area, &model.surface, KEYS.now(), &model.name);
}

/// Draws what is reproduced, how far it is, the names of the tables, and which lines of the figures are shown.
fn draw_header(buf: &mut Buffer, area: Rect, model: &TablesModel) {
    let theme = model.surface.theme;
    let (text, role) = match model.state {
        TablesState::Running => ("RUNNING", Role::Busy),
        TablesState::Done(true) => ("ALL AS EXPECTED", Role::Good),
        TablesState::Done(false) => ("A FIGURE DIFFERS", Role::Bad),
    };
    let parts = vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::new(9).with(theme, Role::Strong, format!("reproduce {}", model.name)),
    ];
    titled(buf, area, parts, &Line::from(badge(theme, role, text)));
    // The table that is shown first, then those before and after it that fit.
    let at = model.at();
    let name = |(n, table): (usize, &ShownTable)| {
        let worth = 200 - n.abs_diff(at).min(100) as u8;
        let name = format!("{} {}", n + 1, table.head.name);
        match n == at {
            true => LinePart::new(worth).with(theme, Role::Hired, format!("[{name}]")),
            false => LinePart::new(worth).with(theme, Role::Label, name),
        }
    };
    let line = header_line(area, 1);
    let part = model.lines_shown().map_or(String::new(), |(from, to, all)| format!("{from} to {to} of {all}"));
    put(buf, line, line.right().saturating_sub(part.len() as u16), line.y, &part, theme.style(Role::Label));
    let taken = if part.is_empty() { 0 } else { part.len() as u16 + 2 };
    let names = fit(model.tables.iter().enumerate().map(name).collect(), line.width.saturating_sub(taken), 2);
    names.render(line, buf);
}

/// Draws the headings, and the rows and sentences that are scrolled to.
fn draw_figures(buf: &mut Buffer, area: Rect, model: &TablesModel, layout: &TablesLayout, table: &ShownTable) {
    let theme = model.surface.theme;
    let lines = table.lines(layout);
    let from = model.lines_shown().map_or(0, |(from, ..)| from - 1);
    let (columns, hidden) = shown_columns(table, model.skipped, area.width);
    let line = |cells: &[&str]| {
        let cells = columns.iter().map(|&at| table.head.columns[at].padded(cells.get(at).copied().unwrap_or_default()));
        cells.collect::<Vec<_>>().join("  ")
    };
    let names: Vec<&str> = table.head.columns.iter().map(|column| column.name).collect();
    let heading = put(buf, area, area.x, area.y, &line(&names), theme.style(Role::Label));
    if hidden > 0 {
        put(buf, area, heading + 2, area.y, &format!("+{hidden}"), theme.style(Role::Hired));
    }
    for (y, shown) in (area.y + 1..area.bottom()).zip(lines.into_iter().skip(from)) {
        match shown {
            Err(sentence) => {
                put(buf, area, area.x, y, &sentence, theme.style(Role::Text));
            }
            Ok(index) => {
                let row = &table.rows[index];
                let cells: Vec<&str> = row.cells.iter().map(String::as_str).collect();
                let role = if index < table.whole { Role::Strong } else { Role::Busy };
                let x = put(buf, area, area.x, y, &line(&cells), theme.style(role));
                let role = if row.same == Some(false) { Role::Bad } else { Role::Good };
                put(buf, area, x + 2, y, row.verdict(), theme.style(role));
            }
        }
    }
}

/// The columns that fit: the first one, and those behind the skipped ones; and how many do not fit behind them.
fn shown_columns(table: &ShownTable, skipped: usize, width: u16) -> (Vec<usize>, usize) {
    let columns = &table.head.columns;
    let skipped = skipped.min(columns.len().saturating_sub(2));
    let verdict = table.rows.iter().map(|row| row.verdict().len()).max().filter(|&width| width > 0);
    let mut room = usize::from(width).saturating_sub(verdict.map_or(0, |width| width + 2));
    let mut fits = |at: &usize| {
        let needed = columns[*at].width + if *at > 0 { 2 } else { 0 };
        let fits = needed <= room || *at == 0;
        room = room.saturating_sub(needed);
        fits
    };
    let shown: Vec<usize> = [0].into_iter().chain(1 + skipped..columns.len()).take_while(|at| fits(at)).collect();
    let hidden = columns.len() - skipped - shown.len();
    (shown, hidden)
}
