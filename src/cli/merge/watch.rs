//! `merge --watch D`: the parts of a search as they gather in a folder, until they are all there or the view is left.
//!
//! What is printed then: when all parts are there what `merge D` prints; else one line of what was seen and how to look
//! again, from memory, for nothing is to be waited for; with `--json` the object of `merge --estimate D`, for which the
//! parts are read once more, or that of `merge D`, with what is missing, where fewer than two parts are there.

use crate::bounded::FileKind;
use crate::cli::args::MergeArgs;
use crate::cli::screen::signal_of;
use crate::cli::terminal::needs_terminal;
use crate::job::parts::{part_files, part_kinds};
use crate::job::say::{safe, shell_word};
use crate::job::{Failure, by_signal, running, usage};
use crate::run::{Campaign, Gathering, PartState};
use crate::ui::{UiError, campaign};
use crate::words::{grouped, number_of, span, visible};
use std::io::{self, Write};
use std::path::Path;

/// Shows the parts until the user has seen enough; `put_together` prints what they come to. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or the looking failed.
pub fn watched(args: &MergeArgs, put_together: impl FnOnce(&MergeArgs) -> Result<u8, Failure>) -> Result<u8, Failure> {
    let folder = shell_word(&args.folder);
    refuse_counts(&args.folder)?;
    let instead = format!("`destrier merge --estimate {folder} --json` says how far the parts are without one");
    needs_terminal("--watch", &instead)?;
    let mut source = Gathering::start(args.folder.clone()).map_err(UiError::Thread)?;
    let (exit, seen) = campaign::run(&visible(&folder), &mut source)?;
    let signal = signal_of(exit);
    if source.has_failed() {
        return Err(running("who looked into the folder has gone away"));
    }
    let done = seen.count(PartState::Done);
    if seen.complete || (args.json && signal.is_none()) {
        let estimate = !seen.complete && seen.estimate.is_some();
        let code = put_together(&MergeArgs { folder: args.folder.clone(), estimate, watch: false, json: args.json })?;
        return Ok(signal.map_or(code, by_signal));
    }
    if !seen.parts.is_empty() {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", safe(&summary(&seen, done)))?;
        writeln!(out, "to look again: destrier merge --watch {}", safe(&folder))?;
    }
    Ok(signal.map_or(0, by_signal))
}

/// Refuses a folder of remainders: they tell nothing of the number before they are all there. A folder that is not there
/// yet is waited for.
fn refuse_counts(folder: &Path) -> Result<(), Failure> {
    if !folder.try_exists().unwrap_or(true) {
        return Ok(());
    }
    if part_kinds(&part_files(folder)?).first() == Some(&FileKind::Count) {
        let folder = shell_word(folder);
        return Err(usage(format!(
            "--watch shows the parts of a search; how many remainders of a count are there says `destrier merge {folder}`"
        )));
    }
    Ok(())
}

/// How far it was, in a line.
fn summary(seen: &Campaign, done: usize) -> String {
    let mut text = format!("{}: {} of {} parts done", seen.question, grouped(done), grouped(seen.parts.len()));
    let running = seen.count(PartState::Running);
    if running > 0 {
        text += &format!(", {} running", grouped(running));
    }
    text += &format!("; {} so far", number_of(seen.figures.tours, "tour"));
    if let Some(estimate) = &seen.estimate {
        let (tours, error) = (estimate.tours.sum, estimate.tours.error);
        let percent = 100.0 * error / tours.max(1.0);
        let tours = grouped(tours.round() as u64);
        text += &format!(" of about {tours} {}, standard error {percent:.2} %", seen.convention);
    }
    if let Some(left) = seen.left_s {
        text += &format!(", left {}", span(left));
    }
    text
}
