//! The command line: what was typed, what it means, and the exit code.
//!
//! Text goes to stdout, progress and notices to stderr. Exit codes: 0 done; 1 the answer is no, which is said with the
//! reason: there is no such tour or none was found (`find`), a tour is invalid (`verify`), parts are missing (`merge`), a figure differs from the
//! published one (`reproduce`, `bench`); 2 wrong usage or bad input; 3 failed while running; 128 + signal when stopped by
//! one, or by the end of its terminal, which is SIGHUP. A closed pipe ends quietly.
//!
//! ```text
//!  words ──> Command (clap) ──> args: groups of options become a Plan ──> a Job ──> job::run ──> report: text or JSON
//!                                                                    └──> on_screens!: a screen of `ui`
//! ```
//!
//! **Invariant**: what contradicts itself is refused here, with exit code 2, before a file is touched or a thread begun.
//! **Where to begin**: `search/run.rs`, whose command is the plainest; a command is a file or folder of its name, and a line in
//! `Command`. Options that several commands share are in `args/`, reports in `report.rs` and beside their command.

mod adapter;
mod args;
pub mod bench;
mod board;
mod boards;
mod chart;
mod compare;
mod count;
mod doctor;
mod find;
mod gpu;
mod merge;
mod numbered;
mod processor;
mod rank;
mod replay;
mod report;
mod reproduce;
mod resume;
mod runs;
#[cfg(feature = "tui")]
mod screen;
mod search;
mod shards;
mod sheet;
#[cfg(feature = "tui")]
mod show;
mod simulate;
#[cfg(feature = "tui")]
mod step;
mod success;
mod terminal;
mod tips;
mod tutorial;
mod unrank;
mod verify;
#[cfg(feature = "tui")]
mod viewed;
mod visible;
#[cfg(feature = "tui")]
mod watch;

use crate::board::Board;
use crate::job::fault;
use crate::job::say::{safe, say};
use crate::job::{Failure, by_signal};
use crate::{job, signal, test_halt};
use clap::{CommandFactory, Parser, Subcommand};
use signal_hook::consts::SIGHUP;
use std::io::{self, Write};
use terminal::on_screens;

/// A knight's tour laboratory for the terminal.
///
/// Without a command: on a terminal a demonstration of work stealing, elsewhere the 6x6 search of Radley.
#[derive(Parser)]
#[command(
    name = "destrier",
    bin_name = "destrier",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    threads: args::ThreadsArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Ten lessons on real runs, a few sentences each: the place to begin
    Tutorial,
    /// The live view of a search: see how the threads share the work
    Watch(args::WatchArgs),
    /// A search taken step by step: candidate moves and ranks, cuts and dead ends with their reasons, forwards and back
    Step(args::StepArgs),
    /// Enumerate every tour of a board and print a summary
    Search(args::SearchArgs),
    /// Find one tour of a board or a few, or one of every board in a range; 1 when there is none
    Find(find::FindArgs),
    /// Count the tours of a board exactly, without listing them
    Count(count::CountArgs),
    /// The tours with these numbers: every tour of a board has one
    Unrank(unrank::UnrankArgs),
    /// The numbers of tours, from a file or piped in
    Rank(rank::RankArgs),
    /// Go on with a run that was stopped, from the file that --checkpoint has written
    Resume(args::ResumeArgs),
    /// The runs that go on without a screen, and those that have ended: question, state, progress and age
    Runs(runs::RunsArgs),
    /// See a run that goes on without a screen, by its number or its socket; leaving it ends nothing
    Attach(runs::AttachArgs),
    /// Print the job file with which Slurm, HyperQueue, GNU parallel or Kubernetes makes all parts of a search
    Shards(shards::ShardsArgs),
    /// Put the parts of one question together, which --out-dir has made; 1 when some are missing
    Merge(args::MergeArgs),
    /// Look again at a run that was recorded by --record: as it was, at any speed, back and forth
    Replay(replay::ReplayArgs),
    /// The same search by many more workers than there are, on a virtual clock: which scheduler would share it best
    Simulate(simulate::SimulateArgs),
    /// One question asked in several ways, side by side on one time axis, live or from recordings
    Compare(compare::CompareArgs),
    /// Check tours, one or many: lists of moves, grids, four paths, JSON, SVG or packed; 1 when one is invalid
    Verify(verify::VerifyArgs),
    /// Look at tours from a file, or piped in, move by move
    Show(args::ShowArgs),
    /// The facts about a board: squares, moves, tree estimate, which tours exist and why, known counts
    Board {
        /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
        board: Board,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// What this machine offers: cores, memory, terminal, Vulkan; and what to install where something is missing
    Doctor {
        /// Measure what it costs this machine to enter a node, to hand one over and to wake a thread, as for `simulate`
        #[arg(long)]
        calibrate: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Work for a GPU; the CPU does it where there is none
    Gpu(gpu::GpuArgs),
    /// Run a published table again and print it beside the published figures; 1 when a figure differs
    Reproduce(reproduce::ReproduceArgs),
    /// Measure this program's own figures, each with its count asserted; 1 when a count is wrong
    Bench(bench::BenchArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Runs the command line and answers the exit code.
pub fn main() -> u8 {
    if !processor::suffices() {
        return 3;
    }
    // Without it a file that is too large kills the program, as it does others.
    let _ = signal::outlive_limits();
    fault::keep();
    if let Err(refused) = test_halt::arm() {
        let _ = say(refused);
        return 2;
    }
    let run = || match Cli::try_parse() {
        Ok(cli) => dispatch(cli),
        Err(error) => Ok(turn_away(error)?),
    };
    match fault::caught(run) {
        Ok(code) => code,
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Failure::Io(error)) if signal::is_hangup(&error) => by_signal(SIGHUP),
        Err(failure) => {
            let place = if let Failure::Running(message) = &failure { fault::place(message) } else { String::new() };
            // Nothing is left to do when even this cannot be written.
            let _ = say(format_args!("{failure}{place}"));
            if matches!(failure, Failure::Usage(_)) { 2 } else { 3 }
        }
    }
}

/// Prints what stands in the way of running what was typed: that help was asked for, or what is wrong; answers the exit
/// code.
///
/// # Errors
/// When help cannot be written.
fn turn_away(mut error: clap::Error) -> io::Result<u8> {
    if !error.use_stderr() {
        return error.print().map(|()| 0);
    }
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if let Some(text) = tips::unknown_command(&error, &Cli::command(), &words) {
        return say(text).map(|()| 2);
    }
    tips::mend(&mut error, &mut Cli::command(), &words);
    // Nothing is left to do when even this cannot be written.
    let _ = write!(io::stderr(), "{}", safe(&error.render().to_string()));
    Ok(2)
}

/// What plain `destrier` does without a terminal: Radley's own benchmark.
fn plain(args: &[&str]) -> Result<u8, Failure> {
    dispatch(Cli::parse_from(["destrier"].iter().chain(args)))
}

fn dispatch(cli: Cli) -> Result<u8, Failure> {
    let args::ThreadsArgs { threads } = cli.threads;
    match cli.command {
        None if terminal::on_terminal()? => on_screens!(threads => watch::demonstrate(threads)),
        None => {
            let workers = args::threads(threads).to_string();
            plain(&["search", "6x6", "--solver", "radley", "--threads", &workers])
        }
        Some(Command::Tutorial) => tutorial::run(),
        Some(Command::Watch(args)) => on_screens!(args => watch::run(&args)),
        Some(Command::Step(args)) => on_screens!(args => step::run(&args)),
        Some(Command::Show(args)) => on_screens!(args => show::run(&args)),
        Some(Command::Search(args)) => search::run(&args),
        Some(Command::Find(args)) => find::run(&args),
        Some(Command::Count(args)) => count::run(&args),
        Some(Command::Unrank(args)) => unrank::run(&args),
        Some(Command::Rank(args)) => rank::run(&args),
        Some(Command::Resume(args)) => resume::run(&args),
        Some(Command::Runs(args)) => runs::run(&args),
        Some(Command::Attach(args)) => runs::attach(&args),
        Some(Command::Shards(args)) => shards::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Board { board, json }) => Ok(job::say::print(&board::Facts::of(board), json, false).map(|()| 0)?),
        Some(Command::Doctor { calibrate, json }) => doctor::run(calibrate, json),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Gpu(args)) => gpu::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Completions { shell }) => {
            // Into memory first: the generator panics when a pipe is closed.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut visible::shown(&Cli::command()), "destrier", &mut script);
            io::stdout().write_all(&script)?;
            Ok(0)
        }
        Some(Command::Man) => {
            clap_mangen::Man::new(Cli::command()).render(&mut io::stdout().lock())?;
            Ok(0)
        }
    }
}
