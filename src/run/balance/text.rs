//! The text of a balance report.

use super::allowed::AllowedSpeedup;
use super::figures::BalanceFigures;
use super::own::{TIME_PARTS, TimeBar, bar_cells};
use super::words::{BalanceLine, Bar, seconds};
use crate::words::{self, grouped, percent};
use std::fmt;

/// Columns of the longest bar in a report.
const BAR: f64 = 40.0;
/// Bars of workers at most, and the columns of such a bar.
const TIME_BARS: usize = 32;
const TIME_BAR: usize = 50;
/// Columns of a verdict, without its indent.
const VERDICT_WIDTH: usize = 74;
/// Signs from no hires to most hires, for the matrix.
const SHADES: &[u8; 10] = b".:-=+*oO#@";

/// The text of a report, without a line end at its end.
impl fmt::Display for BalanceFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "balance  {} over {}", words::threads(self.workers), seconds(self.elapsed_s))?;
        self.write_verdicts(f)?;
        for BalanceLine { name, figure, meaning } in self.lines() {
            write!(f, "\n  {name:<11}  {figure:<15}  {meaning}")?;
        }
        self.write_time(f)?;
        self.write_at_work(f)?;
        self.write_span(f)?;
        titled(f, "what decided the end", self.deciding_lines())?;
        for note in &self.notes {
            write!(f, "\n  note: {note}")?;
        }
        self.write_histograms(f)?;
        self.write_matrix(f)
    }
}

/// Writes lines under a title, or nothing if there are none.
fn titled(f: &mut fmt::Formatter<'_>, title: &str, lines: impl IntoIterator<Item = String>) -> fmt::Result {
    for (place, line) in lines.into_iter().enumerate() {
        if place == 0 {
            write!(f, "\n  {title}")?;
        }
        write!(f, "\n    {}", line.trim_end())?;
    }
    Ok(())
}

fn told(BalanceLine { name, figure, meaning }: BalanceLine) -> String {
    format!("{name:<13}  {figure:<11}  {meaning}")
}

impl BalanceFigures {
    fn write_verdicts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for verdict in &self.verdicts {
            for (place, line) in words::wrapped(&verdict.told(), VERDICT_WIDTH).iter().enumerate() {
                write!(f, "\n  {}{line}", if place > 0 { "  " } else { "" })?;
            }
        }
        Ok(())
    }

    /// Writes where the time of the workers went, in all and of each.
    fn write_time(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        titled(
            f,
            "where the time of all workers went",
            self.time_lines().into_iter().chain(self.core_lines()).map(told),
        )?;
        let bars = self.time_bars(TIME_BARS);
        let signs = TIME_PARTS.iter().enumerate().filter(|(part, _)| bars.iter().any(|bar| bar.shares[*part] > 0.0));
        let legend: Vec<String> = signs.map(|(_, (name, sign))| format!("{sign} {name}")).collect();
        let line = |TimeBar { label, shares }: &TimeBar| {
            let cells = bar_cells(shares, TIME_BAR).into_iter().zip(TIME_PARTS);
            let bar: String = cells.map(|(cells, (_, sign))| sign.to_string().repeat(cells)).collect();
            format!("{label:>13}  {bar}")
        };
        titled(f, &format!("by worker: {}", legend.join("  ")), bars.iter().map(line))
    }

    fn write_at_work(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bar = |(label, share): (String, f64)| {
            format!("{label:>13}  {:>11}  {}", percent(share), "#".repeat((share * BAR).round() as usize))
        };
        titled(f, "workers at work, by share of the time", self.at_work_bars().into_iter().map(bar))
    }

    /// Writes work and span, and the speed-up that they allow.
    fn write_span(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        titled(f, "how many workers the hand-overs could keep at work", self.span_lines().into_iter().map(told))?;
        let line = |AllowedSpeedup { workers, least, most }: &AllowedSpeedup| {
            let reached = self.reached().filter(|_| *workers == self.workers);
            let reached = reached.map_or(String::new(), |reached| format!(", reached {}", words::rate(reached)));
            // Where the span may be longer, this would be too high.
            let least =
                if self.span_exact { format!("at least about {}, ", words::rate(*least)) } else { String::new() };
            format!("{workers:>13}  {least}at most {}{reached}", words::rate(*most))
        };
        titled(f, "speed-up that work and span allow, by workers", self.allowed().iter().map(line))
    }

    fn write_histograms(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, bars) in [("tasks by their nodes", self.node_bars()), ("hires by depth", self.depth_bars())] {
            let line = |Bar { label, count, share }: &Bar| {
                format!("{label:>13}  {:>11}  {}", grouped(*count), "#".repeat((share * BAR).ceil() as usize))
            };
            titled(f, title, bars.iter().map(line))?;
        }
        Ok(())
    }

    fn write_matrix(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(matrix) = &self.matrix else { return Ok(()) };
        let [none, signs @ ..] = SHADES;
        let [least, most] = [*none, signs[signs.len() - 1]].map(char::from);
        write!(f, "\n  {} ({least} none, {most} most)", matrix.title())?;
        if !matrix.whole {
            let helpers: Vec<String> = matrix.helpers.iter().map(usize::to_string).collect();
            write!(f, "\n    columns: {}", helpers.join(" "))?;
        }
        for (hirer, row) in matrix.hirers.iter().zip(&matrix.hires) {
            let sign = |&hires: &u64| matrix.heat(hires).map_or(*none, |heat| signs[step(heat, signs.len())]);
            let row: String = row.iter().map(|hires| char::from(sign(hires))).collect();
            write!(f, "\n    {hirer:>13}  {row}")?;
        }
        Ok(())
    }
}

/// The step, out of `steps`, of a share 0..=1.
fn step(share: f64, steps: usize) -> usize {
    ((share * steps as f64) as usize).min(steps - 1)
}
