//! Layers in memory, for a walk back.
//!
//! Where all layers are worth their memory, the count keeps them. Else it keeps some, and every layer behind the last of these. When the walk
//! comes to a layer that is not there, a pass resumes at the last kept one before, and makes again what stands between:
//!
//! ```text
//! layers    0 1 2 3 4 5 6 7 8 9
//! counted   k . . . k . . k k k      k: kept
//! walked                <-------
//!           k . . . k m m            m: made again from layer 4
//!                   <---
//!           k m m m
//! ```
//!
//! So each layer is made at most twice. At any time there are the kept layers up to one of them, and all layers from there to the next; [`choose`]
//! keeps those with which the most bytes of these times fit.

use super::make::{asked, begin_pass, check_width, estimated_bytes, pass_error};
use super::packed_layer::{KeptBody, LayerBody, PackedLayer};
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::pass::steps::{Pass, PassResources, PassState};
use crate::count::pass::stored_layer::read_groups;
use crate::count::pass::threads::CountThreads;
use crate::count::plan::count_plan::CountPlan;
use crate::count::shortage::Shortage;
use crate::count::snapshot::CountPhase;
use crate::count::watch::CountWatch;
use crate::words;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Bytes of layers of a sweep that are worth keeping. The system takes longer to give more fresh memory than layers take to be made again: of
/// 8x8 closed all layers took 14 s in the program and 45 in the system, some of them 22 and 13.
const WORTH: u64 = 4 << 30;

/// The layers of all sweeps of a plan, as far as they are kept.
pub(super) struct KeptLayers {
    /// By sweep, and by number of squares done.
    pub(super) sweeps: Vec<BTreeMap<usize, PackedLayer<'static>>>,
    /// Most bytes of the counts of a pass that makes layers again.
    pub(super) limit: u64,
}

impl KeptLayers {
    /// Counts the sweeps of a plan, and keeps as many layers as there is room for; also answers the total of each sweep.
    ///
    /// # Errors
    /// Where no choice of layers fits, a count outgrows 64 bits, or `watch` is stopped.
    pub(super) fn make(
        plan: &CountPlan,
        settings: &Settings,
        watch: &CountWatch,
    ) -> Result<(KeptLayers, Vec<u64>), CountError> {
        let sizes: Vec<Vec<u64>> = plan.sweeps.iter().map(estimated_bytes).collect();
        let counting = plan.memory(32);
        // The layers of all sweeps are there at one time: each has the least that it needs, and an equal share of the rest.
        let needs: Vec<u64> = sizes.iter().map(|sizes| least_room(sizes)).collect();
        let least: u64 = needs.iter().sum();
        let rest = settings.memory.checked_sub(counting + least).map(|rest| rest / sizes.len().max(1) as u64);
        let room = |need: u64| Some((need + rest?).min(need.max(WORTH)));
        let chosen: Option<Vec<Vec<usize>>> =
            sizes.iter().zip(&needs).map(|(sizes, &need)| choose(sizes, room(need)?)).collect();
        let Some(chosen) = chosen else {
            let of = format!("numbering the {} ({} of it for their layers)", asked(plan), words::bytes(least));
            let instead = "--layers DIR, which keeps the layers in files, for later commands too".to_owned();
            return Err(Shortage::of_memory(of, least + counting, settings.memory_limit(), Some(instead)).into());
        };
        watch.update(|now| (now.phase, now.memory_limit) = (CountPhase::Counting, settings.memory));
        let kept: u64 = sizes.iter().zip(&chosen).map(|(sizes, chosen)| most(sizes, chosen)).sum();
        let limit = settings.memory.saturating_sub(plan.fixed_memory() + kept);
        let resources = PassResources::new(CountThreads { pool: &plan.pool, watch }, limit);
        let made = chosen.iter().enumerate().map(|(sweep, chosen)| count_and_keep(plan, sweep, chosen, &resources));
        let (sweeps, totals) = made.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        Ok((KeptLayers { sweeps, limit }, totals))
    }
}

/// Counts a sweep; keeps the chosen layers and all behind the last of them, but that after the last square, which no walk reads.
fn count_and_keep(
    plan: &CountPlan,
    sweep: usize,
    chosen: &[usize],
    resources: &PassResources<'_>,
) -> Result<(BTreeMap<usize, PackedLayer<'static>>, u64), CountError> {
    let (mut pass, mut layers) = (begin_pass(plan, sweep, 0, resources)?, BTreeMap::new());
    let last = chosen.last().copied().unwrap_or(0);
    while pass.state.at < pass.sweep.order.steps.len() {
        check_width(plan, &pass)?;
        let at = pass.state.at;
        if at > last || chosen.contains(&at) {
            layers.insert(at, PackedLayer::kept(&pass, Vec::new()).map_err(|error| CountError::layer(&error))?);
        }
        pass.step().map_err(|halt| pass_error(halt, resources.limit))?;
    }
    check_width(plan, &pass)?;
    Ok((layers, pass.state.number() as u64))
}

/// The layers of a sweep, from the last to the first.
pub(super) struct LayersBack<'r> {
    pub(super) plan: &'r CountPlan,
    pub(super) sweep: usize,
    pub(super) layers: BTreeMap<usize, PackedLayer<'static>>,
    pub(super) resources: &'r PassResources<'r>,
    /// The pass that makes layers which were not kept, once one is wanted.
    pub(super) pass: Option<Pass<'r>>,
    /// Room of layers that were used.
    pub(super) rooms: Vec<Vec<u8>>,
}

impl<'r> LayersBack<'r> {
    /// The layer after `at` squares, and no later one again.
    pub(super) fn layer(&mut self, at: usize) -> Result<PackedLayer<'static>, CountError> {
        if !self.layers.contains_key(&at) {
            self.make_to(at)?;
        }
        self.layers.remove(&at).ok_or_else(CountError::contradictory_layers)
    }

    /// Takes back a layer that was used.
    pub(super) fn reuse(&mut self, layer: PackedLayer<'static>) {
        if let LayerBody::Memory(KeptBody { bytes, .. }) = layer.body {
            self.rooms.push(bytes);
        }
    }

    /// Makes the layers from the last one that is there to this one.
    fn make_to(&mut self, at: usize) -> Result<(), CountError> {
        let first = self.layers.range(..at).next_back().ok_or_else(CountError::contradictory_layers)?;
        let LayerBody::Memory(body) = &first.1.body else { return Err(CountError::contradictory_layers()) };
        if self.pass.is_none() {
            self.pass = Some(begin_pass(self.plan, self.sweep, 1, self.resources)?);
        }
        let pass = self.pass.as_mut().ok_or_else(CountError::contradictory_layers)?;
        let (layer, shape) = (&pass.sweep.layers.layers[*first.0], &first.1.shape);
        let bytes = if body.is_sparse { 0 } else { shape.width };
        let read = read_groups(&mut &body.bytes[..], shape, bytes, layer, &mut pass.store);
        let (counts, findings) = read.map_err(|error| CountError::layer(&error))?;
        pass.state = PassState { at: *first.0, counts, findings, ..PassState::new(pass.sweep, pass.state.modulus) };
        // The largest room is for the largest layer, and no room is larger than its layer.
        let sizes = &estimated_bytes(&self.plan.sweeps[self.sweep])[pass.state.at + 1..=at];
        let mut largest: Vec<usize> = (0..sizes.len()).collect();
        largest.sort_by_key(|&nth| Reverse(sizes[nth]));
        self.rooms.sort_by_key(|room| Reverse(room.capacity()));
        let mut rooms = vec![Vec::new(); sizes.len()];
        for (nth, mut room) in largest.into_iter().zip(self.rooms.drain(..)) {
            room.clear();
            room.shrink_to(sizes[nth] as usize);
            rooms[nth] = room;
        }
        for room in rooms {
            pass.step().map_err(|halt| pass_error(halt, self.resources.limit))?;
            let made = PackedLayer::kept(pass, room);
            self.layers.insert(pass.state.at, made.map_err(|error| CountError::layer(&error))?);
        }
        Ok(())
    }
}

/// Which layers of these sizes are kept, the first among them, so that there are never more than `limit` bytes of layers; of the choices
/// that fit one whose last layer is the earliest, because all behind it are kept. `None` where none fits.
///
/// By layer `least` has the fewest bytes of kept layers up to it with which all before it fits, and the kept one before it: fewer bytes
/// leave more room for whatever comes.
fn choose(sizes: &[u64], limit: u64) -> Option<Vec<usize>> {
    let between = |from: usize, to: usize| sizes[from + 1..to].iter().sum::<u64>();
    let mut least: Vec<Option<(u64, usize)>> = vec![sizes.first().map(|&size| (size, 0))];
    for (at, size) in sizes.iter().enumerate().skip(1) {
        let fits = |from: usize| {
            let (kept, _) = least[from].filter(|(kept, _)| kept + between(from, at) <= limit)?;
            Some((kept + size, from))
        };
        least.push((0..at).filter_map(fits).min());
    }
    let ends = |&at: &usize| least[at].is_some_and(|(kept, _)| kept + between(at, sizes.len()) <= limit);
    let mut chosen = vec![(0..sizes.len()).find(ends)?];
    while let Some(&at) = chosen.last().filter(|&&at| at > 0) {
        chosen.push(least[at]?.1);
    }
    chosen.reverse();
    Some(chosen)
}

/// The most bytes of layers of these sizes at one time, where these are kept.
fn most(sizes: &[u64], chosen: &[usize]) -> u64 {
    let ends = chosen.iter().skip(1).copied().chain([sizes.len()]);
    let mut kept = 0;
    let stretch = |(&from, to): (&usize, usize)| {
        kept += sizes[from];
        kept + sizes[from + 1..to].iter().sum::<u64>()
    };
    chosen.iter().zip(ends).map(stretch).max().unwrap_or(0)
}

/// The least limit for which [`choose`] finds a choice.
fn least_room(sizes: &[u64]) -> u64 {
    let (mut none, mut some) = (0, sizes.iter().sum());
    while none < some {
        let middle = none + (some - none) / 2;
        match choose(sizes, middle) {
            Some(_) => some = middle,
            None => none = middle + 1,
        }
    }
    some
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all choices none fits in less, and what is chosen fits.
    #[test]
    fn the_chosen_layers_fit_wherever_a_choice_does() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let sizes: Vec<u64> = (0..rng.usize(1..9)).map(|_| rng.u64(0..50)).collect();
            let choices = (0..1u32 << (sizes.len() - 1))
                .map(|bits| (0..sizes.len()).filter(|at| *at == 0 || bits >> (at - 1) & 1 == 1).collect::<Vec<_>>());
            let least = choices.map(|chosen| most(&sizes, &chosen)).min().unwrap();
            assert_eq!(least_room(&sizes), least, "{sizes:?}");
            assert!(least == 0 || choose(&sizes, least - 1).is_none());
            for limit in [least, least + 20, sizes.iter().sum()] {
                let chosen = choose(&sizes, limit.max(least)).unwrap();
                assert!(chosen[0] == 0 && most(&sizes, &chosen) <= limit.max(least), "{sizes:?} {limit}: {chosen:?}");
            }
            assert_eq!(choose(&sizes, sizes.iter().sum()).unwrap(), [0], "all are kept where there is room");
        }
    }
}
