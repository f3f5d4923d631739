//! States of the border: packed in one number for the tables, and unpacked as mates for the sweep; and their numbers of ways.
//!
//! A vertex on the border is *free* (no edge yet), *full* (all its edges), or the end of a *chain*: a path through
//! done vertices, whose other end is on the border too. [`Chains`] holds the mate of each vertex: the mate of a free vertex
//! is itself, the mate of an end is the other end. A packed state has four bits for each vertex: 0 for free, 1 for full, and
//! from 2 on the number of its chain. Chains are numbered in the order of their first ends, so that equal states are equal
//! numbers.
//!
//! ```text
//! vertex   A  B  C  D  E  F        A-D is a chain, B is free, C is full;
//! code     2  0  1  2  .  .        E and F are not on the border, and no edge has met them
//! ```
//!
//! The numbers of ways are in hash tables whose memory is counted. A hash of the state cuts a layer of states into **shards**. Each shard has its own lock, so that threads add to it in
//! turn, and grows by itself, so that only a growing shard is in memory twice, and never the whole layer.

use crate::lock::LockAlways as _;
use num_bigint::BigUint;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most vertices that one step touches: the border after the step, and the orbit that the step does.
const TOUCHED_MAX: usize = 32;
/// The most vertices on the border of a state: the chains 2 to 15 have 28 ends.
pub(super) const BORDER_MAX: usize = 28;
const FREE: u128 = 0;
const FULL: u128 = 1;
const FIRST_CHAIN: u128 = 2;
/// Bits of a vertex in a packed state.
pub(super) const BITS: u32 = 4;
/// The mate of a vertex that has all its edges.
const NO_MATE: u8 = u8::MAX;

/// The result of joining two chain ends by an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChainJoin {
    /// One chain, with these two ends.
    Chain(usize, usize),
    /// The two were the ends of one chain: it is now a cycle.
    Cycle,
}

/// The vertices that a step touches, with their mates.
#[derive(Clone, Copy)]
pub(super) struct Chains {
    mates: [u8; TOUCHED_MAX],
}

impl Chains {
    fn free() -> Chains {
        Chains { mates: std::array::from_fn(|vertex| vertex as u8) }
    }

    pub fn is_free(&self, vertex: usize) -> bool {
        self.mates[vertex] as usize == vertex
    }

    pub fn is_full(&self, vertex: usize) -> bool {
        self.mates[vertex] == NO_MATE
    }

    /// Joins two vertices that are not full by an edge.
    pub fn join(&mut self, a: usize, b: usize) -> ChainJoin {
        let (from, to) = (self.mates[a] as usize, self.mates[b] as usize);
        for inner in [a, b] {
            self.mates[inner] = NO_MATE;
        }
        if from == b {
            return ChainJoin::Cycle;
        }
        self.mates[from] = to as u8;
        self.mates[to] = from as u8;
        ChainJoin::Chain(from, to)
    }

    /// Packs the state of the vertices `border`, in their order. The mate of each end in `border` must be in `border` too.
    pub fn pack(&self, border: impl Iterator<Item = usize>) -> u128 {
        let mut numbers = [0; TOUCHED_MAX];
        let mut next = FIRST_CHAIN;
        let mut state = 0;
        for (place, vertex) in border.enumerate() {
            let code = if self.is_full(vertex) {
                FULL
            } else if self.is_free(vertex) {
                FREE
            } else if numbers[vertex] == 0 {
                numbers[self.mates[vertex] as usize] = next;
                next += 1;
                next - 1
            } else {
                numbers[vertex]
            };
            state |= code << (BITS * place as u32);
        }
        state
    }

    /// Unpacks the state of the vertices below `border`; all other vertices are free.
    pub fn unpack(mut state: u128, border: usize) -> Chains {
        let mut chains = Chains::free();
        let mut ends = [None; 1 << BITS];
        for vertex in 0..border {
            let code = state & ((1 << BITS) - 1);
            state >>= BITS;
            match (code, ends[code as usize]) {
                (FREE, _) => {}
                (FULL, _) => chains.mates[vertex] = NO_MATE,
                (_, None) => ends[code as usize] = Some(vertex),
                (_, Some(first)) => {
                    chains.mates[first] = vertex as u8;
                    chains.mates[vertex] = first as u8;
                }
            }
        }
        chains
    }
}

/// Shards of a layer, a power of two.
pub(super) const SHARDS: usize = 256;
/// States that a thread adds to a shard at a time.
pub(super) const BATCH: usize = 256;

/// A packed state in 64 or 128 bits, so that short borders take less memory.
pub(super) trait StateKey: Copy + Eq + Hash + Send + Sync {
    /// The most vertices of a border whose state fits.
    const BORDER_MAX: usize;

    /// The low bits of a state.
    fn from_state(state: u128) -> Self;

    fn to_state(self) -> u128;
}

macro_rules! key {
    ($($key:ty)*) => {$(
        impl StateKey for $key {
            const BORDER_MAX: usize = (<$key>::BITS / BITS) as usize;

            fn from_state(state: u128) -> $key {
                state as $key
            }

            fn to_state(self) -> u128 {
                self.into()
            }
        }
    )*};
}
key! { u64 u128 }

/// Hashes a state by two rounds of multiplication: both halves of it reach all bits of the hash.
#[derive(Default)]
struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u128(byte.into());
        }
    }

    fn write_u64(&mut self, state: u64) {
        self.write_u128(state.into());
    }

    fn write_u128(&mut self, state: u128) {
        // The odd constants are digits of the golden ratio and of pi.
        let fold = |product: u128| product as u64 ^ (product >> 64) as u64;
        let low = state as u64 ^ self.0 ^ 0x9E37_79B9_7F4A_7C15;
        let high = (state >> 64) as u64 ^ 0x2435_68A1_30DF_8A8D;
        let mixed = fold(u128::from(low) * u128::from(high));
        self.0 = fold(u128::from(mixed ^ state as u64) * 0x9E37_79B9_7F4A_7C15);
    }
}

/// The shard of a state. It uses another product than [`StateHasher`], so that the states of one shard are spread over its hash
/// table.
pub(super) fn shard(state: u128) -> usize {
    let mixed = (state as u64 ^ (state >> 64) as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
    (mixed >> 32) as usize % SHARDS
}

/// The memory limit of the states, and the memory that they take, in bytes.
pub(super) struct StateMemory {
    pub limit: u64,
    taken: AtomicU64,
}

impl StateMemory {
    pub fn new(limit: u64) -> StateMemory {
        StateMemory { limit, taken: AtomicU64::new(0) }
    }

    /// Reserves `bytes` more; `false`, and nothing is reserved, if that exceeds the limit.
    fn reserve(&self, bytes: u64) -> bool {
        let fits = self.taken.fetch_add(bytes, Relaxed) + bytes <= self.limit;
        if !fits {
            self.taken.fetch_sub(bytes, Relaxed);
        }
        fits
    }
}

/// Why states could not be added to a shard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StateAddError {
    /// The shard would exceed the memory limit.
    Memory,
    /// A sum of ways does not fit in its number type.
    Overflow,
}

/// The states of one shard, with the number of ways to each.
pub(super) struct StateShard<K, T>(HashMap<K, T, BuildHasherDefault<StateHasher>>);

impl<K: StateKey, T: WayCount> StateShard<K, T> {
    fn new() -> StateShard<K, T> {
        StateShard(HashMap::default())
    }

    /// Bytes of a table of this capacity. The hash table fills at most seven eighths of its slots and has one more byte for
    /// each slot.
    fn bytes_of(capacity: usize) -> u64 {
        let slots = (capacity as u64).div_ceil(7) * 8;
        slots * (size_of::<(K, T)>() as u64 + 1) + capacity as u64 * T::HEAP
    }

    /// Adds ways to states, and leaves the batch empty.
    pub fn add(&mut self, batch: &mut Vec<(K, T)>, room: &StateMemory) -> Result<(), StateAddError> {
        let wanted = self.0.len() + batch.len();
        if wanted > self.0.capacity() {
            // The table at least doubles, and its old slots stay until all states have moved.
            let before = Self::bytes_of(self.0.capacity());
            let grown = Self::bytes_of(wanted.max(2 * self.0.capacity()));
            if !room.reserve(grown) || self.0.try_reserve(batch.len()).is_err() {
                return Err(StateAddError::Memory);
            }
            let after = Self::bytes_of(self.0.capacity());
            room.taken.fetch_add(after, Relaxed);
            room.taken.fetch_sub(grown + before, Relaxed);
        }
        for (state, ways) in batch.drain(..) {
            match self.0.entry(state) {
                Entry::Occupied(mut found) => found.get_mut().add(&ways).ok_or(StateAddError::Overflow)?,
                Entry::Vacant(place) => {
                    place.insert(ways);
                }
            }
        }
        Ok(())
    }

    /// The states of the shard, one after the other. The reserved memory is released after the last state.
    pub fn into_states(self, room: &StateMemory) -> impl Iterator<Item = (K, T)> {
        let bytes = Self::bytes_of(self.0.capacity());
        self.0.into_iter().map(Some).chain([None]).filter_map(move |state| {
            if state.is_none() {
                room.taken.fetch_sub(bytes, Relaxed);
            }
            state
        })
    }
}

/// The states of a layer.
pub(super) struct StateTable<K, T>(Vec<Mutex<StateShard<K, T>>>);

impl<K: StateKey, T: WayCount> StateTable<K, T> {
    pub fn new() -> StateTable<K, T> {
        StateTable((0..SHARDS).map(|_| Mutex::new(StateShard::new())).collect())
    }

    /// Number of states.
    pub fn len(&self) -> u64 {
        let len = |shard: &Mutex<StateShard<K, T>>| shard.locked().0.len() as u64;
        self.0.iter().map(len).sum()
    }

    pub fn add(&self, shard: usize, batch: &mut Vec<(K, T)>, room: &StateMemory) -> Result<(), StateAddError> {
        self.0[shard].locked().add(batch, room)
    }

    /// Takes a shard out of the table and leaves an empty shard in its place.
    pub fn take(&self, shard: usize) -> StateShard<K, T> {
        std::mem::replace(&mut *self.0[shard].locked(), StateShard::new())
    }
}

/// A number of ways to a state.
pub(super) trait WayCount: Clone + Default + Send {
    /// Bytes that one number allocates outside of itself, rounded up.
    const HEAP: u64;

    fn one() -> Self;

    /// Adds another number; `None` if the sum does not fit.
    fn add(&mut self, other: &Self) -> Option<()>;
}

/// Ways with an even sum of voltages, and ways with an odd sum.
impl<T: WayCount> WayCount for [T; 2] {
    const HEAP: u64 = 2 * T::HEAP;

    fn one() -> [T; 2] {
        [T::one(), T::default()]
    }

    fn add(&mut self, other: &[T; 2]) -> Option<()> {
        self.iter_mut().zip(other).try_for_each(|(ways, other)| ways.add(other))
    }
}

macro_rules! fixed_width {
    ($($number:ty)*) => {$(
        impl WayCount for $number {
            const HEAP: u64 = 0;

            fn one() -> $number {
                1
            }

            fn add(&mut self, other: &$number) -> Option<()> {
                *self = self.checked_add(*other)?;
                Some(())
            }
        }
    )*};
}
fixed_width! { u64 u128 }

impl WayCount for BigUint {
    /// 512 bits and the overhead of the allocator. A board whose numbers are longer is so long that it has few states.
    const HEAP: u64 = 80;

    fn one() -> BigUint {
        BigUint::from(1u32)
    }

    fn add(&mut self, other: &BigUint) -> Option<()> {
        *self += other;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ends(chains: &Chains, vertices: usize) -> Vec<(usize, u8)> {
        let all = 0..vertices;
        all.filter(|&v| !chains.is_full(v)).map(|v| (v, chains.mates[v])).collect()
    }

    #[test]
    fn a_state_is_packed_as_the_documentation_draws_it() {
        let mut chains = Chains::free();
        // By way of C, which then has both its edges.
        assert_eq!(chains.join(0, 2), ChainJoin::Chain(0, 2));
        assert_eq!(chains.join(2, 3), ChainJoin::Chain(0, 3));
        assert_eq!(chains.pack(0..4), 2 | 1 << 8 | 2 << 12);
        assert_eq!(chains.join(0, 3), ChainJoin::Cycle);
        assert_eq!(chains.pack(0..4), 1 | 1 << 8 | 1 << 12);
    }

    proptest! {
        #[test]
        fn a_packed_state_unpacks_to_its_chains(edges in prop::collection::vec((0usize..20, 0usize..20), 0..24)) {
            let mut chains = Chains::free();
            for (a, b) in edges {
                let open = a != b && !chains.is_full(a) && !chains.is_full(b);
                if open && (chains.mates[a] as usize != b) {
                    chains.join(a, b);
                }
            }
            let read = Chains::unpack(chains.pack(0..20), 20);
            prop_assert_eq!(ends(&read, 20), ends(&chains, 20));
        }
    }

    #[test]
    fn ways_to_one_state_add_up() {
        let (table, room) = (StateTable::<u64, u128>::new(), StateMemory::new(1 << 20));
        table.add(3, &mut vec![(7, 2), (9, 1), (7, 3)], &room).unwrap();
        assert_eq!((table.len(), table.take(4).into_states(&room).count()), (2, 0));
        let mut all: Vec<_> = table.take(3).into_states(&room).collect();
        all.sort_unstable();
        assert_eq!((all, table.len(), room.taken.load(Relaxed)), (vec![(7, 5), (9, 1)], 0, 0));
    }

    #[test]
    fn a_sum_that_does_not_fit_is_an_overflow() {
        let (table, room) = (StateTable::<u128, u64>::new(), StateMemory::new(1 << 20));
        assert_eq!(table.add(0, &mut vec![(7, u64::MAX), (7, 1)], &room), Err(StateAddError::Overflow));
    }

    /// The reserved memory never exceeds the limit, and the states use a fair part of the limit.
    #[test]
    fn a_table_grows_to_its_memory_limit_and_no_further() {
        let (table, room) = (StateTable::<u128, u128>::new(), StateMemory::new(1 << 20));
        let mut states = 0u128;
        while table.add(shard(states), &mut vec![(states, 1)], &room).is_ok() {
            states += 1;
            assert!(room.taken.load(Relaxed) <= room.limit);
        }
        assert!(states as u64 * 32 * 8 > room.limit, "{states} states");
    }

    #[test]
    fn shards_have_similar_numbers_of_states() {
        let mut filled = [0; SHARDS];
        (0..1u128 << 16).for_each(|state| filled[shard((state * 17) << 8)] += 1);
        assert!(filled.iter().all(|&states| (128..=512).contains(&states)), "{filled:?}");
    }
}
