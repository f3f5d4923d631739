//! One battery over all methods that find tours: whatever a method is asked, it answers with tours that obey the
//! request, refuses it, or says that there is none, and it says the same with one thread as with three.

use crate::common::tours::listed;
use destrier::board::{Board, Ending, Holes, MoveList, Shape, Square, Tour};
use destrier::event::EventSender;
use destrier::gpu::DeviceChoice;
use destrier::schedule::{Crew, CrewPlan, Scheduler};
use destrier::solve::{FindAnswer, Finder, Request, RequestOption, finders};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use tempfile::NamedTempFile;

/// A method that may take hours.
struct Slow {
    name: &'static str,
    /// Squares of the largest boards on which it answers within a blink.
    squares_max: u32,
    /// It does not know when there are no tours, or no more, and tries everything it has before it says so.
    by_luck: bool,
}

const SLOW: &[Slow] = &[
    Slow { name: "warnsdorff", squares_max: u32::MAX, by_luck: true },
    Slow { name: "order-by-avail", squares_max: 30, by_luck: false },
    Slow { name: "order-by-avail-reversed", squares_max: 25, by_luck: false },
    Slow { name: "dfs", squares_max: 25, by_luck: false },
    Slow { name: "genetic", squares_max: 25, by_luck: true },
];

impl Slow {
    /// Why the method is not asked this here, if it is not.
    fn spares(&self, request: &Request) -> Option<&'static str> {
        if request.board().squares() > self.squares_max {
            return Some("it may take hours");
        }
        // Where every tour was found already it would look for more.
        let for_nothing = is_impossible(request) || request.tours >= ALL;
        (self.by_luck && for_nothing).then_some("it would try long before it gives up")
    }
}

/// More tours than the boards have of which so many are asked.
const ALL: u64 = 20;

/// Boards that every method tours at least, of those that it takes.
const TOURED_MIN: usize = 3;

fn plain(board: &str, ending: Ending) -> Request {
    Request::new(board.parse::<Shape>().unwrap(), ending)
}

fn square(board: Board, name: &str) -> Square {
    board.parse_square(name).unwrap()
}

fn from(start: &str, request: Request) -> Request {
    Request { start: Some(square(request.board(), start)), ..request }
}

fn to(end: &str, request: Request) -> Request {
    Request { end: Some(square(request.board(), end)), ..request }
}

fn around(holes: &[&str], request: Request) -> Request {
    let holes = Holes::new(holes.iter().map(|name| square(request.board(), name)));
    Request { shape: Shape::new(request.board(), holes), ..request }
}

fn several(tours: u64, request: Request) -> Request {
    Request { tours, ..request }
}

/// Squares and oblongs, odd and even, narrow and wide, with and without what may be prescribed, and what is impossible.
fn requests() -> Vec<Request> {
    use Ending::{Closed, Open};
    let moves = plain("8x8", Open);
    let [c3, d5, a1, b3] = ["c3", "d5", "a1", "b3"].map(|name| square(moves.board(), name));
    vec![
        plain("1x1", Open),
        plain("1x1", Closed),
        plain("1x7", Open),
        plain("3x3", Open),
        plain("4x4", Open),
        plain("4x5", Closed),
        plain("5x5", Closed),
        // It has 16, directed.
        several(ALL, plain("3x4", Open)),
        several(3, from("a1", plain("5x5", Open))),
        from("a2", plain("5x5", Open)),
        several(3, plain("5x6", Closed)),
        plain("6x5", Open),
        several(2, from("c3", plain("6x6", Closed))),
        to("a6", from("a1", plain("6x6", Open))),
        to("f6", from("a1", plain("6x6", Open))),
        several(5, plain("8x8", Closed)),
        several(3, from("e6", plain("8x8", Open))),
        Request { must: vec![[c3, d5]], must_not: [[a1, b3]].into(), ..moves },
        // It has 16, undirected.
        several(ALL, plain("3x10", Closed)),
        several(2, plain("7x10", Open)),
        plain("10x7", Closed),
        several(2, plain("9x9", Open)),
        plain("12x12", Closed),
        plain("20x30", Open),
        plain("21x21", Open),
        around(&["b2"], plain("3x3", Closed)),
        around(&["d4"], plain("7x7", Closed)),
        around(&["c3"], plain("6x6", Closed)),
        several(2, around(&["c3", "d3"], plain("6x6", Closed))),
        from("a1", around(&["d4", "e4"], plain("8x8", Open))),
    ]
}

/// A method and what it wants besides a request: a device, which the CPU plays, or a file.
fn equipped(finder: &dyn Finder, request: &Request, library: &Path) -> Request {
    let wants = |knob| finder.name() != "auto" && finder.card().takes(&knob);
    Request {
        adapter: if wants(RequestOption::ADAPTER) { DeviceChoice::Cpu } else { DeviceChoice::Any },
        library: wants(RequestOption::LIBRARY).then(|| library.to_owned()),
        ..request.clone()
    }
}

/// All tours of 3x4 and of 5x6, open and closed.
fn library() -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    for (board, ending) in [("3x4", Ending::Open), ("5x6", Ending::Closed)] {
        let board: Board = board.parse().unwrap();
        for squares in listed(board, ending) {
            writeln!(file, "{}", MoveList { board, squares: &squares }).unwrap();
        }
    }
    file
}

/// Tours, or why there are none.
#[derive(PartialEq, Debug)]
enum Said {
    Tours(Vec<Vec<Square>>),
    Impossible(String),
    NotFound(String),
}

fn ask(finder: &dyn Finder, request: &Request, threads: usize) -> Said {
    let crew = Crew::new(CrewPlan::of(threads, Scheduler::HIRE), EventSender::nowhere());
    match finder.find(request, crew, &|_, _| {}).expect("no worker fails").answer {
        FindAnswer::Tours(routes) => Said::Tours(routes.iter().map(|route| route.walk().collect()).collect()),
        FindAnswer::Impossible(reason) => Said::Impossible(reason),
        FindAnswer::NotFound(reason) => Said::NotFound(reason),
        FindAnswer::Refused(reason) => panic!("{}: {reason}", finder.name()),
    }
}

/// The moves of a tour, each from the lesser to the greater of its squares.
fn moves(ending: Ending, squares: &[Square]) -> BTreeSet<[Square; 2]> {
    let back = (ending == Ending::Closed).then(|| [squares[squares.len() - 1], squares[0]]);
    let steps = squares.windows(2).map(|step| [step[0], step[1]]).chain(back);
    steps.map(|[a, b]| [a.min(b), a.max(b)]).collect()
}

/// Tours that obey the request, and are different.
fn check(tours: &[Vec<Square>], request: &Request, run: &str) {
    let ending = request.ending;
    assert!((1..=request.tours).contains(&(tours.len() as u64)), "{run}: {} tours", tours.len());
    let mut seen = BTreeSet::new();
    for squares in tours {
        let tour = Tour::verify(&request.shape, ending, squares.as_slice());
        tour.unwrap_or_else(|fault| panic!("{run}: {fault}"));
        assert!(request.start.is_none_or(|start| squares[0] == start), "{run}: its start");
        assert!(request.end.is_none_or(|end| squares[squares.len() - 1] == end), "{run}: its end");
        let moves = moves(ending, squares);
        let has = |&[a, b]: &[Square; 2]| moves.contains(&[a.min(b), a.max(b)]);
        assert!(request.must.iter().all(has) && !request.must_not.iter().any(has), "{run}: its moves");
        // A closed tour is the same wherever it begins and whichever way it goes.
        let way = if ending == Ending::Open { squares.clone() } else { Vec::new() };
        assert!(seen.insert((way, moves)), "{run}: a tour comes twice");
    }
}

/// Whether a theorem or the colours say so too.
fn is_impossible(request: &Request) -> bool {
    let Request { ref shape, ending, start, end, .. } = *request;
    let board = shape.board();
    let by_theorem = || match ending {
        Ending::Closed => !board.existence(ending).exists,
        Ending::Open => board.existence_between(start, end).is_some_and(|known| !known.exists),
    };
    shape.colours_forbid(ending, start, end).is_some() || (!shape.has_holes() && by_theorem())
}

/// Whether two answers to a request it takes are one, and right; whether that is tours.
fn tours(finder: &dyn Finder, request: &Request) -> bool {
    let run = format!("{} {request:?}", finder.name());
    let said = ask(finder, request, 1);
    match &said {
        Said::Tours(tours) => {
            assert!(!is_impossible(request), "{run}: a tour that cannot be");
            check(tours, request, &run);
        }
        Said::Impossible(reason) => {
            assert!(is_impossible(request) && !reason.is_empty(), "{run}: not impossible: {reason}");
        }
        Said::NotFound(reason) => assert!(!reason.is_empty(), "{run}: nothing, and no reason"),
    }
    assert_eq!(ask(finder, request, 3), said, "{run}: another answer with three threads");
    matches!(said, Said::Tours(_))
}

#[test]
fn every_method_answers_what_it_is_asked() {
    let (library, requests) = (library(), requests());
    for finder in finders() {
        let (name, mut toured) = (finder.name(), 0);
        for request in requests.iter().map(|request| equipped(finder, request, library.path())) {
            let board = request.board();
            if let Err(refusal) = finder.admits(&request) {
                assert!(!refusal.to_string().is_empty(), "{name} refuses {request:?} without a reason");
            } else if let Some(why) = SLOW.iter().find(|slow| slow.name == name).and_then(|slow| slow.spares(&request))
            {
                println!("left out as slow: {name} on {board} {:?}: {why}", request.ending);
            } else {
                toured += usize::from(tours(finder, &request));
            }
        }
        assert!(toured >= TOURED_MIN, "{name} toured {toured} boards");
    }
}

/// The names of the table are those of methods: one that is gone would stay in it for nothing.
#[test]
fn every_slow_method_is_there() {
    for Slow { name, .. } in SLOW {
        assert!(destrier::solve::finder_by_name(name).is_some(), "{name}");
    }
}

/// These two take anything and find whatever there is.
#[test]
fn what_there_is_is_found() {
    for request in requests().iter().filter(|request| !is_impossible(request)) {
        for name in ["auto", "edges"] {
            let finder = destrier::solve::finder_by_name(name).unwrap();
            assert!(tours(finder, request), "{name} finds none: {request:?}");
        }
    }
}
