//! The page of a hire: who gave a branch to whom, the path that leads to it, and what became of it.
//!
//! ```text
//! worker 1 gave worker 3 a branch at depth 7, at 2.31s
//! worker 3 had it for 1.2 s
//! it became 1.24M nodes: worker 3 entered 800k, and 440k were entered in 12 branches given out of it
//! path: a8 b6 a4 b2 d1 f2 h1
//! worker 3 <- 1, depth 7, 1.24M nodes                          the board,
//!   worker 5 <- 3, depth 9, 12.1k nodes                        with the path
//!     worker 2 <- 5, depth 11, 801 nodes                       to the branch
//! ```

use super::board;
use crate::event::Event;
use crate::run::{BranchPart, EVENT_STEP, HandedBranch};
use crate::search::Drawing;
use crate::ui::kit::{PaneFrame, PanePlace, Role, put, put_reason, wrapped};
use crate::ui::live::model::LiveModel;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Least width of the page and height of the board beside the tree, and what the board has in width beside twice its height.
const WIDE: u16 = 68;
const BOARD: u16 = 8;
const BESIDE: u16 = 4;

/// Draws the pane.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    let theme = model.common.theme;
    let inner = place.framed(buf, PaneFrame::titled("hire"));
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let Some((hire, _, branch)) = &model.branch else {
        return put_reason(buf, inner, theme, "no hire is selected: up and down in pane 5 select one");
    };
    let mut y = inner.y;
    for (sentence, role) in sentences(model, hire, branch.as_ref()) {
        for line in wrapped(&sentence, inner.width.into()) {
            put(buf, inner, inner.x, y, &line, theme.style(role));
            y += 1;
        }
    }
    let Some(HandedBranch { parts, path, .. }) = branch else { return };
    let mut tree = Rect { y, height: inner.bottom().saturating_sub(y), ..inner };
    if let Some(path) = path.clone().filter(|_| tree.height >= BOARD && tree.width >= WIDE) {
        let wide = (2 * tree.height + BESIDE).min(tree.width / 2);
        tree.width -= wide;
        let drawing = Drawing { chains: vec![path], ..Drawing::default() };
        board::draw(buf, Rect { x: tree.right(), width: wide, ..tree }, theme, &model.about.shape, &drawing);
    }
    draw_tree(buf, tree, model, parts);
}

/// The branch, and below each one those that were given out of it.
fn draw_tree(buf: &mut Buffer, area: Rect, model: &LiveModel, parts: &[BranchPart]) {
    let (theme, lines) = (model.common.theme, usize::from(area.height));
    let shown = if parts.len() > lines { lines.saturating_sub(1) } else { parts.len() };
    for (y, part) in (area.y..).zip(&parts[..shown]) {
        let BranchPart { worker, by, depth, below, .. } = part;
        let text = format!("{:indent$}worker {worker} <- {by}, depth {depth}, {}", "", nodes(part), indent = 2 * below);
        put(buf, area, area.x, y, &text, theme.style(if *below == 0 { Role::Strong } else { Role::Text }));
    }
    if shown < parts.len() {
        let more = format!("and {} more", words::number_of(parts.len() - shown, "branch"));
        put(buf, area, area.x, area.y + shown as u16, &more, theme.style(Role::Label));
    }
}

/// The nodes that a branch became, with all that were given out of it.
fn nodes(part: &BranchPart) -> String {
    let nodes = format!("{} {}", words::count(part.nodes), words::noun(part.nodes, "node"));
    match (part.is_known, part.is_over) {
        (true, true) => nodes,
        (true, false) => format!("{nodes} so far"),
        (false, _) if part.nodes == 0 => "an unknown number of nodes".to_owned(),
        (false, _) => format!("at least {nodes}"),
    }
}

/// What is known of the hire, and what is not.
fn sentences(model: &LiveModel, hire: &Event, branch: Option<&HandedBranch>) -> Vec<(String, Role)> {
    let at = words::moment(model.run_time(hire.at));
    let mut said = vec![(format!("{}, at {at}", hire.sentence()), Role::Strong)];
    let Some(HandedBranch { parts, saved_at, path }) = branch else {
        let why = if model.snapshot.elapsed < hire.at { "is still to come" } else { "is not kept" };
        said.push((format!("what became of it is not known: the hire {why}"), Role::Label));
        return said;
    };
    let (first, worker) = (&parts[0], parts[0].worker);
    let [from, to] = [hire.at, first.ended.unwrap_or(model.snapshot.elapsed)].map(|at| model.run_time(at));
    let had = if first.ended.is_some() { "had it for" } else { "has had it for" };
    let (most, long) = if from < to { ("", to - from) } else { ("under ", EVENT_STEP) };
    said.push((format!("worker {worker} {had} {most}{}", words::short(long.as_secs_f64())), Role::Text));
    let own = first.own.map_or("an unknown number".to_owned(), words::count);
    let rest = words::count(first.nodes - first.own.unwrap_or(0));
    let given = match parts.len() - 1 {
        0 => "no branch was given out of it".to_owned(),
        given => format!("{rest} were entered in {} given out of it", words::number_of(given, "branch")),
    };
    said.push((format!("it became {}: worker {worker} entered {own}, and {given}", nodes(first)), Role::Text));
    if let Some(at) = saved_at {
        let at = words::moment(model.run_time(*at));
        said.push((format!("counted until {at}: the run was saved then, and what was left began anew"), Role::Held));
    }
    let board = model.about.shape.board();
    let name = |&square: &u32| board.at(square).map(|square| board.name(square));
    said.push(match path {
        Some(path) => (format!("path: {}", path.iter().filter_map(name).collect::<Vec<_>>().join(" ")), Role::Text),
        None => (format!("path not known: no position of worker {worker} was seen that shows it"), Role::Label),
    });
    said
}
