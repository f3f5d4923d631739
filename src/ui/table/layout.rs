//! The positions of the parts of the tables: pure geometry.
//!
//! ```text
//! header   what is reproduced; the tables
//! about    what the table shows, if there is room
//! legend   the bars of a group; the scale
//! chart
//! axis     numbers of the bars, names of the rows
//! figures  headings and rows
//! footer   keys or a notice
//! ```

use crate::ui::kit::{Page, wrapped};
use ratatui::layout::{Rect, Size};

/// What is shown of a table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TablesPart {
    /// Chart and figures; on a low screen the chart alone.
    #[default]
    Both,
    /// The chart.
    Chart,
    /// The figures.
    Figures,
}

/// The positions of all parts of the screen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablesLayout {
    /// The header (two lines) and the footer.
    pub page: Page,
    /// Lines that say what the table shows.
    pub about: (Rect, Vec<String>),
    /// The legend, the columns and the axis of the chart, if it is shown.
    pub chart: Option<[Rect; 3]>,
    /// The figures, if they are shown.
    pub figures: Option<Rect>,
}

/// Least height of a screen that says what the table shows.
const ABOUT_FROM: u16 = 20;
/// Least height of the body with both chart and figures.
const BOTH_FROM: u16 = 14;
/// Least height of the columns with numbers below them.
const NUMBERED_FROM: u16 = 4;

impl TablesLayout {
    /// The layout for a table with this description, and a chart of `bars` a group, if any; `None` if the screen is too
    /// small.
    pub fn of(screen: Size, about: &str, bars: Option<usize>, part: TablesPart) -> Option<TablesLayout> {
        let page = Page::of(screen, 2, false)?;
        let inner = |rect: Rect| Rect { x: rect.x + 1, width: rect.width - 2, ..rect };
        let body = inner(page.body);
        let lines = if screen.height >= ABOUT_FROM { wrapped(about, body.width.into()) } else { Vec::new() };
        let said = Rect { height: lines.len() as u16, ..body };
        let rest = Rect { y: said.bottom(), height: body.height - said.height, ..body };
        let charted = match part {
            _ if bars.is_none() => 0,
            TablesPart::Figures => 0,
            TablesPart::Both if rest.height >= BOTH_FROM => rest.height / 2,
            TablesPart::Both | TablesPart::Chart => rest.height,
        };
        let plot = Rect { height: charted, ..rest };
        let axis = 1 + u16::from(bars.is_some_and(|bars| bars > 1) && charted >= NUMBERED_FROM + 3);
        let chart = (charted > 0).then(|| {
            let legend = Rect { height: 1, ..plot };
            let axis = Rect { y: plot.bottom() - axis, height: axis, ..plot };
            [legend, Rect { y: legend.bottom(), height: axis.y - legend.bottom(), ..plot }, axis]
        });
        let figures = Rect { y: plot.bottom(), height: rest.height - charted, ..rest };
        let figures = (figures.height > 0).then_some(figures);
        Some(TablesLayout { page, about: (said, lines), chart, figures })
    }

    /// Lines below the headings.
    pub fn rows_shown(&self) -> usize {
        self.figures.map_or(0, |figures| usize::from(figures.height - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_parts_fill_the_body_one_below_the_other(
            width in 40u16..250, height in 10u16..80, words in 0usize..60, bars in prop::option::of(1usize..9), part in 0usize..3,
        ) {
            let part = [TablesPart::Both, TablesPart::Chart, TablesPart::Figures][part];
            let layout = TablesLayout::of(Size { width, height }, &"word ".repeat(words), bars, part).unwrap();
            let parts: Vec<Rect> = [layout.about.0].into_iter().chain(layout.chart.into_iter().flatten()).chain(layout.figures).collect();
            let mut y = layout.page.body.y;
            for rect in &parts {
                prop_assert_eq!((rect.y, rect.x, rect.width), (y, 1, width - 2));
                y = rect.bottom();
            }
            prop_assert_eq!(y, layout.page.footer.y);
            prop_assert!(layout.chart.is_none_or(|[_, columns, _]| columns.height > 0));
        }
    }
}
