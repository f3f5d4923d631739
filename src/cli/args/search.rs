//! A search as it is typed, and what its options mean.

#[cfg(feature = "tui")]
use super::question::ProblemArgs;
use super::question::QuestionArgs;
#[cfg(feature = "tui")]
use super::values::square_board;
use crate::board::Shape;
use crate::job::detached::Detaching;
use crate::job::saving::{SearchOutput, SearchPart};
use crate::job::{Failure, LinesOptions};
use crate::run::{Plan, Question};
#[cfg(feature = "tui")]
use crate::run::{Tempo, watched_board};
#[cfg(feature = "tui")]
use crate::system;
use crate::words::{number_in, parse_time};
use clap::{Args, ValueEnum};
use std::time::Duration;

/// `destrier search`.
#[derive(Args, Clone)]
pub struct SearchArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8, 8x8-a1,h8 leaves two squares out
    pub board: Shape,
    #[command(flatten)]
    pub options: SearchOptions,
    #[command(flatten)]
    pub part: Option<SearchPart>,
    #[command(flatten)]
    pub detach: Detaching,
}

/// `destrier watch`.
#[derive(Args, Clone)]
pub struct WatchArgs {
    /// ROWSxCOLS; without it open tours of a board on which this machine has hires to show for some minutes
    ///
    /// Without --solver it is searched by path, whose picture is the plainest; search takes the fastest solver.
    pub board: Option<Shape>,
    #[command(flatten)]
    pub options: SearchOptions,
    /// Frames a second, 1 to 60; without it those of the settings, 10 at first
    #[arg(long, conflicts_with = "lines", value_parser = number_in::<u32>(1..=60), help_heading = "Screen")]
    pub fps: Option<u32>,
    /// Begin paused: p continues, s enters one node per worker
    #[arg(long, conflicts_with = "lines", help_heading = "Screen")]
    pub paused: bool,
    /// Begin in slow motion: N nodes a second for each worker
    #[arg(long, value_name = "N", conflicts_with = "lines", value_parser = number_in::<u32>(1..=u64::from(u32::MAX)), help_heading = "Screen")]
    pub slow: Option<u32>,
    /// How fast the run is shown by itself
    #[arg(long, value_enum, default_value = "slow-start", help_heading = "Screen")]
    tempo: WatchTempo,
    #[command(flatten)]
    pub lines: LinesOptions,
}

/// How fast a run is shown by itself.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WatchTempo {
    /// Slow for some seconds, so that the first hires are seen; not with --paused, --slow, a limit or a file
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
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..=u64::MAX), help_heading = "Limits")]
    limit: Option<u64>,
    /// Stop after this time, pauses included: 500ms, 30s, 5m, 2h
    ///
    /// The summary says that it is not complete; the exit code is 0.
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = "Limits")]
    deadline: Option<Duration>,
    #[command(flatten)]
    pub output: SearchOutput,
}

#[cfg(feature = "tui")]
impl WatchArgs {
    /// The plan of the view.
    ///
    /// # Errors
    /// As [`SearchOptions::plan`].
    pub fn plan(&self) -> Result<Plan, Failure> {
        let ProblemArgs { closed, solver, start, holes, unique, .. } = &self.options.asked.problem;
        let is_named = *closed || solver.is_some() || start.is_some() || holes.is_some() || *unique;
        let shape = match &self.board {
            Some(shape) => shape.clone(),
            None if is_named => square_board(8).into(),
            None => watched_board(system::cores().unwrap_or(1)).into(),
        };
        // The usual search of closed tours fixes edges all over the board; a path that grows and shrinks is the better
        // picture. What that does not search is left to the usual one.
        let mut usual = self.options.clone();
        usual.asked.problem.open |= self.board.is_none() && !is_named;
        let mut by_path = usual.clone();
        by_path.asked.problem.solver.get_or_insert_with(|| "path".to_owned());
        by_path.plan(&shape).or_else(|_| usual.plan(&shape))
    }

    /// How fast the run is shown by itself: one that is measured, limited, or written to a file is not slowed down.
    pub fn tempo(&self, plan: &Plan) -> Tempo {
        let SearchOptions { limit, deadline, output, .. } = &self.options;
        let is_limited = self.slow.is_some() || self.paused || limit.is_some() || deadline.is_some();
        let is_written = output.out.is_some() || output.observe.record.is_some() || output.save.checkpoint.is_some();
        let is_measured = output.json || output.observe.traced.are_some();
        if is_limited || is_written || is_measured || self.tempo == WatchTempo::Off {
            Tempo::Full
        } else {
            Tempo::of_watched(&plan.question)
        }
    }
}

impl SearchOptions {
    /// The plan for a shape, all limits checked.
    ///
    /// # Errors
    /// As [`QuestionArgs::plan`].
    pub fn plan(&self, shape: &Shape) -> Result<Plan, Failure> {
        let mut plan = self.asked.plan(shape)?;
        if let Question::Search(_, problem) = &mut plan.question {
            problem.limit = self.limit;
        }
        Ok(Plan { deadline: self.deadline, ..plan })
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
        ] {
            assert_eq!(watched(&format!("6x6 {options}")).1, Tempo::Full, "{options}");
        }
    }

    #[test]
    fn a_search_is_watched_by_path_where_it_takes_it() {
        let method = |options: &str| watched(options).0;
        assert_eq!([method(""), method("6x6"), method("6x6 --open")], ["path"; 3]);
        let board = |cores| watched_board(cores).to_string();
        assert_eq!([1, 2, 16, 64, 256].map(board), ["5x10", "5x10", "7x7", "5x11", "6x9"]);
        assert_eq!(method("6x6 --solver radley --prune region"), "radley");
    }
}
