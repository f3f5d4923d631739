//! `tiles`: a comb of tiles, which is a formula; boards of any size at once.

use super::{Finder, FinderCard, Found, Refusal, Request, formula};
use crate::find::comb::{Comb, CombError};
use crate::schedule::{Crew, RunError};

/// The solver of this file.
pub struct Tiles;

fn lay(request: &Request, seed: u64) -> Result<Comb, CombError> {
    Comb::new(request.board, request.ending, [request.start, request.end], seed)
}

impl Finder for Tiles {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard::new(
            "tiles",
            "a comb of 6x6 tiles, or blocks on boards 3 and 4 wide: at once, on any board that has a tour",
        );
        &CARD
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        formula::admit(self, request, &|seed| lay(request, seed))
    }

    fn find(&self, request: &Request, crew: Crew) -> Result<Found, RunError> {
        formula::find(request, &crew, &|seed| lay(request, seed))
    }
}
