//! The plan of a count of a range of boards, and its run.

use super::file::{RangeNumbers, SavedRange};
use crate::board::Board;
use crate::count::answer::answer;
use crate::count::error::CountError;
use crate::count::pass::{GROWTH, Pass, PassHalt, PassResources, RESERVED_WIDTH, SPARSE_COUNTS};
use crate::count::plan::CountPlan;
use crate::count::primes::{NARROW, WIDE};
use crate::count::progress::costlier;
use crate::count::question::{Count, CountQuestion};
use crate::count::residues::{Evidence, Modulus, Residues};
use crate::count::settings::Settings;
use crate::count::snapshot::CountPhase;
use crate::count::strip::Strip;
use crate::count::sweep::{SweepKind, sweeps_for};
use crate::count::table::Tables;
use crate::count::threads::CountThreads;
use crate::count::watch::CountWatch;
use crate::saved;
use crate::test_halt::{self, HaltPoint};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

/// The plan of a count of a range.
pub struct RangePlan {
    strip: Strip,
    plan: CountPlan,
}

/// The number of one board.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardNumber {
    /// The board, with rows and columns as they were typed.
    pub board: Board,
    /// The number, or its remainder if the question has a modulus.
    pub count: Count,
    /// The evidence for the number.
    pub evidence: Evidence,
}

/// The result of a count of a range.
#[derive(Clone, PartialEq, Debug)]
pub struct RangeAnswer {
    /// The settled boards, the shortest first.
    pub boards: Vec<BoardNumber>,
    /// Whether all boards of the range are settled. A stopped count is not complete.
    pub complete: bool,
    /// The most states stored after one square.
    pub peak_states: u64,
    /// The time from the question to the answer, over all runs.
    pub elapsed: Duration,
    /// Number of passes in the checkpoint file, if the count has one.
    pub saved: Option<usize>,
    /// Why the checkpoint file could not be written, if the last write failed.
    pub unsaved: Option<String>,
}

impl RangePlan {
    /// Plans the answers to a question for every board of a range; the board of the question is ignored.
    ///
    /// # Errors
    /// [`CountError`] when the parts of the question contradict each other, when it has a start or asks for classes, when the
    /// plan does not fit in `memory`, or when `watch` is stopped.
    pub fn new(
        strip: Strip,
        question: &CountQuestion,
        memory: u64,
        watch: &CountWatch,
    ) -> Result<RangePlan, CountError> {
        if question.start.is_some() || question.unique {
            return Err(CountError::Question(
                "a start and classes belong to one board, and not to a range: count one board",
            ));
        }
        Ok(RangePlan { strip, plan: CountPlan::of_range(strip, question, memory, watch)? })
    }

    /// The plan of the sweeps: the memory and work that they need.
    pub fn plan(&self) -> &CountPlan {
        &self.plan
    }

    /// Counts all boards of the range, until all numbers are settled or `watch` is stopped.
    ///
    /// # Errors
    /// The errors of [`CountPlan::run`].
    pub fn run(&self, settings: &Settings, watch: &CountWatch) -> Result<RangeAnswer, CountError> {
        let plan = &self.plan;
        plan.check_run(settings, watch)?;
        watch.update(|now| (now.memory_limit, now.phase) = (settings.memory, CountPhase::Counting));
        let is_wide = plan.memory_reserved(64) <= settings.memory;
        let resources = PassResources {
            threads: CountThreads { pool: &plan.pool, watch },
            tables: Tables::new(),
            limit: settings.memory.saturating_sub(plan.fixed_memory()),
            spill: None,
            sparse_counts: SPARSE_COUNTS,
            growth: GROWTH,
            reserved_width: if is_wide { 8 } else { RESERVED_WIDTH },
        };
        let modulus = settings.modulus.map(|prime| plan.question().modulo(prime)).transpose()?;
        let below = settings.primes_below.unwrap_or(if is_wide { WIDE } else { NARROW });
        let passes = plan.expected_passes(settings, watch);
        watch.expect_passes((passes as u64 - 1) * plan.states(), passes);
        let (checkpointer, found) = self.open_checkpoint(settings, watch)?;
        let mut run = RangeRun { range: self, resources, settings, modulus, below, found, checkpointer };
        let mut is_running = true;
        let sweeps = self.strip.sweeps(plan.question());
        test_halt::reached(HaltPoint::Start);
        for (sweep, (.., lengths)) in sweeps.iter().enumerate() {
            let mut left = run.unsettled(sweep, lengths);
            while is_running && !left.is_empty() {
                is_running = run.pass(sweep, &mut left)?;
                run.record_pass(sweep, is_running.then_some(&left));
            }
        }
        let kinds: Vec<SweepKind> = sweeps.into_iter().map(|(_, kind, _)| kind).collect();
        let boards = self.strip.lengths().filter_map(|length| run.board_number(length, &kinds).transpose());
        let boards = boards.collect::<Result<Vec<BoardNumber>, CountError>>()?;
        let complete = boards.len() == self.strip.lengths().count();
        if complete {
            watch.finish();
        }
        let (saved, unsaved) =
            run.checkpointer.map_or((None, None), |checkpointer| (checkpointer.saved, checkpointer.unsaved));
        let (peak_states, elapsed) = (plan.peak_states(), watch.total_elapsed());
        Ok(RangeAnswer { boards, complete, peak_states, elapsed, saved, unsaved })
    }

    /// The checkpointer, if the settings name a file, and the results of earlier runs.
    fn open_checkpoint(
        &self,
        settings: &Settings,
        watch: &CountWatch,
    ) -> Result<(Option<RangeCheckpointer>, RangeNumbers), CountError> {
        let empty = SavedRange::new(self.strip, self.plan.question(), settings);
        let Some((mut checkpointer, saved)) = RangeCheckpointer::open(empty, settings)? else {
            return Ok((None, RangeNumbers::default()));
        };
        let mut found = RangeNumbers::default();
        if let Some(saved) = saved {
            found = saved.to_numbers();
            watch.set_earlier_time(saved.elapsed());
            let first_passes = found.passes.iter().zip(&self.plan.sweeps).filter(|(passes, _)| **passes > 0);
            let planned = first_passes.map(|(_, sweep)| sweep.states()).sum();
            watch.add_earlier_states(found.states, found.states.saturating_sub(planned));
        }
        // The file exists from here on.
        checkpointer.save_first(&found, watch)?;
        Ok((Some(checkpointer), found))
    }
}

/// Writes the checkpoint file of a count of a range.
struct RangeCheckpointer {
    file: saved::ReplacedFile,
    /// The contents for the question, without results.
    empty: SavedRange,
    /// Whether the run took over results from the file.
    is_resumed: bool,
    /// Number of passes in the file.
    saved: Option<usize>,
    /// Why the file could not be written, if the last write failed.
    unsaved: Option<String>,
}

impl RangeCheckpointer {
    /// Locks the file that the settings name, and reads it if it exists; `None` if they name no file. A file of another
    /// question is an error.
    fn open(
        empty: SavedRange,
        settings: &Settings,
    ) -> Result<Option<(RangeCheckpointer, Option<SavedRange>)>, CountError> {
        let Some(path) = &settings.checkpoint else { return Ok(None) };
        let named = |problem| CountError::Checkpoint { path: path.display().to_string(), problem };
        let file = settings.claimed_file.clone().map_or_else(|| saved::ReplacedFile::new(path), Ok).map_err(named)?;
        file.claim().map_err(|why| named(why.to_owned()))?;
        let contents = SavedRange::read(path)?;
        if contents.is_some() {
            file.check_claim().map_err(|why| named(why.to_owned()))?;
        }
        if let Some(contents) = contents.as_ref().filter(|contents| !contents.has_same_question(&empty)) {
            let (found, typed) = (contents.words(), empty.words());
            return Err(named(format!("is a checkpoint of the {found}, not of the {typed}: name another file")));
        }
        let saved = contents.as_ref().map(|contents| contents.to_numbers().passes.iter().sum());
        let is_resumed = saved.is_some_and(|passes| passes > 0);
        Ok(Some((RangeCheckpointer { file, empty, is_resumed, saved, unsaved: None }, contents)))
    }

    /// Writes the results to the file. If that fails, for example on a full disk, the count continues and the file keeps its
    /// old contents.
    fn save(&mut self, found: &RangeNumbers, watch: &CountWatch) {
        let written = self.write(found, watch);
        self.set_outcome(found, written);
    }

    /// Writes the file for the first time in this run. An error if another run has just created the file.
    fn save_first(&mut self, found: &RangeNumbers, watch: &CountWatch) -> Result<(), CountError> {
        match self.write(found, watch) {
            Err(error) if saved::is_taken(&error) => {
                let path = self.file.path().display().to_string();
                Err(CountError::Checkpoint { path, problem: error.to_string() })
            }
            written => {
                self.set_outcome(found, written);
                Ok(())
            }
        }
    }

    fn write(&self, found: &RangeNumbers, watch: &CountWatch) -> io::Result<()> {
        self.empty.with_numbers(found, watch.total_elapsed()).write(&self.file)
    }

    fn set_outcome(&mut self, found: &RangeNumbers, written: io::Result<()>) {
        match written {
            Ok(()) => (self.saved, self.unsaved) = (Some(found.passes.iter().sum()), None),
            Err(error) => self.unsaved = Some(format!("{}: {error}", self.file.path().display())),
        }
    }
}

impl SavedRange {
    /// Creates the checkpoint file of a count that is not planned yet, if the settings name a file and it does not exist. A run
    /// that resumes from it begins with the plan. Returns the number of passes in the file, and why the file could not be
    /// written if that failed; both are `None` if the settings name no file.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the file is of another kind or question, damaged, or of a run that is not over.
    pub fn begin(
        strip: Strip,
        question: &CountQuestion,
        settings: &Settings,
        watch: &CountWatch,
    ) -> Result<(Option<usize>, Option<String>), CountError> {
        let Some((mut checkpointer, saved)) =
            RangeCheckpointer::open(SavedRange::new(strip, question, settings), settings)?
        else {
            return Ok((None, None));
        };
        if saved.is_none() {
            checkpointer.save_first(&RangeNumbers::default(), watch)?;
        }
        Ok((checkpointer.saved, checkpointer.unsaved))
    }
}

/// A running count of a range.
struct RangeRun<'a> {
    range: &'a RangePlan,
    resources: PassResources<'a>,
    settings: &'a Settings,
    /// The modulus of the question, if it asks for remainders.
    modulus: Option<Modulus>,
    /// The primes of further passes are the largest below this.
    below: u64,
    found: RangeNumbers,
    checkpointer: Option<RangeCheckpointer>,
}

impl RangeRun<'_> {
    /// The lengths of a sweep whose numbers are not settled, with their residues so far.
    fn unsettled(&self, at: usize, lengths: &[u32]) -> BTreeMap<u32, Residues> {
        let open = lengths.iter().filter(|&&length| !self.found.numbers.contains_key(&(at, length)));
        open.map(|&length| (length, self.found.residues.get(&(at, length)).cloned().unwrap_or_default())).collect()
    }

    /// Records a pass over a sweep, and saves the results. `left` are the unsettled lengths after it, `None` if the pass was
    /// stopped.
    fn record_pass(&mut self, at: usize, left: Option<&BTreeMap<u32, Residues>>) {
        let RangeNumbers { numbers, residues, passes, states } = &mut self.found;
        if let Some(left) = left {
            passes.resize(passes.len().max(at + 1), 0);
            passes[at] += 1;
            let some = left.iter().filter(|(_, residues)| !residues.moduli().is_empty());
            residues.extend(some.map(|(&length, residues)| ((at, length), residues.clone())));
        }
        residues.retain(|part, _| !numbers.contains_key(part));
        let watch = self.resources.threads.watch;
        *states = watch.snapshot().states;
        if let Some(checkpointer) = &mut self.checkpointer {
            checkpointer.save(&self.found, watch);
        }
    }

    /// Makes one pass over a sweep, up to the longest of the unsettled lengths `left`, and removes the lengths that it settles.
    /// Returns `false` if the pass was stopped.
    fn pass(&mut self, at: usize, left: &mut BTreeMap<u32, Residues>) -> Result<bool, CountError> {
        let number = self.found.passes.get(at).copied().unwrap_or(0);
        let plan = &self.range.plan;
        let (sweep, watch, across) = (&plan.sweeps[at], self.resources.threads.watch, self.range.strip.across());
        let Some((&longest, residues)) = left.last_key_value() else { return Ok(true) };
        let modulus = match self.modulus {
            Some(modulus) => modulus,
            None if number == 0 && self.settings.primes_below.is_none() => Modulus::None,
            None => residues.next_prime(self.below),
        };
        let squares = (longest * across) as usize;
        watch.begin_pass(sweep.states_until(squares), |now| {
            (now.pass, now.sweep, now.modulus) = (number, at, modulus);
            now.by_row = plan.empty_meters(at);
        });
        let numbers = &mut self.found.numbers;
        let only = self.settings.modulus;
        let ended = Pass::new(sweep, modulus, &self.resources).and_then(|mut pass| {
            pass.run_to(squares, |pass| {
                let length = pass.state.at as u32 / across;
                let closed = pass.state.closed_tours.remove(&length).unwrap_or(0);
                let Some(residues) = left.get_mut(&length) else { return };
                let bits = 8 * pass.state.widest as u32;
                if let Some(number) = number_of_pass((closed, pass.state.modulus), bits, only, residues) {
                    left.remove(&length);
                    numbers.insert((at, length), number);
                }
            })
        });
        match ended {
            Ok(()) => Ok(true),
            // The memory is too small to count exactly: the passes modulo primes need less.
            Err(PassHalt::TooLarge) if modulus == Modulus::None => {
                watch.abandon_pass();
                Ok(true)
            }
            Err(PassHalt::TooLarge) => {
                Err(plan.refusal(self.settings, 8 * modulus.bytes().unwrap_or(RESERVED_WIDTH) as u32, watch))
            }
            Err(PassHalt::Stopped) => Ok(false),
            Err(PassHalt::Failed(error)) => Err(error),
        }
    }

    /// The number of the board of a length; `None` unless all its sweeps have their numbers. `kinds` are the kinds of the sweeps
    /// of the range, by index. An error if the numbers contradict each other or what is known of the board; then the file
    /// that the run was resumed from is damaged.
    fn board_number(&self, length: u32, kinds: &[SweepKind]) -> Result<Option<BoardNumber>, CountError> {
        let board = self.range.strip.board(length);
        let question = CountQuestion { board, ..*self.range.plan.question() };
        let number = |(_, kind, _)| {
            let at = kinds.iter().position(|&other| other == kind)?;
            self.found.numbers.get(&(at, length)).cloned()
        };
        let Some(numbers) = sweeps_for(&question).into_iter().map(number).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let resumed_from = self.checkpointer.as_ref().filter(|checkpointer| checkpointer.is_resumed);
        let count = match (answer(&question, &numbers, &BigUint::ZERO), resumed_from) {
            (Ok(count), _) => count,
            (Err(why), Some(checkpointer)) => {
                let path = checkpointer.file.path().display().to_string();
                let problem = format!("is damaged ({board}: {why}): remove it to begin again, or name another file");
                return Err(CountError::Checkpoint { path, problem });
            }
            (Err(why), None) => return Err(CountError::Contradiction(format!("{board}: {why}"))),
        };
        Ok(Some(BoardNumber {
            board,
            count,
            evidence: numbers.into_iter().map(|(_, evidence)| evidence).fold(Evidence::Plain, costlier),
        }))
    }
}

/// The number of a board, if the pass that has counted `closed` settles it; otherwise adds `closed` to the residues of the
/// board. `modulus` is that of `closed`, `bits` the width of the pass's counters, and `only` the modulus of the question, if it
/// asks for remainders.
fn number_of_pass(
    (closed, modulus): (u128, Modulus),
    bits: u32,
    only: Option<u32>,
    residues: &mut Residues,
) -> Option<(BigUint, Evidence)> {
    match (modulus, only) {
        (Modulus::None, _) => Some((closed.into(), Evidence::Counters { bits })),
        (_, Some(prime)) => Some((closed.into(), Evidence::Remainder { prime })),
        (Modulus::TwoTo64, _) => {
            residues.add_two_to_64(closed as u64);
            residues.settled_in_range()
        }
        (Modulus::Prime(prime), _) => {
            residues.add_prime(prime, (closed % u128::from(prime)) as u64);
            residues.settled_in_range()
        }
    }
}
