//! The balance of a run in words: each figure with a sentence of explanation, the bars of histograms, and the text of a
//! report.

use super::figures::{BalanceFigures, RunSpan};
use super::pairs::Matrix;
use super::verdicts::Verdict;
use crate::words::{self, grouped, percent};
use std::fmt;
use std::time::Duration;

/// Columns of the longest bar in a report.
const BAR: f64 = 40.0;
/// Bars of numbers of workers at most, beside that of no worker.
const AT_WORK_BARS: usize = 16;
/// Columns of a verdict, without its indent.
const VERDICT_WIDTH: usize = 74;
/// Bars of depths at most.
const DEPTH_BARS: usize = 24;
/// Signs from no hires to most hires, for the matrix.
const SHADES: &[u8; 10] = b".:-=+*oO#@";

/// A figure with its name and explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceLine {
    /// Its name.
    pub name: &'static str,
    /// The figure, `-` if unknown.
    pub figure: String,
    /// Explanation: a sentence without its full stop.
    pub meaning: &'static str,
}

/// One bar of a histogram.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// The class.
    pub label: String,
    /// The count.
    pub count: u64,
    /// Length as a share of the longest bar, 0..=1.
    pub share: f64,
}

impl BalanceFigures {
    /// Every figure with its explanation.
    pub fn lines(&self) -> Vec<BalanceLine> {
        let line =
            |name, figure: Option<String>, meaning| BalanceLine { name, figure: figure.unwrap_or("-".into()), meaning };
        let spent = |share: Option<f64>, s| share.map(|share| format!("{} {}", percent(share), seconds(s)));
        let span = |span: Option<RunSpan>| span.map(|span| format!("{} {}", percent(span.share), seconds(span.s)));
        let per_hire = self.nodes_per_hire.as_ref();
        let up_to = |[_, most]: [u64; 2]| words::count(most);
        vec![
            line("efficiency", self.efficiency.map(percent), "CPU time of all workers / (workers x time)"),
            line("idle", spent(self.idle, self.idle_s), "time of all workers without work, likewise"),
            line(
                "descheduled",
                spent(self.descheduled, self.descheduled_s),
                "with work, but the system ran something else",
            ),
            line(
                "most/mean",
                self.most_by_mean.map(|ratio| format!("{ratio:.2}")),
                "nodes of the busiest worker by the mean of all",
            ),
            line("tasks", Some(grouped(self.tasks)), "from getting a branch until running dry"),
            line("hires", Some(grouped(self.hires)), "branches handed over to an idle worker"),
            line(
                "handed over",
                per_hire.map(|nodes| words::rate(nodes.mean)),
                "mean nodes, when done, less what they gave on",
            ),
            line("median", per_hire.map(|nodes| classes(nodes.median)), "half of them had no more than that"),
            line(
                "tenths",
                per_hire.map(|nodes| format!("{}, {}", up_to(nodes.tenth), up_to(nodes.ninety))),
                "a tenth had at most this, nine tenths that",
            ),
            line("ramp-up", span(self.ramp_up), "until every worker had had work"),
            line("tail", span(self.tail), "half of the workers dry for good until the end"),
        ]
    }

    /// Where the time of the workers went, each part with its explanation; empty if no time has passed.
    pub fn time_lines(&self) -> Vec<BalanceLine> {
        let Some(time) = self.time else { return Vec::new() };
        let line = |name, share: f64, meaning| BalanceLine { name, figure: percent(share), meaning };
        vec![
            line("work", time.work, "searching on a processor"),
            line("hand-over", time.hand_over, "giving a branch to another worker"),
            line("wait", time.wait, "without a branch, until hired"),
            line("no CPU", time.no_cpu, "with a branch, but the system ran something else"),
            line("paused", time.paused, "the run was paused or slowed"),
            line("save", time.save, "waiting while the run was saved"),
            line("write", time.write, "writing tours, or waiting for the output"),
        ]
    }

    /// How many workers the run could have kept at work, with explanations.
    pub fn span_lines(&self) -> Vec<BalanceLine> {
        let line =
            |name, figure: Option<String>, meaning| BalanceLine { name, figure: figure.unwrap_or("-".into()), meaning };
        let least = |nodes: u64| format!("{}{}", if self.span_exact { "" } else { ">= " }, words::count(nodes));
        let known = self.span > 0;
        vec![
            line("work", Some(words::count(self.work)), "nodes of all workers"),
            line("span", known.then(|| least(self.span)), "nodes on the longest chain of hand-overs"),
            line(
                "burdened",
                known.then(|| least(self.burdened_span)),
                "the span with the cost of its hand-overs, in nodes",
            ),
            line(
                "parallelism",
                self.parallelism
                    .map(|ratio| format!("{}{}", if self.span_exact { "" } else { "<= " }, words::rate(ratio))),
                "work / span: workers these hand-overs keep at work",
            ),
        ]
    }

    /// Shares of the time by the number of workers at work; several numbers per bar if there are many workers.
    pub fn at_work_bars(&self) -> Vec<(String, f64)> {
        let Some((none, some)) = self.at_work.split_first() else { return Vec::new() };
        let each = some.len().div_ceil(AT_WORK_BARS);
        let bar = |(place, shares): (usize, &[f64])| {
            let from = (place * each + 1) as u64;
            (classes([from, from + shares.len() as u64 - 1]), shares.iter().sum())
        };
        std::iter::once(("0".to_owned(), *none)).chain(some.chunks(each.max(1)).enumerate().map(bar)).collect()
    }

    /// Tasks by their nodes.
    pub fn node_bars(&self) -> Vec<Bar> {
        bars(self.tasks_by_nodes.classes().map(|(bounds, count)| (classes(bounds), count)).collect())
    }

    /// Hires by the depth of the branch, from the shallowest on; several depths per bar if there are many.
    pub fn depth_bars(&self) -> Vec<Bar> {
        let first = self.hires_by_depth.iter().position(|&hires| hires > 0).unwrap_or(0);
        let depths = &self.hires_by_depth[first..];
        let each = depths.len().div_ceil(DEPTH_BARS).max(1);
        let bar = |(place, hires): (usize, &[u64])| {
            let from = (first + place * each) as u64;
            (classes([from, from + hires.len() as u64 - 1]), hires.iter().sum())
        };
        bars(depths.chunks(each).enumerate().map(bar).collect())
    }
}

impl Matrix {
    /// The title of the matrix, with how to read it.
    pub fn title(&self) -> String {
        let whose = if self.whole { "" } else { ", of those with most" };
        format!("who hired whom: rows hire, columns are hired{whose}; up to {} times", grouped(self.most))
    }

    /// The heat of a figure, 0..=1; `None` for 0.
    pub fn heat(&self, hires: u64) -> Option<f64> {
        (hires > 0).then(|| hires as f64 / self.most as f64)
    }
}

/// The bounds of a class as text.
fn classes([least, most]: [u64; 2]) -> String {
    if least == most { words::count(least) } else { format!("{}..{}", words::count(least), words::count(most)) }
}

fn bars(counts: Vec<(String, u64)>) -> Vec<Bar> {
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    counts.into_iter().map(|(label, count)| Bar { label, count, share: words::share(count, most) }).collect()
}

/// Seconds with as many digits as short ones need.
fn seconds(s: f64) -> String {
    match s {
        s if s < 0.001 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => words::moment(Duration::try_from_secs_f64(s).unwrap_or_default()),
    }
}

/// The text of a report, without a line end at its end.
impl fmt::Display for BalanceFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "balance  {} over {}", words::threads(self.workers), seconds(self.elapsed_s))?;
        for Verdict { name, share, sentence, advice } in &self.verdicts {
            let share = if *share > 0.0 { format!(" {}", percent(*share)) } else { String::new() };
            let text = format!("{}{share}: {sentence} {advice}", name.name());
            for (place, line) in words::wrapped(&text, VERDICT_WIDTH).iter().enumerate() {
                write!(f, "\n  {}{line}", if place > 0 { "  " } else { "" })?;
            }
        }
        for BalanceLine { name, figure, meaning } in self.lines() {
            write!(f, "\n  {name:<11}  {figure:<15}  {meaning}")?;
        }
        self.write_time(f)?;
        write!(f, "\n  how many workers the hand-overs could keep at work")?;
        for BalanceLine { name, figure, meaning } in self.span_lines() {
            write!(f, "\n    {name:<11}  {figure:<11}  {meaning}")?;
        }
        for note in &self.notes {
            write!(f, "\n  note: {note}")?;
        }
        for (title, bars) in [("tasks by their nodes", self.node_bars()), ("hires by depth", self.depth_bars())] {
            if bars.is_empty() {
                continue;
            }
            write!(f, "\n  {title}")?;
            for Bar { label, count, share } in bars {
                let bar = "#".repeat((share * BAR).ceil() as usize);
                write!(f, "\n    {label:>13}  {:>11}  {bar}", grouped(count))?;
            }
        }
        if let Some(matrix) = &self.matrix {
            let [none, signs @ ..] = SHADES;
            write!(
                f,
                "\n  {} ({} none, {} most)",
                matrix.title(),
                char::from(*none),
                char::from(signs[signs.len() - 1])
            )?;
            if !matrix.whole {
                let helpers: Vec<String> = matrix.helpers.iter().map(usize::to_string).collect();
                write!(f, "\n    columns: {}", helpers.join(" "))?;
            }
            for (hirer, row) in matrix.hirers.iter().zip(&matrix.hires) {
                let sign = |&hires: &u64| matrix.heat(hires).map_or(*none, |heat| signs[step(heat, signs.len())]);
                let row: String = row.iter().map(|hires| char::from(sign(hires))).collect();
                write!(f, "\n    {hirer:>13}  {row}")?;
            }
        }
        Ok(())
    }
}

impl BalanceFigures {
    /// Writes where the time of the workers went, and how many were at work.
    fn write_time(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, BalanceLine { name, figure, meaning }) in self.time_lines().into_iter().enumerate() {
            if place == 0 {
                write!(f, "\n  where the time of all workers went")?;
            }
            write!(f, "\n    {name:<11}  {figure:<13}  {meaning}")?;
        }
        for (place, (label, share)) in self.at_work_bars().into_iter().enumerate() {
            if place == 0 {
                write!(f, "\n  workers at work, by share of the time")?;
            }
            let bar = "#".repeat((share * BAR).round() as usize);
            write!(f, "\n    {label:>13}  {:>11}  {bar}", percent(share))?;
        }
        Ok(())
    }
}

/// The step, out of `steps`, of a share 0..=1.
fn step(share: f64, steps: usize) -> usize {
    ((share * steps as f64) as usize).min(steps - 1)
}
