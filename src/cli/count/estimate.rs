//! `destrier count BOARD --estimate`: about how many tours, with an interval, and what it rests on.

use super::report::{asked_report, tell_known_number};
use crate::board::{Ending, Shape};
use crate::cli::args::{Seed, parse_seed, threads};
use crate::count::CountQuestion;
use crate::count::estimate::{CONFIDENCE, Estimator, WalkLimit, Walks, WeightTally};
use crate::job::{Answer, Failure, Report, answered, keys, print, usage, with_signals};
use crate::solve::Problem;
use crate::words::{self, clock, grouped, number_in, number_of, parse_time};
use clap::Args;
use std::time::{Duration, Instant};

/// What is asked of an estimate.
#[derive(Args, Clone)]
#[command(next_help_heading = "Method")]
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
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..=u64::MAX), requires = "estimate")]
    samples: Option<u64>,
    /// The seed of random numbers; `random` draws one and says which
    #[arg(long, value_name = "SEED", default_value = "0", value_parser = parse_seed, requires = "estimate")]
    rng: Seed,
}

/// [`EstimateArgs::time`] without an option.
const TIME: Duration = Duration::from_secs(10);

impl EstimateArgs {
    /// Estimates, and prints what came of it.
    ///
    /// # Errors
    /// [`Failure`] when the board is too large, or the report cannot be printed.
    pub fn run(&self, shape: &Shape, ending: Ending, asked: Option<u32>, json: bool) -> Result<Answer, Failure> {
        let (began, seed, threads) = (Instant::now(), self.rng.number(), threads(asked)?);
        let walks = Walks::default();
        if let Some(reason) = Problem::new(shape, ending).why_impossible() {
            let estimated = Estimated { walked: Err(reason), elapsed: Duration::ZERO, complete: true };
            print(&estimated.report(shape, ending, seed, threads), json, false)?;
            return Ok(Answer::Yes);
        }
        let until = self.samples.map_or(WalkLimit::Time(began + self.time.unwrap_or(TIME)), WalkLimit::Samples);
        let walk = || Estimator::new(shape, ending).map(|estimator| estimator.run(&walks, seed, until, threads));
        let line = || format!("{}  {}", clock(began.elapsed()), line(&walks.tally()));
        let (walked, signal) = with_signals(|| walks.stop(), line, walk)?;
        let (tally, complete) = walked.map_err(usage)?;
        let estimated = Estimated { walked: Ok(tally), elapsed: began.elapsed(), complete };
        let report = estimated.report(shape, ending, seed, threads);
        answered(print(&report, json, false), signal.filter(|_| !complete))
    }
}

/// How far it is, for a terminal.
fn line(tally: &WeightTally) -> String {
    let sure = tally.relative_error().map_or(String::new(), |error| format!(" give or take {:.2} %", 100.0 * error));
    let value = about(tally.estimate(), tally.relative_error().unwrap_or(1.0));
    format!("about {value}{sure}, {}", number_of(tally.samples(), "sample"))
}

/// What came of the walks.
struct Estimated {
    /// What they tell, or why there is no tour.
    walked: Result<WeightTally, String>,
    elapsed: Duration,
    complete: bool,
}

impl Estimated {
    fn report(&self, shape: &Shape, ending: Ending, seed: u64, threads: usize) -> Report {
        let &Estimated { ref walked, elapsed, complete } = self;
        let (tally, none) = (walked.as_ref().ok(), walked.as_ref().err());
        let (by, elapsed_s) = (words::threads(threads), elapsed.as_secs_f64());
        let question = CountQuestion::new(shape, ending);
        let convention = question.convention().name();
        let estimate = tally.map_or(0.0, WeightTally::estimate);
        let interval = tally.map_or(Some([0.0; 2]), WeightTally::interval);
        let known = || shape.board().known_tours(ending).filter(|_| !shape.has_holes());
        let known = tally.and_then(|tally| Some((tally, known()?)));
        let mut report = asked_report(&question);

        report.text(format_args!("{} {} tours, estimated, {by}, seed {seed}", question.name(), ending.name()));
        // The ends of the interval; none where too few walks have met a tour.
        let (low, high) = interval.map(<(f64, f64)>::from).unzip();
        keys!(report, estimate, low, high, "confidence" => CONFIDENCE);
        match (interval, tally) {
            (_, None) => report.line("tours", format_args!("0 {convention}")),
            (Some([low, high]), _) => {
                // The interval is some four errors wide.
                let error = (high / low).ln() / 4.0;
                let [low, middle, high] = [low, estimate, high].map(|value| about(value, error));
                report.line("tours", format_args!("about {middle} {convention}"));
                report.line("95 %", format_args!("{low} to {high}"));
            }
            (None, _) => {
                let value = about(estimate, 1.0);
                report
                    .line("tours", format_args!("about {value} {convention}, with unknown certainty: too few samples"));
            }
        }
        let (samples, effective) = tally.map_or((0, 0.0), |tally| (tally.samples(), tally.effective_samples()));
        // Effective: how many walks of equal weights would tell as much.
        keys!(report, samples, effective, seed, threads, elapsed_s, complete);
        report.key("stopped", (!complete).then_some("signal"));
        if let Some((tally, known)) = known {
            let holds = tally.holds(known.count as f64);
            let verdict = holds.map_or("", |holds| if holds { ", within" } else { ", OUTSIDE" });
            tell_known_number(&mut report, &known, verdict);
            report.key_if("holds", holds);
        }
        report.line_if("none", none);
        if tally.is_some() {
            let equal = words::count(effective.round() as u64);
            report.line("samples", format_args!("{}, worth {equal} equal ones", grouped(samples)));
            report.line("time", format_args!("{elapsed_s:.3} s"));
        }
        report.key_if("reason", none.cloned());
        report.text(if complete { "complete" } else { "NOT complete: stopped by signal" });
        report
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
