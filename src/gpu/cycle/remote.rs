//! The three-cycle board on a thread of its own: commands go in, reports come out, and nobody waits for a device.

use super::engine::CycleEngine;

use super::state::CycleState;
use crate::gpu::cost::DeviceCost;
use crate::gpu::label::{DeviceChoice, DeviceLabel, GpuError};
use crate::stop::{Stop, StopReason};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::io;
use std::thread::JoinHandle;

/// Commands that may be under way.
const COMMANDS: usize = 4;
/// Reports that may lie ready; then the thread waits until one is taken.
const REPORTS: usize = 16;

enum CycleCommand {
    Load(CycleState),
    Run(u32),
}

/// What the thread has to say.
#[derive(Clone, PartialEq, Debug)]
pub enum CycleReport {
    /// The first report of all, unless it is a failure: what does the work, and why that is the twin, if a device was
    /// wanted.
    Opened {
        /// What does the work.
        label: DeviceLabel,
        /// Why it is the twin on the CPU, if a device was wanted.
        instead: Option<GpuError>,
    },
    /// Another board is there: answers each [`RemoteCycles::load`]. All that follows is about it.
    Loaded,
    /// The cycles are done: answers each [`RemoteCycles::run`].
    Ran {
        /// The board after them.
        state: CycleState,
        /// What they took.
        spent: DeviceCost,
    },
    /// The device does the work no more, the twin carries on from the board last read back: before the answer to the
    /// command during which it happened.
    Fallback {
        /// What does the work now.
        label: DeviceLabel,
        /// Why it is not the device.
        why: GpuError,
    },
    /// The last report of all: the device cannot be had, or failed.
    Failed(GpuError),
}

/// An [`CycleEngine`] on a thread of its own, which opens it, keeps it and drops it. Dropping this ends the thread and waits
/// for it: at most as long as a device takes to open, or about 50 ms once it is there.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::gpu::{Compass, Wanted};
/// # use destrier::gpu::cycle::{Remote, Report, State};
/// let board: Board = "5x5".parse().unwrap();
/// let state = State::new(board, board.at(0).unwrap(), Compass::SOURCE).unwrap();
/// let remote = Remote::start(Wanted::Cpu, state).unwrap();
/// assert!(remote.run(3));
/// let reports: Vec<Report> = remote.reports().iter().take(2).collect();
/// assert!(matches!(&reports[..], [Report::Opened { .. }, Report::Ran { state, .. }] if state.cycles() == 3));
/// ```
#[derive(Debug)]
pub struct RemoteCycles {
    // In this order they are taken from the thread at the end; nothing when they have been.
    ends: Option<(Sender<CycleCommand>, Receiver<CycleReport>)>,
    leaving: Stop,
    thread: Option<JoinHandle<()>>,
}

impl RemoteCycles {
    /// Starts the thread, which opens what is wanted and puts the board there. Does not wait for that.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(wanted: DeviceChoice, state: CycleState) -> io::Result<RemoteCycles> {
        let (commands, to_do) = bounded(COMMANDS);
        let (say, reports) = bounded(REPORTS);
        let leaving = Stop::default();
        let left = leaving.clone();
        let thread = std::thread::Builder::new().name("cycles".to_owned()).spawn(move || {
            // That nobody listens any more is how it ends.
            let _ = serve(&wanted, state, &to_do, &say, &left);
        })?;
        Ok(RemoteCycles { ends: Some((commands, reports)), leaving, thread: Some(thread) })
    }

    /// Goes on from this board, once what was commanded before is done. Does not wait; answers whether the thread has
    /// room for the command: not while four are under way, and not after a failure.
    pub fn load(&self, state: CycleState) -> bool {
        self.command(CycleCommand::Load(state))
    }

    /// Does so many cycles, at least one, in bursts of about 50 ms. Does not wait; answers as [`RemoteCycles::load`] does.
    ///
    /// # Panics
    /// When `cycles` is 0.
    pub fn run(&self, cycles: u32) -> bool {
        assert!(cycles > 0, "a run has at least one cycle");
        self.command(CycleCommand::Run(cycles))
    }

    /// Where reports come out, in their order; disconnected when the thread has ended.
    pub fn reports(&self) -> &Receiver<CycleReport> {
        match &self.ends {
            Some((_, reports)) => reports,
            None => unreachable!("the ends are taken when this is dropped"),
        }
    }

    fn command(&self, command: CycleCommand) -> bool {
        self.ends.as_ref().is_some_and(|(commands, _)| commands.try_send(command).is_ok())
    }
}

impl Drop for RemoteCycles {
    fn drop(&mut self) {
        self.leaving.ask(StopReason::Asked);
        drop(self.ends.take());
        if let Some(thread) = self.thread.take() {
            // Its panic has been told by the hook, and by reports that ended.
            let _ = thread.join();
        }
    }
}

/// That nobody listens any more.
struct ReceiverGone;

fn serve(
    wanted: &DeviceChoice,
    state: CycleState,
    commands: &Receiver<CycleCommand>,
    reports: &Sender<CycleReport>,
    leaving: &Stop,
) -> Result<(), ReceiverGone> {
    let say = |report| reports.send(report).map_err(|_| ReceiverGone);
    let mut engine = match CycleEngine::open(wanted, state) {
        Ok(engine) => engine,
        Err(why) => return say(CycleReport::Failed(why)),
    };
    say(CycleReport::Opened { label: engine.label().clone(), instead: engine.instead().cloned() })?;
    let mut instead = engine.instead().cloned();
    for command in commands {
        let done = match command {
            CycleCommand::Load(state) => engine.load(state).map(|()| CycleReport::Loaded),
            CycleCommand::Run(cycles) => run(&mut engine, cycles, leaving),
        };
        if instead.as_ref() != engine.instead()
            && let Some(why) = engine.instead()
        {
            say(CycleReport::Fallback { label: engine.label().clone(), why: why.clone() })?;
            instead = Some(why.clone());
        }
        match done {
            Ok(report) => say(report)?,
            Err(why) => return say(CycleReport::Failed(why)),
        }
    }
    Ok(())
}

/// Does the cycles in bursts, or fewer when nobody waits for them any more.
fn run(engine: &mut CycleEngine, cycles: u32, leaving: &Stop) -> Result<CycleReport, GpuError> {
    let last = engine.state().cycles().saturating_add(cycles);
    let mut spent = DeviceCost::default();
    while engine.state().cycles() < last && !leaving.is_asked() {
        spent.add(&engine.run(last - engine.state().cycles())?);
    }
    Ok(CycleReport::Ran { state: engine.state().clone(), spent })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::gpu::Compass;
    use crate::gpu::cycle::KnightStatus;
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
        assert!(remote.run(192) && remote.load(state("8x8", "0,2")) && remote.run(180));
        assert_eq!(next(&remote), CycleReport::Opened { label: DeviceLabel::cpu(), instead: None });
        let CycleReport::Ran { state: first, spent } = next(&remote) else { panic!("a run was commanded") };
        assert_eq!((first.cycles(), first.status(), spent.submits), (192, KnightStatus::Complete, 0));
        assert_eq!(next(&remote), CycleReport::Loaded);
        let CycleReport::Ran { state: second, .. } = next(&remote) else { panic!("a run was commanded") };
        assert_eq!((second.visits(), second.status()), (60, KnightStatus::Stuck));
        assert!(remote.load(state("3x4", "0,0")) && remote.run(1));
        assert_eq!(next(&remote), CycleReport::Loaded);
    }

    #[test]
    fn a_thread_that_is_behind_takes_no_more_and_ends_with_its_owner() {
        let remote = RemoteCycles::start(DeviceChoice::Cpu, state("300x300", "0,0")).unwrap();
        let taken = (0..20).filter(|_| remote.run(u32::MAX)).count();
        assert!((4..=5).contains(&taken), "{taken}");
        drop(remote);
    }

    #[test]
    fn a_device_that_is_not_there_is_the_last_report() {
        let remote = RemoteCycles::start(DeviceChoice::Named("no such thing".to_owned()), state("5x5", "0,0")).unwrap();
        assert!(matches!(next(&remote), CycleReport::Failed(_)));
        assert!(remote.reports().recv().is_err());
        assert!(!remote.run(1));
    }
}
