//! The observers of a run without a screen: the journal, the server for other processes, and one more, such as a trace.

use super::frame::Frame;
use super::journal::{Recorder, SAMPLE_EVERY};
use super::remote::Server;
use super::source::{End, Source, Wish};
use crate::board::Route;
use crate::system::{self, ThreadRefused};
use crossbeam_channel::{Receiver, never, select};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Interval of looks while no observer needs frames, so that the history has some.
const REST: Duration = Duration::from_secs(1);

/// Receives every frame of a run and handles it at once.
pub trait RunObserver: Send + Sync {
    /// Receives a frame.
    fn take(&self, frame: &Frame);
}

/// The observers of a run, if it has any.
#[derive(Clone, Default)]
pub struct RunObservers {
    /// The journal.
    pub recorder: Option<Arc<Recorder>>,
    /// The server for other processes.
    pub server: Option<Arc<Server>>,
    /// What takes frames and asks for nothing.
    pub others: Vec<Arc<dyn RunObserver>>,
}

impl RunObservers {
    /// Whether there is an observer.
    pub fn are_some(&self) -> bool {
        self.server.is_some() || self.look_always()
    }

    /// Passes a frame to all observers.
    pub fn take(&self, frame: &Frame) {
        self.recorder.iter().for_each(|recorder| recorder.take(frame));
        self.server.iter().for_each(|server| server.take(frame));
        self.others.iter().for_each(|observer| observer.take(frame));
    }

    /// Lets the observers see each frame that a screen takes from this source.
    pub fn around<'a>(&self, source: impl Source + 'a) -> Box<dyn Source + 'a> {
        if !self.are_some() {
            return Box::new(source);
        }
        Box::new(ObservedSource { source, observers: self.clone() })
    }

    /// Runs `work` while the observers see ten frames a second of `source`: the first one before the work begins, the
    /// last one after its end. Passes their wishes to `source`.
    ///
    /// # Errors
    /// When no thread can be started for that: then no frame was seen, and the work was not begun.
    pub fn beside<T>(&self, mut source: impl Source + Send, work: impl FnOnce() -> T) -> Result<T, ThreadRefused> {
        let (working, ended) = crossbeam_channel::bounded::<()>(0);
        let (shown, first_shown) = crossbeam_channel::bounded::<()>(0);
        let (done, mut source) = std::thread::scope(|scope| {
            let sample = move || {
                self.show(&mut source);
                drop(shown);
                self.watch(&mut source, &ended);
                source
            };
            let sampler = system::start_within(scope, "sampling", sample)?;
            // It is dropped, never sent.
            let _ = first_shown.recv();
            // Dropping the sender ends the sampling thread, also when the work panics.
            let working = working;
            let done = work();
            drop(working);
            Ok((done, sampler.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload))))
        })?;
        self.show(&mut source);
        Ok(done)
    }

    /// Takes a frame from the source and passes it to the observers.
    fn show(&self, source: &mut impl Source) {
        if let Some(worker) = self.server.as_ref().and_then(|server| server.selected()) {
            source.wish(Wish::Select(worker));
        }
        if let Some(frame) = source.look() {
            self.take(&frame);
        }
    }

    /// Passes what viewers of other processes have wished, the first of which may have come, to the source. No more than there are: a
    /// viewer that never stops to wish does not hold up the run.
    fn obey(&self, source: &mut impl Source, first: Option<Option<(u64, Wish)>>) {
        let Some(server) = &self.server else { return };
        for (viewer, wish) in first.into_iter().chain(server.requests.try_iter().take(server.requests.len())).flatten()
        {
            source.wish(wish);
            server.heard(viewer);
        }
    }

    /// Passes frames to the observers at intervals, until the run has ended.
    fn watch(&self, source: &mut impl Source, ended: &Receiver<()>) {
        let no_requests = never();
        let requests = self.server.as_ref().map_or(&no_requests, |server| &server.requests);
        let (mut seen, mut due) = (Instant::now(), Instant::now() + SAMPLE_EVERY);
        loop {
            select! {
                recv(ended) -> _ => return,
                recv(requests) -> first => {
                    self.obey(source, first.ok());
                    // A new viewer gets a frame soon, but never faster than the sampling interval: with a look right after each
                    // wish a pause took seconds to end where the workers have all cores.
                    due = due.min(seen + SAMPLE_EVERY);
                }
                default(due.saturating_duration_since(Instant::now())) => {}
            }
            if Instant::now() >= due {
                self.show(source);
                seen = Instant::now();
                due = seen + if self.are_looking() { SAMPLE_EVERY } else { REST };
            }
        }
    }

    fn look_always(&self) -> bool {
        self.recorder.is_some() || !self.others.is_empty()
    }

    fn are_looking(&self) -> bool {
        self.look_always() || self.server.as_ref().is_some_and(|server| server.is_watched())
    }
}

/// A source whose frames the observers see too.
struct ObservedSource<S> {
    source: S,
    observers: RunObservers,
}

impl<S: Source> Source for ObservedSource<S> {
    fn look(&mut self) -> Option<Frame> {
        self.observers.obey(&mut self.source, None);
        let frame = self.source.look();
        frame.iter().for_each(|frame| self.observers.take(frame));
        frame
    }

    fn wish(&mut self, wish: Wish) {
        self.source.wish(wish);
    }

    fn end(&mut self, within: Duration) -> Option<End> {
        self.source.end(within)
    }

    fn unrecorded(&self) -> Option<u64> {
        self.observers.recorder.as_ref().map(|journal| journal.lost())
    }

    fn tours(&self) -> Vec<Arc<dyn Route>> {
        self.source.tours()
    }
}
