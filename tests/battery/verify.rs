//! `verify` beside a short program in C that does nothing else (`checker.c`): one thread, the same list, in turns.

use crate::child::{self, program, sum};
use crate::failed;
use destrier::cli::bench::{Bench, BenchRow, LapTime};
use destrier::job::Failure;
use destrier::words::grouped;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tours of the list, for the quick and the full battery.
const TOURS: [u64; 2] = [20_000, 1_000_000];
/// Rounds of which the times are added up.
const ROUNDS: usize = 9;
/// How many times as fast as the program in C.
const TARGET: f64 = 1.2;
/// The bytes of a line of 8x8.
const LINE: usize = 196;
/// Every so many lines one is damaged, where what both find is compared.
const DAMAGED: usize = 10;

/// Prints the rows, or one that says what is missing.
///
/// # Errors
/// [`Failure`] when a program cannot be run, or a file cannot be written.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(failed)?;
    let Some(checker) = child::compiled(bench, "checker.c", folder.path())? else { return Ok(()) };
    let list = folder.path().join("list");
    let tours = bench.pick(TOURS[0], TOURS[1]);
    let limit = tours.to_string();
    child::run(program().args(["search", "8x8", "--threads", "1", "--limit", &limit, "--out"]).arg(&list))?;
    let agree = agree(&checker, &damaged(&list)?, tours)?;
    let row = BenchRow::new("8x8, one line of ten damaged").must("verdicts", agree);
    bench.add(row.remark("both find as many tours"))?;
    let verify = ["verify", "--threads", "1"];
    let (mut theirs, mut ours) = (LapTime::default(), LapTime::default());
    for _ in 0..ROUNDS {
        theirs = sum(theirs, child::run(Command::new(&checker).stdin(File::open(&list).map_err(failed)?))?.2);
        ours = sum(ours, child::run(program().args(verify).stdin(File::open(&list).map_err(failed)?))?.2);
    }
    let name = format!("{ROUNDS} times {} tours of 8x8", grouped(tours));
    bench.add(BenchRow::new(format!("{name}, by the program in C")).took(theirs))?;
    let row = BenchRow::new(format!("{name}, by verify")).took(ours);
    let ratio = theirs.cpu_s / ours.cpu_s;
    let target = format!("target: {TARGET}: {}", if ratio >= TARGET { "met" } else { "not met" });
    bench.add(row.figure("times_as_fast", ratio).remark(target))
}

/// A list beside this one, in which one name of every [`DAMAGED`]th line is another name of the board: that square comes
/// twice, and one never.
fn damaged(list: &Path) -> Result<PathBuf, Failure> {
    let mut text = fs::read(list).map_err(failed)?;
    for (number, line) in text.chunks_exact_mut(LINE).enumerate().step_by(DAMAGED) {
        let letter = &mut line[4 + 3 * (number / DAMAGED % 64)];
        *letter = if *letter == b'h' { b'a' } else { *letter + 1 };
    }
    let damaged = list.with_extension("damaged");
    fs::write(&damaged, text).map_err(failed)?;
    Ok(damaged)
}

/// Whether both programs find the same in a damaged list.
fn agree(checker: &Path, list: &Path, lines: u64) -> Result<bool, Failure> {
    let others = lines / DAMAGED as u64;
    let said = |command: &mut Command| -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&command.stdin(File::open(list).map_err(failed)?).output().map_err(failed)?.stdout)
            .into_owned())
    };
    let theirs = said(&mut Command::new(checker))?;
    let ours = said(program().args(["verify", "--threads", "1", "--json", "-"]))?;
    let says = |key: &str, count: u64| ours.contains(&format!("\"{key}\":{count},"));
    let tours = lines - others;
    Ok(theirs == format!("{tours} tours, {others} others\n") && says("valid", tours) && says("invalid", others))
}
