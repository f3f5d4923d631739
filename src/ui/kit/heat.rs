//! A board as a heat map: every square has a colour, and a text if it fits.
//!
//! ```text
//!  roomy            tight       in half cells
//!  ┌────┬────┐
//!  │ 2  │(3) │      ♞▒█         ▀▄█
//!  └────┴────┘
//! ```
//!
//! The colours rise in brightness with the value (on a light ground they fall). So the order is visible to a viewer
//! who distinguishes few hues. Without colours, and without room for the text, a square is a shade.

use super::draw::put;
use super::palette::Role;
use super::sheet::{Sheet, draw_names};
use super::theme::{Colours, Theme};
use crate::board::{Board, Square};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// What a square shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Spot {
    /// The heat of the square, 0..=1; `None` without a value.
    pub value: Option<f64>,
    /// The text, shown if it fits; may be empty. Leading blanks pad all texts to one width, so that either all fit or
    /// none.
    pub text: String,
    /// A mark on the square, if any.
    pub mark: Option<Mark>,
}

/// A mark that makes a square stand out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    Knight,
    /// The knight will move here.
    Chosen,
    /// The knight could move here.
    Candidate,
    /// The content of the square is wrong.
    Wrong,
}

/// Background colours on a dark screen, from the lowest value to the highest, and whether the text on them is dark.
const ON_DARK: [(u8, bool); 8] =
    [(53, false), (55, false), (25, false), (30, false), (36, true), (77, true), (148, true), (220, true)];
/// Background colours on a light screen, and whether the text on them is dark.
const ON_LIGHT: [(u8, bool); 8] =
    [(230, true), (193, true), (150, true), (79, true), (37, true), (31, false), (25, false), (18, false)];
/// Background colours of a terminal with sixteen colours, and whether the text on them is dark.
const NAMED: [(Color, bool); 4] =
    [(Color::Blue, false), (Color::Cyan, true), (Color::Green, true), (Color::Yellow, true)];
/// White and black of the palette.
const INK: [Color; 2] = [Color::Indexed(231), Color::Indexed(16)];
/// Shades for a screen without colours.
const SHADES: [&str; 4] = ["░", "▒", "▓", "█"];
const SHADES_ASCII: [&str; 8] = [".", ":", "-", "=", "+", "*", "#", "@"];

/// Sides of a square without text, in dots: half a cell, one cell, two cells.
const BARE: [(u32, u32); 3] = [(2, 2), (2, 4), (4, 4)];
/// Greatest height of a square, in lines.
const HEIGHT_MAX: u32 = 8;

/// The visible part of a board in `room`. The whole board is shown as large as it fits, with texts of up to `letters`
/// letters if they fit. If not even the colours fit, a part with texts is shown, which begins near square `from` (row
/// and column). `names` says whether rows and columns are named.
pub fn sheet(room: Rect, board: Board, letters: u32, theme: Theme, names: bool, from: (u32, u32)) -> Sheet {
    let halves = theme.colours == Colours::Palette && !theme.ascii();
    let bare = if halves { &BARE[..] } else { &BARE[1..] };
    // One blank between texts; a cell is twice as high as wide.
    let wide = |high: u32| (letters + 1).max(2 * high);
    let roomy = (1..=HEIGHT_MAX).map(|high| (2 * wide(high), 4 * high));
    let sizes: Vec<(u32, u32)> = bare.iter().copied().chain(roomy).collect();
    Sheet::sized(room, board, &sizes, bare.len(), 0, names, from)
}

/// Draws the visible part of a board, and the names of its rows and columns if the sheet has room for them.
pub fn draw(buf: &mut Buffer, sheet: &Sheet, theme: Theme, spot: impl Fn(Square) -> Spot) {
    if sheet.gutter > 0 {
        draw_names(buf, sheet, theme);
    }
    for row in 0..sheet.shown.0 {
        for col in 0..sheet.shown.1 {
            let Some(square) = sheet.board.square(sheet.from.0 + row, sheet.from.1 + col) else { continue };
            match sheet.cells() {
                Some(cells) => draw_square(buf, sheet, theme, (row as u16, col as u16), cells, &spot(square)),
                None => draw_half(buf, sheet, theme, (row as u16, col as u16), &spot(square)),
            }
        }
    }
}

/// A scale for a legend: the lowest value, the colours or shades, the highest value.
pub fn scale(theme: Theme, lowest: &str, highest: &str) -> Line<'static> {
    let label = theme.style(Role::Label);
    let mut spans = vec![Span::styled(format!("{lowest} "), label)];
    let steps = steps(theme);
    spans.extend((0..steps).map(|step| {
        let value = (step as f64 + 0.5) / steps as f64;
        let shade = if theme.colours == Colours::None { shade(theme, value) } else { " " };
        Span::styled(shade, ground(theme, Some(value)))
    }));
    spans.push(Span::styled(format!(" {highest}"), label));
    Line::from(spans)
}

/// The style of a square with its mark.
fn style(theme: Theme, spot: &Spot) -> Style {
    match spot.mark {
        None => ground(theme, spot.value),
        Some(Mark::Knight) => theme.style(Role::Strong).add_modifier(Modifier::REVERSED),
        Some(Mark::Chosen) => theme.style(Role::Hired).add_modifier(Modifier::REVERSED),
        Some(Mark::Wrong) => theme.style(Role::Bad).add_modifier(Modifier::REVERSED),
        Some(Mark::Candidate) => ground(theme, spot.value).add_modifier(Modifier::BOLD),
    }
}

/// Number of steps from the lowest value to the highest.
fn steps(theme: Theme) -> usize {
    match theme.colours {
        Colours::Palette => ON_DARK.len(),
        Colours::Sixteen => NAMED.len(),
        Colours::None if theme.ascii() => SHADES_ASCII.len(),
        Colours::None => SHADES.len(),
    }
}

/// The step of a value, out of `steps`.
fn step(value: f64, steps: usize) -> usize {
    ((value.clamp(0.0, 1.0) * steps as f64) as usize).min(steps - 1)
}

/// The background of a value and the colour of the text on it.
fn ground(theme: Theme, value: Option<f64>) -> Style {
    let Some(value) = value else { return theme.style(Role::Label) };
    let at = step(value, steps(theme));
    let ((ground, dark_ink), ink) = match theme.colours {
        Colours::None => return theme.style(Role::Text),
        Colours::Sixteen => (NAMED[at], [Color::White, Color::Black]),
        Colours::Palette => {
            let (colour, dark) = if theme.light() { ON_LIGHT[at] } else { ON_DARK[at] };
            ((Color::Indexed(colour), dark), INK)
        }
    };
    Style::reset().bg(ground).fg(ink[usize::from(dark_ink)])
}

fn shade(theme: Theme, value: f64) -> &'static str {
    let at = step(value, steps(Theme { colours: Colours::None, ..theme }));
    if theme.ascii() { SHADES_ASCII[at] } else { SHADES[at] }
}

/// Draws a square of whole cells.
fn draw_square(
    buf: &mut Buffer,
    sheet: &Sheet,
    theme: Theme,
    (row, col): (u16, u16),
    (width, height): (u16, u16),
    spot: &Spot,
) {
    let rect = Rect { x: sheet.area.x + col * width, y: sheet.area.y + row * height, width, height };
    let rect = rect.intersection(sheet.area);
    let style = style(theme, spot);
    if spot.value.is_some() || spot.mark.is_some() {
        for y in rect.top()..rect.bottom() {
            put(buf, rect, rect.x, y, &" ".repeat(width.into()), style);
        }
    }
    let text = text(theme, spot, usize::from(width));
    let wide = text.chars().count() as u16;
    put(buf, rect, rect.x + width.saturating_sub(wide) / 2, rect.y + height / 2, &text, style);
}

/// The text of a square that is `width` columns wide: its text within the signs of its mark, otherwise a sign or a
/// shade.
fn text(theme: Theme, spot: &Spot, width: usize) -> String {
    let (left, right) = match spot.mark {
        None | Some(Mark::Knight) => ("", ""),
        Some(Mark::Chosen) => ("[", "]"),
        Some(Mark::Candidate) => ("(", ")"),
        Some(Mark::Wrong) => ("!", "!"),
    };
    // A text needs a blank to separate it from the next square.
    let room = width.max(2);
    if !spot.text.is_empty() && spot.text.chars().count() < room {
        let marked = format!("{left}{}{right}", spot.text.trim());
        return if !left.is_empty() && marked.chars().count() < room { marked } else { spot.text.clone() };
    }
    let glyphs = theme.glyphs();
    match (spot.mark, spot.value) {
        (Some(Mark::Knight), _) => glyphs.knight.to_owned(),
        (Some(Mark::Chosen), _) => "o".to_owned(),
        (Some(Mark::Wrong), _) => "!".to_owned(),
        (_, None) => glyphs.dot.to_owned(),
        (_, Some(value)) if theme.colours == Colours::None => shade(theme, value).repeat(width.clamp(1, 2)),
        _ => String::new(),
    }
}

/// Draws a square of half a cell, by its colour alone.
fn draw_half(buf: &mut Buffer, sheet: &Sheet, theme: Theme, (row, col): (u16, u16), spot: &Spot) {
    let style = style(theme, spot);
    let full = if theme.light() { INK[1] } else { INK[0] };
    let vacant = theme.dark_square().unwrap_or(Color::Reset);
    let colour = match (style.add_modifier.contains(Modifier::REVERSED), spot.mark) {
        (_, Some(Mark::Knight)) => full,
        (true, _) => style.fg.unwrap_or(full),
        _ => spot.value.and(style.bg).unwrap_or(vacant),
    };
    let (x, y) = (sheet.area.x + col, sheet.area.y + row / 2);
    if let Some(cell) = buf.cell_mut((x, y)).filter(|_| x < sheet.area.right() && y < sheet.area.bottom()) {
        if row.is_multiple_of(2) {
            cell.set_symbol("▀").set_style(Style::reset().fg(colour));
        } else {
            cell.set_bg(colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::kit::theme::Signs;

    const THEME: Theme = Theme::RICH;

    /// Draws a board: the knight is on b1, c1 is wrong, and the heat of the others is their number.
    fn drawn(board: &str, room: (u16, u16), theme: Theme) -> (Sheet, Buffer) {
        let board: Board = board.parse().unwrap();
        let area = Rect::new(0, 0, room.0, room.1);
        let mut buf = Buffer::empty(area);
        let sheet = sheet(area, board, 3, theme, false, (0, 0));
        draw(&mut buf, &sheet, theme, |square| {
            let number = square.index();
            let mark = match board.name(square).as_str() {
                "b1" => Some(Mark::Knight),
                "c1" => Some(Mark::Wrong),
                "d1" => Some(Mark::Chosen),
                _ => None,
            };
            let value = (number > 0).then(|| f64::from(number) / f64::from(board.squares()));
            Spot { value, text: format!("{number:>2}"), mark }
        });
        (sheet, buf)
    }

    fn lines(buf: &Buffer) -> Vec<String> {
        let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
        buf.content.chunks(usize::from(buf.area.width)).map(|cells| line(cells).trim_end().to_owned()).collect()
    }

    #[test]
    fn large_squares_show_texts_and_marks() {
        let (sheet, buf) = drawn("1x4", (16, 1), THEME);
        assert_eq!(sheet.cells(), Some((4, 1)));
        // The text needs the width of three letters and a blank.
        assert_eq!(lines(&buf), ["  0   1 !2! [3]"]);
        let plain = drawn("1x4", (16, 1), Theme { colours: Colours::None, ..THEME }).1;
        assert_eq!(lines(&plain), lines(&buf));
        assert!(plain.content.iter().all(|cell| cell.bg == Color::Reset && cell.fg == Color::Reset));
    }

    #[test]
    fn small_squares_show_colours_or_shades() {
        let (sheet, buf) = drawn("2x4", (8, 2), THEME);
        assert_eq!((sheet.cells(), lines(&buf)), (Some((2, 1)), vec!["·".into(), "  ♞ ! o".into()]));
        let grounds: Vec<Color> = buf.content[2..8].iter().step_by(2).map(|cell| cell.bg).collect();
        assert_eq!(grounds, [ON_DARK[1], ON_DARK[2], ON_DARK[3]].map(|(colour, _)| Color::Indexed(colour)));
        let shades = lines(&drawn("2x4", (8, 2), Theme { colours: Colours::None, ..THEME }).1);
        assert_eq!(shades, ["· ░░▒▒▒▒", "▓▓♞ ! o"]);
        let ascii =
            lines(&drawn("2x4", (8, 2), Theme { colours: Colours::None, signs: Signs::Ascii, ..Theme::RICH }).1);
        assert_eq!(ascii, [". ::--==", "++N ! o"]);
    }

    #[test]
    fn a_board_of_twice_as_many_rows_as_lines_fits_in_halves_and_a_larger_one_is_shown_in_part() {
        let (sheet, buf) = drawn("20x20", (20, 10), THEME);
        assert!(sheet.is_whole() && sheet.cells().is_none());
        assert!(buf.content.iter().all(|cell| cell.symbol() == "▀"));
        let (upper, lower) = (&buf[(0, 0)], &buf[(1, 9)]);
        assert_eq!((upper.fg, lower.bg), (Color::Indexed(235), INK[0]));
        // Without colours half cells look alike.
        let (part, _) = drawn("20x20", (20, 10), Theme { colours: Colours::None, ..THEME });
        assert_eq!((part.cells(), part.shown), (Some((4, 1)), (10, 5)));
        let (part, _) = drawn("200x200", (20, 10), THEME);
        assert_eq!((part.cells(), part.shown), (Some((4, 1)), (10, 5)));
    }

    /// Relative luminance of a colour of the palette's cube.
    fn luminance(index: u8) -> f64 {
        let cube = u32::from(index) - 16;
        let level = |n: u32| if n == 0 { 0.0 } else { f64::from(55 + 40 * n) / 255.0 };
        let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        let [r, g, b] = [cube / 36, cube / 6 % 6, cube % 6].map(|n| linear(level(n)));
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    #[test]
    fn colours_rise_or_fall_in_brightness_and_text_can_be_read_on_them() {
        for (colours, rises) in [(ON_DARK, true), (ON_LIGHT, false)] {
            let bright = colours.map(|(colour, _)| luminance(colour));
            assert!(bright.windows(2).all(|pair| (pair[0] < pair[1]) == rises), "{bright:?}");
            for ((colour, dark), bright) in colours.into_iter().zip(bright) {
                let contrast = if dark { (bright + 0.05) / 0.05 } else { 1.05 / (bright + 0.05) };
                assert!(contrast >= 4.0, "{colour}: {contrast}");
            }
        }
    }

    #[test]
    fn a_scale_shows_every_step() {
        assert_eq!(scale(THEME, "0", "8").to_string(), "0          8");
        assert_eq!(scale(Theme { colours: Colours::None, ..THEME }, "0", "8").to_string(), "0 ░▒▓█ 8");
    }
}
