//! The help: the keys of a screen, and room beside them for what else needs a word.

use super::draw::put;
use super::keys::Keys;
use super::surface::Surface;
use super::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;
use ratatui::widgets::{Block, Clear, Widget};

/// Columns of the keys and what they do.
const KEYS_WIDTH: u16 = 42;

/// Draws the keys of a screen over the middle of everything else, if the help is shown; answers the room for `beside`
/// columns at its right, where the screen is wide enough for both.
pub fn draw(buf: &mut Buffer, area: Rect, surface: &Surface, known: &Keys, beside: u16) -> Option<Rect> {
    if !surface.help {
        return None;
    }
    let theme = surface.theme;
    let wide = beside > 0 && area.width >= KEYS_WIDTH + beside + 2;
    let width = (KEYS_WIDTH + if wide { beside } else { 0 }).min(area.width);
    let height = (known.lines().count() as u16 + 2).min(area.height);
    let rect = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    Clear.render(rect, buf);
    let block = Block::bordered()
        .border_set(theme.glyphs().border)
        .border_style(theme.style(Role::Focus))
        .title(Span::styled(" help ", theme.style(Role::Strong)));
    let inner = block.inner(rect);
    block.render(rect, buf);
    let keys = Rect { width: inner.width.min(KEYS_WIDTH), ..inner };
    for (y, line) in (keys.y..keys.bottom()).zip(known.lines()) {
        put(buf, keys, keys.x + 1, y, &line.shown(), theme.style(Role::Strong));
        put(buf, keys, keys.x + 13, y, line.help, theme.style(Role::Text));
    }
    wide.then(|| Rect { x: keys.right(), width: inner.right() - keys.right(), ..inner })
}

/// What words mean, so many columns behind them, under a heading.
pub fn meanings(buf: &mut Buffer, area: Rect, theme: Theme, heading: &str, meanings: &[(&str, &str)], indent: u16) {
    put(buf, area, area.x, area.y, heading, theme.style(Role::Label));
    for (y, (name, meaning)) in (area.y + 1..).zip(meanings) {
        put(buf, area, area.x, y, name, theme.style(Role::Text));
        put(buf, area, area.x + indent, y, meaning, theme.style(Role::Label));
    }
}
