//! Runs that are shown slowly by themselves: the demonstration of bare `destrier`, and the head of a `watch`.

use super::harness::Pty;
use super::{begin, sized};

/// Keys that lift any limit: each is the next faster pace, and behind the fastest there is none.
const FASTER: &str = "++++++++++++++++";

fn wait_for_its_number(pty: &Pty) {
    pty.wait_for("FINISHED");
    pty.wait_for("9,862 closed tours, undirected");
}

#[test]
fn the_demonstration_comes_to_its_number_whatever_is_pressed() {
    for keys in ["", "pp", "s", "s-rp"] {
        let mut pty = begin("");
        pty.wait_for("demonstration, slowed to 1/");
        pty.wait_for(" at depth ");
        keys.chars().for_each(|key| pty.press(&key.to_string()));
        // A step, and one p of these keys, leave it paused.
        if keys.contains('s') && !keys.ends_with('p') {
            pty.wait_for("PAUSED");
            pty.press("p");
        }
        pty.press(FASTER);
        wait_for_its_number(&pty);
        pty.press("q");
        pty.wait_for("closed tours by radley");
        pty.wait_restored();
    }
}

/// Its end says how it went, and each of the keys that it names leads on.
#[test]
fn the_end_of_the_demonstration_leads_on() {
    let mut pty = begin("--threads 2");
    pty.wait_for("threads 2");
    pty.press(FASTER);
    wait_for_its_number(&pty);
    pty.wait_for("kept 2 workers searching");
    pty.press("v");
    pty.wait_for("one of its tours");
    pty.press("q");
    pty.wait_for("r again, other rule");
    pty.press("r");
    pty.wait_for("hire, next");
    pty.wait_for("demonstration, slowed to 1/");
    pty.press(FASTER);
    wait_for_its_number(&pty);
    pty.press("B");
    pty.wait_for("8x8 closed  path");
    pty.give_up();
}

/// What the screen is for is on it at any size: hires, and prunes by depth.
#[test]
fn the_demonstration_shows_hires_and_prunes() {
    for (rows, cols) in [(24, 80), (60, 200)] {
        let mut pty = sized("", rows, cols);
        pty.wait_for(" at depth ");
        pty.wait_for("pruned, most");
        pty.wait_for("slowed to 1/");
        pty.give_up();
    }
    let mut pty = sized("", 10, 40);
    pty.wait_for(" at depth ");
    pty.give_up();
}

#[test]
fn a_watched_search_begins_slowly_and_is_let_go_by_a_key() {
    let mut pty = begin("watch 6x7 --threads 2");
    pty.wait_for("path");
    pty.wait_for("full speed in ");
    pty.press("+");
    pty.wait_for("FINISHED");
    pty.wait_for("1,067,638 closed tours");
}
