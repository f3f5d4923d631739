//! The first lines: which tour, which move, how far.

use crate::board::Route;
use crate::schedule::words;
use crate::ui::theme::{Role, Theme};
use crate::ui::tour::model::Model;
use crate::ui::view::{Part, fit, put};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

/// Draws two lines, or the gist of them in one.
pub fn draw(buf: &mut Buffer, area: Rect, model: &Model) {
    let inner = Rect { x: area.x + 1, width: area.width - 2, height: 1, ..area };
    let badge = badge(model);
    let badge_width = badge.width() as u16;
    let room = inner.width.saturating_sub(if badge_width > 0 { badge_width + 2 } else { 0 });
    badge.render(Rect { x: inner.right() - badge_width.min(inner.width), ..inner }, buf);
    if area.height < 2 {
        let mut parts = step(model);
        parts.insert(0, Part::new(3).with(model.surface.theme, Role::Strong, question(model.route())));
        fit(parts, room, 2).render(inner, buf);
        return;
    }
    fit(tour(model), room, 2).render(inner, buf);
    let below = Rect { y: inner.y + 1, ..inner };
    let line = fit(step(model), inner.width, 2);
    let used = line.width() as u16 + 2;
    line.render(below, buf);
    let rest = Rect { x: below.x + used.min(below.width), width: below.width.saturating_sub(used), ..below };
    meter(buf, rest, model.surface.theme, f64::from(model.k + 1) / f64::from(model.route().squares()));
}

/// The board and what is on it.
fn question(route: &dyn Route) -> String {
    let kind = if route.is_whole() { "" } else { ", a part" };
    format!("{} {}{kind}", route.board(), route.ending().name())
}

fn tour(model: &Model) -> Vec<Part> {
    let theme = model.surface.theme;
    let all = model.tours.routes.len();
    let which =
        if all > 1 { format!("tour {} of {}", model.at + 1, words::grouped(all as u64)) } else { String::new() };
    vec![
        Part::new(1).with(theme, Role::Focus, "destrier"),
        Part::new(9).with(theme, Role::Strong, question(model.route())),
        Part::new(5).with(theme, Role::Text, model.shown().title.clone()),
        Part::new(7).with(theme, Role::Text, which),
    ]
}

fn step(model: &Model) -> Vec<Part> {
    let (theme, route) = (model.surface.theme, model.route());
    let squares = words::grouped(route.squares());
    // Figures that grow do not push the rest about.
    let number = format!("{:>width$}", words::grouped(model.k + 1), width = squares.len());
    vec![
        Part::new(8)
            .with(theme, Role::Label, "move ")
            .with(theme, Role::Strong, number)
            .with(theme, Role::Label, " of ")
            .with(theme, Role::Text, squares),
        Part::new(9).with(theme, Role::Strong, format!("{:<3}", route.board().name(model.square()))),
    ]
}

/// A share, 0..=1, as a meter over the whole width.
pub(in crate::ui) fn meter(buf: &mut Buffer, area: Rect, theme: Theme, share: f64) {
    let [full, half, empty] = theme.glyphs().meter;
    let halves = (share * 2.0 * f64::from(area.width)) as u16;
    for at in 0..area.width {
        let (glyph, style) = match halves.saturating_sub(at * 2) {
            0 => (empty, theme.style(Role::Border)),
            1 => (half, theme.style(Role::Busy)),
            _ => (full, theme.style(Role::Busy)),
        };
        put(buf, area, area.x + at, area.y, glyph, style);
    }
}

/// Whether it plays, and how fast.
fn badge(model: &Model) -> Line<'static> {
    if !model.playing {
        return Line::default();
    }
    let text = format!(" PLAYING {}/s ", words::grouped(model.moves_per_s()));
    Line::from(Span::styled(
        text,
        model.surface.theme.style(Role::Good).add_modifier(Modifier::BOLD | Modifier::REVERSED),
    ))
}
