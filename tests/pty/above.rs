//! Screens that open over the live view.

use super::{begin, watch};

#[test]
fn the_search_on_the_screen_is_explained_from_the_worker_on_and_left_again() {
    for solver in ["edges", "quarter-turn", "radley"] {
        let mut pty = watch(&format!("6x6 --solver {solver} --threads 1 --scheduler serial --slow 1"));
        // Its moves are lines of dots.
        let is_position = |line: &str| line.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        pty.wait("a position", |screen| screen.contents().lines().any(is_position));
        pty.press("e");
        pty.wait_for("a copy of worker 0's search; the run ");
        pty.wait_for("at worker 0's place");
        pty.press("z");
        pty.wait_for("before  way  after");
        pty.press("zg");
        pty.wait_for("step 0");
        pty.press("ss");
        pty.wait_for("step 2");
        pty.press("q");
        pty.wait_for("threads 1");
        pty.give_up();
        pty.wait_restored();
    }
}

#[test]
fn the_tour_of_a_race_is_stepped_through_and_printed() {
    let mut pty = begin("find 8x8 --watch --threads 2");
    pty.wait_for("found 1 tour");
    pty.press("v");
    pty.wait_for("of 64");
    pty.press("q");
    pty.wait_for("found 1 tour");
    pty.quit();
    pty.wait_restored();
    // A tour is printed as a grid, and no summary of a search.
    pty.wait_for(" 64");
    assert!(!pty.text().contains("tours    "), "{}", pty.text());
}
