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

/// The whole batch by this engine, some knights at a time.
fn visits(batch: Batch, engine: &mut dyn MapEngine) -> Vec<u32> {
    let mut all = Vec::new();
    while (all.len() as u64) < batch.knights() {
        let first = all.len() as u64;
        let knights = first..batch.knights().min(first + engine.at_once());
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
fn the_workers_move_every_knight_as_the_rule_says() {
    for (board, orders) in [("1x1", 1), ("1x6", 2), ("2x3", 3), ("3x4", 50), ("5x5", 120), ("9x4", 20), ("8x8", 6)] {
        let batch = batch(board, orders);
        let knight = |k| {
            let (order, start) = batch.knight(k);
            plain::visits(batch.board(), Compass::nth(order), batch.board().at(start).unwrap())
        };
        assert_eq!(by_workers(batch), (0..batch.knights()).map(knight).collect::<Vec<u32>>(), "{board}");
    }
}

#[test]
fn the_source_s_order_completes_from_so_many_starts() {
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
    // Counted by two programs of their own.
    assert_eq!((map.tried(), map.complete()), (1_008_000, 376_320));
    assert_eq!(map.histogram().values().sum::<u32>(), ORDERS);
    let number = |moves: [u8; 8]| (0..ORDERS).position(|n| Compass::nth(n).moves() == moves).unwrap();
    for n in [0, 777, 31_415] {
        // Backwards along both axes is the board turned by half.
        let turned = number(Compass::nth(n).moves().map(|k| k ^ BACK));
        assert_eq!(map.by_order[n as usize], map.by_order[turned]);
    }
}

#[test]
fn a_map_does_not_depend_on_how_many_knights_come_at_once() {
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
fn orders_are_judged_only_when_they_were_tried_from_everywhere() {
    let mut map = Map::new(batch("8x8", 2));
    map.add(&[64; 63]);
    assert_eq!((map.best(), map.histogram().len(), map.tried()), (None, 0, 63));
    map.add(&[60, 64]);
    assert_eq!((map.best(), map.complete()), (Some((Compass::SOURCE, 63)), 64));
}

#[test]
fn boards_and_orders_that_are_too_many_are_refused() {
    let error = Batch::new("1025x1024".parse().unwrap(), 1).unwrap_err();
    assert_eq!(error.to_string(), "a map takes boards of up to 1048576 squares, 1025x1024 has 1049600");
    assert!(Batch::new("1024x1024".parse().unwrap(), 1).is_ok());
    for orders in [0, ORDERS + 1] {
        assert!(matches!(Batch::new("8x8".parse().unwrap(), orders), Err(GpuError::Refused(_))));
    }
}

#[test]
fn workers_that_are_told_to_stop_answer_nothing() {
    let batch = batch("8x8", 1);
    let stop = Stop::default();
    stop.ask(StopReason::Asked);
    let stopped = Workers::new(batch, 2).unwrap().run(0..64, &stop);
    assert_eq!(stopped, Ok(None));
    let mut work = MapWork::new(batch, DevicePlace::Cpu(None), 1, false).unwrap();
    work.go_on(&stop).unwrap();
    assert_eq!((work.outcome().map.tried(), work.outcome().is_over()), (0, false));
    work.go_on(&Stop::default()).unwrap();
    assert_eq!((work.outcome().map.complete(), work.outcome().is_over()), (63, true));
}

/// What a device makes of it, or nothing, which is said, where there is none.
#[cfg(feature = "gpu")]
fn device() -> Option<crate::gpu::Device> {
    crate::gpu::Device::open(&crate::gpu::DeviceChoice::Any).inspect_err(|why| crate::gpu::trial::skip(why)).ok()
}

#[cfg(feature = "gpu")]
#[test]
fn a_device_and_the_workers_agree_on_every_knight() {
    // Words of a row end after 24 columns, after 56: windows lie in one word or in two.
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
fn a_device_does_as_few_steps_at_a_time_as_it_must_and_comes_to_the_same() {
    let Some(device) = device() else { return };
    let batch = batch("9x30", 1);
    let mut device_engine = shader::MapDevice::new(batch, device).unwrap();
    for budget in [1, 7, 100] {
        device_engine.hold(budget);
        assert_eq!(visits(batch, &mut device_engine), by_workers(batch), "{budget}");
    }
}

/// Does what workers do, but fails from its second time on, or is wrong about one knight.
struct Frail {
    workers: Workers,
    fails: bool,
    times: u32,
}

impl MapEngine for Frail {
    fn label(&self) -> &DeviceLabel {
        self.workers.label()
    }

    fn at_once(&self) -> u64 {
        40
    }

    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError> {
        self.times += 1;
        if self.fails && self.times > 1 {
            return Err(GpuError::Lost("it was frail".to_owned()));
        }
        let mut visits = self.workers.run(knights, stop)?;
        if let Some(visits) = visits.as_mut().filter(|_| !self.fails && self.times == 2) {
            visits[3] -= 1;
        }
        Ok(visits)
    }
}

/// Work of an engine that two workers check.
fn compared(batch: Batch, engine: Frail) -> MapWork {
    MapWork::by(batch, Box::new(engine), 2, Some(Box::new(Workers::new(batch, 2).unwrap())))
}

/// The work of a frail engine, compared, after its end.
fn frail(fails: bool) -> MapOutcome {
    let batch = batch("8x8", 2);
    let workers = Workers::new(batch, 1).unwrap();
    let mut work = compared(batch, Frail { workers, fails, times: 0 });
    while !work.outcome().is_over() {
        work.go_on(&Stop::default()).unwrap();
    }
    work.into_outcome()
}

#[test]
fn what_a_lost_device_leaves_is_done_by_workers() {
    let outcome = frail(true);
    let (gone, why) = outcome.gave_up.unwrap();
    assert_eq!(
        (gone.to_string(), why),
        ("CPU, 1 thread (no GPU)".to_owned(), GpuError::Lost("it was frail".to_owned()))
    );
    assert_eq!(outcome.label.to_string(), "CPU, 2 threads (no GPU)");
    assert_eq!(outcome.map, map(batch("8x8", 2)));
    // What the workers did in its stead says nothing about it.
    assert_eq!(outcome.compared.map(|compared| (compared.knights, compared.unequal)), Some((40, 0)));
}

#[test]
fn a_knight_that_differs_is_noticed() {
    let compared = frail(false).compared;
    assert_eq!(compared.map(|compared| (compared.knights, compared.unequal)), Some((128, 1)));
}

/// Without a device the workers are held against the plain rule.
#[test]
fn workers_are_compared_with_the_plain_rule() {
    let mut work = MapWork::new(batch("8x8", 3), DevicePlace::Cpu(None), 2, true).unwrap();
    while !work.outcome().is_over() {
        work.go_on(&Stop::default()).unwrap();
    }
    let outcome = work.into_outcome();
    let compared = outcome.compared.unwrap();
    assert_eq!((compared.knights, compared.unequal, compared.moves), (192, 0, outcome.map.moves()));
    assert_eq!(compared.label.to_string(), "plain twin, square by square (no GPU)");
    let stop = Stop::default();
    stop.ask(StopReason::Asked);
    assert_eq!(plain::PlainRule::new(batch("8x8", 3)).run(0..192, &stop), Ok(None));
}

#[test]
fn what_is_compared_comes_at_once_however_few_a_device_likes() {
    let batch = batch("8x8", 2);
    let frail = Frail { workers: Workers::new(batch, 1).unwrap(), fails: false, times: 0 };
    let mut work = compared(batch, frail);
    let go = Stop::default();
    for (tried, compared) in [(40, 0), (80, 0), (120, 0), (128, 128)] {
        work.go_on(&go).unwrap();
        let outcome = work.outcome();
        assert_eq!((outcome.map.tried(), outcome.compared.as_ref().unwrap().knights), (tried, compared));
        assert_eq!(outcome.is_over(), compared == 128);
    }
}

#[cfg(feature = "gpu")]
#[test]
fn a_device_that_cannot_hold_more_knights_goes_on_with_those_it_has() {
    let Some(device) = device() else { return };
    let batch = batch("8x8", 40);
    let mut device_engine = shader::MapDevice::new(batch, device).unwrap();
    let at_once = device_engine.at_once();
    device_engine.make_room(1 << 31);
    assert_eq!(visits(batch, &mut device_engine), by_workers(batch));
    assert_eq!(device_engine.at_once(), at_once);
}

#[cfg(feature = "gpu")]
#[test]
fn a_device_that_goes_away_says_so() {
    let Some(device) = device() else { return };
    let mut device_engine = shader::MapDevice::new(batch("8x8", 2), device).unwrap();
    let mut run = |knights| device_engine.run(knights, &Stop::default());
    assert_eq!(run(0..64).unwrap().unwrap()[..3], [64, 64, 60]);
    device_engine.lose();
    let error = device_engine.run(64..128, &Stop::default()).unwrap_err();
    assert!(matches!(error, GpuError::Lost(_)), "{error}");
}
