//! A terminal screen as an SVG picture.
//!
//! Blocks, lines and braille dots are drawn as shapes, because fonts leave gaps between them; everything else is text
//! in runs of one style, stretched to its cells. Several screens make a picture that moves.

use std::fmt::Write;
use vt100::{Cell, Color, Screen};

/// A cell in pixels, and the margin around the screen.
const WIDE: f64 = 9.0;
const HIGH: f64 = 18.0;
const MARGIN: f64 = 12.0;
const FONT_SIZE: f64 = 15.0;
/// The thickness of lines.
const THIN: f64 = 1.2;
const THICK: f64 = 3.6;
/// Cells between two screens of a sheet, and the colour of the line around each.
const SHEET_GAP: u16 = 2;
const RIM: &str = "#3a3f4b";
const FOREGROUND: &str = "#d4d7dd";
const BACKGROUND: &str = "#14161c";
/// The sixteen named colours.
const NAMED: [&str; 16] = [
    "#1c1f26", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5", "#666666", "#f14c4c",
    "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
];

/// What a cell looks like.
#[derive(Clone, PartialEq, Debug)]
struct Look {
    ink: String,
    paper: Option<String>,
    bold: bool,
    dim: bool,
}

impl Look {
    fn of(cell: &Cell) -> Look {
        let (mut ink, mut paper) = (colour(cell.fgcolor()), colour(cell.bgcolor()));
        if cell.inverse() {
            (ink, paper) = (Some(paper.unwrap_or(BACKGROUND.into())), Some(ink.unwrap_or(FOREGROUND.into())));
        }
        Look { ink: ink.unwrap_or(FOREGROUND.into()), paper, bold: cell.bold(), dim: cell.dim() }
    }
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        Color::Idx(index @ 0..16) => Some(NAMED[usize::from(index)].into()),
        Color::Idx(index @ 16..232) => {
            let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
            let n = index - 16;
            Some(format!("#{:02x}{:02x}{:02x}", level(n / 36), level(n / 6 % 6), level(n % 6)))
        }
        Color::Idx(index) => {
            let grey = 8 + 10 * (index - 232);
            Some(format!("#{grey:02x}{grey:02x}{grey:02x}"))
        }
    }
}

/// The picture.
pub fn picture(screen: &Screen) -> String {
    framed(screen.size().0.get(), screen.size().1.get(), &content(screen))
}

/// A picture that plays screens of this size, each with its [`content`], for so long in all, again and again.
pub fn moving((cols, rows): (u16, u16), screens: &[String], seconds: f64) -> String {
    let all = screens.len() as f64;
    let shown = screens.iter().enumerate().map(|(index, content)| {
        let [from, to] = [index, index + 1].map(|at| at as f64 / all);
        let (values, times) = match index {
            0 => ("visible;hidden".to_owned(), format!("0;{to:.4}")),
            _ if index + 1 == screens.len() => ("hidden;visible".to_owned(), format!("0;{from:.4}")),
            _ => ("hidden;visible;hidden".to_owned(), format!("0;{from:.4};{to:.4}")),
        };
        let first = if index == 0 { "visible" } else { "hidden" };
        format!(
            "<g visibility=\"{first}\"><animate attributeName=\"visibility\" values=\"{values}\" keyTimes=\"{times}\" \
             dur=\"{seconds}s\" calcMode=\"discrete\" repeatCount=\"indefinite\"/>\n{content}</g>\n"
        )
    });
    framed(rows, cols, &shown.collect::<String>())
}

/// Screens of this size in so many columns, each with its [`content`].
pub fn sheet((cols, rows): (u16, u16), screens: &[String], across: u16) -> String {
    let down = (screens.len() as u16).div_ceil(across);
    let apart = |cells: u16| cells + SHEET_GAP;
    let placed = screens.iter().zip(0..).map(|(content, n)| {
        let (x, y) = (f64::from(n % across * apart(cols)) * WIDE, f64::from(n / across * apart(rows)) * HIGH);
        let (width, height) = (f64::from(cols) * WIDE, f64::from(rows) * HIGH);
        format!(
            "<g transform=\"translate({x} {y})\">\n<rect x=\"-6\" y=\"-6\" width=\"{}\" height=\"{}\" fill=\"none\" \
             stroke=\"{RIM}\"/>\n{content}</g>\n",
            width + 12.0,
            height + 12.0
        )
    });
    let placed: String = placed.collect();
    framed(apart(rows) * down - SHEET_GAP, apart(cols) * across - SHEET_GAP, &placed)
}

/// A content on its background.
fn framed(rows: u16, cols: u16, content: &str) -> String {
    let (width, height) = (f64::from(cols) * WIDE + 2.0 * MARGIN, f64::from(rows) * HIGH + 2.0 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n\
         <g font-family=\"'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"{FONT_SIZE}\" \
         transform=\"translate({MARGIN} {MARGIN})\" xml:space=\"preserve\">\n\
         <style>rect {{ shape-rendering: crispEdges }}</style>\n{content}</g>\n</svg>\n"
    )
}

/// The cells of a screen. What is alike in neighbouring cells is one shape or one text.
pub fn content(screen: &Screen) -> String {
    let (rows, cols) = (screen.size().0.get(), screen.size().1.get());
    let mut svg = String::new();
    for row in 0..rows {
        let y = f64::from(row) * HIGH;
        // The first column from `col` on whose cell is not like the others.
        let end = |col: u16, is_like: &dyn Fn(&Cell) -> bool| {
            (col..cols).find(|&col| !screen.cell(row, col).is_some_and(is_like)).unwrap_or(cols)
        };
        let mut col = 0;
        while col < cols {
            let paper = screen.cell(row, col).and_then(|cell| Look::of(cell).paper);
            let next = end(col, &|cell| Look::of(cell).paper == paper).max(col + 1);
            if let Some(paper) = paper {
                rect(&mut svg, f64::from(col) * WIDE, y, f64::from(next - col) * WIDE, HIGH, &paper);
            }
            col = next;
        }
        let mut run = Run::default();
        let mut col = 0;
        while col < cols {
            let at = col;
            col += 1;
            let Some(cell) = screen.cell(row, at) else { continue };
            let (symbol, look) = (cell.contents().chars().next().unwrap_or(' '), Look::of(cell));
            let x = f64::from(at) * WIDE;
            if symbol == ' ' {
                continue;
            }
            if let Some((top, height)) = bar(symbol) {
                col = end(at, &|next| next.contents() == cell.contents() && Look::of(next) == look);
                run.flush(&mut svg);
                // A hair wider than the cells, or the seams show.
                rect(&mut svg, x, y + top, f64::from(col - at) * WIDE + 0.3, height + 0.3, &look.ink);
            } else if shape(&mut svg, symbol, x, y, &look) {
                run.flush(&mut svg);
            } else {
                run.push(&mut svg, symbol, look, (x, y));
            }
        }
        run.flush(&mut svg);
    }
    svg
}

/// Greatest number of blanks within a text.
const BLANKS_MAX: usize = 3;

/// Characters of one look, side by side or with a few blanks between them.
#[derive(Default)]
struct Run {
    text: String,
    look: Option<Look>,
    at: (f64, f64),
}

impl Run {
    fn push(&mut self, svg: &mut String, symbol: char, look: Look, at: (f64, f64)) {
        let written = self.text.chars().count() as f64;
        let blanks = ((at.0 - self.at.0) / WIDE - written).round() as usize;
        if self.look.as_ref() != Some(&look) || blanks > BLANKS_MAX {
            self.flush(svg);
            (self.at, self.look) = (at, Some(look));
        } else {
            self.text.extend(std::iter::repeat_n(' ', blanks));
        }
        self.text.push(symbol);
    }

    fn flush(&mut self, svg: &mut String) {
        let Some(look) = self.look.take() else { return };
        let text = std::mem::take(&mut self.text);
        let length = text.chars().count() as f64 * WIDE;
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let (weight, fade) = style(&look);
        let (x, y) = (self.at.0, self.at.1 + 0.77 * HIGH);
        add(
            svg,
            format_args!(
                "<text x=\"{}\" y=\"{}\" textLength=\"{}\" fill=\"{}\"{weight}{fade}>{escaped}</text>\n",
                short(x),
                short(y),
                short(length),
                look.ink
            ),
        );
    }
}

fn style(look: &Look) -> (&'static str, &'static str) {
    let weight = if look.bold { " font-weight=\"bold\"" } else { "" };
    (weight, if look.dim { " opacity=\"0.6\"" } else { "" })
}

fn add(svg: &mut String, what: std::fmt::Arguments<'_>) {
    svg.write_fmt(what).expect("a string takes everything");
}

/// A number with at most two decimals.
fn short(number: f64) -> String {
    format!("{number:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn rect(svg: &mut String, x: f64, y: f64, width: f64, height: f64, fill: &str) {
    let [x, y, width, height] = [x, y, width, height].map(short);
    add(svg, format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>\n"));
}

/// The top and the height of a character that is a bar as wide as its cell.
fn bar(symbol: char) -> Option<(f64, f64)> {
    let height = match symbol {
        '─' => return Some(((HIGH - THIN) / 2.0, THIN)),
        '━' => return Some(((HIGH - THICK) / 2.0, THICK)),
        '\u{2581}'..='\u{2588}' => HIGH * f64::from(u32::from(symbol) - 0x2580) / 8.0,
        _ => return None,
    };
    Some((HIGH - height, height))
}

/// Draws a character that is a shape; answers whether it is one.
fn shape(svg: &mut String, symbol: char, x: f64, y: f64, look: &Look) -> bool {
    let code = u32::from(symbol);
    let ink = &look.ink;
    match code {
        0x2589..=0x258f => rect(svg, x, y, WIDE * f64::from(0x2590 - code) / 8.0, HIGH, ink),
        0x2800..=0x28ff => braille(svg, code - 0x2800, x, y, ink),
        _ => return line(svg, symbol, x, y, ink),
    }
    true
}

/// Dots, two across and four down, numbered as the standard does.
fn braille(svg: &mut String, dots: u32, x: f64, y: f64, ink: &str) {
    const PLACES: [(f64, f64); 8] =
        [(0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (1.0, 0.0), (1.0, 1.0), (1.0, 2.0), (0.0, 3.0), (1.0, 3.0)];
    for (bit, (right, down)) in PLACES.into_iter().enumerate() {
        if dots >> bit & 1 == 1 {
            let (cx, cy) = (x + (right + 0.5) * WIDE / 2.0, y + (down + 0.5) * HIGH / 4.0);
            let [cx, cy] = [cx, cy].map(short);
            add(svg, format_args!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"1.3\" fill=\"{ink}\"/>\n"));
        }
    }
}

/// Lines from the middle of the cell to its sides.
fn line(svg: &mut String, symbol: char, x: f64, y: f64, ink: &str) -> bool {
    let (middle_x, middle_y) = (x + WIDE / 2.0, y + HIGH / 2.0);
    let mut across = |from: f64, width: f64, thick: f64| {
        rect(svg, from, middle_y - thick / 2.0, width, thick, ink);
    };
    match symbol {
        '╸' => across(x, WIDE / 2.0, THICK),
        '│' | '┊' => rect(svg, middle_x - THIN / 2.0, y, THIN, HIGH, ink),
        '╭' | '╮' | '╰' | '╯' => {
            let side = if matches!(symbol, '╭' | '╰') { x + WIDE } else { x };
            let end = if matches!(symbol, '╭' | '╮') { y + HIGH } else { y };
            add(
                svg,
                format_args!(
                    "<path d=\"M{side} {middle_y}Q{middle_x} {middle_y} {middle_x} {end}\" fill=\"none\" \
                 stroke=\"{ink}\" stroke-width=\"{THIN}\"/>\n"
                ),
            );
        }
        _ => return false,
    }
    true
}
