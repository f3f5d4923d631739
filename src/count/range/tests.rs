//! Ranges against counts of the single boards, in all widths of counts and primes; and the checkpoint files of ranges.

use super::*;
use crate::board::Ending;
use crate::count::plan::CountPlan;
use crate::count::question::CountQuestion;
use crate::count::residues::Modulus;
use crate::count::settings::Settings;
use crate::count::strip::Strip;
use crate::count::watch::CountWatch;
use crate::saved;

fn strip(first: &str, last: &str) -> Strip {
    Strip::new(first.parse().unwrap(), last.parse().unwrap()).unwrap()
}

fn counted(strip: Strip, ending: Ending, strict: bool, change: impl FnOnce(&mut Settings)) -> RangeAnswer {
    let question = CountQuestion { strict, ..CountQuestion::new("1x1".parse().unwrap(), ending) };
    let mut settings = Settings { threads: 2, memory: 1 << 33, ..Settings::default() };
    change(&mut settings);
    let watch = CountWatch::new(settings.threads);
    let plan = RangePlan::new(strip, &question, settings.memory, &watch).unwrap();
    plan.run(&settings, &watch).unwrap()
}

#[test]
fn every_board_of_a_range_has_the_number_that_it_has_alone() {
    let endings = [(Ending::Closed, false), (Ending::Open, false), (Ending::Open, true)];
    let strips = [("1x1", "1x4"), ("2x1", "2x5"), ("3x1", "3x12"), ("1x4", "9x4"), ("5x1", "5x7"), ("6x1", "6x5")];
    let cases = strips.into_iter().flat_map(|strip| endings.map(|ending| (strip, ending)));
    for ((first, last), (ending, strict)) in cases {
        for BoardNumber { board, count, .. } in counted(strip(first, last), ending, strict, |_| ()).boards {
            let question = CountQuestion { strict, ..CountQuestion::new(board, ending) };
            let watch = CountWatch::new(2);
            let plan = CountPlan::new(&question, 1 << 33, &watch).unwrap();
            let alone = plan.run(&Settings { threads: 2, memory: 1 << 33, ..Settings::default() }, &watch).unwrap();
            assert_eq!(Some(count), alone.count, "{board} {ending:?} {strict}");
        }
    }
}

/// Counts that outgrow 64 bits: with wide primes, and with narrow primes if the memory is too small for wide counts.
#[test]
fn long_boards_are_put_together_from_residues() {
    let of = |change: &dyn Fn(&mut Settings)| counted(strip("5x15", "5x22"), Ending::Closed, false, change).boards;
    let wide = of(&|_| ());
    assert_eq!(wide[3].count.to_string(), "161514101568508400");
    assert_eq!(wide[7].count.to_string(), "17414154188157170439208");
    assert_eq!((wide[1].evidence.moduli().len(), wide[7].evidence.moduli()[0]), (0, Modulus::TwoTo64));
    let watch = CountWatch::new(2);
    let question = CountQuestion::new("1x1".parse().unwrap(), Ending::Closed);
    let room = RangePlan::new(strip("5x15", "5x22"), &question, 1 << 33, &watch).unwrap().plan().memory(32);
    let tight = of(&|settings| settings.memory = room);
    assert!(tight[7].evidence.moduli().iter().all(|modulus| modulus.bytes() == Some(4)), "{:?}", tight[7].evidence);
    let other = of(&|settings| settings.primes_below = Some(1 << 40));
    assert!(other[1].evidence.moduli().iter().all(|modulus| modulus.bytes() == Some(8)), "{:?}", other[1].evidence);
    for boards in [tight, other] {
        assert!(boards.iter().map(|settled| &settled.count).eq(wide.iter().map(|settled| &settled.count)));
    }
}

#[test]
fn a_count_that_is_stopped_before_its_first_pass_has_the_boards_without_tours() {
    let watch = CountWatch::new(1);
    let question = CountQuestion::new("1x1".parse().unwrap(), Ending::Closed);
    let plan = RangePlan::new(strip("5x1", "5x8"), &question, 1 << 33, &watch).unwrap();
    watch.stop();
    let answer = plan.run(&Settings { threads: 1, memory: 1 << 33, ..Settings::default() }, &watch).unwrap();
    let boards: Vec<String> = answer.boards.iter().map(|settled| settled.board.to_string()).collect();
    assert_eq!((boards, answer.complete), (["5x1", "5x3", "5x5", "5x7"].map(str::to_owned).to_vec(), false));
}

/// From the checkpoint after the first pass, and from the checkpoint of the complete count.
#[test]
fn a_range_resumes_from_its_checkpoint_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("range");
    let whole = counted(strip("5x1", "5x22"), Ending::Closed, false, |_| ());
    let with_file = |settings: &mut Settings| settings.checkpoint = Some(path.clone());
    let first = counted(strip("5x1", "5x22"), Ending::Closed, false, with_file);
    assert_eq!((first.boards.len(), first.saved, first.unsaved), (22, Some(2), None));
    // The checkpoint after the first pass, with the residues of the boards that it has not settled.
    let before = saved::older(&path);
    let half = SavedRange::read(&before).unwrap().unwrap();
    assert!(half.to_numbers().numbers.len() < 11 && !half.to_numbers().residues.is_empty());
    for file in [before, path.clone()] {
        let again = |settings: &mut Settings| settings.checkpoint = Some(file.clone());
        let resumed = counted(strip("5x1", "5x22"), Ending::Closed, false, again);
        assert_eq!((&resumed.boards, resumed.saved, resumed.complete), (&whole.boards, Some(2), true));
    }
}

#[test]
fn a_file_of_another_range_or_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("range");
    counted(strip("3x1", "3x12"), Ending::Closed, false, |settings| settings.checkpoint = Some(path.clone()));
    let question = CountQuestion::new("1x1".parse().unwrap(), Ending::Closed);
    let refused = |last: &str| {
        let (watch, settings) =
            (CountWatch::new(1), Settings { checkpoint: Some(path.clone()), memory: 1 << 33, ..Settings::default() });
        let plan = RangePlan::new(strip("3x1", last), &question, 1 << 33, &watch).unwrap();
        let error = plan.run(&settings, &watch).unwrap_err();
        assert!(error.is_usage());
        error.to_string()
    };
    let other = refused("3x10");
    assert!(
        other.ends_with(
            "is a checkpoint of the closed tours of 3x1..12, not of the closed tours of 3x1..10: name another file"
        ),
        "{other}"
    );
    let good = std::fs::read(&path).unwrap();
    for at in (0..good.len()).step_by(7) {
        let mut damaged = good.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        assert!(SavedRange::read(&path).is_err(), "{at}");
        std::fs::write(&path, &good[..at]).unwrap();
        assert!(SavedRange::read(&path).is_err(), "{at}");
    }
    // Invalid contents with a valid checksum.
    let text = String::from_utf8(good[..good.len() - 4].to_vec()).unwrap();
    for (from, to) in [
        ("\"across\":3", "\"across\":0"),
        ("\"to\":12", "\"to\":4294967295"),
        ("\"elapsed_s\":", "\"elapsed_s\":-1,\"x\":"),
        ("\"ending\":\"closed\"", "\"ending\":\"ajar\""),
        ("\"modulus\":null", "\"modulus\":4"),
        ("\"passes\":[1]", "\"passes\":[99999]"),
        ("\"passes\":[1]", "\"passes\":[1,1]"),
        ("\"numbers\":[[[0,", "\"numbers\":[[[7,"),
        ("\"bits\":", "\"bits\":1"),
        ("\"residues\":[]", "\"residues\":[[[0,9],{\"value\":[1],\"product\":[0],\"settled\":false,\"moduli\":[]}]]"),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        let mut made_up = text.replacen(from, to, 1).into_bytes();
        made_up.extend(crc32fast::hash(&made_up).to_le_bytes());
        std::fs::write(&path, &made_up).unwrap();
        assert!(SavedRange::read(&path).err().is_some_and(|error| error.to_string().contains("is damaged")), "{from}");
    }
}
