//! Signals that call the program to its end.
//!
//! # Protocol
//!
//! The first call is answered by the program: it stops its work, saves what was asked for and gives the terminal back.
//! Any further call has its usual effect at once, whatever the program is doing: the user does not want to wait, or
//! waits in vain. With one exception: SIGHUP after SIGHUP, or SIGTERM after SIGTERM, within [`GRACE`] is the same call said
//! twice ([`PAIRED`]). A shell whose terminal is closed passes SIGHUP on to its jobs, and when it has ended of it the system
//! sends another one to the job in the foreground, a fraction of a millisecond later. GNU `timeout` sends SIGTERM to its
//! program and then to the program's group. The second signal is not to cost what the first one asks to be saved.
//!
//! Three gates say whether a signal has its usual effect: one for SIGHUP, one for SIGTERM, one for all others. They are shut
//! at first, and once open stay open.
//!
//! * **The first call does not act.** A signal's handler looks at its gate before it opens any, and nobody else opens
//!   one before [`CaughtSignals::release`].
//! * **Any further call acts at once**, less the exception. The handler itself opens the gates, SIGHUP and
//!   SIGTERM all but their own, another signal all. So it takes no thread of ours to notice: a main thread that is stuck is no
//!   hindrance.
//! * **The exception ends.** [`SignalListener::listen`] hears the signal on a thread of its own and has its gate opened after
//!   [`GRACE`], whatever the main thread does. Other signals act in the meantime.
//! * **A program that holds something to give back gives it back.** [`CaughtSignals::catch_and`] names what is to be done before a
//!   further call acts: a terminal in raw mode is restored. No handler can do that, so its handlers open no gate, and the
//!   thread of [`SignalListener::listen`] does what the handlers do otherwise: it tells a further call from the first and from
//!   the exception, opens all gates, gives back, and lets the signal act. The gates come first: should that thread be
//!   held up, one more call acts by its handler alone. The thread writes nothing that is waited for, so a terminal that
//!   takes no output does not hold it up. Two calls of one signal that come before it has woken are one call.
//! * **After the release signals act**, but the second of a pair within [`GRACE`] of the one that ended the program: what is saved
//!   is saved after the release.
//!
//! A signal that is ignored when it would be caught stays ignored, see [`is_ignored`].

use super::ignored::is_ignored;
use crate::test_halt;
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long the second signal of a pair is taken for the call of the first.
pub const GRACE: Duration = Duration::from_secs(1);
/// Signals that other programs send in pairs.
const PAIRED: [i32; 2] = [SIGHUP, SIGTERM];

/// The calls that have come, and the gates.
#[derive(Clone, Debug, Default)]
struct SharedCalls {
    /// The last signal; 0 for none.
    last: Arc<AtomicUsize>,
    /// One gate for each of [`PAIRED`], and the one for all others.
    gates: [Arc<AtomicBool>; PAIRED.len() + 1],
}

/// Signals that call the program to its end, caught from now on.
#[derive(Debug)]
pub struct CaughtSignals {
    shared: SharedCalls,
    handle: Handle,
}

/// Hears the calls, once a thread lets it [`listen`](SignalListener::listen).
#[derive(Debug)]
pub struct SignalListener {
    shared: SharedCalls,
    signals: Signals,
    /// What is done before a further call acts; nothing where the handlers let it act.
    give_back: Option<fn()>,
}

impl CaughtSignals {
    /// Catches those of these signals that are not ignored.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn catch(signals: &[i32]) -> io::Result<(CaughtSignals, SignalListener)> {
        CaughtSignals::catch_by(signals, None)
    }

    /// The same of a program that holds something to give back before a further call acts: `give_back` must wait for
    /// nothing.
    ///
    /// # Errors
    /// As [`CaughtSignals::catch`].
    pub fn catch_and(signals: &[i32], give_back: fn()) -> io::Result<(CaughtSignals, SignalListener)> {
        CaughtSignals::catch_by(signals, Some(give_back))
    }

    fn catch_by(signals: &[i32], give_back: Option<fn()>) -> io::Result<(CaughtSignals, SignalListener)> {
        let caught: Vec<i32> = signals.iter().copied().filter(|&signal| !is_ignored(signal)).collect();
        let shared = SharedCalls::default();
        // First of all: a call that is noted is heard too.
        let signals = Signals::new(&caught)?;
        for signal in caught {
            let own = shared.gate(signal);
            // Handlers do these in their order.
            flag::register_conditional_default(signal, own.clone())?;
            flag::register_usize(signal, shared.last.clone(), signal as usize)?;
            if give_back.is_some() {
                continue;
            }
            for gate in &shared.gates {
                if !(is_paired(signal) && Arc::ptr_eq(gate, own)) {
                    flag::register(signal, gate.clone())?;
                }
            }
        }
        let handle = signals.handle();
        Ok((CaughtSignals { shared: shared.clone(), handle }, SignalListener { shared, signals, give_back }))
    }

    /// The last call, if one has come.
    pub fn last(&self) -> Option<i32> {
        self.shared.last()
    }

    /// The terminal was seen to go away. That is the call whose SIGHUP may still be on its way.
    pub fn hung_up(&self) {
        let _ = self.shared.last.compare_exchange(0, SIGHUP as usize, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// From now on signals do what they do to any program; nobody listens any more.
    pub fn release(&self) {
        match self.last() {
            // The listener may not have heard it yet, and no other thread would open its gate then.
            Some(signal) if is_paired(signal) => {
                self.shared.open_but(signal);
                self.shared.open_later(signal);
            }
            _ => self.shared.open(),
        }
        // A signal that came a moment ago may never be heard.
        test_halt::answered();
        self.handle.close();
    }
}

impl SignalListener {
    /// Calls `heard` for every call, until they are released.
    pub fn listen(mut self, heard: impl Fn()) {
        let mut before: Option<(i32, Instant)> = None;
        for signal in self.signals.forever() {
            self.shared.last.store(signal as usize, Ordering::SeqCst);
            let is_same =
                |&(last, when): &(i32, Instant)| last == signal && is_paired(signal) && when.elapsed() < GRACE;
            let is_further = before.is_some_and(|call| !is_same(&call));
            if let Some(give_back) = self.give_back.filter(|_| is_further) {
                self.shared.open();
                give_back();
                // Where the system does not know the signal's usual effect the next one has it.
                let _ = emulate_default_handler(signal);
            }
            before = before.filter(is_same).or(Some((signal, Instant::now())));
            heard();
            test_halt::answered();
            if is_paired(signal) && self.give_back.is_none() {
                self.shared.open_later(signal);
            }
        }
    }
}

/// Whether a second signal of this kind within [`GRACE`] is the same call.
fn is_paired(signal: i32) -> bool {
    PAIRED.contains(&signal)
}

impl SharedCalls {
    fn last(&self) -> Option<i32> {
        match self.last.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal as i32),
        }
    }

    /// The gate of a signal.
    fn gate(&self, signal: i32) -> &Arc<AtomicBool> {
        let pair = PAIRED.iter().position(|&paired| paired == signal);
        &self.gates[pair.unwrap_or(PAIRED.len())]
    }

    /// Opens all gates.
    fn open(&self) {
        self.gates.iter().for_each(|gate| gate.store(true, Ordering::SeqCst));
    }

    /// Opens all gates but that of one signal.
    fn open_but(&self, signal: i32) {
        let others = self.gates.iter().filter(|gate| !Arc::ptr_eq(gate, self.gate(signal)));
        others.for_each(|gate| gate.store(true, Ordering::SeqCst));
    }

    /// Opens the gate of one signal after [`GRACE`].
    fn open_later(&self, signal: i32) {
        let gate = self.gate(signal).clone();
        let wait = move || {
            std::thread::sleep(GRACE);
            gate.store(true, Ordering::SeqCst);
        };
        // Where no thread can be had other signals still end the program.
        let _ = std::thread::Builder::new().name("second signal".to_owned()).spawn(wait);
    }
}
