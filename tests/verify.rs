//! `destrier verify` as a contract: what other commands write is read back, and what is no tour is told why.

use crate::common::{LINE_3X4 as LIST, assert_refused, destrier, feed, limited, path, run, said, spawn};
use destrier::search::quarter::SAMPLE;
use serde_json::Value;
use std::fs;
use std::io::{self, Read, Write};
use std::process::Stdio;

fn verify(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    said(&feed(destrier(&[&["verify"], args].concat()), input.as_bytes()))
}

fn verify_json(args: &[&str], input: &str) -> (Option<i32>, Value) {
    let (code, stdout, stderr) = verify(&[args, &["--json"]].concat(), input);
    (code, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}")))
}

#[test]
fn every_closed_tour_of_6x6_is_read_back_from_every_format_of_search() {
    for format in ["line", "grid"] {
        let mut search = spawn(destrier(&["search", "6x6", "--out", "-", "--format", format]));
        let (code, stdout, stderr) = said(&feed(destrier(&["verify", "--closed"]), search.stdout.take().unwrap()));
        assert!(search.wait().unwrap().success());
        let says = "9862 tours: 9862 valid (9862 closed, 0 open), 0 invalid\n";
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), says, ""), "{format}");
    }
}

#[test]
fn a_file_is_read_and_a_missing_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "tours.txt");
    fs::write(&file, LIST.repeat(3)).unwrap();
    assert_eq!(said(&run(&["verify", &file])).1, "3 tours: 3 valid (0 closed, 3 open), 0 invalid\n");
    for path in [path(&folder, "none"), path(&folder, "")] {
        assert_refused(&["verify", &path], &path);
    }
}

/// A slip at the first square of a list makes a board of it, which has room for the tour on the next line.
#[test]
fn a_typing_error_costs_no_other_tour() {
    let tours = said(&run(&["find", "8x8", "--tours", "3", "--format", "list"])).1;
    let names: Vec<&str> = tours.lines().map(|line| &line[4..]).collect();
    for slip in ["48", "99 ", "8", "48x48 ", "18x8 ", "8x9 "] {
        let text = format!("{}\n{slip}{}\n{}\n", names[0], &names[1][2..], names[2]);
        for args in [&["--board", "8x8"][..], &[]] {
            let (code, object) = verify_json(args, &text);
            let counts = [&object["valid"], &object["invalid"], &object["skipped_lines"], &object["passed_over"]];
            assert_eq!((code, counts), (Some(1), [&2.into(), &1.into(), &0.into(), &0.into()]), "{slip} {args:?}");
        }
    }
}

#[test]
fn the_first_wrong_move_is_named_with_its_tour_and_its_line() {
    let exchanged = LIST.replace("c3 d1", "d1 c3");
    let twice = LIST.replace("b3 d2", "b3 a1");
    let short = LIST.replace(" c1 a2", "");
    let letters = LIST.replace("d2", "d22");
    let grid = "1 4 7 10\n12 9 2 5\n3 6 11 6\n";
    let text = [LIST, &exchanged, &twice, &short, &letters, grid].concat();
    let (code, stdout, stderr) = verify(&[], &text);
    let expected = "\
tour 2, line 2: move 7: no knight's move leads from b1 to d1
tour 3, line 3: move 5: a1 was visited before, by move 3
tour 4, line 4: 10 squares, but a tour of 3x4 has 12
tour 5, line 5: move 5: 'd22' is not on the board 3x4: its squares are a1 to d3
tour 6, line 8: row 3, column 4: 6 stands in row 3, column 2 already, and 8 is missing
6 tours: 1 valid (0 closed, 1 open), 5 invalid
";
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(1), expected, ""));

    let (code, object) = verify_json(&[], &text);
    assert_eq!(code, Some(1));
    let moves: Vec<&Value> = object["faults"].as_array().unwrap().iter().map(|fault| &fault["move"]).collect();
    assert_eq!(moves, [7, 5, 11, 5, 6]);
    assert_eq!((&object["tours"], &object["valid"], &object["invalid"]), (&6.into(), &1.into(), &5.into()));
    let columns: Vec<&Value> = object["faults"].as_array().unwrap().iter().map(|fault| &fault["column"]).collect();
    assert_eq!(columns, [&23.into(), &17.into(), &Value::Null, &17.into(), &8.into()]);
    let first = serde_json::json!({ "index": 2, "line": 2, "move": 7, "column": 23,
        "reason": "move 7: no knight's move leads from b1 to d1" });
    assert_eq!(object["faults"][0], first);
}

/// A byte that is no text spoils its own tour: the tours behind it are read.
#[test]
fn a_control_byte_makes_one_tour_invalid() {
    for byte in (0..0x20u8).chain(0x7f..=0xff).filter(|byte| !b"\t\n\r\x0c".contains(byte)) {
        for at in [0, 2, 5, LIST.len() - 2] {
            let mut line = LIST.as_bytes().to_vec();
            line[at] = byte;
            let text = [LIST.as_bytes(), &line, LIST.repeat(3).as_bytes()].concat();
            let (code, stdout, stderr) = said(&feed(destrier(&["verify"]), &text[..]));
            let summary = "5 tours: 4 valid (0 closed, 4 open), 1 invalid";
            assert_eq!((code, stdout.lines().last(), stderr.as_str()), (Some(1), Some(summary), ""), "{byte} at {at}");
            let fault = stdout.lines().next().unwrap();
            assert!(fault.starts_with("tour 2, line 2: ") && fault.contains('\u{fffd}'), "{byte} at {at}: {fault}");
        }
    }
}

#[test]
fn an_empty_tour_of_a_json_text_is_invalid_wherever_it_stands() {
    let tour = format!("[\"{}\"]", LIST.trim_end()[4..].replace(' ', "\",\""));
    for (text, tours, invalid) in [
        (format!("{{\"board\":\"3x4\",\"tour\":[]}}\n{LIST}"), 2, 1),
        (format!("{{\"board\":\"3x4\",\"tours\":[[],{tour}, [ ]]}}"), 3, 2),
        (format!("[[],{{\"tour\":[ ]}},{{\"tours\":[{{\"tour\":[]}}]}},{tour}]"), 4, 3),
        // No tour was found: that is no tour.
        (format!("{{\"board\":\"3x4\",\"tours\":[]}}\n{LIST}"), 1, 0),
        (format!("{{\"board\":\"3x4\",\"tour\":null}}\n{LIST}"), 1, 0),
    ] {
        let (code, object) = verify_json(&[], &text);
        let found = [&object["tours"], &object["invalid"]];
        assert_eq!((code, found), (Some(i32::from(invalid > 0)), [&tours.into(), &invalid.into()]), "{text}");
        let faults = object["faults"].as_array().unwrap();
        assert!(faults.iter().all(|fault| fault["reason"] == "the tour has no squares"), "{object}");
    }
    // A hole is a wrong move, also before a name that is none.
    let (_, object) = verify_json(&[], r#"{"board":"3x3","holes":["c2"],"tour":["a3","c2","zz"]}"#);
    assert_eq!(object["faults"][0]["reason"], "move 2: c2 is a hole");
}

#[test]
fn closed_is_asked_for_by_the_user_or_claimed_by_the_text() {
    let (code, stdout, _) = verify(&["--closed"], LIST);
    let says = "the tour does not close: no knight's move leads from a2, the last square, to a3";
    assert_eq!((code, stdout.lines().next()), (Some(1), Some(format!("tour 1, line 1: {says}").as_str())));
    let names = LIST.trim_end()[4..].replace(' ', "\",\"");
    for (ending, code) in [("open", 0), ("closed", 1)] {
        let object = format!("{{\"board\":\"3x4\",\"ending\":\"{ending}\",\"tour\":[\"{names}\"]}}");
        assert_eq!(verify_json(&[], &object).0, Some(code), "{ending}");
    }
}

#[test]
fn holes_come_from_the_tour_or_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| path(&folder, name);
    let ring = "3x3 a3 c2 a1 b3 c1 a2 c3 b1";
    fs::write(path("mask"), "...\n.#.\n...\n").unwrap();
    fs::write(path("wide"), "....\n.#..\n....\n").unwrap();
    let valid = "1 tour: 1 valid (1 closed, 0 open; 1 around holes), 0 invalid\n";
    assert_eq!(verify(&["--holes", &path("mask")], ring).1, valid);
    assert_eq!(verify(&[], &format!("{ring} without b2")).1, valid);
    for text in [ring, &ring[4..], &format!("{ring} without b2"), "1 4 7\n6 . 2\n3 8 5"] {
        assert_eq!(verify(&["--board", "3x3-b2"], text).1, valid, "{text}");
    }
    let (code, stdout, _) = verify(&["--board", "3x3-a1"], &format!("{ring} without b2"));
    assert!(code == Some(1) && stdout.contains("the tour leaves out other squares than 3x3-a1"), "{stdout}");
    assert_eq!(verify(&[], "1 4 7\n6 . 2\n3 8 5").1, valid);
    assert_eq!(verify(&[], ring).0, Some(1), "without the mask a square is missing");
    assert_eq!(verify(&["--holes", &path("mask")], &format!("{ring} without a1")).0, Some(1));
    for (mask, says) in [("wide", "draws 4 squares"), ("none", "No such file")] {
        let (code, stdout, stderr) = verify(&["--json", "--holes", &path(mask)], ring);
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        assert!(stderr.contains(says), "{stderr}");
    }
}

/// What `find --format paths` prints is no tour until its paths are joined.
#[test]
fn four_paths_side_by_side_are_refused_with_what_a_tour_looks_like() {
    let (code, stdout, stderr) = verify(&[], SAMPLE);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("line 1: no tour begins with '65:71:17:11'; a tour is a list such as 3x4 a3"), "{stderr}");
    let (code, said, _) = verify(&[], &format!("{LIST}{SAMPLE}{LIST}"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.ends_with("2 tours: 2 valid (0 closed, 2 open), 0 invalid; 20 lines not read\n"), "{said}");
}

/// What is no text of tours: exit code 2, nothing on stdout, and soon, without taking memory.
#[test]
fn noise_is_refused_at_once_in_little_memory() {
    let line = b"the quick brown fox jumps over the lazy dog 3x4 and 17 others\n";
    let mut state = 1u64;
    let mut random = move || {
        // A linear congruence is noise enough.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let block: Vec<u8> = (0..1 << 20).map(|_| random()).collect();
    let noise: [(&str, Vec<u8>); 5] = [
        ("empty", Vec::new()),
        ("zeros", vec![0; 1 << 20]),
        ("bytes", block),
        ("words", line.repeat(1 << 14)),
        ("one word", vec![b'q'; 1 << 20]),
    ];
    for (name, block) in noise {
        // A hundred megabytes, within 64 of address space beyond what the program itself takes.
        let noise = Repeat { block: &block, at: 0, left: 100 << 20 };
        let (code, stdout, stderr) = said(&feed(limited(262_144, &["verify", "--json"]), noise));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{name}: {stderr}");
        assert!(stderr.len() < 300, "{name}: {stderr}");
    }
}

/// A tour whose text goes wrong for a hundred megabytes is one bad tour, and takes no more memory than a good one.
#[test]
fn noise_behind_a_board_is_one_bad_tour() {
    for (begin, block) in [("8x8 a1", "q"), ("8x8 ", "a1 b3 "), ("[\"a1\",", "\"b3\",\"a1\","), ("1 2", "3 ")] {
        let limited = limited(393_216, &["verify", "--board", "8x8"]);
        let block = block.repeat(1 << 14);
        let noise = Repeat { block: block.as_bytes(), at: 0, left: 100 << 20 };
        let (code, stdout, stderr) = said(&feed(limited, begin.as_bytes().chain(noise)));
        let end = "1 tour: 0 valid (0 closed, 0 open), 1 invalid\n";
        assert_eq!((code, stderr.as_str()), (Some(1), ""), "{begin}");
        assert!(stdout.len() < 300 && stdout.ends_with(end), "{stdout}");
    }
}

/// So many bytes, a block again and again.
struct Repeat<'a> {
    block: &'a [u8],
    at: usize,
    left: usize,
}

impl Read for Repeat<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let rest = &self.block[self.at..];
        let count = rest.len().min(into.len()).min(self.left);
        into[..count].copy_from_slice(&rest[..count]);
        self.left -= count;
        self.at = (self.at + count) % self.block.len().max(1);
        Ok(count)
    }
}

#[test]
fn faults_beyond_the_list_are_counted() {
    let text = "3x4 a3 c2\n".repeat(150) + LIST;
    let (code, stdout, _) = verify(&[], &text);
    let end: Vec<&str> = stdout.lines().skip(100).collect();
    assert_eq!(code, Some(1));
    assert_eq!(end, ["and 50 more invalid ones", "151 tours: 1 valid (0 closed, 1 open), 150 invalid"]);
    let (_, object) = verify_json(&[], &text);
    assert_eq!(object["faults"].as_array().map(Vec::len), Some(100));
    assert_eq!((&object["invalid"], &object["faults_left_out"]), (&150.into(), &50.into()));
}

/// Long enough for several threads: who checks what changes nothing of what is said, nor its order.
#[test]
fn threads_change_nothing_of_what_is_said() {
    let twice = LIST.replace("b3 d2", "b3 a1");
    let other = "4x3 a4 b2 c4 a3 b1 c3 a2 c1 b3 a1 c2 b4\n";
    let grid = "1 4 7 10\n12 9 2 5\n3 6 11 8\n\n";
    let many = LIST.repeat(9000);
    let text = [&many, &twice, &many, grid, other, &LIST.to_uppercase(), &many, &twice].concat();
    let expected = "\
tour 9001, line 9001: move 5: a1 was visited before, by move 3
tour 27005, line 27008: move 5: a1 was visited before, by move 3
27005 tours: 27003 valid (0 closed, 27003 open), 2 invalid
";
    for threads in ["1", "2", "3", "64"] {
        let (code, stdout, stderr) = verify(&["--threads", threads], &text);
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(1), expected, ""), "{threads} threads");
    }
    assert_refused(&["verify", "--threads", "0"], "from 1 to 4096");
}

#[test]
fn text_that_ends_in_noise_is_no_success() {
    let (code, stdout, _) = verify(&[], &format!("{LIST}{LIST}\0"));
    let says = "not read: line 3: no tour begins with '\u{fffd}'\n\
                2 tours: 2 valid (0 closed, 2 open), 0 invalid; 1 line not read\n";
    assert_eq!((code, stdout.as_str()), (Some(1), says));
    let (code, object) = verify_json(&[], &format!("{LIST}and so on,\nand on.\n\n{LIST}the end\n"));
    let skipped = serde_json::json!([
        { "line": 2, "to": 2, "reason": "no tour begins with 'and so on,'" },
    ]);
    assert_eq!((code, &object["skipped"], &object["skipped_lines"]), (Some(1), &skipped, &1.into()), "{object}");
    assert_eq!((&object["tours"], &object["passed_over"]), (&2.into(), &2.into()));
}

/// A tour, its mirror image, it again, and it backwards: of one class, and three different as open tours.
#[test]
fn different_tours_and_their_classes_are_counted() {
    let names: Vec<&str> = LIST.split_whitespace().skip(1).collect();
    let mirrored = LIST.trim_end()[4..].replace('a', "D").replace('d', "A").replace('b', "C").replace('c', "B");
    let backwards: Vec<&str> = names.iter().rev().copied().collect();
    let text = format!("{LIST}3x4 {mirrored}\n{LIST}3x4 {}\n3x4 a3 b2\n", backwards.join(" "));
    let (code, object) = verify_json(&["--distinct"], &text);
    let found = ["tours", "valid", "distinct", "classes"].map(|key| object[key].as_u64());
    assert_eq!((code, found), (Some(1), [5, 4, 3, 1].map(Some)), "{object}");
    assert!(verify(&["--distinct"], &text).1.contains("3 different, of 1 class under symmetry and reversal\n"));
    // Every closed tour of 6x6 is there once, as its square a1 begins it, and as its second square does.
    let search = run(&["search", "6x6", "--out", "-"]);
    let lines = String::from_utf8(search.stdout).unwrap();
    let turned: String = lines
        .lines()
        .map(|line| {
            let mut words: Vec<&str> = line.split(' ').collect();
            words[1..].rotate_left(1);
            words.join(" ") + "\n"
        })
        .collect();
    // As open tours they are twice as many, which is said.
    let cut = "counted as open tours, by where they begin; --closed counts closed ones\n";
    let both = lines + &turned;
    assert!(verify(&["--distinct"], &both).1.contains(cut) && !verify(&["--distinct"], &text).1.contains(cut));
    assert!(!verify(&["--distinct", "--closed"], &both).1.contains(cut));
    let (code, object) = verify_json(&["--distinct", "--closed"], &both);
    let found = ["valid", "distinct", "classes"].map(|key| object[key].as_u64());
    assert_eq!((code, found), (Some(0), [2 * 9862, 9862, 1245].map(Some)), "{object}");
}

#[test]
fn facts_are_said_of_each_valid_tour() {
    let (code, stdout, _) = verify(&["--facts"], &format!("{LIST}3x4 a3\n{LIST}"));
    let facts = "open, no symmetry, 10 turns, 21 crossings, not magic";
    let line = |index: u64| format!("tour {index}, line {index}: {facts}\n");
    assert!(stdout.starts_with(&line(1)) && stdout.contains(&line(3)), "{stdout}");
    assert_eq!(code, Some(1));
    let (_, object) = verify_json(&["--facts"], LIST);
    let expected = serde_json::json!([{ "index": 1, "closed": false, "symmetry": [], "turns": 10, "crossings": 21,
        "magic": "no" }]);
    assert_eq!((&object["facts"], &object["facts_left_out"]), (&expected, &0.into()));
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut command = destrier(&["verify"]);
    command.stdin(Stdio::piped());
    let mut child = spawn(command);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // The program may be gone before all is written.
    let _ = stdin.write_all("3x4 a3 c2\n".repeat(1000).as_bytes());
    drop(stdin);
    let (code, _, stderr) = said(&child.wait_with_output().unwrap());
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
}
