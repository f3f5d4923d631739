//! Streams and files of the user that are closed, full, or pipes: what is said of them, and that none is waited for.

use crate::common::process::Running;
use crate::common::{
    LINE_3X4, PATIENCE, assert_refused, destrier, of_no_user, path, run, said, shell, spawn, stderr, stdout,
};
use std::fs;
use std::process::{Command, Output};
use tempfile::tempdir;

/// What a line of bash does, which knows `<(..)`.
fn bash(line: &str) -> Output {
    let mut command = Command::new("bash");
    of_no_user(|name, value| {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    });
    command.args(["-c", &crate::common::shell_line(line)]).output().expect("bash is there")
}

/// Commands that print in every way there is: a report, an object, rows, tours, help, a script.
const PRINTING: [&str; 16] = [
    "search 5x6",
    "search 5x6 --json",
    "search 5x6 --out -",
    "count 5x6",
    "find 6x6",
    "find 6x6 --json",
    "find 6x6 --tours 3 --format list",
    "board 8x8",
    "rank FILE --open",
    "unrank 5x6 3",
    "verify FILE",
    "simulate 4x5 --open --workers 2",
    "compare 5x6 --with --threads=1 --with --threads=2",
    "completions bash",
    "man find",
    "--version",
];

#[test]
fn a_full_disk_behind_stdout_is_named() {
    let folder = tempdir().unwrap();
    let file = path(&folder, "tours");
    fs::write(&file, LINE_3X4).unwrap();
    for command in PRINTING.into_iter().chain(["--help", "--print-config", "shards 6x6 --for slurm"]) {
        let output = shell(&format!("DESTRIER {} > /dev/full", command.replace("FILE", &file))).output().unwrap();
        let (code, _, message) = said(&output);
        assert_eq!(code, Some(3), "{command}: {message}");
        assert!(
            message.starts_with("destrier: ") && message.contains("No space left on device"),
            "{command}: {message}"
        );
        let named = ["stdout cannot be written: ", "the tours cannot be written: ", "the tours could not be written: "];
        assert!(named.iter().any(|named| message.contains(named)), "{command}: {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_stdout_is_a_failure_and_no_silence() {
    let folder = tempdir().unwrap();
    let file = path(&folder, "tours");
    fs::write(&file, LINE_3X4).unwrap();
    for command in PRINTING {
        let command = command.replace("FILE", &file);
        let (code, _, message) = said(&shell(&format!("DESTRIER {command} >&-")).output().unwrap());
        let says = "destrier: stdout is closed: to do without what is printed, write > /dev/null\n";
        assert_eq!((code, message.as_str()), (Some(3), says), "{command}");
        // Others give /dev/null that is open for reading, too, as Python does.
        for null in ["> /dev/null", "1<> /dev/null"] {
            let (code, _, message) = said(&shell(&format!("DESTRIER {command} {null}")).output().unwrap());
            assert_eq!(code, Some(0), "{command} {null}: {message}");
        }
    }
    let (code, _, message) = said(&shell("DESTRIER search nothing >&-").output().unwrap());
    assert_eq!(code, Some(2), "bad input comes first: {message}");
}

/// The command line, a setting and a run say it in one style.
#[test]
fn every_error_begins_with_the_name_of_the_program() {
    for args in [
        &["search", "6x6", "--bogus"][..],
        &["search"],
        &["search", "6x6", "--threads", "banana"],
        &["find", "6x6", "--method", "bogus"],
        &["serch", "6x6"],
        &["search", "nothing"],
        &["verify", "/no/such/file"],
    ] {
        let output = run(args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.starts_with("destrier: ") && !message.contains("error:"), "{args:?}: {message}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_open_file_is_left_for_is_said_of_something() {
    // Beside stdin, stdout and stderr: what the loader opens is closed again.
    for files in 4..=8 {
        for command in [
            "search 5x6 --record FOLDER/j",
            "find 40x40",
            "count 5x6",
            "rank FILE --open",
            "unrank 5x6 2",
            "search 5x6 --shard 1/2 --out-dir FOLDER/d",
        ] {
            let folder = tempdir().unwrap();
            let file = path(&folder, "tours");
            fs::write(&file, LINE_3X4).unwrap();
            let words = command.replace("FILE", &file).replace("FOLDER", &path(&folder, ""));
            let (code, _, message) =
                said(&shell(&format!("ulimit -n {files} && exec DESTRIER {words}")).output().unwrap());
            let Some(at) = message.find("Too many open files") else { continue };
            assert!(matches!(code, Some(2 | 3)), "{command}, {files}: {code:?} {message}");
            let noun = message[..at].trim_start_matches("destrier: ").trim();
            assert!(noun.ends_with(':') && noun.len() > 3, "{command}, {files}: {message}");
        }
    }
}

#[test]
fn a_pipe_in_the_place_of_the_settings_stops_no_start() {
    for name in ["config.toml", "state.toml"] {
        let folder = tempdir().unwrap();
        let home = folder.path().join("destrier");
        fs::create_dir(&home).unwrap();
        assert!(Command::new("mkfifo").arg(home.join(name)).status().unwrap().success());
        let mut command = destrier(&["--print-config"]);
        command.env("XDG_CONFIG_HOME", folder.path()).env("XDG_STATE_HOME", folder.path());
        let (code, printed, message) = said(&ended(spawn(command), name));
        assert_eq!(code, Some(0), "{name}: {message}");
        assert!(printed.contains("\ntheme = "), "{name}: {printed}");
        assert_eq!(message.contains("config.toml: "), name == "config.toml", "{message}");
    }
}

/// Waits for the end of a process, and ends it if it waits for something itself.
fn ended(mut child: Running, what: &str) -> Output {
    let began = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < PATIENCE, "{what} is waited for");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn what_the_user_names_may_be_a_pipe() {
    let folder = tempdir().unwrap();
    let [file, ring, journal] = ["tours", "ring", "journal"].map(|name| path(&folder, name));
    fs::write(&file, LINE_3X4).unwrap();
    fs::write(&ring, "...\n.#.\n...\n").unwrap();
    for (line, says) in [
        (format!("DESTRIER verify <(cat {file})"), "1 tour: 1 valid"),
        (format!("DESTRIER find 3x3 --holes <(cat {ring}) --json"), "\"ending\""),
        (format!("DESTRIER verify --holes <(cat {ring}) <(DESTRIER find 3x3 --holes {ring} --format list)"), "1 valid"),
        ("DESTRIER find 6x6 --partial <(echo a1 b3) --json".to_owned(), "[\"a1\",\"b3\""),
        ("DESTRIER find 6x6 --method edges --must <(echo a1 b3) --json".to_owned(), "\"ending\""),
        (format!("DESTRIER rank --open <(cat {file})"), "\n"),
        ("DESTRIER --config <(echo \"theme = 'light'\") --print-config".to_owned(), "\ntheme = \"light\""),
        (format!("DESTRIER search 5x6 --record {journal} >&2 && DESTRIER replay <(cat {journal})"), "5x6"),
    ] {
        let output = bash(&line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", stderr(&output));
        assert!(stdout(&output).contains(says), "{line}: {}", stdout(&output));
    }
    assert_refused(&["find", "6x6", "--must", "/"], "nor is it a file: it is a folder");
    assert_refused(&["verify", "/"], "it is a folder");
}

/// A file that is there and never ends.
#[cfg(target_os = "linux")]
#[test]
fn a_file_of_the_kernel_that_waits_is_not_waited_for() {
    for words in ["find 6x6 --method edges --must", "find 6x6 --partial", "find 6x6 --holes", "verify"] {
        let mut args: Vec<&str> = words.split(' ').collect();
        args.push("/proc/kmsg");
        let output = ended(spawn(destrier(&args)), words);
        assert!(matches!(output.status.code(), Some(1..=3)), "{words}: {}", stderr(&output));
    }
}
