//! `lookup`: tours from a file, each verified as it is read.
//!
//! A tour that fits the request is served unchanged. Of any other tour the first image that fits is served: turned or
//! mirrored, reversed, and, if the tour closes, started at another square. Each tour of the file is served at most once. If
//! more tours fit than are requested, the seed chooses. Memory holds only the tours chosen, whatever the size of the file.
//!
//! A file with an unreadable part, or with a path that is no tour, is refused, whatever its format. The unreadable part might
//! have been chosen, so an answer from the rest would not be the answer that the file gives.

use super::card::{Refusal, refuse};
use super::finder::{
    FindAnswer, FindResult, Finder, FinderCard, GenerationListener, Request, RequestOption, packed_route,
};
use crate::board::{Ending, Holes, Square, Symmetry, Tour};
use crate::schedule::{Crew, RunError};
use crate::store::{TourReader, open_tours};
use crate::words::{grouped, number_of};
use fastrand::Rng;
use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

/// The finder `lookup`.
pub struct LookupFinder;

impl Finder for LookupFinder {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard {
            options: &[RequestOption::LIBRARY],
            attempts: false,
            ..FinderCard::new(
                "lookup",
                "tours of a file (--library FILE), turned, mirrored, reversed or started elsewhere if necessary",
            )
        };
        &CARD
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        refuse(request.prescribes_moves().then_some("lookup takes no prescribed moves; use edges, which does"))?;
        let path = library_path(request)?;
        let name = path.display();
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(Refusal(format!("{name} is a folder; name a file of tours"))),
            Ok(_) => Ok(()),
            Err(error) => Err(Refusal(format!("{name}: {error}"))),
        }
    }

    fn find(&self, request: &Request, crew: Crew, _: &GenerationListener<'_>) -> Result<FindResult, RunError> {
        let watch = crew.watch();
        let look = || match library_path(request) {
            Ok(path) => match open_tours(path) {
                Ok(file) => choose(request, file, path, || watch.halted()),
                Err(error) => FindAnswer::Refused(format!("{}: {error}", path.display())),
            },
            Err(refusal) => FindAnswer::NotFound(refusal.to_string()),
        };
        let (answer, outcome) = crew.construct(look)?;
        Ok(FindResult { answer, attempts: 0, device: None, outcome })
    }
}

fn library_path(request: &Request) -> Result<&Path, Refusal> {
    let needed = || Refusal("lookup serves the tours of a file; name the file with --library FILE".to_owned());
    request.library.as_deref().ok_or_else(needed)
}

/// Reads every tour and keeps a random choice of those that fit, as many as requested. Ends early when `halted`. `path` is
/// the name of the file for messages.
fn choose(request: &Request, input: impl Read, path: &Path, halted: impl Fn() -> bool) -> FindAnswer {
    let mut rng = Rng::with_seed(request.seed);
    let mut misfits = Misfits::default();
    let (mut read, mut fitting) = (0, 0);
    let (mut chosen, mut seen): (Vec<Tour>, HashSet<Box<[Square]>>) = Default::default();
    for item in TourReader::new(input, None) {
        if halted() {
            return FindAnswer::NotFound(format!("the run was stopped after {} tours were read", grouped(read)));
        }
        let verified = item.and_then(|item| {
            let ending = item.ending.unwrap_or(Ending::Open);
            item.verify(ending)
        });
        let tour = match verified {
            Ok(tour) => tour,
            Err(damage) => return FindAnswer::Refused(damage_message(path, &damage.to_string(), read)),
        };
        read += 1;
        match fitting_image(request, &tour) {
            Err(misfit) => misfits.0[misfit as usize] += 1,
            Ok(tour) if seen.contains(&tour.reading()) => {}
            Ok(tour) => {
                fitting += 1;
                // Every tour that fits has an equal chance to be kept.
                let place = if fitting <= request.tours { chosen.len() as u64 } else { rng.u64(..fitting) };
                if place >= request.tours {
                    continue;
                }
                seen.insert(tour.reading());
                match chosen.get_mut(place as usize) {
                    Some(old) => drop(seen.remove(&std::mem::replace(old, tour).reading())),
                    None => chosen.push(tour),
                }
            }
        }
    }
    if chosen.is_empty() {
        return FindAnswer::NotFound(misfits.sentence(path, read));
    }
    rng.shuffle(&mut chosen);
    FindAnswer::Tours(chosen.iter().map(packed_route).collect())
}

/// The message about a damaged file of which `read` tours were read.
fn damage_message(path: &Path, damage: &str, read: u64) -> String {
    let (path, tours) = (path.display(), number_of(read, "tour"));
    format!("{path}: {damage}; {tours} before that can be read; list all faults of the file with destrier verify")
}

/// Why a tour of the file does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Misfit {
    /// The tour is of another board.
    Board,
    /// The tour leaves out other squares.
    Holes,
    /// The tour does not close.
    Ending,
    /// No image of the tour has the requested ends.
    Ends,
}

/// The number of tours that do not fit, for each [`Misfit`].
#[derive(Default)]
struct Misfits([u64; 4]);

impl Misfits {
    fn sentence(&self, path: &Path, read: u64) -> String {
        let words = ["of other boards", "around other holes", "not closed", "with other ends, however turned"];
        let parts = self.0.iter().zip(words).filter(|&(&n, _)| n > 0);
        let parts: Vec<_> = parts.map(|(&n, words)| format!("{} {words}", grouped(n))).collect();
        let path = path.display();
        match read {
            0 => format!("there is no tour in {path}"),
            read => format!("no tour in {path} fits; {} read: {}", grouped(read), parts.join(", ")),
        }
    }
}

/// The tour if it fits the request, else its first image that fits.
fn fitting_image(request: &Request, tour: &Tour) -> Result<Tour, Misfit> {
    let (from, board) = (tour.board(), request.board());
    let squares = tour.squares();
    let lands = |symmetry: &Symmetry| board == if symmetry.exchanges_sides() { from.transposed() } else { from };
    let symmetries = Symmetry::ALL.into_iter().filter(lands).collect::<Vec<_>>();
    if symmetries.is_empty() {
        return Err(Misfit::Board);
    }
    let holes = |symmetry: Symmetry| Holes::new(tour.holes().squares().iter().map(|&hole| symmetry.apply(from, hole)));
    let symmetries: Vec<_> = symmetries.into_iter().filter(|&symmetry| holes(symmetry) == *request.holes()).collect();
    if symmetries.is_empty() {
        return Err(Misfit::Holes);
    }
    let closes = from.adjacent(squares[0], squares[squares.len() - 1]);
    if request.ending == Ending::Closed && !closes {
        return Err(Misfit::Ending);
    }
    let images = symmetries.into_iter().flat_map(|symmetry| {
        let image: Vec<_> = squares.iter().map(|&square| symmetry.apply(from, square)).collect();
        let reversed = image.iter().rev().copied().collect();
        [image, reversed]
    });
    let fitting = images.filter_map(|image| with_requested_ends(request, image, closes)).next();
    fitting.and_then(|image| Tour::verify(&request.shape, request.ending, image).ok()).ok_or(Misfit::Ends)
}

/// The path with the requested ends. A path that closes is started at another square if necessary. `None` if the ends do not
/// fit.
fn with_requested_ends(request: &Request, mut way: Vec<Square>, closes: bool) -> Option<Vec<Square>> {
    let place = |square: Option<Square>| way.iter().position(|&other| Some(other) == square);
    if closes {
        let first = place(request.start).or_else(|| place(request.end).map(|last| last + 1)).unwrap_or(0);
        let squares = way.len();
        way.rotate_left(first % squares);
    }
    let fits = |requested: Option<Square>, own: Option<&Square>| requested.is_none() || requested.as_ref() == own;
    (fits(request.start, way.first()) && fits(request.end, way.last())).then_some(way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Shape, parse_move_list};
    use crate::find::run;
    use crate::find::strands::{StrandRoot, TourEnds};
    use crate::solve::testing::{crew, tours};
    use proptest::prelude::*;
    use std::io::Write;

    /// 1 4 7 10 / 12 9 2 5 / 3 6 11 8.
    const OPEN_3X4: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2";
    /// The cycle around the middle of 3x3.
    const AROUND: &str = "3x3 a3 c2 a1 b3 c1 a2 c3 b1 without b2";
    fn request(board: &str, ending: Ending) -> Request {
        Request::new(board.parse::<Shape>().unwrap(), ending)
    }

    fn answer(request: &Request, text: &str) -> FindAnswer {
        choose(request, text.as_bytes(), Path::new("tours.txt"), || false)
    }

    fn names(answer: &FindAnswer) -> Vec<String> {
        let FindAnswer::Tours(routes) = answer else { panic!("{answer:?}") };
        let name = |route: &std::sync::Arc<dyn crate::board::Route>| {
            let squares: Vec<_> = route.walk().map(|square| route.board().name(square).to_string()).collect();
            squares.join(" ")
        };
        routes.iter().map(name).collect()
    }

    fn reason(answer: &FindAnswer) -> &str {
        match answer {
            FindAnswer::NotFound(reason) | FindAnswer::Refused(reason) => reason,
            answer => panic!("{answer:?}"),
        }
    }

    /// Different closed tours of 6x6.
    fn closed_6x6() -> Vec<Tour> {
        let board: Board = "6x6".parse().unwrap();
        let root = StrandRoot::new(board, TourEnds::Closed, &[], &[]).unwrap();
        let cycles = (0..60).filter_map(|seed| run(&mut root.attempt(seed, 0)).0);
        let tours: HashSet<_> = cycles.map(|cycle| Tour::verify(board, Ending::Closed, cycle).unwrap()).collect();
        assert!(tours.len() > 10);
        let mut tours: Vec<_> = tours.into_iter().collect();
        tours.sort_by_key(|tour| tour.squares().to_vec());
        tours
    }

    fn library(tours: &[Tour]) -> String {
        tours.iter().map(|tour| format!("{}\n", tour.move_list())).collect()
    }

    #[test]
    fn a_tour_that_fits_is_served_unchanged() {
        for ending in [Ending::Open, Ending::Closed] {
            let tours = closed_6x6();
            let served = answer(&request("6x6", ending), &library(&tours[3..4]));
            assert_eq!(format!("6x6 {}", names(&served)[0]), tours[3].move_list().to_string());
        }
    }

    #[test]
    fn images_fit_where_the_tour_does_not() {
        // The tour of 3x4 is turned to 4x3. It ends on the left edge, and its images end on any edge.
        let turned = names(&answer(&request("4x3", Ending::Open), OPEN_3X4));
        let (board, squares) = parse_move_list(&format!("4x3 {}", turned[0])).unwrap();
        assert!(Tour::verify(board, Ending::Open, squares).is_ok());
        let board: Board = "3x4".parse().unwrap();
        let square = |name: &str| Some(board.parse_square(name).unwrap());
        let asked = |start: &str, end: &str| {
            let request = Request { start: square(start), end: square(end), ..Request::new(board, Ending::Open) };
            answer(&request, OPEN_3X4)
        };
        for (start, end) in [("a3", "a2"), ("a2", "a3"), ("d3", "d2"), ("a1", "a2"), ("d2", "d1")] {
            let names = names(&asked(start, end));
            assert!(names[0].starts_with(start) && names[0].ends_with(end), "{names:?}");
        }
        assert_eq!(reason(&asked("a3", "b2")), "no tour in tours.txt fits; 1 read: 1 with other ends, however turned");
    }

    #[test]
    fn a_closed_tour_is_started_at_any_square() {
        let tours = closed_6x6();
        let tour = &tours[0];
        let text = library(&tours[..1]);
        for k in 0..36 {
            let (start, end) = (Some(tour.squares()[k]), Some(tour.squares()[(k + 35) % 36]));
            for ending in [Ending::Open, Ending::Closed] {
                let begun = Request { start, ..request("6x6", ending) };
                assert!(names(&answer(&begun, &text)).len() == 1, "from {start:?}");
            }
            for (start, end) in [(start, end), (end, start), (None, end)] {
                let ended = Request { start, end, ..request("6x6", Ending::Open) };
                assert!(names(&answer(&ended, &text)).len() == 1, "from {start:?} to {end:?}");
            }
        }
    }

    #[test]
    fn tours_that_do_not_fit_are_counted_by_kind() {
        let text = format!("{OPEN_3X4}\n{AROUND}\n");
        let said = |request: Request| reason(&answer(&request, &text)).to_owned();
        let read = "no tour in tours.txt fits; 2 read";
        assert_eq!(said(request("8x8", Ending::Open)), format!("{read}: 2 of other boards"));
        assert_eq!(said(request("3x4", Ending::Closed)), format!("{read}: 1 of other boards, 1 not closed"));
        assert_eq!(said(request("3x3", Ending::Closed)), format!("{read}: 1 of other boards, 1 around other holes"));
        let around = Request::new("3x3-b2".parse::<Shape>().unwrap(), Ending::Closed);
        assert_eq!(names(&answer(&around, &text)), ["a3 c2 a1 b3 c1 a2 c3 b1"]);
    }

    #[test]
    fn the_seed_chooses_among_tours_and_serves_each_once() {
        let tours = closed_6x6();
        let text = library(&tours) + &library(&tours);
        let chosen = |wanted, seed| {
            let request = Request { tours: wanted, seed, ..request("6x6", Ending::Closed) };
            names(&answer(&request, &text))
        };
        assert_eq!(chosen(1, 1), chosen(1, 1));
        let ones: HashSet<_> = (0..40).flat_map(|seed| chosen(1, seed)).collect();
        assert!(ones.len() > 5, "{}", ones.len());
        for wanted in [2, 5, 1000] {
            let some = chosen(wanted, 7);
            assert_eq!(some.len() as u64, wanted.min(tours.len() as u64));
            assert_eq!(some.iter().collect::<HashSet<_>>().len(), some.len());
        }
    }

    #[test]
    fn the_file_must_be_named_and_contain_tours() {
        let mut asked = request("3x4", Ending::Open);
        let refusal = |asked: &Request| LookupFinder.admits(asked).unwrap_err().to_string();
        assert_eq!(refusal(&asked), "lookup serves the tours of a file; name the file with --library FILE");
        asked.library = Some("/no/such/file".into());
        assert!(refusal(&asked).starts_with("/no/such/file: No such file"), "{}", refusal(&asked));
        let noise = answer(&asked, "once upon a time\n");
        assert!(reason(&noise).starts_with("tours.txt: line 1: no tour begins with"), "{noise:?}");
        assert!(matches!(noise, FindAnswer::Refused(_)));
        let rest = "1 tour before that can be read; list all faults of the file with destrier verify";
        for (what, line) in [("tour 2, ", "3x4 a3 c2 a2"), ("tour 2, ", "3x4 a9"), ("", "\0")] {
            let damaged = answer(&asked, &format!("{OPEN_3X4}\n{line}\n{OPEN_3X4}\n"));
            let is_named = |why: &str| why.starts_with(&format!("tours.txt: {what}line 2: ")) && why.ends_with(rest);
            assert!(matches!(&damaged, FindAnswer::Refused(why) if is_named(why)), "{damaged:?}");
        }
        assert_eq!(reason(&answer(&asked, "")), "there is no tour in tours.txt");

        let mut file = tempfile::NamedTempFile::new().unwrap();
        writeln!(file, "{OPEN_3X4}").unwrap();
        asked.library = Some(file.path().into());
        assert_eq!(LookupFinder.admits(&asked), Ok(()));
        assert_eq!(tours(&LookupFinder.find(&asked, crew(2), &|_, _| {}).unwrap()).len(), 1);
    }

    proptest! {
        #[test]
        fn every_image_of_an_open_tour_is_served_when_its_ends_are_requested(k in 0usize..8, reversed: bool) {
            let (from, squares) = parse_move_list(OPEN_3X4).unwrap();
            let image = Tour::verify(from, Ending::Open, squares).unwrap().image(Symmetry::ALL[k]);
            let (first, last) = (image.squares().first().copied(), image.squares().last().copied());
            let (start, end) = if reversed { (last, first) } else { (first, last) };
            let asked = Request { start, end, ..Request::new(image.board(), Ending::Open) };
            let FindAnswer::Tours(routes) = answer(&asked, OPEN_3X4) else { panic!("not served") };
            prop_assert_eq!((routes[0].square_at(0), routes[0].square_at(11)), (start, end));
        }
    }
}
