//! The orders of the workers on the screen.

/// An order of the workers on the screen, greatest figure first. Workers that are equal in it are ordered by number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum WorkerOrder {
    /// By number.
    #[default]
    Number,
    /// By nodes entered, most first.
    Nodes,
    /// By depth, deepest first.
    Depth,
    /// By hires, most first.
    Hires,
    /// By time without work, longest first.
    Idle,
    /// By the group of cores on which the worker was last seen, if the machine has several groups.
    Group,
}

impl WorkerOrder {
    /// Every order.
    pub const ALL: [WorkerOrder; 6] = [
        WorkerOrder::Number,
        WorkerOrder::Nodes,
        WorkerOrder::Depth,
        WorkerOrder::Hires,
        WorkerOrder::Idle,
        WorkerOrder::Group,
    ];

    /// The next order in the cycle; [`WorkerOrder::Group`] is skipped unless `grouped`.
    pub fn next(self, grouped: bool) -> WorkerOrder {
        let all = WorkerOrder::ALL.len() - usize::from(!grouped);
        let place = WorkerOrder::ALL.iter().position(|&order| order == self).map_or(0, |place| place + 1);
        WorkerOrder::ALL[place % all]
    }

    /// The word for the order on the screen.
    pub fn name(self) -> &'static str {
        match self {
            WorkerOrder::Number => "number",
            WorkerOrder::Nodes => "nodes",
            WorkerOrder::Depth => "depth",
            WorkerOrder::Hires => "hires",
            WorkerOrder::Idle => "idle time",
            WorkerOrder::Group => "cache",
        }
    }
}
