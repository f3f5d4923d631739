//! A search as it is typed, and what its options mean.

use super::groups::PartArgs;
use super::question::QuestionArgs;
use super::values::parse_number;
#[cfg(feature = "tui")]
use super::values::square_board;
use crate::board::Board;
use crate::job::detached::Detaching;
use crate::job::output::{TourFormat, TourOutputOptions};
use crate::job::saving::SaveOptions;
use crate::job::{Failure, ObserveOptions, TraceOptions, usage};
#[cfg(feature = "tui")]
use crate::run::Tempo;
use crate::run::{Plan, Question};
use crate::words::parse_time;
use clap::{Args, ValueEnum, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// `destrier search`.
#[derive(Args, Clone)]
pub struct SearchArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    pub board: Board,
    #[command(flatten)]
    pub options: SearchOptions,
    #[command(flatten)]
    pub part: PartArgs,
    #[command(flatten)]
    pub detach: Detaching,
}

/// `destrier watch`.
#[derive(Args, Clone)]
pub struct WatchArgs {
    /// ROWSxCOLS; without it 8x8
    ///
    /// Without --solver it is searched by path, whose picture is the plainest; search takes the fastest solver.
    pub board: Option<Board>,
    #[command(flatten)]
    pub options: SearchOptions,
    /// Frames a second, 1 to 60; without it those of the settings, 10 at first
    #[arg(long, value_parser = value_parser!(u32).range(1..=60), help_heading = "Screen")]
    pub fps: Option<u32>,
    /// Begin paused: p continues, s enters one node per worker
    #[arg(long, help_heading = "Screen")]
    pub paused: bool,
    /// Begin in slow motion: N nodes a second for each worker
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), help_heading = "Screen")]
    pub slow: Option<u32>,
    /// How fast the run is shown by itself
    #[arg(long, value_enum, default_value = "slow-start", help_heading = "Screen")]
    tempo: WatchTempo,
}

/// How fast a run is shown by itself.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WatchTempo {
    /// Slow for its first ten seconds, so that the first hires are seen; not with --paused, --slow, a limit or a file
    SlowStart,
    /// As fast as it can from its first node on
    Off,
}

/// The options of `search` and `watch`.
#[derive(Args, Clone)]
pub struct SearchOptions {
    #[command(flatten)]
    asked: QuestionArgs,
    /// Stop after exactly N tours
    ///
    /// The summary says that it is not complete; the exit code is 0.
    #[arg(long, value_name = "N", value_parser = parse_number, help_heading = "Limits")]
    limit: Option<u64>,
    /// Stop after this time: 500ms, 30s, 5m, 2h
    ///
    /// The summary says that it is not complete; the exit code is 0.
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    deadline: Option<Duration>,
    /// Write every tour to FILE; - is stdout
    ///
    /// The file is compressed when its name ends in .zst. It is refused if it exists, without --force.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: Option<PathBuf>,
    /// How tours are written
    #[arg(long, value_enum, default_value = "line", requires = "out", help_heading = "Output")]
    format: TourFormat,
    /// Record the run in FILE, for `destrier replay`
    ///
    /// The file is compressed when its name ends in .zst.
    #[arg(long, value_name = "FILE", help_heading = "Recording and measuring")]
    record: Option<PathBuf>,
    #[command(flatten)]
    traced: TraceOptions,
    #[command(flatten)]
    save: SaveOptions,
    /// Replace the FILEs if they exist
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

#[cfg(feature = "tui")]
impl WatchArgs {
    /// The plan of the view.
    ///
    /// # Errors
    /// As [`SearchOptions::plan`].
    pub fn plan(&self) -> Result<Plan, Failure> {
        let board = self.board.unwrap_or_else(|| square_board(8));
        // The usual search of closed tours fixes edges all over the board; a path that grows and shrinks is the better
        // picture. What that does not search is left to the usual one.
        let mut options = self.options.clone();
        options.asked.problem.solver.get_or_insert_with(|| "path".to_owned());
        options.plan(board).or_else(|_| self.options.plan(board))
    }

    /// How fast the run is shown by itself: one that is measured, limited, or written to a file is not slowed down.
    pub fn tempo(&self, plan: &Plan) -> Tempo {
        let SearchOptions { limit, deadline, out, record, traced, save, .. } = &self.options;
        let is_limited = self.slow.is_some() || self.paused || limit.is_some() || deadline.is_some();
        let is_written = out.is_some() || record.is_some() || save.checkpoint.is_some();
        let is_measured = self.options.json || traced.are_some();
        match is_limited || is_written || is_measured || self.tempo == WatchTempo::Off {
            true => Tempo::Full,
            false => Tempo::of_watched(&plan.question),
        }
    }
}

impl SearchOptions {
    /// The plan for a board, all limits checked.
    ///
    /// # Errors
    /// As [`QuestionArgs::plan`].
    pub fn plan(&self, board: Board) -> Result<Plan, Failure> {
        let mut plan = self.asked.plan(board)?;
        if let Question::Search(_, problem) = &mut plan.question {
            problem.limit = self.limit;
        }
        Ok(Plan { deadline: self.deadline, ..plan })
    }

    /// Where the tours go.
    pub fn output(&self) -> TourOutputOptions {
        TourOutputOptions { out: self.out.clone(), format: self.format, force: self.force, json: self.json }
    }

    /// Where the search is saved.
    pub fn save(&self) -> SaveOptions {
        self.save.clone()
    }

    /// What observes the search.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no file to replace.
    pub fn observe(&self) -> Result<ObserveOptions, Failure> {
        let traced = self.traced.clone();
        if self.force && self.out.is_none() && self.record.is_none() && traced.trace.is_none() {
            return Err(usage("--force replaces a file: add --out or --record, or --trace"));
        }
        Ok(ObserveOptions { record: self.record.clone(), traced, force: self.force })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::saving::part_words;
    use clap::Parser;

    #[derive(Parser)]
    struct Search {
        #[command(flatten)]
        args: SearchArgs,
    }

    /// What a command to make a part says is the question that it came from.
    #[test]
    fn the_words_of_a_part_ask_for_the_same() {
        let typed = |words: &str| {
            let args = Search::parse_from(["search"].into_iter().chain(words.split_whitespace())).args;
            let plan = args.options.plan(args.board).unwrap_or_else(|_| panic!("{words}"));
            Plan { shard: args.part.part().map(|part| part.shard), ..plan }
        };
        for words in [
            "6x6",
            "3x10 --open",
            "5x6 --open --solver path --start b2",
            "6x6 --unique",
            "6x6 --solver radley --start a1 --prune any-isolated",
            "6x6 --solver radley --prune region --prune-from 4 --prune-to 20",
            "6x6 --solver quarter-turn --shard 2/3 --out-dir parts",
        ] {
            let plan = typed(words);
            let folder = if plan.shard.is_some() { " --out-dir parts" } else { "" };
            let again = typed(&(part_words(&plan) + folder));
            assert_eq!(part_words(&again), part_words(&plan), "{words}");
            let json = |plan: &Plan| serde_json::to_value(plan).unwrap();
            assert_eq!(json(&again), json(&plan), "{words}");
        }
    }
}

#[cfg(feature = "tui")]
#[cfg(test)]
mod watch_tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Watch {
        #[command(flatten)]
        args: WatchArgs,
    }

    /// The method and the tempo of a `watch` with these options.
    fn watched(options: &str) -> (&'static str, Tempo) {
        let args = Watch::parse_from(["watch"].into_iter().chain(options.split_whitespace())).args;
        let plan = args.plan().unwrap_or_else(|_| panic!("{options}"));
        (plan.question.method(), args.tempo(&plan))
    }

    #[test]
    fn what_is_written_limited_or_measured_is_not_slowed_down() {
        assert_eq!(watched("6x6").1, Tempo::SlowStart);
        for options in [
            "--tempo off",
            "--slow 5",
            "--paused",
            "--limit 3",
            "--deadline 1s",
            "--out x",
            "--record x",
            "--checkpoint x",
            "--trace x",
            "--balance",
            "--json",
            "--solver gpu",
        ] {
            assert_eq!(watched(&format!("6x6 {options}")).1, Tempo::Full, "{options}");
        }
    }

    #[test]
    fn a_search_is_watched_by_path_where_it_takes_it() {
        let method = |options: &str| watched(options).0;
        assert_eq!([method(""), method("6x6"), method("6x6 --open")], ["path"; 3]);
        assert_eq!(method("6x6 --solver radley --prune region"), "radley");
    }
}
