//! Number of moves and mean degree of a board of any size, and the size of its search tree, in closed form.

use super::rectangle::Board;
use serde::Serialize;
use std::fmt;

/// A fraction in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fraction {
    pub numerator: u64,
    /// The denominator, at least 1.
    pub denominator: u64,
}

impl Fraction {
    fn new(numerator: u64, denominator: u64) -> Fraction {
        let (mut a, mut b) = (numerator, denominator);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        Fraction { numerator: numerator / a, denominator: denominator / a }
    }

    /// The nearest floating-point number.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// A number given by its logarithm, where the number itself exceeds the range of floating point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Magnitude {
    /// Logarithm to base 10 of the number.
    pub log10: f64,
}

impl fmt::Display for Magnitude {
    /// Writes three significant digits: `3.12e14`, `1.00e-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut exponent = self.log10.floor();
        let mut mantissa = (10f64.powf(self.log10 - exponent) * 100.0).round();
        if mantissa >= 1000.0 {
            (mantissa, exponent) = (100.0, exponent + 1.0);
        }
        write!(f, "{:.2}e{exponent}", mantissa / 100.0)
    }
}

/// The size of a search tree by the rule of thumb k^S - 1, for k branches at every node and S levels, S the number of
/// squares. `None` where the rule gives no positive number, for k of 1 or less.
///
/// As a count of nodes the rule is exact only for k = 2: a tree with k branches at every node has
/// 1 + k + k^2 + .. + k^(S-1) = (k^S - 1) / (k - 1) nodes. A search enters far fewer nodes, because visited squares are no
/// branches. The rule shows only how fast the tree grows with the board.
///
/// # Source
/// B. N. Miller, D. L. Ranum, "Problem Solving with Algorithms and Data Structures using Python", section 7.14
/// "Knight's Tour Analysis", which writes k^(N+1) - 1 for a tree of N + 1 levels, so N = S - 1.
pub fn tree_estimate(k: f64, squares: u32) -> Option<Magnitude> {
    let log10 = k.log10() * f64::from(squares);
    // Beyond 2^53 a floating-point number cannot tell k^S from k^S - 1.
    let log10 = if log10 < 15.0 { (10f64.powf(log10) - 1.0).log10() } else { log10 };
    (k > 1.0).then_some(Magnitude { log10 })
}

/// An estimate as the source of [`tree_estimate`] prints it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PrintedEstimate {
    /// The side of the square board.
    #[serde(skip)]
    pub side: u32,
    /// The mean degree k, as printed.
    pub k: f64,
    pub nodes: &'static str,
}

/// The three estimates that the source of [`tree_estimate`] prints.
///
/// The exponent is the number of squares in all three. k is rounded to two digits, which changes the result: 3.84^25 is
/// 4.06e14, and (40/9)^36 is 2.10e23. For 8x8, k = 5.25 is exact, but 5.25^64 is 1.23e46, not 1.3e46.
pub const PRINTED_ESTIMATES: [PrintedEstimate; 3] = [
    PrintedEstimate { side: 5, k: 3.8, nodes: "3.12e14" },
    PrintedEstimate { side: 6, k: 4.4, nodes: "1.5e23" },
    PrintedEstimate { side: 8, k: 5.25, nodes: "1.3e46" },
];

impl Board {
    /// Number of knight's moves, each counted once for both directions: the edges of the knight graph.
    ///
    /// A move spans a rectangle of 2x3 or 3x2 squares, and each such rectangle holds two moves. So m x n has
    /// 2 (m-1) (n-2) + 2 (m-2) (n-1) moves, where a negative factor counts as 0 (a board one wide has no move).
    pub fn moves(self) -> u64 {
        let fits = |rows: u32, cols: u32| {
            u64::from(self.rows().saturating_sub(rows)) * u64::from(self.cols().saturating_sub(cols))
        };
        2 * fits(1, 2) + 2 * fits(2, 1)
    }

    /// The mean degree k of a square, exactly: twice the number of moves, divided by the number of squares.
    ///
    /// On m x n with both sides at least 2, k is 8 - 12/m - 12/n + 16/(mn), which tends to 8 as the board grows. On a board
    /// one wide, k is 0.
    ///
    /// ```
    /// # use destrier::board::Board;
    /// let k = |board: &str| board.parse::<Board>().unwrap().mean_degree().to_string();
    /// assert_eq!(k("8x8"), "21/4");
    /// assert_eq!(k("6x6"), "40/9");
    /// assert_eq!(k("5x5"), "96/25");
    /// assert_eq!(k("1x9"), "0");
    /// ```
    pub fn mean_degree(self) -> Fraction {
        Fraction::new(2 * self.moves(), u64::from(self.squares()))
    }

    /// Number of squares of each degree, 0 to 8.
    ///
    /// # Cost
    /// Constant for every board: rows (or columns) at equal distances from the edges are counted together.
    pub fn squares_by_degree(self) -> [u32; 9] {
        let mut squares = [0; 9];
        for row in lines(self.rows()) {
            for col in lines(self.cols()) {
                squares[(row.one_away * col.two_away + row.two_away * col.one_away) as usize] += row.count * col.count;
            }
        }
        squares
    }
}

/// Rows, or columns, of equal distances from the edges, so that an equal number of lines can be reached from each.
struct LineClass {
    /// Number of lines in this class.
    count: u32,
    /// Number of lines at distance one, 0 to 2.
    one_away: u32,
    /// Number of lines at distance two, 0 to 2.
    two_away: u32,
}

/// The line classes of a side: the two lines at either end one by one, then all lines between them as one class.
fn lines(side: u32) -> impl Iterator<Item = LineClass> {
    let single = (0..side).take(2).chain((2..side).rev().take(2));
    let between = (side > 4).then(|| LineClass { count: side - 4, one_away: 2, two_away: 2 });
    let reached = move |line: u32, away: u32| u32::from(line >= away) + u32::from(side - line > away);
    single
        .map(move |line| LineClass { count: 1, one_away: reached(line, 1), two_away: reached(line, 2) })
        .chain(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_agree_with_counting_square_by_square() {
        for (rows, cols) in (1..13).flat_map(|rows| (1..13).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            let mut squares = [0; 9];
            for square in board.all() {
                squares[board.degree(square) as usize] += 1;
            }
            assert_eq!(board.squares_by_degree(), squares, "{board}");
            let degrees: u64 = (0..).zip(squares).map(|(degree, count)| degree * u64::from(count)).sum();
            assert_eq!(2 * board.moves(), degrees, "{board}");
            let k = board.mean_degree();
            assert_eq!(k.numerator * u64::from(board.squares()), degrees * k.denominator, "{board}");
            let (m, n) = (rows as f64, cols as f64);
            let formula = if rows == 1 || cols == 1 { 0.0 } else { 8.0 - 12.0 / m - 12.0 / n + 16.0 / (m * n) };
            assert!((k.value() - formula).abs() < 1e-12, "{board}");
        }
    }

    #[test]
    fn boards_of_any_size_are_counted() {
        let vast: Board = "60000x60000".parse().unwrap();
        assert_eq!(vast.squares_by_degree().iter().sum::<u32>(), vast.squares());
        assert_eq!(vast.moves(), 4 * 59_999 * 59_998);
        let long: Board = "1x4000000000".parse().unwrap();
        assert_eq!((long.moves(), long.squares_by_degree()[0]), (0, 4_000_000_000));
    }

    #[test]
    fn the_estimates_of_the_source_are_reproduced_but_for_one() {
        let estimate = |k, side| tree_estimate(k, side * side).unwrap();
        let by_its_rule = PRINTED_ESTIMATES.map(|printed| estimate(printed.k, printed.side).to_string());
        assert_eq!(by_its_rule, ["3.12e14", "1.46e23", "1.23e46"]);
        let exact = PRINTED_ESTIMATES.map(|printed| {
            let board = Board::new(printed.side.into(), printed.side.into()).unwrap();
            estimate(board.mean_degree().value(), printed.side).to_string()
        });
        assert_eq!(exact, ["4.06e14", "2.10e23", "1.23e46"]);
    }

    #[test]
    fn estimates_have_no_limit() {
        assert_eq!(tree_estimate(0.0, 1), None);
        assert_eq!(tree_estimate(1.0, 8), None);
        assert_eq!(tree_estimate(2.0, 2).unwrap().to_string(), "3.00e0");
        assert_eq!(tree_estimate(1.5, 12).unwrap().to_string(), "1.29e2");
        assert_eq!(tree_estimate(2.0, 4).unwrap().to_string(), "1.50e1");
        assert_eq!(Magnitude { log10: 2.9999 }.to_string(), "1.00e3");
        assert_eq!(tree_estimate(10.0, 4_000_000_000).unwrap().to_string(), "1.00e4000000000");
    }
}
