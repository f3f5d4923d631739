//! The balance of a run in words: each figure with a sentence of explanation, and the bars of histograms.

use super::chains::{AllowedSpeedup, allowed, crews_up_to};
use super::figures::{BalanceFigures, Deciding, GivenBranch, RunSpan, SwitchTotals, TimeBar, time_bars};
use super::gauge::Matrix;
use crate::run::spent::TimePart;
use crate::words::{self, grouped, percent};
use std::fmt;
use std::time::Duration;

/// Bars of numbers of workers at most, beside that of no worker.
const AT_WORK_BARS: usize = 16;
/// Hires of a chain at most that are told one by one.
const CHAIN_LINES: usize = 8;
/// Bars of depths at most.
const DEPTH_BARS: usize = 24;

/// A figure with its name and explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BalanceLine {
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
    pub count: u64,
    /// Length as a share of the longest bar, 0..=1.
    pub share: f64,
}

impl BalanceFigures {
    /// Every figure with its explanation.
    pub fn lines(&self) -> Vec<BalanceLine> {
        let line =
            |name, figure: Option<String>, meaning| BalanceLine { name, figure: figure.unwrap_or("-".into()), meaning };
        let span = |span: Option<RunSpan>| span.map(|span| format!("{} {}", percent(span.share), seconds(span.s)));
        let per_hire = self.nodes_per_hire.as_ref();
        let up_to = |[_, most]: [u64; 2]| words::count(most);
        vec![
            line(
                "most/mean",
                self.most_by_mean.map(|ratio| format!("{ratio:.2}")),
                "nodes of the busiest worker by the mean of all",
            ),
            line("tasks", Some(grouped(self.tasks)), "from getting a branch until running dry"),
            line("hires", Some(grouped(self.hires)), "branches handed over to a waiting worker"),
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
            line("ramp-up", span(self.ramp_up), "until every worker had had a branch"),
            line("tail", span(self.tail), "half of the workers dry for good until the end"),
        ]
    }

    /// Where the time of the workers went, each part with its explanation; empty if no time has passed.
    pub fn time_lines(&self) -> Vec<BalanceLine> {
        let Some(time) = self.time else { return Vec::new() };
        let all = self.elapsed_s * self.workers as f64;
        let line = |part: TimePart| match part {
            TimePart::HandingOver if self.hand_overs_unmeasured => BalanceLine {
                name: part.name(),
                figure: "-".to_owned(),
                meaning: "not measured: a part of searching and of waiting",
            },
            part => BalanceLine {
                name: part.name(),
                figure: match time[part] {
                    0.0 => percent(0.0),
                    share => format!("{} {}", percent(share), seconds(share * all)),
                },
                meaning: part.meaning(),
            },
        };
        TimePart::ALL.map(line).into()
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
                "the span and what its hand-overs cost, in nodes",
            ),
            line(
                "parallelism",
                self.parallelism
                    .map(|ratio| format!("{}{}", if self.span_exact { "" } else { "<= " }, words::rate(ratio))),
                match self.parallelism {
                    Some(ratio) if ratio > self.workers as f64 => "above the workers: their speeds were unequal",
                    _ => "work / span: workers that could be kept at work",
                },
            ),
        ]
    }

    /// How often the system took workers off their cores, and how fast they searched on them, with explanations.
    pub fn core_lines(&self) -> Vec<BalanceLine> {
        let line = |name, figure: String, meaning| BalanceLine { name, figure, meaning };
        let mut lines: Vec<BalanceLine> = self
            .nodes_per_cpu_s
            .map(|rate| line("nodes/CPU s", words::rate(rate), "nodes of all workers by their CPU seconds"))
            .into_iter()
            .collect();
        let Some(SwitchTotals { voluntary, forced, migrations }) = self.switches else { return lines };
        lines.push(line("slept", words::count(voluntary), "times a worker left its core by itself"));
        lines.push(line("lost core", words::count(forced), "times the system took the core from a worker"));
        let migrations = migrations.map_or("-".to_owned(), words::count);
        lines.push(line("migrations", migrations, "times a worker was moved to another core"));
        lines
    }

    /// The speed-up that work and span allow with up to as many workers as the run had.
    pub fn allowed(&self) -> Vec<AllowedSpeedup> {
        let spans = [self.span, self.burdened_span];
        crews_up_to(self.workers).into_iter().filter_map(|crew| allowed(self.work, spans, crew)).collect()
    }

    /// The number of workers that the time of searching alone would have kept busy: the speed-up of the run, if a node takes
    /// as long as on one thread.
    pub fn reached(&self) -> Option<f64> {
        self.time.map(|time| time[TimePart::Searching] * self.workers as f64)
    }

    /// The chain of hires that decided the end, a sentence each; of a long chain the first and last ones. Empty before the
    /// end.
    pub fn deciding_lines(&self) -> Vec<String> {
        let Some(Deciding { hires, worker, ended_s }) = &self.deciding else { return Vec::new() };
        let told = |&GivenBranch { at_s, by, worker, depth }: &GivenBranch| {
            format!("{}: {by} gave a branch at depth {depth} to {worker}", seconds(at_s))
        };
        let left_out = hires.len().saturating_sub(CHAIN_LINES);
        let mut lines: Vec<String> = hires.iter().map(told).collect();
        if left_out > 1 {
            let middle = CHAIN_LINES / 2..CHAIN_LINES / 2 + left_out;
            lines.splice(middle, [format!("and {left_out} more hires on the way")]);
        }
        let alone = if hires.is_empty() { ", which no other worker had hired," } else { "" };
        lines.push(format!("{}: {worker}{alone} was the last to end", seconds(*ended_s)));
        lines
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
        let times = if self.most > 1 { format!("; up to {} times", grouped(self.most)) } else { String::new() };
        format!("who hired whom: rows hire, columns are hired{whose}{times}")
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
pub(super) fn seconds(s: f64) -> String {
    match s {
        s if s < 0.001 => format!("{:.0} us", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => words::moment(Duration::try_from_secs_f64(s).unwrap_or_default()),
    }
}

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

/// The same with room for a share and a time.
fn told_wide(BalanceLine { name, figure, meaning }: BalanceLine) -> String {
    format!("{name:<13}  {figure:<14}  {meaning}")
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
            self.time_lines().into_iter().chain(self.core_lines()).map(told_wide),
        )?;
        let bars = time_bars(&self.by_worker, TIME_BARS);
        let signs = TimePart::ALL.into_iter().filter(|part| bars.iter().any(|bar| bar.time[*part] > 0.0));
        let legend: Vec<String> = signs.map(|part| format!("{} {}", part.sign(), part.name())).collect();
        let line = |TimeBar { label, time }: &TimeBar| {
            let cells = time.cells(TIME_BAR).into_iter().zip(TimePart::ALL);
            let bar: String = cells.map(|(cells, part)| part.sign().to_string().repeat(cells)).collect();
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
