//! What goes when a past needs more than its room: first the frames that stand closest together for their age, and where
//! frames of one time are too many, every second one; then, of the events, those that say that somebody has no work; then the oldest but the first few thousand, for there the sharing
//! begins.

use super::super::{Body, Frame, Tree};
use super::Past;
use crate::event::{Event, EventKind};
use crate::gpu::map::Map;
use std::time::Duration;

/// Events at the beginning that are kept as long as there is room for them alone.
const FIRST_EVENTS: usize = 4096;

impl Past {
    /// Lets frames go until they take no more than `room`: those that stand closest together for their age.
    pub(super) fn thin(&mut self, room: usize) {
        let now = self.frames.back().map_or(Duration::ZERO, |frame| frame.at());
        // Frames as far apart as this share of their age stay; it grows until the rest is few enough, or it is all of their
        // age: frames of one time are as far apart as any share of no age.
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

    /// Lets events go until they take no more than `room`.
    pub(super) fn forget(&mut self, room: usize) {
        let half = self.events.len() / 2;
        let idle = |kept: usize, event: &Event| kept < half && matches!(event.kind, EventKind::Idle { .. });
        self.let_go(|k, event, _| k >= FIRST_EVENTS && idle(k, event));
        self.let_go(|k, _, size| k >= FIRST_EVENTS && size > room);
        self.let_go(|_, _, size| size > room);
    }

    fn let_go(&mut self, which: impl Fn(usize, &Event, usize) -> bool) {
        let mut k = 0;
        let (size, before) = (&mut self.size[1], self.events.len());
        self.events.retain(|event| {
            let goes = which(k, event, *size);
            k += 1;
            *size -= if goes { size_of_event(event) } else { 0 };
            !goes
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
pub(in crate::run) fn size_of_frame(frame: &Frame) -> usize {
    let body = match &frame.body {
        Body::Tree(tree) => {
            let seen = &tree.snapshot;
            let squares: usize = tree.positions.iter().flat_map(|(_, drawing)| &drawing.chains).map(Vec::len).sum();
            let levels = seen.nodes_by_depth.len() + seen.pruned_by_depth.len();
            size_of::<Tree>() + size_of_val(&seen.workers[..]) + 8 * levels + 64 * tree.positions.len() + 4 * squares
        }
        Body::Count(seen) => size_of_val(&**seen) + size_of_val(&seen.by_row[..]) + size_of_val(&seen.threads[..]),
        Body::Map(filled) => size_of_val(&**filled) + filled.map.as_ref().map_or(0, Map::bytes),
        Body::Cycles(machine) => size_of_val(&**machine),
        Body::Campaign(campaign) => campaign.bytes(),
    };
    size_of::<Frame>() + body
}
