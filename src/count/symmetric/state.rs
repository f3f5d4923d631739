//! States of the border: packed in one number for the table, and unpacked as mates for the sweep.
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
}
