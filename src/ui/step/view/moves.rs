//! The moves from the knight's square, in the order in which the search tries them, with the state of each.

use crate::explain::{ExplainedMove, MoveStanding};
use crate::ui::kit::{Role, put};
use crate::ui::step::model::StepModel;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Least width for the reason of every move.
const WORDY_WIDTH: u16 = 30;

/// The title, with the square of the knight.
pub fn title(model: &StepModel) -> String {
    let focus = model.tape.search().focus();
    focus.map_or("moves".to_owned(), |focus| format!("moves from {}", model.title.board.name(focus)))
}

/// Draws the table.
pub fn draw(buf: &mut Buffer, area: Rect, model: &StepModel, choices: &[ExplainedMove]) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let wordy = inner.width >= WORDY_WIDTH;
    let mut lines = inner.y..inner.bottom();
    if wordy && inner.height > 8 {
        let heading = "  move to    rank";
        put(buf, inner, inner.x, lines.next().unwrap_or(inner.y), heading, model.surface.theme.style(Role::Label));
    }
    for (y, choice) in lines.zip(choices) {
        draw_choice(buf, Rect { y, height: 1, ..inner }, model, choice, wordy);
    }
}

fn draw_choice(buf: &mut Buffer, area: Rect, model: &StepModel, choice: &ExplainedMove, wordy: bool) {
    let (theme, board) = (model.surface.theme, model.title.board);
    let style = style(model, choice.standing);
    let next = choice.standing == MoveStanding::Next;
    let mark = if next { theme.glyphs().arrow } else { " " };
    let ExplainedMove { number, rank, .. } = *choice;
    let square = board.name(choice.square);
    let rank = match choice.standing {
        MoveStanding::Visited(_) => " ".to_owned(),
        _ => rank.to_string(),
    };
    if !wordy {
        let text = format!("{mark}{number} {square:<4}{rank} {}", brief(choice.standing));
        put(buf, area, area.x, area.y, &text, style);
        return;
    }
    let x = put(buf, area, area.x, area.y, &format!("{mark} {number:<4} {square:<5} {rank:<3}"), style);
    let words = match choice.standing {
        MoveStanding::Next => "next".to_owned(),
        MoveStanding::Untried => String::new(),
        MoveStanding::Tried => "tried, exhausted".to_owned(),
        MoveStanding::Taken => "taken".to_owned(),
        MoveStanding::Passed => "passed: searched before, or by another worker".to_owned(),
        MoveStanding::Fixed => "fixed".to_owned(),
        MoveStanding::Cut(reason) | MoveStanding::Barred(reason) => reason.sentence(board),
        MoveStanding::Visited(number) => format!("visited, number {number}"),
    };
    put(buf, area, x + 1, area.y, &shortened(&words, usize::from(area.right().saturating_sub(x + 1))), style);
}

/// The state of a move in one word.
fn brief(standing: MoveStanding) -> String {
    match standing {
        MoveStanding::Next => "next".to_owned(),
        MoveStanding::Untried => String::new(),
        MoveStanding::Tried => "tried".to_owned(),
        MoveStanding::Taken => "taken".to_owned(),
        MoveStanding::Passed => "passed".to_owned(),
        MoveStanding::Fixed => "fixed".to_owned(),
        MoveStanding::Cut(_) => "cut".to_owned(),
        MoveStanding::Barred(_) => "no".to_owned(),
        MoveStanding::Visited(number) => format!("is {number}"),
    }
}

fn style(model: &StepModel, standing: MoveStanding) -> Style {
    let theme = model.surface.theme;
    match standing {
        MoveStanding::Next => theme.style(Role::Hired).add_modifier(Modifier::BOLD),
        MoveStanding::Untried => theme.style(Role::Hired).remove_modifier(Modifier::BOLD),
        MoveStanding::Tried | MoveStanding::Taken | MoveStanding::Passed => theme.style(Role::Label),
        MoveStanding::Fixed => theme.style(Role::Text),
        MoveStanding::Cut(_) => theme.style(Role::Pruned),
        MoveStanding::Barred(_) | MoveStanding::Visited(_) => theme.style(Role::Border),
    }
}

/// A text cut to `width`, with dots if letters are missing.
fn shortened(text: &str, width: usize) -> String {
    match text.chars().count() <= width {
        true => text.to_owned(),
        false => text.chars().take(width.saturating_sub(2)).collect::<String>() + "..",
    }
}
