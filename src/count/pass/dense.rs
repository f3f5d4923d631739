//! A step that stores a count for every state: where the layers live, and how wide their counts are.
//!
//! # Widths
//!
//! A count is a number of partial tours. If none overflowed, all of them are right, and the last one is the answer: no
//! second pass is needed. So counts are stored in 16 bits first, and in 32, 64 and 128 when they grow. Two rules make that
//! safe:
//!
//! * Sums are made in a width that cannot overflow. No sum has more than [`StepRules::fan_in`](crate::count::states::rule::StepRules)
//!   terms, and no term exceeds the largest count of the layer before, which is known ([`Gather::largest_sum`]).
//! * Every sum is compared with the layer's width when it is stored. If one does not fit, the step is repeated with
//!   wider counts. Counts of 128 bits are made only where no sum can outgrow them.

use super::counts::{CountWidth, StoreFindings, SumWidth};
use super::gather::{Gather, GroupSource, GroupTarget, Scratch, SparseGroup};
use super::store::{Spill, Store};
use super::threads::CountThreads;
use crate::count::ask::primes::{Divisor, NearDivisor};
use crate::count::ask::residues::Modulus;
use crate::count::states::layers::{GroupOffset, Layer};
use std::io;

pub enum LayerCounts {
    /// The nonzero counts, by the place of the group among those that have patterns.
    Sparse(Vec<SparseGroup>),
    /// A count for every state, in the store; by block a mark, whether any of its counts is nonzero.
    Dense { bytes: usize, marks: Vec<bool> },
}

impl LayerCounts {
    /// Bytes of a count in the store; 0 if the counts are sparse.
    pub fn bytes(&self) -> usize {
        if let LayerCounts::Dense { bytes, .. } = self { *bytes } else { 0 }
    }
}

/// A dense step and the layer from which it starts.
pub struct DenseStep<'a> {
    pub gather: &'a Gather<'a>,
    /// The counts before the step.
    pub counts: &'a LayerCounts,
    pub largest: u128,
    pub modulus: Modulus,
    pub threads: &'a CountThreads<'a>,
}

impl DenseStep<'_> {
    /// Runs the step; `bytes` is the width of the counts after it, for which there is room. Returns nothing if stopped.
    pub fn run(&self, store: &mut Store, bytes: usize, marks: &mut [bool]) -> io::Result<Option<StoreFindings>> {
        let largest_sum = self.gather.largest_sum(self.largest);
        match (self.counts.bytes(), bytes) {
            (before, _) if let Modulus::Prime(prime) = self.modulus => {
                let divisor = Divisor::new(prime);
                let narrow = |sum: u32| divisor.remainder(sum.into()) as u32;
                let wide = |sum: u64| divisor.remainder(sum);
                match (before, bytes) {
                    (0, 2) => self.run_typed::<u32, u32, u16>(store, marks, narrow),
                    (_, 2) => self.run_typed::<u16, u32, u16>(store, marks, narrow),
                    (_, 4) => self.run_typed::<u32, u64, u32>(store, marks, wide),
                    (0, _) => self.run_typed::<u32, u64, u64>(store, marks, wide),
                    _ => match NearDivisor::new(prime) {
                        Some(near) => self.run_typed::<u64, u64, u64>(store, marks, |sum| near.remainder(sum)),
                        None => self.run_typed::<u64, u64, u64>(store, marks, wide),
                    },
                }
            }
            (0, 2) if largest_sum >> 32 == 0 => self.run_typed::<u32, u32, u16>(store, marks, |sum| sum),
            (0, 2) => self.run_typed::<u32, u64, u16>(store, marks, |sum| sum),
            (2, 2) => self.run_typed::<u16, u32, u16>(store, marks, |sum| sum),
            (2, 4) => self.run_typed::<u16, u32, u32>(store, marks, |sum| sum),
            (_, 4) if largest_sum >> 32 == 0 => self.run_typed::<u32, u32, u32>(store, marks, |sum| sum),
            (_, 4) => self.run_typed::<u32, u64, u32>(store, marks, |sum| sum),
            (2, _) => self.run_typed::<u16, u64, u64>(store, marks, |sum| sum),
            (0 | 4, _) => self.run_typed::<u32, u64, u64>(store, marks, |sum| sum),
            (16, 16) => self.run_typed::<u128, u128, u128>(store, marks, |sum| sum),
            (_, 16) => self.run_typed::<u64, u128, u128>(store, marks, |sum| sum),
            (16, _) => self.run_typed::<u128, u64, u64>(store, marks, |sum| sum),
            _ if self.modulus == Modulus::TwoTo64 || largest_sum >> 64 == 0 => {
                self.run_typed::<u64, u64, u64>(store, marks, |sum| sum)
            }
            _ => self.run_typed::<u64, u128, u64>(store, marks, |sum| sum),
        }
    }

    /// Runs the step from counts of type `S` to counts of type `D`, summed as `A`.
    fn run_typed<S: CountWidth<A>, A: SumWidth, D: CountWidth<A>>(
        &self,
        store: &mut Store,
        marks: &mut [bool],
        finish: impl Fn(A) -> A + Copy + Sync,
    ) -> io::Result<Option<StoreFindings>> {
        let direct = self.run_part::<S, A, D>(self.gather, store, marks, finish)?;
        let (Some(halving), Some(found)) = (self.gather.after.stored.halving(), direct) else { return Ok(direct) };
        let outgrown = found.outgrow(size_of::<D>());
        if outgrown && size_of::<D>() < 8 {
            return Ok(direct);
        }
        let images = Gather { images: Some(halving), ..*self.gather };
        let all = self.run_part::<S, A, D>(&images, store, marks, finish)?;
        // The second part finds what the whole layer holds, modulo 2^64 if the first has outgrown 64 bits.
        Ok(all.map(|all| StoreFindings { largest: all.largest | u128::from(outgrown) << 64, ..all }))
    }

    fn run_part<S: CountWidth<A>, A: SumWidth, D: CountWidth<A>>(
        &self,
        gather: &Gather<'_>,
        store: &mut Store,
        marks: &mut [bool],
        finish: impl Fn(A) -> A + Copy + Sync,
    ) -> io::Result<Option<StoreFindings>> {
        match store {
            Store::Memory(buffer) => {
                let before = self.counts.bytes() * gather.before.states() as usize;
                let (source, target) = buffer.layers(before, size_of::<D>() * gather.after.states() as usize);
                let (source, target) =
                    (bytemuck::cast_slice::<u8, S>(source), bytemuck::cast_slice_mut::<u8, D>(target));
                self.run_in_memory(gather, source, target, marks, finish)
            }
            Store::Files(spill) => self.run_in_files::<S, A, D>(gather, spill, marks, finish),
        }
    }

    fn run_in_memory<S: CountWidth<A>, A: SumWidth, D: CountWidth<A>>(
        &self,
        gather: &Gather<'_>,
        source: &[S],
        target: &mut [D],
        marks: &mut [bool],
        finish: impl Fn(A) -> A + Copy + Sync,
    ) -> io::Result<Option<StoreFindings>> {
        let sources: Vec<GroupSource<'_, S>> = match self.counts {
            LayerCounts::Sparse(groups) => groups.iter().map(GroupSource::Sparse).collect(),
            LayerCounts::Dense { marks, .. } => {
                let part = |group: GroupSlot| GroupSource::Dense(&source[group.states()], &marks[group.blocks()]);
                group_slots(gather.before).map(part).collect()
            }
        };
        let mut target = target;
        let targets = group_slots(gather.after).zip(group_marks(marks, gather.after)).map(|(group, marks)| {
            GroupTarget { counts: target.split_off_mut(..group.states().len()).unwrap_or_default(), marks }
        });
        let targets = targets.collect();
        let scratch = || Scratch::<A>::dense(gather.after.pairs);
        self.threads.for_each_context(gather, &sources, targets, scratch, |context, sources, targets, scratch| {
            Ok(gather.gather_dense(context, sources, targets, scratch, finish))
        })
    }

    fn run_in_files<S: CountWidth<A>, A: SumWidth, D: CountWidth<A>>(
        &self,
        gather: &Gather<'_>,
        spill: &Spill,
        marks: &mut [bool],
        finish: impl Fn(A) -> A + Copy + Sync,
    ) -> io::Result<Option<StoreFindings>> {
        let sources: Vec<GroupSlot> = group_slots(gather.before).collect();
        let targets = group_slots(gather.after).zip(group_marks(marks, gather.after)).collect();
        let scratch = || (Scratch::<A>::dense(gather.after.pairs), Vec::<S>::new(), Vec::<D>::new());
        self.threads.for_each_context(gather, &sources, targets, scratch, |context, sources, targets, memory| {
            let (scratch, input, output) = memory;
            let sources = self.read_sources(spill, sources, input)?;
            output.clear();
            output.resize(targets.iter().map(|(group, _)| group.states().len()).sum(), D::zeroed());
            let mut rest = &mut output[..];
            if gather.images.is_some() {
                read_targets(spill, targets, rest)?;
            }
            let cut = targets.iter_mut().map(|(group, marks): &mut (GroupSlot, &mut [bool])| {
                let counts = rest.split_off_mut(..group.states().len()).unwrap_or_default();
                GroupTarget { counts, marks: std::mem::take(marks) }
            });
            let mut cut: Vec<GroupTarget<'_, D>> = cut.collect();
            let found = gather.gather_dense(context, &sources, &mut cut, scratch, finish);
            for ((group, _), target) in targets.iter().zip(&cut) {
                // A block of zeros is not read again, and need not be written.
                if target.marks.contains(&true) {
                    let offset = group.from.state * size_of::<D>() as u64;
                    spill.write(offset, bytemuck::cast_slice(target.counts))?;
                }
            }
            Ok(found)
        })
    }

    /// The groups of a context as sources; those in files are read into `input`.
    fn read_sources<'b, S: bytemuck::Pod>(
        &'b self,
        spill: &Spill,
        parts: &[GroupSlot],
        input: &'b mut Vec<S>,
    ) -> io::Result<Vec<GroupSource<'b, S>>> {
        let marks = match self.counts {
            LayerCounts::Sparse(groups) => {
                return Ok(parts.iter().map(|part| GroupSource::Sparse(&groups[part.place])).collect());
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
        let source = |part: &GroupSlot| {
            if is_wanted(part) {
                GroupSource::Dense(rest.split_off(..part.states().len()).unwrap_or_default(), &marks[part.blocks()])
            } else {
                GroupSource::default()
            }
        };
        Ok(parts.iter().map(source).collect())
    }
}

/// Where a group's states and blocks are in a layer.
#[derive(Clone, Copy)]
struct GroupSlot {
    /// Its place among the groups that have patterns.
    place: usize,
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

fn group_slots(layer: &Layer) -> impl Iterator<Item = GroupSlot> {
    layer.offsets.windows(2).enumerate().map(|(place, offset)| GroupSlot { place, from: offset[0], to: offset[1] })
}

/// The marks of each group, cut from the marks of a layer.
fn group_marks<'a>(marks: &'a mut [bool], layer: &Layer) -> impl Iterator<Item = &'a mut [bool]> {
    let mut rest = marks;
    group_slots(layer).map(move |group| rest.split_off_mut(..group.blocks().len()).unwrap_or_default())
}

/// Reads what the first part of the step has written of the groups of a context.
fn read_targets<D: bytemuck::Pod>(
    spill: &Spill,
    targets: &[(GroupSlot, &mut [bool])],
    counts: &mut [D],
) -> io::Result<()> {
    let mut rest = counts;
    for (group, marks) in targets {
        let counts = rest.split_off_mut(..group.states().len()).unwrap_or_default();
        if marks.contains(&true) {
            spill.read_written(group.from.state * size_of::<D>() as u64, bytemuck::cast_slice_mut(counts))?;
        }
    }
    Ok(())
}
