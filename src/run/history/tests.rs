use super::branch::BranchPart;
use super::*;
use crate::run::frame::TreeFrame;
use proptest::prelude::*;

pub fn ms(at: u64) -> Duration {
    Duration::from_millis(at)
}

/// A frame of a crew in which worker 0 works and the others wait at it.
pub fn frame(at: u64, workers: usize, events: Vec<Event>) -> Frame {
    let waiting = WorkerSnapshot { state: WorkerState::Waiting, waits_at: Some(0), ..WorkerSnapshot::default() };
    let mut all = vec![waiting; workers];
    all[0] = WorkerSnapshot { depth: 7, level: Some(2), ..WorkerSnapshot::default() };
    let snapshot = Snapshot { elapsed: ms(at), workers: all, ..Snapshot::default() };
    Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() })), events }
}

fn event(at: u64, worker: usize, kind: EventKind) -> Event {
    Event { at: ms(at), worker, kind }
}

pub fn hired(at: u64, by: usize, worker: usize, company: &[usize]) -> Event {
    event(at, worker, EventKind::Hired { by, depth: 3, left: Some(4), company: company.to_vec(), entered: None })
}

/// For each worker its depth and the worker that it waits at.
fn standing(past: &RunHistory, moment: Moment) -> Vec<(usize, Option<usize>)> {
    let snapshot = past.snapshot(moment).unwrap();
    snapshot.workers.iter().map(|worker| (worker.depth, worker.waits_at)).collect()
}

/// The one that came after it is of workers that are a little older.
#[test]
fn the_last_look_is_that_of_the_end() {
    let end = || vec![event(100, 0, EventKind::Finished)];
    for (events, kept) in
        [([end(), Vec::new()], [50, 100]), ([Vec::new(), end()], [50, 100]), ([Vec::new(), Vec::new()], [50, 101])]
    {
        let mut past = RunHistory::default();
        let [before, at_end] = events;
        [(50, Vec::new()), (101, before), (100, at_end)]
            .into_iter()
            .for_each(|(at, events)| past.take(frame(at, 2, events)));
        assert_eq!(past.frames().iter().map(|frame| frame.at()).collect::<Vec<_>>(), kept.map(ms));
    }
}

#[test]
fn every_hire_between_two_frames_is_a_moment_of_its_own() {
    let mut past = RunHistory::default();
    past.take(frame(0, 4, Vec::new()));
    let gave = event(30, 1, EventKind::Donated { to: 0, helpers: 1 });
    let dry = event(30, 1, EventKind::Idle { nominee: Some(0), level: Some(4), nodes: 9, put_down: false });
    past.take(frame(100, 4, vec![hired(10, 0, 1, &[3]), hired(20, 0, 2, &[]), dry, gave]));
    let mut moment = past.first();
    assert_eq!(standing(&past, moment), [(7, None), (0, Some(0)), (0, Some(0)), (0, Some(0))]);
    let mut seen = Vec::new();
    while let Some(next) = past.next_event(moment) {
        moment = next;
        seen.push((moment.at, standing(&past, moment)));
    }
    assert_eq!(
        seen,
        [
            (ms(10), vec![(7, None), (3, None), (0, Some(0)), (0, Some(1))]),
            (ms(20), vec![(7, None), (3, None), (3, None), (0, Some(1))]),
            (ms(30), vec![(7, None), (0, Some(0)), (3, None), (0, Some(0))]),
        ]
    );
    assert_eq!(past.snapshot(moment).map(|seen| seen.hires()), Some(2));
    // The way back has the same moments, and ends there.
    let back: Vec<Moment> = std::iter::successors(Some(moment), |&here| past.previous_event(here)).collect();
    assert_eq!(back.iter().map(|moment| moment.at).collect::<Vec<_>>(), [ms(30), ms(20), ms(10)]);
    assert_eq!(past.previous_frame(moment), Some(past.moment(ms(0))));
    assert_eq!(past.next_frame(moment).map(|moment| moment.at), Some(ms(100)));
    assert_eq!(past.next_frame(past.last()), None);
}

/// Worker 0 stands as at the look, worker 2 got its work after it, and worker 1 gave of work that the look does not know.
#[test]
fn depth_and_lowest_level_of_a_worker_are_of_one_moment() {
    let mut past = RunHistory::default();
    past.take(frame(0, 3, Vec::new()));
    past.take(frame(100, 3, vec![hired(10, 0, 2, &[]), hired(20, 1, 0, &[]), hired(30, 0, 1, &[])]));
    let at =
        |at| past.snapshot(past.moment(ms(at))).unwrap().workers.into_iter().map(|worker| (worker.depth, worker.level));
    assert_eq!(at(10).collect::<Vec<_>>(), [(7, Some(2)), (0, None), (3, Some(3))]);
    assert_eq!(at(20).nth(1), Some((4, Some(4))));
}

#[test]
fn a_moment_shows_the_latest_position_by_then_or_else_the_first_after_it() {
    let mut past = RunHistory::default();
    let mut drawing = |at, squares: &[u32]| {
        let mut drawing = Drawing::default();
        drawing.path(squares.iter().copied(), None);
        let mut frame = frame(at, 2, Vec::new());
        let Body::Tree(tree) = &mut frame.body else { unreachable!() };
        tree.positions.push((0, drawing));
        past.take(frame);
    };
    // Before its first burst the worker has published nothing.
    for (at, squares) in [(0, &[][..]), (100, &[]), (200, &[0, 10]), (300, &[]), (400, &[0, 17])] {
        drawing(at, squares);
    }
    let at = |at| past.drawing(0, past.moment(ms(at))).map(|(_, drawing)| drawing.chains[0][1]);
    assert_eq!([0, 50, 199, 200, 350, 400, 999].map(at), [10, 10, 10, 10, 10, 17, 17].map(Some));
    assert_eq!(past.drawing(1, past.moment(ms(400))), None);
}

/// The frame before an event was lost, or another program wrote the run.
#[test]
fn before_the_first_frame_it_is_seen_and_only_once() {
    let mut past = RunHistory::default();
    past.take(frame(100, 3, vec![hired(10, 0, 1, &[]), hired(20, 0, 2, &[])]));
    past.take(frame(200, 3, vec![hired(150, 1, 2, &[])]));
    let before = past.previous_event(past.first()).unwrap();
    assert_eq!(before.at, ms(20));
    let frames = |from, to| past.frames_between(from, to).map(|frame| frame.at()).collect::<Vec<_>>();
    assert_eq!(frames(None, before), [ms(100)]);
    assert_eq!(past.frame(before).map(|frame| frame.at()), Some(ms(100)));
    assert_eq!(frames(Some(before), past.first()), []);
    assert_eq!(frames(Some(before), past.last()), [ms(200)]);
    assert_eq!(past.events_between(None, before).count(), 2);
    let empty = RunHistory::default();
    assert!(empty.frames_between(None, before).count() == 0 && empty.frame(before).is_none());
}

#[test]
fn a_late_event_changes_no_frame_that_includes_it() {
    let mut past = RunHistory::default();
    past.take(frame(100, 3, Vec::new()));
    past.take(frame(200, 3, vec![hired(90, 0, 1, &[]), hired(150, 0, 2, &[])]));
    let seen = past.snapshot(past.moment(ms(150))).unwrap();
    assert_eq!((seen.hires(), seen.workers[1].waits_at, seen.workers[2].waits_at), (1, Some(0), None));
    assert_eq!(past.events().iter().map(|event| event.at).collect::<Vec<_>>(), [ms(90), ms(150)]);
}

proptest! {
    /// Whatever was removed, navigation visits the events in their order, and in reverse order on the way back.
    #[test]
    fn the_way_back_is_the_way_there(times in prop::collection::vec(0u64..50, 0..40), room in 4096usize..65536) {
        let mut past = RunHistory::new(room);
        for (k, chunk) in times.chunks(5).enumerate() {
            let events = chunk.iter().map(|&at| hired(at + 10 * k as u64, 0, 1, &[])).collect();
            past.take(frame(10 * k as u64, 2, events));
        }
        let there: Vec<Moment> = std::iter::successors(past.next_event(Moment::default()), |&m| past.next_event(m)).collect();
        prop_assert_eq!(there.len(), past.events().len());
        prop_assert!(there.is_sorted_by_key(|moment| (moment.at, moment.happened)));
        let back: Vec<Moment> = std::iter::successors(there.last().copied(), |&m| past.previous_event(m)).collect();
        prop_assert!(there.iter().rev().eq(back.iter()));
        for (place, moment) in there.iter().enumerate() {
            prop_assert_eq!(past.event(place), Some(*moment));
        }
    }
}

/// Another program may write a run that stays at one time, or removed back in time.
#[test]
fn frames_of_one_time_are_thinned_by_count_and_memory_stays_bounded() {
    const ROOM: usize = 256 << 10;
    const LAST: u64 = u64::MAX / 1000;
    /// The number of frames, and the time of each.
    type Times = (u64, fn(u64) -> u64);
    let times: [Times; 4] = [(60_000, |_| 0), (5000, |_| LAST), (5000, |k| 5000 - k), (5000, |k| k % 2 * LAST)];
    for (frames, time) in times {
        let mut past = RunHistory::new(ROOM);
        for k in 0..frames {
            past.take(frame(time(k), 8, vec![hired(time(k) / 2, 0, 1, &[])]));
            assert!(past.size[0] + past.size[1] <= ROOM, "{:?}", past.size);
        }
        assert_eq!(past.frames().len() as u64 + past.thinned(), frames);
        let is_one_time = time(0) == time(1);
        assert!(past.frames().len() > 40 || !is_one_time, "{}", past.frames().len());
        assert!(past.events().iter().is_sorted_by_key(|event| event.at));
        assert!([0, LAST].iter().all(|&at| past.snapshot(past.moment(ms(at))).is_some()));
    }
}

#[test]
fn old_frames_lie_further_apart_and_each_removal_is_counted() {
    let mut past = RunHistory::new(256 << 10);
    for at in 0..3000 {
        past.take(frame(at * 100, 8, vec![hired(at * 100, 0, 1, &[])]));
    }
    let kept: Vec<u64> = past.frames().iter().map(|frame| frame.at().as_millis() as u64).collect();
    assert_eq!((kept[0], kept[kept.len() - 1]), (0, 299_900));
    assert_eq!(kept.len() as u64 + past.thinned(), 3000);
    assert_eq!(past.events().len() as u64 + past.forgotten(), 3000);
    let gaps: Vec<u64> = kept.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (old, young) = gaps.split_at(gaps.len() / 2);
    assert!(old.iter().max() > young.iter().max(), "{gaps:?}");
    assert!(past.size[0] + past.size[1] <= 256 << 10, "{:?}", past.size);
}

#[test]
fn long_waits_are_gone_to_at_both_their_ends() {
    let mut past = RunHistory::default();
    let dry =
        |at, worker| event(at, worker, EventKind::Idle { nominee: Some(0), level: Some(4), nodes: 9, put_down: false });
    past.take(frame(0, 4, (1..4).map(|worker| dry(0, worker)).collect()));
    let paused = [EventKind::Paused, EventKind::Resumed].map(|kind| event(50, 0, kind));
    let [from, mut to] = paused;
    to.at = ms(80);
    let events = vec![
        hired(1, 0, 1, &[]),
        hired(1, 0, 2, &[]),
        dry(10, 1),
        hired(12, 2, 1, &[]),
        dry(40, 2),
        from,
        to,
        hired(90, 0, 2, &[]),
        event(100, 0, EventKind::Finished),
    ];
    past.take(frame(100, 4, events));
    let all = |longer| {
        let next = |here| past.wait_beside(here, true, longer);
        std::iter::successors(next(Moment::default()), |(here, _)| next(*here)).collect::<Vec<_>>()
    };
    let told = all(ms(1));
    assert_eq!(
        told.iter().map(|(at, text)| format!("{} {text}", at.at.as_millis())).collect::<Vec<_>>(),
        [
            "0 worker 3 ran dry, and waits 70.0 ms until the run ends",
            "10 worker 1 ran dry, and waits 2.00 ms until worker 2 gives it a branch",
            "12 worker 1 has waited 2.00 ms, until worker 2 gave it a branch",
            // The pause is no time of the run.
            "40 worker 2 ran dry, and waits 20.0 ms until worker 0 gives it a branch",
            "90 worker 2 has waited 20.0 ms, until worker 0 gave it a branch",
            "100 worker 3 has waited 70.0 ms, until the run ended",
        ]
    );
    // The same on the way back, and none shorter than asked for.
    let back = std::iter::successors(past.wait_beside(past.moment(ms(101)), false, ms(1)), |(here, _)| {
        past.wait_beside(*here, false, ms(1))
    });
    assert_eq!(back.collect::<Vec<_>>(), told.into_iter().rev().collect::<Vec<_>>());
    assert_eq!(all(ms(2)).len(), 4);
    assert_eq!(all(ms(70)), []);
    // What began before the first look is gone to there, and nothing is before it.
    let mut late = RunHistory::default();
    late.take(frame(5, 4, vec![dry(0, 1), dry(2, 3)]));
    late.take(frame(20, 4, vec![hired(10, 0, 1, &[])]));
    let first = late.wait_beside(late.moment(ms(10)), false, ms(1)).map(|(here, _)| here);
    assert_eq!(first, Some(late.first()));
    assert_eq!(late.wait_beside(late.first(), false, ms(1)), None);
    // A thread may begin later than the run, or have its first branch before it begins: both waits are as long as the run by then.
    let mut threads = RunHistory::default();
    let began = event(0, 0, EventKind::Began { depth: 0 });
    threads.take(frame(0, 3, vec![began]));
    threads.take(frame(30, 3, vec![dry(7, 1), hired(10, 0, 1, &[]), hired(20, 0, 2, &[])]));
    let (here, text) = threads.wait_beside(Moment::default(), true, ms(8)).unwrap();
    assert_eq!(text, "worker 1 has waited 10.0 ms, until worker 0 gave it a branch");
    let (_, text) = threads.wait_beside(here, true, ms(10)).unwrap();
    assert_eq!(text, "worker 2 has waited 20.0 ms, until worker 0 gave it a branch");
}

#[test]
fn a_branch_that_is_given_as_a_pause_begins_waits_for_its_end() {
    let mut past = RunHistory::default();
    past.take(frame(0, 3, Vec::new()));
    past.take(frame(100, 3, vec![event(10, 0, EventKind::Paused), hired(11, 0, 1, &[])]));
    let states = |at| past.snapshot(past.moment(ms(at))).unwrap().workers.into_iter().map(|worker| worker.state);
    assert_eq!(states(11).collect::<Vec<_>>(), [WorkerState::Paused, WorkerState::Paused, WorkerState::Waiting]);
}

/// A run of four workers in which worker 0 gives worker 1 a branch at 10 ms, out of which three more come.
fn family(meters: &[(u64, [u64; 4])]) -> RunHistory {
    let mut past = RunHistory::default();
    let dry = |at, worker, nodes| {
        event(at, worker, EventKind::Idle { nominee: Some(0), level: None, nodes, put_down: false })
    };
    let mut events = vec![event(0, 0, EventKind::Began { depth: 0 })];
    events.extend((1..4).map(|worker| dry(0, worker, 0)));
    let hires =
        [hired(5, 0, 2, &[]), dry(8, 2, 1000), hired(10, 0, 1, &[]), hired(20, 1, 2, &[]), hired(22, 0, 3, &[])];
    events.extend(hires.into_iter().chain([dry(25, 3, 7), hired(30, 2, 3, &[]), dry(40, 2, 50), dry(40, 1, 200)]));
    // The end of the task before is told late, and a branch of another family follows.
    events.extend([hired(50, 3, 1, &[]), hired(50, 0, 2, &[]), dry(60, 1, 30), dry(70, 3, 4), dry(75, 2, 9000)]);
    let mut gave = 0;
    for &(at, nodes) in meters {
        let until = events.iter().position(|event| event.at > ms(at)).unwrap_or(events.len());
        let mut frame = frame(at, 4, events.drain(..until).collect());
        gave += frame.events.iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })).count() as u64;
        let Body::Tree(tree) = &mut frame.body else { unreachable!() };
        tree.snapshot.workers[0].sharing.hires = gave;
        tree.snapshot.workers.iter_mut().zip(nodes).for_each(|(worker, nodes)| worker.nodes = nodes);
        past.take(frame);
    }
    past
}

/// The lines of a family, as a page tells them.
fn told(past: &RunHistory, at: u64) -> Vec<String> {
    let branch = past.branch(&hired(10, 0, 1, &[]), past.moment(ms(at)), true);
    let line = |part: &BranchPart| {
        let BranchPart { by, worker, below, own, nodes, is_known, is_over, .. } = part;
        format!("{below}: {worker} <- {by} {own:?} {nodes} {}", *is_known && *is_over)
    };
    branch.map_or(Vec::new(), |branch| branch.parts.iter().map(line).collect())
}

#[test]
fn what_became_of_a_branch_is_its_nodes_and_those_of_all_that_came_out_of_it() {
    let frames = [(0, [0; 4]), (35, [500, 120, 1010, 9]), (80, [900, 230, 10_050, 11])];
    let past = family(&frames);
    assert_eq!(told(&past, 9), [""; 0], "it is still to come");
    // Worker 1 has entered 120, worker 2 had 1000 before its branch, and worker 3 had 7.
    assert_eq!(
        told(&past, 35),
        ["0: 1 <- 0 Some(120) 132 false", "1: 2 <- 1 Some(10) 12 false", "2: 3 <- 2 Some(2) 2 false"]
    );
    let whole = [
        "0: 1 <- 0 Some(200) 284 true",
        "1: 2 <- 1 Some(50) 84 true",
        "2: 3 <- 2 Some(4) 34 true",
        "3: 1 <- 3 Some(30) 30 true",
    ];
    assert_eq!(told(&past, 80), whole);
    // A number that is not that of its event is seen.
    let mut wrong = family(&frames);
    let EventKind::Idle { nodes, .. } = &mut wrong.events.iter_mut().rfind(|event| event.worker == 3).unwrap().kind
    else {
        panic!("it ran dry last")
    };
    *nodes += 1;
    assert_ne!(told(&wrong, 80), whole);
    // A branch whose event was lost may have come out of each of them.
    let mut lost = family(&frames);
    let Body::Tree(tree) = &mut Arc::make_mut(lost.frames.back_mut().unwrap()).body else { panic!("a search") };
    tree.snapshot.events_lost = 1;
    assert!(told(&lost, 80).iter().all(|line| line.ends_with("false")), "{:?}", told(&lost, 80));
    // Where the beginning was not seen, the nodes of a branch that has not ended are not known.
    let late = family(&[(4, [0; 4]), (35, [500, 120, 1010, 9])]);
    let mut late = RunHistory { frames: late.frames.into_iter().skip(1).collect(), ..late };
    late.events.drain(..6);
    // Two looks at one time: the second one brings no more events.
    late.frames.push_back(late.frames[0].clone());
    assert!(told(&late, 35)[0].starts_with("0: 1 <- 0 None"), "{:?}", told(&late, 35));
}

/// Worker 1 puts its branch down for a save at 20 ms and goes on with it; worker 2 gets one out of the rest.
#[test]
fn a_branch_goes_on_after_a_save() {
    let stop =
        |worker, nodes, put_down| event(20, worker, EventKind::Idle { nominee: None, level: None, nodes, put_down });
    let begin = |worker| event(25, worker, EventKind::Began { depth: 3 });
    let run = |put_down, keeps| {
        let mut past = RunHistory::default();
        past.take(frame(0, 3, vec![event(0, 0, EventKind::Began { depth: 0 })]));
        let saved = [stop(0, 50, put_down), stop(1, 30, put_down), begin(0), begin(1)];
        let mut last =
            frame(40, 3, [hired(10, 0, 1, &[])].into_iter().chain(saved).chain([hired(30, 1, 2, &[])]).collect());
        let Body::Tree(tree) = &mut last.body else { unreachable!() };
        (tree.snapshot.workers[1].nodes, tree.snapshot.workers[2].nodes) = (37, 4);
        past.take(last);
        let branch = past.branch(&hired(10, 0, 1, &[]), past.moment(ms(40)), keeps).unwrap();
        (keeps.then(|| told(&past, 40)), branch.parts[0].ended, branch.saved_at)
    };
    let lines = ["0: 1 <- 0 Some(37) 41 false", "1: 2 <- 1 Some(4) 4 false"].map(str::to_owned).to_vec();
    assert_eq!(run(true, true), (Some(lines), None, None));
    // Under rayon any thread may go on with it.
    assert_eq!(run(true, false), (None, Some(ms(20)), Some(ms(25))));
    // In a recording of before no event tells who goes on with it.
    assert_eq!(run(false, true), (Some(vec!["0: 1 <- 0 Some(30) 30 true".to_owned()]), Some(ms(20)), Some(ms(25))));
}

#[test]
fn a_path_is_of_the_branch_or_not_told() {
    let path = |shown: &[(u64, &[u32])]| {
        let (mut past, hire) = (RunHistory::default(), hired(20, 0, 2, &[]));
        let began = [event(0, 0, EventKind::Began { depth: 0 })];
        past.take(frame(0, 4, [&began[..], std::slice::from_ref(&hire)].concat()));
        for &(at, squares) in shown {
            let (mut drawing, mut frame) = (Drawing::default(), frame(at, 4, Vec::new()));
            drawing.path(squares.iter().copied(), None);
            let Body::Tree(tree) = &mut frame.body else { unreachable!() };
            tree.positions.push((2, drawing));
            past.take(frame);
        }
        past.branch(&hire, past.last(), true)?.path
    };
    let of_branch: &[u32] = &[0, 10, 4, 21];
    assert_eq!(path(&[]), None);
    assert_eq!(path(&[(29, of_branch)]), None, "it may be older than the hire");
    assert_eq!(path(&[(29, &[0, 17, 34]), (39, &[0, 10]), (49, of_branch)]), Some(vec![0, 10, 4]));
    assert_eq!(path(&[(9, of_branch), (29, of_branch)]), None);
    assert_eq!(path(&[(9, &[0, 17, 34]), (29, of_branch), (39, &[0, 10, 4, 27])]), Some(vec![0, 10, 4]));
}
