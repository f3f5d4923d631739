//! The work of a map: opening its device, moving its knights, and what observers see of it.

use crate::cli::args::cores;
use crate::gpu::map::{Batch, MapOutcome, MapWork};
use crate::gpu::{DeviceChoice, DevicePlace, GpuError};
use crate::job::{Failure, running, usage};
use crate::run::journal::SAMPLE_EVERY;
use crate::run::{Body, Filled, Frame, RunObservers};
use crate::stop::Stop;
use std::time::Instant;

/// How the work is to be done.
#[derive(Clone)]
pub struct MapOptions {
    /// The knights.
    pub batch: Batch,
    /// The device that is to move them.
    pub wanted: DeviceChoice,
    /// Workers on the CPU.
    pub threads: usize,
    /// Whether two engines move them, and are compared.
    pub compare: bool,
}

impl MapOptions {
    /// Opens the device, and is ready to begin; answers too why there is no device, if one was hoped for.
    ///
    /// # Errors
    /// When a device was asked for and cannot do it.
    pub fn open(&self) -> Result<OpenedMap, GpuError> {
        self.begin(DevicePlace::open(&self.wanted)?)
    }

    /// Is ready to begin in this place, or on the CPU where a device was only hoped for and cannot do it. A device that is
    /// there is not replaced in a comparison.
    fn begin(&self, place: DevicePlace) -> Result<OpenedMap, GpuError> {
        let work = |place| MapWork::new(self.batch, place, self.threads, self.compare);
        match self.compare && !matches!(place, DevicePlace::Cpu(_)) {
            true => Ok((work(place)?, None)),
            false => place.prepare(&self.wanted, work),
        }
    }
}

/// A map that can begin, and why there is no device, if one was hoped for.
pub type OpenedMap = (MapWork, Option<GpuError>);

/// What a map came to.
pub struct MapDone {
    /// The map.
    pub outcome: MapOutcome,
    /// Why there is no device, if one was hoped for.
    pub why: Option<GpuError>,
}

/// Moves the knights until all have come to their ends or `stop` is asked. `tell` is told what came of it, at the beginning
/// and after each step, and whether it is over.
///
/// # Errors
/// When the device fails or refuses, and is not replaced.
pub fn work(
    (mut work, why): OpenedMap,
    stop: &Stop,
    mut tell: impl FnMut(&MapOutcome, Option<&GpuError>, bool),
) -> Result<MapDone, GpuError> {
    tell(work.outcome(), why.as_ref(), false);
    while !work.outcome().is_over() && !stop.is_asked() {
        work.advance(stop)?;
        tell(work.outcome(), why.as_ref(), work.outcome().is_over());
    }
    Ok(MapDone { outcome: work.into_outcome(), why })
}

/// A device that is not there is bad input, one that is and fails or refuses is a failure.
pub fn failed(error: &GpuError) -> Failure {
    match error {
        GpuError::NotBuilt | GpuError::NoAdapter(_) | GpuError::NotThis { .. } => usage(error),
        GpuError::Refused(_) | GpuError::Invalid(_) | GpuError::Lost(_) => running(error),
    }
}

/// What is seen of a batch at work; with its map, if that is wanted too.
pub fn filled(outcome: &MapOutcome, why: Option<&GpuError>, map: bool) -> Filled {
    Filled {
        placed: Some((outcome.label.clone(), because(outcome, why))),
        map: map.then(|| outcome.map.clone()),
        took: outcome.took,
    }
}

/// Why no better device moves the knights; empty where there is no better one.
fn because(outcome: &MapOutcome, why: Option<&GpuError>) -> String {
    outcome.failed_device.as_ref().map(|(_, why)| why).or(why).map_or_else(String::new, GpuError::to_string)
}

/// Passes frames of a map without a screen to its observers, ten a second.
pub struct Sampled {
    observers: RunObservers,
    due: Instant,
}

impl Sampled {
    /// Frames for these observers, the first one due at once.
    pub fn new(observers: RunObservers) -> Sampled {
        Sampled { observers, due: Instant::now() }
    }

    /// Passes a frame if it is time to.
    pub fn take(&mut self, outcome: &MapOutcome, why: Option<&GpuError>) {
        if Instant::now() >= self.due {
            self.due = Instant::now() + SAMPLE_EVERY;
            self.last(outcome, why);
        }
    }

    /// Passes a frame in any case.
    pub fn last(&self, outcome: &MapOutcome, why: Option<&GpuError>) {
        if self.observers.are_some() {
            let body = Body::Map(Box::new(filled(outcome, why, true)));
            self.observers.take(&Frame { body, events: Vec::new() });
        }
    }
}

/// Moves every knight of a batch, unobserved.
///
/// # Errors
/// [`Failure`] when who moves them fails or refuses.
pub fn whole(batch: Batch, place: DevicePlace, compare: bool) -> Result<MapOutcome, Failure> {
    let mut work = MapWork::new(batch, place, cores(), compare).map_err(running)?;
    while !work.outcome().is_over() {
        work.advance(&Stop::default()).map_err(running)?;
    }
    Ok(work.into_outcome())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_refuses_is_a_failure_and_what_is_not_there_is_bad_input() {
        assert!(matches!(failed(&GpuError::Refused("too large".to_owned())), Failure::Running(_)));
        assert!(!matches!(failed(&GpuError::NotBuilt), Failure::Running(_)));
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn a_device_that_opens_and_cannot_do_it_is_replaced_only_where_it_was_hoped_for() {
        let batch = Batch::new("5x5".parse().unwrap(), 1).unwrap();
        let named = DeviceChoice::Named("any name".to_owned());
        for (wanted, compare, replaced) in [
            (DeviceChoice::Hardware, false, true),
            (DeviceChoice::Any, false, true),
            (DeviceChoice::Any, true, false),
            (named, false, false),
        ] {
            let device = match crate::gpu::Device::open(&DeviceChoice::Any) {
                Ok(device) => device,
                Err(why) => return crate::gpu::trial::skip(why),
            };
            device.lose();
            let order = MapOptions { batch, wanted, threads: 1, compare };
            match order.begin(DevicePlace::Device(device)) {
                Ok((work, Some(GpuError::Lost(_)))) if replaced => {
                    assert_eq!(work.outcome().label.to_string(), "CPU, 1 thread (no GPU)");
                }
                Err(why @ GpuError::Lost(_)) if !replaced => assert!(matches!(failed(&why), Failure::Running(_))),
                other => panic!("{:?}", other.map(|(_, why)| why)),
            }
        }
    }
}
