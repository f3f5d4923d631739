//! `destrier runs --stop`: ends runs of other processes and waits for what they save.

use crate::job::detached::{RunEntry, RunsFolder, Standing, known_run};
use crate::job::say::{print, say};
use crate::job::{Failure, running, usage};
use crate::words::visible;
use rustix::process::{Pid, Signal, kill_process};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at a run that is ending.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// After this time the user is told what is waited for.
const TOLD_AFTER: Duration = Duration::from_secs(2);
/// How long a run may take to save what it keeps.
const ENDS_WITHIN: Duration = Duration::from_secs(300);

/// Ends the runs and says of each what has become of it. All are told to end before one is waited for. A run that has ended by
/// itself may be among several.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or none goes on. [`Failure::Running`] when one cannot be ended.
pub fn run(folder: Option<&RunsFolder>, ids: &[u32]) -> Result<(), Failure> {
    let mut all = ids.iter().map(|&id| known_run(folder, id)).collect::<Result<Vec<_>, _>>()?;
    let going: Vec<bool> = all.iter_mut().map(|(folder, entry)| entry.standing(folder).goes_on()).collect();
    if !going.contains(&true)
        && let Some((folder, entry)) = all.first_mut()
    {
        let past = entry.standing(folder).past();
        return Err(usage(format!("run {} has {past}: there is nothing to stop", entry.id)));
    }
    for ((_, entry), _) in all.iter().zip(going).filter(|(_, goes_on)| *goes_on) {
        let process = Pid::from_raw(entry.pid.cast_signed());
        let told = process.map(|process| kill_process(process, Signal::TERM));
        if let Some(Err(error)) = told.filter(|told| *told != Err(rustix::io::Errno::SRCH)) {
            return Err(running(format!("run {} cannot be told to end: {error}", entry.id)));
        }
    }
    for (folder, entry) in all {
        print(&visible(&ended(folder, entry)?), false, false)?;
    }
    Ok(())
}

/// Waits for the end of a run; says what has become of it.
fn ended(folder: &RunsFolder, entry: RunEntry) -> Result<String, Failure> {
    let (id, pid, since) = (entry.id, entry.pid, Instant::now());
    let mut is_told = false;
    loop {
        let Some(mut entry) = folder.entry(id) else {
            return Ok(format!("run {id} has ended, and destrier runs --forget has removed its files"));
        };
        let standing = entry.standing(folder);
        if !standing.goes_on() && !matches!(standing, Standing::Ending) {
            let rest = match entry.resume(&standing) {
                Some(resume) => format!("to go on: {resume}"),
                None => format!("what it has printed: destrier runs {id}"),
            };
            return Ok(format!("run {id} has {}; {rest}", standing.past()));
        }
        if since.elapsed() > TOLD_AFTER && !std::mem::replace(&mut is_told, true) {
            let what = if is_suspended(pid) {
                format!("which is suspended: kill -CONT {pid} lets it end")
            } else {
                "until it has saved what it keeps".to_owned()
            };
            say(format_args!("waiting for run {id} (process {pid}), {what}"))?;
        }
        if since.elapsed() > ENDS_WITHIN {
            let waited = crate::words::span(ENDS_WITHIN.as_secs_f64());
            return Err(running(format!(
                "run {id} was told to end {waited} ago and goes on: kill -KILL {pid} ends it, without saving"
            )));
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Whether a process is stopped by a signal, as by Ctrl-Z; false where the system does not say.
fn is_suspended(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:\tT"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another process removes what is known of a run as soon as its end is noted.
    #[test]
    fn a_run_that_is_forgotten_while_it_is_waited_for_has_ended() {
        let place = tempfile::tempdir().unwrap();
        let question = "search 6x6".to_owned();
        let entry = RunEntry { id: 1, pid: u32::MAX, question, began_s: 0, checkpoint: None, report: None };
        let said = ended(&RunsFolder::of_test(place.path()), entry).ok();
        assert_eq!(said.as_deref(), Some("run 1 has ended, and destrier runs --forget has removed its files"));
    }
}
