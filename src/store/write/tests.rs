//! Tests of the writers: equal text for stored tours and routes, faults found, closed pipes reported.

use super::text::BLOCK;
use super::*;
use crate::board::{
    Board, Ending, NumberedRoute, Route, RouteHead, Square, Tour, TourFault, WALK_BLOCK, parse_move_list,
};
use std::io::{self, Write};

const OPEN_3X4: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";

fn tour() -> Tour {
    let (board, squares) = parse_move_list(OPEN_3X4).unwrap();
    Tour::verify(board, Ending::Open, squares).unwrap()
}

type Writer = fn(&dyn Route, &mut dyn Write) -> Result<(), WriteError>;

const WRITERS: [Writer; 4] = [list, grid, json, |route, to| svg(route, Picture::default(), to)];

fn text(write: impl Fn(&dyn Route, &mut dyn Write) -> Result<(), WriteError>) -> String {
    let mut text = Vec::new();
    write(&NumberedRoute::from(&tour()), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn routes_are_written_as_stored_tours_are() {
    assert_eq!(text(list), tour().move_list().to_string() + "\n");
    assert_eq!(text(grid), tour().grid().to_string());
    assert_eq!(text(json), format!("[\"{}\"]", OPEN_3X4[4..].replace(' ', "\",\"")));
}

/// A tour in which square number `at` is replaced: it visits a square twice, or jumps.
#[derive(Debug)]
struct Astray {
    tour: NumberedRoute,
    at: u32,
    square: u32,
}

impl Route for Astray {
    fn head(&self) -> &RouteHead {
        self.tour.head()
    }
    fn squares(&self) -> u32 {
        self.tour.squares()
    }
    fn square_at(&self, k: u32) -> Option<Square> {
        if k == self.at { self.board().at(self.square) } else { self.tour.square_at(k) }
    }
    fn number_of(&self, square: Square) -> Option<u32> {
        if square.index() == self.square { Some(self.at) } else { self.tour.number_of(square) }
    }
}

#[test]
fn a_route_that_is_no_tour_is_a_fault_in_every_writer() {
    let tour = NumberedRoute::from(&tour());
    for (at, square) in (0..12).flat_map(|at| (0..12).map(move |square| (at, square))) {
        let same = tour.square_at(at).is_some_and(|own| own.index() == square);
        let route = Astray { tour: tour.clone(), at, square };
        for (i, write) in WRITERS.into_iter().enumerate() {
            let written = write(&route, &mut io::sink());
            assert_eq!(matches!(written, Err(WriteError::Fault(_))), !same, "writer {i}, {square} as number {at}");
        }
    }
    let part = NumberedRoute::part(tour.board(), Ending::Open, tour.walk().take(5).collect()).unwrap();
    let (_, squares) = parse_move_list(OPEN_3X4).unwrap();
    let open = NumberedRoute::part(tour.board(), Ending::Closed, squares).unwrap();
    for write in WRITERS {
        assert!(matches!(write(&part, &mut io::sink()), Err(WriteError::Fault(TourFault::Length { .. }))));
        assert!(matches!(write(&open, &mut io::sink()), Err(WriteError::Fault(TourFault::NotClosed { .. }))));
    }
}

/// A pipe that takes some bytes and is then closed.
struct Pipe(usize);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(self.0);
        self.0 -= count;
        Ok(count)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_an_error_of_its_own() {
    for write in WRITERS {
        match write(&NumberedRoute::from(&tour()), &mut Pipe(7)) {
            Err(WriteError::Io(error)) => assert_eq!(error.kind(), io::ErrorKind::BrokenPipe),
            other => panic!("{other:?}"),
        }
    }
}

/// A route up and down the first two of three columns. It is long, takes no memory, and turns out to be no tour at its end.
#[derive(Debug)]
struct Long(RouteHead);

impl Route for Long {
    fn head(&self) -> &RouteHead {
        &self.0
    }
    fn squares(&self) -> u32 {
        1_500_000
    }
    fn square_at(&self, k: u32) -> Option<Square> {
        self.board().square(2 * k, k % 2).filter(|_| k < self.squares())
    }
    fn number_of(&self, square: Square) -> Option<u32> {
        let (row, _) = self.board().row_col(square);
        Some(row / 2).filter(|&k| self.square_at(k) == Some(square))
    }
}

#[test]
fn a_long_route_is_written_in_blocks() {
    struct Longest(usize, usize);
    impl Write for Longest {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            *self = Longest(self.0.max(bytes.len()), self.1 + bytes.len());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut to = Longest(0, 0);
    let head = RouteHead { shape: Board::new(3_000_000, 3).unwrap().into(), ending: Ending::Open };
    assert!(matches!(list(&Long(head), &mut to), Err(WriteError::Fault(TourFault::Length { .. }))));
    assert!(to.0 <= BLOCK + 16 * WALK_BLOCK && to.1 > 10_000_000, "blocks of {} bytes, {} in all", to.0, to.1);
}

#[test]
fn a_picture_draws_every_move_once_whatever_its_colour() {
    let draw = |picture: Picture<'_>| text(|route, to| svg(route, picture, to));
    let moves = |svg: &str| svg.lines().filter(|line| line.starts_with("<path")).flat_map(|l| l.matches('l')).count();
    let whole = draw(Picture::default());
    assert_eq!(moves(&whole), 11);
    let groups = [0..3, 3..6, 6..9, 9..12];
    let parts = draw(Picture { groups: &groups, ..Picture::default() });
    // And two lines of the cross.
    assert_eq!(moves(&parts), 11 + 2);
    for colour in ["#0072b2", "#d55e00", "#009e73", "#b0489b"] {
        assert!(parts.contains(&format!("<path stroke=\"{colour}\"")), "{colour}");
    }
    let texts = |numbers| draw(Picture { numbers: Some(numbers), ..Picture::default() }).matches("<text").count();
    assert_eq!((texts(true), texts(false)), (12 + 7, 7));
}
