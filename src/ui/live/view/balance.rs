//! The pane `balance` with a few figures. Zoomed to the whole screen it shows the [report](crate::ui::live::report).

use super::lanes;
use crate::ui::kit::{Action, LinePart, PaneFrame, PanePlace, Role, Theme, padded, put};
use crate::ui::live::model::LiveModel;
use crate::ui::live::report::BalanceReport;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Width of a name and its figure.
const COLUMN: u16 = 20;

/// Draws the pane: the report, or a few figures; of a search on a device, figures of its lanes.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let (theme, seen, report) = (model.surface.theme, &model.snapshot, model.report(place.inner().width));
    let legend =
        report.as_ref().map_or(Line::default(), |report| legend(theme, report, place.inner().height, model.reading));
    let title = PaneFrame::titled(if seen.lanes.is_some() { "lanes" } else { "balance" });
    let inner = place.framed(buf, PaneFrame { legend, ..title });
    match (&seen.lanes, &report) {
        (Some(lanes), _) => lanes::draw_figures(buf, inner, theme, lanes),
        (None, Some(report)) => report.draw(buf, inner, model.reading),
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

/// Draws names and figures, two of them side by side where there is room.
pub fn draw_rows(buf: &mut Buffer, area: Rect, theme: Theme, rows: Vec<(&'static str, String, Role)>) {
    let columns = (area.width / COLUMN).clamp(1, 2);
    let places = (area.y..area.bottom()).flat_map(|y| (0..columns).map(move |column| (column * COLUMN, y)));
    for ((x, y), (name, figure, role)) in places.zip(rows) {
        put(buf, area, area.x + x + 1, y, name, theme.style(Role::Label));
        put(buf, area, area.x + x + 13, y, &format!("{figure:>6}"), theme.style(role));
    }
}

/// How evenly the nodes are shared. *most/mean* compares the nodes of the worker with most of them with the mean.
fn figures(model: &LiveModel) -> Vec<(&'static str, String, Role)> {
    let nodes = || model.snapshot.workers.iter().map(|worker| worker.nodes);
    // Only nodes of the present workers count, not those of an earlier run.
    let (most, all) = (nodes().max().unwrap_or(0), nodes().sum::<u64>());
    let ratio = most as f64 * model.snapshot.workers.len() as f64 / all as f64;
    (all > 0).then(|| ("most/mean", format!("{ratio:.2}"), Role::Text)).into_iter().collect()
}
