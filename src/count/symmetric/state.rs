//! States of the border, as the counter keeps them and as it works on them.
//!
//! A vertex on the border is *free* (no edge yet), *full* (all its edges), or the end of a *chain*: a path through
//! vertices done, whose other end is on the border too. [`Chains`] holds that as mates: the mate of a free vertex is
//! itself, that of an end is the other end. A [`Packing`] writes it in one number, so that equal states are equal
//! numbers: four bits a vertex, 0 for free, 1 for full, and from 2 on the chain, numbered as they are first met; at its
//! second end stands also the voltage from the first end to it.
//!
//! ```text
//! vertex   A  B  C  D  E  F        A-D is a chain of voltage 1, B and F are free, C is full, E has
//! chain    2  0  1  2+ .  .        not been met and is not on the border
//! ```

/// The most vertices that one step touches: those of a state, and the one that is done.
const TOUCHED_MAX: usize = 32;
/// Chains numbered 2 to 15 have 28 ends.
const ENDS_MAX: usize = 28;
const FREE: u128 = 0;
const FULL: u128 = 1;
const FIRST_CHAIN: u128 = 2;
const CHAIN_BITS: u32 = 4;
/// The mate of a vertex that has all its edges.
const NO_MATE: u8 = u8::MAX;

/// What an edge made of the chains that it joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Joined {
    /// One chain, with these two ends.
    Chain(usize, usize),
    /// A cycle of this voltage.
    Cycle(u8),
}

/// The vertices that a step touches, with their mates; voltages count modulo `modulus`.
#[derive(Clone, Copy)]
pub(super) struct Chains {
    mates: [u8; TOUCHED_MAX],
    /// From each end to its mate.
    voltages: [u8; TOUCHED_MAX],
    modulus: u8,
}

impl Chains {
    fn free(modulus: u8) -> Chains {
        Chains { mates: std::array::from_fn(|vertex| vertex as u8), voltages: [0; TOUCHED_MAX], modulus }
    }

    pub fn is_free(&self, vertex: usize) -> bool {
        self.mates[vertex] as usize == vertex
    }

    pub fn is_full(&self, vertex: usize) -> bool {
        self.mates[vertex] == NO_MATE
    }

    /// The voltage from a to b, by way of a vertex from which these voltages lead to a and to b.
    pub fn voltage_between(&self, to_a: u8, to_b: u8) -> u8 {
        (self.modulus - to_a + to_b) % self.modulus
    }

    /// Joins two vertices that are not full, by an edge that has this voltage from `a` to `b`.
    pub fn join(&mut self, a: usize, b: usize, voltage: u8) -> Joined {
        let (from, to) = (self.mates[a] as usize, self.mates[b] as usize);
        let (before, after) = (self.voltages[from], self.voltages[b]);
        if from == b {
            self.mates[a] = NO_MATE;
            self.mates[b] = NO_MATE;
            return Joined::Cycle((voltage + after) % self.modulus);
        }
        let sum = (before + voltage + after) % self.modulus;
        for inner in [a, b] {
            self.mates[inner] = NO_MATE;
        }
        self.mates[from] = to as u8;
        self.mates[to] = from as u8;
        self.voltages[from] = sum;
        self.voltages[to] = (self.modulus - sum) % self.modulus;
        Joined::Chain(from, to)
    }
}

/// How states are written in numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    modulus: u8,
    bits: u32,
}

impl Packing {
    pub fn new(modulus: u8) -> Packing {
        Packing { modulus, bits: CHAIN_BITS + (modulus - 1).count_ones() }
    }

    /// The most vertices on the border of a state.
    pub fn border_max(self) -> usize {
        ENDS_MAX.min((u128::BITS / self.bits) as usize)
    }

    /// Writes the state of the vertices `border`, in their order; the mates of the ends among them must be among them.
    pub fn pack(self, chains: &Chains, border: impl Iterator<Item = usize>) -> u128 {
        let mut numbers = [0; TOUCHED_MAX];
        let mut next = FIRST_CHAIN;
        let mut state = 0;
        for (place, vertex) in border.enumerate() {
            let code = if chains.is_full(vertex) {
                FULL
            } else if chains.is_free(vertex) {
                FREE
            } else if numbers[vertex] == 0 {
                numbers[chains.mates[vertex] as usize] = next;
                next += 1;
                next - 1
            } else {
                let first = chains.mates[vertex] as usize;
                numbers[vertex] | u128::from(chains.voltages[first]) << CHAIN_BITS
            };
            state |= code << (self.bits * place as u32);
        }
        state
    }

    /// Reads the state of vertices 0 to `border`; all others are free.
    pub fn unpack(self, mut state: u128, border: usize) -> Chains {
        let mut chains = Chains::free(self.modulus);
        let mut ends = [None; 1 << CHAIN_BITS];
        for vertex in 0..border {
            let code = state & ((1 << self.bits) - 1);
            state >>= self.bits;
            let number = code & ((1 << CHAIN_BITS) - 1);
            match (number, ends[number as usize]) {
                (FREE, _) => {}
                (FULL, _) => chains.mates[vertex] = NO_MATE,
                (_, None) => ends[number as usize] = Some(vertex),
                (_, Some(first)) => {
                    let voltage = (code >> CHAIN_BITS) as u8;
                    chains.mates[first] = vertex as u8;
                    chains.mates[vertex] = first as u8;
                    chains.voltages[first] = voltage;
                    chains.voltages[vertex] = (self.modulus - voltage) % self.modulus;
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

    fn ends(chains: &Chains, vertices: usize) -> Vec<(usize, u8, u8)> {
        let all = 0..vertices;
        all.filter(|&v| !chains.is_full(v)).map(|v| (v, chains.mates[v], chains.voltages[v])).collect()
    }

    #[test]
    fn a_state_is_written_as_the_documentation_draws_it() {
        let mut chains = Chains::free(2);
        // By way of C, which has both its edges then.
        assert_eq!(chains.join(0, 2, 0), Joined::Chain(0, 2));
        assert_eq!(chains.join(2, 3, 1), Joined::Chain(0, 3));
        assert_eq!(Packing::new(2).pack(&chains, 0..4), 2 | 1 << 10 | (2 | 1 << 4) << 15);
    }

    #[test]
    fn voltages_add_up_along_a_chain_and_around_a_cycle() {
        let mut chains = Chains::free(4);
        chains.join(0, 1, 3);
        chains.join(3, 2, 1);
        // 0 -3-> 1 -2-> 2 -(-1)-> 3: 4 in all, which is 0; back from 3 to 0 with 3.
        assert_eq!(chains.join(1, 2, 2), Joined::Chain(0, 3));
        assert_eq!((chains.voltages[0], chains.voltages[3]), (0, 0));
        assert!(chains.is_full(1) && chains.is_full(2) && chains.is_free(4));
        assert_eq!(chains.join(0, 3, 1), Joined::Cycle(1));
    }

    proptest! {
        #[test]
        fn a_state_is_read_as_it_was_written(
            modulus in prop::sample::select(vec![1u8, 2, 4]),
            edges in prop::collection::vec((0usize..20, 0usize..20, 0u8..4), 0..24),
        ) {
            let mut chains = Chains::free(modulus);
            for (a, b, voltage) in edges {
                let open = a != b && !chains.is_full(a) && !chains.is_full(b);
                if open && (chains.mates[a] as usize != b) {
                    chains.join(a, b, voltage % modulus);
                }
            }
            let packing = Packing::new(modulus);
            prop_assert!(packing.border_max() >= 20);
            let read = packing.unpack(packing.pack(&chains, 0..20), 20);
            prop_assert_eq!(ends(&read, 20), ends(&chains, 20));
        }
    }
}
