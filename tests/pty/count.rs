//! The view of a count in a real pseudo-terminal.

use super::begin;
use super::harness::Pty;
use rustix::process::Signal;

fn count(args: &str) -> Pty {
    begin(&format!("count --watch --threads 2 {args}"))
}

#[test]
fn the_answer_stays_until_it_is_left_and_is_printed_then() {
    let mut pty = count("6x6");
    pty.wait_for("DONE");
    pty.wait_for("closed tours of 6x6, undirected; 19,724 directed");
    pty.press("?");
    pty.wait_for("A row of the board.");
    pty.press("\x1b");
    pty.wait("view without help", |screen| !screen.contents().contains("A row of the board."));
    pty.press("2");
    pty.wait("rows alone", |screen| !screen.contents().contains("sweep"));
    pty.quit();
    pty.wait_restored();
    pty.wait_for("9,862");
}

#[test]
fn left_in_the_middle_it_stops_and_says_so() {
    let mut pty = count("8x8");
    pty.wait_for("COUNTING");
    pty.wait_for("contexts");
    pty.give_up();
    pty.wait_restored();
    pty.wait_for("NOT complete");
}

#[test]
fn a_signal_and_its_key_stop_it_with_their_number() {
    let mut pty = count("8x8");
    pty.wait_for("COUNTING");
    pty.press("\x03");
    assert_eq!(pty.exit_code(), 130);
    pty.wait_restored();
    let mut pty = count("8x9");
    pty.wait_for("8x9");
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    pty.wait_restored();
}

#[test]
fn what_does_not_fit_gives_the_terminal_back_and_is_bad_input() {
    let mut pty = count("8x8 --memory 500M");
    assert_eq!(pty.exit_code(), 2);
    pty.wait_restored();
    pty.wait_for("--memory");
}

/// Of such a board not even a picture is made.
#[test]
fn what_cannot_be_planned_is_refused_before_the_terminal_is_taken() {
    for (board, says) in [("60000x60000", "too wide to count"), ("9x60000000", "the plan alone")] {
        let mut pty = count(board);
        assert_eq!(pty.exit_code(), 2, "{board}");
        pty.wait_for(says);
    }
}

#[test]
fn open_tours_are_told_in_both_directions() {
    let mut pty = count("6x6 --open");
    pty.wait_for("open tours of 6x6, directed; 3,318,960 undirected");
    pty.quit();
}

/// What the view's key stops is kept, and `resume` shows it again.
#[test]
fn a_count_that_was_left_goes_on_under_the_view() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("8x8.count");
    let mut pty = count(&format!("8x8 --checkpoint {}", file.display()));
    pty.wait_for("COUNTING");
    pty.wait_for("contexts");
    pty.give_up();
    pty.wait_restored();
    pty.wait_for("to go on: destrier resume");
    let mut pty = begin(&format!("resume {} --watch --threads 2", file.display()));
    pty.wait_for("COUNTING");
    pty.wait_for("contexts");
    pty.give_up();
    pty.wait_restored();
    pty.wait_for("to go on: destrier resume");
}
