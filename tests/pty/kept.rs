//! A search that is kept in a file, left on the screen and gone on with there.

use super::harness::Pty;
use super::{LONG, destrier};
use crate::common::wait_until;
use rustix::process::Signal;
use std::fs;
use std::path::Path;

/// The program in a folder.
fn within(folder: &Path, args: &str) -> Pty {
    let mut command = destrier(args);
    command.cwd(folder);
    Pty::spawn(command, 24, 80)
}

/// A run in the file `run`, paused, left after some single steps.
fn left_after_some_steps(folder: &Path) {
    let mut pty = within(folder, "watch 6x7 --solver path --threads 2 --paused --checkpoint run");
    pty.wait_for("PAUSED");
    pty.press("sss");
    pty.wait("a node", |screen| !screen.contents().contains("nodes           0"));
    pty.give_up();
    pty.wait_restored();
    pty.wait_for("to go on: destrier resume");
    pty.wait_for("NOT complete");
    assert!(folder.join("run").exists());
}

/// A search resumes with other threads in the same view, and searches nothing twice.
#[test]
fn a_search_goes_on_with_other_threads_in_the_same_view() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pty = within(folder.path(), "watch 6x7 --solver path --threads 2 --paused");
    pty.wait_for("PAUSED");
    pty.press("sss");
    pty.wait("a node", |screen| !screen.contents().contains("nodes           0"));
    for (typed, says) in [("0", "must be 1 to 4096, not 0"), ("x", "is wanted"), ("3", "3 threads"), ("1", "1 thread ")]
    {
        pty.press(&format!("R{typed}\r"));
        pty.wait_for(says);
    }
    pty.wait_for("PAUSED");
    pty.press("p");
    pty.wait_for("1,067,638 closed tours, undirected; complete");
    pty.press("R");
    pty.wait_for("nothing to go on with");
    pty.quit();
    pty.wait_restored();
    pty.wait_for("29,276,221");
    // A run that is saved is resumed with others.
    let mut pty = within(folder.path(), "watch 6x7 --solver path --threads 2 --paused --checkpoint run");
    pty.wait_for("PAUSED");
    pty.press("R");
    pty.wait_for("the threads stay while this run is written");
    pty.give_up();
}

#[test]
fn a_search_that_was_left_goes_on_in_the_view_with_the_totals_of_all() {
    let folder = tempfile::tempdir().expect("a folder");
    left_after_some_steps(folder.path());
    let mut pty = within(folder.path(), "resume run --watch");
    pty.wait_for("FINISHED");
    pty.wait_for("1,067,638 closed tours, undirected; complete");
    pty.quit();
    pty.wait_restored();
    // Nodes and all, of both.
    pty.wait_for("29,276,221");
    // It is done: that is printed, and there is no view any more.
    let mut pty = within(folder.path(), "resume run --watch");
    assert_eq!(pty.exit_code(), 0);
    pty.wait_for("29,276,221");
    assert!(!pty.text().contains("q quit"), "{}", pty.text());
}

/// A run that is kept is not begun again from the view: its file is about one run.
#[test]
fn a_signal_keeps_it_too_and_a_second_run_is_not_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pty = within(folder.path(), &format!("watch {LONG} 2 --checkpoint run"));
    pty.wait_for("q quit");
    pty.press("S");
    pty.escape_in_vain();
    pty.signal(Signal::HUP);
    assert_eq!(pty.exit_code(), 129);
    pty.wait_for("to go on: destrier resume");
}

/// SIGUSR1 saves a run on the screen, also one whose workers wait, and SIGUSR2 ends it as it ends any other.
#[test]
fn a_batch_system_has_it_saved_and_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut pty = within(folder.path(), &format!("watch {LONG} 2 --checkpoint run --every 1h"));
    pty.wait_for("q quit");
    let checkpoint = || fs::read(folder.path().join("run")).expect("a checkpoint");
    let has_it_saved = |pty: &Pty| {
        let before = checkpoint();
        wait_until("another checkpoint", || {
            pty.signal(Signal::USR1);
            checkpoint() != before
        });
    };
    has_it_saved(&pty);
    pty.press("p");
    pty.wait_for("PAUSED");
    has_it_saved(&pty);
    pty.signal(Signal::USR2);
    assert_eq!(pty.exit_code(), 140);
    pty.wait_for("to go on: destrier resume");
}
