//! A batch under way: who moves the knights, what came of them, and what the CPU says to a device.

use super::batch::{Batch, Map, MapEngine};
use super::plain::PlainRule;
use super::workers::Workers;
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::gpu::place::DevicePlace;
use crate::stop::Stop;
use std::time::{Duration, Instant};

/// A batch under way.
pub struct MapWork {
    outcome: MapOutcome,
    engine: Box<dyn MapEngine>,
    threads: usize,
    again: Option<Box<dyn MapEngine>>,
    /// What the last knights visited that are not compared yet.
    waiting: Vec<u32>,
}

/// What came of a batch so far.
#[derive(Clone, PartialEq, Debug)]
pub struct MapOutcome {
    /// What came of the knights.
    pub map: Map,
    /// Who moves them.
    pub label: DeviceLabel,
    /// How long it took, less what the comparison took.
    pub took: Duration,
    /// The device that gave up in the middle, if one did, and why.
    pub gave_up: Option<(DeviceLabel, GpuError)>,
    /// What the CPU says to it, if it was asked.
    pub compared: Option<MapComparison>,
}

impl MapOutcome {
    /// Whether every knight has come to its end, and was compared if they are to be.
    pub fn is_over(&self) -> bool {
        let compared = self.compared.as_ref().is_none_or(|compared| compared.knights == self.map.tried());
        self.map.tried() == self.map.batch().knights() && (compared || self.gave_up.is_some())
    }

    /// Moves a second.
    pub fn moves_per_s(&self) -> f64 {
        self.map.moves() as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

/// The same knights moved again: those of a device by workers on the CPU, those of workers by the plain rule.
#[derive(Clone, PartialEq, Debug)]
pub struct MapComparison {
    /// Who moved them.
    pub label: DeviceLabel,
    /// How long it took.
    pub took: Duration,
    /// How many there are.
    pub knights: u64,
    /// Moves made.
    pub moves: u64,
    /// Knights that did not visit as many squares as the first time.
    pub unequal: u64,
}

impl MapComparison {
    /// Moves a second.
    pub fn moves_per_s(&self) -> f64 {
        self.moves as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

impl MapWork {
    /// A batch that is about to begin in this place; if that is the CPU, by so many workers. If it is to be `compared`
    /// every knight is moved once more: by these workers after a device, by the plain rule after workers.
    ///
    /// # Errors
    /// [`GpuError`] when the threads cannot be started, or the device cannot do this.
    pub fn new(batch: Batch, place: DevicePlace, threads: usize, compared: bool) -> Result<MapWork, GpuError> {
        let (engine, again): (Box<dyn MapEngine>, Option<Box<dyn MapEngine>>) = match place {
            DevicePlace::Cpu(_) => {
                let plain = || Box::new(PlainRule::new(batch)) as Box<dyn MapEngine>;
                (Box::new(Workers::new(batch, threads)?), compared.then(plain))
            }
            #[cfg(feature = "gpu")]
            DevicePlace::Device(device) => {
                let workers = || Ok(Box::new(Workers::new(batch, threads)?) as Box<dyn MapEngine>);
                (Box::new(super::shader::MapDevice::new(batch, device)?), compared.then(workers).transpose()?)
            }
        };
        Ok(MapWork::by(batch, engine, threads, again))
    }

    /// A batch that is about to be done by this engine, and once more by the one that checks it.
    pub(super) fn by(
        batch: Batch,
        engine: Box<dyn MapEngine>,
        threads: usize,
        again: Option<Box<dyn MapEngine>>,
    ) -> MapWork {
        let nothing = |engine: &dyn MapEngine| {
            let label = engine.label().clone();
            MapComparison { label, took: Duration::ZERO, knights: 0, moves: 0, unequal: 0 }
        };
        let (map, label, took) = (Map::new(batch), engine.label().clone(), Duration::ZERO);
        let outcome = MapOutcome { map, label, took, gave_up: None, compared: again.as_deref().map(nothing) };
        MapWork { outcome, engine, threads, again, waiting: Vec::new() }
    }

    /// Moves some more knights, if any are left. A device that fails is replaced by workers on the CPU.
    ///
    /// # Errors
    /// [`GpuError`] when these cannot be started either.
    pub fn go_on(&mut self, stop: &Stop) -> Result<(), GpuError> {
        let batch = self.outcome.map.batch();
        let first = self.outcome.map.tried();
        let end = batch.knights().min(first + self.engine.at_once());
        if first == end {
            return self.compare(stop);
        }
        let began = Instant::now();
        match self.engine.run(first..end, stop) {
            Ok(None) => Ok(()),
            Ok(Some(visits)) => {
                self.outcome.map.add(&visits);
                self.outcome.took += began.elapsed();
                self.heed(visits, end == batch.knights(), stop)
            }
            Err(why) => {
                self.compare(stop)?;
                self.engine = Box::new(Workers::new(batch, self.threads)?);
                // What follows is not about the device any more.
                self.again = None;
                let gone = std::mem::replace(&mut self.outcome.label, self.engine.label().clone());
                self.outcome.gave_up = Some((gone, why));
                Ok(())
            }
        }
    }

    /// Keeps what is to be compared until it is enough for all workers: a device may like far fewer knights at once.
    fn heed(&mut self, mut visits: Vec<u32>, last: bool, stop: &Stop) -> Result<(), GpuError> {
        let Some(workers) = &self.again else { return Ok(()) };
        let enough = workers.at_once();
        self.waiting.append(&mut visits);
        if last || self.waiting.len() as u64 >= enough { self.compare(stop) } else { Ok(()) }
    }

    /// Moves the knights that wait once more.
    fn compare(&mut self, stop: &Stop) -> Result<(), GpuError> {
        let (Some(workers), Some(compared)) = (&mut self.again, &mut self.outcome.compared) else { return Ok(()) };
        let (first, began) = (compared.knights, Instant::now());
        if let Some(again) = workers.run(first..first + self.waiting.len() as u64, stop)? {
            compared.took += began.elapsed();
            compared.knights += again.len() as u64;
            compared.moves += again.iter().map(|&visits| u64::from(visits - 1)).sum::<u64>();
            compared.unequal += self.waiting.iter().zip(&again).filter(|(a, b)| a != b).count() as u64;
            self.waiting.clear();
        }
        Ok(())
    }

    /// What came of it so far.
    pub fn outcome(&self) -> &MapOutcome {
        &self.outcome
    }

    /// What came of it.
    pub fn into_outcome(self) -> MapOutcome {
        self.outcome
    }
}
