//! Whether what a run says of its progress comes true: it is looked at while it runs, and the looks are held against
//! the nodes it had in the end.
//!
//! Every question is run under each scheduler by 1, 8, 64 and 256 threads. What counts are the looks from a tenth of the
//! nodes on: in how many the range of the nodes that are left holds the true number, and the most by which the share
//! that is done was wrong, as a ratio. An estimate that is not there yet is a look that does not hold.

use destrier::board::Ending;
use destrier::cli::bench::{Bench, BenchRow, LapClock, board};
use destrier::job::{Failure, running};
use destrier::run::{Continuation, PreparedRun, Question};
use destrier::schedule::{CrewPlan, HEAD_START, RunOutcome, Scheduler, Snapshot};
use destrier::solve::{Problem, solver_by_name};
use std::time::{Duration, Instant};

/// Solver, board, ending, tours; a run takes a second or some. The first is the quick battery.
const QUESTIONS: [(&str, &str, Ending, u64); 6] = [
    ("edges", "6x8", Ending::Closed, 55_488_142),
    ("path", "6x7", Ending::Closed, 1_067_638),
    ("path", "6x8", Ending::Closed, 55_488_142),
    ("path", "6x6", Ending::Open, 6_637_920),
    ("radley", "6x6", Ending::Closed, 9862),
    ("brute", "5x6", Ending::Open, 37_568),
];
const THREADS: [usize; 4] = [1, 256, 8, 64];
const SCHEDULERS: [Scheduler; 3] = [Scheduler::HIRE, Scheduler::RAYON, Scheduler::STATIC];
/// How often a run is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Looks count from this share of the nodes on.
const FROM: f64 = 0.1;
/// Share of the looks that must hold, and the most by which the share that is done may be wrong.
const HOLD: f64 = 0.9;
const WRONG_MAX: f64 = 1.5;

/// A search too long to be run to its end: tours found over all of them stand for the truth.
const LONG: (&str, &str, u64) = ("edges", "8x8", 13_267_364_410_532);
const LONG_FOR: Duration = Duration::from_secs(5);
const LONG_WRONG_MAX: f64 = 3.0;

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let questions = bench.pick(1, QUESTIONS.len());
    let threads = &THREADS[..bench.pick(2, THREADS.len())];
    let mut all = Looks::default();
    for (solver, name, ending, tours) in QUESTIONS.into_iter().take(questions) {
        for scheduler in SCHEDULERS {
            let problem = Problem::new(board(name), ending);
            let clock = LapClock::start();
            let mut looks = Looks::default();
            let mut found = Vec::new();
            for &threads in threads {
                let (seen, outcome) = watched(solver, &problem, scheduler, threads, None)?;
                let total = outcome.total();
                looks.add(&seen, total.nodes as f64);
                found.push(total.tours);
            }
            all.merge(&looks);
            let what = format!("{name} {} {solver}, {}", ending.name(), scheduler.name());
            let row = BenchRow::new(what)
                .took(clock.time())
                .count("tours", found[0], tours)
                .must("steady", found.iter().all(|&n| n == tours));
            bench.add(looks.told(row))?;
        }
    }
    let row = BenchRow::new(format!("all {} runs", questions * SCHEDULERS.len() * threads.len()));
    let row = all.told(row).must("held", all.held() >= HOLD).must("right", all.wrong <= WRONG_MAX);
    // What the figures rest on: an estimate may be too high or too low.
    let row = row.must("wrong_both_ways", (ratio(1.0, 4.0), ratio(4.0, 1.0), ratio(2.0, 2.0)) == (4.0, 4.0, 1.0));
    bench.add(row.remark(format!("targets: held {HOLD}, wrong by {WRONG_MAX} at most")))?;
    if bench.is_quick() { Ok(()) } else { long(bench) }
}

/// The search that is not run to its end.
fn long(bench: &mut Bench) -> Result<(), Failure> {
    let (solver, name, all) = LONG;
    let problem = Problem::new(board(name), Ending::Closed);
    for threads in [1, 256] {
        let (seen, _) = watched(solver, &problem, Scheduler::HIRE, threads, Some(LONG_FOR))?;
        let last = seen.last().and_then(|seen| Some((seen.tours() as f64 / all as f64, seen.progress()?.done())));
        let (truth, done) = last.unwrap_or((f64::NAN, f64::NAN));
        let row = BenchRow::new(format!("{name} {solver} after 5 s, {threads} threads"))
            .figure("done_e9", 1e9 * done)
            .figure("tours_found_e9", 1e9 * truth)
            .must("near", ratio(done, truth) <= LONG_WRONG_MAX);
        bench.add(row.remark("shares in billionths of the whole"))?;
    }
    Ok(())
}

/// By how much two numbers differ, as a ratio of 1 or more.
fn ratio(a: f64, b: f64) -> f64 {
    (a / b).max(b / a)
}

/// Runs a question and looks at it until it has ended.
fn watched(
    solver: &str,
    problem: &Problem,
    scheduler: Scheduler,
    threads: usize,
    deadline: Option<Duration>,
) -> Result<(Vec<Snapshot>, RunOutcome), Failure> {
    let deadline = deadline.and_then(|time| Instant::now().checked_add(time));
    let plan = CrewPlan { deadline, estimate: Some(HEAD_START), ..CrewPlan::of(threads, scheduler) };
    let solver = solver_by_name(solver).ok_or_else(|| running(format!("no solver is called {solver}")))?;
    solver.admits(problem).map_err(running)?;
    let question = Question::Search(solver, problem.clone());
    let (run, sampler) = PreparedRun::new(&question, plan, Continuation::default(), false);
    let watch = sampler.watch();
    let mut seen = Vec::new();
    let outcome = std::thread::scope(|scope| {
        let run = scope.spawn(|| run.answer(None, &|_, _| {}));
        while !run.is_finished() {
            std::thread::sleep(LOOK_EVERY);
            seen.push(watch.snapshot());
        }
        run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    outcome.map(|done| (seen, done.outcome)).map_err(running)
}

/// What looks at runs came to.
#[derive(Default)]
struct Looks {
    all: u64,
    held: u64,
    unknown: u64,
    /// The most by which the share that is done was wrong.
    wrong: f64,
}

impl Looks {
    /// Adds the looks at a run that had so many nodes in the end.
    fn add(&mut self, seen: &[Snapshot], nodes: f64) {
        let counts = |seen: &&Snapshot| (FROM * nodes..nodes).contains(&(seen.nodes() as f64));
        for seen in seen.iter().filter(counts) {
            self.all += 1;
            let Some(progress) = seen.progress() else {
                self.unknown += 1;
                continue;
            };
            self.held += u64::from((progress.tree.low..=progress.tree.high).contains(&nodes));
            self.wrong = self.wrong.max(ratio(progress.done(), seen.nodes() as f64 / nodes));
        }
    }

    fn merge(&mut self, more: &Looks) {
        (self.all, self.held) = (self.all + more.all, self.held + more.held);
        (self.unknown, self.wrong) = (self.unknown + more.unknown, self.wrong.max(more.wrong));
    }

    fn held(&self) -> f64 {
        self.held as f64 / self.all as f64
    }

    fn told(&self, row: BenchRow) -> BenchRow {
        row.figure("looks", self.all)
            .figure("unknown", self.unknown)
            .figure("held", self.held())
            .figure("wrong_by", self.wrong)
    }
}
