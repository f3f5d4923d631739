//! Faults of the program itself: a panic is reported in one line, and the exit code is 3.
//!
//! The message of a panicking thread is kept until it is clear what fails because of it: a crew makes it the failure of its
//! run, and a panic that is not caught fails the command. With `RUST_BACKTRACE=1` the trace follows the line.

use crate::job::failure::{Failure, running};
use crate::lock::LockAlways as _;
use crate::memory::MemoryRefused;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// The message of the first thread that panicked: later panics may follow from it.
static FIRST: Mutex<Option<Fault>> = Mutex::new(None);

/// What a panicking thread said.
#[derive(Clone)]
struct Fault {
    said: String,
    /// File, line and column.
    at: String,
    trace: Option<String>,
}

/// From now on the messages of panicking threads are kept, and not printed.
pub fn keep() {
    std::panic::set_hook(Box::new(|info| {
        let trace = Backtrace::capture();
        let trace = (trace.status() == BacktraceStatus::Captured).then(|| trace.to_string());
        let at = info.location().map_or_else(|| "an unknown place".to_owned(), ToString::to_string);
        let fault = Fault { said: words(info.payload()), at, trace };
        FIRST.locked().get_or_insert(fault);
    }));
}

/// Runs `body`; a panic that is not caught in it is a failure.
///
/// # Errors
/// Those of `body`; [`Failure::Fault`] for a panic, and [`Failure::Running`] for what unwinds without one, as memory
/// does that the system refuses.
pub fn caught(body: impl FnOnce() -> Result<u8, Failure>) -> Result<u8, Failure> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(failure(&*payload)))
}

/// The failure that a thread left with.
pub fn failure(payload: &(dyn Any + Send)) -> Failure {
    match first() {
        Some(Fault { said, at, trace }) => {
            Failure::Fault(format!("{said} ({at}){}", trace.map_or(String::new(), |trace| format!("\n{trace}"))))
        }
        None => running(words(payload)),
    }
}

/// Where the panic happened that this message tells of, in brackets; nothing if it tells of none.
pub fn place(message: &str) -> String {
    match first() {
        Some(Fault { said, at, .. }) if message.contains(&said) => format!(" ({at})"),
        _ => String::new(),
    }
}

fn first() -> Option<Fault> {
    FIRST.locked().clone()
}

/// What was said, in one line.
fn words(payload: &(dyn Any + Send)) -> String {
    if let Some(refused) = payload.downcast_ref::<MemoryRefused>() {
        return refused.to_string();
    }
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    text.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unwinds_is_a_failure_in_one_line() {
        let unwinding = caught(|| std::panic::resume_unwind(Box::new("no\n  memory".to_owned())));
        // Another test of the process may have panicked on purpose.
        assert!(matches!(unwinding, Err(Failure::Running(said) | Failure::Fault(said)) if !said.contains('\n')));
        assert!(matches!(caught(|| Ok(7)), Ok(7)));
        let refused = caught(|| Err(Failure::Usage("no".to_owned())));
        assert!(matches!(refused, Err(Failure::Usage(_))));
        assert_eq!((words(&"one\n  two"), words(&7)), ("one; two".to_owned(), "no message".to_owned()));
    }
}
