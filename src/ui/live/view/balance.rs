//! The pane `balance` with a few figures. Zoomed to the whole screen it shows the [report](crate::ui::live::report).

use super::lanes;
use crate::ui::kit::{Action, LinePart, PaneFrame, PanePlace, Role, Theme, padded, put};
use crate::ui::live::model::LiveModel;
use crate::ui::live::report::BalanceReport;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Width of a name and its figure.
const COLUMN: u16 = 20;

/// Draws the pane: the report, or a few figures; of a search on a device, figures of its lanes.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let (theme, seen, room) = (model.surface.theme, &model.snapshot, place.inner());
    let reading = if model.focus.zoomed { model.reading } else { 0 };
    let report = model.report(room.width);
    let title = if seen.lanes.is_some() { "lanes" } else { "balance" };
    let legend = report.as_ref().map_or(Line::default(), |report| legend(theme, report, room.height, reading));
    let inner = place.framed(buf, PaneFrame { legend, ..PaneFrame::titled(title) });
    match (&seen.lanes, &report) {
        (Some(lanes), _) => lanes::draw_figures(buf, inner, theme, lanes),
        (None, Some(report)) => report.draw(buf, inner, reading),
        (None, None) => draw_rows(buf, inner, theme, figures(model)),
    }
}

/// The visible lines of the report, if it does not fit.
fn legend(theme: Theme, report: &BalanceReport, room: u16, from: u16) -> Line<'static> {
    if report.height() <= room {
        return Line::default();
    }
    let [up, down] = [Action::Up, Action::Down].map(Action::key);
    let lines =
        format!("{up} {down}: lines {} to {} of {}", from + 1, (from + room).min(report.height()), report.height());
    padded(LinePart::new(0).with(theme, Role::Strong, lines).line())
}

/// Draws rows of names and figures, in as many columns as fit.
pub fn draw_rows(buf: &mut Buffer, area: Rect, theme: Theme, rows: Vec<(&'static str, String, Role)>) {
    let columns = (area.width / COLUMN).clamp(1, 3) as usize;
    let per_column = rows.len().div_ceil(columns).max(usize::from(area.height).min(rows.len()) / columns);
    for (i, (name, figure, role)) in rows.into_iter().enumerate() {
        let (column, row) = ((i / per_column) as u16, (i % per_column) as u16);
        let (x, y) = (area.x + column * COLUMN, area.y + row);
        if x + COLUMN > area.right() || y >= area.bottom() {
            continue;
        }
        put(buf, area, x + 1, y, name, theme.style(Role::Label));
        put(buf, area, x + 13, y, &format!("{figure:>6}"), theme.style(role));
    }
}

/// Figures of the hires. *most/mean* compares the nodes of the worker with most of them with the mean.
fn figures(model: &LiveModel) -> Vec<(&'static str, String, Role)> {
    let (seen, rates) = (&model.snapshot, &model.rates);
    let nodes = seen.nodes();
    let most = seen.workers.iter().map(|worker| worker.nodes).max().unwrap_or(0);
    // Only nodes of the present workers count, not those of an earlier run.
    let own: u64 = seen.workers.iter().map(|worker| worker.nodes).sum();
    let mean = own as f64 / seen.workers.len().max(1) as f64;
    let hires = seen.hires();
    let per_hire = nodes.checked_div(hires).map_or("-".into(), words::count);
    let ratio = if mean > 0.0 { format!("{:.2}", most as f64 / mean) } else { "-".into() };
    vec![
        ("most/mean", ratio, Role::Text),
        ("hires", words::count(hires), Role::Strong),
        ("hires/s", words::rate(rates.hires_per_s()), Role::Text),
        ("nodes/hire", per_hire, Role::Text),
        ("donations", words::count(seen.donations()), Role::Text),
    ]
}
