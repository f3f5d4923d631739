//! The charts of the comparison, over time and by depth: of each run a strip, all strips of a chart in one scale, above one axis.

use super::model::{CompareLayout, CompareModel};
use crate::run::{Rival, RivalState};
use crate::ui::kit::{Role, columns, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// Width of the number of a run beside its strip.
pub const LABEL: u16 = 4;
/// Samples for each column of a value that changes in steps.
const LOOKS: u32 = 4;

/// A chart: its title, the values of each run, and the greatest of them.
type StripChart = (String, Vec<Vec<f64>>, f64);

/// A chart over time: its name, the format of its maximum, and the value of a run in a time interval.
type TimeChart = (&'static str, fn(f64) -> String, fn(&Rival, Duration, Duration) -> f64);

/// The charts over time, the most important first.
const OVER_TIME: [TimeChart; 3] = [
    (
        "busy workers",
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
        let workers = model.rivals.iter().map(|rival| rival.last.workers as f64);
        let most = greatest(&values);
        let most = if name == OVER_TIME[0].0 { workers.fold(most, f64::max) } else { most };
        (format!("{name}, to {}", written(most)), values, most)
    });
    draw(buf, layout, model, charts, ["0s", &words::moment(end)]);
}

/// Draws the charts by depth: what was pruned, and the nodes.
pub fn by_depth(buf: &mut Buffer, layout: &CompareLayout, model: &CompareModel) {
    type Figures = fn(&Rival) -> Vec<f64>;
    let kinds: [(&str, Figures); 2] = [
        ("pruned", |rival| rival.depths.pruned(rival.last.nodes)),
        ("nodes", |rival| rival.depths.nodes(rival.last.nodes)),
    ];
    let all = kinds.map(|(name, of)| (name, model.rivals.iter().map(of).collect::<Vec<_>>()));
    let per_node: Vec<Vec<f64>> = all[0].1.iter().zip(&all[1].1).map(|(pruned, nodes)| ratios(pruned, nodes)).collect();
    let depths = all.iter().flat_map(|(_, values)| values).map(Vec::len).max().unwrap_or(0);
    let has_begun = |rival: &&Rival| rival.stand != RivalState::Waiting;
    let is_sample = model.rivals.iter().filter(has_begun).any(|rival| !rival.depths.are_exact());
    let charts = all.into_iter().map(|(name, values)| {
        let most = greatest(&values);
        let totals = values.iter().map(|values| words::count(values.iter().sum::<f64>() as u64));
        let totals: Vec<String> = (1..).zip(totals).map(|(n, total)| format!("{n}: {total}")).collect();
        let sample = if is_sample { ", from a sample" } else { "" };
        let title = format!("{name} by depth  {}  to {}{sample}", totals.join("  "), words::count(most as u64));
        (title, values, most)
    });
    let most = greatest(&per_node);
    let per_node = (format!("pruned for each node by depth, to {}", words::rate(most)), per_node, most);
    let charts = charts.chain([per_node]).map(|(title, values, most)| {
        (title, values.iter().map(|values| stretched(values, depths, columns_of(layout))).collect(), most)
    });
    draw(buf, layout, model, charts, ["depth 0", &depths.saturating_sub(1).to_string()]);
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

/// Draws the charts that there is room for, and the ends of their axis.
fn draw(
    buf: &mut Buffer,
    layout: &CompareLayout,
    model: &CompareModel,
    charts: impl Iterator<Item = StripChart>,
    [from, to]: [&str; 2],
) {
    let (theme, width) = (model.surface.theme, columns_of(layout));
    for (area, (title, values, most)) in layout.charts.iter().zip(charts) {
        put(buf, *area, area.x + 1, area.y, &title, theme.style(Role::Label));
        for (n, values) in values.iter().enumerate() {
            let strip = Rect { y: area.y + 1 + n as u16 * layout.strip, height: layout.strip, ..*area };
            put(buf, strip, strip.x + 1, strip.bottom() - 1, &format!("{}", n + 1), theme.series(n));
            let plot = Rect { x: strip.x + LABEL, width, ..strip };
            columns(buf, plot, theme, theme.series(n), values, most);
        }
    }
    if let Some(axis) = layout.axis {
        put(buf, axis, axis.x + LABEL, axis.y, from, theme.style(Role::Label));
        let x = axis.right().saturating_sub(to.len() as u16 + 1);
        put(buf, axis, x, axis.y, to, theme.style(Role::Label));
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
