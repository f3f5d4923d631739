//! Every README: its command lines are run, its links followed, its pictures held against those in `screenshots`; and the
//! bibliography against what the sources cite.

use crate::common::{remarks, stdout};
use crate::examples::{Place, read};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Command lines of a README that are read and not run: a part of the line, and the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("destrier  ", "a screen; the examples run it"),
    ("destrier --threads", "a screen"),
    ("destrier tutorial", "a screen; tests/pty/tutorial.rs walks through it"),
    ("destrier watch", "a screen; the examples run some"),
    ("--watch", "a screen"),
    ("--show", "a screen"),
    ("destrier step", "a screen"),
    ("destrier show", "a screen"),
    ("destrier replay run.zst  ", "a screen"),
    ("destrier attach", "a screen"),
    ("destrier count 8x8", "gigabytes; tests/known.rs holds its number"),
    ("destrier count 8x9", "gigabytes, and files"),
    ("destrier count 8x10", "minutes"),
    ("destrier count 8x1..40", "minutes; strips.csv has the numbers"),
    ("--estimate --for 60s", "a minute"),
    ("--samples 100000", "half a minute"),
    ("destrier search 7x8 --checkpoint", "minutes"),
    ("destrier search 8x8 --threads 64 --detach", "days"),
    ("destrier search 8x8 --deadline", "as long as it says"),
    ("destrier resume 7x8.run", "resumes what took minutes"),
    ("destrier resume 8x8.count", "resumes what takes gigabytes"),
    ("other.zst", "it wants a recording of another machine"),
    ("--tours 5000", "a minute"),
    ("destrier resume race", "resumes what took a minute"),
    ("&& ", "it submits a job"),
    ("--layers DIR", "12 GB"),
    ("destrier reproduce", "most take minutes; tests/known.rs and others hold the figures"),
    ("destrier bench", "minutes; the examples run a part"),
    ("destrier doctor --calibrate", "the examples run it"),
    ("destrier simulate 5x6", "most of a minute"),
    ("--success", "the examples of find run a smaller one"),
    ("destrier runs", "in order with a run that takes days; the examples run it"),
    ("10000x10000", "its reader ends before it: the exit code is that of the reader"),
];

/// Lines that begin so are not the program's: they build it, test it, or want another machine.
const OTHERS: [&str; 3] = ["cargo ", ".ci/run", "ssh "];

/// The command lines of a README, each with what stands behind it: `destrier search 6x6   # 9,862 closed tours`.
fn lines(readme: &str) -> impl Iterator<Item = &str> {
    let blocks = readme.split("```sh\n").skip(1).filter_map(|block| block.split("```").next());
    let lines = blocks.flat_map(str::lines).filter(|line| !OTHERS.iter().any(|other| line.starts_with(other)));
    lines.inspect(|line| assert!(line.starts_with("destrier"), "{line}"))
}

/// What the first page names in its tables and sentences. A word in capitals stands for another one.
#[test]
fn every_command_that_the_first_page_names_is_one() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let named =
        readme.lines().filter(|line| !line.starts_with("```")).flat_map(|line| line.split('`').skip(1).step_by(2));
    let named = named.filter(|text| text.starts_with("destrier ")).collect::<Vec<_>>();
    let stands_for_another = |text: &str| text.split(' ').any(|word| word.chars().all(|c| c.is_ascii_uppercase()));
    let whole: Vec<&&str> = named.iter().filter(|text| !stands_for_another(text)).collect();
    assert!(whole.len() > 20, "{whole:?}");
    whole.into_iter().for_each(|line| read(line));
}

fn readmes(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { readmes(&path) } else { vec![path] });
    all.filter(|path| path.file_name().is_some_and(|name| name == "README.md")).collect()
}

/// Those of its subject, and of every room.
fn every_readme() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rooms = readmes(&root.join("src"));
    assert!(rooms.len() >= 7, "{rooms:?}");
    rooms.into_iter().chain([root.join("README.md")]).map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// A line whose comment names an exit code ends with it, and one with a number that is found prints that.
#[test]
fn every_command_line_of_a_readme_is_run_or_not_for_a_reason() {
    let (mut ran, mut used) = (0, vec![false; NOT_RUN.len()]);
    for readme in every_readme() {
        let place = Place::new();
        for line in lines(&readme) {
            let (typed, comment) = line.split_once(" #").unwrap_or((line, ""));
            read(typed.trim());
            let padded = format!("{} ", typed.trim_end()) + " ";
            if let Some(index) = NOT_RUN.iter().position(|(part, _)| padded.contains(part)) {
                used[index] = true;
                continue;
            }
            let output = place.sh(typed);
            let code = comment.split_once("exit code ").and_then(|(_, rest)| rest.get(..1)?.parse().ok()).unwrap_or(0);
            let all = format!("{}{}", stdout(&output), remarks(&output));
            assert_eq!(output.status.code(), Some(code), "{line}: {all}");
            let number = comment.split_whitespace().next().unwrap_or_default();
            if number.contains(',') && number.chars().all(|c| c.is_ascii_digit() || c == ',') {
                assert!(all.contains(number), "{line} prints\n{all}");
            }
            ran += 1;
        }
    }
    assert!(ran > 40, "{ran} lines were run");
    let unused: Vec<_> = NOT_RUN.iter().zip(used).filter(|(_, used)| !used).map(|(reason, _)| reason).collect();
    assert!(unused.is_empty(), "no line is left out for {unused:?}");
}

/// A link leads to a file, and to a heading in it.
#[test]
fn every_link_of_a_readme_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
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
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
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
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots")).unwrap();
    let files: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let kept: BTreeSet<&str> = files.iter().map(String::as_str).filter(|name| name.ends_with(".svg")).collect();
    assert_eq!(kept, shown);
}
