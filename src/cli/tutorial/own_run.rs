//! A run of a lesson: it ends when its screen does.

use crate::board::Route;
use crate::run::{End, Frame, Source, Wish};
use std::sync::Arc;
use std::time::Duration;

/// A source that is stopped when its screen is gone.
pub struct OwnRun<S: Source>(pub S);

impl<S: Source> Drop for OwnRun<S> {
    fn drop(&mut self) {
        self.0.wish(Wish::Stop);
    }
}

impl<S: Source> Source for OwnRun<S> {
    fn look(&mut self) -> Option<Frame> {
        self.0.look()
    }

    fn wish(&mut self, wish: Wish) {
        self.0.wish(wish);
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        self.0.end(within)
    }

    fn tours(&self) -> Vec<Arc<dyn Route>> {
        self.0.tours()
    }
}
