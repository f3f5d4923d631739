//! `count --watch`: the count on a thread of its own, its meters on the screen, the report when the view is left.

use super::report::{CountExit, answered};
use crate::cli::failure::Failure;
use crate::cli::record::Tap;
use crate::cli::screen::beside;
use crate::count::{CountAnswer, CountError, CountQuestion, CountWatch};
use crate::run::{Answered, CountSource, Frame, ObservedSource};
use crate::ui::count as view;
use crossbeam_channel::Sender;
use std::io;

/// Shows what `count` counts until the user has seen enough, and whoever records it; if it is still going on then, it is
/// stopped.
///
/// # Errors
/// As [`beside`].
pub fn run(
    question: &CountQuestion,
    (threads, recorder): (usize, Tap),
    watch: &CountWatch,
    count: impl FnOnce() -> Result<CountAnswer, CountError> + Send,
) -> Result<CountExit, Failure> {
    let (sender, answer) = crossbeam_channel::bounded(1);
    let show = |begin: &mut dyn FnMut() -> io::Result<()>| {
        let recorded = |frame: &Frame| recorder.iter().for_each(|recorder| recorder.take(frame));
        let mut source = ObservedSource::new(CountSource::new(watch, answer), recorded).into_journal(recorder.clone());
        view::run(question, threads, &mut source, begin)
    };
    let count = || {
        let answer = count();
        // Also of one that was left in its middle.
        recorder.iter().for_each(|recorder| recorder.take(&CountSource::frame(watch)));
        answer
    };
    beside(|| watch.stop(), || work(question, count, sender), show)
}

/// Counts, and tells the view the answer; without one the view sees that nobody will tell it anything any more.
fn work(
    question: &CountQuestion,
    count: impl FnOnce() -> Result<CountAnswer, CountError>,
    view: Sender<Answered>,
) -> Result<CountAnswer, CountError> {
    let answer = count()?;
    if let Some(answered) = answered(question, &answer) {
        // Nobody listens any more once the view was left, and that is all there is to know about it.
        let _ = view.send(answered);
    }
    Ok(answer)
}
