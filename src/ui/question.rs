//! What a session shows: a question, who answers it, and with how many threads.

use crate::board::{Board, Ending, Square};
use crate::schedule::Scheduler;
use crate::search::Prune;
use crate::solve::{Finder, Problem, Request, Solver};

/// A question and the method that is to answer it.
#[derive(Clone)]
pub enum Question {
    /// Every tour.
    Search(&'static dyn Solver, Problem),
    /// One tour, or a few.
    Find(&'static dyn Finder, Request),
}

impl Question {
    /// The board.
    pub fn board(&self) -> Board {
        match self {
            Question::Search(_, problem) => problem.board,
            Question::Find(_, request) => request.board,
        }
    }

    /// Open or closed tours.
    pub fn ending(&self) -> Ending {
        match self {
            Question::Search(_, problem) => problem.ending,
            Question::Find(_, request) => request.ending,
        }
    }

    /// The start that was asked for.
    pub fn start(&self) -> Option<Square> {
        match self {
            Question::Search(_, problem) => problem.start,
            Question::Find(_, request) => request.start,
        }
    }

    /// The name of the method.
    pub fn method(&self) -> &'static str {
        match self {
            Question::Search(solver, _) => solver.name(),
            Question::Find(finder, _) => finder.name(),
        }
    }

    /// Whether one tour is looked for, not all of them counted.
    pub fn finds(&self) -> bool {
        matches!(self, Question::Find(..))
    }

    /// Why the method does not take the question, if it does not.
    pub fn refusal(&self) -> Option<String> {
        let admitted = match self {
            Question::Search(solver, problem) => solver.admits(problem),
            Question::Find(finder, request) => finder.admits(request),
        };
        admitted.err().map(|refusal| refusal.to_string())
    }

    /// What else was asked for, in few words.
    pub fn detail(&self) -> String {
        let board = self.board();
        let from = self.start().map(|start| format!("from {}", board.name(start)));
        let words = match self {
            Question::Search(_, problem) => vec![
                (problem.prune != Prune::None).then(|| format!("prune {}", problem.prune.name())),
                from,
                problem.unique.then(|| "unique".to_owned()),
                problem.limit.map(|tours| format!("limit {tours}")),
            ],
            Question::Find(_, request) => vec![
                request.tie.map(|tie| tie.to_string()),
                request.order.map(|order| order.to_string()),
                (request.hops > 1).then(|| format!("{} hops", request.hops)),
                from,
                request.end.map(|end| format!("to {}", board.name(end))),
                (!request.holes.is_empty()).then(|| format!("{} holes", request.holes.len())),
                (!request.must.is_empty()).then(|| format!("{} moves given", request.must.len())),
                (!request.must_not.is_empty()).then(|| format!("{} moves forbidden", request.must_not.len())),
                (request.tours > 1).then(|| format!("{} tours", request.tours)),
                (request.seed != 0).then(|| format!("seed {}", request.seed)),
            ],
        };
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A question and how the work is to be shared.
#[derive(Clone)]
pub struct Choice {
    /// The question.
    pub question: Question,
    /// Number of workers, 1..=4096.
    pub threads: usize,
    /// How they share a search; attempts at one tour are raced whatever this says.
    pub scheduler: Scheduler,
}
