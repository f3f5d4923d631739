//! The step view in a real pseudo-terminal.

use super::harness::Pty;
use super::sized;
use rustix::process::Signal;

fn step(args: &str, rows: u16, cols: u16) -> Pty {
    let pty = sized(&format!("step {args}"), rows, cols);
    pty.wait_for("s takes the first step");
    pty
}

#[test]
fn it_steps_on_and_back_runs_to_an_event_and_leaves_the_terminal_as_it_was() {
    let mut pty = step("", 24, 80);
    pty.wait_for("6x6 closed");
    // Its default differs from that of search, and it says why.
    pty.wait_for("any-isolated is the default here, to show");
    pty.press("s");
    pty.wait_for("start on a6");
    pty.press("l");
    pty.wait_for("SSE to b4, rank 5");
    pty.press("\x1b[D");
    pty.wait("step back", |screen| !screen.contents().contains("SSE to b4, rank 5"));
    pty.press("a");
    pty.wait_for("WNW to b3 cut: b1 isolated, no vacant");
    pty.press("D");
    pty.wait_for("dead end on b1: no vacant neighbour");
    pty.quit();
    pty.wait_restored();
}

#[test]
fn a_long_run_shows_how_far_it_is_and_can_be_stopped() {
    let mut pty = step("8x8 --solver radley --prune none", 24, 100);
    pty.press("n");
    pty.wait_for("RUNNING to the next tour");
    pty.press(" ");
    pty.wait("stopped run", |screen| !screen.contents().contains("RUNNING"));
    pty.press("b");
    pty.press("g");
    pty.wait_for("s takes the first step");
    pty.escape_in_vain();
    pty.quit();
    pty.wait_restored();
}

#[test]
fn it_plays_by_itself_and_a_signal_ends_it() {
    let mut pty = step("5x5 --open", 40, 120);
    pty.press("+++p");
    pty.wait_for("PLAYING 20/s");
    pty.wait_for("rank 2");
    pty.resize(9, 39);
    pty.wait_for("need 40x10, have 39x9");
    pty.resize(10, 40);
    pty.wait_for("q quit");
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    pty.wait_restored();
}
