//! `--record` and `replay` from outside: what a journal holds, cut off or damaged, refused or written over.

use crate::common::{
    assert_refused, destrier, halted, json_of, object, run, said, send, spawn, stderr, stdout, wait_until,
};
use destrier::run::journal::Reader;
use destrier::run::{Recorded, RunHistory, Source};
use destrier::schedule::Levels;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use tempfile::TempDir;

fn folder() -> (TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, move |name: &str| path.join(name).to_str().unwrap().to_owned())
}

/// The words of a command, and `--record` with this file behind them.
fn record<'a>(words: &'a str, file: &'a str) -> Vec<&'a str> {
    words.split_whitespace().chain(["--record", file]).collect()
}

/// What a replay shows.
fn past_of(file: &str) -> RunHistory {
    let mut recorded = Recorded::new(Reader::open(Path::new(file)).unwrap());
    let mut past = RunHistory::default();
    std::iter::from_fn(|| recorded.look()).for_each(|frame| past.take(frame));
    past
}

fn replayed(file: &str) -> Value {
    json_of(&["replay", file, "--json"], 0)
}

#[test]
fn whatever_runs_can_be_recorded_and_its_journal_has_the_report() {
    let (_folder, path) = folder();
    for (words, kind, figure, value) in [
        ("search 6x6 --threads 256 --json", "run", "tours", Value::from(9862)),
        ("search 5x5 --open --scheduler rayon --threads 3 --json", "run", "tours", Value::from(1728)),
        ("find 20x20 --threads 2 --json", "run", "complete", Value::from(true)),
        ("count 6x6 --threads 2 --json", "count", "count", Value::from("9862")),
        ("gpu map 6x6 --orders 5 --adapter cpu --json", "map", "knights", Value::from(180)),
    ] {
        for name in ["run.jsonl", "run.zst"] {
            let file = path(name);
            let mut args = record(words, &file);
            args.push("--force");
            let printed = object(&run(&args));
            let journal = replayed(&file);
            assert_eq!(journal["report"][figure], value, "{words}: {journal}");
            assert_eq!(journal["report"], printed, "{words}");
            assert_eq!((&journal["complete"], &journal["lost"]), (&Value::from(true), &Value::from(0)), "{words}");
            assert!(journal["frames"].as_u64().unwrap() >= 2 && journal["question"][kind].is_object(), "{journal}");
            assert!(journal["from_s"].as_f64() <= journal["to_s"].as_f64(), "{journal}");
        }
    }
    let (code, text, says) = said(&run(&["replay", &path("run.zst")]));
    assert_eq!((code, says.as_str()), (Some(0), ""));
    // A map is printed as it was at its end, also in a pipe.
    assert!(text.starts_with("6x6: 36 starts") && text.contains("\ngpu map 6x6 with 5 orders\n"), "{text}");
    assert!(text.ends_with("\ncomplete\n"), "{text}");
}

/// Also of runs that are over before a second look.
#[test]
fn a_recording_holds_depths_and_a_position_at_every_moment_of_each_worker_that_had_one() {
    let (_folder, path) = folder();
    let mut drawn = 0;
    for (words, levels) in [
        ("search 6x6 --solver path --threads 3", Levels::Sampled),
        ("search 5x6 --open --solver path --threads 2 --scheduler rayon", Levels::Sampled),
        ("search 5x5 --open --solver brute --threads 2", Levels::Sampled),
        ("search 5x5 --open --solver brute --threads 2 --json", Levels::Exact),
    ] {
        let file = path("run.zst");
        assert_eq!(run(&[&record(words, &file)[..], &["--force"]].concat()).status.code(), Some(0), "{words}");
        let past = past_of(&file);
        let last = past.snapshot(past.last()).unwrap();
        let by_depth: u64 = last.nodes_by_depth.iter().sum();
        assert_eq!(last.levels, levels, "{words}");
        let exact = levels == Levels::Exact;
        assert!(by_depth > 0 && (by_depth == last.nodes()) == exact, "{words}: {by_depth}");
        // What is only a sample is in no report.
        assert_eq!(replayed(&file)["report"]["nodes_by_depth"].is_array(), exact, "{words}");
        let worked = (0..last.workers.len()).filter(|&worker| last.workers[worker].nodes > 0);
        for worker in worked {
            // The first moment shows the first position that came. A worker whose tasks all ended within a burst had none.
            let mut positions =
                past.frames().iter().map(|frame| past.drawing(worker, past.moment(frame.at())).is_some());
            let is_drawn = positions.next().unwrap();
            assert!(positions.all(|is| is == is_drawn), "{words}: worker {worker}");
            drawn += usize::from(is_drawn);
        }
    }
    assert!(drawn >= 4, "{drawn} workers had positions");
}

#[test]
fn a_journal_is_of_a_run_that_is_complete_or_of_one_that_was_stopped() {
    let (_folder, path) = folder();
    let file = path("run.zst");
    for (words, says, not) in [
        ("search 6x6 --solver path --threads 2", "\ncomplete\n", "stopped by"),
        ("search 6x6 --solver path --threads 8 --limit 5", "\nstopped by limit: its journal is whole\n", "complete"),
    ] {
        assert_eq!(run(&[&record(words, &file)[..], &["--force"]].concat()).status.code(), Some(0), "{words}");
        let (code, text, _) = said(&run(&["replay", &file, "--balance"]));
        assert!(code == Some(0) && text.contains(says) && !text.contains(not), "{words}: {text}");
        // What is reported is what was last seen, and what the events tell.
        let journal = json_of(&["replay", &file, "--balance", "--json"], 0);
        let (report, balance) = (&journal["report"], &journal["balance"]);
        assert_eq!((&balance["hires"], &balance["hires_unseen"]), (&report["hires"], &Value::from(0)), "{words}");
        let past = past_of(&file);
        let last = past.snapshot(past.last()).unwrap();
        for (name, seen) in
            [("hires", last.hires()), ("donations", last.donations()), ("nodes", last.nodes()), ("tours", last.tours())]
        {
            assert_eq!(report[name], seen, "{words}: {name}");
        }
    }
}

/// A run whose journal is refused leaves no checkpoint and no file of tours; one that has ended before wants no journal.
#[test]
fn a_run_whose_journal_is_refused_leaves_nothing_behind() {
    let (folder, path) = folder();
    let [journal, kept, out] = ["journal", "kept", "out"].map(&path);
    fs::write(&journal, "as it was").unwrap();
    for words in ["search 6x6 --out @", "count 6x6"] {
        let words = words.replace('@', &out);
        let args: Vec<&str> = words.split(' ').chain(["--checkpoint", &kept]).collect();
        assert_refused(&[&args[..], &["--record", &journal]].concat(), "the file exists");
        assert_eq!(crate::common::names(folder.path()), ["journal"], "{words}");
    }
    let args = ["count", "6x6", "--checkpoint", &kept];
    assert_eq!(run(&args).status.code(), Some(0));
    let again = run(&[&args[..], &["--record", &journal]].concat());
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert!(stderr(&again).contains("nothing to record"), "{}", stderr(&again));
    assert_eq!(fs::read(&journal).unwrap(), b"as it was");
}

#[test]
fn the_journal_of_a_count_that_was_stopped_says_so() {
    let (_folder, path) = folder();
    let file = path("count.zst");
    let args = record("count 7x8 --threads 1", &file);
    assert_eq!(halted(&args, "stop@row:2").status.code(), Some(143));
    let (code, text, _) = said(&run(&["replay", &file]));
    assert!(code == Some(0) && text.contains("\nstopped by signal: its journal is whole\n"), "{text}");
}

/// Of a crew of 256 in which most wait for most of the time.
#[test]
fn a_journal_that_is_cut_anywhere_plays_up_to_the_cut() {
    let (_folder, path) = folder();
    for name in ["whole.jsonl", "whole.zst"] {
        let whole = path(name);
        assert_eq!(run(&record("search 6x6 --threads 256", &whole)).status.code(), Some(0));
        let (bytes, cut) = (fs::read(&whole).unwrap(), path("cut"));
        let (mut random, mut frames) = (fastrand::Rng::with_seed(13), 0);
        for _ in 0..20 {
            fs::write(&cut, &bytes[..random.usize(..bytes.len())]).unwrap();
            let output = run(&["replay", &cut, "--json"]);
            match output.status.code() {
                Some(0) => {
                    let journal = object(&output);
                    assert_eq!((&journal["complete"], &journal["lost"]), (&Value::from(false), &Value::Null));
                    assert!(journal.get("report").is_none(), "{journal}");
                    frames += journal["frames"].as_u64().unwrap();
                }
                // Not even its first line is whole.
                code => assert!(code == Some(2) && stderr(&output).contains("no journal"), "{}", stderr(&output)),
            }
        }
        // What is compressed is cut in its one block.
        assert!(frames > 0 || name.ends_with(".zst"), "{name}");
    }
}

#[test]
fn a_killed_run_leaves_what_it_had_recorded() {
    let (_folder, path) = folder();
    for name in ["killed.jsonl", "killed.zst"] {
        let file = path(name);
        let mut child = spawn(destrier(&record("search 8x8 --solver path --threads 2", &file)));
        // What is written is flushed each second.
        wait_until("it is written", || fs::metadata(&file).is_ok_and(|file| file.len() > 3000));
        send(&child, "KILL");
        child.wait().unwrap();
        let journal = replayed(&file);
        assert!(journal["frames"].as_u64().unwrap() >= 5 && journal["complete"] == false, "{journal}");
    }
}

#[test]
fn a_signal_ends_a_journal_in_order() {
    let (_folder, path) = folder();
    let file = path("stopped.zst");
    let child = spawn(destrier(&record("search 8x8 --solver path --threads 2 --json", &file)));
    wait_until("it is written", || fs::metadata(&file).is_ok_and(|file| file.len() > 200));
    send(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(128 + 15));
    let journal = replayed(&file);
    assert_eq!(journal["report"], object(&output));
    assert_eq!((&journal["complete"], &journal["report"]["complete"]), (&Value::from(true), &Value::from(false)));
}

#[test]
fn a_damaged_line_is_named_and_the_rest_is_played() {
    let (_folder, path) = folder();
    let file = path("run.jsonl");
    assert_eq!(run(&record("search 6x6 --threads 2", &file)).status.code(), Some(0));
    let text = fs::read_to_string(&file).unwrap();
    let frames = replayed(&file)["frames"].as_u64().unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let last = lines.len() - 2;
    // A digit, somewhere in the last frame.
    let at = lines[last].find(|letter: char| letter.is_ascii_digit()).unwrap();
    let digit = if lines[last].as_bytes()[at] == b'7' { "8" } else { "7" };
    lines[last].replace_range(at..=at, digit);
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let output = run(&["replay", &file, "--json"]);
    let (journal, named) = (object(&output), format!("line {}: its checksum", last + 1));
    assert_eq!((journal["frames"].as_u64(), &journal["complete"]), (Some(frames - 1), &Value::from(true)));
    assert_eq!(journal["damaged"][0][0].as_u64(), Some(last as u64 + 1), "{journal}");
    assert!(stderr(&output).contains(&named), "{}", stderr(&output));
}

/// Frames that were cut out, or put in twice, are missed by their number. A journal that does not say it is read as before.
#[test]
fn frames_that_were_cut_out_are_missed() {
    let (_folder, path) = folder();
    let file = path("run.jsonl");
    let words = "search 8x8 --solver path --threads 2 --limit 3000";
    assert_eq!(run(&record(words, &file)).status.code(), Some(0));
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let frames = replayed(&file)["frames"].as_u64().unwrap();
    let told = || run(&["replay", &file]);
    assert!(stdout(&told()).contains("stopped by limit: its journal is whole"), "{}", stdout(&told()));
    let twice = [&lines[..2], &lines[1..]].concat();
    for (changed, there) in [([&lines[..1], &lines[2..]].concat(), frames - 1), (twice, frames + 1)] {
        fs::write(&file, changed.join("\n") + "\n").unwrap();
        let why = format!("{frames} frames were written, and it has {there}");
        let (code, says, why_not) = said(&told());
        assert!(code == Some(0) && says.contains("stopped by limit, but its journal has 1 fault"), "{says}");
        assert!(why_not.contains(&format!("{file}: line {}: {why}", there + 2)), "{why_not}");
        let journal = replayed(&file);
        assert_eq!(journal["frames"], there);
        assert_eq!(journal["damaged"], serde_json::json!([[there + 2, why]]), "{journal}");
    }
    // As an older version has written it.
    let (before, _) = lines[lines.len() - 1].split_once(&format!(",\"frames\":{frames}")).unwrap();
    let last = format!("{before}}}");
    let sealed = format!("{last},\"crc\":\"{:08x}\"}}", crc32fast::hash(last.as_bytes()));
    fs::write(&file, [&lines[..1], &lines[2..lines.len() - 1], &[&sealed]].concat().join("\n") + "\n").unwrap();
    let journal = replayed(&file);
    assert_eq!((&journal["complete"], &journal["damaged"]), (&Value::from(true), &Value::Null), "{journal}");
    assert!(stdout(&told()).contains("its journal is whole"));
}

#[test]
fn nothing_is_written_over_or_begun_that_cannot_be_ended_well() {
    let (folder, path) = folder();
    let file = path("there");
    fs::write(&file, "mine").unwrap();
    for words in ["search 6x6", "count 6x6", "find 6x6", "gpu map 6x6 --adapter cpu"] {
        assert_refused(&record(words, &file), "the file exists; add --force");
        assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
        assert_refused(&record(words, folder.path().to_str().unwrap()), "is a folder");
        assert_refused(&record(words, &path("no/where")), "is not there: make it");
        assert_refused(&record(words, "-"), "a journal is a file");
    }
    assert_refused(&["search", "6x6", "--force"], "add --out or --record");
    assert_refused(&record("find 5..9", &path("sweep")), "--record takes the run on one board");
    assert_refused(&record("find 8x8 --method gpu-cycles --adapter cpu", &path("cycles")), "no race of workers");
    assert_refused(&["replay"], "<FILE>");
    assert_refused(&["replay", &file], "this is no journal: --record FILE of search");
    assert_refused(&["replay", &path("absent")], "No such file");
    assert!(!Path::new(&path("sweep")).exists() && !Path::new(&path("cycles")).exists());
    // What is refused after the journal was named leaves what there was, and nothing where nothing was.
    let refused = "count 6x6 --watch";
    assert_refused(&[&record(refused, &file)[..], &["--force"]].concat(), "needs a terminal");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert_refused(&record(refused, &path("stub")), "needs a terminal");
    assert!(!Path::new(&path("stub")).exists());
    let both = path("both");
    assert_refused(&[&record("search 6x6", &both)[..], &["--out", &both]].concat(), "name another file");
    assert_refused(&[&record("search 6x6", &file)[..], &["--out", &file, "--force"]].concat(), "name another file");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

/// A fifth of a board of 360,000 squares is scattered holes: the question alone takes more than 100 KiB.
#[test]
fn a_run_on_a_large_board_with_many_holes_is_recorded_and_replayed() {
    let (_folder, path) = folder();
    let (mask, mut random) = (path("mask"), fastrand::Rng::with_seed(5));
    let mut row = || (0..600).map(|_| if random.u8(..5) == 0 { '#' } else { '.' }).collect::<String>() + "\n";
    fs::write(&mask, (0..600).map(|_| row()).collect::<String>()).unwrap();
    for name in ["run.jsonl", "run.zst"] {
        let file = path(name);
        // By its colours the board has no such tour, or one knight tries once.
        let words = format!("find 600x600 --open --method warnsdorff --holes {mask} --threads 1 --deadline 1ms --json");
        let output = run(&record(&words, &file));
        assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}", stderr(&output));
        let reader = Reader::open(Path::new(&file)).unwrap();
        assert!(serde_json::to_string(reader.subject()).unwrap().len() > 100 << 10);
        let journal = replayed(&file);
        assert!(
            journal["question"]["run"].is_object() && journal["frames"].as_u64() >= Some(1),
            "{}",
            journal["frames"]
        );
        assert_eq!(journal["report"], object(&output));
    }
}

/// No closed tour is left, and then an open one is found: two runs, one after the other.
#[test]
fn endings_that_are_tried_in_turn_are_one_course_of_time() {
    let (_folder, path) = folder();
    let file = path("turns.jsonl");
    let printed = object(&run(&record("find 6x6 --must-not a1-b3 --json", &file)));
    let journal = replayed(&file);
    assert_eq!((&printed["ending"], &journal["report"]["ending"]), (&Value::from("open"), &Value::from("open")));
    let text = fs::read_to_string(&file).unwrap();
    let frames = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()?.pointer("/frame").cloned());
    let times: Vec<u64> = frames.map(|frame| frame["body"]["tree"]["snapshot"]["elapsed"].as_u64().unwrap()).collect();
    assert!(times.is_sorted() && !times.is_empty(), "{times:?}");
    assert!(journal["to_s"].as_f64() <= printed["elapsed_s"].as_f64().map(|s| s + 0.1), "{journal}");
}

/// The figure that a file of OpenMetrics has under a name.
fn figure(file: &str, name: &str) -> Option<f64> {
    let text = fs::read_to_string(file).ok()?;
    assert!(text.starts_with("# HELP destrier_") && text.ends_with("# EOF\n"), "{text}");
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[test]
fn figures_for_prometheus_are_those_of_the_report_at_the_end() {
    let (_folder, path) = folder();
    let file = path("run.prom");
    let with_metrics = |words: &'static str| [words.split(' ').collect(), vec!["--json", "--metrics", &file]].concat();
    let report = json_of(&with_metrics("search 6x6 --solver path --threads 3"), 0);
    for (name, key) in [("nodes_total", "nodes"), ("tours_total", "tours"), ("hires_total", "hires")] {
        assert_eq!(figure(&file, &format!("destrier_{name}")), report[key].as_f64(), "{name}");
    }
    assert_eq!([figure(&file, "destrier_running"), figure(&file, "destrier_done_ratio")], [Some(0.0), Some(1.0)]);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o644);
    // Another run replaces it, and no other file.
    let report = json_of(&with_metrics("count 6x6"), 0);
    assert_eq!(figure(&file, "destrier_states_total"), report["states"].as_f64());
    assert_eq!(figure(&file, "destrier_nodes_total"), None);
    fs::write(&file, "mine").unwrap();
    assert_refused(&with_metrics("count 6x6"), "the file has something else than figures of a run");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
}

#[test]
fn figures_for_prometheus_tell_that_a_run_goes_on_and_that_a_signal_ended_it() {
    let (_folder, path) = folder();
    let file = path("run.prom");
    let mut watched = spawn(destrier(&["watch", "8x8", "--lines", "--threads", "2", "--metrics", &file]));
    wait_until("it searches", || figure(&file, "destrier_nodes_total") > Some(0.0));
    assert_eq!(figure(&file, "destrier_running"), Some(1.0));
    send(&watched, "TERM");
    assert_eq!(watched.wait().unwrap().code(), Some(128 + 15));
    assert_eq!(figure(&file, "destrier_running"), Some(0.0));
    let of_group = r#"destrier_time_ratio{group="all",part="waiting"}"#;
    assert!(figure(&file, of_group).is_some_and(|share| (0.0..=1.0).contains(&share)));
}
