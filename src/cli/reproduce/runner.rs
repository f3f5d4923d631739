//! Runs the rows of a table one after the other. A command is this program, as a process of its own.

use super::counts::Counts;
use super::figures;
use super::table::{DIVIDED, FigureMatch, Part, Row, lines, rows, values, verdict};
use crate::cli::sheet::WIDTH;
use crate::job::{Answer, Failure, NoReason, answered, clear_progress, io_failure, put, running, with_signals};
use crate::stop::{Stop, StopReason};
use crate::system;
use crate::words::{clock, number_of, wrapped};
use crossbeam_channel::RecvTimeoutError;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// How often a command is tried that takes less than [`SHORT_S`] seconds, where its time is shown: the least time is the one
/// that other programs disturbed least.
const ROUNDS: u32 = 5;
const SHORT_S: f64 = 0.05;
/// How often a command in work is looked at, for a request to stop.
const LOOK: Duration = Duration::from_millis(50);
/// Names the process that a command ends with.
const PARENT: &str = "DESTRIER_PARENT";

/// Computes and prints a table. Answers no when a figure differs.
///
/// # Errors
/// [`Failure`] when a command fails or the table cannot be printed.
pub fn run(table: &str, full: bool, budget: Duration) -> Result<Answer, Failure> {
    let mut rows = rows(table);
    let larger = rows.iter().position(|row| row.words == "#full").filter(|_| !full).map(|at| rows.split_off(at));
    let (stop, began, nth) = (Stop::default(), Instant::now(), AtomicUsize::new(0));
    let progress = || {
        let nth = nth.load(Relaxed);
        let [before, all] = [nth, rows.len()].map(|end| rows[..end].iter().filter(|row| !row.is_part()).count());
        let name = rows.get(nth).map_or("", Row::name);
        format!("{}  row {} of {all}, {name}", clock(began.elapsed()), before + 1)
    };
    let mut runner = Runner { stop: stop.clone(), budget, ran: HashMap::new(), counts: None };
    let body = || -> Result<Answer, Failure> {
        let tally = runner.print(&rows, &nth)?;
        clear_progress();
        if let Some(larger) = larger {
            let left_out = format!("Left out: {} --full takes some minutes.", larger[0].label);
            put(format_args!("\n{}\n", wrapped(&left_out, WIDTH).join("\n")))?;
        }
        let left: Vec<&Row<'_>> = rows[nth.load(Relaxed)..].iter().filter(|row| !row.is_part()).collect();
        put(format_args!("\n{}\n", tally.sentence(&left)))?;
        Ok(Answer::no_if(!tally.differs.is_empty(), NoReason::Differs))
    };
    let (printed, signal) = with_signals(|| stop.ask(StopReason::Asked), progress, body)?;
    match printed {
        Ok(answer) => Ok(answer.or_signal(signal)),
        Err(failure) => answered(Err(failure), signal),
    }
}

/// Makes this process, if it is a command of a row, end with the process that asked for it.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    if let Ok(parent) = std::env::var(PARENT) {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        let set = set_parent_process_death_signal(Some(Signal::TERM));
        // The parent may have ended before.
        let is_there = getppid().is_some_and(|pid| pid.as_raw_nonzero().to_string() == parent);
        if set.is_err() || !is_there {
            std::process::exit(3);
        }
    }
}

/// What came of the figures so far.
#[derive(Default)]
struct FigureTally {
    same: usize,
    /// The labels of the figures that differ.
    differs: Vec<String>,
    beyond: usize,
    shown: usize,
}

impl FigureTally {
    /// In a sentence, and the rows that are left.
    fn sentence(&self, left: &[&Row<'_>]) -> String {
        let FigureTally { same, differs, beyond, shown } = self;
        let (others, every) = match beyond {
            0 => (String::new(), "was published or known before"),
            beyond => (format!("{beyond} are out of reach here, "), "was compared"),
        };
        let mut lines =
            vec![format!("{same} figures are equal, {} differ, {others}{shown} are only shown", differs.len())];
        if !differs.is_empty() {
            lines.push(format!("DIFFERS from what was published or known before: {}", differs.join("; ")));
        }
        if let [first, ..] = left {
            let rows = number_of(left.len(), "row");
            lines.push(format!("NOT complete: stopped by signal, {rows} left from: {}", first.name()));
        }
        if differs.is_empty() && left.is_empty() {
            lines.push(format!("every figure that {every} is the same"));
        }
        lines.join("\n")
    }
}

/// Runs rows, each command and each function once.
struct Runner {
    stop: Stop,
    budget: Duration,
    /// The objects by their words, and how often each was asked for.
    ran: HashMap<String, (Value, u32)>,
    counts: Option<Counts>,
}

impl Runner {
    /// Prints the rows, and notes the number of the row in work.
    fn print(&mut self, rows: &[Row<'_>], nth: &AtomicUsize) -> Result<FigureTally, Failure> {
        let (mut tally, mut part) = (FigureTally::default(), Part::default());
        for (at, row) in rows.iter().enumerate() {
            nth.store(at, Relaxed);
            if row.is_part() {
                let below = &rows[at + 1..];
                let end = below.iter().position(Row::is_part).unwrap_or(below.len());
                part = Part::new(row, &below[..end]);
                let gap = if at > 0 { "\n" } else { "" };
                print(&format!("{gap}{}", part.heading(row.label)))?;
                continue;
            }
            let Some(object) = self.object(row)? else { return Ok(tally) };
            if let Some(why) = object["beyond"].as_str() {
                tally.beyond += 1;
                print(&format!("{}: {why}\n", row.label))?;
                continue;
            }
            let note = object["note"].as_str().map_or(String::new(), |note| format!("  {note}"));
            for line in lines(row, &values(&object, row.field)) {
                let verdict = verdict(row.compare, &line[1], &line[2]);
                match verdict {
                    FigureMatch::Same => tally.same += 1,
                    FigureMatch::Shown => tally.shown += 1,
                    FigureMatch::Differs => tally.differs.push(line[0].clone()),
                }
                print(&format!("{}\n", part.line(row, &line, verdict, &note)))?;
            }
        }
        nth.store(rows.len(), Relaxed);
        Ok(tally)
    }

    /// The object of a row, or the quotient of a field of two; `None` if it was stopped.
    fn object(&mut self, row: &Row<'_>) -> Result<Option<Value>, Failure> {
        let rounds = if row.is_timed() { ROUNDS } else { 1 };
        let Some((one, other)) = row.words.split_once(DIVIDED) else { return self.output(row.words, rounds) };
        let (Some(one), Some(other)) = (self.output(one, rounds)?, self.output(other, rounds)?) else {
            return Ok(None);
        };
        let [one, other] = [one, other].map(|object| object[row.field].as_f64().unwrap_or(f64::NAN));
        Ok(Some(serde_json::json!({ row.field: one / other })))
    }

    /// The object of a command or function: of short ones the one with the least time of so many.
    fn output(&mut self, words: &str, rounds: u32) -> Result<Option<Value>, Failure> {
        let (mut least, mut tried) = self.ran.remove(words).unwrap_or_default();
        let took = |object: &Value| object["elapsed_s"].as_f64().unwrap_or(f64::INFINITY);
        while tried == 0 || tried < rounds && took(&least) < SHORT_S {
            let object = match (words.strip_prefix("@count "), words.strip_prefix('@')) {
                (Some(nth), _) => self.count(nth),
                (None, Some(name)) => figures::figure(name, &self.stop),
                (None, None) => self.command(words),
            };
            if self.stop.is_asked() {
                return Ok(None);
            }
            let object = object?;
            least = if tried == 0 || took(&object) < took(&least) { object } else { least };
            tried += 1;
        }
        self.ran.insert(words.to_owned(), (least.clone(), tried));
        Ok(Some(least))
    }

    fn count(&mut self, nth: &str) -> Result<Value, Failure> {
        let nth = nth.parse().map_err(|error| running(format!("{nth}: {error}")))?;
        let begun = self.counts.take().map_or_else(|| Counts::begin(self.budget, self.stop.clone()), Ok)?;
        self.counts.insert(begun).figure(nth)
    }

    fn is_stopped_soon(&self) -> bool {
        thread::sleep(LOOK);
        self.stop.is_asked()
    }

    /// The object that this program prints to these words. The process is killed when a stop is asked for.
    fn command(&self, words: &str) -> Result<Value, Failure> {
        let failed = |error| io_failure(format_args!("`destrier {words} --json` could not be run"))(error);
        // This program, also when its file has been replaced since it began.
        let own = if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() };
        let mut command = Command::new(own.map_err(failed)?);
        command.args(words.split(' ')).arg("--json").env(PARENT, std::process::id().to_string());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = KilledChild(command.spawn().map_err(failed)?);
        let (send, printed) = crossbeam_channel::bounded(1);
        if let Some(mut stdout) = process.0.stdout.take() {
            let read = move || {
                let mut text = String::new();
                // Text that cannot be read is no object.
                let _ = stdout.read_to_string(&mut text);
                drop(send.send(text));
            };
            system::start("reading", read)?;
        }
        let text = loop {
            match printed.recv_timeout(LOOK) {
                Ok(text) => break text,
                Err(RecvTimeoutError::Disconnected) => break String::new(),
                Err(RecvTimeoutError::Timeout) if self.stop.is_asked() => return Ok(Value::Null),
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let status = process.0.wait().map_err(failed)?;
        match (status.code(), serde_json::from_str(&text)) {
            (Some(0 | 1), Ok(object)) => Ok(object),
            // A signal to both ends a command that has no handler for it yet, and may be heard there first.
            (code, _) if code.is_none_or(|code| code > 128) && self.is_stopped_soon() => Ok(Value::Null),
            _ => Err(running(format!("`destrier {words} --json` failed ({status}): run it alone to see why"))),
        }
    }
}

/// A process that does not outlive its owner.
struct KilledChild(Child);

impl Drop for KilledChild {
    fn drop(&mut self) {
        // One that has ended is not there to be killed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn print(text: &str) -> Result<(), Failure> {
    clear_progress();
    put(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(table: &str) -> FigureTally {
        let mut runner =
            Runner { stop: Stop::default(), budget: Duration::from_secs(1), ran: HashMap::new(), counts: None };
        runner.print(&rows(table), &AtomicUsize::new(0)).unwrap()
    }

    #[test]
    fn a_figure_that_differs_is_named() {
        let table = "words,field,published,compare,label\n\
            #,linear 9,,,A part.\n\
            @squirrel-cull 5 8,tours,4,=,sides\n\
            @rule 5 0 1,visited,25,=,squares\n\
            @starts 8 kurapati / @starts 5 kurapati,possible,4.9,~0.1,times\n";
        let tally = tally(table);
        assert_eq!((tally.same, tally.differs.as_slice()), (2, &["squares".to_owned()][..]));
        assert!(tally.sentence(&[]).ends_with("\nDIFFERS from what was published or known before: squares"));
    }

    #[test]
    fn a_table_that_is_stopped_says_what_is_left() {
        let stop = Stop::default();
        stop.ask(StopReason::Asked);
        let mut runner = Runner { stop, budget: Duration::ZERO, ran: HashMap::new(), counts: None };
        let table = "words,field,published,compare,label\n@sample,strung,,-,first\n@pairs 5x5,joined,42,=,second\n";
        let (rows, nth) = (rows(table), AtomicUsize::new(0));
        let tally = runner.print(&rows, &nth).unwrap();
        let left: Vec<&Row<'_>> = rows[nth.load(Relaxed)..].iter().collect();
        let said = tally.sentence(&left);
        assert!(said.ends_with("NOT complete: stopped by signal, 2 rows left from: first"), "{said}");
    }
}
