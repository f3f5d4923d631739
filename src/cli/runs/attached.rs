//! The live view of a run that another process does, and what is said of it when it is left.

use crate::cli::screen::look_on;
use crate::job::detached::RunsFolder;
use crate::job::say::say;
use crate::job::{Failure, usage};
use crate::run::remote::Attached;
use std::path::Path;

/// Shows the run behind this socket, which may have a number; `read_only` changes nothing of it. Returns the exit code.
///
/// # Errors
/// [`Failure`] when it cannot be reached, or when the terminal failed.
pub fn show(id: Option<u32>, socket: &Path, read_only: bool) -> Result<u8, Failure> {
    let name = id.map_or_else(|| socket.display().to_string(), |id| format!("run {id}"));
    let mut attached = Attached::to(socket).map_err(|error| usage(format!("{name}: {error}")))?;
    attached.read_only = read_only;
    let (subject, last) = (attached.subject.clone(), attached.last.clone());
    let code = look_on(&subject, Box::new(attached))?;
    say(words(id, &name, last.get().is_some()))?;
    Ok(code)
}

/// What is to be said of a run that was left, which may be over.
fn words(id: Option<u32>, name: &str, over: bool) -> String {
    let known =
        id.and_then(|id| RunsFolder::there().ok().flatten().and_then(|folder| Some((folder.entry(id)?, folder))));
    let Some((mut entry, folder)) = known else {
        return if over { format!("{name} is over") } else { format!("{name} was left, and may go on") };
    };
    let (id, standing) = (entry.id, entry.standing(&folder));
    match (standing.name(), entry.resume(&standing)) {
        ("running", _) => format!("{name} goes on; to see it again: destrier attach {id}"),
        (state @ ("paused" | "slowed"), _) => format!("{name} is {state}; to see it again: destrier attach {id}"),
        ("stopped" | "died", Some(resume)) => format!("{name} has {}; to go on: {resume}", standing.past()),
        _ => format!("{name} has {}; what it has printed: destrier runs {id}", standing.past()),
    }
}
