//! Why a command failed, and faults of the program itself: a panic is reported in one line, and the exit code is 3.
//!
//! The message of a panicking thread is kept until it is clear what fails because of it: a crew makes it the failure of its
//! run, and a panic that is not caught fails the command. With `RUST_BACKTRACE=1` the trace follows the line.

use crate::lock::LockAlways as _;
use crate::memory::MemoryRefused;
use crate::signal;
use crate::system::ThreadRefused;
use signal_hook::consts::SIGHUP;
use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// The message of the first thread that panicked: later panics may follow from it.
static FIRST: Mutex<Option<Fault>> = Mutex::new(None);

/// What a panicking thread said.
#[derive(Clone)]
struct Fault {
    message: String,
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
        let fault = Fault { message: words(info.payload()), at, trace };
        FIRST.locked().get_or_insert(fault);
    }));
}

/// Runs `body`; a panic that is not caught in it is a failure.
///
/// # Errors
/// Those of `body`; [`Failure::Fault`] for a panic, and [`Failure::Running`] for what unwinds without one, as memory
/// does that the system refuses.
pub fn caught(body: impl FnOnce() -> Result<Answer, Failure>) -> Result<Answer, Failure> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(failure(&*payload)))
}

/// The failure that a thread left with.
pub fn failure(payload: &(dyn Any + Send)) -> Failure {
    match first() {
        Some(Fault { message, at, trace }) => {
            Failure::Fault(format!("{message} ({at}){}", trace.map_or(String::new(), |trace| format!("\n{trace}"))))
        }
        None => running(words(payload)),
    }
}

/// Where the panic happened that this message tells of, in brackets; nothing if it tells of none.
pub fn place(message: &str) -> String {
    let told = first().filter(|fault| message.contains(&fault.message));
    told.map_or(String::new(), |fault| format!(" ({})", fault.at))
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

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Wrong usage or bad input; exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Failed while running; exit code 3.
    #[error("{0}")]
    Running(String),
    /// The program itself is wrong: what it said, and where; exit code 3.
    #[error("this is a fault of the program: {0}")]
    Fault(String),
    /// What could not be read or written, and why; exit code 3, or quiet when a pipe was closed.
    #[error("{0}: {1}")]
    Io(String, io::Error),
}

impl From<ThreadRefused> for Failure {
    fn from(refused: ThreadRefused) -> Failure {
        running(refused)
    }
}

/// Wrong usage, or bad input.
pub fn usage(message: impl Display) -> Failure {
    Failure::Usage(message.to_string())
}

/// Refuses what was typed, if it is wrong.
///
/// # Errors
/// [`Failure::Usage`] with this message then.
pub fn refuse_if(is_wrong: bool, message: impl Display) -> Result<(), Failure> {
    if is_wrong { Err(usage(message)) } else { Ok(()) }
}

/// What failed while running.
pub fn running(why: impl Display) -> Failure {
    Failure::Running(why.to_string())
}

/// What could not be done, for an error of reading or writing.
pub fn io_failure(what: impl Display) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure::Io(what.to_string(), error)
}

/// What a command came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Yes,
    /// The answer is no, and the reason has been said.
    No(NoReason),
    /// A signal has ended it.
    Signal(i32),
    /// It is not known: what was to answer gave up, which has been said.
    Unknown,
    /// Another process has done it, with this exit code.
    Elsewhere(u8),
}

/// Why the answer of a command is no.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoReason {
    /// `find`, `rank`, `unrank`: there is no such tour, or none was found.
    NoTour,
    /// `verify`: a tour is invalid, or a line is none.
    NotValid,
    /// `merge`: parts are missing, or too few for an estimate.
    PartsMissing,
    /// `reproduce`, `bench`: a figure differs from the known one.
    Differs,
    /// `gpu map --compare`: device and CPU disagree.
    Disagrees,
}

impl Answer {
    /// No for this reason if `is_no`.
    pub fn no_if(is_no: bool, reason: NoReason) -> Answer {
        if is_no { Answer::No(reason) } else { Answer::Yes }
    }

    /// This, unless a signal has ended the command.
    pub fn or_signal(self, signal: Option<i32>) -> Answer {
        signal.map_or(self, Answer::Signal)
    }
}

/// The exit code of a command, from what it came to, or why it failed.
pub fn exit_code(ended: &Result<Answer, Failure>) -> u8 {
    match ended {
        Ok(Answer::Yes) => 0,
        Ok(Answer::No(_)) => 1,
        Ok(Answer::Unknown) => 3,
        Ok(Answer::Signal(signal)) => 128 + *signal as u8,
        Ok(Answer::Elsewhere(code)) => *code,
        Err(Failure::Usage(_)) => 2,
        // The reader of a closed pipe has read what it wanted.
        Err(Failure::Io(_, error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Failure::Io(_, error)) if signal::is_hangup(error) => 128 + SIGHUP as u8,
        Err(_) => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unwinds_is_a_failure_in_one_line() {
        let unwinding = caught(|| std::panic::resume_unwind(Box::new("no\n  memory".to_owned())));
        // Another test of the process may have panicked on purpose.
        assert!(matches!(unwinding, Err(Failure::Running(said) | Failure::Fault(said)) if !said.contains('\n')));
        assert!(matches!(caught(|| Ok(Answer::Yes)), Ok(Answer::Yes)));
        let refused = caught(|| Err(Failure::Usage("no".to_owned())));
        assert!(matches!(refused, Err(Failure::Usage(_))));
        assert_eq!((words(&"one\n  two"), words(&7)), ("one; two".to_owned(), "no message".to_owned()));
    }
}
