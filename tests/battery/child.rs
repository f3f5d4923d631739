//! Other processes: the program itself, killed, counted by valgrind or shown in a pseudo-terminal.

use crate::failed;
use destrier::cli::bench::{Bench, BenchRow, LapTime};
use destrier::job::{Failure, running};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The program that is measured, as it was built with the battery.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_destrier");

/// Keeps a program from the settings of the user: an empty file, and a state that is not there.
pub const NO_SETTINGS: [(&str, &str); 2] = [("DESTRIER_CONFIG", "/dev/null"), ("XDG_STATE_HOME", "/dev/null/none")];

/// Runs a command to its end; answers what it printed and how long it took, its own children included.
///
/// # Errors
/// [`Failure`] when it cannot be started or does not end well.
pub fn run(command: &mut Command) -> Result<(String, String, LapTime), Failure> {
    let (before, began) = (cpu_of_children_s(), Instant::now());
    let output = command.output().map_err(failed)?;
    let time = LapTime { cpu_s: cpu_of_children_s() - before, wall_s: began.elapsed().as_secs_f64() };
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    if output.status.success() {
        Ok((out, err, time))
    } else {
        Err(running(format!("{command:?} ended with {}: {err}", output.status)))
    }
}

/// A program in C of this folder, compiled into another folder; `None`, and a row that says so, where nothing compiles it.
///
/// # Errors
/// [`Failure`] when the row cannot be written.
pub fn compiled(bench: &mut Bench, source: &str, folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let program = folder.join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/battery").join(source);
    let mut compiler = Command::new("cc");
    let compiler = compiler.args(["-O3", "-march=native", "-o"]).arg(&program).arg(source).stderr(Stdio::null());
    if compiler.status().is_ok_and(|status| status.success()) {
        return Ok(Some(program));
    }
    bench.add(BenchRow::new("skipped").remark("it needs a C compiler called cc, which is not here"))?;
    Ok(None)
}

/// The program that is measured, without the settings of the user.
pub fn program() -> Command {
    let mut command = Command::new(PROGRAM);
    command.envs(NO_SETTINGS);
    command
}

/// Two times together.
pub fn sum(one: LapTime, other: LapTime) -> LapTime {
    LapTime { cpu_s: one.cpu_s + other.cpu_s, wall_s: one.wall_s + other.wall_s }
}

/// CPU time of all children that have ended and been waited for.
pub fn cpu_of_children_s() -> f64 {
    cpu_s(Path::new("/proc/self"), Whose::Children)
}

/// Whose CPU time is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// That of the process or thread itself.
    Own,
    /// That of the children it has waited for.
    Children,
}

/// CPU time of a process or thread by its folder in `/proc`, to a hundredth of a second; 0 where there is none.
pub fn cpu_s(folder: &Path, whose: Whose) -> f64 {
    let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
    // See proc(5). The second field, the name in parentheses, may hold blanks; what follows it, from the third on, does
    // not. The fields 14 and 15 are user and system time, 16 and 17 those of the children.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let before = if whose == Whose::Own { 11 } else { 13 };
    let ticks: u64 = fields.skip(before).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}
