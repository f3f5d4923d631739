//! One pass over a sweep: all squares of the board, in order.
//!
//! Counts of a dense step have 16, 32, 64 or 128 bits: `Pass::widths` chooses the narrowest that will probably hold them, and
//! `Pass::step_dense` repeats the step in wider ones where they did not. A pass whose counts outgrow 64 bits goes on in 128, if the
//! driver expects that they hold the number and there is room. Otherwise it goes on modulo 2^64, as does a pass whose counts
//! outgrow 128 bits; further passes modulo primes give the number.

use super::counts::StoreFindings;
use super::dense::{DenseStep, LayerCounts};
use super::gather::{Gather, GroupSource, SPARSE_SHARE, Scratch, SparseGroup};
use super::store::{Buffer, Spill, Store};
use super::stored_layer::PassLayer;
use super::threads::CountThreads;
use crate::count::ask::primes::Divisor;
use crate::count::ask::residues::Modulus;
use crate::count::error::CountError;
use crate::count::states::context::ContextGroups;
use crate::count::states::layers::Layer;
use crate::count::states::sweep::PlannedSweep;
use crate::count::states::table::Tables;
use crate::memory::zeros;
use crate::test_halt::{self, HaltPoint};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Counts rarely grow by more than this factor in a step.
const GROWTH: u128 = 4;
/// A layer with at most this many nonzero counts is stored sparse: places for all its states are not worth their time.
const SPARSE_COUNTS: u64 = 10_000;
/// Bytes of a count for which a pass reserves memory: most counts fit four bytes.
pub const RESERVED_WIDTH: usize = 4;
/// Bytes of the widest counts.
pub const WIDEST: usize = 16;
/// A number that is expected to have at most so many bits is counted in 128: sums on the way may have some bits more.
pub const WIDEST_BITS: u32 = 120;

/// What a pass needs besides its sweep.
pub struct PassResources<'a> {
    pub threads: CountThreads<'a>,
    /// Tables of ranks, shared by all passes.
    pub tables: Tables,
    /// Bytes that dense counts may take, in memory or on disk.
    pub limit: u64,
    /// Folder for counts in files; without one, counts live in memory.
    pub spill: Option<&'a Path>,
    /// Largest number of nonzero counts at which a layer is stored sparse in any case.
    pub sparse_counts: u64,
    /// Factor by which counts are expected to grow in a step.
    pub growth: u128,
    /// Bytes of a count for which a pass reserves memory when it begins, unless it is modulo a prime.
    pub reserved_width: usize,
    /// Counts of an exact pass that outgrow 64 bits go on in 128, if the number is expected to have at most so many bits.
    pub widest_bits: u32,
}

impl<'a> PassResources<'a> {
    /// Passes by these threads whose dense counts take at most `limit` bytes of memory.
    pub fn new(threads: CountThreads<'a>, limit: u64) -> PassResources<'a> {
        PassResources {
            threads,
            tables: Tables::new(),
            limit,
            spill: None,
            sparse_counts: SPARSE_COUNTS,
            growth: GROWTH,
            reserved_width: RESERVED_WIDTH,
            widest_bits: 0,
        }
    }
}

/// Why a pass ended without a number.
#[derive(Debug)]
pub enum PassHalt {
    /// The counts need more bits than there is memory for: passes modulo primes are the way out.
    TooLarge,
    /// The run was stopped.
    Stopped,
    /// A file could not be read or written, or memory was refused.
    Failed(CountError),
}

/// A pass, after some number of squares.
pub struct Pass<'a> {
    pub sweep: &'a PlannedSweep,
    resources: &'a PassResources<'a>,
    /// Where the counts live, if they are dense.
    pub store: Store,
    /// The position and the counts of the pass.
    pub state: PassState,
}

/// The state of a pass, from which it can be resumed; dense counts are in a [`Store`].
pub struct PassState {
    /// The modulus: [`Modulus::None`] becomes [`Modulus::TwoTo64`] when counts outgrow the widest counts.
    pub modulus: Modulus,
    /// Number of squares done.
    pub at: usize,
    /// The counts after the last square that is done.
    pub counts: LayerCounts,
    /// The largest of the counts, and how many are nonzero.
    pub findings: StoreFindings,
    /// The widest counts so far, in bytes; of sparse counts, which have four, those that they need.
    pub widest: usize,
    /// The numbers of the sweep by the rows of the board, until the caller of [`Pass::run_to`] takes them: those of a range as
    /// far as they are summed, that of a single board after its last square. The sums are not reduced by the modulus.
    pub closed_tours: BTreeMap<u32, u128>,
}

impl PassState {
    /// The state before the first square: one empty board.
    pub fn new(sweep: &PlannedSweep, modulus: Modulus) -> PassState {
        // The plan of a board without tours has no patterns.
        let patterns = sweep.layers.layers[0].set.masks().len();
        let first = vec![SparseGroup { ends: vec![1], counts: vec![(0, 1)] }; patterns];
        let (counts, findings) = (LayerCounts::Sparse(first), StoreFindings { largest: 1, nonzero: 1 });
        PassState { modulus, at: 0, counts, findings, widest: 2, closed_tours: BTreeMap::new() }
    }

    /// The number of the sweep modulo the pass's modulus, after the last square.
    pub fn number(&self) -> u128 {
        // At most one pattern with one matching is left: the largest count is the only one. It was not cut yet.
        let number = self.findings.largest;
        if self.modulus == Modulus::TwoTo64 { (number as u64).into() } else { number }
    }
}

impl<'a> Pass<'a> {
    /// A pass before its first square, with its memory or its files.
    ///
    /// Fails if the folder takes no files or the memory is refused.
    pub fn new(
        sweep: &'a PlannedSweep,
        modulus: Modulus,
        resources: &'a PassResources<'a>,
    ) -> Result<Pass<'a>, PassHalt> {
        let store = match resources.spill {
            Some(folder) => Store::Files(Spill::new(folder).map_err(|error| failed(folder, error))?),
            None => {
                // Sized once, mostly for counts of 32 bits: memory that is never written to costs nothing.
                let mut buffer = Buffer::default();
                let bytes = modulus.bytes().unwrap_or(resources.reserved_width);
                let room = buffer.reserve(0, bytes * sweep.layers.most_neighbours(0) as usize, 0);
                room.map_err(|refused| PassHalt::Failed(refused.into()))?;
                Store::Memory(buffer)
            }
        };
        Ok(Pass { sweep, resources, store, state: PassState::new(sweep, modulus) })
    }

    /// Runs to the end, and calls `row_done` after each row. Returns the number of the sweep modulo the pass's modulus;
    /// with [`Modulus::None`], the number itself.
    pub fn run(&mut self, row_done: impl FnMut(&mut Pass<'a>)) -> Result<u128, PassHalt> {
        self.run_to(self.sweep.order.steps.len(), row_done)?;
        Ok(self.state.number())
    }

    /// Runs until `squares` squares are done, and calls `row_done` after each row.
    pub fn run_to(&mut self, squares: usize, mut row_done: impl FnMut(&mut Pass<'a>)) -> Result<(), PassHalt> {
        let steps = &self.sweep.order.steps;
        while self.state.at < squares {
            self.step()?;
            let at = self.state.at;
            if self.sweep.order.reads_tours(at) {
                self.record_closed_tours()?;
            } else if at == steps.len() {
                self.state.closed_tours.insert(steps[at - 1].row + 1, self.state.number());
            }
            if steps.get(at).is_none_or(|next| next.row != steps[at - 1].row) {
                test_halt::reached(HaltPoint::Row);
                row_done(self);
            }
        }
        Ok(())
    }

    /// Adds the tours that the last step has closed to those of their boards, and clears them: they lead to no later
    /// state.
    fn record_closed_tours(&mut self) -> Result<(), PassHalt> {
        let (step, layer) = (&self.sweep.order.steps[self.state.at - 1], &self.sweep.layers.layers[self.state.at]);
        for closed in &step.closed_patterns {
            let block = layer.set.closed_block(closed.twos);
            let count = block.map_or(Ok(0), |block| self.closed_count(layer, block))?;
            *self.state.closed_tours.entry(step.row + closed.rows).or_default() += u128::from(count);
        }
        match &mut self.state.counts {
            _ if layer.set.place(0).is_none() => {}
            LayerCounts::Sparse(groups) => {
                groups[0] = SparseGroup { ends: vec![0; groups[0].ends.len()], counts: Vec::new() }
            }
            LayerCounts::Dense { marks, .. } => marks[..layer.offsets[1].block as usize].fill(false),
        }
        Ok(())
    }

    /// The count of a pattern without ends. It has one state, and such patterns come first in a layer.
    fn closed_count(&self, layer: &Layer, block: usize) -> Result<u64, PassHalt> {
        match &self.state.counts {
            LayerCounts::Sparse(groups) => Ok(groups[0].block(block).first().map_or(0, |&(_, count)| count.into())),
            LayerCounts::Dense { marks, .. } if !marks[block] => Ok(0),
            &LayerCounts::Dense { bytes, .. } => {
                let mut count = [0; 8];
                let first = if cfg!(target_endian = "big") { 8 - bytes } else { 0 };
                let read = &mut count[first..first + bytes];
                let read = self.store.read((bytes * block) as u64, read, bytes * layer.states() as usize);
                read.map_err(|error| self.failed(error))?;
                Ok(u64::from_ne_bytes(count))
            }
        }
    }

    /// The layer at which the pass stands.
    pub fn layer(&self) -> PassLayer<'_> {
        PassLayer { layer: &self.sweep.layers.layers[self.state.at], counts: &self.state.counts, store: &self.store }
    }

    /// Processes the next square.
    pub fn step(&mut self) -> Result<(), PassHalt> {
        let (layers, at) = (&self.sweep.layers, self.state.at);
        let gather = Gather {
            groups: &layers.groups,
            before: &layers.layers[at],
            after: &layers.layers[at + 1],
            rules: &layers.rules[at],
            tables: &self.resources.tables,
            most_terms: self.state.modulus.most_terms(),
            images: None,
        };
        let (counts, found) = match self.step_sparse(&gather)? {
            Some((counts, found)) => {
                // Sparse counts have 32 bits, and a dense step notes the width that it chose.
                let bytes = if found.largest >> 16 == 0 { 2 } else { 4 };
                self.state.widest = self.state.widest.max(bytes);
                (counts, found)
            }
            None => self.step_dense(&gather)?,
        };
        (self.state.counts, self.state.findings) = (counts, found);
        self.state.at += 1;
        self.resources.threads.watch.end_step(gather.after.states(), found.nonzero, found.largest);
        Ok(())
    }

    /// A step that stores nonzero counts only. Returns nothing if there are too many, or if a count outgrows 32 bits.
    fn step_sparse(&self, gather: &Gather<'_>) -> Result<Option<(LayerCounts, StoreFindings)>, PassHalt> {
        let LayerCounts::Sparse(before) = &self.state.counts else { return Ok(None) };
        let few = self.resources.sparse_counts.max(gather.before.states() / SPARSE_SHARE);
        if self.state.findings.nonzero > few {
            return Ok(None);
        }
        self.show_step(32, true);
        let mut after = vec![SparseGroup::default(); gather.after.offsets.len() - 1];
        let mut found = self.gather_sparse(gather, before, &mut after)?;
        if let Some(halving) = gather.after.stored.halving().filter(|_| found.largest >> 32 == 0) {
            let images = Gather { images: Some(halving), ..*gather };
            found = self.gather_sparse(&images, before, &mut after)?;
        }
        Ok((found.largest >> 32 == 0).then_some((LayerCounts::Sparse(after), found)))
    }

    /// One part of a sparse step.
    fn gather_sparse(
        &self,
        gather: &Gather<'_>,
        before: &[SparseGroup],
        after: &mut [SparseGroup],
    ) -> Result<StoreFindings, PassHalt> {
        let sources: Vec<GroupSource<'_, u32>> = before.iter().map(GroupSource::Sparse).collect();
        let targets = after.iter_mut().collect();
        let scratch = || Scratch::<u64>::sparse(gather.after.pairs);
        let kernel = |context: ContextGroups<'_>, sources: &[_], targets: &mut [_], scratch: &mut _| {
            Ok(match self.state.modulus {
                Modulus::Prime(prime) => {
                    let divisor = Divisor::new(prime);
                    gather.gather_sparse(context, sources, targets, scratch, |sum| divisor.remainder(sum))
                }
                _ => gather.gather_sparse(context, sources, targets, scratch, |sum| sum),
            })
        };
        self.or_halt(self.resources.threads.for_each_context(gather, &sources, targets, scratch, kernel))
    }

    /// A step that stores a count for every state.
    fn step_dense(&mut self, gather: &Gather<'_>) -> Result<(LayerCounts, StoreFindings), PassHalt> {
        let (widths, before) = (self.widths(gather)?, self.state.counts.bytes());
        let widest = widths.iter().fold(8, |widest, &bytes| widest.max(bytes));
        for bytes in widths {
            let from = before * gather.before.states() as usize;
            let to = bytes * gather.after.states() as usize;
            let ahead = self.ahead(bytes);
            match self.resources.threads.pool.install(|| self.store.reserve(from, to, ahead)) {
                Ok(()) => {}
                // The caller can still count in narrower counts, modulo primes.
                Err(error) if error.kind() == io::ErrorKind::OutOfMemory && self.state.modulus == Modulus::None => {
                    return Err(PassHalt::TooLarge);
                }
                Err(error) => return Err(self.failed(error)),
            }
            if bytes < before {
                self.state.modulus = Modulus::TwoTo64;
            }
            self.show_step(8 * bytes as u32, false);
            let mut marks = zeros::<bool>(gather.after.blocks() as usize);
            let PassState { counts, findings: found, modulus, .. } = &self.state;
            let (largest, modulus, crew) = (found.largest, *modulus, &self.resources.threads);
            let found =
                DenseStep { gather, counts, largest, modulus, threads: crew }.run(&mut self.store, bytes, &mut marks);
            let found = self.or_halt(found)?;
            if found.outgrow(bytes) {
                if bytes < widest {
                    continue;
                }
                self.state.modulus = Modulus::TwoTo64;
            }
            self.state.widest = self.state.widest.max(bytes);
            self.store.swap().map_err(|error| self.failed(error))?;
            return Ok((LayerCounts::Dense { bytes, marks }, found));
        }
        Err(PassHalt::TooLarge)
    }

    /// The bytes that two neighbouring layers from this one on have at most, in counts so wide; 0 where there is no memory for all
    /// of them beside what is taken.
    fn ahead(&self, bytes: usize) -> u64 {
        let most = bytes as u64 * self.sweep.layers.most_neighbours(self.state.at);
        if most.saturating_add(self.store.taken()) <= self.resources.limit { most } else { 0 }
    }

    /// The widths to try, in bytes, narrowest first, for which there is room. It is 8 alone for counts of 128 bits that are to be cut
    /// to 64.
    fn widths(&self, gather: &Gather<'_>) -> Result<Vec<usize>, PassHalt> {
        let before = self.state.counts.bytes();
        let (from, to) = (before * gather.before.states() as usize, gather.after.states() as usize);
        let remainder = self.state.modulus.bytes();
        let allowed = |bytes: &usize| remainder.map_or(*bytes >= before.min(8), |remainder| *bytes == remainder);
        let fits = |bytes: &usize| self.store.fits(from, bytes * to, self.resources.limit);
        let widths: Vec<usize> = [2, 4, 8].into_iter().filter(allowed).filter(fits).collect();
        // A width that the counts would soon outgrow is left out, unless the next one has no room: the width may just
        // be enough.
        let holds =
            |bytes: &usize| self.state.findings.largest.saturating_mul(self.resources.growth) >> (8 * bytes) == 0;
        let last = widths.len().checked_sub(1).ok_or(PassHalt::TooLarge)?;
        let first = widths.iter().position(|bytes| remainder.is_some() || holds(bytes)).unwrap_or(last);
        let wide = Some(WIDEST).filter(|bytes| self.goes_wide(gather) && fits(bytes));
        let narrow = if wide == Some(before) { &[] } else { &widths[first..] };
        Ok(narrow.iter().copied().chain(wide).collect())
    }

    /// Whether counts that outgrow 64 bits are to have 128. The number is estimated: with every square, counts grow by about as many
    /// bits. Counts of 128 bits stay as wide while no sum can outgrow them.
    fn goes_wide(&self, gather: &Gather<'_>) -> bool {
        let (largest, most, steps) =
            (self.state.findings.largest, self.resources.widest_bits, self.sweep.order.steps.len());
        let bits = u128::BITS - largest.leading_zeros();
        match (self.state.modulus, self.state.counts.bytes()) {
            (Modulus::None, 8) => bits as usize * steps <= most as usize * self.state.at,
            (Modulus::None, WIDEST) => most > 0 && gather.largest_sum(largest) < u128::MAX,
            _ => false,
        }
    }

    fn or_halt(&self, found: io::Result<Option<StoreFindings>>) -> Result<StoreFindings, PassHalt> {
        found.map_err(|error| self.failed(error))?.ok_or(PassHalt::Stopped)
    }

    fn failed(&self, error: io::Error) -> PassHalt {
        match &self.store {
            Store::Files(spill) => failed(&spill.folder, error),
            Store::Memory(_) => failed(Path::new("memory"), error),
        }
    }

    /// Shows the step that begins.
    fn show_step(&self, bits: u32, sparse: bool) {
        let at = self.state.at;
        let (memory, files) = match &self.store {
            Store::Memory(buffer) => (buffer.bytes(), 0),
            Store::Files(spill) => (0, spill.bytes()),
        };
        self.resources.threads.watch.begin_step(|now| {
            (now.row, now.bits, now.sparse, now.square) = (self.sweep.order.steps[at].row, bits, sparse, at);
            (now.modulus, now.buffer_bytes, now.spilled_bytes) = (self.state.modulus, memory, files);
        });
    }
}

fn failed(path: &Path, source: io::Error) -> PassHalt {
    PassHalt::Failed(CountError::file(path, source))
}
