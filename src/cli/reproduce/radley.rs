//! Radley's table: how many branches his test prunes at each depth of the 6x6 search.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm (the column *pruned*);
//! the nodes by depth that belong to it were recomputed.

use super::{rows, solve};
use crate::board::{Board, Ending};
use crate::job::{Failure, running};
use crate::schedule::Scheduler;
use crate::search::Prune;
use crate::solve::Problem;
use crate::words::grouped;
use std::io::{self, Write};

/// Depth, pruned branches, nodes; with a line of headings.
const PUBLISHED: &str = include_str!("radley_6x6_prunes.csv");
/// Undirected closed tours of 6x6 (OEIS A175881).
const TOURS: u64 = 9862;
/// Whose totals are compared.
const RUNS: [(Scheduler, &[usize]); 4] = [
    (Scheduler::Serial, &[1]),
    (Scheduler::Hire, &[1, 2, 8]),
    (Scheduler::Rayon, &[1, 2, 8]),
    (Scheduler::Static, &[1, 2, 8]),
];

/// Prints the table and one line per run; answers whether every figure is the published one.
pub fn run() -> Result<bool, Failure> {
    let published: Vec<[u64; 3]> = rows(PUBLISHED).collect();
    let problem =
        Problem { prune: Prune::AllIsolated, ..Problem::new(Board::new(6, 6).map_err(running)?, Ending::Closed) };
    let mut out = io::stdout().lock();
    writeln!(out, "6x6 closed tours by radley, --prune all-isolated at every depth; published: Radley 2002")?;
    writeln!(
        out,
        "all-isolated is the test that gives his figures; search prunes nothing unless --prune asks for it\n"
    )?;
    let mut all_same = true;
    for (scheduler, crews) in RUNS {
        for &threads in crews {
            let outcome = solve("radley", &problem, scheduler, threads)?;
            let total = outcome.total();
            if scheduler == Scheduler::Serial {
                writeln!(out, "depth  pruned, published    pruned, here       nodes, here")?;
                for &[depth, pruned, _] in &published {
                    let at = depth as usize;
                    let (here, nodes) = (total.pruned_by_depth[at], total.nodes_by_depth[at]);
                    let mark = if here == pruned { "=" } else { "DIFFERS" };
                    writeln!(
                        out,
                        "{depth:5} {:>18} {:>15} {mark} {:>15}",
                        grouped(pruned),
                        grouped(here),
                        grouped(nodes)
                    )?;
                }
                writeln!(out)?;
            }
            let table_same = published.iter().all(|&[depth, pruned, nodes]| {
                let at = depth as usize;
                (total.pruned_by_depth[at], total.nodes_by_depth[at]) == (pruned, nodes)
            });
            let sums = [1, 2].map(|column| published.iter().map(|row| row[column]).sum::<u64>());
            let same = table_same && [total.pruned, total.nodes] == sums && total.tours == TOURS;
            all_same &= same;
            let verdict = if same { "equal to the published table" } else { "DIFFERS from the published table" };
            let (tours, nodes, pruned) = (grouped(total.tours), grouped(total.nodes), grouped(total.pruned));
            let seconds = outcome.elapsed.as_secs_f64();
            let run = format!("{} x{threads}", scheduler.name());
            writeln!(out, "{run:9} {tours} tours  {nodes} nodes  {pruned} pruned  {seconds:6.2} s  {verdict}")?;
            out.flush()?;
        }
    }
    Ok(all_same)
}
