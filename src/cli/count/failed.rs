//! What is said of a count that failed, and what can be done about it.

use crate::board::Ending;
use crate::count::estimate::Estimator;
use crate::count::{CountError, CountQuestion, MemoryCeiling, Settings};
use crate::job::say::print_failed;
use crate::job::{Failure, running, usage};

/// The failure that an error means; with `json` an object says it too, unless the usage was wrong.
pub fn failed(question: &CountQuestion, settings: &Settings, error: &CountError, json: bool) -> Failure {
    if error.is_usage() {
        return usage(in_words(question, error, settings));
    }
    match if json { print_failed(question.name(), error) } else { Ok(()) } {
        Ok(()) => running(error),
        Err(gone) => gone.into(),
    }
}

/// The error, and what can be done about one that the settings are to blame for, or the board.
pub fn in_words(question: &CountQuestion, error: &CountError, settings: &Settings) -> String {
    let said = with_memory(error, settings);
    let is_too_large =
        matches!(error, CountError::TooWide { .. } | CountError::PlanTooLarge { .. } | CountError::Refused(_));
    match question {
        &CountQuestion { board, strip: None, ending, start: None, unique: false, strict: false }
            if is_too_large && settings.modulus.is_none() && Estimator::accepts(board) =>
        {
            let open = if ending == Ending::Open { " --open" } else { "" };
            format!("{said}\nAbout how many there are, in seconds: destrier count {board}{open} --estimate")
        }
        _ => said,
    }
}

/// The error, and how much memory a plan wants that is too large.
fn with_memory(error: &CountError, settings: &Settings) -> String {
    match error {
        CountError::PlanTooLarge { bytes, .. } => {
            let advice = MemoryCeiling::advice(settings.ceiling, *bytes);
            format!("{error}. For the plan, which says what the count takes: {advice}")
        }
        error => error.to_string(),
    }
}
