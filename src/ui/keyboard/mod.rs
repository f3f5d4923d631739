//! Keys from a terminal that may go away.
//!
//! # No view outlives its terminal
//!
//! A terminal that has hung up is readable for ever and answers nothing. Whoever reads until something comes never
//! comes back from there, and nothing else that happens in the same thread is noticed any more, signals included; that
//! there was a look at the terminal just before is no help, for it may go away in between. So nobody here reads until
//! something comes. The loop of the stage waits in [`Keyboard::wait`] alone, and one call of it is one wait and at most
//! one read:
//!
//! 1. It polls the terminal of the keys, and that of the screen, until there are keys, one of them has gone, a signal
//!    comes, or the time is up. A terminal that has gone wakes it at once, also where SIGHUP is ignored or went to
//!    another process, and is answered as [`KeyNews::Gone`].
//! 2. Only what is readable is read, once. Bytes are taken in whole, also those that begin a key and do not end it: its
//!    end is waited for in the next call, not here.
//! 3. A read that answers an error of a terminal means that it went away after the poll. One that answers nothing means
//!    the same, or that somebody else changed the terminal's mode and `ctrl-d` was typed; the second one in a row is
//!    taken for the former, whatever the poll says.
//!
//! Therefore a call comes back, within the time it was given but for a moment, and of any two calls in a row one has
//! waited for its time or a signal, has taken bytes that were typed, or says that the terminal has gone; so the loop
//! can neither hang nor spin. It calls again before anything else that waits; what it writes in between to a terminal
//! that has gone is an error at once, also when it was being written already, and the stage takes that error for the
//! same news. A terminal that is there and takes nothing can make a write wait; what ends the program then is the second
//! signal, see [`signal::CaughtSignals`](crate::signal::CaughtSignals).
//!
//! The one reader is assumed to be alone: of two programs that read the same terminal each loses keys to the other, and
//! one may wait in its read for the next key. That too ends when the terminal goes away.

mod bytes;

use bytes::Decoder;
use ratatui::crossterm::event::KeyEvent;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::io::Errno;
use rustix::stdio::{stdin, stdout};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// Bytes that are taken in at once.
const BYTES: usize = 1024;

/// What a terminal that has gone is said to be by a poll.
const GONE: PollFlags = PollFlags::HUP.union(PollFlags::ERR).union(PollFlags::NVAL);

/// What came of a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyNews {
    /// There may be keys, or the time is up, or a signal came.
    Here,
    /// The terminal has gone away.
    Gone,
}

/// The keys of the terminal.
#[derive(Debug)]
pub struct Keyboard {
    /// The terminal, where stdin is none.
    terminal: Option<File>,
    decoder: Decoder,
    keys: VecDeque<KeyEvent>,
    /// Whether the last read answered nothing.
    was_empty: bool,
}

impl Keyboard {
    /// The keys of stdin, or of the process's terminal where something else is piped in.
    ///
    /// # Errors
    /// When there is no terminal.
    pub fn open() -> io::Result<Keyboard> {
        let terminal = if io::stdin().is_terminal() { None } else { Some(File::open("/dev/tty")?) };
        Ok(Keyboard { terminal, decoder: Decoder::default(), keys: VecDeque::new(), was_empty: false })
    }

    /// The next key that was pressed, if there is one already.
    pub fn next(&mut self) -> Option<KeyEvent> {
        self.keys.pop_front()
    }

    /// How often the terminal has answered since the last question that it was there.
    pub fn take_answers(&mut self) -> usize {
        std::mem::take(&mut self.decoder.answers)
    }

    /// Waits for keys at most this long, less when a signal comes; not at all while there are some.
    ///
    /// # Errors
    /// When the terminal cannot be asked, though it is there.
    pub fn wait(&mut self, at_most: Duration) -> io::Result<KeyNews> {
        let at_most = if self.keys.is_empty() { at_most } else { Duration::ZERO };
        let Keyboard { terminal, .. } = self;
        let keys: BorrowedFd<'_> = terminal.as_ref().map_or(stdin(), AsFd::as_fd);
        let screen = PollFd::from_borrowed_fd(stdout(), PollFlags::empty());
        let mut polled = [PollFd::from_borrowed_fd(keys, PollFlags::IN), screen];
        // A time that is too long for the system is none.
        match poll(&mut polled, Timespec::try_from(at_most).ok().as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR | Errno::AGAIN) => return Ok(KeyNews::Here),
            Err(error) => return Err(error.into()),
        }
        if polled.iter().any(|terminal| terminal.revents().intersects(GONE)) {
            return Ok(KeyNews::Gone);
        }
        if !polled[0].revents().contains(PollFlags::IN) {
            return Ok(KeyNews::Here);
        }
        let mut bytes = [0; BYTES];
        match rustix::io::read(keys, &mut bytes) {
            Ok(0) if self.was_empty => return Ok(KeyNews::Gone),
            Ok(n) => {
                self.was_empty = n == 0;
                self.decoder.take(&bytes[..n], &mut self.keys);
            }
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(Errno::IO | Errno::NXIO) => return Ok(KeyNews::Gone),
            Err(error) => return Err(error.into()),
        }
        Ok(KeyNews::Here)
    }
}
