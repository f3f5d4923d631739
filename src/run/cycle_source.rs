//! The cycles of the three-cycle board on a device, as a source of frames.

use super::frame::{Body, Frame};
use super::machine::{DeviceOrder, Pilot};
use super::source::{End, Source, Wish};
use crate::gpu::cycle::{CycleReport, CycleState, RemoteCycles};
use crate::gpu::{DeviceChoice, GpuError};
use crossbeam_channel::TryRecvError;
use std::time::Duration;

/// A device on a thread of its own that gets to the cycle it was [wished](Wish::Reach) to; see the module.
pub struct CycleSource {
    pilot: Pilot,
    /// Nothing when there could be none, or no longer.
    remote: Option<RemoteCycles>,
}

impl CycleSource {
    /// Begins to open the device that is wanted, with this board before its first cycle. Does not wait for that.
    pub fn start(first: CycleState, wanted: DeviceChoice) -> CycleSource {
        let remote = RemoteCycles::start(wanted, first.clone());
        let mut pilot = Pilot::new(first);
        if let Err(error) = &remote {
            let why = format!("no thread for the device could be started: {error}");
            pilot.take(CycleReport::Failed(GpuError::Refused(why)));
        }
        CycleSource { pilot, remote: remote.ok() }
    }

    /// Takes in what the device has to say.
    fn listen(&mut self) {
        let Some(remote) = &self.remote else { return };
        loop {
            let report = match remote.reports().try_recv() {
                Ok(report) => report,
                Err(TryRecvError::Disconnected) if !self.pilot.machine().is_gone() => {
                    CycleReport::Failed(GpuError::Lost("its thread has ended".to_owned()))
                }
                Err(_) => return,
            };
            self.pilot.take(report);
        }
    }

    /// Gives the device what it is to do.
    fn go_on(&mut self) {
        if let Some(remote) = &self.remote
            && let Some(order) = self.pilot.order()
        {
            // It answers each order before it gets the next one, so that there is room for it, unless its thread has
            // ended: then its last report is the next thing to be read.
            let _ = match order {
                DeviceOrder::Load(state) => remote.load(state),
                DeviceOrder::Run(cycles) => remote.run(cycles),
            };
        }
    }
}

impl Source for CycleSource {
    fn look(&mut self) -> Option<Frame> {
        self.listen();
        self.go_on();
        Some(Frame { body: Body::Cycles(Box::new(self.pilot.machine().clone())), events: Vec::new() })
    }

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Reach { from, to } => self.pilot.reach(from, to),
            Wish::Stop => self.remote = None,
            _ => {}
        }
    }

    /// There is always a cycle to go back to: it ends with whoever looks at it.
    fn end(&mut self, _within: Duration) -> Option<End> {
        None
    }
}
