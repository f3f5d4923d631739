//! The result of a count as text and as the JSON object of the contract.

use crate::board::{Board, Ending};
use crate::cli::sheet::fact;
use crate::count::{
    BoardNumber, Convention, Count, CountAnswer, CountPhase, CountPosition, CountQuestion, CountSnapshot, Evidence,
    FinishedCount, Modulus, Settings,
};
use crate::run::CountResult;
use crate::solve::Problem;
use crate::words::{self, bytes, grouped};
use serde::Serialize;
use std::fmt;

/// What `count` prints.
#[derive(Serialize)]
pub struct CountReport {
    board: Board,
    ending: &'static str,
    /// Whether tours that can be closed are left out.
    strict: bool,
    /// The square that tours are directed from, if not from every one.
    start: Option<String>,
    /// Decimal digits; none when the count was stopped, and when only a remainder was wanted.
    count: Option<String>,
    /// What the number leaves when it is divided by the modulus, if that was all that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    remainder: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modulus: Option<u32>,
    /// What a published number, if there is one, says of the remainder.
    #[serde(flatten)]
    verdict: Option<RemainderVerdict>,
    convention: &'static str,
    /// How it is known to be exact, in a sentence; not printed where nothing was counted.
    how: Option<String>,
    /// How many parts it was put together from, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    residues: Option<Vec<PartLine>>,
    /// States stored, over all squares of all sweeps and passes.
    states: u64,
    /// Most states after one square.
    peak_states: u64,
    /// Resident maximum of the process; none where the system does not say.
    peak_bytes: Option<u64>,
    threads: usize,
    elapsed_s: f64,
    /// Where it went on from a checkpoint.
    resumed: Option<String>,
    /// What the checkpoint holds.
    saved: Option<String>,
    complete: bool,
    /// How far it got, if it was stopped.
    done: Option<DoneFigures>,
    /// Why it was stopped: `signal`, `request` (the view was left), or `view` (the view failed).
    stopped: Option<&'static str>,
    /// Why there is no tour, where a theorem says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The same tours by the other convention, for people.
    #[serde(skip)]
    also: Option<String>,
}

#[derive(Clone, Serialize)]
pub struct PartLine {
    pub file: String,
    /// The prime.
    pub modulus: u32,
    /// The remainder by it, in decimal digits.
    pub remainder: String,
    /// How long it took.
    pub elapsed_s: f64,
}

/// A published number beside a remainder.
#[derive(Serialize)]
struct RemainderVerdict {
    /// Its decimal digits.
    known: String,
    known_source: &'static str,
    /// Whether it has the remainder that was found.
    agrees: bool,
}

#[derive(Serialize)]
struct DoneFigures {
    /// What was being done: `planning`, `counting`, or `symmetry`, the count of the tours that a symmetry keeps.
    phase: &'static str,
    /// Of the states planned so far.
    share: f64,
    pass: usize,
    sweep: usize,
    /// The row in work, from 1.
    row: u32,
    rows: u32,
}

/// What is known at the end of a run, beside the answer.
pub struct CountRunEnd<'a> {
    /// What was asked.
    pub question: &'a CountQuestion,
    /// Who counted, and in what memory.
    pub settings: &'a Settings,
    /// The last look at the run.
    pub last: &'a CountSnapshot,
    /// Resident maximum, in bytes.
    pub peak_bytes: Option<u64>,
    /// What stopped it, if anything did: `signal`, `request` or `view`.
    pub stopped: &'static str,
}

/// What `report` makes of a count that was complete before.
pub fn again<T>(
    question: &CountQuestion,
    settings: &Settings,
    finished: &FinishedCount,
    report: impl FnOnce(&CountRunEnd<'_>, Option<&CountAnswer>) -> T,
) -> T {
    let settings = &Settings { threads: finished.threads, ..settings.clone() };
    let last = &CountSnapshot { states: finished.states, ..CountSnapshot::default() };
    // How much memory it took is not known any more.
    let end = CountRunEnd { question, settings, last, peak_bytes: None, stopped: "request" };
    report(&end, Some(&finished.answer()))
}

impl CountReport {
    /// The report of a run; without an answer it was stopped before it began to count.
    pub fn new(end: &CountRunEnd<'_>, answer: Option<&CountAnswer>) -> CountReport {
        let &CountRunEnd { question, settings, last, peak_bytes, stopped } = end;
        let found = answer.and_then(CountAnswer::count);
        let modulus = settings.modulus;
        let (count, remainder) = if modulus.is_none() { (found, None) } else { (None, found) };
        let done = DoneFigures {
            phase: phase_name(last.phase),
            share: words::share(last.states, last.states_planned),
            pass: last.pass + 1,
            sweep: last.sweep + 1,
            row: last.row + 1,
            rows: last.rows,
        };
        CountReport {
            board: question.board,
            ending: question.ending.name(),
            strict: question.strict,
            start: question.start.map(|square| question.board.name(square)),
            count: count.map(Count::to_string),
            remainder: remainder.map(Count::to_string),
            modulus,
            verdict: modulus.zip(found).and_then(|(prime, found)| held_against(question, found, prime)),
            convention: question.convention().name(),
            how: answer.and_then(CountAnswer::evidence).map(Evidence::to_string),
            states: last.states,
            parts: None,
            residues: None,
            peak_states: answer.map_or(0, |answer| answer.peak_states),
            peak_bytes,
            threads: settings.threads,
            elapsed_s: answer.map_or(last.elapsed_s, |answer| answer.elapsed.as_secs_f64()),
            resumed: answer.and_then(|answer| answer.resumed_from.as_ref().map(CountPosition::to_string)),
            saved: answer.and_then(|answer| answer.saved_position.as_ref().map(CountPosition::to_string)),
            complete: found.is_some(),
            done: found.is_none().then_some(done),
            stopped: found.is_none().then_some(stopped),
            reason: count.filter(|count| count.value().bits() == 0).and_then(|_| impossible(question)),
            also: count
                .and_then(|count| counterpart(question, count))
                .map(|other| words::by_convention(&other, other.convention().name())),
        }
    }

    /// The same report, of a count that was put together from parts.
    pub fn of_parts(self, parts: Vec<PartLine>) -> CountReport {
        CountReport { parts: Some(parts.len()), residues: Some(parts), ..self }
    }
}

/// Why there is no such tour, as far as is known.
fn impossible(question: &CountQuestion) -> Option<String> {
    Problem { start: question.start, ..Problem::new(question.board, question.ending) }.why_impossible()
}

/// The name of what is being done, in JSON.
fn phase_name(phase: CountPhase) -> &'static str {
    match phase {
        CountPhase::Planning => "planning",
        CountPhase::Counting => "counting",
        CountPhase::Symmetry => "symmetry",
        CountPhase::Done => "done",
    }
}

/// Whether a published number, if there is one, has the remainder that was found.
fn held_against(question: &CountQuestion, remainder: &Count, prime: u32) -> Option<RemainderVerdict> {
    let is_of_all = question.ending == Ending::Closed || (question.start.is_none() && !question.strict);
    let known = question.board.known_tours(question.ending).filter(|_| is_of_all)?;
    let agrees = *remainder.value() == (known.count % u128::from(prime)).into();
    Some(RemainderVerdict { known: known.count.to_string(), known_source: known.source, agrees })
}

/// The same tours by the other convention, where the number of those follows from the number alone.
pub fn counterpart(question: &CountQuestion, count: &Count) -> Option<Count> {
    match (count.convention(), question.ending) {
        (Convention::Undirected, _) => Some(Count::new(count.value() * 2u32, Convention::Directed)),
        // The tour of a single square has one direction only, and those from one square have no reversals among them.
        (Convention::Directed, Ending::Open) if question.board.squares() > 1 && question.start.is_none() => {
            Some(Count::new(count.value() / 2u32, Convention::Undirected))
        }
        _ => None,
    }
}

impl fmt::Display for RemainderVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.agrees { "has this remainder" } else { "has ANOTHER remainder" };
        write!(f, "{} {verdict} ({})", grouped(&self.known), self.known_source)
    }
}

impl fmt::Display for DoneFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.phase {
            "planning" => write!(f, "while it was planned"),
            "symmetry" => write!(f, "while the tours that symmetries keep were counted"),
            _ => {
                let DoneFigures { row, rows, .. } = self;
                write!(f, "at row {row} of {rows}, {} of the states done", words::reported_share(self.share))
            }
        }
    }
}

/// Writes what a count took.
pub fn write_cost(
    f: &mut fmt::Formatter<'_>,
    [states, peak_states]: [u64; 2],
    peak_bytes: Option<u64>,
    elapsed_s: f64,
) -> fmt::Result {
    writeln!(f, "states   {}, at most {} at once", grouped(states), grouped(peak_states))?;
    fact(f, "memory", peak_bytes.map(|peak| format!("{} at most", bytes(peak))))?;
    writeln!(f, "time     {elapsed_s:.3} s")
}

impl fmt::Display for CountReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let threads = words::threads(self.threads);
        let strict = if self.strict { " that cannot be closed" } else { "" };
        let start = self.start.as_ref().map_or(String::new(), |square| format!(" from {square}"));
        writeln!(f, "{} {} tours{start}{strict}, {threads}", self.board, self.ending)?;
        match (&self.count, &self.remainder, self.modulus) {
            (None, Some(rest), Some(modulus)) => {
                let (rest, convention) = (grouped(rest), self.convention);
                writeln!(f, "tours    {rest} more than a multiple of {}, {convention}", grouped(modulus))?;
                fact(f, "known", self.verdict.as_ref())?;
            }
            (Some(digits), ..) => {
                write!(f, "tours    {}", words::by_convention(digits, self.convention))?;
                self.also.iter().try_for_each(|also| write!(f, "; {also}"))?;
                writeln!(f)?;
            }
            _ => writeln!(f, "tours    not known, {}", self.convention)?,
        }
        fact(f, "none", self.reason.as_ref())?;
        fact(f, "how", self.how.as_ref().filter(|_| self.peak_states > 0))?;
        fact(f, "parts", self.parts)?;
        fact(f, "resumed", self.resumed.as_ref().map(|place| format!("after {place}")))?;
        write_cost(f, [self.states, self.peak_states], self.peak_bytes, self.elapsed_s)?;
        match (&self.done, self.stopped) {
            (Some(done), Some(stopped)) => write!(f, "NOT complete: stopped by {stopped} {done}"),
            _ => write!(f, "complete"),
        }
    }
}

/// An answer as the view shows it; nothing when the count was stopped.
pub fn answered(question: &CountQuestion, answer: &CountAnswer) -> Option<CountResult> {
    let (count, evidence) = (answer.count()?, answer.evidence()?);
    let also = counterpart(question, count).map(|other| (other.to_string(), other.convention().to_string()));
    let (digits, how) = (count.to_string(), evidence.to_string());
    Some(CountResult { digits, also, how, resumed: answer.resumed_from.map(|place| place.to_string()) })
}

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
            of: question.range.map_or(1, |range| range.boards().count()),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(phase: CountPhase) -> CountReport {
        let board = "8x8".parse().unwrap();
        let question = CountQuestion { unique: true, ..CountQuestion::new(board, Ending::Closed) };
        let settings = Settings { threads: 2, memory: 1 << 30, ..Settings::default() };
        let last = CountSnapshot { phase, row: 3, rows: 8, states: 1, states_planned: 4, ..CountSnapshot::default() };
        let end =
            CountRunEnd { question: &question, settings: &settings, last: &last, peak_bytes: None, stopped: "signal" };
        CountReport::new(&end, None)
    }

    #[test]
    fn a_stopped_count_says_what_it_was_doing() {
        for (phase, name, says) in [
            (CountPhase::Planning, "planning", "stopped by signal while it was planned"),
            (CountPhase::Symmetry, "symmetry", "stopped by signal while the tours that symmetries keep were counted"),
            (CountPhase::Counting, "counting", "stopped by signal at row 4 of 8, 25.0% of the states done"),
        ] {
            let report = stopped(phase);
            let text = report.to_string();
            assert!(text.ends_with(says), "{text}");
            let json = serde_json::to_value(&report).unwrap();
            assert_eq!(json["done"]["phase"], name, "{json}");
        }
    }
}
