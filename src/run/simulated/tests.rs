//! A viewed simulation has the result of one without a viewer, whatever is requested meanwhile.

use super::{SimulatedScene, Simulation, SimulationOutcome};
use crate::board::Board;
use crate::event::{Event, EventKind};
use crate::run::frame::{Body, Frame};
use crate::run::live::Beginning;
use crate::run::source::{End, Source, Wish};
use crate::schedule::rule::NominationRule;
use crate::schedule::{Sharing, Snapshot, StopReason, TreeCut, WorkerState};
use crate::search::{Brute, HandOver, Kernel};
use crate::simulate::{Costs, SimulationFigures, SimulationPlan};
use crate::stop::Stop;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_millis(5);

/// Open tours of 5x5 from a corner, 1,735,079 nodes, among this many workers.
fn scene(workers: usize, sharing: Sharing) -> SimulatedScene {
    let board: Board = "5x5".parse().unwrap();
    let kernel: Box<dyn Kernel> = Box::new(Brute::<u64>::new(board, board.at(0)).unwrap());
    let plan = SimulationPlan { workers, sharing, costs: Costs::fixed(), seed: 7 };
    SimulatedScene { plan, kernel, board, hand_over: HandOver::Shallowest }
}

fn hire(workers: usize) -> Sharing {
    Sharing::Hire(NominationRule::of(workers, HandOver::Shallowest))
}

fn at(pace: Option<u32>) -> Beginning {
    Beginning { pace, ..Beginning::default() }
}

/// Looks until the simulation has ended; returns the frames and the end.
fn look(source: &mut Simulation) -> (Vec<Frame>, End) {
    let mut frames = Vec::new();
    loop {
        let end = source.end(PATIENCE);
        frames.extend(source.look());
        if let Some(end) = end {
            return (frames, end);
        }
    }
}

fn snapshot(frame: &Frame) -> &Snapshot {
    let Body::Tree(tree) = &frame.body else { panic!("a search") };
    &tree.snapshot
}

fn events(frames: &[Frame]) -> Vec<Event> {
    frames.iter().flat_map(|frame| frame.events.clone()).collect()
}

fn alone(scene: &SimulatedScene) -> SimulationFigures {
    scene.plan.run(&*scene.kernel, &Stop::default()).unwrap()
}

#[test]
fn the_end_is_that_of_the_simulation_without_a_view() {
    for sharing in [hire(64), Sharing::Steal, Sharing::Deal(TreeCut::Even), Sharing::Deal(TreeCut::Blocks)] {
        let figures = alone(&scene(64, sharing));
        let outcome = SimulationOutcome::default();
        let mut source = Simulation::start(scene(64, sharing), at(Some(1_000_000)), outcome.clone());
        let (frames, end) = look(&mut source);
        assert_eq!(outcome.lock().unwrap().take(), Some(Ok(figures)), "{sharing:?}");
        let last = snapshot(frames.last().unwrap());
        let sums = (last.nodes(), last.tours(), last.hires());
        assert_eq!(sums, (figures.nodes, figures.tours, figures.hires), "{sharing:?}");
        assert_eq!(last.elapsed.as_micros(), (figures.makespan * 1e3).round() as u128);
        assert_eq!(last.nodes_by_depth.iter().sum::<u64>(), figures.nodes);
        assert!(last.workers.iter().all(|worker| worker.state == WorkerState::Done));
        let is_whole = |seen: &Snapshot| seen.workers.iter().all(|worker| worker.busy + worker.idle == seen.elapsed);
        assert!(frames.iter().map(snapshot).all(is_whole), "{sharing:?}: a worker is busy or idle");
        let told = events(&frames).into_iter().map(|event| match event.kind {
            EventKind::Idle { nodes, .. } => nodes,
            _ => 0,
        });
        assert_eq!(told.sum::<u64>(), figures.nodes, "{sharing:?}: all nodes are told of");
        let End::Run(ended) = end else { panic!("{end:?}") };
        assert_eq!((ended.stopped, ended.elapsed), (None, last.elapsed));
        // The share of the workers' time that goes into nodes.
        let cpu: Duration = last.workers.iter().map(|worker| worker.cpu).sum();
        let efficiency = cpu.as_secs_f64() / last.elapsed.as_secs_f64() / 64.0;
        assert!((efficiency - figures.efficiency()).abs() < 1e-6, "{sharing:?}: {efficiency}");
    }
}

#[test]
fn two_simulations_of_one_seed_tell_the_same_events_however_they_are_looked_at() {
    let play = |wishes: &[Wish], pace| {
        let mut source = Simulation::start(
            scene(100, hire(100)),
            Beginning { paused: !wishes.is_empty(), ..at(pace) },
            SimulationOutcome::default(),
        );
        wishes.iter().for_each(|&wish| source.wish(wish));
        let mut events = events(&look(&mut source).0);
        events.sort_by_key(|event| event.at);
        events
    };
    let one = play(&[], Some(1_000_000));
    let wishes = [Wish::Step, Wish::Step, Wish::Select(99), Wish::Pause(false), Wish::Pace(Some(3_000_000))];
    let two = play(&wishes, Some(1));
    assert_eq!(one.len(), two.len());
    assert!(one == two);
    let hires = one.iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })).count();
    assert_eq!(hires as u64, alone(&scene(100, hire(100))).hires);
    assert_eq!(one.last().map(|event| &event.kind), Some(&EventKind::Finished));
    assert_eq!(one.iter().filter(|event| event.kind == EventKind::FirstTour).count(), 1);
}

#[test]
fn at_the_beginning_all_wait_at_the_first_and_a_step_is_one_burst() {
    let mut source =
        Simulation::start(scene(4, hire(4)), Beginning { paused: true, ..at(None) }, SimulationOutcome::default());
    let mut next = || loop {
        if let Some(frame) = source.look() {
            return frame;
        }
        std::thread::sleep(PATIENCE);
    };
    let first = next();
    assert_eq!(events(std::slice::from_ref(&first)).len(), 3, "those who have no work");
    let waits_at: Vec<Option<usize>> = snapshot(&first).workers.iter().map(|worker| worker.waits_at).collect();
    assert_eq!((snapshot(&first).elapsed, waits_at), (Duration::ZERO, vec![None, Some(0), Some(0), Some(0)]));
    source.wish(Wish::Step);
    let mut stepped = Vec::new();
    while stepped.iter().map(snapshot).all(|seen| seen.nodes() == 0) {
        stepped.extend(source.look());
        std::thread::sleep(PATIENCE);
    }
    let seen = snapshot(stepped.last().unwrap());
    assert!(seen.paused && seen.nodes() < 20, "{seen:?}");
    source.wish(Wish::Stop);
    let (_, end) = look(&mut source);
    assert!(matches!(end, End::Run(ended) if ended.stopped == Some(StopReason::Asked)));
}

#[test]
fn another_rule_can_be_asked_for_meanwhile() {
    let mut source = Simulation::start(
        scene(8, hire(8)),
        Beginning { paused: true, ..at(Some(10_000_000)) },
        SimulationOutcome::default(),
    );
    source.wish(Wish::Rule(HandOver::Next));
    source.wish(Wish::Pause(false));
    let (frames, _) = look(&mut source);
    assert_eq!(snapshot(frames.last().unwrap()).hand_over, HandOver::Next);
    assert_eq!(snapshot(frames.last().unwrap()).nodes(), 1_735_079);
    let changed = EventKind::RuleChanged { rule: HandOver::Next };
    assert_eq!(events(&frames).iter().filter(|event| event.kind == changed).count(), 1);
}
