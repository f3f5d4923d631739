//! Choosing something else without leaving the live view.

use super::harness::Pty;
use super::{begin, watch};

/// Clears a typed row and types into it.
fn retype(pty: &mut Pty, text: &str) {
    pty.press(&"\x7f".repeat(16));
    pty.press(text);
}

const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";

#[test]
fn another_board_question_and_method_are_chosen_and_started() {
    let mut pty = watch("8x8 --solver radley --threads 2");
    pty.press("c");
    pty.wait_for("choose what to watch");
    pty.wait_for("radley");
    retype(&mut pty, "6x6");
    pty.press(&format!("{DOWN}{RIGHT}"));
    pty.wait_for("find one");
    // Down to the method; the first that takes the question is chosen already.
    pty.press(&format!("{DOWN}{DOWN}{RIGHT}"));
    pty.wait_for("tiles");
    pty.lose("\r");
    pty.wait_for("6x6 closed");
    pty.wait_for("found 1 tour");
    // The tour can be stepped through from here.
    pty.press("v");
    pty.wait_for("of 36");
    pty.press("q");
    pty.wait_for("found 1 tour");
    pty.quit();
    pty.wait_restored();
    // What is printed is of the last run: a tour as a grid, and no summary of a search.
    pty.wait_for(" 36");
    assert!(!pty.text().contains("tours    "), "{}", pty.text());
}

#[test]
fn a_search_that_was_chosen_in_the_view_of_a_race_is_summed_up() {
    let mut pty = begin("find 8x8 --watch --threads 2");
    pty.wait_for("found 1 tour");
    pty.press("c");
    pty.wait_for("choose what to watch");
    retype(&mut pty, "6x6");
    pty.press(&format!("{DOWN}{RIGHT}"));
    pty.wait_for("search all");
    pty.press("\r");
    pty.wait_for("9,862 closed tours");
    pty.press("q");
    pty.wait_restored();
    pty.wait_for("tours    9,862 undirected");
}

#[test]
fn what_cannot_be_asked_says_why_and_nothing_changes() {
    let mut pty = watch("8x8 --solver radley --threads 2");
    pty.press("c");
    pty.wait_for("choose what to watch");
    retype(&mut pty, "8y8");
    pty.press("\r");
    pty.wait_for("'8y8' is not a board");
    pty.press("\x1b");
    pty.wait_for("8x8 closed");
    pty.give_up();
    pty.wait_restored();
}

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
fn a_race_is_watched_and_its_tour_printed() {
    let mut pty = begin("find 8x8 --watch --threads 2");
    pty.wait_for("found 1 tour");
    pty.quit();
    pty.wait_for("64");
    pty.wait_restored();
}
