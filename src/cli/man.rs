//! `destrier man`: the manual, one page or all.

use super::pages::{file_name, manual};
use crate::job::{Failure, usage};
use crate::saved;
use clap::{Args, Command};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
pub fn run(args: &ManArgs, mut command: Command) -> Result<u8, Failure> {
    command.build();
    if let Some(folder) = &args.dir {
        return write_all(&command, folder, args.force).map(|()| 0);
    }
    let path: Vec<&str> = args.command.iter().map(String::as_str).collect();
    let asked = path.iter().try_fold(&command, |command, word| command.find_subcommand(word));
    let asked = asked.filter(|command| command.get_name() != "help");
    let asked = asked.ok_or_else(|| usage(format!("no command '{}': destrier help lists them", path.join(" "))))?;
    io::stdout().write_all(manual(asked, &path).as_bytes())?;
    Ok(0)
}

fn write_all(command: &Command, folder: &Path, force: bool) -> Result<(), Failure> {
    let pages = pages(command, &[]);
    if let Some((name, _)) = pages.iter().find(|(name, _)| folder.join(name).exists() && !force) {
        return Err(usage(format!("--dir: {} exists; add --force to replace it", folder.join(name).display())));
    }
    let refused = |error: io::Error| usage(format!("--dir {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refused)?;
    for (name, text) in pages {
        let mut part = saved::create_part(folder, None).map_err(refused)?;
        part.write_all(text.as_bytes())?;
        part.persist(folder.join(name)).map_err(|error| error.error)?;
    }
    Ok(())
}

/// The page of a command and of those below it, each with its file name.
fn pages(command: &Command, path: &[&str]) -> Vec<(String, String)> {
    let mut pages = vec![(file_name(path), manual(command, path))];
    for below in command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help") {
        pages.extend(self::pages(below, &[path, &[below.get_name()]].concat()));
    }
    pages
}
