//! The three-cycle board on a thread of its own. Commands go in, reports come out, and the caller never waits for a
//! device.

use super::engine::CycleEngine;
use super::state::CycleState;
use crate::gpu::cost::DeviceCost;
use crate::gpu::label::{DeviceChoice, DoneBy, GpuError};
use crate::stop::{Stop, StopReason};
use crate::system;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io;
use std::thread::JoinHandle;

/// Commands that may wait beside the one that runs.
const COMMANDS_MAX: usize = 4;
/// Reports that may lie ready; then the thread waits until one is received.
const REPORTS_MAX: usize = 16;

/// A command to the thread.
#[derive(Clone, PartialEq, Debug)]
pub enum CycleCommand {
    /// Replace the board.
    Load(CycleState),
    /// Run so many cycles, at least one, in bursts of about 50 ms.
    Run(u32),
}

/// A report of the thread.
#[derive(Clone, PartialEq, Debug)]
pub enum CycleReport {
    /// What runs the cycles. This is the first report, unless opening failed. It comes again, before the answer to a
    /// command, if during that command the twin replaced the device, to continue from the board as last read back.
    DoneBy(DoneBy),
    /// Answers a [`CycleCommand::Load`]: the new board is loaded. All later reports concern it.
    Loaded,
    /// Answers a [`CycleCommand::Run`]: the cycles have run. The board after them, and their cost.
    Ran { state: CycleState, spent: DeviceCost },
    /// The last report: the device cannot be opened, or failed.
    Failed(GpuError),
}

/// A [`CycleEngine`] on a thread of its own, which opens, keeps and drops it. Dropping this value ends the thread and
/// waits for it: as long as a device takes to open, or about 50 ms if it is open.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::gpu::{Compass, DeviceChoice};
/// # use destrier::gpu::cycle::{CycleCommand, CycleReport, CycleState, RemoteCycles};
/// let board: Board = "5x5".parse().unwrap();
/// let state = CycleState::new(board, board.at(0).unwrap(), Compass::SOURCE).unwrap();
/// let remote = RemoteCycles::start(DeviceChoice::Cpu, state).unwrap();
/// assert!(remote.command(CycleCommand::Run(3)));
/// let reports: Vec<CycleReport> = remote.reports().iter().take(2).collect();
/// assert!(matches!(&reports[..], [CycleReport::DoneBy(_), CycleReport::Ran { state, .. }] if state.cycles() == 3));
/// ```
#[derive(Debug)]
pub struct RemoteCycles {
    // The channels to the thread; taken when this value is dropped, so that the thread ends.
    channels: Option<(Sender<CycleCommand>, Receiver<CycleReport>)>,
    cancel: Stop,
    thread: Option<JoinHandle<()>>,
}

impl RemoteCycles {
    /// Starts the thread, which opens the chosen device and loads the board. Returns at once.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(choice: DeviceChoice, state: CycleState) -> io::Result<RemoteCycles> {
        let (commands, received) = bounded(COMMANDS_MAX);
        let (sender, reports) = bounded(REPORTS_MAX);
        let cancel = Stop::default();
        let cancelled = cancel.clone();
        let thread = system::start("device", move || {
            // The receiver of the reports is gone: the thread ends.
            let _ = serve(&choice, state, &received, &sender, &cancelled);
        })?;
        Ok(RemoteCycles { channels: Some((commands, reports)), cancel, thread: Some(thread) })
    }

    /// Gives a command, which is done after all earlier ones. Returns at once; `false` if it was not accepted, because four
    /// commands wait beside the one that runs, or the thread has failed.
    ///
    /// # Panics
    /// When no cycle is to run.
    pub fn command(&self, command: CycleCommand) -> bool {
        assert!(command != CycleCommand::Run(0), "a run has at least one cycle");
        self.channels.as_ref().is_some_and(|(commands, _)| commands.try_send(command).is_ok())
    }

    /// The reports, in order; disconnected when the thread has ended.
    pub fn reports(&self) -> &Receiver<CycleReport> {
        match &self.channels {
            Some((_, reports)) => reports,
            None => unreachable!("the channels are taken when this is dropped"),
        }
    }
}

impl Drop for RemoteCycles {
    fn drop(&mut self) {
        self.cancel.ask(StopReason::Asked);
        drop(self.channels.take());
        if let Some(thread) = self.thread.take() {
            // The panic hook has reported a panic of the thread, and the reports have ended.
            let _ = thread.join();
        }
    }
}

/// The receiver of the reports is gone.
struct ReceiverGone;

fn serve(
    choice: &DeviceChoice,
    state: CycleState,
    commands: &Receiver<CycleCommand>,
    reports: &Sender<CycleReport>,
    cancel: &Stop,
) -> Result<(), ReceiverGone> {
    let send = |report| reports.send(report).map_err(|_| ReceiverGone);
    let mut engine = match CycleEngine::open(choice, state) {
        Ok(engine) => engine,
        Err(why) => return send(CycleReport::Failed(why)),
    };
    let mut reported = engine.done_by().clone();
    send(CycleReport::DoneBy(reported.clone()))?;
    for command in commands {
        let done = match command {
            CycleCommand::Load(state) => engine.load(state).map(|()| CycleReport::Loaded),
            CycleCommand::Run(cycles) => run(&mut engine, cycles, cancel),
        };
        if reported != *engine.done_by() {
            reported = engine.done_by().clone();
            send(CycleReport::DoneBy(reported.clone()))?;
        }
        match done {
            Ok(report) => send(report)?,
            Err(why) => return send(CycleReport::Failed(why)),
        }
    }
    Ok(())
}

/// Runs cycles in bursts; stops early if the owner is being dropped.
fn run(engine: &mut CycleEngine, cycles: u32, cancel: &Stop) -> Result<CycleReport, GpuError> {
    let last = engine.state().cycles().saturating_add(cycles);
    let mut spent = DeviceCost::default();
    while engine.state().cycles() < last && !cancel.is_asked() {
        spent.add(&engine.run(last - engine.state().cycles())?);
    }
    Ok(CycleReport::Ran { state: engine.state().clone(), spent })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::gpu::cycle::KnightStatus;
    use crate::gpu::{Compass, DeviceLabel};
    use std::time::Duration;

    fn state(board: &str, start: &str) -> CycleState {
        let board: Board = board.parse().unwrap();
        CycleState::new(board, board.parse_square(start).unwrap(), Compass::SOURCE).unwrap()
    }

    fn next(remote: &RemoteCycles) -> CycleReport {
        remote.reports().recv_timeout(Duration::from_secs(60)).unwrap()
    }

    #[test]
    fn commands_are_answered_in_order_and_boards_may_change_in_size() {
        let remote = RemoteCycles::start(DeviceChoice::Cpu, state("8x8", "2,4")).unwrap();
        assert!(
            remote.command(CycleCommand::Run(192))
                && remote.command(CycleCommand::Load(state("8x8", "0,2")))
                && remote.command(CycleCommand::Run(180))
        );
        assert_eq!(next(&remote), CycleReport::DoneBy(DoneBy { label: DeviceLabel::cpu(), instead: None }));
        let CycleReport::Ran { state: first, spent } = next(&remote) else { panic!("a run was commanded") };
        assert_eq!((first.cycles(), first.status(), spent.submits), (192, KnightStatus::Complete, 0));
        assert_eq!(next(&remote), CycleReport::Loaded);
        let CycleReport::Ran { state: second, .. } = next(&remote) else { panic!("a run was commanded") };
        assert_eq!((second.visits(), second.status()), (60, KnightStatus::Stuck));
        assert!(remote.command(CycleCommand::Load(state("3x4", "0,0"))) && remote.command(CycleCommand::Run(1)));
        assert_eq!(next(&remote), CycleReport::Loaded);
    }

    #[test]
    fn a_thread_accepts_a_bounded_number_of_commands_and_ends_with_its_owner() {
        let remote = RemoteCycles::start(DeviceChoice::Cpu, state("300x300", "0,0")).unwrap();
        let taken = (0..20).filter(|_| remote.command(CycleCommand::Run(u32::MAX))).count();
        assert!((4..=5).contains(&taken), "{taken}");
        drop(remote);
    }

    #[test]
    fn a_missing_device_is_the_last_report() {
        let remote = RemoteCycles::start(DeviceChoice::Named("no such thing".to_owned()), state("5x5", "0,0")).unwrap();
        assert!(matches!(next(&remote), CycleReport::Failed(_)));
        assert!(remote.reports().recv().is_err());
        assert!(!remote.command(CycleCommand::Run(1)));
    }
}
