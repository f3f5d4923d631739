//! `count --watch`: the count on a thread of its own, its meters on the screen, the report when the view is left.

use super::report::{Ended, counterpart};
use crate::cli::failure::Failure;
use crate::cli::screen::beside;
use crate::count::{Answer, CountError, Question, Watch};
use crate::run::{Answered, Counting};
use crate::ui::count as view;
use crossbeam_channel::Sender;
use std::io;

/// Shows what `count` counts until the user has seen enough; if it is still going on then, it is stopped.
///
/// # Errors
/// As [`beside`].
pub fn run(
    question: &Question,
    threads: usize,
    watch: &Watch,
    count: impl FnOnce() -> Result<Answer, CountError> + Send,
) -> Result<Ended, Failure> {
    let (sender, answer) = crossbeam_channel::bounded(1);
    let show = |begin: &mut dyn FnMut() -> io::Result<()>| {
        view::run(question, threads, &mut Counting::new(watch, answer), begin)
    };
    beside(|| watch.stop(), || work(question, count, sender), show)
}

/// Counts, and tells the view the answer; without one the view sees that nobody will tell it anything any more.
fn work(
    question: &Question,
    count: impl FnOnce() -> Result<Answer, CountError>,
    view: Sender<Answered>,
) -> Result<Answer, CountError> {
    let answer = count()?;
    if let Some(answered) = in_words(question, &answer) {
        // Nobody listens any more once the view was left, and that is all there is to know about it.
        let _ = view.send(answered);
    }
    Ok(answer)
}

/// An answer as the view shows it; nothing when the count was stopped.
fn in_words(question: &Question, answer: &Answer) -> Option<Answered> {
    let count = answer.count.as_ref()?;
    let also = counterpart(question, count).map(|other| (other.to_string(), other.convention().to_string()));
    let (digits, how) = (count.to_string(), answer.how.to_string());
    Some(Answered { digits, also, how, resumed: answer.resumed.map(|place| place.to_string()) })
}
