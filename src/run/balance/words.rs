//! The balance of a run in words: each figure with a sentence of explanation, and the bars of histograms.

use super::chains::{AllowedSpeedup, DecidingHire, LastTask, allowed, crews_up_to};
use super::figures::{BalanceFigures, PerHire, RunSpan, SwitchTotals, time_bars};
use super::groups::GroupUse;
use super::waits::WaitFigures;
use crate::run::spent::{TimePart, TimeUse};
use crate::words::{self, grouped, percent, percent_tenths};
use std::fmt;
use std::iter::Sum;
use std::time::Duration;

/// Bars of numbers of workers at most, beside that of no worker.
const AT_WORK_BARS: usize = 16;
/// Least share of the time that is not printed as 0.0%.
const AT_WORK_MIN: f64 = 0.0005;
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

impl BalanceLine {
    pub(super) fn new(name: &'static str, figure: impl Into<Option<String>>, meaning: &'static str) -> BalanceLine {
        BalanceLine { name, figure: figure.into().unwrap_or("-".to_owned()), meaning }
    }

    /// The line in columns of these widths.
    fn columns(&self, [name, figure]: [usize; 2]) -> String {
        format!("{:<name$}  {:<figure$}  {}", self.name, self.figure, self.meaning)
    }
}

impl BalanceFigures {
    /// Every figure with its explanation.
    pub fn lines(&self) -> Vec<BalanceLine> {
        let line = BalanceLine::new;
        let span = |span: Option<RunSpan>| span.map(|span| format!("{} {}", percent(span.share), seconds(span.s)));
        let of_hires = |text: fn(&PerHire) -> String| self.nodes_per_hire.as_ref().map(text);
        let most = self.most_by_mean.map(|ratio| format!("{ratio:.2}"));
        let mean = of_hires(|nodes| words::rate(nodes.mean));
        let median = of_hires(|nodes| classes(nodes.median));
        let tenths = of_hires(|nodes| [nodes.tenth[1], nodes.ninety[1]].map(words::count).join(", "));
        vec![
            line("most/mean", most, "nodes of the busiest worker by the mean of all"),
            line("tasks", Some(grouped(self.tasks)), "ended: from getting a branch until running dry"),
            line("hires", Some(grouped(self.hires)), "branches handed over to a waiting worker"),
            line("handed over", mean, "mean nodes, when done, less what they gave on"),
            line("median", median, "half of them had no more than that"),
            line("tenths", tenths, "a tenth had at most this, nine tenths that"),
            line("ramp-up", span(self.ramp_up), "until every worker had had a branch"),
            line("tail", span(self.tail), "half of the workers dry for good until the end"),
        ]
    }

    /// Where the time of the workers went, each part with its explanation; empty if no time has passed.
    pub fn time_lines(&self) -> Vec<BalanceLine> {
        let Some(time) = self.time else { return Vec::new() };
        let all = self.elapsed_s * self.workers as f64;
        let line = |part: TimePart| match (part, time[part]) {
            (TimePart::HandingOver, _) if self.hand_overs_unmeasured => {
                BalanceLine::new(part.name(), None, "not measured: a part of searching and of waiting")
            }
            (_, 0.0) => BalanceLine::new(part.name(), percent(0.0), part.meaning()),
            (_, share) => {
                let is_held = self.slowed && part == TimePart::Searching;
                let meaning = if is_held { "on a processor, or held by slow motion" } else { part.meaning() };
                BalanceLine::new(part.name(), format!("{} {}", time.percent(part), seconds(share * all)), meaning)
            }
        };
        TimePart::ALL.map(line).into()
    }

    /// How long workers waited until they were hired, with explanations; empty where none did.
    pub fn wait_lines(&self) -> Vec<BalanceLine> {
        self.waits.iter().flat_map(WaitFigures::lines).collect()
    }

    /// How many workers the run could have kept at work, with explanations.
    pub fn span_lines(&self) -> Vec<BalanceLine> {
        let line = BalanceLine::new;
        let [at_least, at_most] = if self.span_exact { [""; 2] } else { [">= ", "<= "] };
        let nodes = |nodes| (self.span > 0).then(|| format!("{at_least}{}", words::count(nodes)));
        let parallelism = self.parallelism.map(|ratio| format!("{at_most}{}", words::rate(ratio)));
        let is_above = self.parallelism.is_some_and(|ratio| ratio > self.workers as f64);
        let meaning = match (is_above, self.simulated) {
            (true, _) if !self.span_exact => "above the workers: chains are not all known",
            (true, true) => "above the workers: the longest chain waited most",
            (true, false) => "above the workers: unequal speeds or processors",
            (false, _) => "work / span: workers that could be kept busy",
        };
        vec![
            line("work", Some(words::count(self.work)), "nodes of all workers"),
            line("span", nodes(self.span), "nodes on the longest chain of hand-overs"),
            line("burdened", nodes(self.burdened_span), "the span and what its hand-overs cost, in nodes"),
            line("parallelism", parallelism, meaning),
        ]
    }

    /// How often the system took workers off their cores, and how fast they searched on them, with explanations.
    pub fn core_lines(&self) -> Vec<BalanceLine> {
        let line = BalanceLine::new;
        let speed = |rate| line("nodes/CPU s", Some(words::rate(rate)), "nodes of all workers by their CPU seconds");
        let mut lines: Vec<BalanceLine> = self.nodes_per_cpu_s.map(speed).into_iter().collect();
        if let Some(SwitchTotals { voluntary, forced, migrations }) = self.switches {
            let [slept, lost] = [voluntary, forced].map(|times| Some(words::count(times)));
            lines.push(line("slept", slept, "times a worker left its core by itself"));
            lines.push(line("lost core", lost, "times the system took the core from a worker"));
            lines.push(line("migrations", migrations.map(words::count), "times a worker was moved to another core"));
        }
        lines
    }

    /// The speed-up that work and span allow with up to four times as many workers as the run had. Where chains are not all
    /// known it may be less: then a number that it does not limit says nothing.
    pub fn allowed(&self) -> Vec<AllowedSpeedup> {
        let spans = [self.span, self.burdened_span];
        let crews = crews_up_to(self.workers).into_iter().chain([2 * self.workers, 4 * self.workers]);
        let bars = crews.filter_map(|crew| allowed(self.work, spans, crew));
        bars.filter(|bar| self.span_exact || bar.most < bar.workers as f64).collect()
    }

    /// The number of workers that the time of searching alone would have kept busy: the speed-up of the run, if a node takes
    /// as long as on one thread. Slow motion has none.
    pub fn reached(&self) -> Option<f64> {
        self.time.filter(|_| !self.slowed).map(|time| time[TimePart::Searching] * self.workers as f64)
    }

    /// The chain of hires that decided the end, a sentence each; of a long chain the first and last ones. Empty before the
    /// end.
    pub fn deciding_lines(&self) -> Vec<String> {
        let Some(LastTask { hires, worker, to, .. }) = &self.deciding else { return Vec::new() };
        let told = |&DecidingHire { at, by, worker, depth }: &DecidingHire<f64>| {
            format!("{}: {by} gave {worker} a branch at depth {depth}", seconds(at))
        };
        let left_out = hires.len().saturating_sub(CHAIN_LINES);
        let mut lines: Vec<String> = hires.iter().map(told).collect();
        if left_out > 1 {
            let middle = CHAIN_LINES / 2..CHAIN_LINES / 2 + left_out;
            lines.splice(middle, [format!("and {left_out} more hires on the way")]);
        }
        let alone = if hires.is_empty() { ", which no other worker had hired," } else { "" };
        lines.push(format!("{}: {worker}{alone} was the last to end", seconds(*to)));
        lines
    }

    /// Shares of the time by the number of workers at work, without those that round to nothing; several numbers per bar if there are
    /// many workers.
    pub fn at_work_bars(&self) -> Vec<(String, f64)> {
        let Some((none, some)) = self.at_work.split_first() else { return Vec::new() };
        let all = std::iter::once(("0".to_owned(), *none)).chain(in_groups(some, 1, AT_WORK_BARS));
        all.filter(|(_, share)| *share >= AT_WORK_MIN).collect()
    }

    /// Tasks by their nodes.
    pub fn node_bars(&self) -> Vec<Bar> {
        bars(self.tasks_by_nodes.classes().map(|(bounds, count)| (classes(bounds), count)).collect())
    }

    /// Hires by the depth of the branch, from the shallowest on; several depths per bar if there are many.
    pub fn depth_bars(&self) -> Vec<Bar> {
        let first = self.hires_by_depth.iter().position(|&hires| hires > 0).unwrap_or(0);
        bars(in_groups(&self.hires_by_depth[first..], first, DEPTH_BARS).collect())
    }
}

/// The sums of neighbouring figures, at most so many, each with the numbers of its figures; the first one has number `from`.
fn in_groups<'a, T: Sum<&'a T>>(all: &'a [T], from: usize, most: usize) -> impl Iterator<Item = (String, T)> {
    let each = all.len().div_ceil(most).max(1);
    let group = |(first, group): (usize, &'a [T])| {
        (classes([first, first + group.len() - 1].map(|number| number as u64)), group.iter().sum())
    };
    (from..).step_by(each).zip(all.chunks(each)).map(group)
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
        s if s < 1.0 => words::short(s),
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
        let since = self.since_s.map_or(String::new(), |since_s| format!(", since {}", seconds(since_s)));
        write!(f, "balance  {} over {}{since}", words::threads(self.workers), seconds(self.elapsed_s))?;
        self.write_verdicts(f)?;
        for line in self.lines() {
            write!(f, "\n  {}", line.columns([11, 15]))?;
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

impl BalanceFigures {
    fn write_verdicts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for verdict in &self.verdicts {
            for (place, line) in words::wrapped(&verdict.line(), VERDICT_WIDTH).iter().enumerate() {
                write!(f, "\n  {}{line}", if place > 0 { "  " } else { "" })?;
            }
        }
        Ok(())
    }

    /// Writes where the time of the workers went, in all and of each.
    fn write_time(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [self.time_lines(), self.core_lines()].concat();
        titled(f, "where the time of all workers went", lines.iter().map(|line| line.columns([13, 14])))?;
        let waits = self.wait_lines();
        titled(f, "how long workers waited until they were hired", waits.iter().map(|line| line.columns([13, 14])))?;
        titled(f, "groups of CPUs, by where each worker was last seen", self.groups.iter().map(GroupUse::line))?;
        let bars = time_bars(&self.by_worker, TIME_BARS);
        let signs = TimePart::ALL.into_iter().filter(|part| bars.iter().any(|(_, time)| time[*part] > 0.0));
        let legend: Vec<String> = signs.map(|part| format!("{} {}", part.sign(), part.name())).collect();
        let line = |(label, time): &(String, TimeUse)| {
            let cells = time.bar(TIME_BAR).into_iter().zip(TimePart::ALL);
            let bar: String = cells.map(|(cells, part)| part.sign().to_string().repeat(cells)).collect();
            format!("{label:>13}  {bar}")
        };
        titled(f, &format!("by worker: {}", legend.join("  ")), bars.iter().map(line))
    }

    fn write_at_work(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bar = |(label, share): (String, f64)| {
            format!("{label:>13}  {:>11}  {}", percent_tenths(share), "#".repeat((share * BAR).round() as usize))
        };
        titled(f, "workers with a branch, by share of the time", self.at_work_bars().into_iter().map(bar))
    }

    /// Writes work and span, and the speed-up that they allow.
    fn write_span(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.span_lines().into_iter().map(|line| line.columns([13, 11]));
        titled(f, "how many workers the hand-overs could keep at work", lines)?;
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
            let step = |heat: f64| ((heat * signs.len() as f64) as usize).min(signs.len() - 1);
            let sign = |&hires: &u64| matrix.heat(hires).map_or(*none, |heat| signs[step(heat)]);
            let row: String = row.iter().map(|hires| char::from(sign(hires))).collect();
            write!(f, "\n    {hirer:>13}  {row}")?;
        }
        Ok(())
    }
}
