//! Plans a count: its states, work and memory, and whether it fits.

use super::disk::{self, DiskNeed};
use crate::board::Board;
use crate::count::ask::progress::CountProgress;
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::{CountPosition, Settings};
use crate::count::error::CountError;
use crate::count::pass::gather::SPARSE_SHARE;
use crate::count::pass::stored_layer::most_bytes;
use crate::count::shortage::{MemoryLimit, Shortage};
use crate::count::snapshot::{CountPhase, RowMeter};
use crate::count::states::context::Contexts;
use crate::count::states::layers::{GroupOffset, Layer};
use crate::count::states::matching::matchings;
use crate::count::states::order::{Images, most_slots};
use crate::count::states::sweep::{PlannedSweep, UnplannedSweep, sweeps_of};
use crate::count::states::table::Tables;
use crate::count::watch::CountWatch;
use crate::system;
use crate::test_halt::{self, HaltPoint};
use crate::words;
use std::path::Path;

/// The longest short side that is planned: 18 slots, or 19 with the apex.
const COLS_MAX: u32 = 9;
/// Bytes of a square besides its patterns: its step, and pointers to what it shares with other squares.
const STEP_BYTES: u64 = 256;
/// Bytes of a group of a layer besides its table: its mask, and where its table, its states and its blocks begin.
const GROUP_BYTES: u64 = (size_of::<u32>() + size_of::<usize>() + size_of::<GroupOffset>()) as u64;
/// Estimated number of rows with different layers: the rows until layers repeat, a period of four and more, and the rows near the
/// end.
const DISTINCT_ROWS: u32 = 16;

/// A planned count: nothing has been counted, and the number of states is known.
pub struct CountPlan {
    question: CountQuestion,
    pub(in crate::count) sweeps: Vec<PlannedSweep>,
    summaries: Vec<SweepPlan>,
    pub(in crate::count) pool: rayon::ThreadPool,
}

/// Summary of one sweep over the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweepPlan {
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
    /// Work of its squares, in light states (states of few pairs of ends): see [`MeasuredPace`](crate::count::MeasuredPace).
    pub work: u64,
}

impl SweepPlan {
    fn new(sweep: &PlannedSweep) -> SweepPlan {
        let mut rows: Vec<RowPlan> = Vec::new();
        for (step, layer) in sweep.order.steps.iter().zip(&sweep.layers.layers[1..]) {
            // All squares of a row may be holes.
            while rows.len() <= step.row as usize {
                rows.push(RowPlan { row: rows.len() as u32, ..RowPlan::default() });
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
    /// Checks at once, without planning, that a question can be planned in `memory`.
    ///
    /// # Errors
    /// A question whose parts contradict each other, a board that is too wide, a plan that is too large by itself.
    pub fn check_plannable(question: &CountQuestion, memory: impl Into<MemoryLimit>) -> Result<(), CountError> {
        CountPlan::check_sweeps(question, &sweeps_of(question), Images::OneOfTwo, memory.into())
    }

    /// As [`CountPlan::check_plannable`], by these sweeps, where every state is stored, or one of two mirror images if the sweep
    /// allows it.
    pub(in crate::count) fn check_sweeps(
        question: &CountQuestion,
        sweeps: &[UnplannedSweep],
        images: Images,
        memory: MemoryLimit,
    ) -> Result<(), CountError> {
        question.check()?;
        let cols = question.swept_shape().board().cols();
        if cols > COLS_MAX {
            return Err(CountError::TooWide { cols, max: COLS_MAX });
        }
        let bytes = planning_bytes(question, sweeps, images);
        if bytes <= memory.bytes {
            return Ok(());
        }
        let of = format!("the plan alone of the {} tours of {}", question.ending.name(), question.name());
        Err(Shortage::of_memory(of, bytes, memory, []).into())
    }

    /// Plans a question in `memory`, with as many threads as `watch` has meters.
    ///
    /// # Errors
    /// A question whose parts contradict each other, a board that is too wide, a plan that is too large by itself,
    /// [`CountError::Stopped`].
    pub fn new(
        question: &CountQuestion,
        memory: impl Into<MemoryLimit>,
        watch: &CountWatch,
    ) -> Result<CountPlan, CountError> {
        CountPlan::of_sweeps(question, sweeps_of(question), Images::OneOfTwo, memory.into(), watch)
    }

    /// Plans a question as [`CountPlan::new`] does, by these sweeps, where every state is stored, or one of two mirror images if
    /// the sweep allows it.
    pub(in crate::count) fn of_sweeps(
        question: &CountQuestion,
        sweeps: Vec<UnplannedSweep>,
        images: Images,
        memory: MemoryLimit,
        watch: &CountWatch,
    ) -> Result<CountPlan, CountError> {
        CountPlan::check_sweeps(question, &sweeps, images, memory)?;
        let (question, cols) = (question.clone(), question.swept_shape().board().cols());
        test_halt::reached(HaltPoint::Start);
        // A step has no more contexts than there are sets of ends outside the slots concerned: more threads would have
        // no work.
        let useful = 1usize << most_slots(cols, Images::Both).saturating_sub(4).min(12);
        let pool = system::pool(watch.threads().min(useful)).map_err(CountError::Threads)?;
        let rows = *question.lengths().end();
        watch.update(|now| {
            (now.phase, now.rows, now.squares) = (CountPhase::Planning, rows, question.squares_of(rows) as usize);
        });
        let planned =
            |sweep| pool.install(|| PlannedSweep::new(&question, sweep, images, watch)).ok_or(CountError::Stopped);
        let sweeps = sweeps.into_iter().map(planned).collect::<Result<Vec<_>, _>>()?;
        let summaries = sweeps.iter().map(SweepPlan::new).collect();
        let plan = CountPlan { question, sweeps, summaries, pool };
        watch.update(|now| {
            (now.sweeps, now.states_planned) = (plan.sweeps.len(), plan.states());
            now.by_row = plan.empty_meters(0);
        });
        Ok(plan)
    }

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

    /// Memory of the whole run at most, in bytes, if its widest large layers have counts of 16, 32, 64 or 128 `bits`. For
    /// 64 bits and more the buffer grows, and the old and the new buffer exist together for a while. A range has room for
    /// 64 bits from the start, and no wider counts.
    pub fn memory(&self, bits: u32) -> u64 {
        let outgrown = if bits >= 64 && self.question.range.is_none() { self.count_bytes(bits / 2) } else { 0 };
        self.memory_reserved(bits) + outgrown
    }

    /// Memory of the whole run in bytes, if it has room for counts of `bits` bits from the start.
    pub(in crate::count) fn memory_reserved(&self, bits: u32) -> u64 {
        self.count_bytes(bits) + self.fixed_memory()
    }

    /// Bytes of counts of the two neighbouring layers with the most states.
    pub(in crate::count) fn count_bytes(&self, bits: u32) -> u64 {
        self.sweeps.iter().map(|sweep| sweep.layers.most_neighbours(0)).max().unwrap_or(0) * u64::from(bits / 8)
    }

    /// Bytes of the degree patterns.
    pub(in crate::count) fn pattern_bytes(&self) -> u64 {
        self.sweeps.iter().map(|sweep| sweep.layers.bytes).sum()
    }

    /// Memory besides dense counts, in bytes: patterns, marks, tables, the threads' sums, and sparse layers.
    pub(in crate::count) fn fixed_memory(&self) -> u64 {
        let layers = || self.sweeps.iter().flat_map(|sweep| &sweep.layers.layers);
        let pairs = layers().map(|layer| layer.pairs).max().unwrap_or(0);
        let marks = 2 * layers().map(|layer| layer.blocks()).max().unwrap_or(0);
        let threads = self.pool.current_num_threads() as u64;
        let sums = (matchings(pairs) as u64 + (1 << 14)) * 16 * threads;
        let mirrors = self.sweeps.iter().filter_map(|sweep| sweep.order.mirror);
        let images: u64 = mirrors.map(|mirror| Tables::image_bytes(mirror, pairs)).sum();
        // The allocator holds sparse layers after the layers become dense.
        let sparse = size_of::<(u32, u32)>() as u64 * self.peak_states() / SPARSE_SHARE;
        let tables = Tables::bytes(pairs) + images + threads * Tables::long_bytes(pairs);
        self.pattern_bytes() + marks + sums + tables + sparse
    }

    /// Checks that the count fits in memory and on disk.
    ///
    /// # Errors
    /// [`CountError::Shortage`] with the figures and what would fit, [`CountError::Saved`] for a folder that takes no files,
    /// [`CountError::Stopped`] if the search for a smaller board was stopped.
    pub fn check(&self, settings: &Settings, watch: &CountWatch) -> Result<(), CountError> {
        let bits = self.count_bits(settings)?;
        disk::check_disks(self.disk_needs(settings, bits))?;
        let spills = self.spill_folder(settings, bits).is_some();
        let taken = if spills { self.memory_spilling() } else { self.memory_reserved(bits) };
        if taken > settings.memory { Err(self.refusal(settings, bits, watch)) } else { Ok(()) }
    }

    /// The folder for counts of `bits` bits in files. A context of every thread is in memory then, which may take more than
    /// all counts of a small board: there are no files if the limit allows for the counts, but not for the contexts.
    pub(in crate::count) fn spill_folder<'a>(&self, settings: &'a Settings, bits: u32) -> Option<&'a Path> {
        let memory = || settings.memory.max(self.memory_reserved(bits));
        settings.spill.as_deref().filter(|_| self.memory_spilling() <= memory())
    }

    /// Width of counts in bits that the check assumes; wider numbers are put together from residues.
    pub(in crate::count) fn count_bits(&self, settings: &Settings) -> Result<u32, CountError> {
        let modulus = settings.modulus.map(|prime| self.question.modulo(prime)).transpose()?;
        let largest = settings.primes_below.map(|below| Modulus::Prime(below - 1));
        Ok(modulus.or(largest).and_then(Modulus::bytes).map_or(32, |bytes| 8 * bytes as u32))
    }

    /// Disk space for counts in files and checkpoints at most, in bytes.
    pub fn disk_bytes(&self, settings: &Settings) -> u64 {
        self.disk_needs(settings, 32).iter().map(|need| need.bytes).sum()
    }

    /// What each folder must hold, with counts of `bits` bits.
    fn disk_needs(&self, settings: &Settings, bits: u32) -> Vec<DiskNeed> {
        let file = |layer: &Layer| most_bytes(layer, u64::from(bits / 8));
        let sweeps = || self.sweeps.iter();
        let at_row_end = sweeps().flat_map(PlannedSweep::row_ends).map(file).max().unwrap_or(0);
        let anywhere = sweeps().flat_map(|sweep| &sweep.layers.layers).map(|layer| file(layer)).max().unwrap_or(0);
        let spill =
            self.spill_folder(settings, bits).into_iter().map(|folder| DiskNeed::spill(folder, self.count_bytes(bits)));
        let checkpoint = settings.checkpoint.iter().map(|file| DiskNeed::checkpoint(file, at_row_end, anywhere));
        spill.chain(checkpoint).collect()
    }

    /// The error for settings that are too small for counts of `bits` bits; [`CountError::Stopped`] if the search for a
    /// smaller board was stopped.
    pub(in crate::count) fn refusal(&self, settings: &Settings, bits: u32, watch: &CountWatch) -> CountError {
        let limit = settings.memory_limit();
        let counting = format!("counting the {} tours of {}", self.question.ending.name(), self.question.name());
        let spilling = self.memory_spilling();
        if self.spill_folder(settings, bits).is_some() {
            return Shortage::of_memory(format!("{counting} with its counts in files"), spilling, limit, []).into();
        }
        let smaller =
            self.smaller_board(limit.bytes, watch).map(|(board, bytes)| format!("{board} ({})", words::bytes(bytes)));
        if watch.is_stopped() {
            return CountError::Stopped;
        }
        let states = words::grouped(self.peak_states());
        let of =
            format!("{counting} (up to {states} states after one square, two layers of them, {} bytes each)", bits / 8);
        let disk = words::bytes(self.count_bytes(bits));
        let files = (spilling <= limit.bytes).then(|| format!("--spill DIR, where {disk} of disk are free"));
        Shortage::of_memory(of, self.memory_reserved(bits), limit, smaller.into_iter().chain(files)).into()
    }

    /// Memory in bytes while the counts live in files: all that is not counts, and one context a thread.
    pub fn memory_spilling(&self) -> u64 {
        let contexts = self.sweeps.iter().map(|sweep| Contexts::largest(&sweep.layers)).max().unwrap_or(0);
        self.fixed_memory() + 8 * contexts * self.pool.current_num_threads() as u64
    }

    /// The lengths of the boards that each sweep answers for.
    pub(in crate::count) fn lengths(&self) -> impl Iterator<Item = &[u32]> {
        self.sweeps.iter().map(|sweep| &sweep.lengths[..])
    }

    /// The position of a count with this progress and `squares` squares of the current pass done.
    pub(in crate::count) fn position(&self, progress: &CountProgress, squares: usize) -> CountPosition {
        let Some(last) = self.sweeps.len().checked_sub(1) else { return CountPosition::default() };
        let current = progress.current_sweep(self.lengths());
        let sweep = current.unwrap_or(last);
        let steps = &self.sweeps[sweep].order.steps;
        let squares = current.map_or(steps.len(), |_| squares);
        let rows = steps.get(squares).or(steps.last()).map_or(0, |step| step.row + u32::from(squares == steps.len()));
        let squares = steps[..squares].iter().filter(|step| step.row == rows).count() as u32;
        let all_rows = steps.last().map_or(0, |last| last.row + 1);
        let pass = current.map_or(1, |sweep| progress.passes(sweep) + 1);
        CountPosition { sweep: sweep + 1, sweeps: self.sweeps.len(), pass, rows, squares, all_rows }
    }

    /// Name and memory of the widest smaller board, or range of boards, of the same length that fits in `limit` bytes. None for a
    /// board with holes: a whole board answers another question.
    fn smaller_board(&self, limit: u64, watch: &CountWatch) -> Option<(String, u64)> {
        let swept = Some(self.question.swept_shape()).filter(|shape| !shape.has_holes())?.board();
        let mut candidates = (1..swept.cols()).rev().filter_map(|across| {
            let watch = CountWatch::nested(watch);
            let question = match self.question.range {
                Some(range) => CountQuestion {
                    strict: self.question.strict,
                    ..CountQuestion::of_range(range.with_width(across), self.question.ending)
                },
                None => {
                    let board = Board::new(swept.rows().into(), across.into()).ok()?;
                    CountQuestion { shape: board.into(), start: None, ..self.question }
                }
            };
            let plan = CountPlan::new(&question, limit, &watch).ok()?;
            // A board that cannot have a tour is no offer.
            (!plan.sweeps.is_empty()).then(|| (question.name(), plan.memory(32)))
        });
        candidates.find(|&(_, bytes)| bytes <= limit)
    }

    pub(in crate::count) fn empty_meters(&self, sweep: usize) -> Vec<RowMeter> {
        let rows = self.summaries.get(sweep).map_or(&[][..], |sweep| &sweep.rows);
        rows.iter().map(|row| RowMeter { planned: row.states, ..RowMeter::default() }).collect()
    }
}

/// Estimated bytes of the plan of a question by these sweeps: its steps, and the patterns of the rows that differ.
fn planning_bytes(question: &CountQuestion, sweeps: &[UnplannedSweep], images: Images) -> u64 {
    let shape = question.swept_shape();
    // Rows around each hole may differ.
    let (board, distinct_rows) = (shape.board(), DISTINCT_ROWS.saturating_mul(1 + shape.holes().len() as u32));
    let layers = u64::from(board.rows().min(distinct_rows)) * u64::from(board.cols());
    let sweep = |(_, kind, _): &UnplannedSweep| {
        let (images, apex) = (kind.images(&shape, images), u32::from(kind.apex().is_some()));
        // Of the slots some are spare at any time. They hold no square, so they double a truth table and do not triple it.
        let slots = most_slots(board.cols(), Images::Both) + apex;
        let spare = most_slots(board.cols(), images) + apex - slots;
        // A bit for each pattern with an even number of ends, and the place of each group.
        let both = ((3u64.pow(slots) / 16) << spare) + (GROUP_BYTES << (slots - 1));
        let layer = if images == Images::Both { both } else { both * 5 / 8 };
        layer * layers + STEP_BYTES * u64::from(board.squares())
    };
    sweeps.iter().map(sweep).sum()
}
