//! Tests of the readers: right and wrong texts, and every format read back as it was written.

use super::*;
use crate::board::{Board, Ending, Holes, NumberedRoute, Route, Shape, Square, Tour, parse_move_list};
use crate::store::check::check;
use crate::store::write;
use proptest::prelude::*;
use std::io::Read;

const LIST: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";
const GRID: &str = " 1  4  7 10\n12  9  2  5\n 3  6 11  8\n";
const ARRAY: &str = r#"["a3","c2","a1","b3","d2","b1","c3","d1","b2","d3","c1","a2"]"#;

/// The items of a text, one a line: the list of a tour, or the message of an error.
fn read(text: &str) -> String {
    read_on(text, None)
}

fn read_on(text: &str, board: Option<&str>) -> String {
    let board = board.map(|board| board.parse().unwrap());
    let line = |item: Result<ReadTour, TourReadError>| match item {
        Err(error) => format!("{error}\n"),
        Ok(tour) => {
            let (line, board) = (tour.line(), tour.shape.board());
            let ReadTour { index, shape, ending, squares, .. } = tour;
            let names = |squares: &[Square]| squares.iter().map(|&s| board.name(s)).collect::<Vec<_>>().join(" ");
            let without =
                if shape.has_holes() { format!(" without {}", names(shape.holes().squares())) } else { String::new() };
            let ending = ending.map_or("", Ending::name);
            format!("{index}@{line} {ending}{board} {}{without}\n", names(&squares))
        }
    };
    TourReader::new(text.as_bytes(), board).map(line).collect()
}

#[test]
fn formats_are_detected_and_may_be_mixed() {
    let text = format!("\u{feff}\n{LIST}\r\n{GRID}{LIST}\n\n{GRID}\n\n{ARRAY} {ARRAY}\n{{\"tour\":{ARRAY}}}{GRID}");
    let lines = [2, 3, 6, 8, 13, 13, 14, 14];
    let expected: String = lines.iter().enumerate().map(|(i, line)| format!("{}@{line} {LIST}\n", i + 1)).collect();
    assert_eq!(read(&text), expected);
    assert_eq!(read(" \r\n\t\n"), "");
}

#[test]
fn common_variants_of_formats_are_read() {
    let from_0 = "0,3,6,9\n11,8,1,4\n2,5,10,7";
    let without_board = LIST.strip_prefix("3x4 ").unwrap();
    let mixed = "3x4 A3, 1,2, #9, b3, d2 b1 c3 d1 b2 d3 c1 a2";
    for text in [from_0, without_board, mixed] {
        assert_eq!(read(text), format!("1@1 {LIST}\n"), "{text}");
    }
    assert_eq!(read("2 a1 b1"), "1@1 2x2 a1 b1\n");
    assert_eq!(read_on("a1 #4", Some("2x2")), "1@1 2x2 a1 b1\n");
}

/// Row and column of the squares of [`LIST`], from `first` on.
fn pairs(first: u32, pair: impl Fn(u32, u32) -> String) -> Vec<String> {
    let board: Board = "3x4".parse().unwrap();
    let square = |name: &str| board.row_col(board.parse_square(name).unwrap());
    LIST.split(' ').skip(1).map(square).map(|(row, col)| pair(row + first, col + first)).collect()
}

/// The forms in which tours are published, each with what it is read as, without a board and with one.
#[test]
fn published_forms_are_read() {
    let names: Vec<&str> = LIST.split(' ').skip(1).collect();
    let rows = |open: &str, between: &str, close: &str| {
        let row = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(between);
        GRID.lines().map(|line| format!("{open}{}{close}", row(line))).collect::<Vec<_>>()
    };
    let numbers = |first: u32| pairs(0, |row, col| (row * 4 + col + first).to_string()).join(", ");
    let (json_pairs, tuples) =
        (pairs(0, |row, col| format!("[{row}, {col}]")), pairs(0, |row, col| format!("({row}, {col})")));
    let section =
        format!("NAME : 3x4\nTYPE : TOUR\nDIMENSION: 12\nTOUR_SECTION\n{}\n-1\nEOF\n", numbers(1).replace(", ", "\n"));
    for (text, form) in [
        (names.concat().to_uppercase(), "list"),
        (names.join("-"), "list"),
        (names.join(" \u{2013} "), "list"),
        (names.join("->"), "list"),
        (names.iter().enumerate().map(|(i, name)| format!("{}. {name} ", i + 1)).collect(), "list"),
        (names.join("; "), "list"),
        (pairs(0, |row, col| format!("({row},{col})")).join("->"), "pairs"),
        (format!("[{}]", tuples.join(", ")), "pairs"),
        (pairs(1, |row, col| format!("{row}/{col}")).join(" "), "pairs from 1"),
        (format!("[{}]", json_pairs.join(",")), "pairs"),
        (format!("{{\"tour\": [{}]}}", json_pairs.join(", ")), "pairs"),
        (format!("[{}]", pairs(1, |row, col| format!("[{col},{row}]")).join(",")), "pairs from 1, column first"),
        (format!("[{}]", rows("[", ",", "]").join(",")), "grid"),
        (format!("[{}]", rows("[", " ", "]").join("\n ")), "grid"),
        (rows("[", ", ", "]").join("\n"), "grid"),
        (rows("| ", " | ", " |").join("\n+--+--+--+--+\n"), "grid"),
        (rows("\u{2502}", "\u{2502}", "\u{2502}").join("\n"), "grid"),
        (rows("", ";", ";").join("\n"), "grid"),
        (rows("", "\t", " ").join("\r\n"), "grid"),
    ] {
        for board in [None, Some("3x4")] {
            let board: Option<Board> = board.map(|board: &str| board.parse().unwrap());
            // Without a board it is a tour of 4x3.
            if board.is_none() && form.ends_with("column first") {
                continue;
            }
            let mut tours = TourReader::new(text.as_bytes(), board);
            let read: Vec<_> = tours.by_ref().map(|tour| tour.map_err(|error| error.to_string())).collect();
            let [Ok(tour)] = &read[..] else { panic!("{text}: {read:?}") };
            let list: Vec<String> = tour.squares.iter().map(|&square| tour.shape.board().name(square)).collect();
            assert_eq!((tour.shape.to_string().as_str(), list.join(" ")), ("3x4", names.join(" ")), "{text}");
            assert_eq!(tours.forms().iter().copied().collect::<Vec<_>>(), [form], "{text}");
        }
    }
    let on_board = |text: &str| read_on(text, Some("3x4"));
    let expected = |line: u64| format!("1@{line} {LIST}\n");
    assert_eq!(on_board(&format!("[{}]", numbers(1))), expected(1));
    assert_eq!(on_board(&format!("[{}]", numbers(0))), expected(1));
    assert_eq!(on_board(&section), expected(4));
    assert_eq!(on_board(&pairs(0, |row, col| format!("{row},{col}\n")).concat()), expected(1));
    assert!(read(&format!("[{}]", numbers(1))).contains("an array of numbers needs a board"));
}

#[test]
fn lines_that_are_no_tour_are_passed_over_before_one() {
    for above in ["Tour 1:", "Complete tour: 0", "# a comment", "// one", "% one", "3", "3 4", "2\n3 4", "+--+--+"] {
        for tour in [GRID, &format!("{LIST}\n")] {
            // A number above a list is the side of its board.
            if tour != GRID && above.starts_with(|first: char| first.is_ascii_digit()) {
                continue;
            }
            let lines = above.lines().count() as u64;
            let expected = |index, line| format!("{index}@{line} {LIST}\n");
            assert_eq!(read(&format!("{above}\n{tour}")), expected(1, lines + 1), "{above}");
            let text = format!("{LIST}\n{above}\n{tour}");
            assert_eq!(read(&text), expected(1, 1) + &expected(2, lines + 2), "{text}");
        }
    }
    // A tour that was spoilt is none of them.
    for spoilt in [LIST.replacen("3x4 a3", "3x4a3", 1), LIST.replacen("3x4 a3", "a3x", 1), GRID.replacen('1', "x", 1)] {
        let read = read(&format!("{LIST}\n{spoilt}\n{LIST}\n"));
        assert!(read.contains("tour 2, line 2"), "{read}");
    }
}

/// Lines between the rows of a grid count as those above it do.
#[test]
fn lines_within_a_grid_are_counted() {
    for line in ["# the middle", "// the middle", "+--+--+--+--+", "a b c d"] {
        let text = format!("1 4 7 10\n{line}\n12 9 2 5\n3 6 11 8\n");
        let mut tours = TourReader::new(text.as_bytes(), None);
        assert!(matches!(tours.by_ref().collect::<Vec<_>>()[..], [Ok(_)]), "{line}");
        assert_eq!(tours.passed_over(), 1, "{line}");
    }
}

#[test]
fn objects_give_board_ending_and_holes_of_their_tours() {
    let ring = r#"["a3","c2","a1","b3","c1","a2","c3","b1"]"#;
    let object = format!(
        r#"{{"board": "3x3", "method": {{"name": "x\"]", "by": [1, [2]]}}, "ending": "closed", "holes": ["b2"],
            "tours": [{ring}, {ring}], "elapsed_s": 1e-3}}"#
    );
    let tour = "closed3x3 a3 c2 a1 b3 c1 a2 c3 b1 without b2";
    assert_eq!(read(&object), format!("1@2 {tour}\n2@2 {tour}\n"));
    assert_eq!(read(&format!("[{ring},\n{object}]")), {
        format!("1@1 3x3 a3 c2 a1 b3 c1 a2 c3 b1\n2@3 {tour}\n3@3 {tour}\n")
    });
    // An object within is on a board of its own, where the holes of the other are none.
    let within =
        r#"{"board":"3x3","holes":["a1","b1","c1","a2","b2"],"tours":[{"board":"2x2","tour":["a1","a2","b1"]}]}"#;
    assert_eq!(read(within), "1@1 2x2 a1 a2 b1\n");
    let none = r#"{"board":"3x3","ending":"open","tour":null,"reason":"none exists","tours":0}"#;
    assert_eq!(read(none), "");
}

/// The members of an object belong together in any order: none is judged before all of them are known.
#[test]
fn members_of_an_object_hold_for_its_tours_in_any_order() {
    let tour = format!("\"tour\":{ARRAY}");
    let says = |members: &[&str], says: &str| {
        let turned = members.iter().rev().copied().collect::<Vec<_>>();
        for members in [members, &turned] {
            let read = read(&format!("{{{}}}\n{LIST}", members.join(",")));
            assert!(read.starts_with(says) && read.ends_with(&format!("2@2 {LIST}\n")), "{members:?}: {read}");
        }
    };
    says(&[&tour, "\"board\":\"3x4\""], &format!("1@1 {LIST}\n"));
    says(&[&tour, "\"board\":\"8x8\""], "1@1 8x8 a3 c2 a1");
    says(&[&tour, "\"ending\":\"closed\""], "1@1 closed3x4");
    says(&[&tour, "\"ending\":\"half\""], "tour 1, line 1: the ending is open or closed, not 'half'");
    says(&["\"board\":\"3x4\"", &tour, "\"board\":\"3x4\""], "tour 1, line 1: duplicate field `board`");
    let ring = "\"tours\":[[\"a3\",\"c2\",\"a1\",\"b3\",\"c1\",\"a2\",\"c3\",\"b1\"]]";
    says(&[ring, "\"holes\":[\"b2\"]", "\"board\":\"3x3\""], "1@1 3x3 a3 c2 a1 b3 c1 a2 c3 b1 without b2\n");
    let squares = pairs(0, |row, col| format!("{}", 4 * row + col)).join(",");
    says(&["\"board\":\"3x4\"", &format!("\"tour\":[{squares}]")], &format!("1@1 {LIST}\n"));
    says(&["\"by\":1", "\"board\":[[1,4,7,10],[12,9,2,5],[3,6,11,8]]"], &format!("1@1 {LIST}\n"));
    for place in [
        pairs(0, |row, col| format!("{{\"row\":{row},\"col\":{col}}}")),
        pairs(0, |y, x| format!("{{\"x\":{x}, \"y\":{y}}}")),
    ] {
        says(&[&format!("\"tour\":[{}]", place.join(", ")), "\"board\":\"3x4\""], &format!("1@1 {LIST}\n"));
        assert_eq!(read_on(&format!("[{}]", place.join(",\n")), Some("3x4")), format!("1@1 {LIST}\n"));
    }
}

/// In an object that is not read whole, here because of its apostrophes, a member that comes too late is a fault.
#[test]
fn a_late_member_of_an_object_that_is_read_in_order_is_a_fault() {
    let tour = ARRAY.replace('"', "'");
    for member in ["'board':'8x8'", "'ending':'closed'", "'holes':['a1']"] {
        let read = read(&format!("{{'tour':{tour},{member}}}"));
        assert!(read.contains("stands twice in an object, or behind its tours"), "{member}: {read}");
    }
}

#[test]
fn holes_are_read() {
    let ring = "3x3 a3 c2 a1 b3 c1 a2 c3 b1 without b2";
    assert_eq!(read(ring), format!("1@1 {ring}\n"));
    assert_eq!(read("1 4 7\n6 . 2\n3 8 5\n"), "1@1 3x3 a3 c2 a1 b3 c1 a2 c3 b1 without b2\n");
}

#[test]
fn a_wrong_tour_is_reported_and_the_next_is_read() {
    for (bad, says) in [
        ("3x4 a3 c2 e1 b3", "line 1: move 3: 'e1' is not on the board 3x4: its squares are a1 to d3"),
        ("3x4 a3 a1 e1 b3", "line 1: move 2: no knight's move leads from a3 to a1"),
        ("0x5 a3", "line 1: a board has at least one row and one column, not 0x5"),
        ("a3 foo", "line 1: move 2: 'foo' is not the name of a square, such as e6"),
        ("3x3 a3 without d1", "line 1: 'd1' is not on the board 3x3: its squares are a1 to c3"),
        ("1 2 3\n4 x 6\n7 8 9\n", "line 2: row 2, column 2: 'x' is not a move number"),
        ("1 2 3\n4 4294967295 6\n7 8 9\n", "line 2: row 2, column 2: '4294967295' is not a move number"),
        (
            "1 2\n3\n4\n",
            "line 2: row 2 has 1 numbers, but the rows above it have 2; a square that the tour leaves out is a .",
        ),
        ("1 3\n4 3\n", "line 2: row 2, column 2: 3 stands in row 1, column 2 already, and 2 is missing"),
        (
            "1 .\n4 3\n",
            "line 2: row 2, column 1: 4 is past the end: the moves of a 2x2 board without one square are numbered 1 to 3, and 2 is missing",
        ),
        (". .\n. .\n", "line 1: the grid is empty"),
        ("[[\"a1\", [1, {}]]]", "line 1: move 2: a square is a name in quotes, such as \"e6\""),
        ("[[]]", "line 1: the tour has no squares"),
        ("<svg>\n</svg>", "line 1: the picture has no <desc> with a list of moves"),
        ("<svg><desc>a horse</desc>\n</svg>", "line 1: move 1: 'a' is not the name of a square, such as e6"),
    ] {
        assert_eq!(read(&format!("{bad}\n{LIST}")).lines().next(), Some(format!("tour 1, {says}").as_str()), "{bad}");
        assert!(read(&format!("{bad}\n{LIST}")).ends_with(&format!("{LIST}\n")), "{bad}");
    }
    let noise = read(&format!("{LIST}\nand so on\nand on\n{LIST}"));
    // The second of the lines may be a heading.
    assert!(noise.contains("\nline 2: no tour begins with 'and so on'\n2@4 "), "{noise}");
    assert_eq!(read_on(LIST, Some("4x3")), "tour 1, line 1: the tour is of 3x4, but tours of 4x3 were asked for\n");
}

#[test]
fn characters_of_json_may_be_written_as_escapes() {
    let plain = format!("{{\"board\":\"3x4\",\"tour\":{ARRAY}}}");
    let escaped = plain.replace("tour", "t\\u006F\\u0075r").replace("3x4", "3\\u00784").replace("a3", "\\u0061\\u0033");
    assert!(escaped.contains("\\u0061") && read(&escaped) == read(&plain), "{escaped}");
    let others = "{\"by\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\\ud83d\",\"tour\":";
    assert_eq!(read(&format!("{others}{ARRAY}}}")), format!("1@1 {LIST}\n"));
    for (bad, says) in [
        ("\\x61", "is not the name of a square"),
        ("\\u00g1", "is not the name of a square"),
        ("\\u12", "is not the name of a square"),
        ("a\\n1", "is not the name of a square"),
        ("\\ud83d\\ude00", "is not the name of a square"),
        ("a\\", "the JSON text ends too early"),
    ] {
        let messages = read(&format!("[\"{bad}\"]"));
        assert!(messages.contains(says), "{bad}: {messages}");
    }
}

#[test]
fn broken_json_ends_at_a_later_line() {
    for (bad, says) in [
        ("[\"a1\" \"b3\"]", "this is not JSON: '\"' where ',' should be"),
        ("[\"a1\",", "the array has no end"),
        ("{\"board\" \"3x4\"}", "this is not JSON: '\"' where ':' should be"),
        ("{\"board\":\"six\"}", "'six' is not a board: write ROWSxCOLS, such as 6x6 or 3x10 (8 alone means 8x8)"),
        ("{\"ending\":\"half\"}", "the ending is open or closed, not 'half'"),
        ("{\"holes\":[\"a1\"]}", "holes need a board: name it in the object"),
        ("[1, 2, 3]", "an array of numbers needs a board: name it by --board, or write a row of a grid a line"),
        ("[true]", "a tour is an array of names or of numbers, such as [\"a1\", \"b3\"]"),
        (&"[".repeat(1000), "too many brackets around a tour"),
    ] {
        assert_eq!(read(bad), format!("tour 1, line 1: {says}\n"), "{bad}");
        // Reading goes on at the next line that begins as a tour does; what has no end may go on there.
        if says.ends_with("no end") || says.starts_with("an array of numbers") {
            continue;
        }
        let mended = read(&format!("{bad}\n  \"a1\",\n{LIST}\n[{ARRAY}]\n"));
        let skipped = "line 2: no tour begins with '\"a1\",'";
        assert_eq!(mended, format!("tour 1, line 1: {says}\n{skipped}\n2@3 {LIST}\n3@4 {LIST}\n"), "{bad}");
    }
}

#[test]
fn a_text_that_does_not_begin_with_a_tour_is_refused() {
    for noise in ["hello world", "12:30 it rains", "\"a1\"", "/dev/null", "é", "x", "a"] {
        let error = format!("line 1: no tour begins with '{noise}'");
        assert!(read(noise).starts_with(&error), "{}", read(noise));
        assert_eq!(read(&format!("{noise}\n\nand so on\n")).lines().count(), 1);
    }
    let long = read(&"q".repeat(1 << 20));
    assert!(long.len() < 250, "{long}");
    assert!(read("\0\0\0").starts_with("line 1: no tour begins with '\u{fffd}\u{fffd}\u{fffd}'"));
}

#[test]
fn endless_texts_are_read_in_bounded_memory() {
    struct Endless(&'static [u8], usize);
    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            into.iter_mut().for_each(|byte| {
                *byte = self.0[self.1 % self.0.len()];
                self.1 += 1;
            });
            Ok(into.len())
        }
    }
    let first = |text| TourReader::new(Endless(text, 0), None).next().unwrap();
    for text in
        [&b"\0"[..], b"x", b"3x4 ", b"[", b"12345", b"[\"q\",", b"8x8qqqqqqqqqqqqqqqqqqqqqqqqqqqq", b"a1qq\n", b"\xff"]
    {
        assert!(first(text).is_err(), "{:?}", String::from_utf8_lossy(text));
    }
    // A row without end, and a list with more squares than the board has.
    assert!(first(b"1 ").unwrap_err().to_string().contains("at most"));
    let text = "3x4 ".bytes().chain(std::iter::repeat_n(*b"a1 b3 ", 1000).flatten()).collect::<Vec<u8>>();
    assert_eq!(TourReader::new(&text[..], None).next().unwrap().unwrap().squares.len(), 14);
}

#[test]
fn long_texts_give_equal_results_for_any_number_of_threads() {
    let lines = 40_000;
    let faults = [3, 1_000, 1_001, 20_000, 39_999];
    let others = ["3x4 a3", "\u{fffd}", "x\0", " ", LIST];
    for (other, end) in others.into_iter().flat_map(|other| [(other, "\n"), (other, "")]) {
        let text: Vec<_> = (0..lines).map(|line| if faults.contains(&line) { other } else { LIST }).collect();
        let text = text.join("\n") + end;
        let read = |threads| {
            let (mut right, mut messages, mut tours) = (0, Vec::new(), TourReader::new(text.as_bytes(), None));
            loop {
                // With 0 threads every tour is read as an item.
                let plain = if threads > 0 { tours.take_plain(Ending::Open, threads).unwrap().tours } else { 0 };
                right += plain;
                if plain == 0 {
                    match tours.next() {
                        None => return (right, messages),
                        Some(Ok(tour)) if tour.squares.len() == 12 => right += 1,
                        Some(other) => messages.push(format!("{other:?}")),
                    }
                }
            }
        };
        let one_by_one = read(0);
        assert_eq!(one_by_one.1.is_empty(), other.trim().is_empty() || other == LIST, "{other}");
        for threads in [1, 2, 5] {
            assert_eq!(read(threads), one_by_one, "{other}");
        }
    }
}

/// A random walk that visits no square twice and prefers squares with few exits. It is a tour around all other squares.
fn some_tour() -> impl Strategy<Value = Tour> {
    (1u64..40, 1u64..40, any::<u64>(), 0usize..2000).prop_map(|(rows, cols, seed, steps)| {
        let (board, mut rng) = (Board::new(rows, cols).unwrap(), fastrand::Rng::with_seed(seed));
        let mut visited = vec![false; board.squares() as usize];
        let mut squares: Vec<Square> = board.at(rng.u32(0..board.squares())).into_iter().collect();
        while let Some(&here) = squares.last() {
            visited[here.index() as usize] = true;
            let free = |&square: &Square| !visited[square.index() as usize];
            let rank = |square: &Square| (board.neighbours(*square).filter(free).count(), rng.u32(..));
            match board.neighbours(here).filter(free).min_by_key(rank) {
                Some(next) if squares.len() <= steps => squares.push(next),
                _ => break,
            }
        }
        let holes = Holes::new(board.all().filter(|square| !visited[square.index() as usize]));
        let closes = board.adjacent(squares[squares.len() - 1], squares[0]);
        let ending = if closes { Ending::Closed } else { Ending::Open };
        Tour::verify(Shape::new(board, holes), ending, squares).unwrap()
    })
}

/// A tour as text, by one of the writers.
fn write_tour(write: impl FnOnce(&dyn Route, &mut Vec<u8>) -> Result<(), write::WriteError>, tour: &Tour) -> String {
    let mut text = Vec::new();
    write(&NumberedRoute::from(tour), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn object(tour: &Tour) -> String {
    let array = write_tour(|route, to| write::json(route, to), tour);
    let mut holes = Vec::new();
    write::json_squares(tour.board(), tour.holes().squares(), &mut holes).unwrap();
    let (board, ending) = (tour.board(), tour.ending().name());
    let holes = String::from_utf8(holes).unwrap();
    format!("{{\"board\":\"{board}\",\"ending\":\"{ending}\",\"holes\":{holes},\"tour\":{array}}}\n")
}

/// Asserts that tours are read back from every format.
fn assert_read_back(tours: &[Tour]) {
    type Writer = fn(&Tour) -> String;
    let writers: [Writer; 4] = [
        |tour| write_tour(|route, to| write::list(route, to), tour),
        |tour| write_tour(|route, to| write::grid(route, to), tour) + "\n",
        |tour| write_tour(|route, to| write::svg(route, write::Picture::default(), to), tour),
        object,
    ];
    for (i, writer) in writers.into_iter().enumerate() {
        let text: String = tours.iter().map(writer).collect();
        let read: Vec<ReadTour> = TourReader::new(text.as_bytes(), None).map(Result::unwrap).collect();
        assert_eq!(read.len(), tours.len(), "{text}");
        for (tour, read) in tours.iter().zip(read) {
            assert!(read.ending == (i > 1).then_some(tour.ending()), "lists and grids name no ending");
            assert_eq!(&check(read.shape, tour.ending(), read.squares), &Ok(tour.clone()), "{text}");
        }
    }
}

/// The grid of the first is `1`, which a wider grid may have above it as its size.
#[test]
fn a_tour_of_one_square_is_read_before_a_wider_one() {
    let one = Board::new(1, 1).unwrap();
    let one = Tour::verify(one, Ending::Open, one.all().collect::<Vec<_>>()).unwrap();
    let (board, squares) = parse_move_list(LIST).unwrap();
    let tour = Tour::verify(board, Ending::Open, squares).unwrap();
    assert_read_back(&[one.clone(), tour.clone()]);
    assert_read_back(&[tour.clone(), one.clone(), one, tour]);
    for (apart, tours) in [("", 1), ("\n", 2), ("\r\n", 2), ("# the next one\n", 1)] {
        assert_eq!(read(&format!("1\n{apart}{GRID}")).lines().count(), tours, "{apart}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_format_is_read_back_as_it_was_written(tours in prop::collection::vec(some_tour(), 1..4)) {
        assert_read_back(&tours);
    }

    #[test]
    fn no_text_makes_the_reader_panic_or_loop(text in "[ \n\"\\[\\]{},:<>x#.a1-3éu\\\\\0]{0,60}") {
        prop_assert!(TourReader::new(text.as_bytes(), None).count() <= text.len());
    }
}
