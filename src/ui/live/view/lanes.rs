//! The lanes of a device: the number at work in each dispatch, and further figures.

use super::balance;
use crate::schedule::DeviceLanes;
use crate::ui::kit::{LinePart, Role, Theme, columns, fit, padded, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The number of lanes at work in the last dispatch.
pub fn legend(theme: Theme, lanes: &DeviceLanes, width: u16) -> Line<'static> {
    let Some(live) = lanes.recent().next_back() else { return Line::default() };
    let part = LinePart::new(0)
        .with(theme, Role::Strong, words::grouped(live.round() as u64))
        .with(theme, Role::Label, " of ")
        .with(theme, Role::Text, words::grouped(u64::from(lanes.lanes)));
    padded(fit(vec![part], width.saturating_sub(16), 2))
}

/// Draws a column for each dispatch, the latest at the right; the full height means that all lanes are at work. The
/// device is named above, if there is room.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, lanes: &DeviceLanes) {
    let named = u16::from(area.height >= 3);
    if named > 0 {
        put(buf, area, area.x + 1, area.y, &lanes.device, theme.style(Role::Label));
    }
    let width = area.width.saturating_sub(2);
    let plot = Rect { x: area.x + 1, y: area.y + named, width, height: area.height - named };
    let skipped = lanes.recent().len().saturating_sub(width.into());
    let live: Vec<f64> = lanes.recent().skip(skipped).collect();
    columns(buf, plot, theme, theme.style(Role::Busy), &live, lanes.lanes.into());
}

/// Draws names and figures. *at work* is the mean over the time of all dispatches.
pub fn draw_figures(buf: &mut Buffer, area: Rect, theme: Theme, lanes: &DeviceLanes) {
    let ms = |time: std::time::Duration| format!("{:.1}", 1e3 * time.as_secs_f64());
    let now = lanes.recent().next_back().unwrap_or(0.0) / f64::from(lanes.lanes.max(1));
    let rows = vec![
        ("at work", words::percent(lanes.occupancy()), Role::Strong),
        ("now", words::percent(now), Role::Text),
        ("lanes", words::count(lanes.lanes.into()), Role::Text),
        ("dispatches", words::count(lanes.dispatches), Role::Text),
        ("ms each", ms(lanes.took), Role::Text),
        ("prefixes", words::count(lanes.prefixes), Role::Text),
        ("split off", words::count(lanes.split), Role::Text),
    ];
    balance::draw_rows(buf, area, theme, rows);
}
