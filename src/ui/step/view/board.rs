//! The board of the step view: the path, the knight, the reserved square, and the ranks of the squares a move away.
//! The brackets of a rank show the state of the move.

use crate::board::Square;
use crate::explain::{ExplainedMove, MoveStanding, Reason, StepEvent};
use crate::ui::kit::braille::{dot, line};
use crate::ui::kit::{BoardLook, Role, Sheet, draw_ground, draw_names, put};
use crate::ui::step::model::StepModel;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

/// Least size of a square in cells, across and down, for lines between the numbers.
const SPACIOUS: (u16, u16) = (8, 4);

/// Draws the visible part of the board.
pub fn draw(buf: &mut Buffer, model: &StepModel, sheet: &Sheet, choices: &[ExplainedMove]) {
    if sheet.gutter > 0 {
        draw_names(buf, sheet, model.surface.theme);
    }
    let board = model.title.board;
    let chain = model.drawing.chains.first().map_or(&[][..], Vec::as_slice);
    let way: Vec<Square> = chain.iter().filter_map(|&square| board.at(square)).collect();
    let numbers = model.look == BoardLook::Numbers || model.surface.theme.ascii;
    let spacious = sheet.cells().is_some_and(|(wide, high)| wide >= SPACIOUS.0 && high >= SPACIOUS.1);
    draw_vacant(buf, model, sheet);
    if !model.surface.theme.ascii && (!numbers || spacious) {
        draw_lines(buf, model, sheet, &way);
    }
    draw_way(buf, model, sheet, &way, numbers);
    for choice in choices {
        draw_choice(buf, model, sheet, choice);
    }
    for square in trouble(model) {
        let rank = choices.iter().find(|choice| choice.square == square).map_or(0, |choice| choice.rank);
        let style = model.surface.theme.style(Role::Bad).add_modifier(Modifier::REVERSED);
        mark(buf, sheet, square, &format!("!{rank}!"), style);
    }
    draw_ground(buf, sheet, model.surface.theme);
}

/// Writes a text in the middle of a square; a square one cell wide gets only its middle letter.
fn mark(buf: &mut Buffer, sheet: &Sheet, square: Square, text: &str, style: Style) {
    if !sheet.shows(sheet.board.row_col(square)) {
        return;
    }
    let wide = sheet.cells().map_or(1, |(wide, _)| wide);
    let bracketed = text.chars().count() == 3 && wide < 3;
    let text = if bracketed { text.chars().skip(1).take(1).collect() } else { text.to_owned() };
    let (x, y) = sheet.cell(square, text.chars().count() as u16);
    put(buf, sheet.area, x, y, &text, style);
}

fn draw_vacant(buf: &mut Buffer, model: &StepModel, sheet: &Sheet) {
    let style = model.surface.theme.style(Role::Border);
    if sheet.cells().is_some() {
        let dots = |square| mark(buf, sheet, square, model.surface.theme.glyphs().dot, style);
        model.title.board.all().for_each(dots);
    }
}

fn draw_lines(buf: &mut Buffer, model: &StepModel, sheet: &Sheet, way: &[Square]) {
    for (age, pair) in (0..way.len() as u32).rev().skip(1).zip(way.windows(2)) {
        for (x, y) in line(sheet.dot(pair[0]), sheet.dot(pair[1])) {
            dot(buf, sheet.area, x, y, model.surface.theme.trail(age));
        }
    }
}

/// Draws the numbers of the path (if `numbers`), its start and end, and the reserved square.
fn draw_way(buf: &mut Buffer, model: &StepModel, sheet: &Sheet, way: &[Square], numbers: bool) {
    let theme = model.surface.theme;
    let last = way.len().wrapping_sub(1);
    let first = model.drawing.skipped as usize + 1;
    for (k, &square) in way.iter().enumerate() {
        let number = format!("{:>2}", first + k);
        match k {
            _ if k == last && numbers => {
                mark(buf, sheet, square, &number, theme.style(Role::Strong).add_modifier(Modifier::REVERSED));
            }
            _ if k == last => {
                let knight = format!(" {} ", theme.glyphs().knight);
                mark(buf, sheet, square, &knight, theme.style(Role::Strong).add_modifier(Modifier::REVERSED));
            }
            0 if !numbers => mark(buf, sheet, square, theme.glyphs().start, theme.style(Role::Good)),
            0 => mark(buf, sheet, square, &number, theme.style(Role::Good).add_modifier(Modifier::BOLD)),
            _ if numbers => mark(buf, sheet, square, &number, theme.trail((last - k) as u32)),
            _ => {}
        }
    }
    if let Some(square) = model.drawing.reserved.and_then(|square| model.title.board.at(square)) {
        mark(buf, sheet, square, theme.glyphs().reserved, theme.style(Role::Waiting));
    }
}

/// Draws the rank of a square a move away.
fn draw_choice(buf: &mut Buffer, model: &StepModel, sheet: &Sheet, choice: &ExplainedMove) {
    let (theme, rank) = (model.surface.theme, choice.rank);
    let (text, style) = match choice.standing {
        MoveStanding::Next => (format!("[{rank}]"), theme.style(Role::Hired).add_modifier(Modifier::REVERSED)),
        MoveStanding::Untried => (format!("({rank})"), theme.style(Role::Hired)),
        MoveStanding::Tried => (format!("-{rank}-"), theme.style(Role::Label)),
        MoveStanding::Cut(_) => (format!("x{rank}x"), theme.style(Role::Pruned)),
        MoveStanding::Barred(Reason::Reserved) | MoveStanding::Visited(_) => return,
        MoveStanding::Barred(_) => (format!("x{rank}x"), theme.style(Role::Label)),
    };
    mark(buf, sheet, choice.square, &text, style);
}

/// The squares that are the reason of the latest step.
fn trouble(model: &StepModel) -> Vec<Square> {
    let reason = match model.tape.events().next() {
        Some(StepEvent::Cut { reason, .. } | StepEvent::DeadEnd { reason, .. } | StepEvent::Forced { reason, .. }) => {
            *reason
        }
        _ => return Vec::new(),
    };
    reason.squares(model.title.board)
}
