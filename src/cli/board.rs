//! `destrier board`: what is known of a board without searching it, as data, as text for 80 columns, as JSON.

use crate::board::{self, Board, Ending, Existence, PRINTED_ESTIMATES, PrintedEstimate, tree_estimate};
use crate::cli::sheet::{decimal, entry, line};
use crate::words::{grouped, number_of};
use serde::Serialize;
use std::fmt;

/// Boards with no side longer than this are shown square by square.
const SIDE_SHOWN_MAX: u32 = 26;

/// Orbits of starts are listed if there are no more than this; always for boards of up to 8x9.
const ORBITS_LISTED_MAX: u32 = 36;

/// The facts of a board; its fields are those of the JSON object.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Facts {
    /// The board, `8x8`.
    pub board: String,
    pub rows: u32,
    /// Number of columns.
    pub cols: u32,
    pub squares: u32,
    /// Number of knight's moves, both directions counted once.
    pub moves: u64,
    /// Number of knight's moves, each direction counted.
    pub directed_moves: u64,
    /// Degree of every square, row by row from the top; none if a side is longer than 26.
    pub degrees: Option<Vec<Vec<u32>>>,
    /// Number of squares of each degree, 0 to 8.
    pub squares_by_degree: [u32; 9],
    /// The mean degree k.
    pub mean_degree: MeanDegree,
    /// The size of a search tree by k^S - 1.
    pub tree_estimate: TreeEstimate,
    /// Whether there is a closed tour.
    pub closed: Existence,
    /// Whether there is an open tour.
    pub open: Existence,
    pub symmetries: Vec<String>,
    /// Starts that symmetry makes equal.
    pub start_orbits: StartOrbits,
    /// Known numbers of tours.
    pub known_counts: Vec<KnownFigure>,
}

/// The mean degree k of a square: `numerator`/`denominator`, in lowest terms.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MeanDegree {
    pub numerator: u64,
    pub denominator: u64,
    /// The fraction as a decimal number.
    pub value: f64,
    /// Where it comes from, with the sides put in: `8 - 12/5 - 12/6 + 16/30`.
    pub formula: String,
}

/// The rule of thumb k^S - 1 for the number of nodes of a search tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TreeEstimate {
    /// The number, such as `1.23e46`; none if k is 1 or less.
    pub nodes: Option<String>,
    /// Its logarithm to base 10.
    pub log10: Option<f64>,
    /// What the source of the rule prints for this board.
    pub printed: Option<PrintedEstimate>,
}

/// Squares that symmetry makes equal as starts.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StartOrbits {
    /// How many orbits there are.
    pub count: u32,
    /// The orbits, if they are few.
    pub orbits: Option<Vec<StartOrbit>>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StartOrbit {
    /// The square that stands for the orbit: the first, row by row.
    pub representative: String,
    pub squares: usize,
}

/// A known number of tours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KnownFigure {
    /// What is counted, such as `closed_undirected`.
    pub kind: &'static str,
    /// The same in words.
    pub words: String,
    /// The number; a string in the JSON, where numbers need not be exact.
    #[serde(serialize_with = "as_digits")]
    pub count: u128,
    /// Where it comes from.
    pub source: &'static str,
    /// How far it can be relied on.
    pub standing: String,
}

impl Facts {
    /// Collects the facts of a board.
    ///
    /// # Cost
    /// The same for all large boards: what is not in closed form is left out for them.
    pub fn of(board: Board) -> Facts {
        let shown = board.rows().max(board.cols()) <= SIDE_SHOWN_MAX;
        Facts {
            board: board.to_string(),
            rows: board.rows(),
            cols: board.cols(),
            squares: board.squares(),
            moves: board.moves(),
            directed_moves: 2 * board.moves(),
            degrees: shown.then(|| degrees(board)),
            squares_by_degree: board.squares_by_degree(),
            mean_degree: mean_degree(board),
            tree_estimate: estimate(board),
            closed: board.existence(Ending::Closed),
            open: board.existence(Ending::Open),
            symmetries: board.symmetries().iter().map(ToString::to_string).collect(),
            start_orbits: start_orbits(board),
            known_counts: board.known_counts().into_iter().map(KnownFigure::from).collect(),
        }
    }
}

fn degrees(board: Board) -> Vec<Vec<u32>> {
    let degrees: Vec<u32> = board.all().map(|square| board.degree(square)).collect();
    degrees.chunks(board.cols() as usize).map(<[u32]>::to_vec).collect()
}

fn mean_degree(board: Board) -> MeanDegree {
    let (rows, cols, squares) = (board.rows(), board.cols(), board.squares());
    let k = board.mean_degree();
    let formula = match rows.min(cols) {
        1 => "0".to_owned(),
        _ => format!("8 - 12/{rows} - 12/{cols} + 16/{squares}"),
    };
    MeanDegree { numerator: k.numerator, denominator: k.denominator, value: k.value(), formula }
}

fn estimate(board: Board) -> TreeEstimate {
    let estimate = tree_estimate(board.mean_degree().value(), board.squares());
    let printed = PRINTED_ESTIMATES.into_iter().find(|p| (p.side, p.side) == (board.rows(), board.cols()));
    TreeEstimate { nodes: estimate.map(|nodes| nodes.to_string()), log10: estimate.map(|nodes| nodes.log10), printed }
}

fn start_orbits(board: Board) -> StartOrbits {
    let count = board.orbit_count();
    let orbit = |orbit: board::Orbit| StartOrbit {
        representative: board.name(orbit.representative()),
        squares: orbit.members.len(),
    };
    StartOrbits { count, orbits: (count <= ORBITS_LISTED_MAX).then(|| board.orbits().map(orbit).collect()) }
}

fn as_digits<S: serde::Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

impl From<board::KnownCount> for KnownFigure {
    fn from(known: board::KnownCount) -> KnownFigure {
        KnownFigure {
            kind: known.kind.name(),
            words: known.kind.to_string(),
            count: known.count,
            source: known.source,
            standing: known.standing.to_string(),
        }
    }
}

impl fmt::Display for Facts {
    /// Writes a sheet of labelled entries, no line wider than 80 columns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [moves, directed] = [self.moves, self.directed_moves].map(grouped);
        entry(f, "board", &format!("{}: {}", self.board, number_of(self.squares, "square")))?;
        entry(f, "moves", &format!("{moves}, or {directed} counting both directions"))?;
        writeln!(f)?;
        self.write_degrees(f)?;
        writeln!(f)?;
        self.write_mean_degree(f)?;
        self.write_estimate(f)?;
        writeln!(f)?;
        for (label, existence) in [("closed tours", &self.closed), ("open tours", &self.open)] {
            entry(f, label, &format!("{}: {}", if existence.exists { "yes" } else { "none" }, existence.reason))?;
        }
        writeln!(f)?;
        self.write_symmetries(f)?;
        writeln!(f)?;
        self.write_known_counts(f)
    }
}

impl Facts {
    fn write_degrees(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, degrees) in self.degrees.iter().flatten().enumerate() {
            let label = if row == 0 { "degrees" } else { "" };
            let degrees: String = degrees.iter().map(|degree| format!(" {degree}")).collect();
            line(f, label, &format!("{:>2} {degrees}", self.rows as usize - row))?;
        }
        if self.degrees.is_some() {
            let letters: String = ('a'..='z').take(self.cols as usize).flat_map(|letter| [' ', letter]).collect();
            line(f, "", &format!("   {letters}"))?;
            writeln!(f)?;
        }
        let present = (0u64..).zip(self.squares_by_degree).filter(|&(_, squares)| squares > 0);
        let columns: Vec<_> = present.map(|(degree, squares)| [degree, squares.into()].map(grouped)).collect();
        for (i, label) in ["degree", "squares"].into_iter().enumerate() {
            let cells = columns.iter().map(|column| format!("{:>width$}", column[i], width = column[1].len()));
            line(f, label, &cells.collect::<Vec<_>>().join("   "))?;
        }
        Ok(())
    }

    /// How the decimal of k stands to k: four digits after the point are all if the denominator divides 10,000.
    fn relation(&self) -> char {
        if 10_000 % self.mean_degree.denominator == 0 { '=' } else { '~' }
    }

    fn write_mean_degree(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows.min(self.cols) == 1 {
            return entry(f, "mean degree", "k = 0: a board one wide has no moves");
        }
        line(f, "mean degree", "k = 8 - 12/m - 12/n + 16/(mn) on m x n, both sides at least 2")?;
        let MeanDegree { numerator, denominator, value, formula } = &self.mean_degree;
        let fraction = match denominator {
            1 => numerator.to_string(),
            _ => format!("{numerator}/{denominator} {} {}", self.relation(), decimal(*value)),
        };
        entry(f, "", &format!("  = {formula} = {fraction}"))
    }

    fn write_estimate(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(nodes) = &self.tree_estimate.nodes else {
            return entry(f, "search tree", "k^S - 1 nodes, S squares, estimates nothing where k is 1 or less");
        };
        let (relation, k) = (self.relation(), decimal(self.mean_degree.value));
        line(f, "search tree", "k^S - 1 nodes by rule of thumb, S squares")?;
        line(f, "", &format!("  {relation} {k}^{} - 1 ~ {nodes}", self.squares))?;
        if let Some(PrintedEstimate { k, nodes, .. }) = &self.tree_estimate.printed {
            line(f, "", &format!("    {nodes} as Miller and Ranum print it, with k = {k}"))?;
        }
        Ok(())
    }

    fn write_symmetries(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let different = match (self.rows.min(self.cols), self.rows.max(self.cols)) {
            (1, 1) => "; all do the same on one square",
            (1, _) => "; only two differ on a board one wide",
            _ => "",
        };
        entry(f, "symmetries", &format!("{}: {}{different}", self.symmetries.len(), self.symmetries.join(", ")))?;
        let mut starts = format!("{} that no symmetry makes equal", grouped(self.start_orbits.count));
        for size in [8, 4, 2, 1] {
            let orbits = self.start_orbits.orbits.iter().flatten().filter(|orbit| orbit.squares == size);
            let names: Vec<_> = orbits.map(|orbit| orbit.representative.as_str()).collect();
            if !names.is_empty() {
                let squares = if size == 1 { "alone" } else { &format!("for {size} squares each") };
                starts += &format!("; {squares}: {}", names.join(", "));
            }
        }
        entry(f, "starts", &starts)
    }

    fn write_known_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<_> = self.known_counts.iter().map(|known| grouped(known.count)).collect();
        let Some(width) = counts.iter().map(String::len).max() else {
            return entry(f, "known counts", "none on record");
        };
        for (i, (known, count)) in self.known_counts.iter().zip(counts).enumerate() {
            let label = if i == 0 { "known counts" } else { "" };
            line(f, label, &format!("{count:>width$}  {}", known.words))?;
            entry(f, "", &format!("{:width$}  {}; {}", "", known.source, known.standing))?;
        }
        writeln!(f)?;
        let convention = "Undirected counts a set of moves once, directed once for each direction, classes once for \
                          all its images. Open tours that could be closed count, unless it says not closable.";
        entry(f, "", convention)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::sheet::WIDTH;

    fn facts(board: &str) -> Facts {
        Facts::of(board.parse().unwrap())
    }

    #[test]
    fn the_sheet_of_3x8() {
        assert_eq!(
            facts("3x8").to_string(),
            "\
board          3x8: 24 squares
moves          38, or 76 counting both directions

degrees         3  2 3 4 4 4 4 3 2
                2  2 2 4 4 4 4 2 2
                1  2 3 4 4 4 4 3 2
                   a b c d e f g h

degree         2   3    4
squares        8   4   12

mean degree    k = 8 - 12/m - 12/n + 16/(mn) on m x n, both sides at least 2
                 = 8 - 12/3 - 12/8 + 16/24 = 19/6 ~ 3.1667
search tree    k^S - 1 nodes by rule of thumb, S squares
                 ~ 3.1667^24 - 1 ~ 1.03e12

closed tours   none: the moves forced at its corners and at the ends of its
               middle line of eight are part of no single cycle (Schwenk 1991)
open tours     yes: every board has one unless one side is 1 or 2, or it is 3x3,
               3x5, 3x6 or 4x4 (Chia and Ong 2005)

symmetries     4: identity, half turn, left-right mirror, top-bottom mirror
starts         8 that no symmetry makes equal; for 4 squares each: a3, b3, c3,
               d3; for 2 squares each: a2, b2, c2, d2

known counts     0  closed, undirected
                    OEIS A070030; OEIS A193055 (b-file re-done by Knuth
                    2025-05-05); recomputed
               396  open, undirected
                    OEIS A169696; OEIS A389760 (Knuth); recomputed

               Undirected counts a set of moves once, directed once for each
               direction, classes once for all its images. Open tours that could
               be closed count, unless it says not closable.
"
        );
    }

    #[test]
    fn the_figures_of_the_source_stand_beside_the_formula() {
        // Miller and Ranum, "Problem Solving with Algorithms and Data Structures using Python", section 7.14.
        for (board, k, nodes, printed) in [
            ("5x5", "96/25 = 3.84", "3.84^25 - 1 ~ 4.06e14", "3.12e14 as Miller and Ranum print it, with k = 3.8"),
            ("6x6", "40/9 ~ 4.4444", "4.4444^36 - 1 ~ 2.10e23", "1.5e23 as Miller and Ranum print it, with k = 4.4"),
            ("8x8", "21/4 = 5.25", "5.25^64 - 1 ~ 1.23e46", "1.3e46 as Miller and Ranum print it, with k = 5.25"),
        ] {
            let sheet = facts(board).to_string();
            for text in [k, nodes, printed] {
                assert!(sheet.contains(&format!(" {text}\n")), "{text} in\n{sheet}");
            }
        }
        assert!(!facts("7x7").to_string().contains("Miller"));
    }

    #[test]
    fn any_board_is_answered_at_once_in_80_columns() {
        let extremes = ["60000x60000", "1x4294967294", "4294967294x1", "65535x65535", "3x1431655764", "27x3", "26x26"];
        let small = (1..14).flat_map(|rows| (1..20).map(move |cols| format!("{rows}x{cols}")));
        for board in extremes.into_iter().map(str::to_owned).chain(small) {
            let facts = facts(&board);
            let sheet = facts.to_string();
            for line in sheet.lines() {
                assert!(line.len() <= WIDTH && line.trim_end() == line, "{board}: '{line}'");
            }
            let listed: Vec<_> = facts.start_orbits.orbits.iter().flatten().collect();
            assert!(listed.is_empty() || listed.len() == facts.start_orbits.count as usize, "{board}");
            assert_eq!(facts.squares_by_degree.iter().sum::<u32>(), facts.squares, "{board}");
        }
    }

    #[test]
    fn boards_without_moves_say_so() {
        let sheet = facts("1x1").to_string();
        for text in [
            "board          1x1: 1 square\n",
            "k = 0: a board one wide has no moves\n",
            "k^S - 1 nodes, S squares, estimates nothing where k is 1 or less\n",
            "open tours     yes: its one square is the whole tour\n",
            "all do the same on one square\n",
            "starts         1 that no symmetry makes equal; alone: a1\n",
        ] {
            assert!(sheet.contains(text), "{text} in\n{sheet}");
        }
        assert!(facts("7x1").to_string().contains("only two differ on a board one wide\n"));
        assert!(facts("2x2").to_string().contains("= 8 - 12/2 - 12/2 + 16/4 = 0\n"));
    }

    #[test]
    fn the_json_holds_what_the_sheet_says() {
        let json = serde_json::to_value(facts("8x8")).unwrap();
        assert_eq!(json["board"], "8x8");
        assert_eq!(json["moves"], 168);
        assert_eq!(json["degrees"][0], serde_json::json!([2, 3, 4, 4, 4, 4, 3, 2]));
        assert_eq!(json["mean_degree"]["numerator"], 21);
        assert_eq!(json["tree_estimate"]["printed"]["nodes"], "1.3e46");
        assert_eq!(json["closed"]["exists"], true);
        assert_eq!(json["start_orbits"]["orbits"][0], serde_json::json!({ "representative": "a8", "squares": 4 }));
        assert_eq!(json["known_counts"][0]["kind"], "closed_undirected");
        assert_eq!(json["known_counts"][0]["count"], "13267364410532");
    }
}
