//! The positions of the parts of the comparison: pure geometry.
//!
//! ```text
//! header    the question                           RUNNING 2 of 3
//! table     a heading, and a row for each run
//! charts    up to three charts: a title, and a strip for each run
//! axis      the time, one axis for all runs
//! footer    keys or a notice
//! ```
//!
//! On a small screen the charts are dropped, the last one first, and then the axis.

use crate::ui::kit::Page;
use ratatui::layout::{Rect, Size};

/// The positions of all parts of the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompareLayout {
    /// The header (one line) and the footer.
    pub page: Page,
    /// The table.
    pub table: Rect,
    /// The charts that fit.
    pub charts: Vec<Rect>,
    /// Height of the strip of a run in a chart.
    pub strip: u16,
    /// The time axis, if there is a chart.
    pub axis: Option<Rect>,
}

/// Greatest number of charts.
const CHARTS: u16 = 3;
/// Greatest height of a strip.
const STRIP_MAX: u16 = 6;

impl CompareLayout {
    /// The layout for a number of runs; `None` if the screen is too small.
    pub fn of(screen: Size, runs: usize) -> Option<CompareLayout> {
        let page = Page::of(screen, 1, false)?;
        let (body, runs) = (page.body, runs as u16);
        let table = Rect { height: (runs + 1).min(body.height), ..body };
        let left = body.height - table.height;
        // Each chart needs a title, and all charts need one axis.
        let shown = (1..=CHARTS).rev().find(|charts| charts * (runs + 1) < left).unwrap_or(0);
        let strip = ((left.saturating_sub(1 + shown)) / (shown * runs).max(1)).clamp(1, STRIP_MAX);
        let height = strip * runs + 1;
        let charts = (0..shown).map(|n| Rect { y: table.bottom() + n * height, height, ..body });
        let charts: Vec<Rect> = charts.collect();
        let axis = charts.last().map(|last| Rect { y: last.bottom(), height: 1, ..body });
        Some(CompareLayout { page, table, charts, strip, axis })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_between_header_and_footer() {
        for (width, height) in [(40, 10), (60, 16), (80, 24), (120, 30), (200, 60)] {
            for runs in 2..=4 {
                let layout = CompareLayout::of(Size { width, height }, runs).unwrap();
                let parts: Vec<Rect> =
                    [layout.table].into_iter().chain(layout.charts.clone()).chain(layout.axis).collect();
                assert!(parts.iter().all(|part| part.intersection(layout.page.body) == *part), "{layout:?}");
                for (n, part) in parts.iter().enumerate() {
                    assert!(parts[..n].iter().all(|other| other.intersection(*part).is_empty()), "{layout:?}");
                }
                assert!(layout.charts.len() == 3 || height < 24, "{layout:?}");
            }
        }
        assert!(CompareLayout::of(Size { width: 39, height: 10 }, 2).is_none());
    }
}
