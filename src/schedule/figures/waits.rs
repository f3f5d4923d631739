//! The waits of a worker, each from when it ran dry until it was hired: how many there were of each length, the longest one,
//! and how often the worker asked in vain.
//!
//! A worker counts its own waits. That it asked in vain is counted by the worker that sent it to another one.

use super::cells::{Count, SmallCount, Time};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Classes of waits: under 1 us, under 2 us, and so on; the last one has all from 2^25 us, which are 34 s, on.
pub const WAIT_CLASSES: usize = 27;

/// The class of a wait: the first that ends above it.
fn class(wait: Duration) -> usize {
    let micros = wait.as_micros() as u64;
    ((u64::BITS - micros.leading_zeros()) as usize).min(WAIT_CLASSES - 1)
}

/// The waits of one worker, or of several together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(into = "Vec<u64>", try_from = "Vec<u64>")]
pub struct WaitCounts {
    /// At `i`: waits under 2^i microseconds that are in no class before. The last one has all longer ones.
    pub histogram: [u64; WAIT_CLASSES],
    pub longest: Duration,
    /// How often the worker asked another one that gave it no branch: that one ran dry, sent it along with the worker that it
    /// hired, or the run ended.
    pub in_vain: u64,
}

impl WaitCounts {
    /// Counts a wait.
    pub fn add(&mut self, wait: Duration) {
        self.histogram[class(wait)] += 1;
        self.longest = self.longest.max(wait);
    }

    /// How many waits there were.
    pub fn count(&self) -> u64 {
        self.histogram.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// A time that this share of the waits, 0..=1, did not exceed: the end of a class, or the longest wait if that is less.
    /// `None` without waits.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let wanted = ((self.count() as f64 * share).ceil() as u64).max(1);
        let mut seen = 0u64;
        let class = self.histogram.iter().position(|count| {
            seen = seen.saturating_add(*count);
            seen >= wanted
        })?;
        let end = if class + 1 < WAIT_CLASSES { Duration::from_micros(1 << class) } else { self.longest };
        Some(end.min(self.longest))
    }

    /// The waits of both.
    pub fn plus(&self, other: &WaitCounts) -> WaitCounts {
        WaitCounts {
            histogram: std::array::from_fn(|class| self.histogram[class].saturating_add(other.histogram[class])),
            longest: self.longest.max(other.longest),
            in_vain: self.in_vain.saturating_add(other.in_vain),
        }
    }
}

/// A short list, because most classes are empty: in vain, the longest in ns, the first class with waits, and the classes from
/// there up to the last one with waits.
impl From<WaitCounts> for Vec<u64> {
    fn from(WaitCounts { histogram, longest, in_vain }: WaitCounts) -> Vec<u64> {
        let first = histogram.iter().position(|count| *count > 0).unwrap_or(0);
        let end = histogram.iter().rposition(|count| *count > 0).map_or(first, |last| last + 1);
        let head = [in_vain, longest.as_nanos() as u64, first as u64];
        head.into_iter().chain(histogram[first..end].iter().copied()).collect()
    }
}

impl TryFrom<Vec<u64>> for WaitCounts {
    type Error = &'static str;

    fn try_from(list: Vec<u64>) -> Result<WaitCounts, &'static str> {
        let [in_vain, longest, first, counts @ ..] = &list[..] else { return Err("waits of fewer than three figures") };
        let mut waits = WaitCounts { in_vain: *in_vain, longest: Duration::from_nanos(*longest), ..Default::default() };
        let classes =
            usize::try_from(*first).ok().and_then(|first| waits.histogram.get_mut(first..)?.get_mut(..counts.len()));
        classes.ok_or("waits of more classes than there are")?.copy_from_slice(counts);
        Ok(waits)
    }
}

/// Where a worker publishes its waits.
#[derive(Default, Debug)]
pub struct WaitCells {
    histogram: [SmallCount; WAIT_CLASSES],
    longest: Time,
    /// Other workers count here, too.
    pub in_vain: Count,
}

impl WaitCells {
    /// Counts a wait of the calling worker.
    pub fn add(&self, wait: Duration) {
        let count = &self.histogram[class(wait)];
        count.set(count.get().saturating_add(1));
        self.longest.set(self.longest.get().max(wait));
    }

    /// What was published.
    pub fn read(&self) -> WaitCounts {
        let histogram = std::array::from_fn(|class| self.histogram[class].get().into());
        WaitCounts { histogram, longest: self.longest.get(), in_vain: self.in_vain.get() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(micros: &[u64]) -> WaitCounts {
        let (cells, mut waits) = (WaitCells::default(), WaitCounts::default());
        for wait in micros.iter().map(|wait| Duration::from_micros(*wait)) {
            cells.add(wait);
            waits.add(wait);
        }
        assert_eq!(cells.read(), waits);
        waits
    }

    #[test]
    fn a_wait_is_in_the_first_class_that_ends_above_it() {
        let waits = of(&[0, 1, 2, 3, 4, 7, 8, (1 << 25) - 1, 1 << 25, 1 << 40]);
        let counted: Vec<_> = waits.histogram.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
        assert_eq!(counted, [(0, 1), (1, 1), (2, 2), (3, 2), (4, 1), (25, 1), (26, 2)]);
        assert_eq!((waits.quantile(1.0), waits.quantile(0.5)), (Some(waits.longest), Some(Duration::from_micros(8))));
        assert_eq!((of(&[]).quantile(0.5), of(&[5]).quantile(0.5)), (None, Some(Duration::from_micros(5))));
    }

    #[test]
    fn what_are_no_waits_is_refused() {
        for list in ["[1,2]", "[0,0,27,1]", "[0,0,25,1,1,1]", "[0,0,18446744073709551615,1]", "[-1,0,0]"] {
            assert!(serde_json::from_str::<WaitCounts>(list).is_err(), "{list}");
        }
        assert_eq!(serde_json::to_string(&of(&[3, 9])).unwrap(), "[0,9000,2,1,0,1]");
        assert_eq!(serde_json::to_string(&of(&[])).unwrap(), "[0,0,0]");
    }

    proptest! {
        #[test]
        fn quantiles_are_at_most_the_longest_and_less_than_twice_the_exact_ones(
            mut micros in prop::collection::vec(prop_oneof![0u64..100, 0u64..1_000_000, 0u64..1 << 30], 1..200),
            in_vain in 0u64..1 << 40,
        ) {
            let waits = WaitCounts { in_vain, ..of(&micros) };
            prop_assert_eq!(waits.count(), micros.len() as u64);
            micros.sort_unstable();
            for share in [0.0, 0.5, 0.99, 1.0] {
                let exact = micros[((micros.len() as f64 * share).ceil() as usize).max(1) - 1];
                let told = waits.quantile(share).unwrap().as_micros() as u64;
                prop_assert!(exact <= told && told <= micros[micros.len() - 1], "{} {}", exact, told);
                prop_assert!(exact >= 1 << 25 || told <= (2 * exact).max(1), "{} {}", exact, told);
            }
            let text = serde_json::to_string(&waits).unwrap();
            prop_assert_eq!(serde_json::from_str::<WaitCounts>(&text).unwrap(), waits);
            let (one, other) = micros.split_at(micros.len() / 2);
            prop_assert_eq!(of(one).plus(&of(other)), of(&micros));
        }
    }
}
