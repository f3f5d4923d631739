//! `gpu map --watch`: the work on a thread of its own, the map on the screen, the report when the view is left.

use super::{MapArgs, MapOptions, Sampled, failed, filled, finish};
use crate::cli::failure::Failure;
use crate::cli::output::Destination;
use crate::cli::record::Recording;
use crate::cli::screen::beside;
use crate::gpu::GpuError;
use crate::gpu::map::MapOutcome;
use crate::run::{Filled, Frame, MapSource, ObservedSource};
use crate::stop::{Stop, StopReason};
use crate::ui::map;
use crossbeam_channel::Sender;
use std::io;

/// Shows the batch until the user has seen enough, and prints the report; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or the work failed.
pub fn run(args: &MapArgs, order: MapOptions, files: (Destination, Recording)) -> Result<u8, Failure> {
    let stop = Stop::default();
    let (sender, news) = crossbeam_channel::bounded(1);
    let recorder = files.1.recorder();
    let recorded = |frame: &Frame| recorder.iter().for_each(|recorder| recorder.take(frame));
    let show = |begin: &mut dyn FnMut() -> io::Result<()>| {
        let mut source =
            ObservedSource::new(MapSource::new(news, stop.clone()), recorded).into_journal(recorder.clone());
        map::run(order.batch, &mut source, begin)
    };
    let (worked, signal, view_failed) = beside(|| stop.ask(StopReason::Asked), || work(&order, &stop, sender), show)?;
    let (outcome, why) = worked.map_err(|error| failed(&error))?;
    Sampled::new(files.1.recorder()).take(&outcome, why.as_ref(), true);
    view_failed.map_or(Ok(()), Err)?;
    finish(args, &outcome, (why, signal), files)
}

/// Does the work and tells about it; answers what came of it, and why there is no device, if one was hoped for.
fn work(
    order: &MapOptions,
    stop: &Stop,
    news: Sender<(Filled, bool)>,
) -> Result<(MapOutcome, Option<GpuError>), GpuError> {
    let (mut work, why) = order.open()?;
    // Nobody listens any more once the view was left, and that is all there is to know about it.
    let _ = news.send((filled(work.outcome(), why.as_ref(), false), false));
    while !work.outcome().is_over() && !stop.is_asked() {
        work.advance(stop)?;
        // Of two maps that are not yet looked at only the later one matters, and that is the next one.
        if !news.is_full() {
            let _ = news.send((filled(work.outcome(), why.as_ref(), true), false));
        }
    }
    if work.outcome().is_over() {
        let _ = news.send((filled(work.outcome(), why.as_ref(), true), true));
    }
    Ok((work.into_outcome(), why))
}
