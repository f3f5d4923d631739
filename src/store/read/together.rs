//! Many pieces looked at by several threads, while what comes behind them is read.
//!
//! Whoever is done with a piece takes the next one, so that a thread that reads first, or that others hold up, takes fewer.

use super::PlainTours;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Pieces for each thread: few enough that the last ones to end are not waited for long.
const PIECES: usize = 8;

/// How many pieces `threads` threads are to look at together, none smaller than `least` of these `units` if they are several.
pub fn pieces(threads: usize, units: usize, least: usize) -> usize {
    if threads > 1 { threads.saturating_mul(PIECES).min(units / least) } else { 1 }
}

/// What is plain up to the first of the pieces that is not so from end to end, checked by at most so many threads; several
/// pieces only after `read`.
pub fn together(
    threads: usize,
    pieces: &[&[u8]],
    read: impl FnOnce(),
    check: impl Fn(usize, &[u8]) -> PlainTours + Sync,
) -> PlainTours {
    if let [] | [_] = pieces {
        return pieces.first().map_or_else(PlainTours::default, |piece| check(0, piece));
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(piece) = pieces.get(number)
        {
            found.push((number, check(number, piece)));
        }
        found
    };
    let mut found = thread::scope(|scope| {
        // A thread that cannot be started is done without.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads.min(pieces.len())).map_while(start).collect();
        read();
        let mut found = work();
        for other in others {
            found.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        found
    });
    found.sort_unstable_by_key(|&(number, _)| number);
    let mut run = PlainTours::default();
    for (number, taken) in found {
        run.add(taken);
        if taken.bytes < pieces[number].len() {
            break;
        }
    }
    run
}
