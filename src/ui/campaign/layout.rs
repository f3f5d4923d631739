//! The positions of the panes of the view of a campaign: pure geometry.
//!
//! ```text
//! header   the question and the progress            on a wide screen
//! parts    ..............................           parts   | figures
//! figures  | estimate                               ..      | list
//! list     running parts, wrong files               estimate| ..
//! footer   keys or a notice
//! ```
//!
//! On a small screen the chart of the estimate is dropped first, then the frames.

use crate::ui::kit::Page;
use ratatui::layout::{Rect, Size};

/// The positions of all parts of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CampaignLayout {
    /// The header (two lines) and the footer.
    pub page: Page,
    /// The map of the parts.
    pub parts: Rect,
    /// The figures.
    pub figures: Rect,
    /// The chart of the estimate, if it fits.
    pub estimate: Option<Rect>,
    /// The list of running parts and wrong files.
    pub list: Rect,
}

/// Least screen height with frames.
const FRAMED_HEIGHT: u16 = 16;
/// Least screen size for two columns of panes.
const WIDE: Size = Size { width: 120, height: 30 };
/// Least width for the chart beside the figures, and the width of the figures in that case, frame included.
const CHART_WIDTH: u16 = 72;
const FIGURES_WIDTH: u16 = 38;
/// Height of the figures without frame: all of them, the most important ones, the fewest.
const FIGURES: [u16; 3] = [7, 5, 3];
/// Least height between header and footer for all figures.
const ALL_FIGURES: u16 = 18;
/// Least height of the list, without frame.
const LIST_MIN: u16 = 1;
/// Greatest height of the map of the parts, in lines. No screen is as high.
const LINES_MAX: usize = 1000;
/// Greatest width of the cell of a part, with the blank behind it.
pub const CELL_MAX: u16 = 6;

impl CampaignLayout {
    /// The layout for a number of parts; `None` if the screen is too small.
    pub fn of(screen: Size, parts: usize) -> Option<CampaignLayout> {
        let page = Page::of(screen, 2, screen.height >= FRAMED_HEIGHT)?;
        let frame = if page.framed { 2 } else { 0 };
        let wide = screen.width >= WIDE.width && screen.height >= WIDE.height;
        Some(if wide { in_columns(page, parts, frame) } else { in_rows(page, parts, frame) })
    }
}

/// Height of the map in `width` columns, with cells as wide as possible.
fn lines(parts: usize, width: u16) -> u16 {
    let cells = usize::from((width / CELL_MAX).max(1));
    parts.div_ceil(cells).clamp(1, LINES_MAX) as u16
}

fn in_rows(page: Page, parts: usize, frame: u16) -> CampaignLayout {
    let body = page.body;
    let figures = match page.framed {
        true if body.height >= ALL_FIGURES => FIGURES[0],
        true => FIGURES[1],
        false => FIGURES[2],
    } + frame;
    let most = body.height - figures - LIST_MIN - frame;
    // The list gets half of the remaining height.
    let least = (1 + frame).min(most);
    let map = (lines(parts, body.width - frame) + frame).clamp(least, most.min((body.height - figures) / 2).max(least));
    let rows = |y: u16, height: u16| Rect { y: body.y + y, height, ..body };
    let middle = rows(map, figures);
    let beside = page.framed && body.width >= CHART_WIDTH;
    let width = if beside { FIGURES_WIDTH } else { body.width };
    CampaignLayout {
        page,
        parts: rows(0, map),
        figures: Rect { width, ..middle },
        estimate: beside.then(|| Rect { x: middle.x + width, width: middle.width - width, ..middle }),
        list: rows(map + figures, body.height - map - figures),
    }
}

fn in_columns(page: Page, parts: usize, frame: u16) -> CampaignLayout {
    let body = page.body;
    let left = body.width * 3 / 5;
    let map = (lines(parts, left - frame) + frame).min(body.height / 2);
    let figures = FIGURES[0] + frame;
    let column = |x: u16, width: u16, y: u16, height: u16| Rect { x: body.x + x, y: body.y + y, width, height };
    CampaignLayout {
        page,
        parts: column(0, left, 0, map),
        figures: column(left, body.width - left, 0, figures),
        estimate: Some(column(0, left, map, body.height - map)),
        list: column(left, body.width - left, figures, body.height - figures),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_the_screen_and_never_lie_on_one_another() {
        for (width, height) in [(40, 10), (40, 15), (60, 16), (72, 16), (80, 24), (119, 60), (120, 30), (200, 60)] {
            for parts in [0, 1, 40, 20_000, 1_000_000] {
                let layout = CampaignLayout::of(Size { width, height }, parts).unwrap();
                let panes: Vec<Rect> =
                    [layout.parts, layout.figures, layout.list].into_iter().chain(layout.estimate).collect();
                let area: u32 = panes.iter().map(|pane| pane.area()).sum();
                assert_eq!(area, layout.page.body.area(), "{width}x{height}, {parts}: {layout:?}");
                for (n, pane) in panes.iter().enumerate() {
                    assert!(!layout.page.inner(*pane).is_empty(), "{width}x{height}, {parts}: {layout:?}");
                    assert!(panes[..n].iter().all(|other| other.intersection(*pane).is_empty()), "{layout:?}");
                }
            }
        }
        assert!(CampaignLayout::of(Size { width: 39, height: 10 }, 1).is_none());
    }
}
