//! Every kind of run that is saved, ended at every named point of its life, by a kill and by a signal that it answers, and
//! resumed: it comes to what a run that nothing disturbed comes to, and so do the files that it writes.
//!
//! The points are those of `DESTRIER_TEST_HALT` (src/test_halt.rs). A run is ended at the first crossings of each point, N =
//! 1, 2, .. up to [`CROSSINGS`] or until a run ends before its N-th crossing, and at some numbers of nodes.

use crate::common::{
    HALT, Listing, PROGRAM, destrier, halted, heedful, is_halted, names, object, path, run, said, stderr,
};
use crate::skip::skip;
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use tempfile::TempDir;

/// Crossings of one point by one kind of run, by each action: the first ones and, of nodes, these.
const CROSSINGS: u64 = 5;
const NODES: [u64; 4] = [1, 20_000, 100_000, 250_000];
/// Runs that resume one another before the last one is left in peace.
const RESUMED: usize = 3;

/// A kind of run.
struct HaltCase {
    name: &'static str,
    /// What is typed, in words; FILE is the checkpoint, OUT the output file, DIR a folder of parts.
    begin: &'static str,
    /// How the run is resumed where its checkpoint exists, in turn; nothing where only the same command does that.
    resume: &'static [&'static str],
    /// Points that a run of this kind always reaches.
    reaches: &'static [&'static str],
    /// What is printed by a run that is complete: these keys of its object; none where the output file says it all.
    keys: &'static [&'static str],
}

const SEARCH: HaltCase = HaltCase {
    name: "search",
    begin: "search 6x6 --solver path --threads 2 --every 10ms --checkpoint FILE --out OUT --json",
    resume: &["--threads 3 --scheduler static", "--scheduler serial", "--threads 2 --scheduler rayon", ""],
    reaches: &["start", "nodes", "save", "rename"],
    keys: &["tours", "nodes", "pruned", "complete"],
};

const KINDS: [HaltCase; 5] = [
    SEARCH,
    HaltCase {
        name: "count",
        begin: "count 4x20 --open --threads 2 --every 10ms --checkpoint FILE --json",
        resume: &["--threads 1", ""],
        reaches: &["start", "row", "save", "rename"],
        keys: &["count", "convention", "complete"],
    },
    HaltCase {
        name: "range",
        begin: "count 4x1..20 --open --threads 2 --every 10ms --checkpoint FILE --json",
        resume: &["--threads 1", ""],
        reaches: &["start", "row", "save", "rename"],
        keys: &["boards", "complete"],
    },
    HaltCase {
        name: "shard",
        begin: "search 6x6 --solver path --threads 2 --every 10ms --shard 1/1 --out-dir DIR --out OUT --json",
        resume: &[],
        reaches: &["start", "nodes", "save", "rename"],
        keys: &["tours", "nodes", "pruned", "complete"],
    },
    HaltCase { name: "resume", ..SEARCH },
];

/// A folder with the files of one run.
struct Files {
    folder: TempDir,
    checkpoint: String,
    out: String,
    parts: String,
}

impl Files {
    fn new() -> Files {
        let folder = tempfile::tempdir().unwrap();
        let [checkpoint, out, parts] = ["my run", "tours", "parts"].map(|name| path(&folder, name));
        Files { folder, checkpoint, out, parts }
    }

    fn words<'a>(&'a self, line: &'a str) -> Vec<&'a str> {
        let named = |word: &'a str| match word {
            "FILE" => &*self.checkpoint,
            "OUT" => &self.out,
            "DIR" => &self.parts,
            word => word,
        };
        line.split_whitespace().map(named).collect()
    }

    /// The command for the `n`-th run that resumes what is here.
    fn resume<'a>(&'a self, kind: &'a HaltCase, n: usize) -> Vec<&'a str> {
        if kind.resume.is_empty() || !Path::new(&self.checkpoint).exists() {
            return self.words(kind.begin);
        }
        let way = kind.resume[n % kind.resume.len()];
        [&["resume", &self.checkpoint], &*self.words(way), &["--json"]].concat()
    }

    /// What a run has left beside its own files. A killed run may leave the file that it was just writing, under a name that
    /// says so.
    fn left(&self, killed: bool) -> Vec<String> {
        const OWN: [&str; 5] = ["1-of-1.part", "my run", "my run~", "parts", "tours"];
        let folders = [self.folder.path(), Path::new(&self.parts)].into_iter().filter(|folder| folder.exists());
        let all = folders.flat_map(|folder| names(folder).into_iter().map(|name| folder.join(name)));
        let may_stay = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            OWN.contains(&&*name) || killed && name.starts_with(".destrier-") && name.ends_with(".part")
        };
        all.filter(|file| !may_stay(file)).map(|file| file.display().to_string()).collect()
    }

    /// What the output file holds, in whatever order its lines are.
    fn listing(&self) -> Option<Listing> {
        Path::new(&self.out).exists().then(|| Listing::of(Path::new(&self.out)))
    }
}

/// What a complete run of a kind comes to.
fn figures(kind: &HaltCase, output: &Output) -> Vec<Value> {
    let report = if kind.keys.is_empty() { Value::Null } else { object(output) };
    kind.keys.iter().map(|key| report[key].clone()).collect()
}

/// Ends a run at a point, and those that resume it at the same one; the last one is left in peace and must come to
/// `whole`. Answers how often the point was reached.
fn cross(kind: &HaltCase, whole: &(Vec<Value>, Option<Listing>), halt: &str) -> u64 {
    let files = Files::new();
    if kind.name == "resume" {
        halted(&files.words(kind.begin), "stop@nodes:100000");
    }
    let (mut crossings, mut killed) = (0, false);
    for n in 0..RESUMED {
        let output = destrier(&files.resume(kind, n)).env(HALT, halt).output().expect("the program starts");
        // A signal that comes before the program listens, or when it does no more, ends it as a kill does.
        killed |= output.status.code().is_none();
        if !is_halted(&output) {
            assert_eq!(output.status.code(), Some(0), "{} {halt}: {}", kind.name, stderr(&output));
            break;
        }
        let ends = match halt.starts_with("stop") {
            // Complete, where the signal came when nothing was left to do.
            true => [None, Some(143), Some(0)].contains(&output.status.code()),
            false => output.status.code().is_none(),
        };
        assert!(ends, "{} {halt}: {:?}: {}", kind.name, output.status, stderr(&output));
        crossings += 1;
        if kind.keys.is_empty() && files.listing().is_some() {
            assert_eq!(
                files.listing(),
                whole.1,
                "{} {halt}: an output file has its name before it is whole",
                kind.name
            );
        }
    }
    if crossings == 0 {
        return 0;
    }
    let output = run(&files.resume(kind, RESUMED));
    assert_eq!(output.status.code(), Some(0), "{} {halt}: {}", kind.name, stderr(&output));
    assert_eq!((figures(kind, &output), files.listing()), *whole, "{} {halt}", kind.name);
    let left = files.left(killed);
    assert!(left.is_empty(), "{} {halt}: {left:?}", kind.name);
    crossings
}

/// What a run that nothing disturbs comes to.
fn undisturbed(kind: &HaltCase) -> (Vec<Value>, Option<Listing>) {
    let files = Files::new();
    let output = run(&files.words(kind.begin));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (figures(kind, &output), files.listing())
}

/// Ends runs of a kind at every crossing of every point.
fn cross_all(kind: &HaltCase) -> u64 {
    let whole = undisturbed(kind);
    let mut crossings = 0;
    for action in ["kill", "stop"] {
        for point in ["start", "row", "nodes", "save", "rename"] {
            let all: Vec<u64> = if point == "nodes" { NODES.to_vec() } else { (1..=CROSSINGS).collect() };
            for at in all {
                let crossed = cross(kind, &whole, &format!("{action}@{point}:{at}"));
                assert!(crossed > 0 || at > 1 || !kind.reaches.contains(&point), "{} never reaches {point}", kind.name);
                if crossed == 0 {
                    break;
                }
                crossings += crossed;
            }
        }
    }
    crossings
}

fn halts(name: &str) {
    let kind = KINDS.iter().find(|kind| kind.name == name).expect("a kind of run");
    let crossings = cross_all(kind);
    // Past what holds back the output of tests that pass: the number is wanted.
    let said = format!("{name}: ended and resumed at {crossings} crossings of named points\n");
    std::io::stderr().write_all(said.as_bytes()).unwrap();
    assert!(crossings >= 2 * kind.reaches.len() as u64);
}

#[test]
fn a_search_is_resumed_from_every_point() {
    halts("search");
}

#[test]
fn a_count_is_resumed_from_every_point() {
    halts("count");
}

#[test]
fn a_count_of_a_range_is_resumed_from_every_point() {
    halts("range");
}

#[test]
fn a_shard_is_resumed_from_every_point() {
    halts("shard");
}

#[test]
fn a_resumed_search_is_resumed_again_from_every_point() {
    halts("resume");
}

#[test]
fn any_other_halt_is_refused() {
    for halt in ["", "kill@disk:1", "kill@save", "pause@save:1", "kill@save:0"] {
        let (code, printed, message) = said(&destrier(&["--version"]).env(HALT, halt).output().unwrap());
        assert_eq!((code, &*printed), (Some(2), ""), "{halt}: {message}");
        assert!(message.contains("kill|stop|hup|int@start|row|nodes|save|rename:N"), "{message}");
    }
}

/// After a power cut a file has what was on the disk when it got its name, and the name if its folder was on the disk.
#[test]
fn a_file_is_on_the_disk_before_it_is_named_and_its_folder_after() {
    let files = Files::new();
    let log = path(&files.folder, "log");
    let trace = |args: &[&str]| {
        let mut traced = heedful("strace");
        traced.args(["-f", "-y", "-qq", "-s", "4096", "-o", &log]);
        traced.args(["-e", "trace=fsync,fdatasync,rename,renameat,renameat2"]).args(args);
        traced.stdin(Stdio::null()).output()
    };
    if !trace(&["true"]).is_ok_and(|output| output.status.success()) {
        return skip("no strace can follow a program here (package strace)");
    }
    for kind in &KINDS[..2] {
        let output = trace(&[&[&**PROGRAM], &*files.words(kind.begin)].concat()).unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let calls = fs::read_to_string(&log).unwrap();
        let (mut synced, mut is_named, mut saves) = (HashSet::new(), false, 0);
        for call in calls.lines() {
            if let Some((_, file)) = call.split_once("sync(").and_then(|(_, file)| file.split_once('<')) {
                let file = file.split('>').next().unwrap_or_default();
                is_named &= Path::new(file) != files.folder.path();
                synced.insert(file);
            } else if let [_, from, _, to, ..] = call.split('"').collect::<Vec<_>>()[..]
                && to == files.checkpoint
            {
                assert!(synced.contains(from), "{}: {from} was not on the disk:\n{calls}", kind.name);
                assert!(!is_named, "{}: the name before it was not on the disk:\n{calls}", kind.name);
                (is_named, saves) = (true, saves + 1);
            }
        }
        assert!(saves > 1 && !is_named, "{}: {saves} saves:\n{calls}", kind.name);
        fs::remove_file(&files.checkpoint).unwrap();
        let _ = fs::remove_file(&files.out);
    }
}
