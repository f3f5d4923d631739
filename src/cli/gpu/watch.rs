//! `gpu map --watch`: the work on a thread of its own, the map on the screen.

use super::work::{MapDone, MapOptions, Sampled, failed, filled, work};
use crate::cli::screen::beside;
use crate::gpu::GpuError;
use crate::gpu::map::MapOutcome;
use crate::job::Failure;
use crate::run::{MapSource, RunObservers};
use crate::stop::{Stop, StopReason};
use crate::ui::map;
use std::io;

/// What a map came to, the signal that ended its view, and why the view went away, if the user did not leave it.
pub type WatchedMap = (MapDone, Option<i32>, Option<Failure>);

/// Shows the batch to the user and to the observers until the user leaves.
///
/// # Errors
/// [`Failure`] without a terminal, or when the work failed.
pub fn run(options: &MapOptions, observers: &RunObservers) -> Result<WatchedMap, Failure> {
    let stop = Stop::default();
    let (sender, news) = crossbeam_channel::bounded(1);
    let show = |begin: &mut dyn FnMut() -> io::Result<()>| {
        let mut source = observers.around(MapSource::new(news, stop.clone()));
        map::run(options.batch, &mut *source, begin)
    };
    let move_knights = || {
        let mut is_first = true;
        work(options.open()?, &stop, |outcome: &MapOutcome, why: Option<&GpuError>, over| {
            // Of two maps that are not yet looked at only the later one matters, and that is the next one.
            if is_first || over || !sender.is_full() {
                // Nothing is received any more after the user has left, and that is all there is to know about it.
                let _ = sender.send((filled(outcome, why, !is_first), over));
            }
            is_first = false;
        })
    };
    let (worked, signal, view_failed) = beside(|| stop.ask(StopReason::Asked), move_knights, show)?;
    let done = worked.map_err(|error| failed(&error))?;
    Sampled::new(observers.clone()).last(&done.outcome, done.why.as_ref());
    Ok((done, signal, view_failed))
}
