//! The command line: what was typed, what it means, and the exit code.
//!
//! Text goes to stdout, progress and notices to stderr. Exit codes: 0 done; 1 the answer is no, which is said with the
//! reason: there is no such tour or none was found (`find`), a tour is invalid or a line is none (`verify`), parts are missing (`merge`) or
//! too few for an estimate (`merge --estimate`), a figure differs from the known one (`reproduce`, `bench`), device and CPU disagree (`gpu map
//! --compare`); 2 wrong usage or bad input; 3 failed while running; 128 + signal when stopped by one, or by the end of its terminal, which is
//! SIGHUP. A closed pipe ends quietly.
//!
//! ```text
//!  words ──> Command (clap) ──> args: groups of options become a Plan ──> a Job ──> job::run ──> report: text or JSON
//!                                                                    └──> on_screens!: a screen of `ui`
//! ```
//!
//! **Invariant**: what contradicts itself is refused here, with exit code 2, before a file is touched or a thread begun.
//! **Where to begin**: `board.rs` is the plainest command, `gpu/map.rs` the plainest that is a job; a command is a file or
//! folder of its name, but for `rank` and `unrank` (`numbered.rs`) and `attach` (`runs`), and a line in `Command`. Options
//! that several commands share are in `args/`, reports beside their command.

mod adapter;
mod args;
pub mod bench;
mod board;
mod boards;
mod chart;
mod compare;
mod completions;
mod count;
mod doctor;
mod find;
mod found;
mod gpu;
mod merge;
mod numbered;
pub mod pages;
mod replay;
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
mod terminal;
mod tips;
mod tutorial;
mod verify;

use crate::board::Shape;
use crate::job::{self, Answer, Failure, STDOUT, fault, io_failure, put, running, say, usage};
use crate::signal;
use crate::system::{is_stdout_closed, processor};
use crate::test_halt;
use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use terminal::on_screens;

/// A knight's tour laboratory for the terminal.
///
/// Without a command: on a terminal a demonstration of work stealing, elsewhere the 6x6 search of Radley.
#[derive(Parser)]
#[command(name = "destrier", bin_name = "destrier", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    threads: args::ThreadsArgs,
    #[command(flatten)]
    screens: args::ScreensArgs,
}

// A start builds the options of the command that is typed, and of no other.
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    /// Ten lessons on real runs, a few sentences each: the place to begin
    Tutorial(tutorial::TutorialArgs),
    /// See a search live: how its threads share the work
    Watch(args::WatchArgs),
    /// Take a search step by step, forwards and back, with reasons
    ///
    /// Shows the candidate moves and their ranks, what is cut, and why a path is a dead end.
    Step(args::StepArgs),
    /// Enumerate every tour of a board
    Search(args::SearchArgs),
    /// Find one tour, or a few, on any board
    Find(find::FindArgs),
    /// Count the tours of a board without listing them
    Count(count::CountArgs),
    /// Print the tours with these numbers
    ///
    /// Every tour of a board has a number, from 0 to the count less 1.
    Unrank(numbered::UnrankArgs),
    /// Print the numbers of these tours
    Rank(numbered::RankArgs),
    /// Resume a run that was stopped, from its checkpoint
    Resume(args::ResumeArgs),
    /// List the runs without a screen, running and ended
    Runs(runs::RunsArgs),
    /// See a run that has no screen; leaving does not stop it
    Attach(runs::AttachArgs),
    /// Print a job file: Slurm, HyperQueue, GNU parallel, Kubernetes
    ///
    /// The jobs make all parts of one search, on many machines. That pays where tours are wanted one by one; their
    /// number alone comes from `destrier count`, for 8x8 in seconds.
    Shards(shards::ShardsArgs),
    /// Put the parts of a search or a count together
    Merge(merge::MergeArgs),
    /// Look again at a recorded run, at any speed, back and forth
    ///
    /// Of a map, what it was at its end is printed.
    Replay(replay::ReplayArgs),
    /// Simulate a search with more workers than this machine has
    ///
    /// It runs on a virtual clock and says which scheduler shares the work best.
    Simulate(simulate::SimulateArgs),
    /// Run one question in several ways, side by side
    Compare(compare::CompareArgs),
    /// Check tours, from a file or piped in
    Verify(verify::VerifyArgs),
    /// Look at tours move by move, from a file or piped in
    Show(args::ShowArgs),
    /// Print the facts about a board: which tours exist, and why
    Board {
        /// ROWSxCOLS, such as 6x6 or 3x10, also with holes: 8x8-a1,h8; 8 alone means 8x8
        board: Shape,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Say what this machine offers, and what is missing
    ///
    /// Cores, memory, terminal and Vulkan; and what to install where something is missing.
    Doctor {
        /// Measure what a node, a hand-over and a wake-up cost here
        ///
        /// `destrier simulate --costs measured` takes these costs.
        #[arg(long)]
        calibrate: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Work for a GPU; where there is none, the CPU does it
    Gpu(gpu::GpuArgs),
    /// Run a published table again, beside the published figures
    Reproduce(reproduce::ReproduceArgs),
    /// Measure this program; every count is asserted
    Bench(bench::BenchArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual, one page or all
    Man(pages::ManArgs),
}

impl Cli {
    /// The command line with the options of all commands, which [`CommandFactory::command`] leaves out until it parses.
    pub fn whole() -> clap::Command {
        let mut command = Cli::command();
        let listed = command.clone();
        command.build();
        // What is said of a command is the comment in `Command`. Built last, the comment of its options has replaced it.
        command.mut_subcommands(|below| match listed.find_subcommand(below.get_name()) {
            Some(own) => {
                let long = Resettable::from(own.get_long_about().cloned());
                below.about(Resettable::from(own.get_about().cloned())).long_about(long)
            }
            None => below,
        })
    }
}

/// Runs the command line and answers the exit code.
pub fn main() -> u8 {
    if processor::suffices() { run() } else { 3 }
}

/// What [`main`] does on a processor that suffices: apart, so that no instruction for newer ones comes before or after asking.
#[inline(never)]
fn run() -> u8 {
    // Without it a file that is too large kills the program, as it does others.
    let _ = signal::outlive_limits();
    // Without it a batch system's request to save ends the program.
    let _ = signal::catch_save_requests();
    fault::keep();
    // A command of a table does not go on when `reproduce` was killed.
    reproduce::end_with_parent();
    if let Err(refused) = test_halt::arm() {
        let _ = say(refused);
        return 2;
    }
    if completions::answer(Cli::whole) {
        return 0;
    }
    let run = || match Cli::try_parse() {
        Err(error) if error.use_stderr() => turn_away(error),
        _ if is_stdout_closed() => Err(running("stdout is closed: to do without what is printed, write > /dev/null")),
        Ok(cli) => dispatch(cli),
        Err(error) => turn_away(error),
    };
    let ended = fault::caught(run);
    if let Err(failure) = &ended
        && !matches!(failure, Failure::Io(_, error) if job::is_unread(error))
    {
        let place = if let Failure::Running(message) = failure { fault::place(message) } else { String::new() };
        // Nothing is left to do when even this cannot be written.
        let _ = say(format_args!("{failure}{place}"));
    }
    fault::exit_code(&ended)
}

/// Prints the help that was asked for in place of running anything.
///
/// # Errors
/// What is wrong with what was typed, or when help cannot be written.
fn turn_away(mut error: clap::Error) -> Result<Answer, Failure> {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // Without the pages that help has, which take as long to read as all else that a start does.
    if error.kind() == ErrorKind::DisplayVersion && words.iter().any(|word| word == "--version") {
        return put(format_args!("destrier {}\n", doctor::described())).map(|()| Answer::Yes);
    }
    if !error.use_stderr() {
        let short = words.iter().any(|word| word == "-h");
        let asked = pages::described(Cli::whole(), short).try_get_matches();
        return asked.err().unwrap_or(error).print().map(|()| Answer::Yes).map_err(io_failure(STDOUT));
    }
    if let Some(text) = tips::unknown_command(&error, &Cli::command(), &words) {
        return Err(usage(text));
    }
    tips::mend(&mut error, &Cli::whole(), &words);
    let text = error.render().to_string();
    Err(usage(text.strip_prefix("error: ").unwrap_or(&text).trim_end()))
}

fn dispatch(cli: Cli) -> Result<Answer, Failure> {
    let args::ThreadsArgs { threads } = cli.threads;
    if let (Some(threads), Some(_)) = (threads, &cli.command) {
        return Err(usage(format!("--threads belongs behind the command: destrier watch --threads {threads}")));
    }
    if cli.screens.begin()? {
        return Ok(Answer::Yes);
    }
    match cli.command {
        None if terminal::on_terminal()? => on_screens!(threads => search::demonstrate(threads)),
        None => {
            let workers = args::threads(threads)?.to_string();
            // Radley's own benchmark.
            let words = ["destrier", "search", "6x6", "--solver", "radley", "--threads", &workers];
            dispatch(Cli::parse_from(words))
        }
        Some(Command::Tutorial(args)) => tutorial::run(&args),
        Some(Command::Watch(args)) => on_screens!(args => search::watch(&args)),
        Some(Command::Step(args)) => on_screens!(args => step::run(&args)),
        Some(Command::Show(args)) => on_screens!(args => show::run(&args)),
        Some(Command::Search(args)) => search::run(&args),
        Some(Command::Find(args)) => find::run(&args),
        Some(Command::Count(args)) => count::run(&args),
        Some(Command::Unrank(args)) => numbered::unrank(&args),
        Some(Command::Rank(args)) => numbered::rank(&args),
        Some(Command::Resume(args)) => resume::run(args),
        Some(Command::Runs(args)) => runs::run(&args),
        Some(Command::Attach(args)) => runs::attach(&args),
        Some(Command::Shards(args)) => shards::run(&args),
        Some(Command::Merge(args)) => merge::run(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Board { board, json }) => {
            let report = board::board_report(&board).map_err(job::usage)?;
            Ok(job::print(&report, json, false).map(|()| Answer::Yes)?)
        }
        Some(Command::Doctor { calibrate, json }) => doctor::run(calibrate, json),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Gpu(args)) => gpu::run(&args),
        Some(Command::Reproduce(args)) => reproduce::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Completions { shell }) => completions::print(shell).map(|()| Answer::Yes),
        Some(Command::Man(args)) => pages::run(&args, pages::described(Cli::whole(), false)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::CommandLine;
    use crate::run::Plan;
    use std::path::Path;
    use std::process;

    /// The command that a shell begins for this line.
    fn typed(line: &str) -> Command {
        let shown = process::Command::new("sh").arg("-c").arg(format!("printf '%s\\n' {line}")).output().unwrap();
        let words = String::from_utf8(shown.stdout).unwrap();
        Cli::try_parse_from(words.lines()).unwrap_or_else(|error| panic!("{line}: {error}")).command.unwrap()
    }

    /// The library's own words are for programmers: "invalid digit found in string".
    #[test]
    fn an_option_that_takes_a_number_says_which_numbers_it_takes() {
        let whole = Cli::whole();
        let commands = whole.get_subcommands().flat_map(|command| {
            let below = command.get_subcommands().map(|below| (vec![command.get_name(), below.get_name()], below));
            below.chain([(vec![command.get_name()], command)])
        });
        let mut refused = 0;
        for (path, command) in commands.chain([(vec![], &whole)]) {
            let options = command.get_arguments().filter(|arg| arg.get_action().takes_values());
            for option in options.filter(|arg| !arg.is_hide_set() && !arg.is_required_set()) {
                for value in ["banana", "0x1", "", "-1", "0", "1.5", "99999999999999999999999"] {
                    let name = option.get_long();
                    let typed = name.map_or_else(|| value.to_owned(), |name| format!("--{name}={value}"));
                    let words = ["destrier"].iter().chain(&path).copied().chain([typed.as_str()]);
                    let Err(error) = Cli::try_parse_from(words.clone()) else { continue };
                    let said = error.to_string();
                    refused += usize::from(said.contains("write a number from "));
                    let raw = ["digit found", "integer", "number too", "float literal", "is not in "];
                    assert!(!raw.iter().any(|raw| said.contains(raw)), "{path:?} {typed}: {said}");
                }
            }
        }
        assert!(refused > 100, "{refused}");
    }

    #[test]
    fn a_search_that_is_printed_asks_for_the_same_when_it_is_typed() {
        let searched = |line: &str| {
            let Command::Search(args) = typed(line) else { panic!("{line} is no search") };
            let plan = args.options.plan(&args.board).unwrap_or_else(|_| panic!("{line}"));
            Plan { shard: args.part.map(|part| part.shard), ..plan }
        };
        for words in [
            "6x6 --threads 1",
            "3x10 --open --threads 4 --scheduler static --hand-over next",
            "5x6 --open --solver path --start b2",
            #[cfg(target_os = "linux")]
            "6x6 --threads 2 --pin",
            "6x6 --unique",
            "6x6 --solver radley --start a1 --prune any-isolated",
            "6x6 --solver radley --prune region --prune-from 4 --prune-to 20",
            "6x6 --solver quarter-turn --shard 2/3 --out-dir parts",
        ] {
            let plan = searched(&format!("destrier search {words}"));
            let line = CommandLine::search_by_crew(&plan);
            let line = if plan.shard.is_some() { line.out_dir(Path::new("the parts")) } else { line };
            let json = |plan: &Plan| serde_json::to_value(plan).unwrap();
            assert_eq!(json(&searched(&line.to_string())), json(&plan), "{line}");
        }
    }

    #[test]
    fn a_count_that_is_printed_asks_for_the_same_when_it_is_typed() {
        for words in ["6x6", "5x6 --open", "5x5 --open --strict", "5x6 --open --start a5", "5x5 --open --unique"] {
            let counted = |line: &str| match typed(line) {
                Command::Count(args) => args.question().unwrap_or_else(|_| panic!("{line}")),
                _ => panic!("{line} is no count"),
            };
            let question = counted(&format!("destrier count {words}"));
            assert_eq!(counted(&CommandLine::count(&question).to_string()), question, "{words}");
        }
    }

    #[test]
    fn what_is_done_with_a_file_names_it_as_it_is_called() {
        for name in ["run", "my run", "it's", "-run", "/tmp/$HOME"] {
            for force in [false, true] {
                let line = CommandLine::resume(Path::new(name), force).to_string();
                let Command::Resume(args) = typed(&line) else { panic!("{line} does not resume") };
                assert_eq!(args.file.to_string_lossy().trim_start_matches("./"), name);
                assert_eq!(args.of_search().map(|changes| changes.force).ok(), Some(force), "{line}");
            }
            let line = CommandLine::merge(Path::new(name)).to_string();
            let Command::Merge(args) = typed(&line) else { panic!("{line} puts nothing together") };
            assert_eq!(args.folder.to_string_lossy().trim_start_matches("./"), name);
        }
    }
}
