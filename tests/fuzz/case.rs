//! A case of a changed file, and how the program is run on it: in bounded memory and time, and what it may answer.

use super::change::{Checksums, Every, bytes, changed, mended};
use crate::common::{PATIENCE, shell, spawn, stderr, stdout};
use crossbeam_channel::RecvTimeoutError;
use fastrand::Rng;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The first seed; that of a case is this and its number.
const SEED: u64 = 28;
/// Address space of a process that reads a changed file, in KiB: what its threads reserve is some hundred MiB.
const SPACE_KIB: u32 = 2 << 20;

/// A case: its number, what is changed at random, and who is told what was.
pub struct Case {
    pub number: usize,
    rng: Rng,
    tell: crossbeam_channel::Sender<String>,
}

impl Case {
    /// A changed file, and whether its sums are right.
    pub fn change(&mut self, file: &[u8], sums: Checksums) -> (Vec<u8>, bool) {
        let (file, what, is_mended) = changed(&mut self.rng, file, sums);
        let _ = self.tell.send(what);
        (file, is_mended)
    }

    /// A text with changed bytes.
    pub fn bytes(&mut self, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        let _ = self.tell.send(bytes(&mut self.rng, &mut text));
        text
    }

    /// The file of this number, if there is one.
    pub fn of(&self, every: &Every) -> Option<Vec<u8>> {
        let (file, what) = every.file(self.number % every.count())?;
        let _ = self.tell.send(what);
        Some(file)
    }
}

/// Does `work` with so many cases of a kind, and waits for each no longer than [`PATIENCE`].
pub fn each(kind: &str, cases: usize, mut work: impl FnMut(&mut Case) + Send + 'static) {
    let times = std::env::var("DESTRIER_FUZZ_CASES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let cases = cases * times;
    let (tell, told) = crossbeam_channel::unbounded();
    let working = std::thread::spawn(move || {
        for number in 0..cases {
            let _ = tell.send(format!("case {number}"));
            work(&mut Case { number, rng: Rng::with_seed(SEED + number as u64), tell: tell.clone() });
        }
    });
    let mut last = [String::new(), String::new()];
    let hangs = loop {
        match told.recv_timeout(PATIENCE) {
            Ok(what) if what.starts_with("case ") => last = [what, String::new()],
            Ok(what) => last[1] = what,
            Err(RecvTimeoutError::Timeout) => break true,
            Err(RecvTimeoutError::Disconnected) => break false,
        }
    };
    let [case, what] = last;
    assert!(!hangs, "{kind}, seed {SEED}, {case}, {what}: nothing came of it within {PATIENCE:?}");
    assert!(working.join().is_ok(), "{kind}, seed {SEED}, {case}, {what}: see the panic above");
    println!("{cases} cases of {kind}");
}

/// Runs the program in bounded memory and time, in the folder of a file.
pub fn within_bounds(file: &str, args: &[&str]) -> Output {
    let folder = Path::new(file).parent().unwrap();
    let mut command = shell(&format!("ulimit -v {SPACE_KIB}; exec DESTRIER \"$@\""));
    // The first word behind the line is the name of the shell.
    command.arg("sh").args(args).env("RUST_BACKTRACE", "0").env("DESTRIER_RUNS", folder).current_dir(folder);
    in_time(command)
}

fn in_time(command: Command) -> Output {
    let child = spawn(command);
    let id = child.id().to_string();
    let (done, ended) = crossbeam_channel::bounded::<()>(0);
    let watching = std::thread::spawn(move || {
        if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            // It may have ended just now.
            let _ = Command::new("kill").args(["-s", "KILL", &id]).status();
        }
    });
    let output = child.wait_with_output().unwrap();
    drop(done);
    watching.join().unwrap();
    output
}

/// That a run has ended as every run does; answers its object, if it printed one.
pub fn assert_sound(args: &[&str], output: &Output) -> Option<Value> {
    let (code, said) = (output.status.code(), stderr(output));
    assert!(matches!(code, Some(0..=3)), "{args:?}: {}: {said:.2000}", output.status);
    assert!(!said.contains("fault of the program") && !said.contains("panicked"), "{args:?}: {said:.2000}");
    assert!(code != Some(2) || (output.stdout.is_empty() && !said.is_empty()), "{args:?} is refused: {said:.2000}");
    (!output.stdout.is_empty() && args.contains(&"--json")).then(|| {
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{args:?}: {error}: {}", stdout(output)))
    })
}

/// That a report is of another question, or says the same number, or that it is not complete.
fn assert_right(args: &[&str], report: &Value, right: &Value, number: &str) {
    let is_same = |key: &str| report[key] == right[key];
    let is_one_question =
        ["board", "range", "ending", "convention", "start", "strict", "solver"].iter().all(|key| is_same(key));
    if is_one_question && report["complete"] == true {
        assert_eq!(report[number], right[number], "{args:?}");
    }
}

/// A kind of file, and how the program reads one.
pub struct FuzzedFile<'a> {
    pub name: &'static str,
    pub file: String,
    pub sums: Checksums,
    /// What reads it.
    pub args: Vec<&'a str>,
    /// The member of its report that has a number, which is right if the report is complete: also where sums are right.
    pub number: Option<&'static str>,
    pub cases: usize,
}

impl FuzzedFile<'_> {
    /// Reads the file as it is, then changed.
    pub fn read(self) {
        let FuzzedFile { name, file, sums, args, number, cases } = self;
        let good = fs::read(&file).unwrap();
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        let words = || args.iter().map(String::as_str).collect::<Vec<_>>();
        let output = within_bounds(&file, &words());
        assert_eq!(output.status.code(), Some(0), "{name}, {args:?}: {}", stderr(&output));
        let right = assert_sound(&words(), &output);
        assert_eq!(mended_again(&good, sums), good, "{name}: its sums are made as the program makes them");
        let words: Vec<String> = args.clone();
        each(name, cases, move |case| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let (changed, _) = case.change(&good, sums);
            written(&file, &changed);
            let report = assert_sound(&words, &within_bounds(&file, &words));
            if let (Some(report), Some(right), Some(number)) = (report, &right, number) {
                assert_right(&words, &report, right, number);
            }
            // What the program has made of it is not to be read by the next one.
            let _ = fs::remove_file(format!("{file}~"));
        });
    }
}

/// Makes a file anew: one that is written over may be waited for until it is on the disk.
pub fn written(file: &str, contents: &[u8]) {
    let _ = fs::remove_file(file);
    fs::write(file, contents).unwrap();
}

/// A file whose sums were taken away and made again.
pub fn mended_again(file: &[u8], sums: Checksums) -> Vec<u8> {
    let text = match sums {
        Checksums::Last => &file[..file.len() - 4],
        _ => file,
    };
    mended(text.to_vec(), sums)
}
