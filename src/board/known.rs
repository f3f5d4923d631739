//! Known numbers of tours, as data: what the literature gives, and what was recomputed.
//!
//! They stand in `known_counts.csv`, one row for a board, a kind of count, the number, its source and its standing.
//! Nothing in the program is computed from them: they are there to be shown, and to be held against.

use super::rectangle::Board;

use super::tour::Ending;
use std::fmt;
use std::ops::RangeInclusive;

/// What a known number counts.
///
/// *Undirected* counts a set of moves once, *directed* once for each direction. Open tours whose ends are a knight's
/// move apart are included unless the kind says *strict*. *Classes* count tours that differ by a symmetry of the board
/// (or by direction) once.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CountKind {
    /// Closed tours, undirected.
    ClosedUndirected,
    /// Closed tours, directed; always twice the undirected ones.
    ClosedDirected,
    /// Closed tours, undirected, that a half turn takes to themselves; those that a quarter turn does included.
    ClosedHalfTurn,
    /// Closed tours, undirected, that a quarter turn takes to themselves.
    ClosedQuarterTurn,
    /// Classes of closed tours.
    ClosedClasses,
    /// Classes of closed tours that no symmetry takes to themselves.
    ClosedClassesAsymmetric,
    /// Classes of closed tours that a half turn takes to themselves, but no quarter turn.
    ClosedClassesHalfTurnOnly,
    /// Classes of closed tours that a quarter turn takes to themselves.
    ClosedClassesQuarterTurn,
    /// Open tours, directed.
    OpenDirected,
    /// Open tours, undirected.
    OpenUndirected,
    /// Open tours whose ends are not a knight's move apart, undirected.
    OpenUndirectedStrict,
    /// Classes of open tours whose ends are not a knight's move apart.
    OpenClassesStrict,
}

impl CountKind {
    /// Every kind with its name in the table and its name in words.
    const NAMES: [(CountKind, &'static str, &'static str); 12] = [
        (CountKind::ClosedUndirected, "closed_undirected", "closed, undirected"),
        (CountKind::ClosedDirected, "closed_directed", "closed, directed"),
        (CountKind::ClosedHalfTurn, "closed_rotational180", "closed, undirected, half-turn symmetric"),
        (CountKind::ClosedQuarterTurn, "closed_rotational90", "closed, undirected, quarter-turn symmetric"),
        (CountKind::ClosedClasses, "closed_geometrically_distinct", "closed, classes"),
        (
            CountKind::ClosedClassesAsymmetric,
            "closed_geometrically_distinct_asymmetric",
            "closed, classes without symmetry",
        ),
        (
            CountKind::ClosedClassesHalfTurnOnly,
            "closed_geometrically_distinct_rotational180_only",
            "closed, classes, half-turn symmetric only",
        ),
        (
            CountKind::ClosedClassesQuarterTurn,
            "closed_geometrically_distinct_rotational90",
            "closed, classes, quarter-turn symmetric",
        ),
        (CountKind::OpenDirected, "open_directed", "open, directed"),
        (CountKind::OpenUndirected, "open_undirected", "open, undirected"),
        (CountKind::OpenUndirectedStrict, "open_undirected_strict", "open, undirected, not closable"),
        (CountKind::OpenClassesStrict, "open_geometrically_distinct_strict", "open, classes, not closable"),
    ];

    /// The kind of a name in the table.
    fn from_name(name: &str) -> Option<CountKind> {
        Self::NAMES.iter().find(|names| names.1 == name).map(|names| names.0)
    }

    /// The name in the table, such as `closed_undirected`.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl fmt::Display for CountKind {
    /// Writes the name in words, such as `closed, undirected`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::NAMES[*self as usize].2)
    }
}

/// How far a known number can be relied on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reliability {
    /// Counted twice, independently: by its source and for this project, or by two programs of different method. Or its
    /// remainders were, so many that no other number near it has them.
    Recomputed,
    /// Printed by its source; not recomputed.
    Published,
    /// Follows by arithmetic from other rows.
    Derived,
}

impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reliability::Recomputed => "recomputed",
            Reliability::Published => "published",
            Reliability::Derived => "derived",
        })
    }
}

/// A known number of tours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownCount {
    /// The board, as its source gives it.
    pub board: Board,
    /// What is counted.
    pub kind: CountKind,
    /// The number.
    pub count: u128,
    /// Where it comes from.
    pub source: &'static str,
    /// How far it can be relied on.
    pub standing: Reliability,
}

/// Which tours of a board a number counts: closed ones undirected, open ones directed, or classes of either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedTours {
    /// Closed tours, or open ones.
    pub ending: Ending,
    /// Classes of tours instead of tours.
    pub unique: bool,
    /// Only open tours that cannot be closed.
    pub strict: bool,
    /// Only open tours from one square.
    pub from_one_square: bool,
}

impl CountedTours {
    /// What is counted, in a word.
    fn noun(self) -> &'static str {
        if self.unique { "classes" } else { "tours" }
    }
}

/// Every known number, in no particular order.
pub fn known_counts() -> impl Iterator<Item = KnownCount> {
    let rows = include_str!("known_counts.csv").lines().skip(1);
    rows.map(|row| parse(row).expect("the rows of the table are part of the program, and tested"))
}

/// Reads a row: rows, columns, kind, count, source (in quotes if it holds a comma), standing.
fn parse(row: &'static str) -> Option<KnownCount> {
    let mut words = row.splitn(5, ',');
    let mut word = || words.next();
    let board = Board::new(word()?.parse().ok()?, word()?.parse().ok()?).ok()?;
    let kind = CountKind::from_name(word()?)?;
    let count = word()?.parse().ok()?;
    let (source, standing) = word()?.rsplit_once(',')?;
    let source = source.strip_prefix('"').and_then(|source| source.strip_suffix('"')).unwrap_or(source);
    let standing = match standing {
        "recomputed" => Reliability::Recomputed,
        "published" => Reliability::Published,
        "derived" => Reliability::Derived,
        _ => return None,
    };
    Some(KnownCount { board, kind, count, source, standing })
}

impl Board {
    /// What is known of this board, or of it with rows and columns exchanged, in the order of [`CountKind`].
    pub fn known_counts(self) -> Vec<KnownCount> {
        let mut known: Vec<_> =
            known_counts().filter(|known| known.board == self || known.board.transposed() == self).collect();
        known.sort_by_key(|known| known.kind);
        known
    }

    /// The known number of tours of one kind.
    ///
    /// ```
    /// # use destrier::board::{Board, Kind};
    /// let board: Board = "6x5".parse().unwrap();
    /// assert_eq!(board.known_count(Kind::ClosedUndirected).map(|known| known.count), Some(8));
    /// ```
    pub fn known_count(self, kind: CountKind) -> Option<KnownCount> {
        self.known_counts().into_iter().find(|known| known.kind == kind)
    }

    /// The known number of open tours, directed; where only that of undirected ones is known, twice that.
    ///
    /// ```
    /// # use destrier::board::Board;
    /// let board: Board = "5x5".parse().unwrap();
    /// assert_eq!(board.known_open_directed().map(|known| known.count), Some(1728));
    /// ```
    pub fn known_open_directed(self) -> Option<KnownCount> {
        let doubled = |known: KnownCount| KnownCount {
            kind: CountKind::OpenDirected,
            count: 2 * known.count,
            standing: Reliability::Derived,
            ..known
        };
        self.known_count(CountKind::OpenDirected).or_else(|| self.known_count(CountKind::OpenUndirected).map(doubled))
    }

    /// The least and the most that a number of tours can be, by the table and by the theorems on existence: one number
    /// where it is known. Nothing where nothing is known.
    ///
    /// Of classes of which only the number of tours is known there are no fewer than if each had as many tours as the board
    /// has symmetries, and no more than there are tours.
    ///
    /// ```
    /// # use destrier::board::{Board, CountedTours, Ending};
    /// let board: Board = "6x7".parse().unwrap();
    /// let tours = CountedTours { ending: Ending::Closed, unique: false, strict: false, from_one_square: false };
    /// assert_eq!(board.known_bounds(tours), Some(1_067_638..=1_067_638));
    /// assert_eq!(board.known_bounds(CountedTours { unique: true, ..tours }), Some(266_910..=1_067_638));
    /// ```
    pub fn known_bounds(self, tours: CountedTours) -> Option<RangeInclusive<u128>> {
        let CountedTours { ending, unique, strict, from_one_square } = tours;
        if !self.existence(ending).exists {
            return Some(0..=0);
        }
        let number = |kind| self.known_count(kind).map(|known| known.count);
        let all = match ending {
            Ending::Closed => number(CountKind::ClosedUndirected)?,
            Ending::Open if strict => self.known_strict_directed()?,
            Ending::Open => self.known_open_directed()?.count,
        };
        let classes = match ending {
            Ending::Closed => number(CountKind::ClosedClasses),
            Ending::Open => number(CountKind::OpenClassesStrict).filter(|_| strict),
        };
        // The tour of one square has no direction.
        let undirected = if ending == Ending::Open { all.div_ceil(2) } else { all };
        Some(match (unique, classes) {
            (true, Some(classes)) => classes..=classes,
            (true, None) => undirected.div_ceil(self.symmetries().len() as u128)..=undirected,
            (false, _) if ending == Ending::Open && from_one_square => 0..=all,
            (false, _) => all..=all,
        })
    }

    /// The known number of open tours, directed, that cannot be closed: less those that a closed tour leaves when it loses
    /// one of its moves.
    fn known_strict_directed(self) -> Option<u128> {
        let counted = self.known_count(CountKind::OpenUndirectedStrict).map(|known| 2 * known.count);
        counted.or_else(|| {
            let closed = match self.existence(Ending::Closed).exists {
                true => self.known_count(CountKind::ClosedUndirected)?.count,
                false => 0,
            };
            Some(self.known_open_directed()?.count - 2 * u128::from(self.squares()) * closed)
        })
    }

    /// The known number of tours.
    pub fn known_number(self, tours: CountedTours) -> Option<u128> {
        let bounds = self.known_bounds(tours)?;
        (bounds.start() == bounds.end()).then(|| *bounds.start())
    }

    /// Why a number of tours cannot be right, where what is known contradicts it.
    pub fn contradiction(self, tours: CountedTours, number: impl TryInto<u128> + fmt::Display) -> Option<String> {
        let bounds = self.known_bounds(tours)?;
        let (shown, noun) = (number.to_string(), tours.noun());
        if number.try_into().is_ok_and(|number| bounds.contains(&number)) {
            return None;
        }
        let (least, most) = bounds.into_inner();
        Some(match least == most {
            true => format!("it cannot be right: {least} {noun} are known, not {shown}"),
            false => format!("it cannot be right: there are {least} to {most} {noun}, not {shown}"),
        })
    }

    /// Why a number cannot be the remainder of a number of tours, where that number is known.
    pub fn remainder_contradiction(self, tours: CountedTours, modulus: u32, remainder: u128) -> Option<String> {
        let number = self.known_number(tours)?;
        let known = number % u128::from(modulus);
        let noun = tours.noun();
        (known != remainder).then(|| {
            format!("it cannot be right: {number} {noun} are known, {known} more than a multiple of {modulus}, not {remainder}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::board::exhaustive::tours;
    use std::collections::HashSet;

    impl CountKind {
        /// Whether it counts open or closed tours.
        fn ending(self) -> Ending {
            if self >= CountKind::OpenDirected { Ending::Open } else { Ending::Closed }
        }
    }

    #[test]
    fn every_row_is_read_and_no_board_is_there_twice() {
        assert_eq!(known_counts().count(), 155);
        let mut seen = HashSet::new();
        for known in known_counts() {
            let b = known.board;
            assert!(seen.insert((b.rows().min(b.cols()), b.rows().max(b.cols()), known.kind)), "{known:?}");
            assert!(!known.source.is_empty() && !known.source.contains('"'), "{known:?}");
        }
    }

    #[test]
    fn kinds_are_listed_in_order() {
        assert!(CountKind::NAMES.iter().enumerate().all(|(i, names)| names.0 as usize == i));
        let classes = CountKind::from_name("open_geometrically_distinct_strict");
        assert_eq!(classes.map(CountKind::name), Some("open_geometrically_distinct_strict"));
    }

    #[test]
    fn a_count_is_positive_where_a_tour_exists() {
        for known in known_counts() {
            assert_eq!(known.count > 0, known.board.existence(known.kind.ending()).exists, "{known:?}");
        }
    }

    #[test]
    fn counts_of_one_board_agree_with_each_other() {
        for side in [6, 8] {
            let board = Board::new(side, side).unwrap();
            let count = |kind| board.known_count(kind).unwrap().count;
            let closed = count(CountKind::ClosedUndirected);
            // A closed tour can be cut at each of its moves to give an open one that closes.
            let strict = count(CountKind::OpenUndirected) - u128::from(board.squares()) * closed;
            assert_eq!(count(CountKind::OpenUndirectedStrict), strict);
            assert_eq!(8 * count(CountKind::OpenClassesStrict), strict);
            assert_eq!(count(CountKind::OpenDirected), 2 * count(CountKind::OpenUndirected));
        }
        let of = |board: &str, kind| board.parse::<Board>().unwrap().known_count(kind).unwrap().count;
        assert_eq!(of("8x8", CountKind::ClosedDirected), 2 * of("8x8", CountKind::ClosedUndirected));
        for (board, quarter) in [("6x6", of("6x6", CountKind::ClosedClassesQuarterTurn)), ("8x8", 0)] {
            let [asymmetric, half] =
                [CountKind::ClosedClassesAsymmetric, CountKind::ClosedClassesHalfTurnOnly].map(|kind| of(board, kind));
            assert_eq!(asymmetric + half + quarter, of(board, CountKind::ClosedClasses), "{board}");
            assert_eq!(8 * asymmetric + 4 * half + 2 * quarter, of(board, CountKind::ClosedUndirected), "{board}");
            assert_eq!(4 * half + 2 * quarter, of(board, CountKind::ClosedHalfTurn), "{board}");
        }
        assert_eq!(2 * of("6x6", CountKind::ClosedClassesQuarterTurn), of("6x6", CountKind::ClosedQuarterTurn));
        // Counted by this program, too: `count 7x7 --open` and `count 8x8 --symmetry half-turn`.
        assert_eq!(
            (of("7x7", CountKind::OpenDirected), of("8x8", CountKind::ClosedHalfTurn)),
            (165_575_218_320, 2_432_932)
        );
    }

    #[test]
    fn a_number_beside_a_known_one_is_contradicted() {
        let board = |text: &str| text.parse::<Board>().unwrap();
        let closed = CountedTours { ending: Ending::Closed, unique: false, strict: false, from_one_square: false };
        let open = CountedTours { ending: Ending::Open, ..closed };
        let [unique, strict] = [CountedTours { unique: true, ..closed }, CountedTours { strict: true, ..open }];
        for (text, tours, numbers, wrong) in [
            ("6x6", closed, 9_862..=9_862, "it cannot be right: 9862 tours are known, not 9863"),
            ("6x6", unique, 1_245..=1_245, "it cannot be right: 1245 classes are known, not 1246"),
            (
                "7x6",
                unique,
                266_910..=1_067_638,
                "it cannot be right: there are 266910 to 1067638 classes, not 1067639",
            ),
            ("6x6", CountedTours { unique: true, ..open }, 414_870..=3_318_960, "not 3318961"),
            ("6x6", strict, 5_927_856..=5_927_856, "not 5927857"),
            ("6x6", CountedTours { unique: true, ..strict }, 370_491..=370_491, "not 370492"),
            ("5x6", strict, 37_088..=37_088, "not 37089"),
            ("5x5", CountedTours { from_one_square: true, ..open }, 0..=1_728, "not 1729"),
            ("6x6", CountedTours { from_one_square: true, ..closed }, 9_862..=9_862, "not 9863"),
            ("4x4", open, 0..=0, "it cannot be right: 0 tours are known, not 1"),
            ("4x4", unique, 0..=0, "0 classes are known"),
            ("1x1", CountedTours { unique: true, ..open }, 1..=1, "1 to 1"),
        ] {
            let board = board(text);
            assert_eq!(board.known_bounds(tours), Some(numbers.clone()), "{text} {tours:?}");
            let all = [*numbers.start(), *numbers.end()];
            assert_eq!(all.map(|number| board.contradiction(tours, number)), [None, None], "{text} {tours:?}");
            let why = board.contradiction(tours, numbers.end() + 1).unwrap();
            assert!(why.contains(wrong) || text == "1x1", "{why}");
            assert_eq!(board.known_number(tours).is_some(), numbers.start() == numbers.end());
        }
        assert!(board("6x6").contradiction(closed, -1).is_some_and(|why| why.ends_with("not -1")));
        assert_eq!(board("20x20").contradiction(closed, 7u32), None);
        assert_eq!(board("6x6").remainder_contradiction(closed, 101, 65), None);
        let why = board("6x6").remainder_contradiction(closed, 101, 66).unwrap();
        assert!(why.ends_with("9862 tours are known, 65 more than a multiple of 101, not 66"), "{why}");
    }

    #[test]
    fn small_counts_agree_with_exhaustive_search() {
        let mut checked = 0;
        for known in known_counts().filter(|known| known.count <= 20_000 && known.board.squares() <= 33) {
            let found = tours(known.board, known.kind.ending());
            let size = |tour: &Vec<u8>| {
                let start = known.board.at(tour[0].into()).unwrap();
                known.board.orbit(start).members.len() as u128
            };
            let directed: u128 = found.iter().map(size).sum();
            match known.kind {
                CountKind::ClosedUndirected => assert_eq!(found.len() as u128, known.count, "{known:?}"),
                CountKind::OpenDirected => assert_eq!(directed, known.count, "{known:?}"),
                CountKind::OpenUndirected => assert_eq!(directed, 2 * known.count, "{known:?}"),
                _ => continue,
            }
            checked += 1;
        }
        assert_eq!(checked, 47);
    }
}
