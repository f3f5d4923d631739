//! Says why workers did not search: the rules, each with its threshold, its reason and its source.
//!
//! Every rule looks at one loss of worker time and names it when it is at least [`SHARE_MIN`] of the time of all workers.
//! The losses do not overlap, so the shares can be compared, and a run that loses less than that in all is healthy. Time
//! of a pause is no time of the run. A run that was stopped is judged up to its stop.
//!
//! # Source
//! The form, a name with a sentence that says what was seen and what to do, is that of the lints of tokio-console.

use super::gauge::{Balance, WaitTimes};
use crate::run::spent::{Spent, TimePart, TimeUse, Times};
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::table::table;
use crate::words::{number_of, of_cores, percent_tenths, share, short};
use serde::Serialize;
use std::time::Duration;

/// Share of the time of all workers from which a loss is named. Less is within the noise of a run on a machine that does
/// something else, too.
pub const SHARE_MIN: f64 = 0.05;
/// Seconds below which a run is too short to be judged: threads that start and end take milliseconds.
pub const SHORT_S: f64 = 0.1;
/// A hand-over is small if a hire gives fewer nodes than this many times the cost of a hand-over. A hire costs its hirer the
/// hand-over, and the hired worker about four times as much for waking up and looking for the next hirer
/// (`schedule/README.md`). So a hire that gives a hundred times the cost loses 5 %.
const SMALL: f64 = 100.0;
/// The same where a hand-over has the cost of both workers, as on the virtual clock.
const SMALL_OF_BOTH: f64 = 20.0;

table! {
    /// Why workers did not search.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum VerdictName(
        /// The name in a sentence; in JSON with `_` between words.
        words: &'static str
    ) {
        /// There are more workers with a branch than cores.
        Oversubscribed: "oversubscribed";
        /// The control group of the process had used up its CPU time.
        Quota: "quota";
        /// Other programs had the cores.
        OtherLoad: "other load";
        /// The work was dealt out unevenly, and cannot move.
        Uneven: "uneven";
        /// Workers waited for their first branch.
        RampUp: "ramp up";
        /// Workers waited at the end, because the last branches could not be shared.
        Tail: "tail";
        /// Hires gave so few nodes that handing over was most of the work.
        SmallHandovers: "small handovers";
        /// Workers waited long between two branches.
        WaitingHire: "waiting hire";
        /// Writing the tours took the time.
        SlowOutput: "slow output";
        /// The run is too short to be judged.
        SmallQuestion: "small question";
        /// Nothing of that.
        Healthy: "healthy";
    }
}

/// One reason why workers did not search.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Verdict {
    pub name: VerdictName,
    /// The share of the time of all workers that was lost so, 0..=1.
    pub share: f64,
    /// What happened.
    pub sentence: String,
    /// What to do.
    pub advice: String,
    /// The share in words, with what it is a part of.
    #[serde(skip)]
    pub part: String,
}

impl Verdict {
    /// All of it in a line: its share, the sentence and the advice.
    pub fn line(&self) -> String {
        format!("{}: {} {}", self.short(), self.sentence, self.advice).trim_end().to_owned()
    }

    /// Its name, its share and what that is of.
    fn short(&self) -> String {
        format!("{} {}", self.name.words(), self.part).trim_end().to_owned()
    }

    /// As much of it as fits into so many letters: with advice, the sentence, its name and share with what that is of, or
    /// without. A share that is not all of the part beside the bar is told with what it is of, or not at all.
    pub fn fitting(&self, room: usize) -> String {
        let Verdict { sentence, advice, part, .. } = self;
        let of = part.split_once(" (of ").filter(|(share, of)| !of.contains(&format!(" {share}")));
        let whole = of.map_or(sentence.clone(), |(_, of)| format!("{} (of {of}.", sentence.trim_end_matches('.')));
        let short = self.short();
        let shortest = if of.is_some() { self.name.words() } else { short.split(" (").next().unwrap_or_default() };
        let texts = [format!("{whole} {advice}").trim_end().to_owned(), whole, short.clone()];
        texts.into_iter().find(|text| text.chars().count() <= room).unwrap_or_else(|| shortest.to_owned())
    }
}

/// What the rules look at. Shares are of the time of all workers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunLosses {
    /// Seconds of the run, of a simulated run on the simulated machine.
    pub seconds: f64,
    /// Seconds in which it was watched: in slow motion more than those.
    pub watched: f64,
    /// Whether slow motion shows in the shares.
    pub slowed: bool,
    pub workers: usize,
    /// Cores that they may use, if that is known.
    pub cores: Option<usize>,
    /// The scheduler, if it is known.
    pub scheduler: Option<Scheduler>,
    /// The rule for handing over branches.
    pub hand_over_rule: HandOver,
    /// Where the time went.
    pub time: TimeUse,
    /// With a branch beyond the number of cores: the part of *no processor* that more workers than cores must lose.
    pub beyond_cores: f64,
    /// CPU time that the control group may use, in cores, if it has a quota.
    pub quota: Option<f64>,
    /// With the control group held back by its quota.
    pub held_back: f64,
    /// The part *waiting*, split as the seconds without a task are: these are shares.
    pub waits: WaitTimes,
    /// Mean seconds between two tasks.
    pub gap_s: f64,
    pub hires: u64,
    /// Mean nodes of a hire, when done.
    pub nodes_per_hire: Option<f64>,
    /// Time of a hand-over, in nodes: the CPU time of the giver, or on the virtual clock the time of both workers.
    pub hand_over_nodes: Option<f64>,
    /// Whether it is that of both.
    pub of_both: bool,
    /// The worker with most nodes, and its share of all nodes.
    pub busiest: (usize, f64),
    /// How much less CPU time workers searched, on average, than the one that did for longest: what they waited for its part,
    /// if each had a core.
    pub uneven: f64,
}

/// All verdicts, the largest share first; one that is `healthy` if there is no other.
pub fn verdicts(run: &RunLosses) -> Vec<Verdict> {
    if run.watched < SHORT_S {
        return small_question(run).into_iter().collect();
    }
    let rules = [oversubscribed, quota, other_load, uneven, ramp_up, tail, small_handovers, waiting_hire, slow_output];
    let mut found: Vec<Verdict> = rules.iter().filter_map(|rule| rule(run)).collect();
    found.retain(|verdict| verdict.share >= SHARE_MIN);
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    if found.is_empty() {
        found.extend(healthy(run));
    }
    if run.slowed {
        found.iter_mut().for_each(|verdict| SLOWED.clone_into(&mut verdict.advice));
    }
    found
}

/// What is said of a run in slow motion in place of an advice.
const SLOWED: &str = "What was in slow motion counts as if each worker had a processor: judge it at full speed.";

/// The advice where a tree has too few branches for its workers.
const FEWER: &str = "Use fewer threads, or ask a larger question.";

/// More workers with a branch than cores. Threads beyond the cores take turns, and each waits for its turn.
///
/// # Source
/// Intel VTune Profiler, Threading analysis: it tells the *preemption wait time* of a thread from the time in which the
/// thread waits for another one.
fn oversubscribed(run: &RunLosses) -> Option<Verdict> {
    let (share, cores) = (run.beyond_cores.min(run.time[TimePart::NoProcessor]), run.cores?);
    let (workers, on) = (number_of(run.workers, "worker"), number_of(cores, "core"));
    let advice = format!("Use --threads {cores}.");
    Some(run.loses(VerdictName::Oversubscribed, (share, TimePart::NoProcessor), &advice, |lost| {
        format!("{workers} on {on}: no core for {lost} of their time.")
    }))
}

/// A control group that had used up its CPU time: the system holds back its processes until the next period.
///
/// # Source
/// Linux, `Documentation/scheduler/sched-bwc.rst`: `throttled_time` and `throttled_usec` in `cpu.stat`.
fn quota(run: &RunLosses) -> Option<Verdict> {
    let (share, cores) = (run.lost_to_quota(), run.quota?);
    let all = run.seconds * run.workers as f64;
    let (who, sum) = match run.workers {
        1 => ("the worker was".to_owned(), ""),
        workers => (format!("{workers} workers were"), " in all"),
    };
    let (allows, held) = (of_cores(cores), share * all);
    let advice = "Raise the CPU limit of the group, the container or the job.";
    Some(run.loses(VerdictName::Quota, (share, TimePart::NoProcessor), advice, |_| {
        format!("Its control group allows {allows}: {who} held back for {held:.1} of {all:.1} s{sum}.")
    }))
}

/// Less CPU time than the cores could have given to the workers that had a branch, and no quota that held them back. The
/// rest went to other programs, or to other virtual machines on the same cores.
fn other_load(run: &RunLosses) -> Option<Verdict> {
    let rest = run.time[TimePart::NoProcessor] - run.beyond_cores - run.lost_to_quota();
    let (share, cores) = (rest.max(0.0), run.cores?);
    let fewer = cores.min(run.workers).saturating_sub(1).max(1);
    let advice = match run.workers {
        // With more workers than cores the first advice is to have as many.
        workers if workers == 1 || workers > cores => "End the other programs.".to_owned(),
        _ => format!("End the other programs, or use --threads {fewer}."),
    };
    Some(run.loses(VerdictName::OtherLoad, (share, TimePart::NoProcessor), &advice, |lost| {
        format!("Other programs took {lost} of the time of the workers.")
    }))
}

/// Idle time at the end under a scheduler that deals the work out once: the division was uneven.
///
/// # Source
/// Muddukrishna, Jonsson, Podobas, Brorsson, "Grain Graphs: OpenMP Performance Analysis Made Easy", PPoPP 2016: the metric
/// *load balance* of a parallel `for`.
fn uneven(run: &RunLosses) -> Option<Verdict> {
    let scheduler = run.scheduler.map_or("this scheduler", Scheduler::name);
    let (worker, share) = run.busiest;
    let (nodes, idle) = (percent_tenths(share), (run.waits.last + run.waits.never).min(run.uneven));
    let sentence = |_: &str| format!("Worker {worker} had {nodes} of the nodes: {scheduler} cannot move work.");
    let lost = (idle, TimePart::Waiting);
    run.is_dealt().then(|| run.loses(VerdictName::Uneven, lost, "Use --scheduler hire.", sentence))
}

/// Time before the first task of a worker. Workers that never had a task count here, unless the work was dealt out.
///
/// # Source
/// Grain Graphs (as in [`uneven`]): *instantaneous parallelism* below the number of cores.
fn ramp_up(run: &RunLosses) -> Option<Verdict> {
    let share = run.waits.first + if run.is_dealt() { 0.0 } else { run.waits.never };
    let never = match run.waits.never_number {
        0 => String::new(),
        never => format!(" {} never got one.", number_of(never, "worker")),
    };
    Some(run.loses(VerdictName::RampUp, (share, TimePart::Waiting), FEWER, |lost| {
        format!("Workers waited {lost} of their time for their first branch.{never}")
    }))
}

/// Time after the last task of a worker, under a scheduler that moves work: the last branches could not be shared.
///
/// # Source
/// Grain Graphs (as in [`uneven`]): *instantaneous parallelism* below the number of cores.
fn tail(run: &RunLosses) -> Option<Verdict> {
    let sentence = |lost: &str| format!("At the end workers waited {lost} of all time: too few branches were left.");
    let lost = (run.waits.last, TimePart::Waiting);
    (!run.is_dealt()).then(|| run.loses(VerdictName::Tail, lost, FEWER, sentence))
}

/// Hires that give less than [`SMALL`] times what a hand-over costs. The share is the time of the hand-overs and that of
/// waiting for them.
///
/// # Source
/// Grain Graphs (as in [`uneven`]): *parallel benefit*, the time of a task by the cost of making it.
fn small_handovers(run: &RunLosses) -> Option<Verdict> {
    let (given, cost) = (run.nodes_per_hire?, run.hand_over_nodes?);
    let sentence = format!("Hires give {} on average; a hand-over costs as much as {}.", nodes(given), count(cost));
    let advice = match run.hand_over_rule {
        HandOver::Next => "Use --hand-over shallowest.",
        HandOver::Shallowest => FEWER,
    };
    let share = run.time[TimePart::HandingOver] + run.waits.between;
    let part = format!("{} (handing over and waiting between branches)", percent_tenths(share));
    run.are_small().then(|| verdict(VerdictName::SmallHandovers, share, part, sentence, advice))
}

/// Time between two tasks, where hires give enough: a hirer answers late, or the hired worker wakes up late.
fn waiting_hire(run: &RunLosses) -> Option<Verdict> {
    let (mean, times) = (short(run.gap_s), number_of(run.waits.gaps, "time"));
    let sentence = |_: &str| format!("Between two branches a worker waited {mean} on average, {times}.");
    let advice = match run.hand_over_rule {
        HandOver::Next => "Use --hand-over shallowest, which needs fewer hires.",
        HandOver::Shallowest => "Use fewer threads.",
    };
    let (waited, lost) = (run.waits.gaps > 0 && !run.are_small(), (run.waits.between, TimePart::Waiting));
    waited.then(|| run.loses(VerdictName::WaitingHire, lost, advice, sentence))
}

/// Time of writing tours. Workers wait for a slow output, because no tour is dropped.
fn slow_output(run: &RunLosses) -> Option<Verdict> {
    let advice = "Write to a faster disk or reader, or leave --out away to count only.";
    Some(run.loses(VerdictName::SlowOutput, (run.time[TimePart::Writing], TimePart::Writing), advice, |lost| {
        format!("Workers wrote tours, or waited for the output, for {lost} of their time.")
    }))
}

/// A run below [`SHORT_S`]: mostly threads that start and end.
fn small_question(run: &RunLosses) -> Option<Verdict> {
    let lost = 1.0 - run.time[TimePart::Searching];
    let on = if run.of_both { " on the simulated machine" } else { "" };
    let sentence = format!("Workers ran for {}{on}, too little to judge how the work was shared.", short(run.seconds));
    let part = format!("({} not searching)", percent_tenths(lost));
    Some(verdict(VerdictName::SmallQuestion, lost, part, sentence, "Ask a larger question."))
}

/// No loss is large enough to be named; of a part of the time that is, no cause is.
fn healthy(run: &RunLosses) -> Option<Verdict> {
    let lost = TimePart::ALL.into_iter().filter(|part| *part != TimePart::Searching && run.time.tenths(*part) >= 50);
    let lost: Vec<String> = lost.map(|part| format!("{} {}", part.name(), run.time.percent(part))).collect();
    let of = if lost.is_empty() { "loss".to_owned() } else { format!("cause of {}", lost.join(" or of ")) };
    let searched = run.time.percent(TimePart::Searching);
    let sentence = format!("Workers searched for {searched} of their time, and no {of} reaches 5%.");
    Some(verdict(VerdictName::Healthy, 0.0, String::new(), sentence, "Change nothing."))
}

fn verdict(name: VerdictName, share: f64, part: String, sentence: String, advice: &str) -> Verdict {
    Verdict { name, share, sentence, advice: advice.to_owned(), part }
}

impl RunLosses {
    /// A loss of this share, which is a cause of a part of the time, with a sentence that may say the share.
    fn loses(
        &self,
        name: VerdictName,
        (share, of): (f64, TimePart),
        advice: &str,
        sentence: impl FnOnce(&str) -> String,
    ) -> Verdict {
        let all = self.time.percent(of);
        // All of a part is written as it is beside the bar.
        let lost = if (share - self.time[of]).abs() < 1e-9 { all.clone() } else { percent_tenths(share) };
        verdict(name, share, format!("{lost} (of {} {all})", of.name()), sentence(&lost), advice)
    }

    /// Whether the work was dealt out once, and no worker can give any of it away.
    pub(super) fn is_dealt(&self) -> bool {
        self.workers > 1 && self.scheduler.map_or(self.hires == 0, |scheduler| scheduler.deals)
    }

    /// The share that the quota took: at most the time without a core less that of more workers than cores.
    fn lost_to_quota(&self) -> f64 {
        self.held_back.min(self.time[TimePart::NoProcessor] - self.beyond_cores).max(0.0)
    }

    /// Whether hires give little beside what a hand-over costs.
    fn are_small(&self) -> bool {
        let sizes = self.nodes_per_hire.zip(self.hand_over_nodes);
        let small = if self.of_both { SMALL_OF_BOTH } else { SMALL };
        sizes.is_some_and(|(given, cost)| given < small * cost)
    }
}

fn nodes(number: f64) -> String {
    let noun = if number.round() == 1.0 { "node" } else { "nodes" };
    format!("{} {noun}", count(number))
}

/// A number of nodes, with a decimal if it is small.
fn count(number: f64) -> String {
    if number < 10.0 && number.fract() > 0.05 {
        format!("{number:.1}")
    } else {
        crate::words::count(number.round() as u64)
    }
}

impl Balance {
    /// Why workers did not search; empty where nothing was measured.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.losses().map(|losses| verdicts(&losses)).unwrap_or_default()
    }

    /// The losses so far; `None` if no time has passed.
    fn losses(&self) -> Option<RunLosses> {
        let (time, run) = (self.time()?, self.clock.between(self.began, self.seen.elapsed));
        let workers = &self.seen.workers;
        let (most, busiest) = workers.iter().map(|worker| worker.nodes).zip(0..).max()?;
        let mut losses = RunLosses {
            seconds: self.seconds(run),
            watched: self.seconds(self.watched),
            slowed: self.is_slowed(),
            workers: workers.len(),
            cores: self.cores(),
            scheduler: self.scheduler,
            hand_over_rule: self.seen.hand_over,
            time,
            beyond_cores: self.beyond_cores(),
            quota: self.seen.quota.map(|quota| quota.cores),
            held_back: self.held_back_s / (run.as_secs_f64() * workers.len() as f64).max(1e-9),
            hires: self.sum(|worker| worker.sharing.hires),
            nodes_per_hire: self.nodes_per_hire(),
            hand_over_nodes: self.hand_over_nodes(),
            of_both: self.seen.simulated.is_some(),
            busiest: (busiest, share(most, self.sum(|worker| worker.nodes))),
            uneven: self.uneven(),
            ..RunLosses::default()
        };
        self.add_waits(&mut losses);
        Some(losses)
    }

    /// By how much of the longest CPU time of a search the mean of all is shorter.
    fn uneven(&self) -> f64 {
        let times = || self.own.iter().map(|(times, _)| times.search.as_secs_f64());
        let (sum, most) = (times().sum::<f64>(), times().fold(0.0, f64::max));
        if most > 0.0 { 1.0 - sum / (most * self.own.len() as f64) } else { 0.0 }
    }

    /// Whether slow motion shows in the shares: there each worker counts as if it had a processor.
    pub fn is_slowed(&self) -> bool {
        let search = |of: fn(&Spent) -> f64| self.own.iter().map(|(_, spent)| of(spent)).sum::<f64>();
        // With many workers on few cores most of the searching is of that time, little as it may be.
        let of_search = search(|spent| spent.slow) / search(|spent| spent.search).max(1e-12);
        self.slow_share().max(of_search) > SHARE_MIN
    }

    /// The share of the run that was in slow motion.
    pub fn slow_share(&self) -> f64 {
        let run = self.clock.between(self.began, self.seen.elapsed);
        self.clock.slow_s(self.seen.elapsed) / run.as_secs_f64().max(1e-12)
    }

    /// Cores that the workers may use, if that is known.
    fn cores(&self) -> Option<usize> {
        self.seen.cores.filter(|&cores| cores > 0)
    }

    /// CPU time of a hand-over, in nodes; `None` before the first one.
    pub(super) fn hand_over_nodes(&self) -> Option<f64> {
        let (nodes, hires) = (self.sum(|worker| worker.nodes), self.sum(|worker| worker.sharing.hires));
        // Of processors, which slow motion does not change.
        let cpu = |of: fn(&Times) -> Duration| self.own.iter().map(|(times, _)| of(times).as_secs_f64()).sum::<f64>();
        let (search, hand_over) = (cpu(|times| times.search), cpu(|times| times.overhead.hand_over));
        (hires > 0 && search > 0.0).then(|| hand_over / search * nodes as f64 / hires as f64)
    }

    /// Share of the time of all workers in which they had a branch and no core was left for them.
    fn beyond_cores(&self) -> f64 {
        let Some(cores) = self.cores() else { return 0.0 };
        let at_work = self.at_work.shares(self.seen.elapsed, &self.clock);
        let beyond = at_work.iter().enumerate().map(|(workers, share)| workers.saturating_sub(cores) as f64 * share);
        beyond.sum::<f64>() / self.seen.workers.len().max(1) as f64
    }

    /// Splits the share *waiting*, which is that of the meters, as the gaps between tasks are split.
    fn add_waits(&self, losses: &mut RunLosses) {
        let mut waits = self.waits.times(&self.tasks, self.seen.elapsed, &self.clock);
        waits.between = (waits.between - self.own.iter().map(|(_, spent)| spent.save).sum::<f64>()).max(0.0);
        losses.gap_s = self.machine(waits.between) / waits.gaps.max(1) as f64;
        if (self.ended.is_none() || self.seen.stop.is_some()) && !losses.is_dealt() {
            // They might have been hired again.
            waits.between += std::mem::take(&mut waits.last);
        }
        let parts = [&mut waits.first, &mut waits.between, &mut waits.last, &mut waits.never];
        let sum = parts.iter().map(|part| **part).sum::<f64>();
        let scale = if sum > 0.0 { losses.time[TimePart::Waiting] / sum } else { 0.0 };
        parts.into_iter().for_each(|part| *part *= scale);
        losses.waits = waits;
    }
}
