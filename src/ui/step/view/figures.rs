//! The figures of the cycles: the knight and its last decision, ranks, the source's model, measurements, and the
//! device.

use super::film::way;
use crate::gpu::cycle::{CycleFacts, CyclePhase, KnightChoice, KnightStatus, MODEL_CPU, MODEL_GPU, MODEL_SPEED_UP};
use crate::gpu::{DeviceKind, DeviceLabel};
use crate::run::{DeviceState, FilmVerdict, Machine};
use crate::ui::kit::{PaneFrame, PanePlace, PaneWords, Role, Theme, fitted, put_line, wrapped};
use crate::ui::step::film::{FILM_KEYS, FilmModel};
use crate::words::{count, grouped, noun, short};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::time::Duration;

/// Width of the names.
const NAME_WIDTH: usize = 11;
/// Least width for all words.
const WORDY_WIDTH: u16 = 30;
/// Numbers from here on are abbreviated.
const GROUPED_MAX: u64 = 1_000_000;
/// Greatest number of lines of an explanation.
const REASON_LINES: usize = 3;

/// A line and its priority: lines of low priority are dropped first.
type FigureRow = (u8, Line<'static>);

/// Draws the pane with as many lines as fit.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &FilmModel) {
    let (area, facts) = (place.framed(buf, PaneFrame::titled("figures")), &model.tape.facts());
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let wordy = inner.width >= WORDY_WIDTH;
    let theme = model.common.theme;
    let mut rows = knight(model, facts, wordy);
    rows.extend(ranks(theme, facts, wordy));
    rows.extend(source(theme, facts, usize::from(inner.width)));
    rows.extend(measured(theme, &model.tape.machine, wordy));
    rows.extend(device(model, usize::from(inner.width)));
    rows.extend(explained(theme, inner, rows.len()));
    while rows.len() > usize::from(inner.height) {
        let Some(least) = (0..rows.len()).rev().min_by_key(|&row| rows[row].0) else { break };
        rows.remove(least);
    }
    for (y, (_, line)) in (inner.y..inner.bottom()).zip(rows) {
        put_line(buf, Rect { y, height: 1, ..inner }, &line);
    }
}

fn blank() -> FigureRow {
    (0, Line::default())
}

fn heading(theme: Theme, text: &str) -> Line<'static> {
    Line::styled(text.to_owned(), theme.style(Role::Strong))
}

/// A line with a name, a figure and a remark.
fn row(theme: Theme, worth: u8, name: &str, figure: String, more: &str) -> FigureRow {
    let spans = vec![
        Span::styled(format!("{name:<NAME_WIDTH$}"), theme.style(Role::Label)),
        Span::styled(figure, theme.style(Role::Strong)),
        Span::styled(more.to_owned(), theme.style(Role::Text)),
    ];
    (worth, Line::from(spans))
}

/// The position, status and last decision of the knight.
fn knight(model: &FilmModel, facts: &CycleFacts, wordy: bool) -> Vec<FigureRow> {
    let (theme, board) = (model.common.theme, model.tape.board());
    let (status, role) = match facts.status {
        KnightStatus::Touring => ("touring".to_owned(), Role::Text),
        KnightStatus::Complete => (format!("complete at cycle {}", grouped(facts.cycle)), Role::Good),
        KnightStatus::Stuck => (format!("stuck at square {}", grouped(facts.visit)), Role::Bad),
    };
    let mut stands = row(theme, 20, "knight", board.name(facts.knight), "");
    if wordy || facts.status == KnightStatus::Touring {
        stands.1.push_span(Span::styled(format!(", {status}"), theme.style(role)));
    }
    let Some(KnightChoice { step, to, rank, candidates, lowest }) = facts.choice else {
        let move_ = if facts.status == KnightStatus::Stuck { "none left" } else { "none yet" };
        return vec![
            stands,
            row(theme, 18, "move", move_.to_owned(), ""),
            row(theme, 17, "candidates", "-".to_owned(), ""),
        ];
    };
    // After the knight has left, the decision explains how it arrived.
    let name = if facts.phase == CyclePhase::Decide { "goes by" } else { "came by" };
    let more = if wordy { format!(" to {}, rank {rank}", board.name(to)) } else { format!(" to {}", board.name(to)) };
    let ties = if wordy { format!(" ({} so far)", grouped(facts.ties)) } else { String::new() };
    let tie = if lowest > 1 { format!(", a tie of {lowest}{ties}") } else { format!(", no tie{ties}") };
    vec![
        stands,
        row(theme, 18, name, way(step, theme.ascii()), &more),
        row(theme, 17, "candidates", candidates.to_string(), &tie),
    ]
}

/// The numbers of ranks computed and used.
fn ranks(theme: Theme, facts: &CycleFacts, wordy: bool) -> Vec<FigureRow> {
    // Every square computes its rank in every cycle.
    let (ranks, all) =
        (if facts.cycle == 0 { 0 } else { facts.squares }, u64::from(facts.squares) * u64::from(facts.cycle));
    let share = 100.0 * facts.ranks_used_total as f64 / all.max(1) as f64;
    let brief = |number: u64| if number < GROUPED_MAX { grouped(number) } else { count(number) };
    let pair = |used: u64, all: u64| format!("{} of {}", brief(used), brief(all));
    let (now, share) = if wordy { (" computed", format!(", {share:.2}%")) } else { ("", String::new()) };
    vec![
        blank(),
        row(theme, 11, "ranks used", pair(facts.ranks_used.into(), ranks.into()), now),
        row(theme, 13, "so far", pair(facts.ranks_used_total, all), &share),
    ]
}

/// The cycles that the source's model predicts, and what is counted here in the same units.
fn source(theme: Theme, facts: &CycleFacts, width: usize) -> Vec<FigureRow> {
    let here = facts.steps_cpu as f64 / facts.ranks_used_total.max(1) as f64;
    let here = if facts.ranks_used_total == 0 { String::new() } else { format!("; here {here:.1}x") };
    let titles = ["model of Kurapati 2007", "model of 2007"].map(|title| format!("{title}: {MODEL_SPEED_UP}x{here}"));
    let row_of = |name: &str, a_move: u64, counted: u64| {
        let [model, counted] = [a_move * u64::from(facts.visit), counted].map(grouped);
        let fits = |text: &String| NAME_WIDTH + model.len() + text.len() <= width;
        let texts = [format!(", {a_move} a move; here {counted}"), format!("; here {counted}"), String::new()];
        row(theme, 12, name, model.clone(), texts.iter().find(|text| fits(text)).map_or("", String::as_str))
    };
    vec![
        blank(),
        (12, heading(theme, titles.iter().find(|title| title.len() <= width).unwrap_or(&titles[1]))),
        row_of("CPU", MODEL_CPU, facts.steps_cpu),
        row_of("GPU", MODEL_GPU, facts.ranks_used_total),
    ]
}

/// The words of the help that are explained below the figures where all of them fit.
const EXPLAINED: [&str; 6] = ["model", "CPU", "GPU", "measured", "checked", "film"];

/// What the model assumes, what is counted here, and with what a device is compared; nothing where there is no room.
fn explained(theme: Theme, inner: Rect, lines_above: usize) -> Vec<FigureRow> {
    let panes = PaneWords::read(FILM_KEYS.words).into_iter().filter(|words| words.pane == "figures");
    let words = panes.flat_map(|pane| pane.words).filter(|(word, _)| EXPLAINED.contains(word));
    let rows: Vec<FigureRow> = words
        .flat_map(|(word, sentence)| {
            let lines = wrapped(&format!("{word}: {sentence}"), usize::from(inner.width));
            [blank()].into_iter().chain(lines.into_iter().map(|line| (0, Line::styled(line, theme.style(Role::Text)))))
        })
        .collect();
    if lines_above + rows.len() <= usize::from(inner.height) { rows } else { Vec::new() }
}

/// The measured times of the batches.
fn measured(theme: Theme, machine: &Machine, wordy: bool) -> Vec<FigureRow> {
    let (cycles, spent) = machine.batch.unwrap_or_default();
    let a_cycle = |time: Option<Duration>| match time.filter(|_| cycles > 0) {
        Some(time) => short(time.as_secs_f64() / f64::from(cycles)),
        None => "-".to_owned(),
    };
    let (of, so_far) = if wordy { (" a cycle", " so far") } else { ("", "") };
    let device = match (spent.device, machine.batch) {
        (None, Some(_)) if wordy => ", no timestamps",
        (Some(_), _) => of,
        _ => "",
    };
    let total = &machine.total;
    let [dispatches, submits, readbacks] = [total.dispatches, total.submits, total.readbacks].map(grouped);
    let batch = machine.batch.map_or_else(|| "-".to_owned(), |_| grouped(cycles));
    vec![
        blank(),
        (8, heading(theme, if wordy { "measured, in the last batch" } else { "measured" })),
        row(theme, 16, "wall", a_cycle(machine.batch.map(|_| spent.wall)), of),
        row(theme, 7, "device", a_cycle(spent.device), device),
        row(theme, 6, "batch", batch, &format!(" {}", noun(cycles, "cycle"))),
        row(theme, 6, "dispatches", dispatches, so_far),
        row(theme, 5, "submits", submits, so_far),
        row(theme, 5, "readbacks", readbacks, so_far),
    ]
}

/// The device, and whether its boards are correct.
fn device(model: &FilmModel, width: usize) -> Vec<FigureRow> {
    let (theme, machine) = (model.common.theme, &model.tape.machine);
    let mut rows = vec![blank(), (1, heading(theme, "device"))];
    let mut say = |worth: u8, text: &str, role: Role, lines: usize| {
        let mut said = wrapped(text, width);
        let rest = said.split_off(said.len().min(lines - 1)).join(" ");
        said.extend(Some(fitted(&rest, width).into_owned()).filter(|rest| !rest.is_empty()));
        rows.extend(said.into_iter().map(|line| (worth, Line::styled(line, theme.style(role)))));
    };
    match (&machine.state, &machine.label) {
        (DeviceState::Failed(why), _) => say(14, &why.to_string(), Role::Bad, REASON_LINES),
        (_, None) => say(14, &format!("opening device: {}", model.tape.wanted), Role::Hired, 1),
        (_, Some(label)) => named(&mut say, label, width >= usize::from(WORDY_WIDTH)),
    }
    if let Some(why) = machine.instead.as_ref().map(ToString::to_string) {
        // What to install is a long list.
        let brief = format!("{}; see destrier doctor", why.split(';').next().unwrap_or_default());
        say(10, if wrapped(&why, width).len() > REASON_LINES { &brief } else { &why }, Role::Label, REASON_LINES);
    }
    let (text, role) = verdict(model, width >= usize::from(WORDY_WIDTH));
    say(19, &text, role, 2);
    if machine.at != model.tape.cycle && !machine.is_gone() && machine.label.is_some() {
        say(2, &format!("it is at cycle {}", grouped(machine.at)), Role::Label, 1);
    }
    rows
}

/// Name, kind and driver of the device; a software device is marked as such.
fn named(say: &mut impl FnMut(u8, &str, Role, usize), label: &DeviceLabel, wordy: bool) {
    match label.kind {
        DeviceKind::Cpu if !wordy => say(18, "CPU twin, no GPU", Role::Text, 1),
        DeviceKind::Cpu => say(14, "CPU twin: the rule of the shader, without a device", Role::Text, 2),
        DeviceKind::Software => {
            say(14, &label.name, Role::Text, 2);
            say(18, if wordy { "SOFTWARE Vulkan: the CPU, no GPU" } else { "SOFTWARE, no GPU" }, Role::Hired, 1);
        }
        kind => {
            say(14, &label.name, Role::Text, 2);
            say(14, kind.name(), Role::Good, 1);
        }
    }
    if !label.driver.is_empty() {
        say(4, &format!("driver {}", label.driver), Role::Label, 2);
    }
}

/// Whether the last board from the device equals the board that the CPU computes from the moves.
fn verdict(model: &FilmModel, wordy: bool) -> (String, Role) {
    let board = model.tape.board();
    match model.tape.machine.verdict {
        FilmVerdict::Equal { .. } if !wordy => ("checked: yes".to_owned(), Role::Good),
        FilmVerdict::Unknown => ("checked: not yet".to_owned(), Role::Label),
        FilmVerdict::Equal { cycle } => (format!("checked: yes (cycle {})", grouped(cycle)), Role::Good),
        FilmVerdict::Differs { cycle, squares, first } => {
            let (cycle, squares) = (grouped(cycle), grouped(squares as u64));
            let first = board.at(first).map_or_else(String::new, |square| board.name(square));
            (format!("CHECKED MOVE BY MOVE: WRONG, {squares} squares in cycle {cycle}, first {first}"), Role::Bad)
        }
    }
}
