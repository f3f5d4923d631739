//! Words of every screen that writes numbers with units.

use super::screen_keys::PaneWords;

/// The units of numbers and of short times.
pub const UNITS_WORDS: PaneWords = PaneWords {
    pane: "units",
    words: &[
        ("k M G", "Thousands, millions, billions: 1.85G is 1,850,000,000."),
        ("T P E", "10^12, which is a thousand billions, 10^15 and 10^18."),
        ("ms us ns", "A thousandth, a millionth and a billionth of a second."),
    ],
};
