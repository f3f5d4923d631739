//! The schedulers against one worker, on a tree that is easy to share and on one that is not; and how even a static
//! division is of a tree with one start, nearly all of which lies below a few of its first nodes.

use super::clock::Clock;
use super::race::{Timed, TimedJob, race};
use super::row::BenchRow;
use super::{Bench, board, cores, corner};
use crate::board::Ending;
use crate::job::Failure;
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::Problem;

/// A tree to share.
pub struct SharedTree {
    /// What it is like.
    pub name: &'static str,
    /// Whose tree it is.
    pub solver: &'static str,
    /// Board of the quick bench and of the full one, and their tours.
    pub boards: [(&'static str, u64); 2],
    ending: Ending,
    /// Only tours from the corner.
    from_corner: bool,
    /// Why it is like that.
    pub why: &'static str,
}

impl SharedTree {
    /// What is asked on one of its boards.
    pub fn problem(&self, name: &str) -> Problem {
        let board = board(name);
        Problem { start: self.from_corner.then(|| corner(board)), ..Problem::new(board, self.ending) }
    }
}

/// One that is easy to share, and one that is not.
pub const TREES: &[SharedTree] = &[
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

/// By how much the share of a worker may exceed its part, of the static division that is to be even.
const UNEVEN_MAX: f64 = 0.03;

/// Who shares.
pub const CREWS: [(Scheduler, HandOver); 4] = [
    (Scheduler::Hire, HandOver::Shallowest),
    (Scheduler::Hire, HandOver::Next),
    (Scheduler::Rayon, HandOver::Shallowest),
    (Scheduler::Static, HandOver::Shallowest),
];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    TREES.iter().try_for_each(|tree| share(bench, tree))?;
    [Scheduler::Static, Scheduler::Blocks].into_iter().try_for_each(|scheduler| divide(bench, scheduler))
}

/// Prints which share of the nodes the busiest worker of a static division enters.
fn divide(bench: &mut Bench, scheduler: Scheduler) -> Result<(), Failure> {
    // OEIS A175855.
    let (name, tours) = bench.pick(("6x7", 1_067_638), ("6x8", 55_488_142));
    let (clock, mut row) = (Clock::start(), BenchRow::new(format!("shares of {name} edges, {}", scheduler.name())));
    for (threads, largest) in [(2, "largest_of_2"), (4, "largest_of_4"), (8, "largest_of_8")] {
        let run = TimedJob::solve("edges", Problem::new(board(name), Ending::Closed));
        let outcome = run.under(scheduler, threads, HandOver::Shallowest).once()?;
        let busiest = outcome.workers.iter().map(|worker| worker.tally.nodes).max().unwrap_or(0);
        let share = busiest as f64 / outcome.total().nodes as f64;
        row = row.must("all tours", outcome.total().tours == tours).figure(largest, share);
        if scheduler == Scheduler::Static {
            row = row.must("even", share <= 1.0 / threads as f64 + UNEVEN_MAX);
        }
    }
    let said =
        if scheduler == Scheduler::Blocks { "the source's way" } else { "no worker has 0.03 more than its part" };
    bench.add(row.took(clock.time()).remark(said))
}

fn share(bench: &mut Bench, tree: &SharedTree) -> Result<(), Failure> {
    let (name, tours) = bench.pick(tree.boards[0], tree.boards[1]);
    let serial = TimedJob::solve(tree.solver, tree.problem(name));
    let crews = crews();
    let shared = crews.iter().map(|&(scheduler, rule, threads)| serial.under(scheduler, threads, rule));
    let runs: Vec<TimedJob> = std::iter::once(serial.clone()).chain(shared).collect();
    let timed = race(&runs, bench.pick(1, 5))?;
    let what = format!("{} {name} {}", tree.name, tree.solver);
    let nodes = Some(timed[0].total.nodes);
    bench.add(timed[0].row(format!("{what}, serial"), tours, nodes).remark(tree.why))?;
    for (&(scheduler, hand_over, threads), run) in crews.iter().zip(&timed[1..]) {
        let rule = if scheduler == Scheduler::Hire { format!(" {}", hand_over.name()) } else { String::new() };
        let row = run
            .row(format!("{what}, {}{rule} x{threads}", scheduler.name()), tours, nodes)
            .figure("speed_up", timed[0].time.wall_s / run.time.wall_s)
            .figure("cores_had", run.time.cpu_s / run.time.wall_s)
            .figure("imbalance", run.imbalance);
        let said = match (scheduler, hand_over, threads) {
            (Scheduler::Hire, HandOver::Next, _) => "the source's rule",
            (Scheduler::Hire, HandOver::Shallowest, 2) if tree.from_corner => "target 1.97 on 2 free cores",
            _ => "",
        };
        bench.add(with_hires(row, scheduler, run).remark(said))?;
    }
    Ok(())
}

/// The crews of [`CREWS`] with 2 workers, with one for every core, and with 64; none twice, and none of one worker.
fn crews() -> Vec<(Scheduler, HandOver, usize)> {
    let mut numbers = vec![2, cores(), 64];
    numbers.retain(|&threads| threads > 1);
    numbers.dedup();
    let crew = |(scheduler, rule)| numbers.iter().map(move |&threads| (scheduler, rule, threads));
    CREWS.into_iter().flat_map(crew).collect()
}

fn with_hires(row: BenchRow, scheduler: Scheduler, run: &Timed) -> BenchRow {
    match scheduler {
        Scheduler::Hire => row.figure("hires", run.hires).figure("nodes_per_hire", run.total.nodes / run.hires.max(1)),
        Scheduler::Rayon => row.figure("steals", run.hires),
        Scheduler::Static | Scheduler::Blocks | Scheduler::Serial => row,
    }
}
