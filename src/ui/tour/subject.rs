//! The tours of a tour view.

use crate::board::Route;
use crate::find::Tie;
use crate::search::quarter::four_ranges;
use std::ops::Range;
use std::sync::Arc;

/// A tour to show.
#[derive(Clone, Debug)]
pub struct ShownTour {
    /// The tour, or a part of one.
    pub route: Arc<dyn Route>,
    /// The title in the header: the method that found the tour, or the file it was read from.
    pub title: String,
    /// The tie-break of the rule that found the tour, if known: it decides between moves of equal rank.
    pub tie: Option<Tie>,
    /// Parts with colours of their own, as ranges of square numbers from 0; for example the four paths of a tour that
    /// is symmetric under a quarter-turn. Usually empty.
    pub groups: Vec<Range<u32>>,
}

impl ShownTour {
    /// A route with a title. The four paths of a tour with quarter-turn symmetry are recognized.
    pub fn new(route: Arc<dyn Route>, title: impl Into<String>) -> ShownTour {
        let groups = four_ranges(&*route);
        ShownTour { route, title: title.into(), tie: None, groups }
    }
}

/// The tours of a tour view.
#[derive(Clone, Debug)]
pub struct Tours {
    /// One or more tours.
    pub routes: Vec<ShownTour>,
    /// A note for the footer, for example how many more tours exist.
    pub note: Option<String>,
}
