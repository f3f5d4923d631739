//! A column chart in eighths of a cell. A value above zero is always visible.

use super::draw::put;
use super::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Draws one column per value, from the left; `max` is the full height. An eighth of a cell stays empty at the top,
/// so that charts above one another do not touch.
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
