//! A question and the end of its run, as they are shown.

use super::Done;
use super::question::Question;
use crate::board::{Board, Ending};
use crate::schedule::StopReason;
use crate::schedule::words::visible;
use crate::search::Drawing;
use crate::solve::Answer;
use std::time::Duration;

/// The question that is being answered, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The board.
    pub board: Board,
    /// Which tours.
    pub ending: Ending,
    /// The name of the method.
    pub method: String,
    /// What else was asked for, `unique`, `from a1`; may be empty.
    pub detail: String,
    /// Whether one tour is looked for by attempts, not all of them in a tree.
    pub finds: bool,
    /// Whether the scheduler may be changed, or something else asked, which starts anew; not while tours are written.
    pub may_restart: bool,
}

impl About {
    /// What is to be said of a question.
    pub fn new(question: &Question, may_restart: bool) -> About {
        About {
            board: question.board(),
            ending: question.ending(),
            method: question.method().to_owned(),
            detail: question.detail(),
            finds: question.finds(),
            may_restart,
        }
    }
}

/// How a run ended, as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// Why it ended before the work was done, if so.
    pub stopped: Option<StopReason>,
    /// After which time.
    pub elapsed: Duration,
    /// Where a tour was looked for: how many were found, or why none.
    pub answer: Option<Result<usize, String>>,
    /// The first tour found, as far as it can be drawn.
    pub tour: Option<Drawing>,
}

impl Ended {
    /// What is to be said of the end of a run on a board.
    pub fn of(done: &Done, board: Board) -> Ended {
        let mut tour = None;
        let answer = done.answer.as_ref().map(|answer| match answer {
            Answer::Tours(tours) => {
                if let Some(first) = tours.first().filter(|_| board.squares() as usize <= Drawing::SQUARES_MAX) {
                    let squares: Vec<u32> = first.walk().map(u32::from).collect();
                    tour.get_or_insert_with(Drawing::default).path(squares.into_iter(), None);
                }
                Ok(tours.len())
            }
            Answer::Impossible(reason) => Err(visible(&format!("impossible: {reason}"))),
            Answer::NotFound(reason) => Err(visible(&format!("none found: {reason}"))),
            Answer::Unreadable(reason) => Err(visible(&format!("bad input: {reason}"))),
        });
        Ended { stopped: done.outcome.stopped, elapsed: done.outcome.elapsed, answer, tour }
    }
}
