//! `destrier board`: what is known of a board without a search, as text for 80 columns and as JSON.

use crate::board::{self, Board, Ending, Orbit, PRINTED_ESTIMATES, PrintedEstimate, Shape, tree_estimate};
use crate::cli::sheet::decimal;
use crate::job::{Report, keys, object};
use crate::solve::Problem;
use crate::words::{grouped, number_of};

/// Boards with no side longer than this are shown square by square.
const SIDE_SHOWN_MAX: u32 = 26;

/// Squares of the largest board with holes that is told: all of them are looked at.
const HOLES_SQUARES_MAX: u32 = 1 << 16;

/// Orbits of starts are listed if there are no more than this; always for boards of up to 8x9.
const ORBITS_LISTED_MAX: u32 = 36;

/// What is known of a board; the text is a sheet of labelled entries, no line wider than 80 columns.
///
/// # Cost
/// The same for all large boards without holes: what is not in closed form is left out for them. Around holes nothing is: each
/// square is looked at.
///
/// # Errors
/// A sentence that refuses holes on a board of more than [`HOLES_SQUARES_MAX`] squares.
pub fn board_report(shape: &Shape) -> Result<Report, String> {
    let (board, has_holes) = (shape.board(), shape.has_holes());
    if has_holes && board.squares() > HOLES_SQUARES_MAX {
        let [squares, most] = [board.squares(), HOLES_SQUARES_MAX].map(grouped);
        return Err(format!("{board} has {squares} squares; with holes, board tells of up to {most}"));
    }
    let mut report = Report::default();
    report.entry("board", format_args!("{}: {}", shape.short(), number_of(shape.squares(), "square")));
    keys!(report, board);
    if has_holes {
        let ([light, dark], holes) = (shape.colours(), shape.hole_names());
        report.entry("holes", holes.join(", "));
        report.entry("colours", format_args!("{light} light, {dark} dark"));
        keys!(report, holes, shape.squares(), "colours" => object!(light, dark));
    } else {
        keys!(report, board.rows(), board.cols(), board.squares());
    }
    let sum = || shape.all().map(|square| shape.neighbours(square).count() as u64).sum::<u64>() / 2;
    let moves = if has_holes { sum() } else { board.moves() };
    let directed_moves = 2 * moves;
    keys!(report, moves, directed_moves);
    let [moves, directed] = [moves, directed_moves].map(grouped);
    report.entry("moves", format_args!("{moves}, or {directed} counting both directions"));
    report.text("");
    tell_degrees(&mut report, shape);
    report.text("");
    if !has_holes {
        tell_mean_degree(&mut report, board);
        tell_estimate(&mut report, board);
        report.text("");
    }
    tell_existence(&mut report, shape);
    report.text("");
    if has_holes {
        let orbits = shape.orbits();
        tell_symmetries(&mut report, shape, orbits.len() as u32, orbits.into_iter());
        // The sheet ends with an empty line.
        report.text("");
    } else {
        tell_symmetries(&mut report, shape, board.orbit_count(), board.orbits());
        report.text("");
        tell_known_counts(&mut report, board);
    }
    Ok(report)
}

/// Whether there are closed and open tours, and why.
fn tell_existence(report: &mut Report, shape: &Shape) {
    for (key, ending) in [("closed", Ending::Closed), ("open", Ending::Open)] {
        let label = format!("{key} tours");
        if shape.has_holes() {
            let reason = Problem::new(shape, ending).why_impossible();
            let none = reason.as_ref().map(|reason| format!("none: {reason}"));
            report.entry(&label, none.unwrap_or("not ruled out without a search".to_owned()));
            // Neither the colours nor the squares with few moves prove that there is one.
            let exists = reason.as_ref().map(|_| false);
            report.key(key, object!(exists, reason));
        } else {
            let existence = shape.board().existence(ending);
            let exists = if existence.exists { "yes" } else { "none" };
            report.entry(&label, format_args!("{exists}: {}", existence.reason));
            report.key(key, existence);
        }
    }
}

/// The degree of every square, row by row from the top unless a side is too long, and how many squares have each degree.
fn tell_degrees(report: &mut Report, shape: &Shape) {
    let board = shape.board();
    let degree = |square| shape.has(square).then(|| shape.neighbours(square).count() as u32);
    let is_shown = board.rows().max(board.cols()) <= SIDE_SHOWN_MAX;
    let degrees = is_shown.then(|| {
        let degrees: Vec<Option<u32>> = board.all().map(degree).collect();
        degrees.chunks(board.cols() as usize).map(<[Option<u32>]>::to_vec).collect::<Vec<_>>()
    });
    for (row, degrees) in degrees.iter().flatten().enumerate() {
        let label = if row == 0 { "degrees" } else { "" };
        let sign = |degree: &Option<u32>| degree.map_or(" #".to_owned(), |degree| format!(" {degree}"));
        let degrees: String = degrees.iter().map(sign).collect();
        report.beside(label, format_args!("{:>2} {degrees}", board.rows() as usize - row));
    }
    if is_shown {
        let letters: String = ('a'..='z').take(board.cols() as usize).flat_map(|letter| [' ', letter]).collect();
        report.beside("", format_args!("   {letters}\n"));
    }
    report.key("degrees", degrees);
    let mut squares = board.squares_by_degree();
    if shape.has_holes() {
        squares.fill(0);
        shape.all().filter_map(degree).for_each(|degree| squares[degree as usize] += 1);
    }
    let present = (0u64..).zip(squares).filter(|&(_, squares)| squares > 0);
    let columns: Vec<_> = present.map(|(degree, squares)| [degree, squares.into()].map(grouped)).collect();
    for (i, label) in ["degree", "squares"].into_iter().enumerate() {
        let cells = columns.iter().map(|column| format!("{:>width$}", column[i], width = column[1].len()));
        report.beside(label, cells.collect::<Vec<_>>().join("   "));
    }
    report.key("squares_by_degree", squares);
}

/// How the decimal of k stands to k: four digits after the point are all if the denominator divides 10,000.
fn relation(board: Board) -> char {
    if 10_000 % board.mean_degree().denominator == 0 { '=' } else { '~' }
}

/// The mean degree k: a fraction in lowest terms, and where it comes from, with the sides put in.
fn tell_mean_degree(report: &mut Report, board: Board) {
    let (k, narrow) = (board.mean_degree(), board.rows().min(board.cols()) == 1);
    let formula = if narrow {
        report.entry("mean degree", "k = 0: a board one wide has no moves");
        "0".to_owned()
    } else {
        let formula = format!("8 - 12/{} - 12/{} + 16/{}", board.rows(), board.cols(), board.squares());
        report.beside("mean degree", "k = 8 - 12/m - 12/n + 16/(mn) on m x n, both sides at least 2");
        let beside = || format!(" {} {}", relation(board), decimal(k.value()));
        let beside = if k.denominator == 1 { String::new() } else { beside() };
        report.entry("", format_args!("  = {formula} = {k}{beside}"));
        formula
    };
    report.key("mean_degree", object!(k.numerator, k.denominator, k.value(), formula));
}

/// The rule of thumb k^S - 1 for the number of nodes of a search tree, and what its source prints for this board.
fn tell_estimate(report: &mut Report, board: Board) {
    let k = board.mean_degree().value();
    let estimate = tree_estimate(k, board.squares());
    let printed = PRINTED_ESTIMATES.into_iter().find(|p| (p.side, p.side) == (board.rows(), board.cols()));
    match &estimate {
        None => report.entry("search tree", "k^S - 1 nodes, S squares, estimates nothing where k is 1 or less"),
        Some(nodes) => {
            report.beside("search tree", "k^S - 1 nodes by rule of thumb, S squares");
            let (relation, k) = (relation(board), decimal(k));
            report.beside("", format_args!("  {relation} {k}^{} - 1 ~ {nodes}", board.squares()));
            if let Some(PrintedEstimate { k, nodes, .. }) = &printed {
                report.beside("", format_args!("    {nodes} as Miller and Ranum print it, with k = {k}"));
            }
        }
    }
    let nodes = estimate.as_ref().map(ToString::to_string);
    let log10 = estimate.as_ref().map(|nodes| nodes.log10);
    report.key("tree_estimate", object!(nodes, log10, printed));
}

/// The symmetries, and the starts that they make equal; the orbits of these are listed if they are few.
fn tell_symmetries(report: &mut Report, shape: &Shape, count: u32, orbits: impl Iterator<Item = Orbit>) {
    let board = shape.board();
    let different = match (board.rows().min(board.cols()), board.rows().max(board.cols())) {
        (1, 1) => "; all do the same on one square",
        (1, _) if !shape.has_holes() => "; only two differ on a board one wide",
        _ if !shape.reaches_edges() => "; all squares of an edge are holes: the board without it may have more",
        _ => "",
    };
    let names: Vec<String> = shape.symmetries().iter().map(ToString::to_string).collect();
    report.entry("symmetries", format_args!("{}: {}{different}", names.len(), names.join(", ")));
    report.key("symmetries", names);
    let orbits: Vec<(String, usize)> = if count <= ORBITS_LISTED_MAX {
        orbits.map(|orbit| (board.name(orbit.representative()), orbit.members.len())).collect()
    } else {
        Vec::new()
    };
    let mut starts = format!("{} that no symmetry makes equal", grouped(count));
    for size in [8, 4, 2, 1] {
        let alike = orbits.iter().filter(|(_, squares)| *squares == size);
        let names: Vec<&str> = alike.map(|(first, _)| &**first).collect();
        if !names.is_empty() {
            let squares = if size == 1 { "alone" } else { &format!("for {size} squares each") };
            starts += &format!("; {squares}: {}", names.join(", "));
        }
    }
    report.entry("starts", starts);
    // The square that stands for the orbit is the first, row by row.
    let listed = orbits.into_iter().map(|(representative, squares)| object!(representative, squares));
    let orbits = Some(listed.collect::<Vec<Report>>()).filter(|listed| !listed.is_empty());
    report.key("start_orbits", object!(count, orbits));
}

/// Known numbers of tours, where each comes from and how far it can be relied on.
fn tell_known_counts(report: &mut Report, board: Board) {
    let known = board.known_counts();
    let width = known.iter().map(|known| grouped(known.count).len()).max().unwrap_or(0);
    for (i, known) in known.iter().enumerate() {
        let label = if i == 0 { "known counts" } else { "" };
        report.beside(label, format_args!("{:>width$}  {}", grouped(known.count), known.kind));
        report.entry("", format_args!("{:width$}  {}; {}", "", known.source, known.standing));
    }
    if known.is_empty() {
        report.entry("known counts", "none on record");
    } else {
        report.text("");
        let convention = "Undirected counts a set of moves once, directed once for each direction, classes once for \
                          all its images. Open tours that could be closed count, unless it says not closable.";
        report.entry("", convention);
    }
    // The sheet ends with an empty line.
    report.text("");
    let object = |known: board::KnownCount| {
        // A string: numbers need not be exact in JSON.
        let (kind, words, count) = (known.kind.name(), known.kind.to_string(), known.count.to_string());
        let standing = known.standing.to_string();
        object!(kind, words, count, known.source, standing)
    };
    report.key("known_counts", known.into_iter().map(object).collect::<Vec<Report>>());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::sheet::WIDTH;

    fn facts(board: &str) -> Report {
        board_report(&board.parse().unwrap()).unwrap()
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
            let object = serde_json::to_value(&facts).unwrap();
            let starts = &object["start_orbits"];
            let listed = starts["orbits"].as_array().map(|orbits| orbits.len() as u64);
            assert!(listed.is_none() || listed == starts["count"].as_u64(), "{board}");
            let by_degree = object["squares_by_degree"].as_array().unwrap();
            let squares = by_degree.iter().filter_map(serde_json::Value::as_u64).sum::<u64>();
            assert_eq!(Some(squares), object["squares"].as_u64(), "{board}");
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
