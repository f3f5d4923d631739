//! Counts that were stopped, or killed, and go on; and counts in parts.

use crate::common::{assert_refused, halted, json, json_of, names, object, path, run, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Closed tours of 7x8.
const OF_7X8: &str = "34524432316";

/// A count of 7x8 in a file, ended at a point.
fn ended_at(file: &str, halt: &str) -> std::process::Output {
    halted(&["count", "7x8", "--json", "--threads", "1", "--checkpoint", file, "--every", "1ms"], halt)
}

#[test]
fn a_count_that_was_stopped_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "7x8.count");
    let output = ended_at(&file, "stop@row:2");
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("to go on: destrier resume {file}")), "{}", stderr(&output));
    let mut there = names(folder.path());
    there.sort();
    assert_eq!(there, ["7x8.count", "7x8.count~"], "nothing is left beside the file and the one before");
    let report = object(&output);
    assert!(report["saved"].as_str().is_some_and(|saved| saved.contains("of 8")), "{report}");
    // A user who asks for something else with the same file is not answered from it.
    for other in [&["count", "6x8", "--checkpoint"][..], &["count", "7x8", "--open", "--checkpoint"]] {
        assert_refused(&[other, &[&file]].concat(), &file);
    }
    let resumed = json(&["resume", &file, "--threads", "2"].iter().chain(&["--json"]).copied().collect::<Vec<_>>());
    assert_eq!((&resumed["count"], &resumed["complete"]), (&OF_7X8.into(), &true.into()));
    assert!(resumed["resumed"].as_str().is_some_and(|row| row.contains("of 8")), "{resumed}");
    assert_eq!(names(folder.path()), ["7x8.count"], "the file before it is of no use any more");
    let seconds = |report: &Value| report["elapsed_s"].as_f64().unwrap();
    assert!(seconds(&resumed) > seconds(&report), "of both goes: {report} {resumed}");
    // It is done, and says so at once, however it is asked.
    for args in [&["resume", &file][..], &["count", "7x8", "--checkpoint", &file]] {
        let again = json(&[args, &["--json"]].concat());
        for key in ["count", "convention", "how", "elapsed_s", "states", "peak_states", "threads", "complete"] {
            assert_eq!(again[key], resumed[key], "{key}: {args:?}");
        }
    }
}

/// A count of 3x50 has counts of 128 bits from its 44th row on.
#[test]
fn a_count_in_128_bits_goes_on_after_a_stop_and_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "3x50.count");
    halted(&["count", "3x50", "--checkpoint", &file], "stop@row:46");
    // The kill leaves the counts that the stop has saved.
    for halt in ["kill@start:2", "kill@row:1"] {
        halted(&["resume", &file], halt);
    }
    let resumed = json(&["resume", &file, "--json"]);
    assert_eq!(resumed["count"], "960786342292812728320");
    assert_eq!(resumed["how"], "no count overflowed 128 bits: one pass is exact by itself");
    assert!(resumed["resumed"].as_str().is_some_and(|row| row.starts_with("row 46 of 50")), "{resumed}");
}

/// A count that is stopped before its first row has a file all the same.
#[test]
fn a_count_that_was_stopped_while_it_was_planned_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "8x12.count");
    let args = ["count", "8x12", "--memory", "12G", "--threads", "1", "--checkpoint", &file];
    for args in [&args[..], &["resume", &file, "--threads", "1"]] {
        let output = halted(args, "stop@start:1");
        assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
        assert!(stderr(&output).contains(&format!("to go on: destrier resume {file}")), "{}", stderr(&output));
        assert!(stdout(&output).contains("8x12 closed tours"), "{}", stdout(&output));
    }
}

#[test]
fn what_cannot_go_on_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [file, other, empty, packed] = ["5x6.count", "other", "empty", "5x6.count.zst"].map(|name| path(&folder, name));
    assert_eq!(run(&["count", "5x6", "--checkpoint", &file]).status.code(), Some(0));
    fs::write(&packed, zstd::encode_all(&fs::read(&file).unwrap()[..], 1).unwrap()).unwrap();
    fs::write(&other, "3x4 a3 c2\n").unwrap();
    fs::write(&empty, "").unwrap();
    let folder = folder.path().to_str().unwrap();
    for (args, says) in [
        (&["resume"][..], "FILE"),
        (&["resume", "/nowhere/at/all"], "is not there"),
        (&["resume", folder], "is a folder"),
        (&["resume", &other], "seems to be a file of tours, not a checkpoint"),
        (&["resume", &empty], "is no checkpoint: name a file"),
        (&["resume", &packed], "is compressed by zstd: decompress it first, or name another file"),
        (
            &["count", "5x6", "--checkpoint", &packed],
            "is compressed by zstd: decompress it first, or name another file",
        ),
        (&["resume", "/dev/null"], "no regular file"),
        (&["resume", &file, "--scheduler", "hire"], "--scheduler"),
        (&["resume", &file, "--out", "tours"], "--out"),
        (&["resume", &file, "--every", "0s"], "--every"),
        (&["resume", &file, "--threads", "0"], "from 1 to 4096"),
        (&["count", "5x6", "--every", "1s"], "--checkpoint"),
        (&["count", "5x6", "--out-dir", "parts"], "--modulus"),
        (&["count", "5x6", "--modulus", "101", "--out-dir", "parts", "--checkpoint", "x"], "cannot be used with"),
        (&["count", "5x6", "--modulus", "101", "--out-dir", &file], "--out-dir"),
    ] {
        assert_refused(args, says);
    }
}

/// Long boards have few states and large numbers.
#[test]
fn a_finished_count_of_a_long_board_is_told_again() {
    let folder = tempfile::tempdir().unwrap();
    for (number, question) in
        ["3x24", "3x26", "3x1..60", "4x12 --open", "3x20 --open --unique", "3x20 --open --start a1"]
            .into_iter()
            .enumerate()
    {
        let file = path(&folder, &number.to_string());
        let count: Vec<&str> = ["count"].into_iter().chain(question.split(' ')).collect();
        let first = json(&[&count[..], &["--checkpoint", &file, "--json"]].concat());
        assert!(!first.to_string().contains("no count overflowed 16 bits"), "{question}: {first}");
        let again = json(&["resume", &file, "--json"]);
        for key in ["count", "boards", "evidence"] {
            assert_eq!(again[key], first[key], "{question}");
        }
    }
}

/// The file before is offered, by a command that does it, where that is whole and of the same question.
#[test]
fn the_generation_before_a_damaged_one_is_offered() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "rows of 5x6");
    let older = format!("{file}~");
    halted(&["count", "5x6", "--checkpoint", &file, "--every", "1ms"], "stop@row:3");
    fs::write(&file, "destrier count 6\n{}").unwrap();
    let offer = format!("mv '{older}' '{file}'");
    assert_refused(&["resume", &file], &offer);
    assert_refused(&["count", "5x6", "--checkpoint", &file], &offer);
    // One of another question, or a damaged one, is no offer.
    let (code, _, said) = crate::common::said(&run(&["count", "5x8", "--checkpoint", &file]));
    assert!(code == Some(2) && !said.contains("mv "), "{said}");
    let whole = fs::read(&older).unwrap();
    fs::write(&older, &whole[..whole.len() - 1]).unwrap();
    let (code, _, said) = crate::common::said(&run(&["resume", &file]));
    assert!(code == Some(2) && !said.contains("mv "), "{said}");
    // What is offered does it.
    fs::write(&older, &whole).unwrap();
    let moved = std::process::Command::new("sh").args(["-c", &offer]).status().unwrap();
    assert!(moved.success());
    assert_eq!(json(&["resume", &file, "--json"])["count"], "8");
}

/// Every byte of a checkpoint matters: whichever is changed, the file is refused.
#[test]
fn a_damaged_checkpoint_is_refused() {
    damaged(false);
    damaged(true);
}

fn damaged(done: bool) {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "5x6.count");
    let args = ["count", "5x6", "--checkpoint", &file, "--every", "1ms"];
    match done {
        true => assert_eq!(run(&args).status.code(), Some(0)),
        false => drop(halted(&args, "stop@row:5")),
    }
    let Ok(good) = fs::read(&file) else { panic!("a count that is done leaves its checkpoint") };
    let changed = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    };
    // All of the words at its beginning, of a count that is over some, and some of the counts and of the sum that follow.
    let words = good.iter().rposition(|&byte| byte == b'}').unwrap().min(400);
    let places = (0..=words)
        .step_by(if done { 8 } else { 1 })
        .chain((words..good.len()).step_by(good.len() / 20 + 1))
        .chain([good.len() - 1]);
    let cut = [good.len() / 2, good.len() - 1, words].map(|len| good[..len].to_vec());
    let longer = [&good[..], b"x"].concat();
    let others = cut.into_iter().chain([longer, Vec::new(), b"no checkpoint".to_vec()]);
    fs::remove_file(format!("{file}~")).ok();
    for (n, bytes) in places.map(changed).chain(others).enumerate() {
        fs::write(&file, &bytes).unwrap();
        assert_refused(&args, &file);
        // The same reader as that of the count.
        if n % 8 == 0 {
            assert_refused(&["resume", &file, "--json"], &file);
        }
        assert_eq!(fs::read(&file).unwrap(), bytes, "what cannot be read is not written over");
    }
}

/// A part by a prime.
fn part(board: &str, modulus: &str, folder: &str) -> Value {
    json(&["count", board, "--modulus", modulus, "--out-dir", folder, "--json"])
}

/// Runs a command as it was printed.
fn typed(command: &str) -> i32 {
    let line = command.strip_prefix("destrier").map_or(command.to_owned(), |rest| format!("DESTRIER{rest}"));
    crate::common::shell(&line).output().unwrap().status.code().unwrap()
}

fn commands(report: &Value) -> Vec<String> {
    report["commands"].as_array().unwrap().iter().map(|command| command.as_str().unwrap().to_owned()).collect()
}

#[test]
fn parts_are_put_together_to_the_number() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "my parts");
    part("6x8", "2147483647", &parts);
    let open = json_of(&["merge", &parts, "--json"], 1);
    assert_eq!((&open["count"], &open["complete"], &open["board"]), (&Value::Null, &false.into(), &"6x8".into()));
    // What it says is missing makes it, however often that has to be said.
    for command in commands(&open) {
        typed(&command);
    }
    let merged = json(&["merge", &parts, "--json"]);
    let whole = json(&["count", "6x8", "--json"]);
    for key in ["board", "ending", "strict", "start", "count", "convention", "peak_states", "complete"] {
        assert_eq!(merged[key], whole[key], "{key}");
    }
    for key in whole.as_object().unwrap().keys() {
        assert!(merged.get(key).is_some(), "{key}: {merged}");
    }
    assert_eq!((&merged["parts"], merged["residues"].as_array().map(Vec::len)), (&2.into(), Some(2)), "{merged}");
    let text = stdout(&run(&["merge", &parts]));
    assert!(text.contains("55,488,142 undirected") && text.ends_with("complete\n"), "{text}");
    assert_eq!(names(Path::new(&parts)).len(), 2, "nothing else is there");

    // One that is there is not made again.
    let file = Path::new(&parts).join("modulo-2147483647.part");
    let made = fs::metadata(&file).unwrap().modified().unwrap();
    assert_eq!(part("6x8", "2147483647", &parts)["remainder"], "55488142");
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), made);
    // Nor taken for another question's.
    assert_refused(&["count", "6x6", "--modulus", "2147483647", "--out-dir", &parts], "closed tours of 6x8");
}

/// Small primes that change nothing by chance settle nothing.
#[test]
fn open_tours_from_small_primes() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let mut settled = Vec::new();
    for modulus in ["2", "3", "65519", "65521", "32749", "1021"] {
        let args = ["count", "5x5", "--open", "--start", "a1", "--modulus", modulus, "--out-dir", &parts];
        assert_eq!(run(&args).status.code(), Some(0));
        let output = run(&["merge", &parts, "--json"]);
        let report = object(&output);
        settled.push(output.status.code() == Some(0));
        assert_eq!(report["count"], if settled.last() == Some(&true) { "304".into() } else { Value::Null });
        assert!(settled.last() == Some(&true) || commands(&report)[0].contains("--open --start a1"), "{report}");
    }
    assert!(!settled[3] && settled[5], "{settled:?}");
}

#[test]
fn a_part_that_is_damaged_or_anothers_is_said_with_what_to_type() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    for modulus in ["2147483647", "2147483629", "101"] {
        part("5x6", modulus, &parts);
    }
    let file = Path::new(&parts).join("modulo-2147483629.part");
    let good = fs::read(&file).unwrap();
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        fs::write(&file, bytes).unwrap();
        let report = json_of(&["merge", &parts, "--json"], 1);
        assert!(report["missing"][0].as_str().unwrap().contains("modulo-2147483629.part"), "{at}: {report}");
    }
    let all = |report: &Value| commands(report).iter().for_each(|command| assert_eq!(typed(command), 0, "{command}"));
    all(&json_of(&["merge", &parts, "--json"], 1));
    assert_eq!(json(&["merge", &parts, "--json"])["count"], "8");
    assert!(Path::new(&parts).join("modulo-2147483629.part~").exists(), "what was damaged is not lost");

    let other = path(&folder, "other");
    part("6x6", "103", &other);
    fs::rename(Path::new(&other).join("modulo-103.part"), Path::new(&parts).join("modulo-103.part")).unwrap();
    let report = json_of(&["merge", &parts, "--json"], 1);
    assert!(report["missing"][0].as_str().unwrap().contains("closed tours of 6x6"), "{report}");
    all(&report);
    assert_eq!(json(&["merge", &parts, "--json"])["count"], "8");
}

#[test]
fn a_part_that_was_stopped_leaves_no_part_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let args = ["count", "7x8", "--modulus", "65521", "--out-dir", &parts, "--every", "1ms", "--json"];
    let output = halted(&args, "stop@row:3");
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    assert!(stderr(&output).contains("to go on: destrier count 7x8 --modulus 65521 --out-dir"), "{}", stderr(&output));
    assert!(!Path::new(&parts).join("modulo-65521.part").exists());
    let report = json_of(&["merge", &parts, "--json"], 1);
    assert!(report["missing"].to_string().contains("was stopped"), "{report}");
    let done = json(&args);
    assert_eq!(done["remainder"], (OF_7X8.parse::<u64>().unwrap() % 65_521).to_string());
    assert!(done["resumed"].is_string(), "{done}");
    assert_eq!(names(Path::new(&parts)), ["modulo-65521.part"]);
    // What lies beside a part that is done is not looked at.
    fs::write(Path::new(&parts).join("modulo-65521.checkpoint"), "junk").unwrap();
    assert_eq!(json(&args)["remainder"], done["remainder"]);
    assert_eq!(run(&["merge", &parts]).status.code(), Some(1), "one modulus is not enough");
    fs::remove_file(Path::new(&parts).join("modulo-65521.checkpoint")).unwrap();
    // One that was brought to its end by its file becomes a part, and is not counted again.
    let [part, checkpoint] = ["part", "checkpoint"].map(|end| Path::new(&parts).join(format!("modulo-65521.{end}")));
    fs::rename(&part, &checkpoint).unwrap();
    assert_eq!(json(&args)["elapsed_s"], done["elapsed_s"]);
    assert!(part.exists() && !checkpoint.exists());
}

/// The checkpoint of a part that was resumed by its name is put together like a part.
#[test]
fn a_part_that_is_resumed_by_its_checkpoint_is_merged() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    let args = ["count", "7x8", "--modulus", "65521", "--out-dir", &parts, "--every", "1ms", "--json"];
    assert_eq!(halted(&args, "stop@row:3").status.code(), Some(143));
    let remainder = (OF_7X8.parse::<u64>().unwrap() % 65_521).to_string();
    assert_eq!(json(&["resume", &format!("{parts}/modulo-65521.checkpoint"), "--json"])["remainder"], remainder);
    let report = json_of(&["merge", &parts, "--json"], 1);
    assert_eq!(report["residues"][0]["remainder"], remainder, "{report}");
    assert!(!report["missing"].to_string().contains("was stopped"), "{report}");
    // The command that makes the part finds it done.
    assert_eq!(json(&args)["remainder"], remainder);
    assert!(Path::new(&parts).join("modulo-65521.part").exists());
}

/// A file of another version is not replaced: only the program that wrote it can say what is lost.
#[test]
fn a_part_of_another_version_is_refused_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let parts = path(&folder, "parts");
    part("5x6", "101", &parts);
    let file = format!("{parts}/modulo-101.part");
    let text = fs::read(&file).unwrap();
    let later = [b"destrier count 999".as_slice(), &text["destrier count 6".len()..]].concat();
    fs::write(&file, &later).unwrap();
    assert_refused(&["count", "5x6", "--modulus", "101", "--out-dir", &parts], "999");
    assert_eq!(fs::read(&file).unwrap(), later);
    assert_eq!(names(Path::new(&parts)), ["modulo-101.part"]);
}

/// A count that has too little memory, or none for its files, gets another amount when it is resumed.
#[test]
fn a_resumed_count_takes_other_memory_and_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let [file, spill] = ["7x8.count", "spill"].map(|name| path(&folder, name));
    let args = ["count", "7x8", "--threads", "1", "--checkpoint", &file, "--every", "1ms", "--spill", &spill];
    assert_eq!(halted(&args, "stop@row:2").status.code(), Some(143));
    fs::remove_dir_all(&spill).unwrap();
    fs::write(&spill, "").unwrap();
    assert_refused(&["resume", &file], "--spill");
    assert_refused(&["resume", &file, "--spill", &path(&folder, ""), "--memory", "1M"], "--memory");
    let other = path(&folder, "");
    let resumed = json(&["resume", &file, "--spill", &other, "--memory", "3G", "--json"]);
    assert_eq!(resumed["count"], OF_7X8);
}

#[test]
fn what_is_no_folder_of_parts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "file");
    fs::write(&file, "").unwrap();
    let empty = path(&folder, "empty");
    fs::create_dir(&empty).unwrap();
    for (folder, says) in [("/nowhere/at/all", "--out-dir"), (&*empty, "no part of anything"), (&*file, "no folder")] {
        assert_refused(&["merge", folder], says);
        assert_refused(&["merge", folder, "--json"], says);
    }
}

/// A plan says what the disk has to take, and that it does not where it does not.
#[test]
fn a_plan_knows_what_a_checkpoint_takes_of_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "8x8.count");
    let plan = json(&["count", "8x8", "--plan", "--memory", "64M", "--checkpoint", &file, "--json"]);
    let bytes = plan["disk_bytes"].as_u64().unwrap();
    assert!(bytes > 1 << 30, "two rows and the largest layer of all: {bytes}");
    assert!(!Path::new(&file).exists(), "a plan leaves nothing behind");
    let without = json(&["count", "6x8", "--plan", "--memory", "64M", "--json"]);
    assert_eq!(without["disk_bytes"], 0);
}
