//! A simulation runs the search itself. The tests check its totals, times computed by hand, and equal figures of two
//! runs.

use super::{
    Costs, ObserverRequest, SimulationFigures, SimulationObserver, SimulationPlan, Ticks, VirtualSnapshot, display_time,
};
use crate::board::Board;
use crate::event::{Event, EventKind};
use crate::schedule::rule::{EARLIER, NominationRule};
use crate::schedule::{Sharing, TreeCut, WaitCounts};
use crate::search::{Brute, Burst, BurstOutput, HandOver, Kernel, Radley, RadleyOptions, Tally, Task};
use crate::stop::{Stop, StopReason};
use std::time::Duration;

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

/// Open tours of 5x5 from a corner: 1,735,079 nodes.
fn tree() -> Brute<u64> {
    let board = board("5x5");
    Brute::new(board, board.at(0)).unwrap()
}

fn plan(workers: usize, sharing: Sharing) -> SimulationPlan {
    SimulationPlan { workers, sharing, costs: Costs::fixed(), seed: 1 }
}

fn usual(workers: usize) -> SimulationPlan {
    plan(workers, Sharing::Hire(NominationRule::of(workers, HandOver::Shallowest)))
}

fn play(kernel: &dyn Kernel, plan: SimulationPlan) -> SimulationFigures {
    plan.run(kernel, &Stop::default()).expect("the simulation is not stopped")
}

#[test]
fn every_node_is_entered_once_under_every_sharing() {
    let kernel = Brute::<u64>::new(board("4x5"), None).unwrap();
    let mut tally = Tally::default();
    let mut serial = kernel.clone();
    Kernel::begin(&mut serial, &Task::root());
    serial.advance(Burst::nodes(u64::MAX), &mut BurstOutput::counting(&mut tally));
    let rules = EARLIER.into_iter().map(|earlier| earlier.rule);
    let usual = HandOver::ALL.into_iter().flat_map(|rule| [2, 64].map(|workers| NominationRule::of(workers, rule)));
    let hire = rules.chain(usual).map(Sharing::Hire);
    for sharing in hire.chain([Sharing::Steal, Sharing::Deal(TreeCut::Even), Sharing::Deal(TreeCut::Blocks)]) {
        for workers in [1, 2, 3, 7, 64, 300] {
            let figures = play(&kernel, plan(workers, sharing));
            assert_eq!((figures.nodes, figures.tours), (tally.nodes, 164), "{sharing:?} among {workers}");
            assert!(figures.makespan * workers as f64 >= figures.nodes as f64, "{sharing:?} among {workers}");
        }
    }
}

#[test]
fn one_worker_takes_one_unit_a_node() {
    let figures = play(&tree(), usual(1));
    assert_eq!((figures.makespan, figures.hires, figures.idle_longest), (figures.nodes as f64, 0, 0.0));
    assert_eq!((figures.speedup(), figures.efficiency()), (1.0, 1.0));
}

/// 3x3 from a corner has only paths of eight squares: the one branch to give is one of the two first moves.
#[test]
fn the_times_of_a_small_tree_are_those_by_hand() {
    let board = board("3x3");
    let kernel = Brute::<u64>::new(board, board.at(0)).unwrap();
    // Worker 0: the corner, a hire (30), one of its two paths, seven squares. Worker 1: wakes up 30 later, the other path.
    let figures = play(&kernel, usual(2));
    assert_eq!((figures.nodes, figures.hires), (15, 1));
    assert_eq!(figures.makespan, 1.0 + 30.0 + 30.0 + 7.0);
    // Worker 0 is idle from the end of its seven squares until the end of worker 1; worker 1 until it begins.
    assert_eq!(figures.idle_longest, 61.0);
    assert!((figures.idle_longest_s - 61.0 * 6.2e-9).abs() < 1e-15);
}

#[test]
fn two_simulations_of_one_plan_are_equal() {
    for sharing in [usual(100).sharing, Sharing::Steal, Sharing::Deal(TreeCut::Even)] {
        let [one, two] = [(); 2].map(|()| play(&tree(), plan(100, sharing)));
        assert_eq!(one, two, "{sharing:?}");
    }
    let other = SimulationPlan { seed: 2, ..usual(100) };
    assert_ne!(play(&tree(), usual(100)), play(&tree(), other), "another seed draws others");
}

#[test]
fn the_rules_improve_in_this_order() {
    let rules = EARLIER.map(|earlier| Sharing::Hire(earlier.rule));
    let efficiency = |sharing| play(&tree(), plan(256, sharing)).efficiency();
    let [source, open_level, halving, two_drawn] = rules.map(efficiency);
    let (usual, dealt) = (efficiency(usual(256).sharing), efficiency(Sharing::Deal(TreeCut::Blocks)));
    let order = [source, open_level, halving, two_drawn, usual];
    assert!(order.is_sorted(), "{order:?}");
    assert!(dealt < halving && halving < 1.0, "dealt {dealt}");
}

#[test]
fn a_simulation_can_be_stopped() {
    let stop = Stop::default();
    stop.ask(StopReason::Asked);
    // The tree takes more turns than lie between two looks at the flag.
    let kernel = Radley::<u64>::new(board("6x6"), RadleyOptions::shipped()).unwrap();
    for sharing in [usual(64).sharing, Sharing::Steal, Sharing::Deal(TreeCut::Even)] {
        assert_eq!(plan(64, sharing).run(&kernel, &stop), None, "{sharing:?}");
    }
}

/// The waits of a simulation, by its events and as its workers counted them.
#[derive(Default)]
struct CountedWaits {
    idle: Vec<Option<Duration>>,
    by_events: WaitCounts,
    asked: u64,
    hired: u64,
    counted: Vec<WaitCounts>,
}

impl SimulationObserver for CountedWaits {
    fn event(&mut self, Event { at, worker, kind }: Event) {
        match kind {
            EventKind::Hired { company, .. } => {
                self.asked += company.len() as u64;
                self.hired += 1;
                // A node takes 1 ms on the virtual clock, and 6.2 ns on the machine.
                let nodes = (at - self.idle[worker].take().unwrap()).as_micros() as f64 / 1e3;
                self.by_events.add(Duration::from_secs_f64(nodes * 6.2e-9));
            }
            EventKind::Idle { nominee, .. } => {
                self.asked += u64::from(nominee.is_some());
                self.idle[worker] = Some(at);
            }
            EventKind::Donated { helpers, .. } => self.asked += helpers as u64,
            _ => {}
        }
    }

    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
        self.counted = seen.waits();
        ObserverRequest { until: at + 1_000_000, hand_over: None }
    }
}

#[test]
fn waits_are_those_between_the_events_and_each_is_counted_once() {
    for plan in [
        usual(64),
        plan(7, Sharing::Hire(EARLIER[0].rule)),
        plan(9, Sharing::Steal),
        plan(3, Sharing::Deal(TreeCut::Even)),
    ] {
        let mut seen = CountedWaits { idle: vec![Some(Duration::ZERO); plan.workers], ..CountedWaits::default() };
        let figures = plan.run_observed(&mut seen, &tree(), &Stop::default()).unwrap();
        let counted = seen.counted.iter().fold(WaitCounts::default(), |sum, own| sum.plus(own));
        assert_eq!((counted.count(), figures.hires), (seen.hired, seen.hired), "{plan:?}");
        assert_eq!(
            (counted.histogram, counted.longest),
            (seen.by_events.histogram, seen.by_events.longest),
            "{plan:?}"
        );
        match plan.sharing {
            Sharing::Hire(_) => assert_eq!(counted.in_vain, seen.asked - seen.hired, "{plan:?}"),
            Sharing::Steal => assert!(counted.in_vain > 0),
            Sharing::Deal(_) => assert_eq!(counted, WaitCounts::default()),
        }
    }
}

/// What an observer of a simulation has seen.
#[derive(Default)]
struct Donations {
    by_events: Vec<u64>,
    largest: usize,
    by_meters: Vec<u64>,
}

impl SimulationObserver for Donations {
    fn event(&mut self, event: Event) {
        if let EventKind::Donated { helpers, .. } = event.kind {
            self.by_events.resize(self.by_events.len().max(event.worker + 1), 0);
            self.by_events[event.worker] += helpers as u64;
            self.largest = self.largest.max(helpers);
        }
    }

    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
        self.by_meters = seen.workers(at).iter().map(|worker| worker.sharing.donations).collect();
        ObserverRequest { until: at + 1_000_000, hand_over: None }
    }
}

#[test]
fn a_donation_counts_every_helper() {
    let mut seen = Donations::default();
    usual(64).run_observed(&mut seen, &tree(), &Stop::default()).unwrap();
    seen.by_events.resize(64, 0);
    assert!(seen.largest > 1, "no donation has two helpers");
    assert_eq!(seen.by_meters, seen.by_events);
}

/// Asks for a stop when it first sees a node, and counts what it sees after that.
struct Stopper(Stop, usize);

impl SimulationObserver for Stopper {
    fn event(&mut self, _: Event) {
        self.1 += usize::from(self.0.is_asked());
    }

    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
        self.1 += usize::from(self.0.is_asked());
        if seen.tally().nodes > 0 {
            self.0.ask(StopReason::Asked);
        }
        ObserverRequest { until: at, hand_over: None }
    }
}

/// Nor while prefixes are dealt: a viewer that has left stands at the moment of its stop, and what comes later has no figures there.
#[test]
fn nothing_is_observed_after_a_stop() {
    for sharing in [usual(64).sharing, Sharing::Steal, Sharing::Deal(TreeCut::Even)] {
        let stop = Stop::default();
        let mut seen = Stopper(stop.clone(), 0);
        assert_eq!(plan(64, sharing).run_observed(&mut seen, &tree(), &stop), None);
        assert!(stop.is_asked() && seen.1 == 0, "{sharing:?}: {} looks", seen.1);
    }
}

/// Looks at every turn, and keeps the times of every worker.
#[derive(Default)]
struct WatchedTimes(Vec<[Duration; 3]>, Duration);

impl SimulationObserver for WatchedTimes {
    fn event(&mut self, event: Event) {
        self.1 = self.1.max(event.at);
    }

    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
        assert!(self.1 <= display_time(at), "an event of a later time");
        let workers = seen.workers(at);
        let now = workers.iter().map(|worker| [worker.cpu, worker.overhead.hand_over, worker.idle]).collect::<Vec<_>>();
        for (before, now) in self.0.iter().zip(&now) {
            assert!(before.iter().zip(now).all(|(before, now)| before <= now), "{before:?} and then {now:?}");
        }
        self.0 = now;
        ObserverRequest { until: at, hand_over: None }
    }
}

/// Else what a worker has done would depend on how often one looks.
#[test]
fn no_time_of_a_virtual_worker_ever_goes_back_and_no_event_is_ahead() {
    let kernel = Brute::<u64>::new(board("4x5"), None).unwrap();
    for sharing in [usual(8).sharing, Sharing::Steal, Sharing::Deal(TreeCut::Even)] {
        let mut times = WatchedTimes::default();
        plan(8, sharing).run_observed(&mut times, &kernel, &Stop::default()).unwrap();
        assert!(times.0.len() == 8 && times.0.iter().all(|[cpu, ..]| *cpu > Duration::ZERO), "{sharing:?}");
    }
}
