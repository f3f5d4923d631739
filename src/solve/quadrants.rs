//! `quadrants`: Parberry's divide and conquer, as a formula.

use super::card::FinderCard;
use super::formula::FormulaFinder;
use crate::find::comb::{Quadrants, Quarters};

/// The method of this file.
pub const QUADRANTS: FormulaFinder<Quarters> = FormulaFinder {
    card: &FinderCard {
        attempts: false,
        ..FinderCard::new(
            "quadrants",
            "four boards joined where they meet, divided again (Parberry 1997): n x n and n x (n + 2), n even",
        )
    },
    lay: Quadrants::new,
};
