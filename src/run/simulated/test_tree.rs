//! A tree for tests: every node has as many children as its shape says, behind a chain of further nodes, which cannot be
//! shared.

use crate::search::{Branches, Burst, BurstEnd, BurstOutput, Drawing, Kernel, Stack, Task};
use std::sync::Arc;

/// The children of the node at the end of a path, and the nodes of its chain.
pub type Shape = Arc<dyn Fn(&[u8]) -> (u32, u64) + Send + Sync>;

/// The search of such a tree.
#[derive(Clone)]
pub struct TestTree {
    shape: Shape,
    stack: Stack<u64>,
    /// Nodes that are left of the chain of the current node, and the children behind it.
    chain: u64,
    behind: u64,
}

impl TestTree {
    /// The search of the tree of this shape.
    pub fn new(shape: impl Fn(&[u8]) -> (u32, u64) + Send + Sync + 'static) -> TestTree {
        TestTree { shape: Arc::new(shape), stack: Stack::new(), chain: 0, behind: 0 }
    }

    fn children(number: u32) -> u64 {
        if number < u64::BITS { (1 << number) - 1 } else { u64::MAX }
    }
}

impl Kernel for TestTree {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        self.stack.begin(task, TestTree::children((self.shape)(&[]).0));
        self.chain = 0;
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        loop {
            let untried = self.stack.untried();
            if self.chain == 0 && untried == 0 {
                if self.stack.leave().is_none() {
                    return BurstEnd::Exhausted;
                }
                continue;
            }
            if burst.is_due() {
                return BurstEnd::Yielded;
            }
            out.tally.nodes += 1;
            if self.chain > 0 {
                self.chain -= 1;
                if self.chain == 0 {
                    self.stack.open(self.behind);
                }
                continue;
            }
            self.stack.enter(untried.trailing_zeros() as usize);
            let (children, chain) = (self.shape)(self.stack.chosen());
            (self.chain, self.behind) = (chain, TestTree::children(children));
            self.stack.open(if chain == 0 { self.behind } else { 0 });
        }
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.path(std::iter::empty(), None);
    }
}
