//! Plans a count: its states, work and memory, and whether it fits.

use super::disk::{self, DiskNeed};
use super::error::{CountError, CountRefusal};
use super::gather::SPARSE_SHARE;
use super::layers::{self, Layer};
use super::matching::matchings;
use super::order::{slots, upright};
use super::progress::CountProgress;
use super::question::CountQuestion;
use super::residues::Modulus;
use super::settings::{CountPosition, Settings};
use super::snapshot::{CountPhase, RowMeter};
use super::strip::Strip;
use super::sweep::{PlannedSweep, sweeps_for};
use super::table::Tables;
use super::watch::CountWatch;
use crate::board::{Board, Ending};
use crate::test_halt::{self, HaltPoint};

/// The longest short side that is planned: 18 slots, or 19 with the apex.
const COLS_MAX: u32 = 9;
/// Bytes of a square besides its patterns: its step, and pointers to what it shares with other squares.
const STEP_BYTES: u64 = 256;
/// Estimated number of rows with different layers: the rows until layers repeat, a period of two, and the rows near the
/// end.
const DISTINCT_ROWS: u32 = 12;

/// A planned count: nothing has been counted, and the number of states is known.
pub struct CountPlan {
    /// The question; for a range, of its longest board.
    question: CountQuestion,
    /// The range of boards, if the plan is for one.
    pub(super) strip: Option<Strip>,
    pub(super) sweeps: Vec<PlannedSweep>,
    summaries: Vec<SweepPlan>,
    pub(super) pool: rayon::ThreadPool,
}

/// Summary of one sweep over the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweepPlan {
    /// What the sweep counts.
    pub name: &'static str,
    /// Its rows, of the board with its short side across.
    pub rows: Vec<RowPlan>,
}

/// Summary of one row of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RowPlan {
    /// The row, from 0.
    pub row: u32,
    /// States stored, summed over its squares.
    pub states: u64,
    /// The most states after one of its squares.
    pub peak: u64,
    /// Degree patterns after the square with the most states.
    pub patterns: u64,
    /// Work of its squares, in light states (states of few pairs of ends): see [`MeasuredPace`](super::MeasuredPace).
    pub work: u64,
}

impl SweepPlan {
    fn new(sweep: &PlannedSweep) -> SweepPlan {
        let mut rows: Vec<RowPlan> = Vec::new();
        for (step, layer) in sweep.order.steps.iter().zip(&sweep.layers.layers[1..]) {
            if rows.len() <= step.row as usize {
                rows.push(RowPlan { row: step.row, ..RowPlan::default() });
            }
            let Some(row) = rows.last_mut() else { continue };
            row.states += layer.states();
            row.work += layer.work();
            if layer.states() >= row.peak {
                (row.peak, row.patterns) = (layer.states(), layer.blocks());
            }
        }
        SweepPlan { name: sweep.name, rows }
    }
}

impl CountPlan {
    /// Checks at once, without planning, that a question can be planned in `memory` bytes.
    ///
    /// # Errors
    /// A question whose parts contradict each other, a board that is too wide, a plan that is too large by itself.
    pub fn check_plannable(question: &CountQuestion, memory: u64) -> Result<(), CountError> {
        question.check()?;
        let (board, _) = upright(question.board);
        if board.cols() > COLS_MAX {
            return Err(CountError::TooWide { cols: board.cols(), max: COLS_MAX });
        }
        check_plan_size(
            question.board.to_string(),
            question.ending,
            planning_bytes(question, board, sweeps_for(question).len()),
            memory,
        )
    }

    /// Plans a question in `memory` bytes, with as many threads as `watch` has meters.
    ///
    /// # Errors
    /// A question whose parts contradict each other, a board that is too wide, a plan that is too large by itself,
    /// [`CountError::Stopped`].
    pub fn new(question: &CountQuestion, memory: u64, watch: &CountWatch) -> Result<CountPlan, CountError> {
        CountPlan::check_plannable(question, memory)?;
        let (board, _) = upright(question.board);
        let sweeps = sweeps_for(question).into_iter();
        let sweep = |(name, kind, _)| PlannedSweep::new(question.board, name, kind, watch);
        CountPlan::build((*question, None), board, sweeps.map(|one| move || sweep(one)), watch)
    }

    /// Plans a question of every board of a range, like [`CountPlan::new`].
    pub(super) fn of_range(
        strip: Strip,
        question: &CountQuestion,
        memory: u64,
        watch: &CountWatch,
    ) -> Result<CountPlan, CountError> {
        question.check()?;
        let (ground, sweeps) = (strip.ground(), strip.sweeps(question));
        check_plan_size(strip.to_string(), question.ending, planning_bytes(question, ground, sweeps.len()), memory)?;
        let longest = CountQuestion { board: strip.board(strip.max_length()), ..*question };
        let sweep =
            |(name, kind, lengths): (_, _, Vec<u32>)| PlannedSweep::strip((ground, &lengths), name, kind, watch);
        CountPlan::build((longest, Some(strip)), ground, sweeps.into_iter().map(|one| move || sweep(one)), watch)
    }

    /// Plans the sweeps over a board with its short side across.
    fn build(
        (question, strip): (CountQuestion, Option<Strip>),
        board: Board,
        sweeps: impl Iterator<Item = impl FnOnce() -> Option<PlannedSweep> + Send>,
        watch: &CountWatch,
    ) -> Result<CountPlan, CountError> {
        test_halt::reached(HaltPoint::Start);
        // A step has no more contexts than there are sets of ends outside the slots concerned: more threads would have
        // no work.
        let useful = 1usize << slots(board.cols()).saturating_sub(4).min(12);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(watch.threads().min(useful)).build();
        let pool = pool.map_err(|error| CountError::Threads(error.to_string()))?;
        let rows = strip.map_or(board.rows(), Strip::max_length);
        watch.update(|now| {
            (now.phase, now.rows, now.squares) = (CountPhase::Planning, rows, (rows * board.cols()) as usize);
        });
        let sweeps = sweeps.map(|sweep| pool.install(sweep).ok_or(CountError::Stopped));
        let sweeps = sweeps.collect::<Result<Vec<_>, _>>()?;
        let summaries = sweeps.iter().map(SweepPlan::new).collect();
        let plan = CountPlan { question, strip, sweeps, summaries, pool };
        watch.update(|now| {
            (now.sweeps, now.states_planned) = (plan.sweeps.len(), plan.states());
            now.by_row = plan.empty_meters(0);
        });
        Ok(plan)
    }

    /// Name of what is counted: a board, or a range of boards.
    pub fn name(&self) -> String {
        self.strip.map_or_else(|| self.question.board.to_string(), |strip| strip.to_string())
    }

    /// Whether the plan is for a range of boards. Counts of a range live in memory.
    pub fn is_of_range(&self) -> bool {
        self.strip.is_some()
    }

    /// The question; for a range, of its longest board.
    pub fn question(&self) -> &CountQuestion {
        &self.question
    }

    /// The sweeps that answer the question; none if the answer needs no count.
    pub fn sweeps(&self) -> &[SweepPlan] {
        &self.summaries
    }

    /// The most states after one square.
    pub fn peak_states(&self) -> u64 {
        self.summaries.iter().flat_map(|sweep| &sweep.rows).map(|row| row.peak).max().unwrap_or(0)
    }

    /// Work of one pass: states stored, summed over all squares of all sweeps.
    pub fn states(&self) -> u64 {
        self.summaries.iter().flat_map(|sweep| &sweep.rows).map(|row| row.states).sum()
    }

    /// Memory of the whole run at most, in bytes, if its widest large layers have counts of 16, 32 or 64 `bits`. For 64
    /// bits the buffer grows, and the old and the new buffer exist together for a while. A range has room for 64 bits
    /// from the start.
    pub fn memory(&self, bits: u32) -> u64 {
        let outgrown = if bits == 64 && self.strip.is_none() { self.count_bytes(32) } else { 0 };
        self.memory_reserved(bits) + outgrown
    }

    /// Memory of the whole run in bytes, if it has room for counts of `bits` bits from the start.
    pub(super) fn memory_reserved(&self, bits: u32) -> u64 {
        self.count_bytes(bits) + self.fixed_memory()
    }

    /// Bytes of sparse layers; the allocator holds them after the layers become dense.
    fn sparse_bytes(&self) -> u64 {
        size_of::<(u32, u32)>() as u64 * self.peak_states() / SPARSE_SHARE
    }

    /// Bytes of counts of the two neighbouring layers with the most states.
    pub(super) fn count_bytes(&self, bits: u32) -> u64 {
        self.sweeps.iter().map(|sweep| sweep.layers.most_neighbours()).max().unwrap_or(0) * u64::from(bits / 8)
    }

    /// Bytes of the degree patterns.
    pub(super) fn pattern_bytes(&self) -> u64 {
        self.sweeps.iter().map(|sweep| sweep.layers.bytes).sum()
    }

    /// Memory besides dense counts, in bytes: patterns, marks, tables, the threads' sums, and sparse layers.
    pub(super) fn fixed_memory(&self) -> u64 {
        let layers = self.sweeps.iter().flat_map(|sweep| &sweep.layers.layers);
        let pairs = layers.map(|layer| layer.pairs).max().unwrap_or(0);
        let marks = 2 * self.sweeps.iter().map(|sweep| sweep.layers.most_blocks()).max().unwrap_or(0);
        let sums = (matchings(pairs) as u64 + (1 << 14)) * 16 * self.pool.current_num_threads() as u64;
        let threads = self.pool.current_num_threads() as u64;
        self.pattern_bytes()
            + marks
            + sums
            + Tables::bytes(pairs)
            + threads * Tables::long_bytes(pairs)
            + self.sparse_bytes()
    }

    /// Checks that the count fits in memory and on disk.
    ///
    /// # Errors
    /// [`CountError::Refused`] with the figures and what would fit, [`CountError::Folder`] and [`CountError::Disk`] for
    /// files, [`CountError::Stopped`] if the search for a smaller board was stopped.
    pub fn check(&self, settings: &Settings, watch: &CountWatch) -> Result<(), CountError> {
        let bits = self.count_bits(settings)?;
        disk::check_disks(self.disk_needs(settings, bits))?;
        let taken = if settings.spill.is_some() { self.memory_spilling() } else { self.memory_reserved(bits) };
        if taken > settings.memory { Err(self.refusal(settings, bits, watch)) } else { Ok(()) }
    }

    /// Width of counts in bits that the check assumes; wider numbers are put together from residues.
    fn count_bits(&self, settings: &Settings) -> Result<u32, CountError> {
        let modulus = settings.modulus.map(|prime| self.question.modulo(prime)).transpose()?;
        let largest = settings.primes_below.map(|below| Modulus::Prime(below - 1));
        Ok(modulus.or(largest).and_then(Modulus::bytes).map_or(32, |bytes| 8 * bytes as u32))
    }

    /// Disk space for counts in files and checkpoints at most, in bytes.
    pub fn disk_bytes(&self, settings: &Settings) -> u64 {
        self.disk_needs(settings, 32).iter().map(DiskNeed::bytes).sum()
    }

    /// What each folder must hold, with counts of `bits` bits.
    fn disk_needs(&self, settings: &Settings, bits: u32) -> Vec<DiskNeed> {
        let file = |layer: &Layer| layer.states() * u64::from(bits / 8) + layer.blocks();
        let sweeps = || self.sweeps.iter();
        let at_row_end = sweeps().flat_map(PlannedSweep::row_ends).map(file).max().unwrap_or(0);
        let anywhere = sweeps().flat_map(|sweep| &sweep.layers.layers).map(|layer| file(layer)).max().unwrap_or(0);
        let spill = settings.spill.iter().map(|folder| DiskNeed::spill(folder, self.count_bytes(bits)));
        // A range stores only a few numbers.
        let checkpoint = settings.checkpoint.iter().filter(|_| self.strip.is_none());
        let checkpoint = checkpoint.map(|file| DiskNeed::checkpoint(file, at_row_end, anywhere));
        spill.chain(checkpoint).collect()
    }

    /// The error for settings that are too small for counts of `bits` bits; [`CountError::Stopped`] if the search for a
    /// smaller board was stopped.
    pub(super) fn refusal(&self, settings: &Settings, bits: u32, watch: &CountWatch) -> CountError {
        let limit = settings.memory;
        let smaller_board = self.smaller_board(limit, watch);
        if watch.is_stopped() {
            return CountError::Stopped;
        }
        CountError::Refused(Box::new(CountRefusal {
            board: self.name(),
            ending: self.question.ending.name(),
            peak_states: self.peak_states(),
            bits,
            bytes: self.memory_reserved(bits),
            count_bytes: self.count_bytes(bits),
            bytes_spilling: self.memory_spilling(),
            spills: settings.spill.is_some(),
            limit,
            ceiling: settings.ceiling,
            smaller_board,
        }))
    }

    /// Memory in bytes while the counts live in files: all that is not counts, and one context a thread.
    pub fn memory_spilling(&self) -> u64 {
        let contexts = self.sweeps.iter().map(|sweep| sweep.layers.largest_contexts()).max().unwrap_or(0);
        self.fixed_memory() + 8 * contexts * self.pool.current_num_threads() as u64
    }

    /// Number of squares of a sweep, if the sweep exists.
    pub(super) fn squares(&self, sweep: usize) -> Option<usize> {
        self.sweeps.get(sweep).map(|sweep| sweep.order.steps.len())
    }

    /// The position after `squares` squares of a sweep.
    fn position_at(&self, sweep: usize, squares: usize) -> CountPosition {
        let steps = &self.sweeps[sweep].order.steps;
        let rows = steps.get(squares).or(steps.last()).map_or(0, |step| step.row + u32::from(squares == steps.len()));
        let squares = steps[..squares].iter().filter(|step| step.row == rows).count() as u32;
        let all_rows = steps.last().map_or(0, |last| last.row + 1);
        CountPosition { sweep: sweep + 1, sweeps: self.sweeps.len(), rows, squares, all_rows }
    }

    /// The position of a count with this progress and `squares` squares of the current pass done.
    pub(super) fn position(&self, progress: &CountProgress, squares: usize) -> CountPosition {
        match self.squares(progress.sweep()) {
            Some(_) => self.position_at(progress.sweep(), squares),
            // All sweeps are done. A question that needs no sweep has no rows.
            None => {
                self.sweeps.len().checked_sub(1).map_or(CountPosition::default(), |last| {
                    self.position_at(last, self.sweeps[last].order.steps.len())
                })
            }
        }
    }

    /// Name and memory of the widest smaller board, or range of boards, of the same length that fits in `limit` bytes.
    fn smaller_board(&self, limit: u64, watch: &CountWatch) -> Option<(String, u64)> {
        let across = self.strip.map_or_else(|| upright(self.question.board).0.cols(), Strip::across);
        let mut candidates = (1..across).rev().filter_map(|across| {
            let watch = CountWatch::nested(watch);
            let question = CountQuestion { start: None, ..self.question };
            let plan = match self.strip {
                Some(strip) => CountPlan::of_range(strip.with_width(across), &question, limit, &watch).ok()?,
                None => {
                    let board = Board::new(upright(question.board).0.rows().into(), across.into()).ok()?;
                    CountPlan::new(&CountQuestion { board, ..question }, limit, &watch).ok()?
                }
            };
            // A board that cannot have a tour is no offer.
            (!plan.sweeps.is_empty()).then(|| (plan.name(), plan.memory(32)))
        });
        candidates.find(|&(_, bytes)| bytes <= limit)
    }

    /// Empty meters for the rows of a sweep.
    pub(super) fn empty_meters(&self, sweep: usize) -> Vec<RowMeter> {
        let rows = self.summaries.get(sweep).map_or(&[][..], |sweep| &sweep.rows);
        rows.iter().map(|row| RowMeter { planned: row.states, ..RowMeter::default() }).collect()
    }
}

/// Estimated bytes of a plan of `sweeps` sweeps over a board with its short side across: its steps, and the patterns of
/// the rows that differ.
fn planning_bytes(question: &CountQuestion, board: Board, sweeps: usize) -> u64 {
    let apex = u32::from(question.ending == Ending::Open);
    let slots = slots(board.cols()) + apex;
    let layer = 3u64.pow(slots) / 16 + ((size_of::<layers::GroupOffset>() as u64) << slots);
    let layers = u64::from(board.rows().min(DISTINCT_ROWS) * board.cols());
    sweeps as u64 * (layer * layers + STEP_BYTES * u64::from(board.squares()))
}

/// Checks that a plan of `bytes` bytes fits in `limit`.
fn check_plan_size(board: String, ending: Ending, bytes: u64, limit: u64) -> Result<(), CountError> {
    let ending = ending.name();
    if bytes > limit { Err(CountError::PlanTooLarge { board, ending, bytes, limit }) } else { Ok(()) }
}
