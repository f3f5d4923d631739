//! Draws the view of the cycles.
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

use super::model::{Channel, CyclesLayout, CyclesModel, digits};
use crate::gpu::Compass;
use crate::gpu::cycle::{CycleFacts, CyclePhase, KnightChoice, KnightStatus};
use crate::run::{FilmVerdict, Stand};
use crate::ui::kit::{
    self, Action, LinePart, PaneTitle, Role, Theme, draw_pane, footer, header_line, heat, help, metered, padded, put,
    titled, too_small,
};
use crate::words::grouped;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

mod figures;

/// Draws the model.
pub fn view(model: &CyclesModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    let facts = model.facts();
    draw_header(buf, layout.page.header, model, &facts);
    for &(channel, pane) in &layout.boards {
        draw_board(buf, &layout, pane, model, &facts, channel);
    }
    let inner = draw_pane(buf, layout.figures, &layout.page, model.surface.theme, "figures", Line::default());
    figures::draw(buf, inner, model, &facts);
    draw_sentence(buf, layout.words, model, &facts);
    footer::draw(buf, layout.page.footer, &model.surface, model.keys());
    help::draw(buf, area, &model.surface, model.keys(), "board");
}

fn draw_board(
    buf: &mut Buffer,
    layout: &CyclesLayout,
    pane: Rect,
    model: &CyclesModel,
    facts: &CycleFacts,
    channel: Channel,
) {
    let (board, theme) = (model.film.first().board(), model.surface.theme);
    let sheet = layout.sheet(pane, board, theme, model.from);
    let (least, most) = channel.range(facts.squares);
    let focused = layout.boards.len() > 1 && channel == model.channel;
    let title = PaneTitle { text: channel.name(), key: None, focused, below: ("", Role::Label) };
    draw_pane(buf, pane, &layout.page, theme, title, padded(heat::scale(theme, &least, &most)));
    let digits = digits(board);
    heat::draw(buf, &sheet, theme, |square| channel.spot(&model.film, facts, square, digits, theme.ascii));
}

/// The phases of a move, as the header numbers them.
const PHASES: [(CyclePhase, &str); 3] =
    [(CyclePhase::Arrive, "1 arrive"), (CyclePhase::Ranks, "2 ranks"), (CyclePhase::Decide, "3 decide")];

/// Least width to name all three phases.
const PHASES_WIDTH: u16 = 60;

/// Draws both lines.
pub fn draw_header(buf: &mut Buffer, area: Rect, model: &CyclesModel, facts: &CycleFacts) {
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

/// Draws the longest sentence that fits.
pub fn draw_sentence(buf: &mut Buffer, area: Rect, model: &CyclesModel, facts: &CycleFacts) {
    let (sentences, role) = sentences(model, facts);
    let room = usize::from(area.width.saturating_sub(2));
    let fits = sentences.iter().find(|sentence| sentence.chars().count() <= room);
    let sentence = fits.or(sentences.last()).map_or("", String::as_str);
    put(buf, area, area.x + 1, area.y, sentence, model.surface.theme.style(role).add_modifier(Modifier::BOLD));
}

/// The sentences about the cycle, longest first, and their colour.
fn sentences(model: &CyclesModel, facts: &CycleFacts) -> (Vec<String>, Role) {
    let board = model.film.first().board();
    let knight = board.name(facts.knight);
    match (facts.status, facts.phase, facts.choice) {
        (KnightStatus::Complete, ..) => (complete(facts), Role::Good),
        (KnightStatus::Stuck, ..) => (stuck(facts, &knight), Role::Bad),
        (_, CyclePhase::Before, _) => (before(Action::Step.key()), Role::Text),
        (_, CyclePhase::Arrive, None) => (
            vec![
                format!("the knight waits on {knight}: it will decide in its third cycle, when it knows all ranks"),
                format!("the knight waits on {knight}"),
            ],
            Role::Text,
        ),
        (_, CyclePhase::Arrive, _) if model.film.candidates(facts.cycle).next().is_none() => {
            (vec![format!("the knight is on {knight}, and no square around it is free: it will be stuck")], Role::Bad)
        }
        (_, CyclePhase::Arrive, _) => (arrived(), Role::Bad),
        (_, CyclePhase::Ranks, _) => (
            vec![
                format!("ranks around the knight are right now: the squares have seen that it is on {knight}"),
                "ranks around the knight are right now".to_owned(),
            ],
            Role::Text,
        ),
        (_, CyclePhase::Decide, Some(choice)) => (decided(&knight, &board.name(choice.to), &choice), Role::Hired),
        (_, CyclePhase::Decide, None) => (vec![], Role::Text),
    }
}

fn before(step: &str) -> Vec<String> {
    vec![
        format!("cycle 0: the knight is on its start, and no square knows a rank yet; {step} does the first cycle"),
        format!("cycle 0: no square knows a rank yet; {step} does a cycle"),
        format!("{step} does the first cycle"),
    ]
}

/// The sentences on arrival, the point that the source teaches: ranks are outdated for one cycle.
fn arrived() -> Vec<String> {
    vec![
        "ranks around the knight are too high by one: they do not know yet that it is here, and are not read now"
            .to_owned(),
        "ranks around the knight are too high by one: they do not know yet that it is here".to_owned(),
        "ranks around the knight are too high by one: they do not know yet it is here".to_owned(),
        "ranks around it are too high by one".to_owned(),
    ]
}

fn decided(from: &str, to: &str, choice: &KnightChoice) -> Vec<String> {
    let KnightChoice { rank, candidates, lowest, .. } = *choice;
    let (why, short) = match (candidates, lowest) {
        (1, _) => ("the only free square".to_owned(), "the only one".to_owned()),
        (_, 1) => (format!("rank {rank} is the lowest of {candidates}"), format!("rank {rank} of {candidates}")),
        _ => (
            format!("rank {rank} is the lowest of {candidates}, on {lowest} squares: the first in order wins"),
            format!("rank {rank}, a tie of {lowest}"),
        ),
    };
    vec![
        format!("the knight decides to leave {from} for {to}, which will pull it there: {why}"),
        format!("the knight goes to {to}: {why}"),
        format!("goes to {to}: {short}"),
    ]
}

fn complete(facts: &CycleFacts) -> Vec<String> {
    let [cycle, cycles, squares] = [facts.cycle, facts.cycles_max, facts.squares].map(grouped);
    vec![
        format!(
            "complete at cycle {cycle}: all {squares} squares are visited; the source would not notice, and run on to {cycles}"
        ),
        format!("complete at cycle {cycle}: all {squares} squares; the source runs on to {cycles}"),
        format!("complete at cycle {cycle}"),
    ]
}

fn stuck(facts: &CycleFacts, knight: &str) -> Vec<String> {
    let [visit, squares, cycles] = [facts.visit, facts.squares, facts.cycles_max].map(grouped);
    vec![
        format!(
            "stuck on {knight} at square {visit} of {squares}: no square around is free, so the knight stays; the board stands still to cycle {cycles}"
        ),
        format!("stuck on {knight} at square {visit} of {squares}: no square around it is free"),
        format!("stuck on {knight}: {visit} of {squares}"),
    ]
}
