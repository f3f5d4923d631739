//! The frames and events of a run in bounded memory, so that a view can go back to any moment.
//!
//! ```text
//!   frames   |0      |1   |2   |3   |4  |5  |6 |7 |8 |9|10   new frames lie close together, old ones further apart
//!   events   |.::::.  .             .                  .     the events show what changed between two frames
//! ```
//!
//! A [`Moment`] is a time, and how many of the events at exactly that time have happened. So each of a hundred hires
//! between two frames is a moment of its own. The state at an event is the last frame before it, changed by the events
//! since.
//!
//! When frames and events exceed their memory limit, some are removed and counted. Frames closest together for their age go first;
//! of too many frames with one time, every second one. Of the events, those that report a worker without work go first.
//! Then the oldest go, but not the first few thousand, because the sharing begins there.

use super::clock::RunClock;
use super::frame::{Body, Frame};
use crate::event::{Event, EventKind};
use crate::gpu::map::Map;
use crate::run::frame::TreeFrame;
use crate::schedule::{Snapshot, WorkerSnapshot, WorkerState};
use crate::search::Drawing;
use std::collections::{VecDeque, vec_deque};
use std::sync::Arc;
use std::time::Duration;

pub mod branch;
#[cfg(test)]
mod tests;
mod waits;

/// So long after the end of a run it may be looked at for the last time.
const MOMENT: Duration = Duration::from_secs(1);

/// Default memory limit of a history, in bytes.
pub const ROOM: usize = 64 << 20;

/// A moment of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Moment {
    /// Time since the run began.
    pub at: Duration,
    /// How many of the events at exactly this time have happened.
    pub happened: usize,
}

/// The frames and events of a run, within a memory limit.
#[derive(Clone, Debug)]
pub struct RunHistory {
    frames: VecDeque<Arc<Frame>>,
    events: VecDeque<Event>,
    clock: RunClock,
    room: usize,
    /// Bytes that the frames take, and bytes that the events take.
    size: [usize; 2],
    thinned: u64,
    forgotten: u64,
}

impl Default for RunHistory {
    fn default() -> RunHistory {
        RunHistory::new(ROOM)
    }
}

impl RunHistory {
    /// An empty history with a memory limit of `room` bytes.
    pub fn new(room: usize) -> RunHistory {
        RunHistory {
            frames: VecDeque::new(),
            events: VecDeque::new(),
            clock: RunClock::default(),
            room,
            size: [0; 2],
            thinned: 0,
            forgotten: 0,
        }
    }

    /// Adds a frame, unless it is older than the last one. Its events may be a little older than the last frame.
    pub fn take(&mut self, mut frame: Frame) {
        if let (Some(seen), last) = (frame.snapshot(), self.frames.back().and_then(|last| last.snapshot())) {
            self.clock.add_interval(last, seen, &frame.events);
        }
        let before = self.events.len();
        self.size[1] += frame.events.iter().map(size_of_event).sum::<usize>();
        self.events.extend(std::mem::take(&mut frame.events));
        // Events of one time keep the order in which they came.
        if !self.events.range(before.saturating_sub(1)..).is_sorted_by_key(|event| event.at) {
            let oldest = self.events.range(before..).map(|event| event.at).min().unwrap_or_default();
            let (first, _) = self.events.as_slices();
            let stay = first[..before.min(first.len())].partition_point(|event| event.at <= oldest);
            self.events.make_contiguous()[stay..].sort_by_key(|event| event.at);
        }
        // A look that came after the end gives way to the last one, which is of the end.
        let has_ended = self.events.back().is_some_and(|event| event.kind == EventKind::Finished);
        while let Some(later) = self.frames.pop_back_if(|last| has_ended && last.at() > frame.at()) {
            self.size[0] -= size_of_frame(&later);
            if let (Body::Tree(last), Body::Tree(later)) = (&mut frame.body, &later.body) {
                last.positions.extend_from_slice(&later.positions);
            }
        }
        // Time in a run never goes back, but another program may write frames that do. Moments are found by binary
        // search over times.
        if self.frames.back().is_some_and(|last| frame.at() < last.at()) {
            self.thinned += 1;
        } else {
            self.size[0] += size_of_frame(&frame);
            self.frames.push_back(Arc::new(frame));
        }
        if self.size[0] > self.room / 4 * 3 {
            self.thin(self.room / 2);
        }
        if self.size[1] > self.room / 4 {
            self.forget(self.room / 8);
        }
    }

    /// The frames in memory.
    pub fn frames(&self) -> &VecDeque<Arc<Frame>> {
        &self.frames
    }

    /// Looks at a run that had ended after `elapsed`, which come a moment later, are as of its end.
    pub fn end(&mut self, elapsed: Duration) {
        let is_near = self.frames.back().is_some_and(|last| last.at() < elapsed + MOMENT);
        for frame in self.frames.iter_mut().rev().take_while(|frame| is_near && frame.at() > elapsed) {
            if let Body::Tree(tree) = &mut Arc::make_mut(frame).body {
                tree.snapshot.elapsed = elapsed;
            }
        }
    }

    /// The whole history as frames that another history can take, each with the events before it.
    pub fn to_frames(&self) -> Vec<Frame> {
        let whole = |(frame, events): (&Frame, vec_deque::Iter<'_, Event>)| Frame {
            body: frame.body.clone(),
            events: events.cloned().collect(),
        };
        self.frames_with_events().map(whole).collect()
    }

    /// The frames in memory, each with the events since the one before it; the last one with those after it, too.
    pub fn frames_with_events(&self) -> impl Iterator<Item = (&Frame, vec_deque::Iter<'_, Event>)> {
        let mut from = 0;
        self.frames.iter().enumerate().map(move |(nth, frame)| {
            let is_last = nth + 1 == self.frames.len();
            let to = self.events.partition_point(|event| is_last || event.at <= frame.at());
            (&**frame, self.events.range(std::mem::replace(&mut from, to)..to))
        })
    }

    /// The events in memory, in the order of their times.
    pub fn events(&self) -> &VecDeque<Event> {
        &self.events
    }

    /// Frames that were removed, or were older than the frame before them.
    pub fn thinned(&self) -> u64 {
        self.thinned
    }

    /// Events that were removed.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// The time of the run when it had been watched for so long.
    pub fn run_time(&self, watched: Duration) -> Duration {
        self.clock.between(Duration::ZERO, watched)
    }

    /// How long it had been watched at a time of the run.
    pub fn watched(&self, time: Duration) -> Duration {
        self.clock.watched(time)
    }

    /// The clock of the run, as far as it is known.
    pub fn clock(&self) -> &RunClock {
        &self.clock
    }

    /// The first moment in memory.
    pub fn first(&self) -> Moment {
        self.frames.front().map_or_else(Moment::default, |frame| self.moment(frame.at()))
    }

    /// The latest moment.
    pub fn last(&self) -> Moment {
        let at = self.frames.back().map_or(Duration::ZERO, |frame| frame.at());
        self.moment(self.events.back().map_or(at, |event| event.at.max(at)))
    }

    /// The moment of this time after all events up to it.
    pub fn moment(&self, at: Duration) -> Moment {
        Moment { at, happened: self.events_by(at) - self.events_before(at) }
    }

    fn events_before(&self, at: Duration) -> usize {
        self.events.partition_point(|event| event.at < at)
    }

    fn events_by(&self, at: Duration) -> usize {
        self.events.partition_point(|event| event.at <= at)
    }

    /// How many of the events in memory have happened by this moment.
    fn happened(&self, moment: Moment) -> usize {
        (self.events_before(moment.at) + moment.happened).min(self.events_by(moment.at))
    }

    pub fn next_frame(&self, moment: Moment) -> Option<Moment> {
        self.frames.get(self.frames_by(moment.at)).map(|frame| self.moment(frame.at()))
    }

    pub fn previous_frame(&self, moment: Moment) -> Option<Moment> {
        let before = self.frames.partition_point(|frame| frame.at() < moment.at);
        before.checked_sub(1).map(|frame| self.moment(self.frames[frame].at()))
    }

    /// The moment right after the next event that navigation stops at.
    pub fn next_event(&self, moment: Moment) -> Option<Moment> {
        let mut to_come = self.happened(moment)..self.events.len();
        to_come.find(|&event| is_stop(&self.events[event])).map(|event| self.after(event))
    }

    /// The moment right after the previous event that navigation stops at.
    pub fn previous_event(&self, moment: Moment) -> Option<Moment> {
        let here = self.event_at(moment);
        let mut before = (0..self.happened(moment)).rev().filter(|&event| Some(event) != here);
        before.find(|&event| is_stop(&self.events[event])).map(|event| self.after(event))
    }

    /// The event that has just happened, if the moment is the one right after an event that navigation stops at.
    pub fn event_at(&self, moment: Moment) -> Option<usize> {
        let event = self.happened(moment).checked_sub(1)?;
        (is_stop(&self.events[event]) && self.after(event) == moment).then_some(event)
    }

    /// The moment right after an event, given its position, from 0, among the events that navigation stops at.
    pub fn event(&self, place: usize) -> Option<Moment> {
        let mut looked_at = (0..self.events.len()).filter(|&event| is_stop(&self.events[event]));
        looked_at.nth(place).map(|event| self.after(event))
    }

    /// The position of an event, from 1, among the events that navigation stops at, and their number.
    pub fn place(&self, event: usize) -> (usize, usize) {
        (self.stops_among(event + 1), self.stops())
    }

    /// The number of events in memory that navigation stops at.
    pub fn stops(&self) -> usize {
        self.stops_among(self.events.len())
    }

    fn stops_among(&self, events: usize) -> usize {
        self.events.iter().take(events).filter(|event| is_stop(event)).count()
    }

    /// The moment right after an event; of the end of the run that of the last look, which shows the run as it ended.
    fn after(&self, event: usize) -> Moment {
        let Event { at, kind, .. } = &self.events[event];
        match kind {
            EventKind::Finished if event + 1 == self.events.len() => self.last(),
            _ => Moment { at: *at, happened: event + 1 - self.events_before(*at) },
        }
    }

    /// How many frames are not later than this time.
    fn frames_by(&self, at: Duration) -> usize {
        self.frames.partition_point(|frame| frame.at() <= at)
    }

    /// How many frames are seen by this time. The first frame is seen before its time as well: its own events, or those of
    /// a frame that was lost, may be older than it.
    fn frames_seen(&self, at: Duration) -> usize {
        self.frames_by(at).max(1).min(self.frames.len())
    }

    /// The frames after `from` up to and including `to`; before the first frame, that one.
    pub fn frames_between(&self, from: Option<Moment>, to: Moment) -> impl Iterator<Item = &Arc<Frame>> {
        let from = from.map_or(0, |from| self.frames_seen(from.at));
        self.frames.range(from..self.frames_seen(to.at).max(from))
    }

    /// The events after `from` up to and including `to`.
    pub fn events_between(&self, from: Option<Moment>, to: Moment) -> vec_deque::Iter<'_, Event> {
        let from = from.map_or(0, |from| self.happened(from));
        self.events.range(from..self.happened(to).max(from))
    }

    /// The last frame up to a moment, or else the first frame.
    pub fn frame(&self, moment: Moment) -> Option<&Arc<Frame>> {
        self.frames.get(self.frames_seen(moment.at).checked_sub(1)?)
    }

    /// The state of the search at a moment: the last frame, changed by the events since.
    pub fn snapshot(&self, moment: Moment) -> Option<Snapshot> {
        let mut snapshot = self.frame(moment)?.snapshot()?.clone();
        let seen = snapshot.elapsed;
        for event in self.events.iter().take(self.happened(moment)).skip_while(|event| event.at <= seen) {
            happen(&mut snapshot, event);
        }
        snapshot.elapsed = moment.at;
        Some(snapshot)
    }

    /// The position of a worker at a moment: the latest one seen up to then, or else the first one after it. An empty
    /// board does not count as a position: the worker had not published one. With the time at which it was seen.
    pub fn drawing(&self, worker: usize, moment: Moment) -> Option<(Duration, &Drawing)> {
        let by_then = self.frames_by(moment.at);
        let frames = self.frames.range(..by_then).rev().chain(self.frames.range(by_then..));
        let mut positions = frames.filter_map(|frame| Some((frame.at(), frame.position(worker)?)));
        positions.find(|(_, drawing)| !drawing.is_empty())
    }
}

/// Whether navigation stops at this event. It skips events that say little: a worker without work between two hires,
/// and the start of dealt-out work.
fn is_stop(event: &Event) -> bool {
    !matches!(event.kind, EventKind::Idle { .. } | EventKind::Began { .. })
}

/// Depth and lowest level of a worker are of one moment: of the look, or where that is from before this work, of the event.
fn reach(worker: &mut WorkerSnapshot, depth: usize, level: Option<usize>) {
    let depth = depth.max(level.unwrap_or(0));
    if worker.depth < depth {
        (worker.depth, worker.level) = (depth, level);
    }
}

/// Applies an event to a snapshot.
fn happen(seen: &mut Snapshot, event: &Event) {
    seen.elapsed = event.at;
    let worker = event.worker;
    // A branch that is given as a pause begins waits for its end.
    let has_work = |paused| if paused { WorkerState::Paused } else { WorkerState::Busy };
    let at_work = has_work(seen.paused);
    let mut at = |worker: usize, change: &mut dyn FnMut(&mut WorkerSnapshot)| {
        seen.workers.get_mut(worker).into_iter().for_each(change);
    };
    match &event.kind {
        EventKind::Began { depth } => at(worker, &mut |begins| {
            (begins.state, begins.waits_at) = (at_work, None);
            reach(begins, *depth, None);
        }),
        EventKind::Hired { by, depth, left, company, .. } => {
            at(*by, &mut |giver| {
                giver.sharing.hires += 1;
                // The giver had work, even if the frame is from before it got that.
                if !giver.state.has_work() {
                    (giver.state, giver.waits_at) = (at_work, None);
                }
                reach(giver, *depth, *left);
            });
            at(worker, &mut |hired| {
                (hired.state, hired.waits_at) = (at_work, None);
                (hired.depth, hired.level) = (*depth, Some(*depth));
            });
            for &helper in company {
                at(helper, &mut |helper| (helper.state, helper.waits_at) = (WorkerState::Waiting, Some(worker)));
            }
        }
        EventKind::Donated { to, helpers } => {
            at(worker, &mut |giver| giver.sharing.donations += *helpers as u64);
            for helper in &mut seen.workers {
                helper.waits_at = helper.waits_at.map(|busy| if busy == worker { *to } else { busy });
            }
        }
        // It goes on with its branch, or the run has ended.
        EventKind::Idle { put_down: true, .. } => {}
        EventKind::Idle { nominee, .. } => at(worker, &mut |idle| {
            idle.state = if nominee.is_some() { WorkerState::Waiting } else { WorkerState::Idle };
            (idle.waits_at, idle.level, idle.depth) = (*nominee, None, 0);
        }),
        EventKind::RuleChanged { rule } => seen.hand_over = *rule,
        EventKind::Paused | EventKind::Resumed => {
            seen.paused = event.kind == EventKind::Paused;
            let state = has_work(seen.paused);
            seen.workers.iter_mut().filter(|worker| worker.state.has_work()).for_each(|worker| worker.state = state);
        }
        // Nodes and tours are those of the look before.
        EventKind::FirstTour | EventKind::Finished => {}
    }
}

/// Events at the beginning that stay as long as they alone fit.
const FIRST_EVENTS: usize = 4096;

impl RunHistory {
    /// Removes frames until they take at most `room` bytes: first those closest together for their age.
    pub(super) fn thin(&mut self, room: usize) {
        let now = self.frames.back().map_or(Duration::ZERO, |frame| frame.at());
        // Frames at least this share of their age apart stay. The share grows until the rest fits. From 1.0 on, every
        // second frame removed, because frames of one time are any share of no age apart.
        // Before that those around the ends of a pause and of slow motion stay: between them the clock of the run changes.
        let mut share = 1.0 / 4096.0;
        let held = |frame: &Frame| frame.snapshot().map(|seen| (seen.paused, seen.pace.is_some()));
        while self.size[0] > room && self.frames.len() > 2 {
            let (frames, mut last) = (std::mem::take(&mut self.frames), None::<Duration>);
            let count = frames.len();
            let held: Vec<_> = frames.iter().map(|frame| held(frame)).collect();
            for (k, frame) in frames.into_iter().enumerate() {
                let at = frame.at();
                let is_apart = |last: Duration| match share {
                    ..=1.0 if held[k] != held[k - 1] || held[k] != held[k + 1] => true,
                    ..=1.0 => at.checked_sub(last).is_some_and(|apart| apart >= now.saturating_sub(at).mul_f64(share)),
                    _ => k % 2 == 0,
                };
                if k + 1 == count || last.is_none_or(is_apart) {
                    last = Some(at);
                    self.frames.push_back(frame);
                } else {
                    self.size[0] -= size_of_frame(&frame);
                    self.thinned += 1;
                }
            }
            share *= 1.5;
        }
    }

    /// Removes events until they take at most `room` bytes.
    pub(super) fn forget(&mut self, room: usize) {
        let half = self.events.len() / 2;
        let idle = |kept: usize, event: &Event| kept < half && matches!(event.kind, EventKind::Idle { .. });
        self.remove_events(|k, event, _| k >= FIRST_EVENTS && idle(k, event));
        self.remove_events(|k, _, size| k >= FIRST_EVENTS && size > room);
        self.remove_events(|_, _, size| size > room);
    }

    fn remove_events(&mut self, which: impl Fn(usize, &Event, usize) -> bool) {
        let mut k = 0;
        let (size, before) = (&mut self.size[1], self.events.len());
        self.events.retain(|event| {
            let removed = which(k, event, *size);
            k += 1;
            *size -= if removed { size_of_event(event) } else { 0 };
            !removed
        });
        self.forgotten += (before - self.events.len()) as u64;
    }
}

/// Bytes that an event takes.
pub(super) fn size_of_event(event: &Event) -> usize {
    let company = match &event.kind {
        EventKind::Hired { company, .. } => size_of_val(&company[..]),
        _ => 0,
    };
    size_of::<Event>() + company
}

/// Bytes that a frame takes, without its events.
fn size_of_frame(frame: &Frame) -> usize {
    let body = match &frame.body {
        Body::Tree(tree) => {
            let seen = &tree.snapshot;
            let squares: usize = tree.positions.iter().flat_map(|(_, drawing)| &drawing.chains).map(Vec::len).sum();
            let levels = seen.nodes_by_depth.len() + seen.pruned_by_depth.len();
            size_of::<TreeFrame>()
                + size_of_val(&seen.workers[..])
                + size_of_val(&seen.waits[..])
                + 8 * levels
                + 64 * tree.positions.len()
                + 4 * squares
        }
        Body::Count(seen) => size_of_val(&**seen) + size_of_val(&seen.by_row[..]) + size_of_val(&seen.threads[..]),
        Body::Map(filled) => size_of_val(&**filled) + filled.map.as_ref().map_or(0, Map::bytes),
        Body::Cycles(machine) => size_of_val(&**machine),
    };
    size_of::<Frame>() + body
}
