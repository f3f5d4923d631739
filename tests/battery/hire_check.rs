//! What the hire check costs, in instructions per node: the program is run under valgrind, which counts them.
//!
//! The times of these rows are those under valgrind. Instructions are the steady measure: a kernel with the check and
//! one without differ in time mostly by where their code happens to lie.

use crate::child;
use destrier::cli::bench::{Bench, BenchRow};
use destrier::job::{Failure, running};
use destrier::words::grouped;
use std::process::{Command, Stdio};

/// Boards of the quick and of the full battery, with the nodes of their unpruned search by `radley`.
const BOARDS: [(&str, u64); 2] = [("3x10", 520_790), ("5x6", 7_745_182)];

/// Crews of one worker, first without a waiting helper, and where they check for one.
const CREWS: [(&str, &[&str], &str); 3] = [
    ("serial", &["--scheduler", "serial"], "no mailbox"),
    (
        "hire x1 shallowest",
        &["--scheduler", "hire", "--threads", "1", "--hand-over", "shallowest"],
        "looks at nodes with many squares left",
    ),
    (
        "hire x1 next",
        &["--scheduler", "hire", "--threads", "1", "--hand-over", "next"],
        "looks at every node, so that none is left to the bare recursion",
    ),
];

/// Prints the rows, or one that says what is missing.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let row = BenchRow::new("a report of callgrind").must("read", is_read());
    bench.add(row.remark("its number of instructions is found, and no other"))?;
    let (board, nodes) = bench.pick(BOARDS[0], BOARDS[1]);
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        return bench.add(BenchRow::new("skipped").remark("it needs valgrind, which is not installed here"));
    }
    let mut serial = None;
    for (name, crew, said) in CREWS {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(child::PROGRAM);
        command.args(["search", board, "--solver", "radley"]).args(crew);
        let (printed, counted, time) = child::run(&mut command)?;
        let instructions = collected(&counted)
            .ok_or_else(|| running(format!("valgrind did not say how many instructions it counted: {counted}")))?;
        let per_node = instructions as f64 / nodes as f64;
        let more = per_node - *serial.get_or_insert(per_node);
        let row = BenchRow::new(format!("{board} radley, {name}"))
            .took(time)
            .must("nodes", printed.contains(&format!("nodes    {} in", grouped(nodes))))
            .figure("instructions_per_node", per_node)
            .figure("more_than_serial", more);
        bench.add(row.remark(said))?;
    }
    Ok(())
}

/// The number of instructions in what callgrind says at its end: `==123== Collected : 4567`.
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().rev().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// Whether the number is taken from a whole report, and from none other.
fn is_read() -> bool {
    let said = "==7== Events    : Ir\n==7== Collected : 153287612\n==7== \n==7== I   refs:      153,287,612\n";
    collected(said) == Some(153_287_612) && collected("==7== no figures").is_none()
}
