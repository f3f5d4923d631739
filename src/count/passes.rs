//! How many passes a count will make, and modulo what: said before it makes them.
//!
//! That depends on how large the number is, and about how large it is some random walks tell (see [`estimate`](super::estimate)):
//! they are off by some hundredths, and a modulus is worth at least 31 bits. A number that lies close to where one more is
//! wanted may take a pass more or less than was said.

use super::error::CountError;
use super::estimate::{Estimator, WalkLimit, Walks};
use super::plan::CountPlan;
use super::primes::{NARROW, WIDE, primes_below};
use super::question::CountQuestion;
use super::residues::{Modulus, ROOM_BITS};
use super::settings::Settings;
use super::sweep::sweeps_for;
use super::watch::CountWatch;
use crate::board::{Board, Ending};

/// Walks that tell how large a number is.
const WALKS: u64 = 500;
/// Tours of boards of so many squares fit 64 bits: of 8x9, 4x18 and the others of 72 each.
const SQUARES_OF_64_BITS: u32 = 72;
/// Counts of fewer states are over before it matters how many passes they make.
const STATES_THAT_MATTER: u64 = 100_000_000;

impl CountPlan {
    /// What each pass over a sweep will be modulo, about: [`Modulus::None`] alone if one in plain integers is enough. Nothing
    /// if the board is too large for walks, or none of them met a tour.
    ///
    /// # Errors
    /// [`CountError::Stopped`].
    pub fn passes(&self, settings: &Settings, watch: &CountWatch) -> Result<Option<Vec<Modulus>>, CountError> {
        if let Some(prime) = settings.modulus {
            return Ok(Some(vec![Modulus::Prime(prime.into())]));
        }
        let size = self.size(watch);
        let stopped = || if watch.is_stopped() { Err(CountError::Stopped) } else { Ok(()) };
        stopped()?;
        let Some(bits) = size else { return Ok(None) };
        let is_wide = self.strip.is_some() && self.at_once(64) <= settings.memory;
        let below = settings.primes_below.unwrap_or(if is_wide { WIDE } else { NARROW });
        let (mut moduli, mut known) = (Vec::new(), 0.0);
        if settings.primes_below.is_none() {
            if bits < 64.0 {
                return Ok(Some(vec![Modulus::None]));
            }
            (moduli, known) = (vec![Modulus::TwoTo64], 64.0);
        }
        for prime in primes_below(below) {
            stopped()?;
            let before = known;
            known += (prime as f64).log2();
            moduli.push(Modulus::Prime(prime));
            // One more changes nothing; or, of a range, the last leaves room.
            if before >= bits || self.strip.is_some() && known >= bits + f64::from(ROOM_BITS) {
                break;
            }
        }
        Ok(Some(moduli))
    }

    /// How many passes there will be, where it matters; of a count that is stopped it does not.
    pub(super) fn passes_expected(&self, settings: &Settings, watch: &CountWatch) -> usize {
        let is_plain = self.strip.is_none() && self.question().board.squares() <= SQUARES_OF_64_BITS;
        if settings.modulus.is_some() || is_plain || self.states() < STATES_THAT_MATTER {
            return 1;
        }
        self.passes(settings, watch).ok().flatten().map_or(1, |moduli| moduli.len())
    }

    /// The bits of the number of a sweep, about; whatever comes if it was stopped.
    pub(super) fn size(&self, watch: &CountWatch) -> Option<f64> {
        let question = self.question();
        let bits = match self.strip {
            Some(strip) => {
                let lengths = (1..=strip.longest()).filter(|length| length % 2 == 0 || *length == strip.longest());
                let walked = lengths.filter(|&length| Estimator::accepts(strip.board(length))).max()?;
                let bits = |length| bits_of(strip.board(length), question.ending, watch);
                // From row to row numbers grow by a factor that hardly changes.
                match strip.longest() - walked {
                    0 => bits(walked)?,
                    more => {
                        let half = walked / 4 * 2;
                        let (whole, half) = (bits(walked)?, (bits(half)?, f64::from(walked - half)));
                        whole + (whole - half.0) / half.1 * f64::from(more)
                    }
                }
            }
            None => bits_of(question.board, question.ending, watch)?,
        };
        Some((bits - self.spread(question)).max(1.0))
    }

    /// The bits by which the number of a sweep is below that of all tours, directed if they are open.
    fn spread(&self, question: &CountQuestion) -> f64 {
        match (question.ending, question.start) {
            (Ending::Closed, _) => 0.0,
            (Ending::Open, Some(_)) => f64::from(question.board.squares()).log2(),
            (Ending::Open, None) => {
                let times: u32 = sweeps_for(question).iter().map(|(.., times)| times).sum();
                f64::from(2 * times.max(1)).log2()
            }
        }
    }
}

/// The bits of the number of tours of a board, about.
fn bits_of(board: Board, ending: Ending, watch: &CountWatch) -> Option<f64> {
    if !board.existence(ending).exists {
        return Some(0.0);
    }
    let (walks, walked) = (Walks::with_stop(watch.wish()), WalkLimit::Samples(WALKS));
    let (tally, _) = Estimator::new(board, ending).ok()?.run(&walks, 0, walked, watch.threads());
    (tally.estimate() > 0.0).then(|| tally.estimate().log2())
}

#[cfg(test)]
mod tests {
    use super::super::strip::Strip;
    use super::super::tests::{planned, question, settings};
    use super::*;
    use crate::count::{CountWatch, MeasuredPace, RangePlan};

    /// What was said is what happens.
    #[test]
    fn passes_are_told_before_they_are_made() {
        for (text, ending) in [
            ("5x6", Ending::Closed),
            ("5x20", Ending::Closed),
            ("5x24", Ending::Closed),
            ("4x40", Ending::Open),
            ("3x50", Ending::Closed),
        ] {
            let asked = question(text, ending);
            let (plan, watch) = planned(&asked, 2);
            let settings = Settings { memory: 1 << 30, ..settings(2) };
            let said = plan.passes(&settings, &watch).unwrap().unwrap();
            let made = plan.run(&settings, &watch).unwrap().how.moduli();
            assert_eq!(said, if made.is_empty() { vec![Modulus::None] } else { made }, "{asked:?}");
        }
    }

    /// Whatever is still to be found out of a plan, and a refusal looks for boards that would fit.
    #[test]
    fn a_plan_that_is_stopped_finds_nothing_more_out() {
        let (plan, watch) = planned(&question("8x8", Ending::Closed), 2);
        watch.stop();
        let little = Settings { memory: 1 << 20, ..settings(2) };
        assert!(matches!(plan.passes(&little, &watch), Err(CountError::Stopped)));
        assert!(matches!(plan.check(&little, &watch), Err(CountError::Stopped)));
        assert!(matches!(MeasuredPace::now(&little, &watch), Err(CountError::Stopped)));
    }

    #[test]
    fn passes_over_a_range_are_those_of_its_longest_board() {
        let board = |text: &str| text.parse().unwrap();
        let strip = Strip::new(board("5x1"), board("5x80")).unwrap();
        let settings = Settings { memory: 1 << 30, ..settings(2) };
        let watch = CountWatch::new(2);
        let range = RangePlan::new(strip, &question("5x80", Ending::Closed), 1 << 30, &watch).unwrap();
        let said = range.plan().passes(&settings, &watch).unwrap().unwrap().len();
        let answer = range.run(&settings, &watch).unwrap();
        let made = answer.boards.iter().map(|settled| settled.evidence.moduli().len()).max().unwrap();
        assert!(said.abs_diff(made) <= 1, "{said} said, {made} made");
    }
}
