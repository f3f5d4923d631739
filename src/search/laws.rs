//! The laws of every kernel, for tests: however its tree is cut into bursts, gears and parts, its counts and its tours
//! do not change.

use super::kernel::{Burst, BurstEnd, BurstOutput, HandOver, Kernel, Tally, Task, TourSink};
use crate::board::{Ending, Shape, Square, Tour};

/// Calls its second argument with every tour that the first one stands for.
pub type Expand<'a> = &'a dyn Fn(&[u8], &mut dyn FnMut(&[u8]));

/// The tours that a run handed out, expanded.
struct Collect<'a> {
    expand: Expand<'a>,
    tours: Vec<Vec<u8>>,
}

impl TourSink for Collect<'_> {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        let before = self.tours.len();
        (self.expand)(squares, &mut |image| self.tours.push(image.to_vec()));
        (self.tours.len() - before) as u64
    }
}

/// Counts the whole tree in the explicit gear, or in the sparse one.
pub fn count(search: &dyn Kernel, sparse: bool, levels: bool) -> Tally {
    let (mut search, mut tally) = (search.another(), Tally::default());
    search.begin(&Task::root());
    let mut out = BurstOutput { tally: &mut tally, levels, sink: None };
    let status = search.advance(if sparse { Burst::sparse(u64::MAX) } else { Burst::nodes(u64::MAX) }, &mut out);
    assert_eq!((status, search.branches().open_level()), (BurstEnd::Exhausted, None));
    tally
}

/// All tours in the order of their squares, verified and expanded. Both gears must hand out equal tours.
pub fn tours(search: &dyn Kernel, shape: impl Into<Shape>, ending: Ending, expand: Expand) -> Vec<Vec<u8>> {
    let shape = shape.into();
    let hand_out = |sparse: bool| {
        let (mut search, mut tally) = (search.another(), Tally::default());
        let mut sink = Collect { expand, tours: Vec::new() };
        search.begin(&Task::root());
        let mut out = BurstOutput { tally: &mut tally, levels: false, sink: Some(&mut sink) };
        search.advance(if sparse { Burst::sparse(u64::MAX) } else { Burst::nodes(u64::MAX) }, &mut out);
        assert_eq!(tally.tours, sink.tours.len() as u64);
        sink.tours.sort();
        sink.tours
    };
    let tours = hand_out(true);
    assert_eq!(tours, hand_out(false));
    for tour in &tours {
        let squares: Vec<Square> = tour.iter().map(|&s| shape.board().at(u32::from(s)).unwrap()).collect();
        Tour::verify(&shape, ending, squares).unwrap();
    }
    tours
}

/// Counts the whole tree with several kernels in turns. Chance decides the length and gear of every burst, the giver
/// and receiver of every part, and which kernel leaves its rest to others.
pub fn count_shared(search: &dyn Kernel, seed: u64) -> Tally {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut tally = Tally::default();
    let mut crew: Vec<_> = (0..random.usize(1..6)).map(|_| search.another()).collect();
    let mut busy = vec![false; crew.len()];
    crew[0].begin(&Task::root());
    busy[0] = true;
    let mut left: Vec<Task> = Vec::new();
    while busy.contains(&true) || !left.is_empty() {
        let worker = random.usize(..crew.len());
        if !busy[worker] && !left.is_empty() {
            crew[worker].begin(&left.swap_remove(random.usize(..left.len())));
            busy[worker] = true;
            continue;
        }
        if busy[worker] && random.usize(..50) == 0 {
            let before = crew[worker].branches().remaining();
            let rest = crew[worker].branches_mut().rest();
            let shares: f64 = rest.iter().map(|task| task.share).sum();
            assert!(
                (before - shares).abs() < 1e-9 && crew[worker].branches().open_level().is_none(),
                "a rest is all that is left"
            );
            left.extend(rest);
            busy[worker] = false;
            continue;
        }
        if !busy[worker] {
            let giver = random.usize(..crew.len());
            let rule = HandOver::ALL[random.usize(..2)];
            if busy[giver]
                && let Some(task) = give(&mut *crew[giver], rule)
            {
                crew[worker].begin(&task);
                busy[worker] = true;
            }
            continue;
        }
        let mut out = BurstOutput { tally: &mut tally, levels: true, sink: None };
        let explicit = random.bool();
        let burst = if explicit { Burst::nodes(random.u64(..500)) } else { Burst::sparse(random.u64(..5)) };
        let status = crew[worker].advance(burst, &mut out);
        busy[worker] = status == BurstEnd::Yielded;
    }
    tally
}

fn give(giver: &mut dyn Kernel, rule: HandOver) -> Option<Task> {
    let before = giver.branches().remaining();
    let task = giver.split(rule)?;
    assert!((before - giver.branches().remaining() - task.share).abs() < 1e-9, "a split neither loses nor adds work");
    Some(task)
}
