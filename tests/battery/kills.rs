//! Runs that are killed at random moments, and gone on with until they end: each has the exact figures then, and the
//! tours that it wrote are those of an undisturbed run, each once.
//!
//! The moments are drawn from a seed, and so is who is killed: the run that begins, and those that take it up, by
//! `resume` or by the same command, with other workers and schedulers. A run that is kept every 10 ms is being written
//! most of the time, so that many of the moments lie there.

use crate::child;
use crate::failed;
use destrier::cli::bench::{Bench, BenchRow, LapClock};
use destrier::job::{Failure, running};
use serde_json::Value;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Kills of each kind of run, in the quick battery and in the full one.
const KILLS: (u64, u64) = (6, 110);
/// Where the drawing of the moments begins.
const SEED: u64 = 9;
/// A run that was killed as often goes on to its end.
const KILLS_OF_ONE: u64 = 12;

/// What is killed.
struct KilledRun {
    name: &'static str,
    command: &'static [&'static str],
    /// Whether it writes its tours.
    lists: bool,
    /// What its report must have, as an object.
    figures: &'static str,
    /// A go is killed before so many milliseconds.
    within_ms: u64,
    /// How the work is shared, by the command that begins it and goes on with it.
    ways: &'static [&'static [&'static str]],
}

const KINDS: [KilledRun; 2] = [
    KilledRun {
        name: "search 6x7 path --unique --out",
        command: &["search", "6x7", "--solver", "path", "--unique"],
        lists: true,
        figures: r#"{"tours": 267183, "nodes": 29276221, "pruned": 1827467, "complete": true}"#,
        within_ms: 500,
        ways: &[&["--scheduler", "rayon"], &["--scheduler", "static", "--threads", "3"], &["--scheduler", "serial"]],
    },
    KilledRun {
        name: "count 7x8",
        command: &["count", "7x8"],
        lists: false,
        figures: r#"{"count": "34524432316", "complete": true}"#,
        within_ms: 900,
        ways: &[&["--threads", "1"], &["--threads", "2"]],
    },
];

/// What the kills of one kind came to.
#[derive(Default)]
struct Tolls {
    kills: u64,
    /// Those of a run that went on.
    of_resumed: u64,
    runs: u64,
    wrong: u64,
}

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run cannot be started.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let row = BenchRow::new("files of tours").must("told_apart", are_told_apart()?);
    bench.add(row.remark("lines may move; one that is missing, cut short or there twice is seen"))?;
    let wanted = bench.pick(KILLS.0, KILLS.1);
    let mut random = fastrand::Rng::with_seed(SEED);
    for kind in &KINDS {
        let (clock, mut tolls) = (LapClock::start(), Tolls::default());
        let cpu_before = child::cpu_of_children_s();
        let folder = tempfile::tempdir().map_err(failed)?;
        let undisturbed = kind.undisturbed(folder.path())?;
        while tolls.kills < wanted {
            kind.run(undisturbed, &mut random, &mut tolls)?;
        }
        let mut time = clock.time();
        time.cpu_s = child::cpu_of_children_s() - cpu_before;
        let Tolls { kills, of_resumed, runs, wrong } = tolls;
        let row = BenchRow::new(kind.name).took(time).figure("kills", kills).figure("of_them_of_a_resume", of_resumed);
        bench.add(row.figure("runs_finished", runs).count("wrong", wrong, 0))?;
    }
    Ok(())
}

/// The lines of a file, in whatever order: their number and the sum of their hashes.
type LineSum = (u64, u64);

impl KilledRun {
    /// The tours of an undisturbed run.
    fn undisturbed(&self, folder: &Path) -> Result<LineSum, Failure> {
        if !self.lists {
            return Ok((0, 0));
        }
        let file = folder.join("tours");
        child::run(Command::new(child::PROGRAM).args(self.command).arg("--out").arg(&file))?;
        lines(&file)
    }

    /// One run, killed until it ends.
    fn run(&self, undisturbed: LineSum, random: &mut fastrand::Rng, tolls: &mut Tolls) -> Result<(), Failure> {
        let folder = tempfile::tempdir().map_err(failed)?;
        let [file, tours] = ["run", "tours"].map(|name| folder.path().join(name));
        let mut killed = 0;
        let output = loop {
            let goes_on = file.exists();
            let moment = (killed < KILLS_OF_ONE).then(|| Duration::from_micros(random.u64(0..1000 * self.within_ms)));
            match self.go(&file, &tours, goes_on, random)?.ended(moment)? {
                Some(output) => break output,
                None => killed += 1,
            }
            tolls.of_resumed += u64::from(goes_on);
        };
        tolls.kills += killed;
        tolls.runs += 1;
        let is_right = self.is_right(&output) && (!self.lists || lines(&tours).is_ok_and(|lines| lines == undisturbed));
        tolls.wrong += u64::from(!is_right);
        Ok(())
    }

    /// The command of one go.
    fn go(&self, file: &Path, tours: &Path, goes_on: bool, random: &mut fastrand::Rng) -> Result<Go, Failure> {
        let mut command = Command::new(child::PROGRAM);
        if goes_on && random.bool() {
            command.arg("resume").arg(file);
            return Ok(Go(command));
        }
        command.args(self.command).args(self.ways[random.usize(..self.ways.len())]);
        command.args(["--every", "10ms", "--checkpoint"]).arg(file);
        if self.lists {
            command.arg("--out").arg(tours);
        }
        Ok(Go(command))
    }

    /// Whether a run ended well and printed what it must.
    fn is_right(&self, output: &Output) -> bool {
        let [report, wanted] = [&output.stdout, self.figures.as_bytes()].map(|json| serde_json::from_slice(json).ok());
        let (Some(Value::Object(report)), Some(Value::Object(wanted))) = (report, wanted) else { return false };
        output.status.success() && wanted.iter().all(|(key, value)| report.get(key) == Some(value))
    }
}

/// One go of a run.
struct Go(Command);

impl Go {
    /// What it printed, if it ended before this moment, at which it is killed.
    fn ended(mut self, moment: Option<Duration>) -> Result<Option<Output>, Failure> {
        let mut process = self
            .0
            .arg("--json")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        if let Some(moment) = moment {
            std::thread::sleep(moment);
            process.kill().map_err(failed)?;
        }
        let output = process.wait_with_output().map_err(failed)?;
        Ok(output.status.code().is_some().then_some(output))
    }
}

/// What a file of tours has.
fn lines(file: &Path) -> Result<LineSum, Failure> {
    let bytes = fs::read(file).map_err(|error| running(format!("{}: {error}", file.display())))?;
    let hash = |line: &[u8]| {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        hasher.finish()
    };
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    Ok(lines.fold((0, 0), |(count, sum): LineSum, line| (count + 1, sum.wrapping_add(hash(line)))))
}

/// Whether the order of lines makes no difference, and a line that is missing, cut short or there twice makes one.
fn are_told_apart() -> Result<bool, Failure> {
    let folder = tempfile::tempdir().map_err(failed)?;
    let file = folder.path().join("lines");
    let of = |text: &str| {
        fs::write(&file, text).map_err(failed)?;
        lines(&file)
    };
    let (right, moved) = (of("a\nb\nc\n")?, of("c\na\nb\n")?);
    let wrong =
        ["a\nb\n", "a\nb\nb\n", "a\nb\nc\nc\n", "a\nb\nc"].into_iter().map(of).collect::<Result<Vec<_>, _>>()?;
    Ok(moved == right && !wrong.contains(&right))
}
