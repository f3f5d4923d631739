//! Races for tours that were stopped, or killed, and go on.

use crate::common::{assert_refused, halted, json, names, path, run, stderr, stdout};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A race of half a second or so by two threads; the seed says which tours are found.
const RACE: [&str; 11] =
    ["find", "8x8", "--method", "genetic", "--open", "--rng", "7", "--tours", "1000", "--format=list", "--threads=2"];

fn race<'a>(more: &[&'a str]) -> Vec<&'a str> {
    RACE.iter().chain(more).copied().collect()
}

/// However it was killed, and with however many threads it is resumed: the tours are the same, in the same order.
#[test]
fn a_race_that_was_killed_finds_the_same_tours() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, file, out] = ["whole", "race", "tours"].map(|name| path(&folder, name));
    let told = run(&race(&["--out", &whole]));
    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    halted(&race(&["--out", &out, "--checkpoint", &file, "--every", "10ms"]), "kill@save:2");
    for (threads, halt) in [("3", "kill@nodes:200000"), ("1", "kill@save:3"), ("2", "kill@rename:4")] {
        halted(&["resume", &file, "--threads", threads], halt);
        assert!(!Path::new(&out).exists(), "it has its name before it is whole");
    }
    let ended = run(&["resume", &file]);
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    // It tells of it again, and writes nothing.
    let again = run(&["resume", &file]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert!(stdout(&again).starts_with("8x8 1,000 open tours by genetic, seed 7"), "{}", stdout(&again));
    assert_refused(&["resume", &file, "--out", &path(&folder, "other")], "it has ended");
    let [report, once_more] = [0, 1].map(|_| json(&["resume", &file, "--json"]));
    assert_eq!(report, once_more);
    assert_eq!(report["tours"].as_array().map(Vec::len), Some(1000));
}

/// Between the name of the tours' file and the note that it has it there is a moment. A run resumed from there finds the
/// tours, and nothing else that has their name is taken for them or written over.
#[test]
fn a_race_that_was_killed_as_its_tours_got_their_name_is_done() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["race", "tours"].map(|name| path(&folder, name));
    let args = ["find", "8x8", "--method", "genetic", "--open", "--tours", "20", "--format", "list", "--threads", "2"];
    let args = [&args[..], &["--out", &out, "--checkpoint", &file, "--every", "20000d"]].concat();
    // The file gets its name, is replaced twice, which is two names each, and the tours get theirs.
    halted(&args, "kill@rename:6");
    let (tours, before) = (fs::read(&out).unwrap(), fs::read(&file).unwrap());
    let killed = || fs::write(&file, &before).unwrap();
    killed();
    assert_refused(&args, "the race has ended: destrier resume");
    for _ in 0..2 {
        let again = run(&["resume", &file]);
        assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
        assert!(stdout(&again).starts_with("8x8 20 open tours by genetic"), "{}", stdout(&again));
        assert_eq!(fs::read(&out).unwrap(), tours);
        assert!(!Path::new(&format!("{file}~")).exists(), "the file before it is of no use any more");
    }
    // As it stood before the name, and where another file has been put there since.
    killed();
    fs::remove_file(&out).unwrap();
    assert_eq!(run(&["resume", &file]).status.code(), Some(0));
    assert_eq!(fs::read(&out).unwrap(), tours);
    killed();
    let mut foreign = tours.clone();
    foreign[0] ^= 1;
    fs::write(&out, &foreign).unwrap();
    assert_refused(&["resume", &file], "the file exists");
    assert_eq!(fs::read(&out).unwrap(), foreign);
    // A pipe without a writer does not stop the program.
    fs::remove_file(&out).unwrap();
    assert!(Command::new("mkfifo").arg(&out).status().unwrap().success());
    assert_refused(&["resume", &file], "is no regular file");
}

#[test]
fn a_race_that_was_stopped_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["my race", "tours"].map(|name| path(&folder, name));
    let output = halted(&race(&["--json", "--checkpoint", &file, "--out", &out]), "stop@nodes:100000");
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("to go on: destrier resume '{file}'")), "{}", stderr(&output));
    let mut there = names(folder.path());
    there.sort();
    assert_eq!(there, ["my race", "my race~"]);
    // Who asks something else is not answered from it.
    for other in [
        &["find", "8x8", "--tours", "5", "--checkpoint", &file][..],
        &["find", "6x6", "--method", "edges", "--open", "--checkpoint", &file],
        &["search", "6x6", "--checkpoint", &file],
        &["count", "6x6", "--checkpoint", &file],
        &["resume", &file, "--watch"],
        &["resume", &file, "--scheduler", "rayon"],
    ] {
        assert_refused(other, "race");
    }
    // A file that was changed is not believed, and the one before is offered.
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    assert_refused(&["resume", &file], &format!("mv '{file}~' '{file}'"));
}

/// Whatever --every takes: the race is kept at its end, and is told again.
#[test]
fn a_race_that_is_kept_once_in_an_age_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for (number, every) in ["1000000000s", "20000d", "18000000000000000000s"].into_iter().enumerate() {
        let file = path(&folder, &number.to_string());
        let begun = json(&[
            "find",
            "8x8",
            "--method",
            "edges",
            "--rng",
            "7",
            "--checkpoint",
            &file,
            "--every",
            every,
            "--json",
        ]);
        assert_eq!(json(&["resume", &file, "--json"])["tours"], begun["tours"], "{every}");
    }
}

#[test]
fn what_is_no_race_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "race");
    for (args, why) in [
        (&["--method", "tiles"][..], "makes no attempts"),
        (&["--method", "edges", "--watch"], "without a screen"),
        (&["--method", "genetic", "--generations"], "without"),
        (&["--method", "edges", "--every", "1ms"], "10ms"),
    ] {
        assert_refused(&[&["find", "8x8", "--checkpoint", &file], args].concat(), why);
    }
    // One that is refused leaves no file that could not be resumed.
    assert_refused(&["find", "200x200", "--method", "genetic", "--checkpoint", &file], "genetic takes boards of up to");
    assert_refused(&["find", "5..7", "--checkpoint", &file], "one board");
    assert_refused(&["find", "8x8", "--every", "1s"], "--checkpoint");
    assert!(names(folder.path()).is_empty());
}
