//! A page: what help and manual say of a command beside its options.
//!
//! Each line of a file in `text/` begins with a word that says what it is:
//!
//! ```text
//! $ COMMAND LINE        an example, as it is typed
//! # WHAT IT DOES
//! > A LINE IT PRINTS    `..` stands for whatever comes; `..` alone for any number of lines
//! @ first COMMAND LINE  what a test runs before the example
//! @ exit CODE           the exit code, if it is not 0
//! @ keys KEYS           it is shown on a terminal: the keys that leave it
//! @ not run: REASON     a test reads it, and does not run it
//! common OPTION ..      the options that `-h` shows
//! exit MEANING          what exit code 1 means
//! file NAME  MEANING    a file that is written or read
//! variable NAME  MEANING
//! see COMMAND ..        other pages
//! ```

/// A command's page.
#[derive(Default, Debug)]
pub struct CommandPage {
    /// The command: `search`, `gpu-map`; `destrier` itself.
    pub name: &'static str,
    /// Examples, the commonest first.
    pub examples: Vec<Example>,
    /// The options that the short help shows.
    pub common: Vec<&'static str>,
    /// What exit code 1 means, where it can come.
    pub exit: Option<&'static str>,
    /// Files, each with its meaning.
    pub files: Vec<[&'static str; 2]>,
    /// Variables of the environment, each with its meaning.
    pub variables: Vec<[&'static str; 2]>,
    pub see: Vec<&'static str>,
}

/// A command line, and what it does.
#[derive(Default, Debug)]
pub struct Example {
    /// The line, as it is typed.
    pub line: &'static str,
    pub does: &'static str,
    /// What it prints; see the head of this file.
    pub prints: Vec<&'static str>,
    /// Lines that a test runs before.
    pub first: Vec<&'static str>,
    /// Its exit code.
    pub code: i32,
    /// How a test runs it.
    pub tested: HowTested,
}

/// How a test runs an example.
#[derive(Default, PartialEq, Eq, Debug)]
pub enum HowTested {
    /// By a shell.
    #[default]
    Run,
    /// On a terminal, left by these keys.
    Keys(&'static str),
    /// Not at all, for this reason: its options are read.
    Read(&'static str),
}

/// Every page, by the names of the commands.
pub fn pages() -> impl Iterator<Item = CommandPage> {
    TEXTS.iter().map(|(name, text)| CommandPage::read(name, text))
}

/// Names and texts of the files in `text/`, as the build script lists them.
const TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

impl CommandPage {
    pub fn of(name: &str) -> Option<CommandPage> {
        TEXTS.iter().find(|(other, _)| *other == name).map(|(name, text)| CommandPage::read(name, text))
    }

    /// Reads a page; a line that it does not understand is a mistake in the file, which the tests find.
    fn read(name: &'static str, text: &'static str) -> CommandPage {
        let mut page = CommandPage { name, ..CommandPage::default() };
        for line in text.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let named = || rest.split_once("  ").map(|(name, meaning)| [name, meaning]);
            match word {
                "$" => page.examples.push(Example { line: rest, ..Example::default() }),
                "common" => page.common = rest.split_whitespace().collect(),
                "exit" => page.exit = Some(rest),
                "file" => page.files.extend(named()),
                "variable" => page.variables.extend(named()),
                "see" => page.see = rest.split_whitespace().collect(),
                _ => match page.examples.last_mut() {
                    Some(example) => example.read(word, rest),
                    None => unreachable!("text/{name}.txt: {line}"),
                },
            }
        }
        page
    }
}

impl Example {
    /// Reads a line about the example.
    fn read(&mut self, word: &str, rest: &'static str) {
        match (word, rest.split_once(' ').unwrap_or((rest, ""))) {
            ("#", _) => self.does = rest,
            (">", _) => self.prints.push(rest),
            ("@", ("first", line)) => self.first.push(line),
            ("@", ("exit", code)) => self.code = code.parse().unwrap_or_default(),
            ("@", ("keys", keys)) => self.tested = HowTested::Keys(keys),
            ("@", ("not", reason)) => self.tested = HowTested::Read(reason.trim_start_matches("run: ")),
            _ => unreachable!("{}: {word} {rest}", self.line),
        }
    }
}
