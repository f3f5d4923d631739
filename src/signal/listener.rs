//! Signals that ask the program to end.
//!
//! # Protocol
//!
//! The program answers the first signal: it stops its work, saves what is to be saved and restores the terminal. Any
//! further signal has its usual effect at once, whatever the program is doing: the user does not want to wait, or waits in
//! vain.
//!
//! There are two exceptions. A second SIGHUP, SIGTERM or SIGUSR2 within a second of the first counts as one request with it, and
//! so does a second SIGINT within half a second ([`PAIRED`]). A shell whose terminal is closed passes SIGHUP on to its jobs. When
//! the shell has ended because of it, the system sends another SIGHUP to the job in the foreground, a fraction of a millisecond
//! later. GNU `timeout` sends SIGTERM, or the signal that it is told to send, to its program and then to the program's group. The
//! second signal must not cost what the first one asks to be saved. A user who presses Ctrl-C again waits in vain, and is told what
//! that costs as soon as it acts.
//!
//! SIGXCPU is never a further request: beyond the limit of CPU time the system sends it again for each further second, until
//! the hard limit ends the process.
//!
//! Gates say whether a signal has its usual effect: one for each of [`PAIRED`], one for all others. They are shut at first,
//! and once open stay open.
//!
//! * **The first signal does not act.** A signal's handler looks at its gate before it opens any gate, and no other code
//!   opens one before [`CaughtSignals::release`].
//! * **Any further signal acts at once**, but for the exceptions. The handler itself opens the gates: a signal of [`PAIRED`]
//!   opens all but its own, another signal opens all. SIGXCPU looks at no gate. So no thread of the program is needed: a
//!   main thread that is stuck is no hindrance.
//! * **The time of a pair ends.** [`SignalListener::listen`] receives the signal on a thread of its own and has its gate opened
//!   after its [`grace`], whatever the main thread does. Other signals act in the meantime.
//! * **A program that holds something to give back gives it back.** [`CaughtSignals::catch_with`] names what is to be done
//!   before a further signal acts: a terminal in raw mode is restored. No handler can do that, so in this case the handlers
//!   open no gate, and the thread of [`SignalListener::listen`] does their work. It tells a further signal from the first
//!   and from the exceptions, opens all gates, gives back, and lets the signal act. The gates are opened first: should that
//!   thread be held up, one more signal acts by its handler alone. The thread writes nothing that can block, so a terminal
//!   that takes no output does not hold it up. Two signals of one kind that arrive before it has woken count as one
//!   request.
//! * **After the release signals act**, but for the second signal of a pair within its [`grace`] after the one that ended the
//!   program: what is saved is saved after the release.
//!
//! A signal that is ignored when it would be caught stays ignored, see [`is_ignored`].

use super::disposition::is_ignored;
use crate::system;
use crate::test_halt;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR2, SIGXCPU};
use signal_hook::flag;
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Signals that end a run, unless the program was started with them ignored. Batch systems send SIGXCPU and SIGUSR2 some time
/// before SIGKILL.
pub const ENDING: [i32; 5] = [SIGXCPU, SIGUSR2, SIGINT, SIGTERM, SIGHUP];
/// Signals that other programs send in pairs, and for how many milliseconds the second one counts as part of the request of the
/// first. SIGINT is also sent by a person, who does not wait long before pressing the key again.
const PAIRED: [(i32, u64); 4] = [(SIGHUP, 1000), (SIGTERM, 1000), (SIGUSR2, 1000), (SIGINT, 500)];

/// The last signal, and the gates.
#[derive(Clone, Debug, Default)]
struct SignalGates {
    /// Says what a further SIGINT costs, as soon as it acts.
    say_cost: Option<fn()>,
    /// The last signal; 0 for none.
    last: Arc<AtomicUsize>,
    /// One gate for each of [`PAIRED`], and the one for all others.
    gates: [Arc<AtomicBool>; PAIRED.len() + 1],
}

/// The caught signals that ask the program to end.
#[derive(Debug)]
pub struct CaughtSignals {
    shared: SignalGates,
    handle: Handle,
}

/// Receives the signals, once a thread calls [`listen`](SignalListener::listen).
#[derive(Debug)]
pub struct SignalListener {
    shared: SignalGates,
    signals: Signals,
    /// What is done before a further signal acts; `None` where the handlers let it act.
    give_back: Option<fn()>,
}

impl CaughtSignals {
    /// Catches those of `signals` that are not ignored. `say_cost` is called when a further SIGINT would end the program at once,
    /// if it has not ended by then.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn catch(signals: &[i32], say_cost: fn()) -> io::Result<(CaughtSignals, SignalListener)> {
        CaughtSignals::catch_by(signals, [None, Some(say_cost)])
    }

    /// Catches those of `signals` that are not ignored, and calls `give_back` before a further signal acts. For a program
    /// that holds something to give back; `give_back` must wait for nothing.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn catch_with(signals: &[i32], give_back: fn()) -> io::Result<(CaughtSignals, SignalListener)> {
        CaughtSignals::catch_by(signals, [Some(give_back), None])
    }

    /// With one of the two functions.
    fn catch_by(signals: &[i32], [give_back, say_cost]: [Option<fn()>; 2]) -> io::Result<(Self, SignalListener)> {
        let caught: Vec<i32> = signals.iter().copied().filter(|&signal| !is_ignored(signal)).collect();
        let shared = SignalGates { say_cost, ..SignalGates::default() };
        // This is done first: a signal that a handler notes is received too.
        let signals = Signals::new(&caught)?;
        for signal in caught {
            let own = shared.gate(signal);
            // A handler runs the actions in the order in which they are registered.
            if signal != SIGXCPU {
                flag::register_conditional_default(signal, own.clone())?;
            }
            flag::register_usize(signal, shared.last.clone(), signal as usize)?;
            if give_back.is_some() {
                continue;
            }
            for gate in &shared.gates {
                if grace(signal).is_zero() || !Arc::ptr_eq(gate, own) {
                    flag::register(signal, gate.clone())?;
                }
            }
        }
        let handle = signals.handle();
        Ok((CaughtSignals { shared: shared.clone(), handle }, SignalListener { shared, signals, give_back }))
    }

    /// The last signal, if one was received.
    pub fn last(&self) -> Option<i32> {
        self.shared.last()
    }

    /// Notes that the terminal has gone away. That counts as SIGHUP, which may still be on its way.
    pub fn note_hangup(&self) {
        let _ = self.shared.last.compare_exchange(0, SIGHUP as usize, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// Lets signals have their usual effect from now on; the listener ends.
    pub fn release(&self) {
        match self.last() {
            // The listener may not have received it yet, and then no other thread would open its gate.
            Some(signal) if !grace(signal).is_zero() => {
                self.shared.open_all_but(signal);
                self.shared.open_later(signal);
            }
            _ => self.shared.open(),
        }
        // The listener may never receive a signal of this moment.
        test_halt::answered();
        self.handle.close();
    }
}

impl SignalListener {
    /// Calls `heard` for every signal, until the signals are released.
    pub fn listen(mut self, heard: impl Fn()) {
        let mut before: Option<(i32, Instant)> = None;
        for signal in self.signals.forever() {
            self.shared.last.store(signal as usize, Ordering::SeqCst);
            let is_same = |&(last, when): &(i32, Instant)| last == signal && grace(signal) > when.elapsed();
            let is_further = signal != SIGXCPU && before.is_some_and(|previous| !is_same(&previous));
            if let Some(give_back) = self.give_back.filter(|_| is_further) {
                self.shared.open();
                give_back();
                // If the system does not know the usual effect of the signal, the next signal has it.
                let _ = emulate_default_handler(signal);
            }
            before = before.filter(is_same).or(Some((signal, Instant::now())));
            heard();
            test_halt::answered();
            if self.give_back.is_none() && !grace(signal).is_zero() {
                self.shared.open_later(signal);
            }
        }
    }
}

/// How long a second signal of this kind belongs to the request of the first; not at all unless it is one of [`PAIRED`].
fn grace(signal: i32) -> Duration {
    let paired = PAIRED.into_iter().find(|&(paired, _)| paired == signal);
    test_halt::patient(Duration::from_millis(paired.map_or(0, |(_, milliseconds)| milliseconds)))
}

impl SignalGates {
    fn last(&self) -> Option<i32> {
        match self.last.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal as i32),
        }
    }

    fn gate(&self, signal: i32) -> &Arc<AtomicBool> {
        let pair = PAIRED.iter().position(|&(paired, _)| paired == signal);
        &self.gates[pair.unwrap_or(PAIRED.len())]
    }

    fn open(&self) {
        self.gates.iter().for_each(|gate| gate.store(true, Ordering::SeqCst));
    }

    fn open_all_but(&self, signal: i32) {
        let others = self.gates.iter().filter(|gate| !Arc::ptr_eq(gate, self.gate(signal)));
        others.for_each(|gate| gate.store(true, Ordering::SeqCst));
    }

    /// Opens the gate of one signal after its grace.
    fn open_later(&self, signal: i32) {
        let (gate, say_cost) = (self.gate(signal).clone(), self.say_cost.filter(|_| signal == SIGINT));
        let wait = move || {
            std::thread::sleep(grace(signal));
            let was_open = gate.swap(true, Ordering::SeqCst);
            if let Some(say) = say_cost.filter(|_| !was_open) {
                say();
            }
        };
        // If no thread can be started, other signals still end the program.
        let _ = system::start("second signal", wait);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is saved after the release is not lost when the second signal of a pair comes then.
    #[test]
    fn after_the_release_all_signals_act_but_the_second_one_of_a_pair_for_a_while() {
        // An attempt tells nothing if the machine was so slow that the time of the pair ended before the look.
        loop {
            let (caught, _listener) = CaughtSignals::catch(&[], || ()).unwrap();
            let is_open = |signal| caught.shared.gate(signal).load(Ordering::SeqCst);
            caught.note_hangup();
            let began = Instant::now();
            caught.release();
            let open = [SIGHUP, SIGTERM, SIGUSR2, SIGINT, 0].map(is_open);
            if grace(SIGHUP) > began.elapsed() {
                assert_eq!(open, [false, true, true, true, true]);
                while !is_open(SIGHUP) {
                    std::thread::yield_now();
                }
                return;
            }
        }
    }

    #[test]
    fn the_time_of_a_pair_is_that_of_its_signal() {
        let times = [SIGINT, SIGTERM, SIGHUP, SIGUSR2, SIGXCPU].map(grace);
        assert_eq!(times, [500, 1000, 1000, 1000, 0].map(Duration::from_millis));
    }
}
