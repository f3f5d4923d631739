//! A batch of knights as a source of frames.

use super::frame::{Body, Filled, Frame};
use super::source::{End, Source, Wish};
use crate::stop::{Stop, StopReason};
use crossbeam_channel::{Receiver, TryRecvError};
use std::time::Duration;

/// A batch of knights on a thread of its own.
pub struct MapSource {
    /// The results so far, and whether they are the last.
    news: Receiver<(Filled, bool)>,
    stop: Stop,
    end: Option<End>,
}

impl MapSource {
    /// A batch that sends results over `news` and marks the last. The batch has failed if it drops the channel before.
    /// `stop` stops the batch.
    pub fn new(news: Receiver<(Filled, bool)>, stop: Stop) -> MapSource {
        MapSource { news, stop, end: None }
    }
}

impl Source for MapSource {
    fn look(&mut self) -> Option<Frame> {
        let mut latest = None;
        loop {
            match self.news.try_recv() {
                Ok((filled, over)) => {
                    if over {
                        self.end = Some(End::Map);
                    }
                    latest = Some(filled);
                }
                Err(TryRecvError::Disconnected) => {
                    self.end.get_or_insert(End::Failed);
                    break;
                }
                Err(TryRecvError::Empty) => break,
            }
        }
        latest.map(|filled| Frame { body: Body::Map(Box::new(filled)), events: Vec::new() })
    }

    fn wish(&mut self, wish: Wish) {
        if wish == Wish::Stop {
            self.stop.ask(StopReason::Asked);
        }
    }

    fn end(&mut self, _within: Duration) -> Option<End> {
        self.end.clone()
    }
}
