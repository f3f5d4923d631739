//! Ranges against counts of the single boards, in all widths of counts and primes; and the checkpoint files of ranges.

use super::tests::run;
use super::*;
use crate::board::Ending;
use crate::saved::SavedRun as _;
use std::fs;

fn range(first: &str, last: &str) -> BoardRange {
    BoardRange::new(first.parse().unwrap(), last.parse().unwrap()).unwrap()
}

fn settings() -> Settings {
    Settings { threads: 2, memory: 1 << 33, ..Settings::default() }
}

/// The answer to a question with settings that `change` changes.
fn answer(question: &CountQuestion, change: impl FnOnce(&mut Settings)) -> CountAnswer {
    let mut settings = settings();
    change(&mut settings);
    let watch = CountWatch::new(settings.threads);
    run(&CountPlan::new(question, settings.memory, &watch).unwrap(), &settings, &watch).unwrap()
}

fn closed(first: &str, last: &str) -> CountQuestion {
    CountQuestion::of_range(range(first, last), Ending::Closed)
}

#[test]
fn every_board_of_a_range_has_the_number_that_it_has_alone() {
    let endings = [(Ending::Closed, false), (Ending::Open, false), (Ending::Open, true)];
    let ranges = [("1x1", "1x4"), ("2x1", "2x5"), ("3x1", "3x12"), ("1x4", "9x4"), ("5x1", "5x7"), ("6x1", "6x5")];
    let folder = tempfile::tempdir().unwrap();
    let cases = ranges.into_iter().flat_map(|range| endings.map(|ending| (range, ending)));
    for ((first, last), (ending, strict)) in cases {
        let range = CountQuestion { strict, ..CountQuestion::of_range(range(first, last), ending) };
        let counted = answer(&range, |_| ());
        let in_files = answer(&range, |settings| settings.spill = Some(folder.path().to_owned()));
        let remainders = answer(&range, |settings| settings.modulus = Some(65_521));
        assert_eq!(counted.boards, in_files.boards, "{first} to {last} {ending:?} {strict}");
        for (BoardNumber { board, count, .. }, remainder) in counted.boards.iter().zip(remainders.boards) {
            let question = CountQuestion { strict, ..CountQuestion::new(*board, ending) };
            assert_eq!(Some(count), answer(&question, |_| ()).count(), "{board} {ending:?} {strict}");
            assert_eq!(*remainder.count.value(), count.value() % 65_521u32, "{board} {ending:?} {strict}");
            let alone = answer(&question, |settings| settings.modulus = Some(65_521));
            assert_eq!(Some(&remainder.count), alone.count(), "{board} {ending:?} {strict}");
        }
    }
}

/// Counts that outgrow 64 bits: with wide primes, and with narrow primes if the memory is too small for wide counts, or if the
/// counts live in files.
#[test]
fn long_boards_are_put_together_from_residues() {
    let question = closed("5x15", "5x22");
    let of = |change: &dyn Fn(&mut Settings)| answer(&question, change).boards;
    let wide = of(&|_| ());
    assert_eq!(wide[3].count.to_string(), "161514101568508400");
    assert_eq!(wide[7].count.to_string(), "17414154188157170439208");
    assert_eq!((wide[1].evidence.moduli().len(), wide[7].evidence.moduli()[0]), (0, Modulus::TwoTo64));
    let room = CountPlan::new(&question, 1 << 33, &CountWatch::new(2)).unwrap().memory(32);
    let tight = of(&|settings| settings.memory = room);
    assert!(tight[7].evidence.moduli().iter().all(|modulus| modulus.bytes() == Some(4)), "{:?}", tight[7].evidence);
    let other = of(&|settings| settings.primes_below = Some(1 << 40));
    assert!(other[1].evidence.moduli().iter().all(|modulus| modulus.bytes() == Some(8)), "{:?}", other[1].evidence);
    let folder = tempfile::tempdir().unwrap();
    let in_files = of(&|settings| settings.spill = Some(folder.path().to_owned()));
    assert_eq!(in_files[7].evidence.moduli()[0], Modulus::TwoTo64, "{:?}", in_files[7].evidence);
    for boards in [tight, other, in_files] {
        assert!(boards.iter().map(|settled| &settled.count).eq(wide.iter().map(|settled| &settled.count)));
    }
}

#[test]
fn a_count_that_is_stopped_before_its_first_pass_has_the_boards_without_tours() {
    let watch = CountWatch::new(1);
    let plan = CountPlan::new(&closed("5x1", "5x8"), 1 << 33, &watch).unwrap();
    watch.stop();
    let answer = run(&plan, &Settings { threads: 1, ..settings() }, &watch).unwrap();
    let boards: Vec<String> = answer.boards.iter().map(|settled| settled.board.to_string()).collect();
    assert_eq!((boards, answer.complete), (["5x1", "5x3", "5x5", "5x7"].map(str::to_owned).to_vec(), false));
}

/// The file of a range that has ended has all its numbers, and prints them again.
#[test]
fn a_range_that_has_ended_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("range");
    let hour = std::time::Duration::from_secs(3600);
    let change = |settings: &mut Settings| {
        (settings.checkpoint, settings.save_interval) = (Some(path.clone()), hour);
    };
    let whole = answer(&closed("5x1", "5x22"), change);
    let saved = SavedCount::read(&path).unwrap();
    assert_eq!(saved.finished().unwrap().boards, whole.boards);
    let again = answer(&closed("5x1", "5x22"), change);
    assert_eq!((&again.boards, again.complete), (&whole.boards, true));
}

#[test]
fn a_file_of_another_range_or_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("range");
    answer(&closed("3x1", "3x12"), |settings| settings.checkpoint = Some(path.clone()));
    let settings = Settings { checkpoint: Some(path.clone()), ..settings() };
    let watch = CountWatch::new(2);
    let plan = CountPlan::new(&closed("3x1", "3x10"), 1 << 33, &watch).unwrap();
    let error = run(&plan, &settings, &watch).unwrap_err();
    assert!(error.is_usage());
    let other = error.to_string();
    let says = "is a checkpoint of the closed tours of 3x1..12, not of the closed tours of 3x1..10: name another file";
    assert!(other.ends_with(says), "{other}");
    let good = fs::read(&path).unwrap();
    for at in (0..good.len()).step_by(7) {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert!(SavedCount::read(&path).is_err(), "{at}");
        fs::write(&path, &good[..at]).unwrap();
        assert!(SavedCount::read(&path).is_err(), "{at}");
    }
    // Invalid contents with a valid checksum.
    let text = String::from_utf8(good[..good.len() - 4].to_vec()).unwrap();
    for (from, to) in [
        ("\"across\":3", "\"across\":0"),
        ("\"to\":12", "\"to\":4294967295"),
        ("\"elapsed_s\":", "\"elapsed_s\":-1,\"x\":"),
        ("\"ending\":\"closed\"", "\"ending\":\"ajar\""),
        ("\"modulus\":null", "\"modulus\":4"),
        ("\"passes\":1", "\"passes\":99999"),
        ("\"sweeps\":[", "\"sweeps\":[{\"passes\":0,\"numbers\":{},\"residues\":{}},"),
        ("\"numbers\":{\"", "\"numbers\":{\"7"),
        ("\"bits\":", "\"bits\":1"),
        ("\"residues\":{}", "\"residues\":{\"12\":{\"value\":[1],\"product\":[0],\"settled\":false,\"moduli\":[]}}"),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        let mut forged = text.replacen(from, to, 1).into_bytes();
        forged.extend(crc32fast::hash(&forged).to_le_bytes());
        fs::write(&path, &forged).unwrap();
        assert!(SavedCount::read(&path).err().is_some_and(|error| error.to_string().contains("is damaged")), "{from}");
    }
}
