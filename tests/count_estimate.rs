//! The command line of `count --estimate`: the object, the digits of a seed, boards without tours, signals, refusals.

use crate::common::{assert_refused, destrier, json_of, object, run, said, send, spawn, stdout};
use crate::count::wait_for_work;
use serde_json::Value;

/// The object of an estimate that ends well.
fn estimate(args: &str) -> Value {
    let args: Vec<&str> = ["count", "--estimate", "--json"].into_iter().chain(args.split_whitespace()).collect();
    json_of(&args, 0)
}

#[test]
fn the_object_keeps_the_contract() {
    let report = estimate("6x6 --samples 500 --rng 4 --threads 2");
    for (key, value) in [
        ("board", Value::from("6x6")),
        ("ending", "closed".into()),
        ("convention", "undirected".into()),
        ("confidence", 0.95.into()),
        ("samples", 500.into()),
        ("seed", 4.into()),
        ("threads", 2.into()),
        ("complete", true.into()),
        ("stopped", Value::Null),
        ("known", "9862".into()),
        ("holds", true.into()),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    let [low, middle, high, effective] =
        ["low", "estimate", "high", "effective"].map(|key| report[key].as_f64().unwrap());
    assert!(0.0 < low && low < middle && middle < high, "{report}");
    assert!(1.0 < effective && effective <= 500.0, "{report}");
    assert!(report["elapsed_s"].as_f64().is_some_and(|seconds| seconds > 0.0), "{report}");
    let open = estimate("5x5 --open --samples 500");
    assert_eq!((&open["convention"], &open["known"]), (&"directed".into(), &"1728".into()));
    let holed = estimate("6x6-a1,f1 --samples 500");
    assert_eq!((&holed["holes"][1], holed.get("known")), (&"f1".into(), None));
    let [low, high] = ["low", "high"].map(|key| holed[key].as_f64().unwrap());
    assert!((low..high).contains(&51_504.0), "{holed}");
    let none = estimate("6x6-a1,f6");
    assert!(none["estimate"] == 0.0 && none["reason"].as_str().unwrap().contains("16 dark squares"), "{none}");
}

#[test]
fn a_seed_gives_the_same_digits_on_any_number_of_threads() {
    let digits = |args: &str| {
        let report = estimate(args);
        ["estimate", "low", "high", "effective"].map(|key| report[key].clone())
    };
    let one = digits("8x8 --samples 300 --threads 1");
    assert_eq!(digits("8x8 --samples 300 --threads 3"), one);
    assert_ne!(digits("8x8 --samples 300 --threads 3 --rng 1"), one);
}

#[test]
fn boards_beyond_a_count_are_answered() {
    let report = estimate("10x10 --samples 100");
    // 10^26, from many runs of this program; a hundred walks give it within a factor.
    assert!(report["estimate"].as_f64().is_some_and(|tours| (1e25..1e27).contains(&tours)), "{report}");
    assert_eq!(report.get("known"), None, "no table has it: {report}");
    assert!(estimate("6x6 --for 1ms")["samples"].as_u64().is_some_and(|samples| samples > 0));
    let text = stdout(&run(&["count", "8x8", "--estimate", "--samples", "100"]));
    for line in
        ["8x8 closed tours, estimated", "tours    about ", "95 %     ", "known    13,267,", "samples  100, worth "]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    let text = stdout(&run(&["count", "8x8", "--estimate", "--samples", "1"]));
    assert!(text.contains("too few samples"), "{text}");
}

#[test]
fn a_board_without_tours_has_none_and_the_reason() {
    let report = estimate("4x4 --for 1h");
    for (key, value) in [
        ("estimate", 0.0.into()),
        ("low", 0.0.into()),
        ("high", 0.0.into()),
        ("samples", 0.into()),
        ("complete", Value::Bool(true)),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    assert!(report["reason"].as_str().is_some_and(|reason| reason.contains("Schwenk")), "{report}");
    let open = estimate("1x1 --open --samples 50");
    assert_eq!((&open["estimate"], &open["high"]), (&1.0.into(), &1.0.into()));
    let text = stdout(&run(&["count", "3x5", "--open", "--estimate"]));
    assert!(text.contains("tours    0 directed") && text.contains("none     "), "{text}");
}

#[test]
fn a_signal_prints_what_is_known_so_far() {
    for ending in ["--closed", "--open"] {
        let args = ["count", "8x8", ending, "--estimate", "--samples", "1000000000000", "--threads", "3", "--json"];
        let child = spawn(destrier(&args));
        wait_for_work(child.id(), 3);
        send(&child, "TERM");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(143), "{:?}", said(&output));
        let report = object(&output);
        assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()));
        assert!(report["samples"].as_u64().is_some_and(|samples| samples > 0), "{report}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    for (args, says) in [
        ("17x18 --estimate", "up to 256, such as 16x16"),
        ("1000000x1000 --estimate", "up to 256"),
        ("8x8 --estimate --unique", "cannot be used with"),
        ("8x8 --estimate --open --strict", "cannot be used with"),
        ("8x8 --estimate --start a1", "cannot be used with"),
        ("8x8 --estimate --checkpoint FOLDER/file", "cannot be used with"),
        ("8x8 --estimate --modulus 7 --out-dir FOLDER", "cannot be used with"),
        ("8x8 --estimate --spill FOLDER", "cannot be used with"),
        ("8x8 --estimate --record FOLDER/file", "cannot be used with"),
        ("8x8 --estimate --memory 1G", "cannot be used with"),
        ("8x8 --estimate --plan", "cannot be used with"),
        ("8x8 --estimate --watch", "cannot be used with"),
        ("8x8 --estimate --detach", "cannot be used with"),
        ("8x8 --estimate --closed --open", "cannot be used with"),
        ("8x8 --estimate --for 1s --samples 9", "cannot be used with"),
        ("8x8 --samples 9", "--estimate"),
        ("8x8 --for 1s", "--estimate"),
        ("8x8 --rng 1", "--estimate"),
        ("8x8 --estimate --samples 0", "write a number from 1 to"),
        ("8x8 --estimate --for soon", "soon"),
        ("8x8 --estimate --rng x", "is no seed"),
    ] {
        let args = args.replace("FOLDER", folder);
        let args: Vec<&str> = ["count"].into_iter().chain(args.split_whitespace()).collect();
        assert_refused(&args, says);
    }
}

#[test]
fn a_count_that_is_too_large_offers_an_estimate() {
    for (args, says) in [
        (vec!["count", "10x10"], "destrier count 10x10 --estimate"),
        (vec!["count", "12x10", "--open"], "destrier count 12x10 --open --estimate"),
        (vec!["count", "10x10", "--plan"], "destrier count 10x10 --estimate"),
        (vec!["count", "8x8", "--memory", "50M"], "destrier count 8x8 --estimate"),
        (vec!["count", "8x8", "--memory", "500M"], "destrier count 8x8 --estimate"),
    ] {
        assert_refused(&args, says);
    }
    for args in [vec!["count", "17x17"], vec!["count", "10x10", "--unique"]] {
        let (_, _, refusal) = said(&run(&args));
        assert!(!refusal.contains("--estimate"), "{refusal}");
    }
}
