//! What is said on a screen that is too small for anything else.

use crate::ui::layout::SCREEN_MIN;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Says what is needed and what there is.
pub fn draw(buf: &mut Buffer, area: Rect) {
    let text = format!("need {}x{}, have {}x{}", SCREEN_MIN.width, SCREEN_MIN.height, area.width, area.height);
    let x = area.x + area.width.saturating_sub(text.len() as u16) / 2;
    super::put(buf, area, x, area.y + area.height / 2, &text, Style::new());
}
