//! Every form in which tours are published, changed at one place: a tour that is spoilt is never passed over, and never read as
//! another one. A plain second reader, which knows nothing of forms but names and numbers in their order, says what a text holds.

use destrier::board::{Board, Ending};
use destrier::store::{TourReadError, TourReader};

use crate::common::{random, run, stdout};

const LIST: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";
const GRID: [[u32; 4]; 3] = [[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]];

/// What the words of a form are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Names,
    Numbers,
    Pairs,
}

struct Form {
    name: &'static str,
    kind: Kind,
    board: Option<Board>,
    text: String,
}

/// A tour of 3x4 in every form.
fn forms() -> Vec<Form> {
    let board: Board = "3x4".parse().unwrap();
    let names: Vec<&str> = LIST.split(' ').skip(1).collect();
    let places = || names.iter().map(|name| board.row_col(board.parse_square(name).unwrap()));
    let pairs = |first: u32, between: &str| -> Vec<String> {
        places().map(|(row, col)| format!("{}{between}{}", row + first, col + first)).collect()
    };
    let bracketed = |open: &str, close: &str| -> Vec<String> {
        pairs(0, ", ").iter().map(|pair| format!("{open}{pair}{close}")).collect()
    };
    let counted = |sign: &str| -> Vec<String> {
        names.iter().enumerate().map(|(i, name)| format!("{}{sign} {name}", i + 1)).collect()
    };
    let rows = |open: &str, between: &str, close: &str, less: u32| -> Vec<String> {
        let row = |row: &[u32; 4]| row.map(|number| format!("{:>2}", number - less)).join(between);
        GRID.iter().map(|numbers| format!("{open}{}{close}", row(numbers))).collect()
    };
    let ranked = |sign: &str| -> String {
        rows("", " ", "", 0).iter().enumerate().map(|(i, row)| format!("{}{sign} {row}\n", 3 - i)).collect()
    };
    let table = |first: usize| -> String {
        let head: Vec<String> = (first..first + 4).map(|col| col.to_string()).collect();
        let rows = rows("", ",", "", 0).into_iter().enumerate().map(|(i, row)| format!("\n{},{row}", first + i));
        format!(",{}{}", head.join(","), rows.collect::<String>())
    };
    let squares: Vec<String> = places().map(|(row, col)| (row * 4 + col + 1).to_string()).collect();
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let rule = "\n+--+--+--+--+\n";
    let known = Some(board);
    let list = [
        ("list", Kind::Names, None, LIST.to_owned()),
        ("names", Kind::Names, None, names.join(" ")),
        ("glued names", Kind::Names, None, names.concat().to_uppercase()),
        ("dashes", Kind::Names, None, names.join("-")),
        ("arrows", Kind::Names, None, names.join(" -> ")),
        ("signs", Kind::Names, None, names.join("\u{2192}")),
        ("commas", Kind::Names, None, names.join(", ")),
        ("numbered", Kind::Names, None, counted(".").join(" ")),
        ("numbered lines", Kind::Names, None, counted(")").join("\n")),
        ("a name a line", Kind::Names, None, names.join("\n")),
        ("several a line", Kind::Names, known, names.chunks(5).map(|line| line.join(" ") + "\n").collect()),
        ("below its board", Kind::Names, None, format!("3 x 4\n{}", names.join(" "))),
        ("object", Kind::Names, None, format!("{{\"board\":\"3x4\",\"tour\":[{}]}}", quoted.join(","))),
        ("array of names", Kind::Names, None, format!("[\n {}\n]", quoted.join(",\n "))),
        ("tuples", Kind::Pairs, known, bracketed("(", ")").join("->")),
        ("tuples in an array", Kind::Pairs, known, format!("[{}]", bracketed("(", ")").join(", "))),
        ("a tuple a line", Kind::Pairs, known, bracketed("(", ")").join("\n")),
        ("a pair a line", Kind::Pairs, known, pairs(0, ",").join("\n")),
        ("pairs", Kind::Pairs, known, pairs(1, "/").join(" ")),
        ("array of pairs", Kind::Pairs, known, format!("[{}]", bracketed("[", "]").join(", "))),
        ("array of numbers", Kind::Numbers, known, format!("[{}]", squares.join(", "))),
        ("section", Kind::Numbers, known, format!("TYPE : TOUR\nTOUR_SECTION\n{}\n-1\nEOF\n", squares.join("\n"))),
        ("grid", Kind::Numbers, None, rows("", " ", "", 0).join("\n")),
        ("grid from 0", Kind::Numbers, None, rows("", ",", "", 1).join("\n")),
        ("semicolons", Kind::Numbers, None, rows("", ";", ";", 0).join("\n")),
        ("tabs", Kind::Numbers, None, rows("", "\t", "", 0).join("\r\n")),
        ("box", Kind::Numbers, None, format!("{}{rule}", rows("|", "|", "|", 0).join(rule))),
        ("drawn", Kind::Numbers, None, rows("\u{2502}", "\u{2502}", "\u{2502}", 0).join("\n")),
        ("rows in brackets", Kind::Numbers, None, rows("[", " ", "]", 0).join("\n")),
        ("array of rows", Kind::Numbers, None, format!("[{}]", rows("[", ", ", "]", 1).join(",\n "))),
        ("braces", Kind::Numbers, None, format!("{{{}}};", rows("{", ", ", "}", 0).join(", "))),
        ("with files", Kind::Numbers, None, format!("{}\n a  b  c  d\n", rows("", " ", "", 0).join("\n"))),
        ("with ranks", Kind::Numbers, None, format!("{}   a  b  c  d\n", ranked("-"))),
        ("a table from 0", Kind::Numbers, None, table(0)),
        ("a table from 1", Kind::Numbers, None, table(1)),
        ("fences", Kind::Numbers, None, format!("```\n{}\n```\n", rows("", " ", "", 0).join("\n"))),
        (
            "in a language",
            Kind::Numbers,
            None,
            format!("int tour[][] = {{\n{}\n}};\n", rows("{", ",", "}", 0).join(",\n")),
        ),
        ("below a size", Kind::Numbers, None, format!("3x4\n{}", rows("", " ", "", 0).join("\n"))),
        ("below a heading", Kind::Numbers, None, format!("Tour one:\n{}", rows("", " ", "", 0).join("\n"))),
        ("below a comment", Kind::Numbers, None, format!("# one\n{}", rows("", " ", "", 0).join("\n"))),
    ];
    list.into_iter().map(|(name, kind, board, text)| Form { name, kind, board, text }).collect()
}

/// The words of a text in their order, names in lower case. Boards, numbers of moves and of rows are none.
fn words(text: &str, kind: Kind) -> Vec<String> {
    let mut words = Vec::new();
    let chars: Vec<char> = text.to_lowercase().chars().collect();
    let run =
        |from: usize, is_in: fn(&char) -> bool| chars[from.min(chars.len())..].iter().take_while(|c| is_in(c)).count();
    let blanks = |from: usize| run(from, |c| matches!(c, ' ' | '\t'));
    let mut at = 0;
    while at < chars.len() {
        let letters = run(at, char::is_ascii_alphabetic);
        let digits = run(at + letters, char::is_ascii_digit);
        // A board.
        let by = at + digits + blanks(at + digits);
        let cols = by + 1 + blanks(by + 1);
        if letters == 0 && digits > 0 && chars.get(by) == Some(&'x') && run(cols, char::is_ascii_digit) > 0 {
            at = cols + run(cols, char::is_ascii_digit);
            continue;
        }
        let text = |from: usize, to: usize| chars[from..to].iter().collect::<String>();
        let number = text(at + letters, at + letters + digits).trim_start_matches('0').to_owned();
        let next = chars.get(at + letters + digits).copied().unwrap_or(' ');
        // The number of a row, or the end of a section, which a comment may be, too.
        let before = at.checked_sub(1).map(|at| chars[at]);
        // A whole number may have a point.
        let is_first = chars[..at].iter().rev().take_while(|&&c| c != '\n').all(|&c| c == ' ');
        let is_point = next == '.' && is_first;
        let is_row = next == '-'
            || ((is_point || matches!(next, ')' | ':')) && matches!(chars.get(at + digits + 1), Some(' ' | '-')));
        let is_counted = kind == Kind::Numbers && (is_row || matches!(before, Some('-' | '%')));
        match (letters > 0, digits > 0) {
            (true, true) if kind == Kind::Names => words.push(text(at, at + letters) + &number),
            (false, true) if kind == Kind::Names && at > 0 && chars[at - 1] == '#' => {
                let board: Board = "3x4".parse().unwrap();
                words.extend(board.parse_square(&format!("#{number}")).map(|square| board.name(square)));
            }
            (false, true) if kind != Kind::Names && !is_counted => words.push(number),
            _ => {}
        }
        at += (letters + digits).max(1);
    }
    words
}

/// The words of the tours that are read, in the order of the text; `None` if a tour is wrong or something is not read.
fn read(form: &Form, text: &str) -> Option<Vec<String>> {
    let mut read = Vec::new();
    for tour in TourReader::new(text.as_bytes(), form.board) {
        let tour = tour.ok()?.verify(Ending::Open).ok()?;
        read.push(tour);
    }
    let mut said = Vec::new();
    for tour in &read[1..] {
        let board = tour.board();
        let names = || tour.squares().iter().map(|&square| board.name(square));
        match form.kind {
            // A number alone is a tour of 1x1.
            Kind::Names if board.squares() > 1 => said.extend(names()),
            Kind::Names => {}
            // What the numbers say of the squares, the forms of their own tests hold.
            Kind::Numbers => said.extend((0..tour.squares().len()).map(|_| String::new())),
            Kind::Pairs => said.extend((0..2 * tour.squares().len()).map(|_| String::new())),
        }
    }
    Some(said)
}

#[test]
fn every_form_is_read_and_a_sign_that_is_in_none_is_found_on_its_line() {
    for form in forms() {
        let text = format!("{LIST}\n\n{}", form.text);
        assert!(read(&form, &text).is_some_and(|read| !read.is_empty()), "{}: {text}", form.name);
        let heads = text.len() - form.text.len();
        for (at, byte) in form.text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
            let mut changed = text.clone().into_bytes();
            changed[heads + at] = b'~';
            let line = 1 + changed[..heads + at].iter().filter(|&&byte| byte == b'\n').count() as u64;
            let before = changed[..heads + at].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
            // A pair may have a blank in it, and what stands before the squares has a place of its own.
            let is_any = form.kind == Kind::Pairs || ["below its board", "object", "braces"].contains(&form.name);
            let is_word = |text: &[u8]| !text.iter().any(|byte| b" \t;|".contains(byte));
            let is_column = |from: u64| is_any || before.get(from as usize - 1..).is_some_and(is_word);
            let errors: Vec<TourReadError> = TourReader::new(&changed[..], form.board)
                .filter_map(|tour| tour.and_then(|tour| tour.verify(Ending::Open)).err())
                .collect();
            let is_there = errors.iter().any(|error| match error {
                TourReadError::Tour { line: found, column, .. } => *found == line && column.is_none_or(is_column),
                TourReadError::Skipped { from, to, .. } => (*from..=*to).contains(&line),
                _ => false,
            });
            let changed = String::from_utf8_lossy(&changed);
            assert!(is_there, "{}: {} at {at}: {changed}: {errors:?}", form.name, char::from(byte));
        }
    }
}

#[test]
fn a_form_with_one_change_is_wrong_or_has_all_of_its_words() {
    let signs: Vec<char> = " \n\t,;|.-#%/*~xX[](){}<>:\"'=_+0197ac\u{2502}".chars().collect();
    let (mut sound, mut lost) = (0, Vec::new());
    for form in forms() {
        let chars: Vec<char> = form.text.chars().collect();
        let mut changes: Vec<Vec<char>> = Vec::new();
        // What stands above or before a tour may have any word.
        let head = match form.name {
            "object" => form.text.find("tour").unwrap(),
            "with ranks" => 2,
            "section" => form.text.find("SECTION").unwrap(),
            name if ["below", "in a language", "a table"].iter().any(|begin| name.starts_with(begin)) => {
                form.text.find('\n').unwrap() + 1
            }
            _ => 0,
        };
        for at in head..=chars.len() {
            for &sign in &signs {
                changes.push([&chars[..at], &[sign], &chars[at..]].concat());
                changes.extend((at < chars.len()).then(|| [&chars[..at], &[sign], &chars[at + 1..]].concat()));
            }
            changes.extend((at < chars.len()).then(|| [&chars[..at], &chars[at + 1..]].concat()));
        }
        let lines: Vec<&str> = form.text.split('\n').collect();
        for at in 0..lines.len() {
            let without = [&lines[..at], &lines[at + 1..]].concat().join("\n");
            let twice = [&lines[..=at], &lines[at..]].concat().join("\n");
            changes.extend([without, twice].map(|text| text.chars().collect()));
        }
        for changed in changes {
            let changed: String = changed.into_iter().collect();
            let text = format!("{LIST}\n\n{changed}");
            let Some(read) = read(&form, &text) else { continue };
            sound += 1;
            let words = words(&changed, form.kind);
            let is_whole = match form.kind {
                Kind::Names => read == words,
                // The numbers of the rows, and of the columns where they are not gone.
                _ if form.name.starts_with("a table") => [read.len() + 3, read.len() + 7].contains(&words.len()),
                _ => read.len() == words.len(),
            };
            if !is_whole {
                lost.push(format!("{}: {changed:?} read {} has {}", form.name, read.len(), words.len()));
            }
        }
    }
    assert!(lost.is_empty(), "{} lost\n{}", lost.len(), lost[..lost.len().min(140)].join("\n"));
    assert!(sound > 10_000, "{sound} changes leave a tour");
}

/// Counts the next tours that are taken many at once, valid, closed and invalid ones. With 0 threads every tour is read as an item.
pub fn take_at_once(tours: &mut TourReader<&[u8]>, ending: Ending, threads: usize, counts: &mut [u64; 3]) -> bool {
    if threads == 0 {
        return false;
    }
    let plain = tours.take_plain(ending, threads).unwrap();
    let more = [plain.tours, plain.closed, plain.wrong];
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
    plain.tours + plain.wrong > 0
}

/// What is read of a text: valid, closed and invalid tours, then all else that the reader counts; and its messages.
fn counted(text: &[u8], board: Option<Board>, ending: Ending, threads: usize) -> (String, Vec<String>) {
    let (mut counts, mut skipped, mut messages) = ([0; 3], Vec::new(), Vec::new());
    let mut tours = TourReader::new(text, board);
    tours.count_wrong();
    loop {
        if take_at_once(&mut tours, ending, threads, &mut counts) {
            continue;
        }
        let Some(item) = tours.next() else { break };
        match item.and_then(|tour| tour.verify(ending)) {
            Ok(tour) => {
                let squares = tour.squares();
                counts[0] += 1;
                counts[1] += u64::from(tour.board().adjacent(squares[squares.len() - 1], squares[0]));
            }
            Err(error @ TourReadError::Tour { .. }) => {
                counts[2] += 1;
                messages.push(error.to_string());
            }
            Err(error) => skipped.push(error.to_string()),
        }
    }
    (format!("{counts:?} {skipped:?} {:?} {}", tours.forms(), tours.passed_over()), messages)
}

/// Tours written in one way, one of them changed: those that are verified many at a time are counted as those that are read one by one.
#[test]
fn many_tours_at_once_are_counted_as_one_by_one() {
    let mut random = random();
    let (mut quick, mut slow) = (0, 0);
    for size in ["3x4", "5x8", "8x8", "9x10", "10x10", "16x16"] {
        let list = stdout(&run(&["find", size, "--format", "list"]));
        let grid = stdout(&run(&["find", size, "--format", "grid"])) + "\n";
        let board = size.parse().ok();
        let names = &list[size.len() + 1..];
        let upper = |text: &str| text.to_uppercase().replace('X', "x");
        for (tour, board) in [
            (list.clone(), None),
            (list.clone(), board),
            (list.replace('\n', "\r\n"), None),
            (upper(&list), None),
            (names.to_owned(), None),
            (names.to_owned(), board),
            (upper(names).replace('\n', "\r\n"), board),
            (grid.clone(), None),
            (grid.clone(), board),
            (grid.replace(' ', "  "), None),
        ] {
            for _ in 0..120 {
                let mut words: Vec<String> = tour.split(' ').map(str::to_owned).collect();
                let (one, two) = (random.usize(0..words.len()), random.usize(0..words.len()));
                match random.u8(0..8) {
                    0 | 1 => words.swap(one, two),
                    2 => words[one] = words[two].clone(),
                    3 => words.truncate(one + 1),
                    4 => words.insert(one, words[two].clone()),
                    5 => drop(words.remove(one)),
                    6 => {
                        words[one] = ["i3", "b99", "z1", "a0", "a01", "A1", "300", "0", "", "\n", "without"]
                            [random.usize(0..11)]
                        .to_owned()
                    }
                    _ => {
                        let signs = [",", "x", "-", "\n", "\r", "1", "\u{e9}", "~", "\t", "\twithout "];
                        let at = random.usize(0..=words[one].len());
                        if words[one].is_char_boundary(at) {
                            words[one].insert_str(at, signs[random.usize(0..signs.len())]);
                        }
                    }
                }
                let mut changed = words.join(" ");
                if !changed.ends_with('\n') {
                    changed.push('\n');
                }
                let times = random.usize(1..4);
                let text = tour.repeat(3) + &changed.repeat(times) + &tour.repeat(random.usize(0..3)) + &changed;
                let ending = if random.bool() { Ending::Open } else { Ending::Closed };
                let (expected, messages) = counted(text.as_bytes(), board, ending, 0);
                for threads in [1, 2] {
                    let (found, left) = counted(text.as_bytes(), board, ending, threads);
                    assert_eq!(found, expected, "{text}");
                    assert!(left.iter().all(|message| messages.contains(message)), "{left:?}\n{messages:?}\n{text}");
                    quick += messages.len() - left.len();
                    slow += left.len();
                }
            }
        }
    }
    assert!(quick > 10_000, "{quick} of {} are counted without reading them again", quick + slow);
}

/// What each item of a text is: valid, invalid, lines that are not read, and lines that are passed over. A text without a tour has
/// all of its lines not read.
fn judged(text: &str, board: Option<Board>) -> [u64; 4] {
    let (mut judged, mut tours) = ([0; 4], TourReader::new(text.as_bytes(), board));
    for item in tours.by_ref() {
        match item.and_then(|tour| tour.verify(Ending::Open)) {
            Ok(_) => judged[0] += 1,
            Err(TourReadError::Skipped { from, to, .. }) => judged[2] += to + 1 - from,
            Err(TourReadError::Broken(_)) => judged[2] += text.lines().count() as u64,
            Err(_) => judged[1] += 1,
        }
    }
    judged[3] = tours.passed_over();
    judged
}

/// Files of tours, some of them with a typing error: each tour alone has the verdict that it has among the others, and each line is
/// counted once.
#[test]
fn a_tour_alone_has_the_verdict_that_it_has_among_others() {
    let mut random = random();
    let letters = b"0123456789abcdefghxX .,-#()[]:/\"";
    let mut wrong = 0;
    for (size, is_grid) in [("5x8", false), ("8x8", false), ("5x8", true), ("8x8", true)] {
        let format = if is_grid { "grid" } else { "list" };
        let text = stdout(&run(&["find", size, "--tours", "9", "--format", format]));
        let whole: Vec<String> = match is_grid {
            true => text.split("\n\n").map(|grid| grid.trim_end().to_owned() + "\n").collect(),
            false => text.lines().map(|line| line.to_owned() + "\n").collect(),
        };
        let names: Vec<String> = whole.iter().map(|tour| tour.replace(&format!("{size} "), "")).collect();
        let board = size.parse().ok();
        for (tours, board) in [(&whole, None), (&whole, board), (&names, board)] {
            let mut check = |texts: Vec<String>| {
                let expected = texts.iter().fold([0; 4], |mut all, text| {
                    all.iter_mut().zip(judged(text, board)).for_each(|(all, one)| *all += one);
                    all
                });
                let text = texts.join(if is_grid { "\n" } else { "" });
                let found = judged(&text, board);
                assert_eq!(found, expected, "{text}");
                // One tour a line: each line is in one of the counts.
                assert!(is_grid || found.iter().sum::<u64>() == texts.len() as u64, "{found:?} {text}");
                wrong += found[1];
            };
            // A bracket that is never closed, before a name or a digit, takes no tour behind it.
            for (bracket, cut) in ["[", "(", "{"].into_iter().flat_map(|bracket| [(bracket, 0), (bracket, 1)]) {
                let mut texts = tours.clone();
                texts[2].replace_range(..cut, bracket);
                check(texts);
            }
            for _ in 0..150 {
                let mut texts = tours.clone();
                // A spoilt tour has a whole one behind it.
                for text in texts.iter_mut().step_by(2) {
                    let (at, letter) = (random.usize(..text.len() - 1), letters[random.usize(..letters.len())]);
                    match random.u8(..3) {
                        0 => text.insert(at, letter.into()),
                        1 => drop(text.remove(at)),
                        _ => text.replace_range(at..=at, std::str::from_utf8(&[letter]).unwrap()),
                    }
                }
                check(texts);
            }
        }
    }
    assert!(wrong > 2000, "{wrong}");
}
