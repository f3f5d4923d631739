//! Groups of rows, and the report that they come to: lines as they are measured, or one JSON object.

use super::asked::cores;
use super::calibration;
use super::row::BenchRow;
use crate::cli::args::names;
use crate::job::Failure;
use crate::job::say::print_object;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::io::{self, Write};

/// What the columns are.
const HEADING: &str = "CPU seconds, the same in calibrations (cal), seconds on the wall, figures; \
     those of other programs are from another machine";

/// How a group measures its rows.
type Measure<'a> = Box<dyn Fn(&mut Bench) -> Result<(), Failure> + 'a>;

/// Rows that belong together.
pub struct Group<'a> {
    name: &'static str,
    summary: &'static str,
    measure: Measure<'a>,
}

impl<'a> Group<'a> {
    /// A group by its name, what the help says of it, and how its rows are measured.
    pub fn new(
        name: &'static str,
        summary: &'static str,
        measure: impl Fn(&mut Bench) -> Result<(), Failure> + 'a,
    ) -> Group<'a> {
        Group { name, summary, measure: Box::new(measure) }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Takes the names of these groups on a command line; the help lists them with their summaries.
    pub fn names(groups: &[Group<'_>]) -> PossibleValuesParser {
        names(groups.iter().map(|group| (group.name, group.summary)))
    }
}

/// The rows measured so far, and how they are measured.
pub struct Bench {
    /// The group that is measured.
    group: &'static str,
    quick: bool,
    json: bool,
    calibration_s: f64,
    rows: Vec<BenchRow>,
}

/// The JSON object.
#[derive(Serialize)]
struct BenchReport<'a> {
    quick: bool,
    cores: usize,
    calibration_s: f64,
    rows: &'a [BenchRow],
    right: bool,
}

impl Bench {
    /// Measures these groups one after the other, each row printed as soon as it is there: on stdout, or on stderr before
    /// one JSON object. Answers the exit code, 1 when a count is wrong.
    ///
    /// # Errors
    /// [`Failure`] when a run fails or the rows cannot be printed.
    pub fn measure<'a>(groups: impl IntoIterator<Item = Group<'a>>, quick: bool, json: bool) -> Result<u8, Failure> {
        let calibration = calibration::run();
        let calibration_s = calibration.time().cpu_s;
        let mut bench = Bench { group: "calibration", quick, json, calibration_s, rows: vec![] };
        bench.say(HEADING)?;
        bench.add(calibration)?;
        for group in groups {
            bench.group = group.name;
            (group.measure)(&mut bench)?;
        }
        bench.finish()
    }

    /// Whether the boards are small.
    pub fn is_quick(&self) -> bool {
        self.quick
    }

    /// The one or the other, for the quick and for the full bench.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Prints a row and keeps it.
    ///
    /// # Errors
    /// When it cannot be printed.
    pub fn add(&mut self, mut row: BenchRow) -> Result<(), Failure> {
        row.group = self.group;
        row.calibrate(self.calibration_s);
        self.say(&row.to_string())?;
        self.rows.push(row);
        Ok(())
    }

    /// The rows so far.
    pub fn rows(&self) -> &[BenchRow] {
        &self.rows
    }

    /// Prints a line that is no row.
    ///
    /// # Errors
    /// When it cannot be printed.
    pub fn say(&self, line: &str) -> io::Result<()> {
        if self.json { writeln!(io::stderr(), "{line}") } else { writeln!(io::stdout(), "{line}") }
    }

    /// Number of rows with a count that is wrong.
    fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| !row.right()).count()
    }

    /// Ends the report. Returns the exit code.
    fn finish(&self) -> Result<u8, Failure> {
        let right = self.wrong() == 0;
        if self.json {
            let Bench { quick, calibration_s, rows, .. } = self;
            let report = BenchReport { quick: *quick, cores: cores(), calibration_s: *calibration_s, rows, right };
            print_object(&report)?;
        }
        if !right {
            self.say(&format!("WRONG: {} of {} rows", self.wrong(), self.rows.len()))?;
        }
        Ok(u8::from(!right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_is_counted() {
        let right = BenchRow::new("6x6").count("tours", 9862, 9862);
        let wrong = BenchRow::new("6x6").count("tours", 9861, 9862);
        let bench = Bench { group: "", quick: true, json: false, calibration_s: 1.0, rows: vec![right, wrong] };
        assert_eq!(bench.wrong(), 1);
    }
}
