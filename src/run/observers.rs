//! Who sees a run that has no screen: whoever writes a journal of it, whoever looks on from afar, and whoever makes
//! something else of what is seen.

use super::frame::Frame;
use super::journal::{Recorder, SAMPLE_EVERY};
use super::remote::{Server, ViewerRequest};
use super::source::{Source, Wish};
use crossbeam_channel::{Receiver, never, select};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run that nobody looks at just now is looked at this often, so that its past is kept.
const REST: Duration = Duration::from_secs(1);

/// Sees what is seen of a run, and does something with it at once.
pub trait RunObserver: Send + Sync {
    /// Sees a frame.
    fn take(&self, frame: &Frame);
}

/// Who sees a run, if anybody does.
#[derive(Clone, Default)]
pub struct RunObservers {
    recorder: Option<Arc<Recorder>>,
    host: Option<Arc<Server>>,
    observer: Option<Arc<dyn RunObserver>>,
}

impl RunObservers {
    /// These.
    pub fn new(recorder: Option<Arc<Recorder>>, host: Option<Arc<Server>>) -> RunObservers {
        RunObservers { recorder, host, observer: None }
    }

    /// They, and another one, if there is one.
    pub fn and(self, observer: Option<Arc<dyn RunObserver>>) -> RunObservers {
        RunObservers { observer, ..self }
    }

    /// Whether there is anybody.
    pub fn are_some(&self) -> bool {
        self.recorder.is_some() || self.host.is_some() || self.observer.is_some()
    }

    /// Shows them a frame.
    pub fn take(&self, frame: &Frame) {
        self.recorder.iter().for_each(|recorder| recorder.take(frame));
        self.host.iter().for_each(|host| host.take(frame));
        self.observer.iter().for_each(|observer| observer.take(frame));
    }

    /// Does `work` while they see what `source` gives, ten frames a second, the first one before it begins and the last
    /// one after its end; and tells `source` what they wish.
    pub fn beside<T>(&self, mut source: impl Source + Send, work: impl FnOnce() -> T) -> T {
        self.show(&mut source);
        let (going, ended) = crossbeam_channel::bounded::<()>(0);
        let (done, mut source) = std::thread::scope(|scope| {
            let sample = move || {
                self.watch(&mut source, &ended);
                source
            };
            // Its end lets go of the thread, also when that of the work is a panic.
            let sampler = scope.spawn(sample);
            let going = going;
            let done = work();
            drop(going);
            (done, sampler.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)))
        });
        self.show(&mut source);
        done
    }

    /// Shows them what is new.
    fn show(&self, source: &mut impl Source) {
        if let Some(worker) = self.host.as_ref().and_then(|host| host.selected()) {
            source.wish(Wish::Select(worker));
        }
        if let Some(frame) = source.look() {
            self.take(&frame);
        }
    }

    /// Shows them what is new now and then, until the run has ended.
    fn watch(&self, source: &mut impl Source, ended: &Receiver<()>) {
        let nobody = never();
        let words = self.host.as_ref().map_or(&nobody, |host| host.words());
        let (mut seen, mut due) = (Instant::now(), Instant::now() + SAMPLE_EVERY);
        loop {
            select! {
                recv(ended) -> _ => return,
                recv(words) -> word => match word {
                    Ok(ViewerRequest::Wish(wish)) => source.wish(wish),
                    // As often as anybody is shown something, and no more often.
                    Ok(ViewerRequest::Look) | Err(_) => due = due.min(seen + SAMPLE_EVERY),
                },
                default(due.saturating_duration_since(Instant::now())) => {}
            }
            if Instant::now() >= due {
                self.show(source);
                seen = Instant::now();
                due = seen + if self.are_looking() { SAMPLE_EVERY } else { REST };
            }
        }
    }

    fn are_looking(&self) -> bool {
        let looks_always = self.recorder.is_some() || self.observer.is_some();
        looks_always || self.host.as_ref().is_some_and(|host| host.is_watched())
    }
}
