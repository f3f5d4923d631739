//! What the lanes know between two dispatches.

/// Words of a lane's head.
pub const HEAD: usize = 8;
/// The word that holds the squares on the path; 0 for a lane without a prefix.
pub const DEPTH: usize = 0;
/// The word that holds those of them that came with the prefix.
pub const BASE: usize = 1;
/// The two words of the squares that are not on the path.
pub const VACANT: usize = 2;
/// The two words of the squares on which a tour may end.
pub const LAST: usize = 4;

/// What the lanes know between two dispatches; on a device it lies in the same order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaneMemory {
    /// [`HEAD`] words for each lane.
    pub heads: Vec<[u32; HEAD]>,
    /// Steps that are untried at `[level * lanes + lane]`, level 0 for a lane without a prefix.
    pub untried: Vec<u64>,
    /// The square entered as the `level`-th, likewise.
    pub path: Vec<u32>,
}

impl LaneMemory {
    /// That of so many lanes without a prefix, on a board of so many squares.
    pub fn new(lanes: u32, squares: u32) -> LaneMemory {
        let (lanes, levels) = (lanes as usize, squares as usize + 1);
        LaneMemory { heads: vec![[0; HEAD]; lanes], untried: vec![0; levels * lanes], path: vec![0; levels * lanes] }
    }

    /// Where level `level` of a lane lies in [`LaneMemory::untried`] and [`LaneMemory::path`].
    pub fn at(&self, lane: usize, level: u32) -> usize {
        level as usize * self.heads.len() + lane
    }

    /// The path of a lane up to a level.
    pub fn path_to(&self, lane: usize, level: u32) -> Vec<u8> {
        (1..=level).map(|level| self.path[self.at(lane, level)] as u8).collect()
    }
}
