//! What it costs to keep figures by depth, for every kernel: *sampled* is what a search pays for the live view's depths.

use destrier::board::Ending;
use destrier::cli::bench::{Bench, TimedJob, board, race};
use destrier::job::Failure;
use destrier::schedule::Levels;
use destrier::solve::Problem;

/// Solver, board, ending and tours; the trees take some hundredths of a second.
const TREES: [(&str, &str, Ending, u64); 5] = [
    ("radley", "5x6", Ending::Closed, 8),
    ("brute", "5x5", Ending::Open, 1728),
    ("path", "6x7", Ending::Closed, 1_067_638),
    ("path", "6x6", Ending::Open, 6_637_920),
    ("edges", "6x7", Ending::Closed, 1_067_638),
];

/// How figures by depth can be kept; sampled is one burst of sixteen.
const WAYS: [(Levels, &str); 3] = [(Levels::Off, "off"), (Levels::Sampled, "sampled"), (Levels::Exact, "exact")];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for (solver, name, ending, tours) in TREES {
        let search = TimedJob::solve(solver, Problem::new(board(name), ending));
        let runs = WAYS.map(|(levels, _)| search.levels(levels));
        let timed = race(&runs, bench.pick(1, 11))?;
        for ((_, way), run) in WAYS.iter().zip(&timed) {
            let row = run
                .row(format!("{name} {solver}, by depth: {way}"), tours, Some(timed[0].total.nodes))
                .figure("ns_per_node", run.ns_per_node())
                .figure("times_as_long", run.time.cpu_s / timed[0].time.cpu_s);
            bench.add(row)?;
        }
    }
    Ok(())
}
