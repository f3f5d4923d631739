//! The header of a count: question, current pass, progress, speed, time left.

use crate::board::Ending;
use crate::count::{CountPhase, CountQuestion, Modulus};
use crate::ui::count::model::CountModel;
use crate::ui::kit;
use crate::ui::kit::{LinePart, Role, fit, header_line, metered, titled};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use std::time::Duration;

/// Least width of the meter.
const METER_MIN: u16 = 10;

/// Least counting time, in seconds, for a meaningful mean speed.
const SETTLED_S: f64 = 0.5;

/// Draws three lines, or two without the middle line.
pub fn draw(buf: &mut Buffer, area: Rect, model: &CountModel) {
    titled(buf, area, question(model), &badge(model));
    if area.height > 2 {
        let middle = header_line(area, 1);
        fit(phase(model), middle.width, 2).render(middle, buf);
    }
    let last = header_line(area, area.height - 1);
    metered(buf, last, model.surface.theme, progress(model), METER_MIN, model.done());
}

/// The tours that are counted, for example `closed tours` or `open tours from a1 that cannot be closed`.
pub fn tours(question: &CountQuestion) -> String {
    let from = match (question.ending, question.start) {
        (Ending::Open, Some(start)) => format!(" from {}", question.board.name(start)),
        // Every closed tour passes through every square.
        _ => String::new(),
    };
    let strict = if question.strict { " that cannot be closed" } else { "" };
    format!("{} tours{from}{strict}", question.ending.name())
}

fn question(model: &CountModel) -> Vec<LinePart> {
    let (theme, asked) = (model.surface.theme, &model.question);
    let threads = words::threads(model.seen.threads.len());
    vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::read_only(theme, model.playback.only_looks()),
        LinePart::new(9).with(theme, Role::Strong, asked.board.to_string()),
        LinePart::new(8).with(theme, Role::Strong, tours(asked)),
        LinePart::new(7).with(theme, Role::Text, asked.convention().name()),
        LinePart::new(0).with(theme, Role::Text, threads),
    ]
}

/// The current phase, in words.
fn phase(model: &CountModel) -> Vec<LinePart> {
    let (theme, seen) = (model.surface.theme, &model.seen);
    let plain = |worth, text: String| LinePart::new(worth).with(theme, Role::Text, text);
    if seen.phase == CountPhase::Planning {
        return vec![plain(9, "the plan comes first: which patterns of the frontier can be reached".to_owned())];
    }
    let pass = match seen.modulus {
        Modulus::None => "exact counters".to_owned(),
        Modulus::TwoTo64 => "modulo 2^64".to_owned(),
        Modulus::Prime(prime) => format!("modulo the prime {}", words::grouped(prime)),
    };
    let pass = match (seen.pass, seen.passes) {
        (0, 0 | 1) => pass,
        (at, 0 | 1) => format!("pass {}, {pass}", at + 1),
        (at, passes) => format!("pass {} of about {}, {pass}", at + 1, passes.max(at + 1)),
    };
    let sweep = if seen.sweeps > 1 { format!("sweep {} of {}", seen.sweep + 1, seen.sweeps) } else { String::new() };
    let square = format!("square {:>2} of {}", seen.square.min(seen.squares), seen.squares);
    let states = [seen.states, seen.states_planned].map(words::count);
    vec![
        plain(8, pass),
        plain(7, sweep),
        plain(5, square),
        LinePart::new(6).with(theme, Role::Label, "states ").with(theme, Role::Text, format!("{:>5}", states[0])).with(
            theme,
            Role::Label,
            format!(" of {}", states[1]),
        ),
    ]
}

fn progress(model: &CountModel) -> Vec<LinePart> {
    let mut parts = figures(model);
    parts.extend(LinePart::recording(model.surface.theme, model.playback.unrecorded()));
    parts
}

/// Progress, speed and time left, or the total time.
fn figures(model: &CountModel) -> Vec<LinePart> {
    let (theme, seen) = (model.surface.theme, &model.seen);
    let figure = |worth, name: &str, text: String| LinePart::figure(theme, worth, name, text);
    let row = format!("{} of {}", (seen.row + 1).min(model.board.rows()), model.board.rows());
    let mut parts = vec![figure(9, "done", format!("{:<5}", words::progress(model.done())))];
    if model.answer().is_some() {
        let took = words::moment(Duration::try_from_secs_f64(seen.elapsed_s).unwrap_or_default());
        parts.push(figure(8, "took", took));
        let counted_s = seen.elapsed_s - model.began_s.unwrap_or(seen.elapsed_s);
        parts.extend(
            (counted_s >= SETTLED_S).then(|| figure(6, "states/s", words::rate(model.stored() as f64 / counted_s))),
        );
        return parts;
    }
    if model.began_s.is_some() {
        parts.push(figure(7, "row", row));
        let per_s = model.pace.per_s().map_or("-".to_owned(), words::rate);
        parts.push(figure(6, "states/s", format!("{per_s:<5}")));
        parts.push(figure(8, "left", format!("{:<5}", seen.left_s.map_or("-".to_owned(), words::span))));
    }
    parts
}

/// The state of the count and the elapsed time.
fn badge(model: &CountModel) -> Line<'static> {
    let (word, role) = match (model.answer(), model.seen.phase) {
        (Some(_), _) => ("DONE", Role::Good),
        _ if model.playback.shown().is_some() => ("PAST", Role::Hired),
        (None, CountPhase::Planning) => ("PLANNING", Role::Hired),
        (None, CountPhase::Counting) => ("COUNTING", Role::Busy),
        (None, CountPhase::Symmetry) => ("SYMMETRIES", Role::Waiting),
        (None, CountPhase::Done) => ("ENDING", Role::Busy),
    };
    let theme = model.surface.theme;
    let clock = words::clock(Duration::try_from_secs_f64(model.seen.elapsed_s).unwrap_or_default());
    Line::from(vec![kit::badge(theme, role, word), Span::styled(format!(" {clock:>4}"), theme.style(Role::Text))])
}
