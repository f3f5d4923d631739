//! Removes frames and events when a history exceeds its memory limit. Frames closest together for their age go first;
//! of too many frames with one time, every second one. Of the events, those that report a worker without work go first.
//! Then the oldest go, but not the first few thousand, because the sharing begins there.

use super::RunHistory;
use super::size::{size_of_event, size_of_frame};
use crate::event::{Event, EventKind};
use std::time::Duration;

/// Events at the beginning that stay as long as they alone fit.
const FIRST_EVENTS: usize = 4096;

impl RunHistory {
    /// Removes frames until they take at most `room` bytes: first those closest together for their age.
    pub(super) fn thin(&mut self, room: usize) {
        let now = self.frames.back().map_or(Duration::ZERO, |frame| frame.at());
        // Frames at least this share of their age apart stay. The share grows until the rest fits. From 1.0 on, every
        // second frame removed, because frames of one time are any share of no age apart.
        let mut share = 1.0 / 4096.0;
        while self.size[0] > room && self.frames.len() > 2 {
            let (frames, mut last) = (std::mem::take(&mut self.frames), None::<Duration>);
            let count = frames.len();
            for (k, frame) in frames.into_iter().enumerate() {
                let at = frame.at();
                let is_apart = |last: Duration| match share {
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

#[cfg(test)]
mod tests {
    use super::super::tests::{frame, hired, ms};
    use super::*;

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
}
