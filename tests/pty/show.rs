//! The tour view in a real pseudo-terminal.

use super::harness::Pty;
use super::on_a_good_terminal;
use crate::common::{PROGRAM, shell_line};
use portable_pty::CommandBuilder;
use rustix::process::Signal;
use std::io::Write;
use tempfile::NamedTempFile;

/// Kurapati, "Knight's Tour in C_g", 2007: the 8x8 tour printed there, which happens to close; and
/// a smaller one.
const TOURS: &str = "\
27 12 37 16 25  2 47 18
36 15 26 13 50 17 24  3
11 28 63 38  1 48 19 46
56 35 14 49 62 51  4 23
29 10 57 64 39 22 45 20
34 55 32 61 52 59 42  5
 9 30 53 58  7 40 21 44
54 33  8 31 60 43  6 41

3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2
";

fn file() -> NamedTempFile {
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(TOURS.as_bytes()).expect("the disk takes it");
    file
}

fn show(file: &NamedTempFile) -> Pty {
    let mut command = CommandBuilder::new(PROGRAM);
    command.arg("show");
    command.arg(file.path());
    let pty = Pty::spawn(on_a_good_terminal(command), 24, 80);
    pty.wait_for("q quit");
    pty
}

/// A shell command with `DESTRIER` for the program and `FILE` for the tours.
fn shell(line: &str, file: &NamedTempFile) -> CommandBuilder {
    let mut command = CommandBuilder::new("/bin/sh");
    let file = file.path().to_str().expect("a plain name");
    command.args(["-c", &shell_line(line).replace("FILE", file)]);
    on_a_good_terminal(command)
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
    pty.press("v?");
    pty.wait_for("to a move, by its number");
    pty.press("\x1b");
    pty.wait("view without help", |screen| !screen.contents().contains("to a move, by its number"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.wait_restored();
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
    pty.press("\x1b");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn tours_are_piped_in_and_keys_come_from_the_terminal() {
    let file = file();
    for line in ["DESTRIER show < FILE", "cat FILE | DESTRIER show -"] {
        let mut pty = Pty::spawn(shell(line, &file), 24, 80);
        pty.wait_for("8x8 closed  stdin");
        pty.press("G");
        pty.wait_for("move 64 of 64  d4");
        pty.press("q");
        assert_eq!(pty.exit_code(), 0);
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
