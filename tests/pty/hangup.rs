//! Terminals that go away: whatever is on them ends by itself, as by SIGHUP, with what was asked for saved.

use super::line::{Line, destrier, shell};
use crate::common::{LINE_3X4, PATIENCE, side_by_side, wait_until};
use crate::count::wait_for_work;
use rustix::process::{Signal, kill_process};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

/// The exit code of a program that SIGHUP ends.
const HUNG_UP: Option<i32> = Some(129);

/// Keys, and what is seen after each.
type Keys = &'static [(&'static str, &'static str)];

/// Every view: how it is begun, what is on its screen then, and the keys that lead on from there.
const VIEWS: &[(&str, &str, Keys)] = &[
    ("", "q quit", &[]),
    ("watch 8x8 --solver radley --threads 2", "q quit", &[]),
    ("watch 8x8 --solver radley --threads 2", "q quit", &[("p", "PAUSED")]),
    ("watch 6x6 --solver radley --threads 1", "q quit", &[("e", "dead ends")]),
    ("watch 5x6 --solver radley --threads 1", "FINISHED", &[]),
    ("step", "s takes the first step", &[]),
    ("step 5x5 --open", "s takes the first step", &[("p", "PLAYING")]),
    ("step 8x8 --solver radley --prune none", "s takes the first step", &[("n", "RUNNING")]),
    ("step --method gpu-cycles --adapter cpu", "8x8 from e6", &[]),
    ("find 8x8 --watch --threads 2", "found 1 tour", &[]),
    ("find 8x8 --watch --threads 2", "found 1 tour", &[("v", "of 64")]),
    ("find 8x8 --show", "q quit", &[]),
    ("find 8x8 --method gpu-cycles --start 0,2 --adapter cpu --watch", "RUNNING", &[]),
    ("count 8x8 --watch --threads 2", "COUNTING", &[]),
    ("count 6x6 --watch --threads 2", "DONE", &[]),
];

fn begun(mut line: Line, seen: &str, keys: Keys) -> Line {
    line.wait_for(seen);
    for (key, seen) in keys {
        line.press(key);
        line.wait_for(seen);
    }
    line
}

#[test]
fn every_view_ends_with_its_terminal() {
    side_by_side(4, VIEWS, |(args, seen, keys)| {
        let mut line = begun(Line::spawn(&destrier(args)), seen, keys);
        line.hang_up();
        let status = line.status();
        assert_eq!(status.code(), HUNG_UP, "{args} {keys:?}: {status}");
    });
}

#[test]
fn a_view_whose_keys_come_from_elsewhere_than_stdin_ends_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tours");
    fs::write(&file, LINE_3X4).expect("the disk takes it");
    for how in ["show FILE", "show < FILE"] {
        let how = how.replace("FILE", file.to_str().expect("a plain name"));
        let mut line = begun(Line::spawn(&shell(&format!("exec DESTRIER {how}"))), "q quit", &[]);
        line.hang_up();
        assert_eq!(line.status().code(), HUNG_UP, "{how}");
    }
}

/// No signal tells it: SIGHUP is ignored, and the terminal is gone all the same.
#[test]
fn a_view_that_is_to_ignore_the_signal_ends_with_its_terminal() {
    side_by_side(4, VIEWS, |(args, seen, keys)| {
        let nohup = shell(&format!("trap '' HUP; exec DESTRIER {args}"));
        let mut line = begun(Line::spawn(&nohup), seen, keys);
        line.signal(Signal::HUP);
        let status = line.proc("status");
        let ignored =
            status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
        assert!(ignored.is_some_and(|ignored| ignored & 1 == 1), "{args}: it was to ignore the signal: {status}");
        line.hang_up();
        let status = line.status();
        assert_eq!(status.code(), HUNG_UP, "{args} {keys:?}: {status}");
    });
}

/// A key that has begun is waited for: not in a read, which would never come back.
#[test]
fn a_key_that_never_ends_holds_nothing_up() {
    let watch = destrier("watch 8x8 --solver radley --threads 1");
    for begun_key in ["\x1b[", "\x1bO", "\x1b[1;"] {
        let mut line = begun(Line::spawn(&watch), "q quit", &[("p", "PAUSED")]);
        let before = line.rests();
        line.press(begun_key);
        line.read_until_it_rests(&before);
        line.hang_up();
        assert_eq!(line.status().code(), HUNG_UP, "{begun_key:?}");
        let mut line = begun(Line::spawn(&watch), "q quit", &[("p", "PAUSED")]);
        let before = line.rests();
        line.press(begun_key);
        line.read_until_it_rests(&before);
        line.signal(Signal::TERM);
        line.read_to_the_end();
        assert_eq!(line.status().code(), Some(143), "{begun_key:?}");
    }
}

#[test]
fn a_view_that_waits_uses_no_time() {
    let mut line = begun(Line::spawn(&destrier("step")), "s takes the first step", &[]);
    let before = line.cpu_of_first_thread();
    line.press("\x1b[");
    line.read_for(Duration::from_secs(2));
    let used = line.cpu_of_first_thread() - before;
    assert!(used < Duration::from_millis(500), "{used:?} of two seconds");
    line.press("Aq");
    line.read_to_the_end();
    assert_eq!(line.status().code(), Some(0));
}

#[test]
fn a_view_that_was_stopped_ends_too() {
    for trap in ["", "trap '' HUP; "] {
        let mut line = begun(Line::spawn(&shell(&format!("{trap}exec DESTRIER step"))), "s takes the first step", &[]);
        line.press("\x1a");
        line.wait("shell's terminal", |screen| !screen.alternate_screen());
        let began = Instant::now();
        while !line.proc("stat").contains(") T ") {
            assert!(began.elapsed() < PATIENCE, "it does not stop");
        }
        line.hang_up();
        assert_eq!(line.status().code(), HUNG_UP);
    }
}

#[test]
fn what_was_found_is_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, how) in [
        ("watched", "watch 8x8 --solver radley --threads 2 --out"),
        ("searched", "search 8x8 --solver radley --threads 2 --out"),
    ] {
        for trap in ["", "trap '' HUP; "] {
            let file = folder.path().join(format!("{name}{}", trap.len()));
            let line = shell(&format!("{trap}exec DESTRIER {how} {}", file.display()));
            let mut line = Line::spawn(&line);
            let began = Instant::now();
            // Under another name at first.
            let bytes = || -> u64 {
                let entries = fs::read_dir(folder.path()).expect("it is there").filter_map(Result::ok);
                let parts = entries.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"));
                parts.filter_map(|entry| entry.metadata().ok()).map(|data| data.len()).sum()
            };
            while bytes() == 0 {
                assert!(began.elapsed() < PATIENCE, "no tours");
                line.read_for(Duration::from_millis(5));
            }
            line.hang_up();
            if name == "searched" && !trap.is_empty() {
                // It needs no terminal, and was told to go on without one.
                let before = bytes();
                wait_until("more tours", || bytes() > before);
                assert!(line.runs() && !file.exists());
                line.signal(Signal::TERM);
            }
            let expected = if name == "searched" && !trap.is_empty() { Some(143) } else { HUNG_UP };
            assert_eq!(line.status().code(), expected, "{how}");
            let text = fs::read_to_string(&file).expect("it has its name");
            assert!(text.ends_with('\n') && text.lines().all(|line| line.split(' ').count() == 65), "{how}");
            assert_eq!(bytes(), 0, "nothing is left beside it");
        }
    }
}

#[test]
fn what_has_no_screen_ends_by_the_signal_and_is_no_failure() {
    for args in [
        "search 8x8 --threads 1",
        "search 8x8 --threads 1 --out -",
        "count 8x8 --threads 1",
        "count 8x8 --threads 1 --json",
    ] {
        let mut line = Line::spawn(&destrier(args));
        wait_for_work(line.id(), 1);
        line.hang_up();
        assert_eq!(line.status().code(), HUNG_UP, "{args}");
    }
    // A run that comes to its end without its terminal, and was told nothing, has no reader left for its report. The
    // deadline passes while it is held; a machine on which it passes before that gets a longer one.
    let ended = (0..8).find_map(|n| {
        let deadline = 1 << n;
        let line = format!("trap '' HUP; exec DESTRIER search 8x8 --threads 1 --deadline {deadline}s");
        let mut line = Line::spawn(&shell(&line));
        wait_for_work(line.id(), 1);
        line.signal(Signal::STOP);
        let is_held = line.proc("stat").contains(") T ") || line.runs();
        line.hang_up();
        line.signal(Signal::CONT);
        is_held.then(|| line.status())
    });
    assert_eq!(ended.expect("a run that was held before its deadline").code(), HUNG_UP);
}

/// No program reads the terminal: the view is stuck in a write.
#[test]
fn a_second_signal_ends_a_view_that_is_stuck() {
    let stuck = || {
        let mut line = Line::sized(&destrier("watch 8x8 --threads 2 --slow 100000 --fps 60"), (100, 200));
        line.wait("screen", vt100::Screen::alternate_screen);
        let (began, mut before, mut same) = (Instant::now(), line.rests(), 0);
        // It draws until the terminal takes no more. On a busy machine it may pause for a second, but hardly for two.
        while same < 2 {
            assert!(began.elapsed() < PATIENCE, "it draws for ever");
            std::thread::sleep(Duration::from_secs(1));
            let now = line.rests();
            same = if now == before { same + 1 } else { 0 };
            before = now;
        }
        line
    };
    // A signal interrupts the write, and the terminal may have made room for the rest of it by then: such a view ends in
    // order, and another one is tried.
    let ends = |first: &[Signal], pause: Duration, second: Signal| {
        let came_free = Some(128 + first[0].as_raw());
        for _ in 0..10 {
            let mut line = stuck();
            first.iter().for_each(|&signal| line.signal(signal));
            std::thread::sleep(Duration::from_millis(300));
            if !line.runs() {
                assert_eq!(line.status().code(), came_free, "{first:?} ended it at once");
                continue;
            }
            std::thread::sleep(pause);
            line.signal(second);
            let status = line.status();
            if status.code() != came_free {
                return assert_eq!(status.signal(), Some(second.as_raw()), "{first:?}, {second:?}: {status:?}");
            }
        }
        panic!("no view was stuck");
    };
    for (first, second) in [(Signal::TERM, Signal::INT), (Signal::HUP, Signal::TERM), (Signal::TERM, Signal::HUP)] {
        ends(&[first], Duration::ZERO, second);
    }
    // A hang-up that is said twice is one; later it is another.
    ends(&[Signal::HUP, Signal::HUP], Duration::from_secs(1), Signal::HUP);
    // And it comes back from there when the terminal goes away.
    let mut line = stuck();
    line.hang_up();
    assert_eq!(line.status().code(), HUNG_UP);
}

/// The shell finds its terminal as it was, although nothing more can be written there. It leads the session, and so no other
/// process sets the modes of the terminal back.
#[test]
fn a_second_signal_restores_a_terminal_that_takes_no_output() {
    let view = shell("read begin; DESTRIER watch 8x8 --threads 1 --slow 100000 --fps 60; read line");
    let mut line = Line::sized(&view, (100, 200));
    // As it is before the program has begun.
    let found = format!("{:?}", line.modes());
    line.press("\n");
    line.wait("screen", vt100::Screen::alternate_screen);
    assert_ne!(format!("{:?}", line.modes()), found, "a view takes keys one by one");
    // It draws until the terminal takes no more, and then waits, now or when it leaves the screen.
    let mut full = 0;
    wait_until("the terminal is full", || {
        full = if line.takes_output() { 0 } else { full + 1 };
        full == 100
    });
    let program = line.started().expect("the shell waits for it");
    // The first signal asks it to end, and so does another one that comes before the first is heard.
    wait_until("it ends", || line.started() != Some(program) || kill_process(program, Signal::TERM).is_err());
    assert_eq!(format!("{:?}", line.modes()), found);
}

/// Such cells would not fit into the memory of any machine.
#[test]
fn a_terminal_that_says_to_be_huge_is_believed_up_to_a_point() {
    let some = ["watch 8x8", "step", "find 8x8 --show", "count 8x8", "count 6x6"];
    let some = some.map(|begin| *VIEWS.iter().find(|(args, _, _)| args.starts_with(begin)).expect("a view"));
    for (size, views) in [
        ((u16::MAX, u16::MAX), &some[..]),
        ((1, u16::MAX), &some[..1]),
        ((u16::MAX, 1), &some[..1]),
        ((3000, 3000), &some),
    ] {
        for (args, _, _) in views {
            let mut line = Line::sized(&destrier(args), size);
            line.wait("screen", vt100::Screen::alternate_screen);
            line.read_for(Duration::from_millis(300));
            let status = line.proc("status");
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
            let peak: u64 =
                peak.and_then(|peak| peak.parse().ok()).unwrap_or_else(|| panic!("{args} {size:?}: it has ended"));
            assert!(peak < 400_000, "{args} {size:?}: {peak} kB");
            // What would be lost is asked about; a user who has left does not give the answer.
            line.press("qy");
            line.read_to_the_end();
            assert_eq!(line.status().code(), Some(0), "{args} {size:?}");
        }
    }
}
