//! A row of the bench: what was measured, how long it took, what came out, and what it is to be held against.

use crate::job::{Report, process_cpu_time};
use crate::words::{grouped, wrapped};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::time::{Duration, Instant};

/// Columns of a printed row: all, those of its group, and those of what was measured.
pub const WIDTH: usize = 100;
const INDENT: usize = 13;
const WHAT: usize = 42;
/// A blank at which no line ends.
const UNBROKEN: &str = "\u{a0}";

/// One line; see the module. Its figures are facts: a name, which says the unit, and a value, from which the words follow.
#[derive(Default, Serialize)]
pub struct BenchRow {
    /// The group that it belongs to; set when it is added to the others.
    pub group: &'static str,
    what: String,
    #[serde(flatten)]
    time: Option<LapTime>,
    /// The CPU time in calibrations.
    calibrations: Option<f64>,
    figures: Report,
    /// The figures that are not what they must be, as they must be.
    wrong: Report,
    remark: String,
}

impl BenchRow {
    /// A row with nothing in it yet.
    pub fn new(what: impl Into<String>) -> BenchRow {
        BenchRow { what: what.into(), ..BenchRow::default() }
    }

    /// How long it took.
    pub fn took(self, time: LapTime) -> BenchRow {
        BenchRow { time: Some(time), ..self }
    }

    /// A figure; names say units, with `_` between words. A whole number is printed in full, another one with three digits that
    /// matter.
    pub fn figure(mut self, name: &'static str, value: impl Into<Value>) -> BenchRow {
        let value = value.into();
        let number = value.as_u64().map_or_else(|| significant(value.as_f64().unwrap_or(f64::NAN)), grouped);
        self.figures.text(format_args!("{} {number}", words(name)));
        self.figures.key(name, value);
        self
    }

    /// A count that must be as expected.
    pub fn count(mut self, name: &'static str, got: u64, expected: u64) -> BenchRow {
        if got != expected {
            self.wrong.key(name, expected);
            self.wrong.text(format_args!("WRONG: {} must be {}", words(name), grouped(expected)));
        }
        self.figure(name, got)
    }

    /// A fact that must hold, with its name.
    pub fn must(self, name: &'static str, holds: bool) -> BenchRow {
        if holds { self } else { self.count(name, 0, 1) }
    }

    /// What is to be said about it; several remarks are put one after another.
    pub fn remark(mut self, text: impl AsRef<str>) -> BenchRow {
        if !self.remark.is_empty() && !text.as_ref().is_empty() {
            self.remark.push_str("; ");
        }
        self.remark.push_str(text.as_ref());
        self
    }

    /// How long it took; nothing when that was not measured.
    pub fn time(&self) -> LapTime {
        self.time.unwrap_or_default()
    }

    /// Notes how many calibrations of this length the CPU time is.
    pub fn calibrate(&mut self, calibration_s: f64) {
        self.calibrations = self.time.map(|time| time.cpu_s / calibration_s);
    }

    /// The row of a Markdown table: group, what, CPU seconds, wall seconds, and the figures.
    pub fn markdown(&self) -> String {
        let seconds = |of: fn(LapTime) -> f64| self.time.map_or(String::new(), |time| significant(of(time)));
        let remark = Some(self.remark.as_str()).filter(|remark| !remark.is_empty());
        let said: Vec<&str> = self.figures().chain(remark).collect();
        let (cpu, wall) = (seconds(|time| time.cpu_s), seconds(|time| time.wall_s));
        let cell = |text: &str| text.replace('|', "/");
        format!("| {} | {} | {cpu} | {wall} | {} |", self.group, cell(&self.what), cell(&said.join("; ")))
    }

    /// What is wrong, and the figures, in words.
    fn figures(&self) -> impl Iterator<Item = &str> {
        self.wrong.lines().chain(self.figures.lines())
    }

    /// Whether all counts are as expected.
    pub fn right(&self) -> bool {
        self.wrong.lines().next().is_none()
    }
}

impl fmt::Display for BenchRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<INDENT$}{}", self.group, self.what)?;
        if let (Some(time), Some(calibrations)) = (self.time, self.calibrations) {
            let [cpu, cal, wall] = [time.cpu_s, calibrations, time.wall_s].map(significant);
            let gap = WHAT.saturating_sub(self.what.len());
            write!(f, "{:gap$} {cpu:>8} s {cal:>8} cal {wall:>8} s wall", "")?;
        }
        // A figure is not broken.
        let figures = self.figures().map(|words| words.replace(' ', UNBROKEN));
        let remark = (!self.remark.is_empty()).then(|| format!("({})", self.remark));
        let text = figures.chain(remark).collect::<Vec<_>>().join("; ");
        let mut lines = wrapped(&text, WIDTH - INDENT).into_iter().filter(|line| !line.is_empty());
        lines.try_for_each(|line| write!(f, "\n{:INDENT$}{}", "", line.replace(UNBROKEN, " ")))
    }
}

/// `nodes_per_hire` as `nodes/hire`, `speed_up` as `speed up`.
fn words(name: &str) -> String {
    name.replace("_per_", "/").replace('_', " ")
}

/// A number with three digits that matter, and no more than six after the point.
fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = 2 - value.abs().log10().floor() as i64;
    match digits {
        ..=0 if value > 0.0 => grouped(value.round() as u64),
        ..=0 => format!("{value:.0}"),
        digits => format!("{value:.*}", digits.min(6) as usize),
    }
}

// How long work takes, on the processor and on the wall; and medians, which bear a busy machine better than means.

/// CPU time of the whole process, and time on the wall, in seconds.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct LapTime {
    /// CPU time of all threads.
    pub cpu_s: f64,
    /// Time that passed.
    pub wall_s: f64,
}

impl LapTime {
    pub fn median(times: impl Iterator<Item = LapTime>) -> LapTime {
        let (cpu_s, wall_s): (Vec<f64>, Vec<f64>) = times.map(|time| (time.cpu_s, time.wall_s)).unzip();
        LapTime { cpu_s: median(cpu_s.into_iter()), wall_s: median(wall_s.into_iter()) }
    }
}

/// Measures time from its start on.
pub struct LapClock {
    cpu: Duration,
    wall: Instant,
}

impl LapClock {
    pub fn start() -> LapClock {
        LapClock { cpu: process_cpu_time(), wall: Instant::now() }
    }

    /// The time since its start.
    pub fn time(&self) -> LapTime {
        let cpu_s = process_cpu_time().saturating_sub(self.cpu).as_secs_f64();
        LapTime { cpu_s, wall_s: self.wall.elapsed().as_secs_f64() }
    }
}

/// The middle one; the mean of the two in the middle of an even number.
///
/// # Panics
/// When there is none.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        let of = [1234.5, 123.4, 12.34, 1.234, 0.1234, 0.001_234, 0.0, -0.5].map(significant);
        assert_eq!(of, ["1,235", "123", "12.3", "1.23", "0.123", "0.00123", "0", "-0.500"]);
    }

    #[test]
    fn a_count_that_differs_makes_the_row_wrong_and_says_so() {
        let row = BenchRow::new("6x6").count("tours", 9861, 9862).figure("nodes_per_hire", 2.5);
        assert!(!row.right());
        let text = row.to_string();
        assert!(text.contains("WRONG: tours must be 9,862") && text.contains("tours 9,861"), "{text}");
        assert!(text.contains("nodes/hire 2.50"), "{text}");
        assert!(BenchRow::new("6x6").count("tours", 9862, 9862).must("steady", true).right());
    }

    #[test]
    fn a_row_is_no_wider_than_its_columns_and_no_figure_is_broken() {
        let what = "unbalanced 5x8 path, hire shallowest x64 simulated";
        let mut row = BenchRow::new(what).took(LapTime { cpu_s: 3.0, wall_s: 4.0 }).count("tours", 55_488_142, 1);
        row.calibrate(1.0);
        (row.group, row.what) = ("calibration", "balanced 5x5 brute, hire shallowest x2".to_owned());
        for name in ["nodes", "speed_up", "least", "greatest", "cores_had", "work_inflation"] {
            row = row.figure(name, 1_769_811_723);
        }
        row = row.remark(
            "dead ends are seen early in some prefixes and late in others, and the large ones lie side by side",
        );
        let text = row.to_string();
        assert!(text.lines().count() > 3 && text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("work inflation 1,769,811,723") && text.contains("speed up 1,769,811,723"), "{text}");
        assert_eq!(BenchRow { group: "speed", ..BenchRow::new(what) }.to_string(), format!("speed        {what}"));
    }

    #[test]
    fn the_json_of_a_row_holds_its_figures_by_name() {
        let mut row = BenchRow::new("6x6").took(LapTime { cpu_s: 3.0, wall_s: 4.0 }).count("tours", 1, 2);
        row.calibrate(1.5);
        let json = serde_json::to_value(&row).unwrap();
        assert_eq!((&json["cpu_s"], &json["calibrations"]), (&3.0.into(), &2.0.into()));
        assert_eq!((&json["figures"]["tours"], &json["wrong"]["tours"]), (&1.into(), &2.into()));
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
    }
}
