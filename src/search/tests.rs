//! The kernels on boards with holes, against one another and against a plain search on an array.

use super::{Brute, Edges, Path, laws};
use crate::board::{Board, Ending, Holes, Shape, Square, Symmetry};
use fastrand::Rng;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Squares of the largest shape that is drawn.
const SQUARES_MAX: usize = 26;
/// Steps of the plain search after which a shape is left out.
const STEPS_MAX: usize = 60_000;

type Tours = BTreeSet<Vec<u8>>;

/// A plain search on an array, which knows no mask, no colour and no symmetry.
struct ArraySearch {
    ways: Vec<Vec<usize>>,
    squares: Vec<usize>,
    visited: Vec<bool>,
    path: Vec<u8>,
    steps: usize,
    tours: Tours,
}

impl ArraySearch {
    fn new(shape: &Shape) -> ArraySearch {
        let board = shape.board();
        let index = |square: Square| square.index() as usize;
        let is_left = |square: &Square| !shape.holes().contains(*square);
        let ways = board.all().map(|from| board.neighbours(from).filter(is_left).map(index).collect()).collect();
        let squares = board.all().filter(is_left).map(index).collect();
        let visited = vec![false; board.squares() as usize];
        ArraySearch { ways, squares, visited, path: Vec::new(), steps: 0, tours: Tours::new() }
    }

    fn extend(&mut self, square: usize, ending: Ending) {
        self.steps += 1;
        self.visited[square] = true;
        self.path.push(square as u8);
        if self.path.len() == self.squares.len() {
            let first = usize::from(self.path[0]);
            let is_cycle = self.path.len() > 2
                && self.ways[square].contains(&first)
                && self.path[1] < self.path[self.path.len() - 1];
            if ending == Ending::Open || is_cycle {
                self.tours.insert(self.path.clone());
            }
        }
        for next in self.ways[square].clone() {
            if !self.visited[next] && self.steps < STEPS_MAX {
                self.extend(next, ending);
            }
        }
        self.path.pop();
        self.visited[square] = false;
    }

    /// All tours: open ones directed, closed ones from their least square to its lesser neighbour. `None` if there is too much to
    /// search.
    fn tours(shape: &Shape, ending: Ending) -> Option<Tours> {
        let mut search = ArraySearch::new(shape);
        let starts = if ending == Ending::Open { search.squares.clone() } else { search.squares[..1].to_vec() };
        starts.into_iter().for_each(|start| search.extend(start, ending));
        (search.steps < STEPS_MAX).then_some(search.tours)
    }
}

/// The squares from the least one on, to its lesser neighbour.
fn cycle(mut tour: Vec<u8>) -> Vec<u8> {
    let least = (0..tour.len()).min_by_key(|&at| tour[at]).unwrap();
    tour.rotate_left(least);
    if tour[1] > tour[tour.len() - 1] {
        tour[1..].reverse();
    }
    tour
}

/// The symmetries of the board that keep the shape.
fn symmetries(shape: &Shape) -> Vec<Symmetry> {
    let board = shape.board();
    let is_own = |symmetry: &Symmetry| {
        (!symmetry.exchanges_sides() || board.rows() == board.cols())
            && board
                .all()
                .all(|square| shape.holes().contains(square) == shape.holes().contains(symmetry.apply(board, square)))
    };
    Symmetry::ALL.into_iter().filter(is_own).collect()
}

/// Number of classes of tours under the symmetries of the shape and reversal.
fn classes(shape: &Shape, ending: Ending, tours: &Tours) -> u64 {
    let (board, symmetries) = (shape.board(), symmetries(shape));
    let image = |symmetry: Symmetry, tour: &[u8]| -> Vec<u8> {
        let of = |&square: &u8| symmetry.apply(board, board.at(square.into()).unwrap()).index() as u8;
        let image: Vec<u8> = tour.iter().map(of).collect();
        match ending {
            Ending::Closed => cycle(image),
            Ending::Open => image.iter().rev().copied().collect::<Vec<u8>>().min(image),
        }
    };
    let least = |tour: &Vec<u8>| symmetries.iter().map(|&symmetry| image(symmetry, tour)).min();
    tours.iter().map(least).collect::<BTreeSet<_>>().len() as u64
}

/// A shape by chance: a board with some holes, or the squares of a walk of a knight, or those with their images, so that shapes
/// with tours and with symmetries come often.
fn shape(seed: u64) -> Shape {
    let mut random = Rng::with_seed(seed);
    loop {
        let board = Board::new(random.u64(2..=7), random.u64(2..=7)).unwrap();
        let mut squares: BTreeSet<Square> = BTreeSet::new();
        if random.u8(..4) == 0 {
            let density = random.f64();
            squares.extend(board.all().filter(|_| random.f64() < density));
        } else {
            let (mut at, walk) = (board.at(random.u32(..board.squares())), random.usize(1..=SQUARES_MAX));
            while let Some(square) = at.filter(|_| squares.len() < walk) {
                squares.insert(square);
                let next: Vec<Square> = board.neighbours(square).filter(|next| !squares.contains(next)).collect();
                at = random.choice(next);
            }
        }
        if random.bool() {
            let own: Vec<Symmetry> = board.symmetries().iter().copied().filter(|_| random.u8(..3) == 0).collect();
            let images = |&square: &Square| own.iter().map(move |symmetry| symmetry.apply(board, square));
            squares = squares.iter().flat_map(|square| images(square).chain([*square])).collect();
        }
        if random.bool() && squares.len() > 1 {
            squares.pop_first();
        }
        if (1..=SQUARES_MAX).contains(&squares.len()) {
            return Shape::new(board, Holes::new(board.all().filter(|square| !squares.contains(square))));
        }
    }
}

/// The image of a shape on its board or on the turned one.
fn image(shape: &Shape, symmetry: Symmetry) -> Shape {
    let board = shape.board();
    let to = if symmetry.exchanges_sides() { board.transposed() } else { board };
    Shape::new(to, Holes::new(shape.holes().squares().iter().map(|&hole| symmetry.apply(board, hole))))
}

fn check_open(shape: &Shape, seed: u64) -> Option<usize> {
    let tours = ArraySearch::tours(shape, Ending::Open)?;
    let brute = Brute::<u64>::new(shape, None).unwrap();
    let path = Path::<u64>::open(shape, None).unwrap();
    let images = path.images();
    let expand = |tour: &[u8], each: &mut dyn FnMut(&[u8])| images.expand(tour, each);
    let own = |tour: &[u8], each: &mut dyn FnMut(&[u8])| each(tour);
    assert!(laws::tours(&brute, shape, Ending::Open, &own).into_iter().eq(tours.iter().cloned()), "{shape}: brute");
    assert!(laws::tours(&path, shape, Ending::Open, &expand).into_iter().eq(tours.iter().cloned()), "{shape}: path");
    let counts = laws::count(&path, true, true);
    assert_eq!(counts.tours, tours.len() as u64, "{shape}");
    assert_eq!([laws::count(&path, false, true), laws::count_shared(&path, seed)], [counts.clone(), counts], "{shape}");
    assert_eq!(laws::count_shared(&brute, seed).tours, tours.len() as u64, "{shape}");
    let wide = Path::<u128>::open(shape, None).unwrap();
    assert_eq!(laws::count(&wide, true, false).tours, tours.len() as u64, "{shape}: in wide masks");
    let by_class = path.classes(shape);
    for sparse in [true, false] {
        assert_eq!(
            laws::count(&by_class, sparse, false).tours,
            classes(shape, Ending::Open, &tours),
            "{shape}: classes"
        );
    }
    let start = shape.all().nth(seed as usize % shape.squares() as usize);
    let from: Vec<Vec<u8>> =
        tours.iter().filter(|tour| Some(tour[0].into()) == start.map(Square::index)).cloned().collect();
    let path = Path::<u64>::open(shape, start).unwrap();
    let images = path.images();
    let expand = |tour: &[u8], each: &mut dyn FnMut(&[u8])| images.expand(tour, each);
    assert_eq!(laws::tours(&path, shape, Ending::Open, &expand), from, "{shape}: path from {start:?}");
    assert_eq!(laws::count(&path, true, false).tours, from.len() as u64, "{shape}: path from {start:?}");
    let brute = Brute::<u64>::new(shape, start).unwrap();
    assert_eq!(laws::tours(&brute, shape, Ending::Open, &own), from, "{shape}: brute from {start:?}");
    Some(tours.len())
}

fn check_closed(shape: &Shape, seed: u64) -> Option<usize> {
    let tours = ArraySearch::tours(shape, Ending::Closed)?;
    let own = |tour: &[u8], each: &mut dyn FnMut(&[u8])| each(&cycle(tour.to_vec()));
    let start = shape.all().nth(seed as usize % shape.squares() as usize);
    let classes = classes(shape, Ending::Closed, &tours);
    for start in [None, start] {
        let path = Path::<u64>::closed(shape, start).unwrap();
        let found = laws::tours(&path, shape, Ending::Closed, &own);
        assert!(found.into_iter().eq(tours.iter().cloned()), "{shape}: path from {start:?}");
        assert_eq!(laws::count(&path, true, false).tours, tours.len() as u64, "{shape}");
        assert_eq!(laws::count(&path.classes(shape), true, false).tours, classes, "{shape}: classes by path");
    }
    let edges = Edges::<u64, 64>::new(shape).unwrap();
    let found = laws::tours(&edges, shape, Ending::Closed, &own);
    assert!(found.into_iter().eq(tours.iter().cloned()), "{shape}: edges");
    let counts = laws::count(&edges, true, true);
    assert_eq!(counts.tours, tours.len() as u64, "{shape}: edges");
    assert_eq!(
        [laws::count(&edges, false, true), laws::count_shared(&edges, seed)],
        [counts.clone(), counts],
        "{shape}"
    );
    let wide = Edges::<u128, 128>::new(shape).unwrap();
    assert_eq!(laws::count(&wide, true, false).tours, tours.len() as u64, "{shape}: edges in wide masks");
    let by_class = Edges::<u64, 64>::classes(shape).unwrap();
    for sparse in [true, false] {
        assert_eq!(laws::count(&by_class, sparse, false).tours, classes, "{shape}: classes by edges");
    }
    Some(tours.len())
}

/// A shape and its eight images have as many tours.
fn check_images(shape: &Shape) {
    let counts = |shape: &Shape| {
        let (open, closed) = (Path::<u64>::open(shape, None).unwrap(), Path::<u64>::closed(shape, None).unwrap());
        let edges = Edges::<u64, 64>::new(shape).unwrap();
        [&open as &dyn super::Kernel, &closed, &edges].map(|search| laws::count(search, true, false).tours)
    };
    let own = counts(shape);
    for symmetry in Symmetry::ALL {
        let image = image(shape, symmetry);
        assert_eq!(counts(&image), own, "{shape} and {image}");
    }
}

/// Places where a search that takes a board for a rectangle gives a wrong number, or a wrong tour: open tours, closed ones, and
/// their classes.
#[test]
fn shapes_that_are_no_rectangles() {
    for (text, open, closed, classes) in [
        // All moves are forced at the root.
        ("3x3-b2", 16, 1, 1),
        // A hole in the corner from which a tour of a rectangle is read; one symmetry.
        ("4x5-a4", 288, 0, 0),
        ("5x6-a5,b5", 120_586, 302, 302),
        // The least square has three moves.
        ("4x6-a4,f4,a1,f1", 13_104, 64, 18),
    ] {
        let shape: Shape = text.parse().unwrap();
        let path = Path::<u64>::closed(&shape, None).unwrap();
        let edges = [Edges::<u64, 64>::new(&shape), Edges::classes(&shape)].map(Option::unwrap);
        let count = |search: &dyn super::Kernel| laws::count(search, true, false).tours;
        assert_eq!(count(&Path::<u64>::open(&shape, None).unwrap()), open, "{text}");
        assert_eq!([count(&path), count(&edges[0])], [closed; 2], "{text}");
        assert_eq!([count(&path.classes(&shape)), count(&edges[1])], [classes; 2], "{text}");
    }
}

#[test]
fn the_shapes_drawn_have_tours_holes_and_symmetries() {
    let mut seen = BTreeSet::new();
    let mut random = Rng::with_seed(76);
    let mut checked = 0;
    for _ in 0..600 {
        let seed = random.u64(..);
        let shape = shape(seed);
        let tours = [check_open(&shape, seed), check_closed(&shape, seed)];
        checked += tours.iter().flatten().count();
        seen.insert((symmetries(&shape).len(), tours.map(|tours| tours.is_some_and(|tours| tours > 0))));
        if checked % 8 == 0 {
            check_images(&shape);
        }
    }
    assert!(checked > 1000, "{checked} checked");
    // By number of symmetries: shapes with open tours, and shapes with closed ones.
    let with = |order: usize, ending: usize| seen.iter().any(|(own, tours)| *own == order && tours[ending]);
    assert!([1, 2, 4, 8].into_iter().all(|order| with(order, 0)), "{seen:?}");
    assert!([1, 2, 4].into_iter().all(|order| with(order, 1)), "{seen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn searches_of_any_shape_agree(seed: u64) {
        let shape = shape(seed);
        check_open(&shape, seed);
        check_closed(&shape, seed);
        check_images(&shape);
    }
}
