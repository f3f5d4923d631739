//! The pane `depths`: nodes entered and branches pruned, by depth.
//!
//! ```text
//!  pruned, most 5.54M at 23
//!  5.54M ┤       ▄█
//!        │      ▂██▅
//!  2.77M ┤      ████
//!        │    ▃█████▂
//!        1       16      32
//! ```

use crate::schedule::{Levels, Snapshot};
use crate::ui::kit::{PaneFrame, PanePlace, Role, Theme, columns, put, put_reason};
use crate::ui::live::model::LiveModel;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// Least width for both charts side by side.
const SIDE_BY_SIDE: u16 = 80;
/// Least width and height of a chart with values beside it, and the width of these values.
const VALUES_FROM: (u16, u16) = (36, 6);
const VALUES_WIDTH: u16 = 7;
/// Least number of columns between two depths on the axis.
const TICKS_APART: usize = 5;
/// A way of counting that began within this time of the run has been there from its start.
const FROM_START: Duration = Duration::from_millis(500);

/// Draws the pane.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let theme = model.common.theme;
    let inner =
        place.framed(buf, PaneFrame { below: caption(model, place.caption_room()), ..PaneFrame::titled("depths") });
    draw(buf, inner, theme, &model.snapshot, model.about.shape.squares() as usize, model.about.finds);
}

/// How the figures were counted, and since when; until when, if nothing has been counted since; in so many letters.
fn caption(model: &LiveModel, room: usize) -> String {
    let at = |time| words::moment(model.run_time(time));
    let since = match (model.counted_until, model.snapshot.depths_since) {
        (Some(until), _) => format!(" until {}", at(until)),
        (None, from) if from.is_zero() || from < FROM_START && model.snapshot.earlier.is_none() => String::new(),
        (None, from) => format!(" since {}", at(from)),
    };
    match model.snapshot.levels {
        Levels::Off => String::new(),
        Levels::Sampled => {
            let long = format!("sampled, 1 in 64{since}");
            if long.len() <= room { long } else { format!("1 in 64{since}") }
        }
        Levels::Exact => format!("exact{since}"),
    }
}

/// Draws both charts, or says why there are none: a race for one tour counts nothing by depth, and a recording may
/// lack depths.
fn draw(buf: &mut Buffer, area: Rect, theme: Theme, seen: &Snapshot, depth_max: usize, finds: bool) {
    if seen.levels == Levels::Off {
        if area.height == 1 {
            return;
        }
        let why = if finds { "attempts are not counted by depth" } else { "this recording holds no depths" };
        return put_reason(buf, area, theme, why);
    }
    let nodes = DepthChart { name: "nodes", role: Role::Busy, by_depth: &seen.nodes_by_depth, depth_max };
    let pruned = DepthChart { name: "pruned", role: Role::Pruned, by_depth: &seen.pruned_by_depth, depth_max };
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if seen.nodes_by_depth.iter().all(|&nodes| nodes == 0) && area.height > 1 {
        return put_reason(buf, area, theme, "no node has been counted yet");
    }
    let prunes_none = pruned.by_depth.iter().all(|&n| n == 0);
    if area.height == 1 {
        let chart = if prunes_none { nodes } else { pruned };
        chart.draw_line(buf, area, theme);
    } else if prunes_none {
        nodes.draw(buf, area, theme, true);
    } else if area.width >= SIDE_BY_SIDE {
        let half = (area.width - 1) / 2;
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
    /// Draws the columns behind their name, in one line.
    fn draw_line(&self, buf: &mut Buffer, area: Rect, theme: Theme) {
        let x = put(buf, area, area.x, area.y, self.name, theme.style(self.role)) + 1;
        let chart = Rect { x, width: area.right().saturating_sub(x), ..area };
        self.draw_columns(buf, chart, theme);
    }

    /// The figures of the depths from 1 on.
    fn values(&self) -> &[u64] {
        self.by_depth[..self.by_depth.len().min(self.depth_max + 1)].get(1..).unwrap_or_default()
    }

    /// Draws the columns; returns how they stand, and the greatest figure.
    fn draw_columns(&self, buf: &mut Buffer, chart: Rect, theme: Theme) -> (DepthBars, f64) {
        let bars = DepthBars::new(self.values(), chart);
        let max = bars.heights.iter().copied().fold(0.0, f64::max);
        let heights: Vec<f64> = (0..bars.width).map(|column| bars.heights[bars.at(column)]).collect();
        columns(buf, chart, theme, theme.style(self.role), &heights, max);
        (bars, max)
    }

    /// Draws a line of text, the columns, values beside them if there is room, and with `axis` the depths below them.
    fn draw(&self, buf: &mut Buffer, area: Rect, theme: Theme, axis: bool) {
        let values = self.values();
        let x = put(buf, area, area.x, area.y, self.name, theme.style(self.role));
        if let Some((index, &most)) = values.iter().enumerate().max_by_key(|&(_, n)| n).filter(|(_, n)| **n > 0) {
            let (most, depth) = (words::count(most), index + 1);
            let texts = [format!(", most {most} at {depth}"), format!(", {most} at {depth}"), format!(" at {depth}")];
            let fits = |text: &String| text.len() <= usize::from(area.right().saturating_sub(x));
            let most = texts.into_iter().find(fits).unwrap_or_default();
            put(buf, area, x, area.y, &most, theme.style(Role::Label));
        }
        let below = u16::from(axis && area.height > 2);
        let height = area.height.saturating_sub(1 + below);
        let has_values = area.width >= VALUES_FROM.0 && height >= VALUES_FROM.1;
        let left = if has_values { VALUES_WIDTH } else { 0 };
        let chart = Rect { x: area.x + left, y: area.y + 1, width: area.width - left, height };
        let (bars, max) = self.draw_columns(buf, chart, theme);
        if has_values && max > 0.0 {
            draw_values(buf, Rect { x: area.x, width: left, ..chart }, theme, max);
        }
        if below > 0 {
            bars.draw_axis(buf, Rect { y: area.bottom() - 1, height: 1, ..chart }, theme, self.depth_max);
        }
    }
}

/// Writes the greatest value and half of it beside their heights.
fn draw_values(buf: &mut Buffer, area: Rect, theme: Theme, max: f64) {
    let style = theme.style(Role::Label);
    for (part, row) in [(1.0, 0), (0.5, area.height / 2)] {
        let text = format!("{:>5} {}", words::count((max * part) as u64), theme.glyphs().tick);
        put(buf, area, area.x, area.y + row, &text, style);
    }
}

/// The depths as bars that fill the width of a chart: one depth each, or where there are more depths than columns several,
/// of which the greatest counts.
struct DepthBars {
    heights: Vec<f64>,
    group: usize,
    /// Columns of all bars.
    width: usize,
}

impl DepthBars {
    fn new(values: &[u64], chart: Rect) -> DepthBars {
        let width = usize::from(chart.width);
        let group = values.len().div_ceil(width.max(1)).max(1);
        let heights: Vec<f64> =
            values.chunks(group).map(|depths| depths.iter().copied().max().unwrap_or(0) as f64).collect();
        let even = width / heights.len().max(1) * heights.len();
        // Bars of one width look better than bars that fill the chart, unless much of it stays empty.
        let width = if even * 5 >= width * 4 { even } else { width };
        let width = if heights.is_empty() { 0 } else { width };
        DepthBars { heights, group, width }
    }

    fn at(&self, column: usize) -> usize {
        column * self.heights.len() / self.width
    }

    /// Draws depth 1 and every so many depths under their bars.
    fn draw_axis(&self, buf: &mut Buffer, area: Rect, theme: Theme, depth_max: usize) {
        let bars = self.heights.len().max(1);
        let column = |depth: usize| ((depth - 1) / self.group * self.width).div_ceil(bars);
        let step = [2, 4, 8, 16].into_iter().find(|step| step * self.width >= TICKS_APART * bars * self.group);
        let mut free = area.x;
        for depth in (0..=depth_max).step_by(step.unwrap_or(32)).map(|depth| depth.max(1)) {
            let x = area.x + column(depth) as u16;
            if x >= free && x + depth.to_string().len() as u16 <= area.right() {
                free = put(buf, area, x, area.y, &depth.to_string(), theme.style(Role::Label)) + 1;
            }
        }
    }
}
