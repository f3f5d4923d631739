//! `destrier resume FILE`: what a file holds goes on, whatever it is.

use super::args::{THREADS_MAX, parse_time, scheduler_names};
use super::failure::{Failure, usage};
use super::runs::{self, DetachArgs};
use super::{count, find, go_on};
use clap::{Args, value_parser};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest first line of a file that a run can be taken up from.
const FIRST_LINE_MAX: u64 = 64;

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

/// Goes on with what the file holds; answers the exit code.
///
/// # Errors
/// [`Failure::Usage`] when it is nothing that goes on; as the command that began it.
pub fn run(args: &ResumeArgs) -> Result<u8, Failure> {
    if args.detach.detach && args.watch {
        return Err(usage("--detach goes on without a screen: leave out --watch, and see it by destrier attach"));
    }
    let first = first_line(&args.file).map_err(|why| usage(format!("{}: {why}", args.file.display())))?;
    if args.detach.detach {
        return match first.as_deref() {
            Some(line) if line.starts_with("destrier find ") => {
                let file = args.file.display();
                Err(usage(format!("--detach: {file} holds a race for tours, and only a search or a count is left so")))
            }
            _ => {
                count::check_detach(args)?;
                runs::typed(args.json)
            }
        };
    }
    match first.as_deref() {
        Some(line) if line.starts_with("destrier count ") => count::resume(args),
        Some(line) if line.starts_with("destrier search ") => go_on::resume(args),
        Some(line) if line.starts_with("destrier find ") => find::resume(args),
        // One that is not there, or was damaged in its first line: the one before it may be whole.
        _ if older_is(&args.file, "destrier count ") => count::resume(args),
        _ if older_is(&args.file, "destrier search ") => go_on::resume(args),
        _ if older_is(&args.file, "destrier find ") => find::resume(args),
        None if !args.file.exists() => {
            Err(usage(format!("{}: is not there: name a file that --checkpoint has written", args.file.display())))
        }
        _ => Err(usage(format!(
            "{}: is nothing that can go on: name a file that --checkpoint has written",
            args.file.display()
        ))),
    }
}

/// Whether the file before this one begins so.
fn older_is(file: &Path, first: &str) -> bool {
    first_line(&crate::saved::older(file)).is_ok_and(|line| line.is_some_and(|line| line.starts_with(first)))
}

/// The first line of a file, if it is there, and is one of text.
///
/// # Errors
/// Why it cannot be read, in words that follow its name.
pub fn first_line(path: &Path) -> Result<Option<String>, String> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if found.is_dir() {
        return Err("is a folder: name a file in it, or put parts together with destrier merge".to_owned());
    }
    // Nobody may write into a pipe, and it would be waited for.
    if !found.is_file() {
        return Err("is no regular file: name one that --checkpoint has written".to_owned());
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FIRST_LINE_MAX).read_to_end(&mut bytes));
    read.map_err(|error| error.to_string())?;
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(String::from_utf8(line.to_vec()).ok())
}
