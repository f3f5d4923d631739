//! `edges`: tours by fixing moves anywhere on the board instead of extending a path.
//!
//! The solver enumerates closed tours with [`search::Edges`]. The finder looks for single tours with
//! [`find::strands`](crate::find::strands): from a start to an end, around holes, with moves prescribed.

use super::admit::{admit_ending, admit_size};
use super::attempts::{AttemptFinder, AttemptSeries};
use super::card::{Refusal, SolverCard, refuse};
use super::finder::{FinderCard, Request, why_impossible};
use super::problem::Problem;
use super::solver::{SearchTree, Solver, by_width};
use crate::board::Ending;
use crate::explain::{Explained, ExplainedEdges};
use crate::find::strands::{Contradiction, StrandRoot, TourEnds};
use crate::search;
use crate::words::grouped;

/// The solver `edges`.
pub struct EdgesSolver;

impl Solver for EdgesSolver {
    fn card(&self) -> &'static SolverCard {
        const CARD: SolverCard = SolverCard {
            evenly: true,
            ..SolverCard::new(
                "edges",
                "closed tours by fixing edges: forced ones first, then at the square with the fewest (after Knuth's Algorithm H)",
            )
        };
        &CARD
    }

    /// Takes any start, because a start changes no closed tour and this search has none.
    fn admits(&self, problem: &Problem) -> Result<(), Refusal> {
        admit_ending(problem, self.name(), Ending::Closed)?;
        admit_size(problem)
    }

    fn tree(&self, problem: &Problem, counted: bool) -> Result<SearchTree, Refusal> {
        let (shape, counts_classes) = (&problem.shape, problem.unique && counted);
        let tree = by_width!(Mask: {
            type Edges = search::Edges<Mask, { Mask::BITS as usize }>;
            if counts_classes { Edges::classes(shape) } else { Edges::new(shape) }.map(SearchTree::of)
        });
        Ok(SearchTree { counts_classes, ..tree })
    }

    fn step_view(&self, problem: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let search = ExplainedEdges::new(&problem.shape);
        Ok(Box::new(
            search.unwrap_or_else(|| unreachable!("the problem was admitted, so the wide mask holds the board")),
        ))
    }
}

/// Number of squares of the largest board that the finder takes.
const FINDER_SQUARES_MAX: u32 = 1 << 16;

/// Most nodes of one attempt. All attempts up to this limit take about a minute of one thread.
const NODES_MAX: u64 = 1 << 22;

/// The finder `edges`.
pub const EDGES: AttemptFinder = AttemptFinder {
    card: &FinderCard::new(
        "edges",
        "fixes moves anywhere on the board, the tightest square first; takes start, end, holes and prescribed moves",
    ),
    admits: |request, _| {
        let (board, Request { ending, end, .. }) = (request.board(), request);
        refuse((board.squares() > FINDER_SQUARES_MAX).then(|| {
            let [squares, most] = [board.squares(), FINDER_SQUARES_MAX].map(grouped);
            format!("{board} has {squares} squares, and edges takes boards of up to {most}; use tiles, which takes any")
        }))?;
        refuse(end.filter(|_| *ending == Ending::Closed).map(|end| {
            let end = board.name(end);
            format!("a closed tour ends at its start, so it cannot end on {end}; leave out the end")
        }))?;
        let no_move = request.must.iter().chain(&request.must_not).find(|[a, b]| !board.adjacent(*a, *b));
        refuse(no_move.map(|&no_move| Contradiction::NotAMove(board, no_move).to_string()))?;
        let mut named = request.must.iter().flatten().chain(&request.start).chain(end);
        let hole = named.find(|square| request.holes().contains(**square));
        refuse(hole.map(|&hole| Contradiction::Hole(board, hole).to_string()))
    },
    attempts: |request, _| {
        let root = strand_root(request)?;
        let attempt = move |number| (root.node_limit(number) <= NODES_MAX).then(|| root.attempt(request.seed, number));
        Ok(AttemptSeries::up_to(NODES_MAX, attempt))
    },
    step_view: None,
};

/// The root of every attempt, or why there is no tour.
fn strand_root(request: &Request) -> Result<StrandRoot, String> {
    why_impossible(request).map_or(Ok(()), Err)?;
    let Request { ref shape, ending, start, end, ref must, ref must_not, .. } = *request;
    let ends = match ending {
        Ending::Closed => TourEnds::Closed,
        Ending::Open => TourEnds::Open { start, end },
    };
    let root = StrandRoot::new(shape, ends, must, must_not).map_err(|contradiction| contradiction.to_string())?;
    Ok(match start {
        Some(start) => root.starting_at(start),
        None => root,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Holes, Shape, Square};
    use crate::solve::testing::ask;

    fn request(board: &str, ending: Ending) -> Request {
        Request::new(board.parse::<Shape>().unwrap(), ending)
    }

    fn square(board: Board, name: &str) -> Square {
        board.parse_square(name).unwrap()
    }

    #[test]
    fn a_tour_has_the_requested_start_end_holes_and_moves() {
        let plain = request("8x8", Ending::Open);
        let at = |name| square(plain.board(), name);
        let (must, must_not) = (vec![[at("d4"), at("e6")], [at("a1"), at("b3")]], [[at("a1"), at("c2")]].into());
        let shape = Shape::new(plain.board(), Holes::new([at("d5"), at("e5")]));
        let asked = Request {
            start: Some(at("a1")),
            end: Some(at("h1")),
            must,
            must_not,
            seed: 3,
            ..Request::new(shape, Ending::Open)
        };
        let tours = ask(&EDGES, &asked, 2).unwrap();
        let tour = &tours[0];
        assert_eq!((tour.len(), tour[0], tour[1], tour[61]), (62, at("a1"), at("b3"), at("h1")));
        assert!(tour.windows(2).any(|pair| pair == [at("d4"), at("e6")] || pair == [at("e6"), at("d4")]));
        assert!(!tour.contains(&at("d5")));
    }

    #[test]
    fn a_closed_tour_begins_at_its_start() {
        let plain = request("6x6", Ending::Closed);
        let start = Some(square(plain.board(), "c4"));
        let tours = ask(&EDGES, &Request { start, tours: 5, ..plain }, 1).unwrap();
        assert!(tours.len() == 5 && tours.iter().all(|tour| Some(tour[0]) == start));
    }

    #[test]
    fn several_tours_are_different_and_the_same_with_any_number_of_threads() {
        let asked = Request { tours: 20, seed: 4, ..request("8x8", Ending::Closed) };
        let [one, three] = [1, 3].map(|threads| ask(&EDGES, &asked, threads).unwrap());
        assert_eq!((one.len(), &one), (20, &three));
        assert_ne!(ask(&EDGES, &Request { seed: 5, ..asked.clone() }, 1).unwrap(), one);
        // 3x10 has 16 closed tours, so the finder finds 16 of the 100.
        let asked = Request { tours: 100, ..request("3x10", Ending::Closed) };
        assert_eq!(ask(&EDGES, &asked, 2).unwrap().len(), 16);
    }

    #[test]
    fn a_reason_names_the_theorem_the_forced_moves_or_the_search() {
        let reason = |request: &Request| ask(&EDGES, request, 1).unwrap_err();
        assert!(reason(&request("4x6", Ending::Closed)).contains("Schwenk 1991"));
        let five = request("5x5", Ending::Open);
        let at = |name| Some(square(five.board(), name));
        assert!(reason(&Request { start: at("a2"), ..five.clone() }).starts_with("impossible: a2 is light"));
        let holes = Holes::new(["b3", "c2"].map(|name| square(five.board(), name)));
        assert_eq!(
            reason(&Request { shape: Shape::new(five.board(), holes), ..five.clone() }),
            "impossible: a1 has no move left"
        );
        // Every tour of 5x5 begins or ends in a corner.
        let asked = Request { start: at("c3"), end: at("b2"), ..five.clone() };
        assert_eq!(reason(&asked), "impossible: the forced moves leave no move for a5");
        // Most pairs of 4x7 have no tour between them; some show that only to a search.
        let seven = request("4x7", Ending::Open);
        let searched = seven.board().all().filter(|&end| {
            let asked = Request { start: seven.board().at(0), end: Some(end), ..seven.clone() };
            ask(&EDGES, &asked, 1) == Err("impossible: an exhaustive search found none".to_owned())
        });
        assert!(searched.count() > 0);
        let closed = Request { end: at("a1"), ending: Ending::Closed, ..five.clone() };
        assert!(reason(&closed).starts_with("refused: a closed tour ends at its start"));
        let [a1, b2] = [at("a1"), at("b2")].map(Option::unwrap);
        let asked = Request { must: vec![[a1, b2]], ..five.clone() };
        assert_eq!(reason(&asked), "refused: no knight's move leads from a1 to b2");
        let holes = Holes::new([a1]);
        assert_eq!(
            reason(&Request { shape: Shape::new(five.board(), holes), start: Some(a1), ..five.clone() }),
            "refused: a1 is a hole"
        );
        assert!(reason(&request("300x300", Ending::Open)).contains("90,000 squares"));
    }
}
