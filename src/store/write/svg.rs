//! Writes a tour as a complete SVG document, which can be read back.

use super::list::write_moves;
use super::text::{TextOut, WriteError};
use crate::board::{Ending, Route, Square};
use std::io::{self, Write};
use std::ops::Range;

/// Side of a square in the units of the picture.
const CELL: i64 = 40;
/// Most squares that a move leads across or down.
const STEP_MAX: i64 = 2;
/// Number of different distances across, or down, from -2 to 2.
const WAYS: usize = 5;
/// Longest side of a board on which numbers and names are drawn by default.
const READABLE: u32 = 60;
/// Length of the longer side of the board in pixels.
const PIXELS: f64 = 1600.0;
/// Least and greatest side of a square in pixels.
const CELL_PIXELS: (f64, f64) = (4.0, 48.0);

/// The colours. They can be distinguished on paper, in greyscale, and by most people with colour blindness.
const LIGHT: &str = "#f8f2e4";
const DARK: &str = "#e0d0ae";
const HOLE: &str = "#6f6a60";
const INK: &str = "#24323f";
const PATH: &str = "#2a5d8f";
const START: &str = "#1a7f37";
const END: &str = "#b42318";
const PART_COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#b0489b"];

/// Options of a picture.
#[derive(Clone, Copy, Debug, Default)]
pub struct Picture<'a> {
    /// Whether every square shows its number. By default it does on boards of up to 60 rows and columns.
    pub numbers: Option<bool>,
    /// Parts of the tour in colours of their own, as ranges of square numbers from 0, such as the four paths of a tour with
    /// quarter-turn symmetry. Moves outside of all parts are dark. The first and last squares of a part are filled, and a
    /// cross marks the centre of the board.
    pub groups: &'a [Range<u32>],
}

/// Writes a tour as an SVG document: the board in two colours, its path, a round start and a square end.
///
/// `<title>` names ending and board. `<desc>` contains the tour as [`list`](super::list()) writes it.
///
/// # Errors
/// [`WriteError`] when writing fails or the route is no tour.
pub fn svg(route: &dyn Route, picture: Picture<'_>, to: &mut dyn Write) -> Result<(), WriteError> {
    let board = route.board();
    let small = board.rows().max(board.cols()) <= READABLE;
    let numbers = picture.numbers.unwrap_or(small);
    let margin = if small { 32 } else { 8 };
    let mut drawing = SvgDrawing { route, margin, groups: picture.groups, strokes: strokes(), out: TextOut::new(to) };
    // The head verifies the tour; the other parts only draw it.
    drawing.head()?;
    drawing.board()?;
    if small {
        drawing.names()?;
    }
    drawing.paths(if small { 3.0 } else { 2.0 })?;
    if numbers {
        drawing.numbers()?;
    } else {
        drawing.ends();
    }
    drawing.out.push_str("</svg>\n");
    Ok(drawing.out.flush()?)
}

/// The path command for every step of -2..=2 squares across and down, moves or not.
fn strokes() -> Vec<String> {
    let ways = || -STEP_MAX..=STEP_MAX;
    ways().flat_map(|across| ways().map(move |down| format!("l{} {}", across * CELL, down * CELL))).collect()
}

struct SvgDrawing<'a> {
    route: &'a dyn Route,
    margin: i64,
    groups: &'a [Range<u32>],
    /// The path command of a step, at index `(across + 2) * 5 + down + 2`.
    strokes: Vec<String>,
    out: TextOut<'a>,
}

impl SvgDrawing<'_> {
    /// The centre of a square.
    fn middle(&self, square: Square) -> (i64, i64) {
        let (row, col) = self.route.board().row_col(square);
        let place = |n: u32| self.margin + i64::from(n) * CELL + CELL / 2;
        (place(col), place(row))
    }

    fn head(&mut self) -> Result<(), WriteError> {
        let (route, board) = (self.route, self.route.board());
        let (wide, high) = (i64::from(board.cols()) * CELL, i64::from(board.rows()) * CELL);
        let (width, height) = (wide + 2 * self.margin, high + 2 * self.margin);
        let cell = (PIXELS / f64::from(board.rows().max(board.cols()))).clamp(CELL_PIXELS.0, CELL_PIXELS.1);
        let scale = cell / CELL as f64;
        let ending = match route.ending() {
            Ending::Open => "Open",
            Ending::Closed => "Closed",
        };
        self.out.push_fmt(format_args!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{:.0}\" height=\"{:.0}\" \
             role=\"img\">\n<title>{ending} knight's tour of {board}</title>\n<desc>",
            width as f64 * scale,
            height as f64 * scale
        ));
        write_moves(route, &mut self.out)?;
        self.out.push_str("</desc>\n");
        Ok(())
    }

    /// Draws the board as a pattern of two dark and two light squares, then the holes.
    fn board(&mut self) -> io::Result<()> {
        let (board, margin) = (self.route.board(), self.margin);
        let (wide, high) = (i64::from(board.cols()) * CELL, i64::from(board.rows()) * CELL);
        // The square at the bottom left is dark, as in chess.
        let shift = if board.rows() % 2 == 1 { 0 } else { CELL };
        self.out.push_fmt(format_args!(
            "<defs><pattern id=\"squares\" width=\"{0}\" height=\"{0}\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"translate({1} {margin})\"><rect width=\"{0}\" height=\"{0}\" fill=\"{LIGHT}\"/>\
             <path d=\"M0 0h{CELL}v{0}h{CELL}v-{CELL}H0z\" fill=\"{DARK}\"/></pattern></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <rect x=\"{margin}\" y=\"{margin}\" width=\"{wide}\" height=\"{high}\" fill=\"url(#squares)\" \
             stroke=\"{INK}\" stroke-width=\"1.5\"/>\n",
            2 * CELL,
            margin + shift
        ));
        for &hole in self.route.holes().squares() {
            let (x, y) = self.middle(hole);
            let (x, y) = (x - CELL / 2, y - CELL / 2);
            self.out.push_fmt(format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{HOLE}\"/>\n"
            ));
            self.out.flush_if_full()?;
        }
        Ok(())
    }

    /// Draws the letters of the columns below the board and the numbers of the rows on its left.
    fn names(&mut self) -> io::Result<()> {
        let board = self.route.board();
        self.text_group(14.0, "#5b5446");
        let below = (0..board.cols()).filter_map(|col| board.square(board.rows() - 1, col));
        for square in below {
            let ((x, y), name) = (self.middle(square), board.name(square));
            let (y, letters) = (y + CELL, name.trim_end_matches('1'));
            self.out.push_fmt(format_args!("<text x=\"{x}\" y=\"{y}\">{letters}</text>"));
        }
        let left = (0..board.rows()).filter_map(|row| board.square(row, 0));
        for (square, row) in left.zip((1..=board.rows()).rev()) {
            let (x, y) = self.middle(square);
            let (x, y) = (x - CELL + 4, y + 5);
            self.out.push_fmt(format_args!("<text x=\"{x}\" y=\"{y}\">{row}</text>"));
        }
        self.out.push_str("</g>\n");
        self.out.flush_if_full()
    }

    fn text_group(&mut self, size: f64, fill: &str) {
        self.out.push_fmt(format_args!(
            "<g font-family=\"'DejaVu Sans',Verdana,sans-serif\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{fill}\">\n"
        ));
    }

    /// The part that contains square number `k`.
    fn group(&self, k: u32) -> Option<usize> {
        self.groups.iter().position(|group| group.contains(&k))
    }

    /// The colour of a part, or of the moves in no part.
    fn colour(&self, group: Option<usize>) -> &'static str {
        match group {
            Some(group) => PART_COLOURS[group % PART_COLOURS.len()],
            None if self.groups.is_empty() => PATH,
            None => INK,
        }
    }

    /// Draws the path: the moves of every part, and the moves in no part.
    fn paths(&mut self, thick: f64) -> io::Result<()> {
        self.out.push_fmt(format_args!(
            "<g fill=\"none\" stroke-width=\"{thick}\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n"
        ));
        for group in std::iter::once(None).chain((0..self.groups.len()).map(Some)) {
            self.path(group)?;
        }
        if !self.groups.is_empty() {
            let board = self.route.board();
            let [x, y] = [board.cols(), board.rows()].map(|n| self.margin + i64::from(n) * CELL / 2 - 8);
            self.out.push_fmt(format_args!("<path stroke=\"{INK}\" d=\"M{x} {y}l16 16m0 -16l-16 16\"/>\n"));
        }
        self.out.push_str("</g>\n");
        Ok(())
    }

    /// Draws the moves inside one part, or with `None` the moves in no part.
    fn path(&mut self, group: Option<usize>) -> io::Result<()> {
        let (route, squares) = (self.route, self.route.squares());
        self.out.push_fmt(format_args!("<path stroke=\"{}\" d=\"", self.colour(group)));
        let back = route.square_at(0).filter(|_| route.ending() == Ending::Closed);
        let mut down = false;
        let mut from: Option<Square> = None;
        for (k, to) in (0..).zip(route.walk().chain(back)) {
            if let Some(from) = from.replace(to) {
                let inside = k < squares && self.group(k - 1) == self.group(k);
                let own = if inside { self.group(k) == group } else { group.is_none() };
                self.stroke(own.then_some(down), from, to, k % 32 == 0);
                down = own;
                self.out.flush_if_full()?;
            }
        }
        self.out.push_str("\"/>\n");
        Ok(())
    }

    /// Draws a move. `down` says whether the path already ends on `from`; with `None` the move is not drawn.
    fn stroke(&mut self, down: Option<bool>, from: Square, to: Square, new_line: bool) {
        let ((x, y), (to_x, to_y)) = (self.middle(from), self.middle(to));
        match down {
            None => return,
            Some(true) => {}
            Some(false) => self.out.push_fmt(format_args!("M{x} {y}")),
        }
        let [across, down] = [to_x - x, to_y - y].map(|far| (far / CELL + STEP_MAX) as usize);
        self.out.push_str(&self.strokes[across * WAYS + down]);
        if new_line {
            self.out.push_str("\n");
        }
    }

    /// Draws the number of every square, and marks the start and the end.
    fn numbers(&mut self) -> io::Result<()> {
        let (route, squares) = (self.route, self.route.squares());
        let size = match squares {
            0..100 => 14.0,
            100..1000 => 12.0,
            1000..10_000 => 9.5,
            _ => 52.0 / f64::from(squares.ilog10() + 1),
        };
        self.text_group(size, INK);
        for (k, square) in (0..).zip(route.walk()) {
            let (x, y) = self.middle(square);
            let is_end = k == 0 || k + 1 == squares;
            let ends_part = self.groups.iter().any(|group| k == group.start || k + 1 == group.end);
            if is_end {
                self.end(square, k == 0, 15);
            } else {
                let colour = self.colour(self.group(k));
                let fill = if ends_part { colour } else { "#ffffff" };
                self.out.push_fmt(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"13\" fill=\"{fill}\" stroke=\"{colour}\"/>"
                ));
            }
            let fill = if is_end || ends_part { " fill=\"#ffffff\" font-weight=\"bold\"" } else { "" };
            let base = y as f64 + 0.36 * size;
            self.out.push_fmt(format_args!("<text x=\"{x}\" y=\"{base:.1}\"{fill}>{}</text>\n", k + 1));
            self.out.flush_if_full()?;
        }
        self.out.push_str("</g>\n");
        Ok(())
    }

    /// Marks the start and the end.
    fn ends(&mut self) {
        let last = self.route.squares() - 1;
        for (k, is_start) in [(last, false), (0, true)] {
            if let Some(square) = self.route.square_at(k) {
                self.end(square, is_start, 12);
            }
        }
    }

    /// Marks the start by a circle or the end by a square, so that they differ without colours too.
    fn end(&mut self, square: Square, is_start: bool, half: i64) {
        let (x, y) = self.middle(square);
        let round = if is_start { half } else { 2 };
        let colour = if is_start { START } else { END };
        self.out.push_fmt(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" rx=\"{round}\" fill=\"{colour}\" stroke=\"#ffffff\"/>\n",
            x - half,
            y - half,
            2 * half
        ));
    }
}
