//! The tutorial in a real pseudo-terminal: each lesson shows its run, and its keys turn the pages.

use super::begin;

/// What the screen of each lesson has when its run is there.
const SHOWN: [&str; 10] = [
    "1 of 10",
    "FINISHED",
    "blocks dealt out",
    "hand over the shallowest",
    "any-isolated",
    "radley, prune any-isolated",
    "order-by-avail",
    "gpu-cycles",
    "closed tours  undirected",
    "1024 threads",
];

#[test]
fn every_lesson_shows_its_run() {
    let mut pty = begin("tutorial");
    for (place, shown) in (1..).zip(SHOWN) {
        pty.wait_for(&format!("{place} of 10"));
        pty.wait_for(shown);
        if place < SHOWN.len() {
            pty.press(" ");
        }
    }
    pty.press("b");
    pty.wait_for("9 of 10");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
}
