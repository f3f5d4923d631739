//! Searches and counts of boards with holes, from outside: what they count and write, what keeps them, and who refuses them.

use crate::common::{
    Listing, assert_refused, destrier, halted, json, json_of, object, path, run, shell, stderr, stdout,
};
use crate::detach::Runs;
use serde_json::{Value, json as value};
use std::fs;
use std::path::Path;

/// A board with some holes, and its tours: closed ones by path and edges, open ones by brute and path.
const SHAPE: &str = "5x6-a5,b5";
const CLOSED: u64 = 302;
const OPEN: u64 = 120_586;

fn search(words: &str) -> Value {
    json(&["search"].into_iter().chain(words.split(' ')).chain(["--json"]).collect::<Vec<_>>())
}

/// Every solver and scheduler, with tours and without, counts as many.
#[test]
fn solvers_and_schedulers_agree_on_a_board_with_holes() {
    for solver in ["path", "edges"] {
        for scheduler in ["serial", "hire", "static", "static-blocks", "rayon"] {
            let report = search(&format!("{SHAPE} --solver {solver} --scheduler {scheduler}"));
            assert_eq!((&report["tours"], &report["complete"]), (&CLOSED.into(), &true.into()), "{report}");
            assert_eq!((&report["board"], &report["holes"]), (&value!("5x6"), &value!(["a5", "b5"])));
        }
    }
    assert_eq!(search(&format!("{SHAPE} --open"))["tours"], OPEN);
    let from = |solver: &str| search(&format!("4x5-a4 --open --start b3 --solver {solver}"))["tours"].clone();
    assert_eq!(from("brute"), from("path"));
    for (words, tours) in
        [("3x3-b2", 1), ("3x3-b2 --open", 16), ("3x3-b2 --open --unique", 1), ("3x4-a1", 0), ("2x3-b1,b2", 0)]
    {
        assert_eq!(search(words)["tours"], tours, "{words}");
    }
    // Why there is none is said where the colours prove it.
    let said = stdout(&run(&["search", "5x5-a2"]));
    assert!(said.contains("13 light and 11 dark squares") || said.contains("11 light and 13 dark squares"), "{said}");
    for threads in ["1", "3"] {
        assert_eq!(search(&format!("{SHAPE} --open --limit 7 --threads {threads}"))["tours"], 7);
    }
}

/// The holes of a file and those of the name are one question; a file of tours names them, and is read again.
#[test]
fn tours_are_written_with_their_holes_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let [mask, tours, classes] = ["mask", "tours", "classes"].map(|name| path(&folder, name));
    fs::write(&mask, "##....\n......\n......\n......\n......\n").unwrap();
    for (format, question) in [("list", format!("5x6 --holes {mask}")), ("grid", SHAPE.to_owned())] {
        for solver in ["path", "edges"] {
            search(&format!("{question} --solver {solver} --out {tours} --format {format} --force"));
            let said = stdout(&run(&["verify", &tours, "--distinct"]));
            assert!(said.contains("302 tours: 302 valid (302 closed, 0 open; 302 around holes), 0 invalid"), "{said}");
            assert!(said.contains("302 different"), "{said}");
        }
    }
    let text = fs::read_to_string(&tours).unwrap();
    assert!(text.contains(" .  . "), "a grid has no number in a hole");
    let all = search(&format!("{SHAPE} --unique --out {classes}"))["tours"].as_u64();
    assert_eq!(search(&format!("{SHAPE} --unique --solver path"))["tours"].as_u64(), all);
    let said = fs::read_to_string(&classes).unwrap();
    assert!(said.lines().count() as u64 == all.unwrap() && said.lines().all(|line| line.ends_with(" without a5 b5")));
}

/// A run that is stopped, killed or divided comes to the same, with its tours.
#[test]
fn what_keeps_a_run_keeps_its_holes() {
    let folder = tempfile::tempdir().unwrap();
    let [file, tours, parts, journal, mask] =
        ["run", "tours", "parts", "journal", "mask"].map(|name| path(&folder, name));
    fs::write(&mask, "a5 b5").unwrap();
    let whole = search(&format!("{SHAPE} --open --solver path"));
    let words = format!(
        "search 5x6 --holes {mask} --open --solver path --threads 2 --checkpoint {file} --every 10ms --out {tours}"
    );
    let args: Vec<&str> = words.split(' ').collect();
    for halt in ["stop@nodes:100000", "kill@save:4"] {
        halted(&args, halt);
        // The file of the holes is not needed again.
        fs::rename(&mask, path(&folder, "away")).unwrap();
        let resumed = json(&["resume", &file, "--json"]);
        for key in ["board", "holes", "tours", "nodes", "pruned", "complete"] {
            assert_eq!(resumed[key], whole[key], "{halt}: {key}");
        }
        let listing = Listing::of(Path::new(&tours));
        assert_eq!((listing.lines, listing.different()), (OPEN, OPEN), "{halt}");
        fs::rename(path(&folder, "away"), &mask).unwrap();
        [&file, &tours].into_iter().for_each(|file| fs::remove_file(file).unwrap());
    }
    let divided = |part: &str| search(&format!("{SHAPE} --open --solver path --shard {part}/3 --out-dir {parts}"));
    ["1", "3"].into_iter().for_each(|part| drop(divided(part)));
    // The command that is printed for the missing part makes it.
    let missing = json_of(&["merge", &parts, "--json"], 1);
    let command = missing["commands"][0].as_str().unwrap().replace("destrier", "DESTRIER");
    assert!(command.contains(SHAPE) && shell(&command).status().unwrap().success(), "{command}");
    let merged = json(&["merge", &parts, "--json"]);
    for key in ["board", "holes", "tours", "nodes", "pruned"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    search(&format!("{SHAPE} --open --solver path --record {journal}"));
    let replayed = json(&["replay", &journal, "--json"]);
    assert_eq!((&replayed["report"]["tours"], &replayed["report"]["holes"]), (&whole["tours"], &whole["holes"]));
    assert_eq!(replayed["question"]["run"]["question"]["search"]["holes"], value!(["a5", "b5"]), "{replayed}");
}

/// Another process does not need the words that were typed.
#[test]
fn a_detached_run_knows_its_holes() {
    let runs = Runs::new();
    let id = runs.begin(&format!("search {SHAPE} --open --solver path"));
    runs.until(id, "ended");
    let listed = stdout(&runs.run("runs"));
    assert!(listed.contains("without a5 b5"), "{listed}");
}

#[test]
fn a_board_with_holes_is_told_by_its_squares() {
    let told = stdout(&run(&["board", "8x8-h8,a1"]));
    for line in [
        "colours        32 light, 30 dark",
        "degrees         8  2 3 4 4 4 4 3 #",
        "symmetries     4: identity, half turn",
    ] {
        assert!(told.contains(line), "{told}");
    }
    assert!(told.contains("closed tours   none: a knight changes colour at every move, and 32 light and 30"), "{told}");
    let one = stdout(&run(&["board", "1x3-a1"]));
    assert!(one.contains("symmetries     2: identity, top-bottom mirror; all squares of an edge are holes"), "{one}");
    let ring = object(&run(&["board", "3x3-b2", "--json"]));
    assert_eq!(ring["degrees"], value!([[2, 2, 2], [2, null, 2], [2, 2, 2]]));
    assert_eq!((&ring["moves"], &ring["squares"], &ring["closed"]["exists"]), (&value!(8), &value!(8), &value!(null)));
}

#[test]
fn what_takes_no_holes_says_so_and_counts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [out, mask] = ["out", "mask"].map(|name| path(&folder, name));
    fs::write(&mask, "b2").unwrap();
    for (words, says) in [
        ("search 3x3-b2 --solver radley", "radley takes no holes; use edges or path, which do"),
        ("search 8x8-a1 --solver quarter-turn", "quarter-turn takes no holes; use edges or path, which do"),
        ("search 3x3-b2 --open --start b2", "a tour cannot start on b2, which is a hole"),
        ("search 3x3-b2 --format packed --out OUT", "--format packed holds tours of whole boards"),
        ("search 3x3-b9", "'b9' is not on the board 3x3"),
        ("board 1000x1000-a1", "1000x1000 has 1,000,000 squares; with holes, board tells of up to 65,536"),
        ("search 1x1-a1", "every square of 1x1 is a hole"),
        ("step 3x3-b2 --solver radley", "radley takes no holes; use edges or path, which do"),
        (
            "step 3x3 --holes MASK --solver dfs",
            "the step view shows no search by this method around holes; edges and path have one",
        ),
        ("step 3x3-b2", "destrier step 3x3-b2 --lines` does without one"),
        (
            "count 4x4-a4,a1 --symmetry half-turn",
            "a half turn does not keep 4x4-a4,a1 in place: it takes holes to squares; this one has top-bottom",
        ),
        ("count 4x4-a4 --symmetry quarter-turn", "it takes holes to squares; this one has main-diagonal"),
        ("count 4x4-b4 --symmetry half-turn", "it takes holes to squares; this one has none"),
        ("count 3x1..4 --holes MASK", "--holes: does not go with a range of boards (3x1..4)"),
        ("count 3x3-b2 --open --start b2", "--start: b2 is a hole"),
        ("count 1x1-a1", "every square of 1x1 is a hole"),
        ("unrank 3x3-b2 1", "number 1: 3x3-b2 has 1 closed tours, with numbers from 0 to 0"),
        ("gpu map 3x3-b2", "'3x3-b2' has holes, which do not go with this"),
    ] {
        let words = words.replace("OUT", &out).replace("MASK", &mask);
        assert_refused(&words.split(' ').collect::<Vec<_>>(), says);
    }
    let asked = destrier(&["compare", SHAPE, "--with", "--solver path", "--with", "--solver edges", "--json"]).output();
    let compared = object(&asked.unwrap());
    assert!(compared["runs"].as_array().unwrap().iter().all(|run| run["tours"] == CLOSED), "{compared}");
    let output = run(&["simulate", SHAPE, "--open", "--workers", "8"]);
    assert!(stdout(&output).contains("without a5 b5"), "{}", stderr(&output));
}

/// A count says what a search says, by the name or by a file, in parts, and after a stop; its recording knows the holes.
#[test]
fn a_count_knows_its_holes_wherever_they_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let [file, parts, journal, mask] = ["run", "parts", "journal", "mask"].map(|name| path(&folder, name));
    fs::write(&mask, "a5 b5").unwrap();
    let counted = json(&["count", SHAPE, "--json"]);
    assert_eq!(counted["count"], CLOSED.to_string(), "{counted}");
    assert_eq!((&counted["board"], &counted["holes"]), (&value!("5x6"), &value!(["a5", "b5"])));
    assert_eq!(json(&["count", "5x6", "--holes", &mask, "--open", "--json"])["count"], OPEN.to_string());
    assert_eq!(json(&["count", "5x6", "--json"]).get("holes"), None);
    let starts = json(&["count", "4x5-a4", "--open", "--per-start", "--json"]);
    assert_eq!((&starts["count"], &starts["holes"]), (&value!("288"), &value!(["a4"])), "{starts}");
    assert!(starts["starts"][0][0].is_null() && starts["starts"][0][1].is_string(), "{starts}");
    // Why there is none is said where the colours prove it, and nothing is counted.
    let none = json(&["count", "8x8-a1,h8", "--json"]);
    assert_eq!((&none["count"], &none["states"]), (&value!("0"), &value!(0)), "{none}");
    assert!(none["reason"].as_str().unwrap().contains("32 light and 30 dark squares do not make a closed tour"));
    // The file holds the holes: it is resumed by its name alone.
    let words = format!("count 5x6 --holes {mask} --open --checkpoint {file} --threads 2");
    halted(&words.split(' ').collect::<Vec<_>>(), "stop@row:3");
    let resumed = json(&["resume", &file, "--json"]);
    assert_eq!((&resumed["count"], &resumed["holes"]), (&value!(OPEN.to_string()), &value!(["a5", "b5"])));
    assert!(resumed["resumed"].is_string(), "{resumed}");
    // Parts by several primes, merged.
    for prime in ["2147483629", "2147483647"] {
        json(&["count", SHAPE, "--modulus", prime, "--out-dir", &parts, "--json"]);
    }
    let merged = json(&["merge", &parts, "--json"]);
    assert_eq!((&merged["count"], &merged["holes"]), (&value!(CLOSED.to_string()), &value!(["a5", "b5"])));
    json(&["count", SHAPE, "--record", &journal, "--json"]);
    let text = fs::read_to_string(&journal).unwrap();
    assert!(text.lines().next().unwrap().contains(r#""holes":["a5","b5"]"#), "{text}");
}
