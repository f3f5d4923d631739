//! `destrier gpu map`: the object and the lines that scripts depend on, files, and bad input.

use crate::common::{self, assert_refused, destrier, names, object, path, run, send, spawn, stderr, stdout};
use crate::count::wait_for_work;
use serde_json::Value;
use std::fs;
use std::process::Output;

fn map(args: &[&str]) -> Output {
    run(&[&["gpu", "map"], args].concat())
}

fn json(args: &[&str]) -> Value {
    common::json(&[&["gpu", "map"], args, &["--json"]].concat())
}

#[test]
fn the_json_object_keeps_the_contract() {
    let report = json(&["8x8", "--adapter", "cpu", "--threads", "3"]);
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
    let report = json(&["8x8", "--adapter", "cpu", "--orders", "3"]);
    assert_eq!((&report["best_order"], &report["best_complete"]), (&"01234576".into(), &64.into()));
    assert_eq!(report["histogram"], serde_json::json!({ "63": 2, "64": 1 }));
}

#[test]
fn without_a_gpu_the_cpu_does_it_and_says_so() {
    // Where there is a GPU it is the GPU that does it.
    let report = json(&["5x5"]);
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
    let file = path(&folder, "map.csv");
    let args = ["3x4", "--adapter", "cpu", "--csv", &file];
    assert_eq!(map(&args).status.code(), Some(0));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), text);
    let refused = map(&args);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--csv") && stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(map(&[&args[..], &["--force"]].concat()).status.code(), Some(0));
    assert_eq!(names(folder.path()), ["map.csv"], "nothing is left beside the file");
}

#[test]
fn boards_without_a_tour_and_of_one_square_are_answered() {
    for (board, complete) in [("1x1", 1), ("1x9", 0), ("4x4", 0), ("9x1", 0)] {
        assert_eq!(json(&[board, "--adapter", "cpu", "--orders", "5"])["complete"], complete * 5, "{board}");
    }
}

#[test]
fn a_device_beside_the_cpu_agrees() {
    let output = map(&["6x6", "--orders", "20", "--compare", "--json"]);
    let report = object(&output);
    assert_eq!((&report["compare"]["equal"], &report["compare"]["knights"]), (&true.into(), &720.into()));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn without_a_device_the_workers_are_compared_with_a_plain_twin() {
    let args = ["6x6", "--orders", "20", "--compare", "--adapter", "cpu"];
    let output = map(&args);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let says = ["compared   without a device: the CPU's workers with a plain twin", "equal      all 720 knights"];
    assert!(says.iter().all(|says| text.contains(says)) && text.contains("the workers "), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let report = json(&[&args[..], &["--threads", "2"]].concat());
    assert_eq!(report["compare"]["device"], "plain twin, square by square (no GPU)");
    assert_eq!(report["compare"]["equal"], true);
}

#[test]
fn bad_input_is_refused_before_any_work() {
    for (args, says) in [
        (&["8x8", "--orders", "0"][..], "from 1 to 40320"),
        (&["8x8", "--orders", "40321"], "from 1 to 40320"),
        (&["8x8", "--threads", "0"], "from 1 to 4096"),
        (&["1025x1024"], "up to 1048576 squares"),
        (&["8x"], "write ROWSxCOLS"),
        (&["8x8", "--csv", "-", "--json"], "both claim stdout"),
        (&["8x8", "--csv", "/nowhere/at/all"], "--csv /nowhere/at/all: the folder /nowhere/at is not there"),
        (&["8x8", "--force"], "--csv"),
        (&["8x8", "--adapter", "nonsense"], "--adapter: "),
        (&["8x8", "--watch"], "the map and its bars are printed at the end"),
    ] {
        assert_refused(&[&["gpu", "map"], args].concat(), says);
    }
}

#[test]
fn a_signal_stops_it_with_what_there_is() {
    let child = spawn(destrier(&["gpu", "map", "60x60", "--orders", "40320", "--adapter", "cpu", "--json"]));
    wait_for_work(child.id(), 1);
    send(&child, "INT");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(object(&output)["stopped"], "signal");
}
