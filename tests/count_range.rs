//! `destrier count 8x1..40`: the boards of a range, each with its number and what it was counted modulo; what does not go
//! with a range; stopping.

use crate::common::{assert_refused, destrier, halted, object, run, send, spawn, stderr, stdout};
use crate::count::wait_for_work;
use serde_json::Value;

/// The object that a count of a range prints; it must end well.
fn range(args: &str) -> Value {
    let args: Vec<&str> = ["count"].into_iter().chain(args.split_whitespace()).chain(["--json"]).collect();
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    let report = object(&output);
    assert_eq!((&report["complete"], &report["stopped"]), (&true.into(), &Value::Null), "{args:?}");
    report
}

/// The boards of a report that have tours, and how many.
fn tours(report: &Value) -> Vec<(&str, &str)> {
    let boards = report["boards"].as_array().unwrap().iter();
    let all = boards.map(|line| (line["board"].as_str().unwrap(), line["count"].as_str().unwrap()));
    all.filter(|(_, count)| *count != "0").collect()
}

/// Numbers of `board::known_counts`' sources.
#[test]
fn every_board_of_a_range_has_its_number() {
    assert_eq!(tours(&range("3x1..14")), [("3x10", "16"), ("3x12", "176"), ("3x14", "1536")]);
    assert_eq!(tours(&range("1..8x5")), [("6x5", "8"), ("8x5", "44202")]);
    assert_eq!(tours(&range("4x1..9")), []);
    assert_eq!(tours(&range("6x5..7")), [("6x5", "8"), ("6x6", "9862"), ("6x7", "1067638")]);
    let open = [("5x1", "0"), ("5x2", "0"), ("5x3", "0"), ("5x4", "164"), ("5x5", "1728"), ("5x6", "37568")];
    assert_eq!(tours(&range("5x1..6 --open")), open[3..]);
    assert_eq!(tours(&range("3x4..8 --open")), [("3x4", "16"), ("3x7", "104"), ("3x8", "792")]);
    assert_eq!(tours(&range("6x6..6 --open --strict")), [("6x6", "5927856")]);
    assert_eq!(tours(&range("1x1..3 --open")), [("1x1", "1")]);
}

/// Either side of a range of one board may be the fixed one; it is the shorter one, whose sweep has fewer states.
#[test]
fn a_range_of_one_board_is_swept_along_its_longer_side() {
    for (typed, board, count) in [("10..10x3", "10x3", "16"), ("10x3..3", "10x3", "16"), ("3x10..10", "3x10", "16")] {
        assert_eq!(tours(&range(typed)), [(board, count)], "{typed}");
    }
    assert_eq!(tours(&range("13..13x3")), []);
    let peak = |typed: &str| range(&format!("{typed} --open"))["peak_states"].as_u64();
    let least = peak("5x7..7");
    assert!(least.is_some_and(|states| states > 1000));
    for typed in ["7..7x5", "7x5..5", "5..5x7"] {
        assert_eq!(peak(typed), least, "{typed}");
    }
}

#[test]
fn the_json_object_keeps_the_contract() {
    let report = range("5x1..22 --threads 3");
    for (key, value) in [
        ("range", Value::from("5x1..22")),
        ("ending", "closed".into()),
        ("strict", false.into()),
        ("threads", 3.into()),
        ("stopped", Value::Null),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    let boards = report["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 22);
    let line = |length: usize| &boards[length - 1];
    let of = |length: usize| ["board", "count", "convention"].map(|key| line(length)[key].as_str().unwrap());
    assert_eq!(of(18), ["5x18", "161514101568508400", "undirected"]);
    assert_eq!(of(20), ["5x20", "53034853662012222798", "undirected"]);
    assert_eq!(of(22), ["5x22", "17414154188157170439208", "undirected"]);
    // Exact as long as no counter has overflowed; no number is wanted of boards with an odd number of squares.
    assert_eq!((&line(14)["moduli"], &line(21)["moduli"]), (&Value::from(Vec::<Value>::new()), &line(14)["moduli"]));
    assert_eq!(line(22)["moduli"], Value::from(vec!["2^64", "72057594037927931"]));
    assert!(report["states"].as_u64() > report["peak_states"].as_u64());
    assert!(report["elapsed_s"].is_f64() && report["peak_bytes"].is_u64());
}

/// Of 31 bits and of 56, disjoint: they confirm each other.
#[test]
fn other_primes_give_the_same_numbers() {
    let whole = range("5x20..22");
    for below in ["2147483648", "72057594037927936", "72057594037900000", "1099511627776"] {
        let report = range(&format!("5x20..22 --primes-below {below}"));
        assert_eq!(tours(&report), tours(&whole), "{below}");
        let moduli = report["boards"][2]["moduli"].as_array().unwrap();
        let below: u64 = below.parse().unwrap();
        let primes: Vec<u64> = moduli.iter().map(|prime| prime.as_str().unwrap().parse().unwrap()).collect();
        assert!(primes.len() > 1 && primes.iter().all(|&prime| prime < below), "{primes:?}");
        assert!(primes.is_sorted_by(|a, b| a > b), "{primes:?}");
    }
    for below in ["2147483648", "72057594037927936"] {
        let output = run(&["count", "5x22", "--primes-below", below, "--json"]);
        let report = object(&output);
        assert_eq!(report["count"], "17414154188157170439208", "{below}");
        assert!(!report["how"].as_str().unwrap().contains("2^64"), "{report}");
    }
}

#[test]
fn one_modulus_leaves_a_remainder_of_every_board() {
    let report = range("6x6..8 --modulus 65521");
    assert_eq!(report["modulus"], 65_521);
    for (at, (board, count)) in [("6x6", 9862u64), ("6x7", 1_067_638), ("6x8", 55_488_142)].into_iter().enumerate() {
        let line = &report["boards"][at];
        assert_eq!((&line["board"], &line["count"]), (&board.into(), &Value::Null));
        assert_eq!(line["remainder"], (count % 65_521).to_string());
        assert_eq!(line["moduli"], Value::from(vec!["65521"]));
    }
    // A remainder of a difference: of the open tours, those that can be closed are taken away.
    let strict = range("6x6..6 --open --strict --modulus 101");
    assert_eq!(strict["boards"][0]["remainder"], (5_927_856 % 101).to_string());
    let text = stdout(&run(&["count", "6x6..8", "--modulus", "7"]));
    assert!(text.contains("so many more than a multiple of 7\n6x6  6\n6x7  5\n6x8  3\n"), "{text}");
}

#[test]
fn people_read_a_table() {
    let text = stdout(&run(&["count", "5x17..20", "--threads", "2"]));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "5x17..20 closed tours, undirected, 2 threads",
            "5x17  0",
            "5x18  161,514,101,568,508,400",
            "5x19  0",
            "5x20  53,034,853,662,012,222,798",
            "how      to 5x18 no count overflowed 64 bits: one pass is exact by itself; beyond by residues, at most modulo \
             2^64, 72057594037927931; one more changed nothing, or the last left 20 bits unused"
        ]
    );
    assert_eq!(lines.last(), Some(&"complete"));
}

#[test]
fn a_plan_is_of_the_whole_range() {
    let output = run(&["count", "6x1..20", "--plan", "--memory", "64M", "--json"]);
    let plan = object(&output);
    assert_eq!((&plan["board"], &plan["fits"]), (&"6x1..20".into(), &true.into()), "{plan}");
    assert_eq!(plan["sweeps"][0]["rows"].as_array().unwrap().len(), 20);
    let open = object(&run(&["count", "5x1..6", "--open", "--plan", "--memory", "64M", "--json"]));
    assert_eq!(open["sweeps"].as_array().unwrap().len(), 2, "{open}");
    assert_refused(&["count", "7x1..40", "--memory", "120M"], "What would fit: 6x1..40 (");
    assert_refused(&["count", "7x1..40", "--memory", "4M"], "counting the closed tours of 7x1..40 (");
}

#[test]
fn bad_ranges_and_options_of_one_board_are_refused_with_the_reason() {
    for (args, says) in [
        ("8x5..3", "the smaller side first"),
        ("8x0..3", "at least one row"),
        ("0x1..3", "at least one row"),
        ("8x..", "no range of sides"),
        ("8x1..", "no range of sides"),
        ("1..3x1..4", "one sweep has one width"),
        ("5..7", "one sweep has one width"),
        ("10x1..4", "at most 9 squares"),
        ("3x1..900000000", "boards; a range has up to"),
        ("3x900000000..900000001", "the plan alone"),
        ("6x1..8 --strict", "--open"),
        ("6x1..8 --modulus 9", "prime"),
        ("6x1..8 --start a1", "--start: does not go with a range of boards (6x1..8)"),
        ("6x1..8 --open --per-start", "--per-start: does not"),
        ("6x1..8 --unique", "--unique: does not"),
        ("6x1..8 --estimate", "--estimate: does not"),
        ("6x1..8 --watch", "--watch: does not"),
        ("6x1..8 --checkpoint /", "folder"),
        ("6x1..8 --checkpoint f --primes-below 2147483648", "cannot be used with"),
        ("6x1..8 --modulus 7 --out-dir d", "--out-dir: does not"),
        ("6x1..8 --record f", "--record: does not"),
        ("6x1..8 --detach", "--detach: does not"),
        ("6x1..8 --primes-below 1000", "from 1073741824 to 72057594037927936"),
        ("6x8 --primes-below 2147483648 --modulus 7", "cannot be used with"),
        ("6x8 --primes-below 2147483648 --checkpoint f", "cannot be used with"),
    ] {
        let args: Vec<&str> = ["count"].into_iter().chain(args.split_whitespace()).collect();
        assert_refused(&args, says);
    }
}

#[test]
fn a_signal_stops_it_and_what_is_settled_is_printed() {
    let child = spawn(destrier(&["count", "7x1..90", "--json", "--memory", "2G", "--threads", "3"]));
    wait_for_work(child.id(), 3);
    send(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let report = object(&output);
    assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()));
    assert!(report["boards"].as_array().is_some_and(|boards| boards.len() < 90), "{report}");
    assert!(stderr(&output).contains("--checkpoint FILE"), "{}", stderr(&output));
}

/// Counts in files, and two parts of a question that subtracts.
#[test]
fn a_range_in_files_and_a_difference_from_parts_have_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    let whole = range("5x18..22");
    assert_eq!(tours(&range(&format!("5x18..22 --spill {name}"))), tours(&whole));
    let parts = folder.path().join("parts");
    let parts = parts.to_str().unwrap();
    for modulus in ["2147483647", "2147483629"] {
        let question = ["count", "6x6", "--open", "--strict", "--modulus", modulus];
        let output = run(&[&question[..], &["--out-dir", parts]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    assert_eq!(object(&run(&["merge", parts, "--json"]))["count"], "5927856");
}

/// The plan alone takes long: it heeds the signal in its middle, and a file is begun that the count is resumed from.
#[test]
fn a_signal_stops_a_long_plan_and_leaves_a_file_to_go_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("range");
    let name = file.to_str().unwrap();
    for (more, says) in
        [(["--plan", "--threads=2"], ""), (["--checkpoint", name], "nothing is counted yet; to go on: ")]
    {
        let output = halted(&[&["count", "3x190000..200000", "--json"], &more[..]].concat(), "stop@start:1");
        assert_eq!(output.status.code(), Some(143), "{more:?}: {}", stderr(&output));
        let report = object(&output);
        assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()), "{report}");
        assert!(report["states"].as_u64().is_none_or(|states| states == 0), "it was heeded before the plan was made");
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
    assert_refused(
        &["count", "3x1..9", "--checkpoint", name],
        "is a checkpoint of the closed tours of 3x190000..200000",
    );
}

#[test]
fn a_range_that_was_stopped_goes_on_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("range");
    let name = file.to_str().unwrap();
    // In its second pass.
    let output = halted(&["count", "5x1..60", "--json", "--threads", "3", "--checkpoint", name], "stop@row:70");
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    assert!(stderr(&output).contains("; to go on: destrier resume "), "{}", stderr(&output));
    for option in ["--watch", "--detach", "--scheduler=serial"] {
        assert_refused(&["resume", name, option], option.split('=').next().unwrap());
    }
    let resumed = object(&run(&["resume", name, "--json"]));
    let whole = range("5x1..60");
    assert_eq!((&resumed["complete"], &resumed["boards"]), (&true.into(), &whole["boards"]));
    assert_refused(&["count", "5x1..61", "--checkpoint", name], "is a checkpoint of the closed tours of 5x1..60");
    assert_refused(
        &["count", "6x6", "--checkpoint", name],
        "is a checkpoint of the closed tours of 5x1..60, not of the closed tours of 6x6",
    );
}
