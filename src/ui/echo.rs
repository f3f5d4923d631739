//! How far behind the terminal is, which may be at the far end of a slow line.
//!
//! What is written to it goes through buffers that take megabytes without a word, of the system, of sshd, of the network:
//! on a line that takes fewer frames than are drawn they fill, and every key is answered later than the one before. So a
//! frame ends in a question (DSR 5), which a terminal answers when it has come to it. While some questions are not
//! answered, no more frames are sent; what is drawn when one is, is the newest. So frames are skipped and never queued.
//!
//! Until the first answer little is sent: the first frame is the largest, and on a slow line on its way for seconds. A
//! terminal that has not answered after [`DEAF`], or no more for [`LOST`], for it may be another one by now, is asked nothing
//! more and sent everything. Frames that answer keys are few, and sent all the same after [`HELD`].

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// What asks a terminal whether it is there.
pub const QUESTION: &[u8] = b"\x1b[5n";
/// An answer that takes longer is one of a slow line: then half as many frames are sent ahead.
const SLOW: Duration = Duration::from_millis(400);
/// A terminal that has not answered for so long at first never does.
const DEAF: Duration = Duration::from_secs(5);
/// Until then frames are so far apart.
const SPARSE: Duration = Duration::from_millis(500);
/// One that has answered before is waited for so long.
const LOST: Duration = Duration::from_secs(20);
/// A frame that answers a key waits for so long.
const HELD: Duration = Duration::from_secs(2);
/// How long is waited for answers before the terminal is left to somebody else, who would take them for keys.
const FAREWELL: Duration = Duration::from_secs(2);
/// The same of a terminal that has never answered, from when it was asked.
const FIRST: Duration = Duration::from_millis(500);

/// The questions of a terminal; see the module.
#[derive(Debug, Default)]
pub struct Echo {
    /// When those were asked that are not answered.
    asked: VecDeque<Instant>,
    hearing: Hearing,
    /// When the last frame was sent.
    sent: Option<Instant>,
    /// Whether the last answer took so long that frames do not wait for the way, but for one another.
    slow: bool,
}

/// Whether a terminal answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Hearing {
    #[default]
    Unknown,
    Answers,
    Deaf,
}

/// Why a frame is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Something has changed.
    News,
    /// A key was pressed, or the like.
    Key,
    /// Everything is to be drawn again.
    Anew,
}

impl Echo {
    /// Whether the next frame is to end in a question.
    pub fn asks(&self) -> bool {
        match self.hearing {
            Hearing::Unknown => self.asked.is_empty(),
            Hearing::Answers => true,
            Hearing::Deaf => false,
        }
    }

    /// A frame was sent, with a question or without one.
    pub fn sent(&mut self, asks: bool, now: Instant) {
        self.sent = Some(now);
        self.asked.extend(asks.then_some(now));
    }

    /// So many answers have come.
    pub fn answered(&mut self, answers: usize, now: Instant) {
        if answers > 0 {
            self.hearing = Hearing::Answers;
        }
        if let Some(asked) = self.asked.drain(..answers.min(self.asked.len())).next_back() {
            self.slow = now.saturating_duration_since(asked) > SLOW;
        }
    }

    /// Whether another frame may be sent.
    pub fn is_open(&mut self, cause: Cause, now: Instant) -> bool {
        let passed = |since: Option<Instant>| since.map_or(Duration::MAX, |since| now.saturating_duration_since(since));
        let waited = self.asked.front().map_or(Duration::ZERO, |&asked| passed(Some(asked)));
        let patience = if self.hearing == Hearing::Unknown { DEAF } else { LOST };
        if waited > patience {
            self.hearing = Hearing::Deaf;
            self.asked.clear();
        }
        let ahead = match (cause, self.slow) {
            (Cause::News, true) => 1,
            (Cause::News, false) | (Cause::Key, true) => 2,
            (Cause::Key, false) => 4,
            (Cause::Anew, _) => usize::MAX,
        };
        match self.hearing {
            Hearing::Deaf => true,
            Hearing::Unknown => cause != Cause::News || self.asked.is_empty() || passed(self.sent) >= SPARSE,
            Hearing::Answers => self.asked.len() < ahead || (cause == Cause::Key && waited > HELD),
        }
    }

    /// Whether something is not answered.
    pub fn is_waiting(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Until when answers are to be waited for, before the terminal is left.
    pub fn farewell(&self, now: Instant) -> Instant {
        match self.asked.front() {
            Some(&asked) if self.hearing == Hearing::Unknown => asked + FIRST,
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
        assert!(echo.asks() && echo.is_open(Cause::News, now) && !echo.is_waiting());
        echo.sent(true, now);
        // Whether it answers is not known: it is asked nothing more, and sent little.
        assert!(!echo.asks() && !echo.is_open(Cause::News, now) && echo.is_open(Cause::Key, now));
        assert!(echo.is_open(Cause::News, now + SPARSE));
        assert!(echo.is_waiting() && echo.farewell(now + FIRST) == now + FIRST);
        echo.answered(1, now);
        assert!(echo.asks() && echo.is_open(Cause::News, now));
        echo.sent(true, now);
        assert!(echo.is_open(Cause::News, now));
        echo.sent(true, now);
        assert!(!echo.is_open(Cause::News, now) && echo.is_open(Cause::Key, now));
        assert_eq!(echo.farewell(now), now + FAREWELL);
        // More answers than questions are somebody else's.
        echo.answered(7, now);
        assert!(echo.is_open(Cause::News, now) && !echo.is_waiting());
    }

    #[test]
    fn of_a_slow_line_there_is_one_frame_on_its_way_and_one_more_for_a_key() {
        let (mut echo, now) = (Echo::default(), Instant::now());
        echo.sent(true, now);
        echo.answered(1, now + 2 * SLOW);
        echo.sent(true, now);
        assert!(!echo.is_open(Cause::News, now) && echo.is_open(Cause::Key, now));
        echo.sent(true, now);
        assert!(!echo.is_open(Cause::Key, now) && echo.is_open(Cause::Anew, now));
        assert!(echo.is_open(Cause::Key, now + HELD + SLOW) && !echo.is_open(Cause::News, now + HELD + SLOW));
    }

    #[test]
    fn a_terminal_that_does_not_answer_is_sent_everything() {
        let now = Instant::now();
        let late = |wait: Duration| now + wait + Duration::from_millis(1);
        let mut never = Echo::default();
        never.sent(true, now);
        assert!(never.is_open(Cause::News, late(DEAF)) && !never.asks() && !never.is_waiting());
        never.sent(false, late(DEAF));
        assert!(never.is_open(Cause::News, late(DEAF)));
        let mut no_more = Echo::default();
        no_more.sent(true, now);
        no_more.answered(1, now);
        no_more.sent(true, now);
        no_more.sent(true, now);
        assert!(!no_more.is_open(Cause::News, now + LOST));
        assert!(no_more.is_open(Cause::News, late(LOST)) && !no_more.asks());
    }
}
