//! Runs without a screen: begun by `--detach`, listed by `runs`, ended by signals, gone on with.

use crate::common::process::end_all;
use crate::common::{
    HALT, Listing, Locked, PROGRAM, assert_refused, heedful, json, object, said, stderr, stdout, wait_until,
};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder of runs; what still goes on at the end is killed.
pub struct Runs {
    folder: TempDir,
}

impl Runs {
    /// An empty one.
    pub fn new() -> Runs {
        // The name of a socket is short.
        Runs { folder: tempfile::tempdir_in("/tmp").expect("a folder") }
    }

    /// The folder in which its commands are typed.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Its name.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("runs")
    }

    /// The program with these arguments.
    pub fn command(&self, args: &str) -> Command {
        let mut command = heedful(&PROGRAM);
        command.args(args.split_whitespace()).env("DESTRIER_RUNS", self.path()).current_dir(self.folder.path());
        command.stdin(Stdio::null());
        command
    }

    /// Runs it.
    pub fn run(&self, args: &str) -> Output {
        self.command(args).output().expect("the program starts")
    }

    /// A run that was begun and is at work, so that it hears signals: its number.
    pub fn begin(&self, args: &str) -> u64 {
        let id = Runs::number(&self.run(&format!("{args} --detach")));
        wait_until(&format!("run {id} at work"), || {
            let row = self.row(id);
            row["state"] != "running" || row["elapsed_s"].as_f64().is_some_and(|s| s > 0.0)
        });
        id
    }

    /// The number of a run that a command has begun.
    pub fn number(begun: &Output) -> u64 {
        assert_eq!(begun.status.code(), Some(0), "{}", stderr(begun));
        let said = stdout(begun);
        said.strip_prefix("run ")
            .and_then(|rest| rest.split(':').next()?.parse().ok())
            .unwrap_or_else(|| panic!("{said}"))
    }

    /// What is listed of a run.
    pub fn row(&self, id: u64) -> Value {
        let listed = object(&self.run("runs --json"));
        let rows = listed["runs"].as_array().expect("an array of runs");
        rows.iter().find(|row| row["id"] == id).unwrap_or_else(|| panic!("run {id} is not listed: {listed}")).clone()
    }

    /// Waits until a run is in a state; answers what is listed of it then.
    pub fn until(&self, id: u64, state: &str) -> Value {
        wait_until(&format!("run {id} {state}"), || {
            let row = self.row(id);
            // What has ended stays as it is.
            assert!(row["state"] == state || row["state"] != "ended", "run {id} is not to be {state} any more: {row}");
            row["state"] == state
        });
        self.row(id)
    }

    fn signal(&self, id: u64, name: &str) {
        let pid = self.row(id)["pid"].to_string();
        assert!(Command::new("kill").args(["-s", name, &pid]).status().is_ok_and(|status| status.success()));
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        end_all("DESTRIER_RUNS", &self.path().to_string_lossy());
    }
}

#[test]
fn a_run_without_a_terminal_keeps_its_history() {
    let runs = Runs::new();
    let (search, count) = (runs.begin("search 8x8 --threads 2"), runs.begin("count 8x9 --open --threads 1"));
    for (id, says) in [(search, [" nodes/s"; 2]), (count, [" planning", " states"])] {
        let told = || stdout(&runs.run(&format!("runs {id} --history")));
        wait_until(&format!("a line of run {id}"), || !told().is_empty());
        let line = told();
        let first = line.lines().next().unwrap();
        assert!(line.starts_with("20") && says.iter().any(|says| first.contains(says)), "{line}");
        assert_eq!(
            fs::metadata(runs.path().join(format!("{id}.history"))).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    assert_eq!(runs.run(&format!("runs --stop {search} {count}")).status.code(), Some(0));
}

#[test]
fn a_run_is_begun_listed_and_prints_what_it_would_have_printed() {
    let runs = Runs::new();
    let none = runs.run("runs");
    assert_eq!(said(&none), (Some(0), "no runs; --detach of search and count begins one\n".to_owned(), String::new()));
    assert!(!runs.path().exists(), "a list makes nothing");
    let id = runs.begin("search 6x6 --threads 2");
    let row = runs.until(id, "ended");
    let whole = json(&["search", "6x6", "--threads", "2", "--json"]);
    assert_eq!(["tours", "nodes"].map(|key| &row["report"][key]), ["tours", "nodes"].map(|key| &whole[key]));
    assert_eq!(row["progress"], 1.0);
    assert!(row["elapsed_s"].is_f64() && row["socket"].is_null() && row["resume"].is_null(), "{row}");
    assert_eq!(row["question"], "search 6x6 closed by edges, hire, 2 threads");
    let printed = runs.run(&format!("runs {id}"));
    assert!(stdout(&printed).contains("tours    9,862 undirected"), "{}", stdout(&printed));
    assert!(stdout(&runs.run("runs")).contains("9,862 undirected tours"));
    assert_eq!(fs::metadata(runs.path()).unwrap().permissions().mode() & 0o777, 0o700);
    let id = runs.begin("count 6x6");
    assert_eq!(runs.until(id, "ended")["report"]["count"], "9862");
    // Its history has a line after a second, if it lasts so long, and one a minute.
    let _ = fs::remove_file(runs.path().join("2.history"));
    let none = runs.run("runs 2 --history");
    assert_eq!((none.status.code(), stdout(&none)), (Some(0), String::new()));
    assert!(
        stderr(&none).contains("run 2 has no line of history: one is kept after a second and one each minute"),
        "{}",
        stderr(&none)
    );
    fs::write(runs.path().join("2.history"), "2026-11-28 03:12  5 states\n").unwrap();
    assert_eq!(stdout(&runs.run("runs 2 --history")), "2026-11-28 03:12  5 states\n");
    assert_eq!(runs.run("runs --history").status.code(), Some(2));
    assert_eq!(runs.run("runs --forget 1 2").status.code(), Some(0));
    assert_eq!(object(&runs.run("runs --json")), serde_json::json!({ "runs": [] }));
    assert!(fs::read_dir(runs.path()).unwrap().next().is_none(), "nothing is left of them");
}

#[test]
fn what_cannot_be_begun_is_said_at_once_and_leaves_nothing() {
    let runs = Runs::new();
    let refused = |args: &str, says: &str| {
        let (code, printed, message) = said(&runs.run(args));
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{args}: {message}");
        assert!(message.contains(says), "{args} says: {message}");
    };
    refused("search 6x6 --detach --out -", "--out - cannot be taken back");
    refused("search 6x6 --detach --out no/such/folder", "/no/such is not there: make it");
    refused("search 6x6 --solver brute --detach", "brute");
    refused("resume no.file --detach", "no.file");
    refused("count 6x6 --watch --detach", "leave out --watch");
    refused("attach", "no run goes on");
    refused("attach 7", "there is no run 7");
    refused("runs 7", "there is no run 7");
    refused("runs --forget 7", "there is no run 7");
    let left = fs::read_dir(runs.path()).into_iter().flatten().count();
    assert_eq!(left, 0, "the folder is empty");
}

/// What stands in the folder of runs may be damaged, or gone.
#[test]
fn a_run_whose_files_were_changed_is_listed_safely() {
    let runs = Runs::new();
    let id = runs.begin("count 3x10");
    runs.until(id, "ended");
    let at = |ending: &str| runs.path().join(format!("{id}.{ending}"));
    fs::remove_file(at("err")).unwrap();
    let (code, _, message) = said(&runs.run(&format!("runs {id}")));
    assert_eq!(code, Some(3));
    assert!(message.contains(&format!("{}: No such file", at("err").display())), "{message}");
    let mut entry: Value = serde_json::from_slice(&fs::read(at("json")).unwrap()).unwrap();
    (entry["question"], entry["report"]["count"]) = ("count \u{1b}[2J".into(), "\u{1b}]0;x\u{7}".into());
    fs::write(at("json"), entry.to_string()).unwrap();
    let listed = stdout(&runs.run("runs"));
    assert!(listed.contains("count \\x1b[2J") && !listed.contains(['\u{1b}', '\u{7}']), "{listed}");
}

#[test]
fn several_runs_are_stopped_though_one_has_ended() {
    let runs = Runs::new();
    let ended = runs.begin("count 3x10");
    let goes_on = runs.begin("search 8x8 --threads 1");
    runs.until(ended, "ended");
    runs.until(goes_on, "running");
    let (code, printed, message) = said(&runs.run(&format!("runs --stop {ended} {goes_on}")));
    assert_eq!(code, Some(0), "{message}");
    let says = [format!("run {ended} has ended; "), format!("run {goes_on} has been stopped; to go on: ")];
    assert!(printed.lines().zip(&says).all(|(line, says)| line.starts_with(says)), "{printed}");
    assert_eq!(printed.lines().count(), 2, "{printed}");
    let (code, _, message) = said(&runs.run(&format!("runs --stop {ended} {goes_on}")));
    assert_eq!(code, Some(2));
    assert!(message.contains(&format!("run {ended} has ended: there is nothing to stop")), "{message}");
}

/// A suspended run hears no signal: the command says what it waits for.
#[test]
fn to_stop_a_suspended_run_takes_another_signal() {
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --threads 1");
    runs.until(id, "running");
    let pid = runs.row(id)["pid"].to_string();
    runs.signal(id, "STOP");
    let mut stop = runs.command(&format!("runs --stop {id}"));
    let mut stop = stop.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut waits = String::new();
    BufReader::new(stop.stderr.as_mut().unwrap()).read_line(&mut waits).unwrap();
    assert!(Command::new("kill").args(["-s", "CONT", &pid]).status().unwrap().success());
    let says = format!("waiting for run {id} (process {pid}), which is suspended: kill -CONT {pid} lets it end");
    assert!(waits.contains(&says), "{waits}");
    let printed = stdout(&stop.wait_with_output().unwrap());
    assert!(printed.starts_with(&format!("run {id} has been stopped; to go on: ")), "{printed}");
}

#[test]
fn a_folder_that_others_can_write_to_is_not_used() {
    let runs = Runs::new();
    fs::create_dir(runs.path()).unwrap();
    fs::set_permissions(runs.path(), fs::Permissions::from_mode(0o750)).unwrap();
    for args in ["runs", "attach", "search 6x6 --detach"] {
        let (code, _, message) = said(&runs.run(args));
        assert!(
            code == Some(2) && message.contains("others can get in (mode 750)") && message.contains("chmod 700 "),
            "{args} says: {message}"
        );
    }
    fs::remove_dir(runs.path()).unwrap();
    fs::write(runs.path(), "mine").unwrap();
    assert!(stderr(&runs.run("runs")).contains("is no folder"));
    fs::remove_file(runs.path()).unwrap();
    std::os::unix::fs::symlink("/tmp", runs.path()).unwrap();
    assert!(stderr(&runs.run("runs")).contains("is no folder"));
    let long = format!("/tmp/{}", "x".repeat(120));
    let (code, _, message) = said(&runs.command("runs").env("DESTRIER_RUNS", long).output().unwrap());
    assert!(code == Some(2) && message.contains("too long for a socket"), "{message}");
}

/// The tours of a run that was killed, or stopped, and gone on with are those of one that was not.
#[test]
fn one_that_died_or_was_stopped_is_gone_on_with_by_the_command_that_is_listed() {
    let runs = Runs::new();
    let whole = json(&["search", "6x7", "--solver", "path", "--json"]);
    for (halt, state) in [("kill@nodes:5000000", "died"), ("stop@nodes:5000000", "stopped")] {
        let out = runs.folder.path().join(state);
        let args = format!("search 6x7 --solver path --threads 1 --every 20ms --detach --out {}", out.display());
        let begun = runs.command(&args).env(HALT, halt).output().unwrap();
        let id = Runs::number(&begun);
        let row = runs.until(id, state);
        let resume = row["resume"].as_str().unwrap_or_else(|| panic!("it can be gone on with: {row}")).to_owned();
        assert!(stdout(&runs.run("runs")).contains(&resume));
        let refused = said(&runs.run(&format!("attach {id}")));
        assert!(refused.0 == Some(2) && refused.2.contains(&resume), "{refused:?}");
        let words = resume.strip_prefix("destrier ").expect("a command of ours");
        let after = runs.begin(words);
        let ended = runs.until(after, "ended");
        assert_eq!(["tours", "nodes"].map(|key| &ended["report"][key]), ["tours", "nodes"].map(|key| &whole[key]));
        let tours = Listing::of(&out);
        assert_eq!(
            (tours.lines, tours.different()),
            (whole["tours"].as_u64().unwrap(), whole["tours"].as_u64().unwrap())
        );
        assert!(!is_there(&runs.path(), &format!("{id}.sock")) || state == "died");
    }
}

fn is_there(folder: &Path, name: &str) -> bool {
    folder.join(name).exists()
}

#[test]
fn a_run_that_goes_on_is_not_forgotten_and_is_told_to_scripts() {
    let runs = Runs::new();
    let begun = object(&runs.run("search 8x8 --threads 1 --detach --json"));
    let (id, pid) = (begun["id"].as_u64().unwrap(), begun["pid"].as_u64().unwrap());
    let row = runs.row(id);
    assert_eq!((row["pid"].as_u64(), row["state"].as_str()), (Some(pid), Some("running")));
    assert_eq!(row["socket"], begun["socket"]);
    let refused = said(&runs.run(&format!("runs --forget {id}")));
    assert!(
        refused.0 == Some(2) && refused.2.contains(&format!("run {id} goes on: destrier runs --stop {id} ends it")),
        "{refused:?}"
    );
    // Its screen is asked for where there is none.
    let refused = said(&runs.run("attach"));
    assert!(refused.0 == Some(2) && refused.2.contains("attach needs a terminal"), "{refused:?}");
    // It has no parent in this test, and leads a session of its own.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let session = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(3)?.parse().ok());
    assert!(session.is_none_or(|session: u64| session == pid), "{stat}");
    runs.signal(id, "HUP");
    runs.until(id, "stopped");
}

/// SIGUSR1 saves it and SIGUSR2 ends it, as batch systems ask.
#[test]
fn a_batch_system_has_a_run_saved_and_ended() {
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --threads 1 --checkpoint run --every 1h");
    let checkpoint = || fs::read(runs.folder.path().join("run")).unwrap();
    let first = checkpoint();
    wait_until("another checkpoint", || {
        runs.signal(id, "USR1");
        checkpoint() != first
    });
    assert_eq!(runs.row(id)["state"], "running");
    runs.signal(id, "USR2");
    runs.until(id, "stopped");
}

/// A run whose process is gone is `ending` as long as what it has saved is locked, and `died` afterwards.
#[test]
fn a_run_that_was_killed_is_ending_until_its_checkpoint_is_free() {
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --threads 1");
    let checkpoint = runs.path().join(format!("{id}.checkpoint"));
    // As the process would, if the system were slow to take its files back.
    runs.signal(id, "KILL");
    let mut held = None;
    wait_until("its lock is free", || {
        held = Locked::try_new(&checkpoint);
        held.is_some()
    });
    let row = runs.row(id);
    assert_eq!((&row["state"], &row["resume"]), (&"ending".into(), &Value::Null), "{row}");
    let refused = said(&runs.run(&format!("runs --forget {id}")));
    assert!(refused.0 == Some(2) && refused.2.contains("has not quite ended"), "{refused:?}");
    drop(held);
    assert!(runs.row(id)["resume"].as_str().is_some_and(|resume| resume.starts_with("destrier resume ")));
    assert_eq!(runs.row(id)["state"], "died");
}

/// What another run has gone on with is not removed with the one that was before it.
#[test]
fn the_file_of_a_run_that_goes_on_is_not_forgotten_with_another_one() {
    let runs = Runs::new();
    let first = runs.begin("search 8x8 --threads 1");
    runs.signal(first, "KILL");
    let resume = runs.until(first, "died")["resume"].as_str().expect("it was kept").replace("destrier ", "");
    let second = runs.begin(&resume);
    // It is dead, however another run holds what it has saved; and says which one that is.
    let row = runs.row(first);
    assert_eq!((&row["state"], &row["resumed_by"]), (&"died".into(), &second.into()));
    assert!(row["resume"].is_null() && stdout(&runs.run("runs")).contains(&format!("resumed by run {second}")));
    assert_eq!(runs.run(&format!("runs --forget {first}")).status.code(), Some(0));
    runs.signal(second, "KILL");
    let row = runs.until(second, "died");
    assert_eq!(row["resume"].as_str().map(|resume| resume.replace("destrier ", "")), Some(resume));
    // One whose socket was cleaned away still goes on.
    let third = runs.begin("search 8x8 --threads 1");
    fs::remove_file(runs.row(third)["socket"].as_str().expect("it answers")).unwrap();
    assert_eq!(runs.row(third)["state"], "running");
    assert_eq!(runs.run(&format!("runs --forget {third}")).status.code(), Some(2));
    runs.signal(third, "KILL");
    runs.until(third, "died");
}

#[test]
fn a_count_is_resumed_so_too() {
    let runs = Runs::new();
    let first = runs.begin("count 8x8 --threads 1 --checkpoint kept");
    runs.signal(first, "KILL");
    runs.until(first, "died");
    let second = runs.begin("resume kept");
    runs.signal(second, "KILL");
    runs.until(second, "died");
}

#[test]
fn a_part_can_be_made_so_too() {
    let runs = Runs::new();
    let id = runs.begin("search 6x6 --shard 1/2 --out-dir parts");
    runs.until(id, "ended");
    assert_eq!(runs.run("search 6x6 --shard 2/2 --out-dir parts").status.code(), Some(0));
    let merged = object(&runs.run("merge parts --json"));
    assert_eq!(merged["tours"], 9862);
}

#[test]
fn nothing_is_hosted_by_a_name_that_is_made_up() {
    assert_refused(&["search", "6x6", "--hosted", "x"], "--hosted");
}

#[test]
fn a_run_is_stopped_by_its_number_and_its_file_is_there_then() {
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --solver path --threads 2 --checkpoint kept.run");
    runs.until(id, "running");
    let (code, said_out, said_err) = said(&runs.run(&format!("runs --stop {id}")));
    assert_eq!(code, Some(0), "{said_err}");
    assert!(said_out.starts_with(&format!("run {id} has been stopped; to go on: destrier resume ")), "{said_out}");
    assert!(runs.path().parent().unwrap().join("kept.run").exists());
    assert_eq!(runs.row(id)["state"], "stopped");
    let (code, _, said_err) = said(&runs.run(&format!("runs --stop {id}")));
    assert!(code == Some(2) && said_err.contains("has been stopped: there is nothing to stop"), "{said_err}");
    let (code, _, said_err) = said(&runs.run("runs --stop 99"));
    assert!(code == Some(2) && said_err.contains("there is no run 99"), "{said_err}");
}

/// The doctor says whether the folder can be used, and makes none.
#[test]
fn the_doctor_says_whether_runs_find_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let doctor = |place: &Path| {
        let output = heedful(&PROGRAM).args(["doctor", "--json"]).env("DESTRIER_RUNS", place).output().unwrap();
        object(&output)
    };
    let (new, file) = (folder.path().join("runs"), folder.path().join("file"));
    assert_eq!((doctor(&new)["runs"]["folder"].as_str(), new.exists()), (new.to_str(), false));
    fs::write(&file, "").unwrap();
    for (place, why) in [(&*file, "is no folder"), (&folder.path().join("none/runs"), "No such file")] {
        let told = doctor(place);
        assert!(told["runs"]["refused"].as_str().is_some_and(|refused| refused.contains(why)), "{told}");
        assert!(told["advice"].as_array().is_some_and(|advice| advice.contains(&told["runs"]["refused"])), "{told}");
    }
}

/// A run whose file cannot be read is listed with what to do, and the number of a run is that of its file.
#[test]
fn a_run_whose_file_cannot_be_read_is_listed() {
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --threads 1");
    let [entry, sound, socket] = ["1.json", "sound", "1.sock"].map(|name| runs.path().join(name));
    let pid = runs.row(id)["pid"].clone();
    fs::copy(&entry, &sound).unwrap();
    let good = fs::read_to_string(&entry).unwrap();
    let forged = |key: &str| {
        let mut entry: Value = serde_json::from_str(&good).unwrap();
        entry[key] = (-1).into();
        entry.to_string()
    };
    let put = |text: &str| {
        fs::remove_file(&entry).unwrap();
        fs::write(&entry, text).unwrap();
    };
    let told = || {
        let (code, listed, _) = said(&runs.run("runs"));
        let lines: Vec<&str> = listed.lines().collect();
        assert!(code == Some(0) && lines[1].starts_with("   1  unreadable: 1.json: "), "{listed}");
        assert!(listed.contains(&format!("destrier attach {}", socket.display())), "{listed}");
        let row = runs.row(id);
        assert!(row["state"] == "unreadable" && row["pid"].is_null() && row["question"].is_null(), "{row}");
        for words in ["runs --stop 1", "runs --forget 1", "runs 1", "resume 1"] {
            let (code, printed, why) = said(&runs.run(words));
            assert!(
                code == Some(2) && printed.is_empty() && why.contains("run 1 is unreadable: 1.json: "),
                "{words}: {why}"
            );
        }
    };
    for text in [&good[..50], "junk", &forged("pid"), &forged("began_s")] {
        put(text);
        told();
    }
    put(&" ".repeat(5 << 20));
    told();
    fs::remove_file(&entry).unwrap();
    std::os::unix::fs::symlink("nowhere", &entry).unwrap();
    told();
    fs::remove_file(&entry).unwrap();
    fs::create_dir(&entry).unwrap();
    told();
    fs::remove_dir(&entry).unwrap();
    assert!(Command::new("mkfifo").arg(&entry).status().unwrap().success());
    told();
    assert!(sound.exists() && runs.path().join("1.checkpoint").exists(), "nothing was removed");
    // The number in the file is another one.
    let mut other: Value = serde_json::from_str(&good).unwrap();
    other["id"] = 99.into();
    put(&other.to_string());
    assert_eq!((&runs.row(id)["pid"], runs.row(id)["id"].as_u64()), (&pid, Some(1)));
    assert_eq!(said(&runs.run("runs --stop 1")).0, Some(0));
    let (code, _, why) = said(&runs.run("runs --forget 99"));
    assert!(code == Some(2) && why.contains("there is no run 99"), "{why}");
    assert_eq!(said(&runs.run("runs --forget 1")).0, Some(0));
    assert!(!entry.exists() && !runs.path().join("1.checkpoint").exists());
}

/// A new run that is saved under the name of an old one is not that run.
#[test]
fn a_new_run_does_not_take_the_place_of_an_old_one_in_the_list() {
    let runs = Runs::new();
    let id = runs.begin("search 5x6 --checkpoint kept");
    let ended = runs.until(id, "ended");
    fs::remove_file(runs.folder().join("kept")).unwrap();
    let output = runs.run("search 3x4 --open --checkpoint kept");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let row = runs.row(id);
    assert_eq!(
        ["question", "pid", "report"].map(|key| &row[key]),
        ["question", "pid", "report"].map(|key| &ended[key])
    );
}
