//! The past: how many are busy, how fast they are and what share of their time they work; and marks where something
//! was changed.

use super::{chart, put};
use crate::schedule::words;
use crate::ui::history::{EVERY, History, Point};
use crate::ui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Width of the names and present figures at the left.
const LABEL: u16 = 16;

/// What the charts of a search are called.
pub const OF_SEARCH: [&str; 3] = ["at work", "nodes/s", "effic."];

/// Draws three charts of these names, of up to seven letters, one above the other, the latest point the last; below them
/// the time, where there is room.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, history: &History, workers: usize, names: [&str; 3]) {
    let axis = u16::from(area.height >= 4);
    let rows = ((area.height - axis) / 3).max(1);
    let points: Vec<&Point> = history.latest(usize::from(area.width.saturating_sub(LABEL + 1))).collect();
    let nodes_max = points.iter().map(|point| point.nodes_per_s).fold(0.0, f64::max);
    let last = points.last();
    let share = last.and_then(|point| point.efficiency).map_or("-".into(), words::percent);
    let [busy, speed, shares] = names;
    let charts: [(&str, String, Role, f64, Vec<f64>); 3] = [
        (
            busy,
            last.map_or("-".into(), |point| point.busy.to_string()),
            Role::Descheduled,
            workers as f64,
            points.iter().map(|point| point.busy as f64).collect(),
        ),
        (
            speed,
            last.map_or("-".into(), |point| words::rate(point.nodes_per_s)),
            Role::Busy,
            nodes_max,
            points.iter().map(|point| point.nodes_per_s).collect(),
        ),
        (shares, share, Role::Good, 1.0, points.iter().map(|point| point.efficiency.unwrap_or(0.0)).collect()),
    ];
    for (i, (name, figure, role, max, values)) in (0..).zip(charts) {
        let chart = Rect { y: area.y + i * rows, height: rows, ..area };
        if chart.bottom() > area.bottom() {
            break;
        }
        put(buf, chart, chart.x + 1, chart.y, name, theme.style(Role::Label));
        put(buf, chart, chart.x + 9, chart.y, &format!("{figure:>5}"), theme.style(Role::Strong));
        let plot = Rect { x: chart.x + LABEL, width: chart.width.saturating_sub(LABEL + 1), ..chart };
        chart::columns(buf, plot, theme, theme.style(role), &values, max);
    }
    if axis > 0 {
        draw_axis(buf, Rect { y: area.y + 3 * rows, height: 1, ..area }, theme, &points);
    }
}

/// How far back the charts go, and the letter of each mark under its column.
fn draw_axis(buf: &mut Buffer, area: Rect, theme: Theme, points: &[&Point]) {
    let past = EVERY * points.len() as u32;
    put(buf, area, area.x + 1, area.y, &format!("last {}", words::clock(past)), theme.style(Role::Label));
    for (x, point) in (area.x + LABEL..).zip(points) {
        let (symbol, role) = match point.mark {
            Some(mark) => (mark.to_string(), Role::Strong),
            None => (theme.glyphs().axis.to_owned(), Role::Border),
        };
        put(buf, area, x, area.y, &symbol, theme.style(role));
    }
}
