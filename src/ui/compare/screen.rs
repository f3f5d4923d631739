//! The comparison as a screen: the only file of the comparison that gets time, starts runs and reads their frames.

use super::model::CompareModel;
use crate::run::{Beginning, Continuation, Live, Outbox, Plan, Rival, Source};
use crate::schedule::Scheduler;
use crate::ui::kit::{Common, Effect};
use crate::ui::screen::{Feed, ModelScreen, UiError, stop};
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
        let name = plan.scheduler.name_by(plan.hand_over);
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
    did_not_stop: bool,
}

/// A comparison of runs that have not started.
pub fn screen<'a>(question: &str, entries: Vec<ComparedRun<'a>>) -> ModelScreen<CompareModel, RunsInTurn<'a>> {
    let (runs, begins): (Vec<Rival>, Vec<_>) =
        entries.into_iter().map(|entry| (Rival::new(entry.name, entry.scheduler), Some(entry.begin))).unzip();
    let model = CompareModel::new(question, runs, Common::for_session());
    ModelScreen::new(model, RunsInTurn { begins, source: None, due: Instant::now(), did_not_stop: false })
}

impl RunsInTurn<'_> {
    /// Stops the current run, and gives the model its last frame. No other run begins.
    ///
    /// # Errors
    /// [`UiError::Deaf`] if the run did not stop, now or before.
    pub(super) fn close(&mut self, model: &mut CompareModel) -> Result<(), UiError> {
        self.begins.clear();
        if let Some(mut source) = self.source.take() {
            self.did_not_stop = stop(&mut *source).is_none() && !source.is_recorded();
            self.look(model, &mut *source);
        }
        if self.did_not_stop { Err(UiError::Deaf) } else { Ok(()) }
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
        if let Some(source) = &mut self.source {
            stop(&mut **source);
        }
    }
}

impl Feed<CompareModel> for RunsInTurn<'_> {
    /// A run that does not stop is said once; then the screen is left all the same.
    fn perform(&mut self, model: &mut CompareModel, effect: Effect) -> Effect {
        if effect != Effect::Leave || self.did_not_stop {
            return effect;
        }
        let Err(error) = self.close(model) else { return effect };
        model.common.complain(error.to_string());
        Effect::Stay
    }

    fn due(&self, _: &CompareModel) -> Option<Instant> {
        let over = self.source.is_none() && self.begins.iter().all(Option::is_none);
        (!over).then_some(self.due)
    }

    fn tick(&mut self, model: &mut CompareModel, now: Instant) -> Effect {
        // No other run begins once the screen has been closed.
        if now < self.due || (self.source.is_none() && self.begins.is_empty()) {
            return Effect::Stay;
        }
        self.due = now + LOOK;
        let mut source = match self.source.take() {
            Some(source) => source,
            None => match model.begin().and_then(|next| self.begins[next].take()) {
                Some(begin) => begin(),
                None => return Effect::Stay,
            },
        };
        if !self.look(model, &mut *source) {
            self.source = Some(source);
        }
        Effect::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{End, Frame, Wish};
    use crate::ui::screen::Screen;
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use std::cell::RefCell;
    use std::rc::Rc;

    /// A run that heeds nothing, and says what it is asked.
    struct DeafRun(Rc<RefCell<Vec<Wish>>>);

    impl Source for DeafRun {
        fn look(&mut self) -> Option<Frame> {
            None
        }

        fn wish(&mut self, wish: Wish) {
            self.0.borrow_mut().push(wish);
        }

        fn end(&mut self, within: Duration) -> Option<End> {
            // A wait without a limit would not come back.
            assert!(within <= Duration::from_secs(10), "{within:?}");
            None
        }
    }

    #[test]
    fn a_run_that_does_not_stop_is_said_and_no_other_one_begins() {
        let wishes = Rc::new(RefCell::new(Vec::new()));
        let run = |begun: Rc<RefCell<Vec<Wish>>>| ComparedRun {
            name: "a run".to_owned(),
            scheduler: Scheduler::HIRE,
            begin: Box::new(move || Box::new(DeafRun(begun))),
        };
        let mut screen = screen("a question", vec![run(Rc::clone(&wishes)), run(Rc::clone(&wishes))]);
        let mut now = Instant::now();
        let mut tick = |screen: &mut ModelScreen<CompareModel, RunsInTurn<'_>>| {
            now += Duration::from_secs(1);
            screen.tick(now);
        };
        tick(&mut screen);
        assert_eq!(screen.model.running(), Some(0));
        let key = |code| crate::ui::kit::ScreenEvent::Key(KeyEvent::new(code, KeyModifiers::NONE));
        screen.take(key(KeyCode::Char('q')));
        assert_eq!(screen.take(key(KeyCode::Char('y'))), Effect::Stay);
        let said = screen.model.common.notice.clone().map(|notice| notice.text);
        assert_eq!(said.as_deref(), Some("the search did not stop within 10 seconds"));
        assert_eq!(*wishes.borrow(), [Wish::Stop]);
        tick(&mut screen);
        assert!(screen.due().is_none(), "no other run begins");
        screen.take(key(KeyCode::Char('q')));
        assert_eq!(screen.take(key(KeyCode::Char('y'))), Effect::Leave);
        let ModelScreen { mut model, mut feed, .. } = screen;
        assert!(matches!(feed.close(&mut model), Err(UiError::Deaf)));
    }
}
