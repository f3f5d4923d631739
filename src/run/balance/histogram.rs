//! A histogram of sizes, in classes that double in width. A run of days takes no more memory than a short one.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// Classes: 0, then 1, 2..3, 4..7 and so on.
const CLASSES: usize = 65;

/// Counts by size, in classes of powers of two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    counts: [u64; CLASSES],
    sum: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: [0; CLASSES], sum: 0 }
    }
}

impl Histogram {
    /// Counts one thing of this size.
    pub fn add(&mut self, size: u64) {
        self.counts[(u64::BITS - size.leading_zeros()) as usize] += 1;
        self.sum = self.sum.saturating_add(size);
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The sum of all sizes.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// The mean size; `None` without counts.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum as f64 / count as f64)
    }

    /// The class, smallest and largest size, that holds the quantile of `share`, 0..=1.
    pub fn quantile(&self, share: f64) -> Option<[u64; 2]> {
        let wanted = ((self.count() as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        self.classes().find_map(|(bounds, count)| {
            seen += count;
            (seen >= wanted).then_some(bounds)
        })
    }

    /// Each class with counts, as smallest size, largest size and count; the smallest first.
    pub fn classes(&self) -> impl Iterator<Item = ([u64; 2], u64)> {
        let bounds = |class: usize| match class {
            0 => [0, 0],
            class => [1 << (class - 1), u64::MAX >> (CLASSES - 1 - class)],
        };
        self.counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(move |(class, &count)| (bounds(class), count))
    }
}

/// A list of `[smallest, largest, how many]`.
impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for ([least, most], count) in self.classes() {
            list.serialize_element(&[least, most, count])?;
        }
        list.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double_and_quantiles_name_theirs() {
        let mut sizes = Histogram::default();
        assert_eq!((sizes.quantile(0.5), sizes.mean()), (None, None));
        [0, 1, 2, 3, 4, 7, 8, 1000, u64::MAX].into_iter().for_each(|size| sizes.add(size));
        let classes: Vec<_> = sizes.classes().collect();
        assert_eq!(classes[..5], [([0, 0], 1), ([1, 1], 1), ([2, 3], 2), ([4, 7], 2), ([8, 15], 1)]);
        assert_eq!(classes[5..], [([512, 1023], 1), ([1 << 63, u64::MAX], 1)]);
        assert_eq!((sizes.count(), sizes.quantile(0.0), sizes.quantile(0.5)), (9, Some([0, 0]), Some([4, 7])));
        assert_eq!(sizes.quantile(1.0), Some([1 << 63, u64::MAX]));
    }

    #[test]
    fn the_mean_is_exact() {
        let mut sizes = Histogram::default();
        [5, 6, 100].into_iter().for_each(|size| sizes.add(size));
        assert_eq!((sizes.sum(), sizes.mean()), (111, Some(37.0)));
        assert_eq!(serde_json::to_string(&sizes).unwrap(), "[[4,7,2],[64,127,1]]");
    }
}
