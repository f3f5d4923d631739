//! Draws the tour view.
//!
//! ```text
//!  destrier  8x8 open  kurapati.txt                  tour 1 of 3   PLAYING 5/s
//!  move 12 of 64  e6  ━━━━━━━━━━━╸────────────────────────────────────────────
//! ╭ board ─────────────────────────────╮╭ moves from e6 ─────────────────────╮
//! │ the path so far, the knight,       ││ the eight moves, their ranks, the  │
//! │ ranks on the squares it may enter  ││ one that is taken and why          │
//! ╰────────────────────────────────────╯╰────────────────────────────────────╯
//!  q quit  ? help  hl move  p play  ..
//! ```

use super::model::{KEYS, TourModel};
use super::moves::{Candidate, Moves};
use crate::board::{Ending, MOVE_NAMES, Route, Square};
use crate::ui::kit::board::draw_line;
use crate::ui::kit::{
    self, BoardLook, LinePart, Role, Sheet, draw_ground, draw_names, draw_pane, footer, header_line, help, metered,
    padded, put, titled, too_small, wrapped,
};
use crate::words;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

/// Draws the model.
pub fn view(model: &TourModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let (Some(layout), Some(sheet)) = (model.layout(), model.sheet()) else {
        return too_small(buf, area);
    };
    let moves = Moves::at(model.route(), model.k, model.shown().tie);
    draw_header(buf, layout.page.header, model);
    let theme = model.common.theme;
    draw_pane(buf, layout.board, &layout.page, theme, "board", legend(model, &sheet));
    let title = format!("moves from {}", model.route().board().name(model.square()));
    let inner = draw_pane(buf, layout.moves, &layout.page, theme, title.as_str(), Line::default());
    draw_board(buf, model, &sheet, &moves);
    let rest = draw_moves(buf, inner, model, &moves);
    if layout.page.framed && !sheet.is_whole() {
        draw_map(buf, rest, model, &sheet);
    }
    footer::draw(buf, layout.page.footer, &model.common, KEYS.now());
    let hint = "enter goes there, esc does not";
    footer::draw_input(buf, layout.page.footer, &model.common, &model.input, "to square ", hint);
    help::draw(buf, area, &model.common, KEYS.now(), "board");
}

/// Draws two lines, or a short form in one line.
fn draw_header(buf: &mut Buffer, area: Rect, model: &TourModel) {
    let theme = model.common.theme;
    if area.height < 2 {
        let mut parts = step(model);
        parts.insert(0, LinePart::new(3).with(theme, Role::Strong, question(model.route())));
        return titled(buf, area, parts, &badge(model));
    }
    titled(buf, area, tour(model), &badge(model));
    let share = f64::from(model.k + 1) / f64::from(model.route().squares());
    metered(buf, header_line(area, 1), theme, step(model), 0, share);
}

/// The board and the kind of tour.
fn question(route: &dyn Route) -> String {
    let kind = if route.is_whole() { "" } else { ", a part" };
    format!("{} {}{kind}", route.shape().short(), route.ending().name())
}

fn tour(model: &TourModel) -> Vec<LinePart> {
    let theme = model.common.theme;
    let last = model.tours.routes.len() - 1;
    let [number, of] = [model.at, last].map(|at| words::grouped(model.tours.number(at)));
    let which = if last > 0 { format!("tour {number} of {of}") } else { String::new() };
    vec![
        LinePart::new(1).with(theme, Role::Focus, "destrier"),
        LinePart::new(9).with(theme, Role::Strong, question(model.route())),
        LinePart::new(5).with(theme, Role::Text, model.shown().title.clone()),
        LinePart::new(7).with(theme, Role::Text, which),
        LinePart::new(3).with(theme, Role::Label, model.shown().facts.clone()),
    ]
}

fn step(model: &TourModel) -> Vec<LinePart> {
    let (theme, route) = (model.common.theme, model.route());
    let squares = words::grouped(route.squares());
    // Padding keeps the other figures in place while a figure grows.
    let number = format!("{:>width$}", words::grouped(model.k + 1), width = squares.len());
    vec![
        LinePart::figure(theme, 8, "move", number).with(theme, Role::Label, " of ").with(theme, Role::Text, squares),
        LinePart::new(9).with(theme, Role::Strong, format!("{:<3}", route.board().name(model.square()))),
    ]
}

/// Whether the view plays, and its speed.
fn badge(model: &TourModel) -> Line<'static> {
    if !model.playing {
        return Line::default();
    }
    let text = format!("PLAYING {}/s", words::grouped(model.pace.per_s()));
    Line::from(kit::badge(model.common.theme, Role::Good, text))
}

/// Greatest height of the overview, in lines.
const HEIGHT_MAX: u16 = 16;

/// Draws the overview in the middle of `room`, as large as it fits. A cell samples one of its squares.
fn draw_map(buf: &mut Buffer, room: Rect, model: &TourModel, sheet: &Sheet) {
    let (board, theme) = (sheet.board, model.common.theme);
    let room = Rect { x: room.x + 1, width: room.width.saturating_sub(2), ..room };
    // A cell is twice as high as wide.
    let across = |high: u16| (u64::from(high) * 2 * u64::from(board.cols())).div_ceil(board.rows().into()).max(1);
    let Some(high) = (2..=room.height.min(HEIGHT_MAX)).rev().find(|&high| across(high) <= room.width.into()) else {
        return;
    };
    let wide = across(high) as u16;
    let area = Rect { x: room.x + (room.width - wide) / 2, width: wide, height: high, ..room };
    // The squares of a cell: from its first square to the first one of the next cell.
    let first = |cell: u16, cells: u16, all: u32| (u64::from(cell) * u64::from(all) / u64::from(cells)) as u32;
    let within = |at: u32, low: u32, high: u32| at == low || (low..high).contains(&at);
    let knight = board.row_col(model.square());
    for y in 0..high {
        for x in 0..wide {
            let rows = (first(y, high, board.rows()), first(y + 1, high, board.rows()));
            let cols = (first(x, wide, board.cols()), first(x + 1, wide, board.cols()));
            let middle = board.square((rows.0 + rows.1) / 2, (cols.0 + cols.1) / 2);
            let number = middle.and_then(|square| model.route().number_of(square));
            let visited = number.is_some_and(|number| number <= model.k);
            let in_sheet = rows.1.max(rows.0 + 1) > sheet.from.0
                && rows.0 < sheet.from.0 + sheet.shown.0
                && cols.1.max(cols.0 + 1) > sheet.from.1
                && cols.0 < sheet.from.1 + sheet.shown.1;
            let (glyph, style) = if within(knight.0, rows.0, rows.1) && within(knight.1, cols.0, cols.1) {
                (theme.glyphs().knight, theme.style(Role::Hired))
            } else if visited {
                (theme.glyphs().column[5], theme.trail(if in_sheet { 0 } else { u32::MAX }))
            } else if in_sheet {
                (theme.glyphs().dot, theme.style(Role::Label).add_modifier(Modifier::REVERSED))
            } else {
                (theme.glyphs().dot, theme.style(Role::Border))
            };
            put(buf, area, area.x + x, area.y + y, glyph, style);
        }
    }
}

/// Distance around the visible part from which a move can lead into it.
const REACH: u32 = 2;

/// The visible rows and columns, if the board does not fit.
fn legend(model: &TourModel, sheet: &Sheet) -> Line<'static> {
    if sheet.is_whole() {
        return Line::default();
    }
    let (board, theme) = (sheet.board, model.common.theme);
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
fn draw_board(buf: &mut Buffer, model: &TourModel, sheet: &Sheet, moves: &Moves) {
    let theme = model.common.theme;
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
    if !theme.ascii() && (!numbers || spacious) {
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
    let (route, glyphs, style) = (model.route(), model.common.theme.glyphs(), model.common.theme.style(Role::Border));
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
        Some(group) if age < 2 => model.common.theme.series(group).add_modifier(Modifier::BOLD),
        Some(group) => model.common.theme.series(group),
        None => model.common.theme.trail(age),
    }
}

/// Draws the moves as lines of dots, oldest first, so that later moves stay visible at crossings.
fn draw_lines(buf: &mut Buffer, model: &TourModel, sheet: &Sheet, path: &[(u32, Square)]) {
    let mut segment = |from: Square, to: Square, style: Style| {
        draw_line(buf, sheet.area, [from, to].map(|square| sheet.dot(square)), style, model.common.theme.signs);
    };
    for pair in path.windows(2) {
        let ((before, from), (number, to)) = (pair[0], pair[1]);
        if before + 1 == number {
            // A move between two groups belongs to neither.
            let joins = model.shown().groups.iter().any(|group| group.start == number);
            segment(from, to, if joins { model.common.theme.style(Role::Label) } else { style(model, number) });
        }
    }
    let route = model.route();
    let closed = route.ending() == Ending::Closed && route.is_whole() && model.k + 1 == route.squares();
    if let (true, Some(start)) = (closed, route.square_at(0)) {
        let near = |square: &Square| path.iter().any(|(_, other)| other == square);
        if near(&start) && near(&model.square()) {
            segment(model.square(), start, model.common.theme.trail(0));
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
    let (theme, route) = (model.common.theme, model.route());
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

/// Least width for a line of words about every move.
const WORDY_WIDTH: u16 = 24;

/// Draws the table and the reason below it; returns the remaining area.
fn draw_moves(buf: &mut Buffer, area: Rect, model: &TourModel, moves: &Moves) -> Rect {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let wordy = inner.width >= WORDY_WIDTH && inner.height >= 12;
    let mut y = inner.y;
    if wordy {
        put(buf, inner, inner.x, y, "move   square rank", model.common.theme.style(Role::Label));
        y += 1;
    }
    for (way, &candidate) in moves.candidates.iter().enumerate() {
        let shown = wordy || matches!(candidate, Candidate::Free { .. });
        if shown && y < inner.bottom() {
            move_line(buf, Rect { y, height: 1, ..inner }, model, way, candidate, moves.taken == Some(way), wordy);
            y += 1;
        }
    }
    y += u16::from(inner.bottom().saturating_sub(y) > 2);
    for text in wrapped(&moves.why, usize::from(inner.width)) {
        put(buf, inner, inner.x, y, &text, model.common.theme.style(Role::Text));
        y += 1;
    }
    let below = (y + 1).min(area.bottom());
    Rect { y: below, height: area.bottom() - below, ..area }
}

/// Draws one move: its name and number, its target, and the rank or the reason why it is impossible.
fn move_line(
    buf: &mut Buffer,
    area: Rect,
    model: &TourModel,
    way: usize,
    candidate: Candidate,
    taken: bool,
    wordy: bool,
) {
    let (theme, board) = (model.common.theme, model.route().board());
    let square = candidate.square().map_or(String::new(), |square| board.name(square));
    let mark = if taken { theme.glyphs().arrow } else { " " };
    let compass = MOVE_NAMES[way % MOVE_NAMES.len()];
    let (words, style) = match candidate {
        Candidate::OffBoard => ("off the board".to_owned(), theme.style(Role::Border)),
        Candidate::Hole(_) => ("a hole".to_owned(), theme.style(Role::Border)),
        Candidate::Visited(_, number) => (format!("visited {}", number + 1), theme.style(Role::Border)),
        Candidate::Free { rank, .. } => (rank.to_string(), taken_style(model, taken)),
    };
    if !wordy {
        put(buf, area, area.x, area.y, &format!("{mark}{compass} {square:<4} {words}"), style);
        return;
    }
    let x = put(buf, area, area.x, area.y, &format!("{mark}{compass} {way}  {square:<6} {words}"), style);
    if let Candidate::Free { rank, .. } = candidate {
        let bar = theme.glyphs().meter[0].repeat(rank as usize);
        put(buf, area, x + 1, area.y, &bar, style);
    }
}

fn taken_style(model: &TourModel, taken: bool) -> Style {
    if taken {
        model.common.theme.style(Role::Good).add_modifier(Modifier::BOLD)
    } else {
        model.common.theme.style(Role::Text)
    }
}
