//! A step that stores every state: where the layers live, and how wide their counts are.
//!
//! # Widths
//!
//! A count is a number of partial tours. If none overflowed, all of them are right, and the last one is the answer: no
//! second pass is needed. So counts are stored in 16 bits first, and in 32 and 64 when they grow. Two things make that
//! safe. Sums are made in a width that cannot overflow: no sum has more than [`StepRules::fan_in`](super::rule::StepRules)
//! terms, and none of them is larger than the largest count of the layer before, which is known. And every sum is
//! compared with what the layer's width holds when it is stored; if one does not fit, the step is done again, wider.

use super::buffer::Buffer;
use super::gather::{CountWidth, Gather, GroupSource, GroupTarget, Scratch, SparseGroup, StoreFindings, SumWidth};
use super::layers::{GroupOffset, Layer};
use super::primes::{Divisor, NearDivisor};
use super::residues::Modulus;
use super::spill::Spill;
use super::threads::CountThreads;
use std::io;

/// The counts of a layer.
pub(super) enum LayerCounts {
    /// Those that are not zero, by the mask of the ends.
    Sparse(Vec<SparseGroup>),
    /// All of them, in the store; and which blocks are not all zero.
    Dense {
        /// Bytes of each.
        bytes: usize,
        /// By block.
        marks: Vec<bool>,
    },
}

impl LayerCounts {
    /// Bytes of a count in the store; 0 if they are not there.
    pub(super) fn bytes(&self) -> usize {
        if let LayerCounts::Dense { bytes, .. } = self { *bytes } else { 0 }
    }
}

/// Where two neighbouring layers live.
pub(super) enum Store {
    /// In memory.
    Memory(Buffer),
    /// In files.
    Files(Spill),
}

impl Store {
    /// Makes room for a layer of `before` bytes, which stays, and one of `after` bytes.
    ///
    /// # Errors
    /// Those of the files, so below; and when the system refuses the memory.
    pub(super) fn reserve(&mut self, before: usize, after: usize) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => Ok(buffer.reserve(before, after)?),
            Store::Files(spill) => spill.begin(after as u64),
        }
    }

    /// Reads a stretch of the layer that is read, which has `bytes` bytes.
    pub(super) fn read(&self, offset: u64, stretch: &mut [u8], bytes: usize) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => {
                stretch.copy_from_slice(&buffer.layer(bytes)[offset as usize..][..stretch.len()]);
                Ok(())
            }
            Store::Files(spill) => spill.read(offset, stretch),
        }
    }

    /// Writes a stretch of the layer that is written, which has `bytes` bytes; there was none before.
    pub(super) fn write(&mut self, offset: u64, stretch: &[u8], bytes: usize) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => {
                buffer.layers(0, bytes).1[offset as usize..][..stretch.len()].copy_from_slice(stretch);
                Ok(())
            }
            Store::Files(spill) => spill.write(offset, stretch),
        }
    }

    /// Whether layers of these sizes fit, where all may take `limit` bytes: in the buffer, or beside it while it
    /// grows.
    pub(super) fn fits(&self, before: usize, after: usize, limit: u64) -> bool {
        let wanted = (before + after) as u64;
        match self {
            Store::Memory(buffer) => wanted <= buffer.bytes() || buffer.bytes() + wanted <= limit,
            Store::Files(_) => wanted <= limit,
        }
    }

    /// The layer that was written is read from now on.
    pub(super) fn turn(&mut self) -> io::Result<()> {
        match self {
            Store::Memory(buffer) => {
                buffer.turn();
                Ok(())
            }
            Store::Files(spill) => spill.turn(),
        }
    }
}

/// A step, and the layer that it begins from.
pub(super) struct DenseStep<'a> {
    /// The kernel.
    pub(super) gather: &'a Gather<'a>,
    /// The counts before.
    pub(super) counts: &'a LayerCounts,
    /// The largest of them.
    pub(super) largest: u128,
    /// What is counted modulo.
    pub(super) modulus: Modulus,
    /// The threads.
    pub(super) crew: &'a CountThreads<'a>,
}

impl DenseStep<'_> {
    /// Does it, with counts of `bytes` bytes afterwards, for which there is room; nothing if stopped.
    ///
    /// # Errors
    /// Those of the files.
    pub(super) fn run(&self, store: &mut Store, bytes: usize, marks: &mut [bool]) -> io::Result<Option<StoreFindings>> {
        let widest_sum = self.largest.saturating_mul(self.gather.rules.fan_in.into());
        match (self.counts.bytes(), bytes) {
            (before, _) if let Modulus::Prime(prime) = self.modulus => {
                let divisor = Divisor::new(prime);
                let narrow = |sum: u32| divisor.remainder(sum.into()) as u32;
                let wide = |sum: u64| divisor.remainder(sum);
                match (before, bytes) {
                    (0, 2) => self.typed::<u32, u32, u16>(store, marks, narrow),
                    (_, 2) => self.typed::<u16, u32, u16>(store, marks, narrow),
                    (_, 4) => self.typed::<u32, u64, u32>(store, marks, wide),
                    (0, _) => self.typed::<u32, u64, u64>(store, marks, wide),
                    _ => match NearDivisor::new(prime) {
                        Some(near) => self.typed::<u64, u64, u64>(store, marks, |sum| near.remainder(sum)),
                        None => self.typed::<u64, u64, u64>(store, marks, wide),
                    },
                }
            }
            (0, 2) if widest_sum >> 32 == 0 => self.typed::<u32, u32, u16>(store, marks, |sum| sum),
            (0, 2) => self.typed::<u32, u64, u16>(store, marks, |sum| sum),
            (2, 2) => self.typed::<u16, u32, u16>(store, marks, |sum| sum),
            (2, 4) => self.typed::<u16, u32, u32>(store, marks, |sum| sum),
            (_, 4) if widest_sum >> 32 == 0 => self.typed::<u32, u32, u32>(store, marks, |sum| sum),
            (_, 4) => self.typed::<u32, u64, u32>(store, marks, |sum| sum),
            (2, _) => self.typed::<u16, u64, u64>(store, marks, |sum| sum),
            (0 | 4, _) => self.typed::<u32, u64, u64>(store, marks, |sum| sum),
            _ if self.modulus == Modulus::TwoTo64 || widest_sum >> 64 == 0 => {
                self.typed::<u64, u64, u64>(store, marks, |sum| sum)
            }
            _ => self.typed::<u64, u128, u64>(store, marks, |sum| sum),
        }
    }

    /// The step from counts of type `S` to counts of type `D`, summed as `A`.
    fn typed<S, A, D>(
        &self,
        store: &mut Store,
        marks: &mut [bool],
        finish: impl Fn(A) -> A + Copy + Sync,
    ) -> io::Result<Option<StoreFindings>>
    where
        S: bytemuck::Pod + Sync + Send,
        A: SumWidth + From<S> + From<u32>,
        D: CountWidth<A>,
    {
        match store {
            Store::Memory(buffer) => {
                let before = self.counts.bytes() * self.gather.before.states() as usize;
                let (source, target) = buffer.layers(before, size_of::<D>() * self.gather.after.states() as usize);
                let (source, target) =
                    (bytemuck::cast_slice::<u8, S>(source), bytemuck::cast_slice_mut::<u8, D>(target));
                self.in_memory(source, target, marks, finish)
            }
            Store::Files(spill) => self.in_files::<S, A, D>(spill, marks, finish),
        }
    }

    fn in_memory<S, A, D>(
        &self,
        source: &[S],
        target: &mut [D],
        marks: &mut [bool],
        finish: impl Fn(A) -> A + Copy + Sync,
    ) -> io::Result<Option<StoreFindings>>
    where
        S: bytemuck::Pod + Sync + Send,
        A: SumWidth + From<S> + From<u32>,
        D: CountWidth<A>,
    {
        let gather = self.gather;
        let sources = match self.counts {
            LayerCounts::Sparse(groups) => groups.iter().map(GroupSource::Sparse).collect(),
            LayerCounts::Dense { marks, .. } => {
                let part = |group: GroupSlot| GroupSource::Dense(&source[group.states()], &marks[group.blocks()]);
                groups(gather.before).map(part).collect()
            }
        };
        let mut target = target;
        let targets = groups(gather.after).zip(cut(marks, gather.after)).map(|(group, marks)| GroupTarget {
            counts: target.split_off_mut(..group.states().len()).unwrap_or_default(),
            marks,
        });
        let targets = targets.collect();
        let scratch = || Scratch::<A>::new(gather.after.pairs);
        self.crew.each_context(gather, sources, targets, scratch, |context, sources, targets, scratch| {
            Ok(gather.context(context, sources, targets, scratch, finish))
        })
    }

    fn in_files<S, A, D>(
        &self,
        spill: &Spill,
        marks: &mut [bool],
        finish: impl Fn(A) -> A + Copy + Sync,
    ) -> io::Result<Option<StoreFindings>>
    where
        S: bytemuck::Pod + Sync + Send,
        A: SumWidth + From<S> + From<u32>,
        D: CountWidth<A>,
    {
        let gather = self.gather;
        let sources = groups(gather.before).collect();
        let targets = groups(gather.after).zip(cut(marks, gather.after)).collect();
        let scratch = || (Scratch::<A>::new(gather.after.pairs), Vec::<S>::new(), Vec::<D>::new());
        self.crew.each_context(gather, sources, targets, scratch, |context, sources, targets, means| {
            let (scratch, input, output) = means;
            let sources = self.read(spill, sources, input)?;
            output.clear();
            output.resize(targets.iter().map(|(group, _)| group.states().len()).sum(), D::zeroed());
            let mut rest = &mut output[..];
            let cut = targets.iter_mut().map(|(group, marks): &mut (GroupSlot, &mut [bool])| {
                let counts = rest.split_off_mut(..group.states().len()).unwrap_or_default();
                GroupTarget { counts, marks: std::mem::take(marks) }
            });
            let mut cut: Vec<GroupTarget<'_, D>> = cut.collect();
            let found = gather.context(context, &sources, &mut cut, scratch, finish);
            for ((group, _), target) in targets.iter().zip(&cut) {
                // What is all zero is not read again, and need not be written.
                if target.marks.contains(&true) {
                    let offset = group.from.state * size_of::<D>() as u64;
                    spill.write(offset, bytemuck::cast_slice(target.counts))?;
                }
            }
            Ok(found)
        })
    }

    /// The groups of a context, those in files read into `input`.
    fn read<'b, S: bytemuck::Pod>(
        &'b self,
        spill: &Spill,
        parts: &[GroupSlot],
        input: &'b mut Vec<S>,
    ) -> io::Result<Vec<GroupSource<'b, S>>> {
        let marks = match self.counts {
            LayerCounts::Sparse(groups) => {
                return Ok(parts.iter().map(|part| GroupSource::Sparse(&groups[part.ends])).collect());
            }
            LayerCounts::Dense { marks, .. } => marks,
        };
        let is_wanted = |part: &GroupSlot| marks[part.blocks()].contains(&true);
        input.clear();
        for part in parts.iter().filter(|part| is_wanted(part)) {
            let from = input.len();
            input.resize(from + part.states().len(), S::zeroed());
            spill.read(part.from.state * size_of::<S>() as u64, bytemuck::cast_slice_mut(&mut input[from..]))?;
        }
        let mut rest: &'b [S] = input;
        let source = |part: &GroupSlot| match is_wanted(part) {
            true => {
                GroupSource::Dense(rest.split_off(..part.states().len()).unwrap_or_default(), &marks[part.blocks()])
            }
            false => GroupSource::default(),
        };
        Ok(parts.iter().map(source).collect())
    }
}

/// Where a group's states and blocks are in a layer.
#[derive(Clone, Copy, Default)]
struct GroupSlot {
    ends: usize,
    from: GroupOffset,
    to: GroupOffset,
}

impl GroupSlot {
    fn states(self) -> std::ops::Range<usize> {
        self.from.state as usize..self.to.state as usize
    }

    fn blocks(self) -> std::ops::Range<usize> {
        self.from.block as usize..self.to.block as usize
    }
}

fn groups(layer: &Layer) -> impl Iterator<Item = GroupSlot> {
    layer.places.windows(2).enumerate().map(|(ends, place)| GroupSlot { ends, from: place[0], to: place[1] })
}

/// Marks, by group.
fn cut<'a>(marks: &'a mut [bool], layer: &Layer) -> impl Iterator<Item = &'a mut [bool]> {
    let mut rest = marks;
    groups(layer).map(move |group| rest.split_off_mut(..group.blocks().len()).unwrap_or_default())
}
