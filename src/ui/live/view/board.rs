//! The board of the live view: the position of a worker, with numbered squares and moves as lines.
//!
//! The drawing depends on the number of cells of a square:
//!
//! | a square has | shown |
//! |---|---|
//! | 4 x 2 or more | lines of dots, and numbers on them |
//! | a number and a blank | numbers; beside them the lines, if they fit |
//! | less | lines, and a mark on the last one; with less than two dots to a square, a map of where the path has been |
//! | less, and ASCII alone | a sentence |
//!
//! Each of several pieces has a letter, assigned in order from the top left. The letter stands behind the number of a
//! square in its piece, or alone if both do not fit; colours repeat the letter.

use crate::board::{Board, Shape, Square};
use crate::search::Drawing;
use crate::ui::kit::board::{dot, draw_line, letters, series};
use crate::ui::kit::{PaneFrame, PanePlace, Role, Theme, put, put_reason};
use crate::ui::live::model::{LiveModel, Phase};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// Draws the pane: the position of the selected worker, or the tour that an ended search for one has found.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let frame = PaneFrame { below: stood(model), ..PaneFrame::titled(title(model, place.width())) };
    let inner = place.framed(buf, frame);
    if model.drawing.is_empty() && model.playback.shown().is_some() {
        // Of a large crew on a large board, only the selected worker is recorded.
        return put_reason(buf, inner, model.common.theme, "no position of this worker is kept");
    }
    draw(buf, inner, model.common.theme, &model.about.shape, &model.drawing);
}

/// What is shown, in a short form if the long one does not fit, and an explanation of the letters if that fits.
fn title(model: &LiveModel, width: u16) -> String {
    let (fits, worker) = (|title: &str| title.len() + 8 <= usize::from(width), model.selected);
    let tour = model.ended().and_then(|ended| ended.tour.as_ref());
    let [long, short] = match model.phase {
        Phase::Running => [format!("board, worker {worker}"), format!("board, worker {worker}")],
        Phase::Ended(_) if tour == Some(&model.drawing) => {
            ["board, a tour found".to_owned(), "a tour found".to_owned()]
        }
        // Where the worker was seen last.
        Phase::Ended(_) => [format!("board, worker {worker} at its end"), format!("worker {worker} at end")],
    };
    let title = if fits(&long) { long } else { short };
    let explained = format!("{title}, a letter for each piece");
    if model.drawing.chains.len() > 1 && fits(&explained) { explained } else { title }
}

/// That the worker has no branch now, and how much earlier or later than the moment of the past it stood where it is drawn.
pub fn stood(model: &LiveModel) -> String {
    let is_running = model.phase == Phase::Running && !model.drawing.is_empty();
    let selected = model.snapshot.workers.get(model.selected).filter(|_| is_running);
    let last = selected.filter(|worker| !worker.state.has_work()).map(|_| "its last board".to_owned());
    last.into_iter().chain(model.apart(model.drawn_at)).collect::<Vec<_>>().join(", ")
}

/// Draws the position in as much detail as the area allows.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, shape: &Shape, drawing: &Drawing) {
    let board = shape.board();
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
    let digits = board.squares().to_string().len() as u32;
    let (wide, high) = (u32::from(area.width) / board.cols(), u32::from(area.height) / board.rows());
    let lines = !theme.ascii();
    if lines && wide >= digits + 2 && wide >= 4 && high >= 2 {
        // Cells are twice as high as wide: use the larger square that fits. A large one may be a quarter higher.
        let (wide, high) = (wide.min(2 * high), high.min(wide * 5 / 8));
        let place = SquarePlaces::new(middle(area, board.cols() * wide), board, wide as u16, high as u16);
        draw_lines(buf, &place, theme, drawing);
        draw_marks(buf, &place, theme, shape, false);
        draw_numbers(buf, &place, theme, drawing);
    } else if wide > digits && high >= 1 {
        let place = SquarePlaces::new(area, board, digits as u16 + 1, 1);
        draw_marks(buf, &place, theme, shape, true);
        draw_numbers(buf, &place, theme, drawing);
        let beside = Rect { x: place.area.right() + 3, ..area };
        if lines && beside.x + place.area.width <= area.right() {
            let beside = Rect { width: place.area.width, ..beside };
            draw_lines(buf, &SquarePlaces::new(beside, board, digits as u16 + 1, 1), theme, drawing);
        }
    } else if lines {
        let place = SquarePlaces::whole(area, board);
        draw_lines(buf, &place, theme, drawing);
        draw_heads(buf, &place, theme, drawing);
    } else {
        put(buf, area, area.x, area.y, &format!("no room for {board}"), theme.style(Role::Label));
    }
}

/// The middle part of an area, `width` columns wide.
fn middle(area: Rect, width: u32) -> Rect {
    Rect { x: area.x + (area.width.saturating_sub(width as u16)) / 2, ..area }
}

/// The positions of the squares on the screen.
struct SquarePlaces {
    area: Rect,
    board: Board,
    /// Width and height of a square in dots.
    dots: (f64, f64),
}

impl SquarePlaces {
    /// Squares of `wide` x `high` cells.
    fn new(area: Rect, board: Board, wide: u16, high: u16) -> SquarePlaces {
        let (width, height) = (board.cols() as u16 * wide, board.rows() as u16 * high);
        let dots = (f64::from(wide) * 2.0, f64::from(high) * 4.0);
        SquarePlaces { area: Rect { width, height, ..area }, board, dots }
    }

    /// Squares that fill the area evenly, as square as possible.
    fn whole(area: Rect, board: Board) -> SquarePlaces {
        let side = |cells: u16, dots: u32, squares: u32| f64::from(u32::from(cells) * dots) / f64::from(squares);
        let side = side(area.width, 2, board.cols()).min(side(area.height, 4, board.rows()));
        SquarePlaces { area, board, dots: (side, side) }
    }

    fn square(&self, index: u32) -> Option<Square> {
        self.board.at(index)
    }

    /// The dot in the middle of a square.
    fn dot(&self, square: Square) -> (i32, i32) {
        let (row, col) = self.board.row_col(square);
        (((f64::from(col) + 0.5) * self.dots.0) as i32, ((f64::from(row) + 0.5) * self.dots.1) as i32)
    }

    /// The first cell of the number of a square.
    fn cell(&self, square: Square, digits: u16) -> (u16, u16) {
        let (row, col) = self.board.row_col(square);
        let (wide, high) = ((self.dots.0 / 2.0) as u16, (self.dots.1 / 4.0) as u16);
        let x = self.area.x + col as u16 * wide + wide.saturating_sub(digits) / 2;
        (x, self.area.y + row as u16 * high + high / 2)
    }
}

/// Marks the holes; `dots` marks the empty squares, too.
fn draw_marks(buf: &mut Buffer, place: &SquarePlaces, theme: Theme, shape: &Shape, dots: bool) {
    let digits = place.board.squares().to_string().len();
    for square in place.board.all().filter(|&square| dots || !shape.has(square)) {
        let (x, y) = place.cell(square, digits as u16);
        let glyph = if shape.has(square) { theme.glyphs().dot } else { theme.glyphs().wall };
        put(buf, place.area, x, y, &format!("{glyph:>digits$}"), theme.style(Role::Border));
    }
}

/// Draws the numbers of the squares of every chain, after the letter of the piece.
fn draw_numbers(buf: &mut Buffer, place: &SquarePlaces, theme: Theme, drawing: &Drawing) {
    let several = drawing.chains.len() > 1;
    let pieces = if several { letters(drawing) } else { Vec::new() };
    let digits = place.board.squares().to_string().len();
    // One blank remains between two squares.
    let both = several && place.dots.0 / 2.0 >= (digits + 2) as f64;
    let digits = digits + usize::from(both);
    let mark = |buf: &mut Buffer, square: Square, text: &str, style: Style| {
        let (x, y) = place.cell(square, digits as u16);
        put(buf, place.area, x, y, &format!("{text:>digits$}"), style);
    };
    for (i, chain) in drawing.chains.iter().enumerate() {
        let own = if several { series(theme, drawing, i) } else { theme.style(Role::Text) };
        for (number, square) in
            (drawing.skipped as usize + 1..).zip(chain).filter_map(|(n, &index)| Some((n, place.square(index)?)))
        {
            let style = match number {
                n if n == drawing.skipped as usize + chain.len() && !several => {
                    theme.style(Role::Busy).add_modifier(Modifier::REVERSED)
                }
                1 if !several => theme.style(Role::Good).add_modifier(Modifier::BOLD),
                _ => own,
            };
            let text = match pieces.get(i) {
                Some(letter) if both => format!("{number}{letter}"),
                Some(letter) => letter.clone(),
                None => number.to_string(),
            };
            mark(buf, square, &text, style);
        }
    }
    if let Some(square) = drawing.reserved.and_then(|index| place.square(index)) {
        mark(buf, square, theme.glyphs().reserved, theme.style(Role::Waiting));
    }
}

/// Draws the moves of every chain as lines of dots, 2 x 4 to a cell.
fn draw_lines(buf: &mut Buffer, place: &SquarePlaces, theme: Theme, drawing: &Drawing) {
    for (i, chain) in drawing.chains.iter().enumerate() {
        let style = if drawing.chains.len() > 1 { series(theme, drawing, i) } else { theme.style(Role::Busy) };
        let squares: Vec<Square> = chain.iter().filter_map(|&index| place.square(index)).collect();
        for pair in squares.windows(2) {
            draw_line(buf, place.area, [place.dot(pair[0]), place.dot(pair[1])], style, theme.signs);
        }
    }
    if let Some(square) = drawing.reserved.and_then(|index| place.square(index)) {
        dot(buf, place.area, place.dot(square), theme.style(Role::Waiting), theme.signs);
    }
}

/// Marks the last square of every chain if its number does not fit.
fn draw_heads(buf: &mut Buffer, place: &SquarePlaces, theme: Theme, drawing: &Drawing) {
    for square in drawing.chains.iter().filter_map(|chain| place.square(*chain.last()?)) {
        let (x, y) = place.dot(square);
        let (x, y) = (place.area.x + (x / 2) as u16, place.area.y + (y / 4) as u16);
        put(buf, place.area, x, y, "●", theme.style(Role::Strong));
    }
}
