//! One pass over the board: every square in its turn.

use super::buffer::Buffer;
use super::dense::{DenseStep, LayerCounts, Store};
use super::error::CountError;
use super::gather::{Gather, GroupSource, SPARSE_SHARE, Scratch, SparseGroup, StoreFindings};
use super::layers::Layer;
use super::primes::Divisor;
use super::residues::Modulus;
use super::spill::Spill;
use super::sweep::PlannedSweep;
use super::table::Tables;
use super::threads::CountThreads;
use crate::memory::zeros;
use crate::test_halt::{self, HaltPoint};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Counts seldom grow more than so many times in a step.
pub(super) const GROWTH: u128 = 4;
/// Fewer counts than this are not worth places for all states.
pub(super) const SPARSE_COUNTS: u64 = 10_000;
/// Most counts fit four bytes.
pub(super) const ROOM: usize = 4;

/// What a pass needs besides the sweep.
pub(super) struct PassResources<'a> {
    /// The threads.
    pub(super) crew: CountThreads<'a>,
    /// Tables made by earlier passes.
    pub(super) tables: Tables,
    /// Bytes that dense counts may take, in memory or on disk.
    pub(super) limit: u64,
    /// Where counts live in files, if they do.
    pub(super) spill: Option<&'a Path>,
    /// Layers with no more counts than this that are not zero are kept sparse in any case.
    pub(super) sparse_counts: u64,
    /// How much counts are taken to grow in a step.
    pub(super) growth: u128,
    /// Bytes of the counts that a pass has room for from its beginning, if it is not modulo a prime.
    pub(super) room: usize,
}

/// Why a pass did not end with a number.
#[derive(Debug)]
pub(super) enum PassHalt {
    /// Wider counts are wanted, and there is no memory for them: primes are left.
    TooLarge,
    /// It was asked to stop.
    Stopped,
    /// A file could not be read or written.
    Failed(CountError),
}

/// A pass at some square.
pub(super) struct Pass<'a> {
    /// What is counted.
    pub(super) sweep: &'a PlannedSweep,
    means: &'a PassResources<'a>,
    /// Where the counts are, if they are dense.
    pub(super) store: Store,
    /// Where it is.
    pub(super) state: PassState,
}

/// All that a pass must know to go on, besides counts that are in a store.
pub(super) struct PassState {
    /// What it counts modulo: [`Modulus::None`] becomes [`Modulus::TwoTo64`] when counts outgrow 64 bits.
    pub(super) modulus: Modulus,
    /// Squares done.
    pub(super) at: usize,
    /// The counts after them.
    pub(super) counts: LayerCounts,
    /// What is known of these.
    pub(super) found: StoreFindings,
    /// The widest counts so far, in bytes.
    pub(super) widest: usize,
    /// Of a strip, by the rows of a board in work: its tours that were closed so far, modulo the modulus or what is more.
    pub(super) closed: BTreeMap<u32, u128>,
}

impl PassState {
    /// Before the first square: one empty board.
    pub(super) fn new(sweep: &PlannedSweep, modulus: Modulus) -> PassState {
        let mut first = vec![SparseGroup::default(); 1 << sweep.layers.groups.slots];
        first[0] = SparseGroup { ends: vec![1], counts: vec![(0, 1)] };
        let found = StoreFindings { largest: 1, nonzero: 1 };
        PassState { modulus, at: 0, counts: LayerCounts::Sparse(first), found, widest: 2, closed: BTreeMap::new() }
    }
}

impl<'a> Pass<'a> {
    /// A pass that has not begun.
    ///
    /// # Errors
    /// When there can be no files where counts are to live, or no memory.
    pub(super) fn new(
        sweep: &'a PlannedSweep,
        modulus: Modulus,
        means: &'a PassResources<'a>,
    ) -> Result<Pass<'a>, PassHalt> {
        let store = match means.spill {
            Some(folder) => Store::Files(Spill::new(folder).map_err(|error| failed(folder, error))?),
            None => {
                // Sized once, mostly for counts of 32 bits: memory that is never written to costs nothing.
                let mut buffer = Buffer::default();
                let bytes = modulus.bytes().unwrap_or(means.room);
                let room = buffer.reserve(0, bytes * sweep.layers.most_neighbours() as usize);
                room.map_err(|refused| PassHalt::Failed(refused.into()))?;
                Store::Memory(buffer)
            }
        };
        Ok(Pass { sweep, means, store, state: PassState::new(sweep, modulus) })
    }

    /// Goes on to the end; `row_done` is called when a row is finished. The answer modulo the modulus: if that is
    /// [`Modulus::None`], the answer itself.
    ///
    /// # Errors
    /// [`PassHalt`].
    pub(super) fn run(&mut self, row_done: impl FnMut(&mut Pass<'a>)) -> Result<u64, PassHalt> {
        self.run_to(self.sweep.order.steps.len(), row_done)?;
        // One pattern with one matching is left, if any: the largest count is the only one.
        Ok(self.state.found.largest as u64)
    }

    /// Goes on until so many squares are done.
    ///
    /// # Errors
    /// [`PassHalt`].
    pub(super) fn run_to(&mut self, squares: usize, mut row_done: impl FnMut(&mut Pass<'a>)) -> Result<(), PassHalt> {
        let steps = &self.sweep.order.steps;
        while self.state.at < squares {
            self.step()?;
            if self.sweep.order.is_strip {
                self.take_closed()?;
            }
            let at = self.state.at;
            if steps.get(at).is_none_or(|next| next.row != steps[at - 1].row) {
                test_halt::reached(HaltPoint::Row);
                row_done(self);
            }
        }
        Ok(())
    }

    /// Adds the tours that the last step has closed to those of their boards. They lead nowhere from here.
    fn take_closed(&mut self) -> Result<(), PassHalt> {
        let (step, layer) = (&self.sweep.order.steps[self.state.at - 1], &self.sweep.layers.layers[self.state.at]);
        for closed in &step.closed {
            let block = self.sweep.layers.groups.closed_block(&layer.set, closed.twos);
            let count = block.map_or(Ok(0), |block| self.closed_count(layer, block))?;
            *self.state.closed.entry(step.row + closed.rows).or_default() += u128::from(count);
        }
        match &mut self.state.counts {
            LayerCounts::Sparse(groups) => {
                groups[0] = SparseGroup { ends: vec![0; groups[0].ends.len()], counts: Vec::new() }
            }
            LayerCounts::Dense { marks, .. } => marks[..layer.places[1].block as usize].fill(false),
        }
        Ok(())
    }

    /// The count of a pattern without ends, which has one state: such patterns come first.
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

    /// Processes the next square.
    ///
    /// # Errors
    /// [`PassHalt`].
    pub(super) fn step(&mut self) -> Result<(), PassHalt> {
        let (layers, at) = (&self.sweep.layers, self.state.at);
        let gather = Gather {
            groups: &layers.groups,
            before: &layers.layers[at],
            after: &layers.layers[at + 1],
            rules: &layers.rules[at],
            tables: &self.means.tables,
        };
        let (counts, found) = match self.step_sparse(&gather)? {
            Some(done) => done,
            None => self.step_dense(&gather)?,
        };
        (self.state.counts, self.state.found) = (counts, found);
        self.state.at += 1;
        self.means.crew.watch.step_ends(gather.after.states(), found.nonzero, found.largest);
        Ok(())
    }

    /// A step that keeps what is not zero; nothing if there is too much of that, or a count outgrows 32 bits.
    fn step_sparse(&self, gather: &Gather<'_>) -> Result<Option<(LayerCounts, StoreFindings)>, PassHalt> {
        let LayerCounts::Sparse(before) = &self.state.counts else { return Ok(None) };
        let few = self.means.sparse_counts.max(gather.before.states() / SPARSE_SHARE);
        if self.state.found.nonzero > few {
            return Ok(None);
        }
        self.begin(32, true);
        let sources = before.iter().map(GroupSource::<u32>::Sparse).collect();
        let mut after = vec![SparseGroup::default(); before.len()];
        let targets = after.iter_mut().map(Some).collect();
        let scratch = || Scratch::<u64>::new(gather.after.pairs);
        let kernel = |context, sources: &mut [_], targets: &mut [_], scratch: &mut _| {
            Ok(match self.state.modulus {
                Modulus::Prime(prime) => {
                    let divisor = Divisor::new(prime);
                    gather.context_sparse(context, sources, targets, scratch, |sum| divisor.remainder(sum))
                }
                _ => gather.context_sparse(context, sources, targets, scratch, |sum| sum),
            })
        };
        let found = self.means.crew.each_context(gather, sources, targets, scratch, kernel);
        let found = self.halted(found)?;
        Ok((found.largest >> 32 == 0).then_some((LayerCounts::Sparse(after), found)))
    }

    /// A step that stores every state.
    fn step_dense(&mut self, gather: &Gather<'_>) -> Result<(LayerCounts, StoreFindings), PassHalt> {
        for bytes in self.widths(gather)? {
            let from = self.state.counts.bytes() * gather.before.states() as usize;
            let to = bytes * gather.after.states() as usize;
            match self.means.crew.pool.install(|| self.store.reserve(from, to)) {
                Ok(()) => {}
                // It may count on all the same, in narrower counts.
                Err(error) if error.kind() == io::ErrorKind::OutOfMemory && self.state.modulus == Modulus::None => {
                    return Err(PassHalt::TooLarge);
                }
                Err(error) => return Err(self.failed(error)),
            }
            self.begin(8 * bytes as u32, false);
            let mut marks = zeros::<bool>(gather.after.blocks() as usize);
            let PassState { counts, found, modulus, .. } = &self.state;
            let (largest, modulus, crew) = (found.largest, *modulus, &self.means.crew);
            let found = DenseStep { gather, counts, largest, modulus, crew }.run(&mut self.store, bytes, &mut marks);
            let found = self.halted(found)?;
            if found.largest >> (8 * bytes) != 0 {
                if bytes < 8 {
                    continue;
                }
                self.state.modulus = Modulus::TwoTo64;
            }
            self.state.widest = self.state.widest.max(bytes);
            self.store.turn().map_err(|error| self.failed(error))?;
            return Ok((LayerCounts::Dense { bytes, marks }, found));
        }
        Err(PassHalt::TooLarge)
    }

    /// The widths to try, in bytes, for which there is room.
    fn widths(&self, gather: &Gather<'_>) -> Result<Vec<usize>, PassHalt> {
        let before = self.state.counts.bytes();
        let (from, to) = (before * gather.before.states() as usize, gather.after.states() as usize);
        let remainder = self.state.modulus.bytes();
        let allowed = |bytes: &usize| remainder.map_or(*bytes >= before, |remainder| *bytes == remainder);
        let fits = |bytes: &usize| self.store.fits(from, bytes * to, self.means.limit);
        let widths: Vec<usize> = [2, 4, 8].into_iter().filter(allowed).filter(fits).collect();
        // A width that would soon be too narrow is not tried first, unless there is no room for the next: it may just
        // do.
        let holds = |bytes: &usize| self.state.found.largest.saturating_mul(self.means.growth) >> (8 * bytes) == 0;
        let last = widths.len().checked_sub(1).ok_or(PassHalt::TooLarge)?;
        let first = widths.iter().position(|bytes| remainder.is_some() || holds(bytes)).unwrap_or(last);
        Ok(widths[first..].to_vec())
    }

    fn halted(&self, found: io::Result<Option<StoreFindings>>) -> Result<StoreFindings, PassHalt> {
        found.map_err(|error| self.failed(error))?.ok_or(PassHalt::Stopped)
    }

    fn failed(&self, error: io::Error) -> PassHalt {
        match &self.store {
            Store::Files(spill) => failed(spill.folder(), error),
            Store::Memory(_) => failed(Path::new("memory"), error),
        }
    }

    /// Shows that a step begins.
    fn begin(&self, bits: u32, sparse: bool) {
        let at = self.state.at;
        let (memory, files) = match &self.store {
            Store::Memory(buffer) => (buffer.bytes(), 0),
            Store::Files(spill) => (0, spill.bytes()),
        };
        self.means.crew.watch.step_begins(|now| {
            (now.row, now.bits, now.sparse, now.square) = (self.sweep.order.steps[at].row, bits, sparse, at);
            (now.modulus, now.buffer_bytes, now.spilled_bytes) = (self.state.modulus, memory, files);
        });
    }
}

fn failed(path: &Path, source: io::Error) -> PassHalt {
    PassHalt::Failed(CountError::file(path, source))
}
