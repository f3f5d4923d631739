//! The moves from the square at which the search stands, in the order in which the search tries them, with the state of
//! each. A reason takes as many lines as it needs; lines without room are counted, and scroll. Without moves, a sentence
//! says why there are none.

use crate::board::{Board, MOVE_NAMES};
use crate::explain::{ExplainedMove, MoveStatus, Reason, StepEvent};
use crate::ui::kit::{Action, PaneFrame, PanePlace, Role, put, put_reason, wrapped};
use crate::ui::step::search::{SearchModel, StepPane};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Least width for the reason of every move.
const WORDY_WIDTH: u16 = 30;
/// Columns before the reason.
const BEFORE: u16 = 16;

/// Draws the pane; its title names the square whose moves are listed.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &SearchModel) {
    let focus = model.tape.search().focus();
    let title =
        focus.map_or("moves".to_owned(), |focus| format!("moves from {}", model.tape.title.board().name(focus)));
    let inner = place.framed(buf, PaneFrame::titled(title));
    draw(buf, inner, model, &model.tape.search().choices());
}

/// Draws the table.
fn draw(buf: &mut Buffer, area: Rect, model: &SearchModel, choices: &[ExplainedMove]) {
    if choices.is_empty() {
        return put_reason(buf, area, model.common.theme, &why_none(model));
    }
    let mut inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let wordy = inner.width >= WORDY_WIDTH;
    let label = model.common.theme.style(Role::Label);
    if wordy && inner.height > 6 {
        let heading = if model.tape.search().has_pieces() { "  move   to   open" } else { "  move   to   rank" };
        put(buf, inner, inner.x, inner.y, heading, label);
        (inner.y, inner.height) = (inner.y + 1, inner.height - 1);
    }
    let lines: Vec<(String, Style)> = choices.iter().flat_map(|choice| lines(inner, model, choice, wordy)).collect();
    let (shown, all) = (usize::from(inner.height), lines.len());
    let from = model.tape.moves_from.min(all.saturating_sub(shown));
    for (y, (text, style)) in (inner.y..inner.bottom()).zip(&lines[from..]) {
        put(buf, inner, inner.x, y, text, *style);
    }
    if all > from + shown {
        // What has no room is said in place of the last line that has.
        let (more, zoom) = (all - from - shown + 1, Action::Zoom.key());
        let keys = match model.focus.pane {
            StepPane::Moves => format!(": {} scrolls, {zoom} zooms", Action::Down.key()),
            StepPane::Tree => format!(": {} {zoom} zooms", Action::PreviousPane.key()),
            _ => String::new(),
        };
        let more = if wordy { format!("  {more} more lines{keys}") } else { format!(" +{more}{keys}") };
        let text = format!("{more:<0$}", usize::from(inner.width));
        put(buf, inner, inner.x, inner.bottom() - 1, &text, label);
    }
}

fn why_none(model: &SearchModel) -> String {
    let (search, latest) = (model.tape.search(), model.tape.events().next());
    match (latest, search.focus()) {
        (None, _) => format!("nothing is decided yet, every square is free: {}", super::first_step()),
        (Some(StepEvent::Finished), _) => "everything has been searched: nothing is left to try".to_owned(),
        (Some(StepEvent::Tour { .. }), _) => "a tour: it has every square, and nothing is left to try".to_owned(),
        (Some(StepEvent::DeadEnd { .. }), None) => "a dead end: nothing is left to try".to_owned(),
        (_, Some(focus)) => format!("the board has no move from {}", model.tape.title.board().name(focus)),
        (_, None) => "no square is chosen: the next start follows, if there is one".to_owned(),
    }
}

fn lines(area: Rect, model: &SearchModel, choice: &ExplainedMove, wordy: bool) -> Vec<(String, Style)> {
    let (theme, board) = (model.common.theme, model.tape.title.board());
    let style = style(model, choice.status);
    let next = choice.status == MoveStatus::Next;
    let mark = if next { theme.glyphs().arrow } else { " " };
    let ExplainedMove { number, rank, .. } = *choice;
    let (compass, square) = (MOVE_NAMES[usize::from(number) % MOVE_NAMES.len()], board.name(choice.square));
    let rank = match choice.status {
        MoveStatus::Visited(_) | MoveStatus::Fixed | MoveStatus::Barred(Reason::Inside) => "-".to_owned(),
        _ => rank.to_string(),
    };
    if !wordy {
        return vec![(format!("{mark}{compass} {square:<3}{rank} {}", brief(choice.status)), style)];
    }
    let words = words(board, choice.status);
    let before = format!("{mark} {compass} {number}  {square:<4} {rank:<2}");
    let words = wrapped(&words, usize::from(area.width.saturating_sub(BEFORE)));
    let befores = std::iter::once(before.clone()).chain(std::iter::repeat(String::new()));
    let lines = befores.zip(words).map(|(before, words)| (format!("{before:<0$}{words}", usize::from(BEFORE)), style));
    let lines: Vec<_> = lines.collect();
    if lines.is_empty() { vec![(before, style)] } else { lines }
}

/// The state of a move with its reason.
pub fn words(board: Board, status: MoveStatus) -> String {
    match status {
        MoveStatus::Next => "next".to_owned(),
        MoveStatus::Untried => String::new(),
        MoveStatus::Tried => "tried, exhausted".to_owned(),
        MoveStatus::Taken => "taken".to_owned(),
        MoveStatus::Passed => "passed: searched before, or by another worker".to_owned(),
        MoveStatus::Fixed => "fixed".to_owned(),
        MoveStatus::Ended(end) => end.sentence(board),
        MoveStatus::Cut(reason) => format!("cut: {}", reason.sentence(board)),
        MoveStatus::Barred(reason) => reason.sentence(board),
        MoveStatus::Visited(number) => format!("visited, number {number}"),
    }
}

/// The state of a move in one word.
fn brief(status: MoveStatus) -> String {
    match status {
        MoveStatus::Next => "next".to_owned(),
        MoveStatus::Untried => String::new(),
        MoveStatus::Tried | MoveStatus::Ended(_) => "tried".to_owned(),
        MoveStatus::Taken => "taken".to_owned(),
        MoveStatus::Passed => "passed".to_owned(),
        MoveStatus::Fixed => "fixed".to_owned(),
        MoveStatus::Cut(_) => "cut".to_owned(),
        MoveStatus::Barred(Reason::Reserved) => "kept".to_owned(),
        MoveStatus::Barred(_) => "no".to_owned(),
        MoveStatus::Visited(number) => format!("is {number}"),
    }
}

pub fn style(model: &SearchModel, status: MoveStatus) -> Style {
    let theme = model.common.theme;
    match status {
        MoveStatus::Next => theme.style(Role::Hired).add_modifier(Modifier::BOLD),
        MoveStatus::Untried => theme.style(Role::Hired).remove_modifier(Modifier::BOLD),
        MoveStatus::Tried | MoveStatus::Ended(_) | MoveStatus::Passed => theme.style(Role::Label),
        MoveStatus::Taken => theme.style(Role::Strong),
        MoveStatus::Fixed => theme.style(Role::Text),
        MoveStatus::Cut(_) => theme.style(Role::Pruned),
        MoveStatus::Barred(Reason::Reserved) => theme.style(Role::Waiting),
        MoveStatus::Barred(_) | MoveStatus::Visited(_) => theme.style(Role::Border),
    }
}
