//! Files of every kind that the program reads, changed: a value of their JSON, or bytes, and mostly their checksums made
//! right again. What is read is refused or used, in bounded memory; it never panics, hangs or aborts, and a number that
//! is reported as complete is the right one.
//!
//! The seed is fixed. A case that fails is named by its kind and number; `DESTRIER_FUZZ_CASES=N` makes N times as many.

mod case;
mod change;
mod kinds;
mod planted;
#[cfg(feature = "tui")]
mod screens;

use crate::common::{halted, path, run, stderr};
use case::{FuzzedFile, assert_sound, each, mended_again, within_bounds, written};
use change::{Checksums, Every};
use destrier::count::SavedCount;
use destrier::run::balance::Balance;
use destrier::run::journal::{Item, JournalLine, Reader, Scribe, Subject};
use destrier::run::{Body, Checkpoint, Frame, Machine, RunHistory, Trace};
use destrier::saved::SavedRun as _;
use destrier::store::TourReader;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use tempfile::TempDir;

/// Runs what makes a file.
fn make(args: &[&str]) {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
}

/// A search of 5x6 that has left parts of its tree, in a file.
fn search_with_parts(file: &str) {
    let args = ["search", "5x6", "--open", "--solver", "path", "--threads", "1", "--checkpoint", file];
    halted(&args, "stop@nodes:1000");
}

#[test]
fn a_changed_checkpoint_is_refused_or_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| path(&folder, name);
    let resumed = |name: &str| vec!["resume".to_owned(), file(name), "--json".to_owned()];
    let [search, parts, count, pass, range] = ["search", "parts", "count", "pass", "range"].map(file);
    make(&["search", "5x6", "--checkpoint", &search]);
    search_with_parts(&parts);
    make(&["count", "5x6", "--checkpoint", &count, "--every", "1ms"]);
    // The last row, before it is done.
    halted(&["count", "5x6", "--checkpoint", &pass, "--every", "1ms"], "stop@row:5");
    make(&["count", "4x1..6", "--open", "--checkpoint", &range]);
    for (name, sums, number, cases) in [
        ("search", Checksums::Last, Some("tours"), 20),
        ("parts", Checksums::Last, Some("tours"), 20),
        ("count", Checksums::Last, Some("count"), 20),
        ("pass", Checksums::Last, Some("count"), 20),
        ("range", Checksums::Last, Some("boards"), 20),
    ] {
        let args = resumed(name);
        let args = args.iter().map(String::as_str).collect();
        FuzzedFile { name, file: file(name), sums, args, number, cases }.read();
    }
}

#[test]
fn changed_checkpoints_are_read_in_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| path(&folder, name);
    let [search, count, pass, range] = ["search", "count", "pass", "range"].map(file);
    search_with_parts(&search);
    make(&["count", "5x6", "--checkpoint", &count, "--every", "1ms"]);
    halted(&["count", "5x6", "--checkpoint", &pass, "--every", "1ms"], "stop@row:5");
    make(&["count", "4x1..6", "--open", "--checkpoint", &range]);
    type IsRead = Box<dyn Fn(&Path) -> bool + Send>;
    let kinds: [(&str, Checksums, IsRead); 3] = [
        ("search", Checksums::Last, Box::new(|file| Checkpoint::read(file).is_ok())),
        ("pass", Checksums::Last, Box::new(|file| SavedCount::read(file).is_ok())),
        ("range", Checksums::Last, Box::new(|file| SavedCount::read(file).is_ok())),
    ];
    for (name, sums, is_read) in kinds {
        let file = file(name);
        let good = fs::read(&file).unwrap();
        assert!(is_read(Path::new(&file)), "{name} is read as it is");
        let every = Every::of(&good, sums);
        let cases = every.count();
        each(&format!("checkpoint of a {name}, read"), cases + 100, move |case| {
            let (changed, is_mended) = match case.number < cases {
                true => (case.of(&every).unwrap_or(good.clone()), true),
                false => case.change(&good, sums),
            };
            written(&file, &changed);
            assert!(!is_read(Path::new(&file)) || is_mended || changed == good, "its sums are wrong, and it is read");
        });
    }
}

/// The frames of a journal, as far as it can be read.
fn frames(journal: Vec<u8>) -> Option<(Subject, Vec<Frame>)> {
    let reader = Reader::new(std::io::Cursor::new(journal)).ok()?;
    let subject = reader.subject().clone();
    let frames = |item| if let Item::Frames { frames, .. } = item { frames } else { Vec::new() };
    Some((subject, reader.flat_map(frames).collect()))
}

/// A journal of a search that has frames of what no journal is of: of cycles.
fn mixed(search: &[u8]) -> Vec<u8> {
    let (subject, mut frames) = frames(search.to_vec()).unwrap();
    let body = Body::Cycles(Box::new(Machine::opening("8x8".parse().unwrap())));
    frames.push(Frame { body, events: Vec::new() });
    let mut scribe = Scribe::begin(Vec::new(), subject).unwrap();
    frames.iter().for_each(|frame| scribe.line(&JournalLine::Frame(frame)).unwrap());
    scribe.output
}

/// Makes of frames what is made of those of a run.
fn take_in(frames: Vec<Frame>) {
    let (mut past, mut balance) = (RunHistory::new(64 << 10), Balance::default());
    let mut trace = Trace::begin(Vec::new(), "made up", true).unwrap();
    for frame in frames {
        balance.take(&frame);
        trace.take(&frame).unwrap();
        past.take(frame);
    }
    let moments = [past.first(), past.last()].into_iter().chain(past.next_event(past.first()));
    moments.for_each(|moment| drop((past.snapshot(moment), past.drawing(0, moment), past.previous_event(moment))));
    drop(balance.figures().to_string());
    trace.finish(serde_json::Map::new()).unwrap();
}

/// A journal of each kind, by its name.
fn journals(folder: &TempDir) -> Vec<(&'static str, Vec<u8>)> {
    let file = |name: &str| path(folder, name);
    let commands: [(&str, &str); 4] = [
        ("search", "search 6x6 --solver path --threads 3"),
        ("count", "count 5x6"),
        ("find", "find 8x8 --method warnsdorff --tours 2 --threads 2"),
        ("map", "gpu map 5x5 --orders 20 --adapter cpu"),
    ];
    let journal = |(name, command): (&'static str, &str)| {
        let file = file(name);
        make(&command.split(' ').chain(["--record", &file]).collect::<Vec<_>>());
        (name, fs::read(file).unwrap())
    };
    let mut all = commands.map(journal).to_vec();
    all.push(("mixed", mixed(&all[0].1)));
    all
}

#[test]
fn of_a_changed_journal_what_can_be_read_is_made() {
    let folder = tempfile::tempdir().unwrap();
    for (name, good) in journals(&folder) {
        let (_, whole) = frames(good.clone()).unwrap_or_else(|| panic!("{name} is read as it is"));
        assert!(whole.len() > 1, "{name} has {} frames", whole.len());
        assert_eq!(mended_again(&good, Checksums::Lines), good, "{name}: its sums are made as the program makes them");
        take_in(whole);
        let every = Every::of(&good, Checksums::Lines);
        let cases = every.count();
        each(&format!("journal of a {name}, read"), cases + 60, move |case| {
            let changed = match case.number < cases {
                true => case.of(&every).unwrap_or_default(),
                false => case.change(&good, Checksums::Lines).0,
            };
            if let Some((subject, frames)) = frames(changed.clone()) {
                shown(&changed, &subject, &frames);
                take_in(frames);
            }
        });
    }
}

/// What is shown of frames on a screen.
#[cfg(feature = "tui")]
fn shown(journal: &[u8], subject: &Subject, frames: &[Frame]) {
    screens::show(journal, subject, frames, screens::KEYS);
}

#[cfg(not(feature = "tui"))]
fn shown(_: &[u8], _: &Subject, _: &[Frame]) {}

/// The events of a frame that was lost are lost with it; those of the next one may be older than it.
#[cfg(feature = "tui")]
#[test]
fn a_journal_that_lost_one_of_its_first_lines_is_shown_with_every_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut journals = journals(&folder);
    let long = path(&folder, "long");
    make(&["search", "7x8", "--threads", "4", "--deadline", "1s", "--record", &long]);
    journals.push(("long search", fs::read(long).unwrap()));
    let keys = screens::every_key();
    let mut headless = 0;
    for (name, good) in journals {
        let lines: Vec<&[u8]> = good.split_inclusive(|&byte| byte == b'\n').collect();
        for lost in [0, 1, 2, 4, 9].into_iter().filter(|&lost| lost < lines.len()) {
            let mut damaged = lines[lost].to_vec();
            damaged[lines[lost].len() / 2] ^= 1;
            let one = [&lines[..lost], &[&damaged], &lines[lost + 1..]].concat().concat();
            // All but the first line up to there.
            let many = [&lines[..lost.min(1)], &lines[lost + 1..]].concat().concat();
            for journal in [one, many] {
                let Some((subject, frames)) = frames(journal.clone()) else {
                    assert_eq!(lost, 0, "{name}");
                    continue;
                };
                assert!(lost > 0, "{name} is read without its first line");
                let first = frames.first();
                headless +=
                    usize::from(first.is_some_and(|first| first.events.iter().any(|event| event.at < first.at())));
                screens::show(&journal, &subject, &frames, &keys);
                take_in(frames);
            }
        }
        // A process that is attached to may send frames that go back in time.
        let (subject, mut frames) = frames(good.clone()).unwrap();
        frames.reverse();
        screens::show(&good, &subject, &frames, &keys);
    }
    assert!(headless > 0, "no events began before the frames");
}

#[test]
fn a_changed_journal_is_refused_or_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let other = path(&folder, "search");
    for (name, good) in journals(&folder) {
        let plain = path(&folder, &format!("{name}.jsonl"));
        fs::write(&plain, &good).unwrap();
        let args = vec!["replay", &plain, "--json"];
        FuzzedFile { name: "journals", file: plain.clone(), sums: Checksums::Lines, args, number: None, cases: 8 }
            .read();
        let packed = path(&folder, &format!("{name}.zst"));
        fs::write(&packed, zstd::encode_all(&good[..], 3).unwrap()).unwrap();
        let args = vec!["replay", &packed, "--json"];
        FuzzedFile {
            name: "compressed journals",
            file: packed.clone(),
            sums: Checksums::None,
            args,
            number: None,
            cases: 10,
        }
        .read();
        if name == "search" {
            for args in [vec!["replay", &plain, "--balance", "--json"], vec!["compare", &other, &plain, "--json"]] {
                fs::write(&plain, &good).unwrap();
                let name = "journals of a search";
                FuzzedFile { name, file: plain.clone(), sums: Checksums::Lines, args, number: None, cases: 8 }.read();
            }
        }
    }
}

#[test]
fn a_changed_file_of_tours_is_refused_or_its_faults_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| path(&folder, name);
    let [list, packed, json, svg, grid] = ["list", "packed", "json", "svg", "grid"].map(file);
    make(&["search", "3x4", "--open", "--out", &list]);
    make(&["search", "3x4", "--open", "--out", &packed, "--format", "packed"]);
    for (format, file) in [("json", &json), ("svg", &svg), ("grid", &grid)] {
        make(&["find", "3x4", "--open", "--format", format, "--out", file]);
    }
    for (name, sums) in [
        ("list", Checksums::None),
        ("packed", Checksums::Packed),
        ("json", Checksums::None),
        ("svg", Checksums::None),
        ("grid", Checksums::None),
    ] {
        let good = fs::read(file(name)).unwrap();
        assert!(TourReader::new(&good[..], None).all(|tour| tour.is_ok()), "{name} is read as it is");
        assert_eq!(mended_again(&good, sums), good, "{name}: its sums are made as the program makes them");
        each(&format!("tours as {name}, read"), 120, move |case| {
            let (changed, _) = case.change(&good, sums);
            let compressed = zstd::encode_all(&changed[..], 1).unwrap();
            let [plain, unpacked] = [&changed, &compressed].map(|file| TourReader::new(&file[..], None).count());
            assert_eq!(plain, unpacked);
        });
    }
    let lookup = ["find", "3x4", "--open", "--method", "lookup", "--json", "--library"];
    for (name, sums) in [("list", Checksums::None), ("packed", Checksums::Packed)] {
        for mut args in [vec!["verify", "--json"], vec!["rank", "--open", "--json"], lookup.to_vec()] {
            let file = file(name);
            let good = fs::read(&file).unwrap();
            args.push(&file);
            FuzzedFile { name: "tours", file: file.clone(), sums, args, number: None, cases: 10 }.read();
            fs::write(&file, &good).unwrap();
        }
        // Compressed as the program does it, a frame for each block.
        let compressed = file(&format!("{name}.zst"));
        let format = if name == "packed" { "packed" } else { "line" };
        make(&["search", "3x4", "--open", "--out", &compressed, "--format", format]);
        let args = vec!["verify", "--json", &compressed];
        FuzzedFile {
            name: "compressed tours",
            file: compressed.clone(),
            sums: Checksums::None,
            args,
            number: None,
            cases: 10,
        }
        .read();
    }
}

#[test]
fn a_changed_file_of_a_folder_is_refused_or_its_number_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| path(&folder, name);
    let [layers, searched, counted] = ["layers", "searched", "counted"].map(file);
    make(&["unrank", "3x4", "0", "--open", "--layers", &layers]);
    for part in ["1/2", "2/2"] {
        make(&["search", "5x6", "--shard", part, "--out-dir", &searched]);
    }
    for modulus in ["2147483647", "2147483629"] {
        make(&["count", "3x4", "--open", "--modulus", modulus, "--out-dir", &counted]);
    }
    let unranked = vec!["unrank", "3x4", "5", "--open", "--json", "--layers", &layers];
    let merged = vec!["merge", &searched, "--json"];
    for (name, sums, args, number, cases) in [
        ("layers/layers", Checksums::Last, unranked.clone(), Some("count"), 25),
        ("layers/sweep-0-layer-006", Checksums::None, unranked.clone(), Some("tours"), 10),
        ("layers/sweep-0-layer-012", Checksums::None, unranked, Some("tours"), 10),
        ("searched/1-of-2.part", Checksums::Last, merged, Some("tours"), 20),
        ("counted/modulo-2147483647.part", Checksums::Last, vec!["merge", &counted, "--json"], Some("count"), 20),
    ] {
        let file = file(name);
        let good = fs::read(&file).unwrap();
        FuzzedFile { name, file: file.clone(), sums, args, number, cases }.read();
        fs::write(file, good).unwrap();
    }
}

/// What is known of runs without a screen.
#[test]
fn a_changed_file_of_the_folder_of_runs_is_left_out_or_listed() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    fs::DirBuilder::new().mode(0o700).create(&runs).unwrap();
    let entry =
        "{\"id\":1,\"pid\":1,\"question\":\"6x6\",\"began_s\":0,\"checkpoint\":\"/nowhere/1\",\"report\":null}\n";
    let file = path(&folder, "runs/1.json");
    fs::write(&file, entry).unwrap();
    let args = vec!["runs", "--json"];
    FuzzedFile { name: "what is known of a run", file, sums: Checksums::None, args, number: None, cases: 20 }.read();
}
