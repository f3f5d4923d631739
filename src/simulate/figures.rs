//! What a simulation comes to.

/// What a simulation comes to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulationFigures {
    /// Number of workers.
    pub workers: usize,
    /// Nodes entered by all of them.
    pub nodes: u64,
    /// Tours found.
    pub tours: u64,
    /// From the first node to the end, in nodes.
    pub makespan: f64,
    /// Branches that changed hands.
    pub hires: u64,
    /// The longest time without work, at a stretch, of any worker: in nodes.
    pub idle_longest: f64,
    /// The same in seconds.
    pub idle_longest_s: f64,
}

impl SimulationFigures {
    /// How many times faster than one worker that has all of it to itself.
    pub fn speedup(&self) -> f64 {
        // One worker is no quicker with nothing than many are.
        if self.makespan > 0.0 { self.nodes as f64 / self.makespan } else { 1.0 }
    }

    /// What part of the workers' time goes into nodes, 0..=1.
    pub fn efficiency(&self) -> f64 {
        self.speedup() / self.workers as f64
    }
}
