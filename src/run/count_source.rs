//! A count as a source of frames.

use super::frame::{Body, Frame};
use super::source::{CountResult, End, Source, Wish};
use crate::count::CountWatch;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use std::ops::Deref;
use std::time::Duration;

/// A count on threads of its own.
pub struct CountSource<W> {
    watch: W,
    answer: Receiver<CountResult>,
    end: Option<End>,
}

/// The frame of a count with these meters.
pub fn count_frame(watch: &CountWatch) -> Frame {
    Frame { body: Body::Count(Box::new(watch.snapshot())), events: Vec::new() }
}

impl<W: Deref<Target = CountWatch>> CountSource<W> {
    /// A count with these meters that sends its answer. The count has failed if it drops the channel without an answer.
    pub fn new(watch: W, answer: Receiver<CountResult>) -> CountSource<W> {
        CountSource { watch, answer, end: None }
    }
}

impl<W: Deref<Target = CountWatch>> Source for CountSource<W> {
    fn look(&mut self) -> Option<Frame> {
        Some(count_frame(&self.watch))
    }

    fn wish(&mut self, wish: Wish) {
        if wish == Wish::Stop {
            self.watch.stop();
        }
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        if self.end.is_none() {
            self.end = match self.answer.recv_timeout(within) {
                Ok(answer) => Some(End::Count(answer)),
                Err(RecvTimeoutError::Disconnected) => Some(End::Failed),
                Err(RecvTimeoutError::Timeout) => None,
            };
        }
        self.end.clone()
    }
}
