//! A problem and a request as JSON, with squares and rules by name, so that a person can read it. What is read has squares on
//! the board and rules that exist; whether the method admits it is another question.

use super::finder::Request;
use super::problem::Problem;
use crate::board::{Board, Ending, Holes, Shape, Square};
use crate::gpu::DeviceChoice;
use crate::search::Prune;
use serde::{Deserialize, Serialize};
use std::fmt::{Display, Write as _};
use std::path::PathBuf;
use std::str::FromStr;

/// A problem and a solver, of whatever form `S`, as JSON, with names for squares and rules.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemJson<S> {
    board: Board,
    open: bool,
    solver: S,
    /// A file without it is of a whole board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default)]
    unique: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<u64>,
    prune: Prune,
    window: (usize, usize),
    /// The device of a solver that is no more; always written, because earlier versions read it.
    adapter: String,
}

impl<S> ProblemJson<S> {
    pub fn new(solver: S, problem: &Problem) -> ProblemJson<S> {
        ProblemJson {
            board: problem.board(),
            open: problem.ending == Ending::Open,
            solver,
            holes: problem.shape.hole_names(),
            start: problem.start.map(|start| problem.board().name(start)),
            unique: problem.unique,
            limit: problem.limit,
            prune: problem.prune,
            window: (*problem.window.start(), *problem.window.end()),
            adapter: DeviceChoice::Any.to_string(),
        }
    }

    /// The solver and the problem.
    ///
    /// # Errors
    /// A sentence when the start is no square of the board.
    pub fn read(self) -> Result<(S, Problem), String> {
        let ProblemJson { board, open, solver, holes, start, unique, limit, prune, window, .. } = self;
        let holes = holes.iter().map(|name| square(board, name)).collect::<Result<Vec<_>, _>>()?;
        let shape = Shape::new(board, Holes::new(holes));
        let start = start.map(|start| square(board, &start)).transpose()?;
        let problem = Problem::new(shape, Ending::open_if(open));
        Ok((solver, Problem { start, unique, limit, prune, window: window.0..=window.1, ..problem }))
    }
}

/// Most holes that are written by name; more are written as runs.
const HOLES_NAMED: usize = 64;
/// Most holes that are written or read, however short the text of their runs is.
const HOLES_MAX: usize = 1 << 24;

/// A request and a finder, of whatever form `F`, as JSON, with names for squares and rules.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestJson<F> {
    board: Board,
    open: bool,
    method: F,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holes: Vec<String>,
    /// Runs of neighbouring numbers of squares: `0-7 9-9`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    hole_runs: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    must: Vec<[String; 2]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    must_not: Vec<[String; 2]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    given: Vec<(u32, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tie: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<String>,
    hops: u32,
    seed: u64,
    tours: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    library: Option<PathBuf>,
    adapter: String,
}

impl<F> RequestJson<F> {
    /// # Errors
    /// A sentence when there are more holes than are written.
    pub fn new(method: F, request: &Request) -> Result<RequestJson<F>, String> {
        let board = request.board();
        let name = |square: Square| board.name(square);
        let pairs = |moves: &[[Square; 2]]| moves.iter().map(|pair| pair.map(name)).collect();
        let holes = request.holes().squares();
        if holes.len() > HOLES_MAX {
            return Err(format!("{HOLES_MAX} holes are the limit, not {}", holes.len()));
        }
        let (named, runs) = if holes.len() > HOLES_NAMED { (&[][..], holes) } else { (holes, &[][..]) };
        Ok(RequestJson {
            board,
            open: request.ending == Ending::Open,
            method,
            start: request.start.map(name),
            end: request.end.map(name),
            holes: named.iter().copied().map(name).collect(),
            hole_runs: in_runs(runs.iter().map(|square| square.index())),
            must: pairs(&request.must),
            must_not: pairs(&request.must_not),
            given: request.given.iter().map(|&(number, square)| (number, name(square))).collect(),
            tie: request.tie.map(|tie| tie.to_string()),
            order: request.order.map(|order| order.to_string()),
            hops: request.hops,
            seed: request.seed,
            tours: request.tours,
            library: request.library.clone(),
            adapter: request.adapter.to_string(),
        })
    }

    /// The finder and the request.
    ///
    /// # Errors
    /// A sentence when a square is not on the board, a rule has no such name, or a number is not possible.
    pub fn read(self) -> Result<(F, Request), String> {
        let board = self.board;
        let square = |name: String| square(board, &name);
        let squares = |names: Vec<String>| names.into_iter().map(square).collect::<Result<Vec<Square>, String>>();
        let pairs = |moves: Vec<[String; 2]>| {
            moves.into_iter().map(|[from, to]| Ok([square(from)?, square(to)?])).collect::<Result<Vec<_>, String>>()
        };
        if self.hops == 0 || self.tours == 0 || self.given.iter().any(|&(number, _)| number == 0) {
            return Err("the numbers of hops, of tours and of moves must be at least 1".to_owned());
        }
        let given = self.given.into_iter().map(|(number, name)| Ok((number, square(name)?)));
        let in_runs = numbers_of(&self.hole_runs).ok_or("holes are no runs of squares")?;
        let in_runs = in_runs.into_iter().map(|square| board.at(square).ok_or("a hole is not on the board"));
        let in_runs = in_runs.collect::<Result<Vec<_>, _>>()?;
        let holes = Holes::new(squares(self.holes)?.into_iter().chain(in_runs));
        let request = Request {
            start: self.start.map(square).transpose()?,
            end: self.end.map(square).transpose()?,
            must: pairs(self.must)?,
            must_not: pairs(self.must_not)?.into(),
            given: given.collect::<Result<_, String>>()?,
            tie: self.tie.as_deref().map(parsed).transpose()?,
            order: self.order.as_deref().map(parsed).transpose()?,
            hops: self.hops,
            seed: self.seed,
            tours: self.tours,
            library: self.library,
            adapter: parsed(&self.adapter)?,
            ..Request::new(Shape::new(board, holes), Ending::open_if(self.open))
        };
        Ok((self.method, request))
    }
}

/// Ascending numbers as runs, each from its first number to its last one.
fn in_runs(numbers: impl IntoIterator<Item = u32>) -> String {
    let mut text = String::new();
    let mut numbers = numbers.into_iter().peekable();
    while let Some(first) = numbers.next() {
        let mut last = first;
        while let Some(next) = numbers.next_if(|&next| next - last == 1) {
            last = next;
        }
        let space = if text.is_empty() { "" } else { " " };
        // Writing to a text never fails.
        let _ = write!(text, "{space}{first}-{last}");
    }
    text
}

/// The numbers of some runs; `None` if the text is invalid, or has more than [`HOLES_MAX`] numbers.
fn numbers_of(runs: &str) -> Option<Vec<u32>> {
    let mut all = Vec::new();
    for run in runs.split_ascii_whitespace() {
        let (first, last) = run.split_once('-')?;
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if last.checked_sub(first)? as usize >= HOLES_MAX - all.len() {
            return None;
        }
        all.extend(first..=last);
    }
    Some(all)
}

fn square(board: Board, name: &str) -> Result<Square, String> {
    board.parse_square(name).map_err(|error| error.to_string())
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}
