//! Runs without a screen, seen from terminals that come and go.

use super::harness::Pty;
use super::{LONG, on_a_good_terminal};
use crate::common::{PROGRAM, wait_until};
use crate::detach::Runs;
use portable_pty::CommandBuilder;
use rustix::process::Signal;

/// The program on a screen, where these runs are.
fn beside(runs: &Runs, args: &str) -> Pty {
    let mut command = on_a_good_terminal(CommandBuilder::new(&*PROGRAM));
    command.args(args.split_whitespace());
    command.env("DESTRIER_RUNS", runs.path());
    command.cwd(runs.path().parent().expect("it is in a folder"));
    Pty::spawn(command, 24, 80)
}

/// The figure of nodes in the second line.
fn nodes(screen: &vt100::Screen) -> Option<String> {
    let line = screen.contents_between(1, 0, 1, 79);
    Some(line.split_whitespace().nth(1)?.to_owned())
}

#[test]
fn a_run_is_seen_from_a_second_terminal_while_the_first_is_closed() {
    let runs = Runs::new();
    let id = runs.begin(&format!("search {LONG} 4"));
    let first = beside(&runs, "attach");
    first.wait_for("8x8 closed");
    let mut second = beside(&runs, &format!("attach {id}"));
    second.wait_for("8x8 closed");
    first.signal(Signal::HUP);
    let mut first = first;
    assert_eq!(first.exit_code(), 129);
    let before = nodes(second.seen().parser.screen());
    second.wait("more nodes", |screen| nodes(screen) != before);
    // What was before it came is seen too.
    second.press("{");
    second.wait_for("PAST");
    second.press("]");
    second.wait_for("event 1 of ");
    second.wait_for("worker 0 gave worker ");
    second.press("}");
    second.wait("now", |screen| !screen.contents().contains("PAST"));
    // It has all keys but those that would end the run.
    second.press("S");
    second.wait_for("is not started again here");
    second.press("p");
    second.wait_for("PAUSED");
    wait_until("it is held", || runs.row(id)["state"] == "paused");
    second.press("p");
    wait_until("it goes on", || runs.row(id)["state"] == "running");
    second.press("G");
    second.wait_for("board, worker 3");
    second.press("r");
    second.wait_for("hire, next");
    second.quit();
    second.wait_for(&format!("run {id} goes on"));
    assert_eq!(runs.row(id)["state"], "running");
    wait_until("no viewer is left", || runs.row(id)["guests"] == 0);
}

#[test]
fn the_end_is_seen_by_whoever_looks_on() {
    let runs = Runs::new();
    let id = runs.begin(&format!("search {LONG} 2"));
    let mut pty = beside(&runs, "attach");
    pty.wait_for("8x8 closed");
    let pid = runs.row(id)["pid"].to_string();
    let kill = |name| std::process::Command::new("kill").args(["-s", name, &pid]).status();
    assert!(kill("TERM").is_ok_and(|status| status.success()));
    pty.wait_for("STOPPED");
    pty.quit();
    pty.wait_for(&format!("run {id} has been stopped; to go on:"));
    runs.until(id, "stopped");
}

#[test]
fn one_that_is_killed_is_not_heard_of_any_more() {
    let runs = Runs::new();
    let id = runs.begin(&format!("search {LONG} 2"));
    let mut pty = beside(&runs, "attach");
    pty.wait_for("8x8 closed");
    let pid = runs.row(id)["pid"].to_string();
    assert!(
        std::process::Command::new("kill").args(["-s", "KILL", &pid]).status().is_ok_and(|status| status.success())
    );
    pty.wait_for("nothing more is heard of this run");
    pty.quit();
    runs.until(id, "died");
}

/// A view is left by `d`, the search goes on, and in the end it has every tour and every node.
#[test]
fn a_search_is_left_by_a_key_and_goes_on() {
    let runs = Runs::new();
    let mut pty = beside(&runs, "watch 6x7 --solver path --threads 2 --paused --out tours");
    pty.wait_for("PAUSED");
    pty.press("sss");
    pty.wait("a node", |screen| !screen.contents().contains("nodes           0"));
    pty.press("d");
    assert_eq!(pty.exit_code(), 0);
    pty.wait_restored();
    pty.wait_for("it goes on without this terminal; to see it: destrier attach 1");
    let report = &runs.until(1, "ended")["report"];
    assert_eq!(["tours", "nodes"].map(|key| report[key].as_u64()), [Some(1_067_638), Some(29_276_221)]);
    let tours = crate::common::Listing::of(&runs.path().with_file_name("tours"));
    assert_eq!((tours.lines, tours.different()), (1_067_638, 1_067_638));
}

#[test]
fn what_cannot_be_left_says_so() {
    let runs = Runs::new();
    let mut pty = beside(&runs, "count 8x8 --watch");
    pty.wait_for("q quit");
    pty.press("d");
    pty.wait_for("begin it with --detach");
    pty.give_up();
    let mut pty = beside(&runs, "find 12x12 --method genetic --watch");
    pty.wait_for("q quit");
    pty.press("d");
    pty.wait_for("only a search of all tours can go on");
    pty.give_up();
    assert!(!runs.path().exists());
}

#[test]
fn a_count_is_seen_and_left() {
    let runs = Runs::new();
    let id = runs.begin("count 8x8 --threads 1");
    let mut pty = beside(&runs, "attach");
    pty.wait_for("count");
    pty.wait_for("q quit");
    pty.quit();
    pty.wait_for(&format!("run {id} goes on"));
    let mut pty = beside(&runs, "attach");
    pty.wait_for("q quit");
    pty.press("d");
    assert_eq!(pty.exit_code(), 0);
    assert_eq!(runs.row(id)["state"], "running");
}

/// What cannot be kept is not stopped.
#[test]
fn a_view_stays_where_there_is_no_room_for_its_run_elsewhere() {
    let runs = Runs::new();
    std::fs::create_dir(runs.path()).expect("a folder");
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(runs.path(), open).expect("it is ours");
    let mut pty = beside(&runs, &format!("watch {LONG} 2"));
    pty.wait_for("q quit");
    pty.press("d");
    pty.wait_for("others can get in (mode 755)");
    let before = nodes(pty.seen().parser.screen());
    pty.wait("more nodes", |screen| nodes(screen) != before);
    pty.give_up();
    pty.wait_for("closed tours by radley");
    assert!(std::fs::read_dir(runs.path()).expect("a folder").next().is_none(), "nothing is left there");
}

/// The viewer that presses the key may be gone before the run has gone on.
#[test]
fn a_line_that_breaks_when_the_key_was_pressed_loses_nothing() {
    for signal in [Signal::HUP, Signal::TERM] {
        let runs = Runs::new();
        let mut pty = beside(&runs, "watch 6x7 --solver path --threads 1 --slow 20000 --out tours");
        pty.wait_for("q quit");
        pty.press("d");
        pty.wait("the screen is left", |screen| !screen.alternate_screen());
        pty.signal(signal);
        pty.exit_code();
        let report = &runs.until(1, "ended")["report"];
        assert_eq!(report["tours"].as_u64(), Some(1_067_638));
        assert_eq!(crate::common::Listing::of(&runs.path().with_file_name("tours")).different(), 1_067_638);
    }
}

#[test]
fn who_only_looks_changes_nothing() {
    let runs = Runs::new();
    let id = runs.begin(&format!("search {LONG} 4"));
    let mut pty = beside(&runs, &format!("attach {id} --read-only"));
    pty.wait_for("read only  8x8 closed");
    pty.wait("no key that is refused", |screen| {
        let footer = screen.contents_between(23, 0, 23, 79);
        footer.contains("q quit")
            && !["p pause", "s step", "slow motion", "rule"].iter().any(|key| footer.contains(key))
    });
    for key in ["p", "s", "-", "r"] {
        pty.press(key);
        pty.wait_for("this view only looks");
        pty.press("G");
        pty.wait("no notice", |screen| !screen.contents().contains("this view only looks"));
    }
    pty.wait_for("board, worker 3");
    assert_eq!(runs.row(id)["state"], "running");
    pty.quit();
}
