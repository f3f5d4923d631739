//! Tours in every form, one after the other: those that are read as the last one was are counted as those that the rules read one by
//! one, also where some of them are wrong.

use destrier::board::{Board, Ending};
use destrier::store::{TourReadError, TourReader};

use crate::common::{random, run, stdout};
use crate::forms::take_at_once;

/// Writes a tour, which has this number.
type Writer = Box<dyn Fn(&[String], usize) -> String>;

/// Row and column of a square, from the top left.
fn spot(board: Board, name: &str) -> (u32, u32) {
    board.row_col(board.parse_square(name).unwrap())
}

/// The rows of move numbers of a tour, each word by `cell`.
fn rows(board: Board, names: &[String], cell: impl Fn(usize) -> String) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new(); board.cols() as usize]; board.rows() as usize];
    for (at, name) in names.iter().enumerate() {
        // A wrong name has no cell.
        if let Ok(square) = board.parse_square(name) {
            let (row, col) = board.row_col(square);
            rows[row as usize][col as usize] = cell(at + 1);
        }
    }
    rows
}

/// The forms by their names.
fn forms(board: Board) -> Vec<(&'static str, Writer)> {
    let mut forms = Vec::new();
    let mut add = |name, form: Writer| forms.push((name, form));
    for (name, head, between, end) in [
        ("commas", "B ", ", ", "\n"),
        ("tight commas", "B ", ",", "\n"),
        ("dashes", "", "-", "\n"),
        ("arrows", "B ", " -> ", "\r\n"),
        ("indented", "   B ", " ", "\n"),
        ("a tab", "B\t", " ", "\n"),
        ("a blank at the end", "B ", " ", " \n"),
        ("empty lines", "B ", " ", "\n\n"),
        ("comments", "# tour I of all\nB ", " ", "\n"),
        ("headings", "Tour I:\n", " ", "\n\n"),
        ("labels", "Tour I: ", " ", "\n"),
        ("a square a line", "", "\n", "\n\n"),
        ("JSON", "{\"board\":\"B\",\"tour\":[\"", "\",\"", "\"]}\n"),
        ("JSON, closed", "{\"tour\":[\"", "\", \"", "\"],\"ending\":\"closed\",\"board\":\"B\"}\n"),
        ("arrays", "[\"", "\",\"", "\"]\n"),
        ("arrays of Python", "['", "', '", "']\n\n"),
    ] {
        let text =
            move |text: &str, number: usize| text.replace('B', &board.to_string()).replace('I', &number.to_string());
        add(name, Box::new(move |names, at| text(head, at) + &names.join(between) + &text(end, at)));
    }
    for (name, open, between, close, first) in [
        ("pairs", "(r,c)", " ", "\n", 0),
        ("pairs from 1", "(r, c)", "->", "\n", 1),
        ("pairs, column first", "[c, r]", ", ", "\n", 0),
        ("array of pairs", "[r,c]", ",", "\n", 0),
    ] {
        add(
            name,
            Box::new(move |names, _| {
                let pair = |name: &String| match board.parse_square(name) {
                    Ok(_) => {
                        let (row, col) = spot(board, name);
                        open.replace('r', &(row + first).to_string()).replace('c', &(col + first).to_string())
                    }
                    Err(_) => name.clone(),
                };
                let pairs = names.iter().map(pair).collect::<Vec<_>>().join(between);
                if name == "array of pairs" { format!("[{pairs}]{close}") } else { pairs + close }
            }),
        );
    }
    for (name, between, open, close) in [
        ("grid", " ", "", "\n"),
        ("grid with CRLF", " ", "", "\r\n"),
        ("grid with commas", ",", "", "\n"),
        ("grid with tabs", "\t", "", "\n"),
        ("grid with bars", "|", "|", "|\n"),
        ("rows in brackets", ", ", "[", "]\n"),
    ] {
        let end = if close.ends_with("\r\n") { "\r\n" } else { "\n" };
        add(
            name,
            Box::new(move |names, _| {
                let row = |row: Vec<String>| format!("{open}{}{close}", row.join(between));
                rows(board, names, |at| format!("{at:>2}")).into_iter().map(row).collect::<String>() + end
            }),
        );
    }
    add(
        "numbered",
        Box::new(|names, _| {
            let moves = names.iter().enumerate().map(|(at, name)| format!("{}. {name}", at + 1));
            moves.collect::<Vec<_>>().join(" ") + "\n"
        }),
    );
    forms
}

/// Valid, closed and invalid tours, then all else that is counted; and how many tours the rules read.
fn counted(text: &str, board: Option<Board>, ending: Ending, threads: usize) -> (String, u64) {
    let (mut counts, mut others, mut by_rules) = ([0; 3], Vec::new(), 0);
    let mut tours = TourReader::new(text.as_bytes(), board);
    tours.count_wrong();
    loop {
        if take_at_once(&mut tours, ending, threads, &mut counts) {
            continue;
        }
        let Some(item) = tours.next() else { break };
        by_rules += 1;
        let judged = item.and_then(|tour| {
            let named = tour.ending.unwrap_or(ending);
            tour.verify(if ending == Ending::Closed { ending } else { named })
        });
        match judged {
            Ok(tour) => {
                let squares = tour.squares();
                counts[0] += 1;
                counts[1] += u64::from(tour.board().adjacent(squares[squares.len() - 1], squares[0]));
            }
            Err(TourReadError::Tour { .. }) => counts[2] += 1,
            Err(error) => others.push(error.to_string()),
        }
    }
    (format!("{counts:?} {others:?} {}", tours.passed_over()), by_rules)
}

#[test]
fn tours_in_every_form_are_counted_as_one_by_one() {
    let mut random = random();
    for size in ["3x4", "5x6", "8x8", "10x10"] {
        let board: Board = size.parse().unwrap();
        let lists = stdout(&run(&["find", size, "--tours", "9", "--format", "list"]));
        let tours: Vec<Vec<String>> =
            lists.lines().map(|line| line.split(' ').skip(1).map(str::to_owned).collect()).collect();
        for (name, form) in forms(board) {
            let (mut all, mut by_rules) = (0, 0);
            for round in 0..40 {
                let mut tours: Vec<Vec<String>> = (0..9).map(|_| tours[random.usize(..tours.len())].clone()).collect();
                // In a quarter of the rounds all tours are right.
                for _ in 0..round % 4 {
                    let tour = &mut tours[random.usize(..9)];
                    let (one, two) = (random.usize(..tour.len()), random.usize(..tour.len()));
                    match random.u8(..6) {
                        0..3 => tour.swap(one, two),
                        3 => tour[one] = tour[two].clone(),
                        4 => drop(tour.remove(one)),
                        _ => tour[one] = ["q7", "a0", "x", "99", "", "a1,"][random.usize(..6)].to_owned(),
                    }
                }
                let text: String = tours.iter().enumerate().map(|(at, tour)| form(tour, at + 1)).collect();
                let board = Some(board).filter(|_| random.bool() || name.starts_with("pairs"));
                let ending = if random.u8(..4) == 0 { Ending::Closed } else { Ending::Open };
                let expected = counted(&text, board, ending, 0).0;
                for threads in [1, 2] {
                    let (found, slow) = counted(&text, board, ending, threads);
                    assert_eq!(found, expected, "{size}, {name}: {text}");
                    by_rules += slow;
                    all += 9;
                }
            }
            // The first two are read by the rules, and the last one, behind which no other stands.
            assert!(2 * by_rules < 3 * all / 2, "{size}, {name}: {by_rules} of {all} are read by the rules");
        }
    }
}
