//! Commands of this program, as they are printed for the user, written to job files and run in processes of their own: what
//! is typed says the same again when it is parsed.

use super::say::shell_word;
use crate::board::Ending;
use crate::count::CountQuestion;
use crate::run::{Plan, Question};
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::words::is_obeyed;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::path::Path;

/// The words of a command behind the name of the program.
#[derive(Clone, Debug)]
pub struct CommandLine(Vec<OsString>);

impl CommandLine {
    /// Searches what a plan asks, or its part of that, with as many threads as there are.
    pub fn search(plan: &Plan) -> CommandLine {
        let line = CommandLine::of("search").word(plan.question.shape().to_string());
        let Question::Search(solver, problem) = &plan.question else { return line };
        let line = line.flag(problem.ending.name(), true).option("solver", Some(solver.name()));
        let settings = problem.options().into_iter();
        let line = settings.fold(line, |line, (name, value)| match value {
            Some(value) => line.option(name, Some(value)),
            None => line.flag(name, true),
        });
        line.option("shard", plan.shard)
    }

    /// The search of a plan by its crew.
    pub fn search_by_crew(plan: &Plan) -> CommandLine {
        let shared = plan.threads > 1;
        let scheduler = Some(plan.scheduler).filter(|&scheduler| shared && scheduler != Scheduler::HIRE);
        let hand_over = Some(plan.hand_over).filter(|&hand_over| shared && hand_over != HandOver::Shallowest);
        CommandLine::search(plan)
            .option("threads", Some(plan.threads))
            .option("scheduler", scheduler.map(Scheduler::name))
            .option("hand-over", hand_over.map(HandOver::name))
            .flag("pin", plan.pin)
    }

    /// Counts the tours of one board, with holes or without.
    pub fn count(question: &CountQuestion) -> CommandLine {
        let &CountQuestion { ref shape, ending, start, unique, strict, .. } = question;
        CommandLine::of("count")
            .word(shape.to_string())
            .flag("open", ending == Ending::Open)
            .flag("strict", strict)
            .option("start", start.map(|start| shape.board().name(start)))
            .flag("unique", unique)
    }

    /// Makes the part of a count by a prime in a folder of parts.
    pub fn count_part(folder: &Path, question: &CountQuestion, modulus: u32) -> CommandLine {
        CommandLine::count(question).option("modulus", Some(modulus)).out_dir(folder)
    }

    /// Resumes the run in a file; `force` says that its tours replace another file.
    pub fn resume(file: &Path, force: bool) -> CommandLine {
        CommandLine::of("resume").word(file).flag("force", force)
    }

    /// Puts the parts in a folder together.
    pub fn merge(folder: &Path) -> CommandLine {
        CommandLine::of("merge").word(folder)
    }

    fn of(command: &str) -> CommandLine {
        CommandLine(vec![command.into()])
    }

    fn word(mut self, word: impl Into<OsString>) -> CommandLine {
        self.0.push(word.into());
        self
    }

    /// Adds an option without a value, if it is set.
    #[must_use]
    pub fn flag(self, name: &str, is_set: bool) -> CommandLine {
        if is_set { self.word(format!("--{name}")) } else { self }
    }

    /// Adds an option, if it has a value.
    #[must_use]
    pub fn option(self, name: &str, value: Option<impl ToString>) -> CommandLine {
        if let Some(value) = value { self.flag(name, true).word(value.to_string()) } else { self }
    }

    /// Adds the folder of parts.
    #[must_use]
    pub fn out_dir(self, folder: &Path) -> CommandLine {
        self.flag("out-dir", true).word(folder)
    }

    /// The words, for a process of its own.
    pub fn words(self) -> Vec<OsString> {
        self.0
    }
}

impl Display for CommandLine {
    /// Writes the command as a shell reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("destrier")?;
        self.0.iter().try_for_each(|word| match word.to_str() {
            Some(option) if option.starts_with("--") && !option.contains(is_obeyed) => write!(f, " {option}"),
            _ => write!(f, " {}", shell_word(Path::new(word))),
        })
    }
}
