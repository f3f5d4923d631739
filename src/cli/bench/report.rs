//! Groups of rows, and the report that they come to: lines as they are measured, one JSON object, or Markdown.

use super::row::{BenchRow, LapClock};
use crate::cli::args::{cores, names};
use crate::cli::chart::{self, Chart};
use crate::cli::doctor;
use crate::job::{Answer, Failure, NoReason, io_failure, note, object, print_object, put};
use crate::saved;
use crate::system::ThreadRefused;
use clap::builder::PossibleValuesParser;
use std::hint::black_box;
use std::mem::take;
use std::path::{Path, PathBuf};

/// What the columns are.
const HEADING: &str = "CPU seconds, the same in calibrations (cal), seconds on the wall; below them figures. Those of\n\
     other programs are from another machine.";

/// Words that the calibration mixes: about one second on a core of 2020.
const WORDS: u64 = 140_000_000;
/// What comes out.
const SUM: u64 = 0x2003_3500_de45_bce1;

/// Rows that belong together.
pub struct Group {
    /// Its name on a command line.
    pub name: &'static str,
    /// What the help says of it.
    pub summary: &'static str,
    /// Measures its rows.
    pub measure: fn(&mut Bench) -> Result<(), Failure>,
}

impl Group {
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        measure: fn(&mut Bench) -> Result<(), Failure>,
    ) -> Group {
        Group { name, summary, measure }
    }

    /// Takes the names of these groups on a command line; the help lists them with their summaries.
    pub fn names(groups: &[Group]) -> PossibleValuesParser {
        names(groups.iter().map(|group| (group.name, group.summary)))
    }
}

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BenchOutput {
    /// Rows on stdout.
    Lines,
    /// One JSON object on stdout, rows on stderr.
    Json,
    /// This machine and a table on stdout, rows on stderr.
    Markdown,
}

/// How rows are measured and printed.
pub struct BenchOptions {
    /// Small boards.
    pub quick: bool,
    /// What is printed.
    pub output: BenchOutput,
    /// A folder for files of the groups.
    pub folder: Option<PathBuf>,
}

/// The rows measured so far, and how they are measured.
pub struct Bench {
    options: BenchOptions,
    /// The group that is measured.
    group: &'static str,
    calibration_s: f64,
    rows: Vec<BenchRow>,
}

impl Bench {
    /// Measures these groups one after the other, and prints each row as soon as it is measured. Answers the exit code, 1
    /// when a count is wrong.
    ///
    /// # Errors
    /// [`Failure`] when a run fails or the rows cannot be printed.
    pub fn measure<'a>(groups: impl Iterator<Item = &'a Group>, options: BenchOptions) -> Result<Answer, Failure> {
        let clock = LapClock::start();
        let sum = calibration(black_box(WORDS));
        let calibration = BenchRow::new("a fixed loop").took(clock.time()).must("sum", sum == SUM);
        let calibration_s = calibration.time().cpu_s;
        let mut bench = Bench { options, group: "calibration", calibration_s, rows: vec![] };
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
        self.options.quick
    }

    pub fn pick<T>(&self, quick: T, full: T) -> T {
        if self.options.quick { quick } else { full }
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

    /// The folder for files of the groups, if one was given.
    pub fn folder(&self) -> Option<&Path> {
        self.options.folder.as_deref()
    }

    /// Prints a chart, and writes its files if there is a folder for them.
    ///
    /// # Errors
    /// [`Failure`] when it cannot be printed or written.
    pub(super) fn draw(&self, name: &str, chart: &Chart) -> Result<(), Failure> {
        self.say(&chart::text(chart))?;
        let Some(folder) = self.folder() else { return Ok(()) };
        for (ending, body) in [("svg", chart::svg(chart)), ("csv", chart.csv())] {
            let file = folder.join(format!("{name}.{ending}"));
            saved::write_whole(&file, body.as_bytes()).map_err(io_failure(file.display()))?;
            self.say(&format!("written: {}", file.display()))?;
        }
        Ok(())
    }

    /// Prints a line beside the rows.
    fn say(&self, line: &str) -> Result<(), Failure> {
        match self.options.output {
            BenchOutput::Lines => put(format_args!("{line}\n")),
            BenchOutput::Json | BenchOutput::Markdown => note(format_args!("{line}\n")),
        }
    }

    /// Number of rows with a count that is wrong.
    fn wrong(&self) -> usize {
        self.rows.iter().filter(|row| !row.right()).count()
    }

    /// Ends the report.
    fn finish(mut self) -> Result<Answer, Failure> {
        let (wrong, rows) = (self.wrong(), take(&mut self.rows));
        let all = rows.len();
        match self.options.output {
            BenchOutput::Lines => {}
            BenchOutput::Json => {
                let right = wrong == 0;
                print_object(&object!(self.options.quick, cores(), self.calibration_s, rows, right))?;
            }
            BenchOutput::Markdown => put(markdown(&rows)?)?,
        }
        if wrong > 0 {
            self.say(&format!("WRONG: {wrong} of {all} rows"))?;
        }
        Ok(Answer::no_if(wrong > 0, NoReason::Differs))
    }
}

/// This machine and all rows, as Markdown.
fn markdown(rows: &[BenchRow]) -> Result<String, ThreadRefused> {
    let rows: String = rows.iter().map(|row| row.markdown() + "\n").collect();
    let headings = "| group | work | CPU s | wall s | figures |\n| --- | --- | ---: | ---: | --- |";
    Ok(format!("```text\n{}```\n\n{headings}\n{rows}", doctor::machine()?))
}

/// Mixes words and walks their set bits one by one, as the kernels walk the moves of a knight: shifts, and-not, and a loop
/// that ends where the data says, which no branch predictor foresees. It touches no memory.
fn calibration(words: u64) -> u64 {
    let mut word: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut sum = 0u64;
    for _ in 0..words {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        let mut bits = word & 0xFF;
        while bits != 0 {
            sum = sum.rotate_left(5) ^ word.wrapping_add(u64::from(bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_count_is_counted() {
        let right = BenchRow::new("6x6").count("tours", 9862, 9862);
        let wrong = BenchRow::new("6x6").count("tours", 9861, 9862);
        let options = BenchOptions { quick: true, output: BenchOutput::Lines, folder: None };
        let bench = Bench { options, group: "", calibration_s: 1.0, rows: vec![right, wrong] };
        assert_eq!(bench.wrong(), 1);
    }

    #[test]
    fn every_row_is_in_the_table() {
        let row = || {
            let mut row = BenchRow::new("8x8 closed").count("tours", 1, 1).remark("a|b");
            row.group = "speed";
            row
        };
        let text = markdown(&[row(), row()]).unwrap();
        assert!(text.starts_with("```text\ncores ") && text.contains("\ncosts "), "{text}");
        assert_eq!(text.matches("| speed | 8x8 closed |  |  | tours 1; a/b |\n").count(), 2, "{text}");
    }
}
