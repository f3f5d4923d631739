//! A source that lets somebody else see what it gives.

use super::frame::Frame;
use super::journal::Recorder;
use super::source::{End, Source, Wish};
use crate::board::Route;
use std::sync::Arc;
use std::time::Duration;

/// A source, each of whose frames somebody else sees too.
pub struct ObservedSource<S, K> {
    source: S,
    keep: K,
    /// The journal that what is kept goes to, if it does.
    journal: Option<Arc<Recorder>>,
}

impl<S: Source, K: FnMut(&Frame)> ObservedSource<S, K> {
    /// Shows to `keep` what `source` gives.
    pub fn new(source: S, keep: K) -> ObservedSource<S, K> {
        ObservedSource { source, keep, journal: None }
    }

    /// The same, and whoever looks is told how this journal stands, if it is one.
    pub fn into_journal(self, journal: Option<Arc<Recorder>>) -> ObservedSource<S, K> {
        ObservedSource { journal, ..self }
    }
}

impl<S: Source, K: FnMut(&Frame)> Source for ObservedSource<S, K> {
    fn look(&mut self) -> Option<Frame> {
        let frame = self.source.look();
        frame.as_ref().into_iter().for_each(&mut self.keep);
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
