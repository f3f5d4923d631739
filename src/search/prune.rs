//! Radley's prune tests: which moves from a square are not worth making.
//!
//! The knight stands on p; N are its vacant neighbours, the reserved square included. After a move to s, the other
//! squares of N can only be reached from elsewhere. If one of them has no vacant neighbour, it is isolated, and the
//! branch has no tour. A move from p and a square it leaves behind have one colour, so s is never a neighbour of
//! another q in N. Hence whether q is isolated does not depend on s, and one look at p decides all of its branches. The
//! test of the whole region is decided at p too: s reaches what is connected with it, whether s is vacant or not, so
//! either all branches of p are cut or none.
//!
//! The figures that the source prints belong to a weaker test than its prose describes. That test cuts a branch only
//! when there are squares left behind and *every* one of them is isolated. Both tests are here.
//!
//! The choice of test is known at compile time, but its outcome is as good as random. So the tests use conditional
//! moves instead of branches.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm.

use crate::board::{SmallBoard, SquareMask};
use crate::table::table;
use serde::{Deserialize, Serialize};
use std::hint::select_unpredictable;
use std::marker::PhantomData;

table! {
    /// The test that cuts branches.
    /// `name`: the name of the test on the command line.
    /// `summary`: the line of the test in the help.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Prune(name: &'static str, summary: &'static str) {
        /// No test: the source ships with its test switched off.
        None: "none", "cut nothing, as Radley's program was shipped";
        /// Squares are left behind and all of them are isolated: the test behind the source's figures.
        AllIsolated:
            "all-isolated",
            "cut a move if every square that it leaves behind is isolated: the test behind Radley's figures";
        /// A square left behind is isolated: the test of the source's prose.
        AnyIsolated:
            "any-isolated",
            "cut a move if a square that it leaves behind is isolated: the test that Radley describes";
        /// A vacant square cannot be reached over vacant squares: the test that the source rejects as too expensive.
        Region: "region", "cut a move if some vacant square can no longer be reached";
    }
}

/// A prune test, chosen at compile time.
pub(super) trait Test {
    /// Whether there is anything to test; `false` removes the test and its window from the kernel.
    const TESTS: bool = true;
    /// Whether rejected moves are cut; otherwise they are only counted.
    const CUTS: bool = true;

    /// The part of `moves`, from the knight's square, that is worth making.
    fn keep<M: SquareMask>(graph: &SmallBoard<M>, moves: M, near: &Vicinity<M>) -> M;
}

/// The sets that a test looks at besides the moves.
#[derive(Clone, Copy)]
pub(super) struct Vicinity<M> {
    /// All vacant squares, the reserved one included.
    pub vacant: M,
    /// The vacant neighbours of the knight's square, the reserved square included.
    pub options: M,
    /// The squares with a vacant neighbour; the others are isolated.
    pub linked: M,
}

pub(super) struct NoTest;
pub(super) struct AllIsolated;
pub(super) struct AnyIsolated;
pub(super) struct Region;

impl Test for NoTest {
    const TESTS: bool = false;

    #[inline(always)]
    fn keep<M: SquareMask>(_: &SmallBoard<M>, moves: M, _: &Vicinity<M>) -> M {
        moves
    }
}

impl Test for AllIsolated {
    /// A move leaves only isolated squares behind if it leads to the one square that is not isolated, or if all squares
    /// are. A move that leaves no square behind is never cut.
    #[inline(always)]
    fn keep<M: SquareMask>(_: &SmallBoard<M>, moves: M, near: &Vicinity<M>) -> M {
        let connected = near.options & near.linked;
        let cut = select_unpredictable(connected.is_empty(), moves, moves & connected);
        let none = !connected.without_first().is_empty() | near.options.without_first().is_empty();
        select_unpredictable(none, moves, moves ^ cut)
    }
}

impl Test for AnyIsolated {
    /// With one isolated square only the move to it leaves none behind.
    #[inline(always)]
    fn keep<M: SquareMask>(_: &SmallBoard<M>, moves: M, near: &Vicinity<M>) -> M {
        let isolated = near.options & !near.linked;
        let saving = select_unpredictable(isolated.without_first().is_empty(), moves & isolated, M::EMPTY);
        select_unpredictable(isolated.is_empty(), moves, saving)
    }
}

impl Test for Region {
    #[inline(always)]
    fn keep<M: SquareMask>(graph: &SmallBoard<M>, moves: M, near: &Vicinity<M>) -> M {
        let first = moves ^ moves.without_first();
        if moves.is_empty() || reached(graph, first, near.vacant) == near.vacant { moves } else { M::EMPTY }
    }
}

/// The squares that can be reached from `from` over squares of `vacant`.
pub(crate) fn reached<M: SquareMask>(graph: &SmallBoard<M>, from: M, vacant: M) -> M {
    let mut reached = from;
    loop {
        let more = reached | (graph.around(reached) & vacant);
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// Counts what the test rejects and cuts nothing. It shows the cost of the test on an unchanged tree.
pub(super) struct CountOnly<T>(PhantomData<T>);

impl<T: Test> Test for CountOnly<T> {
    const TESTS: bool = T::TESTS;
    const CUTS: bool = false;

    #[inline(always)]
    fn keep<M: SquareMask>(graph: &SmallBoard<M>, moves: M, near: &Vicinity<M>) -> M {
        T::keep(graph, moves, near)
    }
}
