//! What came of runs that are compared: which took how much longer, by what, and where most is pruned.

use super::balance::{SHARE_MIN, SHORT_S, Verdict, VerdictName};
use super::rival::{Rival, RivalState};
use crate::words::{self, grouped, number_of};

/// Times that differ by less than this factor are the same.
const SAME: f64 = 1.05;
/// Numbers of pruned branches that differ by a smaller share than this may be samples of one.
const ALIKE: f64 = 0.1;

/// The run that took longest; `None` unless all of several are complete.
fn slowest(rivals: &[&Rival]) -> Option<usize> {
    let are_complete = rivals.len() > 1 && rivals.iter().all(|rival| rival.state == RivalState::Done);
    (0..rivals.len()).max_by_key(|place| rivals[*place].last.elapsed).filter(|_| are_complete)
}

/// The slowest run beside the fastest in a sentence, and what it did more; of several, first the fastest beside each other
/// one. `None` unless all of several runs are complete.
pub fn conclusion(rivals: &[&Rival]) -> Option<String> {
    let slow = slowest(rivals)?;
    let seconds: Vec<f64> = rivals.iter().map(|rival| rival.last.elapsed.as_secs_f64()).collect();
    let fast = (0..rivals.len()).min_by_key(|place| rivals[*place].last.elapsed)?;
    let longer = seconds[slow] / seconds[fast].max(1e-9);
    let mut said = if let Some(why) = disturbed(rivals) {
        let entered = |(n, rival): (usize, &&Rival)| format!("run {n} {}", grouped(rival.last.nodes()));
        let nodes: Vec<String> = (1..).zip(rivals).map(entered).collect();
        vec![format!("{why}: compare nodes, not times: {}.", nodes.join(", "))]
    } else if seconds[slow] < SHORT_S {
        vec!["The runs were too short to say which is faster.".to_owned()]
    } else if longer < SAME {
        vec!["The runs took the same time, within 5 %.".to_owned()]
    } else {
        let last = format!("Run {} took {} times as long as run {}.", slow + 1, times(longer), fast + 1);
        let first = (rivals.len() > 2).then(|| pays(rivals, &seconds, fast));
        first.into_iter().chain([last]).chain(reason(rivals, fast, slow, longer)).collect()
    };
    said.extend([fast].into_iter().chain(0..rivals.len()).find_map(|place| cuts_most(rivals, place)));
    Some(said.join(" "))
}

/// Why the times of the runs cannot be compared.
fn disturbed(rivals: &[&Rival]) -> Option<String> {
    let verdicts = rivals.iter().flat_map(|rival| rival.balance.verdicts());
    let loads = verdicts.filter(|verdict| verdict.name == VerdictName::OtherLoad);
    let load = loads.max_by(|a, b| a.share.total_cmp(&b.share)).map(|verdict| {
        let share = verdict.part.split(' ').next().unwrap_or_default();
        format!("Measured while other programs took up to {share} of the time of the workers")
    });
    let slowed = || rivals.iter().any(|rival| rival.balance.is_slowed()).then(|| "Watched in slow motion".to_owned());
    load.or_else(slowed)
}

/// The verdicts of each run. Only the slowest of runs that are complete is told what to do about them: what it is told must
/// not be what another one does.
pub fn compared_verdicts(rivals: &[&Rival]) -> Vec<Vec<Verdict>> {
    let slow = slowest(rivals).filter(|_| disturbed(rivals).is_none());
    let mut all: Vec<Vec<Verdict>> = rivals.iter().map(|rival| rival.balance.verdicts()).collect();
    let others = all.iter_mut().enumerate().filter(|(place, _)| Some(*place) != slow);
    others.flat_map(|(_, verdicts)| verdicts).for_each(|verdict| verdict.advice.clear());
    all
}

/// The fastest run beside each other one.
fn pays(rivals: &[&Rival], seconds: &[f64], fast: usize) -> String {
    let others = (0..seconds.len()).filter(|&place| place != fast);
    let shares = others.map(|place| {
        if seconds[place] < SAME * seconds[fast] {
            format!("that of run {}", place + 1)
        } else {
            format!("{} of that of run {}", times(seconds[fast] / seconds[place]), place + 1)
        }
    });
    let (name, shares) = (&rivals[fast].name, shares.collect::<Vec<_>>().join(", "));
    format!("Run {} ({name}) pays: its time is {shares}.", fast + 1)
}

/// Why the slow run took so many times as long.
fn reason(rivals: &[&Rival], fast: usize, slow: usize, longer: f64) -> Option<String> {
    let nodes = rivals[slow].last.nodes() as f64 / (rivals[fast].last.nodes() as f64).max(1.0);
    if nodes >= SAME {
        return Some(format!("It entered {} times as many nodes.", times(nodes)));
    }
    if nodes <= SAME.recip() {
        let each = times(longer / nodes);
        return Some(format!("It entered {} times as many nodes, but each took {each} times as long.", times(nodes)));
    }
    match [slow, fast].map(|place| rivals[place].last.workers.len()) {
        [few, more] if few < more => Some(format!("It had {}, run {} had {more}.", number_of(few, "worker"), fast + 1)),
        _ => greater_loss(rivals[fast], rivals[slow]),
    }
}

/// Where a run prunes most, if it prunes and another one does not prune as much.
fn cuts_most(rivals: &[&Rival], place: usize) -> Option<String> {
    let by_depth = |rival: &Rival| rival.depths.pruned(rival.last.nodes());
    let all = |rival: &Rival| by_depth(rival).iter().sum::<f64>();
    let is_alike = |rival: &&Rival| (all(rival) - all(rivals[place])).abs() <= ALIKE * all(rivals[place]);
    if rivals.iter().all(is_alike) {
        return None;
    }
    let pruned = by_depth(rivals[place]);
    let (depth, most) = pruned.into_iter().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (most > 0.0).then(|| format!("In run {} most is pruned at depth {depth}.", place + 1))
}

/// What of the time of the workers the slow run lost beyond the fast one.
fn greater_loss(fast: &Rival, slow: &Rival) -> Option<String> {
    let [of_fast, of_slow] = [fast, slow].map(|rival| rival.balance.verdicts());
    let beyond = |verdict: &Verdict| {
        let other = of_fast.iter().find(|other| other.name == verdict.name);
        verdict.share - other.map_or(0.0, |other| other.share)
    };
    let greatest = of_slow.iter().max_by(|a, b| beyond(a).total_cmp(&beyond(b)))?;
    (beyond(greatest) >= SHARE_MIN).then(|| greatest.sentence.clone())
}

/// A ratio with two digits that count.
fn times(ratio: f64) -> String {
    match ratio {
        0.0..1.0 => format!("{ratio:.2}"),
        1.0..10.0 => format!("{ratio:.1}"),
        _ => words::count(ratio.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::frame::{Body, Frame, TreeFrame};
    use crate::schedule::{Levels, Scheduler, Snapshot, WorkerSnapshot};
    use std::time::Duration;

    /// A complete run of this time and these nodes, with these cuts by depth.
    fn rival(number: usize, seconds: f64, nodes: u64, pruned: &[u64]) -> Rival {
        let snapshot = Snapshot {
            elapsed: Duration::from_secs_f64(seconds),
            workers: vec![WorkerSnapshot { nodes, ..WorkerSnapshot::default() }],
            nodes_by_depth: vec![nodes],
            pruned_by_depth: pruned.to_vec(),
            levels: Levels::Exact,
            ..Snapshot::default()
        };
        let mut rival = Rival::new(format!("way {number}"), Scheduler::HIRE);
        rival.take(&Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: vec![] })), events: vec![] });
        rival.state = RivalState::Done;
        rival
    }

    #[test]
    fn times_under_other_load_are_not_compared_and_only_the_slowest_run_is_advised() {
        let loaded = |seconds: f64, cpu: f64| {
            let (elapsed, cpu) = (Duration::from_secs_f64(seconds), Duration::from_secs_f64(cpu));
            let worker = WorkerSnapshot { nodes: 100, busy: elapsed, cpu, ..WorkerSnapshot::default() };
            let snapshot = Snapshot { elapsed, workers: vec![worker; 2], cores: Some(2), ..Snapshot::default() };
            let mut rival = Rival::new("way", Scheduler::HIRE);
            rival
                .take(&Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: vec![] })), events: vec![] });
            rival.state = RivalState::Done;
            rival
        };
        let runs = [loaded(1.0, 1.0), loaded(2.0, 0.5)];
        let told = "Measured while other programs took up to 75.0% of the time of the workers: compare nodes, not times: \
                    run 1 200, run 2 200.";
        assert_eq!(told_of(&runs).as_deref(), Some(told));
        let advised = |runs: &[Rival]| -> Vec<bool> {
            let verdicts = compared_verdicts(&runs.iter().collect::<Vec<_>>());
            verdicts.iter().map(|verdicts| verdicts.iter().any(|verdict| !verdict.advice.is_empty())).collect()
        };
        assert_eq!(advised(&runs), [false, false]);
        assert_eq!(advised(&[loaded(1.0, 1.0), loaded(2.0, 2.0)]), [false, true]);
    }

    fn told_of(rivals: &[Rival]) -> Option<String> {
        conclusion(&rivals.iter().collect::<Vec<_>>())
    }

    #[test]
    fn the_slowest_run_is_told_beside_the_fastest() {
        let told = |runs: &[(f64, u64)]| {
            let rivals = (1..).zip(runs).map(|(number, &(seconds, nodes))| rival(number, seconds, nodes, &[]));
            told_of(&rivals.collect::<Vec<_>>()).unwrap()
        };
        assert_eq!(told(&[(2.0, 100), (2.05, 100)]), "The runs took the same time, within 5 %.");
        assert_eq!(told(&[(0.01, 100), (0.05, 100)]), "The runs were too short to say which is faster.");
        assert!(told(&[(1.0, 100), (1.8, 100)]).starts_with("Run 2 took 1.8 times as long as run 1."));
        assert_eq!(
            told(&[(3.0, 100), (36.0, 700), (4.0, 300)]),
            "Run 1 (way 1) pays: its time is 0.08 of that of run 2, 0.75 of that of run 3. \
             Run 2 took 12 times as long as run 1. It entered 7.0 times as many nodes."
        );
        let same = told(&[(3.0, 100), (3.1, 100), (4.0, 100)]);
        assert!(same.contains("its time is that of run 2, 0.75 of that of run 3."), "{same}");
        let fewer = told(&[(3.0, 25), (1.5, 100)]);
        assert!(fewer.ends_with("It entered 0.25 times as many nodes, but each took 8.0 times as long."), "{fewer}");
    }

    /// Also of runs that are too short to say which is faster.
    #[test]
    fn the_depth_of_most_cuts_is_that_of_the_fastest_run_that_cuts() {
        let [plain, cutting] = [rival(1, 0.01, 100, &[]), rival(2, 0.02, 100, &[1, 5, 2])];
        let cuts = |rivals: &[Rival]| told_of(rivals).unwrap().contains(" In run 2 most is pruned at depth 1.");
        assert!(cuts(&[plain.clone(), cutting.clone()]) && cuts(&[plain, rival(2, 9.0, 100, &[1, 5, 2])]));
        assert!(!cuts(&[rival(1, 0.01, 100, &[7]), cutting.clone()]));
        // Where all prune alike, that tells nothing of their times.
        assert!(!cuts(&[rival(1, 2.0, 100, &[1, 5, 2]), cutting]));
    }

    #[test]
    fn nothing_is_concluded_before_all_runs_are_complete() {
        let mut runs = [rival(1, 1.0, 100, &[]), rival(2, 1.0, 100, &[])];
        assert_eq!(told_of(&runs[..1]), None);
        for state in [RivalState::Waiting, RivalState::Running, RivalState::Stopped, RivalState::Failed] {
            runs[1].state = state;
            assert_eq!(told_of(&runs), None, "{state:?}");
        }
    }
}
