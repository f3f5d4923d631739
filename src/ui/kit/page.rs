//! The parts of every screen: header, body and footer.

use super::draw::put;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect, Size};
use ratatui::style::Style;

/// The smallest supported screen.
pub const SCREEN_MIN: Size = Size { width: 40, height: 10 };

/// The parts of a screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// The first lines.
    pub header: Rect,
    /// The lines between header and footer.
    pub body: Rect,
    /// The last line.
    pub footer: Rect,
    /// Whether panes have frames.
    pub framed: bool,
}

impl Page {
    /// Divides a screen: `header` lines of header, panes with frames or without; `None` if the screen is too small.
    pub fn of(screen: Size, header: u16, framed: bool) -> Option<Page> {
        if screen.width < SCREEN_MIN.width || screen.height < SCREEN_MIN.height {
            return None;
        }
        let rows = |y, height| Rect::new(0, y, screen.width, height);
        let body = rows(header, screen.height - header - 1);
        Some(Page { header: rows(0, header), body, footer: rows(screen.height - 1, 1), framed })
    }

    /// The inside of a pane: without its frame, if panes have frames.
    pub fn inner(&self, pane: Rect) -> Rect {
        if self.framed { pane.inner(Margin::new(1, 1)) } else { pane }
    }
}

/// Writes the needed and the actual size on a screen that is too small.
pub fn too_small(buf: &mut Buffer, area: Rect) {
    let text = format!("need {}x{}, have {}x{}", SCREEN_MIN.width, SCREEN_MIN.height, area.width, area.height);
    let x = area.x + area.width.saturating_sub(text.len() as u16) / 2;
    put(buf, area, x, area.y + area.height / 2, &text, Style::new());
}
