//! A run that is taped, and one that is played again: two more sources, of which the second needs nothing that runs.

use destrier::board::Route;
use destrier::run::{End, Frame, Source, Wish};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a source has given.
#[derive(Clone, Default, Debug)]
pub struct Tape {
    /// Frames in their order.
    pub frames: Vec<Frame>,
    /// How it ended, if it did.
    pub end: Option<End>,
}

/// A source that keeps what another one gives.
pub struct Taped<S> {
    source: S,
    tape: Arc<Mutex<Tape>>,
}

impl<S: Source> Taped<S> {
    /// Keeps what `source` gives on the tape.
    pub fn new(source: S, tape: Arc<Mutex<Tape>>) -> Taped<S> {
        Taped { source, tape }
    }
}

impl<S: Source> Source for Taped<S> {
    fn look(&mut self) -> Option<Frame> {
        let frame = self.source.look();
        self.tape.lock().unwrap().frames.extend(frame.clone());
        frame
    }

    fn wish(&mut self, wish: Wish) {
        self.source.wish(wish);
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        let end = self.source.end(within);
        if let Some(end) = &end {
            self.tape.lock().unwrap().end.get_or_insert_with(|| end.clone());
        }
        end
    }

    fn tours(&self) -> Vec<Arc<dyn Route>> {
        self.source.tours()
    }
}

/// A source that gives again what was kept, a frame at each look. It heeds no wish.
pub struct Played {
    frames: std::vec::IntoIter<Frame>,
    end: Option<End>,
}

impl Played {
    /// From the first frame on.
    pub fn new(tape: Tape) -> Played {
        Played { frames: tape.frames.into_iter(), end: tape.end }
    }
}

impl Source for Played {
    fn look(&mut self) -> Option<Frame> {
        self.frames.next()
    }

    fn wish(&mut self, _wish: Wish) {}

    fn end(&mut self, _within: Duration) -> Option<End> {
        // Of a run that has ended the last look is still to come.
        self.end.clone().filter(|_| self.frames.len() <= 1)
    }
}
