//! The result of a count: the number (in large digits if they fit), its convention, and how it was found.

use super::tours;
use crate::count::Convention;
use crate::ui::count::CountResult;
use crate::ui::count::model::CountModel;
use crate::ui::kit::{Page, Role, Theme, draw_pane, put, wrapped};
use crate::words::grouped;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

/// Draws the result.
pub fn draw(buf: &mut Buffer, rect: Rect, model: &CountModel, answer: &CountResult, page: &Page) {
    let theme = model.common.theme;
    let inner = draw_pane(buf, rect, page, theme, "answer", Line::default());
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let room = usize::from(inner.width);
    let large = are_safe(theme) && width(answer.digits.len()) <= room;
    let said = sentence(model, answer, room);
    // Large digits are a picture: the number stands below them as text, too.
    let said = if large { &said } else { &said[grouped(&answer.digits).len() + 1..] };
    let parts = if said.len() <= room { vec![said] } else { said.split_inclusive("; ").map(str::trim_end).collect() };
    let convention: Vec<String> = parts.into_iter().flat_map(|part| wrapped(part, room)).collect();
    let mut y = inner.y;
    if large {
        draw_digits(buf, inner, &answer.digits, theme.style(Role::Good));
        y += HEIGHT;
    } else {
        // The convention must be visible with the number, whatever else fits.
        let lines = usize::from(inner.height).saturating_sub(convention.len()).max(1);
        for line in number(&answer.digits, room, lines) {
            put(buf, inner, inner.x, y, &line, theme.style(Role::Good));
            y += 1;
        }
    }
    let mut said: Vec<(String, Role)> = convention.into_iter().map(|line| (line, Role::Strong)).collect();
    let resumed = answer.resumed.iter().map(|from| format!("begun with a checkpoint, at {from}"));
    for text in [answer.how.clone()].into_iter().chain(resumed) {
        said.extend(wrapped(&text, room).into_iter().map(|line| (line, Role::Text)));
    }
    for (line, role) in said {
        put(buf, inner, inner.x, y, &line, theme.style(role));
        y += 1;
    }
}

/// A number in at most `lines` lines of `room` letters; a line may end after a comma. A longer number ends in `..`
/// and its number of digits, so that it is not mistaken for a shorter one.
fn number(digits: &str, room: usize, lines: usize) -> Vec<String> {
    let grouped = grouped(digits);
    let whole = broken(&grouped, room);
    if whole.len() <= lines {
        return whole;
    }
    let end = format!(".. {} digits", digits.len());
    let cut = |groups: usize| {
        let (at, _) = grouped.match_indices(',').nth(groups)?;
        let mut text = broken(&grouped[..=at], room);
        let fits = text.len() <= lines && text.last()?.len() + end.len() <= room;
        text.last_mut()?.push_str(&end);
        fits.then_some(text)
    };
    // A group takes four letters with its comma, except for the first group.
    let most = room * lines / 4 + 1;
    (0..most).rev().find_map(cut).unwrap_or_else(|| vec![end.clone()])
}

/// Breaks a grouped number into lines of whole groups, each with its comma.
fn broken(grouped: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for group in grouped.split_inclusive(',') {
        match lines.last_mut() {
            Some(line) if line.is_empty() || line.len() + group.len() <= room => line.push_str(group),
            _ => lines.push(group.to_owned()),
        }
    }
    lines
}

/// The number and its convention, in words for lines of `room` letters.
pub fn sentence(model: &CountModel, answer: &CountResult, room: usize) -> String {
    let (asked, board) = (&model.question, model.question.name());
    let tours = tours(asked);
    let what = match asked.convention() {
        Convention::Classes => format!("classes of {tours} of {board} under symmetry and reversal"),
        convention => format!("{tours} of {board}, {}", convention.name()),
    };
    let also = |(digits, name): &(String, _)| format!("; {} {name}", number(digits, room, 1).concat());
    format!("{} {what}{}", grouped(&answer.digits), answer.also.as_ref().map_or_else(String::new, also))
}

/// Height of a large digit, in lines.
pub const HEIGHT: u16 = 3;
/// Width of a digit with the blank behind it, and of the gap between groups of three digits.
const WIDTH: u16 = 4;
const GAP: u16 = 2;

/// Each digit as five rows of three dots, the first row in the highest bits.
const DOTS: [u16; 10] = [
    0b111_101_101_101_111,
    0b010_110_010_010_111,
    0b111_001_111_100_111,
    0b111_001_111_001_111,
    0b101_101_111_001_001,
    0b111_100_111_001_111,
    0b111_100_111_101_111,
    0b111_001_010_010_010,
    0b111_101_111_101_111,
    0b111_101_111_001_111,
];

/// Width of a number with `digits` digits.
pub fn width(digits: usize) -> usize {
    (digits * usize::from(WIDTH) + digits.saturating_sub(1) / 3 * usize::from(GAP)).saturating_sub(1)
}

/// Whether the terminal shows half cells.
pub fn are_safe(theme: Theme) -> bool {
    !theme.ascii()
}

/// Draws the digits of a number from the left.
pub fn draw_digits(buf: &mut Buffer, area: Rect, number: &str, style: Style) {
    let mut x = area.x;
    for (left, digit) in (0..number.len()).rev().zip(number.chars().filter_map(|digit| digit.to_digit(10))) {
        let dots = DOTS[digit as usize];
        let dot = |row: u16, col: u16| row < 5 && dots >> (14 - row * 3 - col) & 1 == 1;
        for (line, col) in (0..HEIGHT).flat_map(|line| (0..3).map(move |col| (line, col))) {
            let symbol = match (dot(2 * line, col), dot(2 * line + 1, col)) {
                (true, true) => "█",
                (true, false) => "▀",
                (false, true) => "▄",
                (false, false) => continue,
            };
            put(buf, area, x + col, area.y + line, symbol, style);
        }
        x += WIDTH + if left > 0 && left % 3 == 0 { GAP } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::{number, *};

    #[test]
    fn a_number_is_cut_where_it_has_no_room_and_says_how_long_it_is() {
        assert_eq!(number("1234567", 9, 1), ["1,234,567"]);
        assert_eq!(number("1234567", 6, 2), ["1,234,", "567"]);
        let long = "1234567890".repeat(3);
        assert_eq!(number(&long, 24, 1), ["123,456,789,.. 30 digits"]);
        assert_eq!(number(&long, 16, 2), ["123,456,789,012,", "345,.. 30 digits"]);
        assert_eq!(number(&long, 10, 1), [".. 30 digits"], "at least how long it is");
        for (room, lines) in [(14, 1), (20, 2), (38, 1), (17, 3)] {
            let shown = number(&long, room, lines);
            assert!(shown.len() <= lines && shown.iter().all(|line| line.len() <= room), "{room} {lines}: {shown:?}");
        }
    }

    #[test]
    fn a_number_looks_like_itself_and_stands_in_groups_of_three() {
        let area = Rect::new(0, 0, width(4) as u16, HEIGHT);
        let mut buf = Buffer::empty(area);
        draw_digits(&mut buf, area, "1729", Style::new());
        let line = |y| (0..area.width).map(|x| buf[(x, y)].symbol()).collect::<String>();
        assert_eq!(
            [0, 1, 2].map(line),
            ["▄█    ▀▀█ ▀▀█ █▀█", " █     █  █▀▀ ▀▀█", "▀▀▀    ▀  ▀▀▀ ▀▀▀"].map(str::to_owned)
        );
    }

    #[test]
    fn no_two_digits_look_alike() {
        let different: std::collections::HashSet<u16> = DOTS.into_iter().collect();
        assert_eq!(different.len(), DOTS.len());
    }
}
