//! The board of the step view: the path with the knight, or the pieces; the reserved square, and the ranks of the squares a
//! move away. The brackets of a rank show the state of the move.

use crate::board::Square;
use crate::explain::{ExplainedMove, MoveStatus, Reason, StepEvent};
use crate::ui::kit::board::{draw_line, letters, series};
use crate::ui::kit::{BoardLook, PaneFrame, PanePlace, Role, Sheet, draw_ground, draw_names};
use crate::ui::step::search::{SearchModel, StepPane};
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

/// Least size of a square in cells, across and down, for lines between the numbers.
const SPACIOUS: (u16, u16) = (8, 4);

/// Draws the pane.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &SearchModel) {
    place.framed(buf, PaneFrame::titled("board"));
    if let Some(sheet) = model.sheet(StepPane::Board) {
        draw(buf, model, &sheet, &model.tape.search().choices());
    }
}

/// Draws the visible part of the board.
fn draw(buf: &mut Buffer, model: &SearchModel, sheet: &Sheet, choices: &[ExplainedMove]) {
    if sheet.gutter > 0 {
        draw_names(buf, sheet, model.common.theme);
    }
    let numbers = model.tape.look == BoardLook::Numbers || model.common.theme.ascii();
    let spacious = sheet.cells().is_some_and(|(wide, high)| wide >= SPACIOUS.0 && high >= SPACIOUS.1);
    let ways: Vec<Vec<Square>> = model.tape.drawing.chains.iter().map(|chain| squares(model, chain)).collect();
    draw_vacant(buf, model, sheet);
    if !model.common.theme.ascii() && (!numbers || spacious) {
        let several = ways.len() > 1;
        for (i, way) in ways.iter().enumerate() {
            draw_lines(buf, model, sheet, way, several.then(|| series(model.common.theme, &model.tape.drawing, i)));
        }
        if let Some(StepEvent::DeadEnd { square, reason: Reason::Ring(_) }) = model.tape.events().next() {
            draw_ring(buf, model, sheet, &ways, *square);
        }
    }
    match &ways[..] {
        [] => {}
        // One piece is a tour if it has every square.
        [way] if !model.tape.search().has_pieces() || way.len() == model.tape.title.shape.squares() as usize => {
            draw_way(buf, model, sheet, way, numbers);
        }
        pieces => draw_pieces(buf, model, sheet, pieces, numbers),
    }
    for choice in choices {
        draw_choice(buf, model, sheet, choice);
    }
    let (trouble, left) = trouble(model);
    for square in trouble {
        let rank = || choices.iter().find(|choice| choice.square == square).map(|choice| choice.rank);
        let left = left.or_else(rank).map_or("!".to_owned(), |left| left.to_string());
        let style = model.common.theme.style(Role::Bad).add_modifier(Modifier::REVERSED);
        mark(buf, sheet, square, &format!("!{left}!"), style);
    }
    draw_ground(buf, sheet, model.common.theme);
}

/// Writes a text in the middle of a square; a square one cell wide gets only its middle letter.
fn mark(buf: &mut Buffer, sheet: &Sheet, square: Square, text: &str, style: Style) {
    let wide = sheet.cells().map_or(1, |(wide, _)| wide);
    let bracketed = text.chars().count() == 3 && wide < 3;
    let text = if bracketed { text.chars().skip(1).take(1).collect() } else { text.to_owned() };
    sheet.mark(buf, square, &text, style);
}

fn draw_vacant(buf: &mut Buffer, model: &SearchModel, sheet: &Sheet) {
    let style = model.common.theme.style(Role::Border);
    if sheet.cells().is_some() {
        let (shape, glyphs) = (&model.tape.title.shape, model.common.theme.glyphs());
        let sign = |square| if shape.has(square) { glyphs.dot } else { glyphs.wall };
        shape.board().all().for_each(|square| mark(buf, sheet, square, sign(square), style));
    }
}

fn squares(model: &SearchModel, chain: &[u32]) -> Vec<Square> {
    chain.iter().filter_map(|&square| model.tape.title.board().at(square)).collect()
}

/// Draws the moves of a path, the older ones paler, or of a piece in its colour.
fn draw_lines(buf: &mut Buffer, model: &SearchModel, sheet: &Sheet, way: &[Square], piece: Option<Style>) {
    for (age, pair) in (0..way.len() as u32).rev().skip(1).zip(way.windows(2)) {
        let style = piece.unwrap_or_else(|| model.common.theme.trail(age));
        let ends = [sheet.dot(pair[0]), sheet.dot(pair[1])];
        draw_line(buf, sheet.area, ends, style, model.common.theme.signs);
    }
}

/// Draws the moves that would close a piece to a ring at a square: from one end of the piece to the other, or from the
/// square, which is in no piece, to both ends.
fn draw_ring(buf: &mut Buffer, model: &SearchModel, sheet: &Sheet, pieces: &[Vec<Square>], square: Square) {
    let (board, theme) = (model.tape.title.board(), model.common.theme);
    let is_near = |a: Square, b: Square| board.neighbours(a).any(|near| near == b);
    for piece in pieces {
        let (Some(&first), Some(&last)) = (piece.first(), piece.last()) else { continue };
        let closing: &[[Square; 2]] = match () {
            () if [first, last].contains(&square) && is_near(first, last) => &[[first, last]],
            () if !piece.contains(&square) && is_near(first, square) && is_near(last, square) => {
                &[[first, square], [last, square]]
            }
            () => continue,
        };
        for ends in closing.iter().copied().chain(piece.windows(2).map(|pair| [pair[0], pair[1]])) {
            draw_line(buf, sheet.area, ends.map(|end| sheet.dot(end)), theme.style(Role::Bad), theme.signs);
        }
    }
}

/// Draws several pieces: the letter of each on its squares, if there is room after the number of the square in its piece.
/// In the other order it could be read as the name of a square.
fn draw_pieces(buf: &mut Buffer, model: &SearchModel, sheet: &Sheet, pieces: &[Vec<Square>], numbers: bool) {
    let (focus, names) = (model.tape.search().focus(), letters(&model.tape.drawing));
    let digits = model.tape.title.board().squares().to_string().len();
    let numbered = sheet.cells().is_some_and(|(wide, _)| usize::from(wide) >= digits + 2);
    for (i, (piece, name)) in pieces.iter().zip(names).enumerate() {
        for (number, &square) in (1..).zip(piece) {
            let style = series(model.common.theme, &model.tape.drawing, i);
            let is_end = number == 1 || number == piece.len();
            let text = if numbered { format!("{number}{name}") } else { name.clone() };
            if Some(square) == focus {
                mark(buf, sheet, square, &text, style.add_modifier(Modifier::REVERSED | Modifier::BOLD));
            } else if numbers || is_end {
                mark(buf, sheet, square, &text, style);
            }
        }
    }
}

/// Draws the numbers of the path (if `numbers`), its start and end, and the reserved square.
fn draw_way(buf: &mut Buffer, model: &SearchModel, sheet: &Sheet, way: &[Square], numbers: bool) {
    let theme = model.common.theme;
    let last = way.len().wrapping_sub(1);
    let first = model.tape.drawing.skipped as usize + 1;
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
    if let Some(square) = model.tape.drawing.reserved.and_then(|square| model.tape.title.board().at(square)) {
        mark(buf, sheet, square, theme.glyphs().reserved, theme.style(Role::Waiting));
    }
}

/// Draws the rank of a square a move away.
fn draw_choice(buf: &mut Buffer, model: &SearchModel, sheet: &Sheet, choice: &ExplainedMove) {
    let (theme, rank) = (model.common.theme, choice.rank);
    let (text, style) = match choice.status {
        MoveStatus::Next => (format!("[{rank}]"), theme.style(Role::Hired).add_modifier(Modifier::REVERSED)),
        MoveStatus::Untried => (format!("({rank})"), theme.style(Role::Hired)),
        MoveStatus::Tried | MoveStatus::Ended(_) | MoveStatus::Taken => (format!("-{rank}-"), theme.style(Role::Label)),
        MoveStatus::Passed => (format!(".{rank}."), theme.style(Role::Label)),
        MoveStatus::Cut(_) => (format!("x{rank}x"), theme.style(Role::Pruned)),
        MoveStatus::Barred(Reason::Reserved) => (theme.glyphs().reserved.to_owned(), theme.style(Role::Waiting)),
        MoveStatus::Barred(Reason::Inside | Reason::Enough | Reason::OwnPiece | Reason::NoChoice) => return,
        MoveStatus::Visited(_) | MoveStatus::Fixed => return,
        MoveStatus::Barred(_) => (format!("x{rank}x"), theme.style(Role::Label)),
    };
    mark(buf, sheet, choice.square, &text, style);
}

/// The squares that are the reason of the latest step, and the moves left to each if that is why.
fn trouble(model: &SearchModel) -> (Vec<Square>, Option<u8>) {
    let reason = match model.tape.events().next() {
        Some(StepEvent::Cut { reason, .. } | StepEvent::DeadEnd { reason, .. } | StepEvent::Forced { reason, .. }) => {
            *reason
        }
        _ => return (Vec::new(), None),
    };
    (reason.squares(model.tape.title.board()), reason.moves_left())
}
