//! Help: the sentence, the examples, the options in groups, then exit codes, files, and where to look next.
//!
//! The short help (`-h`) fits a screen: the common options, without groups. The parser alone knows none of this: pages are
//! read when help is asked for, so that no other start of the program pays for it.

use super::page::{CommandPage, Example};
use crate::cli::completions::is_added;
use crate::words;
use clap::{Arg, Command};

/// What a screen of help looks like.
const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// A command with fewer options has no groups of them.
const GROUPED_MIN: usize = 12;

/// Columns of a help that is read on any terminal.
const WIDTH: usize = 80;

/// A command and its subcommands with all that help and manual say; short or whole.
pub fn described(command: Command, short: bool) -> Command {
    describe(command, "destrier", short)
}

fn describe(command: Command, name: &str, short: bool) -> Command {
    let (Some(page), Some(all)) = (CommandPage::of(name), CommandPage::of("destrier")) else { return command };
    // Help and version, and the options that every command has, make no command one of many options.
    let is_own = |arg: &Arg| !arg.is_global_set() && !is_added(arg);
    let own = command.get_arguments().filter(|&arg| is_own(arg));
    let options = own.filter(|arg| arg.get_long().is_some() && !arg.is_hide_set()).count();
    let command = command.help_template(TEMPLATE).mut_args(|arg| {
        let Some(long) = arg.get_long().filter(|_| is_own(&arg) || arg.is_global_set()) else { return arg };
        let is_common = if is_own(&arg) { &page } else { &all }.common.contains(&long);
        let stands_in_group = options >= GROUPED_MIN && !short && is_own(&arg);
        let arg = if stands_in_group { arg } else { arg.help_heading(None::<&str>) };
        arg.hide_short_help(short && !is_common)
    });
    let command = command.before_help(short_examples(&page)).before_long_help(examples(&page));
    let command = command.after_help(short_end(&page, options)).after_long_help(end(&page));
    let below = |command: Command| {
        let below = match name {
            "destrier" => command.get_name().to_owned(),
            _ => format!("{name}-{}", command.get_name()),
        };
        describe(command, &below, short)
    };
    command.mut_subcommands(below)
}

/// The examples: a line each where all fit, else two.
fn short_examples(page: &CommandPage) -> String {
    let column = page.examples.iter().map(|example| example.line.len()).max().unwrap_or(0);
    let fit = page.examples.iter().all(|example| 2 + column + 2 + example.does.len() <= WIDTH);
    let row = |Example { line, does, .. }: &Example| {
        if fit { format!("\n  {line:column$}  {does}") } else { format!("\n  {line}\n      {does}") }
    };
    format!("Examples:{}", page.examples.iter().map(row).collect::<String>())
}

/// The examples, with what they print.
fn examples(page: &CommandPage) -> String {
    let rows = page.examples.iter().map(|Example { line, does, prints, .. }| {
        let prints: String = prints.iter().map(|line| format!("\n    {line}")).collect();
        format!("\n\n  {}\n    $ {line}{prints}", sentence(does))
    });
    format!("Examples, where .. stands for what may differ:{}", rows.collect::<String>())
}

/// What an example does, as a sentence.
pub fn sentence(does: &str) -> String {
    let first: String = does.chars().take(1).flat_map(char::to_uppercase).collect();
    format!("{first}{}.", does.chars().skip(1).collect::<String>())
}

fn short_end(page: &CommandPage, options: usize) -> String {
    let more = if options > page.common.len() { "all options, " } else { "" };
    match page.name {
        // Every line counts, where there is one for each command.
        "destrier" => String::new(),
        _ => format!("--help says more: {more}what the examples print, exit codes, files."),
    }
}

/// Exit codes, files, variables, and other pages.
fn end(page: &CommandPage) -> String {
    let codes: Vec<_> = exit_codes(page).collect();
    let parts = [list("Exit codes", &codes), list("Files", &page.files), list("Environment", &page.variables)];
    let see: Vec<String> = page.see.iter().map(|name| format!("destrier {}", name.replace('-', " "))).collect();
    let word = page.name.replace('-', " ");
    let manual = if page.name == "destrier" { "destrier man".to_owned() } else { format!("destrier man {word}") };
    format!("{}See also: {}; {manual}", parts.concat(), see.join(", "))
}

/// What each exit code of a command means.
pub fn exit_codes(page: &CommandPage) -> impl Iterator<Item = [&'static str; 2]> {
    let one = page.exit.map(|meaning| ["1", meaning]);
    [["0", "Done."]].into_iter().chain(one).chain([
        ["2", "Wrong usage or bad input."],
        ["3", "Failed while running."],
        [
            "128+N",
            "Stopped by signal N: INT (Ctrl-C, 2), TERM, HUP, XCPU or USR2. Its checkpoint was saved, if it has one.",
        ],
    ])
}

fn list(heading: &str, rows: &[[&str; 2]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let column = rows.iter().map(|[name, _]| name.len()).max().unwrap_or(0);
    let rows = rows.iter().map(|[name, meaning]| {
        let lines = words::wrapped(meaning, WIDTH - column - 4);
        format!("\n  {name:column$}  {}", lines.join(&format!("\n{:indent$}", "", indent = column + 4)))
    });
    format!("{heading}:{}\n\n", rows.collect::<String>())
}
