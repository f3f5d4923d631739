//! Forecasts how many passes a count will make, and modulo what, before it makes them.
//!
//! The passes depend on the size of the number. Some random walks estimate it (see [`estimate`](crate::count::estimate)).
//! Their error is some hundredths of the number, and a modulus adds at least 31 bits. So a number close to the point
//! where one more modulus is needed may take one pass more or less than forecast. So may one close to the bound of what is
//! counted in 128 bits, and one whose counts outgrow 64 bits only in the last rows, where layers need less memory.

use super::count_plan::CountPlan;
use crate::board::{Ending, Shape};
use crate::count::ask::primes::{NARROW, WIDE, primes_below};
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::{Modulus, ROOM_BITS};
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::estimate::{Estimator, WalkLimit, Walks};
use crate::count::pass::steps::WIDEST_BITS;
use crate::count::states::sweep::PlannedSweep;
use crate::count::watch::CountWatch;

/// Random walks that estimate the size of a number.
const WALKS: u64 = 500;
/// The number of tours of a board of at most this many squares fits 64 bits: 8x9, 4x18 and the other boards of 72
/// squares.
const SQUARES_OF_64_BITS: u32 = 72;
/// A count of fewer states ends before its number of passes matters.
const MIN_STATES: u64 = 100_000_000;

impl CountPlan {
    /// Estimates what each pass over a sweep counts modulo: [`Modulus::None`] alone if one pass in plain integers is
    /// enough. Returns nothing if the board is too large for walks, or no walk found a tour.
    ///
    /// # Errors
    /// [`CountError::Stopped`].
    pub fn expected_moduli(&self, settings: &Settings, watch: &CountWatch) -> Result<Option<Vec<Modulus>>, CountError> {
        if let Some(prime) = settings.modulus {
            return Ok(Some(vec![Modulus::Prime(prime.into())]));
        }
        let size = self.number_bits(watch);
        let stopped = || if watch.is_stopped() { Err(CountError::Stopped) } else { Ok(()) };
        stopped()?;
        let Some(bits) = size else { return Ok(None) };
        let (mut moduli, mut known) = (Vec::new(), 0.0);
        if settings.primes_below.is_none() {
            let is_in_memory = self.spill_folder(settings, 32).is_none() && self.memory(128) <= settings.memory;
            let exact = if self.question().range.is_none() && is_in_memory { WIDEST_BITS } else { 64 };
            if bits < exact.into() {
                return Ok(Some(vec![Modulus::None]));
            }
            (moduli, known) = (vec![Modulus::TwoTo64], 64.0);
        }
        for prime in primes_below(self.primes_below(settings)) {
            stopped()?;
            let before = known;
            known += (prime as f64).log2();
            moduli.push(Modulus::Prime(prime));
            // One more modulus changes nothing; for a range, the last one leaves room.
            if before >= bits || self.question().range.is_some() && known >= bits + f64::from(ROOM_BITS) {
                break;
            }
        }
        Ok(Some(moduli))
    }

    /// Whether a pass has room for counts of 64 bits from the start: a range needs it, because its last boards are large.
    pub fn has_room_for_wide_counts(&self, settings: &Settings) -> bool {
        let is_in_memory = self.question().range.is_some() && settings.spill.is_none();
        is_in_memory && self.memory_reserved(64) <= settings.memory
    }

    /// The primes of passes are the largest below this number.
    pub fn primes_below(&self, settings: &Settings) -> u64 {
        let usual = if self.has_room_for_wide_counts(settings) { WIDE } else { NARROW };
        settings.primes_below.unwrap_or(usual)
    }

    /// Estimates the number of passes. Returns 1 for a small count, and for a stopped one, whose passes no longer
    /// matter.
    pub(in crate::count) fn expected_passes(&self, settings: &Settings, watch: &CountWatch) -> usize {
        let CountQuestion { shape, range, .. } = self.question();
        let is_plain = range.is_none() && !shape.has_holes() && shape.squares() <= SQUARES_OF_64_BITS;
        if settings.modulus.is_some() || is_plain || self.states() < MIN_STATES {
            return 1;
        }
        self.expected_moduli(settings, watch).ok().flatten().map_or(1, |moduli| moduli.len())
    }

    /// The width in bits, 32 at least, that will probably hold the counts of the first pass where they take most memory; none
    /// where files hold them, where memory does not, or where the size of the number is not known. With every square
    /// counts grow by about as many bits.
    pub fn expected_width(&self, first: Modulus, settings: &Settings, watch: &CountWatch) -> Option<u32> {
        if self.spill_folder(settings, 32).is_some() {
            return None;
        }
        // A pass takes no width that memory does not allow: it is made modulo primes then.
        let fits = |&width: &u32| self.memory(width) <= settings.memory;
        if let Some(bytes) = first.bytes() {
            return Some(8 * bytes as u32).filter(fits);
        }
        let most = if first == Modulus::None && self.question().range.is_none() { 128 } else { 64 };
        let widths: Vec<u32> = [32, 64, 128].into_iter().filter(|width| *width <= most).filter(fits).collect();
        let bits = self.number_bits(watch)?;
        let of_sweep = |sweep: &PlannedSweep| {
            let layers = &sweep.layers.layers;
            let taken = (1..layers.len()).map(|at| {
                let grown = bits * at as f64 / layers.len() as f64;
                let width = widths.iter().find(|&&width| grown <= f64::from(width)).or(widths.last())?;
                Some(((layers[at - 1].states() + layers[at].states()) * u64::from(*width), *width))
            });
            taken.flatten().max()
        };
        self.sweeps.iter().filter_map(of_sweep).max().map(|(_, width)| width)
    }

    /// Estimates the bits of the number of a sweep; meaningless if the watch was stopped.
    pub(in crate::count) fn number_bits(&self, watch: &CountWatch) -> Option<f64> {
        let question = self.question();
        let bits = match question.range {
            Some(range) => {
                let lengths =
                    (1..=range.max_length()).filter(|length| length % 2 == 0 || *length == range.max_length());
                let walked = lengths.filter(|&length| Estimator::accepts(range.board(length))).max()?;
                let bits = |length| tour_bits(&range.board(length).into(), question.ending, watch);
                // From row to row the number grows by a nearly constant factor.
                match range.max_length() - walked {
                    0 => bits(walked)?,
                    more => {
                        let half = walked / 4 * 2;
                        let (whole, half) = (bits(walked)?, (bits(half)?, f64::from(walked - half)));
                        whole + (whole - half.0) / half.1 * f64::from(more)
                    }
                }
            }
            None => tour_bits(&question.shape, question.ending, watch)?,
        };
        // Open tours are directed, those of a sweep are not.
        let share = match (question.ending, question.start) {
            (Ending::Closed, _) => 0.0,
            (Ending::Open, Some(_)) => f64::from(question.shape.squares()).log2(),
            (Ending::Open, None) => 1.0,
        };
        Some((bits - share).max(1.0))
    }
}

/// Estimates the bits of the number of tours of a shape.
fn tour_bits(shape: &Shape, ending: Ending, watch: &CountWatch) -> Option<f64> {
    if !shape.has_holes() && !shape.board().existence(ending).exists {
        return Some(0.0);
    }
    let (walks, walked) = (Walks::with_stop(watch.stop.clone()), WalkLimit::Samples(WALKS));
    let (tally, _) = Estimator::new(shape, ending).ok()?.run(&walks, 0, walked, watch.threads());
    (tally.estimate() > 0.0).then(|| tally.estimate().log2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::ask::board_range::BoardRange;
    use crate::count::tests::{plan_with_watch, question, settings};
    use crate::count::{CountQuestion, CountWatch, MeasuredPace};

    #[test]
    fn expected_moduli_are_those_of_the_run() {
        for (text, ending) in [
            ("5x6", Ending::Closed),
            ("5x20", Ending::Closed),
            ("5x24", Ending::Closed),
            ("4x40", Ending::Open),
            ("3x50", Ending::Closed),
        ] {
            let query = question(text, ending);
            let (plan, watch) = plan_with_watch(&query, 2);
            let settings = Settings { memory: 1 << 30, ..settings(2) };
            let expected = plan.expected_moduli(&settings, &watch).unwrap().unwrap();
            let made = plan.run(&settings, &watch, None).unwrap().boards[0].evidence.moduli();
            assert_eq!(expected, if made.is_empty() { vec![Modulus::None] } else { made }, "{query:?}");
        }
    }

    /// With every square counts grow by about as many bits, and the rows in the middle have most states.
    #[test]
    fn the_expected_width_holds_the_largest_layers() {
        let expected = |question: &CountQuestion, first, memory: &dyn Fn(&CountPlan) -> u64| {
            let (plan, watch) = plan_with_watch(question, 2);
            let memory = memory(&plan);
            plan.expected_width(first, &Settings { memory, ..settings(2) }, &watch)
        };
        let ample = |_: &CountPlan| 1 << 30;
        for (text, ending, first, width) in [
            ("6x6", Ending::Closed, Modulus::None, 32),
            ("7x8", Ending::Closed, Modulus::None, 32),
            ("6x8", Ending::Open, Modulus::None, 32),
            ("6x14", Ending::Closed, Modulus::None, 64),
            ("6x20", Ending::Closed, Modulus::None, 128),
            ("6x20", Ending::Closed, Modulus::TwoTo64, 64),
            ("6x20", Ending::Closed, Modulus::Prime(65_537), 32),
            ("6x20", Ending::Closed, Modulus::Prime(251), 16),
        ] {
            assert_eq!(expected(&question(text, ending), first, &ample), Some(width), "{text} {ending:?} {first:?}");
        }
        let long = question("6x20", Ending::Closed);
        for (width, less) in [(64, 128), (32, 64)] {
            assert_eq!(expected(&long, Modulus::None, &|plan| plan.memory(less) - 1), Some(width));
        }
        assert_eq!(expected(&long, Modulus::None, &|plan| plan.memory(32) - 1), None);
        let board = |text: &str| text.parse().unwrap();
        let range = |to| CountQuestion::of_range(BoardRange::new(board("5x1"), board(to)).unwrap(), Ending::Closed);
        assert_eq!(["5x8", "5x40"].map(|to| expected(&range(to), Modulus::None, &ample)), [Some(32), Some(64)]);
    }

    /// A stopped watch also ends the search for a smaller board in a refusal.
    #[test]
    fn a_stopped_watch_ends_every_estimate() {
        let (plan, watch) = plan_with_watch(&question("8x8", Ending::Closed), 2);
        watch.stop();
        let little = Settings { memory: 1 << 20, ..settings(2) };
        assert!(matches!(plan.expected_moduli(&little, &watch), Err(CountError::Stopped)));
        assert!(matches!(plan.check(&little, &watch), Err(CountError::Stopped)));
        assert!(matches!(MeasuredPace::measure(&little, &watch), Err(CountError::Stopped)));
    }

    #[test]
    fn passes_over_a_range_are_those_of_its_longest_board() {
        let board = |text: &str| text.parse().unwrap();
        let range = BoardRange::new(board("5x1"), board("5x80")).unwrap();
        let settings = Settings { memory: 1 << 30, ..settings(2) };
        let watch = CountWatch::new(2);
        let range = CountPlan::new(&CountQuestion::of_range(range, Ending::Closed), 1 << 30, &watch).unwrap();
        let expected = range.expected_moduli(&settings, &watch).unwrap().unwrap().len();
        let answer = range.run(&settings, &watch, None).unwrap();
        let made = answer.boards.iter().map(|settled| settled.evidence.moduli().len()).max().unwrap();
        assert!(expected.abs_diff(made) <= 1, "{expected} expected, {made} made");
    }
}
