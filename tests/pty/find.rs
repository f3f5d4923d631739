//! `destrier find` on a terminal: what it asks, and what it says of a tour that is wider than the screen.

use super::harness::Pty;
use super::sized;
use crate::common::KURAPATI;
use rustix::process::Signal;

fn find(args: &str, cols: u16) -> Pty {
    sized(&format!("find {args}"), 24, cols)
}

#[test]
fn without_a_board_it_asks_as_kurapatis_program_does_and_prints_its_sample() {
    let mut pty = find("", 80);
    for (question, answer) in [("Width", "8"), ("Row", "8"), ("A number from 0 to 7", "2"), ("Column", "4")] {
        pty.wait_for(question);
        pty.press(&format!("{answer}\r"));
    }
    pty.wait_for(KURAPATI.lines().last().expect("eight of them"));
    let text = pty.text();
    let tour = text.split("The Knight toured in this order:").nth(1).expect("its heading");
    let lines: Vec<&str> = tour.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(lines, KURAPATI.lines().collect::<Vec<_>>());
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn the_end_of_the_answers_ends_it_quietly() {
    let mut pty = find("", 80);
    pty.wait_for("Width");
    pty.press("8\r\u{4}");
    assert_eq!(pty.exit_code(), 0);
    assert!(!pty.text().contains("toured"), "{}", pty.text());
}

#[test]
fn a_tour_is_looked_at_on_the_screen_and_the_terminal_given_back() {
    let mut pty = find("8x8 --start e6 --show", 80);
    pty.wait("view of the tour", |screen| screen.alternate_screen() && screen.contents().contains("8x8"));
    pty.press("q");
    pty.wait_restored();
    assert_eq!(pty.exit_code(), 0);
    assert!(!pty.text().contains("--show it"), "{}", pty.text());
    let mut pty = find("8x8 --show", 80);
    pty.wait("view of the tour", |screen| screen.alternate_screen());
    pty.signal(Signal::TERM);
    pty.wait_restored();
    assert_eq!(pty.exit_code(), 143);
}

#[test]
fn a_grid_is_shown_where_it_fits_and_described_where_it_does_not() {
    let mut wide = find("20x22", 80);
    assert_eq!(wide.exit_code(), 0);
    wide.wait_for("checked");
    let text = wide.text();
    for says in
        ["20x22 closed tour by tiles", "first squares", "last squares", "440 squares", "wider than this terminal"]
    {
        assert!(text.contains(says), "no {says} in:\n{text}");
    }
    let mut narrow = find("19x19", 80);
    assert_eq!(narrow.exit_code(), 0);
    narrow.wait("grid", |screen| screen.contents().lines().any(|line| line.split_whitespace().count() == 19));
    let mut asked_for = find("8x20 --format grid", 40);
    assert_eq!(asked_for.exit_code(), 0);
    assert!(!asked_for.text().contains("wider"), "{}", asked_for.text());
}
