//! States with their numbers of ways, in a hash table that says how much memory it takes.

use super::tally::Tally;
use std::collections::HashMap;
use std::collections::hash_map::{Entry, IntoIter};
use std::hash::{BuildHasherDefault, Hasher};

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

    fn write_u128(&mut self, state: u128) {
        // The odd constants are digits of the golden ratio and of pi.
        let fold = |product: u128| product as u64 ^ (product >> 64) as u64;
        let low = state as u64 ^ self.0 ^ 0x9E37_79B9_7F4A_7C15;
        let high = (state >> 64) as u64 ^ 0x2435_68A1_30DF_8A8D;
        let mixed = fold(u128::from(low) * u128::from(high));
        self.0 = fold(u128::from(mixed ^ state as u64) * 0x9E37_79B9_7F4A_7C15);
    }
}

/// Packed states and the number of ways to each.
pub(super) struct Table<T>(HashMap<u128, T, BuildHasherDefault<StateHasher>>);

impl<T: Tally> Table<T> {
    pub fn new() -> Table<T> {
        Table(HashMap::default())
    }

    /// Bytes that a table of this capacity takes; it is full at seven eighths, and a slot has one byte of its own.
    fn bytes_of(capacity: usize) -> u64 {
        let slots = (capacity as u64).div_ceil(7) * 8;
        slots * (size_of::<(u128, T)>() as u64 + 1) + capacity as u64 * T::HEAP
    }

    /// How many states it has.
    pub fn len(&self) -> u64 {
        self.0.len() as u64
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> u64 {
        Self::bytes_of(self.0.capacity())
    }

    /// Makes room for so many more states, unless that would need more than `memory` bytes while it moves.
    pub fn make_room(&mut self, more: usize, memory: u64) -> Option<()> {
        let wanted = self.0.len() + more;
        if wanted > self.0.capacity() {
            // It at least doubles, and the old slots stay until all have moved.
            let grown = Self::bytes_of(wanted.max(2 * self.0.capacity()));
            if self.bytes() + grown > memory {
                return None;
            }
            self.0.try_reserve(more).ok()?;
        }
        Some(())
    }

    /// Adds ways to a state, or answers nothing if their number does not fit.
    pub fn add(&mut self, state: u128, ways: &T) -> Option<()> {
        match self.0.entry(state) {
            Entry::Occupied(mut found) => found.get_mut().add(ways),
            Entry::Vacant(place) => {
                place.insert(ways.clone());
                Some(())
            }
        }
    }
}

impl<T> IntoIterator for Table<T> {
    type Item = (u128, T);
    type IntoIter = IntoIter<u128, T>;

    fn into_iter(self) -> IntoIter<u128, T> {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_one_state_add_up() {
        let mut table = Table::<u128>::new();
        assert_eq!((table.add(7, &2), table.add(9, &1), table.add(7, &3)), (Some(()), Some(()), Some(())));
        let mut all: Vec<_> = table.into_iter().collect();
        all.sort_unstable();
        assert_eq!(all, [(7, 5), (9, 1)]);
    }

    #[test]
    fn a_number_that_does_not_fit_is_told() {
        let mut table = Table::new();
        assert_eq!((table.add(7, &u128::MAX), table.add(7, &1)), (Some(()), None));
    }

    /// What is said of memory: never more than the bound, and not so little that the bound is wasted.
    #[test]
    fn it_grows_to_its_bound_and_no_further() {
        const MEMORY: u64 = 1 << 20;
        let mut table = Table::<u128>::new();
        let mut states = 0u128;
        while table.make_room(1, MEMORY).is_some() {
            table.add(states, &1);
            states += 1;
            assert!(table.bytes() <= MEMORY);
        }
        assert!(states as u64 * 32 * 8 > MEMORY, "{states} states");
    }
}
