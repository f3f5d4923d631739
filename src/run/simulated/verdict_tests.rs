//! Verdicts on simulated runs in which one fault was made, and on healthy ones.

use super::observers::SimulatedBalance;
use super::test_tree::TestTree;
use crate::run::TimePart;
use crate::run::balance::{BalanceFigures, VerdictName};
use crate::schedule::rule::{EARLIER, NominationRule};
use crate::schedule::{Scheduler, Sharing, TreeCut};
use crate::search::{HandOver, Kernel};
use crate::simulate::{Costs, SimulationPlan};
use crate::stop::Stop;

/// Crews, and the levels below the first of a tree that is large enough for them.
const CREWS: [(usize, usize); 5] = [(2, 1), (4, 2), (16, 3), (256, 5), (1024, 6)];
/// Nodes of a leaf, beside the leaf itself.
const LEAF: u64 = 511;
/// Children of the root.
const WIDE: u32 = 64;

/// Leaves of a tree of so many levels below the first.
fn leaves(levels: usize) -> u64 {
    u64::from(WIDE) << (2 * levels)
}

/// Nodes that each worker has to enter of an even tree.
fn each(workers: usize, levels: usize) -> u64 {
    leaves(levels) * (LEAF + 1) / workers as u64
}

/// An even tree: 64 children, 4 of each of these, and so on, and equal leaves.
fn even(levels: usize, leaf: u64) -> impl Fn(&[u8]) -> (u32, u64) {
    move |path| match path.len() {
        0 => (WIDE, 0),
        depth if depth <= levels => (4, 0),
        _ => (0, leaf),
    }
}

/// A tree whose subtrees differ by much: 1 to 7 children, and leaves of as many nodes or fewer.
fn ragged(levels: usize, leaf: u64) -> impl Fn(&[u8]) -> (u32, u64) {
    move |path| {
        let mixed = path.iter().fold(7u64, |mixed, &choice| {
            (mixed ^ u64::from(choice)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        match path.len() {
            0 => (WIDE, 0),
            depth if depth <= levels => (1 + (mixed >> 40) as u32 % 7, 0),
            _ => (0, (mixed >> 20) % leaf),
        }
    }
}

struct Run {
    efficiency: f64,
    figures: BalanceFigures,
}

impl Run {
    fn first(&self) -> VerdictName {
        self.figures.verdicts[0].name
    }
}

fn simulate(kernel: TestTree, workers: usize, sharing: Sharing, costs: Costs, scheduler: Scheduler) -> Run {
    let plan = SimulationPlan { workers, sharing, costs, seed: 1 };
    let mut balance = SimulatedBalance::new(&plan, scheduler);
    let kernel: Box<dyn Kernel> = Box::new(kernel);
    let figures = plan.run_observed(&mut balance, &*kernel, &Stop::default()).expect("no one stops it");
    let run = Run { efficiency: figures.efficiency(), figures: balance.figures() };
    let time = run.figures.time.unwrap();
    let sum: f64 = time.shares().iter().sum();
    assert!((sum - 1.0).abs() < 1e-9, "{time:?}");
    assert!((time[TimePart::Searching] - run.efficiency).abs() < 1e-3, "{time:?} of {}", run.efficiency);
    // A thief takes what its victim will have left at the end of a burst.
    assert!(run.figures.span_exact && run.figures.span as f64 <= figures.makespan * 1.01, "{}", run.figures.span);
    assert!((run.figures.at_work.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let at_work: f64 = run.figures.at_work.iter().enumerate().map(|(number, share)| number as f64 * share).sum();
    let waiting = 1.0 - at_work / workers as f64;
    assert!((time[TimePart::Waiting] - waiting).abs() < 1e-4, "{time:?}, {waiting} by events");
    run
}

/// On this machine a node takes long enough for a simulated run to be judged.
fn costs() -> Costs {
    Costs { burst: 64, node_ns: 1e5, ..Costs::fixed() }
}

fn usual(workers: usize) -> Sharing {
    Sharing::Hire(NominationRule::of(workers, HandOver::Shallowest))
}

/// Simulates each crew and checks the first verdict.
fn named_first(wanted: VerdictName, run: impl Fn(usize, usize) -> Run) {
    for (workers, levels) in CREWS {
        let run = run(workers, levels);
        let shown: Vec<String> =
            run.figures.verdicts.iter().map(|found| format!("{} {:.3}", found.name.words(), found.share)).collect();
        println!("{:<16} {workers:>5} workers, efficiency {:.3}: {}", wanted.words(), run.efficiency, shown.join(", "));
        assert_eq!(run.first(), wanted, "{workers} workers: {:?}", run.figures.verdicts);
    }
}

#[test]
fn an_even_tree_is_shared_in_good_health() {
    for sharing in [usual, |_| Sharing::Steal] {
        named_first(VerdictName::Healthy, |workers, levels| {
            let run = simulate(TestTree::new(even(levels, LEAF)), workers, sharing(workers), costs(), Scheduler::HIRE);
            assert!(run.efficiency >= 0.95, "{workers} workers: {}", run.efficiency);
            assert_eq!((run.figures.verdicts.len(), run.figures.verdicts[0].share), (1, 0.0));
            run
        });
    }
}

#[test]
fn a_tree_with_a_trunk_ramps_up_slowly() {
    named_first(VerdictName::RampUp, |workers, levels| {
        let (trunk, above) = (each(workers, levels), even(levels, LEAF));
        let shape = move |path: &[u8]| match path.len() {
            0 => (1, 0),
            1 => (WIDE, trunk),
            _ => above(&path[1..]),
        };
        simulate(TestTree::new(shape), workers, usual(workers), costs(), Scheduler::HIRE)
    });
}

#[test]
fn a_tree_with_a_long_branch_has_a_tail() {
    named_first(VerdictName::Tail, |workers, levels| {
        let (log, others) = (each(workers, levels), even(levels, LEAF));
        // The last leaf: one that comes early keeps helpers waiting who went along with the worker that got it.
        let is_last = move |path: &[u8]| {
            path.len() == levels + 1 && path[0] == WIDE as u8 - 1 && path[1..].iter().all(|&choice| choice == 3)
        };
        let shape = move |path: &[u8]| if is_last(path) { (0, log) } else { others(path) };
        simulate(TestTree::new(shape), workers, usual(workers), costs(), Scheduler::HIRE)
    });
}

#[test]
fn a_tree_whose_first_branches_are_heavy_is_dealt_unevenly() {
    named_first(VerdictName::Uneven, |workers, levels| {
        let others = even(levels, LEAF / 8);
        let heavy = move |path: &[u8]| {
            let (children, leaf) = others(path);
            (children, if path.first().is_some_and(|&choice| choice < 16) { 20 * leaf } else { leaf })
        };
        simulate(TestTree::new(heavy), workers, Sharing::Deal(TreeCut::Blocks), costs(), Scheduler::BLOCKS)
    });
}

#[test]
fn the_rule_of_the_source_gives_too_little() {
    let source = EARLIER.into_iter().find(|earlier| earlier.name == "source").unwrap().rule;
    named_first(VerdictName::SmallHandovers, |workers, levels| {
        let costs = Costs { burst: 16, ..costs() };
        simulate(TestTree::new(even(levels + 1, 3)), workers, Sharing::Hire(source), costs, Scheduler::HIRE)
    });
}

#[test]
fn workers_that_look_rarely_at_their_mail_let_others_wait() {
    named_first(VerdictName::WaitingHire, |workers, levels| {
        let costs = Costs { burst: each(workers, levels) / 5, ..costs() };
        simulate(TestTree::new(ragged(levels - 1, 32 * LEAF)), workers, usual(workers), costs, Scheduler::HIRE)
    });
}

#[test]
fn a_run_of_a_moment_is_not_judged() {
    named_first(VerdictName::SmallQuestion, |workers, levels| {
        let tree = TestTree::new(even(levels, 3));
        let run = simulate(tree, workers, usual(workers), Costs::fixed(), Scheduler::HIRE);
        assert_eq!(run.figures.verdicts.len(), 1);
        run
    });
}
