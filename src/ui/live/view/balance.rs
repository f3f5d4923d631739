//! The pane `balance` with a few figures. Zoomed to the whole screen it shows the [report](crate::ui::live::report).

use crate::ui::kit::{Action, LinePart, PaneFrame, PanePlace, Role, Theme, padded, put};
use crate::ui::live::model::LiveModel;
use crate::ui::live::report::BalanceReport;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Draws the pane: the report, or a few figures.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let (theme, report) = (model.common.theme, model.report(place.inner().width));
    let legend =
        report.as_ref().map_or(Line::default(), |report| legend(theme, report, place.inner().height, model.reading));
    let inner = place.framed(buf, PaneFrame { legend, ..PaneFrame::titled(format!("balance{}", model.since())) });
    match &report {
        Some(report) => report.draw(buf, inner, model.reading),
        None => draw_figures(buf, inner, theme, model),
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

/// How evenly the nodes are shared: *most/mean* compares the nodes of the worker with most of them with the mean.
fn draw_figures(buf: &mut Buffer, area: Rect, theme: Theme, model: &LiveModel) {
    let Some(ratio) = model.balance.most_by_mean() else { return };
    put(buf, area, area.x + 1, area.y, "most/mean", theme.style(Role::Label));
    put(buf, area, area.x + 13, area.y, &format!("{ratio:>6.2}"), theme.style(Role::Text));
}
