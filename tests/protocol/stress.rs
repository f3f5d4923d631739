//! Real threads on short runs: random trees whose size is known, more workers than cores, workers that panic.
//!
//! Bounded by work: what could hang here hangs the test.

use super::{
    model::{Leaving, Plan, run},
    protocol::{Busy, HireProtocol, WaitOutcome},
    slot::{Company, NominationScope},
    sync::Ordering::Relaxed,
};
use std::{
    panic::resume_unwind,
    sync::atomic::{AtomicU64, AtomicUsize},
    thread,
};

/// A node of a random tree: what it is decides how many children it has and what they are.
#[derive(Clone, Copy)]
struct Node {
    seed: u64,
    height: u32,
}

impl Node {
    /// 0 to 4 children, 1.9 on average near the root, none at height 0.
    fn children(self) -> impl Iterator<Item = Node> {
        let count = if self.height == 0 { 0 } else { [0, 1, 2, 2, 2, 2, 3, 4][self.seed as usize % 8] };
        (0..count).map(move |child| Node { seed: mix(self.seed + child), height: self.height - 1 })
    }

    fn size(self) -> u64 {
        1 + self.children().map(Node::size).sum::<u64>()
    }
}

fn mix(seed: u64) -> u64 {
    let seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let seed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ (seed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ (seed >> 31)
}

/// One run of `workers` over the trees below `roots`; answers the nodes entered and the workers hired.
/// A worker that comes upon node number `panic_at` panics.
fn walk(workers: usize, spin: u32, company: Company, roots: &[Node], panic_at: u64) -> (u64, usize) {
    let choice = if workers < 64 { NominationScope::All } else { NominationScope::Drawn(8) };
    let protocol = HireProtocol::new(workers, spin, choice, roots.iter().copied());
    let (nodes, hires) = (AtomicU64::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        let crew: Vec<_> = (0..workers).map(|me| protocol.enter(me)).collect();
        let crew: Vec<_> = crew
            .into_iter()
            .map(|mut idle| {
                let (nodes, hires) = (&nodes, &hires);
                scope.spawn(move || {
                    while let WaitOutcome::Hired { mut busy, task, by, .. } = idle.wait() {
                        hires.fetch_add(usize::from(by.is_some()), Relaxed);
                        search(&mut busy, company, task, nodes, panic_at);
                        idle = busy.report();
                    }
                })
            })
            .collect();
        let panics = crew.into_iter().map(|worker| worker.join()).filter(Result::is_err).count();
        assert_eq!(panics, usize::from(panic_at <= nodes.load(Relaxed)), "workers that panicked");
    });
    assert_eq!(protocol.idle(), workers);
    (nodes.into_inner(), hires.into_inner())
}

fn search(busy: &mut Busy<'_, Node>, company: Company, root: Node, nodes: &AtomicU64, panic_at: u64) {
    let mut untried = vec![root];
    while let Some(node) = untried.pop() {
        untried.extend(node.children());
        busy.set_level(u32::MAX - node.height);
        if nodes.fetch_add(1, Relaxed) + 1 == panic_at {
            // A panic as any other, but for the message it would print.
            resume_unwind(Box::new("the node to panic at"));
        }
        if busy.mail().load(Relaxed) != 0 || busy.waiting() > 0 {
            busy.serve(company, |_, _| (untried.len() >= 2).then(|| untried.remove(0)));
        }
    }
}

/// Workers of run `n`: 1 to 64, small crews more often.
fn crew_size(n: u64) -> usize {
    1 + mix(n) as usize % (1 << (n % 7))
}

#[test]
fn every_node_of_a_thousand_random_trees_is_entered_once() {
    for n in 0..1000 {
        let root = Node { seed: mix(n), height: 9 };
        let company = if n % 2 == 0 { Company::Half } else { Company::None };
        let spin = if n % 3 == 0 { 100 } else { 0 };
        assert_eq!(walk(crew_size(n), spin, company, &[root], u64::MAX).0, root.size(), "run {n}");
    }
}

#[test]
fn several_first_tasks_are_all_done() {
    for n in 0..300 {
        let roots: Vec<Node> = (0..n % 9).map(|root| Node { seed: mix(n + root), height: 7 }).collect();
        let total = roots.iter().map(|root| root.size()).sum::<u64>();
        assert_eq!(walk(roots.len().max(crew_size(n)), 0, Company::Half, &roots, u64::MAX).0, total, "run {n}");
    }
}

#[test]
fn a_panic_of_any_worker_ends_the_run() {
    for n in 0..600 {
        let root = Node { seed: mix(n), height: 9 };
        let size = root.size();
        let panic_at = 1 + mix(n + 1) % size;
        let (entered, _) = walk(crew_size(n), 0, Company::Half, &[root], panic_at);
        assert!((panic_at..=size).contains(&entered), "run {n}: {entered} of {size}");
    }
}

#[test]
fn a_large_crew_draws_the_worker_to_nominate() {
    let root = Node { seed: 12, height: 16 };
    let (nodes, hires) = walk(300, 0, Company::Half, &[root], u64::MAX);
    assert_eq!(nodes, root.size());
    assert!(hires > 0);
}

#[test]
fn the_model_holds_on_real_threads() {
    for n in 0..300 {
        let company = if n % 2 == 0 { Company::Half } else { Company::None };
        let how = if n % 3 == 0 { Leaving::Aloud } else { Leaving::Silently };
        let workers = crew_size(n);
        run(&Plan { leaver: Some((workers / 2, how)), ..Plan::new(workers, company, &[200]) });
        run(&Plan { spin: 50, ..Plan::new(workers, company, &[3000]) });
    }
}

#[test]
#[should_panic(expected = "worker 1 has entered before")]
fn no_worker_enters_twice() {
    let protocol = HireProtocol::new(2, 0, NominationScope::All, [()]);
    let _first = std::mem::ManuallyDrop::new(protocol.enter(1));
    let _second = protocol.enter(1);
}
