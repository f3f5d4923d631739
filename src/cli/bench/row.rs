//! A row of the bench: what was measured, how long it took, what came out, and what it is to be held against.

use super::clock::LapTime;
use crate::job::Report;
use crate::words::grouped;
use serde::Serialize;
use std::fmt;

/// A figure of a row.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number, printed in full.
    Count(u64),
    /// A measured number, printed with three digits that matter.
    Real(f64),
}

impl From<u64> for Value {
    fn from(count: u64) -> Value {
        Value::Count(count)
    }
}

impl From<f64> for Value {
    fn from(real: f64) -> Value {
        Value::Real(real)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Count(count) => f.write_str(&grouped(count)),
            Value::Real(real) => f.write_str(&significant(real)),
        }
    }
}

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

    /// A figure; names say units, with `_` between words.
    pub fn figure(mut self, name: &'static str, value: impl Into<Value>) -> BenchRow {
        let value = value.into();
        self.figures.key(name, value);
        self.figures.text(format_args!("{} {value}", words(name)));
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
        write!(f, "{:<12} {:<42}", self.group, self.what)?;
        match (self.time, self.calibrations) {
            (Some(time), Some(calibrations)) => {
                let (cpu, wall) = (significant(time.cpu_s), significant(time.wall_s));
                write!(f, " {cpu:>8} s {:>8} cal {wall:>8} s wall", significant(calibrations))?;
            }
            _ => write!(f, " {:38}", "")?,
        }
        self.figures().try_for_each(|words| write!(f, "  {words}"))?;
        if !self.remark.is_empty() {
            write!(f, "  ({})", self.remark)?;
        }
        Ok(())
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
    fn the_json_of_a_row_holds_its_figures_by_name() {
        let mut row = BenchRow::new("6x6").took(LapTime { cpu_s: 3.0, wall_s: 4.0 }).count("tours", 1, 2);
        row.calibrate(1.5);
        let json = serde_json::to_value(&row).unwrap();
        assert_eq!((&json["cpu_s"], &json["calibrations"]), (&3.0.into(), &2.0.into()));
        assert_eq!((&json["figures"]["tours"], &json["wrong"]["tours"]), (&1.into(), &2.into()));
    }
}
