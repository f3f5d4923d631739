//! The bars of the balance report: where the time of each worker went, how many were at work, the speed-up that work and
//! span allow, tasks by nodes and hires by depth.

use super::BalanceReport;
use crate::run::balance::{AllowedSpeedup, BalanceFigures, Bar, TIME_PARTS, TimeBar, bar_cells};
use crate::ui::kit::{Role, Theme};
use crate::words;
use ratatui::layout::Rect;

/// Widths of the label of a bar and of its number.
const LABEL: usize = 13;
const COUNT: usize = 7;
/// Width of the longest bar, and the least width for two bar charts side by side.
const BAR_MAX: u16 = 30;
const TWO_CHARTS: u16 = 90;
/// Longest bar of the time of a worker.
const TIME_MAX: usize = 60;
/// The roles of the parts of a time, in the order of [`TIME_PARTS`].
const PART_ROLES: [Role; 7] =
    [Role::Busy, Role::Hired, Role::Pruned, Role::Descheduled, Role::Good, Role::Held, Role::Idle];

/// A bar of a chart: its label, its figure, and its length as a share of the longest.
type ChartBar = (String, String, f64);

impl BalanceReport {
    /// Draws all charts, in two columns if there is room; the times of workers as so many bars at most.
    pub(super) fn charts(&mut self, area: Rect, theme: Theme, figures: &BalanceFigures, time_bars: usize) {
        let below = self.time_bars(area, theme, &figures.time_bars(time_bars));
        let area = Rect { y: below, height: area.bottom() - below, ..area };
        let shares = figures.at_work_bars().into_iter().map(|(label, share)| (label, words::percent(share), share));
        let counted = |bars: Vec<Bar>| -> Vec<ChartBar> {
            bars.into_iter().map(|Bar { label, count, share }| (label, words::grouped(count), share)).collect()
        };
        let charts = [
            ("workers at work, by share of the time", shares.collect()),
            ("speed-up allowed, by workers", allowed(figures)),
            ("tasks by their nodes", counted(figures.node_bars())),
            ("hires by depth", counted(figures.depth_bars())),
        ];
        let columns = if area.width >= TWO_CHARTS { 2 } else { 1 };
        let mut y = area.y;
        for row in charts.chunks(columns) {
            let width = area.width / columns as u16;
            let places = row.iter().zip((area.x..).step_by(width.into()));
            let below = places.map(|((title, bars), x)| {
                let place = Rect { x, y, width, height: area.bottom() - y };
                self.bars(place, theme, title, bars)
            });
            y = below.max().unwrap_or(y);
        }
        if let Some(matrix) = &figures.matrix {
            self.matrix(Rect { y, height: area.bottom() - y, ..area }, theme, matrix);
        }
    }

    /// Draws a bar chart under its title; returns the second line below it.
    fn bars(&mut self, area: Rect, theme: Theme, title: &str, bars: &[ChartBar]) -> u16 {
        if bars.is_empty() {
            return area.y;
        }
        self.put(area, (area.x + 1, area.y), title, theme, Role::Strong);
        let mut y = area.y + 1;
        for (label, figure, share) in bars {
            let x = self.put(area, (area.x, y), &format!("{label:>LABEL$}  {figure:>COUNT$}  "), theme, Role::Text);
            let room = area.right().saturating_sub(x + 1).min(BAR_MAX);
            let bar = theme.glyphs().meter[0].repeat((share * f64::from(room)).ceil() as usize);
            self.put(area, (x, y), &bar, theme, Role::Busy);
            y += 1;
        }
        y + 1
    }

    /// Draws where the time of each worker went; returns the second line below it. Each part has a sign of its own, so that
    /// it is read without colours.
    fn time_bars(&mut self, area: Rect, theme: Theme, bars: &[TimeBar]) -> u16 {
        if bars.is_empty() {
            return area.y;
        }
        let mut x = self.put(area, (area.x + 1, area.y), "time by worker", theme, Role::Strong);
        for ((part, (name, sign)), role) in TIME_PARTS.into_iter().enumerate().zip(PART_ROLES) {
            if bars.iter().any(|bar| bar.shares[part] > 0.0) {
                x = self.put(area, (x + 2, area.y), &format!("{sign} "), theme, role);
                x = self.put(area, (x, area.y), name, theme, Role::Label);
            }
        }
        let mut y = area.y + 1;
        for TimeBar { label, shares } in bars {
            let mut x = self.put(area, (area.x, y), &format!("{label:>LABEL$}  "), theme, Role::Text);
            let room = usize::from(area.right().saturating_sub(x + 1)).min(TIME_MAX);
            for ((cells, (_, sign)), role) in bar_cells(shares, room).into_iter().zip(TIME_PARTS).zip(PART_ROLES) {
                x = self.put(area, (x, y), &sign.to_string().repeat(cells), theme, role);
            }
            y += 1;
        }
        y + 1
    }
}

/// The speed-up that work and span allow, and that of the run beside it.
fn allowed(figures: &BalanceFigures) -> Vec<ChartBar> {
    let bound = |speedup: f64| speedup / figures.workers as f64;
    let bar =
        |AllowedSpeedup { workers, most, .. }: AllowedSpeedup| (workers.to_string(), words::rate(most), bound(most));
    let mut bars: Vec<ChartBar> = figures.allowed().into_iter().map(bar).collect();
    if let Some(reached) = figures.reached().filter(|_| !bars.is_empty()) {
        bars.push(("reached".to_owned(), words::rate(reached), bound(reached)));
    }
    bars
}
