//! The last line: the keys, or what has just been said.

use super::{Part, fit, put};
use crate::ui::keys::Binding;
use crate::ui::model::Notice;
use crate::ui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

/// Draws the footer.
pub fn draw<A>(buf: &mut Buffer, area: Rect, theme: Theme, notice: Option<&Notice>, bindings: &[Binding<A>]) {
    if let Some(notice) = notice {
        let role = if notice.bad { Role::Bad } else { Role::Strong };
        put(buf, area, area.x + 1, area.y, &notice.text, theme.style(role));
        return;
    }
    let keys = bindings.iter().filter_map(|binding| binding.footer?.split_once(' '));
    let parts = keys.zip((0..u8::MAX).rev()).map(|((key, word), worth)| {
        Part::new(worth).with(theme, Role::Strong, key).with(theme, Role::Label, format!(" {word}"))
    });
    let line = fit(parts.collect(), area.width.saturating_sub(2), 2);
    line.render(Rect { x: area.x + 1, width: area.width - 1, ..area }, buf);
}
