//! What the outside does to a run without a screen: signals that it is to ignore, calls that are said twice, files that
//! may not grow.

use crate::common::process::{MARK, Running};
use crate::common::{is_written_to, names, object, send, shell, spawn, stderr, stdout, wait_until};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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
/// sends SIGTERM to its program and to the program's group.
#[test]
fn a_signal_that_is_sent_in_pairs_costs_no_tours() {
    for (signal, code) in [("HUP", 129), ("TERM", 143)].repeat(4) {
        let folder = tempfile::tempdir().unwrap();
        let child = searching(folder.path(), "");
        let line = format!("kill -s {signal} {0}; kill -s {signal} {0}; kill -s {signal} {0}; true", child.id());
        assert!(Command::new("sh").args(["-c", &line]).stderr(Stdio::null()).status().unwrap().success());
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(code), "{signal}");
        assert_eq!(names(folder.path()), ["tours.txt"]);
    }
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
    assert!(stderr(&output).contains("--out-dir") && stderr(&output).contains("File too large"), "{}", stderr(&output));
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
