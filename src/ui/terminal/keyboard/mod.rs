//! The keys of a terminal that may be closed at any time.
//!
//! # No view outlives its terminal
//!
//! A terminal that has hung up is always readable and returns nothing. A loop that reads until a key arrives never
//! returns, and its thread misses every other event, signals included. A check before the read does not help, because
//! the terminal may be closed in between. Therefore no code here reads in a loop. The loop of the session waits only in
//! [`Keyboard::wait`], and one call of it is one wait and at most one read:
//!
//! 1. The call polls the terminal of the keys and that of the screen, until there are keys, one terminal has gone, a
//!    signal arrives, or the time is up: that of the call, or that in which the rest of a key must come. A closed terminal
//!    ends the poll at once, even if SIGHUP is ignored or went to another process, and gives [`KeyNews::Gone`].
//! 2. The call reads once, and only what is readable. All bytes are taken in, also an incomplete key: its end is
//!    awaited in the next call, not here.
//! 3. A read that fails with a terminal error means that the terminal was closed after the poll. A read of zero bytes
//!    means the same, or that another program changed the terminal mode and `ctrl-d` was typed. The second empty read in
//!    a row counts as closed, whatever the poll says.
//!
//! Therefore a call returns almost within its time limit. Keys that were read already are handled first, and while there are
//! some a call does nothing. Of any two other calls in a row, one has waited for its time or a
//! signal, has taken in typed bytes, or reports a closed terminal. So the loop can neither hang nor spin. The loop
//! calls again before anything else that waits. A write to a closed terminal fails at once, even a write in progress,
//! and the session treats that error like [`KeyNews::Gone`]. An open terminal that accepts no bytes can block a write;
//! then the second signal ends the program, see [`CaughtSignals`](crate::signal::CaughtSignals).
//!
//! The keyboard assumes a single reader: two programs that read the same terminal lose keys to each other, and one
//! may block in its read until the next key. That block also ends when the terminal is closed.

mod bytes;

use crate::ui::kit::ScreenEvent;
use bytes::Decoder;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::io::Errno;
use rustix::stdio::{stdin, stdout};
use rustix::termios::{QueueSelector, tcflush};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Greatest number of bytes in a read.
const BYTES: usize = 1024;

/// The poll flags of a closed terminal.
const GONE: PollFlags = PollFlags::HUP.union(PollFlags::ERR).union(PollFlags::NVAL);

/// The result of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyNews {
    /// The terminal is open: there may be keys, or the time is up, or a signal arrived.
    Here,
    /// The terminal was closed.
    Gone,
}

/// The keys of the terminal.
#[derive(Debug)]
pub struct Keyboard {
    /// The terminal, if stdin is not one.
    terminal: Option<File>,
    decoder: Decoder,
    keys: VecDeque<ScreenEvent>,
    /// When bytes came last.
    read_at: Instant,
    /// When the text began that is being pasted.
    pasted_from: Option<Instant>,
    /// Whether the last read returned no bytes.
    was_empty: bool,
}

impl Keyboard {
    /// Drops what has been typed and not been read.
    pub fn flush(&self) {
        let _ = match &self.terminal {
            Some(terminal) => tcflush(terminal, QueueSelector::IFlush),
            None => tcflush(stdin(), QueueSelector::IFlush),
        };
    }

    /// Reads keys from stdin, or from the controlling terminal if stdin is piped.
    ///
    /// # Errors
    /// If there is no terminal.
    pub fn open() -> io::Result<Keyboard> {
        let terminal = if io::stdin().is_terminal() { None } else { Some(File::open("/dev/tty")?) };
        let (decoder, keys, read_at) = (Decoder::default(), VecDeque::new(), Instant::now());
        Ok(Keyboard { terminal, decoder, keys, read_at, pasted_from: None, was_empty: false })
    }

    /// The next key, use of the mouse or pasted text, if there was one.
    pub fn next(&mut self) -> Option<ScreenEvent> {
        self.keys.pop_front()
    }

    /// The number of answers of the terminal since the last call.
    pub fn take_answers(&mut self) -> usize {
        std::mem::take(&mut self.decoder.answers)
    }

    /// Whether the background of the terminal is light, if the terminal has said it since the last call.
    pub fn take_background(&mut self) -> Option<bool> {
        self.decoder.light.take()
    }

    /// Whether no key is left of those that were read.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Waits for keys for at most `at_most`, or until a signal. Returns at once if there are keys already.
    ///
    /// # Errors
    /// If an open terminal cannot be polled or read.
    pub fn wait(&mut self, at_most: Duration) -> io::Result<KeyNews> {
        if !self.keys.is_empty() {
            return Ok(KeyNews::Here);
        }
        let begun = self.decoder.patience().map(|patience| self.read_at + patience);
        let at_most = begun.map_or(at_most, |until| at_most.min(until.saturating_duration_since(Instant::now())));
        let Keyboard { terminal, .. } = self;
        let keys: BorrowedFd<'_> = terminal.as_ref().map_or(stdin(), AsFd::as_fd);
        let screen = PollFd::from_borrowed_fd(stdout(), PollFlags::empty());
        let mut polled = [PollFd::from_borrowed_fd(keys, PollFlags::IN), screen];
        // A time too long for the system means no limit.
        match poll(&mut polled, Timespec::try_from(at_most).ok().as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR | Errno::AGAIN) => return Ok(KeyNews::Here),
            Err(error) => return Err(error.into()),
        }
        if polled.iter().any(|terminal| terminal.revents().intersects(GONE)) {
            return Ok(KeyNews::Gone);
        }
        if !polled[0].revents().contains(PollFlags::IN) {
            // Only a wait in vain shows that the rest has not come: this thread may have been busy in the meantime.
            if begun.is_some_and(|until| until <= Instant::now()) {
                self.decoder.give_up(&mut self.keys);
            }
            return Ok(KeyNews::Here);
        }
        let mut bytes = [0; BYTES];
        match rustix::io::read(keys, &mut bytes) {
            Ok(0) if self.was_empty => return Ok(KeyNews::Gone),
            Ok(n) => {
                (self.was_empty, self.read_at) = (n == 0, Instant::now());
                let pasted_for = self.pasted_from.map_or(Duration::ZERO, |from| self.read_at - from);
                self.decoder.heed_interrupt(&bytes[..n], pasted_for, &mut self.keys);
                self.decoder.take(&bytes[..n], &mut self.keys);
                self.pasted_from = self.decoder.is_pasting().then(|| self.pasted_from.unwrap_or(self.read_at));
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(Errno::IO | Errno::NXIO) => return Ok(KeyNews::Gone),
            Err(error) => return Err(error.into()),
        }
        Ok(KeyNews::Here)
    }
}
