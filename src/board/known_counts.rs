//! Known numbers of tours, as data: published and recomputed counts.
//!
//! They are in `known_counts.csv`, one row for a board and a kind of count, with the number, its source and its
//! reliability. No result is computed from the table: it is displayed, and results are compared with it.

use super::rectangle::Board;
use crate::table::table;
use std::fmt;
use std::sync::LazyLock;

table! {
    /// What a known number counts.
    ///
    /// *Undirected* counts a set of moves once, *directed* once for each direction. Open tours whose ends are a knight's
    /// move apart are included unless the kind says *strict*. *Classes* count tours that differ only by a symmetry of the
    /// board (or by direction) once.
    /// `name`: the name in the table, such as `closed_undirected`; `words`: the name in words, such as `closed, undirected`
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum CountKind(name: &'static str, words: &'static str) {
        /// Closed tours, undirected.
        ClosedUndirected: "closed_undirected", "closed, undirected";
        /// Closed tours, directed; always twice the number of undirected ones.
        ClosedDirected: "closed_directed", "closed, directed";
        /// Closed tours, undirected, that a half turn maps to themselves, including those that a quarter turn maps to themselves.
        ClosedHalfTurn: "closed_rotational180", "closed, undirected, half-turn symmetric";
        /// Closed tours, undirected, that a quarter turn maps to themselves.
        ClosedQuarterTurn: "closed_rotational90", "closed, undirected, quarter-turn symmetric";
        /// Classes of closed tours.
        ClosedClasses: "closed_geometrically_distinct", "closed, classes";
        /// Classes of closed tours that no symmetry maps to themselves.
        ClosedClassesAsymmetric: "closed_geometrically_distinct_asymmetric", "closed, classes without symmetry";
        /// Classes of closed tours that a half turn maps to themselves, but no quarter turn.
        ClosedClassesHalfTurnOnly:
            "closed_geometrically_distinct_rotational180_only",
            "closed, classes, half-turn symmetric only";
        /// Classes of closed tours that a quarter turn maps to themselves.
        ClosedClassesQuarterTurn:
            "closed_geometrically_distinct_rotational90",
            "closed, classes, quarter-turn symmetric";
        /// Open tours, directed.
        OpenDirected: "open_directed", "open, directed";
        /// Open tours, undirected.
        OpenUndirected: "open_undirected", "open, undirected";
        /// Open tours whose ends are not a knight's move apart, undirected.
        OpenUndirectedStrict: "open_undirected_strict", "open, undirected, not closable";
        /// Classes of open tours whose ends are not a knight's move apart.
        OpenClassesStrict: "open_geometrically_distinct_strict", "open, classes, not closable";
    }
}

impl fmt::Display for CountKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

table! {
    /// How far a known number can be relied on.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Reliability(name: &'static str) {
        /// Counted twice, independently: by its source and for this project, or by two programs of different method. Also if
        /// enough of its remainders were counted to exclude every other number near it.
        Recomputed: "recomputed";
        /// Printed by its source, not recomputed.
        Published: "published";
        /// Follows by arithmetic from other rows.
        Derived: "derived";
    }
}

impl fmt::Display for Reliability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A known number of tours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownCount {
    /// The board, with the sides in the order of the source.
    pub board: Board,
    pub kind: CountKind,
    pub count: u128,
    /// The publication or sequence that gives the number.
    pub source: &'static str,
    /// How far the number can be relied on.
    pub standing: Reliability,
}

/// Every known number, in no particular order.
pub fn known_counts() -> impl Iterator<Item = KnownCount> {
    // A search asks several times.
    static READ: LazyLock<Vec<KnownCount>> = LazyLock::new(|| {
        let rows = include_str!("known_counts.csv").lines().skip(1);
        rows.map(|row| parse(row).expect("the rows of the table are part of the program, and tested")).collect()
    });
    READ.iter().copied()
}

/// Reads a row: rows, columns, kind, count, source (in quotes if it holds a comma), standing.
fn parse(row: &'static str) -> Option<KnownCount> {
    let mut words = row.splitn(5, ',');
    let mut word = || words.next();
    let board = Board::new(word()?.parse().ok()?, word()?.parse().ok()?).ok()?;
    let kind = word().and_then(|name| CountKind::ALL.into_iter().find(|kind| kind.name() == name))?;
    let count = word()?.parse().ok()?;
    let (source, standing) = word()?.rsplit_once(',')?;
    let source = source.strip_prefix('"').and_then(|source| source.strip_suffix('"')).unwrap_or(source);
    let standing = Reliability::ALL.into_iter().find(|each| each.name() == standing)?;
    Some(KnownCount { board, kind, count, source, standing })
}

impl Board {
    /// The known counts of this board or of its transposed board, in the order of [`CountKind`].
    pub fn known_counts(self) -> Vec<KnownCount> {
        let mut known: Vec<_> =
            known_counts().filter(|known| known.board == self || known.board.transposed() == self).collect();
        known.sort_by_key(|known| known.kind);
        known
    }

    /// The known number of tours of one kind.
    ///
    /// ```
    /// # use destrier::board::{Board, CountKind};
    /// let board: Board = "6x5".parse().unwrap();
    /// assert_eq!(board.known_count(CountKind::ClosedUndirected).map(|known| known.count), Some(8));
    /// ```
    pub fn known_count(self, kind: CountKind) -> Option<KnownCount> {
        self.known_counts().into_iter().find(|known| known.kind == kind)
    }

    /// The known number of directed open tours. Where only the undirected ones are counted, it is twice their number.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::board::exhaustive::tours;
    use std::collections::HashSet;

    impl CountKind {
        /// Whether the kind counts open or closed tours.
        fn ending(self) -> Ending {
            if self >= CountKind::OpenDirected { Ending::Open } else { Ending::Closed }
        }
    }

    #[test]
    fn every_row_is_read_and_no_board_and_kind_is_listed_twice() {
        assert_eq!(known_counts().count(), 155);
        let mut seen = HashSet::new();
        for known in known_counts() {
            let b = known.board;
            assert!(seen.insert((b.rows().min(b.cols()), b.rows().max(b.cols()), known.kind)), "{known:?}");
            assert!(!known.source.is_empty() && !known.source.contains('"'), "{known:?}");
        }
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
            // A closed tour can be cut at each of its moves to give an open tour that closes.
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
        // This program counts them too: `count 7x7 --open` and `count 8x8 --symmetry half-turn`.
        assert_eq!(
            (of("7x7", CountKind::OpenDirected), of("8x8", CountKind::ClosedHalfTurn)),
            (165_575_218_320, 2_432_932)
        );
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
