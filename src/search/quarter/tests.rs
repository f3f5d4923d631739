//! Compares the search with a naive search and with published figures, and tests that its parts add up.

mod naive;

use super::quotient::orbit;
use super::stringing::{Catalogue, PathEnds, Stringing};
use super::*;
use crate::board::{Square, Tour};
use crate::search::{Tally, TourSink};
use proptest::prelude::*;
use std::collections::HashSet;

fn board(side: u32) -> Board {
    Board::new(side.into(), side.into()).unwrap()
}

fn search(side: u32, ending: Ending) -> QuarterTurn {
    let mut search = QuarterTurn::new(board(side), ending).unwrap();
    search.begin(&Task::root());
    search
}

fn tour(board: Board, squares: &[u8]) -> Vec<Square> {
    squares.iter().map(|&s| board.at(s.into()).unwrap()).collect()
}

/// Verifies and stores every tour.
struct Keep {
    board: Board,
    ending: Ending,
    tours: Vec<Vec<u8>>,
}

impl TourSink for Keep {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        Tour::verify(self.board, self.ending, tour(self.board, squares)).unwrap();
        self.tours.push(squares.to_vec());
        1
    }
}

fn run(side: u32, ending: Ending, sink: Option<&mut dyn TourSink>) -> Tally {
    let mut tally = Tally::default();
    let mut out = BurstOutput { tally: &mut tally, levels: true, sink: sink.map(|sink| sink as _) };
    assert_eq!(search(side, ending).advance(Burst::nodes(u64::MAX), &mut out), BurstEnd::Exhausted);
    tally
}

fn all_tours(side: u32, ending: Ending) -> Vec<Vec<u8>> {
    let mut keep = Keep { board: board(side), ending, tours: Vec::new() };
    assert_eq!(run(side, ending, Some(&mut keep)).tours, keep.tours.len() as u64);
    keep.tours
}

/// Directed paths, from one square of each orbit, by the joins of their ends: recomputed by another program. The 180
/// joins on 6x6 with an odd turn are 10 tours, each cut at 9 places in 2 directions.
#[test]
fn counts_of_paths_through_the_orbits() {
    let figures = [
        (5, "", 32),
        (6, "", 484),
        (6, "e~R1s", 90),
        (6, "e~R3s", 90),
        (7, "", 10_304),
        (7, "e~R1s e~c", 256),
        (7, "e~R2s e~c", 272),
        (7, "e~R3s e~c", 256),
        (8, "", 116_112),
        (8, "e~R2s e~Re", 1200),
        (8, "e~R2s s~Rs", 1200),
        (8, "e~Re s~Rs", 188),
    ];
    let usable = [(5, 0), (6, 176), (7, 1328), (8, 2588)];
    for (side, usable) in usable {
        let board = board(side);
        let joins: Vec<_> = naive::paths(board).iter().map(|path| naive::joins(board, path)).collect();
        let having = |all: &str| joins.iter().filter(|joins| all.split(' ').all(|join| joins.contains(&join))).count();
        for (_, all, expected) in figures.iter().filter(|figure| figure.0 == side) {
            assert_eq!(if all.is_empty() { joins.len() } else { having(all) }, *expected, "{side}: {all}");
        }
        assert_eq!(joins.iter().filter(|joins| naive::usable(side, joins)).count(), usable, "{side}");
    }
}

#[test]
fn finds_the_tours_of_a_naive_search_each_once() {
    for (side, tours) in [(5, 0), (6, 1040), (7, 15_296), (8, 11_104)] {
        let found = all_tours(side, Ending::Open);
        let distinct: HashSet<_> = found.iter().cloned().collect();
        assert_eq!((found.len(), distinct.len()), (tours, tours), "{side}");
        assert_eq!(distinct, naive::tours(board(side), Ending::Open), "{side}");
        assert_eq!(run(side, Ending::Open, None).tours, tours as u64, "{side}");
    }
}

/// 6x6: 10 diagrams that a quarter turn leaves unchanged (G. P. Jelliss, "Knight's Tour Notes": 5 geometrically
/// distinct).
#[test]
fn finds_the_closed_tours_of_a_naive_search_each_once() {
    for (side, tours) in [(5, 0), (6, 10), (7, 0), (8, 188)] {
        let found = all_tours(side, Ending::Closed);
        let distinct: HashSet<_> = found.iter().map(|squares| naive::undirected(squares)).collect();
        assert_eq!((found.len(), distinct.len()), (tours, tours), "{side}");
        let turned = |squares: &Vec<u8>| {
            let turn = |square: &Square| orbit(board(side), *square)[1].index() as u8;
            naive::undirected(&tour(board(side), squares).iter().map(turn).collect::<Vec<_>>())
        };
        let mut naive = naive::tours(board(side), Ending::Closed);
        naive.retain(|tour| side % 4 == 0 || turned(tour) == *tour);
        assert_eq!(distinct, naive, "{side}");
        assert_eq!(run(side, Ending::Closed, None).tours, tours as u64, "{side}");
    }
}

/// 831,804 diagrams that a quarter turn leaves unchanged: recomputed.
#[test]
fn counts_the_closed_tours_of_10x10() {
    assert_eq!(run(10, Ending::Closed, None).tours, 831_804);
}

struct LookFor {
    tour: Vec<u8>,
    seen: u64,
}

impl TourSink for LookFor {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        self.seen += u64::from(squares == self.tour);
        1
    }
}

/// Cameron Carter, "PCSE Final Project", 2016, section 2.2: columns 1 and 3, the centre, columns 4 and 2 backwards.
#[test]
fn the_sample_of_the_source_is_four_rotated_paths_and_one_of_the_tours_found() {
    let board = board(9);
    let column = |k: usize| -> Vec<u8> {
        SAMPLE.lines().map(|line| line.split(':').nth(k).unwrap().parse::<u8>().unwrap() - 1).collect()
    };
    for k in 0..4 {
        let turned = tour(board, &column(0)).into_iter().map(|square| orbit(board, square)[k].index() as u8);
        assert_eq!(turned.collect::<Vec<u8>>(), column(k));
    }
    let back = |k| column(k).into_iter().rev().collect::<Vec<_>>();
    let sample = [column(0), column(2), vec![40], back(3), back(1)].concat();
    Tour::verify(board, Ending::Open, tour(board, &sample)).unwrap();

    let quotient = Quotient::new(board);
    let places = (0..quotient.orbits() as u8).flat_map(|orbit| (0..4).map(move |turn| (orbit, turn)));
    let place = |&square: &u8| places.clone().find(|&(orbit, turn)| quotient.square(orbit, turn) == square).unwrap();
    let path: Vec<_> = column(0).iter().map(place).collect();
    let ((start, at_start), (end, at_end)) = (path[0], path[path.len() - 1]);
    let ends = PathEnds::new(&quotient, start, end, at_end + 4 - at_start);
    let catalogue = Catalogue::new(true, Ending::Open);
    let as_printed = |stringing: &&Stringing| stringing.to_string() == "+0 +2 c -3 -1";
    let mut strung = Vec::new();
    catalogue.of(ends).iter().find(as_printed).unwrap().squares(&quotient, &path, 0, |square| strung.push(square));
    assert_eq!(strung, sample);

    let mut look = LookFor { tour: sample, seen: 0 };
    let tally = run(9, Ending::Open, Some(&mut look));
    assert_eq!((tally.tours, look.seen), (3_615_248, 1));
    assert_eq!(run(9, Ending::Open, None).tours, 3_615_248);
}

#[test]
fn a_first_tour_comes_within_250_nodes() {
    for side in 6..=16 {
        for ending in [Ending::Open, Ending::Closed] {
            if ending == Ending::Closed && side % 2 == 1 {
                continue;
            }
            let mut keep = Keep { board: board(side), ending, tours: Vec::new() };
            let mut tally = Tally::default();
            search(side, ending).advance(
                Burst::nodes(250),
                &mut BurstOutput { tally: &mut tally, levels: false, sink: Some(&mut keep) },
            );
            assert!(!keep.tours.is_empty(), "{side} {ending:?}");
        }
    }
}

#[test]
fn draws_four_rotated_paths() {
    let mut search = search(16, Ending::Closed);
    let mut tally = Tally::default();
    search.advance(Burst::nodes(40), &mut BurstOutput::counting(&mut tally));
    assert_eq!((search.depth(), tally.nodes), (40, 40));
    let mut drawing = Drawing::default();
    search.draw(&mut drawing);
    let images = |square: &u32| orbit(board(16), board(16).at(*square).unwrap()).map(|s| s.index());
    assert_eq!(drawing.chains.len(), 4);
    for (i, square) in drawing.chains[0].iter().enumerate() {
        assert_eq!([0, 1, 2, 3].map(|k: usize| drawing.chains[k][i]), images(square));
    }
    let chain: Vec<_> = drawing.chains[0].iter().filter_map(|&square| board(16).at(square)).collect();
    assert!(chain.len() == 40 && chain.windows(2).all(|two| board(16).adjacent(two[0], two[1])));
}

#[test]
fn refuses_other_boards_with_the_reason() {
    let refusal = |rows, cols| QuarterTurn::new(Board::new(rows, cols).unwrap(), Ending::Open).unwrap_err().to_string();
    assert_eq!(refusal(6, 7), "6x7 is not a square board: a quarter turn does not keep it in place");
    assert!(refusal(4, 4).starts_with("4x4 is too small"));
    assert!(refusal(17, 17).starts_with("17x17 is too large"));
}

/// A checksum of tours that does not depend on their order.
struct Sum(u64);

impl TourSink for Sum {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        squares.hash(&mut hasher);
        self.0 = self.0.wrapping_add(hasher.finish());
        1
    }
}

/// The next action of one of several searches.
#[derive(Clone, Debug)]
enum Act {
    Nodes(u64),
    Sparse(u64),
    Split(HandOver),
}

fn act() -> impl Strategy<Value = Act> {
    let rule = prop_oneof![Just(HandOver::Shallowest), Just(HandOver::Next)];
    prop_oneof![(0..60u64).prop_map(Act::Nodes), (0..20u64).prop_map(Act::Sparse), rule.prop_map(Act::Split)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Several searches hand parts to one another and run in bursts of both gears: no part is lost or searched twice.
    #[test]
    fn pieces_add_up_to_the_whole(
        side in 6u32..=8,
        closed: bool,
        acts in prop::collection::vec((0..4usize, act()), 1..200),
    ) {
        let ending = if closed { Ending::Closed } else { Ending::Open };
        let mut whole = Sum(0);
        let expected = run(side, ending, Some(&mut whole));
        let (mut sum, mut tally) = (Sum(0), Tally::default());
        let idle = QuarterTurn::new(board(side), ending).unwrap();
        let mut crew = [search(side, ending), idle.clone(), idle.clone(), idle];
        let mut waiting: Vec<Task> = Vec::new();
        let mut busy = [true, false, false, false];
        for (who, act) in acts.iter().cycle() {
            let at_work = (0..4).find(|&other| busy[other]);
            let who = if waiting.is_empty() && !busy[*who] {
match at_work { Some(other) => other, None => break }
            } else {
*who
            };
            if !busy[who] && let Some(task) = waiting.pop() {
                crew[who].begin(&task);
                prop_assert!((crew[who].branches().remaining() - task.share).abs() < 1e-9);
            }
            let out = &mut BurstOutput { tally: &mut tally, levels: true, sink: Some(&mut sum) };
            let status = match act {
                Act::Nodes(n) => crew[who].advance(Burst::nodes(*n + 1), out),
                Act::Sparse(n) => crew[who].advance(Burst::sparse(*n + 1), out),
                Act::Split(rule) => {
                    let before = crew[who].branches().remaining();
                    if let Some(task) = crew[who].split(*rule) {
                        prop_assert!((before - task.share - crew[who].branches().remaining()).abs() < 1e-9);
                        waiting.push(task);
                    }
                    crew[who].advance(Burst::nodes(1), out)
                }
            };
            busy[who] = status == BurstEnd::Yielded;
        }
        prop_assert_eq!((tally, sum.0), (expected, whole.0));
    }
}
