//! Numbers in files that contradict known ones: a file whose checksums are right is not believed either.

use crate::common::{assert_refused, halted, json, json_of, path, run, stderr};
use destrier::run::Checkpoint;
use destrier::saved::{SavedFile, SavedRun as _};
use std::fs;
use std::path::Path;

/// Changes the number of tours in a file of a search, and puts its sums right.
fn forge_search(file: &str, change: impl Fn(u64) -> u64) {
    let mut read = Checkpoint::read(Path::new(file)).unwrap();
    let tours = read.so_far.total().tours;
    let [first, others @ ..] = &mut read.so_far.workers[..] else { panic!("the checkpoint names no worker") };
    others.iter_mut().for_each(|worker| worker.tally.tours = 0);
    first.tally.tours = change(tours);
    read.save(&SavedFile::new(Path::new(file)).unwrap()).unwrap();
}

/// Replaces text in a file, whose last bytes are the sum of all before them, and puts the sum right.
fn forge(file: &str, from: &str, to: &str) {
    let bytes = fs::read(file).unwrap();
    let text = String::from_utf8(bytes[..bytes.len() - 4].to_vec()).unwrap();
    assert!(text.contains(from), "{text}");
    let mut text = text.replacen(from, to, 1).into_bytes();
    text.extend(crc32fast::hash(&text).to_le_bytes());
    fs::write(file, text).unwrap();
}

#[test]
fn a_search_that_has_ended_with_another_number_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "run");
    for (question, tours, forged, says) in [
        (&["search", "6x6"][..], 9_862, 9_863, "9862 tours are known, not 9863"),
        (&["search", "6x6", "--unique"], 1_245, 1_246, "1245 classes are known, not 1246"),
        (&["search", "6x7", "--unique"], 267_183, 170_792, "there are 266910 to 1067638 classes, not 170792"),
        (&["search", "5x5", "--open", "--start", "a1"], 304, 1_729, "there are 0 to 1728 tours, not 1729"),
    ] {
        let begin = [question, &["--checkpoint", &file, "--json"]].concat();
        assert_eq!(json(&begin)["tours"], tours, "{question:?}");
        forge_search(&file, |_| forged);
        for args in [&["resume", &file][..], &begin] {
            assert_refused(args, "it cannot be right");
            assert_refused(args, says);
        }
        forge_search(&format!("{file}~"), |tours| tours);
        fs::remove_file(&file).unwrap();
    }
}

/// What is left of the tree is searched before the number is known.
#[test]
fn a_search_that_is_resumed_and_comes_to_another_number_is_not_complete() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "run");
    let begin = ["search", "5x6", "--open", "--solver", "path", "--threads", "1", "--checkpoint", &file];
    halted(&begin, "stop@nodes:1000");
    let good = fs::read(&file).unwrap();
    forge_search(&file, |tours| tours + 1);
    let forged = fs::read(&file).unwrap();
    for _ in 0..2 {
        let output = run(&["resume", &file, "--json"]);
        let (report, why) = (crate::common::object(&output), stderr(&output));
        assert_eq!((output.status.code(), &report["complete"], report.get("tours")), (Some(3), &false.into(), None));
        assert_eq!(report["error"], "it cannot be right: 37568 tours are known, not 37569");
        assert!(why.contains("the checkpoint was changed: remove it to begin again"), "{why}");
        fs::write(&file, &forged).unwrap();
    }
    fs::write(&file, good).unwrap();
    assert_eq!(json(&["resume", &file, "--json"])["tours"], 37_568);
}

/// The file of tours holds as many as its checkpoint counts, whatever their format: another length, and another number, are
/// refused before anything is cut.
#[test]
fn a_search_whose_tours_are_not_those_that_it_counts_is_refused() {
    for (name, format) in [("tours", "line"), ("tours", "grid"), ("tours", "packed"), ("tours.zst", "line")] {
        let folder = tempfile::tempdir().unwrap();
        let [file, out] = ["run", name].map(|name| path(&folder, name));
        let begin = ["search", "5x6", "--open", "--solver", "path", "--threads", "1", "--checkpoint", &file];
        halted(&[&begin[..], &["--out", &out, "--format", format]].concat(), "stop@nodes:1000");
        let good = fs::read(&file).unwrap();
        let bytes = Checkpoint::read(Path::new(&file)).unwrap().tours.unwrap().bytes;
        assert!(bytes > 0, "{format}");
        let refused = || assert_refused(&["resume", &file], "which has not the tours that the checkpoint counts");
        forge(&file, &format!("\"bytes\":{bytes}"), "\"bytes\":0");
        refused();
        if name == "tours" {
            fs::write(&file, &good).unwrap();
            forge(&file, &format!("\"bytes\":{bytes}"), &format!("\"bytes\":{}", bytes - 1));
            refused();
        }
        fs::write(&file, &good).unwrap();
        forge_search(&file, |tours| tours + 1);
        refused();
        fs::write(&file, &good).unwrap();
        assert_eq!(json(&["resume", &file, "--json"])["tours"], 37_568);
        assert!(json(&["verify", &out, "--json"])["valid"] == 37_568, "{format}");
    }
}

/// A file of tours of the right length whose bytes are not those that the run wrote last. Files without a checksum of them are read.
#[test]
fn a_search_whose_tours_are_others_of_the_same_length_is_refused() {
    for format in ["list", "grid", "packed"] {
        let folder = tempfile::tempdir().unwrap();
        let [file, out] = ["run", "tours"].map(|name| path(&folder, name));
        let begin = ["search", "5x6", "--open", "--solver", "path", "--threads", "1", "--checkpoint", &file];
        halted(&[&begin[..], &["--out", &out, "--format", format]].concat(), "stop@nodes:20000");
        let tours = Checkpoint::read(Path::new(&file)).unwrap().tours.unwrap();
        let (part, tail) = (tours.part(), tours.tail.unwrap());
        let written = fs::read(&part).unwrap();
        // All of them, the last byte, and the first one of those that are looked at.
        let end = tours.bytes as usize;
        for changed in [0..end, end - 1..end, end - end.min(64 << 10)..end] {
            let mut other = written.clone();
            other[changed.start] ^= 1;
            other[changed].fill(b'x');
            fs::write(&part, &other).unwrap();
            assert_refused(&["resume", &file], "which has other tours than the run wrote; to begin again, type rm");
            assert_eq!(fs::read(&part).unwrap(), other, "it is left as it is");
        }
        fs::write(&part, &written).unwrap();
        forge(&file, &format!(",\"tail\":{tail}"), "");
        assert_eq!(json(&["resume", &file, "--json"])["tours"], 37_568);
        assert!(json(&["verify", &out, "--json"])["valid"] == 37_568, "{format}");
    }
}

/// An estimate is held against what is known, too: where all parts are there, and where those that are begun have too many tours.
#[test]
fn an_estimate_from_parts_with_another_number_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let part = |shard| ["search", "6x6", "--solver", "path", "--threads", "1", "--shard", shard, "--out-dir", &parts];
    halted(&part("1/3"), "stop@nodes:2000");
    json(&[&part("2/3")[..], &["--json"]].concat());
    let begun = format!("{parts}/1-of-3.checkpoint");
    let good = fs::read(&begun).unwrap();
    let says = "the sum of its parts: it cannot be right: 9862 tours are known, not ";
    let [estimate, merge] = [&["merge", &parts, "--estimate"][..], &["merge", &parts]];
    assert_eq!((run(estimate).status.code(), run(merge).status.code()), (Some(1), Some(1)));
    forge_search(&begun, |_| 9_862);
    assert_refused(estimate, says);
    assert_refused(merge, says);
    fs::write(&begun, good).unwrap();
    json(&["resume", &begun, "--json"]);
    json(&[&part("3/3")[..], &["--json"]].concat());
    let estimated = json(&["merge", &parts, "--estimate", "--json"])["tours_estimate"].as_f64();
    assert_eq!(estimated.map(f64::round), Some(9_862.0));
    forge_search(&format!("{parts}/3-of-3.part"), |_| 0);
    assert_refused(estimate, says);
    assert_refused(merge, says);
}

#[test]
fn parts_that_come_to_another_number_are_not_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    for (question, whole) in [(&["6x6"][..], 9_862), (&["6x7", "--unique"], 267_183)] {
        for shard in ["1/2", "2/2"] {
            let args = [&["search"], question, &["--shard", shard, "--out-dir", &parts]].concat();
            assert_eq!(run(&args).status.code(), Some(0));
        }
        assert_eq!(json(&["merge", &parts, "--json"])["tours"], whole);
        let part = format!("{parts}/2-of-2.part");
        // As many as make the sum one too few, or too few for classes of so many tours.
        forge_search(&part, |tours| tours.saturating_sub(if whole == 9_862 { 1 } else { 1_000 }));
        assert_refused(&["merge", &parts], "the sum of its parts: it cannot be right");
        assert_refused(&["merge", &parts, "--json"], "it cannot be right");
        // A part alone has no more tours than there are.
        forge_search(&part, |_| 2_000_000);
        let message = stderr(&run(&["merge", &parts]));
        assert!(message.contains("2-of-2.part is damaged (it cannot be right"), "{message}");
        fs::remove_dir_all(&parts).unwrap();
    }
}

#[test]
fn a_count_that_has_ended_with_another_number_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "count");
    for (question, from, to, says) in [
        (&["count", "6x6"][..], "[9862]", "[9863]", "9862 tours are known, not 9863"),
        (&["count", "6x7", "--unique"], "[1067638]", "[683170]", "there are 266910 to 1067638 classes, not"),
        (&["count", "6x6", "--modulus", "101"], "[65]", "[66]", "65 more than a multiple of 101, not 66"),
    ] {
        let begin = [question, &["--checkpoint", &file, "--threads", "1"]].concat();
        assert_eq!(run(&begin).status.code(), Some(0));
        forge(&file, from, to);
        for args in [&["resume", &file][..], &begin] {
            assert_refused(args, "it cannot be right");
            assert_refused(args, says);
        }
        fs::remove_file(&file).unwrap();
    }
    // The states of the plan are known exactly, also where no number of tours is.
    let begin = ["count", "5x7", "--open", "--start", "a1", "--checkpoint", &file, "--threads", "1"];
    let peak = json(&[&begin[..], &["--json"]].concat())["peak_states"].as_u64().unwrap();
    assert_eq!(run(&["resume", &file]).status.code(), Some(0));
    forge(&file, &format!("\"peak_states\":{peak}"), &format!("\"peak_states\":{}", peak + 1));
    for args in [&["resume", &file][..], &begin] {
        assert_refused(args, "states at once, and the count of 5x7 stores");
    }
    fs::remove_file(&file).unwrap();
    // So is the number of all states.
    for question in [
        &["count", "6x6"][..],
        &["count", "5x7", "--open"],
        &["count", "5x3..8"],
        &["count", "6x6", "--modulus", "101"],
    ] {
        let begin = [question, &["--checkpoint", &file, "--threads", "2"]].concat();
        let report = json(&[&begin[..], &["--json"]].concat());
        let good = fs::read(&file).unwrap();
        assert_eq!(json(&["resume", &file, "--json"])["states"], report["states"]);
        let states = report["states"].as_u64().unwrap();
        for forged in [0, 1, states - 1, states + 1, 1_000_000_000_000] {
            (0..2).for_each(|_| forge(&file, &format!("\"states\":{states}"), &format!("\"states\":{forged}")));
            for args in [&["resume", &file][..], &begin] {
                assert_refused(args, " states, and the count of ");
            }
            fs::write(&file, &good).unwrap();
        }
        for (from, to) in [
            ("\"threads\":2", "\"threads\":0"),
            ("\"threads\":2", "\"threads\":5000"),
            ("\"passes\":1", "\"passes\":0"),
        ] {
            forge(&file, from, to);
            assert_refused(&["resume", &file], "is damaged");
            fs::write(&file, &good).unwrap();
        }
        forge(&file, &format!("\"states\":{states}"), "\"states\":7");
        assert_refused(&["resume", &file], "is damaged (states, passes or threads cannot be right)");
        fs::remove_file(&file).unwrap();
        let _ = fs::remove_file(format!("{file}~"));
    }
    // Of a range every board is looked at.
    let begin = ["count", "6x3..7", "--checkpoint", &file, "--threads", "1"];
    assert_eq!(run(&begin).status.code(), Some(0));
    forge(&file, "[1067638]", "[1067639]");
    for args in [&["resume", &file][..], &begin] {
        assert_refused(args, "6x7: it cannot be right: 1067638 tours are known, not 1067639");
    }
}

#[test]
fn a_remainder_of_another_number_is_made_again_before_parts_are_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let part = |modulus: &str| {
        let made = run(&["count", "6x6", "--modulus", modulus, "--out-dir", &parts, "--threads", "1"]);
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    };
    ["2147483647", "2147483629"].into_iter().for_each(part);
    assert_eq!(json(&["merge", &parts, "--json"])["count"], "9862");
    for modulus in ["2147483647", "2147483629"] {
        forge(&format!("{parts}/modulo-{modulus}.part"), "[9862]", "[9863]");
    }
    let merged = json_of(&["merge", &parts, "--json"], 1);
    assert!(merged["count"].is_null(), "{merged}");
    let missing = merged["missing"].to_string();
    assert_eq!(missing.matches("it cannot be right: 9862 tours are known").count(), 2, "{missing}");
    // The commands that it names make it whole.
    ["2147483647", "2147483629"].into_iter().for_each(part);
    let merged = json(&["merge", &parts, "--json"]);
    assert_eq!(merged["count"], "9862");
    // So does a part with other figures than its count has.
    let states = merged["states"].as_u64().unwrap() / 2;
    let changed = format!("{parts}/modulo-2147483629.part");
    (0..2).for_each(|_| forge(&changed, &format!("\"states\":{states}"), "\"states\":7"));
    let missing = json_of(&["merge", &parts, "--json"], 1)["missing"].to_string();
    assert!(missing.contains("modulo-2147483629.part: it stored 7 states, and the count of 6x6 stores"), "{missing}");
}
