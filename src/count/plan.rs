//! What a count will take: states, work, memory, time; and whether it fits.

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
use super::strip::Strip;
use super::sweep::{PlannedSweep, sweeps_for};
use super::table::Tables;
use super::watch::{CountPhase, CountWatch, RowMeter};
use crate::board::{Board, Ending};
use crate::test_halt::{self, HaltPoint};

/// The longest short side that is planned: 18 slots, or 19 with the apex.
const COLS_MAX: u32 = 9;
/// What a square takes besides patterns: its step, and pointers to what it shares with others.
const STEP_BYTES: u64 = 256;
/// Rows whose layers differ, about: until they repeat, a period of two, and those that look ahead to the end.
const DIFFERENT_ROWS: u32 = 12;

/// A count, planned: nothing has been counted, and every state is known.
pub struct CountPlan {
    /// If it is of a range, that of its longest board.
    question: CountQuestion,
    /// The range, if it is of one.
    pub(super) strip: Option<Strip>,
    pub(super) sweeps: Vec<PlannedSweep>,
    shown: Vec<SweepPlan>,
    pub(super) pool: rayon::ThreadPool,
}

/// One sweep over the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweepPlan {
    /// What it counts.
    pub name: &'static str,
    /// Its rows, of the board with its short side across.
    pub rows: Vec<RowPlan>,
}

/// One row of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RowPlan {
    /// Which, from 0.
    pub row: u32,
    /// States stored, summed over its squares.
    pub states: u64,
    /// The most after one of its squares.
    pub peak: u64,
    /// Degree patterns after the square with the most states.
    pub patterns: u64,
    /// What its squares take, as so many states that take little: see [`MeasuredPace`](super::MeasuredPace).
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
    /// Whether a question can be planned in so many bytes of memory; answered at once.
    ///
    /// # Errors
    /// A question whose parts do not go together, a board that is too wide, a plan that is too large by itself.
    pub fn can_be_made(question: &CountQuestion, memory: u64) -> Result<(), CountError> {
        question.check()?;
        let (board, _) = upright(question.board);
        if board.cols() > COLS_MAX {
            return Err(CountError::TooWide { cols: board.cols(), max: COLS_MAX });
        }
        fits(question.board.to_string(), question.ending, planning(question, board, sweeps_for(question).len()), memory)
    }

    /// Plans the answer to a question, in so many bytes of memory, by as many threads as `watch` has meters.
    ///
    /// # Errors
    /// A question whose parts do not go together, a board that is too wide or whose plan alone is too large,
    /// [`CountError::Stopped`].
    pub fn new(question: &CountQuestion, memory: u64, watch: &CountWatch) -> Result<CountPlan, CountError> {
        CountPlan::can_be_made(question, memory)?;
        let (board, _) = upright(question.board);
        let sweeps = sweeps_for(question).into_iter();
        let sweep = |(name, kind, _)| PlannedSweep::new(question.board, name, kind, watch);
        CountPlan::of((*question, None), board, sweeps.map(|each| move || sweep(each)), watch)
    }

    /// As [`CountPlan::new`], of a question of every board of a range.
    pub(super) fn of_range(
        strip: Strip,
        question: &CountQuestion,
        memory: u64,
        watch: &CountWatch,
    ) -> Result<CountPlan, CountError> {
        question.check()?;
        let (ground, sweeps) = (strip.ground(), strip.sweeps(question));
        fits(strip.to_string(), question.ending, planning(question, ground, sweeps.len()), memory)?;
        let longest = CountQuestion { board: strip.board(strip.longest()), ..*question };
        let sweep =
            |(name, kind, lengths): (_, _, Vec<u32>)| PlannedSweep::strip((ground, &lengths), name, kind, watch);
        CountPlan::of((longest, Some(strip)), ground, sweeps.into_iter().map(|each| move || sweep(each)), watch)
    }

    /// Plans sweeps over a board that stands upright.
    fn of(
        (question, strip): (CountQuestion, Option<Strip>),
        board: Board,
        sweeps: impl Iterator<Item = impl FnOnce() -> Option<PlannedSweep> + Send>,
        watch: &CountWatch,
    ) -> Result<CountPlan, CountError> {
        test_halt::reached(HaltPoint::Start);
        // A step has no more contexts to work on than there are sets of ends outside of the slots concerned.
        let useful = 1usize << slots(board.cols()).saturating_sub(4).min(12);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(watch.threads().min(useful)).build();
        let pool = pool.map_err(|error| CountError::Threads(error.to_string()))?;
        let rows = strip.map_or(board.rows(), Strip::longest);
        watch.show(|now| {
            (now.phase, now.rows, now.squares) = (CountPhase::Planning, rows, (rows * board.cols()) as usize);
        });
        let sweeps = sweeps.map(|sweep| pool.install(sweep).ok_or(CountError::Stopped));
        let sweeps = sweeps.collect::<Result<Vec<_>, _>>()?;
        let shown = sweeps.iter().map(SweepPlan::new).collect();
        let plan = CountPlan { question, strip, sweeps, shown, pool };
        watch.show(|now| {
            (now.sweeps, now.states_planned) = (plan.sweeps.len(), plan.states());
            now.by_row = plan.meters(0);
        });
        Ok(plan)
    }

    /// The name of what is counted: a board, or a range of boards.
    pub fn name(&self) -> String {
        self.strip.map_or_else(|| self.question.board.to_string(), |strip| strip.to_string())
    }

    /// Whether it is of a range of boards, the counts of which live in memory.
    pub fn is_of_range(&self) -> bool {
        self.strip.is_some()
    }

    /// The question; of a range, that of its longest board.
    pub fn question(&self) -> &CountQuestion {
        &self.question
    }

    /// What is counted to answer it; nothing if the answer is plain.
    pub fn sweeps(&self) -> &[SweepPlan] {
        &self.shown
    }

    /// The most states after one square.
    pub fn peak_states(&self) -> u64 {
        self.shown.iter().flat_map(|sweep| &sweep.rows).map(|row| row.peak).max().unwrap_or(0)
    }

    /// The work of one pass: states stored, summed over all squares of all sweeps.
    pub fn states(&self) -> u64 {
        self.shown.iter().flat_map(|sweep| &sweep.rows).map(|row| row.states).sum()
    }

    /// Bytes of the whole run, at most, if its widest large layers have counts of so many bits: 16, 32 or 64. For 64
    /// the buffer is grown, and both it and the one before are there for a while; that of a range has room for 64 at once.
    pub fn memory(&self, bits: u32) -> u64 {
        let outgrown = if bits == 64 && self.strip.is_none() { self.counts(32) } else { 0 };
        self.at_once(bits) + outgrown
    }

    /// The same, if there is room for counts of so many bits from the beginning.
    pub(super) fn at_once(&self, bits: u32) -> u64 {
        self.counts(bits) + self.besides()
    }

    /// Bytes of layers of which only what is not zero is kept, while they are, and with the allocator afterwards.
    fn sparse(&self) -> u64 {
        size_of::<(u32, u32)>() as u64 * self.peak_states() / SPARSE_SHARE
    }

    /// Bytes of counts: of the two neighbouring layers that have the most.
    pub(super) fn counts(&self, bits: u32) -> u64 {
        self.sweeps.iter().map(|sweep| sweep.layers.most_neighbours()).max().unwrap_or(0) * u64::from(bits / 8)
    }

    /// Bytes of the patterns.
    pub(super) fn patterns(&self) -> u64 {
        self.sweeps.iter().map(|sweep| sweep.layers.bytes).sum()
    }

    /// Bytes of everything else: patterns, tables, the threads' sums, and what is sparse.
    pub(super) fn besides(&self) -> u64 {
        let layers = self.sweeps.iter().flat_map(|sweep| &sweep.layers.layers);
        let pairs = layers.map(|layer| layer.pairs).max().unwrap_or(0);
        let marks = 2 * self.sweeps.iter().map(|sweep| sweep.layers.most_blocks()).max().unwrap_or(0);
        let sums = (matchings(pairs) as u64 + (1 << 14)) * 16 * self.pool.current_num_threads() as u64;
        let threads = self.pool.current_num_threads() as u64;
        self.patterns() + marks + sums + Tables::bytes(pairs) + threads * Tables::long_bytes(pairs) + self.sparse()
    }

    /// Whether the count may begin.
    ///
    /// # Errors
    /// [`CountError::Refused`] with the figures, and what would fit; a folder for files that is not there;
    /// [`CountError::Stopped`] while that is looked for.
    pub fn check(&self, settings: &Settings, watch: &CountWatch) -> Result<(), CountError> {
        let bits = self.bits(settings)?;
        disk::check(self.needs(settings, bits))?;
        let taken = if settings.spill.is_some() { self.spilling() } else { self.at_once(bits) };
        if taken > settings.memory { Err(self.refusal(settings, bits, watch)) } else { Ok(()) }
    }

    /// The width of counts that a run reckons with, in bits: what is wider is put together from residues.
    fn bits(&self, settings: &Settings) -> Result<u32, CountError> {
        let modulus = settings.modulus.map(|prime| self.question.modulo(prime)).transpose()?;
        let largest = settings.primes_below.map(|below| Modulus::Prime(below - 1));
        Ok(modulus.or(largest).and_then(Modulus::bytes).map_or(32, |bytes| 8 * bytes as u32))
    }

    /// Bytes that disks have to take, at most: counts in files, and checkpoints.
    pub fn disk(&self, settings: &Settings) -> u64 {
        self.needs(settings, 32).iter().map(DiskNeed::bytes).sum()
    }

    /// What disks have to take, with counts of so many bits.
    fn needs(&self, settings: &Settings, bits: u32) -> Vec<DiskNeed> {
        let file = |layer: &Layer| layer.states() * u64::from(bits / 8) + layer.blocks();
        let sweeps = || self.sweeps.iter();
        let at_row_end = sweeps().flat_map(PlannedSweep::row_ends).map(file).max().unwrap_or(0);
        let anywhere = sweeps().flat_map(|sweep| &sweep.layers.layers).map(|layer| file(layer)).max().unwrap_or(0);
        let spill = settings.spill.iter().map(|folder| DiskNeed::spill(folder, self.counts(bits)));
        // What is kept of a range is a few numbers.
        let checkpoint = settings.checkpoint.iter().filter(|_| self.strip.is_none());
        let checkpoint = checkpoint.map(|file| DiskNeed::checkpoint(file, at_row_end, anywhere));
        spill.chain(checkpoint).collect()
    }

    /// The refusal of these settings, where counts have so many bits; [`CountError::Stopped`] if it was stopped before it
    /// knew what fits.
    pub(super) fn refusal(&self, settings: &Settings, bits: u32, watch: &CountWatch) -> CountError {
        let limit = settings.memory;
        let fits = self.smaller(limit, watch);
        if watch.is_stopped() {
            return CountError::Stopped;
        }
        CountError::Refused(Box::new(CountRefusal {
            board: self.name(),
            ending: self.question.ending.name(),
            peak_states: self.peak_states(),
            bits,
            bytes: self.at_once(bits),
            disk: self.counts(bits),
            bytes_spilling: self.spilling(),
            spills: settings.spill.is_some(),
            limit,
            most: settings.most,
            fits,
        }))
    }

    /// Bytes of memory that are taken while the counts live in files: everything else, and one context a thread.
    pub fn spilling(&self) -> u64 {
        let contexts = self.sweeps.iter().map(|sweep| sweep.layers.largest_contexts()).max().unwrap_or(0);
        self.besides() + 8 * contexts * self.pool.current_num_threads() as u64
    }

    /// The squares of a sweep, if there is such a sweep.
    pub(super) fn squares(&self, sweep: usize) -> Option<usize> {
        self.sweeps.get(sweep).map(|sweep| sweep.order.steps.len())
    }

    /// How far it is when so many squares of a sweep are done.
    fn place(&self, sweep: usize, squares: usize) -> CountPosition {
        let steps = &self.sweeps[sweep].order.steps;
        let rows = steps.get(squares).or(steps.last()).map_or(0, |step| step.row + u32::from(squares == steps.len()));
        let squares = steps[..squares].iter().filter(|step| step.row == rows).count() as u32;
        let all_rows = steps.last().map_or(0, |last| last.row + 1);
        CountPosition { sweep: sweep + 1, sweeps: self.sweeps.len(), rows, squares, all_rows }
    }

    /// How far a count is that has come to this, with so many squares of the pass in work done.
    pub(super) fn reached(&self, progress: &CountProgress, squares: usize) -> CountPosition {
        match self.squares(progress.sweep()) {
            Some(_) => self.place(progress.sweep(), squares),
            // All is done; a question that needs no sweep has no rows either.
            None => self
                .sweeps
                .len()
                .checked_sub(1)
                .map_or(CountPosition::default(), |last| self.place(last, self.sweeps[last].order.steps.len())),
        }
    }

    /// The widest board of the same kind, as long, that fits; or range of boards.
    fn smaller(&self, limit: u64, watch: &CountWatch) -> Option<(String, u64)> {
        let across = self.strip.map_or_else(|| upright(self.question.board).0.cols(), Strip::across);
        let mut taking = (1..across).rev().filter_map(|across| {
            let watch = CountWatch::beside(watch);
            let question = CountQuestion { start: None, ..self.question };
            let plan = match self.strip {
                Some(strip) => CountPlan::of_range(strip.narrowed(across), &question, limit, &watch).ok()?,
                None => {
                    let board = Board::new(upright(question.board).0.rows().into(), across.into()).ok()?;
                    CountPlan::new(&CountQuestion { board, ..question }, limit, &watch).ok()?
                }
            };
            // A board that is plainly without tours is no offer.
            (!plan.sweeps.is_empty()).then(|| (plan.name(), plan.memory(32)))
        });
        taking.find(|&(_, bytes)| bytes <= limit)
    }

    /// Empty meters for the rows of a sweep.
    pub(super) fn meters(&self, sweep: usize) -> Vec<RowMeter> {
        let rows = self.shown.get(sweep).map_or(&[][..], |sweep| &sweep.rows);
        rows.iter().map(|row| RowMeter { planned: row.states, ..RowMeter::default() }).collect()
    }
}

/// Bytes that the plan for so many sweeps over an upright board takes: its steps, and the patterns of as many rows as can
/// differ.
fn planning(question: &CountQuestion, board: Board, sweeps: usize) -> u64 {
    let apex = u32::from(question.ending == Ending::Open);
    let slots = slots(board.cols()) + apex;
    let layer = 3u64.pow(slots) / 16 + ((size_of::<layers::GroupOffset>() as u64) << slots);
    let layers = u64::from(board.rows().min(DIFFERENT_ROWS) * board.cols());
    sweeps as u64 * (layer * layers + STEP_BYTES * u64::from(board.squares()))
}

/// Whether a plan that takes so many bytes may be made.
fn fits(board: String, ending: Ending, bytes: u64, limit: u64) -> Result<(), CountError> {
    let ending = ending.name();
    if bytes > limit { Err(CountError::PlanTooLarge { board, ending, bytes, limit }) } else { Ok(()) }
}
