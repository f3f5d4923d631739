//! How much faster more workers are: every scheduler and rule, measured on as many threads as there are cores, and
//! simulated beyond with the costs of this machine, on a tree that is easy to share and on one that is not. Beside them
//! stands what work and span allow, of the hires of the largest crew that is simulated.

use super::race::{TimedJob, race};
use super::row::BenchRow;
use super::{Bench, board, cores};
use crate::board::Ending;
use crate::cli::chart::{Chart, ChartPoint, Curve};
use crate::job::{Failure, running};
use crate::run::SimulatedBalance;
use crate::run::balance::{AllowedSpeedup, BalanceFigures, allowed};
use crate::schedule::rule::NominationRule;
use crate::schedule::{Scheduler, Sharing};
use crate::search::{HandOver, Kernel};
use crate::simulate::{Costs, SimulationPlan, measure};
use crate::solve::{self, Problem};
use crate::stop::Stop;

/// A tree to share.
struct SharedTree {
    /// What it is like.
    name: &'static str,
    solver: &'static str,
    /// Board of the quick bench and of the full one, and their tours.
    boards: [(&'static str, u64); 2],
    ending: Ending,
    /// Only tours from the corner.
    from_corner: bool,
    /// Why it is like that.
    why: &'static str,
}

const TREES: [SharedTree; 2] = [
    SharedTree {
        name: "balanced",
        solver: "brute",
        // Recomputed by other programs.
        boards: [("5x5", 304), ("5x6", 4542)],
        ending: Ending::Open,
        from_corner: true,
        why: "nothing is pruned, so that prefixes of one length hold about the same",
    },
    SharedTree {
        name: "unbalanced",
        solver: "path",
        boards: [("5x8", 44_202), ("6x7", 1_067_638)],
        ending: Ending::Closed,
        from_corner: false,
        why: "dead ends are seen early in some prefixes and late in others, and the large ones lie side by side",
    },
];

/// A way to share, and its letter on the charts.
#[derive(Clone, Copy)]
struct SharingWay {
    scheduler: Scheduler,
    rule: HandOver,
    letter: char,
}

const WAYS: [SharingWay; 4] = [
    SharingWay { scheduler: Scheduler::HIRE, rule: HandOver::Shallowest, letter: 'H' },
    SharingWay { scheduler: Scheduler::HIRE, rule: HandOver::Next, letter: 'N' },
    SharingWay { scheduler: Scheduler::RAYON, rule: HandOver::Shallowest, letter: 'R' },
    SharingWay { scheduler: Scheduler::STATIC, rule: HandOver::Shallowest, letter: 'S' },
];

/// Workers at most that are simulated, in the quick bench and in the full one.
const SIMULATED_MAX: [usize; 2] = [64, 1024];

impl SharingWay {
    fn name(self) -> String {
        self.scheduler.name_by(self.rule)
    }

    fn simulated(self, workers: usize) -> Sharing {
        (self.scheduler.simulated)(NominationRule::of(workers, self.rule))
    }
}

/// A tree on one of its boards, searched by one worker.
struct SharedSearch {
    /// Tree, board and solver.
    what: String,
    problem: Problem,
    tree: &'static SharedTree,
    tours: u64,
    nodes: u64,
}

/// Prints the rows and a chart for each tree.
///
/// # Errors
/// [`Failure`] when a run fails, or a chart cannot be written.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for tree in &TREES {
        let (name, tours) = bench.pick(tree.boards[0], tree.boards[1]);
        let (board, solver) = (board(name), tree.solver);
        let problem = Problem { start: board.at(0).filter(|_| tree.from_corner), ..Problem::new(board, tree.ending) };
        let what = format!("{} {name} {solver}", tree.name);
        let mut search = SharedSearch { what, problem, tree, tours, nodes: 0 };
        let (serial_s, mut curves) = search.measured(bench)?;
        let solver = solve::solver_by_name(solver).ok_or_else(|| running(solver))?;
        let kernel = solver.tree(&search.problem, false).map_err(running)?.kernel;
        let costs = measure(&*kernel)?;
        curves.extend(search.simulated(bench, &*kernel, costs)?);
        curves.extend(search.allowed_by_span(bench, &*kernel, costs)?);
        let chart = Chart {
            title: format!("{} tree, {name} {}: speed-up beside one worker ({serial_s:.3} s)", tree.name, tree.solver),
            along: ("workers", true),
            upright: "times as fast",
            curves,
        };
        bench.draw(&format!("speedup-{}", tree.name), &chart)?;
    }
    Ok(())
}

/// Numbers of threads from 2 on, doubling, up to the cores of this machine, and those.
fn threads() -> Vec<usize> {
    let own = Some(cores()).filter(|&cores| cores > 1);
    let mut threads: Vec<usize> = doubling(2, cores()).chain(own).collect();
    threads.dedup();
    threads
}

fn doubling(from: usize, to: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), |workers| Some(workers * 2)).take_while(move |&workers| workers <= to)
}

impl SharedSearch {
    /// Searches in each way by each number of threads, in turn; answers the seconds of one worker, and the curves.
    fn measured(&mut self, bench: &mut Bench) -> Result<(f64, Vec<Curve>), Failure> {
        let serial = TimedJob::solve(self.tree.solver, self.problem.clone());
        let threads = threads();
        let shared =
            WAYS.iter().flat_map(|way| threads.iter().map(|&threads| serial.under(way.scheduler, threads, way.rule)));
        let runs: Vec<TimedJob> = std::iter::once(serial.clone()).chain(shared).collect();
        let timed = race(&runs, bench.pick(1, 5))?;
        let alone = &timed[0];
        self.nodes = alone.total.nodes;
        let SharedSearch { what, tree, tours, nodes, .. } = self;
        bench.add(alone.row(format!("{what}, one worker"), *tours, Some(*nodes)).remark(tree.why))?;
        let mut curves: Vec<Curve> = Vec::new();
        // On one core there are no others.
        for (way, runs) in WAYS.into_iter().zip(timed[1..].chunks(threads.len().max(1))) {
            let (name, letter, mut points) = (way.name(), way.letter, vec![ChartPoint::exact(1.0, 1.0)]);
            for (&threads, run) in threads.iter().zip(runs) {
                let (y, spread) = run.speed_up(alone);
                let row = run
                    .row(format!("{what}, {name} x{threads}"), *tours, Some(*nodes))
                    .figure("speed_up", y)
                    .figure("least", spread.0)
                    .figure("greatest", spread.1)
                    .figure("cores_had", run.time.cpu_s / run.time.wall_s);
                // More CPU time for the same nodes: caches and memory that are shared, hand-overs, twins of a core.
                bench.add(row.figure("work_inflation", run.time.cpu_s / alone.time.cpu_s))?;
                points.push(ChartPoint { x: threads as f64, y, spread });
            }
            curves.push(Curve { name, letter, simulated: false, points });
        }
        Ok((alone.time.wall_s, curves))
    }

    /// Simulates each way from where the cores end.
    fn simulated(&self, bench: &mut Bench, kernel: &dyn Kernel, costs: Costs) -> Result<Vec<Curve>, Failure> {
        let most = bench.pick(SIMULATED_MAX[0], SIMULATED_MAX[1]);
        let mut curves = Vec::new();
        for way in WAYS {
            let (name, letter) = (way.name(), way.letter);
            let mut points = Vec::new();
            for workers in doubling(2, most).filter(|&workers| workers > cores()) {
                let plan = SimulationPlan { workers, sharing: way.simulated(workers), costs, seed: 0 };
                let figures = plan.run(kernel, &Stop::default()).ok_or_else(|| running("a bench is not stopped"))?;
                let row = BenchRow::new(format!("{}, {name} x{workers} simulated", self.what))
                    .count("tours", figures.tours, self.tours)
                    .count("nodes", figures.nodes, self.nodes)
                    .figure("speed_up", figures.speedup())
                    .figure("efficiency", figures.efficiency());
                bench.add(row.figure("node_ns", costs.node_ns))?;
                points.push(ChartPoint::exact(workers as f64, figures.speedup()));
            }
            curves.push(Curve { name, letter, simulated: true, points });
        }
        Ok(curves)
    }

    /// The speed-up that work and span allow, of a simulation with the most workers.
    fn allowed_by_span(&self, bench: &mut Bench, kernel: &dyn Kernel, costs: Costs) -> Result<Vec<Curve>, Failure> {
        let workers = bench.pick(SIMULATED_MAX[0], SIMULATED_MAX[1]);
        let sharing = WAYS[0].simulated(workers);
        let plan = SimulationPlan { workers, sharing, costs, seed: 0 };
        let mut balance = SimulatedBalance::new(&plan, Scheduler::HIRE);
        let ended = plan.run_observed(&mut balance, kernel, &Stop::default());
        let ended = ended.ok_or_else(|| running("a bench is not stopped"))?;
        let BalanceFigures { work, span, burdened_span, .. } = balance.figures();
        let row = BenchRow::new(format!("{}, work and span, hire x{workers}", self.what))
            .count("tours", ended.tours, self.tours)
            .count("work", work, self.nodes)
            .figure("span", span as f64)
            .figure("burdened_span", burdened_span as f64);
        bench.add(row.figure("parallelism", work as f64 / span.max(1) as f64))?;
        let crews = doubling(1, workers).filter_map(|workers| allowed(work, [span, burdened_span], workers));
        let crews: Vec<AllowedSpeedup> = crews.collect();
        let curve = |name: &str, letter, of: fn(&AllowedSpeedup) -> f64| Curve {
            name: name.to_owned(),
            letter,
            simulated: true,
            points: crews.iter().map(|crew| ChartPoint::exact(crew.workers as f64, of(crew))).collect(),
        };
        Ok(vec![
            curve("at most by work and span", 'M', |of| of.most),
            curve("at least about, with the cost of hires", 'A', |of| of.least),
        ])
    }
}
