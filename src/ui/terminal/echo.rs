//! Flow control: measures how far the terminal lags behind, for example over a slow network line.
//!
//! The system, sshd and the network buffer megabytes of output without complaint. On a line that is slower than the
//! frames, the buffers fill up, and each key is answered later than the one before. Therefore a frame ends in a
//! question (DSR 5), which the terminal answers when it has processed the frame. While several questions are
//! unanswered, no frame is sent. The next frame that is sent shows the latest state, so frames are skipped and never
//! queued.
//!
//! Until the first answer, frames are sparse: the first frame is the largest and may take seconds on a slow line. A
//! terminal that does not answer within [`FIRST_ANSWER_TIMEOUT`] at first, or within [`ANSWER_TIMEOUT`] later (it may be
//! another terminal by then), gets no more questions and every frame. Frames that answer keys are few; they are sent
//! after [`KEY_TIMEOUT`] in any case.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The question (DSR 5) that a terminal answers with `ESC [ 0 n`.
pub const QUESTION: &[u8] = b"\x1b[5n";
/// An answer that takes longer marks a slow line. On a slow line half as many frames are sent ahead.
const SLOW: Duration = Duration::from_millis(400);
/// A terminal that has not given its first answer after this time never answers.
const FIRST_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// Time between two frames before the first answer.
const FIRST_FRAMES_APART: Duration = Duration::from_millis(500);
/// How long to wait for a terminal that has answered before.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// The longest time that a frame which answers a key waits.
const KEY_TIMEOUT: Duration = Duration::from_secs(2);
/// How long to wait for answers before another program gets the terminal: it would read them as keys.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

/// The unanswered questions of a terminal, and whether it answers at all.
#[derive(Debug, Default)]
pub struct Echo {
    /// The times of the unanswered questions, oldest first.
    unanswered: VecDeque<Instant>,
    hearing: Hearing,
    /// When the last frame was sent.
    sent: Option<Instant>,
    /// Whether the last answer was slow. If so, fewer frames are sent ahead.
    slow: bool,
}

/// Whether the terminal answers questions.
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
    /// New data.
    News,
    /// A key or another input of the user.
    Key,
    /// Every cell must be drawn again.
    Anew,
}

impl Echo {
    /// Whether the next frame should end in a question.
    pub fn asks(&self) -> bool {
        match self.hearing {
            Hearing::Unknown => self.unanswered.is_empty(),
            Hearing::Answers => true,
            Hearing::Deaf => false,
        }
    }

    /// Records that a frame was sent, with or without a question.
    pub fn sent(&mut self, asks: bool, now: Instant) {
        self.sent = Some(now);
        self.unanswered.extend(asks.then_some(now));
    }

    /// Records `answers` answers of the terminal; returns whether these are the first.
    pub fn answered(&mut self, answers: usize, now: Instant) -> bool {
        let is_first = answers > 0 && self.hearing == Hearing::Unknown;
        if answers > 0 {
            self.hearing = Hearing::Answers;
        }
        if let Some(asked_at) = self.unanswered.drain(..answers.min(self.unanswered.len())).next_back() {
            self.slow = now.saturating_duration_since(asked_at) > SLOW;
        }
        is_first
    }

    /// Whether another frame may be sent now.
    pub fn is_open(&mut self, cause: Cause, now: Instant) -> bool {
        let passed = |since: Option<Instant>| since.map_or(Duration::MAX, |since| now.saturating_duration_since(since));
        let waited = self.unanswered.front().map_or(Duration::ZERO, |&since| passed(Some(since)));
        let patience = if self.hearing == Hearing::Unknown { FIRST_ANSWER_TIMEOUT } else { ANSWER_TIMEOUT };
        if waited > patience {
            self.hearing = Hearing::Deaf;
            self.unanswered.clear();
        }
        let ahead = match (cause, self.slow) {
            (Cause::News, true) => 1,
            (Cause::News, false) | (Cause::Key, true) => 2,
            (Cause::Key, false) => 4,
            (Cause::Anew, _) => usize::MAX,
        };
        match self.hearing {
            Hearing::Deaf => true,
            Hearing::Unknown => {
                cause != Cause::News || self.unanswered.is_empty() || passed(self.sent) >= FIRST_FRAMES_APART
            }
            Hearing::Answers => self.unanswered.len() < ahead || (cause == Cause::Key && waited > KEY_TIMEOUT),
        }
    }

    /// Whether a question is unanswered.
    pub fn is_waiting(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// Until when to wait for answers before the terminal is released: of one that has never answered, from its question on.
    pub fn answer_deadline(&self, now: Instant) -> Instant {
        match self.unanswered.front() {
            Some(&since) if self.hearing == Hearing::Unknown => since + EXIT_TIMEOUT,
            _ => now + EXIT_TIMEOUT,
        }
    }

    /// Forgets the open questions, because another program has used the terminal.
    pub fn forget(&mut self) {
        self.unanswered.clear();
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
        // The terminal has not answered yet: it gets no second question and few frames.
        assert!(!echo.asks() && !echo.is_open(Cause::News, now) && echo.is_open(Cause::Key, now));
        assert!(echo.is_open(Cause::News, now + FIRST_FRAMES_APART));
        assert!(echo.is_waiting() && echo.answer_deadline(now + EXIT_TIMEOUT) == now + EXIT_TIMEOUT);
        assert!(echo.answered(1, now), "the first answer");
        assert!(echo.asks() && echo.is_open(Cause::News, now));
        echo.sent(true, now);
        assert!(echo.is_open(Cause::News, now));
        echo.sent(true, now);
        assert!(!echo.is_open(Cause::News, now) && echo.is_open(Cause::Key, now));
        assert_eq!(echo.answer_deadline(now), now + EXIT_TIMEOUT);
        // Answers without a question belong to another program.
        echo.answered(7, now);
        assert!(echo.is_open(Cause::News, now) && !echo.is_waiting());
    }

    #[test]
    fn a_slow_line_has_one_frame_in_flight_and_one_more_for_a_key() {
        let (mut echo, now) = (Echo::default(), Instant::now());
        echo.sent(true, now);
        echo.answered(1, now + 2 * SLOW);
        echo.sent(true, now);
        assert!(!echo.is_open(Cause::News, now) && echo.is_open(Cause::Key, now));
        echo.sent(true, now);
        assert!(!echo.is_open(Cause::Key, now) && echo.is_open(Cause::Anew, now));
        assert!(
            echo.is_open(Cause::Key, now + KEY_TIMEOUT + SLOW) && !echo.is_open(Cause::News, now + KEY_TIMEOUT + SLOW)
        );
    }

    #[test]
    fn a_terminal_that_does_not_answer_gets_every_frame() {
        let now = Instant::now();
        let late = |wait: Duration| now + wait + Duration::from_millis(1);
        let mut never = Echo::default();
        never.sent(true, now);
        assert!(never.is_open(Cause::News, late(FIRST_ANSWER_TIMEOUT)) && !never.asks() && !never.is_waiting());
        never.sent(false, late(FIRST_ANSWER_TIMEOUT));
        assert!(never.is_open(Cause::News, late(FIRST_ANSWER_TIMEOUT)));
        let mut no_more = Echo::default();
        no_more.sent(true, now);
        no_more.answered(1, now);
        no_more.sent(true, now);
        no_more.sent(true, now);
        assert!(!no_more.is_open(Cause::News, now + ANSWER_TIMEOUT));
        assert!(no_more.is_open(Cause::News, late(ANSWER_TIMEOUT)) && !no_more.asks());
    }
}
