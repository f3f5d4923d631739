//! The live view in a real pseudo-terminal.

mod above;
mod attach;
mod compare;
mod count;
mod cycles;
mod demonstration;
mod dumb;
mod find;
mod hangup;
mod harness;
mod kept;
pub mod line;
mod paste;
mod replay;
mod settings;
mod show;
mod simulate;
mod ssh;
mod step;
mod tutorial;
mod walk;

use crate::common::{PROGRAM, of_no_user, shell_line};
use destrier::board::{Board, Ending};
use destrier::event;
use destrier::run::{Live, Outbox, Plan, Question, RunDone, Sampler, Source};
use destrier::schedule::{Crew, Levels};
use destrier::solve::Problem;
use destrier::ui::Session;
pub use harness::Pty;
use portable_pty::CommandBuilder;
use rustix::process::Signal;
use std::time::Duration;
use walk::Walk;

/// Tells [`child`] at which node a worker is to panic.
const CHILD: &str = "DESTRIER_TEST_PANIC";

/// A program in a terminal with everything.
fn on_a_good_terminal(mut command: CommandBuilder) -> CommandBuilder {
    command.env("TERM", "xterm-256color");
    command.env("LC_ALL", "C.UTF-8");
    // A backtrace would push what matters off the screen.
    command.env("RUST_BACKTRACE", "0");
    command.env_remove("NO_COLOR");
    of_no_user(|name, value| match value {
        Some(folder) => command.env(name, folder),
        None => command.env_remove(name),
    });
    // Else it would begin in the home of the user, who may have none.
    command.cwd(std::env::temp_dir());
    command
}

/// The program with these arguments.
fn destrier(args: &str) -> CommandBuilder {
    let mut command = CommandBuilder::new(&*PROGRAM);
    command.args(args.split_whitespace());
    on_a_good_terminal(command)
}

/// A line for the shell, with the program for `DESTRIER`.
fn shell(line: &str) -> CommandBuilder {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", &shell_line(line)]);
    on_a_good_terminal(command)
}

/// The program on a screen of this size.
fn sized(args: &str, rows: u16, cols: u16) -> Pty {
    Pty::spawn(destrier(args), rows, cols)
}

/// The program on 24 rows of 80 columns.
fn begin(args: &str) -> Pty {
    sized(args, 24, 80)
}

/// The live view of a search that panics, which no solver does: this test program again, running [`child`] alone.
fn panicking(at: u64) -> CommandBuilder {
    let mut command = CommandBuilder::new(std::env::current_exe().expect("this program has a path"));
    command.args(["--exact", "pty::child", "--nocapture"]);
    command.env(CHILD, at.to_string());
    on_a_good_terminal(command)
}

/// What [`panicking`] starts; a second run makes the view itself panic; nothing when the test command runs it itself.
#[test]
fn child() {
    let Ok(panic_at) = std::env::var(CHILD) else { return };
    let panic_at: u64 = panic_at.parse().expect("a number");
    let board: Board = "8x8".parse().expect("a board");
    let radley = destrier::solve::solver_by_name("radley").expect("it is in the list");
    let question = Question::Search(radley, Problem::new(board, Ending::Closed));
    let plan = Plan::of(question, 3);
    let outbox = Outbox::default();
    let mut runs = 0;
    let left = outbox.clone();
    let launch = move |plan: &Plan, _| -> Box<dyn Source> {
        runs += 1;
        assert!(runs == 1, "told to panic in the view");
        let (sender, events) = event::channel(event::CAPACITY);
        let crew = Crew::new(plan.crew(Levels::Sampled), sender);
        let watch = crew.watch();
        let (report, ending) = crossbeam_channel::bounded(1);
        std::thread::spawn(move || {
            let outcome = crew.run(&Walk::new(board, panic_at));
            drop(report.send(outcome.map(|outcome| RunDone { outcome, ..RunDone::default() })));
        });
        Box::new(Live::of(Sampler::new(watch, events, board), ending, left.clone(), board))
    };
    let session = Session {
        plan,
        may_restart: true,
        fps: Some(10),
        beginning: destrier::run::Beginning::default(),
        launch: Box::new(launch),
        prepare_detach: Box::new(|| Ok(())),
    };
    destrier::ui::run(session).expect("the view is left in good order");
    let Some(Err(error)) = outbox.lock().expect("no holder panicked").take() else {
        panic!("the panic was not noticed")
    };
    eprintln!("failed: {error}");
    std::process::exit(3);
}

fn watch(args: &str) -> Pty {
    let pty = begin(&format!("watch {args} --tempo off"));
    pty.wait_for("q quit");
    pty
}

/// A search that goes on for days.
const LONG: &str = "8x8 --solver radley --scheduler hire --threads";

fn watch_long(threads: usize) -> Pty {
    watch(&format!("{LONG} {threads}"))
}

#[test]
fn it_starts_shows_every_part_and_quits_with_the_summary() {
    let mut pty = watch_long(2);
    for text in ["8x8 closed", "radley", "hire, shallowest", "threads 2", "board, worker 0", "depths", "hires", "nodes"]
    {
        pty.wait_for(text);
    }
    pty.give_up();
    pty.wait_for("closed tours by radley");
    pty.wait_restored();
}

/// Of the table, of a count beside the workers, and of a theorem; the second is held before its first node.
#[test]
fn the_number_of_all_tours_is_shown_as_known() {
    for (search, says) in [
        ("6x6 --solver radley --prune any-isolated --threads 1 --slow 5", "9,862 tours"),
        ("5x6 --open --start a1 --threads 1 --paused", "4,542 tours"),
        ("4x4 --solver radley --threads 1 --paused", "0 tours"),
    ] {
        let mut pty = sized(&format!("watch {search} --tempo off"), 36, 120);
        pty.wait_for(says);
        pty.give_up();
    }
}

#[test]
fn keys_are_answered_on_the_screen() {
    let mut pty = watch_long(4);
    pty.press("p");
    pty.wait_for("PAUSED");
    pty.press("p-");
    pty.wait_for("SLOW 1000/s");
    pty.press("-");
    pty.wait_for("SLOW 500/s");
    pty.press("j");
    pty.wait_for("board, worker 1");
    pty.press("\x1b[B");
    pty.wait_for("board, worker 2");
    pty.press("?");
    pty.wait_for("Workers search one tree");
    pty.press("\x1b");
    pty.wait("view without help", |screen| !screen.contents().contains("Workers search one tree"));
    pty.press("r");
    pty.wait_for("hire, next");
    pty.lose("S");
    pty.wait("rayon in the first line", |screen| screen.contents_between(0, 0, 0, 79).contains("rayon"));
    pty.give_up();
}

/// The numbers of nodes that a screen shows as those of now.
fn nodes_now(screen: &vt100::Screen) -> Option<String> {
    let text = screen.contents();
    let line = text.lines().rfind(|line| line.starts_with(" PAST "))?;
    Some(line.split(" now ").nth(1)?.trim_end().to_owned())
}

#[test]
fn the_first_hire_is_gone_back_to_while_the_run_goes_on() {
    let mut pty = watch(&format!("{LONG} 4 --slow 20000"));
    pty.wait("a hire", |screen| screen.contents().contains(" 8x8 closed") && screen.contents().contains(" at depth "));
    pty.press("{");
    pty.wait_for("[] event  () wait");
    pty.press("]");
    pty.wait_for("event 1 of ");
    pty.wait_for("worker 0 gave worker ");
    let line = |screen: &vt100::Screen| nodes_now(screen).filter(|now| now.ends_with(" nodes"));
    let before = line(pty.seen().parser.screen()).expect("the time line says it");
    pty.wait("more nodes", |screen| line(screen).is_some_and(|now| now != before));
    assert!(pty.text().contains("event 1 of "), "{}", pty.text());
    pty.press("}");
    pty.wait("now", |screen| !screen.contents().contains("PAST"));
    pty.give_up();
}

#[test]
fn nothing_ends_a_run_that_goes_on_without_a_yes() {
    let mut pty = watch_long(2);
    pty.escape_in_vain();
    for (key, question) in [("q", "leave, and end the run?"), ("S", "start again, and end this run?")] {
        pty.press(key);
        pty.wait_for(question);
        pty.press("n");
        pty.wait_for("nothing is changed");
    }
    pty.press("p");
    pty.wait_for("PAUSED");
    assert!(pty.text().contains("hire, shallowest"), "{}", pty.text());
    pty.give_up();
    pty.wait_for("closed tours by radley");
}

#[test]
fn a_smaller_crew_shows_one_of_its_own_workers() {
    let mut pty = watch_long(4);
    pty.press("G");
    pty.wait_for("board, worker 3");
    for scheduler in ["rayon", "static", "static-blocks", "serial"] {
        pty.lose("S");
        pty.wait(scheduler, |screen| screen.contents_between(0, 0, 0, 79).contains(scheduler));
    }
    pty.wait_for("board, worker 0");
    pty.give_up();
}

#[test]
fn a_resize_moves_the_footer_and_too_small_says_so() {
    let mut pty = watch_long(2);
    pty.resize(40, 120);
    pty.wait("footer in line 40", |screen| screen.contents_between(39, 0, 39, 119).contains("q quit"));
    pty.resize(9, 39);
    pty.wait_for("need 40x10, have 39x9");
    pty.resize(24, 80);
    pty.wait("footer in line 24", |screen| screen.contents_between(23, 0, 23, 79).contains("q quit"));
    pty.give_up();
}

#[test]
fn two_hundred_and_fifty_six_workers_fit_on_80x24() {
    let mut pty = watch_long(256);
    pty.wait_for("threads 256");
    pty.wait_for(" 224 ");
    pty.wait_for("board, worker 0");
    pty.give_up();
}

#[test]
fn signals_end_it_with_their_number_and_the_terminal_restored() {
    for (signal, code) in
        [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131), (Signal::ABORT, 134)]
    {
        let mut pty = watch_long(2);
        pty.signal(signal);
        assert_eq!(pty.exit_code(), code);
        pty.wait_for("closed tours by radley");
        pty.wait_restored();
    }
    let mut pty = watch_long(2);
    pty.press("\x03");
    assert_eq!(pty.exit_code(), 130);
    pty.wait_restored();
}

/// Each of them is answered, but not each by a picture of its own: they take less than a tenth of what so many pictures would.
#[test]
fn a_hundred_thousand_keys_are_not_drawn_one_by_one() {
    let mut pty = begin(&format!("watch {LONG} 1 --paused"));
    pty.wait_for("PAUSED");
    let begun = pty.cpu_of_first_thread();
    for _ in 0..50 {
        pty.press("?");
        pty.wait_for("Workers search one tree");
        pty.press("\x1b");
        pty.wait("view without help", |screen| !screen.contents().contains("Workers search one tree"));
    }
    // Processor time is told in steps of 10 ms.
    let pictures = pty.cpu_of_first_thread() - begun + Duration::from_millis(10);
    pty.press(&"\x1b".repeat(100_000));
    // The last escape and the letter may be one key or two.
    pty.press("j?");
    pty.wait_for("Workers search one tree");
    let used = pty.cpu_of_first_thread() - begun;
    assert!(used < 100 * pictures, "{used:?}, and {pictures:?} for 100 pictures");
    pty.press("\x1b");
    pty.wait("view without help", |screen| !screen.contents().contains("Workers search one tree"));
    pty.give_up();
}

#[test]
fn it_stops_and_comes_back() {
    let mut pty = watch_long(2);
    // Without a chance to restore the terminal it is at least taken again.
    pty.signal(Signal::STOP);
    pty.wait_state('T');
    pty.signal(Signal::CONT);
    pty.press("p");
    pty.wait_for("PAUSED");
    for by_key in [true, false] {
        if by_key {
            pty.press("\x1a");
        } else {
            pty.signal(Signal::TSTP);
        }
        pty.wait_state('T');
        pty.wait_restored();
        pty.signal(Signal::CONT);
        pty.wait("view again", |screen| screen.alternate_screen() && screen.contents().contains("q quit"));
    }
    pty.give_up();
}

#[test]
fn when_the_search_ends_the_figures_stay() {
    let mut pty = watch("5x6 --solver radley --threads 2");
    pty.wait_for("FINISHED");
    pty.wait_for("8 closed tours, undirected; complete");
    pty.wait_for("nodes 7,745,182");
    pty.press("p");
    pty.wait_for("the run has ended");
    pty.quit();
    pty.wait_for("closed tours by radley");
}

#[test]
fn a_panic_in_a_worker_ends_the_view_with_an_error() {
    let mut pty = Pty::spawn(panicking(3_000_000), 24, 80);
    assert_eq!(pty.exit_code(), 3);
    pty.wait_for("panicked: told to panic");
    pty.wait_restored();
}

#[test]
fn the_screen_is_written_to_a_new_file_or_a_sentence_says_why_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = destrier(&format!("watch {LONG} 2"));
    command.cwd(folder.path());
    let mut pty = Pty::spawn(command, 24, 80);
    pty.wait_for("q quit");
    pty.press("w\r");
    pty.wait_for("written to destrier-screen-1.txt");
    pty.press("w\rw\r");
    pty.wait_for("written to destrier-screen-3.txt");
    pty.press("w\x7f\x7f\x7fsvg\r");
    pty.wait_for("written to destrier-screen-1.svg");
    let picture = std::fs::read_to_string(folder.path().join("destrier-screen-1.svg")).expect("it is there");
    assert!(picture.contains("closed") && picture.ends_with("</svg>\n"));
    let text = std::fs::read_to_string(folder.path().join("destrier-screen-1.txt")).expect("it is there");
    assert!(text.contains("8x8 closed") && text.lines().count() == 24);
    std::fs::remove_dir_all(folder.path()).expect("it is ours");
    pty.press("w\r");
    pty.wait_for("destrier-screen-N.txt could not be written");
    pty.give_up();
}

#[test]
fn a_panic_of_the_view_itself_restores_the_terminal_before_it_is_reported() {
    let mut pty = Pty::spawn(panicking(u64::MAX), 24, 80);
    pty.wait_for("q quit");
    pty.lose("S");
    assert_ne!(pty.exit_code(), 0);
    pty.wait_for("told to panic in the view");
    pty.wait_restored();
}
