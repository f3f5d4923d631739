//! Bytes of memory that a frame and an event take.

use crate::event::{Event, EventKind};
use crate::gpu::map::Map;
use crate::run::frame::{Body, Frame, TreeFrame};

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
            size_of::<TreeFrame>()
                + size_of_val(&seen.workers[..])
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
