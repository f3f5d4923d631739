//! A screen as a picture: an SVG file with the text and the colours of its cells.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write;

/// Width and height of a cell, and the margin around the screen.
const WIDE: f64 = 9.0;
const HIGH: f64 = 18.0;
const MARGIN: f64 = 12.0;
/// From the top of a cell to the line on which letters stand.
const BASELINE: f64 = 14.0;
/// The colours of text and background on a dark and on a light background.
const GROUNDS: [(&str, &str); 2] = [("#d4d7dd", "#14161c"), ("#24292f", "#ffffff")];
/// The sixteen named colours, in the order of their numbers.
const NAMED: [&str; 16] = [
    "#1c1f26", "#cd3131", "#0dbc79", "#c5a50f", "#2472c8", "#bc3fbc", "#11a8cd", "#b5b5b5", "#666666", "#f14c4c",
    "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
];

/// How a cell looks.
#[derive(Clone, PartialEq)]
struct CellPaint {
    ink: String,
    paper: Option<String>,
    style: &'static str,
}

/// A drawn screen as an SVG picture, on a background that is light or dark.
pub fn svg(buffer: &Buffer, light: bool) -> String {
    let (ink, paper) = GROUNDS[usize::from(light)];
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let (width, height) = (f64::from(columns) * WIDE + 2.0 * MARGIN, f64::from(rows) * HIGH + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\" fill=\"{ink}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>\n"
    );
    for row in 0..rows {
        let cells: Vec<&Cell> = (0..columns).map(|column| &buffer[(column, row)]).collect();
        let mut first = 0;
        for run in cells.chunk_by(|one, next| paint(one, light) == paint(next, light)) {
            draw_run(&mut svg, run, (first as f64, f64::from(row)), &paint(run[0], light));
            first += run.len();
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws cells of one look that stand side by side.
fn draw_run(svg: &mut String, run: &[&Cell], (column, row): (f64, f64), paint: &CellPaint) {
    let (x, y, width) = (MARGIN + column * WIDE, MARGIN + row * HIGH, run.len() as f64 * WIDE);
    // Writing to a text never fails.
    if let Some(paper) = &paint.paper {
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HIGH}\" fill=\"{paper}\"/>");
    }
    let text: String = run.iter().map(|cell| cell.symbol()).collect();
    if text.trim().is_empty() {
        return;
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}");
    let (baseline, CellPaint { ink, style, .. }) = (y + BASELINE, paint);
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{baseline}\" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{ink}\"{style}>{text}</text>"
    );
}

fn paint(cell: &Cell, light: bool) -> CellPaint {
    let (ink, paper) = GROUNDS[usize::from(light)];
    let (mut fore, mut back) = (colour(cell.fg), colour(cell.bg));
    if cell.modifier.contains(Modifier::REVERSED) {
        (fore, back) = (Some(back.unwrap_or(paper.to_owned())), Some(fore.unwrap_or(ink.to_owned())));
    }
    let style = match cell.modifier {
        modifier if modifier.contains(Modifier::BOLD) => " font-weight=\"bold\"",
        modifier if modifier.contains(Modifier::DIM) => " opacity=\"0.6\"",
        _ => "",
    };
    CellPaint { ink: fore.unwrap_or(ink.to_owned()), paper: back, style }
}

/// A colour as SVG writes it; `None` for the terminal's own.
fn colour(colour: Color) -> Option<String> {
    let index = match colour {
        Color::Reset => return None,
        Color::Rgb(r, g, b) => return Some(format!("#{r:02x}{g:02x}{b:02x}")),
        Color::Indexed(index) => index,
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
    };
    let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    Some(match index {
        0..16 => NAMED[usize::from(index)].to_owned(),
        16..232 => {
            let n = index - 16;
            format!("#{:02x}{:02x}{:02x}", level(n / 36), level(n / 6 % 6), level(n % 6))
        }
        _ => {
            let grey = 8 + 10 * (index - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn text_and_colours_are_in_the_picture_and_signs_are_escaped() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 2));
        buffer.set_string(0, 0, "a<b & c", Style::new().fg(Color::Indexed(74)));
        buffer.set_string(0, 1, "r", Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD));
        let svg = svg(&buffer, false);
        assert!(svg.contains("fill=\"#5fafd7\">a&lt;b\u{a0}&amp;\u{a0}c</text>"), "{svg}");
        assert!(svg.contains("fill=\"#14161c\" font-weight=\"bold\">r</text>"), "{svg}");
        assert!(svg.ends_with("</svg>\n"));
    }
}
