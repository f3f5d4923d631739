//! The help of the live view: the keys, and beside them the meanings of worker letters and figures.

use crate::ui::kit::keys::Action;
use crate::ui::kit::screen_keys::KeyList;
use crate::ui::kit::{Role, Surface, Theme, fit, help, put};
use crate::ui::live::look::LOOKS;
use crate::ui::live::model::About;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

const STATES_WIDTH: u16 = 36;

/// Draws the help of the live view over the middle of the screen, if it is shown; `lanes` says whether a device does
/// the work.
pub fn draw(buf: &mut Buffer, area: Rect, surface: &Surface, keys: KeyList, about: &About, lanes: bool) {
    help::draw(buf, area, surface, keys, STATES_WIDTH, |buf, beside| match lanes {
        true => help::meanings(buf, beside, surface.theme, "figures", &LANES, 12),
        false => states(buf, beside, surface.theme, about),
    });
}

fn states(buf: &mut Buffer, area: Rect, theme: Theme, about: &About) {
    put(buf, area, area.x, area.y, "workers", theme.style(Role::Label));
    for (y, look) in (area.y + 1..).zip(&LOOKS) {
        let line = fit(vec![look.part(theme, 0, meaning(look.word))], area.width, 0);
        line.render(Rect { y, height: 1, ..area }.intersection(area), buf);
    }
    let below = area.y + LOOKS.len() as u16 + 2;
    let below = Rect { y: below, height: area.bottom().saturating_sub(below), ..area };
    help::meanings(buf, below, theme, "figures", &FIGURES, 8);
    if let Some(faster) = about.faster {
        let below = Rect { y: below.y + FIGURES.len() as u16 + 2, ..below };
        let why = format!("{}: {} steps through it, and", about.method, Action::Explain.key());
        put(buf, area, area.x, below.y, &why, theme.style(Role::Text));
        put(buf, area, area.x, below.y + 1, &format!("search takes {faster}: it is faster"), theme.style(Role::Text));
    }
}

/// Further terms and their meanings.
const FIGURES: [(&str, &str); 13] = [
    ("hires", "branches handed to another"),
    ("pruned", "branches cut, or dead ends"),
    ("depths", "the tree widens until"),
    ("", "cuts outnumber branches"),
    ("exact", "every node is counted"),
    ("sampled", "one burst of 64 is counted"),
    ("at", "depth of the node"),
    ("low", "lowest level with a branch"),
    ("", "to give: grey up to there"),
    ("busy", "share of time with work"),
    ("effic.", "CPU time of all workers"),
    ("a a b", "squares of pieces a and b"),
    ("a2", "the second one of piece a"),
];

/// Terms for a search on a device.
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
