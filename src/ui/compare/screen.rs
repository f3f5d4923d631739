//! The comparison as a screen: the only file of the comparison that gets time, starts runs and reads their frames.

use super::model::CompareModel;
use crate::run::{Beginning, Continuation, Live, Outbox, Plan, Rival, Source, Wish};
use crate::schedule::Scheduler;
use crate::ui::kit::{Surface, Turn};
use crate::ui::screen::{Feed, ModelScreen};
use std::time::{Duration, Instant};

/// How often a run is sampled. Events report what happens between two samples.
const LOOK: Duration = Duration::from_millis(50);
/// Greatest number of frames of a recording that are read at once.
const FRAMES_AT_ONCE: usize = 2000;

/// A run to compare.
pub struct ComparedRun<'a> {
    /// The name of the run in the table.
    pub name: String,
    pub scheduler: Scheduler,
    /// Starts the run, or opens its journal.
    pub begin: Box<dyn FnOnce() -> Box<dyn Source> + 'a>,
}

impl ComparedRun<'_> {
    /// A search by threads of this process, named after its scheduler and rule.
    pub fn of(plan: Plan) -> ComparedRun<'static> {
        let name = match plan.scheduler {
            Scheduler::Hire => format!("hire {}", plan.hand_over.name()),
            other => other.name().to_owned(),
        };
        let scheduler = plan.scheduler;
        let begin = move || -> Box<dyn Source> {
            Box::new(Live::start(&plan, Beginning::default(), Continuation::default(), None, Outbox::default()))
        };
        ComparedRun { name, scheduler, begin: Box::new(begin) }
    }
}

/// The function that starts a run; `None` once it has been called.
type Begin<'a> = Option<Box<dyn FnOnce() -> Box<dyn Source> + 'a>>;

/// Starts the runs one after the other, and reads the current one.
pub struct RunsInTurn<'a> {
    begins: Vec<Begin<'a>>,
    source: Option<Box<dyn Source>>,
    due: Instant,
}

/// A comparison of runs that have not started.
pub fn screen<'a>(question: &str, entries: Vec<ComparedRun<'a>>) -> ModelScreen<CompareModel, RunsInTurn<'a>> {
    let (runs, begins): (Vec<Rival>, Vec<_>) =
        entries.into_iter().map(|entry| (Rival::new(entry.name, entry.scheduler), Some(entry.begin))).unzip();
    let model = CompareModel::new(question, runs, Surface::for_stage());
    ModelScreen::new(model, RunsInTurn { begins, source: None, due: Instant::now() })
}

impl RunsInTurn<'_> {
    /// Stops the current run, waits for its end, and gives the model its last frame.
    pub(super) fn close(&mut self, model: &mut CompareModel) {
        if let Some(mut source) = self.stop() {
            self.look(model, &mut *source);
        }
    }

    fn stop(&mut self) -> Option<Box<dyn Source>> {
        let mut source = self.source.take()?;
        source.wish(Wish::Stop);
        while source.end(LOOK).is_none() && !source.is_recorded() {}
        Some(source)
    }

    /// Reads the new frames of a run; returns whether the run has ended.
    fn look(&mut self, model: &mut CompareModel, source: &mut dyn Source) -> bool {
        // The frame read after the end is the last one.
        let end = source.end(Duration::ZERO);
        let frames = if source.is_recorded() { FRAMES_AT_ONCE } else { 1 };
        let seen = std::iter::from_fn(|| source.look()).take(frames).map(|frame| model.take(&frame)).count();
        let over = end.filter(|_| !source.is_recorded() || seen == 0);
        over.iter().for_each(|end| model.end(end));
        over.is_some()
    }
}

/// Stops the current run when the screen is closed.
impl Drop for RunsInTurn<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Feed<CompareModel> for RunsInTurn<'_> {
    fn due(&self, _: &CompareModel) -> Option<Instant> {
        let over = self.source.is_none() && self.begins.iter().all(Option::is_none);
        (!over).then_some(self.due)
    }

    fn tick(&mut self, model: &mut CompareModel, now: Instant) -> Turn {
        if now < self.due {
            return Turn::Stay;
        }
        self.due = now + LOOK;
        let mut source = match self.source.take() {
            Some(source) => source,
            None => match model.begin().and_then(|next| self.begins[next].take()) {
                Some(begin) => begin(),
                None => return Turn::Stay,
            },
        };
        if !self.look(model, &mut *source) {
            self.source = Some(source);
        }
        Turn::Stay
    }
}
