//! Tours as other programs, puzzles and judges print them: each with its verdict, and spoilt ones near them, none of which is valid.

use crate::common::{run, stdout};
use destrier::board::{Board, Ending};
use destrier::store::{TourReadError, TourReader, gaps};

const NAMES: &str = "a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";
/// A closed tour around four holes, `o` in the place of a hole.
const RING: &str = "o 10 1 o\n8 3 6 11\n5 12 9 2\no 7 4 o\n";
/// A closed tour of 5x6.
const CLOSED: &str = "c4 a5 b3 a1 c2 e1 f3 e5 d3 f4 d5 b4 a2 c1 e2 d4 f5 e3 f1 d2 b1 a3 b5 c3 d1 f2 e4 c5 a4 b2";

/// What is read of a text: the verdict in words, the forms, and the lines passed over and not read.
fn read(text: &str, board: Option<&str>) -> String {
    let board: Option<Board> = board.map(|board| board.parse().unwrap());
    let mut tours = TourReader::new(text.as_bytes(), board);
    let mut said = Vec::new();
    for item in tours.by_ref() {
        said.push(match item.and_then(|tour| tour.verify(Ending::Open)) {
            Ok(tour) => {
                let (squares, holes) = (tour.squares(), tour.holes().len());
                let closes = tour.board().adjacent(squares[squares.len() - 1], squares[0]);
                let around = if holes > 0 { format!(" around {holes}") } else { String::new() };
                format!("{} {}{around}", tour.board(), if closes { "closed" } else { "open" })
            }
            Err(TourReadError::Tour { line, column, reason, .. }) => {
                format!("{line}:{}: {reason}", column.unwrap_or_default())
            }
            Err(error) => error.to_string(),
        });
    }
    said.join("; ")
}

/// Number of the valid tours in what was read.
fn valid(read: &str) -> usize {
    read.split("; ").filter(|said| !said.contains(':') && (said.contains(" open") || said.contains(" closed"))).count()
}

fn lines(names: &str, each: impl Fn(usize, &str) -> String) -> String {
    names.split(' ').enumerate().map(|(at, name)| each(at, name) + "\n").collect()
}

/// Row and column of each square.
fn pairs_of(names: &str, each: impl Fn(u32, u32) -> String) -> Vec<String> {
    let board: Board = "3x4".parse().unwrap();
    names
        .split(' ')
        .map(|name| board.row_col(board.parse_square(name).unwrap()))
        .map(|(row, col)| each(row, col))
        .collect()
}

fn ring(sign: &str) -> String {
    RING.replace('o', sign)
}

/// The squares of a list, printed in many ways: the name of the case, its board if it needs one, the text.
fn printed(names: &str) -> Vec<(&'static str, Option<&'static str>, String)> {
    let known = Some("3x4");
    let board: Board = "3x4".parse().unwrap();
    let number =
        |square| names.split(' ').position(|name| board.parse_square(name) == Ok(square)).map_or(0, |at| at + 1);
    let numbers: Vec<String> = board.all().map(|square| number(square).to_string()).collect();
    let printed: Vec<String> = numbers.chunks(4).map(|row| row.join(" ")).collect();
    let (lines, pairs) = (
        |each: &dyn Fn(usize, &str) -> String| lines(names, each),
        |each: &dyn Fn(u32, u32) -> String| pairs_of(names, each),
    );
    let rows = |each: &dyn Fn(usize, &str) -> String| {
        printed.iter().enumerate().map(|(at, row)| each(at, row) + "\n").collect::<String>()
    };
    let points = |row: &str, point: &str| row.split(' ').map(|number| format!("{number}{point} ")).collect::<String>();
    let moves = |between: &str| -> Vec<String> {
        names.split(' ').zip(names.split(' ').skip(1)).map(|(from, to)| format!("{from}{between}{to}")).collect()
    };
    let cells = |open: &str, row: &str, close: &str| {
        row.split(' ').map(|n| format!("{open}{n:>2}{close}")).collect::<Vec<_>>().join(" ")
    };
    let squares = pairs(&|row, col| (row * 4 + col + 1).to_string());
    let rule = " -------------\n";
    let quoted = format!("[\"{}\"]", names.replace(' ', "\",\""));
    vec![
        (
            "framed, columns below",
            None,
            format!("{rule}{}{rule}   1  2  3  4\n", rows(&|at, row| format!("{}| {row} |", 3 - at))),
        ),
        (
            "framed, columns below, rows from the top",
            None,
            format!("{rule}{}{rule}   1  2  3  4\n", rows(&|at, row| format!("{}| {row} |", at + 1))),
        ),
        (
            "framed, only columns below",
            None,
            format!("{rule}{}{rule}   1  2  3  4\n", rows(&|_, row| format!("| {row} |"))),
        ),
        (
            "numpy, floats in brackets",
            None,
            format!(
                "[{}]\n",
                printed.iter().map(|row| format!("[{}]", points(row, "."))).collect::<Vec<_>>().join("\n ")
            ),
        ),
        ("numpy, floats in rows", None, rows(&|_, row| points(row, "."))),
        ("floats with a zero", None, rows(&|_, row| points(row, ".0"))),
        (
            "letters of rows and columns",
            None,
            format!("  a b c d\n{}", rows(&|at, row| format!("{} {row}", ["A", "B", "C"][at]))),
        ),
        ("letters of rows from below", None, rows(&|at, row| format!("{row} {}", ["c", "b", "a"][at]))),
        ("moves in words", None, lines(&|at, name| format!("Move nr.{}: Knight {}", at + 1, name.to_uppercase()))),
        (
            "steps in words",
            None,
            pairs(&|row, col| format!("({row}, {col})"))
                .iter()
                .enumerate()
                .map(|(at, pair)| format!("Step {}: {pair}\n", at + 1))
                .collect(),
        ),
        ("moves with a word", None, lines(&|at, name| format!("Move {at}: {name}"))),
        ("a knight a line", None, lines(&|_, name| format!("Knight {name}"))),
        (
            "words before pairs",
            None,
            format!("THE TOUR IS ----> {}\n", pairs(&|row, col| format!("{}/{}", row + 1, col + 1)).join(" ")),
        ),
        ("words before a list", None, format!("Tour: {names}\n")),
        ("calls", None, format!("[{}]\n", pairs(&|row, col| format!("pos({}, {})", row + 1, col + 1)).join(", "))),
        ("pairs of Prolog", None, format!("[{}]\n", pairs(&|row, col| format!("{}/{}", row + 1, col + 1)).join(","))),
        ("pairs of OCaml", None, format!("[{}]\n", pairs(&|row, col| format!("({row}, {col})")).join("; "))),
        ("an assignment", None, format!("path = [{}]\n", pairs(&|row, col| format!("({row}, {col})")).join(", "))),
        ("names in square brackets", None, format!("[{}]\n", names.replace(' ', ", "))),
        ("names in square brackets, blanks", None, format!("[{names}]\n")),
        ("names in braces", None, format!("{{{}}}\n", names.replace(' ', ", "))),
        ("members in another order", None, format!("{{\"tour\":{quoted},\"board\":\"3x4\"}}\n")),
        ("a board that is a grid", None, format!("{{\"board\":[[{}]]}}\n", printed.join("],[").replace(' ', ","))),
        (
            "numbers of squares before the board",
            None,
            format!("{{\"tour\":[{}],\"board\":\"3x4\"}}\n", squares.join(",")),
        ),
        (
            "row and col",
            known,
            format!("[{}]\n", pairs(&|row, col| format!("{{\"row\":{row},\"col\":{col}}}")).join(",")),
        ),
        ("x and y", known, format!("[{}]\n", pairs(&|y, x| format!("{{\"x\":{x},\"y\":{y}}}")).join(","))),
        (
            "CSV with a heading",
            None,
            format!(
                "move,row,col\n{}\n",
                pairs(&|row, col| format!("{row},{col}"))
                    .iter()
                    .enumerate()
                    .map(|(at, pair)| format!("{},{pair}", at + 1))
                    .collect::<Vec<_>>()
                    .join("\n")
            ),
        ),
        ("x,y as a heading", known, format!("x,y\n{}\n", pairs(&|y, x| format!("{x},{y}")).join("\n"))),
        ("a pair a line", known, pairs(&|row, col| format!("{row},{col}\n")).concat()),
        ("a pair in brackets a line", known, pairs(&|row, col| format!("[{row}, {col}]\n")).concat()),
        (
            "text behind the tour",
            None,
            format!("{}done\nTotal moves: 12\nTime: 0.01 s\n", rows(&|_, row| row.to_owned())),
        ),
        ("N for the knight", None, format!("N{}\n", names.replace(' ', " N"))),
        (
            "N and numbers",
            None,
            names.split(' ').enumerate().map(|(at, name)| format!("{}. N{name} ", at + 1)).collect(),
        ),
        ("moves of a protocol", None, moves("").join(" ") + "\n"),
        ("moves with dashes", known, moves("-").join(", ") + "\n"),
        ("a move a line", None, moves(" -> ").join("\n") + "\n"),
        (
            "a matrix of R",
            None,
            format!("     [,1] [,2] [,3] [,4]\n{}", rows(&|at, row| format!("[{},] {row}", at + 1))),
        ),
        ("a matrix of MATLAB", None, format!("A =\n\n   {}\n", printed.join("\n   "))),
        ("a matrix of MATLAB on a line", None, format!("A = [{}]\n", printed.join("; "))),
        (
            "colour codes",
            None,
            rows(&|_, row| format!("\u{1b}[1;32m{}\u{1b}[0m", row.replace(' ', "\u{1b}[0m \u{1b}[31m"))),
        ),
        ("cells in brackets", None, rows(&|_, row| cells("[", row, "]"))),
        ("columns of two", known, rows(&|_, row| row.split(' ').map(|n| format!("{n:>2}")).collect())),
        ("empty lines between rows", None, printed.join("\n\n") + "\n"),
        ("numbers of squares on a line", known, squares.join(" ") + "\n"),
        (
            "numbers of squares on two lines",
            known,
            format!("{}\n{}\n", squares[..6].join(", "), squares[6..].join(", ")),
        ),
        ("numbers of squares, arrows", known, squares.join("->") + "\n"),
        (
            "numbers of squares, numbered",
            known,
            squares.iter().enumerate().map(|(at, n)| format!("{}. {n}\n", at + 1)).collect(),
        ),
        ("numbers of moves on a line", known, printed.join(" ") + "\n"),
        ("numbers of moves in an array", known, format!("[{}]\n", printed.join(" ").replace(' ', ", "))),
    ]
}

#[test]
fn tours_are_read_as_other_programs_print_them() {
    for (name, board, text) in printed(NAMES) {
        assert_eq!(read(&text, board), "3x4 open", "{name}: {text}");
        if !name.contains("moves") || name.contains("word") {
            assert_eq!(read(&text, Some("3x4")), "3x4 open", "{name} with its board: {text}");
        }
    }
    for sign in [".", "#", "##", "*", "**", "xx"] {
        assert_eq!(read(&ring(sign), None), "4x4 closed around 4", "{sign}");
        assert_eq!(read(&ring(sign), Some("4x4")), "4x4 closed around 4", "{sign}");
    }
}

/// A square that is not visited is a hole only where that is said.
#[test]
fn empty_squares_are_no_holes() {
    for sign in ["-1", "--", "_", "__", "?", "0"] {
        assert_eq!(read(&ring(sign), None), "1:0: 4 squares are empty: no whole tour", "{sign}");
        let board = "4x4".parse().unwrap();
        let tour = TourReader::new(ring(sign).as_bytes(), Some(board)).next().unwrap().unwrap();
        assert!(!tour.shape.has_holes() && tour.squares.len() == 12, "{sign}");
    }
    assert_eq!(read("1 4 7 -1\n-1 -1 2 5\n3 6 -1 -1\n", None), "1:0: 5 squares are empty: no whole tour");
}

/// A closed tour that names its first square again is that tour, where nothing follows.
#[test]
fn a_closed_tour_may_name_its_first_square_again() {
    let ring = "3x3 a3 c2 a1 b3 c1 a2 c3 b1 a3 without b2\n";
    assert_eq!(read(ring, None), "3x3 closed around 1");
    let list = CLOSED;
    let first = list.split(' ').next().unwrap();
    for text in [
        format!("{list} {first}\n"),
        format!("5x6 {list} {first}\n"),
        format!("[\"{}\"]\n", format!("{list} {first}").replace(' ', "\",\"")),
        format!("{{\"tour\":[\"{}\"],\"board\":\"5x6\"}}\n", format!("{list} {first}").replace(' ', "\",\"")),
        format!("{}\n{first}\n", list.replace(' ', "\n")),
        format!("{}\n{first}\n\nThe end\n", list.replace(' ', "\n")),
    ] {
        for board in [None, Some("5x6")] {
            assert_eq!(read(&text, board), "5x6 closed", "{text}");
        }
    }
    let mut tours = TourReader::new(ring.as_bytes(), None);
    assert!(tours.next().unwrap().is_ok());
    assert!(tours.forms().contains("closed tours that name their first square again"));
    for wrong in [format!("5x6 {list} {first} {first}\n"), format!("5x6 {list} {list}\n"), format!("3x4 {NAMES} a3\n")]
    {
        assert!(!read(&wrong, None).ends_with("closed") && !read(&wrong, None).ends_with("open"), "{wrong}");
    }
}

/// A tour without blanks is one word: it is read whole where the buffer of the reader ends within it.
#[test]
fn a_tour_that_is_one_word_is_valid_wherever_it_stands() {
    for line in [CLOSED.replace(' ', "-"), CLOSED.replace(' ', "->"), CLOSED.replace(' ', "").to_uppercase()] {
        let text = format!("{line}\n").repeat(3000);
        let tours = TourReader::new(text.as_bytes(), None).map(|tour| tour.unwrap().verify(Ending::Open));
        assert_eq!(tours.filter(Result::is_ok).count(), 3000, "{line}");
    }
    // Each line is longer than the buffer is at first.
    let found = stdout(&run(&["find", "120x120", "--format", "list"]));
    let (board, squares) = found.trim_end().split_once(' ').expect("a board and its squares");
    let text = format!("{}\n", squares.replace(' ', "-")).repeat(3);
    let tours = TourReader::new(text.as_bytes(), board.parse().ok()).map(|tour| tour.unwrap().verify(Ending::Open));
    assert_eq!(tours.filter(Result::is_ok).count(), 3);
}

#[test]
fn what_is_not_read_says_why() {
    for (text, says) in [
        ("<table><tr><td>1</td><td>4</td></tr></table>\n", "this is HTML or XML"),
        ("1 & 4 & 7 & 10 \\\\\n12 & 9 & 2 & 5 \\\\\n3 & 6 & 11 & 8 \\\\\n", "& of a LaTeX table"),
        ("\u{0}3\u{0}x", "no tour begins"),
        ("a3 c2 a1\nb3 d2 b1\nc3 d1 b2\nd3 c1 a2\n", "if the lines below belong to it, name the board by --board"),
        ("4x4 a3 c2 a1\n", "3 squares, but a tour of 4x4 has 16"),
    ] {
        assert!(read(text, None).contains(says), "{text}: {}", read(text, None));
    }
    let mut utf_16 = TourReader::new(&b"\xff\xfe3\0x\0"[..], None);
    assert!(utf_16.next().unwrap().unwrap_err().to_string().starts_with("this is UTF-16"));
}

/// Signs for squares without a number in puzzles, also in a box.
#[test]
fn gaps_have_the_signs_of_puzzles() {
    let board: Board = "3x4".parse().unwrap();
    let expected = gaps::parse("1 _ _ 10\n_ 9 _ _\n_ _ _ _\n", board).unwrap().unwrap().given;
    for sign in ["__", "--", "-1", "?", "-"] {
        let text = format!("1 {sign} {sign} 10\n{sign} 9 {sign} {sign}\n{sign} {sign} {sign} {sign}\n");
        assert_eq!(gaps::parse(&text, board).unwrap().unwrap().given, expected, "{sign}");
    }
    let boxed = "┏━━┳━━┓\n┃ 1│  │  │10┃\n┃  │ 9│  │  ┃\n┃  │  │  │  ┃\n┗━━┻━━┛\n";
    assert_eq!(gaps::parse(boxed, board).unwrap().unwrap().given, expected);
}

/// Two squares exchanged, or one twice, in every form: 3,000 files, none of which is valid.
#[test]
fn no_spoilt_tour_is_valid_in_any_form() {
    let names: Vec<&str> = NAMES.split(' ').collect();
    let mut files = 0;
    for (one, other) in (0..12).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let (mut exchanged, mut twice) = (names.clone(), names.clone());
        exchanged.swap(one, other);
        twice[one] = names[other];
        for names in [exchanged, twice] {
            for (name, board, text) in printed(&names.join(" ")) {
                files += 1;
                let read = read(&text, board);
                assert_eq!(valid(&read), 0, "{name}: {text}: {read}");
            }
        }
    }
    assert!(files > 3000, "{files}");
}

/// Files that a rule could take for a tour, and that are none.
#[test]
fn files_near_the_rules_are_not_valid() {
    let known = Some("3x4");
    let rows = "1 4 7 10\n12 9 2 5\n3 6 11 8\n";
    let list = NAMES.replace(' ', "\n");
    let numbered: Vec<String> = NAMES.split(' ').enumerate().map(|(at, name)| format!("{}. {name}", at + 1)).collect();
    let spoilt: Vec<(Option<&str>, String)> = vec![
        // A row of numbers below a grid without numbers of rows or a frame.
        (None, format!("{rows}1 2 3 4\n")),
        (None, format!("{rows}  1 2 3 4\n")),
        (known, format!("{rows}1 2 3 4\n")),
        (None, format!("{rows}0 1 2 3\n")),
        (None, "|1 4 7 10|\n|12 9 2 5|\n|3 6 11 8|\n|1 2 3 4|\n".to_owned()),
        // Numbers of rows that do not go on.
        (None, "1 1 4 7 10\n3 12 9 2 5\n2 3 6 11 8\n".to_owned()),
        (None, "5 1 4 7 10\n6 12 9 2 5\n7 3 6 11 8\n".to_owned()),
        (None, "a 1 4 7 10\nc 12 9 2 5\nb 3 6 11 8\n".to_owned()),
        (None, "[1,] 1 4 7 10\n[3,] 12 9 2 5\n[2,] 3 6 11 8\n".to_owned()),
        // A number that is none.
        (None, rows.replace("12", "12.5")),
        (None, rows.replace("12", "x12")),
        (None, rows.replace("12", "12.0.0")),
        (None, rows.replace("12", "-12")),
        (None, rows.replace("12", "1e1")),
        (None, rows.replace("12", "XX")),
        (None, rows.replace("12", "X")),
        (None, rows.replace('1', "xx")),
        (None, rows.replace("12", "???")),
        (None, rows.replace("12", "-1")),
        (None, rows.replace("12", "_")),
        (None, rows.replace("12", "0")),
        (None, rows.replace("11", "0").replace("12", "0")),
        (None, rows.replace("10\n", "\n")),
        (None, rows.replace("1 4", "4")),
        (None, rows.replace("1 4 7 10\n", "")),
        // Words that are no label.
        (None, format!("zz {}", &NAMES[3..])),
        (None, format!("zz: {}", &NAMES[3..])),
        (None, format!("zz {NAMES}")),
        (None, format!("zz {} {}", &CLOSED[3..], &CLOSED[..2])),
        (None, format!("{NAMES} zz")),
        (None, NAMES.replace("a1", "zz")),
        (None, NAMES.replace("a1", "Na1")),
        (None, NAMES.replace(' ', " N")),
        (None, format!("N{NAMES}")),
        (None, list.replace("a1", "zz")),
        (None, list.replace("a1", "Knight a1")),
        (None, list.replace("a2", "done")),
        (None, format!("Knight {}", NAMES.replace(' ', "\nKnight ").replace("Knight a1", "Bishop a1"))),
        (None, format!("Knight {}", NAMES.replace(' ', "\nKnight ").replace("Knight c3", "c3"))),
        (None, format!("[pos(1, 1), (2, 3), {}", "pos(3, 1)]")),
        // Numbers of moves.
        (None, numbered.join(" ").replace("7.", "8.")),
        (None, numbered.join("\n").replace("7.", "6.")),
        (None, numbered.join(" ").replace("12.", "13.")),
        (None, numbered[1..].join(" ")),
        (None, numbered.join(" ").replace("1. a3 2.", "2. a3 3.")),
        (None, format!("Move {}", numbered.join("\nMove ").replace("Move 5.", "Move 50."))),
        (known, "1. 1\n2. 7\n3. 9\n4. 2\n5. 8\n6. 10\n7. 3\n8. 12\n9. 6\n10. 4\n11. 11\n12. 4\n".to_owned()),
        // Moves that do not join.
        (None, "a3 c2 c2 a1 a1 b3 b3 d2 d2 b1 b1 c3 c3 d1 d1 b2 b2 d3 d3 c1 c1 a2".to_owned()),
        (None, "a3-c2 c2-a1 b3-d2".to_owned()),
        (None, "a3c2 c2a1 a1b3 b3d2 d2b1 b1c3 c3d1 d1b2 b2d3 d3c1 a2c1".to_owned()),
        (None, "a3 -> c2\nc2 -> a1\na1 -> b3\nd2 -> b3\n".to_owned()),
        // The first square again.
        (None, format!("3x4 {NAMES} a3")),
        (None, format!("5x6 {CLOSED} {CLOSED}")),
        (None, format!("5x6 {CLOSED} {} {}", &CLOSED[..2], &CLOSED[..2])),
        (Some("5x6"), format!("[\"{}\", \"{}\", \"{}\"]", CLOSED.replace(' ', "\", \""), &CLOSED[..2], &CLOSED[3..5])),
        // Members of an object.
        (None, format!("{{\"tour\":[\"{}\"],\"board\":\"8x8\"}}", NAMES.replace(' ', "\",\""))),
        (None, format!("{{\"tour\":[\"{}\"],\"board\":\"3x4\",\"board\":\"3x4\"}}", NAMES.replace(' ', "\",\""))),
        (None, format!("{{\"tour\":[\"{}\"],\"ending\":\"half\"}}", NAMES.replace(' ', "\",\""))),
        (None, format!("{{\"tour\":[\"{}\"],\"holes\":[\"a1\"]}}", NAMES.replace(' ', "\",\""))),
        (None, format!("{{\"tour\":[\"{}\"],\"holes\":[\"a1\"],\"board\":\"3x4\"}}", NAMES.replace(' ', "\",\""))),
        (None, "[{\"row\":0,\"col\":0},{\"row\":1,\"row\":2}]".to_owned()),
        (None, "[{\"row\":0,\"col\":0},{\"row\":1}]".to_owned()),
        // Tables and sequences.
        (None, "move,row,col\n1,0,0\n2,1,2\n4,2,0\n3,0,1\n".to_owned()),
        (known, "1 7 9 2 8 10\n3 12 6 4 11 11\n".to_owned()),
        (known, "1 7 9 2 8 10\n3 12 6 4 11\n".to_owned()),
        (known, "1 4 7 10 12 9 2 5 3 6 8 11\n".to_owned()),
        (known, " 1 4 710\n12 9 2 5\n 3 6 811\n".to_owned()),
        (known, "0,0\n102\n2,0\n0,1\n1,3\n2,1\n0,2\n2,3\n1,1\n0,3\n2,2\n1,0\n".to_owned()),
        (None, "1 4 7 10\n\n12 9 2 6\n\n3 6 11 8\n".to_owned()),
        // Brackets that are not closed.
        (None, "a1 (((".to_owned()),
        (None, format!("[{NAMES}")),
        (None, format!("({NAMES}")),
    ];
    assert!(spoilt.len() >= 60, "{}", spoilt.len());
    for (board, text) in spoilt {
        let read = read(&text, board);
        let valid = valid(&read);
        // Rows below a whole grid are a tour of their own, which is wrong.
        let is_whole_above = text.starts_with(rows) || text.starts_with("|1 4");
        assert!(valid <= usize::from(is_whole_above) && read.contains(':'), "{text}: {read}");
    }
}

/// Every form with one change, from a fixed seed, between two lists. A plain second reader, which knows nothing of forms, counts the numbers
/// of the text: where the tour is still valid it is the same one, no number was passed over, and the lists beside it are as they were.
#[test]
fn a_form_with_one_change_is_wrong_or_the_same_tour() {
    let numbers = |text: &str| {
        text.replace(".0", "").split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()).count()
    };
    let signs: Vec<char> = " \n\t,;|.-#*xXN[](){}<>:\"'=_+0197ac".chars().collect();
    let mut random = fastrand::Rng::with_seed(71);
    let (mut sound, mut changed_files) = (0, 0);
    let list = format!("3x4 {NAMES}\n");
    for (name, board, text) in printed(NAMES) {
        let chars: Vec<char> = text.trim_end().chars().collect();
        for _ in 0..250 {
            let (at, sign) = (random.usize(..chars.len()), signs[random.usize(..signs.len())]);
            let changed: String = match random.u8(..3) {
                0 => [&chars[..at], &[sign], &chars[at..]].concat(),
                1 => [&chars[..at], &[sign], &chars[at + 1..]].concat(),
                _ => [&chars[..at], &chars[at + 1..]].concat(),
            }
            .into_iter()
            .collect();
            changed_files += 1;
            let alone = read(&changed, board);
            // A JSON text that is broken may go on behind the tour, text behind a tour may be anything, and a text without a tour is refused.
            if !text.contains('"') && !name.contains("text behind") && !alone.contains("no tour begins") {
                let among = read(&format!("{list}\n{changed}\n\n{list}"), board);
                assert!(among.starts_with("3x4 open; ") && among.ends_with("; 3x4 open"), "{name}: {changed}: {among}");
                assert_eq!(valid(&among), 2 + valid(&alone), "{name}: {changed}: {alone}: {among}");
            }
            if alone == "3x4 open" {
                sound += 1;
                let squares = |text: &str| {
                    let board = board.map(|board| board.parse().unwrap());
                    let tour = TourReader::new(text.as_bytes(), board).find_map(Result::ok).unwrap();
                    tour.squares
                };
                assert_eq!(squares(&changed), squares(&text), "{name}: {changed}");
                // The words before a list on one line may be any, as may headings, and the names of other members of an object.
                let is_any =
                    ["words before", "text behind", "an assignment", "CSV", "x,y", "a matrix", "letters of rows and"]
                        .iter()
                        .any(|begin| name.starts_with(begin))
                        || text.contains('"');
                let is_more = numbers(&changed) > numbers(&text) && !is_any;
                assert!(!is_more, "{name}: {changed}");
            }
        }
    }
    assert!(sound > 1000 && changed_files > 10_000, "{sound} of {changed_files}");
}

/// A fault has the line and the column of its own word, in the numbers that the file has.
#[test]
fn a_fault_stands_at_its_own_word() {
    let from_1 = pairs_of(NAMES, |row, col| format!("{}/{}", row + 1, col + 1));
    for (board, text, says) in [
        (Some("3x4"), from_1[..11].join(" "), "1:0: 11 squares, but a tour of 3x4 has 12"),
        (None, "3x4 a3-c2-z9-b3".to_owned(), "1:11: move 3: 'z9' is not on the board 3x4: its squares are a1 to d3"),
        (None, "1 1 4 7 10\n2 12 9 3 5\n3 2 6 11 8\n".to_owned(), "3:3: move 2: no knight's move leads from a3 to a1"),
        (None, "1 4 7 10\nq2 9 2 5\n3 6 11 8\n".to_owned(), "2:1: row 2, column 1: 'q2' is not a move number"),
        (
            None,
            "[[1, 4, 7, 10],\n [12, 9, x, 5],\n [3, 6, 11, 8]]\n".to_owned(),
            "2:10: row 2, column 3: 'x' is not a move number",
        ),
    ] {
        assert_eq!(read(&text, board), says, "{text}");
    }
}
