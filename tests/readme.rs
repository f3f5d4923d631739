//! Every README: its command lines are run, its links followed, its pictures held against those in `screenshots`; and the
//! bibliography against what the sources cite.

use crate::common::{PROJECT, is_halted, remarks, stderr, stdout};
#[cfg(all(feature = "tui", target_os = "linux"))]
use crate::examples::on_a_terminal;
use crate::examples::{Place, read};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// How a command line is tried.
#[derive(Clone, Copy)]
enum Tried {
    /// As it is printed.
    Whole,
    /// As it is printed, on a terminal, which these keys leave.
    Screen(&'static str),
    /// As it is printed, up to this point, where it is stopped as by TERM: more would take too long.
    Until(&'static str),
    /// Not at all, for this reason.
    Read(&'static str),
}

use Tried::{Read, Screen, Until};

/// Command lines that are not tried whole: a part of the line, and how it is tried.
const LINES: &[(&str, Tried)] = &[
    ("destrier  ", Read("a screen; the examples run it")),
    ("destrier --threads", Read("a screen")),
    ("destrier tutorial", Read("a screen; tests/pty/tutorial.rs walks through it")),
    ("destrier watch", Read("a screen; the examples run some")),
    ("destrier step", Read("a screen")),
    ("--show", Read("a screen")),
    ("destrier show", Screen("q")),
    ("destrier replay run.zst  ", Screen("q")),
    ("destrier attach /", Read("it wants another machine")),
    ("destrier attach", Screen("q")),
    ("destrier resume 7x8.run --threads 4 --watch", Screen("qy")),
    ("destrier resume 7x8.run  ", Until("stop@nodes:1000000")),
    ("destrier resume 1  ", Until("stop@nodes:1000000")),
    ("--watch", Read("a screen")),
    ("destrier count 8x8 --detach", Tried::Whole),
    ("destrier count 8x", Until("stop@start:1")),
    ("destrier resume 8x8.count", Until("stop@start:1")),
    ("destrier search 7x8 --checkpoint", Until("stop@nodes:1000000")),
    ("destrier search 6x6 --solver radley  ", Until("stop@nodes:1000000")),
    ("--layers DIR", Read("12 GB")),
    ("destrier reproduce", Read("most take minutes; tests/known.rs and others hold the figures")),
    ("destrier bench", Read("minutes; the examples run a part")),
    ("destrier doctor --calibrate", Read("the examples run it")),
    ("destrier simulate 5x6", Read("most of a minute")),
    ("--partial puzzle.txt", Read("a puzzle of the reader; tests/find.rs has some")),
];

/// Lines that begin so are not the program's: they build it, test it, or want another machine.
const OTHERS: [&str; 3] = ["cargo ", ".ci/run", "ssh "];

/// The command lines of a README in the order of a reader, each with what stands behind it: `destrier search 6x6   # 9,862 closed
/// tours`. The table of wishes has them in its cells.
fn lines(readme: &str) -> Vec<&str> {
    let (mut found, mut in_block, mut in_wishes) = (Vec::new(), false, false);
    for line in readme.lines() {
        match line {
            "```sh" | "```" => in_block = line == "```sh",
            _ if in_block && OTHERS.iter().any(|other| line.starts_with(other)) => {}
            _ if in_block => found.push(line),
            _ => {
                in_wishes = line.starts_with("| wish ") || in_wishes && !line.is_empty();
                found.extend(named(line).filter(|_| in_wishes));
            }
        }
    }
    found.iter().for_each(|line| assert!(line.starts_with("destrier"), "{line}"));
    found
}

/// The whole commands that a line of text names. A word in capitals stands for another one.
fn named(line: &str) -> impl Iterator<Item = &str> {
    let stands_for_another = |text: &str| text.split(' ').any(|word| word.chars().all(|c| c.is_ascii_uppercase()));
    let quoted = line.split('`').skip(1).step_by(2).filter(|text| text.starts_with("destrier "));
    quoted.filter(move |text| !stands_for_another(text))
}

/// What the first page names in its tables and sentences.
#[test]
fn every_command_that_the_first_page_names_is_one() {
    let readme = fs::read_to_string(Path::new(&*PROJECT).join("README.md")).unwrap();
    let named: Vec<&str> = readme.lines().filter(|line| !line.starts_with("```")).flat_map(named).collect();
    assert!(named.len() > 20, "{named:?}");
    named.into_iter().for_each(read);
}

fn readmes(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { readmes(&path) } else { vec![path] });
    all.filter(|path| path.file_name().is_some_and(|name| name == "README.md")).collect()
}

/// Those of its subject, and of every room.
fn every_readme() -> Vec<String> {
    let root = Path::new(&*PROJECT);
    let rooms = readmes(&root.join("src"));
    assert!(rooms.len() >= 7, "{rooms:?}");
    rooms.into_iter().chain([root.join("README.md")]).map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// A reader who types the lines of a page, one after the other in one folder, is refused nothing. A line whose comment names an exit
/// code ends with it, and one with a number that is found prints that.
#[test]
fn every_command_line_of_a_readme_works_as_it_is_printed() {
    let (mut ran, mut used) = (0, vec![false; LINES.len()]);
    for readme in every_readme() {
        let place = Place::new();
        for line in lines(&readme) {
            let (typed, comment) = line.split_once(" #").unwrap_or((line, ""));
            read(typed.trim());
            let padded = format!("{} ", typed.trim_end()) + " ";
            let found = LINES.iter().position(|(part, _)| padded.contains(part));
            let tried = found.map_or(Tried::Whole, |at| LINES[at].1);
            found.into_iter().for_each(|at| used[at] = true);
            let code = comment.split_once("exit code ").and_then(|(_, rest)| rest.get(..1)?.parse().ok()).unwrap_or(0);
            ran += u32::from(!matches!(tried, Read(_)));
            match tried {
                Tried::Whole => whole(&place, line, (typed, comment), code),
                Until(point) => {
                    let output = place.halted(typed, Some(point));
                    assert!(is_halted(&output), "{line} never comes to {point}: {}", stderr(&output));
                    assert_eq!(output.status.code(), Some(143), "{line}: {}", stderr(&output));
                }
                #[cfg(all(feature = "tui", target_os = "linux"))]
                Screen(keys) => on_a_terminal(&place, (typed, code as u32), keys),
                #[cfg(not(all(feature = "tui", target_os = "linux")))]
                Screen(_) => {}
                Read(reason) => assert!(!reason.is_empty()),
            }
        }
    }
    assert!(ran > 100, "{ran} lines were run");
    let unused: Vec<_> = LINES.iter().zip(used).filter(|(_, used)| !used).map(|((part, _), _)| part).collect();
    assert!(unused.is_empty(), "no line has {unused:?}");
}

/// Runs a line as it is printed. What comes behind `&&` submits a job to an engine, which need not be here.
fn whole(place: &Place, line: &str, (typed, comment): (&str, &str), code: i32) {
    let output = place.sh(typed.split(" && ").next().unwrap_or_default());
    let all = format!("{}{}", stdout(&output), remarks(&output));
    assert_eq!(output.status.code(), Some(code), "{line}: {all}");
    let number = comment.split_whitespace().next().unwrap_or_default();
    if number.contains(',') && number.chars().all(|c| c.is_ascii_digit() || c == ',') {
        assert!(all.contains(number), "{line} prints\n{all}");
    }
}

/// A link leads to a file, and to a heading in it.
#[test]
fn every_link_of_a_readme_leads_somewhere() {
    let root = Path::new(&*PROJECT);
    let anchor = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        heading
            .chars()
            .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-')
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    let mut seen = 0;
    for path in readmes(&root.join("src")).into_iter().chain([root.join("README.md")]) {
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: {link}", path.display());
            if !heading.is_empty() {
                let there = fs::read_to_string(&file).unwrap();
                let found = there.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(found, "{}: {link}", path.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen} links were followed");
}

/// A title in `# Source` that has a year.
#[test]
fn the_bibliography_has_every_work_that_the_sources_cite() {
    fn sources(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let texts = entries.flat_map(|path| match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(ending) if ending == "rs" => vec![fs::read_to_string(path).unwrap()],
            _ => vec![],
        });
        texts.collect()
    }
    let src = Path::new(&*PROJECT).join("src");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let bibliography = words(&fs::read_to_string(src.join("BIBLIOGRAPHY.md")).unwrap());
    let mut seen = 0;
    for text in sources(&src) {
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        for at in (0..lines.len()).filter(|&at| lines[at].ends_with("# Source") && lines[at].starts_with("//")) {
            let doc = |line: &&&str| line.starts_with("//") && line.len() > 3;
            let cited = lines[at + 1..]
                .iter()
                .take_while(doc)
                .map(|line| line.trim_start_matches(['/', '!']))
                .collect::<String>();
            let quoted: Vec<&str> = cited.split('"').collect();
            for pair in quoted[1..].chunks(2).filter(|pair| pair.len() == 2) {
                let has_year = |text: &str| text.split(|c: char| !c.is_ascii_digit()).any(|word| word.len() == 4);
                if has_year(pair[1]) {
                    assert!(bibliography.contains(&words(pair[0])), "{}", words(pair[0]));
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 40, "{seen} titles were read");
}

/// A picture that no page shows is not kept, and none is missing.
#[test]
fn the_pictures_are_those_that_the_pages_show() {
    let all = every_readme().concat();
    let shown: BTreeSet<&str> = all.split("screenshots/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let entries = fs::read_dir(Path::new(&*PROJECT).join("screenshots")).unwrap();
    let files: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let kept: BTreeSet<&str> = files.iter().map(String::as_str).filter(|name| name.ends_with(".svg")).collect();
    assert_eq!(kept, shown);
}
