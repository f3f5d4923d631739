//! Where the tables of a reproduction go, row by row: to stdout, or to a screen.

use crate::job::{Failure, running, unobserved};
use crate::run::{TableHead, TableNews, TableRow};
use crate::schedule::{CrewPlan, Levels, RunOutcome, Scheduler, Snapshot};
use crate::solve::{self, Problem};
use crate::stop::{Stop, StopReason};
use crate::words::wrapped;
use crossbeam_channel::RecvTimeoutError;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

/// How often a search is looked at, for drafts of rows and for a request to stop.
const LOOK: Duration = Duration::from_millis(100);
/// Width of the sentences.
const WIDTH: usize = 100;

/// Gives the tables of a source to a report; answers whether every figure is the published one.
pub type Reproduce = fn(&mut TableReport) -> Result<bool, Failure>;

/// Receives the tables of a reproduction.
pub struct TableReport {
    give: Box<dyn FnMut(TableNews) -> io::Result<()> + Send>,
    stop: Stop,
}

impl TableReport {
    /// A report that gives everything to `give`, until it is asked to `stop`.
    pub fn new(stop: Stop, give: impl FnMut(TableNews) -> io::Result<()> + Send + 'static) -> TableReport {
        TableReport { give: Box::new(give), stop }
    }

    /// A report that prints.
    pub fn printed() -> TableReport {
        let mut head = None;
        TableReport::new(Stop::default(), move |news| print(&mut head, news))
    }

    /// Whether no more rows are wanted.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }

    /// Begins a table.
    ///
    /// # Errors
    /// When it cannot be printed, as all that follow.
    pub fn table(&mut self, head: TableHead) -> io::Result<()> {
        (self.give)(TableNews::Table(head))
    }

    /// Adds the next row.
    pub fn row(&mut self, row: TableRow) -> io::Result<()> {
        (self.give)(TableNews::Row(row))
    }

    /// Adds a sentence about the table.
    pub fn note(&mut self, text: impl Into<String>) -> io::Result<()> {
        (self.give)(TableNews::Note(text.into()))
    }

    /// Gives all tables of a source. Returns whether every figure is the published one; `None` if it was stopped.
    ///
    /// # Errors
    /// [`Failure`] when a run fails or nothing can be printed any more.
    pub fn reproduce(&mut self, work: Reproduce) -> Result<Option<bool>, Failure> {
        let same = work(self)?;
        if self.is_stopped() {
            return Ok(None);
        }
        (self.give)(TableNews::End(same))?;
        Ok(Some(same))
    }

    /// Runs a problem to its end, exact by depth if the solver can, and gives drafts of rows meanwhile, with their
    /// indices. `None` if it was stopped.
    ///
    /// # Errors
    /// [`Failure`] when the run fails or nothing can be printed any more.
    pub fn solve(
        &mut self,
        (name, problem): (&str, &Problem),
        (scheduler, threads): (Scheduler, usize),
        draft: &dyn Fn(&Snapshot) -> Vec<(usize, TableRow)>,
    ) -> Result<Option<RunOutcome>, Failure> {
        let exact = solve::solver_by_name(name).is_some_and(|solver| solver.card().exact_levels);
        let levels = if exact { Levels::Exact } else { Levels::Off };
        let plan = CrewPlan { levels, ..CrewPlan::of(threads, scheduler) };
        let (run, sampler) = unobserved::prepared(name, problem, plan)?;
        let watch = sampler.watch();
        thread::scope(|scope| {
            let (send, answered) = crossbeam_channel::bounded(1);
            scope.spawn(move || drop(send.send(run.answer(None, &|_, _| {}))));
            loop {
                match answered.recv_timeout(LOOK) {
                    Ok(done) => {
                        let outcome = done.map_err(running)?.outcome;
                        return Ok(outcome.complete().then_some(outcome));
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Err(running("the search ended without an answer")),
                }
                if self.is_stopped() {
                    watch.control().stop(StopReason::Asked);
                }
                for (index, row) in draft(&watch.snapshot()) {
                    if let Err(error) = (self.give)(TableNews::Draft(index, row)) {
                        watch.control().stop(StopReason::Asked);
                        return Err(error.into());
                    }
                }
            }
        })
    }
}

/// What all figures together are; `None` if not all were computed.
pub fn verdict(same: Option<bool>) -> &'static str {
    match same {
        Some(true) => "every figure that was published or found before is the same",
        Some(false) => "a figure DIFFERS from what was published or found before",
        None => "left before the end: not every figure was compared",
    }
}

/// No drafts.
pub fn no_draft(_: &Snapshot) -> Vec<(usize, TableRow)> {
    Vec::new()
}

fn print(head: &mut Option<TableHead>, news: TableNews) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match news {
        TableNews::Table(table) => {
            if head.is_some() {
                writeln!(out)?;
            }
            for line in wrapped(&table.about, WIDTH) {
                writeln!(out, "{line}")?;
            }
            writeln!(out, "\n{}", table.heading())?;
            *head = Some(table);
        }
        TableNews::Row(row) => {
            if let Some(head) = head {
                writeln!(out, "{}", head.row(&row))?;
            }
        }
        TableNews::Note(text) => {
            for line in wrapped(&text, WIDTH) {
                writeln!(out, "{line}")?;
            }
        }
        TableNews::End(same) => writeln!(out, "\n{}", verdict(Some(same)))?,
        TableNews::Draft(..) => {}
    }
    out.flush()
}
