//! The pane `depths`: nodes entered and branches pruned, by depth.

use crate::schedule::{Levels, Snapshot};
use crate::ui::kit::{Role, Theme, columns, put, put_reason};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Least width for both charts side by side.
const SIDE_BY_SIDE: u16 = 96;
/// Greatest width of a column.
const COLUMN_MAX: usize = 3;

/// The title, which says how the figures were counted.
pub fn title(levels: Levels) -> String {
    match levels {
        Levels::Sampled => "depths, sampled".into(),
        Levels::Exact | Levels::Off => "depths".into(),
    }
}

/// Draws both charts, or says why there are none: a race for one tour counts nothing by depth, and a recording may
/// lack depths.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, seen: &Snapshot, depth_max: usize, finds: bool) {
    if seen.levels == Levels::Off {
        let why = if finds { "attempts are not counted by depth" } else { "this recording holds no depths" };
        return put_reason(buf, area, theme, why);
    }
    let nodes = DepthChart { name: "nodes", role: Role::Busy, by_depth: &seen.nodes_by_depth, depth_max };
    let pruned = DepthChart { name: "pruned", role: Role::Pruned, by_depth: &seen.pruned_by_depth, depth_max };
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if pruned.by_depth.iter().all(|&n| n == 0) {
        nodes.draw(buf, area, theme, true);
    } else if area.width >= SIDE_BY_SIDE {
        let half = area.width / 2 - 1;
        pruned.draw(buf, Rect { width: half, ..area }, theme, true);
        nodes.draw(buf, Rect { x: area.right() - half, width: half, ..area }, theme, true);
    } else {
        let upper = area.height / 2;
        pruned.draw(buf, Rect { height: upper, ..area }, theme, false);
        nodes.draw(buf, Rect { y: area.y + upper, height: area.height - upper, ..area }, theme, true);
    }
}

struct DepthChart<'a> {
    name: &'static str,
    role: Role,
    by_depth: &'a [u64],
    depth_max: usize,
}

impl DepthChart<'_> {
    /// Draws a line of text, the columns, and with `axis` the depths below them.
    fn draw(&self, buf: &mut Buffer, area: Rect, theme: Theme, axis: bool) {
        let by_depth = &self.by_depth[..self.by_depth.len().min(self.depth_max + 1)];
        let values = by_depth.get(1..).unwrap_or_default();
        let x = put(buf, area, area.x, area.y, self.name, theme.style(self.role));
        if let Some((index, &most)) = values.iter().enumerate().max_by_key(|&(_, n)| n).filter(|(_, n)| **n > 0) {
            let (most, depth) = (words::count(most), index + 1);
            let whole = format!(", most {most} at {depth}");
            let fits = whole.len() <= usize::from(area.right().saturating_sub(x));
            let most = if fits { whole } else { format!(", {most} at {depth}") };
            put(buf, area, x, area.y, &most, theme.style(Role::Label));
        }
        let width = usize::from(area.width.max(1));
        let group = values.len().div_ceil(width).max(1);
        let column = (width / values.len().div_ceil(group).max(1)).clamp(1, COLUMN_MAX);
        let sums: Vec<f64> = values
            .chunks(group)
            .map(|chunk| chunk.iter().map(|&nodes| nodes as f64).sum::<f64>())
            .flat_map(|sum| std::iter::repeat_n(sum, column))
            .collect();
        let below = u16::from(axis && area.height > 2);
        let rows = area.height.saturating_sub(1 + below);
        let chart = Rect { y: area.y + 1, height: rows, ..area };
        let max = sums.iter().copied().fold(0.0, f64::max);
        columns(buf, chart, theme, theme.style(self.role), &sums, max);
        if below > 0 {
            self.axis(buf, Rect { y: area.bottom() - 1, height: 1, ..area }, theme, column, group);
        }
    }

    /// Draws every eighth or sixteenth depth under its column.
    fn axis(&self, buf: &mut Buffer, area: Rect, theme: Theme, column: usize, group: usize) {
        let style = theme.style(Role::Label);
        let mut free = area.x;
        for depth in (0..=self.depth_max).step_by(if self.depth_max > 40 { 16 } else { 8 }).map(|d| d.max(1)) {
            let x = area.x + ((depth - 1) / group * column) as u16;
            if x >= free && x + depth.to_string().len() as u16 <= area.right() {
                free = put(buf, area, x, area.y, &depth.to_string(), style) + 1;
            }
        }
    }
}
