//! Draws the step view of a film: its header, the board as a heat map of a channel, and a sentence. The figures are in
//! `figures.rs`.
//!
//! ```text
//!  destrier  8x8 from e6  gpu-cycles                               RUNNING 6/s
//!  cycle 37 of 192  1 arrive 2 ranks 3 decide  square 13 of 64 ━━━━╸─────────
//! ╭ rank B ─────────────── 0 ▒▒▒▒▒▒▒▒ 8 ╮╭ figures ──────────────────────────╮
//! │ the board as a heat map of one      ││ the knight and its last decision, │
//! │ channel, or of all four side by     ││ ranks, the source's model, what   │
//! │ side                                ││ was measured, and on what         │
//! ╰─────────────────────────────────────╯╰───────────────────────────────────╯
//!  what happens in this cycle, in words
//!  q quit  ? help  s cycle  ..
//! ```

use crate::board::{Board, Square};
use crate::gpu::cycle::{COUNT, Cell, CycleFacts, CyclePhase, KnightChoice, KnightStatus, NEXT, RANK, VISIT};
use crate::gpu::{Compass, NO_MOVE, STEPS};
use crate::run::{DeviceState, FilmVerdict};
use crate::ui::kit::heat::{self, Mark, Spot};
use crate::ui::kit::{
    self, Action, LinePart, Pane, PaneEntry, PaneFrame, PanePlace, Role, Theme, header_line, metered, padded, put,
    titled,
};
use crate::ui::step::film::{FilmModel, FilmPane, FilmTape};
use crate::words::grouped;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

impl Pane for FilmPane {
    type Model = FilmModel;
    // Digits say how often the next key is pressed.
    const HAS_KEYS: bool = false;
    const LIST: &'static [PaneEntry<FilmPane>] = &[
        channel(FilmPane::Visit, |buf, place, model| draw_channel(buf, place, model, FilmPane::Visit)),
        channel(FilmPane::Count, |buf, place, model| draw_channel(buf, place, model, FilmPane::Count)),
        channel(FilmPane::Rank, |buf, place, model| draw_channel(buf, place, model, FilmPane::Rank)),
        channel(FilmPane::Next, |buf, place, model| draw_channel(buf, place, model, FilmPane::Next)),
        PaneEntry { pane: FilmPane::Figures, name: "figures", draw: super::figures::show },
        PaneEntry { pane: FilmPane::Sentence, name: "sentence", draw: draw_sentence },
    ];
}

/// A line of the list for a channel.
const fn channel(pane: FilmPane, draw: fn(&mut Buffer, &PanePlace<'_>, &FilmModel)) -> PaneEntry<FilmPane> {
    PaneEntry { pane, name: "board", draw }
}

/// Draws the board as a heat map of a channel.
fn draw_channel(buf: &mut Buffer, place: &PanePlace<'_>, model: &FilmModel, channel: FilmPane) {
    let (tape, theme, facts) = (&model.tape, model.common.theme, model.tape.facts());
    let (least, most) = channel.range(facts.squares);
    let legend = padded(heat::scale(theme, &least, &most));
    place.framed(buf, PaneFrame { legend, ..PaneFrame::titled(channel.title()) });
    if let Some(sheet) = model.sheet(channel) {
        heat::draw(buf, &sheet, theme, |square| channel.spot(tape, &facts, square, theme.ascii()));
    }
}

/// Digits of the visit numbers of a board.
pub fn digits(board: Board) -> usize {
    board.squares().to_string().len()
}

/// Greatest number of neighbours of a square.
const RANK_MAX: f64 = 8.0;
/// The counter of a square whose knight has decided.
const COUNT_MAX: f64 = 3.0;

impl FilmPane {
    /// The name of the channel and the letter of its colour.
    fn title(self) -> &'static str {
        match self {
            FilmPane::Visit => "visit R",
            FilmPane::Count => "counter G",
            FilmPane::Rank => "rank B",
            FilmPane::Next => "next move A",
            FilmPane::Figures | FilmPane::Sentence => "",
        }
    }

    /// The least and the greatest value on a board with `squares` squares.
    fn range(self, squares: u32) -> (String, String) {
        let (least, most) = match self {
            FilmPane::Visit => (1, squares),
            FilmPane::Count => (1, 3),
            FilmPane::Rank => (0, 8),
            _ => (0, 7),
        };
        (least.to_string(), most.to_string())
    }

    /// The look of a square.
    fn spot(self, tape: &FilmTape, facts: &CycleFacts, square: Square, ascii: bool) -> Spot {
        let cell = tape.film.cell(facts.cycle, square);
        let (value, text) = self.content(&cell, facts.squares, digits(tape.board()), ascii);
        Spot { value, text, mark: self.mark(tape, facts, square, &cell) }
    }

    fn content(self, cell: &Cell, squares: u32, digits: usize, ascii: bool) -> (Option<f64>, String) {
        let of = |channel: usize| f64::from(cell[channel]);
        let visited = cell[VISIT] > 0.0;
        match self {
            FilmPane::Visit if visited => (Some(of(VISIT) / f64::from(squares)), format!("{:>digits$}", cell[VISIT])),
            FilmPane::Count if visited => (Some(of(COUNT) / COUNT_MAX), cell[COUNT].to_string()),
            // The rank of a visited square is never read.
            FilmPane::Rank => ((!visited).then_some(of(RANK) / RANK_MAX), cell[RANK].to_string()),
            FilmPane::Next if cell[NEXT] < f32::from(NO_MOVE) => {
                (Some(of(NEXT) / f64::from(NO_MOVE - 1)), way(cell[NEXT] as u8, ascii))
            }
            _ => (None, String::new()),
        }
    }

    fn mark(self, tape: &FilmTape, facts: &CycleFacts, square: Square, cell: &Cell) -> Option<Mark> {
        let free_beside = cell[VISIT] == 0.0 && tape.board().adjacent(facts.knight, square);
        let chosen = facts.phase == CyclePhase::Decide && facts.choice.is_some_and(|choice| choice.to == square);
        match self {
            _ if square == facts.knight => Some(Mark::Knight),
            _ if chosen => Some(Mark::Chosen),
            FilmPane::Rank if tape.film.has_stale_rank(facts.cycle, square) => Some(Mark::Wrong),
            FilmPane::Rank if free_beside && matches!(facts.phase, CyclePhase::Ranks | CyclePhase::Decide) => {
                Some(Mark::Candidate)
            }
            _ => None,
        }
    }
}

/// A move as its number, and an arrow in its approximate direction.
pub fn way(step: u8, ascii: bool) -> String {
    let arrow = match STEPS.get(usize::from(step)) {
        None => return "-".to_owned(),
        Some(_) if ascii => "",
        Some((1.., 1..)) => "↘",
        Some((1.., _)) => "↗",
        Some((_, 1..)) => "↙",
        Some(_) => "↖",
    };
    format!("{step}{arrow}")
}

/// The phases of a move, as the header numbers them.
const PHASES: [(CyclePhase, &str); 3] =
    [(CyclePhase::Arrive, "1 arrive"), (CyclePhase::Ranks, "2 ranks"), (CyclePhase::Decide, "3 decide")];

/// Least width to name all three phases.
const PHASES_WIDTH: u16 = 60;

/// Draws both lines.
pub fn draw_header(buf: &mut Buffer, area: Rect, model: &FilmModel) {
    let facts = &model.tape.facts();
    titled(buf, area, question(model), &badge(model, facts));
    let (theme, below) = (model.common.theme, header_line(area, 1));
    let share = f64::from(facts.cycle) / f64::from(facts.cycles_max);
    metered(buf, below, theme, figures(theme, facts, below.width), 0, share);
}

fn question(model: &FilmModel) -> Vec<LinePart> {
    let (theme, first) = (model.common.theme, model.tape.film.first());
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
fn badge(model: &FilmModel, facts: &CycleFacts) -> Line<'static> {
    let (text, role) = match (&model.tape.machine.state, model.tape.machine.verdict) {
        (_, FilmVerdict::Differs { .. }) => ("THE DEVICE IS WRONG".to_owned(), Role::Bad),
        (DeviceState::Opening, _) => ("OPENING DEVICE".to_owned(), Role::Hired),
        _ if model.playing => match model.pace.per_s() {
            u32::MAX => ("RUNNING at full speed".to_owned(), Role::Good),
            speed => (format!("RUNNING {}/s", grouped(speed)), Role::Good),
        },
        _ => match facts.status {
            KnightStatus::Touring => return Line::default(),
            KnightStatus::Complete => ("COMPLETE".to_owned(), Role::Good),
            KnightStatus::Stuck => ("STUCK".to_owned(), Role::Bad),
        },
    };
    Line::from(kit::badge(model.common.theme, role, text))
}

/// Draws the sentence about the cycle.
fn draw_sentence(buf: &mut Buffer, place: &PanePlace<'_>, model: &FilmModel) {
    let (area, (sentence, role)) = (place.rect, sentence(model, &model.tape.facts()));
    let room = Rect { width: area.width.saturating_sub(1), ..area };
    put(buf, room, area.x + 1, area.y, &sentence, model.common.theme.style(role).add_modifier(Modifier::BOLD));
}

/// The sentence about the cycle, and its colour.
fn sentence(model: &FilmModel, facts: &CycleFacts) -> (String, Role) {
    let board = model.tape.board();
    let knight = board.name(facts.knight);
    let [cycle, cycles, visit, squares] = [facts.cycle, facts.cycles_max, facts.visit, facts.squares].map(grouped);
    match (facts.status, facts.phase, facts.choice) {
        (KnightStatus::Complete, ..) => {
            let source = format!("the source runs on to {cycles}, and would not notice");
            (format!("complete at cycle {cycle}: all {squares} squares are visited; {source}"), Role::Good)
        }
        (KnightStatus::Stuck, ..) => {
            let stays = format!("so the knight stays; the board stands still to cycle {cycles}");
            (
                format!("stuck on {knight} at square {visit} of {squares}: no square around it is free, {stays}"),
                Role::Bad,
            )
        }
        (_, CyclePhase::Before, _) => {
            (format!("cycle 0: no square knows a rank yet; {} does the first cycle", Action::Step.key()), Role::Text)
        }
        (_, CyclePhase::Arrive, None) => {
            let decides = "it will decide in its third cycle, when it knows all ranks";
            (format!("the knight waits on {knight}: {decides}"), Role::Text)
        }
        (_, CyclePhase::Arrive, _) if model.tape.film.candidates(facts.cycle).next().is_none() => {
            (format!("the knight will be stuck on {knight}: no square around it is free"), Role::Bad)
        }
        (_, CyclePhase::Arrive, _) => (STALE.to_owned(), Role::Bad),
        (_, CyclePhase::Ranks, _) => {
            let seen = format!("the squares have seen that it is on {knight}");
            (format!("ranks around the knight are right now: {seen}"), Role::Text)
        }
        (_, CyclePhase::Decide, Some(KnightChoice { to, rank, candidates, lowest, .. })) => {
            let why = match (candidates, lowest) {
                (1, _) => ": the only free square".to_owned(),
                (_, 1) => format!(", rank {rank}, the lowest of {candidates}"),
                _ => {
                    format!(", rank {rank}, the lowest of {candidates}, a tie of {lowest}: the first in order wins")
                }
            };
            let to = board.name(to);
            (format!("the knight goes to {to}{why}; {to} will pull it there"), Role::Hired)
        }
        (_, CyclePhase::Decide, None) => (String::new(), Role::Text),
    }
}

/// The point that the source teaches: ranks are outdated for one cycle.
const STALE: &str = "ranks around the knight: one too high, they do not know yet that it is here, and are not read now";
