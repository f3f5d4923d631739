use super::lane::{DispatchOrders, DispatchReport, LaneEngine, LaneMemory};
use super::rules::{Prefix, SubtreeRules};
use super::run::{Enumeration, SubtreePlan};
use crate::board::{Board, Ending, Tour};
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::gpu::{DeviceChoice, DevicePlace};
use std::collections::HashSet;

/// Board, ending, tours (OEIS A165134 and A083386, A175881 and A175855).
const COUNTS: [(&str, Ending, u64); 11] = [
    ("1x1", Ending::Open, 1),
    ("1x1", Ending::Closed, 0),
    ("1x3", Ending::Closed, 0),
    ("3x3", Ending::Open, 0),
    ("3x4", Ending::Open, 16),
    ("4x4", Ending::Closed, 0),
    ("4x5", Ending::Open, 164),
    ("5x5", Ending::Closed, 0),
    ("5x6", Ending::Closed, 8),
    ("3x10", Ending::Closed, 16),
    ("5x5", Ending::Open, 1728),
];

const PLAN: SubtreePlan = SubtreePlan { lanes: 64, prefixes_per_lane: 4, splits: true, tours_max: 0 };

fn rules(board: &str, ending: Ending) -> SubtreeRules {
    SubtreeRules::new(board.parse().unwrap(), ending, None).unwrap()
}

/// A device; reports the skipped test and returns `None` where there is none.
fn device() -> Option<DevicePlace> {
    match DevicePlace::open(&DeviceChoice::Any).unwrap() {
        DevicePlace::Cpu(why) => {
            crate::gpu::trial::skip(format!("{why:?}"));
            None
        }
        #[cfg(feature = "gpu")]
        device => Some(device),
    }
}

/// Nodes and tours of a whole enumeration.
fn count(place: DevicePlace, rules: SubtreeRules, plan: SubtreePlan, steps: Option<u32>) -> [u64; 2] {
    let mut run = Enumeration::with_plan(place, rules, plan).unwrap();
    let (mut nodes, mut tours) = (run.initial_report().nodes, run.initial_report().tours);
    while !run.is_over() {
        let burst = run.burst(steps).unwrap();
        nodes += burst.nodes;
        tours += burst.tours;
    }
    [nodes, tours]
}

/// The search as a recursion over squares of the board, without lanes.
fn plain(board: Board, ending: Ending) -> [u64; 2] {
    let mut counts = [0, 0];
    for start in board.all().filter(|start| ending == Ending::Open || start.index() == 0) {
        let mut free = vec![true; board.squares() as usize];
        free[start.index() as usize] = false;
        counts[0] += 1;
        counts[1] += u64::from(board.squares() == 1 && ending == Ending::Open);
        let beside: Vec<u32> = board.neighbours(start).map(|square| square.index()).collect();
        match ending {
            Ending::Open => {
                let everywhere: Vec<u32> = board.all().map(|square| square.index()).collect();
                extend(board, start.index(), &beside, &mut free, &everywhere, &mut counts);
            }
            Ending::Closed => {
                for &second in &beside {
                    let last: Vec<u32> = beside.iter().copied().filter(|&last| last > second).collect();
                    if !last.is_empty() {
                        extend(board, start.index(), &[second], &mut free, &last, &mut counts);
                    }
                }
            }
        }
    }
    counts
}

/// Enters each of `steps` from `left`, and searches below it.
fn extend(board: Board, left: u32, steps: &[u32], free: &mut [bool], last: &[u32], counts: &mut [u64; 2]) {
    let near = |square: u32| board.neighbours(board.at(square).unwrap()).map(|near| near.index()).collect::<Vec<_>>();
    for &at in steps {
        free[at as usize] = false;
        counts[0] += 1;
        counts[1] += u64::from(!free.contains(&true));
        let ends: Vec<u32> = last.iter().copied().filter(|&end| free[end as usize]).collect();
        let lives = near(left).into_iter().filter(|&square| free[square as usize]).all(|square| {
            let usable = near(square).into_iter().filter(|&other| other == at || free[other as usize]).count();
            usable >= if last.contains(&square) { 1 } else { 2 }
        });
        if !ends.is_empty() && lives {
            let others = free.iter().filter(|&&free| free).count() > 1;
            let only_end = |square: u32| ends.len() == 1 && others && ends[0] == square;
            let next: Vec<u32> =
                near(at).into_iter().filter(|&square| free[square as usize] && !only_end(square)).collect();
            extend(board, at, &next, free, last, counts);
        }
        free[at as usize] = true;
    }
}

#[test]
fn the_twin_counts_what_a_plain_recursion_counts() {
    for (text, ending, tours) in COUNTS {
        let counted = count(DevicePlace::Cpu(None), rules(text, ending), PLAN, None);
        assert_eq!(counted[1], tours, "{text} {ending:?}");
        // The recursion takes seconds for the millions of nodes of this case.
        if (text, ending) != ("5x5", Ending::Open) {
            assert_eq!(counted, plain(text.parse().unwrap(), ending), "{text} {ending:?}");
        }
    }
}

#[test]
fn counts_do_not_depend_on_lanes_steps_and_splits() {
    let twin = |plan, steps| count(DevicePlace::Cpu(None), rules("5x6", Ending::Closed), plan, steps);
    let expected = twin(PLAN, None);
    for lanes in [1, 7, 64, 1000] {
        for prefixes_per_lane in [1, 5] {
            for split in [false, true] {
                for steps in [None, Some(1), Some(33)] {
                    let plan = SubtreePlan { lanes, prefixes_per_lane, splits: split, ..PLAN };
                    assert_eq!(twin(plan, steps), expected, "{lanes} {steps:?}");
                }
            }
        }
    }
}

/// Closed tours of 6x6: 9862, OEIS A001230.
#[test]
fn tours_of_6x6_are_counted_whole() {
    let [_, tours] = count(DevicePlace::Cpu(None), rules("6x6", Ending::Closed), PLAN, None);
    assert_eq!(tours, 9862);
}

#[test]
fn a_device_counts_what_the_twin_counts() {
    for (text, ending, _) in COUNTS {
        let Some(place) = device() else { return };
        let twin = count(DevicePlace::Cpu(None), rules(text, ending), PLAN, None);
        assert_eq!(count(place, rules(text, ending), PLAN, None), twin, "{text} {ending:?}");
    }
}

#[test]
fn a_device_counts_6x6_with_any_steps_and_lanes() {
    let twin = count(DevicePlace::Cpu(None), rules("6x6", Ending::Closed), PLAN, None);
    for (lanes, steps) in [(4096, None), (500, Some(777))] {
        let Some(place) = device() else { return };
        let plan = SubtreePlan { lanes, ..PLAN };
        assert_eq!(count(place, rules("6x6", Ending::Closed), plan, steps), twin, "{lanes} {steps:?}");
    }
}

/// One lane takes all prefixes in order: device and twin have equal memories after each dispatch.
#[test]
fn a_lane_on_a_device_has_the_memory_of_its_twin() {
    let Some(place) = device() else { return };
    let plan = SubtreePlan { lanes: 1, prefixes_per_lane: 40, splits: false, tours_max: 4096 };
    let run = |place| Enumeration::with_plan(place, rules("5x6", Ending::Closed), plan).unwrap();
    let (mut real, mut twin) = (run(place), run(DevicePlace::Cpu(None)));
    for steps in [1, 2, 3, 5, 8, 13, 21, 34, 55, 64].repeat(4) {
        let bursts = [&mut real, &mut twin].map(|run| run.burst(Some(steps)).unwrap());
        let facts = bursts.map(|burst| (burst.nodes, burst.tours, burst.lane0_path, burst.tour_squares, burst.steps));
        assert_eq!(facts[0], facts[1]);
        let [real, twin] = [&mut real, &mut twin].map(|run| run.engine().memory().unwrap());
        assert_eq!(real.heads, twin.heads);
        let depth = real.heads[0][super::lane::DEPTH];
        let known = |memory: &super::lane::LaneMemory| {
            (1..=depth).map(|level| memory.untried[memory.index(0, level)]).collect()
        };
        let untried: [Vec<u64>; 2] = [&real, &twin].map(known);
        assert_eq!(untried[0], untried[1]);
        assert_eq!(real.path_to(0, depth), twin.path_to(0, depth));
    }
}

/// Tours counted and returned by a whole enumeration, and the number of dispatches that filled the room for tours.
fn returned_tours(mut run: Enumeration, board: &str, ending: Ending, room: usize) -> (u64, HashSet<Vec<u8>>, u32) {
    let board: Board = board.parse().unwrap();
    let (mut tours, mut found, mut full) = (0, HashSet::new(), 0);
    while !run.is_over() {
        let burst = run.burst(None).unwrap();
        tours += burst.tours;
        let kept: Vec<_> = burst.tour_squares.chunks(board.squares() as usize).collect();
        full += u32::from(kept.len() == room);
        for tour in kept {
            let squares: Box<[_]> = tour.iter().filter_map(|&square| board.at(square.into())).collect();
            assert!(Tour::verify(board, ending, squares).is_ok());
            assert!(found.insert(tour.to_vec()), "{tour:?} twice");
        }
    }
    (tours, found, full)
}

#[test]
fn stored_tours_are_tours_and_none_is_returned_twice() {
    let places = [Some(DevicePlace::Cpu(None)), device()];
    for place in places.into_iter().flatten() {
        let run = Enumeration::new(place, rules("6x6", Ending::Closed), true).unwrap();
        let (tours, found, _) = returned_tours(run, "6x6", Ending::Closed, 4096);
        assert_eq!((tours, found.len()), (9862, 9862));
    }
}

/// Open tours of 4x5, directed: 164, OEIS A165134 and A083386. A lane that finds no room waits with its tour.
#[test]
fn room_for_one_tour_a_dispatch_is_enough() {
    let places = [Some(DevicePlace::Cpu(None)), device()];
    for place in places.into_iter().flatten() {
        let plan = SubtreePlan { tours_max: 1, ..PLAN };
        let run = Enumeration::with_plan(place, rules("4x5", Ending::Open), plan).unwrap();
        let (tours, found, full) = returned_tours(run, "4x5", Ending::Open, 1);
        assert_eq!((tours, found.len(), full), (164, 164, 164));
    }
}

/// Lanes that are lost after a number of calls.
struct FailingLanes(Box<dyn LaneEngine>, u32);

impl FailingLanes {
    fn call(&mut self) -> Result<&mut dyn LaneEngine, GpuError> {
        self.1 = self.1.checked_sub(1).ok_or_else(|| GpuError::Lost("it failed on purpose".to_owned()))?;
        Ok(&mut *self.0)
    }
}

impl LaneEngine for FailingLanes {
    fn load_queue(&mut self, queue: &[Prefix]) -> Result<(), GpuError> {
        self.call()?.load_queue(queue)
    }

    fn advance(&mut self, orders: DispatchOrders) -> Result<DispatchReport, GpuError> {
        self.call()?.advance(orders)
    }

    fn memory(&mut self) -> Result<LaneMemory, GpuError> {
        self.call()?.memory()
    }

    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError> {
        self.call()?.set_untried(untried)
    }
}

/// Closed tours of 5x6: 8; open ones of 4x5, directed: 164, OEIS A165134 and A083386.
#[test]
fn the_twin_replaces_a_device_lost_at_any_time_and_nothing_counts_twice() {
    for (text, ending, tours, keep) in
        [("5x6", Ending::Closed, 8, false), ("4x5", Ending::Open, 164, true), ("4x5", Ending::Open, 164, false)]
    {
        let plan = SubtreePlan { tours_max: if keep { 4096 } else { 0 }, ..PLAN };
        let begin = || Enumeration::with_plan(DevicePlace::Cpu(None), rules(text, ending), plan).unwrap();
        let [nodes, _] = count(DevicePlace::Cpu(None), rules(text, ending), PLAN, None);
        let mut shared = 0;
        // Every third call: a split takes three, a dispatch one more.
        for calls in (0..).step_by(3) {
            let mut run = begin();
            run.replace_engine(|engine| Box::new(FailingLanes(engine, calls)));
            let (mut counted, mut found) = ([run.initial_report().nodes, 0], HashSet::new());
            while !run.is_over() {
                let burst = run.burst(Some(16)).unwrap();
                counted = [counted[0] + burst.nodes, counted[1] + burst.tours];
                let squares = rules(text, ending).squares() as usize;
                assert!(burst.tour_squares.chunks(squares).all(|tour| found.insert(tour.to_vec())), "twice");
            }
            assert_eq!(counted, [nodes, tours], "{text} {ending:?} after {calls} calls");
            assert_eq!(found.len() as u64, if keep { tours } else { 0 });
            shared = run.prefixes()[1];
            if run.done_by().instead.is_none() {
                break;
            }
            assert_eq!(run.done_by().label, DeviceLabel::cpu());
        }
        assert!(shared > 0, "no lane was split, so the lanes were never read back");
    }
}

/// The share of lanes at work, in the mean over dispatches of some steps; on the twin, which no clock disturbs.
fn occupancy(plan: SubtreePlan) -> f64 {
    let mut run = Enumeration::with_plan(DevicePlace::Cpu(None), rules("6x6", Ending::Closed), plan).unwrap();
    let mut live = Vec::new();
    while !run.is_over() {
        live.push(run.burst(Some(16)).unwrap().mean_live() / f64::from(run.lanes()));
    }
    live.iter().sum::<f64>() / live.len() as f64
}

/// The bounds are those of this board, plan and number of steps, with some room.
#[test]
fn a_queue_and_splitting_keep_lanes_at_work() {
    let plan = SubtreePlan { lanes: 512, prefixes_per_lane: 1, splits: false, ..PLAN };
    let alone = occupancy(plan);
    let queued = occupancy(SubtreePlan { prefixes_per_lane: 4, ..plan });
    let split = occupancy(SubtreePlan { prefixes_per_lane: 4, splits: true, ..plan });
    println!("at work: a prefix for each lane {alone:.3}, four in a queue {queued:.3}, and split {split:.3}");
    assert!(alone < 0.25 && queued > alone && split > 2.0 * queued, "{alone} {queued} {split}");
}
