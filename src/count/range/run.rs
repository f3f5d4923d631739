//! A range of boards, planned and counted.

use super::file::{RangeNumbers, SavedRange};
use crate::board::Board;
use crate::count::answer::answer;
use crate::count::error::CountError;
use crate::count::handout::CountThreads;
use crate::count::pass::{GROWTH, Pass, PassHalt, PassResources, ROOM, SPARSE_COUNTS};
use crate::count::plan::CountPlan;
use crate::count::primes::{NARROW, WIDE};
use crate::count::progress::larger;
use crate::count::question::{Count, CountQuestion};
use crate::count::residues::{Evidence, Modulus, Residues};
use crate::count::settings::Settings;
use crate::count::strip::Strip;
use crate::count::sweep::{SweepKind, sweeps_for};
use crate::count::table::Tables;
use crate::count::watch::{CountPhase, CountWatch};
use crate::saved;
use crate::test_halt::{self, HaltPoint};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

/// The count of a range, planned.
pub struct RangePlan {
    strip: Strip,
    plan: CountPlan,
}

/// The number of one board.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardNumber {
    /// The board, as it was typed.
    pub board: Board,
    /// The number, or its remainder if one modulus was asked for.
    pub count: Count,
    /// How it was made sure of.
    pub how: Evidence,
}

/// What came of a count of a range.
#[derive(Clone, PartialEq, Debug)]
pub struct RangeAnswer {
    /// The boards that are settled, the shortest first.
    pub boards: Vec<BoardNumber>,
    /// Whether that is all of them: it was not stopped.
    pub complete: bool,
    /// The most states stored after one square.
    pub peak_states: u64,
    /// From the question to the answer, in all goes.
    pub elapsed: Duration,
    /// Passes that its file holds, if it has one.
    pub saved: Option<usize>,
    /// Why the file does not hold more, if what was found could not be kept.
    pub unsaved: Option<String>,
}

impl RangePlan {
    /// Plans the answers to a question of every board of a range, whatever the board of the question.
    ///
    /// # Errors
    /// A question whose parts do not go together, or one of squares or classes, which is of one board; a plan that is too
    /// large by itself; [`CountError::Stopped`].
    pub fn new(
        strip: Strip,
        question: &CountQuestion,
        memory: u64,
        watch: &CountWatch,
    ) -> Result<RangePlan, CountError> {
        if question.start.is_some() || question.unique {
            return Err(CountError::Question("a start, and classes, are of one board: neither goes with a range"));
        }
        Ok(RangePlan { strip, plan: CountPlan::of_range(strip, question, memory, watch)? })
    }

    /// What it takes, and whether that fits.
    pub fn plan(&self) -> &CountPlan {
        &self.plan
    }

    /// Counts.
    ///
    /// # Errors
    /// As [`CountPlan::run`].
    pub fn run(&self, settings: &Settings, watch: &CountWatch) -> Result<RangeAnswer, CountError> {
        let plan = &self.plan;
        plan.may_run(settings, watch)?;
        watch.show(|now| (now.memory_limit, now.phase) = (settings.memory, CountPhase::Counting));
        let is_wide = plan.at_once(64) <= settings.memory;
        let means = PassResources {
            crew: CountThreads { pool: &plan.pool, watch },
            tables: Tables::new(),
            limit: settings.memory.saturating_sub(plan.besides()),
            spill: None,
            sparse_counts: SPARSE_COUNTS,
            growth: GROWTH,
            room: if is_wide { 8 } else { ROOM },
        };
        let modulus = settings.modulus.map(|prime| plan.question().modulo(prime)).transpose()?;
        let below = settings.primes_below.unwrap_or(if is_wide { WIDE } else { NARROW });
        let passes = plan.passes_expected(settings, watch);
        watch.expects((passes as u64 - 1) * plan.states(), passes);
        let (keeping, found) = self.open_checkpoint(settings, watch)?;
        let mut run = RangeRun { range: self, means, settings, modulus, below, found, keeping };
        let mut goes_on = true;
        let sweeps = self.strip.sweeps(plan.question());
        test_halt::reached(HaltPoint::Start);
        for (sweep, (.., lengths)) in sweeps.iter().enumerate() {
            let mut left = run.unsettled(sweep, lengths);
            while goes_on && !left.is_empty() {
                goes_on = run.pass(sweep, &mut left)?;
                run.note(sweep, goes_on.then_some(&left));
            }
        }
        let kinds: Vec<SweepKind> = sweeps.into_iter().map(|(_, kind, _)| kind).collect();
        let boards = self.strip.lengths().filter_map(|length| run.settled(length, &kinds).transpose());
        let boards = boards.collect::<Result<Vec<BoardNumber>, CountError>>()?;
        let complete = boards.len() == self.strip.lengths().count();
        if complete {
            watch.is_done();
        }
        let (saved, unsaved) = run.keeping.map_or((None, None), |keeping| (keeping.saved, keeping.unsaved));
        let (peak_states, elapsed) = (plan.peak_states(), watch.total());
        Ok(RangeAnswer { boards, complete, peak_states, elapsed, saved, unsaved })
    }

    /// Where what is found is kept, if it is, and what was found before.
    fn open_checkpoint(
        &self,
        settings: &Settings,
        watch: &CountWatch,
    ) -> Result<(Option<RangeCheckpointer>, RangeNumbers), CountError> {
        let asked = SavedRange::new(self.strip, self.plan.question(), settings);
        let Some((mut keeping, kept)) = RangeCheckpointer::open(asked, settings)? else {
            return Ok((None, RangeNumbers::default()));
        };
        let mut found = RangeNumbers::default();
        if let Some(kept) = kept {
            found = kept.found();
            watch.went_on_after(kept.elapsed());
            let first_passes = found.passes.iter().zip(&self.plan.sweeps).filter(|(passes, _)| **passes > 0);
            let planned = first_passes.map(|(_, sweep)| sweep.states()).sum();
            watch.done_before(found.states, found.states.saturating_sub(planned));
        }
        // From here on it is there.
        keeping.begin(&found, watch)?;
        Ok((Some(keeping), found))
    }
}

/// The file of a count of a range.
struct RangeCheckpointer {
    place: saved::ReplacedFile,
    asked: SavedRange,
    /// Passes that it holds.
    saved: Option<usize>,
    /// Why it does not hold more.
    unsaved: Option<String>,
}

impl RangeCheckpointer {
    /// The file that the settings name, if they name one, claimed, and what it has of this question, if it is there.
    fn open(
        asked: SavedRange,
        settings: &Settings,
    ) -> Result<Option<(RangeCheckpointer, Option<SavedRange>)>, CountError> {
        let Some(path) = &settings.checkpoint else { return Ok(None) };
        let named = |problem| CountError::Checkpoint { path: path.display().to_string(), problem };
        let place = settings.claimed.clone().map_or_else(|| saved::ReplacedFile::new(path), Ok).map_err(named)?;
        place.claim().map_err(|why| named(why.to_owned()))?;
        let kept = SavedRange::read(path)?;
        if kept.is_some() {
            place.check_claim().map_err(|why| named(why.to_owned()))?;
        }
        if let Some(kept) = kept.as_ref().filter(|kept| !kept.has_same_question(&asked)) {
            let (has, wanted) = (kept.words(), asked.words());
            return Err(named(format!("is a checkpoint of the {has}, not of the {wanted}: name another file")));
        }
        let saved = kept.as_ref().map(|kept| kept.found().passes.iter().sum());
        Ok(Some((RangeCheckpointer { place, asked, saved, unsaved: None }, kept)))
    }

    /// Keeps what is found. A full disk does not harm the count: it goes on, and what is kept stays as it was.
    fn note(&mut self, found: &RangeNumbers, watch: &CountWatch) {
        let written = self.write(found, watch);
        self.set_outcome(found, written);
    }

    /// The first note: from then on the file is there.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when another run has just made the file.
    fn begin(&mut self, found: &RangeNumbers, watch: &CountWatch) -> Result<(), CountError> {
        match self.write(found, watch) {
            Err(error) if saved::is_taken(&error) => {
                let path = self.place.path().display().to_string();
                Err(CountError::Checkpoint { path, problem: error.to_string() })
            }
            written => {
                self.set_outcome(found, written);
                Ok(())
            }
        }
    }

    fn write(&self, found: &RangeNumbers, watch: &CountWatch) -> io::Result<()> {
        self.asked.with_numbers(found, watch.total()).write(&self.place)
    }

    fn set_outcome(&mut self, found: &RangeNumbers, written: io::Result<()>) {
        match written {
            Ok(()) => (self.saved, self.unsaved) = (Some(found.passes.iter().sum()), None),
            Err(error) => self.unsaved = Some(format!("{}: {error}", self.place.path().display())),
        }
    }
}

impl SavedRange {
    /// Begins the file of a count that is not planned yet, if it is to have one and that is not there: a run that is resumed
    /// from it begins with the plan. Answers the passes that it holds, and why it could not be written if it
    /// could not.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the file is something else, or that of another run.
    pub fn begin(
        strip: Strip,
        question: &CountQuestion,
        settings: &Settings,
        watch: &CountWatch,
    ) -> Result<(Option<usize>, Option<String>), CountError> {
        let Some((mut keeping, kept)) = RangeCheckpointer::open(SavedRange::new(strip, question, settings), settings)?
        else {
            return Ok((None, None));
        };
        if kept.is_none() {
            keeping.begin(&RangeNumbers::default(), watch)?;
        }
        Ok((keeping.saved, keeping.unsaved))
    }
}

/// A count of a range on its way.
struct RangeRun<'a> {
    range: &'a RangePlan,
    means: PassResources<'a>,
    settings: &'a Settings,
    /// The only modulus, if remainders are all that is wanted.
    modulus: Option<Modulus>,
    /// Primes are the largest below this.
    below: u64,
    found: RangeNumbers,
    keeping: Option<RangeCheckpointer>,
}

impl RangeRun<'_> {
    /// The lengths of a sweep whose numbers are not known, with what is known of them.
    fn unsettled(&self, at: usize, lengths: &[u32]) -> BTreeMap<u32, Residues> {
        let open = lengths.iter().filter(|&&length| !self.found.numbers.contains_key(&(at, length)));
        open.map(|&length| (length, self.found.residues.get(&(at, length)).cloned().unwrap_or_default())).collect()
    }

    /// Notes what a pass over a sweep has come to: what is `left` after it, nothing if it was stopped.
    fn note(&mut self, at: usize, left: Option<&BTreeMap<u32, Residues>>) {
        let RangeNumbers { numbers, residues, passes, states } = &mut self.found;
        if let Some(left) = left {
            passes.resize(passes.len().max(at + 1), 0);
            passes[at] += 1;
            let some = left.iter().filter(|(_, residues)| !residues.moduli().is_empty());
            residues.extend(some.map(|(&length, residues)| ((at, length), residues.clone())));
        }
        residues.retain(|part, _| !numbers.contains_key(part));
        let watch = self.means.crew.watch;
        *states = watch.snapshot().states;
        if let Some(keeping) = &mut self.keeping {
            keeping.note(&self.found, watch);
        }
    }

    /// One pass over a sweep, as far as boards are `left` whose numbers are not known; whether it was not stopped.
    fn pass(&mut self, at: usize, left: &mut BTreeMap<u32, Residues>) -> Result<bool, CountError> {
        let number = self.found.passes.get(at).copied().unwrap_or(0);
        let plan = &self.range.plan;
        let (sweep, watch, across) = (&plan.sweeps[at], self.means.crew.watch, self.range.strip.across());
        let Some((&longest, residues)) = left.last_key_value() else { return Ok(true) };
        let modulus = match self.modulus {
            Some(modulus) => modulus,
            None if number == 0 && self.settings.primes_below.is_none() => Modulus::None,
            None => residues.next_prime(self.below),
        };
        let squares = (longest * across) as usize;
        watch.pass_begins(sweep.states_of(squares), |now| {
            (now.pass, now.sweep, now.modulus) = (number, at, modulus);
            now.by_row = plan.meters(at);
        });
        let numbers = &mut self.found.numbers;
        let only = self.settings.modulus;
        let ended = Pass::new(sweep, modulus, &self.means).and_then(|mut pass| {
            pass.run_to(squares, |pass| {
                let length = pass.state.at as u32 / across;
                let closed = pass.state.closed.remove(&length).unwrap_or(0);
                let Some(residues) = left.get_mut(&length) else { return };
                let known = match (pass.state.modulus, only) {
                    (Modulus::None, _) => {
                        Some((closed.into(), Evidence::Counters { bits: 8 * pass.state.widest as u32 }))
                    }
                    (_, Some(prime)) => Some((closed.into(), Evidence::Remainder { prime })),
                    (Modulus::TwoTo64, _) => {
                        residues.add_two_to_64(closed as u64);
                        residues.known_by()
                    }
                    (Modulus::Prime(prime), _) => {
                        residues.add_prime(prime, (closed % u128::from(prime)) as u64);
                        residues.known_by()
                    }
                };
                if let Some(known) = known {
                    left.remove(&length);
                    numbers.insert((at, length), known);
                }
            })
        });
        match ended {
            Ok(()) => Ok(true),
            // A pass that counted exactly leaves it to the primes.
            Err(PassHalt::TooLarge) if modulus == Modulus::None => {
                watch.pass_is_given_up();
                Ok(true)
            }
            Err(PassHalt::TooLarge) => {
                Err(plan.refusal(self.settings, 8 * modulus.bytes().unwrap_or(ROOM) as u32, watch))
            }
            Err(PassHalt::Stopped) => Ok(false),
            Err(PassHalt::Failed(error)) => Err(error),
        }
    }

    /// The number of the board of a length, if all its sweeps have theirs; `kinds` are those of the sweeps over all.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when numbers that came from a file contradict each other, or what is known.
    fn settled(&self, length: u32, kinds: &[SweepKind]) -> Result<Option<BoardNumber>, CountError> {
        let board = self.range.strip.board(length);
        let question = CountQuestion { board, ..*self.range.plan.question() };
        let number = |(_, kind, _)| {
            let at = kinds.iter().position(|&other| other == kind)?;
            self.found.numbers.get(&(at, length)).cloned()
        };
        let Some(numbers) = sweeps_for(&question).into_iter().map(number).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let count = match (answer(&question, &numbers, &BigUint::ZERO), &self.keeping) {
            (Ok(count), _) => count,
            (Err(why), Some(keeping)) => {
                let path = keeping.place.path().display().to_string();
                let problem = format!("is damaged ({board}: {why}): remove it to begin again, or name another file");
                return Err(CountError::Checkpoint { path, problem });
            }
            (Err(why), None) => return Err(CountError::Contradiction(format!("{board}: {why}"))),
        };
        Ok(Some(BoardNumber {
            board,
            count,
            how: numbers.into_iter().map(|(_, how)| how).fold(Evidence::Plain, larger),
        }))
    }
}
