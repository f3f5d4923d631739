//! In which order the workers are shown: by their numbers, or those with the most of something first.

/// An order of the workers; those that are equal in it follow their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum WorkerOrder {
    /// By number.
    #[default]
    Number,
    /// Who entered the most nodes first.
    Nodes,
    /// Who is deepest first.
    Depth,
    /// Who hired most first.
    Hires,
    /// Who was without work for the longest time first.
    Idle,
    /// By the group of cores that they were last seen on, where there are several.
    Group,
}

impl WorkerOrder {
    const ALL: [WorkerOrder; 6] = [
        WorkerOrder::Number,
        WorkerOrder::Nodes,
        WorkerOrder::Depth,
        WorkerOrder::Hires,
        WorkerOrder::Idle,
        WorkerOrder::Group,
    ];

    /// The one after it, and after the last the first; groups are one only where there are any.
    pub fn next(self, grouped: bool) -> WorkerOrder {
        let all = WorkerOrder::ALL.len() - usize::from(!grouped);
        let place = WorkerOrder::ALL.iter().position(|&order| order == self).map_or(0, |place| place + 1);
        WorkerOrder::ALL[place % all]
    }

    /// What the workers are in the order of.
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
