//! The help: the table of keys, and what the letters of the workers mean.

use super::put;
use super::threads::LOOKS;
use crate::ui::keys::KEYS;
use crate::ui::kit::Keys;
use crate::ui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

const KEYS_WIDTH: u16 = 42;
const STATES_WIDTH: u16 = 36;

/// Draws the help of the live view over the middle of everything else; `lanes` says whether a device does the work.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, lanes: bool) {
    if let Some(beside) = keys(buf, area, theme, &KEYS, STATES_WIDTH) {
        if lanes { figures(buf, beside, theme, &LANES, 12) } else { states(buf, beside, theme) }
    }
}

/// Draws a table of keys over the middle of everything else; answers the room for `beside` columns at its right, where
/// the screen is wide enough for both.
pub fn keys(buf: &mut Buffer, area: Rect, theme: Theme, known: &Keys, beside: u16) -> Option<Rect> {
    let wide = beside > 0 && area.width >= KEYS_WIDTH + beside + 2;
    let width = (KEYS_WIDTH + if wide { beside } else { 0 }).min(area.width);
    let height = (known.lines().count() as u16 + 2).min(area.height);
    let rect = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    Clear.render(rect, buf);
    let block = Block::bordered()
        .border_set(theme.glyphs().border)
        .border_style(theme.style(Role::Focus))
        .title(ratatui::text::Span::styled(" help ", theme.style(Role::Strong)));
    let inner = block.inner(rect);
    block.render(rect, buf);
    let keys = Rect { width: inner.width.min(KEYS_WIDTH), ..inner };
    for (y, line) in (keys.y..keys.bottom()).zip(known.lines()) {
        put(buf, keys, keys.x + 1, y, &line.shown(), theme.style(Role::Strong));
        put(buf, keys, keys.x + 13, y, line.help, theme.style(Role::Text));
    }
    wide.then(|| Rect { x: keys.right(), width: inner.right() - keys.right(), ..inner })
}

fn states(buf: &mut Buffer, area: Rect, theme: Theme) {
    put(buf, area, area.x, area.y, "workers", theme.style(Role::Label));
    for (y, look) in (area.y + 1..).zip(&LOOKS) {
        let line = ratatui::text::Line::from(look.part(theme, 0, meaning(look.word())).spans);
        line.render(Rect { y, height: 1, ..area }.intersection(area), buf);
    }
    let below = area.y + LOOKS.len() as u16 + 2;
    figures(buf, Rect { y: below, height: area.bottom().saturating_sub(below), ..area }, theme, &FIGURES, 7);
}

/// What figures mean, so many columns behind their names.
fn figures(buf: &mut Buffer, area: Rect, theme: Theme, meanings: &[(&str, &str)], indent: u16) {
    put(buf, area, area.x, area.y, "figures", theme.style(Role::Label));
    for (y, (name, meaning)) in (area.y + 1..).zip(meanings) {
        put(buf, area, area.x, y, name, theme.style(Role::Text));
        put(buf, area, area.x + indent, y, meaning, theme.style(Role::Label));
    }
}

/// What else needs a word.
const FIGURES: [(&str, &str); 5] = [
    ("at", "depth of the node"),
    ("low", "lowest level with a branch"),
    ("", "to give; grey up to there"),
    ("busy", "share of time with work"),
    ("effic.", "CPU time of all workers"),
];

/// The same where a device does the work.
const LANES: [(&str, &str); 6] = [
    ("lanes", "searches side by side"),
    ("now", "how many are at work"),
    ("dispatches", "starts of the shader"),
    ("prefixes", "subtrees in the queue"),
    ("split off", "of them cut from lanes"),
    ("a step", "is one of each lane"),
];

fn meaning(word: &'static str) -> &'static str {
    match word {
        "busy" => "busy: searches",
        "hired" => "hired a moment ago",
        "idle" => "idle: has no work",
        "waiting" => "waiting to be hired",
        "descheduled" => "descheduled: has no CPU",
        "paused" => "paused",
        "slowed" => "slowed: slow motion",
        _ => "done: gone home",
    }
}
