//! Counting against listing: on every board of up to 30 squares both say the same, in every convention.
//!
//! The two share nothing but the board: one sums over frontier states, the other visits every tour.

use crate::common::shapes::{counts_and_listing, shape};
use crate::common::tours::listed;
use destrier::board::{Board, Ending, Shape, Square, Symmetries};
use destrier::count::{Convention, CountPlan, CountQuestion, CountWatch, Settings};
use fastrand::Rng;
use num_bigint::BigUint;

/// Squares of the largest boards that are listed.
const SQUARES_MAX: u64 = 30;
/// Shapes that are drawn.
const SHAPES: usize = 60;

/// Every board of up to so many squares, transposed ones too.
fn boards() -> impl Iterator<Item = Board> {
    let sides = (1..=SQUARES_MAX).flat_map(|rows| (1..=SQUARES_MAX / rows).map(move |cols| (rows, cols)));
    sides.map(|(rows, cols)| Board::new(rows, cols).unwrap())
}

fn counted(question: &CountQuestion) -> BigUint {
    let settings = Settings { threads: 2, memory: 1 << 30, ..Settings::default() };
    let watch = CountWatch::new(settings.threads);
    let plan =
        CountPlan::new(question, settings.memory, &watch).unwrap_or_else(|error| panic!("{question:?}: {error}"));
    let answer = plan.run(&settings, &watch, None).unwrap_or_else(|error| panic!("{question:?}: {error}"));
    assert_eq!(answer.peak_states, plan.peak_states(), "{question:?}");
    let count = answer
        .count()
        .cloned()
        .unwrap_or_else(|| panic!("{question:?} has no number, although nothing stopped its count"));
    assert_eq!(count.convention(), question.convention());
    count.value().clone()
}

fn check(question: CountQuestion, listed: usize) {
    assert_eq!(counted(&question), BigUint::from(listed), "{question:?}");
}

fn question(board: Board, ending: Ending) -> CountQuestion {
    CountQuestion::new(board, ending)
}

/// Tours of which each is the least of its class.
fn classes(board: Board, ending: Ending, tours: &[Vec<Square>]) -> usize {
    let symmetries = Symmetries::new(&board.into());
    tours.iter().filter(|tour| symmetries.is_canonical(ending, tour)).count()
}

#[test]
fn closed_tours_are_as_many_counted_as_listed() {
    let mut with_tours = 0;
    for board in boards() {
        let tours = listed(board, Ending::Closed);
        let question = question(board, Ending::Closed);
        assert_eq!(question.convention(), Convention::Undirected);
        check(question.clone(), tours.len());
        check(CountQuestion { unique: true, ..question.clone() }, classes(board, Ending::Closed, &tours));
        with_tours += usize::from(!tours.is_empty());
    }
    // 3x10 and 5x6, and their transposes.
    assert_eq!(with_tours, 4);
}

#[test]
fn open_tours_are_as_many_counted_as_listed() {
    let mut with_tours = 0;
    for board in boards() {
        let tours = listed(board, Ending::Open);
        let question = question(board, Ending::Open);
        assert_eq!(question.convention(), Convention::Directed);
        check(question.clone(), tours.len());
        check(CountQuestion { unique: true, ..question.clone() }, classes(board, Ending::Open, &tours));
        let strict: Vec<_> =
            tours.iter().filter(|tour| !board.adjacent(tour[0], tour[tour.len() - 1])).cloned().collect();
        check(CountQuestion { strict: true, ..question.clone() }, strict.len());
        check(CountQuestion { strict: true, unique: true, ..question.clone() }, classes(board, Ending::Open, &strict));
        with_tours += usize::from(!tours.is_empty());
    }
    assert!(with_tours > 10, "{with_tours}");
}

#[test]
fn open_tours_from_a_square_are_as_many_counted_as_listed() {
    for board in boards().filter(|board| board.rows() <= board.cols()) {
        let tours = listed(board, Ending::Open);
        // One square of each orbit, and its neighbour in number, which is seldom one.
        let orbits = board.orbits().map(|orbit| orbit.representative());
        let starts = orbits.flat_map(|square| [Some(square), board.at(square.index() + 1)]).flatten();
        for start in starts {
            let from_start = tours.iter().filter(|tour| tour[0] == start);
            let question = CountQuestion { start: Some(start), ..question(board, Ending::Open) };
            check(question.clone(), from_start.clone().count());
            let strict = from_start.filter(|tour| !board.adjacent(tour[0], tour[tour.len() - 1])).count();
            check(CountQuestion { strict: true, ..question.clone() }, strict);
        }
    }
}

/// Of shapes drawn by chance, and of some at which a count of rectangles would go wrong, as many tours are counted as listed. The battery
/// draws more of them.
#[test]
fn boards_with_holes_have_as_many_tours_counted_as_listed() {
    let mut random = Rng::with_seed(77);
    let drawn: Vec<Shape> = (0..SHAPES).map(|_| shape(&mut random, 20)).collect();
    // A ring; one square, two that are a move apart, two that are not; an isolated square; a row and a column of holes; two parts;
    // more dark squares than light ones, and more light ones.
    let special = [
        "3x3-b2",
        "2x2-a1,b1,b2",
        "2x3-a1,b1,b2,c2",
        "2x3-b1,b2,c1,c2",
        "4x4-b2,b3,c2",
        "4x5-a2,b2,c2,d2,e2",
        "5x5-c1,c2,c3,c4,c5",
        "3x7-b2,d1,d2,d3,f2",
        "5x5-a2",
        "5x5-a1",
        "4x6-a4,f4,a1,f1",
        "5x6-a5,b5,c5,d5",
        "3x6-a1,a2,a3",
        // The row in the middle has no square.
        "3x3-b1,a2,b2,c2,a3,c3",
    ];
    let special = special.into_iter().map(|text| text.parse().unwrap());
    let mut with_tours = [0, 0];
    for shape in drawn.into_iter().chain(special) {
        let tours = counts_and_listing(&shape).unwrap_or_else(|wrong| panic!("{wrong}"));
        (0..2).for_each(|ending| with_tours[ending] += usize::from(tours[ending] > 0));
    }
    assert!(with_tours[0] >= 5 && with_tours[1] >= 20, "{with_tours:?}");
}
