//! The command line of `count`: answers with their conventions, the JSON object, exit codes, bad input, refusals, files.

use crate::common::{
    assert_refused, destrier, halted, names, object, remarks, run, said, send, spawn, stderr, stdout, wait_until,
};
use serde_json::Value;
use std::fs;

/// The object that a count prints, after its board; it must end well and say nothing on stderr.
fn count(args: &str) -> Value {
    let args: Vec<&str> = ["count"].into_iter().chain(args.split_whitespace()).chain(["--json"]).collect();
    let output = run(&args);
    assert_eq!((output.status.code(), remarks(&output).as_str()), (Some(0), ""), "{args:?}");
    object(&output)
}

/// Numbers of `board::known_counts`' sources, and the convention that they are said in.
#[test]
fn numbers_are_right_and_say_what_they_count() {
    for (args, number, convention) in [
        ("6x6", "9862", "undirected"),
        ("6x6 --closed", "9862", "undirected"),
        ("6x6 --closed --start c3", "9862", "undirected"),
        ("6x6 --unique", "1245", "classes"),
        ("6x6 --open", "6637920", "directed"),
        // 2,963,928 undirected.
        ("6x6 --open --strict", "5927856", "directed"),
        ("6x6 --open --strict --unique", "370491", "classes"),
        ("5x5 --open", "1728", "directed"),
        ("5x5 --open --unique", "112", "classes"),
        // Half of 1728 begin in the corners and 304 in each.
        ("5x5 --open --start a1", "304", "directed"),
        ("5x5 --open --start a2", "0", "directed"),
        ("3x10", "16", "undirected"),
        ("1x1 --open", "1", "directed"),
        ("1x1", "0", "undirected"),
        ("4x4", "0", "undirected"),
        ("4x4 --open", "0", "directed"),
        ("2x200", "0", "undirected"),
        ("3x46", "10145938076107491328", "undirected"),
        // Beyond 64 bits: counts of 128 bits, and residues where those do not hold the number.
        ("5x22", "17414154188157170439208", "undirected"),
        ("5x40", "772473271844923268504474277422663237674924998", "undirected"),
    ] {
        let report = count(args);
        assert_eq!(
            (report["count"].as_str(), report["convention"].as_str()),
            (Some(number), Some(convention)),
            "{args}"
        );
        assert_eq!(report["complete"], true, "{args}");
    }
}

#[test]
fn the_json_object_keeps_the_contract() {
    let report = count("6x8 --threads 3");
    for (key, value) in [
        ("board", Value::from("6x8")),
        ("ending", "closed".into()),
        ("count", "55488142".into()),
        ("convention", "undirected".into()),
        ("threads", 3.into()),
        ("strict", false.into()),
        ("complete", true.into()),
        ("start", Value::Null),
        ("stopped", Value::Null),
        ("done", Value::Null),
        ("resumed", Value::Null),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    let (states, peak) = (report["states"].as_u64().unwrap(), report["peak_states"].as_u64().unwrap());
    assert!(0 < peak && peak < states, "{report}");
    assert!(report["elapsed_s"].as_f64().is_some_and(|seconds| seconds > 0.0), "{report}");
    assert!(report["how"].is_string(), "{report}");
    if cfg!(target_os = "linux") {
        assert!(report["peak_bytes"].as_u64().is_some_and(|bytes| bytes > peak), "{report}");
    }
}

#[test]
fn the_text_says_the_number_in_both_directions() {
    for (args, says) in [
        (&["count", "6x6"][..], "9,862 undirected; 19,724 directed"),
        (&["count", "6x6", "--open"], "6,637,920 directed; 3,318,960 undirected"),
        (&["count", "6x6", "--unique"], "1,245 classes\n"),
        (&["count", "5x5", "--open", "--start", "a1"], "304 directed\n"),
        (&["count", "1x1", "--open"], "1 directed\n"),
    ] {
        let output = run(args);
        assert_eq!((output.status.code(), remarks(&output).as_str()), (Some(0), ""), "{args:?}");
        let text = stdout(&output);
        assert!(text.contains(says) && text.ends_with("complete\n"), "{args:?}: {text}");
        // Of 1x1 nothing is counted.
        for label in ["how ", "states ", "time "].into_iter().skip(usize::from(args[1] == "1x1")) {
            assert!(text.contains(label), "{args:?}: {text}");
        }
    }
    for board in ["1x1", "1x300", "5x5", "1..300x1"] {
        let text = stdout(&run(&["count", board]));
        assert!(text.contains("\nstates   0, ") && !text.contains("\nhow "), "nothing was counted: {text}");
    }
    for board in ["1x1", "5x5"] {
        let report = object(&run(&["count", board, "--json"]));
        assert_eq!(report["how"], "no count is needed: it follows from the board", "{board}");
    }
    assert!(stdout(&run(&["count", "4x4", "--open", "--unique"])).contains("tours    0 classes\n"));
    assert!(stdout(&run(&["count", "1x1", "--open", "--unique"])).contains("tours    1 class\n"));
}

/// A remainder is never shown as if it were the number.
#[test]
fn a_remainder_says_what_it_is_a_remainder_of() {
    for (args, remainder) in [
        ("5x22 --modulus 2147483647", 17414154188157170439208u128 % 2147483647),
        ("6x6 --open --modulus 65521", 6637920 % 65521),
    ] {
        let report = count(args);
        assert_eq!((&report["count"], &report["complete"]), (&Value::Null, &true.into()), "{args}");
        assert_eq!(report["remainder"].as_str(), Some(remainder.to_string().as_str()), "{args}");
    }
    let text = stdout(&run(&["count", "6x6", "--modulus", "7"]));
    assert!(text.contains("6 more than a multiple of 7, undirected"), "9862 = 7 x 1408 + 6: {text}");
    assert!(count("6x6").get("remainder").is_none());
}

/// Published numbers are held against a remainder, those of undirected open tours doubled.
#[test]
fn a_remainder_is_held_against_what_is_known() {
    let report = count("6x6 --modulus 65521");
    assert_eq!((&report["known"], &report["agrees"]), (&"9862".into(), &true.into()));
    assert!(report["known_source"].as_str().is_some_and(|source| !source.is_empty()), "{report}");
    // 82 undirected.
    let report = count("4x5 --open --modulus 65521");
    assert_eq!((&report["known"], &report["agrees"]), (&"164".into(), &true.into()));
    let of_one_start = count("5x5 --open --start a1 --modulus 65521");
    assert!(of_one_start.get("known").is_none() && of_one_start.get("agrees").is_none(), "{of_one_start}");
    let text = stdout(&run(&["count", "6x6", "--modulus", "7"]));
    assert!(text.contains("known    9,862 has this remainder ("), "{text}");
}

#[test]
fn a_board_and_its_transpose_have_the_same_numbers() {
    for (args, transposed) in
        [("5x8", "8x5"), ("3x10", "10x3"), ("4x7 --open", "7x4 --open"), ("5x6 --open --strict", "6x5 --open --strict")]
    {
        assert_eq!(count(args)["count"], count(transposed)["count"], "{args}");
    }
    // a1 stays in its corner, a2 goes to b1.
    assert_eq!(count("4x5 --open --start a2")["count"], count("5x4 --open --start b1")["count"]);
}

#[test]
fn bad_input_is_refused_with_a_clear_error() {
    let nonsense = ["0", "-1", "lots", "3X", "", "1e3G", "99999999999999999999", "99999999999T"];
    let memory = nonsense.map(|size| (vec!["count", "6x6", "--memory", size], "3G"));
    let others = [
        (vec!["count"], "BOARD"),
        (vec!["count", "6x"], "write ROWSxCOLS"),
        (vec!["count", "6x6", "--closed", "--open"], "cannot be used with"),
        (vec!["count", "6x6", "--strict"], "--open"),
        (vec!["count", "6x6", "--strict", "--closed"], "cannot be used with"),
        (vec!["count", "6x6", "--modulus", "1"], "from 2 to 2147483647"),
        (vec!["count", "6x6", "--modulus", "9"], "prime"),
        // Said before anything is planned.
        (vec!["count", "40x40", "--modulus", "9"], "prime"),
        (vec!["count", "6x6", "--modulus", "7", "--unique"], "cannot be used with"),
        (vec!["count", "6x6", "--unique", "--start", "a1"], "cannot be used with"),
        (vec!["count", "6x6", "--start", "z9"], "--start"),
        (vec!["count", "6x6", "--start", "z9", "--open"], "--start"),
        (vec!["count", "6x6", "--threads", "0"], "from 1 to 4096"),
        (vec!["count", "6x6", "--threads", "5000"], "from 1 to 4096"),
        (vec!["count", "6x6", "--plan", "--watch"], "cannot be used with"),
        (vec!["count", "6x6", "--watch"], "--watch"),
        (vec!["count", "6x6", "--spill", "/dev/null/x"], "name a folder"),
        (vec!["count", "6x6", "--checkpoint", "/"], "folder"),
        (vec!["count", "6x6", "--checkpoint", "/nowhere/at/all"], "the folder /nowhere/at is not there"),
        (vec!["count", "40x40"], "too wide"),
        (vec!["count", "40x40", "--plan"], "too wide"),
        (vec!["count", "1000000x1000"], "too wide"),
    ];
    for (args, says) in memory.into_iter().chain(others) {
        assert_refused(&args, says);
        assert_refused(&[&args[..], &["--json"]].concat(), says);
    }
}

#[test]
fn what_does_not_fit_is_refused_before_it_starts() {
    let (code, printed, refusal) = said(&run(&["count", "8x8", "--memory", "500M", "--json"]));
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    for figure in ["8x8", "161,428,132 states", "may be used", "What would fit", "--memory"] {
        assert!(refusal.contains(figure), "{figure}: {refusal}");
    }
    assert_eq!(count("6x6 --memory 50M")["count"], "9862", "a small board fits");
}

/// Also where the plan alone is larger than the limit: the machine has room for that, and the plan says what all of it takes.
#[test]
fn the_memory_that_a_refusal_names_is_enough() {
    for args in ["7x8 --memory 1M", "7x8 --memory 28M", "6x8 --open --memory 3M", "5x9 --open --memory 1M --spill"] {
        let folder = tempfile::tempdir().unwrap();
        let mut words = vec!["count"];
        words.extend(args.split(' '));
        if args.ends_with("--spill") {
            words.push(folder.path().to_str().unwrap());
        }
        words.extend(["--threads", "2"]);
        let (code, _, refusal) = said(&run(&words));
        assert_eq!(code, Some(2), "{args}: {refusal}");
        let size = refusal.rsplit("--memory ").next().and_then(|rest| rest.split_whitespace().next()).unwrap();
        let place = words.iter().position(|&word| word == "--memory").unwrap() + 1;
        words[place] = size;
        let (code, _, refusal) = said(&halted(&words, "stop@row:1"));
        assert_eq!(code, Some(143), "{args}, {size}: {refusal}");
        let less = format!("{}M", size.trim_end_matches('M').parse::<u64>().unwrap() - 1);
        words[place] = &less;
        assert_refused(&words, size);
    }
}

/// With its counts in files a small count takes more memory, a context for each thread: it stays in memory.
#[test]
fn files_are_not_used_where_they_would_take_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    let spill = folder.path().to_str().unwrap();
    let plan = count("6x7 --open --plan --threads 7 --memory 64M");
    let [counts, files] = ["bits_32", "spilled"].map(|key| plan["memory"][key].as_u64().unwrap());
    assert!(counts < files, "{plan}");
    let memory = (counts.div_ceil(1 << 20) << 20).to_string();
    assert!(memory.parse::<u64>().unwrap() < files, "{plan}");
    let args = ["count", "6x7", "--open", "--threads", "7", "--memory", &memory, "--spill", spill];
    let output = halted(&args, "stop@row:2");
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
}

/// With a memory limit of 64 MiB a plan does not measure the pace of the machine, which is a second of work.
#[test]
fn a_plan_says_what_a_count_takes_and_counts_nothing() {
    let plan = count("8x8 --plan --memory 3G --threads 2");
    assert_eq!(
        (&plan["board"], &plan["convention"], &plan["fits"]),
        (&"8x8".into(), &"undirected".into(), &true.into())
    );
    assert_eq!((&plan["refusal"], &plan["memory_limit"]), (&Value::Null, &(3u64 << 30).into()));
    for of_a_count in ["count", "complete", "elapsed_s"] {
        assert!(plan.get(of_a_count).is_none(), "nothing is counted: {plan}");
    }
    assert!(plan["estimated_s"].as_f64().is_some_and(|seconds| seconds > 0.0), "{plan}");
    let rows = plan["sweeps"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    let of = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).collect::<Vec<u64>>();
    assert_eq!(of("row"), (1..=8).collect::<Vec<u64>>());
    assert_eq!(plan["states"], of("states").iter().sum::<u64>());
    assert_eq!(plan["peak_states"], *of("peak").iter().max().unwrap());
    let bytes = ["bits_16", "bits_32", "bits_64", "bits_128"].map(|width| plan["memory"][width].as_u64().unwrap());
    assert!(bytes.is_sorted() && bytes[0] > 0, "{bytes:?}");
    let open = count("6x6 --open --plan --memory 64M");
    assert_eq!(open["sweeps"].as_array().unwrap().len(), 1, "{open}");
}

#[test]
fn a_plan_that_does_not_fit_says_so_and_what_would() {
    let args = ["count", "6x8", "--plan", "--memory", "1M"];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(0), "a plan is an answer: {}", stderr(&output));
    assert!(stdout(&output).contains("NOT in 1 MiB"), "{}", stdout(&output));
    let plan = count("6x8 --plan --memory 1M");
    assert!(plan["fits"] == false && plan["refusal"].as_str().is_some_and(|why| !why.is_empty()), "{plan}");
}

#[test]
fn a_plan_tells_the_truth_about_the_count() {
    let (plan, report) = (count("6x8 --plan --memory 64M"), count("6x8"));
    assert_eq!((&plan["states"], &plan["peak_states"]), (&report["states"], &report["peak_states"]));
}

/// Waits until a run has started its threads and catches the signals that end it, those that it was not started to ignore.
pub fn wait_for_work(id: u32, threads: usize) {
    let proc = std::path::PathBuf::from(format!("/proc/{id}"));
    // Besides those that work there are the first one and the one that hears signals.
    wait_until("its threads", || fs::read_dir(proc.join("task")).map_or(0, Iterator::count) >= threads + 2);
    let [hup, int, term] = [1, 2, 15].map(|signal| 1u64 << (signal - 1));
    wait_until("its signals are caught", || {
        let status = fs::read_to_string(proc.join("status")).unwrap_or_default();
        let mask = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
        };
        (mask("SigCgt:") | mask("SigIgn:")) & (hup | int | term) == hup | int | term
    });
}

#[test]
fn a_signal_stops_a_count_which_says_how_far_it_got() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("XCPU", 152), ("USR2", 140)] {
        let child = spawn(destrier(&["count", "8x12", "--json", "--memory", "12G", "--threads", "3"]));
        wait_for_work(child.id(), 3);
        send(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}: {}", stderr(&output));
        let report = object(&output);
        assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()));
        assert_eq!(report["count"], Value::Null);
        assert!(report["done"]["phase"].is_string(), "{report}");
        assert!(report["done"]["share"].as_f64().is_some_and(|share| (0.0..1.0).contains(&share)), "{report}");
        assert!(stderr(&output).contains("--checkpoint FILE"), "{}", stderr(&output));
    }
}

#[test]
fn counts_that_live_in_files_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    // A folder that is not there is made.
    let spill = folder.path().join("made/for it");
    let output = run(&["count", "6x8", "--json", "--spill", &spill.display().to_string()]);
    assert!(stdout(&output).contains("\"count\":\"55488142\""), "{}", stderr(&output));
    assert!(names(&spill).is_empty(), "nothing is left there");
}

#[test]
fn help_says_what_the_options_mean() {
    let help = stdout(&run(&["count", "--help"]));
    for option in [
        "--closed",
        "--open",
        "--strict",
        "--start",
        "--unique",
        "--threads",
        "--memory",
        "--modulus",
        "--primes-below",
        "--plan",
        "--checkpoint",
        "--every",
        "--out-dir",
        "--spill",
        "--watch",
        "--json",
    ] {
        assert!(help.contains(option), "{option}: {help}");
    }
    assert!(stdout(&run(&["--help"])).contains("count"));
}

#[test]
fn only_the_table_of_counts_takes_a_budget() {
    assert_refused(&["reproduce", "carter", "--budget", "1s"], "--budget");
}

/// Each is that of a count from there, and together they are all.
#[test]
fn symmetric_tours_are_told_by_the_symmetry_that_keeps_them() {
    for (args, name, number) in [
        ("6x6 --symmetry half-turn", "half-turn", "78"),
        ("6x6 --symmetry all", "quarter-turn", "10"),
        ("8x8 --symmetry half-turn", "half-turn", "2432932"),
        ("10x10 --symmetry quarter-turn", "quarter-turn", "831804"),
        ("6x8 --symmetry half-turn", "half-turn", "5634"),
        ("5x6 --symmetry left-right", "left-right", "4"),
        ("5x5 --open --symmetry half-turn", "half-turn", "32"),
        ("8x8 --open --symmetry main-diagonal", "main-diagonal", "0"),
    ] {
        let report = count(args);
        assert_eq!((&report["symmetry"][name], &report["complete"]), (&number.into(), &true.into()), "{args}");
        assert_eq!((&report["convention"], report.get("count")), (&"undirected".into(), None), "{args}");
    }
    let text = stdout(&run(&["count", "6x6", "--symmetry", "all"]));
    for said in ["68 in 17 classes of 4; the others a quarter turn keeps too", "in 5 classes of 2", "22 classes"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert!(text.contains("a mirror image is never a knight's move away"), "{text}");
    assert_refused(&["count", "8x9", "--symmetry", "main-diagonal"], "this one has half-turn, left-right, top-bottom");
    let text = stdout(&run(&["count", "1x1", "--open", "--symmetry", "half-turn"]));
    assert!(text.contains("half-turn     1  1 tour, 1 class\n"), "{text}");
}

/// Of what was asked for, not of what is counted on the way; what is known of the others is told.
#[test]
fn what_a_symmetry_keeps_is_refused_where_it_is_too_large() {
    for (args, says) in [
        ("9x10 --symmetry half-turn --memory 1M --json", "of 9x10 that a half turn keeps ("),
        (
            "9x10 --symmetry half-turn --memory 1M",
            "orbits were done) takes more than the 1 MiB of memory that may be used. Raise --memory",
        ),
        ("10x10 --symmetry all --memory 1M", "The others: "),
        ("100x100 --symmetry half-turn", "a half turn leaves 5000 orbits of squares"),
        ("102x102 --symmetry half-turn", "a half turn leaves 5202 orbits of squares"),
        ("102x102 --symmetry quarter-turn", "a quarter turn leaves 2601 orbits of squares"),
    ] {
        assert_refused(&[&["count"][..], &args.split(' ').collect::<Vec<_>>()].concat(), says);
    }
}

#[test]
fn a_signal_stops_what_a_symmetry_keeps() {
    let args = ["count", "10x10", "--symmetry", "half-turn", "--json", "--memory", "2G", "--threads", "3"];
    let child = spawn(destrier(&args));
    wait_for_work(child.id(), 3);
    send(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let report = object(&output);
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()), "{report}");
}

#[test]
fn open_tours_are_told_by_the_square_that_they_begin_on() {
    for (board, all) in [("5x5", 1728u64), ("3x10", 6096), ("5x6", 37_568), ("3x3", 0)] {
        let report = count(&format!("{board} --open --per-start"));
        assert_eq!((&report["count"], &report["complete"]), (&all.to_string().into(), &true.into()), "{board}");
        let rows = report["starts"].as_array().expect("rows");
        let numbers: Vec<u64> = rows
            .iter()
            .flat_map(|row| row.as_array().expect("a row"))
            .map(|number| number.as_str().and_then(|digits| digits.parse().ok()).expect("digits"))
            .collect();
        assert_eq!(numbers.iter().sum::<u64>(), all, "{board}");
        let board: destrier::board::Board = board.parse().unwrap();
        for square in board.all().step_by(7) {
            let name = board.name(square);
            let alone = count(&format!("{board} --open --start {name}"));
            assert_eq!(alone["count"], numbers[square.index() as usize].to_string(), "{board} {name}");
        }
    }
    let text = stdout(&run(&["count", "5x5", "--open", "--per-start"]));
    assert!(text.contains("a5 304  and e5 a1 e1") && text.contains("in all 1,728, the known number"), "{text}");
}
