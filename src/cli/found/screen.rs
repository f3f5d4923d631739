//! `find --show`: the tours that were found, on the screen.

use super::check;
use crate::board::Route;
use crate::cli::screen::signal_of;
use crate::job::{ActiveRuns, Failure, RaceVerdict, clear_progress};
use crate::ui::tour;
use std::sync::Arc;

/// Squares of a board on which every tour is checked before it is shown on a screen: a twentieth of a second.
const SHOWN_CHECKED_MAX: u32 = 1 << 22;

/// Shows the tours of an answer, to be looked at move by move. Returns the signal that ended the view.
///
/// # Errors
/// [`Failure`] when something is no tour, or when the terminal failed.
pub fn show(verdict: &RaceVerdict) -> Result<Option<i32>, Failure> {
    clear_progress();
    let (request, tours) = (verdict.request(), verdict.done.tours());
    // A formula was checked in samples only. Larger tours are not checked whole.
    if request.board().squares() <= SHOWN_CHECKED_MAX {
        tours.iter().try_for_each(|tour| check(&**tour, &ActiveRuns::default()))?;
    }
    let shown = |route: &Arc<dyn Route>| tour::ShownTour {
        tie: request.tie,
        ..tour::ShownTour::new(route.clone(), format!("found by {}", verdict.by()))
    };
    let note = (tours.len() as u64) < request.tours && verdict.done.outcome.stopped.is_some();
    let note = note.then(|| "the run was stopped before there were all".to_owned());
    Ok(signal_of(tour::show(tour::Tours { routes: tours.iter().map(shown).collect(), note })?))
}
