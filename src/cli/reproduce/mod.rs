//! `destrier reproduce`: a published table, computed again and printed beside the published figures.
//!
//! A table is a file of rows, such as `radley.csv`: the words of a command (or `@` and a function of `figures.rs`), the fields of its
//! JSON object, what was published or known before, how the two are compared, and a label. `table.rs` says how the rows are read, compared
//! and drawn, `runner.rs` runs them; the known counts are rows of `src/board/known_counts.csv` (`counts.rs`).

mod counts;
mod figures;
mod runner;
mod table;

pub use runner::end_with_parent;
pub use table::published;

use crate::job::{Answer, Failure, refuse_if};
use crate::table::table;
use crate::words::parse_time;
use clap::Args;
use std::time::Duration;

/// Carter's times and tours, which `bench squares` shows, too.
pub const CARTER: &str = include_str!("carter.csv");

table! {
    /// What can be reproduced.
    /// `file`: its rows; none where the table is made of what is known.
    #[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
    pub enum SourceTable(file: &'static str) {
        /// Radley 2002: branches pruned by depth on 6x6, under every scheduler and several numbers of threads; with
        /// --prune all-isolated, which gives his figures: search prunes nothing unless asked
        Radley: include_str!("radley.csv");
        /// Carter 2016: all open tours of the boards from 3x4 to 5x6, on 1, 4, 8 and 16 threads, and figures 2.1 to 2.3
        Carter: CARTER;
        /// Kurapati 2007: his 8x8 tour, from how many starts his rule and other tie-breaks complete, by plain search and by the
        /// three-cycle board, the orders of Squirrel and Cull, and between which squares there are tours
        Kurapati: include_str!("kurapati.csv");
        /// Miller and Ranum: the sizes of search trees, and depth-first search by three orders of moves, with times to the
        /// first tour and heat maps of what it visits when
        Miller: include_str!("miller.csv");
        /// Gordon and Slocum 2004: coded walks, random and bred, with repair and without
        Gordon: include_str!("gordon.csv");
        /// The hire protocol, its earlier rules and its rivals among 64 and 1024 simulated workers, beside the prototype
        Schedulers: include_str!("schedulers.csv");
        /// The known numbers of tours, counted again; those out of reach with the memory and the time that they would take
        Counts: "";
    }
}

/// `destrier reproduce`.
#[derive(Args)]
pub struct ReproduceArgs {
    /// The table
    table: SourceTable,
    /// With counts: how long each count may take, 30s without it
    ///
    /// What would take longer is named and left out.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    budget: Option<Duration>,
    /// With schedulers: the larger tree too; some minutes
    #[arg(long)]
    full: bool,
}

/// [`ReproduceArgs::budget`] without the option: so long that the table of counts ends in minutes on two cores.
const BUDGET: Duration = Duration::from_secs(30);

/// Reproduces a table. Answers no when a figure differs.
///
/// # Errors
/// [`Failure`] when a command fails or the table cannot be printed.
pub fn run(args: &ReproduceArgs) -> Result<Answer, Failure> {
    let has_budget = args.budget.is_some() && args.table != SourceTable::Counts;
    refuse_if(has_budget, "--budget is for counts: the other tables always take the same work")?;
    let is_full = args.full && args.table != SourceTable::Schedulers;
    refuse_if(is_full, "--full is for schedulers: the other tables are always printed in full")?;
    runner::run(&args.table.rows(), args.full, args.budget.unwrap_or(BUDGET))
}

impl SourceTable {
    /// The rows of the table, as its file has them.
    fn rows(self) -> String {
        if self == SourceTable::Counts { counts::table() } else { self.file().to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::table::{DIVIDED, rows};
    use super::*;
    use crate::cli::Cli;
    use clap::{CommandFactory, Parser, ValueEnum};

    #[test]
    fn every_row_names_a_command_or_a_function_and_its_label_fits() {
        Cli::command().debug_assert();
        for table in SourceTable::value_variants() {
            let text = table.rows();
            let rows = rows(&text);
            assert!(rows.iter().filter(|row| !row.is_part()).count() > 10);
            for row in rows.iter().filter(|row| !row.is_part()) {
                assert!(row.label.len() <= 48 && !row.field.is_empty(), "{}", row.label);
                assert!(matches!(row.compare, "=" | ">" | "-") || row.compare.starts_with('~'), "{}", row.label);
                assert!(!row.published.is_empty() || row.compare == "-", "{} compares with nothing", row.label);
                for value in row.published.split(' ').filter(|value| value.contains(['[', ']'])) {
                    let own = value.strip_prefix('[').and_then(|value| value.strip_suffix(']'));
                    assert!(own.is_some_and(|own| !own.contains(['[', ']'])), "{}: {value}", row.label);
                }
                for words in row.words.split(DIVIDED).filter(|words| !words.starts_with('@')) {
                    let typed = ["destrier"].into_iter().chain(words.split(' ')).chain(["--json"]);
                    assert!(Cli::try_parse_from(typed).is_ok(), "{words}");
                }
            }
        }
    }

    /// His table ends at depth 35.
    #[test]
    fn what_radley_does_not_print_is_not_published() {
        let text = SourceTable::Radley.rows();
        let (mut published, mut found) = (Vec::new(), 0);
        for row in rows(&text).iter().filter(|row| !row.label.contains(" x") && row.label != "tours") {
            let values = row.published.split(' ').filter(|value| !value.is_empty());
            let (own, his): (Vec<&str>, Vec<&str>) = values.partition(|value| value.starts_with('['));
            published.extend(his.into_iter().map(str::to_owned));
            found += own.len();
        }
        // The last of his is that of depth 35; ours are depth 36, the nodes by depth, and two totals.
        assert_eq!((published.len(), published.last().map(String::as_str), found), (36, Some("0"), 1 + 37 + 2));
    }
}
