//! Passes each frame of a source to an observer as well.

use super::frame::Frame;
use super::journal::Recorder;
use super::source::{End, Source, Wish};
use crate::board::Route;
use std::sync::Arc;
use std::time::Duration;

/// A source whose frames an observer sees too.
pub struct ObservedSource<S, K> {
    source: S,
    observe: K,
    /// The journal that receives the frames, if there is one.
    journal: Option<Arc<Recorder>>,
}

impl<S: Source, K: FnMut(&Frame)> ObservedSource<S, K> {
    /// Passes to `observe` each frame of `source`.
    pub fn new(source: S, observe: K) -> ObservedSource<S, K> {
        ObservedSource { source, observe, journal: None }
    }

    /// Names the journal that the observer writes, so that the viewer sees how many frames it has lost.
    pub fn into_journal(self, journal: Option<Arc<Recorder>>) -> ObservedSource<S, K> {
        ObservedSource { journal, ..self }
    }
}

impl<S: Source, K: FnMut(&Frame)> Source for ObservedSource<S, K> {
    fn look(&mut self) -> Option<Frame> {
        let frame = self.source.look();
        frame.as_ref().into_iter().for_each(&mut self.observe);
        frame
    }

    fn wish(&mut self, wish: Wish) {
        self.source.wish(wish);
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        self.source.end(within)
    }

    fn unrecorded(&self) -> Option<u64> {
        self.journal.as_ref().map(|journal| journal.lost())
    }

    fn tours(&self) -> Vec<Arc<dyn Route>> {
        self.source.tours()
    }
}
