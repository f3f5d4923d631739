//! `destrier runs --stop`: ends runs of other processes and waits for what they save.

use crate::job::detached::{RunEntry, RunsFolder, Standing, known_run};
use crate::job::say::print;
use crate::job::{Failure, running, usage};
use rustix::process::{Pid, Signal, kill_process};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks at a run that is ending.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a run may take to save what it keeps.
const ENDS_WITHIN: Duration = Duration::from_secs(300);

/// Ends the runs and says of each what has become of it. All are told to end before one is waited for.
///
/// # Errors
/// [`Failure::Usage`] when one of them does not go on; then none is ended. [`Failure::Running`] when one cannot be ended.
pub fn run(folder: Option<&RunsFolder>, ids: &[u32]) -> Result<(), Failure> {
    let going = |&id: &u32| {
        let (folder, mut entry) = known_run(folder, id)?;
        let standing = entry.standing(folder);
        match standing.goes_on() {
            true => Ok((folder, entry)),
            false => Err(usage(format!("run {id} has {}: there is nothing to stop", standing.past()))),
        }
    };
    let all = ids.iter().map(going).collect::<Result<Vec<_>, _>>()?;
    for (_, entry) in &all {
        let process = Pid::from_raw(entry.pid.cast_signed());
        let told = process.map(|process| kill_process(process, Signal::TERM));
        if let Some(Err(error)) = told.filter(|told| *told != Err(rustix::io::Errno::SRCH)) {
            return Err(running(format!("run {} cannot be told to end: {error}", entry.id)));
        }
    }
    for (folder, entry) in all {
        print(&ended(folder, entry)?, false, false)?;
    }
    Ok(())
}

/// Waits for the end of a run; says what has become of it.
fn ended(folder: &RunsFolder, entry: RunEntry) -> Result<String, Failure> {
    let (id, pid, since) = (entry.id, entry.pid, Instant::now());
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
        if since.elapsed() > ENDS_WITHIN {
            let waited = crate::words::span(ENDS_WITHIN.as_secs_f64());
            return Err(running(format!(
                "run {id} was told to end {waited} ago and goes on: kill -KILL {pid} ends it, without saving"
            )));
        }
        thread::sleep(LOOK_EVERY);
    }
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
