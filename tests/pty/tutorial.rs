//! The tutorial in a real pseudo-terminal: each lesson shows its run, and its keys turn the pages.

use super::begin;

/// Of each lesson: the keys that its caption names, and what the screen has when its run is there and they are pressed.
const LESSONS: [(&str, &str); 10] = [
    ("", "first tour"),
    ("[[[", "PAST"),
    ("", "RUNNING 2 of 2"),
    ("", "DONE"),
    ("\t", "nodes by depth"),
    ("ss", "step 2"),
    ("s", "step 1"),
    ("sss", "goes to f8"),
    ("", "closed tours  undirected"),
    ("+++", "open tours  complete"),
];

#[test]
fn every_lesson_shows_its_run_and_takes_the_keys_that_it_names() {
    let mut pty = begin("tutorial");
    for (place, (keys, shown)) in (1..).zip(LESSONS) {
        pty.wait_for(&format!("{place} of 10"));
        if place == 2 {
            pty.wait_for("FINISHED");
        }
        keys.chars().for_each(|key| pty.press(&key.to_string()));
        pty.wait_for(shown);
        assert!(!pty.text().contains("does nothing here"), "{}", pty.text());
        if place < LESSONS.len() {
            pty.press(" ");
        }
    }
    pty.press("!");
    pty.wait_for("healthy: Workers searched for 9");
    pty.press("b");
    pty.wait_for("9 of 10");
    pty.press("?");
    pty.wait_for("Tours are counted without listing them");
    pty.press("/");
    pty.press("a frame back");
    pty.wait_for("backspace");
    pty.press("\r");
    pty.press("q");
    pty.wait("no help", |screen| !screen.contents().contains("help:"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.wait_for("10 of 10 lessons seen; try next: destrier watch");
}

#[test]
fn lessons_and_steps_are_told_as_somebody_types() {
    let mut pty = begin("tutorial --lines");
    pty.wait_for("enter: the next lesson; q: leave");
    pty.press("\r");
    pty.wait_for("2 of 10: Back to a hire");
    pty.press("q\r");
    assert_eq!(pty.exit_code(), 0);
    let mut pty = begin("step 6x6 --lines");
    pty.wait_for("enter: a step; a number: so many steps; q: leave");
    pty.press("\r");
    pty.wait_for("1 step: 1 node, ");
    pty.press("3\r");
    pty.wait_for("4 steps: 4 nodes, 0 pruned, 0 dead ends, 0 tours; now a6 b4 a2 c3");
    pty.press("many\r");
    pty.wait_for("a number of steps is wanted, or enter, or q");
    pty.press("q\r");
    assert_eq!(pty.exit_code(), 0);
}
