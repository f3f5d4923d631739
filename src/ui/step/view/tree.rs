//! The search tree around the position: a line for each level on the way down. The trunk in the middle is the way; at its
//! left stands what comes before it in the order of the search, at its right what comes after.
//!
//! ```text
//! depth at          before  way   after
//!    10 e4             -c3- |d2|  (f2)
//!    11 d2         xb3x xf3x|f1|                tried -c3-, cut xb3x, left (f2), next [g3]
//!    12 f1                  [g3]  (h2)
//! ```
//!
//! In a large pane stands below a level what became of its branches beside the way, and why.

use super::moves::{style, words};
use crate::board::Square;
use crate::explain::{MoveStatus, Reason, TreeLevel};
use crate::ui::kit::{PaneFrame, PanePlace, Role, Theme, put};
use crate::ui::step::search::SearchModel;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// What the marks of a square mean.
const LEGEND: &str = "|way|  [next]  (left)  -tried-  xcutx";
/// Columns of the depth and the square before the tree.
const LABEL: u16 = 11;

/// Draws the levels that fit, the deepest at the bottom, and says which are out of sight.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &SearchModel) {
    let area = place.framed(buf, PaneFrame::titled("tree"));
    let area = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let (theme, board) = (model.common.theme, model.tape.title.board());
    let lines = usize::from(area.height.saturating_sub(1));
    let search = model.tape.search();
    let hidden = search.levels().saturating_sub(lines);
    let below = model.tape.levels_below.min(hidden);
    // The levels above are only counted: to judge the whole way again takes long.
    let mut levels = search.tree(lines + below);
    levels.truncate(levels.len().saturating_sub(below));
    let above = hidden - below;
    let picture = TreePicture::new(area, model);
    picture.head(buf, above, below);
    // Below the levels the marks are explained, where there is room.
    if lines >= levels.len() + 2 {
        let kept = theme.glyphs().reserved;
        let legend = format!("{LEGEND}  {kept}kept for the end{kept}");
        put(buf, area, area.x, area.bottom() - 1, &legend, theme.style(Role::Label));
    }
    // Below the deepest levels first: they are about the position.
    let is_done = |(_, it): &(_, _)| !matches!(it, MoveStatus::Next | MoveStatus::Taken | MoveStatus::Untried);
    let done = |level: &TreeLevel| level.branches.iter().copied().filter(is_done).collect::<Vec<_>>();
    let told: usize = levels.iter().map(|level| done(level).len()).sum();
    let mut spare = lines.saturating_sub(levels.len() + 2).min(told);
    let mut y = area.y + 1 + (levels.len() + spare) as u16;
    for level in levels.iter().rev() {
        let told: Vec<_> = done(level).into_iter().take(spare).collect();
        spare -= told.len();
        y -= 1 + told.len() as u16;
        let at = level.at.map_or("start".to_owned(), |at| board.name(at));
        put(buf, area, area.x, y, &format!("{:>5} {at}", level.depth), theme.style(Role::Label));
        picture.level(buf, y, level);
        for (y, branch) in (y + 1..).zip(told) {
            picture.branch(buf, (area.x + LABEL, y), &branch);
            let words = words(board, branch.1);
            put(buf, area, area.x + LABEL + picture.cell, y, &words, theme.style(Role::Label));
        }
    }
}

/// The positions of the parts of the picture.
struct TreePicture<'a> {
    model: &'a SearchModel,
    theme: Theme,
    area: Rect,
    /// Columns of a square with its marks and a blank.
    cell: u16,
    /// The column at which the trunk begins.
    trunk: u16,
}

impl TreePicture<'_> {
    fn new(area: Rect, model: &SearchModel) -> TreePicture<'_> {
        let board = model.tape.title.board();
        let name = board.at(board.cols() - 1).map_or(2, |corner| board.name(corner).len());
        let cell = name as u16 + 3;
        let branches = area.width.saturating_sub(LABEL + cell);
        // The trunk stands in the middle of what is left, or where seven branches have room before it.
        let before = (branches / 2).min(7 * cell);
        TreePicture { model, theme: model.common.theme, area, cell, trunk: area.x + LABEL + before }
    }

    fn head(&self, buf: &mut Buffer, above: usize, below: usize) {
        let (label, y) = (self.theme.style(Role::Label), self.area.y);
        put(buf, self.area, self.area.x, y, "depth at", label);
        let x = self.trunk.saturating_sub("before ".len() as u16);
        let x = put(buf, self.area, x, y, "before  way  after", label);
        let hidden = match (above, below) {
            (0, 0) => String::new(),
            (above, 0) => format!("{above} above"),
            (above, below) => format!("{above} above, {below} below"),
        };
        let right = self.area.right().saturating_sub(hidden.len() as u16);
        if right > x {
            put(buf, self.area, right, y, &hidden, label);
        }
    }

    /// Draws a level: its branches before the way, the way, and the branches after it.
    fn level(&self, buf: &mut Buffer, y: u16, level: &TreeLevel) {
        let is_way = |&(_, status): &(Square, MoveStatus)| matches!(status, MoveStatus::Taken | MoveStatus::Next);
        let way = level.branches.iter().position(is_way);
        let is_done = |&(_, status): &(Square, MoveStatus)| status != MoveStatus::Untried;
        let split = way.unwrap_or_else(|| level.branches.iter().take_while(|branch| is_done(branch)).count());
        let (before, after) = (&level.branches[..split], &level.branches[split + usize::from(way.is_some())..]);
        let room = usize::from((self.trunk - self.area.x - LABEL) / self.cell);
        let hidden = before.len().saturating_sub(room);
        // A number stands for those without room.
        let hidden = if hidden > 0 { (hidden + 1).min(before.len()) } else { 0 };
        let mut x = self.trunk - (before.len() - hidden) as u16 * self.cell;
        if hidden > 0 {
            // The number stands as near to the first square as that to the next one, however many digits it has.
            let text = format!("+{hidden}");
            let number = x.saturating_sub(text.len() as u16 + 1).max(self.area.x + LABEL);
            put(buf, self.area, number, y, &text, self.theme.style(Role::Label));
        }
        for branch in &before[hidden..] {
            self.branch(buf, (x, y), branch);
            x += self.cell;
        }
        match way {
            Some(way) => self.branch(buf, (self.trunk, y), &level.branches[way]),
            None => {
                put(buf, self.area, self.trunk, y, "end", self.theme.style(Role::Pruned));
            }
        }
        self.after(buf, y, after);
    }

    fn after(&self, buf: &mut Buffer, y: u16, after: &[(Square, MoveStatus)]) {
        let mut x = self.trunk + self.cell;
        let room = usize::from(self.area.right().saturating_sub(x) / self.cell);
        let shown = if after.len() > room { room.saturating_sub(1) } else { after.len() };
        for branch in &after[..shown] {
            self.branch(buf, (x, y), branch);
            x += self.cell;
        }
        if shown < after.len() {
            put(buf, self.area, x, y, &format!("+{}", after.len() - shown), self.theme.style(Role::Label));
        }
    }

    /// Draws a square between the marks of its state.
    fn branch(&self, buf: &mut Buffer, (x, y): (u16, u16), &(square, status): &(Square, MoveStatus)) {
        let (open, close) = match status {
            MoveStatus::Next => ("[", "]"),
            MoveStatus::Taken => ("|", "|"),
            MoveStatus::Untried => ("(", ")"),
            MoveStatus::Passed => (".", "."),
            MoveStatus::Barred(Reason::Reserved) => (self.theme.glyphs().reserved, self.theme.glyphs().reserved),
            MoveStatus::Cut(_) | MoveStatus::Barred(_) => ("x", "x"),
            MoveStatus::Tried | MoveStatus::Ended(_) => ("-", "-"),
            MoveStatus::Visited(_) | MoveStatus::Fixed => ("-", "-"),
        };
        let text = format!("{open}{}{close}", self.model.tape.title.board().name(square));
        let style: Style = style(self.model, status);
        let style = if status == MoveStatus::Next { style.add_modifier(Modifier::REVERSED) } else { style };
        put(buf, self.area, x, y, &text, style);
    }
}
