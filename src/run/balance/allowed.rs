//! The speed-up that the work and the span of a run allow.
//!
//! With P workers no run of these hand-overs takes less time than the work by P, nor less than the span: the speed-up is at
//! most P, and at most work / span. A scheduler that leaves no worker idle while there is a branch to take needs no more
//! than work / P + (1 - 1 / P) span: its speed-up is at least that. With the cost of the hand-overs in the span, it is about the
//! least speed-up with a core for each worker: hiring may leave a worker idle for a while, and a machine may have fewer cores.
//!
//! # Source
//! R. L. Graham, "Bounds for certain multiprocessing anomalies", 1966, and Yuxiong He, Charles Leiserson, William Leiserson,
//! "The Cilkview scalability analyzer", SPAA 2010, section 3.

/// The speed-up that is allowed with a number of workers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AllowedSpeedup {
    /// Workers.
    pub workers: usize,
    /// About the least: work / (work / P + (1 - 1 / P) burdened span).
    pub least: f64,
    /// The bound: the smaller of P and work / span.
    pub most: f64,
}

/// The speed-up that this work and these spans, in nodes, allow with so many workers; `None` without a span.
pub fn allowed(work: u64, [span, burdened]: [u64; 2], workers: usize) -> Option<AllowedSpeedup> {
    if span == 0 || workers == 0 {
        return None;
    }
    let (work, at_most) = (work as f64, workers as f64);
    let most = at_most.min(work / span as f64);
    let waiting = (1.0 - 1.0 / at_most) * burdened as f64;
    Some(AllowedSpeedup { workers, least: work / (work / at_most + waiting), most })
}

/// 1, 2, 4, .. and the number of workers itself.
pub fn crews_up_to(workers: usize) -> Vec<usize> {
    let mut crews: Vec<usize> =
        std::iter::successors(Some(1), |crew| Some(crew * 2)).take_while(|&n| n < workers).collect();
    crews.push(workers);
    crews
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_up_is_bounded_by_the_workers_and_by_the_parallelism() {
        let by = |workers| allowed(1000, [100, 125], workers).unwrap();
        assert_eq!(by(1), AllowedSpeedup { workers: 1, least: 1.0, most: 1.0 });
        assert_eq!(by(8), AllowedSpeedup { workers: 8, least: 1000.0 / (125.0 + 7.0 / 8.0 * 125.0), most: 8.0 });
        assert_eq!(by(1000), AllowedSpeedup { workers: 1000, least: 1000.0 / (1.0 + 0.999 * 125.0), most: 10.0 });
        assert_eq!(allowed(1000, [0, 0], 4), None);
    }

    #[test]
    fn crews_double_up_to_the_number_of_workers() {
        assert_eq!(crews_up_to(1), [1]);
        assert_eq!(crews_up_to(6), [1, 2, 4, 6]);
        assert_eq!(crews_up_to(8), [1, 2, 4, 8]);
    }
}
