//! Compares the explained searches with their kernels, node by node.

use super::*;
use crate::board::{Board, Ending, Shape, SmallBoard, Square, SquareMask, Tour};
use crate::search::edges::fragments::Fragments;
use crate::search::quarter::QuarterTurn;
use crate::search::{
    Brute, Burst, BurstEnd, BurstOutput, Drawing, Edges, Kernel, Path, Prune, Radley, RadleyOptions as RadleyRulesOf,
    Tally, Task, TourSink,
};

fn board(text: &str) -> Board {
    shape(text).board()
}

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

fn walk<R: ExplainedRules>(text: &str, rules: R) -> ExplainedWalk<R> {
    ExplainedWalk::new(Trail::new(shape(text)), rules)
}

/// Enters up to `limit` nodes with both, and compares counts and paths before each node and at the end.
fn agree(explained: &mut dyn Explained, mut kernel: impl Kernel, limit: u64) -> Tally {
    kernel.begin(&Task::root());
    let mut tally = Tally::default();
    let (mut ours, mut theirs) = (Drawing::default(), Drawing::default());
    loop {
        explained.draw(&mut ours);
        let before = explained.counts();
        let event = explained.step();
        let enters = event.enters();
        if !enters && event != StepEvent::Finished {
            continue;
        }
        let counted = (before.nodes, before.pruned, before.tours);
        assert_eq!(counted, (tally.nodes, tally.pruned, tally.tours));
        kernel.draw(&mut theirs);
        assert_eq!(ours, theirs, "before node {}", before.nodes + 1);
        if tally.nodes == limit {
            return tally;
        }
        let status = kernel.advance(Burst::nodes(1), &mut BurstOutput::counting(&mut tally));
        assert_eq!(tally.nodes, before.nodes + u64::from(enters), "both enter a node, or neither");
        if !enters {
            assert_eq!((status, explained.step()), (BurstEnd::Exhausted, StepEvent::Finished));
            return tally;
        }
    }
}

fn radley(text: &str, prune: Prune, window: std::ops::RangeInclusive<usize>, limit: u64) -> Tally {
    let start = board(text).at(0).unwrap();
    let rules = RadleyRulesOf { prune, window: window.clone(), ..RadleyRulesOf::shipped() };
    let kernel = Radley::<u128>::new(board(text), rules).unwrap();
    agree(&mut walk(text, RadleyRules::new(board(text), start, prune, window)), kernel, limit)
}

fn path(text: &str, ending: Ending, start: Option<u32>, limit: u64) -> Tally {
    let start = start.map(|start| board(text).at(start).unwrap());
    let kernel = match ending {
        Ending::Open => Path::<u128>::open(shape(text), start),
        Ending::Closed => Path::<u128>::closed(shape(text), start),
    };
    let rules = PathRules::new(shape(text), ending, start).unwrap();
    agree(&mut walk(text, rules), kernel.unwrap(), limit)
}

#[test]
fn brute_is_searched_node_by_node_as_the_kernel_does() {
    let brute = |text, start: Option<u32>, limit| {
        let start = start.map(|start| board(text).at(start).unwrap());
        let kernel = Brute::<u128>::new(shape(text), start).unwrap();
        agree(&mut walk(text, brute_rules(shape(text), start)), kernel, limit)
    };
    for (text, start) in
        [("1x1", None), ("1x5", None), ("2x3", None), ("4x4", None), ("4x5", Some(0)), ("3x7", Some(2))]
    {
        brute(text, start, u64::MAX);
    }
    assert_eq!(brute("3x4", None, u64::MAX).tours, 16);
    // Each square of the ring is a start, both ways round.
    assert_eq!(brute("3x3-b2", None, u64::MAX).tours, 16);
    for holes in ["4x4-a1,d4", "4x5-b2,c3,e4", "5x5-a1,c3"] {
        brute(holes, None, 20_000);
    }
    brute("8x8", None, 10_000);
    brute("11x11", Some(60), 2_000);
}

#[test]
fn radley_is_searched_node_by_node_as_the_kernel_does() {
    for prune in Prune::ALL {
        for text in ["1x1", "2x2", "2x5", "3x3", "3x4", "4x4", "4x5", "3x8"] {
            radley(text, prune, 0..=usize::MAX, u64::MAX);
        }
        radley("6x6", prune, 0..=usize::MAX, 10_000);
        radley("6x6", prune, 12..=20, 10_000);
        radley("11x11", prune, 0..=usize::MAX, 2_000);
    }
    // All eight tours of 5x6.
    assert_eq!(radley("5x6", Prune::AnyIsolated, 0..=usize::MAX, u64::MAX).tours, 8);
}

#[test]
fn path_is_searched_node_by_node_as_the_kernel_does() {
    for text in ["1x1", "1x2", "2x2", "2x5", "3x3", "3x4", "4x4", "3x5", "3x6", "4x5", "5x5", "3x10"] {
        path(text, Ending::Closed, None, u64::MAX);
        path(text, Ending::Open, None, 10_000);
    }
    for holes in ["3x3-b2", "4x4-a1,d4", "5x6-a5,b5", "5x5-c3", "5x5-a1,a2,e5", "6x6-a1,f6", "4x7-a1,b2,g4"] {
        path(holes, Ending::Closed, None, 20_000);
        path(holes, Ending::Open, None, 10_000);
        path(holes, Ending::Open, Some(2), 10_000);
    }
    for start in [2, 7, 12] {
        path("5x5", Ending::Open, Some(start), u64::MAX);
        path("5x6", Ending::Closed, Some(start), u64::MAX);
    }
    assert_eq!(path("3x4", Ending::Open, None, u64::MAX).tours, 16);
    assert_eq!(path("4x5", Ending::Open, None, u64::MAX).tours, 164);
    assert_eq!(path("5x6", Ending::Closed, None, u64::MAX).tours, 8);
    for ending in [Ending::Open, Ending::Closed] {
        path("6x6", ending, None, 10_000);
        path("8x8", ending, None, 5_000);
        path("11x11", ending, None, 2_000);
    }
}

fn edges(text: &str, limit: u64) -> Tally {
    let kernel = Edges::<u128, 128>::new(shape(text)).unwrap();
    agree(&mut ExplainedEdges::new(shape(text)).unwrap(), kernel, limit)
}

fn quarter(text: &str, ending: Ending, limit: u64) -> Tally {
    let rules = QuarterRules::new(board(text), ending).unwrap();
    let mut search = ExplainedWalk::new(Trail::turned(board(text)), rules);
    agree(&mut search, QuarterTurn::new(board(text), ending).unwrap(), limit)
}

#[test]
fn edges_is_searched_node_by_node_as_the_kernel_does() {
    for text in ["1x1", "2x5", "3x3", "3x4", "4x4", "4x5", "3x8", "5x5"] {
        assert_eq!(edges(text, u64::MAX).tours, 0, "{text}");
    }
    for (text, tours) in [("3x10", 16), ("3x12", 176), ("5x6", 8), ("5x8", 44_202), ("6x6", 9862)] {
        assert_eq!(edges(text, u64::MAX).tours, tours, "{text}");
    }
    for holes in ["3x3-b2", "4x4-a1,d4", "4x6-b2,e3", "6x6-a1,f1", "6x6-a1,f6", "6x6-c3,d3,c4,d4", "5x5-c3"] {
        edges(holes, 5_000);
    }
    assert_eq!(edges("3x3-b2", u64::MAX).tours, 1);
    edges("8x8", 3_000);
    edges("8x16", 300);
}

#[test]
fn quarter_turn_is_searched_node_by_node_as_the_kernel_does() {
    assert_eq!(quarter("5x5", Ending::Open, u64::MAX).tours, 0);
    assert_eq!(quarter("6x6", Ending::Closed, u64::MAX).tours, 10);
    for side in [5, 6, 7] {
        quarter(&format!("{side}x{side}"), Ending::Open, u64::MAX);
    }
    for (text, ending) in [("8x8", Ending::Closed), ("9x9", Ending::Open), ("10x10", Ending::Closed)] {
        quarter(text, ending, 3_000);
    }
    quarter("11x11", Ending::Open, 1_000);
}

struct TakenTours(Vec<Vec<u8>>);

impl TourSink for TakenTours {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        self.0.push(squares.to_vec());
        1
    }
}

/// The moves of a closed tour, as pairs in their order.
fn moves(squares: impl Iterator<Item = u32>) -> Vec<[u32; 2]> {
    let squares: Vec<u32> = squares.collect();
    let around = squares.iter().zip(squares.iter().cycle().skip(1));
    let mut moves: Vec<[u32; 2]> = around.map(|(&a, &b)| [a.min(b), a.max(b)]).collect();
    moves.sort_unstable();
    moves
}

/// Every tour that the steps show is one that the kernel hands out in the same node, and they stand for as many.
#[test]
fn the_tours_of_edges_are_those_of_the_kernel_node_by_node() {
    for (text, limit) in [("6x6", u64::MAX), ("5x6", u64::MAX)] {
        let mut kernel = Edges::<u64, 64>::new(board(text)).unwrap();
        kernel.begin(&Task::root());
        let (mut tally, mut explained) = (Tally::default(), ExplainedEdges::new(board(text)).unwrap());
        let (mut left, mut drawing, mut event) = (TakenTours(Vec::new()), Drawing::default(), explained.step());
        while event != StepEvent::Finished && tally.nodes < limit {
            if event.enters() {
                assert!(left.0.is_empty(), "the steps show every tour of a node");
                let mut out = BurstOutput { tally: &mut tally, levels: false, sink: Some(&mut left) };
                kernel.advance(Burst::nodes(1), &mut out);
            }
            if let StepEvent::Tour { images, .. } = event {
                explained.draw(&mut drawing);
                let [squares] = &drawing.chains[..] else { panic!("a tour is one piece") };
                let at = |&square: &u32| board(text).at(square).unwrap();
                let tour = Tour::verify(board(text), Ending::Closed, squares.iter().map(at).collect::<Vec<_>>());
                assert!(tour.is_ok(), "{text} node {}", tally.nodes);
                let taken = left.0.drain(..images as usize).map(|tour| moves(tour.into_iter().map(u32::from)));
                assert_eq!(taken.filter(|taken| *taken == moves(squares.iter().copied())).count(), 1);
            }
            event = explained.step();
        }
        assert!(left.0.is_empty());
        assert_eq!(explained.counts().tours, tally.tours);
    }
}

/// What is said of a square that stops the search is true of the moves that are shown.
#[test]
fn dead_ends_of_edges_are_rings_and_squares_with_too_few_moves() {
    let (board, mut explained, mut drawing) =
        (board("6x6"), ExplainedEdges::new(board("6x6")).unwrap(), Drawing::default());
    let (mut rings, mut few, mut event) = (0, 0, explained.step());
    while event != StepEvent::Finished {
        if let StepEvent::DeadEnd { square, reason } = event {
            // One square is named: in the sentence, as the dead end, and as that of the moves.
            assert_eq!(explained.focus(), Some(square), "{}", event.sentence(board));
            assert!(reason.squares(board).is_empty() || reason.squares(board) == [square], "{}", event.sentence(board));
            explained.draw(&mut drawing);
            let moves = drawing.chains.iter().flat_map(|chain| chain.windows(2));
            let graph = SmallBoard::new(board).unwrap();
            let mut pieces = Fragments::<u64, 64>::new(&graph);
            moves.for_each(|pair| pieces.join(&graph, &mut (), pair[0] as usize, pair[1] as usize));
            let open = |square: Square| pieces.options(&graph, square.index() as usize);
            match reason {
                Reason::TooFew(square, needs, has) => {
                    assert!(has < needs);
                    assert_eq!((pieces.needs(square.index() as usize), open(square).len() as u8), (needs, has));
                    few += 1;
                }
                Reason::Ring(square) => {
                    let at = square.index() as usize;
                    let closes = match open(square).iter().collect::<Vec<_>>()[..] {
                        [] => graph.neighbours(at).has(pieces.mate(at)),
                        [first, second] => pieces.mate(first) == second,
                        _ => false,
                    };
                    assert!(closes, "{}", reason.sentence(board));
                    rings += 1;
                }
                _ => {}
            }
        }
        event = explained.step();
    }
    assert!(rings > 0 && few > 0);
}

/// A search that is led to a position of the kernel stands there after as many nodes as it is deep, and takes the
/// steps of the whole search from there.
#[test]
fn a_search_is_led_straight_to_a_position_of_its_kernel() {
    let radley = RadleyRulesOf { prune: Prune::AnyIsolated, ..RadleyRulesOf::shipped() };
    let start = board("6x6").at(0).unwrap();
    let searches: Vec<(Box<dyn Kernel>, Box<dyn Explained>)> = vec![
        (Box::new(Edges::<u64, 64>::new(board("6x6")).unwrap()), Box::new(ExplainedEdges::new(board("6x6")).unwrap())),
        (
            Box::new(Radley::<u64>::new(board("6x6"), radley).unwrap()),
            Box::new(walk("6x6", RadleyRules::new(board("6x6"), start, Prune::AnyIsolated, 0..=99))),
        ),
        (
            Box::new(Path::<u64>::open(board("6x6"), None).unwrap()),
            Box::new(walk("6x6", PathRules::new(board("6x6"), Ending::Open, None).unwrap())),
        ),
        (
            Box::new(QuarterTurn::new(board("8x8"), Ending::Closed).unwrap()),
            Box::new(ExplainedWalk::new(
                Trail::turned(board("8x8")),
                QuarterRules::new(board("8x8"), Ending::Closed).unwrap(),
            )),
        ),
    ];
    for (mut kernel, explained) in searches {
        kernel.begin(&Task::root());
        let (mut tally, mut there, mut here) = (Tally::default(), Drawing::default(), Drawing::default());
        for nodes in [1, 20, 333] {
            kernel.advance(Burst::nodes(nodes), &mut BurstOutput::counting(&mut tally));
            kernel.draw(&mut there);
            let mut led = explained.fork();
            led.lead(&there);
            while led.is_led() {
                assert!(!matches!(led.step(), StepEvent::Back { .. } | StepEvent::Undone { .. } | StepEvent::Finished));
            }
            led.draw(&mut here);
            assert_eq!((&here.chains, led.counts().nodes as usize), (&there.chains, kernel.branches().depth()));
            let tree = led.tree(100);
            assert_eq!(tree.len(), led.levels());
            let taken = tree.iter().flat_map(|level| &level.branches).filter(|(_, is)| *is == MoveStatus::Taken);
            assert_eq!(taken.count(), kernel.branches().depth());
            // From the first moment there on it is the same search, though it counts fewer nodes and tours.
            let mut whole = explained.fork();
            whole.draw(&mut here);
            while here.chains != there.chains || whole.depth() != led.depth() {
                whole.step();
                whole.draw(&mut here);
            }
            for _ in 0..5_000 {
                match (led.step(), whole.step()) {
                    (StepEvent::Tour { images, .. }, StepEvent::Tour { images: same, .. }) => assert_eq!(images, same),
                    (ours, theirs) => assert_eq!(ours, theirs),
                }
            }
        }
    }
}

/// The sentences of the first steps of a search.
fn sentences(mut search: Box<dyn Explained>, text: &str, steps: usize) -> Vec<String> {
    (0..steps).map(|_| search.step().sentence(board(text))).collect()
}

#[test]
fn a_prune_test_names_the_isolated_square_and_dead_ends_give_their_reason() {
    let start = board("6x6").at(0).unwrap();
    let rules = |prune| RadleyRules::new(board("6x6"), start, prune, 0..=99);
    let any = sentences(Box::new(walk("6x6", rules(Prune::AnyIsolated))), "6x6", 60);
    assert_eq!(any[..3], ["start on a6", "SSE to b4, rank 5", "SSW to a2, rank 2"]);
    assert_eq!(
        any[11..19],
        [
            "SSW to d2, rank 4",
            "WNW to b3 cut: b1 isolated, no vacant neighbour",
            "ENE to f3 cut: b1 isolated, no vacant neighbour",
            "ESE to f1 cut: b1 isolated, no vacant neighbour",
            "WSW to b1, rank 0",
            "dead end on b1: no vacant neighbour",
            "back to d2: b1 is exhausted",
            "back to e4: d2 is exhausted",
        ]
    );
    assert!(any.iter().any(|one| one == "dead end on e6: every move from it is cut"));
    let all = sentences(Box::new(walk("6x6", rules(Prune::AllIsolated))), "6x6", 5000);
    assert!(all.iter().any(|one| one.contains(", all it leaves behind, isolated")), "{all:#?}");
    let region = sentences(Box::new(walk("6x6", rules(Prune::Region))), "6x6", 5000);
    assert!(region.iter().any(|one| one.contains("more out of reach")), "{region:#?}");
}

#[test]
fn forced_moves_and_the_look_ahead_have_sentences() {
    let rules = PathRules::new(board("6x6"), Ending::Closed, None).unwrap();
    let sentences = sentences(Box::new(walk("6x6", rules)), "6x6", 50_000);
    for words in
        [" forced: ", " is its only other exit", " cut: needed by ", "one exit left for each of ", " just before "]
    {
        assert!(sentences.iter().any(|one| one.contains(words)), "{words}");
    }
}

#[test]
fn choices_give_the_state_of_every_move() {
    let rules = RadleyRules::new(board("6x6"), board("6x6").at(0).unwrap(), Prune::AnyIsolated, 0..=99);
    let mut search = walk("6x6", rules);
    assert!(search.choices().is_empty());
    while search.step().sentence(board("6x6")) != "back to d2: b1 is exhausted" {}
    let isolated = MoveStatus::Cut(Reason::Isolated(1 << 31));
    let found: Vec<_> = search.choices().iter().map(|choice| (choice.number, choice.rank, choice.status)).collect();
    assert_eq!(
        found,
        [
            (0, 0, MoveStatus::Tried),
            (1, 5, isolated),
            (6, 3, isolated),
            (7, 1, isolated),
            (3, 4, MoveStatus::Visited(7)),
            (4, 3, MoveStatus::Visited(11)),
        ]
    );
}

/// A tape of a search with all kinds of events.
fn tape() -> Tape {
    let rules = RadleyRules::new(board("5x6"), board("5x6").at(0).unwrap(), Prune::AnyIsolated, 0..=99);
    Tape::new(Box::new(walk("5x6", rules)))
}

/// Everything that a view draws of a tape.
fn view_of(tape: &Tape) -> (u64, ExplainedCounts, Vec<ExplainedMove>, Drawing, Vec<StepEvent>) {
    let mut drawing = Drawing::default();
    tape.search().draw(&mut drawing);
    (tape.at(), tape.search().counts(), tape.search().choices(), drawing, tape.events().take(60).copied().collect())
}

#[test]
fn stepping_back_restores_every_view_to_the_beginning() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut tape = tape();
    let mut past = vec![view_of(&tape)];
    for _ in 0..24_000 {
        tape.forward();
        past.push(view_of(&tape));
    }
    for _ in 0..25 {
        let steps = if random.bool() { random.u64(..5) } else { random.u64(..15_000) };
        let before = tape.at();
        assert_eq!(tape.back(steps), steps.min(before));
        assert!(view_of(&tape) == past[tape.at() as usize]);
        for _ in 0..random.u64(..9000).min(24_000 - tape.at()) {
            tape.forward();
        }
        assert!(view_of(&tape) == past[tape.at() as usize]);
    }
    let at = tape.at();
    assert_eq!((tape.back(u64::MAX), tape.at()), (at, 0));
    assert_eq!((tape.back(1), tape.events().len()), (0, 0));
}

#[test]
fn a_complete_search_steps_back_but_not_on() {
    let rules = brute_rules(board("3x3"), None);
    let mut tape = Tape::new(Box::new(walk("3x3", rules)));
    while tape.forward() != StepEvent::Finished {}
    let at = tape.at();
    tape.forward();
    assert_eq!((tape.at(), tape.is_finished()), (at, true));
    tape.back(1);
    assert!(!tape.is_finished());
    assert_eq!(tape.forward(), StepEvent::Finished);
}

/// Squares that need a move are passed between the two vacant squares that are left to them.
#[test]
fn the_moves_left_to_a_square_are_its_vacant_neighbours() {
    let mut claimed = 0;
    for text in ["5x6", "6x6"] {
        let board = board(text);
        let mut walk = walk(text, PathRules::new(board, Ending::Open, None).unwrap());
        let mut drawing = Drawing::default();
        for _ in 0..10_000 {
            walk.step();
            walk.draw(&mut drawing);
            let path: Vec<u32> = drawing.chains.iter().flatten().copied().collect();
            let vacant = |square| board.neighbours(square).filter(|other| !path.contains(&other.index())).count();
            for choice in walk.choices() {
                let MoveStatus::Cut(reason @ Reason::Claimed(_)) = choice.status else { continue };
                let left: Vec<usize> = reason.squares(board).into_iter().map(vacant).collect();
                assert!(left.iter().all(|&left| Some(left as u8) == reason.moves_left()), "{left:?}");
                claimed += 1;
            }
        }
    }
    assert!(claimed > 100, "{claimed}");
}
