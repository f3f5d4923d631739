//! What things cost on this machine: measured with the kernel and the protocol themselves, on one thread but for the
//! waking up, which takes two. Medians, and for nodes the fastest slice of time, so that a busy machine is borne.
//!
//! Between threads of one crew a mailbox lies in the cache of another core; here all lie in that of the one that looks. So
//! what is found for looking is the least that it costs.

use super::costs::Costs;
use crate::schedule::protocol::{Busy, Company, Idle, NominationScope, Office, WaitOutcome};
use crate::search::{Burst, BurstEnd, BurstOutput, HandOver, Kernel, Tally, Task};
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// How often nodes are entered for a slice of time, of which the fastest counts.
const SLICES: usize = 30;
/// How long a slice is at least.
const SLICE: Duration = Duration::from_millis(10);
/// Polls of the sparse gear between two looks at the clock.
const POLLS: u64 = 16;
/// How often the rest is done.
const ROUNDS: usize = 200;
/// Mailboxes that are looked at.
const DESKS: usize = 1024;
/// So long somebody who waits is left alone, so as to be asleep.
const ASLEEP_AFTER: Duration = Duration::from_micros(300);

/// Measures, on the tree of `kernel`.
pub fn measure(kernel: &dyn Kernel) -> Costs {
    let (node_ns, burst) = node(&mut *kernel.another());
    let in_nodes = |time: Duration| time.as_nanos() as f64 / node_ns;
    let (hand_over, nominate) = hand_over(kernel);
    let [hand_over, nominate, wake, look] = [hand_over, nominate, wake(), look()].map(in_nodes);
    Costs { hand_over, wake, nominate, look: look / DESKS as f64, burst, node_ns }
}

/// Nanoseconds of a node, as threads enter it, and nodes between two looks at the mailbox.
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

/// How long it takes to hire, of a worker that has a part to give, and to fall idle, in a crew of two.
fn hand_over(kernel: &dyn Kernel) -> (Duration, Duration) {
    let mut giver = kernel.another();
    let (mut hires, mut reports) = (Vec::new(), Vec::new());
    let office = Office::new(2, 0, NominationScope::All, [Task::root()]);
    let mut helper = Some(office.enter(1));
    let WaitOutcome::Hired { mut busy, .. } = office.enter(0).wait() else { unreachable!("it has the first task") };
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

/// A part of the tree, which is begun again when there is none.
fn give(giver: &mut dyn Kernel) -> Option<Task> {
    let mut tally = Tally::default();
    giver.split(HandOver::Shallowest).or_else(|| {
        giver.begin(&Task::root());
        giver.advance(Burst::nodes(16), &mut BurstOutput::counting(&mut tally));
        giver.split(HandOver::Shallowest).or(Some(Task::root()))
    })
}

/// How long it takes to look at many mailboxes.
fn look() -> Duration {
    let office = Office::new(DESKS, 0, NominationScope::All, vec![(); DESKS]);
    let mut crew: Vec<Busy<()>> = (0..DESKS)
        .filter_map(|me| match office.enter(me).wait() {
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

/// From the moment at which a sleeping worker is hired until it runs.
fn wake() -> Duration {
    let office = Office::new(2, 0, NominationScope::All, [()]);
    let (woke, wakes) = mpsc::channel();
    let office = &office;
    let times = thread::scope(|scope| {
        scope.spawn(move || {
            let mut idle = office.enter(1);
            while let WaitOutcome::Hired { busy, .. } = idle.wait() {
                // Nobody listens any more at the end.
                let _ = woke.send(Instant::now());
                idle = busy.report();
            }
        });
        let WaitOutcome::Hired { mut busy, .. } = office.enter(0).wait() else { unreachable!("it has the first task") };
        let times = (0..ROUNDS).map_while(|_| {
            while busy.mail().load(Ordering::Relaxed) == 0 {
                thread::yield_now();
            }
            thread::sleep(ASLEEP_AFTER);
            let clock = Instant::now();
            busy.serve(Company::Half, |_, _| Some(()));
            wakes.recv().ok().map(|woke| woke.saturating_duration_since(clock))
        });
        let times = times.collect();
        drop(busy);
        times
    });
    median(times)
}

/// The middle one; nothing of none.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
