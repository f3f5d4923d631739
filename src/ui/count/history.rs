//! The charts of a count over time: busy threads, speed, and share of working time. They show the whole run or its latest
//! part, with marks for changes.

use crate::ui::kit::{Role, Theme, TimeWindow, columns, put};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::time::Duration;

/// Greatest number of points. When the array is full, each two points become one, so that the charts always reach
/// back to the start.
const POINTS: usize = 2048;
/// Initial time between two points.
const EVERY: Duration = Duration::from_millis(50);

/// A point of the charts: one sample, or the mean of several.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HistoryPoint {
    /// The time since the start of the run.
    pub at: Duration,
    /// Threads with work.
    pub busy: f64,
    pub states_per_s: f64,
    /// Mean share of their time for which the threads worked, if it is known.
    pub efficiency: Option<f64>,
    /// The change since the point before: `s` is another pass or sweep.
    pub mark: Option<char>,
}

impl HistoryPoint {
    /// The mean of two points, at the time of the later one.
    fn with(self, later: HistoryPoint) -> HistoryPoint {
        let mean = |a: f64, b: f64| (a + b) / 2.0;
        HistoryPoint {
            at: later.at,
            busy: mean(self.busy, later.busy),
            states_per_s: mean(self.states_per_s, later.states_per_s),
            efficiency: self.efficiency.zip(later.efficiency).map(|(a, b)| mean(a, b)).or(later.efficiency),
            mark: self.mark.or(later.mark),
        }
    }
}

/// The points of the charts, oldest first.
#[derive(Clone, Debug)]
pub struct History {
    points: Vec<HistoryPoint>,
    every: Duration,
    due: Duration,
    mark: Option<char>,
    pub window: TimeWindow,
}

impl Default for History {
    fn default() -> History {
        let (due, window) = (Duration::ZERO, TimeWindow::default());
        History { points: Vec::new(), every: EVERY, due, mark: None, window }
    }
}

impl History {
    /// Whether a point is due at this time of the run.
    pub fn due(&self, now: Duration) -> bool {
        now >= self.due
    }

    /// Adds a point, with the mark set since the last point.
    pub fn push(&mut self, at: Duration, busy: usize, states_per_s: f64, efficiency: Option<f64>) {
        self.due = at + self.every;
        if self.points.len() == POINTS {
            self.points = self.points.chunks(2).map(|pair| pair[1..].iter().fold(pair[0], |a, &b| a.with(b))).collect();
            self.every *= 2;
        }
        self.points.push(HistoryPoint { at, busy: busy as f64, states_per_s, efficiency, mark: self.mark.take() });
    }

    /// Sets the mark of the next point.
    pub fn mark(&mut self, mark: char) {
        self.mark = Some(mark);
    }

    /// Removes all points.
    pub fn clear(&mut self) {
        *self = History { window: self.window, ..History::default() };
    }

    /// All points, oldest first.
    pub fn points(&self) -> &[HistoryPoint] {
        &self.points
    }

    /// The points in the time window, averaged into `width` columns of equal time. A column without points repeats
    /// the one before.
    fn columns(&self, width: usize) -> Vec<HistoryPoint> {
        let (Some(first), Some(last)) = (self.points.first(), self.points.last()) else { return Vec::new() };
        let from = self.window.length().map_or(first.at, |window| last.at.saturating_sub(window).max(first.at));
        let span = (last.at - from).as_secs_f64();
        let mut rest = &self.points[self.points.partition_point(|point| point.at < from)..];
        let mut before = *rest.first().unwrap_or(last);
        let mut column = |column: usize| {
            let end = from + Duration::from_secs_f64(span * (column + 1) as f64 / width as f64);
            let these = rest.partition_point(|point| point.at <= end || column + 1 == width);
            let (inside, later) = rest.split_at(these);
            rest = later;
            let mean = inside.iter().copied().reduce(HistoryPoint::with);
            before = mean.unwrap_or(HistoryPoint { mark: None, ..before });
            before
        };
        (0..width).map(&mut column).collect()
    }
}

/// Width of the names and current figures at the left.
const LABEL: u16 = 16;

/// A chart: its name and colour, the value and the figure of a point, and the value and text of its full height.
struct HistoryChart {
    name: &'static str,
    role: Role,
    value: fn(&HistoryPoint) -> f64,
    figure: fn(&HistoryPoint) -> String,
    top: (f64, String),
}

/// Draws three charts one above the other; the latest point is at the right. The third
/// is left out where no point has a share. Beside each chart stands its scale, and below them the time, if there is room.
/// The mean speed of a count that has ended takes the place of the latest.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, history: &History, threads: usize, mean: Option<f64>) {
    let at_end = |point: &HistoryPoint| HistoryPoint { states_per_s: mean.unwrap_or(point.states_per_s), ..*point };
    let last = history.points().last().map(at_end);
    let axis = u16::from(area.height >= 4);
    let points = history.columns(usize::from(area.width.saturating_sub(LABEL + 1)));
    let number = if points.iter().any(|point| point.efficiency.is_some()) { 3 } else { 2 };
    let rows = ((area.height - axis) / number).max(1);
    let speed_max = points.iter().map(|point| point.states_per_s).fold(0.0, f64::max);
    let charts = [
        HistoryChart {
            name: "counting",
            role: Role::Descheduled,
            value: |point| point.busy,
            figure: |point| format!("{:.0}", point.busy),
            top: (threads as f64, words::count(threads as u64)),
        },
        HistoryChart {
            name: if mean.is_some() { "mean" } else { "speed" },
            role: Role::Busy,
            value: |point| point.states_per_s,
            figure: |point| words::rate(point.states_per_s),
            top: (speed_max, words::rate(speed_max)),
        },
        HistoryChart {
            name: "time",
            role: Role::Good,
            value: |point| point.efficiency.unwrap_or(0.0),
            figure: |point| point.efficiency.map_or("-".into(), words::percent),
            top: (1.0, words::percent(1.0)),
        },
    ];
    for (i, chart) in (0..number).zip(charts) {
        let area = Rect { y: area.y + i * rows, height: rows, ..area }.intersection(area);
        if area.height == rows {
            draw_chart(buf, area, theme, &chart, last, &points);
        }
    }
    if axis > 0 {
        draw_axis(buf, Rect { y: area.y + number * rows, height: 1, ..area }, theme, history, &points);
    }
}

fn draw_chart(
    buf: &mut Buffer,
    area: Rect,
    theme: Theme,
    chart: &HistoryChart,
    last: Option<HistoryPoint>,
    points: &[HistoryPoint],
) {
    let figure = last.as_ref().map_or("-".to_owned(), chart.figure);
    put(buf, area, area.x + 1, area.y, chart.name, theme.style(Role::Label));
    put(buf, area, area.x + 9, area.y, &format!("{figure:>5}"), theme.style(Role::Strong));
    if area.height > 1 {
        put(buf, area, area.x + 1, area.y + 1, &format!("0 to {}", chart.top.1), theme.style(Role::Label));
    }
    let plot = Rect { x: area.x + LABEL, width: area.width.saturating_sub(LABEL + 1), ..area };
    let values: Vec<f64> = points.iter().map(chart.value).collect();
    columns(buf, plot, theme, theme.style(chart.role), &values, chart.top.0);
}

/// Draws the time axis: the length of the window, its start and end, and the letter of each mark under its column.
fn draw_axis(buf: &mut Buffer, area: Rect, theme: Theme, history: &History, points: &[HistoryPoint]) {
    let reach = history.window.length().map_or("all".into(), |window| format!("last {}", words::clock(window)));
    put(buf, area, area.x + 1, area.y, &reach, theme.style(Role::Label));
    let plot = Rect { x: area.x + LABEL, width: points.len() as u16, ..area };
    put(buf, area, plot.x, plot.y, &theme.glyphs().axis.repeat(points.len()), theme.style(Role::Border));
    for (x, point) in (plot.x..).zip(points) {
        if let Some(mark) = point.mark {
            put(buf, area, x, area.y, &mark.to_string(), theme.style(Role::Strong));
        }
    }
    // A time is not cut by a mark.
    let ends = [points.first(), points.last()].map(|point| point.map_or(String::new(), |point| words::clock(point.at)));
    if usize::from(plot.width) > ends[0].len() + ends[1].len() + 4 {
        put(buf, plot, plot.x, plot.y, &ends[0], theme.style(Role::Label));
        put(buf, plot, plot.right() - ends[1].len() as u16, plot.y, &ends[1], theme.style(Role::Label));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    #[test]
    fn points_become_fewer_and_reach_back_to_the_beginning() {
        let mut history = History::default();
        let mut at = 0;
        while at < 1_000_000 {
            if history.due(ms(at)) {
                history.push(ms(at), at as usize, 0.0, None);
                assert!(!history.due(ms(at + 1)));
            }
            at += 50;
        }
        let points = history.points();
        assert!((POINTS / 2..=POINTS).contains(&points.len()), "{}", points.len());
        assert!(points[0].at < ms(1000) && points[points.len() - 1].at > ms(999_000));
        assert!(points.is_sorted_by_key(|point| point.at));
    }

    #[test]
    fn the_first_points_fill_the_width_and_a_window_shows_the_last_of_them() {
        let mut history = History::default();
        assert!(history.columns(10).is_empty());
        history.push(ms(0), 3, 1.0, None);
        assert!(history.columns(10).iter().all(|point| point.busy == 3.0));
        for second in 1..=100 {
            history.push(ms(second * 1000), second as usize, 1.0, None);
        }
        assert_eq!(history.columns(50).len(), 50);
        assert_eq!(history.columns(4).last().map(|point| point.at), Some(ms(100_000)));
        let said = [true, true].map(|closer| history.window.zoom_and_say(closer));
        assert_eq!(said, ["the last 10:00 is shown", "the last 1:00 is shown"]);
        assert!(history.columns(50).iter().all(|point| point.at >= ms(40_000)));
    }

    #[test]
    fn a_mark_is_kept_for_one_point() {
        let mut history = History::default();
        history.mark('s');
        history.push(Duration::ZERO, 1, 0.0, None);
        history.push(EVERY, 1, 0.0, None);
        assert_eq!(history.points().iter().map(|point| point.mark).collect::<Vec<_>>(), [Some('s'), None]);
        assert_eq!(history.columns(9).iter().filter(|point| point.mark.is_some()).count(), 1);
    }
}
