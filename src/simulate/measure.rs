//! Measures on this machine what every action of a worker costs.
//!
//! The kernel and the protocol themselves are measured, on one thread; only the wake-up needs two threads. Costs are
//! medians. The time of a node is that of the fastest slice, so that other load on the machine matters little.
//!
//! In a crew of threads a mailbox lies in the cache of another core; here all mailboxes lie in the cache of the core
//! that looks. So the cost of a look is a lower bound.

use super::plan::Costs;
use crate::schedule::protocol::{Busy, HireProtocol, Idle, WaitOutcome};
use crate::schedule::slot::{Company, NominationScope};
use crate::search::{Burst, BurstEnd, BurstOutput, HandOver, Kernel, Tally, Task};
use crate::system::{self, ThreadRefused};
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Time slices in which nodes are entered; the fastest one counts.
const SLICES: usize = 30;
/// Minimum length of a slice.
const SLICE: Duration = Duration::from_millis(10);
/// Polls of the sparse gear between two readings of the clock.
const POLLS: u64 = 16;
/// Repetitions of every other measurement.
const ROUNDS: usize = 200;
/// Number of mailboxes in the measurement of a look.
const MAILBOXES: usize = 1024;
/// Time that a waiting worker is left alone, so that its thread falls asleep.
const ASLEEP_AFTER: Duration = Duration::from_micros(300);

/// Measures all costs, on the tree of `kernel`.
///
/// # Errors
/// When the second thread cannot be started.
pub fn measure(kernel: &dyn Kernel) -> Result<Costs, ThreadRefused> {
    let (node_ns, burst) = node(&mut *kernel.another());
    let in_nodes = |time: Duration| time.as_nanos() as f64 / node_ns;
    let (hand_over, nominate) = hand_over(kernel);
    let [hand_over, nominate, wake, look] = [hand_over, nominate, wake()?, look()].map(in_nodes);
    Ok(Costs { hand_over, wake, nominate, look: look / MAILBOXES as f64, burst, node_ns })
}

/// Returns the nanoseconds of a node in the sparse gear, and the nodes between two looks at the mailbox.
fn node(kernel: &mut dyn Kernel) -> (f64, u64) {
    let (mut tally, mut polls, mut fastest) = (Tally::default(), 0, f64::INFINITY);
    kernel.begin(&Task::root());
    for _ in 0..SLICES {
        let (clock, before) = (Instant::now(), tally.nodes);
        while clock.elapsed() < SLICE {
            polls += POLLS;
            if kernel.advance(Burst::sparse(POLLS), &mut BurstOutput::counting(&mut tally)) == BurstEnd::Exhausted {
                kernel.begin(&Task::root());
            }
        }
        let nodes = (tally.nodes - before).max(1);
        fastest = fastest.min(clock.elapsed().as_nanos() as f64 / nodes as f64);
    }
    (fastest, tally.nodes.max(1).div_ceil(polls))
}

/// Returns the time of a hire by a worker with a part to give, and the time of becoming idle, in a crew of two.
fn hand_over(kernel: &dyn Kernel) -> (Duration, Duration) {
    let mut giver = kernel.another();
    let (mut hires, mut reports) = (Vec::new(), Vec::new());
    let protocol = HireProtocol::new(2, 0, NominationScope::All, [Task::root()]);
    let mut helper = Some(protocol.enter(1));
    let WaitOutcome::Hired { mut busy, .. } = protocol.enter(0).wait() else { unreachable!("it has the first task") };
    giver.begin(&Task::root());
    for _ in 0..ROUNDS {
        let clock = Instant::now();
        let served = busy.serve(Company::Half, |_, _| give(&mut *giver));
        hires.push(clock.elapsed());
        let idle = helper.take().filter(|_| served.hired.is_some());
        let Some(WaitOutcome::Hired { busy: hired, .. }) = idle.map(Idle::wait) else { break };
        let clock = Instant::now();
        helper = Some(hired.report());
        reports.push(clock.elapsed());
    }
    drop(busy);
    (median(hires), median(reports))
}

/// A part of the tree; the search begins again when it has none left.
fn give(giver: &mut dyn Kernel) -> Option<Task> {
    let mut tally = Tally::default();
    giver.split(HandOver::Shallowest).or_else(|| {
        giver.begin(&Task::root());
        giver.advance(Burst::nodes(16), &mut BurstOutput::counting(&mut tally));
        giver.split(HandOver::Shallowest).or(Some(Task::root()))
    })
}

/// Time to look at all [`MAILBOXES`].
fn look() -> Duration {
    let protocol = HireProtocol::new(MAILBOXES, 0, NominationScope::All, vec![(); MAILBOXES]);
    let mut crew: Vec<Busy<()>> = (0..MAILBOXES)
        .filter_map(|me| match protocol.enter(me).wait() {
            WaitOutcome::Hired { busy, .. } => Some(busy),
            WaitOutcome::Finished => None,
        })
        .collect();
    let seeker = crew.pop().map(Busy::retire);
    let looks = (0..ROUNDS).map(|_| {
        let clock = Instant::now();
        std::hint::black_box(seeker.as_ref().map(|seeker| seeker.look()));
        clock.elapsed()
    });
    median(looks.collect())
}

/// Time from the hire of a sleeping worker until its thread runs.
fn wake() -> Result<Duration, ThreadRefused> {
    let protocol = HireProtocol::new(2, 0, NominationScope::All, [()]);
    let (sender, receiver) = mpsc::channel();
    let protocol = &protocol;
    let times = thread::scope(|scope| {
        system::start_within(scope, "measuring", move || {
            let mut idle = protocol.enter(1);
            while let WaitOutcome::Hired { busy, .. } = idle.wait() {
                // At the end the receiver is closed.
                let _ = sender.send(Instant::now());
                idle = busy.report();
            }
        })?;
        let WaitOutcome::Hired { mut busy, .. } = protocol.enter(0).wait() else {
            unreachable!("it has the first task")
        };
        let times = (0..ROUNDS).map_while(|_| {
            while busy.mail().load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            thread::sleep(ASLEEP_AFTER);
            let clock = Instant::now();
            busy.serve(Company::Half, |_, _| Some(()));
            receiver.recv().ok().map(|woke| woke.saturating_duration_since(clock))
        });
        let times = times.collect();
        drop(busy);
        Ok(times)
    });
    times.map(median)
}

/// The median; zero when `times` is empty.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
