//! Searches that are saved in a file: what they say when they are stopped, resumed or refused. That a run which was ended at
//! any point comes to the same is tried in `halts.rs`.

use crate::common::{
    Listing, Locked, assert_refused, destrier, halted, json, names, object, path, run, send, shell, spawn, stderr,
    stdout, wait_until,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// A search of 150 ms and more, if it is kept often and writes its tours.
const QUESTION: [&str; 4] = ["search", "6x7", "--solver", "path"];
/// What it comes to.
const FIGURES: (u64, u64, u64) = (1_067_638, 29_276_221, 1_827_467);
/// One of a second and more, and its tours.
const SLOW: [&str; 4] = ["search", "6x6", "--solver", "radley"];
const OF_SLOW: u64 = 9862;
/// One of weeks.
const LONG: [&str; 6] = ["search", "8x8", "--solver", "path", "--threads", "2"];

fn figures(report: &Value) -> (u64, u64, u64) {
    let of = |key: &str| report[key].as_u64().unwrap();
    (of("tours"), of("nodes"), of("pruned"))
}

/// Arguments, and more of them.
fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

/// What a folder has in the end of a run that wrote its tours: nothing that is not done. Parts of files are what is left
/// where a run was killed while it put one there.
fn assert_only(folder: &Path, wanted: &[&str]) {
    let mut there = names(folder);
    there.retain(|name| !(name.starts_with(".destrier-") && name.ends_with(".part")));
    there.sort();
    assert_eq!(there, wanted);
}

/// The file that tours are in which have not got their name.
fn unfinished(folder: &TempDir) -> std::path::PathBuf {
    let name = names(folder.path()).into_iter().find(|name| name.ends_with(".unfinished"));
    folder.path().join(name.expect("the run has not ended"))
}

/// A run that was ended at a point by a signal that it answers: its folder, the names of its file and of its tours, and what
/// it said.
fn ended_at(halt: &str, writes: bool, more: &[&str]) -> (TempDir, [String; 2], Output) {
    let folder = tempfile::tempdir().unwrap();
    let [file, tours] = ["run", "tours"].map(|name| path(&folder, name));
    let mut args = with(&QUESTION, &["--threads", "2", "--checkpoint", &file, "--json"]);
    if writes {
        args.extend(["--every", "10ms", "--out", &tours]);
    }
    let output = halted(&with(&args, more), halt);
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    (folder, [file, tours], output)
}

/// A run that has ended says the same again, and its file is left as it is.
#[test]
fn a_search_that_has_ended_says_the_same_again() {
    let folder = tempfile::tempdir().unwrap();
    let [file, tours] = ["my run", "tours"].map(|name| path(&folder, name));
    let begin = with(&QUESTION, &["--checkpoint", &file, "--out", &tours, "--json", "--threads", "2"]);
    let report = json(&begin);
    assert_eq!((figures(&report), &report["complete"]), (FIGURES, &true.into()));
    let before = fs::read(&file).unwrap();
    for args in [&["resume", &file, "--json"], &begin[..]] {
        let again = json(args);
        for key in ["tours", "nodes", "pruned", "elapsed_s", "workers", "hires", "complete", "stopped"] {
            assert_eq!(again[key], report[key], "{key}: {args:?}");
        }
    }
    let text = stdout(&run(&["resume", &file]));
    assert!(text.contains("1,067,638 undirected") && text.ends_with("complete\n"), "{text}");
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_only(folder.path(), &["my run", "tours"]);
}

/// A run that is stopped says how to go on, and what it came to is in what it comes to later.
#[test]
fn a_search_that_was_stopped_says_how_to_go_on_and_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "a run");
    let begin = with(&LONG, &["--checkpoint", &file, "--every", "20ms", "--json"]);
    let resume = ["resume", &file, "--json"];
    let mut before = (0, 0.0, 0);
    for (args, signal, code) in
        [(&begin[..], "TERM", 143), (&resume, "INT", 130), (&begin, "HUP", 129), (&resume, "USR2", 140)]
    {
        let kept = fs::read(&file).ok();
        let child = spawn(destrier(args));
        // The first one is there before the first node, the second one after some.
        let mut seen = Vec::from_iter(kept);
        wait_until("it is kept twice", || {
            seen.extend(fs::read(&file).ok().filter(|now| seen.last() != Some(now)));
            seen.len() > 2
        });
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(&format!("to go on: destrier resume '{file}'")), "{}", stderr(&output));
        let report = object(&output);
        assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()));
        let workers = report["workers"].as_array().unwrap();
        let sum = |key: &str| workers.iter().map(|worker| worker[key].as_u64().unwrap()).sum::<u64>();
        let now = (sum("nodes"), report["elapsed_s"].as_f64().unwrap(), sum("tours"));
        assert_eq!((now.0, now.2, workers.len()), (figures(&report).1, figures(&report).0, 2));
        assert!(now.0 > before.0 && now.1 > before.1 && now.2 >= before.2, "{now:?} after {before:?}");
        before = now;
    }
    let mut there = names(folder.path());
    there.sort();
    assert_eq!(there, ["a run", "a run~"]);
}

#[test]
fn a_deadline_and_a_limit_end_one_go_or_all() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "run");
    let begin = with(&QUESTION, &["--threads", "2", "--checkpoint", &file, "--json"]);
    // It has passed when the run begins.
    let output = run(&with(&begin, &["--deadline", "0.000001ms"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(object(&output)["stopped"], "deadline");
    assert!(stderr(&output).contains(&format!("to go on: destrier resume {file}")), "{}", stderr(&output));
    let first = object(&output);
    assert_eq!(first["complete"], false);
    // The deadline was that of one go.
    let whole = json(&["resume", &file, "--json", "--threads", "1"]);
    assert_eq!((figures(&whole), &whole["complete"]), (FIGURES, &true.into()));
    let seconds = |report: &Value| report["elapsed_s"].as_f64().unwrap();
    assert!(seconds(&whole) > seconds(&first), "of both goes");
    assert_eq!(whole["workers"].as_array().unwrap().len(), 2, "one of them worked in the first go only");
    assert_eq!(whole["workers"][1], first["workers"][1]);

    // A limit counts over all goes, and then the run is done.
    let (folder, [file, tours], _) = ended_at("stop@nodes:1000000", true, &["--limit", "900000"]);
    assert!(!Path::new(&tours).exists(), "they are not all there");
    let done = json(&["resume", &file, "--json"]);
    assert_eq!(
        (&done["tours"], &done["stopped"], &done["complete"]),
        (&900_000.into(), &"limit".into(), &false.into())
    );
    let listing = Listing::of(Path::new(&tours));
    assert_eq!((listing.lines, listing.different()), (900_000, 900_000));
    let before = fs::read(&file).unwrap();
    assert_eq!(json(&["resume", &file, "--json"])["nodes"], done["nodes"]);
    assert_eq!(fs::read(&file).unwrap(), before, "it is done");
    assert_only(folder.path(), &["run", "tours"]);
}

/// The file before the last one is whole, and is offered by a command that comes to the same, tours included.
#[test]
fn the_generation_before_a_damaged_one_is_offered() {
    let (folder, [file, tours], _) = ended_at("stop@nodes:10000000", true, &[]);
    let older = format!("{file}~");
    let good = fs::read(&file).unwrap();
    let tail = unfinished(&folder);
    let bytes = fs::metadata(&tail).unwrap().len();
    let last = good.len() - 1;
    let damaged = [3, 20, 30, 100, last / 2, last].map(|at| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    });
    let cut = [good[..last].to_vec(), good[..good.len() / 2].to_vec(), Vec::new(), [&good[..], b"x"].concat()];
    let offer = format!("mv '{older}' '{file}'");
    for bytes in damaged.into_iter().chain(cut) {
        fs::write(&file, &bytes).unwrap();
        assert_refused(&["resume", &file], &offer);
        assert_refused(&with(&QUESTION, &["--checkpoint", &file]), &offer);
        assert_eq!(fs::read(&file).unwrap(), bytes, "it is left as it is");
    }
    fs::remove_file(&file).unwrap();
    assert_refused(&["resume", &file], &offer);
    assert_eq!(fs::metadata(&tail).unwrap().len(), bytes, "the tours are untouched");
    // What is offered does it: the tours are cut back to where it was.
    assert!(shell(&offer).status().unwrap().success());
    let output = run(&["resume", &file]);
    assert!(stdout(&output).contains("1,067,638 undirected"), "{}", stderr(&output));
    let listing = Listing::of(Path::new(&tours));
    assert_eq!((listing.lines, listing.different()), (FIGURES.0, FIGURES.0));
    // One that is damaged too is no offer; nor is one that would be waited for.
    fs::write(&file, &good[..last]).unwrap();
    fs::write(&older, &good[..last]).unwrap();
    assert_refused(&["resume", &file], "remove it to begin again");
    fs::remove_file(&older).unwrap();
    assert!(shell(&format!("mkfifo '{older}'")).status().unwrap().success());
    assert_refused(&["resume", &file], "remove it to begin again");
}

/// Whatever --every takes: the search is kept at its end, and is told again.
#[test]
fn a_search_that_is_kept_once_in_an_age_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    for (number, every) in ["1000000000s", "20000d", "18000000000000000000s"].into_iter().enumerate() {
        let file = path(&folder, &number.to_string());
        let begun = json(&with(&QUESTION, &["--checkpoint", &file, "--every", every, "--json"]));
        let again = json(&["resume", &file, "--json"]);
        assert_eq!((figures(&begun), figures(&again)), (FIGURES, FIGURES), "{every}");
    }
}

#[test]
fn what_is_no_file_to_be_kept_in_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let [other, count, pipe, nowhere] = ["other", "count", "pipe", "nowhere/in"].map(|name| path(&folder, name));
    fs::write(&other, "3x4 a3 c2\n").unwrap();
    assert_eq!(run(&["count", "5x6", "--checkpoint", &count]).status.code(), Some(0));
    assert!(shell(&format!("mkfifo '{pipe}'")).status().unwrap().success());
    let inside = folder.path().to_str().unwrap();
    for (at, says) in [
        (&*other, "seems to be a file of tours, not a checkpoint of a search"),
        (&count, "is a checkpoint of a count, not a checkpoint of a search"),
        (inside, "is a folder"),
        (&pipe, "no regular file"),
        (&format!("{other}/in"), "is no folder"),
        (&nowhere, "is not there: make it"),
    ] {
        assert_refused(&with(&QUESTION, &["--checkpoint", at]), says);
    }
    assert_eq!(fs::read(&other).unwrap(), b"3x4 a3 c2\n");
    assert_refused(&["resume", &other], "not a checkpoint: ");
    let file = path(&folder, "run");
    let kept = with(&QUESTION, &["--checkpoint", &file]);
    let parts = path(&folder, "parts");
    for (args, says) in [
        (with(&kept, &["--out", "-"]), "--out -"),
        (with(&kept, &["--every", "1ms"]), "10ms"),
        (with(&QUESTION, &["--every", "1s"]), "--checkpoint"),
        (with(&QUESTION, &["--shard", "1/4"]), "--out-dir"),
        (with(&QUESTION, &["--out-dir", &parts]), "--shard"),
        (with(&QUESTION, &["--shard", "1/4", "--out-dir", &parts, "--limit", "5"]), "--limit"),
        (with(&QUESTION, &["--shard", "1/4", "--out-dir", &parts, "--out", "-"]), "--out -"),
        (with(&kept, &["--shard", "1/4", "--out-dir", &parts]), "cannot be used with"),
    ] {
        assert_refused(&args, says);
    }
    for shard in ["0/4", "5/4", "x", "1/0", "1"] {
        assert_refused(&with(&QUESTION, &["--shard", shard, "--out-dir", &parts]), "I/N");
    }
    let mut there = names(folder.path());
    there.sort();
    assert_eq!(there, ["count", "other", "pipe"], "nothing was begun");
}

#[test]
fn another_question_and_other_tours_are_refused() {
    let (folder, [file, tours], _) = ended_at("stop@nodes:10000000", true, &[]);
    let kept = ["--checkpoint", &file];
    let tail = unfinished(&folder);
    let before = (fs::read(&file).unwrap(), fs::read(&tail).unwrap());
    for (args, says) in [
        (vec!["search", "6x6", "--solver", "path"], "6x7"),
        (with(&QUESTION, &["--open"]), "6x7 closed"),
        (vec!["search", "6x7", "--solver", "edges"], "by path"),
        (with(&QUESTION, &["--limit", "7"]), "is a checkpoint of"),
        (with(&QUESTION, &["--unique"]), "is a checkpoint of"),
        (with(&QUESTION, &["--out", "elsewhere"]), &*tours),
    ] {
        assert_refused(&with(&args, &kept), says);
    }
    for (args, says) in [
        (["--threads", "0"], "from 1 to 4096"),
        (["--every", "1ms"], "10ms"),
        (["--out", folder.path().to_str().unwrap()], "the file exists"),
        (["--out", "/proc/tours"], "on the disk of"),
    ] {
        assert_refused(&with(&["resume", &file], &args), says);
    }
    // The tours are not there, not all there, or those of another run.
    let away = path(&folder, "away");
    fs::rename(&tail, &away).unwrap();
    assert_refused(&["resume", &file], "is gone");
    fs::write(&tail, &before.1[..before.1.len() - 1]).unwrap();
    assert_refused(&["resume", &file], "bytes, not the");
    fs::rename(&away, &tail).unwrap();
    let writer = Locked::try_new(&tail).expect("no other writes it");
    assert_refused(&["resume", &file], "another run is writing");
    drop(writer);
    assert!((fs::read(&file).unwrap(), fs::read(&tail).unwrap()) == before, "nothing was changed");

    // Another program has taken the name since: nothing is lost, and there is a way out.
    fs::write(&tours, "mine").unwrap();
    assert_refused(
        &["resume", &file],
        "it was made or changed since the run began; move it away, or name another file with --out",
    );
    assert!((fs::read(&file).unwrap(), fs::read(&tail).unwrap()) == before, "nothing was changed");
    let elsewhere = path(&folder, "tours elsewhere");
    let report = json(&["resume", &file, "--out", &elsewhere, "--json"]);
    assert_eq!(figures(&report), FIGURES);
    assert_eq!(Listing::of(Path::new(&elsewhere)).different(), FIGURES.0);
    assert_eq!(fs::read(&tours).unwrap(), b"mine");
    assert_only(folder.path(), &["run", "tours", "tours elsewhere"]);
}

/// What a run that was killed has left is named by the next one.
#[test]
fn what_killed_runs_have_left_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [file, tours] = ["run", "tours"].map(|name| path(&folder, name));
    let child = spawn(destrier(&with(&LONG, &["--out", &tours])));
    let has_bytes = |name: &String| fs::metadata(folder.path().join(name)).is_ok_and(|found| found.len() > 0);
    wait_until("it writes", || names(folder.path()).iter().any(has_bytes));
    let [part]: [String; 1] = names(folder.path()).try_into().unwrap();
    let small = |more: &[&str]| -> Output { run(&with(&["search", "5x6"], more)) };
    assert!(!stderr(&small(&["--checkpoint", &file])).contains(&part), "that one is being written");
    send(&child, "KILL");
    child.wait_with_output().unwrap();
    fs::remove_file(&file).unwrap();
    for more in [["--checkpoint", &file], ["--out", &tours]] {
        let said = stderr(&small(&more));
        assert!(said.contains(&part) && said.contains("left of a run that was killed"), "{more:?}: {said}");
    }
}

/// A run that is stopped while its file cannot be written leaves the one before, and its tours as that one wants them.
#[test]
fn what_could_not_be_kept_in_the_end_goes_on_from_before() {
    let folder = tempfile::tempdir().unwrap();
    let [inner, away, tours] = ["inner", "away", "tours"].map(|name| path(&folder, name));
    fs::create_dir(&inner).unwrap();
    let file = format!("{inner}/run");
    let kept = ["--checkpoint", &file, "--every", "10ms", "--out", &tours];
    let child = spawn(destrier(&with(&with(&SLOW, &["--threads", "2"]), &kept)));
    wait_until("it is kept twice", || Path::new(&format!("{file}~")).exists());
    fs::rename(&inner, &away).unwrap();
    send(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("was not written"), "{}", stderr(&output));
    assert!(stderr(&output).contains("destrier resume"), "{}", stderr(&output));
    assert!(!Path::new(&tours).exists(), "they are not all there");
    fs::rename(&away, &inner).unwrap();
    assert_eq!(json(&["resume", &file, "--json"])["tours"], OF_SLOW);
    assert_eq!(Listing::of(Path::new(&tours)).different(), OF_SLOW);
}

/// Two runs that keep themselves in one file would each replace what the other one has left.
#[test]
fn a_file_of_a_run_that_goes_on_is_not_another_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "run");
    let child = spawn(destrier(&["search", "8x8", "--threads", "1", "--checkpoint", &file]));
    wait_until("the file is there", || Path::new(&file).exists());
    for args in [&["resume", &file][..], &["search", "8x8", "--checkpoint", &file]] {
        assert_refused(args, "is being written by a run that is not over");
    }
    send(&child, "TERM");
    child.wait_with_output().unwrap();
    assert_eq!(run(&["resume", &file, "--every", "1ms"]).status.code(), Some(2));
    let output = run(&["search", "8x8", "--checkpoint", &file, "--deadline", "10ms"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
