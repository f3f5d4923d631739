//! Job files: what engines are told makes the parts of the question that was asked, and what they cannot be told is
//! refused. `tests/engines.py` gives the same files to the engines themselves.

use crate::common::{
    PROGRAM, assert_refused, heedful, json, names, remarks, run, send, spawn, stderr, stdout, wait_until,
};
use crate::skip::skip;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A name that must be quoted, by shells and in YAML.
const FOLDER: &str = "it's @ \"5x6\" \\ parts";
const ENGINES: [&str; 4] = ["slurm", "hyperqueue", "parallel", "kubernetes"];

/// What is printed for an engine.
fn job_file(engine: &str, question: &str, parts: u32, folder: &str) -> String {
    let parts = parts.to_string();
    let words = ["--for", engine, "--parts", &parts, "--out-dir", folder];
    let args: Vec<&str> = ["shards"].into_iter().chain(question.split(' ')).chain(words).collect();
    let output = run(&args);
    assert_eq!((output.status.code(), remarks(&output).as_str()), (Some(0), ""), "{args:?}");
    stdout(&output)
}

/// The shell in a folder, with the program in its PATH.
fn sh(args: &[&str], folder: &TempDir) -> Command {
    let bin = Path::new(&*PROGRAM).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = heedful("sh");
    // What stands in the folder comes first: there a test puts what an engine would bring along.
    command.args(args).env("PATH", format!("{}:{}:{path}", folder.path().display(), bin.display()));
    command.current_dir(folder.path());
    command
}

fn done(mut command: Command) -> Output {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", stderr(&output));
    output
}

/// The command of the pods that make parts.
fn of_a_pod(file: &str) -> String {
    let line = file.lines().find_map(|line| line.trim().strip_prefix("command: [sh, -c, ")).unwrap();
    serde_json::from_str(line.strip_suffix(']').unwrap()).unwrap()
}

/// Has all parts made as the engine would; answers whether it can be done here.
fn make(engine: &str, file: &str, parts: u32, folder: &TempDir) -> bool {
    fs::write(folder.path().join("job.sh"), file).unwrap();
    let each = |name: &str, first: u32, args: &[&str]| {
        for index in first..first + parts {
            let mut command = sh(args, folder);
            command.env(name, index.to_string());
            done(command);
        }
    };
    match engine {
        "slurm" => each("SLURM_ARRAY_TASK_ID", 1, &["job.sh"]),
        "hyperqueue" => each("HQ_TASK_ID", 1, &["job.sh"]),
        "kubernetes" => each("JOB_COMPLETION_INDEX", 0, &["-c", &of_a_pod(file)]),
        _ if sh(&["-c", "parallel --version"], folder).output().unwrap().stdout.starts_with(b"GNU") => {
            let output = done(sh(&["job.sh", "-j", "2"], folder));
            assert!(output.stdout.is_empty(), "reports of parts are not printed");
        }
        _ => {
            skip("there is no GNU parallel here (package parallel)");
            return false;
        }
    }
    true
}

/// That the parts in a folder come to what the undivided search does.
fn assert_merged(folder: &Path, question: &str, parts: u32) {
    let args: Vec<&str> = ["search"].into_iter().chain(question.split(' ')).chain(["--json"]).collect();
    let merged: Value = json(&["merge", folder.to_str().unwrap(), "--json"]);
    let whole = json(&args);
    for key in ["board", "ending", "solver", "tours", "convention", "nodes", "pruned", "nodes_by_depth", "complete"] {
        assert_eq!(merged[key], whole[key], "{question}, {key}");
    }
    assert_eq!(merged["parts"], parts, "{question}");
}

#[test]
fn every_job_file_makes_the_parts_of_its_question() {
    for (engine, question) in [
        ("slurm", "5x6 --open --solver path --start b1"),
        ("hyperqueue", "5x6 --solver radley --prune any-isolated --prune-from 4 --prune-to 20 --start f1"),
        ("kubernetes", "6x6 --solver path --unique --threads 2 --scheduler rayon --hand-over next"),
        ("parallel", "6x6 --closed"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(FOLDER);
        // In a pod there is but the place of the volume.
        let out_dir = if engine == "kubernetes" { own.to_str().unwrap() } else { FOLDER };
        let file = job_file(engine, question, 3, out_dir);
        if make(engine, &file, 3, &folder) {
            assert_merged(&own, question, 3);
        }
    }
}

#[test]
fn what_is_asked_stands_in_the_job_file() {
    let of = |engine| job_file(engine, "8x8 --threads 4 --scheduler static", 20_000, "parts");
    let has = |file: &str, wanted: &[&str]| {
        for wanted in wanted {
            assert!(file.lines().any(|line| line.trim() == *wanted), "no line {wanted} in {file}");
        }
    };
    has(&of("slurm"), &["#SBATCH --array=1-1000", "#SBATCH --cpus-per-task=4", "#SBATCH --signal=B:USR1@60"]);
    has(&of("hyperqueue"), &["#HQ --array=1-20000", "#HQ --cpus=4"]);
    assert!(of("parallel").contains("seq 20000 | parallel -j 25% "));
    let indexed =
        ["completionMode: Indexed", "completions: 20000", "parallelism: 16", "restartPolicy: Never", "cpu: 4"];
    has(&of("kubernetes"), &indexed);
    has(&of("kubernetes"), &["backoffLimitPerIndex: 6", "mountPath: \"/parts\""]);
    for engine in ENGINES {
        let file = of(engine);
        assert!(file.contains("destrier search 8x8 --closed --solver edges --threads 4 --scheduler static --shard "));
        assert!(file.contains("# 20,000 parts of 8x8 closed tours by edges"), "{file}");
        assert!(file.contains("destrier merge "), "{file}");
        if engine != "kubernetes" {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("job.sh"), &file).unwrap();
            done(sh(&["-n", "job.sh"], &folder));
            assert!(file.starts_with("#!/bin/sh\n"));
        }
    }
    let args = ["shards", "6x6", "--for", "kubernetes", "--image", "registry.example/destrier:2"];
    let file = stdout(&run(&args));
    has(&file, &["image: \"registry.example/destrier:2\"", "completions: 1000"]);
    assert!(of_a_pod(&file).contains("--threads 1 --shard $((JOB_COMPLETION_INDEX + 1))/1000 --out-dir /parts"));
}

/// An array of Slurm has no more than a thousand tasks: each makes several parts.
#[test]
fn a_task_of_slurm_makes_every_thousandth_part() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("job.sh"), job_file("slurm", "3x4 --open", 2500, "parts")).unwrap();
    let mut command = sh(&["job.sh"], &folder);
    command.env("SLURM_ARRAY_TASK_ID", "500");
    done(command);
    let mut made = names(&folder.path().join("parts"));
    made.sort();
    assert_eq!(made, ["1500-of-2500.part", "2500-of-2500.part", "500-of-2500.part"]);
}

/// A task of Slurm under way, and what it asks of `scontrol`.
struct Task {
    folder: TempDir,
    command: Command,
}

impl Task {
    /// One that would take hours.
    fn new(restarts: &str) -> Task {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("job.sh"), job_file("slurm", "8x8 --solver path", 1, "parts")).unwrap();
        fs::write(folder.path().join("scontrol"), "#!/bin/sh\necho \"$*\" > asked\n").unwrap();
        // The search, and beside it its number.
        let search = "#!/bin/sh\necho $$ > search\nPATH=${PATH#*:} exec destrier \"$@\"\n";
        fs::write(folder.path().join("destrier"), search).unwrap();
        done(sh(&["-c", "chmod +x scontrol destrier"], &folder));
        let mut command = sh(&["job.sh"], &folder);
        command.envs([("SLURM_ARRAY_TASK_ID", "1"), ("SLURM_JOB_ID", "77"), ("SLURM_RESTART_COUNT", restarts)]);
        Task { folder, command }
    }

    /// Runs it until its part is kept, does this to its shell and its search, and waits for its end: the exit code, what it
    /// asked for, and whether its part can go on.
    fn end(mut self, act: impl FnOnce(&std::process::Child, &str)) -> (Option<i32>, String, bool) {
        self.command.stdin(std::process::Stdio::null());
        let shell = spawn(self.command);
        let kept = self.folder.path().join("parts/1-of-1.checkpoint");
        wait_until("its part is begun", || kept.exists());
        act(&shell, fs::read_to_string(self.folder.path().join("search")).unwrap().trim());
        let output = shell.wait_with_output().unwrap();
        let asked = fs::read_to_string(self.folder.path().join("asked")).unwrap_or_default();
        (output.status.code(), asked.trim().to_owned(), kept.exists())
    }
}

#[test]
fn a_task_of_slurm_saves_its_part_and_is_requeued() {
    let requeued = (Some(0), "requeue 77".to_owned(), true);
    assert_eq!(Task::new("0").end(|shell, _| send(shell, "USR1")), requeued, "its time is up");
    assert_eq!(Task::new("99").end(|shell, _| send(shell, "USR1")), requeued, "and up again");
    assert_eq!(Task::new("0").end(|shell, _| send(shell, "TERM")), (Some(143), String::new(), true), "cancelled");
    let kill = |_: &std::process::Child, search: &str| {
        assert!(Command::new("kill").args(["-KILL", search]).status().unwrap().success(), "{search}");
    };
    assert_eq!(Task::new("9").end(kill), requeued, "its part was killed");
    assert_eq!(Task::new("10").end(kill), (Some(1), String::new(), true), "once too often");
}

#[test]
fn what_an_engine_cannot_be_told_is_refused() {
    for (args, says) in [
        ("8x8", "--for"),
        ("8x8 --for pbs", "possible values"),
        ("8x8 --for slurm --solver brute", "brute"),
        ("8x8 --for slurm --solver path --prune region", "only radley"),
        ("8x8 --for slurm --start z9", "--start"),
        ("8x8 --for slurm --solver gpu", "the solver gpu was removed: "),
        ("8x8 --for slurm --scheduler serial --threads 2", "takes 1 thread"),
        ("8x8 --for slurm --limit 5", "--limit"),
        ("8x8 --for slurm --modulus 65521", "--modulus"),
        ("8x8 --for slurm --parts 0", "0"),
        ("8x8 --for slurm --parts 1000001", "1000000"),
        ("8x8 --for slurm --image x", "say --for kubernetes"),
        ("8x8 --for parallel --out-dir a{}b", "name another folder"),
        ("8x8 --for slurm --out-dir a\nb", "name another folder"),
        ("8x8 --for kubernetes --out-dir /", "no volume"),
        ("8x8 --for kubernetes --out-dir ../parts", "no volume"),
        ("8x8 --for kubernetes --parts 100001", "up to 100,000 indexes"),
    ] {
        assert_refused(&["shards"].into_iter().chain(args.split(' ')).collect::<Vec<_>>(), says);
    }
}
