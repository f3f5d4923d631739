//! `gpu map --watch`: the work on a thread of its own, the map on the screen, the report when the view is left.

use super::{Csv, MapArgs, Order, failed, finish};
use crate::cli::args::usage;
use crate::cli::watch::on_terminal;
use crate::cli::{Failure, fault};
use crate::gpu::GpuError;
use crate::gpu::map::Outcome;
use crate::run::{Filled, Filling};
use crate::ui::Exit;
use crate::ui::map;
use crossbeam_channel::Sender;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ScopedJoinHandle;

/// Shows the batch until the user has seen enough, and prints the report; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or the work failed.
pub fn run(args: &MapArgs, order: Order, output: Csv) -> Result<u8, Failure> {
    let batch = order.batch;
    if !on_terminal() {
        return Err(usage(
            "--watch needs a terminal for its keys and its screen; without it the same work needs none".into(),
        ));
    }
    let stop = AtomicBool::new(false);
    let (sender, news) = crossbeam_channel::bounded(1);
    let (shown, worked) = std::thread::scope(|scope| {
        let stopping = Stopping(&stop);
        let mut worker = None;
        let (order, stop) = (&order, &stop);
        let begin = || {
            worker = Some(std::thread::Builder::new().spawn_scoped(scope, move || work(order, stop, sender))?);
            Ok(())
        };
        let shown = map::run(batch, &mut Filling::new(news, stop), begin);
        drop(stopping);
        (shown, worker.map(ScopedJoinHandle::join))
    });
    let shown = shown.map_err(Failure::from);
    let Some(worked) = worked else {
        return Err(shown.err().unwrap_or_else(|| unreachable!("a screen that was shown has begun its work")));
    };
    let worked = worked.map_err(|payload| fault::failure(&*payload))?;
    let (outcome, why) = worked.map_err(|error| failed(&error))?;
    let exit = shown?;
    let signal = match exit {
        Exit::Left => None,
        Exit::Signal(signal) => Some(signal),
    };
    finish(args, &outcome, (why, signal), output)
}

/// Stops the work at its end, also when the view panics: the work is waited for.
struct Stopping<'a>(&'a AtomicBool);

impl Drop for Stopping<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does the work and tells about it; answers what came of it, and why there is no device, if one was hoped for.
fn work(
    order: &Order,
    stop: &AtomicBool,
    news: Sender<(Filled, bool)>,
) -> Result<(Outcome, Option<GpuError>), GpuError> {
    let (mut work, why) = order.open()?;
    let told = |outcome: &Outcome, map: bool| Filled {
        placed: Some((outcome.label.clone(), because(outcome, why.as_ref()))),
        map: map.then(|| outcome.map.clone()),
        took: outcome.took,
    };
    // Nobody listens any more once the view was left, and that is all there is to know about it.
    let _ = news.send((told(work.outcome(), false), false));
    while !work.outcome().is_over() && !stop.load(Ordering::Relaxed) {
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
