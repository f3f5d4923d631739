//! The ways in which `compare` asks one question: what each `--with` says, that they ask the same, and what they are called.

use crate::board::Shape;
use crate::cli::args::QuestionArgs;
use crate::job::{Failure, safe, usage};
use crate::run::{Plan, Rival, RunDone};
use crate::schedule::RunError;
use clap::Parser;

/// What came of the runs.
pub struct Ends {
    /// The outcomes of those that began, in their order.
    pub done: Vec<Result<RunDone, RunError>>,
    /// Their figures over time.
    pub rivals: Vec<Rival>,
    /// The signal that ended them, if one did.
    pub signal: Option<i32>,
}

/// What one `--with` says.
#[derive(Parser)]
#[command(name = "--with", no_binary_name = true, disable_help_flag = true)]
struct With {
    #[command(flatten)]
    asked: QuestionArgs,
}

/// The plan that a `--with` asks for.
pub fn plan(shape: &Shape, with: &str) -> Result<Plan, Failure> {
    let words = words_of(with).ok_or_else(|| usage(format!("--with '{}': a quotation mark has no end", safe(with))))?;
    let parsed = With::try_parse_from(words).map_err(|error| {
        let said = error.to_string();
        let first = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
        usage(format!("--with '{}': {}; it takes the question and the crew of search", safe(with), safe(first)))
    })?;
    parsed.asked.plan(shape)
}

/// Several ways to answer, but one question: otherwise the times say nothing of each other.
pub fn one_question(plans: &[(String, Plan)]) -> Result<(), Failure> {
    let asked = |plan: &Plan| {
        let question = &plan.question;
        let (shape, start) = (question.shape().clone(), question.start());
        let narrowed = (question.restricted(), question.finds(), plan.shard);
        (shape, question.ending(), start.map(|start| start.index()), question.convention(), narrowed)
    };
    let Some(((first, plan), rest)) = plans.split_first() else { return Ok(()) };
    let Some((other, _)) = rest.iter().find(|(_, other)| asked(other) != asked(plan)) else { return Ok(()) };
    let (first, other) = (safe(first), safe(other));
    let why = "ask different questions: board, ending, start and convention must be the same";
    Err(usage(format!("'{first}' and '{other}' {why}")))
}

/// The names of the runs: what they are asked with, without the options that all of them have alike.
pub fn short(plans: &[(String, Plan)]) -> Vec<String> {
    let options: Vec<Vec<String>> = plans.iter().map(|(name, _)| options(name)).collect();
    let kept = |own: &Vec<String>| {
        let differs = |option: &&String| !options.iter().all(|other| other.contains(option));
        own.iter().filter(differs).map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    options.iter().map(|own| named_or_not(&kept(own))).collect()
}

/// What all are asked, in words, with the options that all of them have alike.
pub fn asked(plans: &[(String, Plan)]) -> String {
    let Some(((first, plan), rest)) = plans.split_first() else { return String::new() };
    let question = &plan.question;
    let mut text =
        format!("{} {} tours, {}", question.shape().short(), question.ending().name(), question.convention());
    let others: Vec<Vec<String>> = rest.iter().map(|(name, _)| options(name)).collect();
    let alike = |option: &String| option.starts_with("--") && others.iter().all(|other| other.contains(option));
    let alike: Vec<String> = options(first).into_iter().filter(alike).collect();
    if !alike.is_empty() {
        text += &format!("; all with {}", safe(&alike.join(" ")));
    }
    text
}

/// The words of a `--with`, as a shell would split them, but that # begins a square, such as #45, and no comment.
fn words_of(with: &str) -> Option<Vec<String>> {
    let words = shlex::split(&with.replace('#', "\u{e000}"))?;
    Some(words.into_iter().map(|word| word.replace('\u{e000}', "#")).collect())
}

/// The options of a `--with`, each with its value.
fn options(with: &str) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    for word in words_of(with).unwrap_or_default() {
        match options.last_mut() {
            Some(option) if !word.starts_with("--") => {
                *option = format!("{option} {}", shlex::try_quote(&word).unwrap_or_default());
            }
            _ => options.push(word),
        }
    }
    options
}

/// A name, also of what is asked with nothing.
fn named_or_not(name: &str) -> String {
    if name.trim().is_empty() { "without options".to_owned() } else { safe(name).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_have_is_said_once_and_not_in_their_names() {
        let plan = |with: &str| (with.to_owned(), plan(&"5x6".parse().unwrap(), with).unwrap());
        let plans = |withs: &[&str]| withs.iter().map(|with| plan(with)).collect::<Vec<_>>();
        let names = |withs: &[&str]| short(&plans(withs));
        let two = ["--scheduler rayon --threads 2", "--threads 2 --scheduler hire"];
        assert_eq!(asked(&plans(&two)), "5x6 closed tours, undirected; all with --threads 2");
        assert_eq!(asked(&plans(&["", "--threads 2"])), "5x6 closed tours, undirected");
        assert_eq!(names(&two), ["--scheduler rayon", "--scheduler hire"]);
        assert_eq!(names(&["--threads 1", "--threads 2"]), ["--threads 1", "--threads 2"]);
        assert_eq!(names(&["--threads 2", "--threads 2 --solver path"]), ["without options", "--solver path"]);
        assert_eq!(options("--solver 'two words' --open"), ["--solver 'two words'", "--open"]);
        assert_eq!(options("--start #1 --open"), ["--start '#1'", "--open"]);
        assert_eq!(names(&["--open --start #1", "--open --start \"#2\""]), ["--start '#1'", "--start '#2'"]);
    }

    #[test]
    fn one_question_is_asked_in_all_ways() {
        let plan = |with: &str| (with.to_owned(), plan(&"5x6".parse().unwrap(), with).unwrap());
        assert!(one_question(&[plan("--solver radley --scheduler rayon"), plan("--solver path --threads 3")]).is_ok());
        for other in ["--open", "--unique", "--start a1"] {
            assert!(
                one_question(&[plan("--solver path"), plan(&format!("--solver path {other}"))]).is_err(),
                "{other}"
            );
        }
    }
}
