use super::gauge::DEPTHS;
use super::*;
use crate::event::{Event, EventKind};
use crate::run::frame::{Body, Frame, TreeFrame};
use crate::run::spent::TimePart;
use crate::schedule::{
    EarlierRun, QuotaUse, SharingCounts, Snapshot, StopReason, WaitCounts, WorkerSnapshot, WorkerState,
};
use crate::system::CpuLevel;
use std::time::Duration;

fn ms(at: u64) -> Duration {
    Duration::from_millis(at)
}

fn event(at: u64, worker: usize, kind: EventKind) -> Event {
    Event { at: ms(at), worker, kind }
}

fn hired(at: u64, by: usize, worker: usize, depth: usize) -> Event {
    event(at, worker, EventKind::Hired { by, depth, left: None, company: Vec::new(), entered: None })
}

fn dry(at: u64, worker: usize, nodes: u64) -> Event {
    event(at, worker, EventKind::Idle { nominee: None, level: None, nodes, put_down: false })
}

/// A worker: nodes, hires, and ms busy and running, in a run of length `at`.
fn worker(at: u64, nodes: u64, hires: u64, busy: u64, cpu: u64) -> WorkerSnapshot {
    let state = WorkerState::Done;
    let sharing = SharingCounts { hires, donations: 0 };
    WorkerSnapshot { state, nodes, sharing, busy: ms(busy), idle: ms(at - busy), cpu: ms(cpu), ..Default::default() }
}

fn frame(at: u64, workers: Vec<WorkerSnapshot>, events: Vec<Event>) -> Frame {
    let snapshot = Snapshot { elapsed: ms(at), workers, ..Snapshot::default() };
    Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() })), events }
}

/// Three workers and 100 ms:
///
/// ```text
/// 0  ########################################  0..100, 800 nodes
/// 1  ....########..............                10..50, 100 nodes, and 60..70, 3 nodes by worker 0
/// 2  ........####................              20..40, 60 nodes by worker 1
/// ```
fn made_up() -> Balance {
    let mut balance = Balance::default();
    balance.take(&frame(0, vec![WorkerSnapshot::default(); 3], Vec::new()));
    let events = vec![
        event(0, 0, EventKind::Began { depth: 0 }),
        dry(0, 1, 0),
        dry(0, 2, 0),
        hired(10, 0, 1, 4),
        hired(20, 1, 2, 6),
        dry(40, 2, 60),
        dry(50, 1, 100),
    ];
    balance.take(&frame(
        55,
        vec![worker(55, 400, 1, 55, 50), worker(55, 100, 1, 40, 40), worker(55, 60, 0, 20, 16)],
        events,
    ));
    let events = vec![hired(60, 0, 1, 4), dry(70, 1, 3), dry(100, 0, 800), event(100, 0, EventKind::Finished)];
    let last = vec![worker(100, 800, 2, 100, 90), worker(100, 103, 1, 50, 50), worker(100, 60, 0, 20, 16)];
    // The last look comes a little after the end.
    balance.take(&frame(101, last, events));
    balance
}

/// Worker 1 is given a branch, puts it down for a save and begins again with the rest. It puts down a later one because the run stops.
#[test]
fn a_save_cuts_no_task() {
    let mut balance = Balance::default();
    let put_down =
        |at, worker, nodes| event(at, worker, EventKind::Idle { nominee: None, level: None, nodes, put_down: true });
    let begin = |at, worker| event(at, worker, EventKind::Began { depth: 3 });
    balance.take(&frame(0, vec![WorkerSnapshot::default(); 2], vec![begin(0, 0), hired(10, 0, 1, 4)]));
    let tasks = |balance: &Balance| {
        let figures = balance.figures();
        (figures.tasks, figures.task_nodes, balance.branches[1].nodes.mean())
    };
    let mut take = |at, events| {
        balance.take(&frame(at, vec![WorkerSnapshot::default(); 2], events));
        tasks(&balance)
    };
    assert_eq!(take(20, vec![put_down(20, 0, 50), put_down(20, 1, 30)]), (0, 0, None));
    assert_eq!(take(40, vec![begin(30, 0), begin(30, 1), dry(40, 1, 5)]), (1, 35, Some(35.0)));
    assert_eq!(take(50, vec![hired(45, 0, 1, 4), put_down(50, 1, 7), put_down(50, 0, 9)]), (1, 35, Some(35.0)));
    assert_eq!(take(50, vec![event(50, 0, EventKind::Finished)]), (3, 101, Some(21.0)));
    // From 20 to 30 both have a branch, which they have put down.
    let near = |(a, b): (&f64, f64)| (a - b).abs() < 1e-9;
    assert!(balance.at_work.shares(ms(50), &balance.clock).iter().zip([0.0, 0.3, 0.7]).all(near));
    let waits = balance.waits.times(&balance.tasks, ms(50), &balance.clock);
    assert!([waits.first, waits.between].iter().zip([0.010, 0.005]).all(near), "{waits:?}");
    assert_eq!(waits.gaps, 1);
}

/// Two workers resume a run of 9 s, and work for 100 ms.
#[test]
fn what_workers_did_who_resumed_a_run_is_over_their_own_time() {
    let earlier = EarlierRun { elapsed: ms(9000), nodes: 1 << 30, ..EarlierRun::default() };
    let look = |at, nodes| {
        let mut look = frame(9000 + at, vec![worker(at, nodes, 0, at, at); 2], Vec::new());
        let Body::Tree(tree) = &mut look.body else { unreachable!() };
        tree.snapshot.earlier = Some(earlier);
        look
    };
    let mut balance = Balance::default();
    [look(0, 0), look(100, 500)].iter().for_each(|look| balance.take(look));
    let all = &balance.since(&WorkerMarks::default())[0];
    assert_eq!((all.nodes_per_s, all.time.map(|time| time[TimePart::Searching])), (10_000.0, Some(1.0)));
    let figures = balance.figures();
    assert_eq!((figures.elapsed_s, figures.since_s), (0.1, Some(9.0)));
    assert!(figures.to_string().starts_with("balance  2 threads over 100 ms, since 9.00s\n"), "{figures}");
}

/// Every figure, worked out by hand.
#[test]
fn figures_are_those_worked_out_by_hand() {
    let figures = made_up().figures();
    let near =
        |figure: Option<f64>, by_hand: f64| assert!((figure.unwrap() - by_hand).abs() < 1e-9, "{figure:?} {by_hand}");
    assert_eq!((figures.workers, figures.elapsed_s, figures.nodes), (3, 0.1, 963));
    // 300 ms of workers: 90 + 50 + 16 running, 100 + 50 + 20 busy.
    near(figures.efficiency, 156.0 / 300.0);
    near(figures.descheduled, 14.0 / 300.0);
    near(figures.idle, 130.0 / 300.0);
    near(Some(figures.descheduled_s), 0.014);
    near(Some(figures.idle_s), 0.130);
    let time = figures.time.unwrap();
    let by_hand = [156.0, 0.0, 130.0, 14.0, 0.0, 0.0].map(|part| part / 300.0);
    time.shares().into_iter().zip(by_hand).for_each(|(share, by_hand)| near(Some(share), by_hand));
    // One worker 0..10, two 10..20, three 20..40, two 40..50, one 50..60, two 60..70, one 70..100.
    let by_hand = [0.0, 0.5, 0.3, 0.2];
    assert!(figures.at_work.iter().zip(by_hand).all(|(share, by_hand)| (share - by_hand).abs() < 1e-9), "{figures:?}");
    near(figures.most_by_mean, 800.0 / 321.0);
    // 800, 100, 60 and 3 nodes.
    assert_eq!((figures.tasks, figures.task_nodes), (4, 963));
    let classes: Vec<_> = figures.tasks_by_nodes.classes().collect();
    assert_eq!(classes, [([2, 3], 1), ([32, 63], 1), ([64, 127], 1), ([512, 1023], 1)]);
    assert_eq!((figures.hires, figures.hires_unseen, figures.events_lost), (3, 0, 0));
    // Nodes handed over: 3, 60 and 100.
    let per_hire = figures.nodes_per_hire.unwrap();
    near(Some(per_hire.mean), 163.0 / 3.0);
    assert_eq!((per_hire.tenth, per_hire.median, per_hire.ninety), ([2, 3], [32, 63], [64, 127]));
    assert_eq!(figures.hires_by_depth, [0, 0, 0, 0, 2, 0, 1]);
    assert_eq!(figures.pairs, [[0, 1, 2], [1, 2, 1]]);
    // Worker 2 was the last to have work. Two of three workers had no more work when worker 1 ran out.
    near(figures.ramp_up.map(|ramp_up| ramp_up.s), 0.02);
    near(figures.ramp_up.map(|ramp_up| ramp_up.share), 0.2);
    near(figures.tail.map(|tail| tail.s), 0.03);
    near(figures.tail.map(|tail| tail.share), 0.3);
    // The hires say nothing of the nodes of the giver: the longest chain is the longest task.
    assert_eq!((figures.work, figures.span, figures.span_exact), (963, 800, false));
    assert_eq!(figures.notes, [""; 0]);
}

/// One of two workers runs out of work.
#[test]
fn the_tail_begins_when_half_of_an_even_crew_has_no_work() {
    let mut balance = Balance::default();
    balance.take(&frame(0, vec![WorkerSnapshot::default(); 2], Vec::new()));
    let began = |worker| event(0, worker, EventKind::Began { depth: 0 });
    let events = vec![began(0), began(1), dry(60, 1, 5), dry(100, 0, 9), event(100, 0, EventKind::Finished)];
    balance.take(&frame(100, vec![worker(100, 9, 0, 100, 100), worker(100, 5, 0, 60, 60)], events));
    assert!((balance.figures().tail.unwrap().share - 0.4).abs() < 1e-9);
}

/// The other worker might have been hired again, had the run gone on.
#[test]
fn a_run_that_was_stopped_has_no_tail() {
    let verdict = |stop| {
        let mut balance = Balance::of(crate::schedule::Scheduler::HIRE);
        balance.take(&frame(0, vec![WorkerSnapshot::default(); 2], Vec::new()));
        let began = |worker| event(0, worker, EventKind::Began { depth: 0 });
        let finished = event(10_000, 0, EventKind::Finished);
        let again = [dry(1000, 1, 2), hired(2000, 0, 1, 4), dry(6000, 1, 3)];
        let events = [vec![began(0), began(1)], again.into(), vec![dry(10_000, 0, 9), finished]].concat();
        let workers = vec![worker(10_000, 9, 0, 10_000, 10_000), worker(10_000, 5, 1, 5000, 5000)];
        let mut last = frame(10_000, workers, events);
        let Body::Tree(tree) = &mut last.body else { unreachable!() };
        tree.snapshot.stop = stop;
        balance.take(&last);
        let found = balance.verdicts();
        (found[0].name.words(), (found[0].share * 100.0).round())
    };
    assert_eq!(verdict(None), ("tail", 20.0));
    assert_eq!(verdict(Some(StopReason::Deadline)), ("waiting hire", 25.0));
}

/// The end of a resumed run is told by the clock of the whole run, as its elapsed time is.
#[test]
fn what_decided_the_end_of_a_resumed_run_has_the_time_of_the_run_before() {
    let mut balance = Balance::default();
    let look = |at, nodes, busy, events| {
        let mut look = frame(at, vec![worker(at, nodes, 0, busy, busy); 2], events);
        let Body::Tree(tree) = &mut look.body else { unreachable!() };
        tree.snapshot.earlier = Some(EarlierRun { elapsed: ms(4000), ..EarlierRun::default() });
        look
    };
    balance.take(&look(4000, 0, 0, Vec::new()));
    let events =
        vec![event(4000, 0, EventKind::Began { depth: 0 }), dry(4100, 0, 9), event(4100, 0, EventKind::Finished)];
    balance.take(&look(4100, 9, 100, events));
    let figures = balance.figures();
    assert_eq!((figures.elapsed_s, figures.deciding.map(|last| last.to)), (0.1, Some(4.1)));
}

#[test]
fn what_is_told_is_told_in_words() {
    insta::assert_snapshot!("words", made_up().figures().to_string());
}

#[test]
fn events_of_a_moment_that_is_past_come_to_the_same() {
    let (mut balance, whole) = (Balance::default(), made_up());
    let last = Snapshot { elapsed: ms(100), workers: whole.seen.workers.clone(), ..Snapshot::default() };
    balance.meet(&last);
    for (at, by, helper, depth) in [(10, 0, 1, 4), (20, 1, 2, 6), (60, 0, 1, 4)] {
        balance.happened(&hired(at, by, helper, depth));
    }
    balance.happened(&event(100, 0, EventKind::Finished));
    balance.sampled(&last);
    let (figures, whole) = (balance.figures(), whole.figures());
    assert_eq!((figures.hires, &figures.pairs, figures.efficiency), (whole.hires, &whole.pairs, whole.efficiency));
    // The event that a worker ran out of work was lost.
    assert_eq!((figures.task_nodes, figures.tasks), (0, 0));
    assert!(notes(&balance).contains("963 nodes are in no task"), "{}", notes(&balance));
}

/// Two caches of two CPUs. Worker 3 moves to the first one before it is hired again.
#[test]
fn hires_are_within_a_group_or_from_outside_by_where_workers_were_seen() {
    let look = |at, on: [usize; 4], nodes: u64, events| {
        let seen = |on| WorkerSnapshot { on: Some(on), ..worker(at, nodes, 0, at, at) };
        let mut look = frame(at, on.map(seen).into(), events);
        let Body::Tree(tree) = &mut look.body else { unreachable!() };
        if at != 50 {
            tree.snapshot.groups = vec![(CpuLevel::Cache, vec!["0-1".to_owned(), "2,4".to_owned()])];
            tree.snapshot.waits = (1..5).map(|in_vain| WaitCounts { in_vain, ..WaitCounts::default() }).collect();
        }
        look
    };
    let mut balance = Balance::of(crate::schedule::Scheduler::HIRE);
    balance.take(&look(0, [0, 1, 2, 4], 0, vec![event(0, 0, EventKind::Began { depth: 0 })]));
    balance.take(&look(50, [0, 1, 2, 4], 5, vec![hired(10, 0, 1, 4), hired(20, 0, 2, 4), hired(30, 2, 3, 4)]));
    let events = vec![dry(60, 3, 10), hired(70, 1, 3, 5), hired(80, 9, 3, 5), event(100, 0, EventKind::Finished)];
    balance.take(&look(100, [0, 1, 2, 0], 10, events));
    let groups = balance.figures().groups;
    let told = |group: &GroupUse| (group.workers, group.nodes, [group.hires_within, group.hires_from]);
    assert_eq!(groups.iter().map(told).collect::<Vec<_>>(), [(3, 30, [2, 1]), (1, 10, [1, 1])]);
    assert_eq!(
        groups.iter().map(|group| group.waits.as_ref().unwrap().in_vain).collect::<Vec<_>>(),
        [Some(7), Some(3)]
    );
    let names: Vec<_> = groups.iter().map(|group| (group.kind, &group.name[..], &group.cpus[..])).collect();
    assert_eq!(names, [("cache", "cache 0", "0-1"), ("cache", "cache 1", "2,4")]);
    let text = balance.figures().to_string();
    assert!(
        text.contains("\n    cache 0    3 workers        30 nodes  hired 2 within, 1 from outside  (CPUs 0-1)\n"),
        "{text}"
    );
}

/// Worker 2 was never seen on a CPU: it has a row, and the rows have all hires.
#[test]
fn hires_by_or_of_a_worker_that_was_seen_nowhere_are_in_a_row_of_their_own() {
    let hires = [(0, 1), (2, 1), (1, 2), (0, 1)].map(|(by, worker)| hired(10, by, worker, 4));
    let seen = [Some(0), Some(2), None].map(|on| WorkerSnapshot { on, ..worker(50, 5, 0, 50, 50) });
    let mut balance = Balance::of(crate::schedule::Scheduler::HIRE);
    let mut look = frame(50, seen.to_vec(), hires.to_vec());
    let Body::Tree(tree) = &mut look.body else { unreachable!() };
    tree.snapshot.groups = vec![(CpuLevel::Cache, vec!["0-1".to_owned(), "2".to_owned()])];
    balance.take(&look);
    let told = |group: GroupUse| (group.name, group.workers, [group.hires_within, group.hires_from]);
    let [zero, one, none] = &balance.groups().into_iter().map(told).collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!((&zero.0[..], &one.0[..], &none.0[..]), ("cache 0", "cache 1", "not seen"));
    assert_eq!([(zero.1, zero.2), (one.1, one.2), (none.1, none.2)], [(1, [0, 0]), (1, [0, 3]), (1, [0, 1])]);
    let text = balance.figures().to_string();
    assert!(text.contains(" hired 0 within, 1 from outside  (on no CPU)\n"), "{text}");
}

/// Two caches of ten CPUs, a worker on each.
#[test]
fn of_many_workers_hires_are_told_from_group_to_group() {
    let seen = |cpu| WorkerSnapshot { on: Some(cpu), ..worker(100, 5, 0, 100, 100) };
    let hires = [[0, 1], [0, 12], [3, 15]].map(|[by, worker]| hired(50, by, worker, 4));
    let mut look = frame(100, (0..20).map(seen).collect(), hires.into());
    let Body::Tree(tree) = &mut look.body else { unreachable!() };
    tree.snapshot.groups = vec![(CpuLevel::Cache, vec!["0-9".to_owned(), "10-19".to_owned()])];
    let mut balance = Balance::of(crate::schedule::Scheduler::HIRE);
    balance.take(&look);
    let matrix = balance.figures().matrix.unwrap();
    assert_eq!(matrix.hires, [[1, 2], [0, 0]]);
    assert_eq!(matrix.title(), "which cache hired which: rows hire, columns are hired; up to 2 times; 33.3% within");
}

fn notes(balance: &Balance) -> String {
    balance.figures().notes.join("\n")
}

#[test]
fn what_makes_figures_less_is_said() {
    let mut balance = Balance::default();
    assert!(notes(&balance).contains("the run has not ended"));
    let end = |at, lost, stop| {
        let events = vec![event(0, 0, EventKind::Began { depth: 0 }), dry(at, 0, 7), event(at, 0, EventKind::Finished)];
        let mut seen = frame(at, vec![worker(at, 7, 0, at, at)], events);
        let Body::Tree(tree) = &mut seen.body else { unreachable!() };
        (tree.snapshot.events_lost, tree.snapshot.stop) = (lost, stop);
        seen
    };
    balance.take(&end(3, 0, None));
    assert_eq!((balance.figures().tail, balance.figures().ramp_up), (None, None));
    let said = notes(&balance);
    assert!(said.contains("with one worker there is no ramp-up") && said.contains("so short a run"), "{said}");
    let mut balance = Balance::default();
    balance.take(&end(300, 12, Some(StopReason::Deadline)));
    let said = notes(&balance);
    assert!(said.contains("12 events were lost") && said.contains("stopped before its end"), "{said}");
    assert!(!said.contains("so short"), "{said}");
    // One of two workers never had work, and one hire was not reported.
    let mut balance = Balance::default();
    let last =
        frame(50, vec![worker(50, 9, 1, 50, 50), worker(50, 0, 0, 0, 0)], vec![event(50, 0, EventKind::Finished)]);
    balance.take(&last);
    let said = notes(&balance);
    assert!(
        said.contains("1 thread never had a branch") && said.contains("1 of 1 hire was not seen: it is in no figure"),
        "{said}"
    );
}

/// A pause of 30 ms from the look at 20 to that at 50, and a break of 10 ms.
#[test]
fn paused_time_is_in_no_figure() {
    let mut balance = Balance::default();
    let look = |at, paused, busy| {
        let mut seen = frame(at, vec![worker(at, 5, 0, busy, busy.min(20)); 2], Vec::new());
        let Body::Tree(tree) = &mut seen.body else { unreachable!() };
        tree.snapshot.paused = paused;
        seen
    };
    balance.take(&look(0, false, 0));
    [(0, 0), (10, 1)].into_iter().for_each(|(at, id)| balance.happened(&event(at, id, EventKind::Began { depth: 0 })));
    [(20, true, 15), (40, true, 35), (50, false, 45), (60, false, 50)]
        .into_iter()
        .for_each(|(at, paused, busy)| balance.take(&look(at, paused, busy)));
    let figures = balance.figures();
    // Looks at which the run is held end and begin held times: all but the last 10 ms.
    let no_processor = figures.time.unwrap()[TimePart::NoProcessor];
    assert!((figures.elapsed_s - 0.010).abs() < 1e-9 && (no_processor - 0.5).abs() < 1e-9, "{figures:?}");
    assert_eq!(figures.at_work, [0.0, 0.0, 1.0]);
}

/// A worker that has a branch all the time: looks by ms, whether in slow motion, with nodes and ms of its processor.
fn searched(looks: &[(u64, bool, u64, u64)]) -> Balance {
    let mut balance = Balance::default();
    for &(at, is_slow, nodes, cpu) in looks {
        let mut seen = frame(at, vec![worker(at, nodes, 0, at, cpu)], Vec::new());
        let Body::Tree(tree) = &mut seen.body else { unreachable!() };
        tree.snapshot.pace = is_slow.then_some(if at > 500 { 1000 } else { 20_000_000 });
        balance.take(&seen);
    }
    balance
}

/// Ten seconds in slow motion, for which a processor worked for 600 ms, and two seconds at full speed.
#[test]
fn nodes_by_processor_time_give_the_seconds_of_searching() {
    let slow = [(0, true, 0, 0), (10_000, true, 10_000, 600)];
    assert_eq!(searched(&slow).figures().nodes_per_cpu_s, None, "a processor that watches tells nothing of the run");
    let fast = [(10_001, false, 10_001, 601), (12_001, false, 300_010_001, 2601)];
    // Half a second at an eighth of full speed counts for a lot where there was little processor time after it.
    let nearly =
        [(0, true, 0, 0), (500, true, 10_000_000, 200), (501, false, 10_000_000, 200), (2000, false, 20_000_000, 300)];
    assert_eq!(searched(&nearly).figures().nodes_per_cpu_s, None);
    let figures = searched(&[slow, fast].concat()).figures();
    let searching = figures.time.unwrap()[TimePart::Searching] * figures.elapsed_s;
    let by_nodes = figures.nodes as f64 / figures.nodes_per_cpu_s.unwrap();
    assert!((searching - by_nodes).abs() < 0.001, "{searching} {by_nodes}");
}

/// Half a second of slow motion is little of ten seconds, but not of the time for which a worker had a processor in them.
#[test]
fn slow_motion_shows_as_long_as_it_is_a_part_of_the_searching() {
    let slow = [(0, true, 0, 0), (500, true, 10_000_000, 200), (501, false, 10_000_000, 200)];
    let [few, all] = [500, 9_800].map(|cpu| searched(&[&slow[..], &[(10_000, false, 20_000_000, cpu)]].concat()));
    assert_eq!([few.is_slowed(), all.is_slowed()], [true, false], "{} {}", few.slow_share(), all.slow_share());
}

/// Ages of workers are whole milliseconds, and those of looks are not.
#[test]
fn a_worker_that_never_waited_has_no_waiting() {
    let (mut balance, mut seen) = (Balance::default(), frame(2000, vec![worker(2000, 9, 0, 2000, 2000)], Vec::new()));
    let Body::Tree(tree) = &mut seen.body else { unreachable!() };
    tree.snapshot.elapsed += Duration::from_micros(700);
    balance.take(&seen);
    assert_eq!(balance.figures().idle_s, 0.0);
}

/// Days of hires take no more memory than a moment.
#[test]
fn figures_do_not_grow() {
    let mut balance = made_up();
    let figures = |balance: &Balance| serde_json::to_string(&balance.figures()).unwrap().len();
    let before = figures(&balance);
    for k in 0..100_000 {
        balance.happened(&hired(200 + 2 * k, 0, 1, k as usize));
        balance.happened(&dry(201 + 2 * k, 1, k));
    }
    assert_eq!(balance.by_depth.len(), DEPTHS);
    let bars = balance.figures().depth_bars();
    assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), balance.hires);
    assert!(bars.len() <= 24 && bars[0].label == "0..10", "{bars:?}");
    assert!(figures(&balance) < before + 2000, "{}", figures(&balance));
}

/// One worker on a quota of 0.05 cores, paused at the third of four looks: the times before and after that look do not count.
/// A recording says the same.
#[test]
fn what_a_quota_took_is_told_apart_from_other_programs() {
    let looks = [(0, 0, 0, false), (1200, 60, 1100, false), (1800, 60, 1700, true), (3000, 120, 2800, false)];
    let balances = [false, true].map(|is_recorded| {
        let mut balance = Balance::default();
        for (at, cpu, held_back, paused) in looks {
            let state = WorkerState::Busy;
            let worker = WorkerSnapshot { state, busy: ms(at), cpu: ms(cpu), ..WorkerSnapshot::default() };
            let began = event(0, 0, EventKind::Began { depth: 0 });
            let mut frame = frame(at, vec![worker], if at == 0 { vec![began] } else { Vec::new() });
            let Body::Tree(tree) = &mut frame.body else { unreachable!("it is a search") };
            tree.snapshot.quota = Some(QuotaUse { cores: 0.05, held_back: ms(held_back) });
            (tree.snapshot.paused, tree.snapshot.cores) = (paused, Some(1));
            let text = serde_json::to_string(&frame).unwrap();
            balance.take(&if is_recorded { serde_json::from_str(&text).unwrap() } else { frame });
        }
        serde_json::to_value(balance.verdicts()).unwrap()
    });
    assert_eq!(balances[0], balances[1]);
    let [quota] = &balances[0].as_array().unwrap()[..] else { panic!("{}", balances[0]) };
    assert_eq!(quota["name"], "quota");
    let sentence = "Its control group allows the time of 0.05 cores: the worker was held back for 1.1 of 1.2 s.";
    assert_eq!(quota["sentence"], sentence);
}
