//! `order-by-avail`: depth-first search that tries the squares with the fewest moves onward first; and its reverse,
//! which tries those with the most first.

use super::card::FinderCard;
use super::dfs::DepthFirstFinder;
use crate::find::Preference;

/// The source's `order_by_avail`.
pub const ORDER_BY_AVAIL: DepthFirstFinder = DepthFirstFinder {
    card: &FinderCard {
        closes_by_luck: true,
        ..FinderCard::new(
            "order-by-avail",
            "Warnsdorff with backtracking (Miller and Ranum): squares with the fewest moves onward first",
        )
    },
    preference: |_| Preference::FewestFirst,
};

/// The same with its list reversed.
pub const REVERSED: DepthFirstFinder = DepthFirstFinder {
    card: &FinderCard {
        closes_by_luck: true,
        ..FinderCard::new(
            "order-by-avail-reversed",
            "depth-first search, squares with the most moves onward first: how the knight is stranded on one side",
        )
    },
    preference: |_| Preference::MostFirst,
};
