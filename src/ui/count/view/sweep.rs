//! The board with its short side across: squares behind the frontier, on it, ahead of it, and the current square.

use crate::board::Board;
use crate::count::CountPhase;
use crate::ui::count::model::{CountModel, FrontierPlace};
use crate::ui::kit::heat::{self, Mark, Spot};
use crate::ui::kit::{PaneFrame, PanePlace, Role, Theme, put, put_reason};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The meanings of the colours beside that of the frontier.
const MEANINGS: [(FrontierPlace, &str); 3] =
    [(FrontierPlace::Behind, "done"), (FrontierPlace::Now, "now"), (FrontierPlace::Ahead, "not met")];

/// Draws a line about the frontier, in its colour, the board, and the meanings of the other colours below it.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &CountModel) {
    let area = place.framed(buf, PaneFrame::titled("sweep"));
    let Some(sheet) = model.layout().and_then(|layout| model.sheet(&layout)) else { return };
    let theme = model.surface.theme;
    let line = Rect { height: 1, ..area };
    match (model.seen.phase, model.frontier()) {
        (CountPhase::Planning, _) => put_reason(buf, line, theme, "not begun"),
        (_, 0) => put_reason(buf, line, theme, "all done"),
        (_, frontier) => {
            meaning(buf, line, theme, (FrontierPlace::Frontier, &format!("frontier of {frontier}")));
        }
    }
    heat::draw(buf, &sheet, theme, |square| spot(model.place(square)));
    if sheet.area.bottom() < area.bottom() {
        let line = Rect { y: area.bottom() - 1, height: 1, ..area };
        MEANINGS.into_iter().fold(line, |rest, of| meaning(buf, rest, theme, of));
    }
}

/// Draws a square with its meaning, if it has room; returns the room behind it.
fn meaning(buf: &mut Buffer, room: Rect, theme: Theme, (place, words): (FrontierPlace, &str)) -> Rect {
    let used = words.len() as u16 + 5;
    let Ok(board) = Board::new(1, 1) else { return room };
    if room.width + 2 < used {
        return Rect { width: 0, ..room };
    }
    let sheet = heat::sheet(Rect { width: 2, ..room }, board, 1, theme, false, (0, 0));
    heat::draw(buf, &sheet, theme, |_| spot(place));
    put(buf, room, room.x + 3, room.y, words, theme.style(Role::Label));
    Rect { x: room.x + used, width: room.width.saturating_sub(used), ..room }
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
