//! The tables of a source in a real pseudo-terminal, while they are computed.

use super::begin;

#[test]
fn tables_are_computed_on_the_screen_and_the_verdict_goes_to_the_shell() {
    let mut pty = begin("reproduce miller --show");
    pty.wait_for("ALL AS EXPECTED");
    pty.wait_for("[1 tree sizes]");
    pty.wait_for("1,735,079");
    pty.press("3");
    pty.wait_for("up to half an hour");
    pty.press("\t#");
    pty.wait_for("most moves first visits the middle early");
    pty.quit();
    pty.wait_restored();
    pty.wait_for("miller: every figure that was published or found before is the same");
}

#[test]
fn a_table_fills_while_the_search_runs_and_can_be_left() {
    let mut pty = begin("reproduce radley --show");
    pty.wait("nodes of depth 3", |screen| {
        let text = screen.contents();
        let mut rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        rows.any(|row| row.len() >= 4 && row[..3] == ["3", "0", "0"] && row[3] != "0")
    });
    pty.give_up();
    pty.wait_restored();
    pty.wait_for("radley: left before the end: not every figure was compared");
}
