//! `tiles`: a comb of tiles, which is a formula; boards of any size at once.

use super::card::FinderCard;
use super::formula::FormulaFinder;
use crate::find::comb::{Bands, Comb};

/// The method of this file.
pub const TILES: FormulaFinder<Bands> = FormulaFinder {
    card: &FinderCard {
        attempts: false,
        ..FinderCard::new(
            "tiles",
            "a comb of 6x6 tiles, or blocks on boards 3 and 4 wide: at once, on any board that has a tour",
        )
    },
    lay: Comb::new,
};
