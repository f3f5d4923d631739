//! The report of a search.

use crate::job::{Report, keys, object};
use crate::ranged::Ranged;
use crate::run::Plan;
use crate::run::balance::BalanceFigures;
use crate::schedule::{Forecast, Levels, Rate, RunOutcome, SharingCounts, StopReason};
use crate::words::{self, grouped};

/// The report of a run of `plan`. `balance` is there if it was asked for; `parts` is the number of parts that were put
/// together. A run whose time is that of its watching is not timed: nothing is said of a speed, of waiting and of the time left.
pub fn search_report(plan: &Plan, outcome: &RunOutcome, balance: Option<BalanceFigures>, parts: Option<u32>) -> Report {
    let (question, total) = (&plan.question, outcome.total());
    let mut report = Report::default();
    tell_question(&mut report, plan, outcome, parts);
    tell_nodes(&mut report, plan, outcome);
    report.key("elapsed_s", outcome.elapsed.as_secs_f64());
    // The balance says it of a sum of parts that are rounded together.
    tell_sharing(&mut report, outcome, outcome.is_timed() && balance.is_none());
    keys!(report, "shard"? => plan.shard, "parts"? => parts, outcome.events_lost, outcome.complete());
    report.key("stopped", outcome.stopped.map(StopReason::name));
    let reason = if outcome.complete() && total.tours == 0 { question.impossible() } else { None };
    report.line_if("none", reason.as_ref());
    tell_progress(&mut report, outcome);
    report.key_if("reason", reason);
    report.text(match outcome.stopped.map(StopReason::name) {
        None => "complete".to_owned(),
        // The user asked for this end.
        Some(reason @ ("limit" | "deadline")) => {
            format!("NOT complete: stopped by --{reason}, which is no failure: exit code 0")
        }
        Some(reason) => format!("NOT complete: stopped by {reason}"),
    });
    report.lines_if("balance", balance);
    report
}

/// What was asked, and who searched.
fn tell_question(report: &mut Report, plan: &Plan, outcome: &RunOutcome, parts: Option<u32>) {
    let (question, workers) = (&plan.question, outcome.workers.len());
    let (board, ending, solver) = (question.board(), question.ending().name(), question.method());
    let part = plan.shard.map_or(String::new(), |shard| format!("part {shard} alone, "));
    let (scheduler, hand_over) = (plan.scheduler.name(), plan.hand_over.name());
    let rule = if plan.scheduler.has_rules { format!(" ({hand_over})") } else { String::new() };
    let crew = match parts {
        Some(parts) => words::number_of(parts, "part"),
        None => match &outcome.crews[..] {
            [earlier @ .., last] => {
                earlier.iter().map(|crew| format!("{crew}, then ")).collect::<String>() + &words::threads(*last)
            }
            [] => words::threads(workers),
        },
    };
    let shape = question.shape();
    report.text(format_args!("{} {ending} tours by {solver}, {part}{scheduler}{rule}, {crew}", shape.short()));
    keys!(report, board, "holes"? => shape.has_holes().then(|| shape.hole_names()), ending, solver, scheduler, hand_over, "threads" => workers, "crews"? => (!outcome.crews.is_empty()).then(|| outcome.crews.clone()));
}

/// Tours, nodes and cuts, in all and by depth.
fn tell_nodes(report: &mut Report, plan: &Plan, outcome: &RunOutcome) {
    let (question, total, elapsed_s) = (&plan.question, outcome.total(), outcome.elapsed.as_secs_f64());
    let of_paths = if question.restricted() { ", of four paths rotated by quarter turns only" } else { "" };
    let tours = words::by_convention(total.tours, question.convention());
    report.fact("tours", total.tours, "tours", format_args!("{tours}{of_paths}"));
    keys!(report, question.convention(), "restricted"? => question.restricted().then_some(true));
    let rate = match total.nodes as f64 / elapsed_s.max(1e-9) {
        _ if !outcome.is_timed() => "as it was watched".to_owned(),
        few if few < 1e5 => format!("{} a second", grouped(few as u64)),
        many => format!("{:.1} million a second", many / 1e6),
    };
    let nodes = grouped(total.nodes);
    report.fact("nodes", total.nodes, "nodes", format_args!("{nodes} in {elapsed_s:.3} s, {rate}"));
    if total.tours > total.nodes {
        report.line("images", "a node stands for its images under symmetry: fewer nodes than tours");
    }
    report.key("pruned", total.pruned);
    report.line_if("pruned", (total.pruned > 0).then(|| grouped(total.pruned)));
    // A run that was not asked for them may have counted a sample, or nothing: they are exact where they add up.
    let exact = question.levels() == Levels::Exact && total.nodes_by_depth.iter().sum::<u64>() == total.nodes;
    let by_depth = |counts: &[u64]| exact.then(|| counts[..=question.shape().squares() as usize].to_vec());
    let [pruned_by_depth, nodes_by_depth] = [&total.pruned_by_depth, &total.nodes_by_depth].map(|by| by_depth(by));
    keys!(report, pruned_by_depth, nodes_by_depth);
}

/// How the workers shared the work.
fn tell_sharing(report: &mut Report, outcome: &RunOutcome, is_timed: bool) {
    let SharingCounts { hires, donations, .. } = outcome.sharing();
    keys!(report, hires, donations);
    if outcome.workers.len() > 1 {
        let all: f64 = outcome.workers.iter().map(|worker| (worker.busy + worker.idle).as_secs_f64()).sum();
        let waits = outcome.workers.iter().map(|worker| worker.idle.saturating_sub(worker.save).as_secs_f64());
        let share = words::percent_tenths(waits.sum::<f64>() / all.max(1e-9));
        let waiting = if is_timed { format!(", waiting {share}") } else { String::new() };
        let [hires, donations] = [(hires, "hire"), (donations, "donation")].map(|(n, noun)| words::number_of(n, noun));
        report.line("sharing", format_args!("{hires}, {donations}{waiting}"));
    }
    let workers = outcome.workers.iter().map(|worker| {
        let [busy_s, idle_s, save_s] = [worker.busy, worker.idle, worker.save].map(|time| time.as_secs_f64());
        let SharingCounts { hires, donations } = worker.sharing;
        // Switches are how often it lost its core: none where the system does not tell it, or the run was short, resumed, read
        // from a file or put together from parts.
        object!(worker.tally.nodes, worker.tally.tours, busy_s, idle_s, save_s, hires, donations, worker.switches)
    });
    report.key("workers", workers.collect::<Vec<Report>>());
}

/// How far a run was that was stopped, if that is known; its limit and its deadline are not the tree's.
fn tell_progress(report: &mut Report, outcome: &RunOutcome) {
    let Some(progress) = outcome.progress().filter(|_| !outcome.complete()) else { return };
    let rate = Rate::mean(progress.nodes, progress.tours, outcome.elapsed);
    let three = |ranged: Ranged| [ranged.mean, ranged.low, ranged.high];
    let left = progress.left(&Forecast::default(), outcome.elapsed, rate).filter(|_| outcome.is_timed());
    let done = words::reported_share(progress.done());
    let tours = progress.all_tours.map_or(String::new(), |tours| format!(" and {} tours", words::ranged(tours)));
    let spans =
        left.map_or(String::new(), |(low, high)| format!(", left {} at the mean speed", words::spans(low, high)));
    let nodes = words::estimate(progress.tree.mean, progress.nodes);
    // Of the whole tree: the likely number, and hardly less or more than.
    let (tree_nodes, tree_tours) = (three(progress.tree), progress.all_tours.map(three));
    // Seconds that the rest would take at the same rate, at least and at most.
    let left_s = left.map(|(low, high)| [low, high]);
    // Done is a share of the nodes of the whole tree.
    let object = object!(progress.done(), tree_nodes, tree_tours, left_s);
    report.fact("progress", object, "progress", format_args!("{done} done, tree {nodes} nodes{tours}{spans}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Ending, Shape};
    use crate::run::Question;
    use crate::schedule::Totals;
    use crate::search::Tally;
    use crate::solve::{Problem, default_solver};
    use std::time::Duration;

    /// A run that was slowed down, or has just begun.
    #[test]
    fn a_rate_far_below_a_million_is_told_in_nodes() {
        let problem = Problem::new(Board::new(8, 8).unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(default_solver(Ending::Closed), problem), 1);
        let rate = |nodes| {
            let worker = Totals { tally: Tally { nodes, ..Tally::default() }, ..Totals::default() };
            let outcome =
                RunOutcome { workers: vec![worker], elapsed: Duration::from_secs(10), ..RunOutcome::default() };
            let report = search_report(&plan, &outcome, None, None).to_string();
            report.lines().find(|line| line.starts_with("nodes")).map(str::to_owned)
        };
        assert_eq!(rate(123_456).as_deref(), Some("nodes    123,456 in 10.000 s, 12,345 a second"));
        assert_eq!(rate(3).as_deref(), Some("nodes    3 in 10.000 s, 0 a second"));
        assert_eq!(rate(12_000_000).as_deref(), Some("nodes    12,000,000 in 10.000 s, 1.2 million a second"));
    }

    #[test]
    fn waiting_is_a_share_of_the_time_of_all_workers() {
        let seconds = Duration::from_secs;
        let worker = |hires, donations, busy| Totals {
            sharing: SharingCounts { hires, donations },
            busy: seconds(busy),
            idle: seconds(8 - busy),
            // No save is a wait.
            save: seconds((8 - busy) / 2),
            ..Totals::default()
        };
        let workers = vec![worker(3, 2, 8), worker(1, 5, 4)];
        let outcome = RunOutcome { workers, elapsed: seconds(8), ..RunOutcome::default() };
        let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(default_solver(Ending::Closed), problem), 2);
        let report = search_report(&plan, &outcome, None, None).to_string();
        assert!(report.contains("\nsharing  4 hires, 7 donations, waiting 12.5%\n"), "{report}");
        // In slow motion the time is that of the watching, unless that of the run is known.
        let slowed = RunOutcome { slowed: seconds(1), ..outcome };
        let known = search_report(&plan, &slowed.clone().by_run_time(seconds(2)), None, None).to_string();
        assert!(known.contains(" in 2.000 s, 0 a second\nsharing  4 hires, 7 donations, waiting 12.5%\n"), "{known}");
        let watched = search_report(&plan, &slowed, None, None).to_string();
        assert!(watched.contains(" in 8.000 s, as it was watched\nsharing  4 hires, 7 donations\n"), "{watched}");
    }
}
