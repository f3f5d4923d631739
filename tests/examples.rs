//! The examples of help and manual: each is run, and what it prints is held against what is written.

use crate::common::process::end_all;
use crate::common::{HALT, PROGRAM, remarks, stdout};
use crate::detach::Runs;
use clap::CommandFactory;
use destrier::cli::Cli;
use destrier::cli::pages::{Example, HowTested, pages};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Seconds that a line may take.
const PATIENCE_S: &str = "120";

/// A folder in which `destrier` is the program, and runs without a screen are its own: none outlives it.
pub struct Place(Runs);

impl Place {
    pub fn new() -> Place {
        Place(Runs::new())
    }

    pub fn folder(&self) -> &Path {
        self.0.folder()
    }

    pub fn variables(&self) -> [(&'static str, String); 5] {
        let home = Path::new(&*PROGRAM).parent().unwrap().display();
        [
            ("PATH", format!("{home}:{}", std::env::var("PATH").unwrap())),
            ("DESTRIER_RUNS", self.0.path().display().to_string()),
            ("NO_COLOR", String::new()),
            // Empty, they count as not set.
            ("DESTRIER_THREADS", String::new()),
            ("SLURM_CPUS_PER_TASK", String::new()),
        ]
    }

    /// Runs a line as a shell does.
    pub fn sh(&self, line: &str) -> Output {
        self.halted(line, None)
    }

    /// The same, up to this point if one is named.
    pub fn halted(&self, line: &str, halt: Option<&str>) -> Output {
        let mut command = Command::new("timeout");
        command.args([PATIENCE_S, "sh", "-c", line]).current_dir(self.folder()).envs(self.variables());
        command.envs(halt.map(|halt| (HALT, halt)));
        command.stdin(Stdio::null()).output().expect("there is a shell")
    }
}

impl Drop for Place {
    /// Ends the runs without a screen.
    fn drop(&mut self) {
        let [_, (name, runs), ..] = self.variables();
        end_all(name, &runs);
    }
}

/// Whether a line is as wanted, where `..` stands for whatever comes.
fn is_like(line: &str, wanted: &str) -> bool {
    let mut parts = wanted.split("..");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last.is_some_and(|part| part.is_empty() || line.ends_with(part))
}

/// Whether lines are as wanted, where `..` alone stands for any number of lines.
fn are_like(lines: &[&str], wanted: &[&str]) -> bool {
    match wanted {
        [] => lines.is_empty(),
        ["..", rest @ ..] => (0..=lines.len()).any(|skipped| are_like(&lines[skipped..], rest)),
        [first, rest @ ..] => lines.first().is_some_and(|line| is_like(line, first)) && are_like(&lines[1..], rest),
    }
}

#[test]
fn dots_stand_for_what_may_differ() {
    assert!(is_like("nodes 5 in 0.1 s", "nodes 5 in .. s") && is_like("a", "a") && is_like("a b", "a .."));
    assert!(!is_like("nodes 6 in 0.1 s", "nodes 5 in ..") && !is_like("ab", "a") && !is_like("a b c", "a .. b"));
    assert!(are_like(&["a", "b", "c"], &["a", ".."]) && are_like(&["a", "b", "c"], &["..", "c"]));
    assert!(!are_like(&["a", "b"], &["a"]) && !are_like(&["a"], &["..", "b"]));
}

/// The words of a line, each of `destrier`'s commands in it by itself.
fn commands(line: &str) -> Vec<Vec<String>> {
    let (mut words, mut word, mut quote) = (vec![vec![]], String::new(), None);
    for c in line.chars().chain([' ']) {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) if !word.is_empty() => match std::mem::take(&mut word).as_str() {
                "|" | "&&" => words.push(vec![]),
                typed => words.last_mut().unwrap().push(typed.to_owned()),
            },
            (' ', None) => {}
            (c, _) => word.push(c),
        }
    }
    let ours = words.into_iter().filter(|words| words.first().is_some_and(|word| word == "destrier"));
    ours.map(|words| words.into_iter().take_while(|word| word != ">").collect()).collect()
}

/// Reads the options of a line without running it.
pub fn read(line: &str) {
    let commands = commands(line);
    assert!(!commands.is_empty(), "{line} does not name the program");
    for words in commands {
        if let Err(error) = Cli::command().try_get_matches_from(&words) {
            panic!("{line}: {error}");
        }
    }
}

fn run(place: &Place, example: &Example) {
    let output = place.sh(example.line);
    let (said, printed) = (remarks(&output), stdout(&output));
    let all = format!("{printed}{said}");
    assert_eq!(output.status.code(), Some(example.code), "{}: {all}", example.line);
    if !example.prints.is_empty() {
        // Where there is one core a page's `.. threads` is one thread.
        let of_one_core = all.replace(" 1 thread", " 1 threads");
        let is_it = |text: &String| are_like(&text.lines().collect::<Vec<_>>(), &example.prints);
        assert!(
            [&all, &of_one_core].into_iter().any(is_it),
            "{} prints\n{all}\nand not\n{}",
            example.line,
            example.prints.join("\n")
        );
    }
}

#[test]
fn every_example_does_what_it_says() {
    let mut seen = 0;
    for page in pages() {
        let place = Place::new();
        for example in &page.examples {
            for line in &example.first {
                place.sh(line);
            }
            read(example.line);
            assert!(!example.does.is_empty() && !example.does.ends_with('.'), "{}", example.line);
            let widest = example.prints.iter().chain([&example.line]).map(|line| line.len()).max();
            assert!(widest <= Some(76), "{}: help has 80 columns", example.line);
            match example.tested {
                HowTested::Run => run(&place, example),
                #[cfg(all(feature = "tui", target_os = "linux"))]
                HowTested::Keys(keys) => on_a_terminal(&place, (example.line, example.code as u32), keys),
                #[cfg(not(all(feature = "tui", target_os = "linux")))]
                HowTested::Keys(_) => {}
                HowTested::Read(reason) => assert!(!reason.is_empty(), "{}", example.line),
            }
            seen += 1;
        }
    }
    assert!(seen > 70, "{seen} examples were read");
}

/// Runs a line in a terminal, until it has shown something, and leaves it by these keys, with this exit code.
#[cfg(all(feature = "tui", target_os = "linux"))]
pub fn on_a_terminal(place: &Place, (line, code): (&str, u32), keys: &str) {
    let mut command = portable_pty::CommandBuilder::new("sh");
    command.args(["-c", line]);
    command.cwd(place.folder());
    for (name, value) in place.variables() {
        command.env(name, value);
    }
    command.env("TERM", "xterm-256color");
    let mut pty = crate::pty::Pty::spawn(command, 24, 80);
    pty.wait("view", |screen| screen.alternate_screen() && screen.contents().trim().lines().count() > 3);
    pty.press(keys);
    assert_eq!(pty.exit_code(), code, "{line}: {}", pty.text());
    pty.wait_restored();
}

/// A command without a page has no examples.
#[test]
fn every_command_has_a_page_and_every_page_a_command() {
    fn names(command: &clap::Command, above: &str) -> Vec<String> {
        let shown = |command: &&clap::Command| !command.is_hide_set() && command.get_name() != "help";
        let below = command.get_subcommands().filter(shown).flat_map(|command| {
            let name = if above.is_empty() {
                command.get_name().to_owned()
            } else {
                format!("{above}-{}", command.get_name())
            };
            [vec![name.clone()], names(command, &name)].concat()
        });
        below.collect()
    }
    let mut commands = [vec!["destrier".to_owned()], names(&Cli::whole(), "")].concat();
    commands.sort();
    let mut named: Vec<String> = pages().map(|page| page.name.to_owned()).collect();
    named.sort();
    assert_eq!(named, commands);
    for page in pages() {
        let path = page.name.split('-').filter(|word| *word != "destrier");
        let command = path.fold(Cli::whole(), |command, word| command.find_subcommand(word).unwrap().clone());
        let options: Vec<&str> = command.get_arguments().filter_map(|arg| arg.get_long()).collect();
        let unknown = page.common.iter().find(|option| !options.contains(option));
        assert_eq!(unknown, None, "{} has no such option", page.name);
        assert!(
            page.see.iter().all(|name| commands.iter().any(|command| command == name)),
            "{}: {:?}",
            page.name,
            page.see
        );
    }
}

/// It says all that a new user needs without scrolling.
#[test]
fn the_short_help_fits_a_screen_and_the_long_one_says_all() {
    let place = Place::new();
    for page in pages() {
        let command = page.name.replace('-', " ");
        let command = if command == "destrier" { String::new() } else { command };
        let help = |option: &str| stdout(&place.sh(&format!("destrier {command} {option}")));
        let (short, whole) = (help("-h"), help("--help"));
        // The program itself has a line for every command.
        let most = if page.name == "destrier" { 44 } else { 40 };
        assert!(short.lines().count() <= most, "{}: {} lines", page.name, short.lines().count());
        for line in short.lines().chain(whole.lines()) {
            assert!(line.chars().count() <= 100, "{}: {line}", page.name);
        }
        for example in &page.examples {
            assert!(short.contains(example.line) && whole.contains(&format!("$ {}", example.line)), "{}", example.line);
        }
        assert!(whole.contains("Exit codes:") && whole.contains("See also: destrier"), "{}", page.name);
    }
}
