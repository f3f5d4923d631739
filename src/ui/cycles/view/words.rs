//! One line of text that explains the cycle that is shown.

use super::super::model::CyclesModel;
use crate::gpu::cycle::{CycleFacts, CyclePhase, KnightChoice, KnightStatus};
use crate::ui::kit::{Action, Role, put};
use crate::words::grouped;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// Draws the longest sentence that fits.
pub fn draw(buf: &mut Buffer, area: Rect, model: &CyclesModel, facts: &CycleFacts) {
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
