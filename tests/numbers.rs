//! The number of a detached run, by which `resume` knows it, and a run that goes on at a terminal under its number.

use crate::common::process::Running;
use crate::common::{said, send, stdout, wait_until};
use crate::detach::Runs;
use serde_json::Value;
use std::fs;
use std::process::Stdio;

/// A command that goes on at a terminal.
fn resumed(runs: &Runs, words: &str) -> Running {
    Running::start(runs.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()))
}

/// `resume` takes the number of a run; a file that is called so comes first. A run that goes on at a terminal is listed as before.
#[test]
fn a_run_is_resumed_by_its_number_and_listed_meanwhile() {
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --solver path --threads 1 --every 1h");
    assert_eq!(said(&runs.run("runs --stop 1")).0, Some(0));
    let stopped = runs.until(id, "stopped");
    let going = resumed(&runs, "resume 1");
    let row = runs.until(id, "running");
    assert_eq!((row["pid"].as_u64(), &row["question"]), (Some(going.id().into()), &stopped["question"]));
    let (code, _, why) = said(&runs.run("resume 1"));
    assert!(code == Some(2) && why.contains("is being written by a run that is not over"), "{why}");
    wait_until("it is at work", || runs.row(id)["elapsed_s"].as_f64() > stopped["elapsed_s"].as_f64());
    // As Ctrl-C does at its terminal; then its share is the one that was reached.
    send(&going, "INT");
    assert_eq!(going.wait_with_output().unwrap().status.code(), Some(130));
    let again = runs.until(id, "stopped");
    assert!(again["report"]["nodes"].as_u64() > stopped["report"]["nodes"].as_u64(), "{again}");
    let (_, printed, note) = said(&runs.run("runs 1"));
    assert!(
        printed.contains("NOT complete")
            && note.ends_with("then it went on at a terminal, where the rest was printed\n"),
        "{note}"
    );
    // A run that was killed at its terminal has left its socket.
    let killed = resumed(&runs, "resume 1");
    runs.until(id, "running");
    send(&killed, "KILL");
    killed.wait_with_output().unwrap();
    runs.until(id, "died");
    // A process of its own has another number, and the list knows who resumed whom.
    let other = Runs::number(&runs.run("resume 1 --detach"));
    assert_eq!((other, &runs.row(id)["resumed_by"]), (2, &2.into()));
    assert_eq!(said(&runs.run("runs --stop 2")).0, Some(0));
    let third = resumed(&runs, "resume 2");
    runs.until(2, "running");
    assert_eq!(runs.row(id)["resumed_by"], 2);
    assert_eq!(said(&runs.run("runs --stop 2")).0, Some(0));
    assert_eq!(third.wait_with_output().unwrap().status.code(), Some(143));
    // Both have saved in one file: only the last one says how to go on.
    runs.until(2, "stopped");
    assert_eq!((&runs.row(id)["resumed_by"], &runs.row(2)["resumed_by"]), (&2.into(), &Value::Null));
    assert_eq!(stdout(&runs.run("runs")).matches("to go on: ").count(), 1);

    fs::write(runs.folder().join("1"), "mine").unwrap();
    let (code, _, why) = said(&runs.run("resume 1"));
    assert!(code == Some(2) && why.contains("1: is no checkpoint"), "{why}");
    let (code, _, why) = said(&runs.run("resume 7"));
    assert!(code == Some(2) && why.contains("there is no run 7"), "{why}");
    let done = runs.begin("search 5x6 --threads 1");
    runs.until(done, "ended");
    assert!(stdout(&runs.run("resume 3")).contains("8 undirected"), "the report of a run that has ended");
    fs::remove_file(runs.path().join("3.checkpoint")).unwrap();
    let (code, _, why) = said(&runs.run("resume 3"));
    assert!(code == Some(2) && why.contains("run 3 has no checkpoint; what it has printed: destrier runs 3"), "{why}");
}
