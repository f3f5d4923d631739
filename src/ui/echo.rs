//! How far behind the terminal is, which may be at the far end of a slow line.
//!
//! What is written to it goes through buffers that take megabytes without a word, of the system, of sshd, of the network:
//! on a line that takes fewer frames than are drawn they fill, and every key is answered later than the one before. So a
//! frame ends in a question (DSR 5), which a terminal answers when it has come to it. While some questions are not
//! answered, no more frames are sent; what is drawn when one is, is the newest. So frames are skipped and never queued.
//!
//! A terminal that has never answered is asked once and no more, and sent everything. One that has answered and then does
//! not for [`LOST`] has lost the question; it may have been another terminal.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What asks a terminal whether it is there.
pub const QUESTION: &[u8] = b"\x1b[5n";
/// An answer that takes longer is one of a slow line: then half as many frames are sent ahead.
const SLOW: Duration = Duration::from_millis(400);
/// A question that is not answered for so long is lost.
const LOST: Duration = Duration::from_secs(20);
/// How long is waited for answers before the terminal is left to somebody else, who would take them for keys.
const FAREWELL: Duration = Duration::from_secs(2);
/// The same of a terminal that has never answered, from when it was asked.
const FIRST: Duration = Duration::from_millis(500);

/// The questions of a terminal; see the module.
#[derive(Debug, Default)]
pub struct Echo {
    /// When those were asked that are not answered.
    asked: VecDeque<Instant>,
    answers: bool,
    /// Whether the last answer took so long that frames do not wait for the way, but for one another.
    slow: bool,
}

impl Echo {
    /// Whether the next frame is to end in a question.
    pub fn asks(&self) -> bool {
        self.answers || self.asked.is_empty()
    }

    /// A question was sent.
    pub fn asked(&mut self, now: Instant) {
        self.asked.push_back(now);
    }

    /// So many answers have come.
    pub fn answered(&mut self, answers: usize, now: Instant) {
        self.answers |= answers > 0;
        if let Some(asked) = self.asked.drain(..answers.min(self.asked.len())).next_back() {
            self.slow = now.saturating_duration_since(asked) > SLOW;
        }
    }

    /// Whether another frame may be sent, `ahead` of those that the terminal has come to.
    pub fn is_open(&mut self, ahead: usize, now: Instant) -> bool {
        if self.answers && self.asked.front().is_some_and(|&asked| now.saturating_duration_since(asked) > LOST) {
            self.asked.clear();
        }
        let ahead = if self.slow { ahead.div_ceil(2) } else { ahead };
        !self.answers || self.asked.len() < ahead
    }

    /// Whether something is not answered.
    pub fn is_waiting(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Until when answers are to be waited for, before the terminal is left.
    pub fn farewell(&self, now: Instant) -> Instant {
        match self.asked.front() {
            Some(&asked) if !self.answers => asked + FIRST,
            _ => now + FAREWELL,
        }
    }

    /// Somebody else has had the terminal: what was asked is not answered any more.
    pub fn forget(&mut self) {
        self.asked.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_wait_for_answers_of_a_terminal_that_answers() {
        let (mut echo, now) = (Echo::default(), Instant::now());
        assert!(echo.asks() && echo.is_open(2, now) && !echo.is_waiting());
        echo.asked(now);
        // Whether it answers is not known: it is asked nothing more, and sent everything.
        assert!(!echo.asks() && echo.is_open(1, now));
        assert!(echo.is_waiting() && echo.farewell(now + FIRST) == now + FIRST);
        echo.answered(1, now);
        assert!(echo.asks() && echo.is_open(2, now));
        echo.asked(now);
        assert!(echo.is_open(2, now) && !echo.is_open(1, now));
        echo.asked(now);
        assert!(!echo.is_open(2, now) && echo.is_open(3, now));
        assert_eq!(echo.farewell(now), now + FAREWELL);
        // More answers than questions are somebody else's.
        echo.answered(7, now);
        assert!(echo.is_open(1, now) && !echo.is_waiting());
        echo.asked(now);
        assert!(!echo.is_open(1, now + LOST) && echo.is_open(1, now + LOST + Duration::from_millis(1)));
        // Of a slow line there is one frame on its way, and one more that answers a key.
        echo.asked(now);
        echo.answered(1, now + 2 * SLOW);
        echo.asked(now);
        assert!(!echo.is_open(2, now) && echo.is_open(4, now));
        echo.asked(now);
        assert!(!echo.is_open(4, now));
    }
}
