//! `count --watch`: the count on a thread of its own, its meters on the screen, the report when the view is left.

use super::report::counterpart;
use super::{Ended, count};
use crate::cli::args::usage;
use crate::cli::watch::on_terminal;
use crate::cli::{Failure, fault};
use crate::count::{Answer, CountError, Question, Settings, Watch};
use crate::run::Counting;
use crate::ui::Exit;
use crate::ui::count::{self as view, Answered};
use crossbeam_channel::Sender;
use std::thread::ScopedJoinHandle;

/// Shows a count until the user has seen enough; one that is still going on then is stopped.
///
/// # Errors
/// [`Failure`] without a terminal, or when the view failed before the count was begun.
pub fn run(question: &Question, settings: &Settings, watch: &Watch) -> Result<Ended, Failure> {
    if !on_terminal() {
        return Err(usage(
            "--watch needs a terminal for its keys and its screen; without it the same count needs none".into(),
        ));
    }
    let (sender, answer) = crossbeam_channel::bounded(1);
    let (shown, counted) = std::thread::scope(|scope| {
        let stopping = Stopping(watch);
        let mut counter = None;
        let begin = || {
            let work = move || work(question, settings, watch, sender);
            counter = Some(std::thread::Builder::new().spawn_scoped(scope, work)?);
            Ok(())
        };
        let shown = view::run(question, settings.threads, &mut Counting::new(watch, answer), begin);
        drop(stopping);
        (shown, counter.map(ScopedJoinHandle::join))
    });
    let (signal, view_failed) = match shown {
        Ok(Exit::Left) => (None, None),
        Ok(Exit::Signal(signal)) => (Some(signal), None),
        Err(error) => (None, Some(error.into())),
    };
    let Some(counted) = counted else {
        return Err(view_failed.unwrap_or_else(|| unreachable!("a screen that was shown has begun its count")));
    };
    let answered = counted.map_err(|payload| fault::failure(&*payload))?;
    Ok(Ended { answered, signal, view_failed })
}

/// Stops the count at its end, also when the view panics: the count is waited for.
struct Stopping<'a>(&'a Watch);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Counts, and tells the view the answer; without one the view sees that nobody will tell it anything any more.
fn work(question: &Question, settings: &Settings, watch: &Watch, view: Sender<Answered>) -> Result<Answer, CountError> {
    let answer = count(question, settings, watch)?;
    if let Some(answered) = in_words(question, &answer) {
        // Nobody listens any more once the view was left, and that is all there is to know about it.
        let _ = view.send(answered);
    }
    Ok(answer)
}

/// An answer as the view shows it; nothing when the count was stopped.
fn in_words(question: &Question, answer: &Answer) -> Option<Answered> {
    let count = answer.count.as_ref()?;
    let also = counterpart(question, count).map(|other| (other.to_string(), other.convention().name()));
    let (digits, how) = (count.to_string(), answer.how.to_string());
    Some(Answered { digits, also, how, resumed: answer.resumed.map(|place| place.to_string()) })
}
