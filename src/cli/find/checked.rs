//! A tour that was found, walked and verified before it is shown.

use crate::board::{Route, TourFault, verify_by_numbers};
use crate::job::{ActiveRuns, Failure, running};

/// Walks a whole tour and verifies it.
///
/// # Errors
/// [`Failure::Running`] when it is none, or when it was asked to end.
pub fn check(tour: &dyn Route, runs: &ActiveRuns) -> Result<(), Failure> {
    const AT_ONCE: usize = 1 << 16;
    let mut squares = verify_by_numbers(tour);
    loop {
        let walked =
            squares.by_ref().take(AT_ONCE).try_fold(0, |n, square: Result<_, TourFault>| square.map(|_| n + 1));
        match walked {
            Err(fault) => return Err(running(format!("{}: {fault}", tour.board()))),
            Ok(0) => return Ok(()),
            Ok(_) if runs.is_stopped() => return Err(running("stopped by a signal")),
            Ok(n) => runs.count_work(n),
        }
    }
}
