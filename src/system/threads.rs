//! Threads that the system may refuse to start.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::thread::Builder;

/// What to do where the system has started this many threads and refuses the next one.
pub fn fewer_threads(started: usize) -> String {
    match started {
        0 => "raise the limit of processes, of the user (ulimit -u) or of the control group".to_owned(),
        started => format!("use --threads {started}"),
    }
}

/// A pool of this many threads.
///
/// # Errors
/// Why the system refuses a thread, and what to do.
pub fn pool(threads: usize) -> Result<ThreadPool, String> {
    let mut started = 0;
    let start = |thread: rayon::ThreadBuilder| {
        Builder::new().spawn(|| thread.run())?;
        started += 1;
        Ok(())
    };
    let pool = ThreadPoolBuilder::new().num_threads(threads).spawn_handler(start).build();
    pool.map_err(|error| format!("{error}: {}", fewer_threads(started)))
}
