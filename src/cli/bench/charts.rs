//! The charts of the groups that draw some: in the terminal, and in the files of a folder.

use super::report::Bench;
use crate::cli::chart::{self, Chart};
use crate::job::{Failure, usage};
use crate::saved;
use std::io::Write;
use std::path::Path;

/// Every chart.
const CHARTS: [&str; 3] = ["speedup-balanced", "speedup-unbalanced", "speedup-squares"];

/// Whether charts can be written into this folder, which is made if it is not there.
///
/// # Errors
/// [`Failure::Usage`] when one is there that is not to be replaced, or the folder takes no file.
pub fn can_go_to(folder: &Path, force: bool) -> Result<(), Failure> {
    let there = CHARTS.iter().flat_map(|name| ["svg", "csv"].map(|ending| folder.join(format!("{name}.{ending}"))));
    if let Some(file) = there.into_iter().find(|file| file.exists() && !force) {
        return Err(usage(format!("--charts: {} exists; add --force to replace it", file.display())));
    }
    let written = std::fs::create_dir_all(folder).and_then(|()| saved::create_part(folder, None));
    written.map(drop).map_err(|error| usage(format!("--charts {}: {error}", folder.display())))
}

/// Prints a chart, and writes its files if there is a folder for them.
///
/// # Errors
/// [`Failure`] when it cannot be printed or written.
pub fn draw(bench: &Bench, folder: Option<&Path>, name: &str, chart: &Chart) -> Result<(), Failure> {
    bench.say(&chart::text(chart))?;
    let Some(folder) = folder else { return Ok(()) };
    for (ending, body) in [("svg", chart::svg(chart)), ("csv", chart.csv())] {
        let file = folder.join(format!("{name}.{ending}"));
        let mut part = saved::create_part(folder, None)?;
        part.write_all(body.as_bytes())?;
        part.persist(&file).map_err(|error| error.error)?;
        bench.say(&format!("written: {}", file.display()))?;
    }
    Ok(())
}
