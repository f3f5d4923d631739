//! A column chart in eighths of a cell, in which nothing that exists is drawn as nothing.

use super::draw::put;
use super::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Draws one column per value, from the left, full height at `max`; an eighth of a cell stays free above, so that
/// charts one above the other do not run together.
pub fn columns(buf: &mut Buffer, area: Rect, theme: Theme, style: Style, values: &[f64], max: f64) {
    let full = f64::from(area.height) * 8.0 - 1.0;
    for (x, &value) in (area.x..area.right()).zip(values) {
        let eighths = match value > 0.0 && max > 0.0 {
            true => (value / max * full).round().clamp(1.0, full) as usize,
            false => 0,
        };
        for row in 0..area.height {
            let filled = eighths.saturating_sub(usize::from(row) * 8).min(8);
            if filled > 0 {
                put(buf, area, x, area.bottom() - 1 - row, theme.glyphs().column[filled], style);
            }
        }
    }
}
