//! The header of the step view: question, progress and counters; on a low screen the latest step in words, which may take
//! two lines.

use super::super::model::StepModel;
use crate::ui::kit;
use crate::ui::kit::{LinePart, Role, header_line, metered, titled, wrapped};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;

/// Least width of the meter.
const METER_MIN: u16 = 8;
/// Least width of the screen for the place of a worker in full.
const PLACE_WIDTH: u16 = 60;

/// Draws the lines.
pub fn draw(buf: &mut Buffer, area: Rect, model: &StepModel, framed: bool) {
    titled(buf, area, question(model, framed), &badge(model));
    if !framed {
        let latest = model.tape.events().next().map(|event| event.sentence(model.title.board));
        let latest = latest.unwrap_or_else(super::first_step);
        let style = model.surface.theme.style(Role::Strong);
        for (line, text) in (1..area.height).zip(wrapped(&latest, usize::from(header_line(area, 1).width))) {
            Line::styled(text, style).render(header_line(area, line), buf);
        }
        return;
    }
    let below = header_line(area, 1);
    let share = model.tape.search().depth() as f64 / model.tape.search().depth_of_tour().max(1) as f64;
    metered(buf, below, model.surface.theme, figures(model), METER_MIN, share);
}

/// The question and the step; on a low screen also a few figures.
fn question(model: &StepModel, framed: bool) -> Vec<LinePart> {
    let (theme, title) = (model.surface.theme, &model.title);
    let method = match title.detail.as_str() {
        "" => title.method.clone(),
        detail => format!("{}, {detail}", title.method),
    };
    let narrow = model.surface.screen.width < PLACE_WIDTH;
    let place = title.place.map_or(String::new(), |place| place.name(model.tape.at(), narrow));
    let mut parts = vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::new(9).with(theme, Role::Strong, format!("{} {}", title.board, title.ending.name())),
        LinePart::new(5).with(theme, Role::Text, method),
        LinePart::new(7).with(theme, Role::Hired, place),
        figure(model, 8, "step", model.tape.at()),
    ];
    if !framed {
        let counts = model.tape.search().counts();
        parts.extend([figure(model, 4, "nodes", counts.nodes), figure(model, 6, "tours", counts.tours)]);
    }
    parts
}

fn figure(model: &StepModel, worth: u8, name: &str, count: u64) -> LinePart {
    LinePart::figure(model.surface.theme, worth, name, words::grouped(count))
}

fn figures(model: &StepModel) -> Vec<LinePart> {
    let (counts, depth) = (model.tape.search().counts(), model.tape.search().depth());
    let of = format!(" of {}", model.tape.search().depth_of_tour());
    // The search was led to the worker: nothing off the way has been counted.
    let counted = model.title.place.map_or("", |_| "this way:");
    vec![
        LinePart::new(9).with(model.surface.theme, Role::Label, counted),
        figure(model, 9, "nodes", counts.nodes),
        figure(model, 7, "pruned", counts.pruned),
        figure(model, 6, "dead ends", counts.dead_ends),
        figure(model, 8, "tours", counts.tours),
        figure(model, 3, "back", counts.backtracks),
        figure(model, 5, "depth", depth as u64).with(model.surface.theme, Role::Label, of),
    ]
}

/// The current activity.
fn badge(model: &StepModel) -> Line<'static> {
    let (text, role) = match model.run {
        Some(run) => (format!("RUNNING to {}", run.goal.name()), Role::Hired),
        None if model.playing => (format!("PLAYING {}/s", model.pace.per_s()), Role::Good),
        None if model.tape.is_finished() => ("FINISHED".to_owned(), Role::Good),
        None => return Line::default(),
    };
    Line::from(kit::badge(model.surface.theme, role, text))
}
