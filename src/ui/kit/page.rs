//! What every screen is divided into: a header, a footer, and what lies between them.

use super::draw::put;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect, Size};
use ratatui::style::Style;

/// The smallest screen that is drawn on.
pub const SCREEN_MIN: Size = Size { width: 40, height: 10 };

/// The parts of a screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// The first lines.
    pub header: Rect,
    /// What lies between.
    pub body: Rect,
    /// The last line.
    pub footer: Rect,
    /// Whether panes have frames.
    pub framed: bool,
}

impl Page {
    /// A screen with so many lines of header, its panes in frames or not; nothing when it is too small.
    pub fn of(screen: Size, header: u16, framed: bool) -> Option<Page> {
        if screen.width < SCREEN_MIN.width || screen.height < SCREEN_MIN.height {
            return None;
        }
        let rows = |y, height| Rect::new(0, y, screen.width, height);
        let body = rows(header, screen.height - header - 1);
        Some(Page { header: rows(0, header), body, footer: rows(screen.height - 1, 1), framed })
    }

    /// What is left of a pane inside its frame.
    pub fn inner(&self, pane: Rect) -> Rect {
        if self.framed { pane.inner(Margin::new(1, 1)) } else { pane }
    }
}

/// Says on a screen that is too small for anything else what is needed and what there is.
pub fn too_small(buf: &mut Buffer, area: Rect) {
    let text = format!("need {}x{}, have {}x{}", SCREEN_MIN.width, SCREEN_MIN.height, area.width, area.height);
    let x = area.x + area.width.saturating_sub(text.len() as u16) / 2;
    put(buf, area, x, area.y + area.height / 2, &text, Style::new());
}
