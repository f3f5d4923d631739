//! Draws the step view: the page of every tape, and of a search the header and the panes. `film.rs` draws a film.
//!
//! ```text
//!  destrier  6x6 closed  radley, any-isolated                       step 1,234
//!  nodes 1,020  cut 35  dead ends 60  tours 0  back 1,009  depth 12 ━━━━━━╸────
//! ╭ board ─────────────────────────────╮╭ moves from d2 ─────────────────────╮
//! │ the path and the knight, or pieces,││ in the order tried, each with how  │
//! │ the ranks of the squares that may  ││ it stands with it                  │
//! │ be next, those cut, isolated ones  │╰────────────────────────────────────╯
//! │                                    │╭ tree ──────────────────────────────╮
//! │                                    ││ what was tried, cut, and is left   │
//! │                                    │╰────────────────────────────────────╯
//! │                                    │╭ steps ─────────────────────────────╮
//! │                                    ││ the latest, in words               │
//! ╰────────────────────────────────────╯╰────────────────────────────────────╯
//!  q quit  ? help  s step  b back  ..
//! ```

use super::model::{StepModel, StepTape};
use super::search::{SearchModel, StepPane, is_framed};
use crate::explain::StepEvent;
use crate::ui::kit::{
    self, Action, LinePart, Pane, PaneEntry, PaneFrame, PanePlace, Role, footer, header_line, help, metered, padded,
    put, titled, too_small, wrapped,
};
use crate::words;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

mod board;
mod figures;
pub mod film;
mod moves;
mod tree;

/// Draws the model.
pub fn view<T: StepTape>(model: &StepModel<T>, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    let keys = T::keys(model);
    T::draw_header(buf, layout.page.header, model);
    layout.draw(buf, model.common.theme, model.focus, model);
    footer::draw(buf, layout.page.footer, &model.common, keys);
    let hint = "1200, node 500, cut, tour";
    footer::draw_input(buf, layout.page.footer, &model.common, &model.jump, "go to ", hint);
    let pane = model.focus.zoom().unwrap_or(T::Pane::LIST[0].pane);
    help::draw(buf, area, &model.common, keys, pane.name());
}

impl Pane for StepPane {
    type Model = SearchModel;
    // Digits say how often the next key is pressed.
    const HAS_KEYS: bool = false;
    const LIST: &'static [PaneEntry<StepPane>] = &[
        PaneEntry { pane: StepPane::Board, name: "board", draw: board::show },
        PaneEntry { pane: StepPane::Moves, name: "moves", draw: moves::show },
        PaneEntry { pane: StepPane::Tree, name: "tree", draw: tree::show },
        PaneEntry { pane: StepPane::Steps, name: "steps", draw: show_log },
    ];
}

/// The text before the first step.
pub fn first_step() -> String {
    format!("{} takes the first step", Action::Step.key())
}

/// Least width of the meter.
const METER_MIN: u16 = 8;
/// Least width of the screen for the place of a worker in full.
const PLACE_WIDTH: u16 = 60;

/// Draws the lines.
pub fn draw_header(buf: &mut Buffer, area: Rect, model: &SearchModel) {
    let framed = is_framed(model.common.screen);
    titled(buf, area, question(model, framed), &badge(model));
    if !framed {
        let latest = model.tape.events().next().map(|event| event.sentence(model.tape.title.board()));
        let latest = latest.unwrap_or_else(first_step);
        let style = model.common.theme.style(Role::Strong);
        for (line, text) in (1..area.height).zip(wrapped(&latest, usize::from(header_line(area, 1).width))) {
            let area = header_line(area, line);
            put(buf, area, area.x, area.y, &text, style);
        }
        return;
    }
    let below = header_line(area, 1);
    let share = model.tape.search().depth() as f64 / model.tape.search().depth_of_tour().max(1) as f64;
    metered(buf, below, model.common.theme, figures(model), METER_MIN, share);
}

/// The question and the step; on a low screen also a few figures.
fn question(model: &SearchModel, framed: bool) -> Vec<LinePart> {
    let (theme, title) = (model.common.theme, &model.tape.title);
    let method = match title.detail.as_str() {
        "" => title.method.clone(),
        detail => format!("{}, {detail}", title.method),
    };
    let narrow = model.common.screen.width < PLACE_WIDTH;
    let place = title.place.map_or(String::new(), |place| place.name(model.tape.at(), narrow));
    let mut parts = vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::new(9).with(theme, Role::Strong, format!("{} {}", title.shape.short(), title.ending.name())),
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

fn figure(model: &SearchModel, worth: u8, name: &str, count: u64) -> LinePart {
    LinePart::figure(model.common.theme, worth, name, words::grouped(count))
}

fn figures(model: &SearchModel) -> Vec<LinePart> {
    let (counts, depth) = (model.tape.search().counts(), model.tape.search().depth());
    let of = format!(" of {}", model.tape.search().depth_of_tour());
    // The search was led to the worker: nothing off the way has been counted.
    let counted = model.tape.title.place.map_or("", |_| "this way:");
    vec![
        LinePart::new(9).with(model.common.theme, Role::Label, counted),
        figure(model, 9, "nodes", counts.nodes),
        figure(model, 7, "pruned", counts.pruned),
        figure(model, 6, "dead ends", counts.dead_ends),
        figure(model, 8, "tours", counts.tours),
        figure(model, 3, "back", counts.backtracks),
        figure(model, 5, "depth", depth as u64).with(model.common.theme, Role::Label, of),
    ]
}

/// The current activity.
fn badge(model: &SearchModel) -> Line<'static> {
    let (text, role) = match model.run {
        Some(run) => (format!("RUNNING to {}", run.goal.name()), Role::Hired),
        None if model.playing => (format!("PLAYING {}/s", model.pace.per_s()), Role::Good),
        None if model.tape.is_finished() => ("FINISHED".to_owned(), Role::Good),
        None => return Line::default(),
    };
    Line::from(kit::badge(model.common.theme, role, text))
}

/// Draws the pane of the steps, with the number of later lines that are scrolled off.
fn show_log(buf: &mut Buffer, place: &PanePlace<'_>, model: &SearchModel) {
    let legend = match model.tape.scroll {
        0 => Line::default(),
        later => padded(Line::styled(format!("{later} later"), model.common.theme.style(Role::Hired))),
    };
    let inner = place.framed(buf, PaneFrame { legend, ..PaneFrame::titled("steps") });
    draw_log(buf, inner, model);
}

/// Draws the lines that fit.
fn draw_log(buf: &mut Buffer, area: Rect, model: &SearchModel) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    if model.tape.at() == 0 {
        let note = model.tape.title.note.iter().flat_map(|note| wrapped(note, usize::from(inner.width)));
        for (y, line) in (inner.y..inner.bottom()).zip([first_step()].into_iter().chain(note)) {
            put(buf, inner, inner.x, y, &line, model.common.theme.style(Role::Label));
        }
        return;
    }
    let first = model.tape.at() - model.tape.scroll as u64;
    let mut bottom = inner.bottom();
    for (number, event) in (1..=first).rev().zip(model.tape.events().skip(model.tape.scroll)) {
        let latest = number == model.tape.at();
        let lines = wrapped(&event.sentence(model.tape.title.board()), usize::from(inner.width.saturating_sub(2)));
        let Some(top) = bottom.checked_sub(lines.len() as u16).filter(|&top| top >= inner.y) else { return };
        for (k, text) in lines.iter().enumerate() {
            let indent = if k > 0 { 2 } else { 0 };
            put(buf, inner, inner.x + indent, top + k as u16, text, style(model, event, latest));
        }
        bottom = top;
    }
}

fn style(model: &SearchModel, event: &StepEvent, latest: bool) -> Style {
    let role = match event {
        StepEvent::Entered { .. } | StepEvent::Joined { .. } | StepEvent::Few { .. } => Role::Text,
        StepEvent::Forced { .. } | StepEvent::Fixed { .. } => Role::Hired,
        StepEvent::Cut { .. } | StepEvent::DeadEnd { .. } | StepEvent::Image { .. } => Role::Pruned,
        StepEvent::Tour { .. } | StepEvent::Finished => Role::Good,
        StepEvent::Back { .. } | StepEvent::Undone { .. } => Role::Label,
    };
    let style = model.common.theme.style(role).remove_modifier(Modifier::BOLD);
    if latest { style.add_modifier(Modifier::BOLD) } else { style }
}
