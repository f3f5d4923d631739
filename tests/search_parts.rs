//! Searches in parts: stopped, killed and begun again, they are put together to the undivided one; and what stands in
//! the way of that is said, with what to type.

use crate::common::{
    Listing, Locked, assert_refused, halted, json, json_of, names, object, path, run, shell, stderr, stdout,
};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// In how many parts.
const OF: usize = 5;

/// The search of a part.
fn part<'a>(question: &'a str, shard: &'a str, parts: &'a str) -> Vec<&'a str> {
    let mut args: Vec<&str> = ["search"].into_iter().chain(question.split(' ')).collect();
    args.extend(["--threads", "2", "--shard", shard, "--out-dir", parts, "--json"]);
    args
}

/// All parts of a question.
fn make(question: &str, parts: &str) {
    (1..=OF).for_each(|index| drop(json(&part(question, &format!("{index}/{OF}"), parts))));
}

/// The same question undivided.
fn whole(question: &str) -> Value {
    json(&["search"].into_iter().chain(question.split(' ')).chain(["--json"]).collect::<Vec<_>>())
}

fn sorted(folder: &str) -> Vec<String> {
    let mut names = names(Path::new(folder));
    names.sort();
    names
}

/// The names of all parts.
fn all() -> Vec<String> {
    (1..=OF).map(|index| format!("{index}-of-{OF}.part")).collect()
}

/// The commands of a report, as lines for the shell.
fn type_all(report: &Value) {
    for command in report["commands"].as_array().unwrap() {
        let command = command.as_str().unwrap();
        let line = command.strip_prefix("destrier").map_or(command.to_owned(), |rest| format!("DESTRIER{rest}"));
        let output = shell(&line).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
    }
}

/// That the parts in a folder come to what the undivided search does.
fn assert_merged(parts: &str, whole: &Value) {
    let merged = json(&["merge", parts, "--json"]);
    let same = ["board", "ending", "solver", "tours", "convention", "nodes", "pruned", "nodes_by_depth", "complete"];
    for key in same.into_iter().chain(["pruned_by_depth", "restricted", "stopped"]) {
        assert_eq!(merged[key], whole[key], "{key}: {merged}");
    }
    assert_eq!((&merged["parts"], merged["workers"].as_array().unwrap().len()), (&OF.into(), OF));
    for key in whole.as_object().unwrap().keys() {
        assert!(merged.get(key).is_some(), "{key}: {merged}");
    }
}

#[test]
fn parts_come_to_what_the_whole_does() {
    let folder = tempfile::tempdir().unwrap();
    for (n, question) in [
        "5x6 --open --solver path",
        "5x5 --open --start a1 --solver brute",
        "6x6 --solver path --unique",
        "5x6 --solver radley --prune region --prune-from 4",
        "5x6 --solver radley --start f1",
        "6x7 --solver edges",
        "3x4",
    ]
    .into_iter()
    .enumerate()
    {
        let parts = path(&folder, &format!("parts {n}"));
        make(question, &parts);
        assert_eq!(sorted(&parts), all(), "{question}");
        let whole = whole(question);
        assert_merged(&parts, &whole);
        // One that is missing is made by what is printed: it is of the same question, whatever that is.
        fs::remove_file(Path::new(&parts).join(&all()[2])).unwrap();
        type_all(&json_of(&["merge", &parts, "--json"], 1));
        assert_merged(&parts, &whole);
    }
}

/// Parts that were stopped or killed go on by the same command, and one that is there is not made again.
#[test]
fn parts_that_were_stopped_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let question = "6x7 --solver path";
    let [first, second, third, tours] = ["1/5", "2/5", "3/5", "4/5"].map(|shard| part(question, shard, &parts));
    // Its deadline has passed when it begins.
    let output = run(&[&first[..], &["--deadline", "0.000001ms"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!((&object(&output)["complete"], &object(&output)["stopped"]), (&false.into(), &"deadline".into()));
    assert!(stderr(&output).contains("to go on: destrier resume"), "{}", stderr(&output));
    assert!(
        sorted(&parts).contains(&"1-of-5.checkpoint".to_owned()) && !Path::new(&parts).join("1-of-5.part").exists()
    );

    for halt in ["kill@save:1", "kill@start:1", "kill@nodes:100000", "kill@nodes:1000000"] {
        halted(&[&second[..], &["--every", "10ms"]].concat(), halt);
    }
    json(&third);
    let written = path(&folder, "tours of 4");
    let with_tours = [&tours[..], &["--out", &written]].concat();
    let fourth = json(&with_tours);
    assert_eq!(Listing::of(Path::new(&written)).different(), fourth["tours"].as_u64().unwrap());

    let report = json_of(&["merge", &parts, "--json"], 1);
    assert!(report["missing"].as_array().unwrap().contains(&1.into()), "{report}");
    assert!(report["begun"].as_array().unwrap().contains(&1.into()), "{report}");
    let text = run(&["merge", &parts]);
    assert_eq!(text.status.code(), Some(1));
    let text = stdout(&text);
    assert!(
        text.contains("for part in ")
            && text.contains("--shard $part/5")
            && text.contains("begun")
            && text.ends_with("NOT complete\n"),
        "{text}"
    );
    // What goes on by itself is the part, too.
    json(&["resume", &format!("{parts}/1-of-5.checkpoint"), "--json"]);
    type_all(&json_of(&["merge", &parts, "--json"], 1));
    let mut there = sorted(&parts);
    there.retain(|name| !name.starts_with(".destrier-"));
    assert_eq!(there, all(), "nothing else is there");
    assert_merged(&parts, &whole(question));

    let made = |index: usize| fs::metadata(Path::new(&parts).join(&all()[index])).unwrap().modified().unwrap();
    let before = [0, 3].map(made);
    // As if it had been killed when the part had just got its name.
    fs::write(format!("{parts}/1-of-5.checkpoint~"), "").unwrap();
    let output = run(&first);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("1-of-5.part is there"), "{}", stderr(&output));
    assert!(object(&output)["tours"].as_u64() > Some(0));
    assert!(!Path::new(&parts).join("1-of-5.checkpoint~").exists(), "what is no use any more is gone");
    assert_eq!(json(&with_tours)["nodes"], fourth["nodes"]);
    assert_refused(&[&first[..], &["--out", &written]].concat(), "does not write its tours");
    assert_eq!([0, 3].map(made), before, "it was not made again");
}

/// A file of another version is not replaced: only the program that wrote it can say what is lost.
#[test]
fn a_part_of_another_version_is_refused_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let args = part("5x6 --solver path", "2/5", &parts);
    json(&args);
    let file = format!("{parts}/2-of-5.part");
    let text = fs::read(&file).unwrap();
    let later = [b"destrier search 999".as_slice(), &text["destrier search 4".len()..]].concat();
    fs::write(&file, &later).unwrap();
    assert_refused(&args, "999");
    assert_eq!(fs::read(&file).unwrap(), later);
    assert_eq!(sorted(&parts), ["2-of-5.part"]);
}

/// Whatever is wrong with a part, it is said, and what is printed makes it whole.
#[test]
fn what_is_wrong_with_parts_is_said_and_put_right() {
    let folder = tempfile::tempdir().unwrap();
    let [parts, others] = ["my parts", "others"].map(|name| path(&folder, name));
    let question = "5x6 --open --solver path";
    make(question, &parts);
    make("5x6 --solver path", &others);
    let whole = whole(question);
    let file = |index: usize| format!("{parts}/{index}-of-5.part");
    let good = fs::read(file(3)).unwrap();
    let fault = |wanted: &[usize], says: &str| {
        let output = run(&["merge", &parts, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{says}: {}", stderr(&output));
        let report = object(&output);
        assert_eq!((&report["missing"], &report["complete"]), (&wanted.into(), &false.into()), "{says}");
        assert!(stderr(&output).contains(says), "{says}: {}", stderr(&output));
        type_all(&report);
        assert_merged(&parts, &whole);
    };
    fs::remove_file(file(3)).unwrap();
    fs::remove_file(file(4)).unwrap();
    fault(&[3, 4], "");
    for at in (0..good.len()).step_by(good.len() / 6) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        fs::write(file(3), bytes).unwrap();
        fault(&[3], "3-of-5.part");
    }
    fs::write(file(3), &good[..good.len() - 1]).unwrap();
    fault(&[3], "is damaged");
    fs::copy(format!("{others}/3-of-5.part"), file(3)).unwrap();
    fault(&[3], "is of 5x6 closed tours by path, part 3/5, the others are not");
    // Under the name of another part, which is lost, or is there too, or both have each other's.
    fs::rename(file(3), file(4)).unwrap();
    fault(&[3, 4], "is part 3/5, which another file is to be");
    fs::copy(file(3), format!("{parts}/copy of 3.part")).unwrap();
    fault(&[], "its name is wrong");
    let four = fs::read(file(4)).unwrap();
    fs::rename(file(3), file(4)).unwrap();
    fs::write(file(3), four).unwrap();
    fault(&[3, 4], "its name is wrong");
    // Parts of another number of parts, and what is none at all.
    assert_eq!(run(&part(question, "1/4", &parts)).status.code(), Some(0));
    fault(&[], "1-of-4.part is of 5x6 open tours by path, part 1/4");
    fs::write(format!("{parts}/no.part"), "nothing").unwrap();
    fault(&[], "is no checkpoint of a search");
    assert!(shell(&format!("mkfifo '{parts}/pipe.part'")).status().unwrap().success());
    fault(&[], "no regular file");
    // The command of a part does not write over one of another question.
    assert_refused(&part("5x6 --solver path", "3/5", &parts), "name another folder");
    assert_merged(&parts, &whole);

    let empty = path(&folder, "empty");
    fs::create_dir(&empty).unwrap();
    for (at, says) in [
        (&empty, "has no part"),
        (&file(1), "is a checkpoint of a search, not a folder of parts"),
        (&path(&folder, "none"), "out-dir"),
    ] {
        assert_refused(&["merge", at], says);
    }
    fs::write(format!("{empty}/1-of-1.part"), "destrier search 4\nx").unwrap();
    let output = run(&["merge", &empty]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("has no part that is whole"), "{}", stderr(&output));

    // A part that was stopped says which search it is of, and what is missing.
    let stopped = path(&folder, "stopped");
    halted(&["search", "6x7", "--threads", "1", "--shard", "2/3", "--out-dir", &stopped], "stop@nodes:1000");
    let output = run(&["merge", &stopped]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(text.contains("parts    0 of 3, 3 missing") && text.contains("begun    2"), "{text}");
    assert!(text.contains("for part in $(seq 1 3); do") && text.contains("--shard $part/3"), "{text}");
    let output = run(&["merge", "--estimate", &stopped]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("parts    0 done, 0 running, 1 stopped, 2 missing\nso far   "), "{text}");
    let held = Locked::try_new(format!("{stopped}/2-of-3.checkpoint")).expect("its run has ended");
    let seen = json_of(&["merge", "--estimate", &stopped, "--json"], 1);
    assert_eq!((&seen["running"], &seen["stopped"], &seen["missing"]), (&1.into(), &0.into(), &2.into()), "{seen}");
    assert!(seen["nodes_so_far"].as_u64() >= Some(1000) && seen.get("tours_estimate").is_none(), "{seen}");
    drop(held);
    assert!(stderr(&output).contains("has 0 whole parts; two tell something of all"), "{}", stderr(&output));
}

/// Some of the parts tell of all, and all of them tell it exactly.
#[test]
fn some_parts_tell_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let question = "6x7 --solver edges";
    json(&part(question, "2/5", &parts));
    assert_eq!(run(&["merge", "--estimate", &parts]).status.code(), Some(1), "one tells nothing");
    json(&part(question, "5/5", &parts));
    let some = json(&["merge", "--estimate", &parts, "--json"]);
    let [low, high] = [0, 1].map(|end| some["interval"][end].as_f64().unwrap());
    assert!(low < 1_067_638.0 && 1_067_638.0 < high && some["parts"] == 2, "{some}");
    assert!(some["standard_error"].as_f64() > Some(0.0), "{some}");
    make(question, &parts);
    let all = json(&["merge", &parts, "--estimate", "--json"]);
    assert_eq!((&all["tours_estimate"], &all["standard_error"]), (&1_067_638.0.into(), &0.0.into()), "{all}");
    let text = stdout(&run(&["merge", "--estimate", &parts]));
    assert!(text.contains("from 5 of 5 parts") && text.contains("about 1,067,638 undirected"), "{text}");
}
