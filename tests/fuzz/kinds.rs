//! What a file is: a file of every kind is given to every command, and its first line is changed.

use super::{assert_sound, each, make, within_bounds, written};
use crate::common::{path, said};
use destrier::bounded::{FileFormat, FileKind};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A file of every kind, made by the program.
fn files(folder: &TempDir) -> Vec<(FileKind, String)> {
    let file = |name: &str| path(folder, name);
    let commands = [
        (FileKind::Search, "search 5x6 --checkpoint", "search"),
        (FileKind::Count, "count 5x6 --checkpoint", "count"),
        (FileKind::Count, "count 4x1..6 --open --checkpoint", "range"),
        (FileKind::Journal, "count 5x6 --record", "journal"),
        (FileKind::Journal, "count 5x6 --record", "journal.zst"),
        (FileKind::Packed, "search 3x4 --open --format packed --out", "packed"),
        (FileKind::Packed, "search 3x4 --open --format packed --out", "packed.zst"),
        (FileKind::Tours, "search 3x4 --open --out", "list"),
        (FileKind::Tours, "find 6x6 --format json --out", "json"),
        (FileKind::Tours, "find 6x6 --format svg --out", "svg"),
        (FileKind::Layers, "unrank 3x4 0 --open --layers", "layers"),
    ];
    let mut files = Vec::new();
    for (kind, command, name) in commands {
        make(&command.split(' ').chain([&*file(name)]).collect::<Vec<_>>());
        files.push((kind, file(name)));
    }
    let folder = files.pop().map(|(_, folder)| folder).unwrap();
    files.push((FileKind::Layers, format!("{folder}/layers")));
    files.push((FileKind::Layer, format!("{folder}/sweep-0-layer-006")));
    files
}

/// Whether a command reads a kind.
fn reads(command: &str, kind: FileKind) -> bool {
    match command {
        "resume" => matches!(kind, FileKind::Search | FileKind::Count),
        "replay" => kind == FileKind::Journal,
        "verify" => matches!(kind, FileKind::Tours | FileKind::Packed),
        _ => false,
    }
}

#[test]
fn every_command_says_what_a_file_of_another_kind_is() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, file) in files(&folder) {
        let found = FileFormat::of_file(Path::new(&file)).unwrap();
        assert_eq!(found, Some(FileFormat { kind, version: kind.version() }), "{file}");
        for command in ["resume", "replay", "verify", "merge"] {
            let (code, out, why) = said(&within_bounds(&file, &[command, &file, "--json"]));
            if reads(command, kind) {
                assert_eq!(code, Some(0), "{command} {file}: {why}");
                continue;
            }
            assert_eq!((code, &*out), (Some(2), ""), "{command} {file}: {why}");
            assert!(why.contains(&format!(" a {}, not a ", kind.name())), "{command} {file}: {why}");
        }
    }
}

#[test]
fn a_file_with_another_first_line_is_refused_or_read() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, file) in files(&folder).into_iter().filter(|(kind, _)| *kind != FileKind::Tours) {
        let good = fs::read(&file).unwrap();
        let end = kind.first_line().len();
        let Some(rest) = good.get(end..).filter(|_| good.starts_with(kind.first_line().as_bytes())).map(<[u8]>::to_vec)
        else {
            continue;
        };
        each(&format!("first line of a {}", kind.name()), FileKind::VERSIONED.len() + 12, move |case| {
            let first = match FileKind::VERSIONED.get(case.number) {
                Some(other) => other.first_line().as_bytes().to_vec(),
                None => case.bytes(kind.first_line().as_bytes()),
            };
            let text = [&first[..], &rest].concat();
            written(&file, &text);
            let found = FileFormat::of_file(Path::new(&file)).unwrap();
            for command in ["resume", "replay", "verify", "merge"] {
                let args = [command, &file, "--json"];
                let output = within_bounds(&file, &args);
                assert_sound(&args, &output);
                let is_read = found.is_some_and(|found| found.is_current() && reads(command, found.kind));
                // Only `verify` reads on where nothing is recognised, and says which tours are invalid.
                assert!(is_read || command == "verify" || output.status.code() == Some(2), "{args:?}: {output:?}");
            }
        });
    }
}
