//! Who hired whom: the hires of a crew by hirer and helper.

use crate::words::{grouped, percent_tenths};

/// Workers of the largest crew with a matrix: half a megabyte.
pub const PAIRS_MAX: usize = 256;
/// Most rows and columns shown.
pub const SHOWN_MAX: usize = 32;

/// Hires by hirer and helper.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pairs {
    workers: usize,
    /// One row per hirer; empty for a crew that is too large.
    hires: Vec<u64>,
}

/// The part of the matrix that is shown: in larger crews, the workers that hired most and the workers hired most; or all groups of
/// CPUs in place of workers.
#[derive(Clone, PartialEq, Debug)]
pub struct Matrix {
    pub hirers: Vec<usize>,
    pub helpers: Vec<usize>,
    /// A row for each hirer, a figure for each helper.
    pub hires: Vec<Vec<u64>>,
    /// The largest figure.
    pub most: u64,
    /// Whether all workers or groups are shown.
    pub whole: bool,
    /// Of groups: what those in one have in common, and the share of the hires between workers of known CPUs that stayed within one.
    pub of_groups: Option<(&'static str, f64)>,
}

impl Pairs {
    /// An empty matrix for a crew of this size.
    pub fn new(workers: usize) -> Pairs {
        Pairs { workers, hires: if workers <= PAIRS_MAX { vec![0; workers * workers] } else { Vec::new() } }
    }

    /// Counts a hire.
    pub fn add(&mut self, hirer: usize, helper: usize) {
        if hirer.max(helper) < self.workers
            && let Some(hires) = self.hires.get_mut(hirer * self.workers + helper)
        {
            *hires += 1;
        }
    }

    /// Every pair with a hire: hirer, helper, how often.
    pub fn all(&self) -> impl Iterator<Item = [u64; 3]> {
        let workers = self.workers as u64;
        let hires = self.hires.iter().zip(0..).filter(|(hires, _)| **hires > 0);
        hires.map(move |(&hires, place)| [place / workers, place % workers, hires])
    }

    /// The part to show; `None` for a crew that is too large, or without hires.
    pub fn matrix(&self) -> Option<Matrix> {
        let most_active = |of: usize| {
            let mut sums: Vec<(u64, usize)> = (0..self.workers).map(|worker| (0, worker)).collect();
            for pair in self.all() {
                sums[pair[of] as usize].0 += pair[2];
            }
            sums.sort_by_key(|&(hires, worker)| (std::cmp::Reverse(hires), worker));
            let mut shown: Vec<usize> = sums.into_iter().take(SHOWN_MAX).map(|(_, worker)| worker).collect();
            shown.sort_unstable();
            shown
        };
        let most = self.hires.iter().copied().max().filter(|&most| most > 0)?;
        let (hirers, helpers) = (most_active(0), most_active(1));
        let row = |hirer: &usize| helpers.iter().map(|helper| self.hires[hirer * self.workers + helper]).collect();
        let hires = hirers.iter().map(row).collect();
        Some(Matrix { hires, hirers, helpers, most, whole: self.workers <= SHOWN_MAX, of_groups: None })
    }
}

impl Matrix {
    /// The title of the matrix, with how to read it.
    pub fn title(&self) -> String {
        let whose = if self.whole { "" } else { ", of those with most" };
        let times = if self.most > 1 { format!("; up to {} times", grouped(self.most)) } else { String::new() };
        let (who, within) = match self.of_groups {
            None => ("who hired whom".to_owned(), String::new()),
            Some((kind, share)) => (format!("which {kind} hired which"), format!("; {} within", percent_tenths(share))),
        };
        format!("{who}: rows hire, columns are hired{whose}{times}{within}")
    }

    /// The heat of a figure, 0..=1; `None` for 0.
    pub fn heat(&self, hires: u64) -> Option<f64> {
        (hires > 0).then(|| hires as f64 / self.most as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_workers_the_most_active_are_shown() {
        let mut pairs = Pairs::new(40);
        assert_eq!(pairs.matrix(), None);
        for worker in 0..39 {
            pairs.add(worker, worker + 1);
        }
        (0..3).for_each(|_| pairs.add(39, 0));
        // There is no such worker.
        pairs.add(40, 0);
        let shown = pairs.matrix().unwrap();
        assert_eq!((shown.hirers.len(), shown.helpers.len(), shown.most, shown.whole), (32, 32, 3, false));
        assert_eq!((shown.hirers[31], shown.helpers[0], shown.hires[31][0]), (39, 0, 3));
        assert_eq!(pairs.all().map(|[_, _, hires]| hires).sum::<u64>(), 42);
    }

    #[test]
    fn a_crew_that_is_too_large_has_no_matrix() {
        let mut pairs = Pairs::new(PAIRS_MAX + 1);
        pairs.add(1, 2);
        assert_eq!((pairs.matrix(), pairs.all().count()), (None, 0));
    }
}
