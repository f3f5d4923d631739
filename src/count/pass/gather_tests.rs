//! Sums that may have so many terms that they are reduced on the way.

use super::gather::{Gather, GroupSource, GroupTarget, Scratch};
use crate::board::Ending;
use crate::count::ask::board_range::BoardRange;
use crate::count::ask::primes::{NearDivisor, WIDE, primes_below};
use crate::count::ask::question::CountQuestion;
use crate::count::plan::count_plan::CountPlan;
use crate::count::states::context::{ContextGroup, ContextGroups, Contexts};
use crate::count::states::layers::Layer;
use crate::count::states::table::Tables;
use crate::count::watch::CountWatch;
use std::cell::Cell;

/// The counts and the marks of a group.
type Block = (Vec<u64>, Vec<bool>);

/// Groups of a layer in which every count is `count`, or every block is unmarked.
fn filled(layer: &Layer, groups: &[ContextGroup], count: u64, mark: bool) -> Vec<Block> {
    let blocks = |place: usize| layer.offsets[place + 1].block - layer.offsets[place].block;
    let of = |place| (vec![count; layer.states_of(place) as usize], vec![mark; blocks(place) as usize]);
    groups.iter().map(|group| of(group.place)).collect()
}

fn as_targets(blocks: &mut [Block]) -> Vec<GroupTarget<'_, u64>> {
    blocks.iter_mut().map(|(counts, marks)| GroupTarget { counts, marks }).collect()
}

/// Every count before a step of open tours over seven columns is the largest remainder. Sums that may have more than twenty
/// terms are reduced on the way, and leave what sums of 128 bits leave that are not.
#[test]
fn sums_that_are_reduced_on_the_way_leave_the_same() {
    let range = BoardRange::new("7x1".parse().unwrap(), "7x6".parse().unwrap()).unwrap();
    let plan = CountPlan::new(&CountQuestion::of_range(range, Ending::Open), 1 << 33, &CountWatch::new(1)).unwrap();
    let (prime, tables) = (primes_below(WIDE).next().unwrap(), Tables::new());
    let near = NearDivisor::new(prime).unwrap();
    let (mut looked_at, mut reduced) = (0, 0);
    for sweep in &plan.sweeps {
        let steps = sweep.layers.layers.windows(2).zip(&sweep.layers.rules);
        for (layers, rules) in steps.step_by(3) {
            let (before, after) = (&layers[0], &layers[1]);
            let groups = &sweep.layers.groups;
            let gather = Gather { groups, before, after, rules, tables: &tables, most_terms: 20, images: None };
            let contexts = Contexts::new(before, after, rules.concerned, None);
            for context in contexts.list.iter().filter(|context| (1..300_000).contains(&context.states_before)) {
                let sources = &contexts.sources[context.sources.clone()];
                let targets = &contexts.targets[context.targets.clone()];
                let groups = ContextGroups { ends: context.ends, sources, targets };
                let full = filled(before, sources, prime - 1, true);
                let full: Vec<_> = full.iter().map(|(counts, marks)| GroupSource::Dense(counts, marks)).collect();
                let (mut narrow, mut wide) = (filled(after, targets, 0, false), filled(after, targets, 0, false));
                let finished = Cell::new(0);
                let finish = |sum| {
                    finished.set(finished.get() + 1);
                    near.remainder(sum)
                };
                let mut scratch = Scratch::<u64>::dense(after.pairs);
                gather.gather_dense(groups, &full, &mut as_targets(&mut narrow), &mut scratch, finish);
                let (mut scratch, whole) = (Scratch::<u128>::dense(after.pairs), |sum| sum % u128::from(prime));
                gather.gather_dense(groups, &full, &mut as_targets(&mut wide), &mut scratch, whole);
                assert!(narrow == wide, "{} {:b}", sweep.name, context.ends);
                looked_at += 1;
                // A count is finished once when it is stored.
                reduced += u32::from(finished.get() > context.states);
            }
        }
    }
    assert!(reduced > 0, "none of {looked_at} contexts reduced its sums on the way");
}
