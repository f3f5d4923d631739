//! The moves from the knight's square: eight moves with their ranks, the one taken, and the reason.

use crate::board::MOVE_NAMES;
use crate::ui::kit::{Role, put, wrapped};
use crate::ui::tour::model::TourModel;
use crate::ui::tour::moves::{Candidate, Moves};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Least width for a line of words about every move.
const WORDY_WIDTH: u16 = 24;

/// Draws the table and the reason below it; returns the remaining area.
pub fn draw(buf: &mut Buffer, area: Rect, model: &TourModel, moves: &Moves) -> Rect {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let wordy = inner.width >= WORDY_WIDTH && inner.height >= 12;
    let mut y = inner.y;
    if wordy {
        put(buf, inner, inner.x, y, "move   square rank", model.surface.theme.style(Role::Label));
        y += 1;
    }
    for (way, &candidate) in moves.candidates.iter().enumerate() {
        let shown = wordy || matches!(candidate, Candidate::Free { .. });
        if shown && y < inner.bottom() {
            line(buf, Rect { y, height: 1, ..inner }, model, way, candidate, moves.taken == Some(way), wordy);
            y += 1;
        }
    }
    y += u16::from(inner.bottom().saturating_sub(y) > 2);
    for text in wrapped(&moves.why, usize::from(inner.width)) {
        put(buf, inner, inner.x, y, &text, model.surface.theme.style(Role::Text));
        y += 1;
    }
    let below = (y + 1).min(area.bottom());
    Rect { y: below, height: area.bottom() - below, ..area }
}

/// Draws one move: its name and number, its target, and the rank or the reason why it is impossible.
fn line(buf: &mut Buffer, area: Rect, model: &TourModel, way: usize, candidate: Candidate, taken: bool, wordy: bool) {
    let (theme, board) = (model.surface.theme, model.route().board());
    let square = candidate.square().map_or(String::new(), |square| board.name(square));
    let mark = if taken { theme.glyphs().arrow } else { " " };
    let compass = MOVE_NAMES[way % MOVE_NAMES.len()];
    let (words, style) = match candidate {
        Candidate::OffBoard => ("off the board".to_owned(), theme.style(Role::Border)),
        Candidate::Hole(_) => ("a hole".to_owned(), theme.style(Role::Border)),
        Candidate::Visited(_, number) => (format!("visited {}", number + 1), theme.style(Role::Border)),
        Candidate::Free { rank, .. } => (rank.to_string(), taken_style(model, taken)),
    };
    if !wordy {
        put(buf, area, area.x, area.y, &format!("{mark}{compass} {square:<4} {words}"), style);
        return;
    }
    let x = put(buf, area, area.x, area.y, &format!("{mark}{compass} {way}  {square:<6} {words}"), style);
    if let Candidate::Free { rank, .. } = candidate {
        let bar = theme.glyphs().meter[0].repeat(rank as usize);
        put(buf, area, x + 1, area.y, &bar, style);
    }
}

fn taken_style(model: &TourModel, taken: bool) -> Style {
    if taken {
        model.surface.theme.style(Role::Good).add_modifier(Modifier::BOLD)
    } else {
        model.surface.theme.style(Role::Text)
    }
}
