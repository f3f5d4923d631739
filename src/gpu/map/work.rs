//! A batch in progress: the engine that moves the knights, their results, and the check of these results by the CPU.

use super::batch::{Batch, Map, MapEngine};
use super::workers::{PlainRule, Workers};
use crate::gpu::label::{DeviceLabel, DoneBy, GpuError};
use crate::gpu::place::DevicePlace;
use crate::stop::Stop;
use std::time::{Duration, Instant};

/// A batch in progress.
pub struct MapWork {
    outcome: MapOutcome,
    engine: Box<dyn MapEngine>,
    threads: usize,
    checker: Option<Box<dyn MapEngine>>,
    /// Results that the checker has not compared yet.
    uncompared: Vec<u32>,
}

/// The results of a batch so far.
#[derive(Clone, PartialEq, Debug)]
pub struct MapOutcome {
    /// The results of the knights.
    pub map: Map,
    /// The engine that moves the knights: a device, or workers on the CPU, and why it is not a device.
    pub done_by: DoneBy,
    /// Time that the engine took, without the comparison.
    pub took: Duration,
    /// The device that failed, if one did.
    pub failed_device: Option<DeviceLabel>,
    /// The comparison with the CPU, if one was requested.
    pub compared: Option<MapComparison>,
}

impl MapOutcome {
    /// Whether every knight has a result and, if requested, was compared; the knights after a failed device are not.
    pub fn is_over(&self) -> bool {
        let compared = self.compared.as_ref().is_none_or(|compared| compared.knights == self.map.tried());
        self.map.tried() == self.map.batch().knights() && (compared || self.failed_device.is_some())
    }

    /// Moves a second.
    pub fn moves_per_s(&self) -> f64 {
        self.map.moves() as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

/// A second run of the knights, to compare: workers on the CPU check a device, the plain rule checks workers.
#[derive(Clone, PartialEq, Debug)]
pub struct MapComparison {
    /// The engine that moved the knights again.
    pub label: DeviceLabel,
    /// Time that this engine took.
    pub took: Duration,
    /// Knights compared.
    pub knights: u64,
    /// Moves of these knights.
    pub moves: u64,
    /// Knights that visited another number of squares than in the first run.
    pub unequal: u64,
}

impl MapComparison {
    /// Moves a second.
    pub fn moves_per_s(&self) -> f64 {
        self.moves as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

impl MapWork {
    /// Prepares a batch at this place; on the CPU it runs with `threads` workers. With `compared`, every knight is
    /// moved a second time: by as many workers after a device, by the plain rule after workers.
    ///
    /// # Errors
    /// [`GpuError`] when the threads cannot be started, or the device cannot do the work.
    pub fn new(batch: Batch, place: DevicePlace, threads: usize, compared: bool) -> Result<MapWork, GpuError> {
        let instead = place.done_by().instead;
        let (engine, checker): (Box<dyn MapEngine>, Option<Box<dyn MapEngine>>) = match place {
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
        let mut work = MapWork::with_engine(batch, engine, threads, checker);
        work.outcome.done_by.instead = instead;
        Ok(work)
    }

    /// Prepares a batch for an engine, and for a checker that moves every knight again.
    pub(super) fn with_engine(
        batch: Batch,
        engine: Box<dyn MapEngine>,
        threads: usize,
        checker: Option<Box<dyn MapEngine>>,
    ) -> MapWork {
        let comparison = |engine: &dyn MapEngine| {
            let label = engine.label().clone();
            MapComparison { label, took: Duration::ZERO, knights: 0, moves: 0, unequal: 0 }
        };
        let outcome = MapOutcome {
            map: Map::new(batch),
            done_by: DoneBy { label: engine.label().clone(), instead: None },
            took: Duration::ZERO,
            failed_device: None,
            compared: checker.as_deref().map(comparison),
        };
        MapWork { outcome, engine, threads, checker, uncompared: Vec::new() }
    }

    /// Moves the next knights, or compares if none are left. If the device fails, workers on the CPU replace it.
    ///
    /// # Errors
    /// [`GpuError`] when the workers cannot be started.
    pub fn advance(&mut self, stop: &Stop) -> Result<(), GpuError> {
        let batch = self.outcome.map.batch();
        let first = self.outcome.map.tried();
        let end = batch.knights().min(first + self.engine.knights_per_run());
        if first == end {
            return self.compare(stop);
        }
        let began = Instant::now();
        match self.engine.run(first..end, stop) {
            Ok(None) => Ok(()),
            Ok(Some(visits)) => {
                self.outcome.map.add(&visits);
                self.outcome.took += began.elapsed();
                self.queue_comparison(visits, end == batch.knights(), stop)
            }
            Err(why) => {
                self.compare(stop)?;
                self.engine = Box::new(Workers::new(batch, self.threads)?);
                // The workers' results say nothing about the device.
                self.checker = None;
                let workers = DoneBy { label: self.engine.label().clone(), instead: Some(why) };
                let failed = std::mem::replace(&mut self.outcome.done_by, workers);
                self.outcome.failed_device = Some(failed.label);
                Ok(())
            }
        }
    }

    /// Collects results until they are enough for all workers: a device may prefer far fewer knights per run.
    fn queue_comparison(&mut self, mut visits: Vec<u32>, last: bool, stop: &Stop) -> Result<(), GpuError> {
        let Some(checker) = &self.checker else { return Ok(()) };
        let enough = checker.knights_per_run();
        self.uncompared.append(&mut visits);
        if last || self.uncompared.len() as u64 >= enough { self.compare(stop) } else { Ok(()) }
    }

    /// Moves the collected knights again, and compares.
    fn compare(&mut self, stop: &Stop) -> Result<(), GpuError> {
        let (Some(checker), Some(compared)) = (&mut self.checker, &mut self.outcome.compared) else { return Ok(()) };
        let (first, began) = (compared.knights, Instant::now());
        if let Some(visits) = checker.run(first..first + self.uncompared.len() as u64, stop)? {
            compared.took += began.elapsed();
            compared.knights += visits.len() as u64;
            compared.moves += visits.iter().map(|&visits| u64::from(visits - 1)).sum::<u64>();
            compared.unequal += self.uncompared.iter().zip(&visits).filter(|(a, b)| a != b).count() as u64;
            self.uncompared.clear();
        }
        Ok(())
    }

    /// The results so far.
    pub fn outcome(&self) -> &MapOutcome {
        &self.outcome
    }

    /// The results.
    pub fn into_outcome(self) -> MapOutcome {
        self.outcome
    }
}
