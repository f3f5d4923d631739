//! What was wished of a run and is not seen of it yet: frames that were on their way already know nothing of it, and
//! would show a pause that was asked for as one that has ended again.

use crate::run::source::Wish;
use crate::schedule::Snapshot;
use crate::search::HandOver;
use std::time::{Duration, Instant};

/// How long a wish is shown that the run does not show: somebody else may have wished otherwise.
const AT_MOST: Duration = Duration::from_secs(5);

/// Wishes that are not seen yet.
#[derive(Default)]
pub struct PendingWishes {
    paused: Option<(bool, Instant)>,
    pace: Option<(Option<u32>, Instant)>,
    rule: Option<(HandOver, Instant)>,
}

impl PendingWishes {
    /// This was wished now.
    pub fn note(&mut self, wish: Wish, now: Instant) {
        match wish {
            Wish::Pause(paused) => self.paused = Some((paused, now)),
            Wish::Step => self.paused = Some((true, now)),
            Wish::Pace(pace) => self.pace = Some((pace, now)),
            Wish::Rule(rule) => self.rule = Some((rule, now)),
            Wish::Select(_) | Wish::Reach { .. } | Wish::Stop => {}
        }
    }

    /// Lets a snapshot show what is wanted, until one does so by itself.
    pub fn show(&mut self, snapshot: &mut Snapshot, now: Instant) {
        show(&mut self.paused, &mut snapshot.paused, now);
        show(&mut self.pace, &mut snapshot.pace, now);
        show(&mut self.rule, &mut snapshot.hand_over, now);
    }
}

fn show<T: Copy + PartialEq>(wanted: &mut Option<(T, Instant)>, seen: &mut T, now: Instant) {
    *wanted = wanted.filter(|&(value, since)| value != *seen && now.saturating_duration_since(since) < AT_MOST);
    if let Some((value, _)) = *wanted {
        *seen = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_shown_until_it_is_seen_or_somebody_wished_otherwise() {
        let (mut wanted, now) = (PendingWishes::default(), Instant::now());
        let seen = |wanted: &mut PendingWishes, paused, now| {
            let mut snapshot = Snapshot { paused, ..Snapshot::default() };
            wanted.show(&mut snapshot, now);
            snapshot.paused
        };
        wanted.note(Wish::Pause(true), now);
        // On its way when that was said, and then the one that knows.
        assert_eq!([false, true].map(|paused| seen(&mut wanted, paused, now)), [true, true]);
        assert!(!seen(&mut wanted, false, now), "it was seen");
        wanted.note(Wish::Pause(true), now);
        assert!(!seen(&mut wanted, false, now + AT_MOST));
        wanted.note(Wish::Pace(Some(5)), now);
        let mut snapshot = Snapshot::default();
        wanted.show(&mut snapshot, now);
        assert_eq!((snapshot.pace, snapshot.paused), (Some(5), false));
    }
}
