//! What a screen of tours shows.

use crate::board::Route;
use crate::find::Tie;
use crate::search::quarter::four_ranges;
use std::ops::Range;
use std::sync::Arc;

/// A tour to be looked at.
#[derive(Clone, Debug)]
pub struct ShownTour {
    /// The tour, or a part of one.
    pub route: Arc<dyn Route>,
    /// What the header says of it: by which method it was found, or where it was read.
    pub title: String,
    /// The tie-break of the rule that found it, where that is known: it decides between moves of the same rank.
    pub tie: Option<Tie>,
    /// Parts in colours of their own, as numbers of squares from 0, such as the four paths of a tour that a quarter-turn
    /// maps to itself. Usually none.
    pub groups: Vec<Range<u32>>,
}

impl ShownTour {
    /// A route of which nothing more is known than its title; the four paths of a quarter turn are seen in it.
    pub fn new(route: Arc<dyn Route>, title: impl Into<String>) -> ShownTour {
        let groups = four_ranges(&*route);
        ShownTour { route, title: title.into(), tie: None, groups }
    }
}

/// The tours of one view.
#[derive(Clone, Debug)]
pub struct Tours {
    /// One or more.
    pub routes: Vec<ShownTour>,
    /// What is said first, such as how many more there were.
    pub note: Option<String>,
}
