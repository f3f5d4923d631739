//! The pieces of a position: the letter and the colour of each.

use super::theme::{SERIES, Theme};
use crate::search::Drawing;
use ratatui::style::Style;

/// The colour of one of several chains. If there are more chains than colours, a chain keeps its colour as long as
/// its lower end does not change, even if other chains appear or vanish.
pub fn series(theme: Theme, drawing: &Drawing, chain: usize) -> Style {
    let squares = &drawing.chains[chain];
    match (drawing.chains.len() > SERIES.len(), squares.first().min(squares.last())) {
        (true, Some(&end)) => theme.series(end as usize),
        _ => theme.series(chain),
    }
}

/// The letters of the pieces, capitals first: small ones name the files of a board. A board has at most 64 pieces,
/// because a piece has at least two squares.
pub fn letters(drawing: &Drawing) -> Vec<String> {
    const ALL: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut order: Vec<usize> = (0..drawing.chains.len()).collect();
    order.sort_by_key(|&chain| drawing.chains[chain].iter().min());
    let mut letters = vec![String::new(); order.len()];
    for (place, chain) in order.into_iter().enumerate() {
        letters[chain] = char::from(ALL[place % ALL.len()]).to_string().repeat(1 + (place / ALL.len()).min(1));
    }
    letters
}
