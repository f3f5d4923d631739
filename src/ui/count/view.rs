//! Draws the view of a count: its header, and the panes that have no file of their own.
//!
//! ```text
//!  destrier  8x8 closed tours  undirected  2 threads            COUNTING  0:07
//!  exact  square 30 of 64  states 1.72G of 3.94G
//!  done 43.6%  312M states/s  left 7 s  ━━━━━━━━━━━━━╸────────────────────────
//! ╭ 1 sweep ──────────╮╭ 2 rows ────────────────────────────────────────────╮
//! │ the board: behind ││ every row: its states, how many of them are done   │
//! │ the frontier, on  ││ and not zero, the width of its counters, its time  │
//! │ it, ahead of it   ││                                                    │
//! ╰───────────────────╯╰────────────────────────────────────────────────────╯
//! ╭ 3 threads 2 ──────────── B counting 2  w waiting 0 ╮╭ 4 memory ────────────╮
//! │ the step in work, and which range of degree     ││ buffers, files,      │
//! │ patterns every thread is at                     ││ counters             │
//! ╰─────────────────────────────────────────────────╯╰──────────────────────╯
//! ╭ 5 history ──────────────────────────────────────────────────────────────╮
//!  q quit  ? help  z zoom  ..
//! ```

use super::history;
use super::model::{CountModel, CountPane, FrontierPlace};
use crate::board::{Board, Ending};
use crate::count::{CountPhase, CountQuestion, Modulus};
use crate::ui::kit::heat::{self, Mark, Spot};
use crate::ui::kit::{
    self, LinePart, Pane, PaneEntry, PaneFrame, PanePlace, Role, Theme, fit, header_line, help, meter, metered, put,
    put_line, put_reason, titled, too_small,
};
use crate::words::{self, bytes};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::time::Duration;

pub mod answer;
mod rows;
mod threads;

/// Draws the model.
pub fn view(model: &CountModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    let page = &layout.panes.page;
    draw_header(buf, page.header, model);
    if let (Some(rect), Some(answer)) = (layout.answer, model.answer()) {
        answer::draw(buf, rect, model, answer, page);
    }
    layout.panes.draw(buf, model.common.theme, model.focus, model);
    let keys = model.keys();
    model.playback.draw(buf, area, &model.common, keys);
    help::draw(buf, area, &model.common, keys, keys.pane);
}

impl Pane for CountPane {
    type Model = CountModel;
    const LIST: &'static [PaneEntry<CountPane>] = &[
        PaneEntry { pane: CountPane::Sweep, name: "sweep", draw: show_sweep },
        PaneEntry { pane: CountPane::Rows, name: "rows", draw: rows::show },
        PaneEntry { pane: CountPane::Threads, name: "threads", draw: threads::show },
        PaneEntry { pane: CountPane::Memory, name: "memory", draw: show_memory },
        PaneEntry { pane: CountPane::History, name: "history", draw: show_history },
    ];
}

fn show_history(buf: &mut Buffer, place: &PanePlace<'_>, model: &CountModel) {
    let inner = place.framed(buf, PaneFrame::titled("history, speed in states/s"));
    history::draw(buf, inner, model.common.theme, &model.history, model.seen.threads.len(), model.mean());
}

/// Least width of the meter.
const METER_MIN: u16 = 10;

/// Draws three lines, or two without the middle line.
pub fn draw_header(buf: &mut Buffer, area: Rect, model: &CountModel) {
    titled(buf, area, question(model), &badge(model));
    if area.height > 2 {
        let middle = header_line(area, 1);
        put_line(buf, middle, &fit(phase(model), middle.width, 2));
    }
    let last = header_line(area, area.height - 1);
    metered(buf, last, model.common.theme, progress(model), METER_MIN, model.done());
}

/// The tours that are counted, for example `closed tours` or `open tours from a1 that cannot be closed`.
pub fn tours(question: &CountQuestion) -> String {
    let from = match (question.ending, question.start) {
        (Ending::Open, Some(start)) => format!(" from {}", question.board().name(start)),
        // Every closed tour passes through every square.
        _ => String::new(),
    };
    let strict = if question.strict { " that cannot be closed" } else { "" };
    format!("{} tours{from}{strict}", question.ending.name())
}

fn question(model: &CountModel) -> Vec<LinePart> {
    let (theme, asked) = (model.common.theme, &model.question);
    let threads = words::threads(model.seen.threads.len());
    vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::read_only(theme, model.playback.only_looks()),
        LinePart::new(9).with(theme, Role::Strong, asked.name()),
        LinePart::new(8).with(theme, Role::Strong, tours(asked)),
        LinePart::new(7).with(theme, Role::Text, asked.convention().name()),
        LinePart::new(0).with(theme, Role::Text, threads),
    ]
}

/// The current phase, in words.
fn phase(model: &CountModel) -> Vec<LinePart> {
    let (theme, seen) = (model.common.theme, &model.seen);
    let plain = |worth, text: String| LinePart::new(worth).with(theme, Role::Text, text);
    if seen.phase == CountPhase::Planning {
        return vec![plain(9, "the plan comes first: which patterns of the frontier can be reached".to_owned())];
    }
    if seen.states_planned == 0 && model.answer().is_some() {
        return vec![plain(9, "no count was needed".to_owned())];
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
    parts.extend(LinePart::recording(model.common.theme, model.playback.unrecorded()));
    parts
}

/// Progress, speed and time left, or the total time.
fn figures(model: &CountModel) -> Vec<LinePart> {
    let (theme, seen) = (model.common.theme, &model.seen);
    let figure = |worth, name: &str, text: String| LinePart::figure(theme, worth, name, text);
    let row = format!("{} of {}", seen.row_in_work(), model.board.rows());
    let mut parts = vec![figure(9, "done", format!("{:<5}", words::progress(model.done())))];
    if model.answer().is_some() {
        let took = words::moment(Duration::try_from_secs_f64(seen.elapsed_s).unwrap_or_default());
        parts.push(figure(8, "took", took));
        parts.extend(model.mean().map(|mean| figure(6, "mean states/s", words::rate(mean))));
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
        _ if model.playback.is_catching_up() => ("CATCHING UP", Role::Hired),
        (None, CountPhase::Planning) => ("PLANNING", Role::Hired),
        (None, CountPhase::Counting) => ("COUNTING", Role::Busy),
        (None, CountPhase::Symmetry) => ("SYMMETRIES", Role::Waiting),
        (None, CountPhase::Done) => ("ENDING", Role::Busy),
    };
    let theme = model.common.theme;
    let clock = words::clock(Duration::try_from_secs_f64(model.seen.elapsed_s).unwrap_or_default());
    Line::from(vec![kit::badge(theme, role, word), Span::styled(format!(" {clock:>4}"), theme.style(Role::Text))])
}

/// Width of the names of the figures.
const LABEL: u16 = 10;

/// Draws a gauge and the figures.
fn show_memory(buf: &mut Buffer, place: &PanePlace<'_>, model: &CountModel) {
    let area = place.framed(buf, PaneFrame::titled("memory"));
    let (theme, seen) = (model.common.theme, &model.seen);
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let mut lines = vec![("reserved", bytes(seen.buffer_bytes)), ("", String::new())];
    lines.push(("limit", if seen.memory_limit > 0 { bytes(seen.memory_limit) } else { "-".to_owned() }));
    lines.extend((seen.spilled_bytes > 0).then(|| ("in files", bytes(seen.spilled_bytes))));
    lines.extend([
        ("counters", seen.width()),
        ("largest", largest(seen.largest, usize::from(inner.width.saturating_sub(LABEL)))),
        ("states", words::grouped(seen.states)),
        ("of", words::grouped(seen.states_planned)),
    ]);
    for (y, (name, text)) in (inner.y..inner.bottom()).zip(&lines) {
        line(buf, Rect { y, height: 1, ..inner }, theme, name, text);
    }
    if inner.height > 1 && seen.memory_limit > 0 {
        let share = words::share(seen.buffer_bytes, seen.memory_limit);
        meter(buf, Rect { y: inner.y + 1, height: 1, ..inner }, theme, share);
    }
}

fn line(buf: &mut Buffer, area: Rect, theme: Theme, name: &str, text: &str) {
    put(buf, area, area.x, area.y, name, theme.style(Role::Label));
    put(buf, area, area.x + LABEL, area.y, text, theme.style(Role::Strong));
}

/// The largest counter: all its digits if they fit, otherwise its first three.
fn largest(count: u128, room: usize) -> String {
    let digits = words::grouped(count);
    if digits.len() <= room { digits } else { format!("{:.2e}", count as f64) }
}

/// The meanings of the colours beside that of the frontier.
const MEANINGS: [(FrontierPlace, &str); 3] =
    [(FrontierPlace::Behind, "done"), (FrontierPlace::Now, "now"), (FrontierPlace::Ahead, "not met")];

/// Draws a line about the frontier, in its colour, the board, and the meanings of the other colours below it.
fn show_sweep(buf: &mut Buffer, place: &PanePlace<'_>, model: &CountModel) {
    let area = place.framed(buf, PaneFrame::titled("sweep"));
    let Some(sheet) = model.layout().and_then(|layout| model.sheet(&layout)) else { return };
    let theme = model.common.theme;
    let line = Rect { height: 1, ..area };
    match model.frontier() {
        0 if model.seen.square == 0 => put_reason(buf, line, theme, "not begun"),
        0 => put_reason(buf, line, theme, "all done"),
        frontier => {
            meaning(buf, line, theme, (FrontierPlace::Frontier, &format!("frontier of {frontier}")));
        }
    }
    heat::draw(buf, &sheet, theme, |square| spot(theme, model.place(square)));
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
    heat::draw(buf, &sheet, theme, |_| spot(theme, place));
    put(buf, room, room.x + 3, room.y, words, theme.style(Role::Label));
    Rect { x: room.x + used, width: room.width.saturating_sub(used), ..room }
}

/// The colour of a square at its position relative to the frontier.
fn spot(theme: Theme, place: FrontierPlace) -> Spot {
    let (value, mark) = match place {
        FrontierPlace::Behind => (Some(0.3), None),
        FrontierPlace::Now => (Some(0.9), Some(Mark::Chosen)),
        FrontierPlace::Frontier => (Some(0.9), None),
        FrontierPlace::Ahead | FrontierPlace::Hole => (None, None),
    };
    let text = if place == FrontierPlace::Hole { theme.glyphs().wall.to_owned() } else { String::new() };
    Spot { value, text, mark }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_is_too_long_keeps_its_first_digits() {
        assert_eq!(largest(2_322_312_057, 13), "2,322,312,057");
        assert_eq!(largest(2_322_312_057, 12), "2.32e9");
        assert!(largest(u128::MAX, 18).len() <= 18);
    }
}
