//! What the system refuses, and what strangers wrote: memory, threads, and text that a terminal would obey.

use crate::common::{
    self, LINE_3X4, assert_refused, destrier, halted, is_written_to, path, run, send, shell, spawn, stderr, stdout,
    text, wait_until,
};
use crate::skip::skip;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A run that may take so many KiB of address space; nothing where such a limit cannot be set.
fn limited(kib: u32, args: &[&str]) -> Option<Output> {
    let holds = Command::new("sh").args(["-c", "ulimit -v 1000000 && ulimit -v"]).output().ok();
    if holds.is_none_or(|output| output.stdout != b"1000000\n") {
        skip("no limit on the address space can be set here");
        return None;
    }
    Some(common::limited(kib, args).output().expect("the shell starts"))
}

#[test]
fn a_count_that_a_limit_does_not_hold_is_refused_before_it_begins() {
    for args in [&["count", "8x8", "--threads", "2"][..], &["count", "8x8", "--threads", "2", "--memory", "64G"]] {
        let Some(output) = limited(1_500_000, args) else { return };
        let said = stderr(&output);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{args:?}: {said}");
        assert!(said.contains("takes 1.6 GiB") && said.contains("No --memory helps"), "{said}");
        assert!(said.contains("the limit of this process (ulimit -v or -d) allows no more than"), "{said}");
    }
    let Some(output) = limited(200_000, &["count", "8x8", "--threads", "2"]) else { return };
    let said = stderr(&output);
    assert!(output.status.code() == Some(2) && said.contains("the plan alone"), "{said}");
    // A plan may be for another machine; one that is made for this one says what there is.
    let Some(output) = limited(1_500_000, &["count", "8x8", "--plan", "--memory", "64G", "--threads", "2"]) else {
        return;
    };
    assert!(stdout(&output).contains("fits     in 64 GiB"), "{}", stderr(&output));
    let Some(output) = limited(1_500_000, &["doctor"]) else { return };
    // Lines are broken where they are full.
    let said = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("a limit of this process (ulimit) allows 1.4 GiB"), "{said}");
    assert!(said.contains(": the limit of this process (ulimit -v or -d) allows no more"), "{said}");
}

/// Whether a run ended because the system refused it some small piece of memory, such as a name: that aborts, and no
/// limit is so well chosen that it cannot happen.
fn lacks_a_small_piece(said: &str) -> bool {
    // Two threads may say it at once, the one in the middle of what the other one says, and the later one not to its end.
    let pieces = said.split("memory allocation of ").skip(1);
    let bytes = pieces.filter_map(|rest| rest.split(' ').next()?.parse::<u64>().ok());
    // The unwinder wants some too, to carry a refusal out of a worker, and glibc for what a thread drops at its end:
    // they say no number.
    let without_a_number = ["failed to initiate panic", "failed to register TLS destructor"];
    without_a_number.iter().any(|line| said.contains(line)) || bytes.max().is_some_and(|most| most < 1 << 16)
}

/// An answer, a refusal or a failure, never a panic, nor an abort for want of a large piece.
#[test]
fn refused_memory_and_threads_are_failures() {
    let (mut refused, mut small, mut runs) = ([0; 2], 0, 0);
    for args in [
        &["count", "6x7", "--threads", "2"][..],
        &["count", "8x8", "--threads", "2", "--plan", "--memory", "9G"],
        &["find", "3000x3000", "--method", "warnsdorff", "--format", "list", "--threads", "1"],
        &["find", "3000x3000", "--method", "gpu-cycles", "--adapter", "cpu"],
        &["find", "3..10x3..10", "--threads", "4096"],
        &["gpu", "map", "30x30", "--threads", "500", "--adapter", "cpu"],
    ] {
        for kib in [100_000, 160_000, 260_000] {
            let Some(Output { status, stderr, .. }) = limited(kib, args) else { return };
            let said = text(&stderr);
            runs += 1;
            if lacks_a_small_piece(&said) {
                small += 1;
                continue;
            }
            assert!(matches!(status.code(), Some(0 | 2 | 3)), "{args:?} in {kib} KiB: {status}: {said}");
            assert!(!said.contains("fault of the program"), "{args:?} in {kib} KiB: {said}");
            refused[0] += usize::from(said.contains("the system refuses"));
            refused[1] += usize::from(said.contains("could not be started") || said.contains("cannot start"));
        }
    }
    assert!(refused.iter().all(|&refused| refused > 1), "{refused:?}: what is tested does not happen");
    assert!(4 * small < runs, "{small} of {runs} runs ended for want of a small piece");
}

/// `src/run/README.md` names a limit from which on nothing small is refused: 100 MB, and 66 MB for each thread and four more.
#[test]
fn nothing_aborts_above_the_limit_that_the_readme_names() {
    for (threads, args) in [
        (64, &["search", "6x6", "--threads", "64"][..]),
        (2, &["unrank", "6x7", "5", "--threads", "2"]),
        (8, &["count", "5x7", "--open", "--threads", "8"]),
        (16, &["find", "300x300", "--tours", "9", "--method", "warnsdorff", "--threads", "16"]),
    ] {
        let Some(output) = limited((100 + 66 * (threads + 4)) << 10, args) else { return };
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    }
}

/// What a terminal would obey: a title, a colour by the one-byte introducer, and writing from right to left.
const OBEYED: &str = "\x1b]0;t\x07\u{9b}31m\u{202e}\u{200b}";

/// No character of it that is not plainly to be seen.
fn assert_visible(bytes: &[u8], of: &dyn std::fmt::Debug) {
    let text = text(bytes);
    let bad =
        |c: &char| (c.is_control() && *c != '\n') || OBEYED.chars().any(|bad| bad == *c && !bad.is_ascii_graphic());
    let found: Vec<char> = text.chars().filter(bad).collect();
    assert!(found.is_empty(), "{of:?} prints {found:?} in {text}");
}

/// Runs it and looks at all that it prints; it must be refused, or fail, with a message.
fn assert_harmless(args: &[OsString], folder: &Path) {
    let output = destrier(&[]).args(args).current_dir(folder).output().expect("the program starts");
    assert_visible(&output.stdout, &args);
    assert_visible(&output.stderr, &args);
    let said = [&output.stdout[..], &output.stderr].concat();
    assert!(!said.is_empty() && said.len() < 20_000, "{args:?} prints {} bytes", said.len());
    assert!(matches!(output.status.code(), Some(1..=3)), "{args:?}: {}: {}", output.status, text(&said));
}

/// The words of a line, `BAD` and `ODD` among them replaced.
fn words(line: &str, bad: &OsStr) -> Vec<OsString> {
    let word = |word: &str| match word.split_once("BAD") {
        None => OsString::from(word),
        Some((before, after)) => [OsStr::new(before), bad, OsStr::new(after)].into_iter().collect(),
    };
    line.split(' ').map(word).collect()
}

#[test]
fn no_argument_reaches_the_terminal_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(30_000) + OBEYED;
    for bad in [OsStr::new(OBEYED), OsStr::new(&long), OsStr::from_bytes(b"\xff\x1b[2J\xfe")] {
        for line in [
            "BAD",
            "--BAD",
            "search BAD",
            "search 6x6 --BAD",
            "search 6x6 --solver BAD",
            "search 6x6 --start BAD",
            "search 6x6 --limit BAD",
            "search 6x6 --deadline BAD",
            "search 6x6 --deadline 5BAD",
            "search 6x6 --prune BAD",
            "search 6x6 --scheduler BAD",
            "search 6x6 --out BAD/tours",
            "watch BAD",
            "step BAD",
            "step 6x6 --method BAD",
            "find BAD",
            "find 6x6..BAD",
            "find 6x6 --start BAD",
            "find 6x6 --end BAD",
            "find 6x6 --holes BAD",
            "find 6x6 --must a1-BAD",
            "find 6x6 --must-not BAD",
            "find 6x6 --partial BAD",
            "find 6x6 --tie BAD",
            "find 6x6 --order BAD",
            "find 6x6 --rng BAD",
            "find 6x6 --tours BAD",
            "find 6x6 --method BAD",
            "find 6x6 --method lookup --library BAD",
            "find 6x6 --out BAD/tour",
            "find 6x6 --adapter BAD",
            "count BAD",
            "count 6x6 --memory 3BAD",
            "count 6x6 --start BAD",
            "count 6x6 --modulus BAD",
            "count 6x6 --spill /dev/null/BAD",
            "count 6x6 --checkpoint BAD/x",
            "resume BAD",
            "resume 6x6.count --scheduler BAD",
            "merge BAD",
            "unrank 6x6 BAD",
            "rank BAD",
            "rank --board BAD",
            "verify BAD",
            "verify --board BAD",
            "verify --holes BAD",
            "show BAD",
            "board BAD",
            "gpu map BAD",
            "gpu map 6x6 --adapter BAD",
            "gpu map 6x6 --csv BAD/x",
            "gpu BAD",
            "reproduce BAD",
            "bench BAD",
            "completions BAD",
        ] {
            assert_harmless(&words(line, bad), folder.path());
        }
    }
}

#[test]
fn no_file_reaches_the_terminal_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("{}{OBEYED}", "x".repeat(5000));
    let name = format!("file {OBEYED}");
    let file = folder.path().join(&name);
    let header = "{\"question\":{\"board\":\"BAD\",\"ending\":\"BAD\",\"start\":\"BAD\",\"unique\":false,\
                  \"strict\":false,\"modulus\":null},";
    let contents = [
        "",
        "BAD",
        "BAD a1 b3",
        "3xBAD a1",
        "3x4 a3 BAD",
        "3x4 a3 c2BAD",
        "3x4 a3 c2 without BAD",
        "1 2 BAD\n",
        "1 2\n3 BAD\n",
        "[\"BAD\"]",
        "[\"a1\",\"BAD\"]",
        "{\"board\":\"BAD\"}",
        "{\"ending\":\"BAD\"}",
        "{\"BAD\":BAD",
        "[BAD",
        "<svg><desc>3x4 a3 BAD</desc></svg>",
        "....\n.BAD.\n",
        "b3 BAD",
        "#\n",
        "destrier count 6\nBAD",
        "destrier count 6\n{\"BAD\":1}\n",
        "3x4 a3\n3x4 BAD\nBAD\n",
    ];
    let header = format!("destrier count 6\n{header}\"progress\":BAD");
    for content in contents.into_iter().chain([&header[..]]) {
        for bad in [OBEYED, "\u{202e}\u{9b}31m", &long] {
            fs::write(&file, content.replace("BAD", bad)).unwrap();
            for line in [
                "unrank 6x6 BAD",
                "rank BAD",
                "rank --board BAD",
                "verify BAD",
                "verify BAD --board 3x4",
                "find 3x4 --holes BAD",
                "find 3x4 --partial BAD",
                "find 3x4 --open --method lookup --library BAD",
                "count 3x4 --checkpoint BAD",
                "resume BAD",
                "merge BAD",
                "search 3x4 --open --out BAD",
                "show BAD",
            ] {
                let args = words(line, OsStr::new(&name));
                // A file that is empty is fine in a place for one, and so are blanks in one of moves.
                assert_harmless(&args, folder.path());
            }
        }
    }
    let output = destrier(&["doctor"]).env("TERM", OBEYED).env("LANG", OBEYED).output().unwrap();
    assert_visible(&output.stdout, &"doctor");
}

#[test]
fn what_is_said_of_a_long_argument_can_be_read() {
    let long = "a b".repeat(40_000);
    for args in [&["search", &long][..], &["find", &long], &[&long], &["count", "6x6", "--threads", &long]] {
        let said = stderr(&run(args));
        assert!(said.len() < 1000 && said.contains(".."), "{} bytes: {said:.2000}", said.len());
    }
}

#[test]
fn a_message_says_which_numbers_would_do() {
    for (args, says) in [
        (&["search", "6x6", "--limit", "99999999999999999999"][..], "write a number from 1 to 18446744073709551615"),
        (&["find", "6x6", "--tours", "0"], "write a number from 1 to 18446744073709551615"),
        (&["count", "6x6", "--modulus", "2147483648"], "from 2 to 2147483647"),
    ] {
        assert_refused(args, says);
    }
}

#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        return skip("there is no /dev/full here");
    };
    let output = destrier(&["--help"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).starts_with("destrier: "), "{}", stderr(&output));
}

#[test]
fn a_file_that_is_replaced_keeps_who_may_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| path(&folder, name);
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    let [tours, rows] = ["tours", "rows"].map(path);
    let search = ["search", "5x6", "--out", &tours, "--force"];
    let count = ["count", "5x6", "--checkpoint", &rows, "--every", "1ms"];
    for kept in [0o600, 0o640, 0o666] {
        for (name, args) in [("tours", &search[..]), ("rows", &count)] {
            // A count that is done would not be written again.
            let _ = fs::remove_file(&rows);
            let begun = if name == "rows" { halted(args, "stop@row:2") } else { run(args) };
            assert_eq!(begun.status.success(), name == "tours", "{args:?}: {}", stderr(&begun));
            fs::set_permissions(path(name), fs::Permissions::from_mode(kept)).unwrap();
            assert_eq!(run(args).status.code(), Some(0), "{args:?}");
            assert_eq!(mode(name), kept, "{name}");
        }
    }
}

#[test]
fn a_library_that_is_damaged_is_bad_input() {
    let folder = tempfile::tempdir().unwrap();
    let (library, tour) = (path(&folder, "library"), LINE_3X4);
    let find = ["find", "3x4", "--open", "--method", "lookup", "--library", &library];
    for (content, code) in [(tour.to_owned(), 0), (format!("{tour}{tour}\0{tour}"), 2), ("\x7fELF".to_owned(), 2)] {
        fs::write(&library, content).unwrap();
        let output = run(&find);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert_eq!(output.stdout.is_empty(), code != 0);
        let says = ["no tour begins with", "is not the name of a square"];
        assert_eq!(says.iter().any(|says| stderr(&output).contains(says)), code != 0, "{}", stderr(&output));
    }
}

#[test]
fn a_library_is_read_from_a_pipe_once() {
    let folder = tempfile::tempdir().unwrap();
    let library = path(&folder, "library");
    fs::write(&library, LINE_3X4).unwrap();
    let find =
        |boards: &str| format!("cat {library} | DESTRIER find {boards} --open --method lookup --library /dev/stdin");
    let found = shell(&find("3x4")).output().unwrap();
    assert_eq!(found.status.code(), Some(0), "{}", stderr(&found));
    let range = shell(&find("5..6")).output().unwrap();
    assert_eq!(range.status.code(), Some(2), "{}", stderr(&range));
    assert!(stderr(&range).contains("name a file, not a pipe"), "{}", stderr(&range));
}

/// Nothing is served from a file of which some tours cannot be read: one of them might have been chosen.
#[test]
fn a_library_of_any_format_with_damage_in_it_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(&folder, name);
    for (format, name) in [("line", "list"), ("packed", "packed"), ("line", "list.zst"), ("packed", "packed.zst")] {
        let made = run(&["search", "5x6", "--format", format, "--out", &at(name)]);
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    }
    let find =
        |name: &str| ["find", "5x6", "--method", "lookup", "--tours", "6", "--library", &at(name)].map(str::to_owned);
    let bytes = |name: &str| fs::read(at(name)).unwrap();
    let [list, packed] = ["list", "packed"].map(bytes);
    let bad_line = [&list[..], b"5x6 a1 a2\n", &list[..]].concat();
    let mut changed = packed.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 0x55;
    let cut = |name: &str| bytes(name)[..bytes(name).len() - 7].to_vec();
    for (name, content, says) in [
        ("bad-line", bad_line, "tour 9, line 9: "),
        ("cut-list", cut("list"), "tour 8, line 8: "),
        ("changed", changed, "tour 1: "),
        ("cut-packed", cut("packed"), ""),
        ("cut-list.zst", cut("list.zst"), ""),
        ("cut-packed.zst", cut("packed.zst"), ""),
    ] {
        fs::write(at(name), content).unwrap();
        let args = find(name);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        assert_refused(&args, &format!("{}: {says}", at(name)));
        assert_refused(&args, "list all faults of the file with destrier verify");
        assert_refused(&[&args[..], &["--json"]].concat(), &at(name));
    }
    for name in ["list", "packed", "list.zst", "packed.zst"] {
        let args = find(name);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        assert_eq!(run(&args).status.code(), Some(0), "{name}");
    }
}

#[test]
fn a_folder_that_is_gone_is_not_said_to_hold_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let out = inner.join("tours");
    let child = spawn(destrier(&["search", "8x8", "--threads", "1", "--out", out.to_str().unwrap()]));
    // The signals are heeded once tours are written.
    wait_until("tours", || is_written_to(&inner));
    fs::remove_dir_all(&inner).unwrap();
    send(&child, "TERM");
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("--out") && !said.contains(".part") && !said.contains("what was written"), "{said}");
}

/// The working folder was removed: a name without a folder leads nowhere.
#[test]
fn a_name_in_a_working_folder_that_is_gone_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inner = path(&folder, "inner");
    for args in ["search 6x6 --out x", "search 6x6 --checkpoint x", "find 8x8 --tours 2 --out x"] {
        fs::create_dir(&inner).unwrap();
        let line = format!("cd '{inner}' && rmdir '{inner}' && exec DESTRIER {args}");
        let output = common::shell(&line).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args}: {said}");
        assert!(said.contains(" x: there is no working folder: "), "{args}: {said}");
    }
}
