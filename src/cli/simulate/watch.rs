//! `simulate --watch`: one simulation in the live view, and what it came to when that is left.

use super::args::{SimulateArgs, SimulatedSearch};
use super::report::SimulationReport;
use crate::cli::terminal::watch_needs_terminal;
use crate::job::{Answer, Failure, answered, say, usage};
use crate::lock::LockAlways as _;
use crate::run::{Beginning, Plan, SimulatedScene, Simulation, SimulationOutcome, Source};
use crate::ui::{self, Session, SessionReport, UiError};
use std::rc::Rc;

/// Shows simulations, the first one of this plan, until the user has seen enough, and prints what the last one came to.
///
/// # Errors
/// [`Failure`] without a terminal, or when the view failed.
pub fn run(args: &SimulateArgs, cast: SimulatedSearch, plan: Plan) -> Result<Answer, Failure> {
    watch_needs_terminal()?;
    let kernel = cast.solver.tree(&cast.problem, true).map_err(usage)?.kernel;
    let (cast, outcome) = (Rc::new(cast), SimulationOutcome::default());
    let launch = {
        let (cast, outcome) = (Rc::clone(&cast), outcome.clone());
        move |plan: &Plan, beginning: Beginning| -> Box<dyn Source> {
            let workers = plan.scheduler.workers(plan.threads);
            let scene = SimulatedScene {
                plan: cast.plan(workers, plan.scheduler, plan.hand_over),
                kernel: kernel.another(),
                board: plan.question.board(),
                hand_over: plan.hand_over,
            };
            Box::new(Simulation::start(scene, beginning, outcome.clone()))
        }
    };
    let (fps, beginning) = (None, Beginning::default());
    let (launch, prepare_detach) = (Box::new(launch), Box::new(|| Ok(())));
    let SessionReport { plan, signal, .. } =
        ui::run(Session { plan, may_restart: true, fps, beginning, launch, prepare_detach })?;
    let ended = outcome.locked().take().ok_or(UiError::Vanished)?;
    let mut report = SimulationReport::begin(args, &cast, &plan)?;
    match ended {
        Ok(figures) => report.add(&figures, None)?,
        Err(_) => say("it was left before its end, and has no figures")?,
    }
    answered(report.close(1), signal)
}
