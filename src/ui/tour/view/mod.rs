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
use super::moves::Moves;
use crate::board::Route;
use crate::ui::kit::{
    self, LinePart, Role, Sheet, draw_pane, footer, header_line, help, metered, put, titled, too_small,
};
use crate::words;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;

mod board;
mod moves;

/// Draws the model.
pub fn view(model: &TourModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let (Some(layout), Some(sheet)) = (model.layout(), model.sheet()) else {
        return too_small(buf, area);
    };
    let moves = Moves::at(model.route(), model.k, model.shown().tie);
    draw_header(buf, layout.page.header, model);
    let theme = model.surface.theme;
    draw_pane(buf, layout.board, &layout.page, theme, "board", board::legend(model, &sheet));
    let title = format!("moves from {}", model.route().board().name(model.square()));
    let inner = draw_pane(buf, layout.moves, &layout.page, theme, title.as_str(), Line::default());
    board::draw(buf, model, &sheet, &moves);
    let rest = moves::draw(buf, inner, model, &moves);
    if layout.page.framed && !sheet.is_whole() {
        draw_map(buf, rest, model, &sheet);
    }
    footer::draw(buf, layout.page.footer, &model.surface, KEYS.now());
    let hint = "enter goes there, esc does not";
    footer::draw_input(buf, layout.page.footer, &model.surface, &model.input, "to square ", hint);
    help::draw(buf, area, &model.surface, KEYS.now(), "board");
}

/// Draws two lines, or a short form in one line.
pub fn draw_header(buf: &mut Buffer, area: Rect, model: &TourModel) {
    let theme = model.surface.theme;
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
    format!("{} {}{kind}", route.board(), route.ending().name())
}

fn tour(model: &TourModel) -> Vec<LinePart> {
    let theme = model.surface.theme;
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
    let (theme, route) = (model.surface.theme, model.route());
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
    Line::from(kit::badge(model.surface.theme, Role::Good, text))
}

/// Greatest height of the overview, in lines.
const HEIGHT_MAX: u16 = 16;

/// Draws the overview in the middle of `room`, as large as it fits. A cell samples one of its squares.
pub fn draw_map(buf: &mut Buffer, room: Rect, model: &TourModel, sheet: &Sheet) {
    let (board, theme) = (sheet.board, model.surface.theme);
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
