//! Finds a worker by its number, or the next worker in a state.

use super::look::{LOOKS, WorkerLook};

/// Finds the worker with a number, or the next worker in a state. `ranked` is the order on the screen; the search
/// starts after `selected`.
///
/// # Errors
/// A sentence for the footer if no worker matches.
pub fn find_worker(
    text: &str,
    ranked: &[usize],
    selected: usize,
    look: impl Fn(usize) -> WorkerLook,
) -> Result<usize, String> {
    if let Ok(number) = text.parse::<usize>() {
        let last = ranked.len().saturating_sub(1);
        return if number <= last { Ok(number) } else { Err(format!("workers are numbered 0 to {last}")) };
    }
    let Some(word) = LOOKS.iter().map(|look| look.word).find(|word| !text.is_empty() && word.starts_with(text)) else {
        let words = LOOKS.map(|look| look.word).join(", ");
        return Err(format!("a number or one of {words} is to be found"));
    };
    let after = ranked.iter().position(|&worker| worker == selected).map_or(0, |place| place + 1);
    let mut round = ranked[after..].iter().chain(&ranked[..after]);
    round.find(|&&worker| look(worker).word == word).copied().ok_or_else(|| format!("no worker is {word} here"))
}
