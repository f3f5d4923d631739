//! Runs that are compared in a real pseudo-terminal.

use super::{LONG, begin, watch};

#[test]
fn runs_come_one_after_the_other_and_the_table_goes_to_the_shell() {
    let mut pty = begin("compare 5x6 --with --solver=radley --with --solver=path --with --scheduler=static");
    pty.wait_for("DONE");
    pty.wait_for("--scheduler=static");
    pty.press("q");
    // The table itself has left the screen by then.
    pty.wait("what each run has", |screen| {
        let text = screen.contents();
        text.contains("why workers did not search") && text.contains("nodes by depth") && text.contains("7,745,182")
    });
    assert_eq!(pty.exit_code(), 0);
}

/// It is paused meanwhile, and goes on afterwards.
#[test]
fn the_live_view_compares_and_goes_on() {
    let mut pty = watch(&format!("{LONG} 2 --slow 20000"));
    pty.press("S");
    pty.wait_for("C compares instead");
    pty.press("C");
    pty.wait_for("compared");
    pty.wait_for("RUNNING 1 of 2");
    pty.press("q");
    pty.wait_for("leave, and end the runs?");
    pty.press("y");
    pty.wait_for("depths");
    pty.wait("that it goes on", |screen| !screen.contents().contains("PAUSED"));
    pty.give_up();
}
