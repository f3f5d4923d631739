//! `destrier attach`: the live view of a run that another process does. Leaving it ends nothing.

use crate::job::detached::{RunEntry, RunsFolder, known_run};
use crate::job::{Failure, usage};
use clap::Args;
use std::path::PathBuf;

/// `destrier attach`.
#[derive(Args)]
pub struct AttachArgs {
    /// The number of a run, as `destrier runs` lists it, or its socket, also one that ssh -L forwards; without it the run
    /// that goes on, if it is the only one
    #[arg(value_name = "ID|SOCKET")]
    run: Option<String>,
}

/// Shows a run of another process until the user has seen enough. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or no terminal.
pub fn run(args: &AttachArgs) -> Result<u8, Failure> {
    let (id, socket) = wanted(args.run.as_deref())?;
    show(id, socket)
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
    let mut entries: Vec<RunEntry> = match &folder {
        Some(folder) => folder.ids()?.into_iter().filter_map(|id| folder.entry(id)).collect(),
        None => Vec::new(),
    };
    let going: Vec<(u32, PathBuf)> = folder
        .iter()
        .flat_map(|folder| {
            let going = entries.iter_mut().filter_map(|entry| entry.standing(folder).goes_on().then_some(entry.id));
            going.map(|id| (id, folder.socket(id))).collect::<Vec<_>>()
        })
        .collect();
    match &going[..] {
        [(id, socket)] => Ok((Some(*id), socket.clone())),
        [] => Err(usage("no run goes on; --detach of search and count begins one")),
        several => {
            let ids: Vec<String> = several.iter().map(|(id, _)| id.to_string()).collect();
            Err(usage(format!("several runs go on: say which, {}", ids.join(", "))))
        }
    }
}

#[cfg(feature = "tui")]
fn show(id: Option<u32>, socket: PathBuf) -> Result<u8, Failure> {
    use crate::cli::screen::{look_on, on_terminal};
    use crate::job::say::say;
    use crate::run::remote::Attached;
    if !on_terminal()? {
        return Err(usage("attach needs a terminal for its keys and its screen; destrier runs says how far a run is"));
    }
    let name = id.map_or_else(|| socket.display().to_string(), |id| format!("run {id}"));
    let attached = Attached::to(&socket).map_err(|error| usage(format!("{name}: {error}")))?;
    let (subject, last) = (attached.subject().clone(), attached.last());
    let code = look_on(&subject, Box::new(attached))?;
    say(words(id, &name, last.get().is_some()))?;
    Ok(code)
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

#[cfg(not(feature = "tui"))]
fn show(_: Option<u32>, _: PathBuf) -> Result<u8, Failure> {
    Err(usage("this destrier was built without its live view (feature tui); destrier runs says how far a run is"))
}
