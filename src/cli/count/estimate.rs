//! `destrier count BOARD --estimate`: about how many tours, with an interval, and what it rests on.

use crate::board::{Board, Ending, KnownCount};
use crate::cli::args::{Seed, parse_seed, parse_time, threads};
use crate::count::estimate::{CONFIDENCE, Estimator, WalkLimit, Walks, WeightTally};
use crate::job::say::print;
use crate::job::{Failure, exit_code, usage, with_signals};
use crate::words::{self, clock, grouped, number_of};
use clap::{Args, value_parser};
use serde::Serialize;
use std::fmt;
use std::time::{Duration, Instant};

/// What is asked of an estimate.
#[derive(Args, Clone)]
pub struct EstimateArgs {
    /// Estimate the number, with a 95 % interval, of a board too large to count
    ///
    /// By random walks, for boards of up to 256 squares.
    #[arg(long, conflicts_with_all = ["unique", "strict", "start", "memory", "modulus", "primes_below", "plan", "kept", "spill", "record",
          "watch", "detach"])]
    pub estimate: bool,
    /// How long to walk: 500ms, 30s, 5m, 2h (default: 10s)
    #[arg(long = "for", value_name = "TIME", value_parser = parse_time, requires = "estimate", conflicts_with = "samples")]
    time: Option<Duration>,
    /// How many walks to make
    ///
    /// The same seed gives the same digits on any number of threads.
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), requires = "estimate")]
    samples: Option<u64>,
    /// The seed of random numbers; `random` draws one and says which
    #[arg(long, value_name = "SEED", default_value = "0", value_parser = parse_seed, requires = "estimate")]
    rng: Seed,
}

/// [`EstimateArgs::time`] without an option.
const TIME: Duration = Duration::from_secs(10);

/// What the estimate prints.
#[derive(Serialize)]
struct EstimateReport {
    board: Board,
    ending: &'static str,
    convention: &'static str,
    estimate: f64,
    /// The ends of the interval; none where too few walks have met a tour.
    low: Option<f64>,
    high: Option<f64>,
    confidence: f64,
    /// Number of walks.
    samples: u64,
    /// How many walks of equal weights would tell as much.
    effective: f64,
    seed: u64,
    threads: usize,
    elapsed_s: f64,
    complete: bool,
    /// `signal`, if that stopped it.
    stopped: Option<&'static str>,
    /// A published number, in decimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_source: Option<&'static str>,
    /// Whether it lies in the interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
    /// Why there is no tour, where a theorem says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl EstimateArgs {
    /// Estimates, and prints what came of it. Returns the exit code.
    ///
    /// # Errors
    /// [`Failure`] when the board is too large, or the report cannot be printed.
    pub fn run(&self, board: Board, ending: Ending, asked: Option<u32>, json: bool) -> Result<u8, Failure> {
        let (began, seed, threads) = (Instant::now(), self.rng.number(), threads(asked)?);
        let existence = board.existence(ending);
        if !existence.exists {
            let report =
                EstimateReport { reason: Some(existence.reason), ..EstimateReport::none(board, ending, seed, threads) };
            print(&report, json, false)?;
            return Ok(0);
        }
        let until = self.samples.map_or(WalkLimit::Time(began + self.time.unwrap_or(TIME)), WalkLimit::Samples);
        let walks = Walks::default();
        let walk = || Estimator::new(board, ending).map(|estimator| estimator.run(&walks, seed, until, threads));
        let line = || format!("{}  {}", clock(began.elapsed()), line(&walks.tally()));
        let (walked, signal) = with_signals(|| walks.stop(), line, walk)?;
        let (tally, complete) = walked.map_err(usage)?;
        let report = EstimateReport {
            elapsed_s: began.elapsed().as_secs_f64(),
            stopped: (!complete).then_some("signal"),
            complete,
            ..EstimateReport::none(board, ending, seed, threads).told(&tally, board.known_tours(ending))
        };
        exit_code(print(&report, json, false).map_err(Failure::from), signal.filter(|_| !complete))
    }
}

/// How far it is, for a terminal.
fn line(tally: &WeightTally) -> String {
    let sure = tally.relative_error().map_or(String::new(), |error| format!(" give or take {:.2} %", 100.0 * error));
    let value = about(tally.estimate(), tally.relative_error().unwrap_or(1.0));
    format!("about {value}{sure}, {}", number_of(tally.samples(), "sample"))
}

impl EstimateReport {
    /// Of no walks.
    fn none(board: Board, ending: Ending, seed: u64, threads: usize) -> EstimateReport {
        let convention = crate::count::CountQuestion::new(board, ending).convention().name();
        EstimateReport {
            board,
            ending: ending.name(),
            convention,
            estimate: 0.0,
            low: Some(0.0),
            high: Some(0.0),
            confidence: CONFIDENCE,
            samples: 0,
            effective: 0.0,
            seed,
            threads,
            elapsed_s: 0.0,
            complete: true,
            stopped: None,
            known: None,
            known_source: None,
            holds: None,
            reason: None,
        }
    }

    /// With what walks tell, beside what is known.
    fn told(self, tally: &WeightTally, known: Option<KnownCount>) -> EstimateReport {
        let interval = tally.interval();
        EstimateReport {
            estimate: tally.estimate(),
            low: interval.map(|[low, _]| low),
            high: interval.map(|[_, high]| high),
            samples: tally.samples(),
            effective: tally.effective_samples(),
            holds: known.as_ref().and_then(|known| tally.holds(known.count as f64)),
            known_source: known.as_ref().map(|known| known.source),
            known: known.map(|known| known.count.to_string()),
            ..self
        }
    }
}

/// A number with as many digits as its error, a share of it, lets be known: `13.267T`, `1.073e26`.
fn about(value: f64, error: f64) -> String {
    if value < LARGE {
        return words::significant(value, value * error);
    }
    // Two digits of the error, and no more than the number itself has.
    let decimals = (1.0 - error.max(f64::EPSILON).log10().floor()).min(15.0);
    format!("{value:.*e}", decimals as usize)
}

/// From where on there is no word for the unit.
const LARGE: f64 = 1e15;

impl fmt::Display for EstimateReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EstimateReport { board, ending, convention, estimate, seed, .. } = self;
        let threads = words::threads(self.threads);
        writeln!(f, "{board} {ending} tours, estimated, {threads}, seed {seed}")?;
        if let Some(reason) = &self.reason {
            return write!(f, "tours    0 {convention}\nnone     {reason}\ncomplete");
        }
        match self.low.zip(self.high) {
            Some((low, high)) => {
                // The interval is some four errors wide.
                let error = (high / low).ln() / 4.0;
                let [low, middle, high] = [low, *estimate, high].map(|value| about(value, error));
                writeln!(f, "tours    about {middle} {convention}")?;
                writeln!(f, "95 %     {low} to {high}")?;
            }
            None => {
                let value = about(*estimate, 1.0);
                writeln!(f, "tours    about {value} {convention}, with unknown certainty: too few samples")?;
            }
        }
        if let (Some(known), Some(source)) = (&self.known, self.known_source) {
            let verdict = self.holds.map_or("", |holds| if holds { ", within" } else { ", OUTSIDE" });
            writeln!(f, "known    {}{verdict} ({source})", grouped(known))?;
        }
        let effective = words::count(self.effective.round() as u64);
        writeln!(f, "samples  {}, worth {effective} equal ones", grouped(self.samples))?;
        writeln!(f, "time     {:.3} s", self.elapsed_s)?;
        match self.stopped {
            Some(stopped) => write!(f, "NOT complete: stopped by {stopped}"),
            None => write!(f, "complete"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_their_error_lets_be_known() {
        for (value, error, says) in [
            (13_267_364_410_532.0, 0.01, "13.27T"),
            (9862.0, 0.001, "9,862"),
            (1.073_4e26, 0.016, "1.073e26"),
            (1.073_4e26, 0.0, "1.073400000000000e26"),
            (2.5e20, 1.0, "2.5e20"),
            (0.0, 1.0, "0"),
        ] {
            assert_eq!(about(value, error), says);
        }
    }
}
