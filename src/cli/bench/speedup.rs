//! How much faster more workers are: every scheduler and rule, measured on as many threads as there are cores, and
//! simulated beyond with the costs of this machine, on a tree that is easy to share and on one that is not. Beside them
//! stands what work and span allow, of the hires of the largest crew that is simulated.

use super::charts::draw;
use super::race::{TimedJob, race};
use super::row::BenchRow;
use super::sharing::{CREWS, SharedTree, TREES};
use super::{Bench, cores};
use crate::cli::chart::{Chart, ChartPoint, Curve};
use crate::job::{Failure, running};
use crate::run::SimulatedBalance;
use crate::run::balance::{AllowedSpeedup, BalanceFigures, allowed};
use crate::schedule::rule::NominationRule;
use crate::schedule::{Scheduler, TreeCut};
use crate::search::HandOver;
use crate::simulate::{Costs, Sharing, SimulationPlan, measure};
use crate::solve;
use crate::stop::Stop;
use std::path::Path;

/// Workers at most that are simulated, in the quick bench and in the full one.
const SIMULATED_MAX: [usize; 2] = [64, 1024];
/// Letters of the crews on the charts.
const LETTERS: [char; 4] = ['H', 'N', 'R', 'S'];
/// Letters of the speed-up that is allowed at most, and of the estimate.
const ALLOWED_LETTERS: [char; 2] = ['M', 'A'];

/// Prints the rows and a chart for each tree.
///
/// # Errors
/// [`Failure`] when a run fails, or a chart cannot be written.
pub fn run(bench: &mut Bench, folder: Option<&Path>) -> Result<(), Failure> {
    for tree in TREES {
        let (name, tours) = bench.pick(tree.boards[0], tree.boards[1]);
        let (serial, nodes, mut curves) = measured(bench, tree, name, tours)?;
        curves.extend(simulated(bench, tree, name, (tours, nodes))?);
        curves.extend(allowed_by_span(bench, tree, name, (tours, nodes))?);
        let chart = Chart {
            title: format!("{} tree, {name} {}: speed-up beside one worker ({serial:.3} s)", tree.name, tree.solver),
            along: ("workers", true),
            upright: "times as fast",
            curves,
        };
        draw(bench, folder, &format!("speedup-{}", tree.name), &chart)?;
    }
    Ok(())
}

/// Numbers of threads from 2 on, doubling, up to the cores of this machine, and those.
fn threads() -> Vec<usize> {
    let cores = cores();
    let mut threads: Vec<usize> = doubling(2, cores).collect();
    if cores > 1 && threads.last() != Some(&cores) {
        threads.push(cores);
    }
    threads
}

fn doubling(from: usize, to: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), |workers| Some(workers * 2)).take_while(move |&workers| workers <= to)
}

fn name(scheduler: Scheduler, rule: HandOver) -> String {
    match scheduler {
        Scheduler::Hire => format!("hire {}", rule.name()),
        _ => scheduler.name().to_owned(),
    }
}

/// Runs each crew on each number of threads, in turn; answers the seconds of one worker, the nodes, and the curves.
pub fn measured(
    bench: &mut Bench,
    tree: &SharedTree,
    board: &str,
    tours: u64,
) -> Result<(f64, u64, Vec<Curve>), Failure> {
    let serial = TimedJob::solve(tree.solver, tree.problem(board));
    let crews: Vec<_> =
        CREWS.iter().flat_map(|&crew| threads().into_iter().map(move |threads| (crew, threads))).collect();
    let shared = crews.iter().map(|&((scheduler, rule), threads)| serial.under(scheduler, threads, rule));
    let runs: Vec<TimedJob> = std::iter::once(serial.clone()).chain(shared).collect();
    let timed = race(&runs, bench.pick(1, 5))?;
    let nodes = timed[0].total.nodes;
    let what = format!("{} {board} {}", tree.name, tree.solver);
    bench.add(timed[0].row(format!("{what}, one worker"), tours, Some(nodes)).remark(tree.why))?;
    let mut curves: Vec<Curve> = Vec::new();
    for (&((scheduler, rule), threads), run) in crews.iter().zip(&timed[1..]) {
        let name = name(scheduler, rule);
        let (y, spread) = run.speed_up(&timed[0]);
        let row = run.row(format!("{what}, {name} x{threads}"), tours, Some(nodes)).figure("speed_up", y);
        let row = row.figure("least", spread.0).figure("greatest", spread.1);
        let row = row.figure("cores_had", run.time.cpu_s / run.time.wall_s);
        // More CPU time for the same nodes: caches and memory that are shared, hand-overs, twins of a core.
        bench.add(row.figure("work_inflation", run.time.cpu_s / timed[0].time.cpu_s))?;
        let point = ChartPoint { x: threads as f64, y, spread };
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => {
                let points = vec![ChartPoint::exact(1.0, 1.0), point];
                curves.push(Curve { letter: LETTERS[curves.len()], name, simulated: false, points });
            }
        }
    }
    Ok((timed[0].time.wall_s, nodes, curves))
}

/// Simulates each crew from where the cores end.
fn simulated(
    bench: &mut Bench,
    tree: &SharedTree,
    board: &str,
    (tours, nodes): (u64, u64),
) -> Result<Vec<Curve>, Failure> {
    let problem = tree.problem(board);
    let solver = solve::solver_by_name(tree.solver).ok_or_else(|| running(tree.solver))?;
    let kernel = solver.tree(&problem, false).map_err(running)?.kernel;
    let costs = measure(&*kernel);
    let most = bench.pick(SIMULATED_MAX[0], SIMULATED_MAX[1]);
    let Costs { node_ns, .. } = costs;
    let mut curves = Vec::new();
    for ((scheduler, rule), letter) in CREWS.into_iter().zip(LETTERS) {
        let name = name(scheduler, rule);
        let mut curve = Curve { name: name.clone(), letter, simulated: true, points: vec![] };
        for workers in doubling(2, most).filter(|&workers| workers > cores()) {
            let sharing = match scheduler {
                Scheduler::Rayon => Sharing::Steal,
                Scheduler::Static => Sharing::Deal(TreeCut::Even),
                Scheduler::Blocks => Sharing::Deal(TreeCut::Blocks),
                Scheduler::Hire | Scheduler::Serial => Sharing::Hire(NominationRule::of(workers, rule)),
            };
            let figures = SimulationPlan { workers, sharing, costs, seed: 0 }.run(&*kernel, &Stop::default());
            let figures = figures.ok_or_else(|| running("a bench is not stopped"))?;
            let row = BenchRow::new(format!("{} {board} {}, {name} x{workers} simulated", tree.name, tree.solver));
            let row = row.count("tours", figures.tours, tours).count("nodes", figures.nodes, nodes);
            let row = row.figure("speed_up", figures.speedup()).figure("efficiency", figures.efficiency());
            bench.add(row.figure("node_ns", node_ns))?;
            curve.points.push(ChartPoint::exact(workers as f64, figures.speedup()));
        }
        curves.push(curve);
    }
    Ok(curves)
}

/// The speed-up that work and span allow, of a simulation with the most workers.
fn allowed_by_span(
    bench: &mut Bench,
    tree: &SharedTree,
    board: &str,
    (tours, nodes): (u64, u64),
) -> Result<Vec<Curve>, Failure> {
    let solver = solve::solver_by_name(tree.solver).ok_or_else(|| running(tree.solver))?;
    let kernel = solver.tree(&tree.problem(board), false).map_err(running)?.kernel;
    let workers = bench.pick(SIMULATED_MAX[0], SIMULATED_MAX[1]);
    let sharing = Sharing::Hire(NominationRule::of(workers, HandOver::Shallowest));
    let plan = SimulationPlan { workers, sharing, costs: measure(&*kernel), seed: 0 };
    let mut balance = SimulatedBalance::new(&plan, Scheduler::Hire);
    let ended = plan.run_observed(&mut balance, &*kernel, &Stop::default());
    let ended = ended.ok_or_else(|| running("a bench is not stopped"))?;
    let BalanceFigures { work, span, burdened_span, .. } = balance.figures();
    let row = BenchRow::new(format!("{} {board} {}, work and span, hire x{workers}", tree.name, tree.solver));
    let row = row.count("tours", ended.tours, tours).count("work", work, nodes).figure("span", span as f64);
    let row = row.figure("burdened_span", burdened_span as f64);
    bench.add(row.figure("parallelism", work as f64 / span.max(1) as f64))?;
    let crews = doubling(1, workers).filter_map(|workers| allowed(work, [span, burdened_span], workers));
    let crews: Vec<AllowedSpeedup> = crews.collect();
    let curve = |name: &str, letter, of: fn(&AllowedSpeedup) -> f64| Curve {
        name: name.to_owned(),
        letter,
        simulated: true,
        points: crews.iter().map(|crew| ChartPoint::exact(crew.workers as f64, of(crew))).collect(),
    };
    let [most, least] = ALLOWED_LETTERS;
    Ok(vec![
        curve("at most by work and span", most, |of| of.most),
        curve("at least about, with the cost of hires", least, |of| of.least),
    ])
}
