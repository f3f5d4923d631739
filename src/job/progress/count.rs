//! The progress line of a count.

use crate::count::{CountPhase, CountSnapshot, Modulus};
use crate::words::{self, clock, progress, share, span};
use std::time::Duration;

/// The progress of a count: exact share done, row, states, width of the counters, time left.
pub fn count(now: &CountSnapshot) -> String {
    let time = clock(Duration::from_secs_f64(now.elapsed_s.max(0.0)));
    match now.phase {
        CountPhase::Planning => format!("{time}  planning: which states there can be"),
        CountPhase::Symmetry => format!("{time}  counting the tours that symmetries keep"),
        CountPhase::Counting | CountPhase::Done => format!("{time}  {}", counting(now)),
    }
}

fn counting(now: &CountSnapshot) -> String {
    let (done, states, planned) =
        (progress(share(now.states, now.states_planned)), words::count(now.states), words::count(now.states_planned));
    let sweep = if now.sweeps > 1 { format!("sweep {} of {}, ", now.sweep + 1, now.sweeps) } else { String::new() };
    let row = (now.row + 1).min(now.rows.max(1));
    let pass = match now.passes {
        0 | 1 => format!("pass {}", now.pass + 1),
        passes => format!("pass {} of about {}", now.pass + 1, passes.max(now.pass + 1)),
    };
    let width = match now.modulus {
        Modulus::None if now.passes > 1 => format!("{pass}, {} bits", now.bits),
        Modulus::None => format!("{} bits", now.bits),
        Modulus::TwoTo64 => format!("{pass} modulo 2^64"),
        Modulus::Prime(prime) => format!("{pass} modulo {prime}"),
    };
    let left = now.left_s.map_or(String::new(), |seconds| format!("left {}, ", span(seconds)));
    format!("{done} done, {left}{sweep}row {row} of {}, {states} of {planned} states, {width}", now.rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn third_row() -> CountSnapshot {
        CountSnapshot {
            phase: CountPhase::Counting,
            sweeps: 1,
            row: 2,
            rows: 8,
            states: 1_728_000_000,
            states_planned: 3_943_000_000,
            bits: 32,
            elapsed_s: 7.9,
            left_s: Some(9.2),
            ..CountSnapshot::default()
        }
    }

    #[test]
    fn a_line_says_how_far_it_is() {
        assert_eq!(count(&third_row()), "0:07  43.8% done, left 9 s, row 3 of 8, 1.72G of 3.94G states, 32 bits");
    }

    #[test]
    fn passes_and_sweeps_are_named_where_there_are_several() {
        let prime = Modulus::Prime(2_147_483_647);
        let now = CountSnapshot { pass: 1, passes: 3, modulus: prime, sweep: 1, sweeps: 2, ..third_row() };
        let line = count(&now);
        assert!(line.contains("sweep 2 of 2, row 3") && line.contains("pass 2 of about 3 modulo 2147483647"), "{line}");
    }

    #[test]
    fn a_count_that_has_not_begun_has_no_share() {
        assert!(count(&CountSnapshot::default()).ends_with("planning: which states there can be"));
        let begun = count(&CountSnapshot { phase: CountPhase::Counting, ..CountSnapshot::default() });
        assert!(begun.contains("  0% done"), "{begun}");
    }
}
