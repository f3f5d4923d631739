//! A screen as text and as a picture (an SVG file with the text and the colours of its cells): the files that screens and tours
//! are written to, and the clipboard of the terminal (OSC 52), which is that of the user's own machine, also over SSH.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};
use ratatui::{Frame, Terminal};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The numbers tried for a file name.
const NUMBERS: std::ops::RangeInclusive<u32> = 1..=9999;

/// Draws a screen of this size.
pub fn drawn(size: Size, draw: impl FnOnce(&mut Frame<'_>)) -> Buffer {
    // This backend never fails.
    let Ok(mut terminal) = Terminal::new(TestBackend::new(size.width, size.height));
    let Ok(_) = terminal.draw(draw);
    terminal.backend().buffer().clone()
}

/// A part of a drawn screen as text: line by line, without colours and without trailing blanks.
pub fn text_of(buffer: &Buffer, part: Rect) -> String {
    let part = part.intersection(buffer.area);
    let line = |y: u16| {
        let cells = (part.left()..part.right()).map(|x| buffer[Position { x, y }].symbol());
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    (part.top()..part.bottom()).map(line).collect()
}

/// Writes a drawn screen to a new file: as a picture if the name ends in `.svg`, otherwise as text. `-N` at the end of the
/// stem stands for the first number of which there is no file. Returns the path.
///
/// # Errors
/// If the file exists, or cannot be written.
pub fn write_screen(name: &str, buffer: &Buffer, light: bool) -> io::Result<PathBuf> {
    let path = Path::new(name);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let text = if extension == "svg" { svg(buffer, light) } else { text_of(buffer, buffer.area) };
    let stem = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.strip_suffix("-N"));
    let (mut file, path) = match stem {
        Some(stem) => create(path.parent().unwrap_or(Path::new("")), stem, extension)?,
        None => (new_file(path)?, path.to_owned()),
    };
    file.write_all(text.as_bytes()).map(|()| path)
}

/// Why a screen was not written, and what to do if a file of this name exists.
pub fn refusal(name: &str, error: &io::Error) -> String {
    match error.kind() {
        // The error of the operating system; with -N every number is taken.
        io::ErrorKind::AlreadyExists if error.raw_os_error().is_some() => {
            format!("{name} exists: with -N before the ending the name gets a number")
        }
        _ => format!("{name} could not be written: {error}"),
    }
}

/// Creates the first unused `STEM-N.EXTENSION` of a folder.
///
/// # Errors
/// If no file can be created. An existing file is never changed.
pub fn create(folder: &Path, stem: &str, extension: &str) -> io::Result<(File, PathBuf)> {
    let dot = if extension.is_empty() { "" } else { "." };
    for number in NUMBERS {
        let path = folder.join(format!("{stem}-{number}{dot}{extension}"));
        match new_file(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "every number up to 9999 is taken"))
}

fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Bytes of the longest text that is copied: terminals take some 100 KB, in letters of which 4 are 3 bytes.
const TEXT_MAX: usize = 74_000;

/// What a terminal is sent to copy a text; `None` if the text is too long for one.
pub fn copying(text: &str) -> Option<String> {
    (text.len() <= TEXT_MAX).then(|| format!("\x1b]52;c;{}\x07", BASE64_STANDARD.encode(text)))
}

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

    fn screen(text: &str) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 9, 1));
        buffer.set_string(0, 0, text, Style::new());
        buffer
    }

    #[test]
    fn files_that_exist_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let numbered = named("screen-N.txt");
        let [first, second] = ["one", "two"].map(|text| write_screen(&numbered, &screen(text), false).unwrap());
        assert_ne!(first, second);
        assert_eq!(std::fs::read_to_string(first).unwrap(), "one\n");
        assert_eq!(std::fs::read_to_string(second).unwrap(), "two\n");
        // Only what is behind the number is the ending, however many dots the name has.
        for (name, all) in [("run.2-N.txt", ["run.2-1.txt", "run.2-2.txt"]), ("6x6-N", ["6x6-1", "6x6-2"])] {
            for expected in all {
                assert_eq!(write_screen(&named(name), &screen("one"), false).unwrap(), folder.path().join(expected));
            }
        }
        let refused = write_screen(&named("screen-1.txt"), &screen("three"), false).unwrap_err();
        assert!(refusal("screen-1.txt", &refused).contains("-N before the ending"), "{refused}");
        let picture = write_screen(&named("mine.svg"), &screen("four"), true).unwrap();
        assert!(std::fs::read_to_string(picture).unwrap().starts_with("<svg"));
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("none/screen-N.txt");
        assert!(write_screen(name.to_str().unwrap(), &screen("text"), false).is_err());
    }

    #[test]
    fn a_part_of_a_screen_is_cut_out() {
        assert_eq!(text_of(&screen("abcdef"), Rect::new(2, 0, 3, 5)), "cde\n");
    }

    #[test]
    fn a_text_is_sent_in_the_letters_of_base64_if_it_is_not_too_long() {
        assert_eq!(copying("8x8 a1\n").as_deref(), Some("\x1b]52;c;OHg4IGExCg==\x07"));
        assert!(copying(&"a".repeat(TEXT_MAX)).is_some_and(|sent| sent.len() < 100_000));
        assert_eq!(copying(&"a".repeat(TEXT_MAX + 1)), None);
    }

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
