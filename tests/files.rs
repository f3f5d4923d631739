//! The files of one run and of several at once: no two of one run are one file, no two runs share a checkpoint, and what
//! is said of a file says what can be done.

use crate::common::{assert_refused, destrier, json, names, path, run, said, send, shell, spawn, stderr, wait_until};
use crate::detach::Runs;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// A search of weeks by one thread.
const LONG: [&str; 5] = ["search", "8x8", "--solver", "path", "--threads=1"];

/// Names in a folder, in order.
fn sorted(folder: &std::path::Path) -> Vec<String> {
    let mut names = names(folder);
    names.sort();
    names
}

#[test]
fn two_files_of_a_run_that_are_one_are_refused_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    fs::write(path(&folder, "there"), "as it was").unwrap();
    fs::hard_link(path(&folder, "there"), path(&folder, "twin")).unwrap();
    symlink("new", path(&folder, "link")).unwrap();
    let before = sorted(folder.path());
    for (line, later, earlier) in [
        ("search 6x6 --out @x --checkpoint @x", "--out", "--checkpoint"),
        ("search 6x6 --out @x --checkpoint @x --force", "--out", "--checkpoint"),
        ("search 6x6 --out @x~ --checkpoint @x", "--out", "--checkpoint"),
        ("search 6x6 --out @x --checkpoint @x --detach", "--out", "--checkpoint"),
        ("search 6x6 --record @x --checkpoint @x", "--record", "--checkpoint"),
        ("search 6x6 --record @x --out @x", "--record", "--out"),
        ("search 6x6 --trace @x~ --checkpoint @x", "--trace", "--checkpoint"),
        ("search 6x6 --trace @x --record @./x", "--trace", "--record"),
        ("search 6x6 --out @there --record @twin --force", "--record", "--out"),
        ("search 6x6 --out @new --record @link --force", "--record", "--out"),
        ("search 6x6 --shard 1/1 --out-dir @parts --out @parts/1-of-1.part", "--out", "--out-dir"),
        ("search 6x6 --shard 1/1 --out-dir @parts --out @parts/1-of-1.checkpoint", "--out", "--out-dir"),
        ("search 6x6 --shard 1/1 --out-dir @parts --record @parts/1-of-1.checkpoint~", "--record", "--out-dir"),
        ("watch 6x6 --out @x --checkpoint @x", "--out", "--checkpoint"),
        ("find 8x8 --out @x --record @x", "--record", "--out"),
        ("count 6x6 --record @x --checkpoint @x", "--record", "--checkpoint"),
        ("count 6x6 --record @x~ --checkpoint @x", "--record", "--checkpoint"),
        ("count 6x6 --modulus 101 --out-dir @parts --record @parts/modulo-101.part", "--record", "--out-dir"),
        ("gpu map 6x6 --adapter cpu --csv @x --record @x", "--record", "--csv"),
    ] {
        let line = line.replace('@', &format!("{}/", folder.path().display()));
        let args: Vec<&str> = line.split(' ').collect();
        assert_refused(&args, ": name another file");
        let message = stderr(&run(&args));
        assert!(message.contains(later) && message.contains(&format!(": {earlier} writes")), "{args:?}: {message}");
        assert_eq!(sorted(folder.path()), before, "{args:?}");
    }
    assert_eq!(fs::read(path(&folder, "there")).unwrap(), b"as it was");
    // What one option names is several files, and no two of them are one.
    let args = ["search", "6x6", "--shard", "1/1", "--out-dir", &parts, "--out", &path(&folder, "x"), "--json"];
    assert_eq!(json(&args)["tours"], 9862);
}

/// A checkpoint that was given the name of its tours, or stands where they are to go.
#[test]
fn a_run_is_not_resumed_from_the_file_that_its_tours_are_to_get() {
    let folder = tempfile::tempdir().unwrap();
    let [file, tours] = ["run", "tours"].map(|name| path(&folder, name));
    let stopped = run(&[&LONG[..], &["--out", &tours, "--checkpoint", &file, "--deadline", "20ms"]].concat());
    assert!(stderr(&stopped).contains("to go on: destrier resume"), "{}", stderr(&stopped));
    fs::rename(&file, &tours).unwrap();
    let held = fs::read(&tours).unwrap();
    assert_refused(&["resume", &tours], "--out");
    assert_refused(&["resume", &tours], ": resume writes this file too: name another file");
    assert_eq!(fs::read(&tours).unwrap(), held);
}

/// Whichever comes first: the others end at once, and leave nothing.
#[test]
fn of_eight_runs_that_start_at_once_on_one_checkpoint_one_runs() {
    for (line, left) in [
        ("search 8x8 --solver path --threads 1 --every 1h --checkpoint @run --out @tours", &["run", ".unfinished"][..]),
        ("search 8x8 --solver path --threads 1 --shard 1/9 --out-dir @parts", &["parts"]),
        ("count 6x400 --threads 1 --memory 1G --every 1h --checkpoint @run", &["run"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let line = line.replace('@', &format!("{}/", folder.path().display()));
        let args: Vec<&str> = line.split(' ').collect();
        let mut runs: Vec<_> = (0..8).map(|_| Some(spawn(destrier(&args)))).collect();
        let mut refused = 0;
        wait_until("seven are refused", || {
            for run in &mut runs {
                if run.as_mut().is_some_and(|run| run.try_wait().unwrap().is_some()) {
                    let (code, printed, message) = said(&run.take().unwrap().wait_with_output().unwrap());
                    assert_eq!((code, printed.as_str()), (Some(2), ""), "{line}: {message}");
                    assert!(message.contains("is being written by a run that"), "{line}: {message}");
                    refused += 1;
                }
            }
            refused == 7
        });
        let mut one = runs.into_iter().flatten().next().unwrap();
        assert!(one.try_wait().unwrap().is_none(), "{line}: one runs");
        // Its file of tours has its name a moment after the checkpoint.
        let is_there = |end: &&str| sorted(folder.path()).iter().any(|name| name.ends_with(end));
        wait_until("its files have their names", || left.iter().all(is_there));
        send(&one, "KILL");
        let _ = one.wait();
        let there = sorted(folder.path());
        assert_eq!(there.len(), left.len(), "{line}: {there:?}");
    }
}

/// The file of a count is there before the plan is made, and goes with a plan that is refused.
#[test]
fn a_count_that_is_refused_leaves_no_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "count");
    assert_refused(&["count", "6x7", "--open", "--memory", "17M", "--checkpoint", &file], "What would fit");
    assert_refused(&["count", "6x1..7", "--memory", "6M", "--checkpoint", &file], "What would fit");
    assert!(names(folder.path()).is_empty());
    // One that was there stays.
    assert_eq!(run(&["count", "6x7", "--checkpoint", &file]).status.code(), Some(0));
    let before = fs::read(&file).unwrap();
    assert_refused(&["count", "6x6", "--checkpoint", &file], "name another file");
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// A message that offers an option is of a command that has it.
#[test]
fn what_says_to_add_force_is_said_by_a_command_that_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let [file, journal] = ["there", "journal"].map(|name| path(&folder, name));
    fs::write(&file, "as it was").unwrap();
    json(&["search", "5x6", "--record", &journal, "--json"]);
    let search = path(&folder, "search");
    run(&[&LONG[..], &["--out", &path(&folder, "listed"), "--checkpoint", &search, "--deadline", "20ms"]].concat());
    let replacing = path(&folder, "replacing");
    run(&[&LONG[..], &["--out", &file, "--force", "--checkpoint", &replacing, "--deadline", "20ms"]].concat());
    for (args, command, offers) in [
        (&["search", "5x6", "--out", &file][..], &["search"][..], true),
        (&["search", "5x6", "--record", &file], &["search"], true),
        (&["search", "5x6", "--trace", &file], &["search"], true),
        (&["find", "5x6", "--out", &file], &["find"], true),
        (&["find", "5x6", "--record", &file], &["find"], true),
        (&["count", "5x6", "--record", &file], &["count"], true),
        (&["gpu", "map", "5x5", "--adapter", "cpu", "--csv", &file], &["gpu", "map"], true),
        (&["gpu", "map", "5x5", "--adapter", "cpu", "--record", &file], &["gpu", "map"], true),
        (&["replay", &journal, "--trace", &file], &["replay"], true),
        (&["resume", &replacing], &["resume"], true),
        // A file that is named anew is not the one that stood there when the run began.
        (&["resume", &search, "--out", &file], &["resume"], false),
    ] {
        assert_refused(args, "the file exists");
        let message = stderr(&run(args));
        assert_eq!(message.contains("--force"), offers, "{args:?}: {message}");
        let help = String::from_utf8(run(&[command, &["--help"]].concat()).stdout).unwrap();
        assert!(help.contains("--force"), "{command:?}");
        assert!(offers || help.contains("--out") && message.contains("name another one"), "{args:?}: {message}");
    }
    assert_eq!(fs::read(&file).unwrap(), b"as it was");
}

/// The name that a user knows is in the message, not that of a file which is gone.
#[test]
fn a_disk_that_is_full_is_said_of_the_file_that_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(&folder, "tours");
    let full = |blocks: u32, line: &str| {
        let output = shell(&format!("ulimit -f {blocks}; exec DESTRIER {line}")).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        stderr(&output)
    };
    let named = format!("--out {out}: File too large");
    let plain = full(1, &format!("find 200x200 --out {out}"));
    assert!(plain.contains(&named) && !plain.contains(".destrier-"), "{plain}");
    let map = full(1, &format!("gpu map 60x60 --adapter cpu --csv {out}"));
    assert!(map.contains(&format!("--csv {out}: File too large")) && !map.contains(".destrier-"), "{map}");
    assert!(names(folder.path()).is_empty());
    let tours = full(1, &format!("search 5x6 --open --out {out}"));
    assert!(tours.contains(&format!("--out {out}: the tours could not be written: File too large")), "{tours}");
}

/// The folder of runs may be on a disk that is full: then not even the reason can be written there.
#[test]
fn a_run_that_cannot_be_left_says_where_there_is_no_room() {
    let runs = Runs::new();
    let mut left = shell("ulimit -f 0; exec DESTRIER search 6x6 --detach");
    let output = left.env("DESTRIER_RUNS", runs.path()).output().unwrap();
    let (code, printed, message) = said(&output);
    assert_eq!((code, printed.as_str()), (Some(3), ""), "{message}");
    for part in [&*runs.path().to_string_lossy(), "(exit status: 3)", "make room", "DESTRIER_RUNS"] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

/// What was done by then is listed, of a count too.
#[test]
fn a_count_that_was_stopped_says_how_far_it_was() {
    let runs = Runs::new();
    let id = runs.begin("count 8x8 --threads 1");
    let pid = runs.row(id)["pid"].to_string();
    assert!(Command::new("kill").args(["-s", "TERM", &pid]).status().unwrap().success());
    let row = runs.until(id, "stopped");
    assert_eq!(row["progress"], row["report"]["done"]["share"], "{row}");
    assert!(row["progress"].is_number(), "{row}");
}

/// A count that is not kept holds no file that would tell that it is at work: its process does.
#[test]
fn a_count_without_a_checkpoint_is_not_forgotten_while_it_runs() {
    let runs = Runs::new();
    let id = runs.begin("count 8x8 --threads 1");
    let row = runs.row(id);
    let pid = row["pid"].to_string();
    let kill = |name: &str| assert!(Command::new("kill").args(["-s", name, &pid]).status().unwrap().success());
    kill("STOP");
    fs::remove_file(row["socket"].as_str().unwrap()).unwrap();
    assert_eq!(runs.row(id)["state"], "running");
    let refused = runs.run(&format!("runs --forget {id}"));
    kill("KILL");
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    runs.until(id, "died");
    assert_eq!(runs.run(&format!("runs --forget {id}")).status.code(), Some(0));
}
