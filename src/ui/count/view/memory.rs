//! The resources of a count: memory, files, and the size of its counters.

use crate::ui::count::model::CountModel;
use crate::ui::kit::{Role, Theme, meter, put};
use crate::words::{self, bytes};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Width of the names of the figures.
const LABEL: u16 = 10;

/// Draws a gauge and the figures.
pub fn draw(buf: &mut Buffer, area: Rect, model: &CountModel) {
    let (theme, seen) = (model.surface.theme, &model.seen);
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let width = match (seen.sparse, seen.bits) {
        (true, _) => "sparse".to_owned(),
        (false, 0) => "-".to_owned(),
        (false, bits) => format!("{bits} bits"),
    };
    let mut lines = vec![("used", bytes(seen.buffer_bytes)), ("", String::new())];
    lines.push(("limit", if seen.memory_limit > 0 { bytes(seen.memory_limit) } else { "-".to_owned() }));
    lines.extend((seen.spilled_bytes > 0).then(|| ("in files", bytes(seen.spilled_bytes))));
    lines.extend([
        ("counters", width),
        ("largest", largest(seen.largest, usize::from(inner.width.saturating_sub(LABEL)))),
        ("states", words::grouped(seen.states)),
        ("of", words::grouped(seen.states_planned)),
    ]);
    for (y, (name, text)) in (inner.y..inner.bottom()).zip(&lines) {
        line(buf, Rect { y, height: 1, ..inner }, theme, name, text);
    }
    if inner.height > 1 && seen.memory_limit > 0 {
        let share = words::share(seen.buffer_bytes, seen.memory_limit);
        meter(buf, Rect { y: inner.y + 1, height: 1, ..inner }, theme, share);
    }
}

fn line(buf: &mut Buffer, area: Rect, theme: Theme, name: &str, text: &str) {
    put(buf, area, area.x, area.y, name, theme.style(Role::Label));
    put(buf, area, area.x + LABEL, area.y, text, theme.style(Role::Strong));
}

/// The largest counter: all its digits if they fit, otherwise its first three.
fn largest(count: u128, room: usize) -> String {
    let digits = words::grouped(count);
    if digits.len() <= room { digits } else { format!("{:.2e}", count as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_is_too_long_keeps_its_first_digits() {
        assert_eq!(largest(2_322_312_057, 13), "2,322,312,057");
        assert_eq!(largest(2_322_312_057, 12), "2.32e9");
        assert!(largest(u128::MAX, 18).len() <= 18);
    }
}
