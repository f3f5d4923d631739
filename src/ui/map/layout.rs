//! The positions of the panes of the map view: pure geometry.
//!
//! ```text
//! header   question and device; progress
//! starts                   | figures
//! footer   keys or a notice
//! ```

use crate::ui::kit::Page;
use ratatui::layout::{Rect, Size};

/// The positions of all parts of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapLayout {
    /// The header (two lines) and the footer.
    pub page: Page,
    /// The pane of the starts.
    pub starts: Rect,
    /// The pane of the figures.
    pub figures: Rect,
}

/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 16;
/// Width of the figures inside their frame, on a wide and on a narrow screen.
const FIGURES_WIDTH: u16 = 34;
const NARROW_WIDTH: u16 = 18;
/// Least screen width for the wide figures.
const WIDE_WIDTH: u16 = 72;

impl MapLayout {
    /// The layout; `None` if the screen is too small.
    pub fn of(screen: Size) -> Option<MapLayout> {
        let page = Page::of(screen, 2, screen.height >= FRAMED_HEIGHT)?;
        let (body, frame) = (page.body, if page.framed { 2 } else { 0 });
        let width = if screen.width >= WIDE_WIDTH { FIGURES_WIDTH } else { NARROW_WIDTH } + frame;
        let starts = Rect { width: body.width - width, ..body };
        let figures = Rect { x: starts.right(), width, ..body };
        Some(MapLayout { page, starts, figures })
    }
}
