//! What a count will take: states, work, memory, time; and whether it fits.

use super::disk::{self, Need};
use super::error::{CountError, Refusal};
use super::gather::SPARSE_SHARE;
use super::layers::{self, Layer};
use super::matching::matchings;
use super::order::{slots, upright};
use super::progress::Progress;
use super::question::Question;
use super::residues::Modulus;
use super::settings::{Place, Settings};
use super::sweep::{Sweep, sweeps_for};
use super::table::Tables;
use super::watch::{Phase, RowMeter, Watch};
use crate::board::{Board, Ending};

/// The longest short side that is planned: 18 slots, or 19 with the apex.
const COLS_MAX: u32 = 9;
/// What a square takes besides patterns: its step, and pointers to what it shares with others.
const STEP_BYTES: u64 = 256;
/// Rows whose layers differ, about: until they repeat, a period of two, and those that look ahead to the end.
const DIFFERENT_ROWS: u32 = 12;

/// A count, planned: nothing has been counted, and every state is known.
pub struct Plan {
    question: Question,
    pub(super) sweeps: Vec<(Sweep, u32)>,
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
}

impl SweepPlan {
    fn new(sweep: &Sweep) -> SweepPlan {
        let mut rows: Vec<RowPlan> = Vec::new();
        for (step, layer) in sweep.order.steps.iter().zip(&sweep.layers.layers[1..]) {
            if rows.len() <= step.row as usize {
                rows.push(RowPlan { row: step.row, ..RowPlan::default() });
            }
            let Some(row) = rows.last_mut() else { continue };
            row.states += layer.states();
            if layer.states() >= row.peak {
                (row.peak, row.patterns) = (layer.states(), layer.blocks());
            }
        }
        SweepPlan { name: sweep.name, rows }
    }
}

impl Plan {
    /// Whether a question can be planned in so many bytes of memory; answered at once.
    ///
    /// # Errors
    /// A question whose parts do not go together, a board that is too wide, a plan that is too large by itself.
    pub fn can_be_made(question: &Question, memory: u64) -> Result<(), CountError> {
        question.check()?;
        let (board, _) = upright(question.board);
        if board.cols() > COLS_MAX {
            return Err(CountError::TooWide { cols: board.cols(), max: COLS_MAX });
        }
        let bytes = planning(question, board);
        if bytes > memory {
            let (board, ending) = (question.board, question.ending.name());
            return Err(CountError::PlanTooLarge { board, ending, bytes, limit: memory });
        }
        Ok(())
    }

    /// Plans the answer to a question, in so many bytes of memory, by as many threads as `watch` has meters.
    ///
    /// # Errors
    /// A question whose parts do not go together, a board that is too wide or whose plan alone is too large,
    /// [`CountError::Stopped`].
    pub fn new(question: &Question, memory: u64, watch: &Watch) -> Result<Plan, CountError> {
        Plan::can_be_made(question, memory)?;
        let (board, _) = upright(question.board);
        // A step has no more contexts to work on than there are sets of ends outside of the slots concerned.
        let useful = 1usize << slots(board).saturating_sub(4).min(12);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(watch.threads().min(useful)).build();
        let pool = pool.map_err(|error| CountError::Threads(error.to_string()))?;
        watch.show(|now| {
            (now.phase, now.rows, now.squares) = (Phase::Planning, board.rows(), board.squares() as usize);
        });
        let sweep = |(name, kind, times)| {
            let sweep = pool.install(|| Sweep::new(question.board, name, kind, watch));
            sweep.map(|sweep| (sweep, times)).ok_or(CountError::Stopped)
        };
        let sweeps = sweeps_for(question).into_iter().map(sweep).collect::<Result<Vec<_>, _>>()?;
        let shown = sweeps.iter().map(|(sweep, _)| SweepPlan::new(sweep)).collect();
        let plan = Plan { question: *question, sweeps, shown, pool };
        watch.show(|now| {
            (now.sweeps, now.states_planned) = (plan.sweeps.len(), plan.states());
            now.by_row = plan.meters(0);
        });
        Ok(plan)
    }

    /// The question.
    pub fn question(&self) -> &Question {
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
    /// the buffer is grown, and both it and the one before are there for a while.
    pub fn memory(&self, bits: u32) -> u64 {
        let outgrown = if bits == 64 { self.counts(32) } else { 0 };
        self.counts(bits) + outgrown + self.besides()
    }

    /// Bytes of layers of which only what is not zero is kept, while they are, and with the allocator afterwards.
    fn sparse(&self) -> u64 {
        size_of::<(u32, u32)>() as u64 * self.peak_states() / SPARSE_SHARE
    }

    /// Bytes of counts: of the two neighbouring layers that have the most.
    pub(super) fn counts(&self, bits: u32) -> u64 {
        self.sweeps.iter().map(|(sweep, _)| sweep.layers.most_neighbours()).max().unwrap_or(0) * u64::from(bits / 8)
    }

    /// Bytes of the patterns.
    pub(super) fn patterns(&self) -> u64 {
        self.sweeps.iter().map(|(sweep, _)| sweep.layers.bytes()).sum()
    }

    /// Bytes of everything else: patterns, tables, the threads' sums, and what is sparse.
    pub(super) fn besides(&self) -> u64 {
        let layers = self.sweeps.iter().flat_map(|(sweep, _)| &sweep.layers.layers);
        let pairs = layers.map(|layer| layer.pairs).max().unwrap_or(0);
        let marks = 2 * self.sweeps.iter().map(|(sweep, _)| sweep.layers.most_blocks()).max().unwrap_or(0);
        let sums = (matchings(pairs) as u64 + (1 << 14)) * 16 * self.pool.current_num_threads() as u64;
        let threads = self.pool.current_num_threads() as u64;
        self.patterns() + marks + sums + Tables::bytes(pairs) + threads * Tables::long_bytes(pairs) + self.sparse()
    }

    /// Whether the count may begin.
    ///
    /// # Errors
    /// [`CountError::Refused`] with the figures, and what would fit; a folder for files that is not there.
    pub fn check(&self, settings: &Settings) -> Result<(), CountError> {
        let modulus = settings.modulus.map(|prime| self.question.modulo(prime)).transpose()?;
        let bits = modulus.and_then(Modulus::bytes).map_or(32, |bytes| 8 * bytes as u32);
        disk::check(self.needs(settings, bits))?;
        let taken = if settings.spill.is_some() { self.spilling() } else { self.memory(bits) };
        if taken > settings.memory { Err(self.refusal(settings, bits)) } else { Ok(()) }
    }

    /// Bytes that disks have to take, at most: counts in files, and checkpoints.
    pub fn disk(&self, settings: &Settings) -> u64 {
        self.needs(settings, 32).iter().map(Need::bytes).sum()
    }

    /// What disks have to take, with counts of so many bits.
    fn needs(&self, settings: &Settings, bits: u32) -> Vec<Need> {
        let file = |layer: &Layer| layer.states() * u64::from(bits / 8) + layer.blocks();
        let sweeps = || self.sweeps.iter().map(|(sweep, _)| sweep);
        let at_row_end = sweeps().flat_map(Sweep::row_ends).map(file).max().unwrap_or(0);
        let anywhere = sweeps().flat_map(|sweep| &sweep.layers.layers).map(|layer| file(layer)).max().unwrap_or(0);
        let spill = settings.spill.iter().map(|folder| Need::spill(folder, self.counts(bits)));
        let checkpoint = settings.checkpoint.iter().map(|file| Need::checkpoint(file, at_row_end, anywhere));
        spill.chain(checkpoint).collect()
    }

    /// The refusal of these settings, where counts have so many bits.
    pub(super) fn refusal(&self, settings: &Settings, bits: u32) -> CountError {
        let limit = settings.memory;
        CountError::Refused(Box::new(Refusal {
            board: self.question.board,
            ending: self.question.ending.name(),
            peak_states: self.peak_states(),
            bits,
            bytes: self.memory(bits),
            disk: self.counts(bits),
            bytes_spilling: self.spilling(),
            spills: settings.spill.is_some(),
            limit,
            most: settings.most,
            fits: self.smaller(limit),
        }))
    }

    /// Bytes of memory that are taken while the counts live in files: everything else, and one context a thread.
    pub fn spilling(&self) -> u64 {
        let contexts = self.sweeps.iter().map(|(sweep, _)| sweep.layers.largest_contexts()).max().unwrap_or(0);
        self.besides() + 8 * contexts * self.pool.current_num_threads() as u64
    }

    /// The squares of a sweep, if there is such a sweep.
    pub(super) fn squares(&self, sweep: usize) -> Option<usize> {
        self.sweeps.get(sweep).map(|(sweep, _)| sweep.order.steps.len())
    }

    /// How far it is when so many squares of a sweep are done.
    fn place(&self, sweep: usize, squares: usize) -> Place {
        let steps = &self.sweeps[sweep].0.order.steps;
        let rows = steps.get(squares).or(steps.last()).map_or(0, |step| step.row + u32::from(squares == steps.len()));
        let squares = steps[..squares].iter().filter(|step| step.row == rows).count() as u32;
        let all_rows = steps.last().map_or(0, |last| last.row + 1);
        Place { sweep: sweep + 1, sweeps: self.sweeps.len(), rows, squares, all_rows }
    }

    /// How far a count is that has come to this, with so many squares of the pass in work done.
    pub(super) fn reached(&self, progress: &Progress, squares: usize) -> Place {
        match self.squares(progress.sweep()) {
            Some(_) => self.place(progress.sweep(), squares),
            // All is done; a question that needs no sweep has no rows either.
            None => self
                .sweeps
                .len()
                .checked_sub(1)
                .map_or(Place::default(), |last| self.place(last, self.sweeps[last].0.order.steps.len())),
        }
    }

    /// The widest board of the same kind, as long, that fits.
    fn smaller(&self, limit: u64) -> Option<(Board, u64)> {
        let (board, _) = upright(self.question.board);
        let narrower = (1..board.cols()).rev().filter_map(|cols| Board::new(board.rows().into(), cols.into()).ok());
        let mut taking = narrower.filter_map(|board| {
            let question = Question { board, start: None, ..self.question };
            let plan = Plan::new(&question, limit, &Watch::new(self.pool.current_num_threads())).ok()?;
            // A board that is plainly without tours is no offer.
            (!plan.sweeps.is_empty()).then(|| (board, plan.memory(32)))
        });
        taking.find(|&(_, bytes)| bytes <= limit)
    }

    /// Empty meters for the rows of a sweep.
    pub(super) fn meters(&self, sweep: usize) -> Vec<RowMeter> {
        let rows = self.shown.get(sweep).map_or(&[][..], |sweep| &sweep.rows);
        rows.iter().map(|row| RowMeter { planned: row.states, ..RowMeter::default() }).collect()
    }
}

/// Bytes that the plan for an upright board takes: its steps, and the patterns of as many rows as can differ.
fn planning(question: &Question, board: Board) -> u64 {
    let apex = u32::from(question.ending == Ending::Open);
    let slots = slots(board) + apex;
    let layer = 3u64.pow(slots) / 16 + ((size_of::<layers::Place>() as u64) << slots);
    let layers = u64::from(board.rows().min(DIFFERENT_ROWS) * board.cols());
    let sweeps = sweeps_for(question).len() as u64;
    sweeps * (layer * layers + STEP_BYTES * u64::from(board.squares()))
}
