//! The help: the keys of a screen, and a legend beside them. A low screen shows a part of it.

use super::draw::put;
use super::keys::Action;
use super::screen_keys::KeyList;
use super::surface::Surface;
use super::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

/// Width of the keys and their meanings.
const KEYS_WIDTH: u16 = 42;

/// Draws the help over the middle of the screen, if it is shown. On a wide screen `legend` draws `beside` columns at
/// the right of the keys. If not all lines fit, the scrolled part is shown.
pub fn draw(
    buf: &mut Buffer,
    area: Rect,
    surface: &Surface,
    known: KeyList,
    beside: u16,
    legend: impl FnOnce(&mut Buffer, Rect),
) {
    if !surface.help {
        return;
    }
    let theme = surface.theme;
    let wide = beside > 0 && area.width >= KEYS_WIDTH + beside + 2;
    let width = (KEYS_WIDTH + if wide { beside } else { 0 }).min(area.width);
    let lines = known.lines().count() as u16;
    let height = (lines + 2).min(area.height);
    let rect = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    Clear.render(rect, buf);
    let mut block = Block::bordered()
        .border_set(theme.glyphs().border)
        .border_style(theme.style(Role::Focus))
        .title(Span::styled(known.view.title(), theme.style(Role::Strong)));
    let inner = block.inner(rect);
    let first = surface.scrolled.min(lines - inner.height);
    if inner.height < lines {
        let [up, down] = [Action::Up, Action::Down].map(Action::key);
        let part = format!(" {up} {down}: lines {} to {} of {lines} ", first + 1, first + inner.height);
        block = block.title_bottom(Line::styled(part, theme.style(Role::Strong)).right_aligned());
    }
    block.render(rect, buf);
    let mut page = Buffer::empty(Rect::new(0, 0, inner.width, lines));
    let keys = Rect { width: inner.width.min(KEYS_WIDTH), ..page.area };
    for (y, line) in (0..).zip(known.lines()) {
        put(&mut page, keys, 1, y, &line.shown(), theme.style(Role::Strong));
        put(&mut page, keys, 13, y, line.help, theme.style(Role::Text));
    }
    if wide {
        let room = Rect { x: keys.width, width: inner.width - keys.width, ..keys };
        legend(&mut page, room);
    }
    for Position { x, y } in inner.positions() {
        buf[(x, y)] = page[(x - inner.x, y - inner.y + first)].clone();
    }
}

/// Draws names and their meanings under a heading; the meanings are indented by `indent` columns.
pub fn meanings(buf: &mut Buffer, area: Rect, theme: Theme, heading: &str, meanings: &[(&str, &str)], indent: u16) {
    put(buf, area, area.x, area.y, heading, theme.style(Role::Label));
    for (y, (name, meaning)) in (area.y + 1..).zip(meanings) {
        put(buf, area, area.x, y, name, theme.style(Role::Text));
        put(buf, area, area.x + indent, y, meaning, theme.style(Role::Label));
    }
}
