//! The result of the count of a range, `destrier count 8x1..40`: the number of every board, as text and as one JSON object.

use super::report::{CountRunEnd, write_cost};
use crate::board::Board;
use crate::cli::sheet::fact;
use crate::count::{BoardNumber, CountAnswer, Evidence, Modulus};
use crate::words::{self, grouped};
use serde::Serialize;
use std::fmt;

/// What is printed.
#[derive(Serialize)]
pub struct RangeReport {
    /// As typed; of one board, with its longer side as the range.
    range: String,
    ending: &'static str,
    /// Whether tours that can be closed are left out.
    strict: bool,
    /// The only modulus, if remainders were all that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    modulus: Option<u32>,
    /// Those whose numbers are known, the shortest first.
    boards: Vec<RangeLine>,
    /// States stored, over all squares of all sweeps and passes.
    states: u64,
    /// Most states after one square.
    peak_states: u64,
    /// Resident maximum of the process; none where the system does not say.
    peak_bytes: Option<u64>,
    threads: usize,
    elapsed_s: f64,
    complete: bool,
    /// `signal`, if that stopped it.
    stopped: Option<&'static str>,
    /// How many boards the range has.
    #[serde(skip)]
    of: usize,
}

/// One board.
#[derive(Serialize)]
struct RangeLine {
    board: Board,
    /// Decimal digits; none when only a remainder was wanted.
    count: Option<String>,
    /// What the number leaves when it is divided by the modulus, if that was all that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    remainder: Option<String>,
    convention: &'static str,
    /// What it was counted modulo; nothing where no counter had overflowed before the board's end.
    moduli: Vec<String>,
    /// Whether it was counted in plain integers.
    #[serde(skip)]
    in_integers: bool,
}

impl RangeReport {
    /// The report of a run; without an answer it was stopped before it began to count.
    pub fn new(end: &CountRunEnd<'_>, answer: Option<&CountAnswer>) -> RangeReport {
        let &CountRunEnd { question, settings, last, peak_bytes, .. } = end;
        let complete = answer.is_some_and(|answer| answer.complete);
        let modulus = settings.modulus;
        let boards = answer.map_or(&[][..], |answer| &answer.boards);
        RangeReport {
            range: question.name(),
            ending: question.ending.name(),
            strict: question.strict,
            modulus,
            boards: boards.iter().map(|settled| RangeLine::new(settled, modulus.is_some())).collect(),
            states: last.states,
            peak_states: answer.map_or(0, |answer| answer.peak_states),
            peak_bytes,
            threads: settings.threads,
            elapsed_s: answer.map_or(last.elapsed_s, |answer| answer.elapsed.as_secs_f64()),
            complete,
            stopped: (!complete).then_some("signal"),
            of: question.strip.map_or(1, |strip| strip.boards().count()),
        }
    }

    /// How the numbers are known to be exact, in a sentence; nothing of remainders.
    fn how(&self) -> Option<String> {
        let exact = self.boards.iter().take_while(|line| line.moduli.is_empty()).filter(|line| line.in_integers).last();
        let residues = self.boards.iter().map(|line| &line.moduli).max_by_key(|moduli| moduli.len());
        let residues = residues.filter(|moduli| !moduli.is_empty()).map(|moduli| {
            let moduli = moduli.join(", ");
            format!("by residues, at most modulo {moduli}; one more changed nothing, or the last left 20 bits unused")
        });
        let exact =
            exact.map(|line| format!("to {} no count overflowed 64 bits: one pass is exact by itself", line.board));
        let parts: Vec<String> = exact.into_iter().chain(residues).collect();
        (self.modulus.is_none() && self.peak_states > 0 && !parts.is_empty()).then(|| parts.join("; beyond "))
    }
}

impl RangeLine {
    fn new(settled: &BoardNumber, is_remainder: bool) -> RangeLine {
        let number = settled.count.to_string();
        let (count, remainder) = if is_remainder { (None, Some(number)) } else { (Some(number), None) };
        let in_integers = matches!(settled.evidence, Evidence::Counters { .. });
        let moduli = settled.evidence.moduli().iter().map(Modulus::to_string).collect();
        RangeLine {
            board: settled.board,
            count,
            remainder,
            convention: settled.count.convention().name(),
            moduli,
            in_integers,
        }
    }
}

impl fmt::Display for RangeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strict = if self.strict { " that cannot be closed" } else { "" };
        let convention = self.boards.first().map_or(String::new(), |line| format!(", {}", line.convention));
        let threads = words::threads(self.threads);
        writeln!(f, "{} {} tours{strict}{convention}, {threads}", self.range, self.ending)?;
        if let Some(modulus) = self.modulus {
            writeln!(f, "so many more than a multiple of {}", grouped(modulus))?;
        }
        let width = self.boards.iter().map(|line| line.board.to_string().len()).max().unwrap_or(0);
        for line in &self.boards {
            let number = line.count.as_ref().or(line.remainder.as_ref());
            writeln!(f, "{:<width$}  {}", line.board.to_string(), number.map_or(String::new(), grouped))?;
        }
        fact(f, "how", self.how())?;
        write_cost(f, [self.states, self.peak_states], self.peak_bytes, self.elapsed_s)?;
        match self.stopped {
            Some(stopped) => {
                let settled = self.boards.len();
                write!(f, "NOT complete: stopped by {stopped}, {settled} of {} boards settled", self.of)
            }
            None => write!(f, "complete"),
        }
    }
}
