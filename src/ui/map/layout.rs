//! Where the panes of the map view lie: pure geometry.
//!
//! ```text
//! header   what is tried, on which device; how far it is
//! starts                   | figures
//! footer   keys, or what has just been said
//! ```

use crate::ui::layout::SCREEN_MIN;
use ratatui::layout::{Margin, Rect, Size};

/// Where everything lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The header, two lines.
    pub header: Rect,
    /// The pane of the starts.
    pub starts: Rect,
    /// The pane of the figures.
    pub figures: Rect,
    /// The last line.
    pub footer: Rect,
    /// Whether panes have frames.
    pub framed: bool,
}

/// Lines of a screen that are enough for frames.
const FRAMED_HEIGHT: u16 = 16;
/// Columns of the figures, inside their frame; on a narrow screen.
const FIGURES_WIDTH: u16 = 34;
const NARROW_WIDTH: u16 = 18;
/// Columns of a screen from which on the figures have all of theirs.
const WIDE_WIDTH: u16 = 72;

impl Layout {
    /// The layout of a screen; nothing when it is too small.
    pub fn of(screen: Size) -> Option<Layout> {
        if screen.width < SCREEN_MIN.width || screen.height < SCREEN_MIN.height {
            return None;
        }
        let framed = screen.height >= FRAMED_HEIGHT;
        let header = Rect::new(0, 0, screen.width, 2);
        let footer = Rect::new(0, screen.height - 1, screen.width, 1);
        let body = Rect { y: 2, height: screen.height - 3, ..header };
        let width = if screen.width >= WIDE_WIDTH { FIGURES_WIDTH } else { NARROW_WIDTH } + if framed { 2 } else { 0 };
        let starts = Rect { width: body.width - width, ..body };
        let figures = Rect { x: starts.right(), width, ..body };
        Some(Layout { header, starts, figures, footer, framed })
    }

    /// What is left of a pane inside its frame.
    pub fn inner(&self, pane: Rect) -> Rect {
        if self.framed { pane.inner(Margin::new(1, 1)) } else { pane }
    }
}
