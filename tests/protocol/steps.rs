//! The protocol step by step: one thread holds the tokens of all workers, since no call but an unanswered wait blocks.

use super::{
    protocol::{Busy, HireProtocol, Idle, WaitOutcome},
    slot::{Company, NOTHING_TO_GIVE, Nomination, NominationScope, Nominee, Served},
};

/// The tokens of `workers` whose first `levels.len()` are busy, at these levels.
fn crew<'a>(protocol: &'a HireProtocol<u32>, levels: &[u32]) -> Vec<Busy<'a, u32>> {
    let busy: Vec<_> = (0..levels.len()).map(|me| hired(protocol.enter(me)).0).collect();
    busy.iter().zip(levels).for_each(|(busy, &level)| busy.set_level(level));
    busy
}

fn protocol(workers: usize, busy: u32) -> HireProtocol<u32> {
    HireProtocol::new(workers, 0, NominationScope::All, 0..busy)
}

fn hired<'a>(idle: Idle<'a, u32>) -> (Busy<'a, u32>, u32, Option<usize>, usize) {
    match idle.wait() {
        WaitOutcome::Hired { busy, task, by, helpers } => (busy, task, by, helpers),
        WaitOutcome::Finished => panic!("there is work"),
    }
}

fn ends(idle: Idle<'_, u32>) -> bool {
    matches!(idle.wait(), WaitOutcome::Finished)
}

#[test]
fn the_lowest_level_is_nominated_and_gets_the_helpers() {
    // 4 begins at 0, which is dealt the first helper.
    let protocol = protocol(5, 4);
    let mut busy = crew(&protocol, &[3, 7, 2, NOTHING_TO_GIVE]);
    assert_eq!(protocol.waits_at(4), Some(0));
    let first = busy.remove(0).report();
    assert_eq!(first.nomination(), Nomination { whom: Some(2), donated: 1 });
    assert_eq!([protocol.waits_at(0), protocol.waits_at(4), protocol.waits_at(1)], [Some(2), Some(2), None]);
    assert_eq!(protocol.idle(), 2);

    let [one, two, three] = busy.try_into().ok().expect("three are busy");
    let idle_two = two.report();
    assert_eq!(idle_two.nomination(), Nomination { whom: Some(1), donated: 2 });
    assert_eq!((first.donated(), idle_two.donated()), (&[4][..], &[0, 4][..]));
    let idle_one = one.report();
    assert_eq!(
        idle_one.nomination(),
        Nomination { whom: Some(3), donated: 3 },
        "a worker that has nothing to give is nominated last"
    );
    let idle_three = three.report();
    assert_eq!(idle_three.nomination(), Nomination { whom: None, donated: 4 }, "the last worker announces the end");
    assert!([first, idle_two, idle_one, idle_three, protocol.enter(4)].into_iter().all(ends));
}

/// Else all that fall idle at one time wait at the lowest number.
#[test]
fn of_equal_levels_the_next_worker_is_nominated() {
    let protocol = protocol(4, 4);
    let mut busy = crew(&protocol, &[5; 4]);
    let one = busy.remove(1).report();
    let three = busy.remove(2).report();
    let nominated = [&one, &three].map(|idle| idle.nomination().whom);
    // A failure while workers wait for each other would wait, too.
    let rest: Vec<_> = busy.into_iter().map(Busy::report).collect();
    assert!([one, three].into_iter().chain(rest).all(ends));
    assert_eq!(nominated, [Some(2), Some(0)], "the first is next to the last");
}

#[test]
fn a_drawn_nomination_is_a_worker_with_something_to_give() {
    let protocol = HireProtocol::new(300, 0, NominationScope::Drawn(2), 0..300);
    let mut levels = [NOTHING_TO_GIVE; 300];
    (levels[70], levels[220]) = (5, 4);
    let busy = crew(&protocol, &levels);
    let mut nominated = [0; 300];
    let (asking, others): (Vec<_>, Vec<_>) =
        busy.into_iter().enumerate().partition(|(worker, _)| ![70, 220].contains(worker));
    let waiting: Vec<_> = asking.into_iter().map(|(_, busy)| busy.report()).collect();
    waiting.iter().filter_map(|idle| idle.nomination().whom).for_each(|whom| nominated[whom] += 1);
    assert_eq!(nominated[70] + nominated[220], 298);
    assert!(nominated[220] > nominated[70], "drawn together, the lower level wins: {nominated:?}");
    drop(others);
    assert!(waiting.into_iter().all(ends));
}

#[test]
fn the_steps_of_a_report_can_be_taken_one_by_one() {
    let protocol = protocol(4, 3);
    let [zero, one, two] = crew(&protocol, &[3, 2, 1]).try_into().ok().expect("three are busy");
    let seeker = zero.retire();
    assert_eq!((protocol.idle(), seeker.look()), (2, Nominee { whom: Some(2), looked: 4 }));
    // The nominated worker leaves before a helper has attached to it.
    let gone = two.report();
    assert_eq!(gone.nomination(), Nomination { whom: Some(1), donated: 0 });
    let seeker = seeker.join(Some(2)).err().expect("2 has closed");
    assert_eq!(seeker.look().whom, Some(1));
    let waiting = seeker.join(Some(1)).ok().expect("1 is busy");
    assert_eq!(waiting.nomination(), Nomination { whom: Some(1), donated: 1 });
    let waiting = waiting.answer().err().expect("no worker has answered");
    let last = one.retire();
    assert_eq!(last.look().whom, None);
    let last = last.join(None).ok().expect("the end has come");
    assert_eq!(last.nomination(), Nomination { whom: None, donated: 3 });
    assert!(waiting.answer().is_ok_and(|outcome| matches!(outcome, WaitOutcome::Finished)));
    assert!([last, gone, protocol.enter(3)].into_iter().all(ends));
}

#[test]
fn a_seeker_that_is_dropped_donates_its_helpers() {
    let protocol = protocol(3, 2);
    let [zero, one] = crew(&protocol, &[1, 1]).try_into().ok().expect("two are busy");
    drop(zero.retire());
    assert_eq!(protocol.waits_at(2), Some(1), "the helper of 0 waits at 1 now");
    assert_eq!(one.leave(), Nomination { whom: None, donated: 1 });
    assert!(ends(protocol.enter(2)));
}

#[test]
fn equal_seeds_give_equal_draws() {
    let drawn = |seed| {
        let protocol = HireProtocol::new(100, 0, NominationScope::Drawn(1), 0..100).seeded(seed);
        let busy = crew(&protocol, &[1; 100]);
        let drawn: Vec<_> =
            busy.into_iter().take(50).map(|busy| busy.retire()).map(|seeker| seeker.look().whom).collect();
        drawn
    };
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
}

#[test]
fn half_of_the_rest_go_along_with_the_helper_that_waited_longest() {
    let protocol = protocol(7, 1);
    let [mut boss] = crew(&protocol, &[0]).try_into().ok().expect("one is busy");
    let served = boss.serve(Company::Half, |_, _| Some(10));
    assert_eq!(served, Served { hired: Some(1), handed: vec![3, 2], waiting: 3 });
    let (mut first, task, by, helpers) = hired(protocol.enter(1));
    assert_eq!((task, by, helpers), (10, Some(0), 2));
    assert_eq!([2, 3, 4, 5, 6].map(|helper| protocol.waits_at(helper)), [Some(1), Some(1), Some(0), Some(0), Some(0)]);
    let served = first.serve(Company::Half, |_, _| Some(11));
    assert_eq!(served, Served { hired: Some(2), handed: vec![], waiting: 1 });
    let served = boss.serve(Company::Half, |_, _| Some(12));
    assert_eq!(served, Served { hired: Some(4), handed: vec![5], waiting: 1 });
    drop([boss, first, hired(protocol.enter(2)).0, hired(protocol.enter(4)).0]);
    assert!([3, 5, 6].into_iter().all(|helper| ends(protocol.enter(helper))));
}

#[test]
fn no_helper_goes_along_by_the_rule_of_the_source() {
    let protocol = protocol(4, 1);
    let [mut boss] = crew(&protocol, &[0]).try_into().ok().expect("one is busy");
    assert_eq!(boss.serve(Company::None, |_, _| Some(10)), Served { hired: Some(1), handed: vec![], waiting: 2 });
    let (mut first, ..) = hired(protocol.enter(1));
    assert_eq!(first.serve(Company::None, |_, _| panic!("no helper waits here")), Served::default());
    // The same helper comes back, and has to let the others go first.
    let back = first.report();
    assert_eq!(back.nomination(), Nomination { whom: Some(0), donated: 0 });
    let order: Vec<_> = (11..14).map(|task| boss.serve(Company::None, |_, _| Some(task)).hired).collect();
    assert_eq!(order, [Some(2), Some(3), Some(1)]);
    assert_eq!(hired(back).1, 13);
}

#[test]
fn helpers_are_kept_until_there_is_something_to_give() {
    let protocol = protocol(3, 2);
    let [mut zero, one] = crew(&protocol, &[1, 1]).try_into().ok().expect("two are busy");
    assert_eq!(zero.serve(Company::Half, |_, _| None), Served { hired: None, handed: vec![], waiting: 1 });
    assert_eq!(zero.waiting(), 1);
    assert_eq!(one.leave(), Nomination { whom: None, donated: 0 }, "no helper waited there");
    assert_eq!(zero.serve(Company::Half, |_, _| Some(5)), Served { hired: Some(2), handed: vec![], waiting: 0 });
    // Worker 1 has gone and is not nominated.
    let zero = zero.report();
    assert_eq!(zero.nomination().whom, Some(2));
    drop(hired(protocol.enter(2)));
    assert!(ends(zero));
}
