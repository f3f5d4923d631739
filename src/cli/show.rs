//! `destrier show`: tours from a file or stdin, looked at move by move.

use super::args::ShowArgs;
use super::screen::left;
use super::terminal::on_screen;
use crate::board::{Ending, NumberedRoute, TourFacts, TourFault};
use crate::job::{Answer, Failure, refuse_if, safe, usage};
use crate::store::{self, ReadTour, TourReadError, TourReader, check, fault_number, tour_location};
use crate::ui::tour::{self, ShownTour, Tours};
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

/// Most tours that are read: more are not looked at one by one.
const TOURS_MAX: usize = 10_000;
/// Squares of all tours together at most, but for the first tour, which is shown whatever its size; eight bytes each.
const SQUARES_MAX: usize = 1 << 25;

/// Shows the tours until the user leaves.
///
/// # Errors
/// [`Failure`] without a terminal, without a tour, or when the terminal fails.
pub fn run(args: &ShowArgs) -> Result<Answer, Failure> {
    refuse_if(!on_screen()?, "show needs a terminal for its screen; verify reads tours without one")?;
    let mut tours = match args.file.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) => {
            let refused = |error: &dyn Display| usage(format!("{}: {error}", file.display()));
            let opened = store::open_tours(file).map_err(|error| refused(&error))?;
            let mut tours = TourReader::of_shape(opened, args.board.as_ref());
            tours.seek(args.tour.unwrap_or(1)).map_err(|error| refused(&error))?;
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
            read_tours(&name, tours, args.tour)?
        }
        None if io::stdin().is_terminal() => return Err(usage("show needs tours: name a file, or pipe them in")),
        None => read_tours("stdin", TourReader::of_shape(io::stdin().lock(), args.board.as_ref()), args.tour)?,
    };
    // The names of files are on the screen, and what stands in them.
    tours.routes.iter_mut().for_each(|shown| shown.title = safe(&shown.title));
    tours.note = tours.note.as_deref().map(safe);
    left(tour::show(tours))
}

/// What is read next of a text.
type ReadResult = Result<ReadTour, TourReadError>;

/// The tours of a text from this number on, as many as are shown, and what is to be said of the others.
fn read_tours(name: &str, tours: impl Iterator<Item = ReadResult>, from: Option<u64>) -> Result<Tours, Failure> {
    let title = from.map_or(name.to_owned(), |from| format!("{name} from its tour {from} on"));
    let (mut last, from) = (0, from.unwrap_or(1));
    let (mut routes, mut squares) = (Vec::new(), 0);
    let (mut bad, mut first_bad, mut note) = (0, None, None);
    for read in tours {
        last = index(&read).unwrap_or(last);
        if index(&read).is_some_and(|index| index < from) {
            continue;
        }
        let shown = match read {
            Ok(tour) => {
                squares += tour.shape.board().squares() as usize;
                if routes.len() == TOURS_MAX || (squares > SQUARES_MAX && !routes.is_empty()) {
                    note = Some(only(if from == 1 { "first" } else { "next" }, routes.len()));
                    break;
                }
                shown(&title, tour)
            }
            Err(error @ (TourReadError::Tour { .. } | TourReadError::Skipped { .. })) => Err(error.to_string()),
            Err(error) if routes.is_empty() => return Err(usage(format!("{name}: {error}"))),
            Err(error) => {
                note = Some(format!("it cannot be read to its end: {error}"));
                break;
            }
        };
        match shown {
            Ok(shown) => routes.push(shown),
            Err(reason) => {
                bad += 1;
                first_bad.get_or_insert(reason);
            }
        }
    }
    if routes.is_empty() {
        let none = match last {
            0 => "there is no tour in it".to_owned(),
            _ => format!("there is no tour {from} in it: it has {last}"),
        };
        return Err(usage(format!("{name}: {}", first_bad.unwrap_or(none))));
    }
    Ok(Tours { routes, note: note.or_else(|| Some(format!("{bad} cannot be shown: {}", first_bad?))) })
}

/// That only so many tours are shown.
fn only(which: &str, shown: usize) -> String {
    match shown {
        1 => format!("only the {which} tour is shown"),
        tours => format!("only the {which} {tours} tours are shown"),
    }
}

/// The number of a tour, or of the last of those that cannot be read.
fn index(read: &ReadResult) -> Option<u64> {
    match read {
        Ok(ReadTour { index, .. }) => Some(*index),
        Err(TourReadError::Tour { index, tours, .. }) => Some(index + tours - 1),
        Err(TourReadError::Skipped { .. } | TourReadError::Broken(_)) => None,
    }
}

/// What was read, as far as it is a way of a knight: a list that goes wrong is shown up to there, and says so.
fn shown(name: &str, tour: ReadTour) -> Result<ShownTour, String> {
    let (line, board) = (tour.line(), tour.shape.board());
    let ReadTour { index, shape, ending, mut squares, .. } = tour;
    let numbered = |tour| ShownTour { number: Some(index), ..tour };
    let closes = |(first, last)| board.adjacent(first, last);
    let closed = squares.first().copied().zip(squares.last().copied()).is_some_and(closes);
    let ending = ending.unwrap_or(if closed { Ending::Closed } else { Ending::Open });
    let fault = match check(shape.clone(), ending, squares.clone()) {
        Ok(tour) => {
            let facts = TourFacts::of(&tour).to_string();
            return Ok(numbered(ShownTour { facts, ..ShownTour::new(Arc::new(NumberedRoute::from(&tour)), name) }));
        }
        Err(fault) => fault,
    };
    let wrong = format!("{}: {fault}", tour_location(index, line));
    squares.truncate(fault_number(&fault, squares.len()) - 1);
    // All moves are right: it is a part, and meant to be one.
    let title = if matches!(fault, TourFault::Length { .. }) { name.to_owned() } else { format!("{name}: {fault}") };
    if squares.is_empty() {
        return Err(wrong);
    }
    let part = NumberedRoute::part(shape, Ending::Open, squares).map_err(|_| wrong)?;
    Ok(numbered(ShownTour::new(Arc::new(part), title)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOUR: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n";

    fn read(text: &str) -> Tours {
        read_tours("file", TourReader::new(text.as_bytes(), None), None).unwrap()
    }

    #[test]
    fn tours_parts_and_lists_that_go_wrong_are_shown_as_far_as_they_go() {
        let text = format!("{TOUR}3x4 a3 c2 a1\n3x4 a3 c2 a1 b2 d1\n3x3 a3 c2 a1 b3 c1 a2 c3 b1 without b2\n");
        let tours = read(&text);
        let squares: Vec<u32> = tours.routes.iter().map(|shown| shown.route.squares()).collect();
        assert_eq!(squares, [12, 3, 3, 8]);
        let titles: Vec<&str> = tours.routes.iter().map(|shown| shown.title.as_str()).collect();
        assert_eq!(titles, ["file", "file", "file: move 4: no knight's move leads from a1 to b2", "file"]);
        assert!(!tours.routes[1].route.is_whole() && tours.routes[3].route.is_whole());
        assert_eq!(tours.routes.iter().map(|shown| shown.route.ending()).filter(|e| *e == Ending::Closed).count(), 1);
        assert_eq!(tours.note, None);
    }

    #[test]
    fn what_cannot_be_shown_is_said() {
        let tours = read(&format!("{TOUR}3x4 a3 e9\n"));
        assert_eq!(tours.routes.len(), 1);
        assert!(tours.note.unwrap().starts_with("1 cannot be shown: tour 2, line 2: move 2: 'e9' is not on the board"));
        let refused =
            |text: &str| read_tours("file", TourReader::new(text.as_bytes(), None), None).unwrap_err().to_string();
        assert_eq!(refused(""), "file: there is no tour in it");
        assert!(refused("noise\n").starts_with("file: line 1: no tour begins with 'noise'"));
        assert!(refused("3x4 a3 e9\n").starts_with("file: tour 1, line 1: move 2"));
    }

    #[test]
    fn of_very_many_tours_the_first_are_shown() {
        let tours = read(&TOUR.repeat(TOURS_MAX + 1));
        assert_eq!(tours.routes.len(), TOURS_MAX);
        assert_eq!(tours.note.as_deref(), Some("only the first 10000 tours are shown"));
        assert_eq!(read(&TOUR.repeat(TOURS_MAX)).note, None);
    }

    #[test]
    fn tours_are_shown_from_a_number_on() {
        let from = |number| {
            let text = format!("{TOUR}3x4 a3 e9\n{TOUR}3x4 a3 c2 a1\n");
            read_tours("file", TourReader::new(text.as_bytes(), None), Some(number))
        };
        let shown = |number| {
            let tours = from(number).unwrap();
            tours.routes.iter().map(|shown| shown.route.squares()).collect::<Vec<_>>()
        };
        assert_eq!([1, 2, 3, 4].map(shown), [vec![12, 12, 3], vec![12, 3], vec![12, 3], vec![3]]);
        assert_eq!((from(2).unwrap().note.is_some(), from(3).unwrap().note), (true, None));
        assert_eq!(from(4).unwrap().routes[0].title, "file from its tour 4 on");
        assert_eq!(from(5).unwrap_err().to_string(), "file: there is no tour 5 in it: it has 4");
    }
}
