//! What boards draw: lines of dots, and pieces of a path.

use super::theme::{SERIES, Signs, Theme};
use crate::board::Board;
use crate::search::Drawing;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The dots of a line, both ends included.
///
/// # Source
/// J. E. Bresenham, "Algorithm for computer control of a digital plotter", IBM Systems Journal 4, 1965.
fn line(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let (dx, dy) = ((to.0 - from.0).abs(), -(to.1 - from.1).abs());
    let (sx, sy) = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
    let mut error = dx + dy;
    let mut next = Some(from);
    std::iter::from_fn(move || {
        let (mut x, mut y) = next?;
        let here = (x, y);
        let twice = 2 * error;
        if twice >= dy {
            error += dy;
            x += sx;
        }
        if twice <= dx {
            error += dx;
            y += sy;
        }
        next = (here != to).then_some((x, y));
        Some(here)
    })
}

/// Sets one dot of 2 times 4 in a cell, if it lies in the area, and keeps the other dots of its cell. Without braille two
/// dots, one above the other, are a quarter of the cell.
pub fn dot(buf: &mut Buffer, area: Rect, (x, y): (i32, i32), style: Style, signs: Signs) {
    /// Bits of the braille patterns by row and column of the dot.
    const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    const BLANK: u32 = 0x2800;
    /// The blocks by the quarters that are filled: bit 0 above on the left, 1 above on the right, 2 and 3 below.
    const QUARTERS: [char; 16] = [' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█'];
    let inside = |at: i32, dots: i32, cells: u16| (0..i32::from(cells) * dots).contains(&at);
    if !inside(x, 2, area.width) || !inside(y, 4, area.height) {
        return;
    }
    let cell = &mut buf[(area.x + (x / 2) as u16, area.y + (y / 4) as u16)];
    let seen = cell.symbol().chars().next().unwrap_or(' ');
    if signs == Signs::Blocks {
        let filled = QUARTERS.iter().position(|&block| block == seen).unwrap_or(0) | 1 << (y % 4 / 2 * 2 + x % 2);
        cell.set_char(QUARTERS[filled]).set_style(style);
        return;
    }
    let seen = u32::from(seen);
    let dots = if (BLANK..BLANK + 0x100).contains(&seen) { seen } else { BLANK };
    if let Some(symbol) = char::from_u32(dots | BITS[(y % 4) as usize][(x % 2) as usize]) {
        cell.set_char(symbol).set_style(style);
    }
}

/// Draws a line of dots between two dots, both included.
pub fn draw_line(buf: &mut Buffer, area: Rect, [from, to]: [(i32, i32); 2], style: Style, signs: Signs) {
    line(from, to).for_each(|at| dot(buf, area, at, style, signs));
}

/// The squares of a position as a text: a line for each chain, with the board before it.
pub fn chains_text(board: Board, drawing: &Drawing) -> String {
    let line = |chain: &Vec<u32>| {
        let names: Vec<String> = chain.iter().filter_map(|&square| Some(board.name(board.at(square)?))).collect();
        format!("{board} {}\n", names.join(" "))
    };
    drawing.chains.iter().map(line).collect()
}

/// The colour of one of several chains. If there are more chains than colours, a chain keeps its colour as long as
/// its lower end does not change, even if other chains appear or vanish.
pub fn series(theme: Theme, drawing: &Drawing, chain: usize) -> Style {
    let squares = &drawing.chains[chain];
    match (drawing.chains.len() > SERIES.len(), squares.first().min(squares.last())) {
        (true, Some(&end)) => theme.series(end as usize),
        _ => theme.series(chain),
    }
}

/// The letters of the pieces, capitals first: small ones name the files of a board, and digits are numbers. A board has
/// at most 64 pieces, because a piece has at least two squares.
pub fn letters(drawing: &Drawing) -> Vec<String> {
    const ALL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%&*+/=?@~^";
    let mut order: Vec<usize> = (0..drawing.chains.len()).collect();
    order.sort_by_key(|&chain| drawing.chains[chain].iter().min());
    let mut letters = vec![String::new(); order.len()];
    for (place, chain) in order.into_iter().enumerate() {
        letters[chain] = char::from(ALL[place % ALL.len()]).to_string();
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_drawn_without_braille_where_the_font_has_none() {
        let area = Rect::new(0, 0, 4, 2);
        let drawn = |signs| {
            let mut buf = Buffer::empty(area);
            draw_line(&mut buf, area, [(0, 0), (7, 7)], Style::new(), signs);
            draw_line(&mut buf, area, [(0, 7), (0, 4)], Style::new(), signs);
            (0..2).map(|y| (0..4).map(|x| buf[(x, y)].symbol()).collect()).collect::<Vec<String>>()
        };
        assert_eq!(drawn(Signs::Braille), ["⠑⢄  ", "⡇ ⠑⢄"]);
        assert_eq!(drawn(Signs::Blocks), ["▀▄  ", "▌ ▀▄"]);
    }

    #[test]
    fn a_line_of_dots_joins_both_ends_step_by_step() {
        for (from, to) in [((0, 0), (8, 3)), ((5, 9), (1, 1)), ((2, 2), (2, 2)), ((0, 4), (9, 4))] {
            let dots: Vec<_> = line(from, to).collect();
            assert_eq!((dots[0], dots[dots.len() - 1]), (from, to));
            assert!(
                dots.windows(2).all(|pair| (pair[0].0 - pair[1].0).abs() <= 1 && (pair[0].1 - pair[1].1).abs() <= 1)
            );
        }
    }
}
