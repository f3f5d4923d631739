//! The map view in a real pseudo-terminal.

use super::begin;
use super::harness::Pty;

fn map(args: &str) -> Pty {
    begin(&format!("gpu map --watch --adapter {args}"))
}

#[test]
fn it_fills_and_prints_what_came_of_it_when_it_is_left() {
    let mut pty = map("cpu 8x8 --orders 2");
    pty.wait_for("DONE");
    pty.wait_for("01234576");
    pty.press("X");
    pty.wait_for("c8 1 of 2");
    pty.quit();
    pty.wait_restored();
    pty.wait_for("127 of 128 knights");
}

#[test]
fn left_in_the_middle_it_says_that_it_is_not_complete() {
    let mut pty = map("cpu 60x60 --orders 40320 --threads 1");
    pty.wait_for("FILLING");
    pty.give_up();
    pty.wait_for("NOT complete: stopped by request");
}

#[test]
fn an_adapter_that_is_not_there_gives_the_terminal_back_and_is_bad_input() {
    let mut pty = map("nonsense 8x8");
    assert_eq!(pty.exit_code(), 2);
    pty.wait_restored();
}
