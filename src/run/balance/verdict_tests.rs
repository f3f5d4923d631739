//! Each rule on figures made by hand.

use super::gauge::WaitTimes;
use super::verdicts::{RunLosses, Verdict, VerdictName, verdicts};
use crate::run::spent::{TimePart, TimeUse};
use crate::schedule::Scheduler;
use crate::search::HandOver;

/// A time with these parts, beside which the rest does not matter.
fn time(parts: &[(TimePart, f64)]) -> TimeUse {
    let share = |part| parts.iter().find(|(other, _)| *other == part).map_or(0.0, |(_, share)| *share);
    TimeUse::of(TimePart::ALL.map(share))
}

/// A run of 16 workers on as many cores that lost 4 %.
fn good() -> RunLosses {
    RunLosses {
        seconds: 10.0,
        watched: 10.0,
        workers: 16,
        cores: Some(16),
        scheduler: Some(Scheduler::HIRE),
        time: time(&[(TimePart::Searching, 0.96), (TimePart::NoProcessor, 0.04)]),
        hires: 100,
        nodes_per_hire: Some(1e6),
        hand_over_nodes: Some(30.0),
        busiest: (3, 0.07),
        ..RunLosses::default()
    }
}

/// The verdicts as one line each.
fn told(run: &RunLosses) -> Vec<String> {
    let line =
        |found: &Verdict| format!("{} {:.3}: {} {}", found.name.words(), found.share, found.sentence, found.advice);
    verdicts(run).iter().map(line).collect()
}

#[test]
fn each_loss_has_its_verdict_in_words() {
    let runs = [
        (good(), "healthy 0.000: Workers searched for 96.0% of their time, and no loss reaches 5%. Change nothing."),
        (
            RunLosses { cores: Some(2), beyond_cores: 0.87, time: time(&[(TimePart::NoProcessor, 0.88)]), ..good() },
            "oversubscribed 0.870: 16 workers on 2 cores: no core for 87.0% of their time. Use --threads 2.",
        ),
        (
            RunLosses {
                seconds: 2.4,
                workers: 1,
                cores: Some(1),
                quota: Some(0.05),
                held_back: 0.92,
                time: time(&[(TimePart::NoProcessor, 0.93)]),
                ..good()
            },
            "quota 0.920: Its control group allows the time of 0.05 cores: the worker was held back for 2.2 of 2.4 s. Raise the CPU limit of the group, the container or the job.",
        ),
        (
            RunLosses {
                workers: 2,
                cores: Some(2),
                quota: Some(1.5),
                held_back: 0.3,
                time: time(&[(TimePart::NoProcessor, 0.25)]),
                ..good()
            },
            "quota 0.250: Its control group allows the time of 1.50 cores: 2 workers were held back for 5.0 of 20.0 s in all. Raise the CPU limit of the group, the container or the job.",
        ),
        (
            RunLosses { time: time(&[(TimePart::NoProcessor, 0.3)]), ..good() },
            "other load 0.300: Other programs took 30.0% of the time of the workers. End the other programs, or use --threads 15.",
        ),
        (
            RunLosses { workers: 1, time: time(&[(TimePart::NoProcessor, 0.3)]), ..good() },
            "other load 0.300: Other programs took 30.0% of the time of the workers. End the other programs.",
        ),
        (
            RunLosses { workers: 17, time: time(&[(TimePart::NoProcessor, 0.3)]), ..good() },
            "other load 0.300: Other programs took 30.0% of the time of the workers. End the other programs.",
        ),
        (
            RunLosses {
                workers: 2,
                scheduler: Some(Scheduler::BLOCKS),
                busiest: (0, 0.986),
                uneven: 0.493,
                waits: WaitTimes { last: 0.49, ..WaitTimes::default() },
                ..good()
            },
            "uneven 0.490: Worker 0 had 98.6% of the nodes: static-blocks cannot move work. Use --scheduler hire.",
        ),
        (
            RunLosses {
                waits: WaitTimes { first: 0.2, never: 0.1, never_number: 2, ..WaitTimes::default() },
                ..good()
            },
            "ramp up 0.300: Workers waited 30.0% of their time for their first branch. 2 workers never got one. Use fewer threads, or ask a larger question.",
        ),
        (
            RunLosses { waits: WaitTimes { last: 0.06, ..WaitTimes::default() }, ..good() },
            "tail 0.060: At the end workers waited 6.0% of all time: too few branches were left. Use fewer threads, or ask a larger question.",
        ),
        (
            RunLosses {
                nodes_per_hire: Some(3.0),
                hand_over_rule: HandOver::Next,
                time: time(&[(TimePart::HandingOver, 0.4)]),
                waits: WaitTimes { between: 0.2, ..WaitTimes::default() },
                ..good()
            },
            "small handovers 0.600: Hires give 3 nodes on average; a hand-over costs as much as 30. Use --hand-over shallowest.",
        ),
        (
            RunLosses { gap_s: 0.0031, waits: WaitTimes { between: 0.2, gaps: 70, ..WaitTimes::default() }, ..good() },
            "waiting hire 0.200: Between two branches a worker waited 3.10 ms on average, 70 times. Use fewer threads.",
        ),
        (
            RunLosses { time: time(&[(TimePart::Writing, 0.5)]), ..good() },
            "slow output 0.500: Workers wrote tours, or waited for the output, for 50.0% of their time. Write to a faster disk or reader, or leave --out away to count only.",
        ),
        (
            RunLosses {
                seconds: 0.0123,
                watched: 0.0123,
                time: time(&[(TimePart::Searching, 0.25)]),
                waits: WaitTimes { last: 0.5, ..WaitTimes::default() },
                ..good()
            },
            "small question 0.750: Workers ran for 12.3 ms, too little to judge how the work was shared. Ask a larger question.",
        ),
    ];
    for (run, words) in runs {
        assert_eq!(told(&run), [words]);
    }
}

/// What a verdict is a share of stands on the screen, with that number.
#[test]
fn a_verdict_says_of_what_it_is_a_share() {
    let crowded = RunLosses { cores: Some(2), beyond_cores: 0.875, ..good() };
    let parts = |run: RunLosses| verdicts(&run).into_iter().map(|found| found.part).collect::<Vec<_>>();
    let lost = |part, share| time(&[(TimePart::Searching, 1.0 - share), (part, share)]);
    let crowd = RunLosses { time: lost(TimePart::NoProcessor, 0.9), ..crowded };
    assert_eq!(parts(crowd), ["87.5% (of no processor 90.0%)"]);
    let slow_output = RunLosses { time: lost(TimePart::Writing, 0.3333), ..good() };
    assert_eq!(parts(slow_output), ["33.3% (of writing 33.3%)"]);
    let short = RunLosses { watched: 0.01, time: lost(TimePart::Waiting, 0.62), ..good() };
    assert_eq!(parts(short), ["(62.0% not searching)"]);
    // Two causes, each too small to be named, of a part that is not.
    let waits = WaitTimes { first: 0.04, last: 0.033, ..WaitTimes::default() };
    let healthy = RunLosses { waits, time: lost(TimePart::Waiting, 0.073), ..good() };
    let told = "Workers searched for 92.7% of their time, and no cause of waiting 7.3% reaches 5%.";
    assert_eq!(verdicts(&healthy)[0].sentence, told);
    // In slow motion no verdict is without that.
    for run in [healthy, RunLosses { time: lost(TimePart::Writing, 0.5), ..good() }] {
        let found = verdicts(&RunLosses { slowed: true, ..run });
        // Part of it may have been at full speed, where workers had no core.
        assert!(found.iter().all(|verdict| verdict.advice.starts_with("What was in slow motion ")), "{found:?}");
    }
}

#[test]
fn the_largest_loss_comes_first_and_small_ones_are_left_out() {
    let run = RunLosses {
        time: time(&[(TimePart::Writing, 0.2), (TimePart::NoProcessor, 0.05)]),
        waits: WaitTimes { last: 0.1, first: 0.049, ..WaitTimes::default() },
        ..good()
    };
    let names: Vec<VerdictName> = verdicts(&run).iter().map(|found| found.name).collect();
    assert_eq!(names, [VerdictName::SlowOutput, VerdictName::Tail, VerdictName::OtherLoad]);
}

/// 16 workers on 2 cores, and another program that takes most of both.
#[test]
fn other_programs_and_too_many_workers_are_told_apart() {
    let run = RunLosses { cores: Some(2), beyond_cores: 0.875, time: time(&[(TimePart::NoProcessor, 0.95)]), ..good() };
    let shares: Vec<(VerdictName, f64)> =
        verdicts(&run).iter().map(|found| (found.name, (found.share * 1e3).round() / 1e3)).collect();
    assert_eq!(shares, [(VerdictName::Oversubscribed, 0.875), (VerdictName::OtherLoad, 0.075)]);
}

/// Two workers on a quota of half a core, and another program; the group may have other processes that are held back.
#[test]
fn a_quota_too_many_workers_and_other_programs_are_told_apart() {
    let run = RunLosses {
        workers: 2,
        cores: Some(1),
        quota: Some(0.5),
        beyond_cores: 0.5,
        time: time(&[(TimePart::NoProcessor, 0.8)]),
        ..good()
    };
    for (held_back, quota, other_load) in [(0.2, 0.2, 0.1), (0.75, 0.3, 0.0), (0.01, 0.0, 0.29), (0.0, 0.0, 0.3)] {
        let found = verdicts(&RunLosses { held_back, ..run.clone() });
        let share = |name| found.iter().find(|verdict| verdict.name == name).map_or(0.0, |verdict| verdict.share);
        let shares = [VerdictName::Oversubscribed, VerdictName::Quota, VerdictName::OtherLoad].map(share);
        assert_eq!(shares.map(|share| (share * 1e3).round() / 1e3), [0.5, quota, other_load], "{held_back}");
    }
    // The quota of a recording without cores is known all the same.
    let alone = RunLosses { cores: None, beyond_cores: 0.0, held_back: 0.7, ..run };
    assert_eq!(verdicts(&alone).iter().map(|found| found.name).collect::<Vec<_>>(), [VerdictName::Quota]);
}

/// A recording from before cores were recorded says nothing about them.
#[test]
fn what_is_not_known_is_not_judged() {
    let names = |run: RunLosses| verdicts(&run).iter().map(|found| found.name).collect::<Vec<_>>();
    assert_eq!(
        names(RunLosses { cores: None, time: time(&[(TimePart::NoProcessor, 0.9)]), ..good() }),
        [VerdictName::Healthy]
    );
    let unmeasured = RunLosses {
        hand_over_nodes: None,
        nodes_per_hire: Some(2.0),
        waits: WaitTimes { between: 0.4, gaps: 3, ..WaitTimes::default() },
        ..good()
    };
    assert_eq!(names(unmeasured.clone()), [VerdictName::WaitingHire]);
    assert_eq!(
        names(RunLosses { waits: WaitTimes { gaps: 0, ..unmeasured.waits }, ..unmeasured }),
        [VerdictName::Healthy]
    );
    // Without a scheduler, a crew without hires is one that could not hire.
    let waits = WaitTimes { last: 0.4, ..WaitTimes::default() };
    let alone = RunLosses { scheduler: None, hires: 0, waits, uneven: 0.5, ..good() };
    assert_eq!(names(alone.clone()), [VerdictName::Uneven]);
    // Equal parts end at different times where the cores are shared with others.
    assert_eq!(names(RunLosses { uneven: 0.04, ..alone }), [VerdictName::Healthy]);
}

/// There a hand-over has the cost of both workers, among threads that of the hirer.
#[test]
fn hand_overs_are_small_below_another_limit_in_a_simulation() {
    let name = |times: f64, of_both| {
        let waits = WaitTimes { between: 0.2, gaps: 70, ..WaitTimes::default() };
        verdicts(&RunLosses { nodes_per_hire: Some(30.0 * times), of_both, waits, ..good() })[0].name.words()
    };
    assert_eq!([99.0, 101.0].map(|times| name(times, false)), ["small handovers", "waiting hire"]);
    assert_eq!([19.0, 21.0].map(|times| name(times, true)), ["small handovers", "waiting hire"]);
}
