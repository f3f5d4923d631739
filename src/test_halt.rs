//! Named points at which a test ends the program. So a test can try what a killed or stopped run leaves at every one of
//! these points, and not at random moments.
//!
//! `DESTRIER_TEST_HALT=ACTION@POINT:N` ends the process when it reaches POINT for the N-th time; for [`HaltPoint::Nodes`],
//! when its workers have entered N nodes. ACTION is `kill`, which is SIGKILL, or `stop`, `hup` or `int`, which are SIGTERM, SIGHUP
//! and SIGINT: the thread that reached the point continues when the program has answered that signal, so that the stop is at this
//! point and not after it. Such a signal is sent twice, as other programs send it: that is one request, however slow the
//! machine is ([`patient`]). `refuse@thread:N` refuses the N-th thread, as the system does at the limit of processes. The
//! variable is read once, at the start. A point that no variable names costs one load and a branch that is never
//! taken.

use crate::table::table;
use rustix::process::{Signal, getpid, kill_process};
use std::io::Write;
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Environment variable that names the point.
pub const VARIABLE: &str = "DESTRIER_TEST_HALT";
/// Interval at which the thread that asked for a stop looks whether the program has answered.
const LOOK_EVERY: Duration = Duration::from_millis(1);

table! {
    /// A point of a run at which a test can end the program.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum HaltPoint(name: &'static str) {
        /// The workers are about to begin, at first and after each break for a checkpoint; or a count is about to be planned,
        /// or to begin.
        Start: "start";
        /// A row of a count is done and not saved yet.
        Row: "row";
        /// The workers of a search or of a race have entered this many nodes.
        Nodes: "nodes";
        /// A file is on the disk and does not have its name yet.
        Save: "save";
        /// A file has just got its name: a checkpoint, the generation before it, or an output file.
        Rename: "rename";
        /// A thread is about to be started.
        Thread: "thread";
    }
}

/// The signals that the process sends to itself at the point; with none it is refused what it asks for.
const ACTIONS: [(&str, Option<Signal>); 5] = [
    ("kill", Some(Signal::KILL)),
    ("stop", Some(Signal::TERM)),
    ("hup", Some(Signal::HUP)),
    ("int", Some(Signal::INT)),
    ("refuse", None),
];

/// The point at which this process ends.
#[derive(Debug)]
struct TestHalt {
    /// `None`: what is asked for is refused.
    signal: Option<Signal>,
    point: HaltPoint,
    /// Number of the crossing at which the process ends, from 1; for nodes, the number of nodes.
    at: u64,
    crossed: AtomicU64,
}

/// Set once, before any thread is started.
static ARMED: OnceLock<TestHalt> = OnceLock::new();
/// Whether the program has answered a signal, or answers none any more.
static ANSWERED: AtomicBool = AtomicBool::new(false);

impl FromStr for TestHalt {
    type Err = String;

    fn from_str(text: &str) -> Result<TestHalt, String> {
        let parsed = || {
            let (action, place) = text.split_once('@')?;
            let (_, signal) = ACTIONS.into_iter().find(|&(of, _)| of == action)?;
            let (name, at) = place.split_once(':')?;
            let point = HaltPoint::ALL.into_iter().find(|point| point.name() == name)?;
            let at = at.bytes().all(|byte| byte.is_ascii_digit()).then(|| at.parse().ok())??;
            let fits = signal.is_none() == (point == HaltPoint::Thread);
            (at > 0 && fits).then(|| TestHalt { signal, point, at, crossed: AtomicU64::new(0) })
        };
        let actions = ACTIONS.map(|(name, _)| name)[..4].join("|");
        let names = HaltPoint::ALL.map(HaltPoint::name)[..5].join("|");
        let forms = format!("{actions}@{names}:N or refuse@thread:N");
        parsed().ok_or_else(|| format!("{VARIABLE}={text}: it is {forms}, with N from 1; unset it"))
    }
}

/// Reads the variable; to be called once, before any thread is started.
///
/// # Errors
/// When the variable has any other form; the text is a sentence that names the variable.
pub fn arm() -> Result<(), String> {
    let Some(text) = std::env::var_os(VARIABLE) else { return Ok(()) };
    let halt = text.to_string_lossy().parse()?;
    // If it is set already, it has this value: the variable does not change.
    let _ = ARMED.set(halt);
    Ok(())
}

/// Says that the process has reached this point.
#[inline]
pub fn reached(point: HaltPoint) {
    if let Some(halt) = ARMED.get() {
        halt.cross(point, 1);
    }
}

/// Says that a worker has entered this many nodes since its last call. `nodes` is called only if a point is set.
#[inline]
pub fn entered(nodes: impl FnOnce() -> u64) {
    if let Some(halt) = ARMED.get() {
        halt.cross(HaltPoint::Nodes, nodes());
    }
}

/// Whether the thread that is about to be started is refused.
pub fn is_thread_refused() -> bool {
    let refusing = ARMED.get().filter(|halt| halt.counts(HaltPoint::Thread, 1));
    refusing.inspect(|halt| halt.say_reached()).is_some()
}

/// Says that the program has answered a signal, or answers none any more.
pub fn answered() {
    ANSWERED.store(true, Ordering::SeqCst);
}

/// A time within which a second signal is one request with the first: where a test has named a point, more than that takes.
pub fn patient(time: Duration) -> Duration {
    if ARMED.get().is_some() { 100 * time } else { time }
}

impl TestHalt {
    fn cross(&self, point: HaltPoint, times: u64) {
        if self.counts(point, times) {
            self.act();
        }
    }

    /// Counts these crossings; answers whether the wanted crossing is among them.
    fn counts(&self, point: HaltPoint, times: u64) -> bool {
        if point != self.point {
            return false;
        }
        let before = self.crossed.fetch_add(times, Ordering::SeqCst);
        before < self.at && self.at <= before.saturating_add(times)
    }

    fn act(&self) {
        self.say_reached();
        let Some(signal) = self.signal else { return };
        for _ in 0..2 {
            if kill_process(getpid(), signal).is_err() {
                return;
            }
            while !ANSWERED.load(Ordering::SeqCst) {
                std::thread::sleep(LOOK_EVERY);
            }
        }
    }

    /// By this line a test knows that the point was reached. If it cannot be written, the point acts nevertheless.
    fn say_reached(&self) {
        let _ = writeln!(std::io::stderr(), "{VARIABLE}: reached {:?} {}", self.point, self.at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_halt_is_an_action_a_point_and_a_number() {
        for point in HaltPoint::ALL.into_iter().filter(|&point| point != HaltPoint::Thread) {
            let halt: TestHalt = format!("stop@{}:12", point.name()).parse().unwrap();
            assert_eq!((halt.signal, halt.point, halt.at), (Some(Signal::TERM), point, 12));
        }
        let halt: TestHalt = "refuse@thread:2".parse().unwrap();
        assert_eq!((halt.signal, halt.point, halt.at), (None, HaltPoint::Thread, 2));
        let wrong = [
            "",
            "kill",
            "kill@save",
            "kill@save:",
            "kill@save:0",
            "kill@save:+1",
            "kill@save:x",
            "kill@disk:1",
            "kill@thread:1",
            "refuse@save:1",
        ];
        for text in
            wrong.into_iter().chain(["pause@save:1", "KILL@save:1", "kill@save:1 ", "kill@save:99999999999999999999"])
        {
            let refused = text.parse::<TestHalt>().unwrap_err();
            assert!(
                refused.contains("kill|stop|hup|int@start|row|nodes|save|rename:N or refuse@thread:N"),
                "{refused}"
            );
        }
    }

    #[test]
    fn a_halt_acts_once_at_its_crossing() {
        let halt: TestHalt = "kill@save:3".parse().unwrap();
        let points =
            [HaltPoint::Save, HaltPoint::Rename, HaltPoint::Save, HaltPoint::Row, HaltPoint::Save, HaltPoint::Save];
        assert_eq!(points.map(|point| halt.counts(point, 1)), [false, false, false, false, true, false]);
        // Many nodes are counted at a time.
        let halt: TestHalt = "stop@nodes:1000".parse().unwrap();
        assert_eq!([999, 0, 500, 1000].map(|nodes| halt.counts(HaltPoint::Nodes, nodes)), [false, false, true, false]);
    }
}
