//! The past of a run: a ring of samples taken at a steady pace, with marks where something was changed; and its charts:
//! how many are busy, how fast they are and what share of their time they work.

use super::chart;
use super::draw::put;
use super::theme::{Role, Theme};
use crate::schedule::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::VecDeque;
use std::time::Duration;

/// Time between two points.
const EVERY: Duration = Duration::from_millis(500);
/// Points that are kept.
const POINTS: usize = 1024;

/// One moment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Workers with work.
    pub busy: usize,
    /// Nodes a second.
    pub nodes_per_s: f64,
    /// CPU time of the workers by their number times elapsed time; nothing while the run is held.
    pub efficiency: Option<f64>,
    /// What was changed since the point before: `r` the rule, `S` the scheduler.
    pub mark: Option<char>,
}

/// The latest points, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct History {
    points: VecDeque<Point>,
    due: Duration,
    mark: Option<char>,
}

impl History {
    /// Whether a point is due at this moment of the run.
    pub fn due(&self, now: Duration) -> bool {
        now >= self.due
    }

    /// Adds the point that was due, with the mark made since the last one.
    pub fn push(&mut self, now: Duration, busy: usize, nodes_per_s: f64, efficiency: Option<f64>) {
        self.due = now + EVERY;
        if self.points.len() == POINTS {
            self.points.pop_front();
        }
        self.points.push_back(Point { busy, nodes_per_s, efficiency, mark: self.mark.take() });
    }

    /// Marks the next point.
    pub fn mark(&mut self, mark: char) {
        self.mark = Some(mark);
    }

    /// A new run begins: the past stays, the clock starts again.
    pub fn restart(&mut self, mark: char) {
        self.due = Duration::ZERO;
        self.mark(mark);
    }

    /// The latest `n` points, the oldest first.
    pub fn latest(&self, n: usize) -> impl Iterator<Item = &Point> {
        self.points.iter().skip(self.points.len().saturating_sub(n))
    }
}

/// Width of the names and present figures at the left.
const LABEL: u16 = 16;

/// Draws three charts of these names, of up to seven letters, one above the other, the latest point the last; below them
/// the time, where there is room.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, history: &History, workers: usize, names: [&str; 3]) {
    let axis = u16::from(area.height >= 4);
    let rows = ((area.height - axis) / 3).max(1);
    let points: Vec<&Point> = history.latest(usize::from(area.width.saturating_sub(LABEL + 1))).collect();
    let nodes_max = points.iter().map(|point| point.nodes_per_s).fold(0.0, f64::max);
    let last = points.last();
    let share = last.and_then(|point| point.efficiency).map_or("-".into(), words::percent);
    let [busy, speed, shares] = names;
    let charts: [(&str, String, Role, f64, Vec<f64>); 3] = [
        (
            busy,
            last.map_or("-".into(), |point| point.busy.to_string()),
            Role::Descheduled,
            workers as f64,
            points.iter().map(|point| point.busy as f64).collect(),
        ),
        (
            speed,
            last.map_or("-".into(), |point| words::rate(point.nodes_per_s)),
            Role::Busy,
            nodes_max,
            points.iter().map(|point| point.nodes_per_s).collect(),
        ),
        (shares, share, Role::Good, 1.0, points.iter().map(|point| point.efficiency.unwrap_or(0.0)).collect()),
    ];
    for (i, (name, figure, role, max, values)) in (0..).zip(charts) {
        let chart = Rect { y: area.y + i * rows, height: rows, ..area };
        if chart.bottom() > area.bottom() {
            break;
        }
        put(buf, chart, chart.x + 1, chart.y, name, theme.style(Role::Label));
        put(buf, chart, chart.x + 9, chart.y, &format!("{figure:>5}"), theme.style(Role::Strong));
        let plot = Rect { x: chart.x + LABEL, width: chart.width.saturating_sub(LABEL + 1), ..chart };
        chart::columns(buf, plot, theme, theme.style(role), &values, max);
    }
    if axis > 0 {
        draw_axis(buf, Rect { y: area.y + 3 * rows, height: 1, ..area }, theme, &points);
    }
}

/// How far back the charts go, and the letter of each mark under its column.
fn draw_axis(buf: &mut Buffer, area: Rect, theme: Theme, points: &[&Point]) {
    let past = EVERY * points.len() as u32;
    put(buf, area, area.x + 1, area.y, &format!("last {}", words::clock(past)), theme.style(Role::Label));
    for (x, point) in (area.x + LABEL..).zip(points) {
        let (symbol, role) = match point.mark {
            Some(mark) => (mark.to_string(), Role::Strong),
            None => (theme.glyphs().axis.to_owned(), Role::Border),
        };
        put(buf, area, x, area.y, &symbol, theme.style(role));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_at_a_steady_pace_and_the_oldest_are_forgotten() {
        let mut history = History::default();
        for i in 0..2 * POINTS as u32 {
            let now = EVERY * i;
            assert!(history.due(now));
            history.push(now, i as usize, 0.0, None);
            assert!(!history.due(now + EVERY / 2));
        }
        assert_eq!(history.latest(usize::MAX).count(), POINTS);
        assert_eq!(history.latest(1).next().map(|point| point.busy), Some(2 * POINTS - 1));
    }

    #[test]
    fn a_mark_is_kept_for_one_point() {
        let mut history = History::default();
        history.restart('S');
        history.push(Duration::ZERO, 1, 0.0, None);
        history.push(EVERY, 1, 0.0, None);
        assert_eq!(history.latest(2).map(|point| point.mark).collect::<Vec<_>>(), [Some('S'), None]);
    }
}
