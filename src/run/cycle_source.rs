//! The cycles of the three-cycle board on a device, as a source of frames.

use super::frame::{Body, Frame};
use super::machine::Pilot;
use super::source::{End, Source, Wish};
use crate::gpu::cycle::{CycleReport, CycleState, RemoteCycles};
use crate::gpu::{DeviceChoice, GpuError};
use crossbeam_channel::TryRecvError;
use std::time::Duration;

/// A device on a thread of its own that runs to the cycle of the last [wish](Wish::Reach).
pub struct CycleSource {
    pilot: Pilot,
    /// `None` when the thread could not start or was stopped.
    remote: Option<RemoteCycles>,
}

impl CycleSource {
    /// Opens the chosen device in the background, with this board before its first cycle.
    pub fn start(first: CycleState, choice: DeviceChoice) -> CycleSource {
        let remote = RemoteCycles::start(choice, first.clone());
        let mut pilot = Pilot::new(first);
        if let Err(error) = &remote {
            pilot.take(CycleReport::Failed(GpuError::Refused(error.to_string())));
        }
        CycleSource { pilot, remote: remote.ok() }
    }

    /// Reads the reports of the device.
    fn read_reports(&mut self) {
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

    /// Gives the device its next order.
    fn send_order(&mut self) {
        if let Some(remote) = &self.remote
            && let Some(order) = self.pilot.order()
        {
            // The device answers each order before it gets the next, so the channel has room. If its thread has ended,
            // its last report is read next.
            let _ = remote.command(order);
        }
    }
}

impl Source for CycleSource {
    fn look(&mut self) -> Option<Frame> {
        self.read_reports();
        self.send_order();
        Some(Frame { body: Body::Cycles(Box::new(self.pilot.machine().clone())), events: Vec::new() })
    }

    fn wish(&mut self, wish: Wish) {
        match wish {
            Wish::Reach { from, to } => self.pilot.reach(from, to),
            Wish::Stop => self.remote = None,
            _ => {}
        }
    }

    /// The board has no last cycle: the source ends with its viewer.
    fn end(&mut self, _within: Duration) -> Option<End> {
        None
    }
}
