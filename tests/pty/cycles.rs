//! The view of the three-cycle board in a real pseudo-terminal, by the twin on the CPU.

use super::{begin, sized};
use rustix::process::Signal;

#[test]
fn it_steps_on_and_back_and_leaves_the_terminal_as_it_was() {
    let mut pty = begin("step --method gpu-cycles --adapter cpu");
    pty.wait_for("8x8 from e6");
    pty.wait_for("CPU twin");
    pty.press("s");
    pty.wait_for("the knight waits on e6");
    pty.press("3l");
    pty.wait_for("ranks around the knight: one too high");
    pty.wait_for("checked: yes (cycle 4)");
    pty.press("\x1b[D");
    pty.wait_for("[3 decide]");
    pty.press("I");
    pty.wait_for("cycle   0 of 192");
    // The device was ahead: it goes back before it goes on.
    pty.press("i");
    pty.wait_for("checked: yes (cycle 3)");
    pty.quit();
    pty.wait_restored();
}

#[test]
fn it_runs_to_the_end_and_knows_that_it_is_stuck() {
    let mut pty = sized("find 8x8 --method gpu-cycles --start 0,2 --adapter cpu --watch", 40, 160);
    pty.wait_for("RUNNING 30/s");
    pty.press("+++++++");
    // At full speed the end may come before anyone sees it run.
    pty.wait_for("as fast as the device is");
    pty.wait_for("STUCK");
    pty.wait_for("stuck at square 60");
    pty.wait_for("checked: yes (cycle 180)");
    pty.press("g");
    pty.wait("the beginning", |screen| !screen.contents().contains("STUCK"));
    pty.press("p");
    pty.resize(10, 40);
    pty.wait_for("STUCK");
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    pty.wait_restored();
}

#[test]
fn a_run_that_was_watched_to_its_end_is_printed_when_it_is_left() {
    for (start, code, line) in
        [("2,4", 0, "27 12 37 16 25  2 47 18"), ("0,2", 1, "stuck on square 60 of 64 in cycle 180")]
    {
        let mut pty = sized(&format!("find 8x8 --method gpu-cycles --start {start} --adapter cpu --watch"), 24, 120);
        pty.wait_for("RUNNING 30/s");
        pty.press("G");
        pty.wait_for(if code == 0 { "COMPLETE" } else { "STUCK" });
        pty.press("q");
        assert_eq!(pty.exit_code(), code);
        pty.wait_for(line);
        // The film is the twin's: where the twin is what was wanted, nothing is done instead.
        assert!(!pty.text().contains("the CPU did the same work"));
    }
}

#[test]
fn it_quits_at_once_whatever_the_board_and_the_device() {
    let mut pty = begin("find 300x300 --method gpu-cycles --watch");
    pty.wait_for("300x300 from a300");
    pty.quit();
    pty.wait_restored();
}

#[test]
fn an_adapter_that_is_not_here_is_refused_before_the_screen_is_taken() {
    for args in ["step --method gpu-cycles", "find 8x8 --method gpu-cycles --watch"] {
        let mut pty = begin(&format!("{args} --adapter nonsense"));
        assert_eq!(pty.exit_code(), 2);
        pty.wait_for("--adapter");
        assert!(!pty.text().contains("q quit"));
    }
}
