//! `destrier man`: the manual, a page for every command, in the language of man pages.
//!
//! Its lines are short enough for `mandoc -Tlint`, which finds nothing wrong with any page.

use super::help::exit_codes;
use super::page::CommandPage;
use crate::cli::completions::is_added;
use crate::job::{Answer, Failure, put, usage};
use crate::saved;
use crate::words;
use clap::{Arg, Args, Command};
use roff::{Roff, bold, italic, roman};
use std::io;
use std::path::{Path, PathBuf};

/// What stands at the foot of a page.
const SOURCE: &str = concat!("destrier ", env!("CARGO_PKG_VERSION"));

/// Columns of the source of a page; escapes make lines longer.
const WIDTH: usize = 60;

/// The page of a command, which has been built.
pub fn manual(command: &Command, path: &[&str]) -> String {
    let name = if path.is_empty() { "destrier".to_owned() } else { path.join("-") };
    let page = CommandPage::of(&name).unwrap_or_default();
    let mut roff = Roff::new();
    roff.control("TH", [title(path).to_uppercase().as_str(), "1", env!("DESTRIER_DATE"), SOURCE, "destrier manual"]);
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    heading(&mut roff, "NAME");
    text(&mut roff, &format!("{} - {about}", title(path)), "PP");
    heading(&mut roff, "SYNOPSIS");
    let usage = command.clone().render_usage().to_string();
    for (index, form) in usage.trim_start_matches("Usage:").lines().enumerate() {
        if index > 0 {
            roff.control("br", []);
        }
        roff.text([bold(form.trim())]);
    }
    heading(&mut roff, "DESCRIPTION");
    let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
    text(&mut roff, &format!("{}.", about.trim_end_matches('.')), "PP");
    commands(&mut roff, command);
    examples(&mut roff, &page);
    options(&mut roff, command);
    end(&mut roff, &page);
    roff.render()
}

fn title(path: &[&str]) -> String {
    ["destrier"].iter().chain(path).copied().collect::<Vec<_>>().join("-")
}

fn heading(roff: &mut Roff, name: &str) {
    roff.control("SH", [name]);
}

/// Paragraphs, a macro between two.
fn text(roff: &mut Roff, text: &str, between: &str) {
    for (index, paragraph) in text.split("\n\n").enumerate() {
        if index > 0 {
            roff.control(between, []);
        }
        for line in words::wrapped(paragraph, WIDTH) {
            roff.text([roman(line)]);
        }
    }
}

fn entry(roff: &mut Roff, name: &str, meaning: &str) {
    roff.control("TP", []);
    roff.text([bold(name)]);
    text(roff, meaning, "IP");
}

fn commands(roff: &mut Roff, command: &Command) {
    if command.has_subcommands() {
        heading(roff, "COMMANDS");
    }
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        entry(roff, below.get_name(), &below.get_about().map(ToString::to_string).unwrap_or_default());
    }
}

fn examples(roff: &mut Roff, page: &CommandPage) {
    heading(roff, "EXAMPLES");
    if page.examples.iter().any(|example| !example.prints.is_empty()) {
        text(roff, "Below each is what it prints, where .. stands for what may differ.", "PP");
    }
    for example in &page.examples {
        entry(roff, example.line, &super::help::sentence(example.does));
        if !example.prints.is_empty() {
            roff.control("RS", ["11"]).control("nf", []);
            for line in &example.prints {
                roff.text([roman(*line)]);
            }
            roff.control("fi", []).control("RE", []);
        }
    }
}

/// The options in their groups, behind what stands without a name; at its end those that all commands have.
fn options(roff: &mut Roff, command: &Command) {
    let mut shown: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_hide_set()).collect();
    shown.sort_by_key(|arg| (is_added(arg), arg.is_global_set()));
    let mut groups: Vec<Option<&str>> = vec![None];
    for group in shown.iter().map(|arg| arg.get_help_heading()) {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    for group in groups {
        heading(roff, &group.unwrap_or("OPTIONS").to_uppercase());
        let (named, positional): (Vec<&Arg>, Vec<&Arg>) =
            shown.iter().filter(|arg| arg.get_help_heading() == group).partition(|arg| !arg.is_positional());
        for arg in positional.into_iter().chain(named) {
            option(roff, arg);
        }
    }
}

fn option(roff: &mut Roff, arg: &Arg) {
    let takes_value = arg.get_num_args().is_some_and(|number| number.takes_values());
    let value = arg.get_value_names().filter(|_| takes_value).map(|names| names.join(" "));
    let names = [arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}"))];
    let names = names.into_iter().flatten().collect::<Vec<_>>().join(", ");
    roff.control("TP", []);
    let gap = if names.is_empty() || value.is_none() { "" } else { " " };
    roff.text([bold(names), roman(gap), italic(value.unwrap_or_default())]);
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    text(roff, &help, "IP");
    let values = arg.get_possible_values();
    let values: Vec<_> = values.iter().filter(|value| takes_value && !value.is_hide_set()).collect();
    if values.iter().any(|value| value.get_help().is_some()) {
        roff.control("RS", []);
        for value in values {
            entry(roff, value.get_name(), &value.get_help().map(ToString::to_string).unwrap_or_default());
        }
        roff.control("RE", []);
    } else if !values.is_empty() {
        let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
        roff.control("IP", []);
        text(roff, &format!("One of {}.", names.join(", ")), "IP");
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if takes_value && !defaults.is_empty() {
        roff.control("IP", []);
        text(roff, &format!("Without it: {}.", defaults.join(" ")), "IP");
    }
}

fn end(roff: &mut Roff, page: &CommandPage) {
    let codes: Vec<_> = exit_codes(page).collect();
    for (name, rows) in [("EXIT STATUS", &codes), ("FILES", &page.files), ("ENVIRONMENT", &page.variables)] {
        if !rows.is_empty() {
            heading(roff, name);
        }
        for [name, meaning] in rows {
            entry(roff, name, meaning);
        }
    }
    heading(roff, "SEE ALSO");
    let home = (page.name != "destrier").then(|| "destrier(1)".to_owned());
    let also = page.see.iter().map(|name| format!("destrier-{name}(1)"));
    text(roff, &home.into_iter().chain(also).collect::<Vec<_>>().join(", "), "PP");
}

/// `destrier man`.
#[derive(Args)]
pub struct ManArgs {
    /// The command whose page is printed, such as search or gpu map; without it destrier(1)
    #[arg(conflicts_with = "dir")]
    command: Vec<String>,
    /// Write the pages of all commands into DIR, which is made
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Replace pages that are there
    #[arg(long, requires = "dir")]
    force: bool,
}

/// Prints the page of a command, or writes all.
///
/// # Errors
/// [`Failure::Usage`] when there is no such command, or a page is not to be replaced.
pub fn run(args: &ManArgs, mut command: Command) -> Result<Answer, Failure> {
    command.build();
    if let Some(folder) = &args.dir {
        return write_all(&command, folder, args.force).map(|()| Answer::Yes);
    }
    let path: Vec<&str> = args.command.iter().map(String::as_str).collect();
    let asked = path.iter().try_fold(&command, |command, word| command.find_subcommand(word));
    let asked = asked.filter(|command| command.get_name() != "help");
    let asked = asked.ok_or_else(|| usage(format!("no command '{}': destrier help lists them", path.join(" "))))?;
    put(manual(asked, &path)).map(|()| Answer::Yes)
}

fn write_all(command: &Command, folder: &Path, force: bool) -> Result<(), Failure> {
    let pages = pages(command, &[]);
    if let Some((name, _)) = pages.iter().find(|(name, _)| folder.join(name).exists() && !force) {
        return Err(usage(format!("--dir: {} exists; add --force to replace it", folder.join(name).display())));
    }
    let refused = |error: io::Error| usage(format!("--dir {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refused)?;
    for (name, text) in pages {
        saved::write_whole(&folder.join(name), text.as_bytes()).map_err(refused)?;
    }
    Ok(())
}

/// The page of a command and of those below it, each with its file name.
fn pages(command: &Command, path: &[&str]) -> Vec<(String, String)> {
    let mut pages = vec![(format!("{}.1", title(path)), manual(command, path))];
    for below in command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help") {
        pages.extend(self::pages(below, &[path, &[below.get_name()]].concat()));
    }
    pages
}
