//! Draws the comparison.
//!
//! ```text
//!  destrier  6x7 closed tours                                  RUNNING 2 of 2
//!     run                          stands     time   nodes nodes/s hires search
//!  1  --scheduler hire             done      0.31s     29M     95M    15   99%
//!  2  --scheduler static           running   0.22s     18M     80M     0   61%
//!  2  ! Worker 0 had 61 % of the nodes: static cannot move work. Use --scheduler hire.
//!  workers with a branch, to 8
//!  1 ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
//!  2 ▇▇▇▇▇▇▅▅▄▄▂▂▂▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
//!  nodes/s, to 95M
//!  ..
//!    0s                                                                  0.31s
//!  q quit  ? help  tab by depth  ! why  ><  time
//! ```

use super::model::{CompareLayout, CompareModel, ComparePage, KEYS};
use crate::run::balance::Verdict;
use crate::run::{Rival, RivalState, TimePart};
use crate::ui::kit::{Action, LinePart, Role, badge, columns, fitted, footer, help, put, titled, too_small, wrapped};
use crate::words;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use std::time::Duration;

/// Widths of the figures in a row of the table: all figures, and the most important ones.
const FIGURES: [usize; 2] = [47, 19];
/// Least width of a name for all figures to be shown.
const NAME_MIN: usize = 20;

/// Draws the model.
pub fn view(model: &CompareModel, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buf = frame.buffer_mut();
    let Some(layout) = model.layout() else {
        return too_small(buf, area);
    };
    header(buf, layout.page.header, model);
    table(buf, layout.table, model);
    match model.page {
        ComparePage::Times => over_time(buf, &layout, model),
        ComparePage::Depths => by_depth(buf, &layout, model),
        ComparePage::Why => verdicts(buf, model.below(&layout), model),
    }
    if let Some(area) = layout.why.filter(|_| model.page != ComparePage::Why) {
        let lines = model.conclusion();
        for (y, line) in (area.y..).zip(&lines) {
            put(buf, area, area.x + 1, y, line, model.common.theme.style(Role::Strong));
        }
        if lines.is_empty() {
            why(buf, area, model);
        }
    }
    footer::draw(buf, layout.page.footer, &model.common, KEYS.now());
    help::draw(buf, area, &model.common, KEYS.now(), "runs");
}

fn header(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let theme = model.common.theme;
    let (word, role) = match model.running() {
        Some(running) => (format!("RUNNING {} of {}", running + 1, model.rivals.len()), Role::Busy),
        None if model.rivals.iter().any(|rival| rival.state == RivalState::Waiting) => {
            ("WAITING".into(), Role::Waiting)
        }
        None => ("DONE".into(), Role::Good),
    };
    let mut parts = vec![LinePart::new(1).with(theme, Role::Focus, "destrier")];
    // The board and the method first, and then what there is room for.
    let said = model.question.split(", ").zip((4..=9).rev());
    parts.extend(said.map(|(words, worth)| LinePart::new(worth).with(theme, Role::Strong, words)));
    parts.push(LinePart::new(3).with(theme, Role::Text, "compared"));
    let last = model.running().map(|running| &model.rivals[running].last);
    let left = last.and_then(|last| last.left(last.mean_rate()));
    parts.extend(left.map(|(least, most)| LinePart::figure(theme, 8, "this run: left", words::spans(least, most))));
    titled(buf, area, parts, &Line::from(badge(theme, role, word)));
}

fn table(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let theme = model.common.theme;
    let room = usize::from(area.width).saturating_sub(5);
    let all = room >= FIGURES[0] + NAME_MIN;
    let name = room - if all { FIGURES[0] } else { FIGURES[1] };
    let heading = if all {
        format!(
            "{:name$}{:>8}{:>9}{:>8}{:>8}{:>7}{:>7}",
            "run", "stands", "time", "nodes", "nodes/s", "hires", "search"
        )
    } else {
        format!("{:name$}{:>9}{:>10}", "run", "time", "nodes/s")
    };
    put(buf, area, area.x + 4, area.y, &heading, theme.style(Role::Label));
    for (n, (y, rival)) in (area.y + 1..area.bottom()).zip(&model.rivals).enumerate() {
        put(buf, area, area.x + 1, y, &format!("{}", n + 1), theme.series(n));
        let (stands, role) = stands(rival.state);
        let short = fitted(&rival.name, name.saturating_sub(1));
        let x = put(buf, area, area.x + 4, y, &format!("{short:name$}"), theme.style(Role::Text));
        let x = if all { put(buf, area, x, y, &format!("{stands:>8}"), theme.style(role)) } else { x };
        put(buf, area, x, y, &figures(rival, all), theme.style(Role::Strong));
    }
}

fn figures(rival: &Rival, all: bool) -> String {
    let last = &rival.last;
    if last.elapsed.is_zero() {
        return if all { String::new() } else { format!("{:>9}", stands(rival.state).0) };
    }
    let time = words::moment(last.elapsed);
    let speed = words::rate(last.nodes() as f64 / last.elapsed.as_secs_f64());
    if all {
        let (nodes, hires, searching) = (words::count(last.nodes()), words::count(last.hires()), searching(rival));
        format!("{time:>9}{nodes:>8}{speed:>8}{hires:>7}{searching:>7}")
    } else {
        format!("{time:>9}{speed:>10}")
    }
}

fn stands(state: RivalState) -> (&'static str, Role) {
    match state {
        RivalState::Waiting => ("waiting", Role::Label),
        RivalState::Running => ("running", Role::Busy),
        RivalState::Done => ("done", Role::Good),
        RivalState::Stopped => ("stopped", Role::Hired),
        RivalState::Failed => ("failed", Role::Bad),
    }
}

/// Writes what kept the workers of the run that lost most from work.
fn why(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let Some((n, verdict)) = model.worst() else { return };
    let x = put(buf, area, area.x + 1, area.y, &format!("{}", n + 1), model.common.theme.series(n));
    let x = put(buf, area, x + 2, area.y, &format!("{} ", Action::Why.key()), model.common.theme.style(Role::Hired));
    let text = verdict.fitting(area.right().saturating_sub(x).into());
    put(buf, area, x, area.y, &text, model.common.theme.style(Role::Hired));
}

/// Writes the verdicts of each run, and how many lines there is no room for.
fn verdicts(buf: &mut Buffer, area: Rect, model: &CompareModel) {
    let (theme, width) = (model.common.theme, usize::from(area.width.saturating_sub(LABEL + 1)));
    put(buf, area, area.x + 1, area.y, "why workers did not search", theme.style(Role::Label));
    let mut lines: Vec<(Option<usize>, String)> = Vec::new();
    for (n, verdicts) in model.verdicts().into_iter().enumerate() {
        let nothing = verdicts.is_empty().then(|| "nothing is known yet".to_owned());
        let texts = verdicts.iter().map(Verdict::line).chain(nothing).flat_map(|text| wrapped(&text, width));
        lines.extend(texts.enumerate().map(|(place, line)| ((place == 0).then_some(n), line)));
    }
    let room = usize::from(area.height.saturating_sub(1));
    if lines.len() > room {
        let more = format!("{} more lines: enlarge the screen, or leave it: they are printed", lines.len() - room + 1);
        lines.truncate(room.saturating_sub(1));
        lines.push((None, more));
    }
    for (y, (run, line)) in (area.y + 1..area.bottom()).zip(lines) {
        if let Some(n) = run {
            put(buf, area, area.x + 1, y, &format!("{}", n + 1), theme.series(n));
        }
        put(buf, area, area.x + LABEL, y, &line, theme.style(Role::Text));
    }
}

/// Width of the number of a run beside its strip.
pub const LABEL: u16 = 4;
/// Depths from one below the charts to the next.
const DEPTHS_APART: usize = 8;
/// Samples for each column of a value that changes in steps.
const LOOKS: u32 = 4;

/// Share of the time of all workers for which they searched.
fn searching(rival: &Rival) -> String {
    rival.balance.time().map_or("-".to_owned(), |time| time.percent(TimePart::Searching))
}

/// A chart: its title, the values of each run, and the greatest of them.
type StripChart = (String, Vec<Vec<f64>>, f64);

/// A chart over time: its name, the format of its maximum, and the value of a run in a time interval.
type TimeChart = (&'static str, fn(f64) -> String, fn(&Rival, Duration, Duration) -> f64);

/// The charts over time, the most important first.
const OVER_TIME: [TimeChart; 3] = [
    (
        "workers with a branch",
        |most| words::count(most as u64),
        |rival, from, to| {
            let width = (to - from) / LOOKS;
            let looks = (0..LOOKS).map(|look| rival.busy.at(from + width * look + width / 2));
            looks.sum::<f64>() / f64::from(LOOKS)
        },
    ),
    ("nodes/s", words::rate, Rival::nodes_per_s),
    ("hires so far", |most| words::count(most as u64), |rival, _, to| rival.hires.at(to.min(rival.last.elapsed))),
];

/// Draws the charts over time.
pub fn over_time(buf: &mut Buffer, layout: &CompareLayout, model: &CompareModel) {
    let (end, width) = (model.shown(), columns_of(layout));
    let edge = |column: u16| end.mul_f64(f64::from(column) / f64::from(width.max(1)));
    let charts = OVER_TIME.into_iter().map(|(name, written, value)| {
        let of = |rival: &Rival| -> Vec<f64> {
            let column = |n| if edge(n) > rival.last.elapsed { 0.0 } else { value(rival, edge(n), edge(n + 1)) };
            if end.is_zero() { Vec::new() } else { (0..width).map(column).collect() }
        };
        let values: Vec<Vec<f64>> = model.rivals.iter().map(of).collect();
        let workers = model.rivals.iter().map(|rival| rival.last.workers.len() as f64);
        let most = greatest(&values);
        let most = if name == OVER_TIME[0].0 { workers.fold(most, f64::max) } else { most };
        (format!("{name}, to {}", written(most)), values, most)
    });
    // The end first: it has its place where not all have one.
    let quarters = [4, 0, 2, 1, 3].map(|k| (width.saturating_sub(1) * k / 4, words::moment(end * k.into() / 4)));
    draw(buf, layout, model, charts, quarters.into_iter());
}

/// Draws the charts by depth: what was pruned, and the nodes.
pub fn by_depth(buf: &mut Buffer, layout: &CompareLayout, model: &CompareModel) {
    type Told = fn(&Rival) -> (Vec<f64>, String);
    let kinds: [(&str, Told); 2] = [("pruned", Rival::pruned_told), ("nodes", Rival::nodes_told)];
    let all = kinds.map(|(name, of)| (name, model.rivals.iter().map(of).unzip::<_, _, Vec<_>, Vec<_>>()));
    let per_node: Vec<Vec<f64>> =
        all[0].1.0.iter().zip(&all[1].1.0).map(|(pruned, nodes)| ratios(pruned, nodes)).collect();
    let depths = all.iter().flat_map(|(_, (values, _))| values).map(Vec::len).max().unwrap_or(0);
    let has_begun = |rival: &&Rival| rival.state != RivalState::Waiting;
    let is_sample = model.rivals.iter().filter(has_begun).any(|rival| !rival.depths.are_exact());
    let charts = all.into_iter().map(|(name, (values, totals))| {
        let most = greatest(&values);
        let totals: Vec<String> = (1..).zip(totals).map(|(n, total)| format!("{n}: {total}")).collect();
        let sample = if is_sample { ", sampled" } else { "" };
        let at = values.iter().find_map(|values| values.iter().position(|&value| value == most && value > 0.0));
        let at = at.map_or(String::new(), |depth| format!(" at {depth}"));
        let title = format!("{name} by depth  {}  to {}{at}{sample}", totals.join("  "), words::count(most as u64));
        (title, values, most)
    });
    let most = greatest(&per_node);
    let per_node = (format!("pruned for each node by depth, to {}", words::rate(most)), per_node, most);
    let charts = charts.chain([per_node]).map(|(title, values, most)| {
        (title, values.iter().map(|values| stretched(values, depths, columns_of(layout))).collect(), most)
    });
    let column = |depth: usize| (depth * usize::from(columns_of(layout))).div_ceil(depths) as u16;
    let label = |depth: usize| if depth == 0 { "depth 0".to_owned() } else { depth.to_string() };
    let ticks = (0..depths).step_by(DEPTHS_APART).map(|depth| (column(depth), label(depth)));
    draw(buf, layout, model, charts, ticks);
}

/// Pruned branches by nodes, by depth.
fn ratios(pruned: &[f64], nodes: &[f64]) -> Vec<f64> {
    pruned.iter().zip(nodes).map(|(pruned, nodes)| if *nodes > 0.0 { pruned / nodes } else { 0.0 }).collect()
}

/// Values by depth as columns: each depth as wide as the others, in the whole width.
fn stretched(values: &[f64], depths: usize, width: u16) -> Vec<f64> {
    let of = |column: u16| values.get(usize::from(column) * depths / usize::from(width.max(1))).copied().unwrap_or(0.0);
    if values.is_empty() { Vec::new() } else { (0..width).map(of).collect() }
}

fn greatest(values: &[Vec<f64>]) -> f64 {
    values.iter().flatten().copied().fold(0.0, f64::max)
}

/// Number of columns of a strip.
fn columns_of(layout: &CompareLayout) -> u16 {
    layout.page.body.width.saturating_sub(LABEL + 1)
}

/// Draws the charts that there is room for, and texts below these columns.
fn draw(
    buf: &mut Buffer,
    layout: &CompareLayout,
    model: &CompareModel,
    charts: impl Iterator<Item = StripChart>,
    ticks: impl Iterator<Item = (u16, String)>,
) {
    let (theme, width) = (model.common.theme, columns_of(layout));
    for (area, (title, values, most)) in layout.charts.iter().zip(charts) {
        put(buf, *area, area.x + 1, area.y, &title, theme.style(Role::Label));
        for (n, values) in values.iter().enumerate() {
            let strip = Rect { y: area.y + 1 + n as u16 * layout.strip, height: layout.strip, ..*area };
            put(buf, strip, strip.x + 1, strip.bottom() - 1, &format!("{}", n + 1), theme.series(n));
            let plot = Rect { x: strip.x + LABEL, width, ..strip };
            columns(buf, plot, theme, theme.series(n), values, most);
        }
    }
    let (axis, mut taken) = (layout.axis.unwrap_or_default(), Vec::new());
    for (column, tick) in ticks {
        let from = (LABEL + column).min(axis.width.saturating_sub(tick.len() as u16 + 1));
        let to = from + tick.len() as u16 + 1;
        if taken.iter().all(|&(other, end)| to <= other || from >= end) {
            put(buf, axis, axis.x + from, axis.y, &tick, theme.style(Role::Label));
            taken.push((from, to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_is_as_wide_as_the_others() {
        assert_eq!(stretched(&[1.0, 2.0], 3, 6), [1.0, 1.0, 2.0, 2.0, 0.0, 0.0]);
        assert_eq!(stretched(&[1.0, 2.0, 3.0, 4.0], 4, 2), [1.0, 3.0]);
        assert_eq!(stretched(&[], 3, 6), Vec::<f64>::new());
    }
}
