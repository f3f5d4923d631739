//! `destrier attach`: the live view of a run that another process does, and what is said of it when it is left.

use crate::cli::terminal::{needs_terminal, on_screens};
use crate::job::detached::{RunsFolder, known_run};
use crate::job::{Answer, Failure, usage};
use clap::Args;
use std::path::PathBuf;
#[cfg(feature = "tui")]
use {crate::cli::screen::look_on, crate::job::say::say, crate::run::remote::Attached, std::path::Path};

/// `destrier attach`.
#[derive(Args)]
pub struct AttachArgs {
    /// The number of a run, or its socket; without it the run, if only one is running
    ///
    /// `destrier runs` lists the numbers. The socket may be one that ssh -L forwards from another machine.
    #[arg(value_name = "ID|SOCKET")]
    run: Option<String>,
    /// Look only: no key changes the run
    #[arg(long)]
    read_only: bool,
}

/// Shows a run of another process until the user has seen enough.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or no terminal.
pub fn run(args: &AttachArgs) -> Result<Answer, Failure> {
    let (id, socket) = wanted(args.run.as_deref())?;
    needs_terminal("attach", "destrier runs says how far a run is")?;
    let read_only = args.read_only;
    on_screens!(id, socket, read_only => show(id, &socket, read_only))
}

/// The number of the run that is wanted, if it has one, and its socket.
fn wanted(name: Option<&str>) -> Result<(Option<u32>, PathBuf), Failure> {
    let name = match name.map(|name| name.parse::<u32>().map_err(|_| name)) {
        Some(Err(path)) => return Ok((None, PathBuf::from(path))),
        Some(Ok(id)) => Some(id),
        None => None,
    };
    let folder = RunsFolder::there()?;
    if let Some(id) = name {
        let (folder, mut entry) = known_run(folder.as_ref(), id)?;
        let standing = entry.standing(folder);
        if !standing.goes_on() {
            let rest = match (entry.resumed_by(folder), entry.resume(&standing)) {
                (Some(by), _) => format!("run {by} resumes it: destrier attach {by}"),
                (None, Some(resume)) => format!("to go on: {resume}"),
                (None, None) => format!("what it has printed: destrier runs {id}"),
            };
            return Err(usage(format!("run {id} has {}; {rest}", standing.past())));
        }
        return Ok((Some(id), folder.socket(id)));
    }
    let mut going = Vec::new();
    if let Some(folder) = &folder {
        let runs = folder.entries()?.filter_map(|mut run| run.standing(folder).goes_on().then_some(run.id));
        going.extend(runs.map(|id| (id, folder.socket(id))));
    }
    match &going[..] {
        [(id, socket)] => Ok((Some(*id), socket.clone())),
        [] => Err(usage("no run goes on; --detach of search and count begins one")),
        several => {
            let ids: Vec<String> = several.iter().map(|(id, _)| id.to_string()).collect();
            Err(usage(format!("several runs go on: say which, {}", ids.join(", "))))
        }
    }
}

/// Shows the run behind this socket, which may have a number; `read_only` changes nothing of it.
///
/// # Errors
/// [`Failure`] when it cannot be reached, or when the terminal failed.
#[cfg(feature = "tui")]
fn show(id: Option<u32>, socket: &Path, read_only: bool) -> Result<Answer, Failure> {
    let name = id.map_or_else(|| socket.display().to_string(), |id| format!("run {id}"));
    let mut attached = Attached::to(socket).map_err(|error| usage(format!("{name}: {error}")))?;
    attached.read_only = read_only;
    let (subject, last) = (attached.subject.clone(), attached.last.clone());
    let answer = look_on(&subject, Box::new(attached))?;
    say(words(id, &name, last.get().is_some()))?;
    Ok(answer)
}

/// What is to be said of a run that was left, which may be over.
#[cfg(feature = "tui")]
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
