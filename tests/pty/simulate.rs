//! `destrier simulate --watch`: a simulated run in the live view, and the figures that it ends with.

use super::sized;
use crate::common::{run, stdout};

const ARGS: &str = "simulate 5x5 --open --solver brute --start a1 --workers 64";

#[test]
fn a_simulation_is_shown_and_comes_to_what_it_comes_to_without_a_view() {
    let alone = stdout(&run(&ARGS.split(' ').collect::<Vec<_>>()));
    let mut pty = sized(&format!("{ARGS} --watch"), 24, 80);
    pty.wait_for("simulated  5x5 open");
    pty.wait_for("simulated time");
    pty.press("p");
    pty.wait_for("PAUSED");
    // Whatever was begun is begun again, as it was.
    pty.press("SySySySySy");
    pty.wait("beginning", |screen| {
        let text = screen.contents();
        text.contains("hire, shallowest") && text.contains("60.0 nodes a second")
    });
    pty.press("++++++++p");
    pty.wait_for("FINISHED");
    pty.press("q");
    pty.wait_restored();
    pty.wait("the same table", |screen| {
        let text = screen.contents();
        alone.lines().filter(|line| !line.is_empty()).all(|line| text.contains(line))
    });
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn a_simulation_that_is_left_has_no_figures() {
    let mut pty = sized("simulate 8x8 --workers 1024 --watch", 24, 80);
    pty.wait_for("simulated  8x8 closed");
    pty.press("qy");
    pty.wait_restored();
    pty.wait_for("left before its end");
    assert!(!pty.text().contains("efficiency"), "a heading without a row");
    assert_eq!(pty.exit_code(), 0);
}
