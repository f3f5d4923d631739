//! What the workers did over the run: a row for each worker, or for several together, a row for each group of CPUs, and a column
//! for each frame. The time of a worker is that of the groups in which it was seen then.
//!
//! Its memory is bounded: of a large crew several workers share a row, and of a long run several frames share a column.

use crate::event::{Event, EventKind};
use crate::run::balance::WorkerGroups;
use crate::run::{Frame, Spent, TimePart, TimeUse, Times};
use std::time::Duration;

/// Most rows and columns that are kept.
const ROWS_MAX: usize = 64;
const COLUMNS_MAX: usize = 1024;
/// Most hires of a row in a column whose arrows are shown, on average.
const HIRES_MAX: usize = 4;
/// Least time of a column.
const SHORTEST: Duration = Duration::from_millis(1);

/// The rows, column by column.
#[derive(Clone, Debug, Default)]
pub struct WorkerTimeline {
    workers: usize,
    /// Of each worker: its times at the last frame, and how they were spent until then.
    own: Vec<(Times, Spent)>,
    /// Where the workers were last seen.
    groups: WorkerGroups,
    columns: Vec<TimeColumn>,
    /// Frames in a column, and in the last one.
    each: u32,
    open: u32,
    /// When the run ended, if it has: the last frame may be later.
    ended: Option<Duration>,
}

/// A time of the run.
#[derive(Clone, Debug, Default)]
pub struct TimeColumn {
    /// Its end, as it was watched.
    pub at: Duration,
    /// Whether it was watched in slow motion.
    is_slow: bool,
    /// Of each row, and behind them of each group: seconds in each part, in the order of [`TimePart::ALL`].
    parts: Vec<[f32; 6]>,
    /// Of each row, the rows of those that gave it a branch, a bit for each.
    givers: Vec<u64>,
    hires: usize,
}

impl TimeColumn {
    /// Adds the time behind this one.
    fn append(&mut self, next: &TimeColumn) {
        (self.at, self.is_slow) = (next.at, self.is_slow || next.is_slow);
        self.parts.resize(self.parts.len().max(next.parts.len()), [0.0; 6]);
        let sums = self.parts.iter_mut().flatten().zip(next.parts.iter().flatten());
        sums.for_each(|(sum, more)| *sum += more);
        self.givers.iter_mut().zip(&next.givers).for_each(|(givers, more)| *givers |= more);
        self.hires += next.hires;
    }

    /// Where the time of some rows went; `None` if none has passed.
    pub fn time(&self, rows: std::ops::Range<usize>) -> Option<TimeUse> {
        let mut sum = [0.0; 6];
        for parts in self.parts.get(rows)? {
            sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += f64::from(*part));
        }
        let all: f64 = sum.iter().sum();
        (all > 0.0).then(|| TimeUse::of(sum.map(|part| part / all)))
    }

    /// The row of the first giver of a branch that went to one of these rows from another one; none where all rows got so
    /// many branches that arrows tell nothing.
    pub fn came_from(&self, rows: std::ops::Range<usize>) -> Option<usize> {
        let is_outside = |row: &usize| !rows.contains(row);
        let others = (0..self.givers.len()).filter(is_outside).fold(0, |others, row| others | 1 << row);
        let came = self.givers.get(rows.clone())?.iter().fold(0, |came, givers| came | givers) & others;
        let is_told = came > 0 && self.hires <= HIRES_MAX * self.givers.len();
        is_told.then(|| came.trailing_zeros() as usize)
    }
}

impl WorkerTimeline {
    /// Adds a frame, with the events since the one before.
    pub fn take<'a>(&mut self, frame: &Frame, events: impl Iterator<Item = &'a Event> + Clone) {
        let Some(seen) = frame.snapshot() else { return };
        if self.workers != seen.workers.len() {
            let began = seen.earlier.map_or(Duration::ZERO, |earlier| earlier.elapsed);
            let own = vec![(Times::before(began), Spent::default()); seen.workers.len()];
            *self = WorkerTimeline { workers: seen.workers.len(), own, each: 1, ..WorkerTimeline::default() };
        }
        let ends = |event: &Event| (event.kind == EventKind::Finished).then_some(event.at);
        self.ended = self.ended.or_else(|| events.clone().find_map(ends));
        self.groups.look(seen);
        let (group, rows) = (self.group(), self.rows());
        let at = self.ended.map_or(seen.elapsed, |ended| ended.min(seen.elapsed));
        let parts = vec![[0.0; 6]; rows + self.groups.number()];
        let is_slow = seen.is_held() && !seen.paused;
        let mut column = TimeColumn { at, is_slow, parts, givers: vec![0; rows], hires: 0 };
        for (worker, ((last, spent), figures)) in self.own.iter_mut().zip(&seen.workers).enumerate() {
            let (times, before) = (Times::of(seen, figures, self.ended), spent.seconds());
            spent.add(last, &times);
            *last = times;
            let passed = spent.seconds().into_iter().zip(before).map(|(now, before)| (now - before).max(0.0) as f32);
            let groups = self.groups.places_of(worker).map(|place| rows + place);
            for row in groups.chain([worker / group]) {
                column.parts[row].iter_mut().zip(passed.clone()).for_each(|(sum, passed)| *sum += passed);
            }
        }
        for event in events {
            // A journal may name any worker.
            if let EventKind::Hired { by, .. } = event.kind
                && by.max(event.worker) < self.workers
            {
                column.givers[event.worker / group] |= 1 << (by / group);
                column.hires += 1;
            }
        }
        self.push(column);
    }

    fn push(&mut self, column: TimeColumn) {
        let has_passed = column.parts.iter().flatten().any(|part| *part > 0.0);
        match self.columns.last_mut() {
            // Two looks around a change of speed are so near to each other that the meters tell nothing of the time between.
            Some(last) if self.open < self.each || !has_passed || column.at < last.at + SHORTEST => {
                last.append(&column)
            }
            _ => {
                self.columns.push(column);
                self.open = 0;
            }
        }
        self.open += u32::from(has_passed);
        if self.columns.len() > COLUMNS_MAX {
            let pairs = self.columns.chunks(2).map(|pair| {
                let mut first = pair[0].clone();
                pair.get(1).into_iter().for_each(|second| first.append(second));
                first
            });
            self.columns = pairs.collect();
            self.each *= 2;
        }
    }

    /// Workers in a row.
    pub fn group(&self) -> usize {
        self.workers.div_ceil(ROWS_MAX).max(1)
    }

    pub fn rows(&self) -> usize {
        self.workers.div_ceil(self.group())
    }

    /// The columns of the last `window` of the run, or of all of it.
    fn last(&self, window: Option<Duration>) -> &[TimeColumn] {
        let end = self.columns.last().map_or(Duration::ZERO, |last| last.at);
        let from = window.map_or(Duration::ZERO, |window| end.saturating_sub(window));
        &self.columns[self.columns.partition_point(|column| column.at < from)..]
    }

    /// Whether a part of them was watched in slow motion: there little of the run passes in a column.
    pub fn is_uneven(&self, window: Option<Duration>) -> bool {
        self.last(window).iter().any(|column| column.is_slow)
    }

    /// The last `window` of the run, or all of it, in at most so many columns.
    pub fn shown(&self, window: Option<Duration>, width: usize) -> Vec<TimeColumn> {
        let shown = self.last(window);
        let merged = |columns: &[TimeColumn]| {
            let mut first = columns[0].clone();
            columns[1..].iter().for_each(|next| first.append(next));
            first
        };
        shown.chunks(shown.len().div_ceil(width.max(1)).max(1)).map(merged).collect()
    }
}

/// The part of a time that prevailed.
pub fn prevailing(time: &TimeUse) -> TimePart {
    let by_share = |a: &TimePart, b: &TimePart| time[*a].total_cmp(&time[*b]);
    TimePart::ALL.into_iter().max_by(by_share).unwrap_or(TimePart::Searching)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::run::Body;
    use crate::run::{RunHistory, TreeFrame};
    use crate::schedule::{Snapshot, WorkerSnapshot};
    use crate::system::CpuLevel;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    fn take(timeline: &mut WorkerTimeline, frame: &Frame) {
        timeline.take(frame, frame.events.iter());
    }

    /// A frame at this time: so many workers, each with the same times with a branch and on a processor.
    fn frame(at: u64, workers: usize, busy: u64, cpu: u64, hires: &[[usize; 2]]) -> Frame {
        let worker = WorkerSnapshot { busy: ms(busy), cpu: ms(cpu), ..WorkerSnapshot::default() };
        let snapshot = Snapshot { elapsed: ms(at), workers: vec![worker; workers], ..Snapshot::default() };
        let hired = |&[by, worker]: &[usize; 2]| {
            let kind = EventKind::Hired { by, depth: 1, left: None, company: Vec::new(), entered: None };
            Event { at: ms(at), worker, kind }
        };
        let body = Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() }));
        Frame { body, events: hires.iter().map(hired).collect() }
    }

    #[test]
    fn a_column_has_the_part_that_prevailed_and_where_a_branch_came_from() {
        let (mut timeline, mut past, mut again) =
            (WorkerTimeline::default(), RunHistory::default(), WorkerTimeline::default());
        for (at, busy, cpu) in [(0, 0, 0), (100, 90, 80), (200, 100, 90), (300, 190, 100)] {
            let frame = frame(at, 3, busy, cpu, if at == 200 { &[[0, 1], [1, 0], [0, 2]] } else { &[] });
            take(&mut timeline, &frame);
            past.take(frame);
        }
        let shown = timeline.shown(None, 80);
        past.frames_with_events().for_each(|(frame, events)| again.take(frame, events));
        let hires = |columns: &[TimeColumn]| {
            columns.iter().map(|column| (column.givers.clone(), column.hires)).collect::<Vec<_>>()
        };
        assert_eq!(hires(&again.shown(None, 80)), hires(&shown), "made of a history");
        let parts: Vec<_> = shown.iter().filter_map(|column| column.time(1..2)).map(|time| prevailing(&time)).collect();
        assert_eq!(parts, [TimePart::Searching, TimePart::Waiting, TimePart::NoProcessor]);
        let came: Vec<_> = shown.iter().map(|column| column.came_from(2..3)).collect();
        assert_eq!(came.into_iter().flatten().collect::<Vec<_>>(), [0]);
        // The same in fewer columns, and the end alone.
        assert_eq!(timeline.shown(None, 1).len(), 1);
        assert_eq!(timeline.shown(Some(ms(100)), 80).len(), 2);
    }

    #[test]
    fn every_row_that_got_a_branch_has_an_arrow_unless_all_got_many() {
        let column = |hires: &[[usize; 2]]| {
            let mut timeline = WorkerTimeline::default();
            take(&mut timeline, &frame(0, 12, 0, 0, &[]));
            take(&mut timeline, &frame(100, 12, 90, 80, hires));
            timeline.shown(None, 1).remove(0)
        };
        let first: Vec<[usize; 2]> = (1..12).map(|worker| [0, worker]).collect();
        assert!((1..12).all(|row| column(&first).came_from(row..row + 1) == Some(0)));
        // Rows that share a line; workers that there are not.
        assert_eq!(column(&[[0, 1], [9, 1], [0, 99], [99, 2]]).came_from(0..4), Some(9));
        assert_eq!(column(&[[0, 1], [9, 5]]).came_from(0..4), None);
        assert_eq!(column(&first.repeat(5)).came_from(3..4), None);
    }

    /// The time of a worker is that of the group in which it is seen at the end of a column.
    #[test]
    fn groups_have_the_time_of_the_workers_in_them() {
        let mut timeline = WorkerTimeline::default();
        let cpus = |lists: [&str; 2]| lists.map(str::to_owned).to_vec();
        for (at, on) in [(0, [0, 1, 2]), (100, [0, 1, 2]), (200, [0, 3, 2])] {
            let mut frame = frame(at, 3, at, at, &[]);
            let Body::Tree(tree) = &mut frame.body else { panic!("a search") };
            let groups = [(CpuLevel::Cache, cpus(["0-1", "2-3"])), (CpuLevel::Socket, cpus(["0-3", "4-7"]))];
            tree.snapshot.groups = if at == 100 { Vec::new() } else { groups.to_vec() };
            tree.snapshot.workers.iter_mut().zip(on).for_each(|(worker, on)| worker.on = Some(on));
            // The worker that moves has no branch.
            tree.snapshot.workers[1].busy = Duration::ZERO;
            take(&mut timeline, &frame);
        }
        let ends = timeline.shown(None, 80);
        let searching = |column: &TimeColumn, place: usize| {
            let row = timeline.rows() + place;
            column.time(row..row + 1).map(|time| (time[TimePart::Searching] * 100.0).round() as u64)
        };
        // Two caches, those seen nowhere, two sockets.
        let shares = |column| [0, 1, 2, 3, 4].map(|place| searching(column, place));
        assert_eq!(shares(&ends[ends.len() - 2]), [Some(50), Some(100), None, Some(67), None]);
        assert_eq!(shares(&ends[ends.len() - 1]), [Some(100), Some(50), None, Some(67), None]);
    }

    #[test]
    fn columns_of_slow_motion_are_uneven_and_those_of_a_pause_are_not() {
        let mut timeline = WorkerTimeline::default();
        let mut took = |at: u64, pace, paused| {
            let mut frame = frame(at, 2, at, at, &[]);
            if let Body::Tree(tree) = &mut frame.body {
                (tree.snapshot.pace, tree.snapshot.paused) = (pace, paused);
            }
            take(&mut timeline, &frame);
            [None, Some(ms(100))].map(|window| timeline.is_uneven(window))
        };
        assert_eq!([took(0, None, false), took(100, None, true)], [[false; 2]; 2]);
        assert_eq!(took(200, Some(1000), false), [true; 2]);
        assert_eq!([took(300, None, false), took(400, None, false), took(500, None, false)][2], [true, false]);
    }

    #[test]
    fn its_memory_is_bounded() {
        let mut timeline = WorkerTimeline::default();
        (0..5000).for_each(|k| take(&mut timeline, &frame(10 * k, 4096, 10 * k, 10 * k, &[[0, 4095]; 20])));
        assert!(timeline.columns.len() <= COLUMNS_MAX && timeline.rows() == ROWS_MAX);
        assert!(timeline.columns.iter().all(|column| column.givers.len() <= ROWS_MAX));
    }
}
