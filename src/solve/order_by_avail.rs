//! `order-by-avail`: depth-first search that tries the squares with the fewest moves onward first; and its reverse,
//! which tries those with the most first.

use super::dfs::{explained, search};
use super::{Finder, FinderCard, Found, Refusal, Request, admit_start_and_holes};
use crate::find::Preference;
use crate::schedule::{Crew, RunError};
use crate::search::explain::Explained;

/// The source's `order_by_avail`.
pub struct OrderByAvail;

impl Finder for OrderByAvail {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard {
            closes_by_luck: true,
            ..FinderCard::new(
                "order-by-avail",
                "Warnsdorff with backtracking (Miller and Ranum): squares with the fewest moves onward first",
            )
        };
        &CARD
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        admit_start_and_holes(request, self.name())
    }

    fn find(&self, request: &Request, crew: Crew) -> Result<Found, RunError> {
        search(request, &crew, Preference::FewestFirst)
    }

    fn explained(&self, request: &Request) -> Result<Box<dyn Explained>, Refusal> {
        explained(request, Preference::FewestFirst)
    }
}

/// The same with its list reversed.
pub struct Reversed;

impl Finder for Reversed {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard {
            closes_by_luck: true,
            ..FinderCard::new(
                "order-by-avail-reversed",
                "depth-first search, squares with the most moves onward first: how the knight is stranded on one side",
            )
        };
        &CARD
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        admit_start_and_holes(request, self.name())
    }

    fn find(&self, request: &Request, crew: Crew) -> Result<Found, RunError> {
        search(request, &crew, Preference::MostFirst)
    }

    fn explained(&self, request: &Request) -> Result<Box<dyn Explained>, Refusal> {
        explained(request, Preference::MostFirst)
    }
}
