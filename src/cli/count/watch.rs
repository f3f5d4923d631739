//! `count --watch`: the count on a thread of its own, its meters on the screen, the report when the view is left.

use super::report::answered;
use super::run::{CountJob, CountWork};
use crate::cli::screen::beside;
use crate::count::{CountAnswer, CountError, CountQuestion};
use crate::job::{AttendedWork, Failure, FinishedWork, Observation};
use crate::run::{CountResult, CountSource, count_frame};
use crate::ui::count as view;
use crossbeam_channel::Sender;
use std::io;

impl CountJob {
    /// Shows the count to the user and to the observers until the user leaves; if it still works then, it is stopped.
    ///
    /// # Errors
    /// As [`beside`].
    pub fn attend_on_screen(&mut self, observation: Observation) -> Result<AttendedWork<CountWork>, Failure> {
        let (observers, file) = (observation.observers(), self.file.take());
        let CountJob { question, settings, watch, .. } = &*self;
        let (sender, answer) = crossbeam_channel::bounded(1);
        let show = |begin: &mut dyn FnMut() -> io::Result<()>| {
            let mut source = observers.around(CountSource::new(watch, answer));
            view::run(question, settings.threads, &mut *source, begin)
        };
        let count = || {
            let answer = self.count(file);
            // The last frame, also of a count that was left in its middle.
            observers.take(&count_frame(watch));
            answer
        };
        let work = || count_for_view(question, count, sender);
        let (answered, signal, view_failed) = beside(|| watch.stop(), work, show)?;
        let stopped = match (&view_failed, signal) {
            (Some(_), _) => "view",
            (None, Some(_)) => "signal",
            (None, None) => "request",
        };
        Ok(FinishedWork { work: self.work(answered, stopped), signal, view_failed, observation }.here())
    }
}

/// What a count comes to.
type Counted = Result<CountAnswer, CountError>;

/// Counts, and tells the view the answer; without one the view sees that the channel is closed.
pub fn count_for_view(question: &CountQuestion, count: impl FnOnce() -> Counted, view: Sender<CountResult>) -> Counted {
    let answer = count()?;
    if let Some(answered) = answered(question, &answer) {
        // After the user has left, the view receives nothing any more.
        let _ = view.send(answered);
    }
    Ok(answer)
}
