//! The developer's battery: what holds on this machine beyond the tests, and what parts of the program cost.
//!
//! `cargo test --release --test battery` measures every group, `-- GROUP ..` some of them, with the rows, the asserted
//! counts, the options and the exit codes of `destrier bench`. `cargo test` alone does not run it, for it takes long.
//!
//! It is no test of the harness, so that its files cannot have tests of their own: what a group rests on is asserted in a
//! row of that group.

mod child;
mod conform;
mod estimates;
mod finding;
mod hand;
mod hire_check;
mod kept;
mod kills;
mod levels;
mod lists;
mod numbering;
mod progress;
mod record;
mod uniform;
mod verify;
mod view;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use destrier::cli::bench::{Bench, Group};
use destrier::job::{Failure, usage};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The developer's battery; 1 when a count is wrong.
#[derive(Parser)]
#[command(name = "battery", max_term_width = 100)]
struct BatteryArgs {
    /// Groups of rows to measure; without one, all of them
    #[arg(value_name = "GROUP", value_parser = group_names())]
    groups: Vec<String>,
    /// Small boards: less than a minute
    #[arg(long)]
    quick: bool,
    /// With uniform: 8x8 too, whose layers are kept in this folder, some 12 GB; those that are there are used
    #[arg(long, value_name = "DIR")]
    layers: Option<PathBuf>,
    /// Print one JSON object; the rows go to stderr as they are measured
    #[arg(long)]
    json: bool,
}

/// Every group, in the order in which they run, and where the layers of 8x8 are kept.
fn groups(layers: Option<&Path>) -> Vec<Group<'_>> {
    vec![
        Group::new("estimates", "how many of 100 intervals of count --estimate hold the known number", estimates::run),
        Group::new("uniform", "tours by number, and whether they are drawn uniformly", move |bench| {
            uniform::run(bench, layers)
        }),
        Group::new("progress", "whether what runs say of their progress comes true", progress::run),
        Group::new("hire-check", "instructions per node of the hire check (valgrind)", hire_check::run),
        Group::new("levels", "what it costs to keep figures by depth", levels::run),
        Group::new("numbering", "writing down a tour of tiles, beside filling the array", numbering::run),
        Group::new("finding", "how fast one tour is found, square by square or at once", finding::run),
        Group::new("verify", "lists checked, beside a short program in C", verify::run),
        Group::new("lists", "one tour of a large board written, beside a short program in C", lists::run),
        Group::new("view", "what the live view costs, and what it writes", view::run),
        Group::new("hand", "how soon a key is answered, and what a view writes a second", hand::run),
        Group::new("record", "what recording costs, and what it writes", record::run),
        Group::new("kept", "what it costs to keep a search in a file", kept::run),
        Group::new("kills", "runs that are killed and go on, to the exact figures", kills::run),
        Group::new("conform", "larger boards of the conformance tests", conform::run),
    ]
}

fn group_names() -> PossibleValuesParser {
    Group::names(&groups(None))
}

fn main() -> ExitCode {
    match run(&BatteryArgs::parse()) {
        Ok(code) => code.into(),
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(if matches!(failure, Failure::Usage(_)) { 2 } else { 3 })
        }
    }
}

/// Measures the groups asked for; 1 when a count is wrong.
fn run(args: &BatteryArgs) -> Result<u8, Failure> {
    let named = |name: &str| args.groups.is_empty() || args.groups.iter().any(|group| group == name);
    if args.layers.is_some() && (args.quick || !named("uniform")) {
        return Err(usage("--layers is for 8x8 in the full battery: write uniform --layers DIR"));
    }
    let groups = groups(args.layers.as_deref()).into_iter().filter(|group| named(group.name()));
    Bench::measure(groups, args.quick, args.json)
}
