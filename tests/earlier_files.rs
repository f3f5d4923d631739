//! Files that the version of 2026-11-24 wrote, one of each kind, and files of formats that changed since: each is read with the
//! right result, or refused with exit code 2 and both versions, and stays as it is. `tests/data/2026-11-24/README.md` has the
//! commands that wrote them.

use crate::common::{PROGRAM, PROJECT, heedful, stderr, stdout};
use destrier::bounded::FileKind;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// What the program does with a file.
enum Expected {
    /// It ends with exit code 0, and prints this.
    Read(&'static str),
    /// It ends with exit code 2, and this in its error.
    Refused(&'static str),
}

use Expected::{Read, Refused};

const COUNT: &str = "is a checkpoint of a count of version 2, and this program reads version 6";

const SEARCH: &str = "is a checkpoint of a search of version 1, and this program reads version 4";
/// Written by the version of 2026-11-27.
const LATER_SEARCH: &str = "is a checkpoint of a search of version 3, and this program reads version 4";
const RACE: &str = "is a checkpoint of a race for tours, which this version does not resume";
const JOURNAL: &str = "is a journal of version 4, and this program reads version 6: use the destrier that wrote it";
/// A count of a range had a first line of its own.
const RANGE: &str = "is a checkpoint of a count of version 1, and this program reads version 6";

/// A command, in a folder with all files, and what it does.
const CASES: &[(&str, Expected)] = &[
    ("resume count-done", Refused(COUNT)),
    ("resume count-stopped", Refused(COUNT)),
    ("resume count-parts/modulo-2147483629.part", Refused(COUNT)),
    ("count 5x6 --checkpoint count-done", Refused(COUNT)),
    ("resume range-done", Refused(RANGE)),
    ("count 3x1..12 --checkpoint range-done", Refused(RANGE)),
    ("resume search-stopped", Refused(SEARCH)),
    ("search 6x6 --solver radley --checkpoint search-stopped", Refused(SEARCH)),
    ("resume search-parts/1-of-2.part", Refused(SEARCH)),
    ("resume search-3-stopped", Refused(LATER_SEARCH)),
    ("search 6x6 --solver radley --checkpoint search-3-stopped", Refused(LATER_SEARCH)),
    ("search 5x6 --solver path --shard 1/2 --out-dir search-3-parts", Refused(LATER_SEARCH)),
    ("search 5x6 --solver path --shard 2/2 --out-dir search-3-parts", Refused(LATER_SEARCH)),
    ("resume race-done", Refused(RACE)),
    (
        "find 6x6 --method genetic --rng 7 --tours 2 --checkpoint race-done",
        Refused("a stopped find writes the tours that it has found: --tours N --out FILE"),
    ),
    (
        "unrank 3x10 0 --layers layers",
        Refused("is a layer of a numbering of version 1, and this program reads version 2"),
    ),
    ("replay search.journal --json", Refused(JOURNAL)),
    ("compare search.journal search.journal", Refused(JOURNAL)),
    ("replay count.journal --json", Refused(JOURNAL)),
    ("replay lanes.journal", Read("search 5x6 closed by gpu, serial, 1 thread\nframes   2 from ")),
    ("replay lanes.journal --json", Read("\"lanes\":128,\"live\":[111.0,22.0,2.0]")),
    ("verify tours.txt", Read("8 tours: 8 valid")),
    ("verify tours.packed", Read("8 tours: 8 valid")),
    ("verify tours.packed.zst", Read("8 tours: 8 valid")),
    ("verify tour.svg", Read("1 tour: 1 valid")),
];

#[test]
fn files_of_an_earlier_version_are_read_or_refused_with_both_versions() {
    let data = Path::new(&*PROJECT).join("tests/data/2026-11-24");
    for (command, expected) in CASES {
        let folder = tempfile::tempdir().unwrap();
        copy_all(&data, folder.path());
        let mut program = heedful(&PROGRAM);
        program.args(command.split_whitespace()).current_dir(folder.path()).stdin(Stdio::null());
        let output = program.output().unwrap();
        let (code, said, why) = (output.status.code(), stdout(&output), stderr(&output));
        match expected {
            Read(says) => {
                assert_eq!(code, Some(0), "{command}: {why}");
                assert!(said.contains(says), "{command}: {said}");
            }
            Refused(says) => {
                assert_eq!(code, Some(2), "{command}: {said}{why}");
                assert!(why.contains(says), "{command}: {why}");
                assert_eq!(contents(folder.path()), contents(&data), "{command}");
            }
        }
    }
}

/// The description of the files is written by hand.
#[test]
fn the_description_has_the_first_line_of_every_kind() {
    let text = fs::read_to_string(Path::new(&*PROJECT).join("src/saved/README.md")).unwrap();
    for kind in FileKind::VERSIONED {
        let first_line = kind.first_line().trim_end();
        assert!(text.contains(&format!("| `{first_line}` |")), "{first_line}");
    }
}

/// The files of a folder and of its folders, with what they hold.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of = |path: PathBuf| {
        let name = PathBuf::from(path.file_name().unwrap());
        match path.is_dir() {
            true => contents(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)).collect(),
            false => BTreeMap::from([(name, fs::read(&path).unwrap())]),
        }
    };
    entries.flat_map(of).collect()
}

/// Copies a folder with its folders.
fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy_all(&path, &target) } else { fs::copy(&path, &target).map(drop).unwrap() }
    }
}
