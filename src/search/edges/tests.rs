//! Tests of the whole edge search, on boards whose tours are known.

use super::expand::{MoveSums, order_tours};
use super::*;
use crate::board::{Board, CountKind, Ending, Symmetries, Symmetry, Tour};
use crate::search::{Prune, Radley, RadleyOptions, TourSink, laws};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Closed tours, each once: OEIS A070030, A175855 and A175881.
const COUNTS: [(&str, u64); 6] =
    [("5x6", 8), ("3x10", 16), ("3x12", 176), ("12x3", 176), ("6x6", 9862), ("5x8", 44_202)];

/// Verifies every tour and stores it, in the direction that begins with the lower square.
struct Verified {
    board: Board,
    tours: Vec<Vec<u8>>,
}

impl TourSink for Verified {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        let whole: Vec<_> = squares.iter().filter_map(|&square| self.board.at(u32::from(square))).collect();
        Tour::verify(self.board, Ending::Closed, whole).unwrap();
        self.tours.push(forward(squares.to_vec()));
        1
    }
}

/// The tour from square 0, in the direction that begins with the lower square.
fn forward(mut tour: Vec<u8>) -> Vec<u8> {
    assert_eq!(tour[0], 0);
    if tour[1] > tour[tour.len() - 1] {
        tour[1..].reverse();
    }
    tour
}

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn narrow(text: &str) -> Edges<u64, 64> {
    Edges::new(board(text)).unwrap()
}

/// The search that walks every tour, images too: of the symmetries it knows only the identity.
fn every_tour<M: SquareMask, const N: usize>(text: &str) -> Edges<M, N> {
    let shape = Shape::from(board(text));
    Edges::with(&shape, |_, _| SymmetryImages::of(&shape, vec![Symmetry::Identity], Vec::new())).unwrap()
}

fn narrow_every_tour(text: &str) -> Edges<u64, 64> {
    every_tour(text)
}

fn wide(text: &str) -> Edges<u128, 128> {
    Edges::new(board(text)).unwrap()
}

/// Every tour that a search hands out, verified, in ascending order; none may come twice.
fn tours(text: &str, search: &dyn Kernel) -> Vec<Vec<u8>> {
    let tours = laws::tours(search, board(text), Ending::Closed, &|tour, each| each(tour));
    let distinct: BTreeSet<_> = tours.iter().cloned().map(forward).collect();
    assert_eq!(tours.len(), distinct.len(), "a tour came twice");
    distinct.into_iter().collect()
}

#[test]
fn counts_are_right_in_both_widths_with_and_without_images() {
    for (text, count) in COUNTS {
        let all = laws::count(&narrow(text), true, false);
        let each = laws::count(&narrow_every_tour(text), true, false);
        assert_eq!((all.tours, each.tours), (count, count), "{text}");
        assert!(all.nodes < each.nodes);
        assert_eq!(laws::count(&wide(text), true, false), all, "{text}");
        let wide_each = every_tour::<u128, 128>(text);
        assert_eq!(laws::count(&wide_each, true, false), each, "{text}");
    }
    // OEIS A193054.
    assert_eq!(laws::count(&narrow("6x7"), true, false).tours, 1_067_638);
}

#[test]
fn small_boards_have_their_known_number_of_closed_tours() {
    for (rows, cols) in (1..=35).flat_map(|rows| (1..=35 / rows).map(move |cols| (rows, cols))) {
        let board = Board::new(rows, cols).unwrap();
        let known = board.known_count(CountKind::ClosedUndirected).map_or(0, |known| known.count as u64);
        assert_eq!(laws::count(&narrow(&board.to_string()), true, false).tours, known, "{board}");
    }
    for text in ["1x128", "128x1", "2x64", "64x2", "3x41", "11x11"] {
        assert_eq!(laws::count(&wide(text), true, false).tours, 0, "{text}");
    }
}

#[test]
fn tours_of_boards_beyond_64_squares_are_tours() {
    for text in ["10x10", "3x42", "42x3", "8x16"] {
        let mut search = wide(text);
        let mut sink = Verified { board: board(text), tours: Vec::new() };
        let mut out = BurstOutput { tally: &mut Tally::default(), levels: true, sink: Some(&mut sink) };
        search.begin(&Task::root());
        assert_eq!(search.advance(Burst::nodes(2000), &mut out), BurstEnd::Yielded);
        let found: BTreeSet<_> = sink.tours.iter().collect();
        assert!(found.len() > 10 && found.len() == sink.tours.len(), "{text}");
    }
}

#[test]
fn boards_that_the_masks_cannot_hold_are_refused() {
    assert!(Edges::<u64, 64>::new(board("5x13")).is_none());
    assert!(Edges::<u64, 32>::new(board("6x6")).is_none());
    assert!(Edges::<u128, 128>::new(board("3x43")).is_none());
}

#[test]
fn every_tour_is_handed_out_once() {
    for (text, count) in COUNTS {
        let all = tours(text, &narrow(text));
        assert_eq!(all.len() as u64, count, "{text}");
        assert!(all == tours(text, &narrow_every_tour(text)), "{text}");
    }
}

#[test]
fn classes_are_as_many_as_canonical_tours() {
    for (text, _) in COUNTS.into_iter().chain([("6x5", 8), ("3x14", 1536), ("10x3", 16)]) {
        let symmetries = Symmetries::new(&board(text).into());
        let all = tours(text, &narrow(text));
        let classes = all.iter().filter(|tour| symmetries.is_canonical(Ending::Closed, tour)).count() as u64;
        let search = Edges::<u64, 64>::classes(board(text)).unwrap();
        let counts = laws::count(&search, true, true);
        assert_eq!(counts.tours, classes, "{text}");
        assert_eq!(laws::count(&search, false, true), counts, "{text}");
        assert_eq!(laws::count_shared(&search, 8), counts, "{text}");
        let wide = Edges::<u128, 128>::classes(board(text)).unwrap();
        assert_eq!(laws::count(&wide, true, true), counts, "{text}");
        // A search without labels to tell images apart.
        let each = Edges::<u64, 64>::with(&board(text).into(), |_, _| {
            SymmetryImages::classes(&board(text).into(), u64::EMPTY)
        })
        .unwrap();
        assert_eq!(laws::count(&each, true, false).tours, classes, "{text}");
        assert!(tours(text, &search) == all, "{text}: the tours handed out do not change");
    }
    // OEIS A175855.
    let search = Edges::<u64, 64>::classes(board("6x7")).unwrap();
    assert_eq!(laws::count(&search, true, false).tours, 267_183);
}

#[test]
fn the_tours_are_those_of_another_search() {
    for text in ["5x6", "3x10"] {
        let rules = RadleyOptions { prune: Prune::AnyIsolated, ..RadleyOptions::shipped() };
        let radley = Radley::<u64>::new(board(text), rules).unwrap();
        assert_eq!(tours(text, &narrow(text)), tours(text, &radley), "{text}");
    }
}

#[test]
fn figures_by_depth_are_those_of_both_gears() {
    let sparse = laws::count(&narrow("6x6"), true, true);
    assert_eq!(sparse, laws::count(&narrow("6x6"), false, true));
    assert_eq!(sparse.nodes_by_depth.iter().sum::<u64>(), sparse.nodes);
    let dead: u64 = sparse.pruned_by_depth.iter().sum();
    assert!(0 < dead && dead < sparse.nodes);
    assert_eq!(sparse.pruned, dead);
    let flat = Tally { nodes: sparse.nodes, tours: sparse.tours, pruned: dead, ..Tally::default() };
    assert_eq!(laws::count(&narrow("6x6"), true, false), flat);
}

/// Regression figures of this program: they change with the branching rule, the walk or the order of the labels.
#[test]
fn the_number_of_nodes_does_not_grow() {
    for (text, images, each) in [("5x6", 67, 115), ("6x6", 3497, 15_137), ("5x8", 24_681, 61_580)] {
        assert_eq!(laws::count(&narrow(text), true, false).nodes, images, "{text}");
        assert_eq!(laws::count(&narrow_every_tour(text), true, false).nodes, each, "{text}");
    }
}

fn check_sharing(text: &str, seed: u64) {
    for search in [narrow(text), narrow_every_tour(text)] {
        assert_eq!(laws::count_shared(&search, seed), laws::count(&search, true, true), "{text} {seed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn bursts_gears_and_hand_overs_change_no_total(seed: u64) {
        for text in ["5x6", "3x10", "3x12", "6x6"] {
            check_sharing(text, seed);
        }
    }
}

#[test]
fn bursts_gears_and_hand_overs_change_no_total_of_a_longer_search() {
    for seed in 0..2 {
        check_sharing("5x8", seed);
    }
}

/// The drawing shows as many moves as the depth says, in chains that do not touch.
#[test]
fn every_position_can_be_drawn() {
    for search in [narrow("6x6"), narrow_every_tour("6x6")] {
        let (mut search, mut tally, mut status) = (search, Tally::default(), BurstEnd::Yielded);
        search.begin(&Task::root());
        while status == BurstEnd::Yielded {
            let mut drawing = Drawing::default();
            search.draw(&mut drawing);
            let squares: Vec<u32> = drawing.chains.concat();
            assert_eq!(squares.iter().collect::<BTreeSet<_>>().len(), squares.len());
            assert_eq!(squares.len() - drawing.chains.len(), search.depth());
            for step in drawing.chains.iter().flat_map(|chain| chain.windows(2)) {
                let [a, b] = [step[0], step[1]].map(|square| board("6x6").at(square).unwrap());
                assert!(board("6x6").adjacent(a, b));
            }
            status = search.advance(Burst::nodes(7), &mut BurstOutput::counting(&mut tally));
        }
        assert_eq!(tally.tours, 9862);
    }
}

/// The position with all moves of a tour but one to nine, in random order.
fn position_of_tour(
    graph: &SmallBoard<u64>,
    tour: &[u8],
    random: &mut fastrand::Rng,
) -> (Fragments<u64, 64>, MoveLog<64>) {
    let mut moves: Vec<_> = (0..tour.len()).map(|k| [tour[k], tour[(k + 1) % tour.len()]].map(usize::from)).collect();
    random.shuffle(&mut moves);
    let (mut position, mut log) = (Fragments::new(graph), MoveLog::new());
    for &[a, b] in &moves[random.usize(1..10)..] {
        position.join(graph, &mut log, a, b);
    }
    (position, log)
}

#[test]
fn the_walk_counts_the_tours_it_finds() {
    let board = board("6x6");
    let all = tours("6x6", &narrow("6x6"));
    let graph = SmallBoard::<u64>::new(board).unwrap();
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..2000 {
        let tour = &all[random.usize(..all.len())];
        let (position, mut log) = position_of_tour(&graph, tour, &mut random);
        let mut sink = Verified { board, tours: Vec::new() };
        walk::each(&graph, &position, &mut log, &mut |log| {
            let mut sums = MoveSums::NONE;
            log.add_moves(&mut sums, 36);
            let [tour] = order_tours([&sums], 0, [log.neighbour_of(0, 36)]);
            sink.tour(&tour.squares[..36]);
        });
        assert_eq!(walk::count(&graph, &position), sink.tours.len() as u64);
        let found: BTreeSet<_> = sink.tours.iter().collect();
        assert!(found.len() == sink.tours.len() && found.contains(tour));
        // Forced moves lose no tour.
        let mut settled = position;
        match settled.settle(&graph, &mut (), 2) {
            ForcedResult::Few => assert_eq!(walk::count(&graph, &settled), walk::count(&graph, &position)),
            ForcedResult::Branch(end) => assert!(settled.ends().has(end)),
            ForcedResult::Dead => panic!("the tour that was opened is still there"),
        }
    }
}
