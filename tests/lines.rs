//! What is told in lines, without a terminal: `watch --lines`, `attach --lines`, `step --lines`, `tutorial --lines`.

use crate::common::process::Running;
use crate::common::{assert_refused, destrier, run, send, shell, spawn, stderr, stdout};
use crate::detach::Runs;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};

/// Reads so many lines, then does something to the run; answers all lines, and the exit code.
fn lines(mut child: Running, first: usize, then: impl FnOnce(&Running)) -> (Vec<String>, Option<i32>) {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut all = String::new();
    (0..first).for_each(|_| assert!(output.read_line(&mut all).unwrap() > 0, "it ended after {all}"));
    then(&child);
    output.read_to_string(&mut all).unwrap();
    assert!(all.bytes().all(|byte| byte == b'\n' || byte >= b' '), "{all:?}");
    (all.lines().map(str::to_owned).collect(), child.wait().unwrap().code())
}

/// The lines of objects, each with more than the one before, and the summary.
fn objects(lines: &[String]) -> Value {
    let all: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    let (summary, told) = all.split_last().unwrap();
    for line in told {
        let recent = &line["recent"];
        assert_eq!((&recent["name"], &recent["workers"]), (&"all".into(), &2.into()), "{line}");
        let parts = recent["time"].as_object().unwrap().values().map(|share| share.as_f64().unwrap());
        assert!((parts.sum::<f64>() - 1.0).abs() < 1e-9 && recent["nodes_per_s"].is_number(), "{line}");
        assert!(line["sentence"].is_string() && line["groups"].is_array() && line["paused"] == false, "{line}");
    }
    let grow = |key: &str| told.windows(2).all(|two| two[0][key].as_f64() <= two[1][key].as_f64());
    assert!(["at_s", "nodes", "tours", "hires"].into_iter().all(grow), "{told:?}");
    assert!(told.last().unwrap()["nodes"].as_u64() <= summary["nodes"].as_u64(), "{summary}");
    summary.clone()
}

const SEARCH: [&str; 4] = ["8x8", "--threads", "2", "--lines-every=100ms"];

#[test]
fn a_search_is_told_in_lines_and_ends_with_its_summary() {
    let watch = |form| spawn(destrier(&[&["watch", form], &SEARCH[..]].concat()));
    let (all, code) = lines(watch("--lines"), 3, |child| send(child, "TERM"));
    assert_eq!(code, Some(143));
    for (line, since) in all.iter().zip(["so far", "since the last line", "since the last line"]) {
        let said = [" nodes, ", &format!("; {since}, all: "), " nodes/s, "].map(|part| line.contains(part));
        assert_eq!(said, [true; 3], "{line}");
    }
    assert_eq!(all.last().map(String::as_str), Some("NOT complete: stopped by signal"));
    let (all, code) = lines(watch("--lines=json"), 3, |child| send(child, "TERM"));
    let summary = objects(&all);
    assert_eq!((code, &summary["stopped"], &summary["board"]), (Some(143), &"signal".into(), &"8x8".into()));
    // One that ends by itself before its first line has its summary.
    let (all, code) = lines(spawn(destrier(&["watch", "5x6", "--lines=json", "--lines-every", "10h"])), 0, |_| ());
    let summary: Value = serde_json::from_str(&all[0]).unwrap();
    assert_eq!((code, all.len(), &summary["complete"]), (Some(0), 1, &true.into()));
}

#[test]
fn a_run_of_another_process_is_told_to_its_end() {
    let runs = Runs::new();
    let id = runs.begin("search 8x8 --threads 2");
    let attach = |form: &str| spawn(runs.command(&format!("attach {id} --lines{form} --lines-every 100ms")));
    let (in_words, in_objects) = (attach(""), attach("=json"));
    let (all, code) =
        lines(in_objects, 2, |_| assert_eq!(runs.run(&format!("runs --stop {id}")).status.code(), Some(0)));
    let summary = objects(&all);
    assert_eq!((code, &summary["stopped"], &summary["solver"]), (Some(143), &"signal".into(), &"edges".into()));
    let (all, code) = lines(in_words, 1, |_| ());
    let last = all.last().map(String::as_str);
    assert_eq!((code, last), (Some(143), Some("NOT complete: stopped by signal")));
}

#[test]
fn lines_nobody_reads_end_the_run() {
    let mut child = spawn(destrier(&[&["watch", "--lines"], &SEARCH[..]].concat()));
    let mut output = BufReader::new(child.stdout.take().unwrap());
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_contradicts_lines_is_refused() {
    for (args, says) in [
        (&["--lines", "--out", "-"][..], "give --out a file"),
        (&["--lines", "--slow", "3"], "cannot be used with"),
        (&["--lines", "--paused"], "cannot be used with"),
        (&["--lines", "--fps", "3"], "cannot be used with"),
        (&["--lines-every", "3s"], "--lines"),
        (&["--lines=csv"], "text, json"),
    ] {
        assert_refused(&[&["watch", "6x6"], args].concat(), says);
    }
}

/// The steps are those of the search: as many nodes and tours as it counts.
#[test]
fn a_search_is_told_step_by_step() {
    let told = stdout(&run(&["step", "3x4", "--open", "--lines"]));
    let last: Vec<&str> = told.lines().rev().take(2).collect();
    assert!(last[1].ends_with("finished: everything has been searched"), "{}", last[1]);
    let search: Value =
        serde_json::from_str(&stdout(&run(&["search", "3x4", "--open", "--solver", "brute", "--json"]))).unwrap();
    let counts = format!("{} nodes, 0 pruned, 152 dead ends, {} tours", search["nodes"], search["tours"]);
    assert!(last[0].ends_with(&counts), "{}: {counts}", last[0]);
    let told = stdout(&run(&["step", "6x6-a1,f6", "--solver", "path", "--steps", "3"]));
    assert!(told.contains("no tour will come: a knight changes colour") && told.contains("\n    3  depth"), "{told}");
    assert!(told.lines().last().unwrap().starts_with("3 steps: "), "{told}");
    // Four paths, of which none is left at the end.
    let told = stdout(&run(&["step", "6x6", "--solver", "quarter-turn", "--lines"]));
    assert!(told.ends_with(" tours\n"), "{told}");
    assert_refused(&["step", "--method", "gpu-cycles", "--lines"], "the cycles of gpu-cycles have no lines");
    assert_refused(&["step", "6x6", "--steps", "0"], "invalid value '0'");
}

/// Every lesson names a command, and every command does what it is there for.
#[test]
fn the_lessons_are_told_with_commands_that_run() {
    let told = stdout(&run(&["tutorial", "--lines"]));
    assert!(
        told.starts_with("1 of 10: Who hires whom\n") && told.contains("\n10 of 10: A thousand workers\n"),
        "{told}"
    );
    let commands: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert_eq!(commands.len(), 10);
    for command in commands {
        // On a smaller board, where nothing takes long.
        let words: Vec<&str> =
            command.split(' ').map(|word| if ["6x6", "6x8", "8x8"].contains(&word) { "5x6" } else { word }).collect();
        let words = words.join(" ").replacen("destrier", "DESTRIER", 1);
        let command = if words.contains(" step ") { words + " --steps 99" } else { words };
        let output = shell(&command).output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{command}: {}", stderr(&output));
    }
}
