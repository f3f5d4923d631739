//! `destrier watch`: the live view of a search; the summary goes to the shell when it is left.

use super::args::{Plan, WatchArgs};
use super::output::Destination;
use super::{Failure, find, search};
use crate::event;
use crate::schedule::{self, Crew, CrewPlan, Levels, RunError, Scheduler};
use crate::search::HandOver;
use crate::solve::{Found, Output};
use crate::ui::{self, Beginning, Choice, Done, Launched, Question, Report, Session};
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// By how much the workers of a view lower their priority, so that keys and screen stay quick on a busy machine.
const NICE: i32 = 10;

/// Whether there is a terminal for keys and screen.
pub fn on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Shows the search and prints its summary afterwards; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the search failed.
pub fn run(args: &WatchArgs) -> Result<u8, Failure> {
    let plan = args.plan()?;
    let board = plan.problem.board;
    if !on_terminal() {
        let instead = "`destrier search` with the same options does the same work without one";
        return Err(Failure::Usage(format!("watch needs a terminal for its keys and its screen; {instead}")));
    }
    let output = args.options.output(board)?;
    if matches!(output, Destination::Stdout(..)) {
        return Err(Failure::Usage("--out - would write over the screen: give --out a file".to_owned()));
    }
    let question = Question::Search(plan.solver, plan.problem);
    let choice = Choice { question, threads: plan.threads, scheduler: plan.scheduler };
    let settings = Settings { hand_over: plan.hand_over, fps: args.fps, deadline: plan.deadline };
    live(choice, settings, output, args.options.json)
}

/// What stays the same in a session, whatever is asked.
#[derive(Clone, Copy)]
pub struct Settings {
    /// By which rule branches are handed over, to begin with.
    pub hand_over: HandOver,
    /// Frames a second.
    pub fps: u32,
    /// How long each run may take.
    pub deadline: Option<Duration>,
}

/// Shows runs until the user has seen enough, and prints the summary of the last one; answers the exit code.
///
/// # Errors
/// [`Failure`] when the view or a run failed.
pub fn live(choice: Choice, settings: Settings, output: Destination, json: bool) -> Result<u8, Failure> {
    let Settings { hand_over, fps, deadline } = settings;
    // A second run would write its tours behind those of the first.
    let may_restart = matches!(output, Destination::Nowhere);
    let output = Rc::new(RefCell::new(output));
    let launch = {
        let output = output.clone();
        move |choice: &Choice, beginning: Beginning| {
            launch(choice.clone(), beginning, deadline, output.borrow().for_workers())
        }
    };
    let report = ui::run(Session { choice, may_restart, hand_over, fps, launch: Box::new(launch) });
    let output = output.replace(Destination::Nowhere);
    let Report { outcome, choice, hand_over, signal } = match report {
        Ok(report) => report,
        Err(error) => {
            output.keep()?;
            return Err(error.into());
        }
    };
    let end = match choice.question {
        Question::Search(solver, problem) => {
            let Choice { threads, scheduler, .. } = choice;
            let plan = Plan { problem, solver, threads, scheduler, hand_over, deadline };
            search::finish(&plan, outcome.map(|done| done.outcome), output, json, signal)
        }
        Question::Find(finder, request) => outcome
            .map_err(|error| Failure::Running(error.to_string()))
            .and_then(|done| find::live::print(finder, request, choice.threads, done)),
    };
    search::exit_code(end, signal)
}

/// Starts a run on a thread of its own.
fn launch(choice: Choice, beginning: Beginning, deadline: Option<Duration>, tours: Output) -> Launched {
    let Choice { question, threads, scheduler } = choice;
    let levels = match &question {
        Question::Search(solver, _) if solver.exact_levels() => Levels::Exact,
        Question::Search(..) => Levels::Sampled,
        Question::Find(..) => Levels::Off,
    };
    let deadline = deadline.and_then(|time| Instant::now().checked_add(time));
    let estimate = (!question.finds()).then_some(schedule::HEAD_START);
    let hand_over = beginning.hand_over;
    // Attempts are raced by all workers whatever the scheduler of a search would be.
    let scheduler = if question.finds() { Scheduler::Hire } else { scheduler };
    let plan = CrewPlan { threads, scheduler, hand_over, levels, deadline, nice: NICE, estimate };
    let (sender, events) = event::channel(event::CAPACITY);
    let crew = Crew::new(plan, sender);
    let watch = crew.watch();
    beginning.prepare(&watch);
    let (send, outcome) = crossbeam_channel::bounded(1);
    let refused = send.clone();
    let run = move || {
        // Nobody waits for it any more once the view has failed.
        let _ = send.send(match question {
            Question::Search(solver, problem) => {
                solver.solve(&problem, crew, tours).map(|outcome| Done { outcome, answer: None, attempts: 0 })
            }
            Question::Find(finder, request) => finder
                .find(&request, crew)
                .map(|Found { answer, outcome, attempts, .. }| Done { outcome, answer: Some(answer), attempts }),
        });
    };
    if let Err(error) = std::thread::Builder::new().spawn(run) {
        // There is room for one word, and nobody else to say it.
        let _ = refused.send(Err(RunError::Spawn { worker: 0, error }));
    }
    drop(refused);
    Launched { watch, events, outcome }
}
