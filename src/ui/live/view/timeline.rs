//! The workers over time: a row for each, or for several together, time to the right.
//!
//! ```text
//!    0 ████████████████████████████████████████████
//!    1 ░░▼███████████████░░░▼██████████████████████   a branch came from above
//!    2 ░░░░▼████▒▒▒▒▒▒██████████████████████████▲██   .. from below
//!      0.00s                                  3.20s
//! ```
//!
//! A cell is the part of the time that prevailed. Where several workers share a row, as those of a group of CPUs do where the
//! table has a row for each, it is as high as the share searching, if they searched at all.

use super::threads;
use crate::run::TimePart;
use crate::run::balance::{GroupUse, group_noun};
use crate::ui::kit::{PaneFrame, PanePlace, Role, put, put_reason};
use crate::ui::live::model::LiveModel;
use crate::ui::live::timeline::{TimeColumn, prevailing};
use crate::ui::live::view::LivePane;
use crate::ui::live::workers::{role_of, sign_of};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use std::ops::Range;
use std::time::Duration;

/// Least width of the label of a row.
const LABEL: usize = 4;

/// Columns from one time below them to the next.
const TICKS: usize = 16;
/// Lines of a row at most.
const HIGH: u16 = 3;

/// Draws the pane.
pub fn show(buf: &mut Buffer, place: &PanePlace<'_>, model: &LiveModel) {
    // The sentence stands in the frame of the threads, if that pane is shown.
    let is_alone = model.layout().is_some_and(|layout| layout.rect(LivePane::Threads).is_none());
    let below = threads::news_or_verdict(model, place, 0).filter(|_| is_alone).unwrap_or_default();
    let by = model.grouped.map_or(String::new(), |kind| format!(" by {}", group_noun(kind)));
    let title = format!("over time{by}{}", as_watched(model));
    let inner = place.framed(buf, PaneFrame { marked: !below.is_empty(), below, ..PaneFrame::titled(title) });
    if model.has_timeline() {
        draw(buf, inner, model, &rows(model, model.grouped.is_some()))
    } else {
        put_reason(buf, inner, model.common.theme, "only workers that share a tree are shown over time")
    }
}

/// Says that columns are times of watching, where these are not times of the run.
pub fn as_watched(model: &LiveModel) -> &'static str {
    if model.snapshot.simulated.is_some() || model.timeline.is_uneven(model.window.length()) {
        " as watched"
    } else {
        ""
    }
}

/// A row.
pub struct TimelineRow {
    /// The names of its first worker or group, and of its last one.
    names: [String; 2],
    /// Its place in a column.
    place: usize,
    is_selected: bool,
}

/// The rows of the workers, or those of the groups that the table has.
pub fn rows(model: &LiveModel, by_group: bool) -> Vec<TimelineRow> {
    let (workers, group) = (model.timeline.rows(), model.timeline.group());
    let all = model.snapshot.workers.len();
    let own = |place: usize| TimelineRow {
        names: [place * group, ((place + 1) * group).min(all).saturating_sub(1)].map(|worker| worker.to_string()),
        place,
        is_selected: group == 1 && place == model.selected,
    };
    let of_group = |group: GroupUse| TimelineRow {
        place: workers + group.place,
        is_selected: group.members.contains(&model.selected),
        names: [(); 2].map(|()| group.name.clone()),
    };
    if by_group { model.group_rows().into_iter().map(of_group).collect() } else { (0..workers).map(own).collect() }
}

/// The label of some rows that share one line.
fn label(rows: &[TimelineRow]) -> String {
    let [first, last] = [&rows[0].names[0], &rows[rows.len() - 1].names[1]];
    if first == last { first.clone() } else { format!("{first}..{last}") }
}

/// Draws some rows, and the clock of the run below them.
pub fn draw(buf: &mut Buffer, area: Rect, model: &LiveModel, rows: &[TimelineRow]) {
    let (theme, timeline) = (model.common.theme, &model.timeline);
    let lines = area.height.saturating_sub(1);
    if lines == 0 || rows.is_empty() {
        return;
    }
    let shown = rows.len().min(lines.into());
    let rows: Vec<&[TimelineRow]> =
        (0..shown).map(|nth| &rows[nth * rows.len() / shown..(nth + 1) * rows.len() / shown]).collect();
    let labels: Vec<String> = rows.iter().map(|rows| label(rows)).collect();
    let wide = labels.iter().map(|label| label.len() + 1).fold(LABEL, usize::max);
    let before = wide as u16 + 2;
    let plot = Rect { x: area.x + before, width: area.width.saturating_sub(before + 1), ..area };
    if plot.width == 0 {
        return;
    }
    let columns = timeline.shown(model.window.length(), plot.width.into());
    let high = (lines / shown as u16).clamp(1, HIGH);
    let cursor = model.playback.shown().map(|shown| columns.partition_point(|column| column.at < shown.at));
    let mut axis = area.y;
    for (y, (rows, name)) in (area.y..).step_by(high.into()).zip(rows.into_iter().zip(labels)) {
        axis = y + high;
        let is_selected = rows.iter().any(|row| row.is_selected);
        let style = theme.style(if is_selected { Role::Strong } else { Role::Label });
        put(buf, area, area.x, y, &format!("{name:>wide$}"), style);
        for (x, column) in (plot.x..plot.right()).zip(&columns) {
            let (text, role) = cell(model, column, rows[0].place..rows[rows.len() - 1].place + 1);
            let is_marked = cursor == Some(usize::from(x - plot.x));
            let style = theme.style(role).add_modifier(if is_marked { Modifier::REVERSED } else { Modifier::empty() });
            (y..axis).for_each(|y| {
                put(buf, plot, x, y, &text, style);
            });
        }
    }
    let run_time =
        |column: Option<&TimeColumn>| words::moment(column.map_or(Duration::ZERO, |column| model.run_time(column.at)));
    let began =
        || model.snapshot.earlier.map_or("0".to_owned(), |earlier| words::moment(model.run_time(earlier.elapsed)));
    let from = if model.window.length().is_none() { began() } else { run_time(columns.first()) };
    let to = run_time(columns.last());
    let end = plot.x + (columns.len() as u16).max(from.len() as u16 + to.len() as u16 + 2);
    let last = end.min(plot.right()).saturating_sub(to.len() as u16);
    let mut behind = plot.x;
    if plot.x + (from.len() as u16) < last {
        behind = put(buf, plot, plot.x, axis, &from, theme.style(Role::Label));
    }
    // In slow motion little of the clock passes: the columns are as they were watched.
    for (x, column) in (plot.x..).zip(&columns).step_by(TICKS).skip(1) {
        let tick = run_time(Some(column));
        if x > behind && tick != to && x + (tick.len() as u16) < last {
            behind = put(buf, plot, x, axis, &tick, theme.style(Role::Label));
        }
    }
    put(buf, plot, last, axis, &to, theme.style(Role::Label));
}

/// The sign of some rows in a column, and its colour.
fn cell(model: &LiveModel, column: &TimeColumn, rows: Range<usize>) -> (String, Role) {
    let theme = model.common.theme;
    let Some(time) = column.time(rows.clone()) else { return (" ".to_owned(), Role::Label) };
    if let Some(by) = column.came_from(rows.clone()) {
        let mark = match (theme.ascii(), by < rows.start) {
            (true, true) => "v",
            (true, false) => "^",
            (false, true) => "▼",
            (false, false) => "▲",
        };
        return (mark.to_owned(), Role::Hired);
    }
    if rows.len() > 1 || model.timeline.group() > 1 || rows.start >= model.timeline.rows() {
        let height = (time[TimePart::Searching] * 8.0).round() as usize;
        if height > 0 {
            return (theme.glyphs().column[height.min(8)].to_owned(), Role::Busy);
        }
    }
    let part = prevailing(&time);
    (sign_of(part, theme), role_of(part))
}
