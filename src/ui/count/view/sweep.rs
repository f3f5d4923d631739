//! The board with its short side across: squares behind the frontier, on it, ahead of it, and the current square.

use crate::board::Board;
use crate::count::CountPhase;
use crate::ui::count::model::{CountModel, FrontierPlace};
use crate::ui::kit::heat::{self, Mark, Spot};
use crate::ui::kit::{PaneFrame, PanePlace, Role, Theme, put};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The meanings of the colours of squares.
pub const MEANINGS: [(FrontierPlace, &str); 4] = [
    (FrontierPlace::Behind, "processed"),
    (FrontierPlace::Now, "being processed"),
    (FrontierPlace::Frontier, "on the frontier"),
    (FrontierPlace::Ahead, "not met yet"),
];

/// Draws a line of text and the board.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &CountModel) {
    let area = place.framed(buf, PaneFrame::titled("sweep"));
    let Some(sheet) = model.layout().and_then(|layout| model.sheet(&layout)) else { return };
    let theme = model.surface.theme;
    let frontier = model.frontier();
    let words = match model.seen.phase {
        CountPhase::Planning => "not begun".to_owned(),
        _ if frontier == 0 => "all processed".to_owned(),
        _ => format!("frontier of {frontier}"),
    };
    let x = put(buf, area, area.x + 1, area.y, &words, theme.style(Role::Label));
    if area.width >= 60 {
        draw_key(buf, Rect { x: x + 3, width: area.right().saturating_sub(x + 3), height: 1, ..area }, theme);
    }
    heat::draw(buf, &sheet, theme, |square| spot(model.place(square)));
}

/// The colour of a square at its position relative to the frontier.
fn spot(place: FrontierPlace) -> Spot {
    let (value, mark) = match place {
        FrontierPlace::Behind => (Some(0.3), None),
        FrontierPlace::Now => (Some(0.9), Some(Mark::Chosen)),
        FrontierPlace::Frontier => (Some(0.9), None),
        FrontierPlace::Ahead => (None, None),
    };
    Spot { value, text: String::new(), mark }
}

/// Draws a sample square, two cells wide.
pub fn sample(buf: &mut Buffer, area: Rect, theme: Theme, place: FrontierPlace) {
    if let Ok(board) = Board::new(1, 1) {
        let sheet = heat::sheet(area, board, 1, theme, false, (0, 0));
        heat::draw(buf, &sheet, theme, |_| spot(place));
    }
}

/// Draws the legend of the colours in one line.
fn draw_key(buf: &mut Buffer, area: Rect, theme: Theme) {
    let mut x = area.x;
    for (place, words) in MEANINGS {
        if area.right().saturating_sub(x) < 20 {
            return;
        }
        sample(buf, Rect { x, width: 2, ..area }, theme, place);
        x = put(buf, area, x + 3, area.y, words, theme.style(Role::Label)) + 3;
    }
}
