//! The sweep over the quotient: for each orbit, from the states before it to the states after it.
//!
//! Doing an orbit means to choose its edges to open orbits, those that are not done yet; with the edges that earlier orbits
//! chose it has two. A done orbit has all its edges, so the border consists of the open neighbours of done orbits. A chain
//! may be closed only by the choice that leaves every other orbit full. A state leads to no tour, and is dropped, if some
//! orbit has fewer open neighbours left than it still needs edges.

use super::order::orbit_order;
use super::quotient::QuotientGraph;
use super::states::{
    BATCH, BORDER_MAX, ChainJoin, Chains, SHARDS, StateAddError, StateKey, StateMemory, StateTable, WayCount, shard,
};
use crate::lock::LockAlways as _;
use crate::system;
use num_bigint::BigUint;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// States between two calls of [`Bounds::stop`].
const STATES_PER_CHECK: usize = 4096;
/// The fewest states for which a step uses more than one thread.
const PARALLEL_STATES_MIN: u64 = 1 << 14;

/// The memory and threads that a count may use, and the way to stop it.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// The most bytes that states may take at a time.
    pub memory: u64,
    pub threads: usize,
    /// Called now and then by the counting threads with the progress; returns whether to stop.
    pub stop: &'a (dyn Fn(SymmetricProgress) -> bool + Sync),
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SymmetricProgress {
    /// Orbits done.
    pub done: usize,
    pub orbits: usize,
    /// States after the orbits that are done.
    pub states: u64,
}

/// Why a count ended without a number.
#[derive(Debug)]
pub(super) enum SweepHalt {
    /// The border has `width` orbits, and at most `most` fit in a state.
    Wide { width: usize, most: usize },
    /// The states exceeded the memory limit after `done` orbits.
    Memory { done: usize },
    /// The threads could not be started.
    Threads(String),
    /// [`Bounds::stop`] returned `true`.
    Stopped,
    /// A number of ways did not fit in the number type.
    Overflow,
}

/// The numbers of Hamiltonian cycles of a graph with an even and with an odd sum of voltages. For a graph with terminals: the
/// numbers of Hamiltonian paths from the first terminal to the second.
pub(super) fn count(graph: &QuotientGraph, bounds: Bounds<'_>) -> Result<[BigUint; 2], SweepHalt> {
    let steps = steps(graph, &orbit_order(graph));
    let width = steps.iter().map(|step| step.after.len()).max().unwrap_or(0);
    if width > BORDER_MAX {
        return Err(SweepHalt::Wide { width, most: BORDER_MAX });
    }
    let pool = system::pool(bounds.threads).map_err(SweepHalt::Threads)?;
    if width <= u64::BORDER_MAX {
        sweep_widening::<u64>(&steps, &pool, bounds)
    } else {
        sweep_widening::<u128>(&steps, &pool, bounds)
    }
}

/// Counts in numbers of 64 bits, and repeats the sweep with the next wider type when they overflow.
fn sweep_widening<K: StateKey>(
    steps: &[OrbitStep],
    pool: &rayon::ThreadPool,
    bounds: Bounds<'_>,
) -> Result<[BigUint; 2], SweepHalt> {
    match sweep::<K, u64>(steps, pool, bounds) {
        Err(SweepHalt::Overflow) => match sweep::<K, u128>(steps, pool, bounds) {
            Err(SweepHalt::Overflow) => sweep::<K, BigUint>(steps, pool, bounds),
            tours => tours.map(|tours| tours.map(BigUint::from)),
        },
        tours => tours.map(|tours| tours.map(BigUint::from)),
    }
}

/// One step of the sweep, which does one orbit. A vertex is here the index of a touched vertex: first the border before the
/// step, in the order of the state, then the vertices that the step meets first.
struct OrbitStep {
    /// Number of vertices on the border before the step.
    before: usize,
    /// The orbit that the step does.
    orbit: usize,
    /// The edges of the orbit to open vertices: the vertex, and whether the voltage is odd.
    edges: Vec<(usize, bool)>,
    /// The border after the step.
    after: Vec<OpenVertex>,
    /// The terminals on the border after the step, one bit each.
    terminals: u32,
    /// Whether every open orbit is on the border after the step.
    all_met: bool,
    /// Whether the graph has terminals: then a tour is a path between them, and not a cycle.
    counts_paths: bool,
}

impl OrbitStep {
    fn is_terminal(&self, vertex: usize) -> bool {
        self.terminals & vertex_bit(vertex) != 0
    }

    /// Whether a vertex takes no more edges.
    fn is_saturated(&self, chains: &Chains, vertex: usize) -> bool {
        chains.is_full(vertex) || self.is_terminal(vertex) && !chains.is_free(vertex)
    }
}

/// An open vertex on the border after a step.
struct OpenVertex {
    vertex: usize,
    /// The open neighbours among the touched vertices, one bit each.
    beside: u32,
    /// Number of open neighbours that are not on the border.
    beyond: u32,
}

fn steps(graph: &QuotientGraph, order: &[usize]) -> Vec<OrbitStep> {
    let mut open = vec![true; graph.arcs.len()];
    let mut border: Vec<usize> = Vec::new();
    let mut steps = Vec::new();
    for (done, &orbit) in order.iter().enumerate() {
        open[orbit] = false;
        let before = border.len();
        let mut touched = border;
        for vertex in std::iter::once(orbit).chain(graph.arcs[orbit].iter().map(|arc| arc.to)) {
            if !touched.contains(&vertex) && (vertex == orbit || open[vertex]) {
                touched.push(vertex);
            }
        }
        let place = |vertex: usize| touched.iter().position(|&other| other == vertex);
        let edges = graph.arcs[orbit].iter().filter(|arc| open[arc.to]);
        let edges = edges.filter_map(|arc| Some((place(arc.to)?, arc.voltage % 2 == 1))).collect();
        let after: Vec<OpenVertex> = (0..touched.len())
            .filter(|&vertex| touched[vertex] != orbit)
            .map(|vertex| {
                let mut near: Vec<usize> = graph.arcs[touched[vertex]].iter().map(|arc| arc.to).collect();
                near.retain(|&other| open[other]);
                near.sort_unstable();
                near.dedup();
                let beside =
                    near.iter().filter_map(|&other| place(other)).fold(0, |bits, other| bits | vertex_bit(other));
                let beyond = near.iter().filter(|&&other| place(other).is_none()).count() as u32;
                OpenVertex { vertex, beside, beyond }
            })
            .collect();
        let is_terminal = |open: &&OpenVertex| graph.is_terminal(touched[open.vertex]);
        let terminals = after.iter().filter(is_terminal).fold(0, |bits, open| bits | vertex_bit(open.vertex));
        let all_met = done + 1 + after.iter().filter(|open| !is_terminal(open)).count() == graph.orbits;
        let orbit = place(orbit).unwrap_or(before);
        border = after.iter().map(|open| touched[open.vertex]).collect();
        let counts_paths = graph.arcs.len() > graph.orbits;
        steps.push(OrbitStep { before, orbit, edges, after, terminals, all_met, counts_paths });
    }
    steps
}

/// The bit of a vertex in a set of touched vertices. `count` refuses a border that is too wide for 32 bits before the sweep.
fn vertex_bit(vertex: usize) -> u32 {
    1u32.checked_shl(vertex as u32).unwrap_or(0)
}

/// Does all steps in numbers of type `T`. Returns the numbers of tours with an even and with an odd sum of voltages.
fn sweep<K: StateKey, T: WayCount>(
    steps: &[OrbitStep],
    pool: &rayon::ThreadPool,
    bounds: Bounds<'_>,
) -> Result<[T; 2], SweepHalt> {
    let room = StateMemory::new(bounds.memory);
    let mut states = StateTable::new();
    let first = states.add(shard(0), &mut vec![(K::from_state(0), WayCount::one())], &room);
    first.map_err(|_| SweepHalt::Memory { done: 0 })?;
    let tours = Mutex::new(<[T; 2]>::default());
    for (done, step) in steps.iter().enumerate() {
        let reached = SymmetricProgress { done, orbits: steps.len(), states: states.len() };
        let (after, at) = (StateTable::new(), AtomicUsize::new(0));
        let work = || -> Result<(), SweepHalt> {
            let mut next =
                NextStates { step, after: &after, room: &room, batches: vec![Vec::new(); SHARDS], tours: None };
            let full = |full| match full {
                StateAddError::Overflow => SweepHalt::Overflow,
                StateAddError::Memory => SweepHalt::Memory { done },
            };
            while let Some(shard) = Some(at.fetch_add(1, Relaxed)).filter(|&shard| shard < SHARDS) {
                for (i, (state, ways)) in states.take(shard).into_states(&room).enumerate() {
                    if i % STATES_PER_CHECK == 0 && (bounds.stop)(reached) {
                        return Err(SweepHalt::Stopped);
                    }
                    next.process_orbit(&Chains::unpack(state.to_state(), step.before), ways).map_err(full)?;
                }
            }
            let found = next.flush().map_err(full)?;
            let mut tours = tours.locked();
            found.map_or(Some(()), |found| tours.add(&found)).ok_or(SweepHalt::Overflow)
        };
        if reached.states < PARALLEL_STATES_MIN {
            work()?
        } else {
            pool.broadcast(|_| work()).into_iter().collect::<Result<(), SweepHalt>>()?
        }
        states = after;
    }
    Ok(tours.into_content())
}

/// The states after a step that one thread has made, and the tours that it has completed.
struct NextStates<'a, K, T> {
    step: &'a OrbitStep,
    after: &'a StateTable<K, [T; 2]>,
    room: &'a StateMemory,
    /// By shard: the states that are not yet added to `after`.
    batches: Vec<Vec<(K, [T; 2])>>,
    tours: Option<[T; 2]>,
}

impl<K: StateKey, T: WayCount> NextStates<'_, K, T> {
    /// Makes every choice of edges for the orbit of the step.
    fn process_orbit(&mut self, chains: &Chains, ways: [T; 2]) -> Result<(), StateAddError> {
        let step = self.step;
        if chains.is_full(step.orbit) {
            return self.add_state(chains, ways);
        }
        let [even, odd] = ways;
        // Indexed by the parity of the voltages of the new edges.
        let ways = [[even.clone(), odd.clone()], [odd, even]];
        for (i, &(a, a_is_odd)) in step.edges.iter().enumerate().filter(|&(_, &(a, _))| !step.is_saturated(chains, a)) {
            if !chains.is_free(step.orbit) {
                self.join(chains, (step.orbit, a), &ways[usize::from(a_is_odd)])?;
                continue;
            }
            for &(b, b_is_odd) in step.edges[..i].iter().filter(|&&(b, _)| b != a && !step.is_saturated(chains, b)) {
                // The two edges join `a` and `b` through the orbit, which leaves the border.
                self.join(chains, (a, b), &ways[usize::from(a_is_odd != b_is_odd)])?;
            }
        }
        Ok(())
    }

    /// Joins two vertices, and adds the state or the tour that results.
    fn join(&mut self, chains: &Chains, (a, b): (usize, usize), ways: &[T; 2]) -> Result<(), StateAddError> {
        let step = self.step;
        let mut chains = *chains;
        match chains.join(a, b) {
            ChainJoin::Chain(from, to) if !(step.is_terminal(from) && step.is_terminal(to)) => {
                return self.add_state(&chains, ways.clone());
            }
            ChainJoin::Cycle if step.counts_paths => return Ok(()),
            ChainJoin::Cycle | ChainJoin::Chain(..) => {}
        }
        let all_full = || step.after.iter().all(|open| step.is_terminal(open.vertex) || chains.is_full(open.vertex));
        if step.all_met && all_full() {
            self.tours.get_or_insert_default().add(ways).ok_or(StateAddError::Overflow)?;
        }
        Ok(())
    }

    /// Adds the ways to a state, unless the state leads to no tour.
    fn add_state(&mut self, chains: &Chains, ways: [T; 2]) -> Result<(), StateAddError> {
        let step = self.step;
        let spent = step.after.iter().filter(|open| step.is_saturated(chains, open.vertex));
        let spent = spent.fold(0, |bits, open| bits | vertex_bit(open.vertex));
        let starves = |open: &OpenVertex| {
            let needs = if chains.is_free(open.vertex) && !step.is_terminal(open.vertex) { 2 } else { 1 };
            spent & vertex_bit(open.vertex) == 0 && (open.beside & !spent).count_ones() + open.beyond < needs
        };
        if step.after.iter().any(starves) {
            return Ok(());
        }
        let state = chains.pack(step.after.iter().map(|open| open.vertex));
        let batch = &mut self.batches[shard(state)];
        batch.push((K::from_state(state), ways));
        if batch.len() < BATCH { Ok(()) } else { self.after.add(shard(state), batch, self.room) }
    }

    /// Adds all batches to `after`. Returns the numbers of tours that the thread has found.
    fn flush(mut self) -> Result<Option<[T; 2]>, StateAddError> {
        let mut batches = self.batches.iter_mut().enumerate().filter(|(_, batch)| !batch.is_empty());
        batches.try_for_each(|(shard, batch)| self.after.add(shard, batch, self.room))?;
        Ok(self.tours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::symmetric::quotient::Arc;
    use proptest::prelude::*;

    const FREELY: Bounds<'_> = Bounds { memory: 1 << 28, threads: 2, stop: &|_| false };

    /// A graph with `edges`, each given as first vertex, second vertex and voltage; repeated edges are left out.
    fn graph(orbits: usize, terminals: usize, modulus: u8, edges: &[(usize, usize, u8)]) -> QuotientGraph {
        let mut arcs = vec![Vec::new(); orbits + terminals];
        for &(a, b, voltage) in edges {
            let (there, back) = (voltage % modulus, (modulus - voltage % modulus) % modulus);
            if a != b && a.min(b) < orbits && !arcs[a].contains(&Arc { to: b, voltage: there }) {
                arcs[a].push(Arc { to: b, voltage: there });
                arcs[b].push(Arc { to: a, voltage: back });
            }
        }
        QuotientGraph { arcs, orbits }
    }

    /// The naive count for comparison: the number of walks from `at` through all orbits, for cycles back to orbit 0 with
    /// this parity of voltages, for paths on to the second terminal.
    fn walks(graph: &QuotientGraph, at: usize, visited: u32, sum: u8, parity: u8) -> u64 {
        let all = (1 << graph.orbits) - 1;
        let paths = graph.arcs.len() > graph.orbits;
        let onward = |arc: &Arc| {
            let sum = (sum + arc.voltage) % 2;
            match arc.to {
                to if to < graph.orbits && visited >> to & 1 == 0 => walks(graph, to, visited | 1 << to, sum, parity),
                0 if !paths && visited == all => u64::from(sum == parity),
                to if to == graph.orbits + 1 && visited == all => 1,
                _ => 0,
            }
        };
        graph.arcs[at].iter().map(onward).sum()
    }

    fn edges(vertices: usize) -> impl Strategy<Value = Vec<(usize, usize, u8)>> {
        prop::collection::vec((0..vertices, 0..vertices, 0u8..4), 0..40)
    }

    proptest! {
        #[test]
        fn cycles_are_those_that_walks_find(modulus in prop::sample::select(vec![2u8, 4]), edges in edges(7)) {
            let graph = graph(7, 0, modulus, &edges);
            // `walks` counts every cycle in both directions.
            let expected = [0, 1].map(|parity| BigUint::from(walks(&graph, 0, 1, 0, parity) / 2));
            prop_assert_eq!(count(&graph, FREELY).unwrap(), expected);
        }

        #[test]
        fn paths_are_those_that_walks_find(edges in edges(8)) {
            let graph = graph(6, 2, 1, &edges);
            let expected = walks(&graph, 6, 0, 0, 0);
            prop_assert_eq!(count(&graph, FREELY).unwrap(), [BigUint::from(expected), BigUint::ZERO]);
        }
    }

    /// A number type so small that it overflows at once.
    impl WayCount for u8 {
        const HEAP: u64 = 0;

        fn one() -> u8 {
            1
        }

        fn add(&mut self, other: &u8) -> Option<()> {
            *self = self.checked_add(*other)?;
            Some(())
        }
    }

    /// The complete graph of 8 orbits, with two terminals joined to all, has 8! paths.
    #[test]
    fn number_types_of_every_width_agree_or_overflow() {
        let edges: Vec<_> = (0..10).flat_map(|a| (0..a).map(move |b| (a, b, 0))).collect();
        let graph = graph(8, 2, 1, &edges);
        let (steps, pool) = (steps(&graph, &orbit_order(&graph)), rayon::ThreadPoolBuilder::new().build().unwrap());
        assert!(matches!(sweep::<u64, u8>(&steps, &pool, FREELY), Err(SweepHalt::Overflow)));
        assert!(matches!(sweep::<u128, u128>(&steps, &pool, FREELY), Ok([40320, 0])));
        let wide = sweep::<u64, BigUint>(&steps, &pool, FREELY);
        assert!(matches!(wide, Ok([paths, _]) if paths == BigUint::from(40320u32)));
    }
}
