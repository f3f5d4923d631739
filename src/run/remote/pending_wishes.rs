//! Wishes that no frame shows yet. Frames already on their way know nothing of a wish, so the view would show a
//! requested pause as ended.

use crate::run::source::Wish;
use crate::schedule::Snapshot;
use crate::search::HandOver;
use std::time::{Duration, Instant};

/// How long a wish is shown without confirmation: another viewer may have changed the setting back.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Wishes that no frame confirms yet.
#[derive(Default)]
pub struct PendingWishes {
    paused: Option<(bool, Instant)>,
    pace: Option<(Option<u32>, Instant)>,
    rule: Option<(HandOver, Instant)>,
}

impl PendingWishes {
    /// Notes a wish sent at time `now`.
    pub fn note(&mut self, wish: Wish, now: Instant) {
        match wish {
            Wish::Pause(paused) => self.paused = Some((paused, now)),
            Wish::Step => self.paused = Some((true, now)),
            Wish::Pace(pace) => self.pace = Some((pace, now)),
            Wish::Rule(rule) => self.rule = Some((rule, now)),
            Wish::Select(_) | Wish::Reach { .. } | Wish::Stop => {}
        }
    }

    /// Changes a snapshot as the pending wishes say, until a snapshot confirms them.
    pub fn apply(&mut self, snapshot: &mut Snapshot, now: Instant) {
        apply(&mut self.paused, &mut snapshot.paused, now);
        apply(&mut self.pace, &mut snapshot.pace, now);
        apply(&mut self.rule, &mut snapshot.hand_over, now);
    }
}

fn apply<T: Copy + PartialEq>(pending: &mut Option<(T, Instant)>, seen: &mut T, now: Instant) {
    *pending = pending.filter(|&(value, since)| value != *seen && now.saturating_duration_since(since) < TIMEOUT);
    if let Some((value, _)) = *pending {
        *seen = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_shown_until_a_frame_confirms_it_or_the_timeout_ends() {
        let (mut pending, now) = (PendingWishes::default(), Instant::now());
        let seen = |pending: &mut PendingWishes, paused, now| {
            let mut snapshot = Snapshot { paused, ..Snapshot::default() };
            pending.apply(&mut snapshot, now);
            snapshot.paused
        };
        pending.note(Wish::Pause(true), now);
        // The first frame was on its way when the wish was sent; the second one confirms it.
        assert_eq!([false, true].map(|paused| seen(&mut pending, paused, now)), [true, true]);
        assert!(!seen(&mut pending, false, now), "it was seen");
        pending.note(Wish::Pause(true), now);
        assert!(!seen(&mut pending, false, now + TIMEOUT));
        pending.note(Wish::Pace(Some(5)), now);
        let mut snapshot = Snapshot::default();
        pending.apply(&mut snapshot, now);
        assert_eq!((snapshot.pace, snapshot.paused), (Some(5), false));
    }
}
