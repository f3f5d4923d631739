//! `destrier gpu map`: the object and the lines that scripts depend on, files, and bad input.

use crate::common::PROGRAM;
use crate::trial;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output, Stdio};

fn map(args: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(["gpu", "map"]).args(args);
    command.stdin(Stdio::null()).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

fn json(args: &[&str]) -> Value {
    let output = map(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).expect("one object")
}

#[test]
fn the_json_object_keeps_the_contract() {
    let report = json(&["8x8", "--adapter", "cpu", "--threads", "3", "--json"]);
    for (key, value) in [
        ("board", Value::from("8x8")),
        ("orders", 1.into()),
        ("starts", 64.into()),
        ("knights", 64.into()),
        ("complete", 63.into()),
        ("best_order", "01234567".into()),
        ("device", "CPU, 3 threads (no GPU)".into()),
        ("stopped", Value::Null),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    assert!(report["elapsed_s"].is_f64());
    let rows = report["map"].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]), (8, &Value::from(vec![1, 1, 0, 1, 1, 1, 1, 1])));
}

#[test]
fn the_best_order_is_the_first_of_those_that_complete_from_the_most_starts() {
    let report = json(&["8x8", "--adapter", "cpu", "--orders", "3", "--json"]);
    assert_eq!((&report["best_order"], &report["best_complete"]), (&"01234576".into(), &64.into()));
    assert_eq!(report["histogram"], serde_json::json!({ "63": 2, "64": 1 }));
}

#[test]
fn without_a_gpu_the_cpu_does_it_and_says_so() {
    // Where there is a GPU it is the GPU that does it.
    let report = json(&["5x5", "--json"]);
    assert_eq!(report["complete"], 9);
    let device = report["device"].as_str().expect("a name");
    assert_eq!(device.starts_with("CPU, "), report["why"].is_string(), "{device}");
}

#[test]
fn a_line_for_each_start_goes_to_stdout_or_to_a_file_that_is_never_replaced_unasked() {
    let output = map(&["3x4", "--adapter", "cpu", "--csv", "-"]);
    let text = stdout(&output);
    assert!(text.starts_with("square,row,col,complete,orders\na3,0,0,"), "{text}");
    assert_eq!(text.lines().count(), 13);
    assert!(stderr(&output).contains("12 starts"));

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("map.csv");
    let name = file.to_str().expect("text");
    let args = ["3x4", "--adapter", "cpu", "--csv", name];
    assert_eq!(map(&args).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), text);
    let refused = map(&args);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--csv") && stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(map(&[&args[..], &["--force"]].concat()).status.code(), Some(0));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside the file");
}

#[test]
fn boards_without_a_tour_and_of_one_square_are_answered() {
    for (board, complete) in [("1x1", 1), ("1x9", 0), ("4x4", 0), ("9x1", 0)] {
        assert_eq!(json(&[board, "--adapter", "cpu", "--orders", "5", "--json"])["complete"], complete * 5, "{board}");
    }
}

#[test]
fn a_device_beside_the_cpu_agrees() {
    let output = map(&["6x6", "--orders", "20", "--compare", "--json"]);
    if output.status.code() == Some(2) {
        return trial::skip(stderr(&output));
    }
    let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((&report["compare"]["equal"], &report["compare"]["knights"]), (&true.into(), &720.into()));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn bad_input_is_refused_before_any_work() {
    for (args, says) in [
        (&["8x8", "--orders", "0"][..], "1..=40320"),
        (&["8x8", "--orders", "40321"], "1..=40320"),
        (&["8x8", "--threads", "0"], "1..=4096"),
        (&["1025x1024"], "up to 1048576 squares"),
        (&["8x"], "write ROWSxCOLS"),
        (&["8x8", "--csv", "-", "--json"], "both claim stdout"),
        (&["8x8", "--csv", "/nowhere/at/all"], "--csv /nowhere/at/all: cannot write"),
        (&["8x8", "--force"], "--csv"),
        (&["8x8", "--compare", "--adapter", "cpu"], "--compare"),
        (&["8x8", "--adapter", "nonsense"], "--adapter: "),
    ] {
        let output = map(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        assert_eq!(stdout(&output), "", "{args:?}");
        assert!(stderr(&output).contains(says), "{args:?} says: {}", stderr(&output));
    }
    // Without a terminal, or without the views.
    assert_eq!(map(&["8x8", "--watch"]).status.code(), Some(2));
}

#[test]
fn a_signal_stops_it_with_what_there_is() {
    let mut command = Command::new(PROGRAM);
    command.args(["gpu", "map", "60x60", "--orders", "40320", "--adapter", "cpu", "--json"]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let id = rustix::process::Pid::from_raw(child.id() as i32).expect("it runs");
    rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it can be asked");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["stopped"], "signal");
}
