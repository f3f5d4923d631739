//! `destrier find` as a contract: answers, exit codes, formats, bad input, and what is written when there is no tour.

use crate::common::{
    KURAPATI, assert_refused, destrier, is_written_to, json_of, names, object, path, peak_kib, remarks, run, said,
    send, spawn, stderr, stdout, text, wait_until,
};
use destrier::board::{Board, Ending, Holes, Shape, Square, Tour};
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::process::Output;

fn find(args: &[&str]) -> Output {
    run(&[&["find"], args].concat())
}

/// The object of a run with this exit code.
fn json(args: &[&str], code: i32) -> Value {
    json_of(&[&["find"], args, &["--json"]].concat(), code)
}

/// The tour in an array of names, verified around the holes of the object.
fn verified(report: &Value, names: &Value) -> Vec<String> {
    let board: Board = report["board"].as_str().unwrap().parse().unwrap();
    let squares = |names: &Value| -> Vec<Square> {
        let names = names.as_array().map_or(&[][..], Vec::as_slice);
        names.iter().map(|name| board.parse_square(name.as_str().unwrap()).unwrap()).collect()
    };
    let ending = if report["ending"] == "closed" { Ending::Closed } else { Ending::Open };
    let holes = Holes::new(squares(&report["holes"]));
    Tour::verify(Shape::new(board, holes), ending, squares(names)).unwrap_or_else(|fault| panic!("{board}: {fault}"));
    names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn tour(args: &[&str]) -> Vec<String> {
    let report = json(args, 0);
    verified(&report, &report["tour"])
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// A command that says no, or refuses to begin, writes nothing: neither to stdout nor to the file it was given.
fn says_no(args: &[&str], code: i32, says: &str) {
    let folder = folder_with(&[]);
    let file = path(&folder, "tour.txt");
    let with_file = !args.contains(&"--out") && !args.contains(&"--json");
    let on_screen = args.contains(&"--show") || args.contains(&"--watch");
    let args = if with_file && !on_screen { [args, &["--out", &file]].concat() } else { args.to_vec() };
    let (ended, printed, message) = said(&find(&args));
    assert_eq!((ended, printed.as_str()), (Some(code), ""), "{args:?}: {message}");
    assert!(message.contains(says), "{args:?} says: {message}");
    assert!(names(folder.path()).is_empty(), "{args:?} leaves something behind");
}

#[test]
fn bad_input_is_refused_with_a_clear_error() {
    for (args, says) in [
        (&["0x5"][..], "at least one row and one column"),
        (&["6x"], "write ROWSxCOLS"),
        (&["7..5"], "the smaller side first"),
        (&["8x8", "--start", "z9"], "--start: 'z9' is not on the board 8x8"),
        (&["8x8", "--end", "8,0"], "--end: '8,0' is not on the board 8x8"),
        (&["8x8", "--start", "a1", "--end", "7,0"], "cannot both start and end on a1"),
        (&["8x8", "--closed", "--open"], "cannot be used with"),
        (&["8x8", "--closed", "--end", "a1"], "cannot be used with"),
        (&["8x8", "--hops", "0"], "--hops"),
        (&["8x8", "--tours", "0"], "--tours"),
        (&["8x8", "--threads", "0"], "from 1 to 4096"),
        (&["8x8", "--threads", "4097"], "from 1 to 4096"),
        (&["8x8", "--deadline", "soon"], "30s"),
        (&["8x8", "--rng", "-1"], ""),
        (&["8x8", "--rng", "dice"], "is no seed"),
        (&["8x8", "--method", "no-method"], "possible values"),
        (&["8x8", "--tie", "no-tie"], "is no tie-break"),
        (&["8x8", "--order", "01234566"], "is no order of moves"),
        (&["8x8", "--must", "a1"], "a1 alone is no move"),
        (&["8x8", "--must", "a1-a2"], "no knight's move leads from a1 to a2"),
        (&["8x8", "--must-not", "a1-j9"], "'j9' is not on the board"),
        (&["8x8", "--must", "a1-b3", "--must-not", "b3-a1"], "cannot be both"),
        (&["8x8", "--partial", "a1-z9"], "'z9'"),
        (&["8x8", "--partial", "a1-b3,c5-d7"], "2 ways"),
        (&["8x8", "--partial", "nothing"], "nor is it a file"),
        (&["8x8", "--partial", "a1-b3", "--start", "a1"], "cannot be used with"),
        (&["8x8", "--format", "picture"], "possible values"),
        (&["8x8", "--format", "svg", "--tours", "2"], "a picture shows one tour"),
        (&["8x8", "--numbers"], "--format svg"),
        (&["8x8", "--json", "--format", "list"], "by --out"),
        (&["8x8", "--json", "--out", "-"], "both claim stdout"),
        (&["8x8", "--out", "/nowhere/at/all"], "is not there: make it"),
        (&["8x8", "--holes", "/nowhere/at/all"], "--holes /nowhere/at/all"),
        (&["5..6", "--start", "a1", "--json"], "a range of boards"),
        (&["5..6", "--tours", "2", "--json"], "a range of boards"),
        (&["5..6", "--out", "-"], "verified, not shown"),
        (&["--json"], "need a board"),
    ] {
        says_no(args, 2, says);
    }
    assert_refused(&["find"], "needs a board");
}

#[test]
fn a_mask_that_is_none_of_this_board_is_refused() {
    let whole = "###\n".repeat(3);
    for (mask, says) in [
        ("...\n.#.\n", "2 rows, but 3x3 has 3"),
        ("....\n....\n....\n", "line 1 draws 4 squares"),
        ("...\n.?.\n...\n", "line 2, column 2: '?'"),
        ("a1 d4\n", "'d4' is not on the board"),
        (&whole, "every square of 3x3 is a hole"),
    ] {
        let folder = folder_with(&[("mask", mask)]);
        says_no(&["3x3", "--holes", &path(&folder, "mask")], 2, says);
    }
    let folder = folder_with(&[("mask", "c1 f2")]);
    let mask = path(&folder, "mask");
    for (args, says) in [
        (["--start", "c1"], "--start: c1 is a hole"),
        (["--end", "f2"], "--end: f2 is a hole"),
        (["--must", "a2-c1"], "--must: c1 is a hole"),
    ] {
        says_no(&[&["6x6", "--holes", &mask][..], &args].concat(), 2, says);
    }
}

#[test]
fn a_method_refuses_what_it_does_not_take_or_would_not_heed() {
    for (args, says) in [
        (&["8x8", "--method", "tiles", "--must", "a1-b3"][..], "edges"),
        (
            &["8x8", "--method", "tiles", "--tie", "roth"],
            "--tie means nothing to tiles; --method may be one of auto, warnsdorff",
        ),
        (&["8x8", "--method", "tiles", "--hops", "2"], "--hops means nothing to tiles"),
        (&["8x8", "--method", "edges", "--order", "natural"], "--order means nothing to edges"),
        (&["8x8", "--method", "tiles", "--library", "tours.txt"], "--library means nothing to tiles"),
        (&["8x8", "--format", "paths"], "--method quarter-turn"),
        (&["5..20", "--success"], "destrier reproduce kurapati"),
        (&["8x8", "--show"], "--show needs a terminal"),
        (&["8x8", "--watch"], "--watch needs a terminal"),
        (&["5x8", "--method", "squirrel-cull"], "square"),
        (&["5..6x7", "--method", "squirrel-cull", "--json"], "square"),
    ] {
        says_no(args, 2, says);
    }
}

#[test]
fn no_such_tour_is_an_answer_with_a_reason() {
    for (args, says) in [
        (&["4x4"][..], "impossible: 4x4 has no open tour: without its four middle squares"),
        (&["1x5"], "a knight has no move on a board one wide"),
        (&["5x5", "--closed"], "impossible: 5x5 has no closed tour: both sides are odd"),
        (
            &["5x5", "--start", "a2"],
            "impossible: 5x5 has no open tour from a2: a2 is light, and with one dark square more",
        ),
        (&["5x5", "--end", "e2"], "impossible: 5x5 has no open tour to e2: e2 is light"),
        (&["6x6", "--start", "a1", "--end", "f6"], "a1 and f6 are both dark"),
        (&["5x6", "--must", "a1-b3", "--must", "b3-c1", "--must", "b3-d2"], "impossible"),
    ] {
        says_no(args, 1, says);
    }
    let report = json(&["4x4"], 1);
    assert_eq!((&report["board"], &report["ending"]), (&"4x4".into(), &"open".into()));
    assert!(report["reason"].as_str().unwrap().starts_with("without its four middle squares"));
    assert_eq!((&report["impossible"], &report["tour"]), (&true.into(), &Value::Null));
}

#[test]
fn a_mask_that_cuts_the_board_has_no_tour() {
    // The two middle columns are gone: the corners on the left reach nothing on the right.
    let mask = "..##..\n".repeat(6);
    let folder = folder_with(&[("mask", &mask)]);
    says_no(&["6x6", "--holes", &path(&folder, "mask")], 1, "impossible: 6x6 has no open tour around these holes");
}

#[test]
fn the_ending_is_closed_where_there_is_such_a_tour() {
    for (args, ending, squares) in [
        (&["6x6"][..], "closed", 36),
        (&["5x5"], "open", 25),
        (&["3x4"], "open", 12),
        (&["8x8", "--open"], "open", 64),
        (&["8x8", "--start", "2,4", "--end", "#2"], "open", 64),
        (&["1x1"], "open", 1),
    ] {
        let report = json(args, 0);
        let names = verified(&report, &report["tour"]);
        assert_eq!((&report["ending"], names.len()), (&ending.into(), squares), "{args:?}");
        for key in ["method", "seed", "elapsed_s", "attempts", "nodes", "complete"] {
            assert!(!report[key].is_null(), "{key}");
        }
        assert!(report.get("reason").is_none());
    }
}

#[test]
fn start_end_holes_and_moves_are_heeded() {
    let names = tour(&["8x8", "--start", "2,4", "--end", "h8"]);
    assert_eq!((names[0].as_str(), names[63].as_str()), ("e6", "h8"));
    assert_eq!(tour(&["6x6", "--start", "c3"])[0], "c3");

    let moves = |names: &[String]| -> Vec<[String; 2]> {
        let next = names.iter().cycle().skip(1);
        names.iter().zip(next).map(|(a, b)| [a.min(b).clone(), a.max(b).clone()]).collect()
    };
    let (given, ruled_out) = (["c3", "d5"].map(String::from), ["a1", "b3"].map(String::from));
    let names = tour(&["8x8", "--open", "--must", "d5-c3", "--must-not", "b3-a1"]);
    assert!(moves(&names[..]).contains(&given) && !moves(&names[..]).contains(&ruled_out), "{names:?}");

    let folder = folder_with(&[("mask", "d4 e4\nd5 e5\n")]);
    let report = json(&["8x8", "--holes", &path(&folder, "mask")], 0);
    assert_eq!(report["holes"], serde_json::json!(["d5", "e5", "d4", "e4"]));
    assert_eq!(verified(&report, &report["tour"]).len(), 60);
}

#[test]
fn a_partial_tour_is_completed_as_it_begins() {
    let folder = folder_with(&[
        ("way", "c3-d5-f6\n"),
        ("list", "6x6 c3 d5 f6"),
        ("grid", ". . . . . 3\n. . . 2 . .\n. . . . . .\n. . 1 . . .\n. . . . . .\n. . . . . .\n"),
        ("other", "5x6 a1 b3 c5"),
        ("empty", ""),
    ]);
    let (way, list, grid) = (path(&folder, "way"), path(&folder, "list"), path(&folder, "grid"));
    for ending in ["--open", "--closed"] {
        for given in ["c3-d5-f6", &way, &list, &grid] {
            assert_eq!(tour(&["6x6", ending, "--partial", given])[..3], ["c3", "d5", "f6"], "{given}");
        }
    }
    // Other forms, typed and in files.
    fs::write(folder.path().join("pairs"), "(3, 2) -> (1, 3)\n").unwrap();
    for given in ["c3->d5->f6", "C3D5F6", "1. c3 2. d5 3. f6", "[\"c3\",\"d5\",\"f6\"]", "(3,2),(1,3),(0,5)"] {
        assert_eq!(tour(&["6x6", "--partial", given])[..3], ["c3", "d5", "f6"], "{given}");
    }
    let names = tour(&["6x6", "--open", "--must", &path(&folder, "pairs")]);
    assert!(names.windows(2).any(|pair| pair == ["c3", "d5"] || pair == ["d5", "c3"]), "{names:?}");
    says_no(&["6x6", "--partial", &path(&folder, "other")], 2, "5x6");
    says_no(&["6x6", "--partial", &path(&folder, "empty")], 2, "empty");
}

#[test]
fn a_grid_with_some_numbers_is_completed() {
    let folder = folder_with(&[
        ("puzzle", "1 _ _ 10\n_ 9 _ _\n_ _ _ _\n"),
        ("zeros", "0,0,0,10\n0,9,0,0\n3,0,0,0\n"),
        ("points", ". . . 10\n. . . .\n. . . 8\n"),
        ("far", "1 _ _ _\n_ 4 _ _\n_ _ _ _\n"),
        ("twice", "1 _ _ _\n_ 5 _ _\n_ 5 _ _\n"),
        ("ring", "1 _ 7\n_ . _\n_ _ _\n"),
        ("odd", "1 _ x _\n_ _ _ _\n_ _ _ _\n"),
        ("begin", "1 _ _ _\n_ _ 2 _\n_ _ _ _\n"),
        ("alone", "_ _ _ _\n_ _ _ _\n1 _ _ _\n"),
    ]);
    let file = |name: &str| path(&folder, name);
    let report = json(&["3x4", "--partial", &file("puzzle")], 0);
    assert_eq!((&report["ending"], &report["method"]), (&"open".into(), &"numbers".into()));
    let names = verified(&report, &report["tour"]);
    assert_eq!([&names[0], &names[8], &names[9]], ["a3", "b2", "d3"]);
    // Where 1 is not given, and in every way there is.
    let names = tour(&["3x4", "--partial", &file("zeros")]);
    assert_eq!([&names[2], &names[8], &names[9]], ["a1", "b2", "d3"]);
    let report = json(&["3x4", "--partial", &file("points"), "--tours", "9"], 0);
    let all: Vec<_> = report["tours"].as_array().unwrap().iter().map(|names| verified(&report, names)).collect();
    assert!(all.len() < 9 && all.iter().all(|names| names[7] == "d1" && names[9] == "d3"), "{all:?}");
    // With holes, closed, and with an end; the first numbers alone are a beginning.
    let names = tour(&["3x3", "--closed", "--partial", &file("ring")]);
    assert_eq!((names.len(), &names[0][..], &names[6][..]), (8, "a3", "c3"));
    assert_eq!(tour(&["3x4", "--partial", &file("puzzle"), "--end", "a2"])[11], "a2");
    assert_eq!(tour(&["3x4", "--partial", &file("begin")])[..2], ["a3", "c2"]);
    assert_eq!(tour(&["3x4", "--partial", &file("alone")])[0], "a1");
    let says = "from a3 (move 1) to b2 (move 4) a knight needs 4 moves, or 6, 8 and so on, not 3";
    says_no(&["3x4", "--partial", &file("far")], 1, &format!("3x4 has no open tour with these numbers: {says}"));
    assert_eq!(json(&["3x4", "--partial", &file("far")], 1)["reason"], says);
    says_no(&["3x4", "--partial", &file("twice")], 1, "move 5 cannot lead to both");
    says_no(&["3x4", "--partial", &file("puzzle"), "--end", "a1"], 1, "a1");
    says_no(&["3x4", "--partial", &file("odd")], 2, "line 1: 'x' is no number; an empty square is _ ? -");
    says_no(&["3x4", "--partial", &file("puzzle"), "--method", "edges"], 2, "--method may be one of auto, numbers");
    says_no(&["3x4", "--partial", &file("puzzle"), "--must", "a3-c2"], 2, "numbers takes no prescribed moves");
    says_no(&["20x20", "--method", "numbers"], 2, "numbers takes boards of up to 128 squares");
}

/// Squares that are on the board, and no beginning of a tour, have no tour; a text that is no beginning is refused.
#[test]
fn an_impossible_beginning_has_no_tour() {
    let folder = folder_with(&[
        ("apart", "1 2 _ _\n_ _ _ _\n_ _ _ _\n"),
        ("from 0", "0 1 _ _\n_ _ _ _\n_ _ _ _\n"),
        ("twice", "0 _ _ _\n_ 4 _ _\n_ 4 _ _\n"),
        ("hole", "....\n..#.\n....\n"),
        ("word", "1 9 _ _\n_ -x _ _\n_ _ _ _\n"),
    ]);
    let file = |name: &str| path(&folder, name);
    let [apart, from_0, twice] = ["apart", "from 0", "twice"].map(file);
    for (given, says) in [
        ("a1 a2", "no knight's move leads from a1 to a2"),
        ("a1-a2", "no knight's move leads from a1 to a2"),
        ("a1-b3-a1", "move 3: a1 was visited before, by move 1"),
        (apart.as_str(), "no knight's move leads from a3 to b3"),
        (from_0.as_str(), "no knight's move leads from a3 to b3"),
    ] {
        for method in [&[][..], &["--method", "numbers"], &["--closed"]] {
            says_no(&[&["3x4", "--partial", given][..], method].concat(), 1, says);
        }
        assert!(json(&["3x4", "--partial", given], 1)["reason"].as_str().unwrap().contains(says), "{given}");
    }
    says_no(&["3x4", "--partial", &twice], 1, "move 4 cannot lead to both b2 and b1");
    says_no(&["3x4", "--partial", "a3-c2", "--holes", &file("hole")], 1, "c2 is a hole");
    says_no(&["3x4", "--partial", "a3-c2", "--end", "a3"], 1, "");
    says_no(&["3x4", "--partial", &file("word")], 2, "an empty square is _ ? -");
}

/// The first numbers alone, and all of them, are a puzzle as any other.
#[test]
fn numbers_completes_a_beginning() {
    let whole = stdout(&find(&["3x4", "--rng", "1"]));
    let folder = folder_with(&[("begin", "1 _ _ _\n_ _ 2 _\n3 _ _ _\n"), ("whole", &whole)]);
    for given in ["a3-c2-a1", &path(&folder, "begin")] {
        let report = json(&["3x4", "--method", "numbers", "--partial", given], 0);
        assert_eq!(report["method"], "numbers");
        assert_eq!(verified(&report, &report["tour"])[..3], ["a3", "c2", "a1"]);
    }
    let found = find(&["3x4", "--method", "numbers", "--partial", &path(&folder, "whole"), "--format", "grid"]);
    assert_eq!(stdout(&found), whole, "{}", stderr(&found));
}

/// A closed puzzle whose numbers fit in both directions has two grids of one cycle.
#[test]
fn the_tours_of_a_closed_puzzle_are_grids() {
    let folder = folder_with(&[
        ("ring", "1 _ _\n_ # _\n_ _ 5\n"),
        ("one gap", "1 4 7 10\n12 9 2 5\n3 6 0 8\n"),
        ("first", &format!("1{}\n{1}\n{1}\n", " .".repeat(9), ". ".repeat(10))),
    ]);
    let ring = path(&folder, "ring");
    let report = json(&["3x3", "--closed", "--partial", &ring, "--tours", "9"], 0);
    assert_eq!(report["tours"].as_array().unwrap().len(), 2, "{report}");
    let said = find(&["3x3", "--closed", "--partial", &ring, "--tours", "9"]);
    assert!(stderr(&said).contains("2 of 9 tours: there are no more"), "{}", stderr(&said));
    // A grid that gives only where the tour begins: as many as cycles with a direction.
    let first = path(&folder, "first");
    let said = find(&["3x10", "--closed", "--partial", &first, "--tours", "99", "--format", "grid"]);
    assert!(stderr(&said).contains("32 of 99 tours: there are no more"), "{}", stderr(&said));
    assert!(stdout(&said).split("\n\n").all(|grid| grid.trim_start().starts_with("1 ")), "{}", stdout(&said));
    // A single gap that is a 0.
    let names = tour(&["3x4", "--partial", &path(&folder, "one gap")]);
    assert_eq!((&names[0][..], &names[10][..]), ("a3", "c1"));
    let turned = folder.path().join("turned");
    fs::write(&turned, "1 4 7\n6 # 2\n3 0 5\n").unwrap();
    let said = find(&["3x3", "--closed", "--partial", turned.to_str().unwrap()]);
    assert!(stderr(&said).contains("its 0 is taken for its first number"), "{}", stderr(&said));
}

/// A single 0 may be the first number or an empty square, also where the number that is missing is the last one.
#[test]
fn a_single_zero_is_what_makes_a_tour() {
    let folder = folder_with(&[
        ("last", "1 4 7 10\n0 9 2 5\n3 6 11 8\n"),
        ("ring", "1 4 7\n6 . 2\n3 0 5\n"),
        ("alone", "0 . . .\n. . . .\n. . . .\n"),
    ]);
    let names = tour(&["3x4", "--partial", &path(&folder, "last")]);
    assert_eq!((&names[0][..], &names[11][..]), ("a3", "a2"));
    let names = tour(&["3x3", "--closed", "--partial", &path(&folder, "ring")]);
    assert_eq!((&names[0][..], &names[7][..], names.len()), ("a3", "b1", 8));
    assert_eq!(tour(&["3x4", "--partial", &path(&folder, "alone")])[0], "a3");
}

/// That a search of one symmetry has come to its end does not mean that there are no other tours.
#[test]
fn tours_of_one_symmetry_are_not_all() {
    let said = find(&["6x6", "--method", "quarter-turn", "--closed", "--tours", "100"]);
    assert!(stderr(&said).contains("of 100 tours: no more were found"), "{}", stderr(&said));
}

#[test]
fn the_same_seed_finds_the_same_tours_and_each_is_another() {
    let tours = |args: &[&str]| -> Vec<Vec<String>> {
        let report = json(&[args, &["--tours", "5"]].concat(), 0);
        report["tours"].as_array().unwrap().iter().map(|names| verified(&report, names)).collect()
    };
    let first = tours(&["8x8", "--rng", "7"]);
    assert_eq!(first.len(), 5);
    assert!((0..5).all(|i| !first[..i].contains(&first[i])));
    assert_eq!(first, tours(&["8x8", "--rng", "7", "--threads", "3"]));
    assert_ne!(first, tours(&["8x8", "--rng", "8"]));

    let drawn = json(&["6x6", "--method", "edges", "--rng", "random"], 0);
    let seed = drawn["seed"].as_u64().unwrap().to_string();
    assert_eq!(drawn["tour"], json(&["6x6", "--method", "edges", "--rng", &seed], 0)["tour"]);
    let said = find(&["6x6", "--rng", "random"]);
    assert!(stderr(&said).starts_with("seed "), "{}", stderr(&said));
}

#[test]
fn tours_are_served_from_a_library() {
    let folder = folder_with(&[]);
    let file = path(&folder, "library.txt");
    assert_eq!(find(&["6x6", "--tours", "3", "--format", "list", "--out", &file]).status.code(), Some(0));
    let report = json(&["6x6", "--library", &file], 0);
    assert_eq!(report["method"], "lookup");
    verified(&report, &report["tour"]);
    says_no(&["7x7", "--library", &file], 1, "not found: no open tour of 7x7 by lookup");
    says_no(&["6x6", "--library", "/nowhere/at/all"], 2, "/nowhere/at/all");
    says_no(&["6x6", "--method", "lookup"], 2, "--library FILE");
}

#[test]
fn every_format_goes_to_stdout_and_to_a_file() {
    for (format, begins) in [("grid", " "), ("list", "6x6 "), ("svg", "<?xml"), ("json", "{\"board\":\"6x6\"")] {
        let direct = find(&["6x6", "--format", format]);
        assert_eq!((direct.status.code(), remarks(&direct).as_str()), (Some(0), ""), "{format}");
        let direct = stdout(&direct);
        assert!(
            direct.trim_start_matches(|c: char| format == "grid" && c.is_ascii_digit()).starts_with(begins),
            "{direct}"
        );
        let folder = folder_with(&[]);
        let file = path(&folder, "tour");
        let filed = find(&["6x6", "--format", format, "--out", &file]);
        assert_eq!(filed.status.code(), Some(0), "{}", stderr(&filed));
        assert!(stdout(&filed).contains("6x6 closed tour by tiles"), "{}", stdout(&filed));
        assert_eq!(fs::read_to_string(&file).unwrap(), direct);
        assert_refused(&["find", "5x6", "--out", &file], "--force");
        assert_eq!(fs::read_to_string(&file).unwrap(), direct, "a refused run changes nothing");
        assert_eq!(find(&["5x6", "--out", &file, "--force"]).status.code(), Some(0));
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 5, "the grid of the other board");
        assert_eq!(names(folder.path()), ["tour"], "nothing is left beside the file");
    }
    let paths = stdout(&find(&["6x6", "--closed", "--method", "quarter-turn", "--format", "paths"]));
    assert_eq!(paths.lines().count(), 9, "{paths}");
    assert!(paths.lines().all(|line| line.split(':').count() == 4), "{paths}");
    let plain = stdout(&find(&["6x6", "--format", "svg", "--numbers=false"]));
    assert!(plain.len() < stdout(&find(&["6x6", "--format", "svg"])).len());
    let grids = stdout(&find(&["6x6", "--tours", "3"]));
    assert_eq!(grids.split("\n\n").count(), 3, "{grids}");
}

#[test]
fn a_tour_of_any_size_is_streamed_in_little_memory_and_a_closed_pipe_ends_it_quietly() {
    for args in [&["find", "20000x20000", "--format", "list"][..], &["find", "20000x20000", "--json"]] {
        let mut child = spawn(destrier(args));
        let mut reader = child.stdout.take().unwrap();
        let mut begun = vec![0; 1 << 20];
        reader.read_exact(&mut begun).unwrap();
        let peak = peak_kib(child.id()).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), remarks(&output).as_str()), (Some(0), ""), "{args:?}");
        assert!(text(&begun).contains("20000x20000"), "{args:?}");
        assert!(peak < 64 << 10, "{args:?}: {peak} KiB for 400 million squares");
    }
}

#[test]
fn a_signal_stops_the_writing_and_leaves_no_part_of_a_file() {
    let folder = folder_with(&[]);
    let file = path(&folder, "tour.txt");
    let child = spawn(destrier(&["find", "20000x20000", "--format", "list", "--json", "--out", &file]));
    wait_until("a part of the tour", || is_written_to(folder.path()));
    send(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    let report = object(&output);
    assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"signal".into()));
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_deadline_is_no_proof() {
    // The order of the source with the most available square first strands the knight for hours.
    let args = ["8x8", "--method", "order-by-avail-reversed", "--start", "a1", "--deadline", "0.000001ms"];
    let report = json(&args, 1);
    assert_eq!((&report["complete"], &report["stopped"]), (&false.into(), &"deadline".into()));
    assert_eq!(report["impossible"], false);
}

#[test]
fn a_range_of_boards_is_toured_and_verified_board_by_board() {
    let report = json(&["3..10x3..10"], 0);
    let count = |key: &str| report[key].as_u64().unwrap();
    assert_eq!((count("count"), report["complete"].as_bool()), (64, Some(true)));
    let none: Vec<&str> = report["none"].as_array().unwrap().iter().map(|row| row["board"].as_str().unwrap()).collect();
    assert_eq!(none, ["3x3", "3x5", "3x6", "4x4", "5x3", "6x3"]);
    // By Schwenk: of the other 58 boards 16 are odd by odd less 3x3, 3x5 and 5x3, and those with a side of 4 are 15 less 4x4;
    // 3x8 and 8x3 come to them.
    assert_eq!((count("closed"), count("open")), (58 - 13 - 14 - 2, 13 + 14 + 2));
    assert_eq!(report["not_found"], serde_json::json!([]));

    let text = stdout(&find(&["3..5", "--threads", "2"]));
    assert!(text.starts_with("3..5: 3 boards by auto, seed 0, 2 threads"), "{text}");
    assert!(text.contains("  3x3: no move leads to the middle square"), "{text}");
}

#[test]
fn a_closed_tour_is_one_whatever_its_start_and_direction() {
    // 3x10 has 16 closed tours, undirected (OEIS A070030).
    for method in ["edges", "order-by-avail", "dfs"] {
        let report = json(&["3x10", "--closed", "--method", method, "--tours", "100"], 0);
        assert_eq!(report["tours"].as_array().map(Vec::len), Some(16), "{method}");
    }
}

#[test]
fn a_range_in_which_no_board_has_a_tour_is_a_no() {
    assert_eq!(json(&["3..4x3..4", "--closed"], 1)["none"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_board_of_a_range_that_should_have_a_tour_and_has_none_is_a_failure() {
    let report = json(&["73..75", "--method", "squirrel-cull"], 1);
    assert_eq!(report["open"], 2);
    assert_eq!(report["not_found"][0]["board"], "74x74");
}

#[test]
fn help_lists_every_method() {
    let help = stdout(&find(&["--help"]));
    for finder in destrier::solve::finders() {
        assert!(help.contains(finder.name()), "{}", finder.name());
    }
}

/// From Kurapati's "Knight's Tour in Cg", 2007, section "Sample output".
#[test]
fn the_three_cycle_board_prints_the_source_s_tour_and_says_what_did_it() {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for adapter in ["any", "cpu"] {
        let asked = ["8x8", "--method", "gpu-cycles", "--start", "2,4", "--adapter", adapter];
        assert_eq!(words(&stdout(&find(&asked))), words(KURAPATI));
        let report = json(&asked, 0);
        let device = report["device"].as_str().unwrap().to_owned();
        assert!(adapter == "any" || device == "CPU twin (no GPU)", "{device}");
    }
    let stuck = ["8x8", "--method", "gpu-cycles", "--start", "0,2", "--adapter", "cpu"];
    assert_eq!(json(&stuck, 1)["reason"], "the knight is stuck on square 60 of 64 in cycle 180");
}

#[test]
fn an_adapter_that_is_not_there_is_bad_input() {
    assert_refused(&["find", "8x8", "--method", "gpu-cycles", "--adapter", "nonsense"], "destrier: --adapter: ");
    assert_refused(&["find", "8x8", "--method", "dfs", "--adapter", "cpu"], "--adapter means nothing to dfs");
}
