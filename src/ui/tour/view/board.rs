//! The board of the tour view: the path as lines or numbers, the knight, the start, and the ranks of the squares that
//! it can enter.

use crate::board::{Ending, Square};
use crate::ui::kit::board::{dot, line};
use crate::ui::kit::{BoardLook, Role, Sheet, draw_ground, draw_names, padded, put};
use crate::ui::tour::model::TourModel;
use crate::ui::tour::moves::Moves;
use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Distance around the visible part from which a move can lead into it.
const REACH: u32 = 2;

/// The visible rows and columns, if the board does not fit.
pub fn legend(model: &TourModel, sheet: &Sheet) -> Line<'static> {
    if sheet.is_whole() {
        return Line::default();
    }
    let (board, theme) = (sheet.board, model.surface.theme);
    let top = board.rows() - sheet.from.0;
    let (left, right) = (sheet.column_name(sheet.from.1), sheet.column_name(sheet.from.1 + sheet.shown.1 - 1));
    let rows = format!("{}-{}", top + 1 - sheet.shown.0, top);
    let all = format!(" of {}  ", board.rows());
    let cols = format!("{left}-{right}");
    let (label, text) = (theme.style(Role::Label), theme.style(Role::Text));
    padded(Line::from(vec![
        Span::styled("rows ", label),
        Span::styled(rows, text),
        Span::styled(all, label),
        Span::styled("columns ", label),
        Span::styled(cols, text),
    ]))
}

/// Draws the visible part of the board.
pub fn draw(buf: &mut Buffer, model: &TourModel, sheet: &Sheet, moves: &Moves) {
    let theme = model.surface.theme;
    if sheet.gutter > 0 {
        draw_names(buf, sheet, theme);
    }
    let path = path(model, sheet);
    let digits = model.route().squares().to_string().len() as u16;
    let numbers = model.shown_look() == BoardLook::Numbers;
    let spacious = sheet.cells().is_some_and(|(wide, high)| wide >= digits + 2 && wide >= 4 && high >= 2);
    if sheet.letters() > 0 {
        draw_unvisited(buf, model, sheet);
    }
    if !theme.ascii && (!numbers || spacious) {
        draw_lines(buf, model, sheet, &path);
    }
    if numbers {
        draw_numbers(buf, model, sheet, &path, usize::from(digits));
    }
    draw_marks(buf, model, sheet, moves, numbers);
    draw_ground(buf, sheet, theme);
}

/// The visited squares in and near the visible part, in the order of their numbers.
fn path(model: &TourModel, sheet: &Sheet) -> Vec<(u32, Square)> {
    let (board, route) = (sheet.board, model.route());
    let around = |from: u32, shown: u32, all: u32| from.saturating_sub(REACH)..(from + shown + REACH).min(all);
    let rows = around(sheet.from.0, sheet.shown.0, board.rows());
    let mut path: Vec<(u32, Square)> = rows
        .flat_map(|row| around(sheet.from.1, sheet.shown.1, board.cols()).filter_map(move |col| board.square(row, col)))
        .filter_map(|square| Some((route.number_of(square).filter(|&number| number <= model.k)?, square)))
        .collect();
    path.sort_unstable();
    path
}

/// The visible squares.
fn shown(sheet: &Sheet) -> impl Iterator<Item = Square> {
    let sheet = *sheet;
    (sheet.from.0..sheet.from.0 + sheet.shown.0).flat_map(move |row| {
        (sheet.from.1..sheet.from.1 + sheet.shown.1).filter_map(move |col| sheet.board.square(row, col))
    })
}

/// Draws a dot on every unvisited square and a wall on every hole.
fn draw_unvisited(buf: &mut Buffer, model: &TourModel, sheet: &Sheet) {
    let (route, glyphs, style) = (model.route(), model.surface.theme.glyphs(), model.surface.theme.style(Role::Border));
    let wall = glyphs.wall.repeat(sheet.letters().saturating_sub(1).clamp(1, 3).into());
    for square in shown(sheet) {
        let text = match route.holes().contains(square) {
            true => &wall,
            false if route.number_of(square).is_none_or(|number| number > model.k) => glyphs.dot,
            false => continue,
        };
        sheet.mark(buf, square, text, style);
    }
}

/// The style of a visited square: by its age, or by its group.
fn style(model: &TourModel, number: u32) -> Style {
    let age = model.k - number;
    match model.shown().groups.iter().position(|group| group.contains(&number)) {
        Some(group) if age < 2 => model.surface.theme.series(group).add_modifier(Modifier::BOLD),
        Some(group) => model.surface.theme.series(group),
        None => model.surface.theme.trail(age),
    }
}

/// Draws the moves as lines of dots, oldest first, so that later moves stay visible at crossings.
fn draw_lines(buf: &mut Buffer, model: &TourModel, sheet: &Sheet, path: &[(u32, Square)]) {
    let mut segment = |from: Square, to: Square, style: Style| {
        for (x, y) in line(sheet.dot(from), sheet.dot(to)) {
            dot(buf, sheet.area, x, y, style);
        }
    };
    for pair in path.windows(2) {
        let ((before, from), (number, to)) = (pair[0], pair[1]);
        if before + 1 == number {
            // A move between two groups belongs to neither.
            let joins = model.shown().groups.iter().any(|group| group.start == number);
            segment(from, to, if joins { model.surface.theme.style(Role::Label) } else { style(model, number) });
        }
    }
    let route = model.route();
    let closed = route.ending() == Ending::Closed && route.is_whole() && model.k + 1 == route.squares();
    if let (true, Some(start)) = (closed, route.square_at(0)) {
        let near = |square: &Square| path.iter().any(|(_, other)| other == square);
        if near(&start) && near(&model.square()) {
            segment(model.square(), start, model.surface.theme.trail(0));
        }
    }
}

fn draw_numbers(buf: &mut Buffer, model: &TourModel, sheet: &Sheet, path: &[(u32, Square)], digits: usize) {
    for &(number, square) in path {
        sheet.mark(buf, square, &format!("{:>digits$}", number + 1), style(model, number));
    }
}

/// Draws the start, the ranks of the squares that the knight can enter, and the knight.
fn draw_marks(buf: &mut Buffer, model: &TourModel, sheet: &Sheet, moves: &Moves, numbers: bool) {
    let (theme, route) = (model.surface.theme, model.route());
    let mut mark = |square: Square, text: &str, style: Style| sheet.mark(buf, square, text, style);
    let digits = route.squares().to_string().len();
    let number = |k: u32| format!("{:>digits$}", k + 1);
    let start = if numbers { number(0) } else { theme.glyphs().start.to_owned() };
    if let Some(square) = route.square_at(0).filter(|_| model.k > 0) {
        mark(square, &start, theme.style(Role::Good).add_modifier(Modifier::BOLD));
    }
    for (group, part) in model.shown().groups.iter().enumerate() {
        let ends = [(part.start, theme.glyphs().start), (part.end.saturating_sub(1), theme.glyphs().end)];
        for (k, glyph) in ends.into_iter().filter(|&(k, _)| k <= model.k) {
            let text = if numbers { number(k) } else { glyph.to_owned() };
            let style = theme.series(group).add_modifier(Modifier::BOLD);
            route.square_at(k).into_iter().for_each(|square| mark(square, &text, style));
        }
    }
    let wide = sheet.letters();
    for (way, square, rank) in moves.free().filter(|_| wide > 0) {
        let taken = moves.taken == Some(way);
        let text = match (wide >= 3, taken) {
            (true, true) => format!("[{rank}]"),
            (true, false) => format!("({rank})"),
            (false, _) => rank.to_string(),
        };
        let style = theme.style(Role::Hired);
        mark(square, &text, if taken { style.add_modifier(Modifier::REVERSED) } else { style });
    }
    let knight = match numbers {
        true => number(model.k),
        false if wide >= 4 => format!(" {} ", theme.glyphs().knight),
        false => theme.glyphs().knight.to_owned(),
    };
    mark(model.square(), &knight, theme.style(Role::Strong).add_modifier(Modifier::REVERSED));
    if !model.shown().groups.is_empty() && sheet.is_whole() {
        let (x, y) = (sheet.area.x + sheet.area.width / 2, sheet.area.y + sheet.area.height / 2);
        put(buf, sheet.area, x, y, theme.glyphs().centre, theme.style(Role::Strong));
    }
}
