//! The header of the tour view: tour, move and progress.

use crate::board::Route;
use crate::ui::kit;
use crate::ui::kit::{LinePart, Role, header_line, metered, titled};
use crate::ui::tour::model::TourModel;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

/// Draws two lines, or a short form in one line.
pub fn draw(buf: &mut Buffer, area: Rect, model: &TourModel) {
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
