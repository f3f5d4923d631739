//! Threads that the system may refuse to start. Every thread of the program is started here.

use crate::test_halt;
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustix::io::Errno;
use std::io;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// A thread that the system refused to start.
#[derive(Debug, thiserror::Error)]
#[error("the {name} thread could not be started: {error}: {}", fewer_threads(0))]
pub struct ThreadRefused {
    name: String,
    /// What the system said.
    pub error: io::Error,
}

impl From<ThreadRefused> for io::Error {
    fn from(refused: ThreadRefused) -> io::Error {
        io::Error::other(refused)
    }
}

/// Starts a thread of this name.
///
/// # Errors
/// When the system refuses.
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, ThreadRefused> {
    begin(name, |builder| builder.spawn(work))
}

/// Starts a thread of this name that ends within a scope.
///
/// # Errors
/// When the system refuses.
pub fn start_within<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>, ThreadRefused> {
    begin(name, |builder| builder.spawn_scoped(scope, work))
}

fn begin<T>(name: &str, spawn: impl FnOnce(Builder) -> io::Result<T>) -> Result<T, ThreadRefused> {
    let started = if test_halt::is_thread_refused() {
        Err(Errno::AGAIN.into())
    } else {
        spawn(Builder::new().name(name.to_owned()))
    };
    started.map_err(|error| ThreadRefused { name: name.to_owned(), error })
}

/// What to do where the system has started this many threads and refuses the next one.
pub fn fewer_threads(started: usize) -> String {
    match started {
        0 => "raise the limit of processes, of the user (ulimit -u) or of the control group, or that of memory (ulimit -v, -d)".to_owned(),
        started => format!("use --threads {started}"),
    }
}

/// A pool of this many threads.
///
/// # Errors
/// Why the system refuses a thread, and what to do.
pub fn pool(threads: usize) -> Result<ThreadPool, String> {
    pool_with(threads, 1)
}

/// A pool of this many threads, of which each stands for `each` threads of the system, itself among them.
///
/// # Errors
/// As [`pool`].
pub fn pool_with(threads: usize, each: usize) -> Result<ThreadPool, String> {
    let mut started = 0;
    let start_next = |thread: rayon::ThreadBuilder| {
        start(&format!("pool-{started}"), || thread.run()).map_err(|refused| refused.error)?;
        started += 1;
        Ok(())
    };
    let pool = ThreadPoolBuilder::new().num_threads(threads).spawn_handler(start_next).build();
    pool.map_err(|error| {
        let advice = fewer_threads(started / each);
        format!("thread {} of {threads} could not be started: {error}: {advice}", started + 1)
    })
}
