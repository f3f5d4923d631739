//! Signals that call the program to its end.
//!
//! # Protocol
//!
//! The first call is answered by the program: it stops its work, saves what was asked for and gives the terminal back.
//! Any further call has its usual effect at once, whatever the program is doing: somebody does not want to wait, or
//! waits in vain. With one exception: SIGHUP after SIGHUP within [`GRACE`] is the same call said twice. A shell whose
//! terminal is closed passes SIGHUP on to its jobs, and when it has ended of it the system sends another one to the job
//! in the foreground, a fraction of a millisecond later; that one is not to cost what the first one asks to be saved.
//!
//! Two gates say whether a signal has its usual effect: one for SIGHUP, one for all others. They are shut at first, and
//! once open stay open.
//!
//! * **The first call does not act.** A signal's handler looks at its gate before it opens any, and nobody else opens
//!   one before [`Calls::release`].
//! * **Any further call acts at once**, less the exception. The handler itself opens the gates, SIGHUP only that for
//!   the others, another signal both. So it takes no thread of ours to notice: a main thread that is stuck is no
//!   hindrance.
//! * **The exception ends.** [`Listener::listen`] hears the SIGHUP on a thread of its own and has its gate opened after
//!   [`GRACE`], whatever the main thread does. Other signals act in the meantime.
//! * **A program that holds something to give back gives it back.** [`Calls::catch_and`] names what is to be done before a
//!   further call acts: a terminal in raw mode is restored. No handler can do that, so its handlers open no gate, and the
//!   thread of [`Listener::listen`] does what the handlers do otherwise: it tells a further call from the first and from
//!   the exception, opens both gates, gives back, and lets the signal act. The gates come first: should that thread be
//!   held up, one more call acts by its handler alone. The thread writes nothing that is waited for, so a terminal that
//!   takes no output does not hold it up. Two calls of one signal that come before it has woken are one call.
//! * **After the release signals act**, but a SIGHUP within [`GRACE`] of the one that ended the program: what is saved
//!   is saved after the release.
//!
//! A signal that is ignored when it would be caught stays ignored, see [`is_ignored`].

use super::ignored::is_ignored;
use crate::test_halt;
use signal_hook::consts::SIGHUP;
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a SIGHUP is taken for another word of the one before.
pub const GRACE: Duration = Duration::from_secs(1);

/// The calls that have come, and the gates.
#[derive(Clone, Debug, Default)]
struct Shared {
    /// The last signal; 0 for none.
    last: Arc<AtomicUsize>,
    hangup: Arc<AtomicBool>,
    others: Arc<AtomicBool>,
}

/// Signals that call the program to its end, caught from now on.
#[derive(Debug)]
pub struct Calls {
    shared: Shared,
    handle: Handle,
}

/// Hears the calls; somebody has to let it [`listen`](Listener::listen).
#[derive(Debug)]
pub struct Listener {
    shared: Shared,
    signals: Signals,
    /// What is done before a further call acts; nothing where the handlers let it act.
    give_back: Option<fn()>,
}

impl Calls {
    /// Catches those of these signals that are not ignored.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn catch(signals: &[i32]) -> io::Result<(Calls, Listener)> {
        Calls::catch_by(signals, None)
    }

    /// The same of a program that holds something to give back before a further call acts: `give_back` must wait for
    /// nothing.
    ///
    /// # Errors
    /// As [`Calls::catch`].
    pub fn catch_and(signals: &[i32], give_back: fn()) -> io::Result<(Calls, Listener)> {
        Calls::catch_by(signals, Some(give_back))
    }

    fn catch_by(signals: &[i32], give_back: Option<fn()>) -> io::Result<(Calls, Listener)> {
        let caught: Vec<i32> = signals.iter().copied().filter(|&signal| !is_ignored(signal)).collect();
        let shared = Shared::default();
        // First of all: a call that is noted is heard too.
        let signals = Signals::new(&caught)?;
        for signal in caught {
            let own = if signal == SIGHUP { &shared.hangup } else { &shared.others };
            // Handlers do these in their order.
            flag::register_conditional_default(signal, own.clone())?;
            flag::register_usize(signal, shared.last.clone(), signal as usize)?;
            if give_back.is_some() {
                continue;
            }
            flag::register(signal, shared.others.clone())?;
            if signal != SIGHUP {
                flag::register(signal, shared.hangup.clone())?;
            }
        }
        let handle = signals.handle();
        Ok((Calls { shared: shared.clone(), handle }, Listener { shared, signals, give_back }))
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
        self.shared.others.store(true, Ordering::SeqCst);
        match self.last() {
            // It may not have been heard yet, and nobody else would open the gate then.
            Some(SIGHUP) => self.shared.open_later(),
            _ => self.shared.open(),
        }
        self.handle.close();
    }
}

impl Listener {
    /// Calls `heard` for every call, until they are released.
    pub fn listen(mut self, heard: impl Fn()) {
        let mut before: Option<(i32, Instant)> = None;
        for signal in self.signals.forever() {
            self.shared.last.store(signal as usize, Ordering::SeqCst);
            let is_same = |&(last, when): &(i32, Instant)| (last, signal) == (SIGHUP, SIGHUP) && when.elapsed() < GRACE;
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
            if signal == SIGHUP && self.give_back.is_none() {
                self.shared.open_later();
            }
        }
    }
}

impl Shared {
    fn last(&self) -> Option<i32> {
        match self.last.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal as i32),
        }
    }

    /// Opens both gates.
    fn open(&self) {
        self.others.store(true, Ordering::SeqCst);
        self.hangup.store(true, Ordering::SeqCst);
    }

    /// Opens the gate for SIGHUP after [`GRACE`].
    fn open_later(&self) {
        let gate = self.hangup.clone();
        let wait = move || {
            std::thread::sleep(GRACE);
            gate.store(true, Ordering::SeqCst);
        };
        // Where no thread can be had other signals still end the program.
        let _ = std::thread::Builder::new().name("hangup".to_owned()).spawn(wait);
    }
}
