//! The four channels of the three-cycle board, and how a square shows each.

use crate::board::Square;
use crate::gpu::cycle::{COUNT, Cell, CycleFacts, CyclePhase, Film, NEXT, RANK, VISIT};
use crate::gpu::{NO_MOVE, STEPS};
use crate::ui::kit::heat::{Mark, Spot};

/// One of the four numbers of a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Channel {
    /// Visit number, red.
    Visit,
    /// Decision counter, green.
    Count,
    /// Rank, blue.
    Rank,
    /// Next move, alpha.
    Next,
}

/// Greatest number of neighbours of a square.
const RANK_MAX: f64 = 8.0;
/// The counter of a square whose knight has decided.
const COUNT_MAX: f64 = 3.0;

impl Channel {
    /// The channels in the order in which a square stores them.
    pub const ALL: [Channel; 4] = [Channel::Visit, Channel::Count, Channel::Rank, Channel::Next];

    /// The name of the channel and the letter of its colour.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Visit => "visit R",
            Channel::Count => "counter G",
            Channel::Rank => "rank B",
            Channel::Next => "next move A",
        }
    }

    /// The least and the greatest value on a board with `squares` squares.
    pub fn range(self, squares: u32) -> (String, String) {
        let (least, most) = match self {
            Channel::Visit => (1, squares),
            Channel::Count => (1, 3),
            Channel::Rank => (0, 8),
            Channel::Next => (0, 7),
        };
        (least.to_string(), most.to_string())
    }

    /// The channel `by` positions further, in a circle.
    pub fn turned(self, by: usize) -> Channel {
        Channel::ALL[(self as usize + by) % Channel::ALL.len()]
    }

    /// The look of a square after the cycle of `facts`. Visit numbers are padded to `digits` digits.
    pub fn spot(self, film: &Film, facts: &CycleFacts, square: Square, digits: usize, ascii: bool) -> Spot {
        let cell = film.cell(facts.cycle, square);
        let (value, text) = self.content(&cell, facts.squares, digits, ascii);
        Spot { value, text, mark: self.mark(film, facts, square, &cell) }
    }

    fn content(self, cell: &Cell, squares: u32, digits: usize, ascii: bool) -> (Option<f64>, String) {
        let of = |channel: usize| f64::from(cell[channel]);
        let visited = cell[VISIT] > 0.0;
        match self {
            Channel::Visit if visited => (Some(of(VISIT) / f64::from(squares)), format!("{:>digits$}", cell[VISIT])),
            Channel::Count if visited => (Some(of(COUNT) / COUNT_MAX), cell[COUNT].to_string()),
            // The rank of a visited square is never read.
            Channel::Rank => ((!visited).then_some(of(RANK) / RANK_MAX), cell[RANK].to_string()),
            Channel::Next if cell[NEXT] < f32::from(NO_MOVE) => {
                (Some(of(NEXT) / f64::from(NO_MOVE - 1)), way(cell[NEXT] as u8, ascii))
            }
            _ => (None, String::new()),
        }
    }

    fn mark(self, film: &Film, facts: &CycleFacts, square: Square, cell: &Cell) -> Option<Mark> {
        let free_beside = cell[VISIT] == 0.0 && film.first().board().adjacent(facts.knight, square);
        let chosen = facts.phase == CyclePhase::Decide && facts.choice.is_some_and(|choice| choice.to == square);
        match self {
            _ if square == facts.knight => Some(Mark::Knight),
            _ if chosen => Some(Mark::Chosen),
            Channel::Rank if film.has_stale_rank(facts.cycle, square) => Some(Mark::Wrong),
            Channel::Rank if free_beside && matches!(facts.phase, CyclePhase::Ranks | CyclePhase::Decide) => {
                Some(Mark::Candidate)
            }
            _ => None,
        }
    }
}

/// A move as its number, and an arrow in its approximate direction.
pub fn way(step: u8, ascii: bool) -> String {
    let arrow = match STEPS.get(usize::from(step)) {
        None => return "-".to_owned(),
        Some(_) if ascii => "",
        Some((1.., 1..)) => "↘",
        Some((1.., _)) => "↗",
        Some((_, 1..)) => "↙",
        Some(_) => "↖",
    };
    format!("{step}{arrow}")
}
