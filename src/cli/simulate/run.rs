//! What `destrier simulate` does: simulate crew after crew, or show one.

use super::args::{SimulateArgs, SimulatedSearch};
use super::report::SimulationReport;
use crate::cli::terminal::on_screens;
use crate::job::{Answer, Failure, answered, refuse_if, usage, with_signals};
use crate::run::{Plan, Question, SimulatedBalance};
use crate::schedule::rule::EARLIER;
use crate::search::Kernel;
use crate::simulate::{Costs, SimulationPlan, measure};
use crate::stop::{Stop, StopReason};
use crate::words::number_of;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Simulates the search for every number of workers.
///
/// # Errors
/// [`Failure`] on bad input, or when nothing can be printed any more.
pub fn run(args: &SimulateArgs) -> Result<Answer, Failure> {
    let (solver, problem) = args.asked.problem(&args.board)?;
    let kernel = solver.tree(&problem, true).map_err(usage)?.kernel;
    let &SimulateArgs { scheduler, hand_over, .. } = args;
    let earlier = EARLIER.into_iter().find(|earlier| Some(earlier.name) == args.rule.as_deref());
    let (is_idle, name) = (earlier.is_some() && !scheduler.has_rules, scheduler.name());
    refuse_if(is_idle, format_args!("--rule says how to hire, and {name} does not: leave it out"))?;
    let crews = &args.workers;
    crews.iter().try_for_each(|&workers| scheduler.takes(workers, "worker")).map_err(usage)?;
    if let (true, [first, _, ..]) = (args.watch, &**crews) {
        let many = crews.len();
        return Err(usage(format!("--watch shows one crew, not {many}: write one number, --workers {first} say")));
    }
    let costs = if args.costs == "measured" { measure(&*kernel)? } else { Costs::fixed() };
    let hand_over = earlier.map_or(hand_over, |earlier| earlier.rule.hand_over);
    let cast = SimulatedSearch { solver, problem, earlier, costs, seed: args.seed };
    let question = Question::Search(cast.solver, cast.problem.clone());
    let plan = Plan { scheduler, hand_over, ..Plan::of(question, crews[0]) };
    if args.watch {
        return on_screens!(cast, plan => super::watch::run(args, cast, plan));
    }
    play(args, &cast, &plan, &*kernel)
}

/// Simulates one number of workers after the other, and prints a row for each; with its balance, if that is asked for.
fn play(args: &SimulateArgs, cast: &SimulatedSearch, plan: &Plan, kernel: &dyn Kernel) -> Result<Answer, Failure> {
    let &Plan { scheduler, hand_over, .. } = plan;
    let simulated = |&workers: &usize| cast.plan(workers, scheduler, hand_over);
    let plans: Vec<SimulationPlan> = args.workers.iter().map(simulated).collect();
    let (stop, at) = (Stop::default(), AtomicUsize::new(0));
    let line = || match plans.get(at.load(Ordering::Relaxed)) {
        Some(plan) => format!("simulating {}", number_of(plan.workers, "worker")),
        None => String::new(),
    };
    let body = || {
        let mut report = SimulationReport::begin(args, cast, plan)?;
        for plan in &plans {
            let mut balance = args.balance.then(|| SimulatedBalance::new(plan, scheduler));
            let figures = match &mut balance {
                Some(balance) => plan.run_observed(balance, kernel, &stop),
                None => plan.run(kernel, &stop),
            };
            let Some(figures) = figures else { break };
            report.add(&figures, balance.map(|balance| balance.figures()))?;
            at.fetch_add(1, Ordering::Relaxed);
        }
        report.close(plans.len())
    };
    let (printed, signal) = with_signals(|| stop.ask(StopReason::Signal), line, body)?;
    answered(printed, signal)
}
