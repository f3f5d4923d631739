use super::*;
use crate::gpu::compass::{BACK, Compass, ORDERS};
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::gpu::place::DevicePlace;
use crate::stop::{Stop, StopReason};
use std::collections::BTreeMap;
use std::ops::Range;

fn batch(board: &str, orders: u32) -> Batch {
    Batch::new(board.parse().unwrap(), orders).unwrap()
}

/// The results of the whole batch by this engine.
fn visits(batch: Batch, engine: &mut dyn MapEngine) -> Vec<u32> {
    let mut all = Vec::new();
    while (all.len() as u64) < batch.knights() {
        let first = all.len() as u64;
        let knights = first..batch.knights().min(first + engine.knights_per_run());
        all.extend(engine.run(knights, &Stop::default()).unwrap().unwrap());
    }
    all
}

fn by_workers(batch: Batch) -> Vec<u32> {
    visits(batch, &mut Workers::new(batch, 2).unwrap())
}

fn map(batch: Batch) -> Map {
    let mut map = Map::new(batch);
    map.add(&by_workers(batch));
    map
}

#[test]
fn workers_move_every_knight_by_the_rule() {
    for (board, orders) in [("1x1", 1), ("1x6", 2), ("2x3", 3), ("3x4", 50), ("5x5", 120), ("9x4", 20), ("8x8", 6)] {
        let batch = batch(board, orders);
        let knight = |k| {
            let (order, start) = batch.knight(k);
            workers::visits(batch.board(), Compass::nth(order), batch.board().at(start).unwrap())
        };
        assert_eq!(by_workers(batch), (0..batch.knights()).map(knight).collect::<Vec<u32>>(), "{board}");
    }
}

#[test]
fn the_source_s_order_completes_from_the_known_number_of_starts() {
    // Recomputed by a model of Kurapati 2007; 8x8 by its author's program too.
    for (board, expected) in [("5x5", 9), ("6x6", 36), ("7x7", 18), ("8x8", 63), ("10x10", 98), ("16x16", 253)] {
        let map = map(batch(board, 1));
        assert_eq!(map.complete(), expected, "{board}");
        assert_eq!(map.best(), Some((Compass::SOURCE, expected as u32)));
        assert_eq!(map.histogram(), BTreeMap::from([(expected as u32, 1)]));
    }
}

#[test]
fn the_next_order_completes_from_everywhere_on_8x8() {
    let map = map(batch("8x8", 2));
    assert_eq!(map.best(), Some((Compass::nth(1), 64)));
    assert_eq!(map.histogram(), BTreeMap::from([(63, 1), (64, 1)]));
    let failing = map.by_start().iter().enumerate().filter(|&(_, &complete)| complete < 2);
    assert_eq!(failing.collect::<Vec<_>>(), [(2, &1)]);
    assert_eq!((map.moves(), map.tried(), map.complete()), (2 * 64 * 63 - 4, 128, 127));
}

#[test]
fn every_order_has_as_many_complete_starts_as_its_mirror_and_5x5_has_376_320_complete_knights() {
    let map = map(batch("5x5", ORDERS));
    // Counted by two independent programs.
    assert_eq!((map.tried(), map.complete()), (1_008_000, 376_320));
    assert_eq!(map.histogram().values().sum::<u32>(), ORDERS);
    let number = |moves: [u8; 8]| (0..ORDERS).position(|n| Compass::nth(n).moves() == moves).unwrap();
    for n in [0, 777, 31_415] {
        // The order with every move reversed acts on the board turned by 180 degrees.
        let turned = number(Compass::nth(n).moves().map(|k| k ^ BACK));
        assert_eq!(map.by_order[n as usize], map.by_order[turned]);
    }
}

#[test]
fn a_map_does_not_depend_on_the_knights_of_a_run() {
    let batch = batch("5x6", 7);
    let visits = by_workers(batch);
    let whole = map(batch);
    for at_once in [1, 29, 30, 31, 100] {
        let mut map = Map::new(batch);
        for (n, part) in visits.chunks(at_once).enumerate() {
            map.add(part);
            let last = ((n * at_once + part.len() - 1) % 30) as u32;
            let [here, next] = [last, (last + 1) % 30].map(|start| map.tried_from(batch.board().at(start).unwrap()));
            assert_eq!(here, next + u32::from(last < 29));
        }
        assert_eq!(map, whole);
    }
}

#[test]
fn an_order_counts_only_when_it_was_tried_from_every_start() {
    let mut map = Map::new(batch("8x8", 2));
    map.add(&[64; 63]);
    assert_eq!((map.best(), map.histogram().len(), map.tried()), (None, 0, 63));
    map.add(&[60, 64]);
    assert_eq!((map.best(), map.complete()), (Some((Compass::SOURCE, 63)), 64));
}

#[test]
fn too_large_boards_and_too_many_orders_are_refused() {
    let error = Batch::new("1025x1024".parse().unwrap(), 1).unwrap_err();
    assert_eq!(error.to_string(), "a map takes boards of up to 1048576 squares, 1025x1024 has 1049600");
    assert!(Batch::new("1024x1024".parse().unwrap(), 1).is_ok());
    for orders in [0, ORDERS + 1] {
        assert!(matches!(Batch::new("8x8".parse().unwrap(), orders), Err(GpuError::Refused(_))));
    }
}

#[test]
fn workers_that_are_asked_to_stop_return_nothing() {
    let batch = batch("8x8", 1);
    let stop = Stop::default();
    stop.ask(StopReason::Asked);
    let stopped = Workers::new(batch, 2).unwrap().run(0..64, &stop);
    assert_eq!(stopped, Ok(None));
    let mut work = MapWork::new(batch, DevicePlace::Cpu(None), 1, false).unwrap();
    work.advance(&stop).unwrap();
    assert_eq!((work.outcome().map.tried(), work.outcome().is_over()), (0, false));
    work.advance(&Stop::default()).unwrap();
    assert_eq!((work.outcome().map.complete(), work.outcome().is_over()), (63, true));
}

/// A device; reports the skipped test and returns `None` where there is none.
#[cfg(feature = "gpu")]
fn device() -> Option<crate::gpu::Device> {
    crate::gpu::Device::open(&crate::gpu::DeviceChoice::Any)
        .inspect_err(|why| crate::skip::skip_without_device(why))
        .ok()
}

#[cfg(feature = "gpu")]
#[test]
fn a_device_and_the_workers_agree_on_every_knight() {
    // Words of a row end after 24 columns, after 56: a window lies in one word or in two.
    let boards = [
        ("1x1", 3),
        ("1x70", 2),
        ("70x1", 2),
        ("3x10", 40),
        ("5x5", 300),
        ("8x8", 40),
        ("6x24", 3),
        ("6x25", 3),
        ("5x28", 3),
        ("5x29", 3),
        ("7x57", 2),
        ("33x9", 2),
        ("20x60", 1),
    ];
    let Some(_) = device() else { return };
    for (board, orders) in boards {
        let batch = batch(board, orders);
        let mut device_engine = shader::MapDevice::new(batch, device().unwrap()).unwrap();
        assert_eq!(visits(batch, &mut device_engine), by_workers(batch), "{board}");
    }
}

#[cfg(feature = "gpu")]
#[test]
fn the_results_of_a_device_do_not_depend_on_the_steps_of_a_dispatch() {
    let Some(device) = device() else { return };
    let batch = batch("9x30", 1);
    let mut device_engine = shader::MapDevice::new(batch, device).unwrap();
    for budget in [1, 7, 100] {
        (device_engine.budget, device_engine.budget_max) = (budget, budget);
        assert_eq!(visits(batch, &mut device_engine), by_workers(batch), "{budget}");
    }
}

/// Moves knights as workers do. From its second run on it fails, or in its second run one result is wrong.
struct FaultyEngine {
    workers: Workers,
    fails: bool,
    times: u32,
}

impl MapEngine for FaultyEngine {
    fn label(&self) -> &DeviceLabel {
        self.workers.label()
    }

    fn knights_per_run(&self) -> u64 {
        40
    }

    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError> {
        self.times += 1;
        if self.fails && self.times > 1 {
            return Err(GpuError::Lost("it failed on purpose".to_owned()));
        }
        let mut visits = self.workers.run(knights, stop)?;
        if let Some(visits) = visits.as_mut().filter(|_| !self.fails && self.times == 2) {
            visits[3] -= 1;
        }
        Ok(visits)
    }
}

/// Work of an engine, checked by two workers.
fn compared(batch: Batch, engine: FaultyEngine) -> MapWork {
    MapWork::with_engine(batch, Box::new(engine), 2, Some(Box::new(Workers::new(batch, 2).unwrap())))
}

/// The outcome of a whole batch by a faulty engine, with comparison.
fn faulty_outcome(fails: bool) -> MapOutcome {
    let batch = batch("8x8", 2);
    let workers = Workers::new(batch, 1).unwrap();
    let mut work = compared(batch, FaultyEngine { workers, fails, times: 0 });
    while !work.outcome().is_over() {
        work.advance(&Stop::default()).unwrap();
    }
    work.into_outcome()
}

#[test]
fn workers_finish_the_batch_of_a_lost_device() {
    let outcome = faulty_outcome(true);
    assert_eq!(outcome.failed_device.unwrap().to_string(), "CPU, 1 thread (no GPU)");
    assert_eq!(outcome.done_by.instead, Some(GpuError::Lost("it failed on purpose".to_owned())));
    assert_eq!(outcome.done_by.label.to_string(), "CPU, 2 threads (no GPU)");
    assert_eq!(outcome.map, map(batch("8x8", 2)));
    // The results of the workers say nothing about the device.
    assert_eq!(outcome.compared.map(|compared| (compared.knights, compared.unequal)), Some((40, 0)));
}

#[test]
fn a_knight_that_differs_is_counted() {
    let compared = faulty_outcome(false).compared;
    assert_eq!(compared.map(|compared| (compared.knights, compared.unequal)), Some((128, 1)));
}

/// Without a device the plain rule checks the workers.
#[test]
fn workers_are_compared_with_the_plain_rule() {
    let mut work = MapWork::new(batch("8x8", 3), DevicePlace::Cpu(None), 2, true).unwrap();
    while !work.outcome().is_over() {
        work.advance(&Stop::default()).unwrap();
    }
    let outcome = work.into_outcome();
    let compared = outcome.compared.unwrap();
    assert_eq!((compared.knights, compared.unequal, compared.moves), (192, 0, outcome.map.moves()));
    assert_eq!(compared.label.to_string(), "plain twin, square by square (no GPU)");
    let stop = Stop::default();
    stop.ask(StopReason::Asked);
    assert_eq!(workers::PlainRule::new(batch("8x8", 3)).run(0..192, &stop), Ok(None));
}

#[test]
fn knights_are_compared_in_large_runs_however_few_a_device_takes() {
    let batch = batch("8x8", 2);
    let faulty = FaultyEngine { workers: Workers::new(batch, 1).unwrap(), fails: false, times: 0 };
    let mut work = compared(batch, faulty);
    let go = Stop::default();
    for (tried, compared) in [(40, 0), (80, 0), (120, 0), (128, 128)] {
        work.advance(&go).unwrap();
        let outcome = work.outcome();
        assert_eq!((outcome.map.tried(), outcome.compared.as_ref().unwrap().knights), (tried, compared));
        assert_eq!(outcome.is_over(), compared == 128);
    }
}

#[cfg(feature = "gpu")]
#[test]
fn a_device_that_cannot_hold_more_lanes_keeps_those_it_has() {
    let Some(device) = device() else { return };
    let batch = batch("8x8", 40);
    let mut device_engine = shader::MapDevice::new(batch, device).unwrap();
    let at_once = device_engine.knights_per_run();
    device_engine.resize(1 << 31);
    assert_eq!(visits(batch, &mut device_engine), by_workers(batch));
    assert_eq!(device_engine.knights_per_run(), at_once);
}

#[cfg(feature = "gpu")]
#[test]
fn a_lost_device_is_an_error() {
    let Some(device) = device() else { return };
    let mut device_engine = shader::MapDevice::new(batch("8x8", 2), device).unwrap();
    let mut run = |knights| device_engine.run(knights, &Stop::default());
    assert_eq!(run(0..64).unwrap().unwrap()[..3], [64, 64, 60]);
    device_engine.device.lose();
    let error = device_engine.run(64..128, &Stop::default()).unwrap_err();
    assert!(matches!(error, GpuError::Lost(_)), "{error}");
}
