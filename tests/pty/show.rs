//! The tour view in a real pseudo-terminal.

use super::harness::Pty;
use crate::common::{KURAPATI, LINE_3X4, run};
use portable_pty::CommandBuilder;
use rustix::process::Signal;
use std::io::Write;
use tempfile::NamedTempFile;

/// Two tours, of which the larger happens to close.
fn file() -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file");
    write!(file, "{KURAPATI}\n{LINE_3X4}").expect("the disk takes it");
    file
}

fn show(file: &NamedTempFile) -> Pty {
    let pty = Pty::spawn(shell("exec DESTRIER show FILE", file), 24, 80);
    pty.wait_for("q quit");
    pty
}

/// A shell command with `DESTRIER` for the program and `FILE` for the tours.
fn shell(line: &str, file: &NamedTempFile) -> CommandBuilder {
    super::shell(&line.replace("FILE", file.path().to_str().expect("a plain name")))
}

#[test]
fn it_steps_jumps_plays_and_gives_the_terminal_back() {
    let file = file();
    let mut pty = show(&file);
    pty.wait_for("moves from e6");
    pty.wait_for("tour 1 of 2");
    pty.press("l\x1b[C");
    pty.wait_for("move  3 of 64  h7");
    pty.press("44\r");
    pty.wait_for("move 44 of 64  h2");
    // Letters end a number: fifty moves on, then to the start, then to move 10, then to the other tour and back.
    pty.press("50sg10g");
    pty.wait_for("move 10 of 64");
    pty.press("2n");
    pty.wait_for("tour 2 of 2");
    pty.press("500n");
    pty.wait_for("there is no tour 500 here: they are numbered 1 to 2");
    pty.press("1n44g");
    pty.wait_for("move 44 of 64  h2");
    pty.press("/2,4\r");
    pty.wait_for("move  1 of 64  e6");
    pty.press("/k9\r");
    pty.wait_for("'k9' is not on the board 8x8");
    pty.press("++p");
    pty.wait_for("PLAYING 20/s");
    pty.wait_for("move 64 of 64");
    pty.wait_for("closes the tour");
    pty.press("n");
    pty.wait_for("3x4 open");
    pty.press("#?");
    pty.wait_for("number for the next key");
    pty.press("\x1b");
    pty.wait("view without help", |screen| !screen.contents().contains("number for the next key"));
    pty.quit();
    pty.wait_restored();
}

/// Of a packed file nothing before that tour is read; of any other what is before it is read and not shown.
#[test]
fn it_begins_with_the_tour_that_is_asked_for() {
    let file = file();
    let mut pty = Pty::spawn(shell("exec DESTRIER show FILE --tour 2", &file), 24, 80);
    pty.wait_for("from its tour 2 on");
    pty.wait_for("moves from a3");
    pty.quit();
    let packed = ["search", "6x6", "--format", "packed", "--force", "--out", file.path().to_str().unwrap()];
    assert!(run(&packed).status.success());
    let mut pty = Pty::spawn(shell("exec DESTRIER show FILE --tour 9000", &file), 24, 80);
    pty.wait_for("6x6 closed");
    pty.wait_for("tour 9,000 of 9,862");
    pty.quit();
}

#[test]
fn a_resize_makes_the_squares_larger_and_too_small_says_so() {
    let file = file();
    let mut pty = show(&file);
    pty.resize(60, 200);
    pty.wait("footer in line 60", |screen| screen.contents_between(59, 0, 59, 199).contains("q quit"));
    pty.resize(9, 39);
    pty.wait_for("need 40x10, have 39x9");
    pty.resize(10, 40);
    pty.wait_for("8x8 closed  move  1 of 64  e6");
    pty.escape_in_vain();
    pty.quit();
}

#[test]
fn tours_are_piped_in_and_keys_come_from_the_terminal() {
    let file = file();
    for line in ["DESTRIER show < FILE", "cat FILE | DESTRIER show -"] {
        let mut pty = Pty::spawn(shell(line, &file), 24, 80);
        pty.wait_for("8x8 closed  stdin");
        pty.press("G");
        pty.wait_for("move 64 of 64  d4");
        pty.quit();
        pty.wait_restored();
    }
}

#[test]
fn signals_and_suspension_are_those_of_the_live_view() {
    let file = file();
    let mut pty = show(&file);
    pty.press("\x1a");
    pty.wait_state('T');
    pty.wait_restored();
    pty.signal(Signal::CONT);
    pty.wait("view again", |screen| screen.alternate_screen() && screen.contents().contains("q quit"));
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    pty.wait_restored();
    let mut pty = show(&file);
    pty.press("\x03");
    assert_eq!(pty.exit_code(), 130);
    pty.wait_restored();
}

#[test]
fn what_is_no_file_of_tours_is_refused_before_the_screen_is_taken() {
    let file = file();
    for (line, said) in [
        ("DESTRIER show", "show needs tours: name a file, or pipe them in"),
        ("DESTRIER show /nowhere", "/nowhere: No such file or directory"),
        ("echo noise | DESTRIER show", "stdin: line 1: no tour begins with 'noise'"),
        ("DESTRIER show FILE 2>&1 | cat; exit 2", "show needs a terminal for its screen"),
    ] {
        let mut pty = Pty::spawn(shell(line, &file), 24, 80);
        assert_eq!(pty.exit_code(), 2, "{line}");
        pty.wait_for(said);
    }
}
