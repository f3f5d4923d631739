//! The command line of tours by number: `unrank`, `rank` and `find --uniform`, there and back, their objects, their files,
//! and what they refuse.

use crate::common::{assert_refused, destrier, feed, json, json_of, names, path, run, stdout};
use destrier::board::{Board, Square, Tour};
use destrier::store::TourReader;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// The tours of a text, each as one list for every way to read it.
fn read(text: &str) -> Vec<Vec<Square>> {
    let reading = |read: destrier::store::ReadTour| {
        let ending = read.ending.unwrap_or(destrier::board::Ending::Closed);
        Tour::verify(read.shape, ending, read.squares).unwrap().reading().to_vec()
    };
    TourReader::new(text.as_bytes(), None::<Board>).map(|tour| reading(tour.unwrap())).collect()
}

/// Every closed tour of 6x6 by its number is every one that the search lists, and the numbers come back.
#[test]
fn the_tours_by_number_are_those_that_the_search_lists() {
    let text = stdout(&run(&["unrank", "6x6", "0..9861", "--format", "list"]));
    let searched = stdout(&run(&["search", "6x6", "--out", "-"]));
    let [numbered, searched] = [&text, &searched].map(|text| read(text).into_iter().collect::<BTreeSet<_>>());
    assert_eq!(numbered.len(), 9862);
    assert!(numbered == searched);
    let ranks = stdout(&feed(destrier(&["rank"]), text.as_bytes()));
    let expected: String = (0..9862).map(|number| format!("{number}\n")).collect();
    assert!(ranks == expected);
}

/// Around holes, given by name, in a file, and for boards that lie: the numbers come back, and are of the tours that the search lists.
#[test]
fn tours_around_holes_have_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let (layers, mask) = (path(&folder, "layers"), path(&folder, "mask"));
    let text = stdout(&run(&["unrank", "5x6-a5,b5", "0..301", "--format", "list", "--layers", &layers]));
    let searched = stdout(&run(&["search", "5x6-a5,b5", "--out", "-"]));
    let [numbered, searched] = [&text, &searched].map(|text| read(text).into_iter().collect::<BTreeSet<_>>());
    assert!(numbered.len() == 302 && numbered == searched);
    let ranks = stdout(&feed(destrier(&["rank", "--layers", &layers]), text.as_bytes()));
    let expected: String = (0..302).map(|number| format!("{number}\n")).collect();
    assert!(ranks == expected);
    let bare = text.replace("5x6 ", "").replace(" without a5 b5", "");
    assert_ne!(bare.len(), text.len());
    let ranks = stdout(&feed(destrier(&["rank", "--board", "5x6-a5,b5", "--layers", &layers]), bare.as_bytes()));
    assert!(ranks == expected);
    fs::write(&mask, "a5 b5").unwrap();
    let drawn =
        ["find", "5x6", "--holes", &mask, "--uniform", "--closed", "--tours", "9", "--layers", &layers, "--json"];
    let drawn = json(&drawn);
    assert_eq!((&drawn["holes"], &drawn["count"]), (&json_names(&["a5", "b5"]), &"302".into()));
    let numbers: Vec<&str> = drawn["numbers"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let made = json(&["unrank", "5x6-b5,a5", &numbers.join(","), "--json"]);
    assert_eq!((&made["tours"], &made["holes"]), (&drawn["tours"], &drawn["holes"]));
    let open = json(&["find", "3x3-b2", "--uniform", "--open", "--start", "c3", "--tours", "2", "--json"]);
    assert_eq!((&open["count"], &open["tours"][1][0]), (&"2".into(), &"c3".into()));
    let none = json_of(&["find", "6x6-a1,f6", "--uniform", "--json"], 1);
    assert_eq!((&none["impossible"], &none["holes"]), (&true.into(), &json_names(&["f6", "a1"])));
}

fn json_names(names: &[&str]) -> Value {
    names.iter().copied().map(Value::from).collect::<Vec<_>>().into()
}

#[test]
fn objects_keep_the_contract_and_other_formats_are_read_back() {
    let report = json(&["unrank", "5x5", "--open", "0,1727", "5..6", "--json"]);
    let numbers: Vec<Value> = ["0", "1727", "5", "6"].into_iter().map(Value::from).collect();
    for (key, value) in [
        ("board", Value::from("5x5")),
        ("ending", "open".into()),
        ("convention", "directed".into()),
        ("numbering", 1.into()),
        ("count", "1728".into()),
        ("numbers", numbers.clone().into()),
        ("complete", true.into()),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    assert_eq!(report["tours"][0].as_array().unwrap().len(), 25);
    for format in ["grid", "list", "json"] {
        let text = stdout(&run(&["unrank", "5x5", "--open", "0,1727", "5..6", "--format", format]));
        let ranked = feed(destrier(&["rank", "--open", "--json"]), text.as_bytes());
        let ranked: Value = serde_json::from_str(&stdout(&ranked)).unwrap();
        assert_eq!((&ranked["ranks"], &ranked["ending"]), (&Value::from(numbers.clone()), &"open".into()), "{format}");
    }
    let picture = stdout(&run(&["unrank", "5x6", "3", "--format", "svg"]));
    assert_eq!(stdout(&feed(destrier(&["rank"]), picture.as_bytes())), "3\n");
    assert_eq!(stdout(&run(&["unrank", "1x1", "0", "--open", "--format", "list"])), "1x1 a1\n");
}

#[test]
fn drawn_tours_are_those_with_the_drawn_numbers_and_the_seed_decides() {
    let folder = tempfile::tempdir().unwrap();
    let layers = path(&folder, "new/layers");
    let args = ["find", "5x6", "--uniform", "--tours", "20", "--rng", "7", "--json"];
    let drawn = json(&args);
    assert_eq!((&drawn["method"], &drawn["count"], &drawn["seed"]), (&"uniform".into(), &"8".into(), &7.into()));
    assert_eq!((drawn["tours"].as_array().unwrap().len(), &drawn["complete"]), (20, &true.into()));
    let again = |more: &[&str]| json(&[&args[..], more].concat());
    for more in [&["--threads", "1"][..], &["--layers", &layers], &["--layers", &layers, "--threads", "3"]] {
        let again = again(more);
        assert_eq!((&again["numbers"], &again["tours"]), (&drawn["numbers"], &drawn["tours"]), "{more:?}");
    }
    assert!(names(&folder.path().join("new/layers")).iter().all(|name| !name.starts_with('.')));
    let other = json(&["find", "5x6", "--uniform", "--tours", "20", "--rng", "8", "--json"]);
    assert_ne!(other["numbers"], drawn["numbers"]);
    let numbers: Vec<&str> = drawn["numbers"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let made = json(&["unrank", "5x6", &numbers.join(","), "--layers", &layers, "--json"]);
    assert_eq!(made["tours"], drawn["tours"]);
    // One alone, from a square, of an ending that is there.
    let one = json(&["find", "5x5", "--uniform", "--start", "c3", "--json"]);
    assert_eq!((&one["ending"], &one["count"], &one["tour"][0]), (&"open".into(), &"64".into(), &"c3".into()));
    let out = path(&folder, "tours");
    let said = stdout(&run(&["find", "6x6", "--uniform", "--tours", "9", "--format", "list", "--out", &out]));
    assert!(said.starts_with("6x6: 9 drawn of 9,862 closed tours, seed 0, in "), "{said}");
    assert_eq!(read(&fs::read_to_string(&out).unwrap()).len(), 9);
}

#[test]
fn where_there_is_no_tour_the_answer_is_no() {
    for args in [
        &["find", "4x4", "--uniform", "--json"][..],
        &["find", "5x5", "--uniform", "--closed", "--json"],
        &["find", "5x5", "--uniform", "--open", "--start", "a2", "--json"],
    ] {
        let report = json_of(args, 1);
        assert_eq!(report["impossible"], true, "{args:?}");
        assert!(report["reason"].is_string());
    }
}

#[test]
fn what_cannot_be_numbered_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (layers, file) = (path(&folder, "layers"), path(&folder, "file"));
    fs::write(&file, "5x6 a1 b3\n").unwrap();
    run(&["unrank", "5x6", "0", "--layers", &layers]);
    for (args, says) in [
        (&["unrank", "6x6", "9862"][..], "6x6 has 9862 closed tours, with numbers from 0 to 9861"),
        (&["unrank", "6x6", "0..99999"], "number 99999"),
        (&["unrank", "6x6", "9..5"], "'9..5' goes down: write 5..9"),
        (&["unrank", "6x6", "x"], "is no number of a tour"),
        (&["unrank", "6x6"], "<N>"),
        (&["unrank", "6x6", "0..99999999999999"], "are made at once"),
        (&["unrank", "5x5", "0"], "5x5 has 0 closed tours"),
        (&["unrank", "6x6", "0", "1", "--format", "svg"], "a picture shows one tour, not 2"),
        (&["unrank", "6x6", "0", "--format", "paths"], "grid, list, svg, json, packed]"),
        (&["unrank", "6x6", "0", "--layers", &layers], "has the layers of the closed tours of 6x5"),
        (&["unrank", "6x6", "0", "--layers", &file], "cannot be a folder for layers"),
        (&["unrank", "8x8", "0", "--memory", "4G"], "What would fit: --layers DIR"),
        (&["unrank", "8x11", "0"], "outgrow 64 bits"),
        (&["unrank", "3x3-b2", "0", "--format", "packed"], "--format packed holds tours of whole boards"),
        (&["unrank", "8x10", "0", "--open"], "outgrow 64 bits"),
        (&["unrank", "10x10", "0"], "too wide to count"),
        (&["rank", &file], "tour 1, line 1"),
        (&["rank", "/nowhere"], "/nowhere"),
        (&["find", "6x6", "--layers", &layers], "--uniform"),
        (&["find", "5..6", "--uniform"], "--uniform draws tours of one board"),
        (&["find", "6x6", "--uniform", "--method", "edges"], "--method"),
        (&["find", "6x6", "--uniform", "--end", "a1"], "--end"),
    ] {
        assert_refused(args, says);
    }
    for (text, says) in [
        ("3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2", "--open"),
        ("3x4 a3 c2", "tour 1, line 1: 2 squares, but a tour of 3x4 has 12\n"),
        ("", "there is no tour in it"),
        (
            "3x3 a3 c2 a1 b3 c1 a2 c3 b1 without b2\n3x4 a3 c2",
            "tour 2, line 2: it is of 3x4, and the first of 3x3-b2: rank one",
        ),
    ] {
        let output = feed(destrier(&["rank"]), text.as_bytes());
        let (code, printed, message) = crate::common::said(&output);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{text}: {message}");
        assert!(message.contains(says), "{text}: {message}");
    }
    // A packed file has no lines.
    let packed = run(&["unrank", "5x5", "0", "--open", "--format", "packed"]).stdout;
    let output = feed(destrier(&["rank", "--closed"]), &packed[..]);
    let message = crate::common::stderr(&output);
    assert!(message.contains("stdin: tour 1: the tour does not close"), "{message}");
    let two = stdout(&run(&["unrank", "5x6", "0", "--format", "list"]))
        + &stdout(&run(&["unrank", "6x6", "0", "--format", "list"]));
    let output = feed(destrier(&["rank"]), two.as_bytes());
    assert!(crate::common::stderr(&output).contains("tour 2, line 2: it is of 6x6, and the first of 5x6"));
}

#[test]
fn help_names_the_formats_that_are_read_and_written() {
    for command in ["verify", "rank", "show"] {
        let help = stdout(&run(&[command, "--help"])).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("grids, JSON, SVG or packed, compressed or not"), "{command}: {help}");
    }
    assert!(!stdout(&run(&["unrank", "--help"])).contains("paths"));
}

/// Whatever is refused leaves no folder behind, and a number past the end is before layers are written.
#[test]
fn what_is_refused_leaves_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    let layers = path(&folder, "new/layers");
    for (args, says) in [
        (&["unrank", "5x6", "8"][..], "5x6 has 8 closed tours, with numbers from 0 to 7"),
        (&["unrank", "3x16", "999999999"], "3x16 has 15424 closed tours"),
        (&["unrank", "5x5", "0"], "5x5 has 0 closed tours"),
        (&["unrank", "7x8", "0", "--memory", "60M"], "making the layers of the closed tours of 7x8 takes"),
        (&["unrank", "10x10", "0"], "too wide to count"),
    ] {
        assert_refused(&[args, &["--layers", &layers]].concat(), says);
        assert_eq!(names(folder.path()), [""; 0], "{args:?}");
    }
    let too_long = path(&folder, &format!("new/{}", "a".repeat(300)));
    assert_refused(&["unrank", "5x6", "0", "--layers", &too_long], "cannot be a folder for layers");
    assert_eq!(names(folder.path()), [""; 0], "what could be made of it is gone");
    // One that stood there stays.
    fs::create_dir(folder.path().join("new")).unwrap();
    assert_refused(&["unrank", "5x6", "8", "--layers", &layers], "5x6 has 8 closed tours");
    assert_eq!((names(folder.path()), names(&folder.path().join("new"))), (vec!["new".to_owned()], Vec::new()));
    // The board is named as it was typed.
    run(&["unrank", "3x10", "0", "--layers", &layers]);
    assert_refused(
        &["unrank", "5x6", "0", "--layers", &layers],
        "of 10x3, not of the closed tours of 5x6: name another",
    );
}

/// Numbering 1, as it was laid down: a user may have written a number down.
#[test]
fn numbers_stay_what_they_are() {
    for (args, tour) in [
        ("5x6 0", "5x6 a5 c4 e5 f3 e1 d3 f2 d1 b2 a4 c5 e4 d2 f1 e3 f5 d4 b5 a3 b1 c3 a2 c1 e2 f4 d5 b4 c2 a1 b3"),
        ("5x6 7", "5x6 a5 c4 b2 d1 f2 e4 c5 a4 c3 b5 a3 b1 d2 f1 e3 f5 d4 e2 f4 d5 b4 a2 c1 d3 e5 f3 e1 c2 a1 b3"),
        ("5x5 1000 --open", "5x5 d2 e4 c3 b1 a3 b5 d4 e2 c1 a2 b4 d5 e3 d1 b2 a4 c5 b3 a5 c4 e5 d3 e1 c2 a1"),
        ("4x5 100 --open", "4x5 e4 d2 b1 a3 c4 e3 d1 b2 a4 c3 e2 d4 b3 a1 c2 b4 a2 c1 d3 e1"),
        // The same moves in both directions, and turned by a half turn; and with rows and columns exchanged.
        ("4x6 1001 --open", "4x6 b1 a3 c4 e3 f1 d2 e4 f2 d1 b2 a4 c3 a2 b4 c2 a1 b3 c1 d3 e1 f3 d4 e2 f4"),
        ("4x6 1002 --open", "4x6 e4 f2 d1 b2 a4 c3 b1 a3 c4 e3 f1 d2 f3 e1 d3 f4 e2 d4 c2 b4 a2 c1 b3 a1"),
        ("4x6 1003 --open", "4x6 a1 b3 c1 a2 b4 c2 d4 e2 f4 d3 e1 f3 d2 f1 e3 c4 a3 b1 c3 a4 b2 d1 f2 e4"),
        ("6x4 1001 --open", "6x4 a1 c2 a3 b1 d2 b3 d4 b5 d6 c4 a5 c6 b4 a6 c5 d3 c1 a2 c3 d1 b2 a4 b6 d5"),
    ] {
        let args: Vec<&str> = ["unrank"].into_iter().chain(args.split(' ')).chain(["--format", "list"]).collect();
        assert_eq!(stdout(&run(&args)), format!("{tour}\n"), "{args:?}");
    }
}
