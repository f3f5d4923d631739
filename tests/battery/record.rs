//! What recording costs the search under it, and how much it writes: the program, with a journal and without.

use crate::failed;
use crate::view::{headless, row};
use destrier::cli::bench::{Bench, cores, median};
use destrier::job::Failure;
use std::ffi::OsStr;
use std::time::Duration;

/// Bytes a minute that a compressed journal may take with 64 threads.
const BYTES_PER_MINUTE_MAX: f64 = 1e6;

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(failed)?;
    let journal = folder.path().join("run.jsonl.zst");
    let (milliseconds, rounds) = bench.pick((300, 1), (10_000, 9));
    let length = Duration::from_millis(milliseconds);
    // Under the rule `next` helpers get the smallest branches: it hires thousands of times a second.
    for (threads, rule) in [(cores().to_string(), None), ("64".to_owned(), None), ("64".to_owned(), Some("next"))] {
        let (mut off, mut on) = (Vec::new(), Vec::new());
        let by: Vec<&OsStr> = rule.iter().flat_map(|rule| ["--hand-over", rule]).map(OsStr::new).collect();
        let recorded = [&by[..], &["--force".as_ref(), "--record".as_ref(), journal.as_os_str()]].concat();
        for _ in 0..rounds {
            off.push(headless(&threads, length, &by)?);
            on.push(headless(&threads, length, &recorded)?);
        }
        // Neighbours in time met the same machine.
        let cost = median(off.iter().zip(&on).map(|(off, on)| 100.0 * (1.0 - on.rate() / off.rate())));
        let bytes = std::fs::metadata(&journal).map_err(failed)?.len() as f64 * 60.0 / on[rounds - 1].elapsed_s();
        let met = if bytes <= BYTES_PER_MINUTE_MAX { "met" } else { "not met" };
        let rule = rule.map_or(String::new(), |rule| format!(" by {rule}"));
        let what = format!("8x8 path x{threads}{rule}, recording");
        bench.add(row(format!("{what} off"), &off))?;
        let row = row(format!("{what} on"), &on).figure("cost_percent", cost).figure("bytes_per_minute", bytes.round());
        bench.add(row.remark(format!("targets: 2 %; 1 MB a minute: {met}")))?;
    }
    Ok(())
}
