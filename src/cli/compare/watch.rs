//! `compare` on a terminal: the runs side by side on one time axis.

use super::ways::{Ends, asked, short};
use crate::cli::screen::signal_of;
use crate::job::Failure;
use crate::lock::LockAlways as _;
use crate::run::{Beginning, Continuation, Live, Outbox, Plan, Recorded, Rival};
use crate::ui::compare::{self, ComparedRun};
use std::sync::Arc;

/// Shows runs one after the other. Returns what came of them, and the signal that ended the view.
///
/// # Errors
/// [`Failure`] when the view failed.
pub fn runs(plans: &[(String, Plan)]) -> Result<Ends, Failure> {
    let outboxes: Vec<Outbox> = plans.iter().map(|_| Outbox::default()).collect();
    let entries = plans.iter().zip(&outboxes).zip(short(plans)).map(|(((_, plan), outbox), name)| ComparedRun {
        name,
        scheduler: plan.scheduler,
        begin: Box::new(move || {
            Box::new(Live::start(plan, Beginning::default(), Continuation::default(), None, Arc::clone(outbox)))
        }),
    });
    let (exit, rivals) = compare::run(&asked(plans), entries.collect())?;
    let done = outboxes.iter().filter_map(|outbox| outbox.locked().take()).collect();
    Ok(Ends { done, rivals, signal: signal_of(exit) })
}

/// Shows recorded runs. Returns their figures and the signal that ended the view.
///
/// # Errors
/// [`Failure`] when the view failed.
pub fn recordings(plans: &[(String, Plan)], opened: Vec<Recorded>) -> Result<(Vec<Rival>, Option<i32>), Failure> {
    let entries = plans.iter().zip(opened).map(|((name, plan), recorded)| ComparedRun {
        name: name.clone(),
        scheduler: plan.scheduler,
        begin: Box::new(move || Box::new(recorded)),
    });
    let (exit, rivals) = compare::run(&asked(plans), entries.collect())?;
    Ok((rivals, signal_of(exit)))
}
