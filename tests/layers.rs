//! The import rule: rooms know only the rooms below them.

use crate::common::PROJECT;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A room and the rooms it may name; `src/lib.rs` draws the same picture.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("board", &[]),
    ("search", &["board"]),
    ("explain", &["board", "search"]),
    ("find", &["board", "search", "explain"]),
    ("store", &["board"]),
    ("event", &["board", "search"]),
    ("schedule", &["board", "search", "find", "event"]),
    ("simulate", &["board", "search", "event", "schedule"]),
    ("count", &["board", "search"]),
    ("gpu", &["board", "search", "find", "event", "schedule"]),
    ("solve", &["board", "search", "explain", "find", "store", "event", "count", "schedule", "gpu"]),
    ("run", &["board", "search", "event", "count", "schedule", "simulate", "gpu", "solve", "store"]),
    ("signal", &[]),
    ("job", &["board", "search", "find", "event", "store", "count", "schedule", "gpu", "solve", "run", "signal"]),
    ("words", &[]),
    ("bounded", &[]),
    ("saved", &[]),
    ("system", &[]),
    (
        "cli",
        &[
            "board", "search", "explain", "find", "store", "event", "count", "schedule", "gpu", "solve", "run",
            "signal", "simulate", "job", "ui",
        ],
    ),
    (
        "ui",
        &["board", "search", "explain", "find", "store", "event", "count", "schedule", "gpu", "solve", "run", "signal"],
    ),
];

/// Rooms that every other one may name.
const GROUND: &[&str] = &["words", "saved", "bounded", "system"];

/// Words that only these rooms may use. `cli` runs clap. The option structs of a run derive `clap::Args` in `job`.
const ONLY_IN: &[(&str, &[&str])] =
    &[("ratatui", &["ui"]), ("crossterm", &["ui"]), ("clap", &["cli", "job"]), ("wgpu", &["gpu"])];

/// Types that no file of `cli` names: a crew, a checkpoint, the writer of a journal, the socket server.
const ONLY_IN_JOB: &[&str] = &["Crew", "Checkpoint", "Recorder", "Server"];

/// Words that the kernels may not use: they know no thread, channel, clock or atomic, but for the mailbox of a burst.
const NOT_IN_KERNELS: &[&str] =
    &["std::thread", "crossbeam", "rayon", "Instant", "SystemTime", "Atomic", "std::sync::mpsc", "Mutex", "stop::"];

/// How a file takes in another one, past every import.
const INCLUDES: &[&str] = &["include_str!(", "include_bytes!(", "include!(", "#[path ="];

fn src() -> PathBuf {
    Path::new(&*PROJECT).join("src").canonicalize().unwrap()
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { all_files(&path) } else { vec![path] }).collect()
}

fn with_extension(folder: &Path, extension: &str) -> Vec<PathBuf> {
    all_files(folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == extension)).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    with_extension(folder, "rs")
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
            let includes = INCLUDES.iter().flat_map(|word| text.split(word).skip(1));
            // What the build script writes is a list of files, each of the folder that the script names.
            for rest in includes.filter(|rest| !rest.trim_start().starts_with("concat!(env!(\"OUT_DIR\")")) {
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
    // The live view opens other screens.
    const BASE: &str = "live";
    let ui = src().join("ui");
    let names = screens().into_iter().map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned());
    let screens: Vec<String> = names.collect();
    assert!(screens.len() >= 5 && screens.iter().any(|screen| screen == BASE), "{screens:?}");
    for home in screens.iter().map(String::as_str).filter(|&home| home != BASE).chain(["kit"]) {
        for path in files(&ui.join(home)) {
            let text = fs::read_to_string(&path).unwrap();
            for other in screens.iter().filter(|&screen| screen != home) {
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
            for &(word, homes) in ONLY_IN {
                let used = code(&text).any(|line| line.contains(&format!("{word}::")));
                assert!(!used || homes.contains(&&*room), "{} uses {word}", path.display());
            }
        }
    }
}

/// One function cuts texts where they have no room, and so none is cut within a number: no other file writes any.
#[test]
fn texts_reach_the_screen_by_one_file() {
    let writes = ["set_string", "set_span", "set_line", ".title(Line", ".title(Span", "Paragraph", "to_text("];
    for path in files(&src().join("ui")).into_iter().filter(|path| !path.ends_with("kit/draw.rs")) {
        let text = production(&fs::read_to_string(&path).unwrap());
        // What is rendered beside that has no text: a frame, and what is cleared.
        let renders =
            |line: &&str| line.contains(".render(") && !line.starts_with("Clear.") && !line.starts_with("block.");
        let line = text.lines().find(|line| writes.iter().any(|word| line.contains(word)) || renders(line));
        assert_eq!(line, None, "{} writes by itself", path.display());
    }
}

/// Whatever runs is started, observed, saved and shown to other processes by `job`, whichever command is typed.
#[test]
fn no_command_names_what_job_keeps_for_itself() {
    for path in files(&src().join("cli")) {
        let text = fs::read_to_string(&path).unwrap();
        let words = code(&text).flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let named = words.into_iter().find(|word| ONLY_IN_JOB.contains(word));
        assert_eq!(named, None, "{} names it", path.display());
    }
}

/// A way that the map shows leads somewhere.
#[test]
fn the_map_in_lib_rs_names_files_that_exist() {
    let map = fs::read_to_string(src().join("lib.rs")).unwrap();
    let named = map.split('`').filter(|word| word.contains('/') && !word.contains([' ', '\n']));
    let mut seen = 0;
    for name in named {
        let homes = [src(), Path::new(&*PROJECT).to_owned()];
        assert!(homes.iter().any(|home| home.join(name).exists()), "the map names {name}, which is not there");
        seen += 1;
    }
    assert!(seen > 10, "{seen} names were read");
}

#[test]
fn a_kernel_knows_no_thread_channel_clock_or_atomic() {
    let kernels = |room: &str| ["search", "explain", "find"].contains(&room);
    for (path, text) in rooms().into_iter().filter(|(room, _)| kernels(room)).flat_map(|(_, files)| files) {
        let has_mailbox = path.ends_with("search/kernel.rs");
        for word in NOT_IN_KERNELS.iter().filter(|&&word| !(has_mailbox && word == "Atomic")) {
            assert!(!code(&text).any(|line| line.contains(word)), "{} uses {word}", path.display());
        }
    }
}

/// How a thread is started: by the standard library or by a pool. `.spawn()` without an argument starts a process, the scope
/// of a pool is given to what it spawns, and an own method of that name is called of `self`.
fn starts_thread(code: &str) -> bool {
    let code = &code.replace("self.spawn(", "");
    let spawns = code.split(".spawn(").skip(1).any(|rest| !rest.starts_with(')') && !rest.starts_with("move |scope|"));
    let pools = code.split("ThreadPoolBuilder::new()").skip(1).any(|rest| {
        let statement = rest.split([';', '{']).next().unwrap_or_default();
        !statement.contains(".spawn_handler(")
    });
    let words = ["thread::spawn", "thread::Builder", "spawn_scoped", "build_scoped", "rayon::spawn"];
    spawns || pools || words.iter().any(|word| code.contains(word))
}

/// That file answers with what to do where the system refuses a thread.
#[test]
fn every_thread_is_started_by_one_file() {
    const HOME: &str = "system/threads.rs";
    let is_test = |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().contains("tests"));
    let mut starting: Vec<String> = Vec::new();
    for path in files(&src()).into_iter().filter(|path| !is_test(path.strip_prefix(src()).unwrap())) {
        if starts_thread(&production(&fs::read_to_string(&path).unwrap())) {
            starting.push(path.strip_prefix(src()).unwrap().to_string_lossy().into_owned());
        }
    }
    assert_eq!(starting, [HOME]);
    for planted in [
        "let worker = scope.spawn(work);",
        "std::thread::spawn(|| ()).join()",
        "Builder::new().spawn(work)?;",
        "ThreadPoolBuilder::new().num_threads(2).build();",
    ] {
        assert!(starts_thread(planted), "{planted}");
    }
    assert!(!starts_thread("Command::new(name).spawn()?; scope.spawn(move |scope| go(scope));"));
}

/// The module of a file of src, from its path: `board/mod.rs` is `board`, `board/tour.rs` is `board::tour`.
fn module_of(path: &str) -> Vec<String> {
    let mut module: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

/// The code of a file without its comments and its inline tests.
fn production(text: &str) -> String {
    let code: Vec<&str> = code(text).collect();
    // Tests that lend their helpers to those of another file are public.
    let opens = |line: &str| line.trim_start_matches("pub ").starts_with("mod ") && line.ends_with('{');
    let tests = code.windows(2).position(|two| two[0] == "#[cfg(test)]" && opens(two[1]));
    code[..tests.unwrap_or(code.len())].join("\n")
}

/// The paths that a `use` names, its braces opened.
fn opened(path: &str) -> Vec<String> {
    let path: String = path.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((before, rest)) = path.split_once('{') else { return vec![path] };
    let inside = &rest[..rest.rfind('}').unwrap_or(rest.len())];
    let (mut parts, mut depth, mut part) = (Vec::new(), 0, String::new());
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(|part| opened(&format!("{}{part}", before.trim()))).collect()
}

/// The files that each file names, in `use` lines and in paths in its code.
fn imports(files: &[(String, String)]) -> Vec<BTreeSet<usize>> {
    let modules: Vec<Vec<String>> = files.iter().map(|(path, _)| module_of(path)).collect();
    let file_of = |path: &[String]| {
        (1..=path.len()).rev().find_map(|length| modules.iter().position(|module| module[..] == path[..length]))
    };
    let named = |me: usize, path: &str| {
        let words: Vec<&str> = path.split("::").map(str::trim).collect();
        let ups = words.iter().take_while(|&&word| word == "super").count();
        let (mut base, rest) = match words[0] {
            "crate" => (Vec::new(), &words[1..]),
            "self" => (modules[me].clone(), &words[1..]),
            "super" => (modules[me][..modules[me].len().checked_sub(ups)?].to_vec(), &words[ups..]),
            _ => {
                let child: Vec<String> = modules[me].iter().cloned().chain([words[0].to_owned()]).collect();
                modules.contains(&child).then_some(())?;
                (modules[me].clone(), &words[..])
            }
        };
        base.extend(rest.iter().take_while(|&&word| word != "*" && word != "self").map(|&word| word.to_owned()));
        file_of(&base).filter(|&file| file != me)
    };
    let of = |me: usize| {
        // A visibility names no file.
        let text = production(&files[me].1).replace("pub(in crate::", "pub(in ");
        let uses = text.split(';').filter_map(|statement| {
            let (before, path) = statement.rsplit_once("use ")?;
            let line = before.rsplit('\n').next().unwrap_or_default().trim();
            (line.is_empty() || line.starts_with("pub")).then(|| opened(path))
        });
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let paths = text
            .split(|c: char| !is_word(c))
            .filter(|word| (word.starts_with("crate::") || word.starts_with("super::")) && !word.ends_with("::"));
        uses.flatten().chain(paths.map(str::to_owned)).filter_map(|path| named(me, &path)).collect()
    };
    (0..files.len()).map(of).collect()
}

/// The part of a room that a file belongs to: the folder or the lone file directly in the room. The head of a room, which
/// declares and re-exports, is no part.
fn part(path: &str) -> Option<String> {
    let words: Vec<&str> = path.split('/').collect();
    match words[..] {
        [] | [_] | [_, "mod.rs"] => None,
        [room, part, ..] => Some(format!("{room}/{}", part.trim_end_matches(".rs"))),
    }
}

/// A way from a part of a room back to itself through parts of that room that import one another, if there is one. Files
/// of one folder may name one another.
fn circle(files: &[(String, String)]) -> Option<Vec<String>> {
    let parts: Vec<Option<String>> = files.iter().map(|(path, _)| part(path)).collect();
    let mut arrows: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    let room = |part: &str| part.split_once('/').map(|(room, _)| room.to_owned());
    for (file, named) in imports(files).into_iter().enumerate() {
        let Some(from) = &parts[file] else { continue };
        let others = named.into_iter().filter_map(|other| parts[other].as_ref());
        arrows.entry(from).or_default().extend(others.filter(|to| *to != from && room(to) == room(from)));
    }
    let reached = |from| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(part) = next.pop() {
            next.extend(arrows.get(part).into_iter().flatten().copied().filter(|&part| seen.insert(part)));
        }
        seen
    };
    let all: BTreeMap<&String, BTreeSet<&String>> = arrows.keys().map(|&part| (part, reached(part))).collect();
    let first = all.iter().find(|(part, reached)| reached.contains(*part))?;
    let is_member = |part: &&&String| first.1.contains(**part) && all[**part].contains(first.0);
    Some(all.keys().filter(is_member).map(|&part| part.clone()).collect())
}

#[test]
fn no_folders_of_a_room_import_one_another_in_a_circle() {
    let name = |path: &Path| path.strip_prefix(src()).unwrap().to_string_lossy().into_owned();
    let all: Vec<(String, String)> =
        files(&src()).iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect();
    let is_test = |path: &str| path.split('/').any(|part| part == "tests" || part.ends_with("tests.rs"));
    let all: Vec<_> =
        all.into_iter().filter(|(path, _)| !is_test(path) && path != "lib.rs" && path != "main.rs").collect();
    assert!(all.len() > 100, "{} files were read", all.len());
    assert_eq!(circle(&all), None);
}

#[test]
fn a_planted_circle_is_found() {
    let file = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let house = |rule: &str| {
        vec![
            file("board/mod.rs", "mod tours;\nmod square;\npub use square::Square;\npub use tours::Tour;"),
            file("board/square.rs", "use std::fmt;\n// use super::tours::Tour;\npub struct Square;"),
            file("board/tours/mod.rs", "mod tour;\nmod walk;\npub use tour::Tour;"),
            // Files of one folder may name one another.
            file("board/tours/tour.rs", "use crate::board::{\n    square::{Square},\n};\nuse super::walk::Walk;"),
            file("board/tours/walk.rs", "use super::tour::Tour;"),
            file("search/path.rs", rule),
        ]
    };
    assert_eq!(circle(&house("use crate::board::Square;")), None);
    let both = Some(vec!["board/square".to_owned(), "board/tours".to_owned()]);
    let mut planted = house("");
    planted[1].1 = "pub fn of(tour: &super::tours::Tour) {}".to_owned();
    assert_eq!(circle(&planted), both);
    let mut planted = house("");
    planted[1].1 = "use crate::{board::{tours::{Tour}}};".to_owned();
    assert_eq!(circle(&planted), both);
    // The tests of a file may name what they like.
    let mut tested = house("");
    tested[1].1 = "pub struct Square;\n#[cfg(test)]\nmod tests {\n    use super::super::tours::Tour;\n}".to_owned();
    assert_eq!(circle(&tested), None);
}

/// A file that is named in quotes, as `count/README.md` or `run/balance/`: what stands between the backticks.
fn named_files(text: &str) -> impl Iterator<Item = &str> {
    const ENDINGS: [&str; 6] = [".rs", ".md", ".txt", ".csv", ".wgsl", "/"];
    let is_name = |word: &&str| {
        let stem = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending));
        stem.is_some_and(|stem| !stem.is_empty() && stem.chars().all(|c| c.is_alphanumeric() || "_/-.".contains(c)))
    };
    text.split('`').filter(is_name)
}

/// The folders of the screens.
fn screens() -> Vec<PathBuf> {
    let folders = fs::read_dir(src().join("ui")).unwrap().map(|entry| entry.unwrap().path());
    folders.filter(|folder| folder.join("view.rs").exists() || folder.join("view").exists()).collect()
}

/// Whether a file that a line of a doc names is there: beside the doc, in a folder above or below it, or in src. What is said of
/// each screen is so in the folder of each.
fn is_there(doc: &Path, line: &str, name: &str) -> bool {
    if line.contains(&format!("`{name}` in the folder of each screen")) {
        return screens().iter().all(|screen| screen.join(name).exists());
    }
    let above = doc.ancestors().skip(1).take_while(|folder| folder.starts_with(&*PROJECT));
    let there = above.chain([src().as_path()]).any(|folder| folder.join(name).exists());
    // A table of what every folder has.
    there || all_files(doc.parent().unwrap()).iter().any(|file| file.ends_with(name))
}

/// What a doc says of another file is read by those who look for it.
#[test]
fn docs_name_files_that_exist() {
    let root = Path::new(&*PROJECT);
    let pages = with_extension(&src(), "md").into_iter().filter(|path| !path.ends_with("CHANGES.md"));
    let mut all: Vec<PathBuf> = files(&src()).into_iter().chain(files(&root.join("tests"))).chain(pages).collect();
    all.push(root.join("README.md"));
    let (mut seen, mut missing) = (0, Vec::new());
    for path in &all {
        let text = fs::read_to_string(path).unwrap();
        let is_code = path.extension().is_some_and(|ending| ending == "rs");
        for line in text.lines().map(str::trim_start).filter(|line| !is_code || line.starts_with("//")) {
            for name in named_files(line) {
                if !is_there(path, line, name) && !name.ends_with("/mine.rs") {
                    missing.push(format!("{}: {name}", path.strip_prefix(root).unwrap().display()));
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen} names were read");
    assert!(missing.is_empty(), "these are not there:\n{}", missing.join("\n"));
}

/// Then the last line of the tests counts it.
#[test]
fn what_is_not_tested_here_is_said_by_one_function() {
    // In two parts, so that this line has none of them.
    let words = [concat!("\"skip", "ped: "), concat!("\"not", " tested")];
    let says = |path: &Path| words.iter().any(|words| fs::read_to_string(path).unwrap().contains(words));
    let mut all = files(&Path::new(&*PROJECT).join("tests"));
    // A row of the battery says it itself.
    all.retain(|path| !path.parent().unwrap().ends_with("battery"));
    assert!(all.len() > 50, "{} files were read", all.len());
    let saying: Vec<PathBuf> = all.into_iter().filter(|path| says(path)).collect();
    assert!(saying.len() == 1 && saying[0].ends_with("common/skip.rs"), "they say it past the count: {saying:?}");
}

#[test]
fn a_name_in_a_doc_that_leads_nowhere_is_found() {
    let map = src().join("lib.rs");
    for (line, there) in [
        ("| words | a `help.txt` in the folder of each screen |", true),
        // There is a file of this name, but not there.
        ("| words | a `words.rs` in the folder of each screen |", false),
        ("the words of numbers stand in `words.rs`", true),
        ("its text is `ui/live/help.md`", false),
    ] {
        let names: Vec<&str> = named_files(line).collect();
        assert!(!names.is_empty() && names.iter().all(|name| is_there(&map, line, name)) == there, "{line}");
    }
}
