//! `destrier doctor`: what this machine offers, and what would help where something is missing.
//!
//! Each part is a list of facts, made by a function of files and variables that are given, so that other machines can be
//! played in tests; only Vulkan's adapters are asked for themselves. Where a machine does not say, a line is left out.

mod cores;
mod program;
mod terminal;
mod vulkan;

pub use program::described;

use super::args::{UsualThreads, cores as usual_cores};
use crate::gpu;
use crate::job::detached::RunsFolder;
use crate::job::{Answer, Failure, Report, keys, print};
use crate::system::{Root, ThreadRefused};
use std::env;
use std::io::{self, IsTerminal};

/// The processor and the memory of this machine, and what sharing a search costs on it, in labelled lines.
///
/// # Errors
/// When a thread cannot be started.
pub fn machine() -> Result<String, ThreadRefused> {
    let (root, usual) = (Root::here(), UsualThreads { threads: usual_cores(), variable: None });
    let parts = [cores::cores(&root, &usual), cores::memory(&root, usual.threads), cores::costs()?];
    Ok(parts.map(|part| format!("{part}\n")).concat())
}

/// Columns and rows of the terminal that stdout leads to; 0 where it does not say.
fn size() -> Option<(u16, u16)> {
    let stdout = io::stdout();
    let size = || rustix::termios::tcgetwinsize(&stdout).map_or((0, 0), |size| (size.ws_col, size.ws_row));
    stdout.is_terminal().then(size)
}

/// Whether runs without a screen find their folder, and what to do if not.
fn runs() -> (Report, Option<String>) {
    let (mut report, usable) = (Report::default(), RunsFolder::usable());
    let refused = usable.as_ref().err().map(Failure::to_string);
    let place = usable.as_ref().map_or_else(|_| "cannot be used".to_owned(), |path| path.display().to_string());
    report.entry("runs folder", place);
    keys!(report, "folder" => usable.ok(), "refused" => refused.clone());
    (report, refused)
}

/// Prints the report; with `calibrate` what sharing a search costs is measured. It is a report even where nothing is found:
/// the exit code is 0.
///
/// # Errors
/// [`Failure::Io`]; as [`UsualThreads::here`].
pub fn run(calibrate: bool, json: bool) -> Result<Answer, Failure> {
    let (root, usual) = (Root::here(), UsualThreads::here()?);
    let variables = env::vars_os().map(|(name, value)| [name, value].map(|s| s.to_string_lossy().into_owned()));
    let (terminal, for_terminal) = terminal::terminal(|name| env::var(name).ok(), size());
    // The drivers are asked, which takes up to seconds.
    let (vulkan, for_vulkan) = vulkan::vulkan(variables, gpu::offers());
    let mut report = Report::default();
    report.part("program", program::program());
    report.part("cores", cores::cores(&root, &usual));
    report.part("memory", cores::memory(&root, usual.threads));
    #[cfg(feature = "tui")]
    let terminal = terminal::with_kept(terminal);
    report.part("terminal", terminal);
    let (runs, for_runs) = runs();
    report.part("vulkan", vulkan);
    report.part("runs", runs);
    if calibrate {
        report.part("costs", cores::costs()?);
    }
    // What would help, in clauses.
    let advice: Vec<String> = for_terminal.into_iter().chain(for_vulkan).chain(for_runs).collect();
    report.text("");
    report.entry("ready", if advice.is_empty() { "yes; nothing is missing" } else { "to search, count and find" });
    report.entries("would help", advice.iter().map(|clause| format!("- {clause}")));
    report.key("advice", advice);
    print(&report, json, false)?;
    Ok(Answer::Yes)
}
