//! The log: the latest steps in words, the last one at the bottom.

use crate::explain::StepEvent;
use crate::ui::kit::{Role, padded, put, wrapped};
use crate::ui::step::model::StepModel;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

/// The number of later lines that are scrolled off.
pub fn legend(model: &StepModel) -> Line<'static> {
    match model.scroll {
        0 => Line::default(),
        later => padded(Line::styled(format!("{later} later"), model.surface.theme.style(Role::Hired))),
    }
}

/// Draws the lines that fit.
pub fn draw(buf: &mut Buffer, area: Rect, model: &StepModel) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if model.tape.at() == 0 {
        let note = model.title.note.iter().flat_map(|note| wrapped(note, usize::from(inner.width)));
        for (y, line) in (inner.y..inner.bottom()).zip([super::first_step()].into_iter().chain(note)) {
            put(buf, inner, inner.x, y, &line, model.surface.theme.style(Role::Label));
        }
        return;
    }
    let first = model.tape.at() - model.scroll as u64;
    let mut bottom = inner.bottom();
    for (number, event) in (1..=first).rev().zip(model.tape.events().skip(model.scroll)) {
        let latest = number == model.tape.at();
        let lines = wrapped(&event.sentence(model.title.board), usize::from(inner.width.saturating_sub(2)));
        let Some(top) = bottom.checked_sub(lines.len() as u16).filter(|&top| top >= inner.y) else { return };
        for (k, text) in lines.iter().enumerate() {
            let indent = if k > 0 { 2 } else { 0 };
            put(buf, inner, inner.x + indent, top + k as u16, text, style(model, event, latest));
        }
        bottom = top;
    }
}

fn style(model: &StepModel, event: &StepEvent, latest: bool) -> Style {
    let role = match event {
        StepEvent::Entered { .. } | StepEvent::Joined { .. } | StepEvent::Few { .. } => Role::Text,
        StepEvent::Forced { .. } | StepEvent::Fixed { .. } => Role::Hired,
        StepEvent::Cut { .. } | StepEvent::DeadEnd { .. } => Role::Pruned,
        StepEvent::Tour { .. } | StepEvent::Finished => Role::Good,
        StepEvent::Back { .. } | StepEvent::Undone { .. } => Role::Label,
    };
    let style = model.surface.theme.style(role).remove_modifier(Modifier::BOLD);
    if latest { style.add_modifier(Modifier::BOLD) } else { style }
}
