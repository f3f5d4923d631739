//! Radley's search against a plain twin, and the laws of a search that can be split.

mod twin;

use super::*;
use crate::search::TourSink;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// A burst without an end, in the explicit gear or in the sparse one.
fn endless(every_node: bool) -> Burst<'static> {
    if every_node { Burst::nodes(u64::MAX) } else { Burst::sparse(u64::MAX) }
}

fn search<M: SquareMask>(board: &str, rules: &RadleyOptions) -> Radley<M> {
    Radley::new(board.parse().unwrap(), rules.clone()).unwrap()
}

/// Counts one uninterrupted run in one gear.
fn count<M: SquareMask, const EVERY_NODE: bool>(board: &str, rules: &RadleyOptions) -> Tally {
    let mut search = search::<M>(board, rules);
    search.begin(&Task::root());
    let mut tally = Tally::default();
    let mut out = BurstOutput { tally: &mut tally, levels: true, sink: None };
    assert_eq!(search.advance(endless(EVERY_NODE), &mut out), BurstEnd::Exhausted);
    tally
}

#[test]
fn boards_too_narrow_to_leave_the_corner_twice_have_no_tour() {
    for board in ["1x1", "1x4", "2x3", "2x5", "3x3", "3x4", "4x4"] {
        let tally = count::<u64, true>(board, &RadleyOptions::shipped());
        assert_eq!((tally.tours, tally.nodes > 0), (0, true), "{board}");
        assert_eq!(tally, count::<u64, false>(board, &RadleyOptions::shipped()), "{board}");
    }
}

#[test]
fn every_test_and_reduction_finds_the_same_tours_on_5x6() {
    for prune in Prune::ALL {
        let tally = count::<u64, false>("5x6", &RadleyOptions { prune, ..RadleyOptions::shipped() });
        assert_eq!(tally.tours, 8, "{prune:?}");
    }
    let prune = Prune::AnyIsolated;
    for (fix_first, reserve_last, tours) in [(true, false, 8), (false, true, 16), (false, false, 16)] {
        let tally =
            count::<u64, false>("5x6", &RadleyOptions { prune, fix_first, reserve_last, ..RadleyOptions::shipped() });
        assert_eq!(tally.tours, tours, "{fix_first} {reserve_last}");
    }
}

/// All boards, tests and reductions, with a window that starts and ends in the lanes and one that is empty.
#[test]
fn the_counts_are_those_of_the_twin() {
    for board in ["1x1", "1x5", "2x4", "3x3", "3x4", "4x3", "3x5", "4x4", "4x5", "3x7", "4x6"] {
        for prune in Prune::ALL {
            for (from, to) in [(0, usize::MAX), (6, 11), (12, 9)] {
                let rules = RadleyOptions { prune, window: from..=to, ..RadleyOptions::shipped() };
                check_twin(board, &rules);
            }
        }
    }
    // Boards with tours; 5x6 is the first that is not searched by the lanes alone.
    for board in ["3x10", "5x6"] {
        check_twin(board, &RadleyOptions { prune: Prune::AnyIsolated, ..RadleyOptions::shipped() });
    }
}

#[test]
fn the_counts_are_those_of_the_twin_from_every_corner_without_reductions() {
    for (fix_first, reserve_last) in [(false, true), (true, false), (false, false)] {
        for prune in Prune::ALL {
            for corner in [(0, 0), (0, 7), (2, 0), (2, 7)] {
                let start = "3x8".parse::<Board>().unwrap().square(corner.0, corner.1).unwrap();
                check_twin("3x8", &RadleyOptions { start, prune, window: 2..=30, fix_first, reserve_last, cut: true });
            }
        }
    }
}

fn check_twin(board: &str, rules: &RadleyOptions) {
    let twin = twin::count(board.parse().unwrap(), rules);
    for (gear, tally) in [count::<u64, true>(board, rules), count::<u64, false>(board, rules)].iter().enumerate() {
        assert_eq!(tally, &twin, "{board} {rules:?} gear {gear}");
    }
    assert_eq!(count::<u128, false>(board, rules), twin, "{board} {rules:?} wide");
}

/// Several searches share a tree: random bursts in random gears, parts given away by random rules. Returns their counts
/// together.
fn scramble<M: SquareMask>(board: &str, rules: &RadleyOptions, crew: usize, mut random: fastrand::Rng) -> Tally {
    let mut crew = vec![search::<M>(board, rules); crew];
    crew[0].begin(&Task::root());
    let mut tally = Tally::default();
    let mut busy = vec![0];
    while !busy.is_empty() {
        let at = random.usize(..busy.len());
        let worker = busy[at];
        let mut out = BurstOutput { tally: &mut tally, levels: true, sink: None };
        let status = if random.bool() {
            crew[worker].advance(Burst::nodes(random.u64(..200)), &mut out)
        } else {
            crew[worker].advance(Burst::sparse(random.u64(..20)), &mut out)
        };
        if status == BurstEnd::Exhausted {
            assert_eq!(crew[worker].branches().open_level(), None);
            busy.swap_remove(at);
            continue;
        }
        let before = crew[worker].branches().remaining();
        let idle = (0..crew.len()).find(|worker| !busy.contains(worker));
        if let (Some(idle), true) = (idle, random.bool())
            && let Some(task) = crew[worker].split(HandOver::ALL[random.usize(..2)])
        {
            assert!((before - crew[worker].branches().remaining() - task.share).abs() < 1e-9);
            crew[idle].begin(&task);
            busy.push(idle);
        }
    }
    tally
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn bursts_gears_and_splits_leave_every_count_alone(
        board in proptest::sample::select(vec!["4x5", "3x8", "4x6", "3x9", "5x5", "5x6"]),
        prune in proptest::sample::select(Prune::ALL.to_vec()),
        (from, to) in (0usize..20, 4usize..32),
        (fix_first, reserve_last, wide) in (any::<bool>(), any::<bool>(), any::<bool>()),
        (crew, seed) in (1usize..6, any::<u64>()),
    ) {
        // Unpruned, 5x6 has 7.7 million nodes.
        let window = if board == "5x6" { 0..=usize::MAX } else { from..=to };
        let prune = if board == "5x6" { Prune::AnyIsolated } else { prune };
        let rules = RadleyOptions { prune, window, fix_first: fix_first || board == "5x6", reserve_last, ..RadleyOptions::shipped() };
        let random = fastrand::Rng::with_seed(seed);
        let scrambled = if wide {
scramble::<u128>(board, &rules, crew, random)
        } else {
scramble::<u64>(board, &rules, crew, random)
        };
        prop_assert_eq!(scrambled, count::<u64, true>(board, &rules));
    }
}

/// Stores every tour and accepts every second one.
#[derive(Default)]
struct Every2nd(Vec<Vec<u8>>);

impl TourSink for Every2nd {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        self.0.push(squares.to_vec());
        (self.0.len() % 2) as u64
    }
}

#[test]
fn a_sink_gets_every_tour_in_both_gears_and_its_answers_count() {
    for (board, tours) in [("3x10", 16), ("5x6", 8)] {
        let rules = RadleyOptions { prune: Prune::AnyIsolated, ..RadleyOptions::shipped() };
        let explicit = tours_of::<true>(board, &rules);
        let sparse = tours_of::<false>(board, &rules);
        assert_eq!(explicit, sparse, "{board}");
        assert_eq!(explicit.0.len(), tours, "{board}");
        let counted = count::<u64, false>(board, &rules);
        assert_eq!(explicit.1, Tally { tours: tours as u64 / 2, ..counted }, "{board}");
    }
}

fn tours_of<const EVERY_NODE: bool>(board: &str, rules: &RadleyOptions) -> (BTreeSet<Vec<u8>>, Tally) {
    let mut search = search::<u64>(board, rules);
    search.begin(&Task::root());
    let (mut tally, mut sink) = (Tally::default(), Every2nd::default());
    let mut out = BurstOutput { tally: &mut tally, levels: true, sink: Some(&mut sink) };
    assert_eq!(search.advance(endless(EVERY_NODE), &mut out), BurstEnd::Exhausted);
    assert_eq!(sink.0.len(), sink.0.iter().collect::<BTreeSet<_>>().len());
    (sink.0.into_iter().collect(), tally)
}

#[test]
fn a_test_that_does_not_cut_leaves_the_tree_unchanged() {
    let plain = count::<u64, false>("5x6", &RadleyOptions::shipped());
    for prune in [Prune::AllIsolated, Prune::AnyIsolated, Prune::Region] {
        let rules = RadleyOptions { prune, cut: false, ..RadleyOptions::shipped() };
        let tally = count::<u64, false>("5x6", &rules);
        assert_eq!(tally, count::<u64, true>("5x6", &rules), "{prune:?}");
        assert_eq!((tally.tours, tally.nodes), (plain.tours, plain.nodes), "{prune:?}");
        assert_eq!(tally.pruned, tally.pruned_by_depth.iter().sum::<u64>(), "{prune:?}");
        assert!(
            tally.pruned > count::<u64, true>("5x6", &RadleyOptions { prune, ..RadleyOptions::shipped() }).pruned,
            "{prune:?}"
        );
    }
}
