//! Radley's prune tests: which moves away from a square are not worth making.
//!
//! The knight stands on p; N are the squares it could go to, the reserved one included. After a move to s the others,
//! N without s, can only be reached from elsewhere: one of them without a vacant neighbour is isolated, and the branch is
//! doomed. A move from p and a square it leaves behind have the same colour, so s is never a neighbour of another q in N:
//! whether q is isolated does not depend on s, and one look at p settles all of its branches at once. The same holds for
//! the test of the whole region: what s can reach is what is connected with it, s vacant or not, so either all branches
//! of p are cut or none.
//!
//! The figures that the source prints belong to a weaker test than its prose describes: a branch is cut only when
//! there are squares left behind and *every* one of them is isolated. Both are here.
//!
//! Which test applies is known when the program is built, how it ends is as good as random: hence selections instead
//! of branches.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm.

use super::graph::KnightGraph;
use crate::board::SquareMask;
use std::hint::select_unpredictable;
use std::marker::PhantomData;

/// Which test cuts branches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prune {
    /// None: the source ships with its test switched off.
    None,
    /// Squares are left behind and all of them are isolated: the test behind the source's figures.
    AllIsolated,
    /// A square left behind is isolated: the test of the source's prose.
    AnyIsolated,
    /// A vacant square cannot be reached through vacant squares: the test that the source dismisses as too dear.
    Region,
}

impl Prune {
    /// Every test.
    pub const ALL: [Prune; 4] = [Prune::None, Prune::AllIsolated, Prune::AnyIsolated, Prune::Region];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Prune::None => "none",
            Prune::AllIsolated => "all-isolated",
            Prune::AnyIsolated => "any-isolated",
            Prune::Region => "region",
        }
    }

    /// What it does, in a line for the help.
    pub fn summary(self) -> &'static str {
        match self {
            Prune::None => "cut nothing: so Radley's program came",
            Prune::AllIsolated => {
                "cut a move if every square that it leaves behind is isolated: so Radley's figures came about"
            }
            Prune::AnyIsolated => {
                "cut a move if a square that it leaves behind is isolated: so Radley describes his test"
            }
            Prune::Region => "cut a move if a vacant square cannot be reached any more",
        }
    }
}

/// A prune test, chosen at compile time.
pub(super) trait Test {
    /// Whether there is anything to test; `false` removes the test and its window from the kernel.
    const TESTS: bool = true;
    /// Whether what the test rejects is cut, or only counted.
    const CUTS: bool = true;

    /// The part of `moves`, the knight's moves from the square he stands on, worth making.
    fn keep<M: SquareMask>(graph: &KnightGraph<M>, moves: M, near: &Vicinity<M>) -> M;
}

/// What a test looks at besides the moves.
#[derive(Clone, Copy)]
pub(super) struct Vicinity<M> {
    /// All vacant squares, the reserved one included.
    pub vacant: M,
    /// The vacant squares a move away, likewise.
    pub options: M,
    /// The squares with a vacant neighbour: the others are isolated.
    pub linked: M,
}

pub(super) struct NoTest;
pub(super) struct AllIsolated;
pub(super) struct AnyIsolated;
pub(super) struct Region;

impl Test for NoTest {
    const TESTS: bool = false;

    #[inline(always)]
    fn keep<M: SquareMask>(_: &KnightGraph<M>, moves: M, _: &Vicinity<M>) -> M {
        moves
    }
}

impl Test for AllIsolated {
    /// Only isolated squares are left behind by a move to the one square that is not, or by any move when all are.
    /// A move with nothing left behind is never cut.
    #[inline(always)]
    fn keep<M: SquareMask>(_: &KnightGraph<M>, moves: M, near: &Vicinity<M>) -> M {
        let connected = near.options & near.linked;
        let cut = select_unpredictable(connected.is_empty(), moves, moves & connected);
        let none = !connected.without_first().is_empty() | near.options.without_first().is_empty();
        select_unpredictable(none, moves, moves ^ cut)
    }
}

impl Test for AnyIsolated {
    /// With one isolated square only the move to it leaves none behind.
    #[inline(always)]
    fn keep<M: SquareMask>(_: &KnightGraph<M>, moves: M, near: &Vicinity<M>) -> M {
        let isolated = near.options & !near.linked;
        let saving = select_unpredictable(isolated.without_first().is_empty(), moves & isolated, M::EMPTY);
        select_unpredictable(isolated.is_empty(), moves, saving)
    }
}

impl Test for Region {
    #[inline(always)]
    fn keep<M: SquareMask>(graph: &KnightGraph<M>, moves: M, near: &Vicinity<M>) -> M {
        if moves.is_empty() || connected(graph, moves ^ moves.without_first(), near.vacant) { moves } else { M::EMPTY }
    }
}

/// Whether every square of `vacant` can be reached from the squares `from`, through squares of `vacant`.
fn connected<M: SquareMask>(graph: &KnightGraph<M>, from: M, vacant: M) -> bool {
    let mut reached = from;
    loop {
        let more = reached | (graph.around(reached) & vacant);
        if more == reached {
            return reached == vacant;
        }
        reached = more;
    }
}

/// A test whose answer is counted and not followed: it shows what the test costs on a tree that it leaves as it is.
pub(super) struct CountOnly<T>(PhantomData<T>);

impl<T: Test> Test for CountOnly<T> {
    const TESTS: bool = T::TESTS;
    const CUTS: bool = false;

    #[inline(always)]
    fn keep<M: SquareMask>(graph: &KnightGraph<M>, moves: M, near: &Vicinity<M>) -> M {
        T::keep(graph, moves, near)
    }
}
