//! Completion: the script that a shell loads, and the answers to what it asks while a line is typed.
//!
//! The script calls the program with the words so far, so that boards and the numbers of runs can be among the answers.

use super::visible;
use crate::job::Failure;
use crate::job::detached::RunsFolder;
use clap::{Arg, Command};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use std::ffi::OsStr;
use std::io::{self, Write};

/// The variable by which a shell asks; its value is the name of the shell.
const VARIABLE: &str = "DESTRIER_COMPLETE";

/// Boards that are offered before anything is typed.
const COMMON: [&str; 9] = ["3x10", "5x5", "5x6", "6x6", "6x7", "6x8", "7x8", "8x8", "10x10"];

/// Answers a shell that asks for completions; whether one did.
pub fn answer(command: fn() -> Command) -> bool {
    if std::env::var_os(VARIABLE).is_none() {
        return false;
    }
    let all = || completed(visible::shown(&command()));
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
        shell.write_registration(VARIABLE, "destrier", "destrier", "destrier", &mut script)?;
    }
    Ok(io::stdout().write_all(&script)?)
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
        Some("ID|SOCKET") => arg.add(ArgValueCompleter::new(runs_and_files)),
        _ => arg,
    }
}

/// Boards that begin as typed.
fn boards(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let sides = || 3..=12;
    let all = sides().flat_map(|rows| sides().map(move |cols| format!("{rows}x{cols}")));
    match typed.is_empty() {
        true => COMMON.into_iter().map(CompletionCandidate::new).collect(),
        false => all.filter(|board| board.starts_with(&*typed)).map(CompletionCandidate::new).collect(),
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
