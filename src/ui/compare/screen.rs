//! The view of compared runs on a stage: the one part of it that is told the time, begins runs and hears of them.

use super::model::{CompareModel, update};
use super::view::view;
use crate::run::{Beginning, Goes, Live, Outbox, Plan, Rival, Source, Wish};
use crate::schedule::Scheduler;
use crate::ui::kit::{ScreenMsg, Surface};
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// How often a run is looked at: what happens between two looks is told by its events.
const LOOK: Duration = Duration::from_millis(50);
/// Frames of a recording that are taken in at once.
const FRAMES_AT_ONCE: usize = 2000;

/// A run that is to be compared.
pub struct ComparedRun<'a> {
    /// What it is asked with.
    pub name: String,
    /// Begins it, or opens its journal.
    pub begin: Box<dyn FnOnce() -> Box<dyn Source> + 'a>,
}

impl ComparedRun<'_> {
    /// A search by threads of this process, named by how they share it.
    pub fn of(plan: Plan) -> ComparedRun<'static> {
        let name = match plan.scheduler {
            Scheduler::Hire => format!("hire {}", plan.hand_over.name()),
            other => other.name().to_owned(),
        };
        let begin = move || -> Box<dyn Source> {
            Box::new(Live::start(&plan, Beginning::default(), Goes::default(), None, Outbox::default()))
        };
        ComparedRun { name, begin: Box::new(begin) }
    }
}

/// What begins a run, until its turn has come.
type Begin<'a> = Option<Box<dyn FnOnce() -> Box<dyn Source> + 'a>>;

/// The view as a screen.
pub struct Comparison<'a> {
    model: CompareModel,
    begins: Vec<Begin<'a>>,
    source: Option<Box<dyn Source>>,
    due: Instant,
}

impl<'a> Comparison<'a> {
    /// The view of runs none of which has begun.
    pub fn new(question: &str, entries: Vec<ComparedRun<'a>>) -> Comparison<'a> {
        let (names, begins): (Vec<String>, Vec<_>) =
            entries.into_iter().map(|entry| (entry.name, Some(entry.begin))).unzip();
        let model = CompareModel::new(question, names, Surface::of_terminal());
        Comparison { model, begins, source: None, due: Instant::now() }
    }

    /// What was seen of each run.
    pub fn into_rivals(mut self) -> Vec<Rival> {
        self.stop();
        std::mem::take(&mut self.model.rivals)
    }

    /// The run whose turn it is is stopped, and waited for.
    fn stop(&mut self) {
        if let Some(mut source) = self.source.take() {
            source.wish(Wish::Stop);
            while source.end(LOOK).is_none() && !source.is_recorded() {}
            self.look(&mut *source);
        }
    }

    /// Takes in what is new of a run; answers whether it is over.
    fn look(&mut self, source: &mut dyn Source) -> bool {
        // What is seen after the end is the last.
        let end = source.end(Duration::ZERO);
        let frames = if source.is_recorded() { FRAMES_AT_ONCE } else { 1 };
        let seen = std::iter::from_fn(|| source.look()).take(frames).map(|frame| self.model.take(&frame)).count();
        let over = end.filter(|_| !source.is_recorded() || seen == 0);
        over.iter().for_each(|end| self.model.end(end));
        over.is_some()
    }
}

/// Nothing goes on that nobody sees.
impl Drop for Comparison<'_> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Screen for Comparison<'_> {
    fn take(&mut self, msg: ScreenMsg) -> Turn {
        update(&mut self.model, msg).map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        let over = self.source.is_none() && self.begins.iter().all(Option::is_none);
        (!over).then_some(self.due)
    }

    fn tick(&mut self, now: Instant) -> Turn {
        if now < self.due {
            return Turn::Stay;
        }
        self.due = now + LOOK;
        let mut source = match self.source.take() {
            Some(source) => source,
            None => match self.model.begin().and_then(|next| self.begins[next].take()) {
                Some(begin) => begin(),
                None => return Turn::Stay,
            },
        };
        if !self.look(&mut *source) {
            self.source = Some(source);
        }
        Turn::Stay
    }
}
