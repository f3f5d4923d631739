//! Lists of one tour of a large board beside a short program in C that writes its own and checks nothing (`lister.c`): one
//! thread, boards of the same size, in turns. `find` verifies every square before it writes one.

use crate::child::{self, program, sum};
use crate::failed;
use destrier::cli::bench::{Bench, BenchRow, LapTime};
use destrier::job::Failure;
use std::fs::File;
use std::process::Command;

/// Sides of the boards, and how many rounds are added up; of the quick battery the first.
const BOARDS: [(u32, usize); 3] = [(1024, 15), (2048, 9), (8192, 3)];
/// A board on which the list of the program in C is verified.
const VERIFIED: &str = "256";

/// Prints the rows, or one that says what is missing.
///
/// # Errors
/// [`Failure`] when a program cannot be run, or a file cannot be written.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(failed)?;
    let Some(lister) = child::compiled(bench, "lister.c", folder.path())? else { return Ok(()) };
    let list = folder.path().join("list");
    child::run(Command::new(&lister).arg(VERIFIED).stdout(File::create(&list).map_err(failed)?))?;
    let verified = program()
        .args(["verify", "--closed"])
        .stdin(File::open(&list).map_err(failed)?)
        .output()
        .map_err(failed)?
        .status
        .success();
    bench.add(BenchRow::new(format!("{VERIFIED}x{VERIFIED} by the program in C")).must("a closed tour", verified))?;
    for &(side, rounds) in &BOARDS[..bench.pick(1, BOARDS.len())] {
        let find = ["find", &format!("{side}x{side}"), "--format", "list", "--threads", "1"];
        let (mut theirs, mut ours) = (LapTime::default(), LapTime::default());
        for _ in 0..rounds {
            let sink = || File::create("/dev/null");
            theirs =
                sum(theirs, child::run(Command::new(&lister).arg(side.to_string()).stdout(sink().map_err(failed)?))?.2);
            ours = sum(ours, child::run(program().args(find).stdout(sink().map_err(failed)?))?.2);
        }
        let name = format!("{rounds} times {side}x{side}");
        bench.add(BenchRow::new(format!("{name}, by the program in C")).took(theirs))?;
        let row = BenchRow::new(format!("{name}, by find")).took(ours);
        bench.add(row.figure("times_as_fast", theirs.cpu_s / ours.cpu_s))?;
    }
    Ok(())
}
