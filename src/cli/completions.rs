//! Completion: the script that a shell loads, and the answers to what it asks while a line is typed.
//!
//! The script calls the program with the words so far, so that boards and the numbers of runs can be among the answers.

use crate::job::detached::RunsFolder;
use crate::job::{Failure, io_failure, put};
use clap::builder::Resettable;
use clap::{Arg, ArgGroup, Command};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use std::ffi::OsStr;

/// The variable by which a shell asks; its value is the name of the shell.
const VARIABLE: &str = "DESTRIER_COMPLETE";

/// Boards that are offered before anything is typed.
const COMMON: [&str; 9] = ["3x10", "5x5", "5x6", "6x6", "6x7", "6x8", "7x8", "8x8", "10x10"];

/// Answers a shell that asks for completions; whether one did.
pub fn answer(command: fn() -> Command) -> bool {
    if std::env::var_os(VARIABLE).is_none() {
        return false;
    }
    let all = || completed(shown(&command()));
    let folder = std::env::current_dir().ok();
    // A line that cannot be completed is not: a shell shows no errors.
    CompleteEnv::with_factory(all).var(VARIABLE).try_complete(std::env::args_os(), folder.as_deref()).is_ok()
}

/// Prints the script of a shell.
///
/// # Errors
/// When it cannot be written.
pub fn print(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(&shell.to_string()) {
        let written = shell.write_registration(VARIABLE, "destrier", "destrier", "destrier", &mut script);
        written.map_err(io_failure("the completion script"))?;
    }
    put(String::from_utf8_lossy(&script))
}

/// The command, and those below it, with completers of boards and runs.
fn completed(command: Command) -> Command {
    command.mut_args(completed_arg).mut_subcommands(completed)
}

fn completed_arg(arg: Arg) -> Arg {
    let named = arg.get_value_names().and_then(|names| names.first()).map(|name| name.to_string());
    match named.as_deref() {
        Some("BOARD" | "BOARDS") => arg.add(ArgValueCompleter::new(boards)),
        Some("BOARD|FILE") => arg.add(ArgValueCompleter::new(boards_and_files)),
        Some("ID") => arg.add(ArgValueCompleter::new(runs)),
        Some("ID|SOCKET" | "FILE|ID") => arg.add(ArgValueCompleter::new(runs_and_files)),
        _ => arg,
    }
}

/// Boards that begin as typed.
fn boards(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let sides = || 3..=12;
    let all = sides().flat_map(|rows| sides().map(move |cols| format!("{rows}x{cols}")));
    if typed.is_empty() {
        COMMON.into_iter().map(CompletionCandidate::new).collect()
    } else {
        all.filter(|board| board.starts_with(&*typed)).map(CompletionCandidate::new).collect()
    }
}

fn boards_and_files(typed: &OsStr) -> Vec<CompletionCandidate> {
    boards(typed).into_iter().chain(PathCompleter::any().complete(typed)).collect()
}

/// Numbers of runs, each with its question.
fn runs(typed: &OsStr) -> Vec<CompletionCandidate> {
    let entries =
        RunsFolder::there().ok().flatten().and_then(|folder| Some(folder.entries().ok()?.collect::<Vec<_>>()));
    let all = entries.into_iter().flatten().map(|entry| (entry.id.to_string(), entry.question));
    let typed = typed.to_string_lossy();
    let as_typed = all.filter(|(id, _)| id.starts_with(&*typed));
    as_typed.map(|(id, question)| CompletionCandidate::new(id).help(Some(question.into()))).collect()
}

fn runs_and_files(typed: &OsStr) -> Vec<CompletionCandidate> {
    runs(typed).into_iter().chain(PathCompleter::any().complete(typed)).collect()
}

// The command line without what is hidden in it, for scripts that complete what is typed.

/// Whether the parser adds an argument to every command itself: `--help`, `--version`.
pub fn is_added(arg: &Arg) -> bool {
    ["help", "version"].contains(&arg.get_id().as_str())
}

/// The command with the options and subcommands that its help shows, and no others. The parser adds `help` and `--version`
/// itself, also where they are there already.
///
/// Scripts are made of names and what is said of them: rules between arguments come along where both are shown.
pub fn shown(command: &Command) -> Command {
    let mut args: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_hide_set() && !is_added(arg)).collect();
    // What all commands have comes last.
    args.sort_by_key(|arg| arg.is_global_set());
    let is_shown = |id: &clap::Id| args.iter().any(|arg| arg.get_id() == id);
    let groups = command.get_groups().map(|group| {
        let members: Vec<clap::Id> = group.get_args().filter(|id| is_shown(id)).cloned().collect();
        ArgGroup::new(group.get_id().clone()).multiple(true).args(members)
    });
    let subcommands =
        command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help").map(shown);
    let (about, version) =
        (command.get_about().cloned(), command.get_version().map(|version| version.to_owned().into()));
    Command::new(command.get_name().to_owned())
        .args(args.iter().map(|&arg| arg.clone()))
        .groups(groups)
        .subcommands(subcommands)
        .about(Resettable::from(about))
        .version(Resettable::from(version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;
    use clap_complete::Shell;

    /// The names of hidden options and commands, wherever they are.
    fn hidden(command: &Command) -> Vec<String> {
        let args = command.get_arguments().filter(|arg| arg.is_hide_set());
        let own = args.filter_map(|arg| arg.get_long()).map(str::to_owned);
        let below = command.get_subcommands().flat_map(|command| {
            let name = command.is_hide_set().then(|| command.get_name().to_owned());
            hidden(command).into_iter().chain(name).collect::<Vec<_>>()
        });
        own.chain(below).collect()
    }

    fn script(shell: Shell, mut command: Command) -> String {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, "destrier", &mut script);
        String::from_utf8(script).unwrap()
    }

    #[test]
    fn scripts_offer_nothing_that_is_hidden_and_all_that_is_not() {
        let mut whole = Cli::command().disable_help_subcommand(true);
        whole.build();
        let seen = shown(&Cli::whole());
        let is_seen = |name: &String| {
            seen.get_subcommands().flat_map(Command::get_arguments).any(|arg| arg.get_long() == Some(name))
        };
        let hidden: Vec<String> = hidden(&whole).into_iter().filter(|name| !is_seen(name)).collect();
        assert!(hidden.iter().any(|name| name == "hosted"), "{hidden:?}");
        // An option of a search that step refuses.
        let of_step = seen.find_subcommand("step").unwrap().get_arguments();
        assert!(of_step.into_iter().all(|arg| arg.get_long() != Some("unique")));
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let whole = script(shell, whole.clone());
            let said = script(shell, shown(&Cli::whole()));
            for name in &hidden {
                assert!(whole.contains(name.as_str()) && !said.contains(name.as_str()), "{shell}: {name}");
            }
            for name in ["search", "watch", "scheduler", "checkpoint", "hand-over", "any-isolated", "estimate", "map"] {
                assert!(said.contains(name), "{shell}: {name}");
            }
            assert!(said.len() * 5 > whole.len() * 4, "{shell}: {} of {}", said.len(), whole.len());
        }
    }
}
