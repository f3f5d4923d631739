//! `gpu map --watch`: the work on a thread of its own, the map on the screen, the report when the view is left.

use super::{MapArgs, Order, failed, finish};
use crate::cli::failure::Failure;
use crate::cli::output::Destination;
use crate::cli::screen::beside;
use crate::gpu::GpuError;
use crate::gpu::map::Outcome;
use crate::run::{Filled, Filling};
use crate::stop::{Stop, StopReason};
use crate::ui::map;
use crossbeam_channel::Sender;
use std::io;

/// Shows the batch until the user has seen enough, and prints the report; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or the work failed.
pub fn run(args: &MapArgs, order: Order, output: Destination) -> Result<u8, Failure> {
    let stop = Stop::default();
    let (sender, news) = crossbeam_channel::bounded(1);
    let show =
        |begin: &mut dyn FnMut() -> io::Result<()>| map::run(order.batch, &mut Filling::new(news, stop.clone()), begin);
    let (worked, signal, view_failed) = beside(|| stop.ask(StopReason::Asked), || work(&order, &stop, sender), show)?;
    let (outcome, why) = worked.map_err(|error| failed(&error))?;
    view_failed.map_or(Ok(()), Err)?;
    finish(args, &outcome, (why, signal), output)
}

/// Does the work and tells about it; answers what came of it, and why there is no device, if one was hoped for.
fn work(order: &Order, stop: &Stop, news: Sender<(Filled, bool)>) -> Result<(Outcome, Option<GpuError>), GpuError> {
    let (mut work, why) = order.open()?;
    let told = |outcome: &Outcome, map: bool| Filled {
        placed: Some((outcome.label.clone(), because(outcome, why.as_ref()))),
        map: map.then(|| outcome.map.clone()),
        took: outcome.took,
    };
    // Nobody listens any more once the view was left, and that is all there is to know about it.
    let _ = news.send((told(work.outcome(), false), false));
    while !work.outcome().is_over() && !stop.is_asked() {
        work.go_on(stop)?;
        // Of two maps that are not yet looked at only the later one matters, and that is the next one.
        if !news.is_full() {
            let _ = news.send((told(work.outcome(), true), false));
        }
    }
    if work.outcome().is_over() {
        let _ = news.send((told(work.outcome(), true), true));
    }
    Ok((work.into_outcome(), why))
}

/// Why the knights are moved by nobody better; empty where there is nobody better.
fn because(outcome: &Outcome, why: Option<&GpuError>) -> String {
    outcome.gave_up.as_ref().map(|(_, why)| why).or(why).map_or_else(String::new, GpuError::to_string)
}
