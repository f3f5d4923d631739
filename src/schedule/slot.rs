//! What the hire protocol keeps for each worker: its mailbox, the key by which it is nominated, the state of its sleep;
//! and the words in which the calls of the protocol are asked and answered.
//!
//! `protocol.rs` alone writes here; README.md says who may write what, and when.

use super::sync::{AtomicBool, AtomicU32, CachePadded, Condvar, Mutex};

/// The level of a worker that has nothing to give: such a worker is nominated only when no worker has anything to give.
pub const NOTHING_TO_GIVE: u32 = u32::MAX;

/// An empty mailbox, the end of a list, and no worker: worker `id` is written as `id + 1`.
pub(super) const NONE: u32 = 0;
/// The mailbox of a worker that has no task.
pub(super) const CLOSED: u32 = u32::MAX;

/// Which of the helpers still waiting go along with a hired one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Company {
    /// Half of the helpers, rounded down: hiring fans out like a binary tree.
    Half,
    /// None: all helpers queue at the same worker, as in the source.
    None,
}

/// Among which workers a worker that falls idle nominates the one with the lowest level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NominationScope {
    /// All workers: every mailbox is looked at.
    All,
    /// This many workers that have something to give: each is the next such worker from a place drawn at random.
    Drawn(u32),
}

/// What one call of [`Busy::serve`](super::protocol::Busy::serve) did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Served {
    /// The worker that was hired.
    pub hired: Option<usize>,
    /// The helpers that went along with the hired worker; the one that has waited longest is last.
    pub handed: Vec<u32>,
    /// Number of helpers that still wait here, to be served when there is something to give.
    pub waiting: usize,
}

/// The result of a nomination by a worker that fell idle or left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nomination {
    /// The worker nominated; `None` when all are idle, or when a worker leaves at which no helper waits.
    pub whom: Option<usize>,
    /// Number of helpers that had been waiting here and now wait at the nominated worker.
    pub donated: usize,
}

/// The worker that another one would nominate at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nominee {
    /// The worker; `None` when no mailbox is open.
    pub whom: Option<usize>,
    /// Number of mailboxes that were looked at.
    pub looked: usize,
}

/// What a helper finds when it has waited.
pub(super) enum WaitAnswer<T> {
    /// It is hired: its task, the worker that hired it, and how many helpers already wait at it.
    Hired {
        task: T,
        /// The worker that hired it; `None` for the first tasks.
        by: Option<usize>,
        /// Number of helpers in its mailbox.
        helpers: usize,
    },
    /// All workers are idle.
    Finished,
}

/// The part of a slot that other workers read often: one cache line, polled by its owner as often as its search asks.
pub(super) struct Front {
    /// [`NONE`], a worker + 1 (the head of the list of helpers) or [`CLOSED`].
    pub mail: AtomicU32,
    /// The key of nomination: lower is better.
    pub level: AtomicU32,
}

/// Whether the owner of a slot sleeps, and the answer that ends its wait; under a lock.
pub(super) struct SleepState<T> {
    /// What the worker was told and has not taken yet.
    pub answer: Option<WaitAnswer<T>>,
    /// Whether the worker sleeps until it is woken.
    pub asleep: bool,
    /// Whether the worker has come.
    pub entered: bool,
}

/// The part of the protocol's shared memory that belongs to one worker.
pub(super) struct WorkerSlot<T> {
    /// What other workers read often.
    pub front: CachePadded<Front>,
    /// The helper behind this one in the list it is on.
    pub next: AtomicU32,
    /// The worker at which this one waits, + 1; for a view.
    pub whom: AtomicU32,
    /// Number of random numbers drawn so far.
    pub draws: AtomicU32,
    /// Says that `sleep` holds an answer, so that spinning needs no lock. Only a hint.
    pub answered: AtomicBool,
    /// Where the worker waits.
    pub sleep: Mutex<SleepState<T>>,
    /// Wakes the worker.
    pub wake: Condvar,
}

impl<T> WorkerSlot<T> {
    /// The slot of a worker with this mailbox, which may have been told something already.
    pub fn new(mail: u32, answer: Option<WaitAnswer<T>>) -> WorkerSlot<T> {
        WorkerSlot {
            front: CachePadded::new(Front { mail: AtomicU32::new(mail), level: AtomicU32::new(NOTHING_TO_GIVE) }),
            next: AtomicU32::new(NONE),
            whom: AtomicU32::new(NONE),
            draws: AtomicU32::new(0),
            answered: AtomicBool::new(answer.is_some()),
            sleep: Mutex::new(SleepState { answer, asleep: false, entered: false }),
            wake: Condvar::new(),
        }
    }
}
