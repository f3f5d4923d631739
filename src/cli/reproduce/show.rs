//! `reproduce NAME --show`: the tables on the screen, while a thread of its own computes them.

use super::report::{Reproduce, TableReport, verdict};
use crate::cli::screen::beside;
use crate::job::{Failure, by_signal};
use crate::run::TableNews;
use crate::stop::{Stop, StopReason};
use crate::ui::table;
use std::io::{self, Write as _};

/// Shows the tables of a source until the user leaves. Returns the exit code.
///
/// # Errors
/// [`Failure`] when a run failed, or the terminal.
pub fn run(name: &str, work: Reproduce) -> Result<u8, Failure> {
    let stop = Stop::default();
    let (send, news) = crossbeam_channel::unbounded();
    let mut report = TableReport::new(stop.clone(), move |news: TableNews| {
        // The screen may have been left.
        let _ = send.send(news);
        Ok(())
    });
    let (computed, signal, view_failed) =
        beside(|| stop.ask(StopReason::Asked), move || report.reproduce(work), |begin| table::run(name, news, begin))?;
    let same = computed?;
    if let Some(failed) = view_failed {
        return Err(failed);
    }
    writeln!(io::stdout(), "{name}: {}", verdict(same))?;
    Ok(signal.map_or(u8::from(same == Some(false)), by_signal))
}
