//! The header of the cycles: question, state and progress.

use super::super::model::CyclesModel;
use crate::gpu::Compass;
use crate::gpu::cycle::{CycleFacts, CyclePhase, KnightStatus};
use crate::run::{FilmVerdict, Stand};
use crate::ui::kit;
use crate::ui::kit::{LinePart, Role, Theme, header_line, metered, titled};
use crate::words::grouped;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// The phases of a move, as the header numbers them.
const PHASES: [(CyclePhase, &str); 3] =
    [(CyclePhase::Arrive, "1 arrive"), (CyclePhase::Ranks, "2 ranks"), (CyclePhase::Decide, "3 decide")];

/// Least width to name all three phases.
const PHASES_WIDTH: u16 = 60;

/// Draws both lines.
pub fn draw(buf: &mut Buffer, area: Rect, model: &CyclesModel, facts: &CycleFacts) {
    titled(buf, area, question(model), &badge(model, facts));
    let (theme, below) = (model.surface.theme, header_line(area, 1));
    let share = f64::from(facts.cycle) / f64::from(facts.cycles_max);
    metered(buf, below, theme, figures(theme, facts, below.width), 0, share);
}

fn question(model: &CyclesModel) -> Vec<LinePart> {
    let (theme, first) = (model.surface.theme, model.film.first());
    let (board, compass) = (first.board(), first.compass());
    let order = if compass == Compass::SOURCE { String::new() } else { format!("order {compass}") };
    vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::new(9).with(theme, Role::Strong, format!("{board} from {}", board.name(first.knight()))),
        LinePart::new(5).with(theme, Role::Text, "gpu-cycles"),
        LinePart::new(4).with(theme, Role::Text, order),
    ]
}

fn figures(theme: Theme, facts: &CycleFacts, width: u16) -> Vec<LinePart> {
    let (cycles, squares) = (grouped(facts.cycles_max), grouped(facts.squares));
    // Padding keeps the other figures in place while a figure grows.
    let padded = |number: u32, all: &str| format!("{:>width$}", grouped(number), width = all.len());
    let figure = |worth, name, number, all: String| {
        LinePart::figure(theme, worth, name, padded(number, &all)).with(theme, Role::Label, format!(" of {all}"))
    };
    vec![
        figure(9, "cycle", facts.cycle, cycles),
        phases(theme, facts.phase, width >= PHASES_WIDTH),
        figure(7, "square", facts.visit, squares),
    ]
}

/// The three phases with the current one marked; if space is short, only the current one.
fn phases(theme: Theme, phase: CyclePhase, all: bool) -> LinePart {
    PHASES.iter().fold(LinePart::new(8), |part, &(other, name)| match other == phase {
        true => part.with(theme, Role::Hired, format!("[{name}]")),
        false if !all => part,
        false => part.with(theme, Role::Label, format!(" {name} ")),
    })
}

/// The state of the run, or its end; a wrong device takes precedence.
fn badge(model: &CyclesModel, facts: &CycleFacts) -> Line<'static> {
    let (text, role) = match (&model.machine.stand, model.machine.verdict) {
        (_, FilmVerdict::Differs { .. }) => ("THE DEVICE IS WRONG".to_owned(), Role::Bad),
        (Stand::Opening, _) => ("OPENING DEVICE".to_owned(), Role::Hired),
        _ if model.running => match model.pace.per_s() {
            u32::MAX => ("RUNNING at full speed".to_owned(), Role::Good),
            speed => (format!("RUNNING {}/s", grouped(speed)), Role::Good),
        },
        _ => match facts.status {
            KnightStatus::Touring => return Line::default(),
            KnightStatus::Complete => ("COMPLETE".to_owned(), Role::Good),
            KnightStatus::Stuck => ("STUCK".to_owned(), Role::Bad),
        },
    };
    Line::from(kit::badge(model.surface.theme, role, text))
}
