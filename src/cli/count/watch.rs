//! `count --watch`: the count on a thread of its own, its meters on the screen, the report when the view is left.

use crate::cli::screen::beside;
use crate::count::{CountAnswer, CountError, CountQuestion, CountWatch};
use crate::job::Failure;
use crate::run::{CountResult, CountSource, RunObservers, count_frame};
use crate::ui::count as view;
use crossbeam_channel::Sender;
use std::io;

use super::report::answered;

/// How a count ended: its answer, the signal that stopped it, if one did, and why its view went away, if the user did not
/// leave it.
pub type CountExit = (Result<CountAnswer, CountError>, Option<i32>, Option<Failure>);

/// Shows the work of `count` to the user and to the observers until the user leaves; if it still works then, it is stopped.
///
/// # Errors
/// As [`beside`].
pub fn run(
    question: &CountQuestion,
    threads: usize,
    observers: &RunObservers,
    watch: &CountWatch,
    count: impl FnOnce() -> Result<CountAnswer, CountError> + Send,
) -> Result<CountExit, Failure> {
    let (sender, answer) = crossbeam_channel::bounded(1);
    let show = |begin: &mut dyn FnMut() -> io::Result<()>| {
        let mut source = observers.around(CountSource::new(watch, answer));
        view::run(question, threads, &mut *source, begin)
    };
    let count = || {
        let answer = count();
        // The last frame, also of a count that was left in its middle.
        observers.take(&count_frame(watch));
        answer
    };
    beside(|| watch.stop(), || count_for_view(question, count, sender), show)
}

/// Counts, and tells the view the answer; without one the view sees that the channel is closed.
pub fn count_for_view(
    question: &CountQuestion,
    count: impl FnOnce() -> Result<CountAnswer, CountError>,
    view: Sender<CountResult>,
) -> Result<CountAnswer, CountError> {
    let answer = count()?;
    if let Some(answered) = answered(question, &answer) {
        // After the user has left, the view receives nothing any more.
        let _ = view.send(answered);
    }
    Ok(answer)
}
