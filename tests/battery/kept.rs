//! What it costs a search to be kept in a file: the program, with `--checkpoint` and without.

use crate::failed;
use crate::view::{headless, row};
use destrier::cli::bench::{Bench, cores, median};
use destrier::job::Failure;
use std::ffi::OsStr;
use std::fs;
use std::time::Duration;

/// At most, in percent, at the default period.
const COST_MAX: f64 = 1.0;

/// How it is kept.
struct Way {
    how: &'static str,
    options: &'static [&'static str],
    /// What it may cost at most, in percent.
    target: Option<f64>,
}

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(failed)?;
    let file = folder.path().join("run");
    let threads = cores().to_string();
    let every_second = Way { how: "every 1s", options: &["--every", "1s"], target: None };
    // Once in its course, beside its beginning and its end.
    let default = Way { how: "every 30s, the default", options: &[], target: Some(COST_MAX) };
    let (often, seldom) = (bench.pick((1_100, 1), (10_000, 5)), bench.pick((300, 1), (35_000, 3)));
    for (Way { how, options, target }, (milliseconds, rounds)) in [(every_second, often), (default, seldom)] {
        let length = Duration::from_millis(milliseconds);
        let kept: Vec<&OsStr> =
            ["--checkpoint".as_ref(), file.as_os_str()].into_iter().chain(options.iter().map(AsRef::as_ref)).collect();
        let (mut off, mut on) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            off.push(headless(&threads, length, &[])?);
            on.push(headless(&threads, length, &kept)?);
            // The next one is to begin afresh.
            fs::remove_file(&file).map_err(failed)?;
        }
        // Neighbours in time met the same machine.
        let cost = median(off.iter().zip(&on).map(|(off, on)| 100.0 * (1.0 - on.rate() / off.rate())));
        let what = format!("8x8 path x{threads}, kept");
        bench.add(row(format!("{what} not at all"), &off))?;
        let row = row(format!("{what} {how}"), &on).figure("cost_percent", cost);
        let met = |most| if cost <= most { "met" } else { "not met" };
        bench.add(row.remark(target.map_or(String::new(), |most| format!("target: {most} %: {}", met(most)))))?;
    }
    Ok(())
}
