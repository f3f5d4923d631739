//! The times beside the search are measured where they are spent.

use crate::board::{Board, Ending};
use crate::event::EventSender;
use crate::schedule::figures::cells::Figure as _;
use crate::schedule::{BlockOutput, Crew, CrewPlan, Delivery, Overhead, Scheduler, StopReason, WorkerState};
use crate::search::Brute;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Time that every block of tours and every save takes.
const SLOW: Duration = Duration::from_millis(10);
const WORKERS: u32 = 2;

/// An output that is slow, and counts its blocks.
struct SlowOutput(Arc<AtomicU32>);

impl BlockOutput for SlowOutput {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        self.0.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(SLOW);
        Ok(())
    }
}

/// A run in a pause, after three single steps. The fourth one is asked for while the run is saved.
#[test]
fn each_step_is_made_once_whenever_the_run_is_saved() {
    let board: Board = "5x6".parse().unwrap();
    let kernel = Brute::<u64>::new(board, board.at(0)).unwrap();
    let plan = CrewPlan { breaks: Some(Duration::from_secs(3600)), ..CrewPlan::of(1, Scheduler::HIRE) };
    let mut crew = Crew::new(plan, EventSender::nowhere());
    let (saved, saves) = crossbeam_channel::unbounded();
    let watch = crew.watch();
    let own = watch.clone();
    crew.set_saver(Box::new(move |so_far| {
        own.step();
        saved.send(so_far.total().nodes).unwrap();
    }));
    watch.begin_paused();
    (0..3).for_each(|_| watch.step());
    let held = |nodes| {
        while watch.snapshot().workers[0].nodes < nodes || watch.snapshot().workers[0].state != WorkerState::Paused {
            std::thread::yield_now();
        }
    };
    let mut nodes = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| crew.run(&kernel).unwrap());
        held(3);
        watch.control().request_break();
        nodes.push(saves.recv().unwrap());
        held(4);
        nodes.push(watch.snapshot().workers[0].nodes);
        watch.control().stop(StopReason::Asked);
    });
    assert_eq!(nodes, [3, 4]);
}

/// A run that is saved in a pause, while one worker opens the tree.
#[test]
fn what_a_save_stopped_from_being_dealt_is_dealt_after_it() {
    let board: Board = "5x6".parse().unwrap();
    let kernel = Brute::<u64>::new(board, board.at(0)).unwrap();
    let plan = CrewPlan { breaks: Some(Duration::from_secs(3600)), ..CrewPlan::of(2, Scheduler::STATIC) };
    let mut crew = Crew::new(plan, EventSender::nowhere());
    let (saved, saves) = crossbeam_channel::unbounded();
    crew.set_saver(Box::new(move |_| saved.send(()).unwrap()));
    let watch = crew.watch();
    watch.begin_paused();
    watch.step();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| crew.run(&kernel).unwrap());
        while watch.snapshot().nodes() < 1 {
            std::thread::yield_now();
        }
        watch.control().request_break();
        saves.recv().unwrap();
        watch.set_paused(false);
        let outcome = run.join().unwrap();
        assert_eq!(outcome.total().tours, 4542);
        assert!(outcome.workers.iter().all(|worker| worker.tally.nodes > 1000), "{:?}", outcome.workers);
    });
}

#[test]
fn saving_and_writing_take_the_time_that_they_take() {
    let board: Board = "5x6".parse().unwrap();
    let kernel = Brute::<u64>::new(board, board.at(0)).unwrap();
    let plan = CrewPlan { breaks: Some(Duration::from_millis(50)), ..CrewPlan::of(WORKERS as usize, Scheduler::HIRE) };
    let mut crew = Crew::new(plan, EventSender::nowhere());
    let [blocks, saves] = [(); 2].map(|()| Arc::new(AtomicU32::new(0)));
    let output = Box::new(SlowOutput(Arc::clone(&blocks)));
    let format = Box::new(|_: crate::board::TourRef<'_>, block: &mut Vec<u8>| block.push(b'\n'));
    crew.deliver(Some(Delivery::new(&board.into(), Ending::Open).output(output, format)));
    let (counted, watch) = (Arc::clone(&saves), crew.watch());
    let seen = watch.clone();
    crew.set_saver(Box::new(move |so_far| {
        counted.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(SLOW);
        // Nobody has ended: those with a rest go on with it, and the others wait for a branch.
        let states: Vec<WorkerState> = seen.snapshot().workers.iter().map(|worker| worker.state).collect();
        let saving = states.iter().filter(|state| **state == WorkerState::Saving).count();
        let waiting = states.iter().filter(|state| **state == WorkerState::Waiting).count();
        assert!(saving > 0 && saving <= so_far.rest.len() && saving + waiting == states.len(), "{states:?}");
    }));
    let outcome = crew.run(&kernel).unwrap();
    let snapshot = watch.snapshot();
    let overhead = Overhead::sum_of(snapshot.workers.iter().map(|worker| worker.overhead));
    let [blocks, saves] = [blocks, saves].map(|number| number.load(Ordering::Relaxed));
    assert_eq!(outcome.total().tours, 4542);
    assert!(blocks > 0 && saves > 0, "{blocks} blocks, {saves} saves");
    // Meters are in whole microseconds.
    let micros = Duration::from_micros(u64::from(WORKERS));
    assert!(overhead.write + micros >= SLOW * blocks && overhead.write_cpu < overhead.write, "{overhead:?}");
    assert!(overhead.save + micros >= SLOW * saves, "{overhead:?}");
    assert_eq!(overhead.hand_over > Duration::ZERO, snapshot.hires() > 0, "{overhead:?}");
    for worker in &snapshot.workers {
        let Overhead { hand_over, write, save, .. } = worker.overhead;
        assert!(write <= worker.busy && save <= worker.idle && hand_over <= worker.cpu, "{worker:?}");
    }
}
