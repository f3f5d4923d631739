//! The import rule: rooms know only the rooms below them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A room and the rooms it may name; `src/lib.rs` draws the same picture.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("search", &["board"]),
    ("find", &["board", "search"]),
    ("store", &["board"]),
    ("event", &["board", "search"]),
    ("schedule", &["board", "search", "find", "event"]),
    ("simulate", &["board", "search", "event", "schedule"]),
    ("count", &["board"]),
    ("gpu", &["board", "search", "find", "event", "schedule"]),
    ("solve", &["board", "search", "find", "store", "event", "count", "schedule", "gpu"]),
    ("run", &["board", "search", "event", "count", "schedule", "simulate", "gpu", "solve", "store"]),
    ("signal", &[]),
    ("words", &[]),
    (
        "cli",
        &[
            "board", "search", "find", "store", "event", "count", "schedule", "gpu", "solve", "run", "signal",
            "simulate", "ui",
        ],
    ),
    ("ui", &["board", "search", "find", "store", "event", "count", "schedule", "gpu", "solve", "run", "signal"]),
];

/// Rooms that every other one may name.
const GROUND: &[&str] = &["words"];

/// Words that only one room may use, and the room.
const ONLY_IN: &[(&str, &str)] = &[("ratatui", "ui"), ("crossterm", "ui"), ("clap", "cli"), ("wgpu", "gpu")];

/// Words that the kernels may not use: they know no thread, channel, clock or atomic, but for the mailbox of a burst.
const NOT_IN_KERNELS: &[&str] =
    &["std::thread", "crossbeam", "rayon", "Instant", "SystemTime", "Atomic", "std::sync::mpsc", "Mutex", "stop::"];

/// How a file takes in another one, past every import.
const INCLUDES: &[&str] = &["include_str!(", "include_bytes!(", "include!(", "#[path ="];

fn src() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").canonicalize().unwrap()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

fn rooms() -> Vec<(String, Vec<(PathBuf, String)>)> {
    let folders = fs::read_dir(src()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    folders
        .map(|folder| {
            let read = |path: PathBuf| (path.clone(), fs::read_to_string(path).unwrap());
            (folder.file_name().unwrap().to_string_lossy().into_owned(), files(&folder).into_iter().map(read).collect())
        })
        .filter(|(_, files): &(_, Vec<_>)| !files.is_empty())
        .collect()
}

/// Lines of code: comments may name whatever they like.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"))
}

#[test]
fn imports_run_one_way() {
    for (room, files) in rooms() {
        let (_, allowed) =
            MAY_IMPORT.iter().find(|(name, _)| *name == room).unwrap_or_else(|| panic!("src/{room} has no row"));
        for (path, text) in files {
            let named: BTreeSet<&str> = code(&text)
                .flat_map(|line| line.split("crate::").skip(1))
                .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
                .collect();
            for other in named {
                let is_room = MAY_IMPORT.iter().any(|(name, _)| *name == other);
                assert!(
                    !is_room || other == room || allowed.contains(&other) || GROUND.contains(&other),
                    "{} names crate::{other}",
                    path.display()
                );
            }
        }
    }
}

/// What a room has on file is read by that room; others ask it.
#[test]
fn no_room_takes_in_a_file_of_another_one() {
    let mut seen = 0;
    for (room, files) in rooms() {
        for (path, text) in files {
            let text: String = code(&text).collect();
            for rest in INCLUDES.iter().flat_map(|word| text.split(word).skip(1)) {
                let name = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
                let name = name.unwrap_or_else(|| panic!("{}: an include whose file is not plain", path.display()));
                let file = path.parent().unwrap().join(name).canonicalize().unwrap();
                assert!(file.starts_with(src().join(&room)), "{} takes in {}", path.display(), file.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "there are such files, and none was seen");
}

/// What two screens need is in the kit.
#[test]
fn screens_name_the_kit_and_never_one_another() {
    const SCREENS: [&str; 7] = ["campaign", "count", "cycles", "map", "picker", "step", "tour"];
    let ui = src().join("ui");
    for home in SCREENS.into_iter().chain(["kit"]) {
        for path in files(&ui.join(home)) {
            let text = fs::read_to_string(&path).unwrap();
            for other in SCREENS.into_iter().filter(|&screen| screen != home) {
                let names = |line: &str| line.contains(&format!("ui::{other}::"));
                assert!(!code(&text).any(names), "{} names {other}", path.display());
            }
        }
    }
}

#[test]
fn the_terminal_and_the_command_line_stay_in_their_rooms() {
    for (room, files) in rooms() {
        for (path, text) in files {
            for &(word, home) in ONLY_IN {
                let used = code(&text).any(|line| line.contains(&format!("{word}::")));
                assert!(!used || room == home, "{} uses {word}", path.display());
            }
        }
    }
}

#[test]
fn a_kernel_knows_no_thread_channel_clock_or_atomic() {
    let kernels = |room: &str| ["search", "find"].contains(&room);
    for (path, text) in rooms().into_iter().filter(|(room, _)| kernels(room)).flat_map(|(_, files)| files) {
        let has_mailbox = path.ends_with("search/kernel.rs");
        for word in NOT_IN_KERNELS.iter().filter(|&&word| !(has_mailbox && word == "Atomic")) {
            assert!(!code(&text).any(|line| line.contains(word)), "{} uses {word}", path.display());
        }
    }
}
