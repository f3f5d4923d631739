//! `destrier watch`: the live view of a search; the summary goes to the shell when it is left.

use super::args::WatchArgs;
use super::output::Destination;
use super::{Failure, search};
use crate::event;
use crate::schedule::{Crew, CrewPlan, Levels};
use crate::ui::{self, About, Beginning, Launched, Session};
use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::rc::Rc;
use std::sync::Arc;

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
    let mut plan = args.plan()?;
    let board = plan.problem.board;
    if !on_terminal() {
        let instead = format!("`destrier search {board}` does the same work without one");
        return Err(Failure::Usage(format!("watch needs a terminal for its keys and its screen; {instead}")));
    }
    let output = args.options.output(board)?;
    if matches!(output, Destination::Stdout(..)) {
        return Err(Failure::Usage("--out - would write over the screen: give --out a file".to_owned()));
    }
    let about = About {
        board,
        ending: plan.problem.ending,
        solver: plan.solver.name().to_owned(),
        detail: args.options.detail(),
        // A second run would write its tours behind those of the first.
        may_restart: matches!(output, Destination::Nowhere),
    };
    let (scheduler, hand_over) = (plan.scheduler, plan.hand_over);
    let output = Rc::new(RefCell::new(output));
    let launch = {
        let (output, plan) = (output.clone(), Arc::new(plan.clone()));
        move |beginning: Beginning| {
            let Beginning { scheduler, hand_over, .. } = beginning;
            let plan = plan.clone();
            let levels = if plan.solver.exact_levels() { Levels::Exact } else { Levels::Sampled };
            let crew = CrewPlan { scheduler, hand_over, nice: NICE, estimate: true, ..plan.crew(levels) };
            let (sender, events) = event::channel(event::CAPACITY);
            let crew = Crew::new(crew, sender);
            let watch = crew.watch();
            beginning.prepare(&watch);
            let tours = output.borrow().for_workers();
            let (send, outcome) = crossbeam_channel::bounded(1);
            std::thread::spawn(move || send.send(plan.solver.solve(&plan.problem, crew, tours)));
            Launched { watch, events, outcome }
        }
    };
    let session = Session { about, scheduler, hand_over, fps: args.fps, launch: Box::new(launch) };
    let report = ui::run(session);
    let output = output.replace(Destination::Nowhere);
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            output.keep()?;
            return Err(Failure::Running(error.to_string()));
        }
    };
    plan.scheduler = report.scheduler;
    plan.hand_over = report.hand_over;
    let end = search::finish(&plan, report.outcome, output, args.options.json, report.signal);
    search::exit_code(end, report.signal)
}
