//! The numbers of symmetric tours against what enumeration finds, and against published numbers of classes.

use crate::common::shapes;
use crate::common::tours::listed;
use destrier::board::{Board, CountKind, Ending, Shape, Square, Symmetry, Tour};
use destrier::count::symmetric::{Bounds, SymmetricError, fixed_tours, may_share_tours, tours_of_kind};
use fastrand::Rng;
use num_bigint::BigUint;

const FREELY: Bounds<'_> = Bounds { memory: 1 << 30, threads: 2, stop: &|_| false };

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

/// The moves of a tour, each as the lesser and the greater of its squares, in rising order.
fn moves(tour: &Tour) -> Vec<(Square, Square)> {
    let squares = tour.squares();
    let steps = if tour.ending() == Ending::Closed { squares.len() } else { squares.len() - 1 };
    let all = (0..steps).map(|i| (squares[i], squares[(i + 1) % squares.len()]));
    let mut all: Vec<_> = all.map(|(a, b)| (a.min(b), a.max(b))).collect();
    all.sort_unstable();
    all
}

/// Every tour of the shape with its symmetries, each undirected one once.
fn tours(shape: &Shape, ending: Ending) -> Vec<(Vec<Symmetry>, Tour)> {
    // Open tours come in both directions.
    let once = |squares: &Vec<Square>| ending == Ending::Closed || squares.first() <= squares.last();
    let tours = listed(shape, ending).into_iter().filter(once);
    let tours = tours.map(|squares| Tour::verify(shape, ending, squares).unwrap());
    tours.map(|tour| (symmetries_of(&tour), tour)).collect()
}

type Kept = Result<BigUint, SymmetricError>;

fn fixed_closed(shape: impl Into<Shape>, symmetry: Symmetry, bounds: Bounds<'_>) -> Kept {
    fixed_tours(shape, Ending::Closed, false, symmetry, bounds)
}

fn fixed_open(shape: impl Into<Shape>, symmetry: Symmetry, bounds: Bounds<'_>) -> Kept {
    fixed_tours(shape, Ending::Open, false, symmetry, bounds)
}

fn fixed_open_strict(shape: impl Into<Shape>, symmetry: Symmetry, bounds: Bounds<'_>) -> Kept {
    fixed_tours(shape, Ending::Open, true, symmetry, bounds)
}

/// The symmetries, but for the identity, that take the tour to itself.
fn symmetries_of(tour: &Tour) -> Vec<Symmetry> {
    let own = moves(tour);
    let others = tour.shape().symmetries().into_iter().skip(1);
    others.filter(|&symmetry| moves(&image(tour, symmetry)) == own).collect()
}

fn image(tour: &Tour, symmetry: Symmetry) -> Tour {
    let squares: Vec<_> = tour.squares().iter().map(|&square| symmetry.apply(tour.board(), square)).collect();
    Tour::verify(tour.shape(), tour.ending(), squares).expect("it takes the board to itself")
}

/// Holds orbits and classes against enumeration: a tour's images are as many as its kind says.
fn agree_in_kinds(shape: &Shape, ending: Ending, tours: &[(Vec<Symmetry>, Tour)]) {
    if shape.squares() == 1 || may_share_tours(shape, ending) {
        return;
    }
    let symmetries = shape.symmetries();
    let of_order = |wanted: usize| tours.iter().filter(|(own, _)| own.len() + 1 == wanted).count();
    let kept = |symmetry| match symmetries.contains(&symmetry) {
        true => fixed_tours(shape, ending, false, symmetry, FREELY).unwrap(),
        false => 0u32.into(),
    };
    let quarter = kept(Symmetry::QuarterTurn);
    let mut classes = [(2, 0), (4, 0)];
    for &symmetry in &symmetries[1..] {
        if symmetry == Symmetry::ThreeQuarterTurn {
            continue;
        }
        let kind = tours_of_kind(shape, symmetry, &kept(symmetry), &quarter).unwrap();
        let order = symmetries.len() / kind.orbit as usize;
        let classes = classes.iter_mut().find(|(other, _)| *other == order).unwrap();
        classes.1 += usize::try_from(&kind.classes).unwrap();
    }
    for (order, classes) in classes {
        let orbit = symmetries.len() / order;
        assert_eq!(of_order(order), classes * orbit, "{shape} {ending:?} order {order}");
    }
}

/// Holds the three counts against enumeration; answers how many symmetric tours there were.
fn agree(shape: impl Into<Shape>, endings: &[Ending]) -> usize {
    let (shape, mut seen) = (&shape.into(), 0);
    for &ending in endings {
        let tours = tours(shape, ending);
        agree_in_kinds(shape, ending, &tours);
        for &symmetry in &shape.symmetries()[1..] {
            let kept: Vec<&Tour> =
                tours.iter().filter(|(own, _)| own.contains(&symmetry)).map(|(_, tour)| tour).collect();
            let name = format!("{shape} {ending:?} {symmetry}");
            if ending == Ending::Closed {
                assert_eq!(fixed_closed(shape, symmetry, FREELY), Ok(kept.len().into()), "{name}");
            } else {
                let (first, last) = (0, shape.squares() as usize - 1);
                let closable = |tour: &Tour| shape.board().adjacent(tour.squares()[first], tour.squares()[last]);
                let strict = kept.iter().filter(|tour| !closable(tour)).count();
                assert_eq!(fixed_open(shape, symmetry, FREELY), Ok(kept.len().into()), "{name}");
                assert_eq!(fixed_open_strict(shape, symmetry, FREELY), Ok(strict.into()), "{name} strict");
            }
            seen += kept.len();
        }
    }
    seen
}

#[test]
fn boards_of_up_to_thirty_squares_agree_with_enumeration() {
    let mut seen = 0;
    for (rows, cols) in (1..=30).flat_map(|rows| (1..=30 / rows).map(move |cols| (rows, cols))) {
        seen += agree(Board::new(rows, cols).unwrap(), &[Ending::Open, Ending::Closed]);
    }
    assert!(seen > 300, "only {seen} symmetric tours were met");
}

#[test]
fn larger_boards_agree_with_enumeration() {
    for text in ["6x6", "5x8", "3x14"] {
        assert!(agree(board(text), &[Ending::Closed]) > 0, "{text}");
    }
    for text in ["3x11", "3x12", "4x9"] {
        assert!(agree(board(text), &[Ending::Open]) > 0, "{text}");
    }
}

/// Of shapes drawn by chance, and of some at which a fold of rectangles would go wrong: closed tours of one orbit and of two, mirrors
/// that leave two squares in place, a middle that is a hole.
#[test]
fn boards_with_holes_agree_with_enumeration() {
    let special = [
        "3x3-b2",
        "4x4-a4,c4,d4,a3,b3,c3,b2,c2,d2,a1,b1,d1",
        "4x4-b4,c4,d4,a3,b3,d3,a2,c2,d2,a1,b1,c1",
        "3x5-a3,e3,a1,e1",
        "5x5-c3",
        "5x5-a5,e5,a1,e1,c3",
        "2x3-b2,c2,a1,b1",
        "4x5-c4,c1",
        "4x6-a4,f1",
        "5x6-a5,f5",
    ];
    let special = special.into_iter().map(|text| text.parse::<Shape>().unwrap());
    let mut random = Rng::with_seed(77);
    let drawn = (0..400).map(|_| shapes::shape(&mut random, 18)).filter(|shape| shape.symmetries().len() > 1);
    let (mut seen, mut shared) = ([0, 0], 0);
    for shape in special.chain(drawn) {
        seen[0] += agree(&shape, &[Ending::Closed]);
        seen[1] += agree(&shape, &[Ending::Open]);
        shared += usize::from(may_share_tours(&shape, Ending::Closed));
    }
    assert!(seen[0] >= 40 && seen[1] >= 100 && shared >= 5, "{seen:?} {shared}");
}

#[test]
fn a_board_and_its_transposed_have_as_many() {
    for text in ["5x8", "6x7", "7x8", "5x10", "3x14"] {
        let board = board(text);
        for (symmetry, turned) in [
            (Symmetry::HalfTurn, Symmetry::HalfTurn),
            (Symmetry::LeftRight, Symmetry::TopBottom),
            (Symmetry::TopBottom, Symmetry::LeftRight),
        ] {
            let counts: [fn(Board, Symmetry, Bounds<'_>) -> Kept; 3] = [fixed_closed, fixed_open, fixed_open_strict];
            for count in counts {
                let (one, other) = (count(board, symmetry, FREELY), count(board.transposed(), turned, FREELY));
                assert!(one.is_ok() && one == other, "{text} {symmetry}");
            }
        }
    }
}

/// By the lemma of Burnside.
fn classes(board: Board, all: u64, fixed: fn(Board, Symmetry, Bounds<'_>) -> Kept) -> BigUint {
    let symmetries = board.symmetries();
    let sum: BigUint = symmetries[1..].iter().map(|&symmetry| fixed(board, symmetry, FREELY).unwrap()).sum();
    let (sum, group) = (sum + all, symmetries.len());
    assert_eq!(&sum % group, BigUint::ZERO, "{board}: no whole number of classes");
    sum / group
}

/// 13,267,364,410,532 is OEIS A193055(8); the classes are McKay's, 1997, and Jelliss's.
#[test]
fn published_numbers_of_classes_follow() {
    let known = |text: &str, kind| board(text).known_count(kind).unwrap().count;
    for (text, all) in [("6x6", 9862), ("8x8", 13_267_364_410_532)] {
        assert_eq!(classes(board(text), all, fixed_closed), known(text, CountKind::ClosedClasses).into(), "{text}");
    }
    for (text, all) in [("6x6", 2_963_928), ("8x8", 8_946_802_763_215_904)] {
        assert_eq!(
            classes(board(text), all, fixed_open_strict),
            known(text, CountKind::OpenClassesStrict).into(),
            "{text}"
        );
    }
    // 5x5 has 112 classes, and 4x5 has 19 of four tours and 3 of two.
    assert_eq!(classes(board("5x5"), 864, fixed_open), 112u32.into());
    assert_eq!(classes(board("4x5"), 82, fixed_open), 22u32.into());
}

#[test]
fn known_numbers_of_symmetric_tours_are_found() {
    let mut met = 0;
    for known in destrier::board::known_counts() {
        let symmetries: &[Symmetry] = match known.kind {
            CountKind::ClosedHalfTurn => &[Symmetry::HalfTurn],
            CountKind::ClosedQuarterTurn => &[Symmetry::QuarterTurn, Symmetry::ThreeQuarterTurn],
            _ => continue,
        };
        for &symmetry in symmetries {
            assert_eq!(fixed_closed(known.board, symmetry, FREELY), Ok(known.count.into()), "{}", known.board);
            met += 1;
        }
    }
    assert!(met >= 7);
}

/// A mirror of 3x300 has a row of fixed squares, and its half turn more tours than 128 bits hold.
#[test]
fn long_boards_are_counted() {
    let long = board("3x300");
    assert_eq!(fixed_closed(long, Symmetry::TopBottom, FREELY), Ok(BigUint::ZERO));
    let tours = fixed_open(long, Symmetry::HalfTurn, FREELY).unwrap();
    assert!(tours > u128::MAX.into());
    assert_eq!(fixed_open(long.transposed(), Symmetry::HalfTurn, FREELY), Ok(tours));
}

#[test]
fn what_is_not_counted_is_told_why() {
    let says = |text: &str, symmetry, bounds| fixed_closed(board(text), symmetry, bounds).unwrap_err().to_string();
    assert_eq!(says("6x6", Symmetry::Identity, FREELY), "the identity takes every tour to itself: count all tours");
    assert_eq!(
        says("6x7", Symmetry::QuarterTurn, FREELY),
        "a quarter turn does not keep 6x7 in place: it exchanges rows and columns, so it needs a square board"
    );
    assert_eq!(
        says("40x60", Symmetry::HalfTurn, FREELY),
        "40x60 is too large: a half turn leaves 1200 orbits of squares, and at most 1024 are counted"
    );
    let wide = fixed_closed(board("20x20"), Symmetry::HalfTurn, FREELY);
    assert!(matches!(wide, Err(SymmetricError::TooWide { width, most: 28, .. }) if width > 28), "{wide:?}");
    let little = fixed_closed(board("8x8"), Symmetry::HalfTurn, Bounds { memory: 1 << 20, ..FREELY });
    let little = little.unwrap_err().to_string();
    assert!(little.contains(" of 32 orbits were done) takes more than the "), "{little}");
    let stopped = fixed_closed(board("8x8"), Symmetry::HalfTurn, Bounds { stop: &|_| true, ..FREELY });
    assert_eq!(stopped, Err(SymmetricError::Stopped));
}
