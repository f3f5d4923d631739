//! What stands above the screen of a lesson.

use super::lesson::Lesson;
use crate::ui::kit::{Role, Theme, put, wrapped};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Lines of a caption: the title, three lines of text, one of keys, and a line below.
pub const CAPTION_LINES: u16 = 6;
/// The keys of the tutorial, and those of its last lesson.
const KEYS: &str = "space next  b back  q out";
const LAST_KEYS: &str = "space end  b back  q out";

/// Draws the caption of lesson `place`, counted from 0, of so many.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, lesson: &Lesson, (place, all): (usize, usize)) {
    let title = format!("{} of {all}  {}", place + 1, lesson.title);
    let x = put(buf, area, area.x + 1, area.y, &title, theme.style(Role::Strong));
    let keys = if place + 1 == all { LAST_KEYS } else { KEYS };
    let keys_at = area.right().saturating_sub(keys.len() as u16 + 1);
    if keys_at > x {
        put(buf, area, keys_at, area.y, keys, theme.style(Role::Focus));
    }
    let width = usize::from(area.width.saturating_sub(2));
    let lines = wrapped(lesson.text, width).into_iter().map(|line| (line, Role::Text)).take(3);
    let last = (lesson.keys.to_owned(), Role::Hired);
    for (y, (line, role)) in (area.y + 1..area.bottom().saturating_sub(1)).zip(lines.chain([last])) {
        put(buf, area, area.x + 1, y, &line, theme.style(role));
    }
    let below = theme.glyphs().border.horizontal_top.repeat(area.width.into());
    put(buf, area, area.x, area.bottom() - 1, &below, theme.style(Role::Border));
}
