//! In which order the workers are shown: by their numbers, or those with the most of something first.

/// An order of the workers; those that are equal in it follow their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
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

impl Order {
    const ALL: [Order; 6] = [Order::Number, Order::Nodes, Order::Depth, Order::Hires, Order::Idle, Order::Group];

    /// The one after it, and after the last the first; groups are one only where there are any.
    pub fn next(self, grouped: bool) -> Order {
        let all = Order::ALL.len() - usize::from(!grouped);
        let place = Order::ALL.iter().position(|&order| order == self).map_or(0, |place| place + 1);
        Order::ALL[place % all]
    }

    /// What the workers are in the order of.
    pub fn name(self) -> &'static str {
        match self {
            Order::Number => "number",
            Order::Nodes => "nodes",
            Order::Depth => "depth",
            Order::Hires => "hires",
            Order::Idle => "idle time",
            Order::Group => "cache",
        }
    }
}
