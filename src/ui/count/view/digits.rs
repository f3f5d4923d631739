//! A number in large digits, three cells wide and three lines high, drawn in half cells.

use crate::ui::kit::{Theme, put};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

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
    !theme.ascii
}

/// Draws the digits of a number from the left.
pub fn draw(buf: &mut Buffer, area: Rect, number: &str, style: Style) {
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
    use super::*;

    #[test]
    fn a_number_looks_like_itself_and_stands_in_groups_of_three() {
        let area = Rect::new(0, 0, width(4) as u16, HEIGHT);
        let mut buf = Buffer::empty(area);
        draw(&mut buf, area, "1729", Style::new());
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
