//! Pause, resume, step, slow motion, stop, deadline and hand-over rule: how a run is controlled from outside.
//!
//! A worker reads one atomic per burst ([`Control::attention`]). While it is clear, the worker continues. Otherwise the
//! worker asks [`Control::permit`] how many nodes it may enter, and waits there while the run is paused or slowed. So every
//! request reaches every worker within one burst.
//!
//! A run that is saved to a file takes a break from time to time. Every worker puts down its work and stops, as if the run
//! had been stopped. When the file is written, the workers begin again with that work.

use crate::lock::{self, LockAlways as _};
use crate::save_request;
use crate::search::HandOver;
use crate::stop::{Stop, StopReason};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a worker may do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Permit {
    /// Enter as many nodes as a burst holds.
    Run,
    /// Enter this many nodes, then ask again.
    Nodes(u64),
    /// Keep the work that is left, and stop.
    Stop,
}

/// State of one worker between two calls of [`Control::permit`].
#[derive(Debug, Default)]
pub struct PermitState {
    /// Single steps that it has made or skipped.
    pub(super) steps_taken: u64,
    due: Option<Instant>,
    /// Requests made when the last permit was granted.
    granted_at: u64,
}

#[derive(Debug, Default)]
struct ControlRequests {
    paused: bool,
    /// When a pause last began or ended, and how long all pauses took that had ended by then.
    turned: Option<Instant>,
    stood: Duration,
    /// Number of single steps requested since the run began, and how many of them before this pause.
    steps: u64,
    steps_before: u64,
    /// Nodes per second that each worker may enter.
    pace: Option<u32>,
    /// When the limit was last set or lifted.
    pace_since: Option<Instant>,
    /// Whether all workers are to stop for a break.
    break_due: bool,
    /// When a request was last made, and what was held up until then.
    made_at: Option<Instant>,
    held: HeldTime,
}

impl ControlRequests {
    fn set_paused(&mut self, paused: bool) {
        if self.paused != paused {
            let now = Instant::now();
            self.stood = self.pauses(now).stood;
            (self.paused, self.turned, self.steps_before) = (paused, Some(now), self.steps);
        }
    }

    fn pauses(&self, now: Instant) -> Pauses {
        let since = self.turned.filter(|_| self.paused).map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        Pauses { at: now, is_paused: self.paused, turned: self.turned, stood: self.stood + since }
    }

    /// How long the run has been held up until now.
    fn held(&self, now: Instant) -> HeldTime {
        let HeldTime { mut paused, mut slowed } = self.held;
        let since = self.made_at.map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        if self.paused {
            paused += since;
        } else if self.pace.is_some() {
            slowed += since;
        }
        HeldTime { paused, slowed }
    }
}

/// The pauses of a run as of a moment, with those in which single steps are made.
#[derive(Clone, Copy, Debug)]
pub struct Pauses {
    pub(super) at: Instant,
    pub(super) is_paused: bool,
    /// When a pause last began or ended.
    pub(super) turned: Option<Instant>,
    /// How long they have taken.
    pub(super) stood: Duration,
}

/// How long a run was paused, and how long it was in slow motion, by the clock on the wall.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct HeldTime {
    pub(super) paused: Duration,
    pub(super) slowed: Duration,
}

/// A time between two changes from full speed to slow motion or back. In slow motion every node is counted by its depth, at
/// full speed a sample of them, where counting costs speed; what was counted in one round is not added to that of another.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CountingRound(u32);

impl CountingRound {
    /// Whether it is one of slow motion, in which every node is counted by its depth.
    pub fn is_slow(self) -> bool {
        !self.0.is_multiple_of(2)
    }
}

/// When the next break is due.
#[derive(Debug)]
struct Breaks {
    /// Time between the end of a break and the next break.
    every: Duration,
    since: Instant,
    /// Time of the next break, in nanoseconds since `since`.
    due: AtomicU64,
}

/// The control of a run, shared by all its workers.
#[derive(Debug)]
pub struct Control {
    attention: AtomicBool,
    next_rule: AtomicBool,
    deadline: Option<Instant>,
    breaks: Option<Breaks>,
    stop: Stop,
    /// Number of requests made: a permit from before the last one is void.
    made: AtomicU64,
    /// Number of requests by which the run was held, or is: even while it is not.
    held: AtomicU64,
    /// Number of changes from full speed to slow motion and back.
    round: AtomicU32,
    requests: Mutex<ControlRequests>,
    changed: Condvar,
}

/// In slow motion a worker wakes at most this many times per second. Above 50 nodes per second it enters several nodes at a time.
const TICKS_PER_S: u32 = 50;
/// How often a worker that waits looks for a [request to save](save_request).
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A time in nanoseconds; one of more than 584 years is never over.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Control {
    /// Control of a run with this rule, which stops by itself at the deadline and takes a break after each `breaks_every`.
    pub fn new(rule: HandOver, deadline: Option<Instant>, breaks_every: Option<Duration>) -> Control {
        let control = Control {
            attention: AtomicBool::new(false),
            next_rule: AtomicBool::new(false),
            deadline,
            breaks: breaks_every.map(|every| Breaks {
                every,
                since: Instant::now(),
                due: AtomicU64::new(nanos(every)),
            }),
            stop: Stop::default(),
            made: AtomicU64::new(0),
            held: AtomicU64::new(0),
            round: AtomicU32::new(0),
            requests: Mutex::default(),
            changed: Condvar::new(),
        };
        control.set_hand_over(rule);
        control
    }

    /// The rule by which branches are handed over.
    pub fn hand_over(&self) -> HandOver {
        if self.next_rule.load(Ordering::Relaxed) { HandOver::Next } else { HandOver::Shallowest }
    }

    /// Changes the hand-over rule, also during the run.
    pub fn set_hand_over(&self, rule: HandOver) {
        self.next_rule.store(rule == HandOver::Next, Ordering::Relaxed);
    }

    /// Stops every worker before its next node.
    pub fn pause(&self) {
        self.request(|requests| requests.set_paused(true));
    }

    /// Pauses a run before its first node, as of the moment when it began.
    pub(super) fn pause_since(&self, began: Instant) {
        self.request(|requests| {
            (requests.paused, requests.turned, requests.made_at) = (true, Some(began), Some(began));
        });
    }

    /// Resumes a paused run.
    pub fn resume(&self) {
        self.request(|requests| requests.set_paused(false));
    }

    /// Whether the run is paused.
    pub fn is_paused(&self) -> bool {
        self.lock().paused
    }

    /// The pauses up to now.
    pub(super) fn pauses(&self) -> Pauses {
        self.lock().pauses(Instant::now())
    }

    /// How long the run has been held up so far.
    pub(super) fn held(&self) -> HeldTime {
        self.lock().held(Instant::now())
    }

    /// Pauses the run, and lets every busy worker enter one node.
    pub fn step(&self) {
        self.request(|requests| {
            requests.set_paused(true);
            requests.steps += 1;
        });
    }

    /// Limits every worker to this many nodes per second; `None` lifts the limit.
    pub fn set_pace(&self, nodes_per_s: Option<u32>) {
        self.request(|requests| {
            if requests.pace.is_some() != nodes_per_s.is_some() {
                self.round.fetch_add(1, Ordering::Relaxed);
                requests.pace_since = Some(Instant::now());
            }
            requests.pace = nodes_per_s.map(|n| n.max(1));
        });
    }

    /// The present round of counting by depth; cheap enough for every burst.
    #[inline]
    pub(in crate::schedule) fn counting_round(&self) -> CountingRound {
        CountingRound(self.round.load(Ordering::Relaxed))
    }

    /// The present round of counting, and when it began, unless that was with the run.
    pub(in crate::schedule) fn counting(&self) -> (CountingRound, Option<Instant>) {
        let requests = self.lock();
        (self.counting_round(), requests.pace_since)
    }

    /// Limit of every worker in nodes per second, if there is one.
    pub fn pace(&self) -> Option<u32> {
        self.lock().pace
    }

    /// Stops the run; the first reason is kept.
    pub fn stop(&self, reason: StopReason) {
        self.request(|_| self.stop.ask(reason));
    }

    /// The number of pauses and changes of speed so far, by which two moments are compared; `None` while the run is paused or in
    /// slow motion.
    pub(in crate::schedule) fn undisturbed(&self) -> Option<u64> {
        Some(self.held.load(Ordering::Relaxed)).filter(|held| held.is_multiple_of(2))
    }

    /// Why the run was told to stop, if it was.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stop.reason()
    }

    /// Whether a worker must ask for a permit before its next burst; cheap enough for every burst.
    #[inline]
    pub(in crate::schedule) fn attention(&self) -> bool {
        self.attention.load(Ordering::Relaxed)
    }

    /// Whether every worker is to put down its work, because the run stops or takes a break. From then on a branch that
    /// changes hands is put down by the worker that gets it: it counts as no hire, and helpers that move count as no
    /// donation.
    pub(in crate::schedule) fn is_stopping(&self) -> bool {
        self.attention() && self.stops(&self.lock())
    }

    /// Whether all workers put down their work for a break, after which they go on with it.
    pub(in crate::schedule) fn is_in_break(&self) -> bool {
        self.attention() && self.lock().break_due && !self.stop.is_asked()
    }

    fn stops(&self, requests: &ControlRequests) -> bool {
        self.stop.is_asked() || requests.break_due
    }

    /// Stops the run when the deadline has passed, and starts a break when one is due.
    #[inline]
    pub(in crate::schedule) fn check_deadline(&self, now: Instant) {
        if self.deadline.is_some_and(|deadline| now >= deadline) && !self.attention() {
            self.stop(StopReason::Deadline);
        }
        let Some(Breaks { since, due, .. }) = &self.breaks else { return };
        let now = now.saturating_duration_since(*since).as_nanos() as u64;
        let at = due.load(Ordering::Relaxed);
        // Of the workers that see it, one starts the break.
        let is_due = now >= at && due.compare_exchange(at, u64::MAX, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        // A break that is due answers a request, too.
        if save_request::take() | is_due {
            self.request_break();
        }
    }

    /// Starts a break: every worker puts down its work and stops.
    pub(in crate::schedule) fn request_break(&self) {
        self.request(|requests| requests.break_due = true);
    }

    /// Ends a break for which all workers have stopped, and sets the time of the next one. Answers whether there was a
    /// break.
    pub(in crate::schedule) fn end_break(&self) -> bool {
        let Some(Breaks { every, since, due }) = &self.breaks else { return false };
        let mut was = false;
        self.request(|requests| was = std::mem::take(&mut requests.break_due));
        if was {
            due.store(nanos(since.elapsed().saturating_add(*every)), Ordering::Relaxed);
        }
        was
    }

    /// Answers what a worker may do. Waits while the worker may do nothing, and calls `waiting` before it waits, with
    /// the pauses so far.
    pub fn permit(&self, own: &mut PermitState, mut waiting: impl FnMut(Pauses)) -> Permit {
        let mut requests = self.lock();
        let mut announced = None;
        loop {
            let now = Instant::now();
            if self.deadline.is_some_and(|deadline| now >= deadline) {
                self.stop.ask(StopReason::Deadline);
            }
            if self.breaks.is_some() && save_request::take() {
                self.apply(&mut requests, |requests| requests.break_due = true);
            }
            let wait = match self.decide(&requests, own, now) {
                Ok(permit) => {
                    own.granted_at = self.made.load(Ordering::Relaxed);
                    return permit;
                }
                Err(wait) => wait,
            };
            // A worker that waits for its next node may be paused meanwhile.
            if announced.replace(requests.paused) != Some(requests.paused) {
                waiting(requests.pauses(now));
            }
            let until_deadline = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
            // No request to save wakes a waiting worker.
            let until_look = self.breaks.as_ref().map(|_| LOOK_EVERY);
            requests = match [wait, until_deadline, until_look].into_iter().flatten().min() {
                Some(time) => self.changed.wait_timeout(requests, time).unwrap_or_else(PoisonError::into_inner).0,
                None => lock::wait(&self.changed, requests),
            };
        }
    }

    /// The worker has just got its work: single steps that were requested before are those of workers that had a branch then.
    pub(in crate::schedule) fn skip_steps(&self, own: &mut PermitState) {
        if self.attention() {
            own.steps_taken = self.lock().steps;
        }
    }

    /// Whether the last permit of a worker still holds, because nothing was requested since.
    pub(in crate::schedule) fn holds(&self, own: &PermitState) -> bool {
        own.granted_at == self.made.load(Ordering::Relaxed)
    }

    /// A permit, or the time to wait for one (`None`: until a request changes).
    fn decide(
        &self,
        requests: &ControlRequests,
        own: &mut PermitState,
        now: Instant,
    ) -> Result<Permit, Option<Duration>> {
        if self.stops(requests) {
            return Ok(Permit::Stop);
        }
        if requests.paused {
            own.due = None;
            own.steps_taken = own.steps_taken.max(requests.steps_before);
            if own.steps_taken < requests.steps {
                own.steps_taken += 1;
                return Ok(Permit::Nodes(1));
            }
            return Err(None);
        }
        let Some(pace) = requests.pace else {
            own.due = None;
            return Ok(Permit::Run);
        };
        let nodes = pace.div_ceil(TICKS_PER_S);
        let tick = Duration::from_secs_f64(f64::from(nodes) / f64::from(pace));
        // The first node of a worker takes its time, as every other one does; so does the first one after a pause.
        let due = *own.due.get_or_insert(now + tick);
        if now < due && due - now <= tick {
            return Err(Some(due - now));
        }
        // A worker that fell behind does not enter the missed nodes in a rush.
        let from = if due + tick > now { due.min(now) } else { now };
        own.due = Some(from + tick);
        Ok(Permit::Nodes(u64::from(nodes)))
    }

    fn request(&self, change: impl FnOnce(&mut ControlRequests)) {
        self.apply(&mut self.lock(), change);
    }

    fn apply(&self, requests: &mut ControlRequests, change: impl FnOnce(&mut ControlRequests)) {
        let now = Instant::now();
        (requests.held, requests.made_at) = (requests.held(now), Some(now));
        let is_held = |requests: &ControlRequests| requests.paused || requests.pace.is_some();
        let was_held = is_held(requests);
        change(requests);
        self.made.fetch_add(1, Ordering::Relaxed);
        let held = self.held.load(Ordering::Relaxed);
        if was_held || is_held(requests) {
            self.held.store((held / 2 + 1) * 2 + u64::from(is_held(requests)), Ordering::Relaxed);
        }
        let attention = is_held(requests) || self.stops(requests);
        self.attention.store(attention, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Locks the requests. A panic elsewhere cannot leave them half changed, so a poisoned lock is used as it is.
    fn lock(&self) -> MutexGuard<'_, ControlRequests> {
        self.requests.locked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control() -> Control {
        Control::new(HandOver::Shallowest, None, None)
    }

    #[test]
    fn a_free_run_needs_no_attention() {
        let control = control();
        assert!(!control.attention());
        assert_eq!(control.permit(&mut PermitState::default(), |_| ()), Permit::Run);
    }

    #[test]
    fn a_break_stops_every_worker_until_it_ends_and_a_stop_is_no_break() {
        let control = Control::new(HandOver::Shallowest, None, Some(Duration::from_millis(1)));
        assert!(!control.end_break());
        std::thread::sleep(Duration::from_millis(2));
        control.check_deadline(Instant::now());
        assert!(control.attention());
        assert_eq!(control.permit(&mut PermitState::default(), |_| ()), Permit::Stop);
        assert_eq!((control.end_break(), control.end_break(), control.attention()), (true, false, false));
        assert_eq!(control.permit(&mut PermitState::default(), |_| ()), Permit::Run);
        control.stop(StopReason::Asked);
        assert!(!control.end_break());
    }

    #[test]
    fn a_break_after_an_age_is_not_due() {
        for every in
            [Duration::MAX, Duration::from_secs(1 << 40), Duration::from_nanos(u64::MAX) + Duration::from_nanos(1)]
        {
            let control = Control::new(HandOver::Shallowest, None, Some(every));
            for _ in 0..2 {
                control.check_deadline(Instant::now());
                assert!(!control.attention(), "{every:?}");
                // One that is asked for sets the time of the next.
                control.request_break();
                assert!(control.end_break());
            }
        }
    }

    #[test]
    fn a_step_grants_one_node_to_each_worker_and_leaves_the_run_paused() {
        let control = control();
        control.step();
        control.step();
        for own in &mut [PermitState::default(), PermitState::default()] {
            assert_eq!(control.permit(own, |_| ()), Permit::Nodes(1));
            assert_eq!(control.permit(own, |_| ()), Permit::Nodes(1));
            let requests = control.lock();
            assert_eq!(control.decide(&requests, own, Instant::now()), Err(None));
        }
        assert!(control.is_paused());
    }

    #[test]
    fn a_pause_is_held_up_apart_from_slow_motion_with_its_single_steps() {
        let (control, some) = (control(), Duration::from_millis(2));
        control.pause();
        std::thread::sleep(some);
        control.step();
        let HeldTime { paused, slowed } = control.held();
        std::thread::sleep(some);
        let stepped = control.held();
        assert!(paused >= some && stepped.paused >= paused + some && stepped.slowed == slowed);
        control.set_pace(Some(1));
        control.resume();
        let HeldTime { paused, slowed } = control.held();
        std::thread::sleep(some);
        let paced = control.held();
        assert!(paced.paused == paused && paced.slowed >= slowed + some);
        control.set_pace(None);
        let HeldTime { paused, slowed } = control.held();
        std::thread::sleep(some);
        let free = control.held();
        assert_eq!([free.paused, free.slowed], [paused, slowed]);
    }

    #[test]
    fn steps_asked_for_before_a_resume_are_not_saved_up() {
        let control = control();
        control.step();
        control.resume();
        let own = &mut PermitState::default();
        assert_eq!(control.permit(own, |_| ()), Permit::Run);
        control.pause();
        let requests = control.lock();
        assert_eq!(control.decide(&requests, own, Instant::now()), Err(None));
    }

    /// Neither from the pause before, in which it had no branch, nor from this one.
    #[test]
    fn a_worker_that_was_hired_makes_no_step_of_earlier() {
        let (control, own) = (control(), &mut PermitState::default());
        (0..3).for_each(|_| control.step());
        control.resume();
        control.pause();
        let decide = |own: &mut PermitState| control.decide(&control.lock(), own, Instant::now());
        assert_eq!(decide(own), Err(None));
        let hired = &mut PermitState::default();
        (0..2).for_each(|_| control.step());
        control.skip_steps(hired);
        assert_eq!(
            [decide(hired), decide(own), decide(own), decide(own)].map(|permit| permit.is_ok()),
            [false, true, true, false]
        );
        control.step();
        assert_eq!([decide(hired), decide(hired)], [Ok(Permit::Nodes(1)), Err(None)]);
    }

    #[test]
    fn slow_motion_waits_for_the_tick_and_grants_one_node() {
        let control = control();
        control.set_pace(Some(2));
        let own = &mut PermitState::default();
        let requests = control.lock();
        let now = Instant::now();
        let wait = control.decide(&requests, own, now).unwrap_err().unwrap();
        assert_eq!(wait, Duration::from_millis(500));
        assert_eq!(control.decide(&requests, own, now + wait), Ok(Permit::Nodes(1)));
        assert_eq!(control.decide(&requests, own, now + wait), Err(Some(wait)));
        assert_eq!(control.decide(&requests, own, now + 2 * wait), Ok(Permit::Nodes(1)));
        // Ten seconds later: one node, not twenty.
        let later = now + Duration::from_secs(10);
        assert_eq!(control.decide(&requests, own, later), Ok(Permit::Nodes(1)));
        assert!(control.decide(&requests, own, later).is_err());
        // A higher pace is that of a worker that waits, too: what it waits for is over.
        drop(requests);
        control.set_pace(Some(1000));
        let requests = control.lock();
        assert!(matches!(control.decide(&requests, own, later), Ok(Permit::Nodes(_))));
    }

    #[test]
    fn after_a_pause_the_first_node_takes_its_time() {
        let control = control();
        control.set_pace(Some(2));
        let (own, now, tick) = (&mut PermitState::default(), Instant::now(), Duration::from_millis(500));
        assert_eq!(control.decide(&control.lock(), own, now), Err(Some(tick)));
        control.pause();
        assert_eq!(control.decide(&control.lock(), own, now + tick), Err(None));
        control.resume();
        assert_eq!(control.decide(&control.lock(), own, now + tick), Err(Some(tick)));
        assert_eq!(control.decide(&control.lock(), own, now + 2 * tick), Ok(Permit::Nodes(1)));
    }

    #[test]
    fn stop_wins_over_pause_and_keeps_its_first_reason() {
        let control = control();
        control.pause();
        control.stop(StopReason::Limit);
        control.stop(StopReason::Asked);
        assert_eq!(control.permit(&mut PermitState::default(), |_| ()), Permit::Stop);
        assert_eq!(control.stop_reason(), Some(StopReason::Limit));
    }

    #[test]
    fn a_passed_deadline_stops_also_a_paused_run() {
        let control = Control::new(HandOver::Next, Some(Instant::now()), None);
        control.pause();
        assert_eq!(control.permit(&mut PermitState::default(), |_| ()), Permit::Stop);
        assert_eq!(control.stop_reason(), Some(StopReason::Deadline));
    }
}
