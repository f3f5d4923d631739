//! The map of the parts: one cell each if they fit, otherwise several parts a cell.
//!
//! The colour of a cell repeats its sign. A cell of several parts shows a wrong part first, then a running or stale
//! one, and otherwise the share of finished parts as the height of a column.

use crate::run::PartState;
use crate::ui::campaign::layout::CELL_MAX;
use crate::ui::campaign::model::CampaignModel;
use crate::ui::kit::{LinePart, Page, Role, Theme, fit, frame_pane, padded, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Least cell width with a blank behind the cell.
const APART: u16 = 3;
/// Height of a large cell, in eighths of a line.
const LARGE: usize = 6;
/// Width of the frame that the legend leaves to the title.
const TITLE: u16 = 24;

/// The sign and colour of a state.
fn sign(theme: Theme, state: PartState) -> (&'static str, Role) {
    let signs = if theme.ascii { ["#", "o", "?", ".", "!"] } else { ["█", "●", "○", "·", "!"] };
    match state {
        PartState::Done => (signs[0], Role::Good),
        PartState::Running => (signs[1], Role::Busy),
        PartState::Stale => (signs[2], Role::Hired),
        PartState::Missing => (signs[3], Role::Border),
        PartState::Wrong => (signs[4], Role::Bad),
    }
}

/// The size and arrangement of the cells.
struct Cells {
    /// Width of a cell.
    width: u16,
    /// Cells in a line.
    across: usize,
    /// Parts in a cell.
    parts: usize,
}

impl Cells {
    /// The widest cells with which all parts fit.
    fn of(area: Rect, parts: usize) -> Cells {
        let cells = |width: u16| usize::from((area.width / width).max(1));
        let fits = |width: &u16| parts <= cells(*width) * usize::from(area.height);
        let width = (1..=CELL_MAX).rev().find(fits).unwrap_or(1);
        let across = cells(width);
        Cells { width, across, parts: parts.div_ceil(across * usize::from(area.height).max(1)).max(1) }
    }
}

/// Draws the map, with a legend of its signs in the frame.
pub fn draw(buf: &mut Buffer, rect: Rect, page: &Page, model: &CampaignModel) {
    let theme = model.surface.theme;
    let (inner, states) = (page.inner(rect), &model.seen.parts);
    let area = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let cells = Cells::of(area, states.len());
    if page.framed {
        let title = match cells.parts {
            1 => "parts".to_owned(),
            several => format!("parts, {} a cell", words::grouped(several)),
        };
        let meaning = |(worth, state): (u8, PartState)| {
            let ((sign, role), word) = (sign(theme, state), word(state));
            LinePart::new(worth).with(theme, role, sign).with(theme, Role::Label, format!(" {word}"))
        };
        // The least likely state is dropped first.
        let legend = (0..5).rev().zip(PartState::ALL).map(meaning).collect();
        let legend = padded(fit(legend, rect.width.saturating_sub(TITLE), 2));
        frame_pane(buf, rect, theme, title.as_str(), legend);
    }
    for (at, states) in states.chunks(cells.parts).enumerate() {
        let (x, y) = (area.x + (at % cells.across) as u16 * cells.width, area.y + (at / cells.across) as u16);
        let (mut sign, role) = cell(theme, states);
        let columns = if cells.width < APART { cells.width } else { cells.width - 1 };
        // A finished part fills its cell; any other sign stands in the middle.
        let (blank, text) = match role {
            Role::Good => {
                // A gap separates large cells of neighbouring lines.
                if columns < cells.width && !theme.ascii {
                    sign = theme.glyphs().column[LARGE];
                }
                (0, sign.repeat(usize::from(columns)))
            }
            _ => ((columns - 1) / 2, sign.to_owned()),
        };
        put(buf, area, x + blank, y, &text, theme.style(role));
    }
}

fn word(state: PartState) -> &'static str {
    match state {
        PartState::Done => "done",
        PartState::Running => "running",
        PartState::Stale => "stale",
        PartState::Missing => "missing",
        PartState::Wrong => "wrong",
    }
}

/// The sign and colour of a cell with these parts.
fn cell(theme: Theme, states: &[PartState]) -> (&'static str, Role) {
    let first = [PartState::Wrong, PartState::Running, PartState::Stale];
    if let Some(state) = first.into_iter().find(|state| states.contains(state)) {
        return sign(theme, state);
    }
    let done = states.iter().filter(|state| **state == PartState::Done).count();
    match done {
        0 => sign(theme, PartState::Missing),
        all if all == states.len() => sign(theme, PartState::Done),
        some => (theme.glyphs().column[(some * 8 / states.len()).clamp(1, 7)], Role::Good),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PartState::{Done, Missing, Running, Stale, Wrong};

    #[test]
    fn cells_are_as_large_as_all_of_them_have_room() {
        let of = |width, height, parts| {
            let Cells { width, across, parts } = Cells::of(Rect::new(0, 0, width, height), parts);
            (width, across, parts)
        };
        assert_eq!(of(76, 4, 40), (6, 12, 1));
        assert_eq!(of(76, 4, 300), (1, 76, 1));
        assert_eq!(of(76, 4, 20_000), (1, 76, 66));
        assert_eq!(of(36, 1, 0), (6, 6, 1));
        assert_eq!(of(36, 2, 1_000_000), (1, 36, 13_889));
    }

    #[test]
    fn a_cell_of_several_parts_shows_what_matters_most() {
        let theme = Theme::from_env(|_| None);
        for (states, sign) in [
            (vec![Done, Wrong, Running], "!"),
            (vec![Done, Stale, Running], "o"),
            (vec![Done, Stale, Missing], "?"),
            (vec![Done, Done], "#"),
            (vec![Missing, Missing], "."),
            (vec![Missing, Done], theme.glyphs().column[4]),
            ([vec![Missing], vec![Done; 99]].concat(), theme.glyphs().column[7]),
            ([vec![Done], vec![Missing; 99]].concat(), theme.glyphs().column[1]),
        ] {
            assert_eq!(cell(theme, &states).0, sign, "{states:?}");
        }
    }
}
