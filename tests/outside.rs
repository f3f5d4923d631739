//! What the outside does to a run without a screen: signals that it is to ignore, calls that are said twice, files that
//! may not grow.

use crate::common::process::{MARK, Running};
use crate::common::{
    HALT, PATIENCE, destrier, halted, is_written_to, json, names, object, path, run as run_words, send, shell, spawn,
    stderr, stdout, wait_until,
};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime};

fn run(line: &str) -> Output {
    shell(line).output().expect("the shell starts")
}

/// A search of days that has begun to write tours to `tours.txt` in this folder.
fn searching(folder: &Path, before: &str) -> Running {
    let file = folder.join("tours.txt");
    let line = format!("{before}exec DESTRIER search 8x8 --threads 2 --out {}", file.display());
    let child = spawn(shell(&line));
    wait_until("tours", || is_written_to(folder));
    child
}

/// How many bytes the files in a folder have.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).unwrap().filter_map(Result::ok);
    entries.filter_map(|entry| entry.metadata().ok()).map(|found| found.len()).sum()
}

/// Only Linux says which signals are ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_from_the_start_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = searching(folder.path(), "trap '' HUP INT; ");
    for signal in ["HUP", "INT", "HUP", "INT"] {
        send(&child, signal);
        let before = bytes_in(folder.path());
        wait_until("more tours", || bytes_in(folder.path()) > before);
    }
    assert!(child.try_wait().unwrap().is_none(), "it goes on");
    send(&child, "TERM");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(143));
    assert_eq!(names(folder.path()), ["tours.txt"]);

    // To its end, not only for a while.
    let ready = folder.path().join("ready");
    let line = format!("trap '' HUP INT; : > '{}'; exec DESTRIER search 6x7 --json", ready.display());
    let child = spawn(shell(&line));
    wait_until("the shell begins", || ready.exists());
    (0..100).for_each(|_| send(&child, "HUP"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let report = object(&output);
    assert_eq!((&report["tours"], &report["complete"]), (&1_067_638.into(), &true.into()));
}

/// A shell whose terminal is closed sends SIGHUP to its jobs, and so does the system when the shell has ended; GNU timeout
/// sends SIGTERM, or the signal that it is told to send, to its program and to the program's group.
#[test]
fn a_signal_that_is_sent_in_pairs_costs_no_tours() {
    for (signal, code) in [("HUP", 129), ("TERM", 143), ("USR2", 140), ("XCPU", 152)].repeat(4) {
        let folder = tempfile::tempdir().unwrap();
        let child = searching(folder.path(), "");
        let line = format!("kill -s {signal} {0}; kill -s {signal} {0}; kill -s {signal} {0}; true", child.id());
        assert!(Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status().unwrap().success());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(code), "{signal}");
        assert_eq!(names(folder.path()), ["tours.txt"]);
    }
}

/// As above, of a run that is saved, and at a point: both signals come while a worker is on its way to the next node.
#[test]
fn a_signal_that_is_sent_in_pairs_at_a_point_is_one_request() {
    let folder = tempfile::tempdir().unwrap();
    let [file, tours] = ["run", "tours"].map(|name| path(&folder, name));
    let line = format!("search 6x6 --solver path --threads 2 --json --checkpoint {file} --out {tours} --every 1h");
    let count =
        "count 4x20 --open --threads 2 --json --every 1h --checkpoint FILE".replace("FILE", &path(&folder, "count"));
    for (action, code) in [("int", 130), ("hup", 129), ("stop", 143)] {
        let output = halted(&line.split(' ').collect::<Vec<_>>(), &format!("{action}@nodes:50000"));
        assert_eq!(output.status.code(), Some(code), "{action}: {}", stderr(&output));
        let before = object(&output);
        assert_eq!((&before["complete"], &before["stopped"]), (&false.into(), &"signal".into()));
        let resumed = json(&["resume", &file, "--json"]);
        assert!(before["nodes"].as_u64() >= Some(50_000) && before["nodes"].as_u64() < resumed["nodes"].as_u64());
        assert_eq!(resumed["tours"], 9862);
        assert_eq!(json(&["verify", &tours, "--json"])["valid"], 9862);
        assert_eq!(halted(&count.split(' ').collect::<Vec<_>>(), &format!("{action}@row:7")).status.code(), Some(code));
        ["run", "tours", "count"].iter().for_each(|name| fs::remove_file(folder.path().join(name)).unwrap());
    }
}

/// What is saved last is saved when signals have their usual effect again, but for the second one of a pair.
#[test]
fn the_second_signal_of_a_pair_costs_nothing_at_the_last_save() {
    for (action, code) in [("hup", Some(129)), ("stop", None)] {
        let folder = tempfile::tempdir().unwrap();
        let file = path(&folder, "run");
        let mut command = destrier(&["search", "8x8", "--threads", "2", "--checkpoint", &file, "--every", "1h"]);
        command.env(HALT, format!("{action}@save:2"));
        let child = spawn(command);
        wait_until("its first checkpoint", || Path::new(&file).exists());
        let first = fs::read(&file).unwrap();
        // The run may not listen yet: then the first signal ends it.
        wait_until("a worker", || fs::read_dir(format!("/proc/{}/task", child.id())).unwrap().count() > 4);
        send(&child, "HUP");
        let output = child.wait_with_output().unwrap();
        assert!(stderr(&output).contains("reached Save 2"), "{}", stderr(&output));
        assert_eq!(output.status.code(), code, "{action}: {}", stderr(&output));
        assert_eq!(
            fs::read(&file).unwrap() != first,
            code.is_some(),
            "{action}: whether the last save has taken place"
        );
        json(&["resume", &file, "--json", "--deadline", "0.000001ms"]);
    }
}

/// A person who presses Ctrl-C again does not want to wait, and is told what that costs.
#[test]
fn a_later_ctrl_c_ends_at_once_and_says_before_what_it_costs() {
    // The run cannot stop while its pipe is full.
    let mut child = spawn(destrier(&["search", "8x8", "--out", "-", "--threads", "2"]));
    let mut reader = child.stdout.take().unwrap();
    reader.read_exact(&mut [0; 4096]).unwrap();
    let (said, lines) = mpsc::channel();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    std::thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| said.send(line)));
    send(&child, "INT");
    let costs = "another Ctrl-C ends it at once, without its report and without what is not saved yet";
    while !lines.recv_timeout(PATIENCE).expect("it says what another one costs").contains(costs) {}
    send(&child, "INT");
    assert_eq!(child.wait().unwrap().signal(), Some(2));
}

/// A signal, or a kill, that comes before the first checkpoint is whole leaves no file that is never named.
#[test]
fn a_run_that_ends_before_its_first_checkpoint_leaves_nothing_hidden() {
    for halt in ["stop@save:1", "int@save:1", "kill@save:1", "kill@rename:1"] {
        let folder = tempfile::tempdir().unwrap();
        let [file, tours] = ["run", "tours"].map(|name| path(&folder, name));
        let begin = ["search", "5x6", "--checkpoint", &file, "--out", &tours];
        halted(&begin, halt);
        let left: Vec<String> =
            names(folder.path()).into_iter().filter(|name| name.starts_with(".destrier-")).collect();
        assert!(!left.is_empty() && left.iter().all(|name| name.ends_with(".part")), "{halt}: {left:?}");
        for name in &left {
            let file = fs::File::options().write(true).open(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(600)).unwrap();
        }
        let output = run_words(&begin);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let gone = |name: &String| !folder.path().join(name).exists();
        assert!(left.iter().all(|name| stderr(&output).contains(name) || gone(name)), "{halt}: {}", stderr(&output));
        assert_eq!(json(&["verify", &tours, "--json"])["valid"], 8);
    }
}

/// Beyond a limit of CPU time the system sends SIGXCPU again for every further second.
#[test]
fn a_limit_of_cpu_time_ends_a_run_which_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let [file, tours] = ["run", "tours"].map(|name| path(&folder, name));
    let files = format!("--checkpoint {file} --out {tours} --every 1h");
    let output = run(&format!("ulimit -St 1; exec DESTRIER search 8x8 --threads 1 --json {files}"));
    assert_eq!(output.status.code(), Some(152), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("to go on: destrier resume {file}")), "{}", stderr(&output));
    let before = object(&output);
    assert_eq!((&before["complete"], &before["stopped"]), (&false.into(), &"signal".into()));
    let resumed = json(&["resume", &file, "--json", "--deadline", "0.000001ms"]);
    assert_eq!((&resumed["stopped"], &resumed["complete"]), (&"deadline".into(), &false.into()));
    for key in ["tours", "nodes"] {
        let [before, after] = [&before, &resumed].map(|report| report[key].as_u64().unwrap());
        assert!(before > 0 && after >= before, "{key}: {before}, then {after}");
    }

    // The run cannot stop while its pipe is full. No signal of this kind ends it at once, not even after the second in which
    // the second one of a pair is expected.
    let mut child = spawn(destrier(&["search", "8x8", "--out", "-", "--threads", "2"]));
    let mut reader = child.stdout.take().unwrap();
    reader.read_exact(&mut [0; 4096]).unwrap();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(1500) {
        send(&child, "XCPU");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(child.try_wait().unwrap().is_none(), "it still waits for its reader");
    drop(reader);
    assert_eq!(child.wait().unwrap().code(), Some(152));
}

/// SIGUSR1 saves at the next break and ends nothing, with a checkpoint and without one.
#[test]
fn a_request_to_save_saves_and_ends_nothing() {
    for words in ["search 8x8 --solver path --threads 2", "count 6x400 --memory 1G --threads 2"] {
        let folder = tempfile::tempdir().unwrap();
        let file = path(&folder, "run");
        let words = format!("{words} --checkpoint {file} --every 1h");
        let mut child = spawn(destrier(&words.split(' ').collect::<Vec<_>>()));
        wait_until("its first checkpoint", || Path::new(&file).exists());
        let first = fs::read(&file).unwrap();
        wait_until("another checkpoint", || {
            send(&child, "USR1");
            assert!(child.try_wait().unwrap().is_none(), "{words} goes on");
            fs::read(&file).unwrap() != first
        });
        send(&child, "KILL");
        child.wait().unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let child = searching(folder.path(), "");
    send(&child, "USR1");
    let before = bytes_in(folder.path());
    wait_until("more tours", || bytes_in(folder.path()) > before);
    send(&child, "TERM");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(143));
}

/// A deadline is that of one command.
#[test]
fn a_resumed_run_takes_a_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let [search, count] = ["search", "count"].map(|name| path(&folder, name));
    let now = ["--json", "--deadline", "0.000001ms"];
    for begin in [&["search", "8x8", "--threads", "1", "--checkpoint", &search][..], &["resume", &search]] {
        let output = run_words(&[begin, &now].concat());
        let report = object(&output);
        assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"deadline".into()), "{begin:?}");
    }
    assert_eq!(run_words(&["count", "5x6", "--checkpoint", &count]).status.code(), Some(0));
    crate::common::assert_refused(&["resume", &count, "--deadline", "1s"], "has no deadline: leave it out");
}

#[test]
fn a_file_that_may_not_grow_is_a_failure_as_a_full_disk_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tours.txt");
    let output = run(&format!("ulimit -f 100; exec DESTRIER search 6x7 --out {}", file.display()));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("the tours could not be written: File too large"), "{}", stderr(&output));
    // What there is of it is kept under the name that is said, not under the one that was to be whole.
    let [part] = names(folder.path()).try_into().unwrap();
    assert!(!file.exists() && stderr(&output).contains(&part), "{part}: {}", stderr(&output));
    fs::remove_file(folder.path().join(part)).unwrap();

    // Half a tour is nothing at all.
    let output = run(&format!("ulimit -f 1; exec DESTRIER find 200x200 --out {}", file.display()));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("File too large"), "{}", stderr(&output));
    assert!(names(folder.path()).is_empty());

    let output = run(&format!("ulimit -f 1; exec DESTRIER search 5x6 --open --out - > {}", file.display()));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

#[test]
fn a_count_goes_on_without_a_checkpoint_that_may_not_grow() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("count");
    let output = run(&format!("ulimit -f 0; exec DESTRIER count 6x8 --checkpoint {}", file.display()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("55,488,142"), "{}", stdout(&output));
    assert!(stderr(&output).contains("File too large") && stderr(&output).contains("the count went on"));
    assert!(names(folder.path()).is_empty(), "no part of one is left");
    // Of a part the file is all that is wanted.
    let output =
        run(&format!("ulimit -f 0; exec DESTRIER count 6x8 --modulus 101 --out-dir {}", folder.path().display()));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("modulo-101.checkpoint was not written") && said.contains("File too large"), "{said}");
    assert!(names(folder.path()).is_empty(), "no part of one is left");
}

/// Also what it has started in a session of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_test_that_fails_leaves_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let ids = folder.path().join("ids");
    let ids_in = |file: &Path| fs::read_to_string(file).unwrap_or_default();
    let failed = std::thread::scope(|scope| {
        let test = || {
            let mut command = shell("setsid DESTRIER search 8x8 & echo $! > ids; echo $$ >> ids; DESTRIER search 8x8");
            command.current_dir(folder.path());
            let _running = spawn(command);
            wait_until("all have begun", || ids_in(&ids).lines().count() == 2);
            // Between two programs a process has no environment for a moment.
            let first = ids_in(&ids).lines().next().map(|id| format!("/proc/{id}")).unwrap();
            wait_until("the program runs", || {
                let environment = fs::read(format!("{first}/environ")).unwrap_or_default();
                fs::read_link(format!("{first}/exe")).is_ok_and(|exe| exe.ends_with("destrier"))
                    && String::from_utf8_lossy(&environment).contains(MARK)
            });
            // A panic of which nothing is printed.
            std::panic::resume_unwind(Box::new("the test fails"));
        };
        scope.spawn(test).join()
    });
    assert!(failed.is_err());
    for id in ids_in(&ids).lines() {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&environment).contains(MARK), "process {id} goes on");
    }
}
