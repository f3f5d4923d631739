//! `quadrants`: Parberry's divide and conquer, as a formula.

use super::{Finder, FinderCard, Found, Refusal, Request, formula};
use crate::find::comb::{CombError, Quadrants as Tour};
use crate::schedule::{Crew, RunError};

/// The solver of this file.
pub struct Quadrants;

fn lay(request: &Request, seed: u64) -> Result<Tour, CombError> {
    Tour::new(request.board, request.ending, [request.start, request.end], seed)
}

impl Finder for Quadrants {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard::new(
            "quadrants",
            "four boards joined where they meet, divided again (Parberry 1997): n x n and n x (n + 2), n even",
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
