//! `destrier resume FILE`: resumes the run of a checkpoint, which says what kind of run it is.

use super::args::{THREADS_MAX, parse_time, scheduler_names};
use super::failure::{Failure, usage};
use super::runs::{self, DetachArgs};
use super::{count, find, go_on};
use crate::bounded::{FileFormat, FileKind, refusal};
use crate::saved;
use clap::{Args, value_parser};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `destrier resume`.
#[derive(Args)]
pub struct ResumeArgs {
    /// The file that --checkpoint has written
    pub file: PathBuf,
    /// Number of workers, 1 to 4096; without it as many as a search had, and for a count one per available core
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    pub threads: Option<u32>,
    /// How the workers share the work, from now on
    #[arg(long, value_name = "NAME", value_parser = scheduler_names())]
    pub scheduler: Option<String>,
    /// The name that the file of tours is to have in the end, on the same disk
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// How often it is kept, at most; without it as often as before
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub every: Option<Duration>,
    /// See it on the screen
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub detach: DetachArgs,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

impl ResumeArgs {
    /// Refuses what has no meaning for a count.
    ///
    /// # Errors
    /// [`Failure::Usage`] that names it.
    pub fn refuse_for_count(&self) -> Result<(), Failure> {
        let file = self.file.display();
        if self.scheduler.is_some() {
            return Err(usage(format!("--scheduler: {file} holds a count, which has no scheduler: leave it out")));
        }
        if self.out.is_some() {
            return Err(usage(format!("--out: {file} holds a count, which lists no tours: leave it out")));
        }
        Ok(())
    }
}

/// Resumes the run that the file holds; answers the exit code.
///
/// # Errors
/// [`Failure::Usage`] when the file is no checkpoint, and the errors of the command that began the run.
pub fn run(args: &ResumeArgs) -> Result<u8, Failure> {
    if args.detach.detach && args.watch {
        return Err(usage("--detach goes on without a screen: leave out --watch, and see it by destrier attach"));
    }
    let kind = recognised(&args.file)?;
    match (kind, args.detach.detach) {
        (FileKind::Race, true) => {
            let file = args.file.display();
            Err(usage(format!("--detach: {file} holds a race for tours, and only a search or a count is left so")))
        }
        (FileKind::Count, true) => {
            count::check_detach(args)?;
            runs::typed(args.json)
        }
        (FileKind::Search, true) => runs::typed(args.json),
        (FileKind::Count, false) => count::resume(args),
        (FileKind::Race, false) => find::resume(args),
        _ => go_on::resume(args),
    }
}

/// The kind of a checkpoint. If the file is missing or its first line is damaged, the kind of the previous checkpoint,
/// `FILE~`.
///
/// # Errors
/// [`Failure::Usage`] that says what the file is, when it is no checkpoint of this version.
fn recognised(path: &Path) -> Result<FileKind, Failure> {
    let named = |why: &dyn Display| usage(format!("{}: {why}", path.display()));
    if path.is_dir() {
        return Err(named(&"is a folder: name a file in it, or put parts together with destrier merge"));
    }
    let resumed = |found: &FileFormat| matches!(found.kind, FileKind::Search | FileKind::Race | FileKind::Count);
    let older = || FileFormat::of_file(&saved::older(path)).ok().flatten().filter(resumed);
    let found = match FileFormat::of_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let older = older().map(|older| older.kind);
            return older.ok_or_else(|| named(&"is not there: name a file that --checkpoint has written"));
        }
        found => found.map_err(|error| named(&error))?,
    };
    let found_or_older = found.filter(|found| resumed(found) && found.is_current()).or_else(older);
    let advice = if found.is_none() { ": name a file that --checkpoint has written" } else { "" };
    let refused = || named(&format!("{}{advice}", refusal(found, "checkpoint")));
    found_or_older.map(|found| found.kind).ok_or_else(refused)
}
