//! Tours in which given moves lead to given squares, as in the puzzles that are called Hidato.
//!
//! A search that extends one path learns too late that a given number cannot be reached. This search keeps the set of numbers that
//! each square may still have. A number stays in the set of a square while a square a move away may have the number before it, and
//! another one the number behind it; no two squares have one number. All that follows from this is drawn before every choice. A
//! choice settles a number next to one that is settled, that with the fewest squares; the squares with the fewest free squares
//! around them come first, in random order. A node is one choice.
//!
//! As in [`strands`](super::strands), an attempt has a limit of nodes, which doubles, and the next one starts again with other
//! choices. An attempt that reaches its end has tried everything.

use super::attempt::{Attempt, AttemptProgress, node_limit, seed_of};
use crate::board::{Ending, SmallBoard, Square, SquareMask};
use crate::search::Drawing;
use crate::words::number_of;
use fastrand::Rng;
use std::sync::Arc;

/// The question, and what follows from it without a choice. Every attempt starts here. Cheap to clone.
#[derive(Clone, Debug)]
pub struct NumbersRoot(Arc<NumbersQuestion>);

#[derive(Debug)]
struct NumbersQuestion {
    graph: SmallBoard<u128>,
    is_cycle: bool,
    /// The squares of the tour, and the numbers of its moves, from 0.
    squares: u128,
    numbers: u128,
    /// For each square of the board: the numbers that it may have.
    sets: Box<[u128]>,
    /// The number of the first move in words.
    first: u32,
}

/// What has no place left.
enum Homeless {
    Square(usize),
    Number(usize),
}

impl NumbersRoot {
    /// The root of a search for tours of the squares of `graph` whose moves with the numbers `given`, from 1, lead to the squares beside
    /// them.
    ///
    /// # Errors
    /// Why there is no such tour, as far as that needs no search: one sentence without its full stop, in which moves count from `first`.
    pub fn new(
        graph: SmallBoard<u128>,
        ending: Ending,
        given: &[(u32, Square)],
        first: u32,
    ) -> Result<NumbersRoot, String> {
        let squares = graph.all();
        let numbers = u128::MAX.checked_shr(u128::BITS - squares.len()).unwrap_or(0);
        let sets = vec![0; graph.board().squares() as usize].into();
        let mut question = NumbersQuestion { graph, is_cycle: ending == Ending::Closed, squares, numbers, sets, first };
        question.settle(given)?;
        Ok(NumbersRoot(Arc::new(question)))
    }

    /// Most nodes of attempt number `attempt`.
    pub fn node_limit(&self, attempt: u64) -> u64 {
        node_limit(self.0.squares.len() as usize, attempt)
    }

    /// Attempt number `attempt`. The seed and this number determine its choices.
    pub fn attempt(&self, seed: u64, attempt: u64) -> NumbersAttempt {
        let (rng, reached) = (Rng::with_seed(seed_of(seed, attempt)), Some(self.0.sets.clone()));
        NumbersAttempt { root: self.clone(), rng, reached, levels: Vec::new(), left: self.node_limit(attempt) }
    }
}

impl NumbersQuestion {
    /// Settles the numbers that are given, and all that follows.
    fn settle(&mut self, given: &[(u32, Square)]) -> Result<(), String> {
        let (board, count, said) = (self.graph.board(), self.squares.len(), |number: u32| number - 1 + self.first);
        let name = |square: Square| board.name(square);
        let mut given = given.to_vec();
        given.sort_unstable();
        given.dedup();
        let is_left_out = |square: Square| self.squares & u128::bit(square.index() as usize) == 0;
        if let Some(&(number, square)) = given.iter().find(|given| is_left_out(given.1)) {
            return Err(format!("move {} leads to {}, which is left out", said(number), name(square)));
        }
        if let Some(&(number, square)) = given.last().filter(|given| given.0 > count) {
            return Err(format!("the tour has {count} squares, so no move {} leads to {}", said(number), name(square)));
        }
        if let Some([(number, one), (_, other)]) = given.array_windows().find(|[one, other]| one.0 == other.0) {
            return Err(format!("move {} cannot lead to both {} and {}", said(*number), name(*one), name(*other)));
        }
        let back = given.first().filter(|_| self.is_cycle).map(|&(number, square)| (number + count, square));
        let ways: Vec<_> = given.iter().copied().chain(back).collect();
        ways.array_windows().try_for_each(|&[from, to]| self.check_way(from, to))?;
        if let Some(&(number, square)) = given.first() {
            self.check_colours(number, square)?;
        }
        let mut sets = self.sets.clone();
        self.squares.iter().for_each(|square| sets[square] = self.numbers);
        for (number, square) in given {
            sets[square.index() as usize] &= u128::bit(number as usize - 1);
        }
        self.propagate(&mut sets, self.squares).map_err(|homeless| match homeless {
            Homeless::Square(index) => {
                format!("no move can lead to {}", board.at(index as u32).map(name).unwrap_or_default())
            }
            Homeless::Number(index) => format!("no square is left for move {}", said(index as u32 + 1)),
        })?;
        self.sets = sets;
        Ok(())
    }

    /// Checks that the knight has a right number of moves from one square to another.
    fn check_way(&self, from: (u32, Square), to: (u32, Square)) -> Result<(), String> {
        let target = u128::bit(to.1.index() as usize);
        let first = u128::bit(from.1.index() as usize);
        let walks = std::iter::successors(Some(first), |&set| Some(self.graph.around(set) & self.squares));
        let mut lengths = (0..=self.squares.len()).zip(walks).skip(1);
        let least = lengths.find(|(_, set)| set & target != 0).map(|(length, _)| length);
        let has = to.0 - from.0;
        let board = self.graph.board();
        let of_tour = |number: u32| (number - 1) % self.squares.len() + self.first;
        let [one, other] = [from, to].map(|(number, to)| format!("{} (move {})", board.name(to), of_tour(number)));
        match least {
            Some(least) if has >= least && (has - least).is_multiple_of(2) => Ok(()),
            Some(least) => {
                let (moves, next, third) = (number_of(least, "move"), least + 2, least + 4);
                Err(format!("from {one} to {other} a knight needs {moves}, or {next}, {third} and so on, not {has}"))
            }
            None => Err(format!("no moves lead from {one} to {other}")),
        }
    }

    /// Checks that there are as many squares of the colour of a given one as it needs, as the colour changes with each move.
    fn check_colours(&self, number: u32, square: Square) -> Result<(), String> {
        let board = self.graph.board();
        let is_dark = board.is_dark(square);
        let is_like = |&index: &usize| board.at(index as u32).is_some_and(|other| board.is_dark(other) == is_dark);
        let (has, needs) = (self.squares.iter().filter(is_like).count(), (self.squares.len() + number % 2) / 2);
        let (colour, name) = (if is_dark { "dark" } else { "light" }, board.name(square));
        let said = number - 1 + self.first;
        let reason = || format!("with move {said} on {name} a tour has {needs} {colour} squares, and there are {has}");
        if has == needs as usize { Ok(()) } else { Err(reason()) }
    }

    /// The squares of the tour a move away.
    fn exits(&self, square: usize) -> u128 {
        self.graph.neighbours(square) & self.squares
    }

    /// A set of numbers, each one larger, and each one smaller. In a closed tour the first number is behind the last.
    fn shifted(&self, set: u128) -> [u128; 2] {
        let last = self.squares.len() - 1;
        let [over, under] = if self.is_cycle { [set >> last, (set & 1) << last] } else { [0, 0] };
        [set << 1 & self.numbers | over, set >> 1 | under]
    }

    /// The numbers of a square that have a number before and a number behind on two squares a move away.
    fn supported(&self, sets: &[u128], square: usize) -> u128 {
        let [first, last] = if self.is_cycle { [0, 0] } else { [1, self.numbers & !(self.numbers >> 1)] };
        // Numbers that have one before them on one square at least, on two at least, and so on.
        let ([mut before, mut before_twice], [mut behind, mut behind_twice], mut both) = ([first; 2], [last; 2], 0);
        for [up, down] in self.exits(square).iter().map(|exit| self.shifted(sets[exit])) {
            before_twice |= before & up;
            behind_twice |= behind & down;
            before |= up;
            behind |= down;
            both |= up & down;
        }
        let by_one_alone = both & !before_twice & !behind_twice;
        sets[square] & before & behind & !by_one_alone
    }

    /// Draws all conclusions, beginning with the squares `changed`.
    fn propagate(&self, sets: &mut [u128], mut changed: u128) -> Result<(), Homeless> {
        while changed != 0 {
            while changed != 0 {
                let square = changed.first();
                changed = changed.without_first();
                changed |= self.narrow(sets, square, self.supported(sets, square))?;
            }
            let (mut settled, mut once, mut twice) = (0, 0, 0);
            for set in self.squares.iter().map(|square| sets[square]) {
                if set.len() == 1 && settled & set != 0 {
                    return Err(Homeless::Number(set.first()));
                }
                settled |= if set.len() == 1 { set } else { 0 };
                twice |= once & set;
                once |= set;
            }
            let missing = !once & self.numbers;
            if missing != 0 {
                return Err(Homeless::Number(missing.first()));
            }
            for square in self.squares.iter() {
                let own = sets[square] & !twice;
                let set = match (sets[square].len(), own.len()) {
                    (1, _) => continue,
                    (_, 0) => sets[square] & !settled,
                    (_, 1) => own,
                    _ => return Err(Homeless::Number(own.first())),
                };
                changed |= self.narrow(sets, square, set)?;
            }
        }
        Ok(())
    }

    /// Sets the numbers of a square, which are some of those it had. Returns the squares for which this may have a consequence.
    fn narrow(&self, sets: &mut [u128], square: usize, set: u128) -> Result<u128, Homeless> {
        match set {
            0 => Err(Homeless::Square(square)),
            _ if set == std::mem::replace(&mut sets[square], set) => Ok(0),
            _ => Ok(self.exits(square)),
        }
    }

    /// The number to settle next, and the squares that may have it, the last one first; `None` if all are settled.
    fn choose(&self, sets: &[u128], rng: &mut Rng) -> Option<NumbersLevel> {
        let settled = || self.squares.iter().filter(|&square| sets[square].len() == 1);
        let numbers = settled().fold(0, |numbers, square| numbers | sets[square]);
        let free = settled().fold(self.squares, |free, square| free & !u128::bit(square));
        let having = |squares: u128, number: u128| squares.iter().filter(move |&square| sets[square] & number != 0);
        let near = |square: usize| {
            let open = self.shifted(sets[square]).into_iter().filter(|&number| number & !numbers != 0);
            open.map(move |number| (self.exits(square), number))
        };
        let fewest = || settled().flat_map(near).min_by_key(|&(squares, number)| having(squares, number).count());
        let (squares, number) = if numbers == 0 { (self.squares, 1) } else { fewest()? };
        let mut untried: Vec<usize> = having(squares, number).collect();
        rng.shuffle(&mut untried);
        untried.sort_by_key(|&square| std::cmp::Reverse((self.exits(square) & free).len()));
        Some(NumbersLevel { sets: sets.into(), number, untried })
    }

    /// The squares in the order of their settled numbers.
    fn path(&self, sets: &[u128]) -> Vec<Option<Square>> {
        let mut path = vec![None; self.squares.len() as usize];
        for (square, set) in self.graph.board().all().zip(sets).filter(|(_, set)| set.len() == 1) {
            path[set.first()] = Some(square);
        }
        path
    }
}

/// One choice.
#[derive(Debug)]
struct NumbersLevel {
    /// The numbers that each square may have, before the choice.
    sets: Box<[u128]>,
    number: u128,
    /// The squares for the number that have not been tried.
    untried: Vec<usize>,
}

/// One attempt at a tour with given numbers; the head of this file describes the search.
#[derive(Debug)]
pub struct NumbersAttempt {
    root: NumbersRoot,
    rng: Rng,
    /// The numbers that each square may have after the last choice, until the next one.
    reached: Option<Box<[u128]>>,
    levels: Vec<NumbersLevel>,
    /// Nodes left until the attempt gives up.
    left: u64,
}

impl Attempt for NumbersAttempt {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        let question = &*self.root.0;
        let mut burst = nodes;
        loop {
            if let Some(sets) = self.reached.take() {
                match question.choose(&sets, &mut self.rng) {
                    Some(level) => self.levels.push(level),
                    None => return AttemptProgress::Found(question.path(&sets).into_iter().flatten().collect()),
                }
            }
            let Some(level) = self.levels.last_mut() else { return AttemptProgress::Exhausted };
            let Some(&square) = level.untried.last() else {
                self.levels.pop();
                continue;
            };
            match (self.left, burst) {
                (0, _) => return AttemptProgress::GivenUp,
                (_, 0) => return AttemptProgress::Going,
                _ => (self.left, burst) = (self.left - 1, burst - 1),
            }
            *entered += 1;
            level.untried.pop();
            let mut sets = level.sets.clone();
            sets[square] = level.number;
            let propagated = question.propagate(&mut sets, question.exits(square));
            self.reached = propagated.is_ok().then_some(sets);
        }
    }

    fn depth(&self) -> usize {
        self.levels.len()
    }

    fn bytes(&self) -> usize {
        self.root.0.sets.len().pow(2) * size_of::<u128>()
    }

    fn draw(&self, drawing: &mut Drawing) {
        *drawing = Drawing::default();
        let sets = self.reached.as_ref().or(self.levels.last().map(|level| &level.sets));
        let path = sets.map(|sets| self.root.0.path(sets)).unwrap_or_default();
        let chains = path.split(Option::is_none).filter(|chain| !chain.is_empty());
        drawing.chains.extend(chains.map(|chain| chain.iter().flatten().map(|square| square.index()).collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Holes, Shape, Tour};
    use std::collections::BTreeSet;

    type Path = Vec<Square>;

    /// Extends a path of a tour by the squares `left` in every way.
    fn extend(graph: &SmallBoard<u128>, ending: Ending, left: u128, path: &mut Vec<usize>, tours: &mut Vec<Path>) {
        let (first, near) = (path[0], graph.neighbours(path[path.len() - 1]));
        if left == 0 && (ending == Ending::Open || near & u128::bit(first) != 0) {
            tours.push(path.iter().filter_map(|&index| graph.board().at(index as u32)).collect());
        }
        for next in (near & left).iter() {
            path.push(next);
            extend(graph, ending, left & !u128::bit(next), path, tours);
            path.pop();
        }
    }

    /// Every tour, closed ones in all of their turns.
    fn all_tours(shape: &Shape, ending: Ending) -> Vec<Path> {
        let graph = SmallBoard::<u128>::new(shape).unwrap();
        let squares = graph.all();
        let mut tours = Vec::new();
        for start in squares.iter().take(if ending == Ending::Closed { 1 } else { usize::MAX }) {
            extend(&graph, ending, squares & !u128::bit(start), &mut vec![start], &mut tours);
        }
        let turns = |tour: Path| (0..tour.len()).map(move |by| [&tour[by..], &tour[..by]].concat());
        if ending == Ending::Open { tours } else { tours.into_iter().flat_map(turns).collect() }
    }

    fn root(shape: impl Into<Shape>, ending: Ending, given: &[(u32, Square)]) -> Result<NumbersRoot, String> {
        NumbersRoot::new(SmallBoard::new(shape).unwrap(), ending, given, 1)
    }

    /// Every tour with these numbers, found in bursts of some length. `None` if no attempt came to its end.
    fn found(root: &NumbersRoot, seed: u64, burst: u64) -> Option<BTreeSet<Path>> {
        for number in 0..64 {
            let (mut attempt, mut tours, mut nodes) = (root.attempt(seed, number), BTreeSet::new(), 0);
            loop {
                match attempt.advance(burst, &mut nodes) {
                    AttemptProgress::Going => {}
                    AttemptProgress::Found(tour) => assert!(tours.insert(tour.to_vec())),
                    AttemptProgress::GivenUp => break,
                    AttemptProgress::Exhausted => return Some(tours),
                }
            }
            assert!(nodes <= root.node_limit(number));
        }
        None
    }

    #[test]
    fn the_tours_with_given_numbers_are_those_of_a_plain_search() {
        let mut rng = Rng::with_seed(57);
        let (mut some, mut none) = (0, 0);
        for (board, hole, ending) in [
            ("5x5", None, Ending::Open),
            ("5x5", Some("a1"), Ending::Closed),
            ("3x7", None, Ending::Open),
            ("4x5", Some("a1"), Ending::Open),
            ("3x10", None, Ending::Closed),
        ] {
            let board: Board = board.parse().unwrap();
            let shape = Shape::new(board, Holes::new(hole.map(|hole| board.parse_square(hole).unwrap())));
            let all = all_tours(&shape, ending);
            for case in 0..60 {
                let mut tour = all[rng.usize(..all.len())].clone();
                // Two squares exchanged, or a piece turned round, leave numbers that may contradict one another.
                let (one, other) = (rng.usize(..tour.len()), rng.usize(..tour.len()));
                match case % 3 {
                    1 => tour.swap(one, other),
                    2 => tour[one.min(other)..=one.max(other)].reverse(),
                    _ => {}
                }
                let mut given: Vec<(u32, Square)> = (1..).zip(tour).collect();
                rng.shuffle(&mut given);
                given.truncate(2 + rng.usize(..8));
                let has = |tour: &&Path| given.iter().all(|&(number, square)| tour[number as usize - 1] == square);
                let expected: BTreeSet<Path> = all.iter().filter(has).cloned().collect();
                let names: Vec<_> = given.iter().map(|&(number, square)| (number, board.name(square))).collect();
                let run = format!("{board} {ending:?} {hole:?} {names:?}");
                match root(&shape, ending, &given) {
                    Err(reason) => assert!(expected.is_empty(), "{run}: {reason}"),
                    Ok(root) => {
                        let burst = [1, 7, u64::MAX][case % 3];
                        assert_eq!(found(&root, case as u64, burst), Some(expected.clone()), "{run}");
                    }
                }
                *(if expected.is_empty() { &mut none } else { &mut some }) += 1;
            }
        }
        assert!(some > 100 && none > 100, "{some} have tours, {none} have none");
    }

    #[test]
    fn a_reason_is_given_where_none_has_to_be_searched_for() {
        let reason = |board: &str, ending: Ending, hole: Option<&str>, given: &[(u32, &str)]| {
            let board: Board = board.parse().unwrap();
            let at = |name: &str| board.parse_square(name).unwrap();
            let given: Vec<_> = given.iter().map(|&(number, name)| (number, at(name))).collect();
            root(Shape::new(board, Holes::new(hole.map(at))), ending, &given).map(drop).unwrap_err()
        };
        let (open, closed) = (Ending::Open, Ending::Closed);
        for (said, says) in [
            (reason("3x4", open, None, &[(13, "a3")]), "the tour has 12 squares, so no move 13 leads to a3"),
            (reason("3x4", open, Some("b2"), &[(3, "b2")]), "move 3 leads to b2, which is left out"),
            (reason("3x4", open, None, &[(3, "b2"), (3, "d2")]), "move 3 cannot lead to both b2 and d2"),
            (reason("8x8", open, None, &[(1, "a1"), (4, "h8"), (9, "b1")]), "needs 6 moves, or 8, 10 and so on, not 3"),
            (reason("8x8", open, None, &[(1, "a1"), (4, "c1")]), "needs 2 moves, or 4, 6 and so on, not 3"),
            (reason("8x8", closed, None, &[(2, "a1"), (62, "h8")]), "from h8 (move 62) to a1 (move 2) a knight needs"),
            (reason("3x3", open, None, &[(1, "a1"), (3, "b2")]), "no moves lead from a1 (move 1) to b2 (move 3)"),
            (reason("5x5", open, None, &[(2, "a1")]), "with move 2 on a1 a tour has 12 dark squares, and there are 13"),
            (reason("5x5", open, None, &[(1, "c3"), (3, "c5"), (4, "b3"), (5, "c1")]), "no square is left for move 2"),
        ] {
            assert!(said.contains(says), "{said}");
        }
    }

    const TOUR_10X10: &str = "i10 h8 i6 j8 h7 i5 j3 i1 g2 f4 g6 e5 f7 g9 e10 d8 c10 a9 c8 b10 a8 c7 a6 b8 a10 c9 b7 a5 c4 a3 b1 c3 \
        b5 d6 e8 g7 f5 e7 f9 d10 b9 a7 c6 d4 b3 a1 c2 e1 d3 b2 a4 b6 d5 b4 a2 c1 e2 g1 h3 j2 i4 g5 e6 c5 e4 \
        g3 f1 d2 f3 h2 j1 i3 h1 f2 d1 e3 g4 f6 d7 e9 g8 h10 j9 i7 j5 h4 i2 j4 h5 j6 i8 h6 j7 i9 g10 f8 d9 \
        f10 h9 j10";

    /// Squares with the fewest free squares around them come first: without that, puzzles take many times as many nodes. An attempt
    /// never holds more than it says.
    #[test]
    fn puzzles_are_solved_in_few_nodes_and_bounded_memory() {
        let board: Board = "10x10".parse().unwrap();
        let tour: Vec<Square> = TOUR_10X10.split(' ').map(|name| board.parse_square(name).unwrap()).collect();
        let (mut nodes, mut most) = (0, 0);
        for every in [6, 9, 11, 12] {
            let given: Vec<_> = (1..).zip(tour.iter().copied()).step_by(every).collect();
            let root = root(board, Ending::Open, &given).unwrap();
            let is_solved = (0..).any(|number| {
                let mut attempt = root.attempt(1, number);
                loop {
                    let progress = attempt.advance(1, &mut nodes);
                    let bytes = |level: &NumbersLevel| size_of_val(&*level.sets) + size_of_val(&*level.untried);
                    let held: usize = attempt.levels.iter().map(bytes).sum();
                    assert!(held <= attempt.bytes(), "{held} bytes in {} levels", attempt.depth());
                    most = most.max(held);
                    assert!(nodes < 4000, "no tour with every number {every} in {nodes} nodes");
                    if progress != AttemptProgress::Going {
                        break matches!(progress, AttemptProgress::Found(_));
                    }
                }
            });
            assert!(is_solved);
        }
        assert!(most > 10_000, "{most}");
    }

    /// A grid that counts from 0 has its own numbers in the reasons.
    #[test]
    fn reasons_count_from_0_where_the_grid_does() {
        let board: Board = "3x4".parse().unwrap();
        let reason = |given: &[(u32, &str)]| {
            let given: Vec<_> =
                given.iter().map(|&(number, name)| (number, board.parse_square(name).unwrap())).collect();
            NumbersRoot::new(SmallBoard::new(board).unwrap(), Ending::Open, &given, 0).unwrap_err()
        };
        assert_eq!(reason(&[(13, "a3")]), "the tour has 12 squares, so no move 12 leads to a3");
        assert_eq!(reason(&[(3, "b2"), (3, "d2")]), "move 2 cannot lead to both b2 and d2");
        assert!(reason(&[(1, "a3"), (3, "b2")]).starts_with("from a3 (move 0) to b2 (move 2) a knight needs"));
    }

    #[test]
    fn a_position_is_drawn_as_chains_of_settled_numbers() {
        let board: Board = "3x4".parse().unwrap();
        let given = [(1, "a3"), (2, "c2"), (7, "c3")].map(|(number, name)| (number, board.parse_square(name).unwrap()));
        let root = root(board, Ending::Open, &given).unwrap();
        let (mut attempt, mut drawing) = (root.attempt(0, 0), Drawing::default());
        attempt.draw(&mut drawing);
        assert!(drawing.chains.iter().any(|chain| chain.starts_with(&[0, 6])), "{drawing:?}");
        let AttemptProgress::Found(tour) = attempt.advance(u64::MAX, &mut 0) else { panic!("3x4 has such a tour") };
        assert!(Tour::verify(board, Ending::Open, tour).is_ok());
    }
}
