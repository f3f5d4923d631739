//! `auto`: answers an impossible request at once, and leaves every other request to the fastest method that takes it.

use super::card::Refusal;
use super::finder::{FindResult, Finder, FinderCard, GenerationListener, Request, RequestOption, why_impossible};
use super::{dfs, edges, formula, gpu_cycles, lookup, numbers, warnsdorff};
use crate::schedule::{Crew, RunError};

/// Number of squares of the largest board on which `edges` serves requests for many tours, which differ all over the board.
const VARIED_MAX: u32 = 30 * 30;
/// Number of squares of the largest board on which `edges` answers within about a second, whatever the request prescribes.
const EDGES_MAX: u32 = 100 * 100;

/// The finder `auto`.
pub struct AutoFinder;

impl Finder for AutoFinder {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard {
            options: &RequestOption::ALL,
            ..FinderCard::new(
                "auto",
                "says at once what is impossible and why, else takes the fastest method for the request",
            )
        };
        &CARD
    }

    fn delegate(&self, request: &Request) -> Option<&'static dyn Finder> {
        choose(request).ok()
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        choose(request).map(|_| ())
    }

    fn find(&self, request: &Request, crew: Crew, listener: &GenerationListener<'_>) -> Result<FindResult, RunError> {
        if let Some(reason) = why_impossible(request) {
            return FindResult::impossible(&crew, reason);
        }
        match choose(request) {
            Ok(finder) => finder.find(request, crew, listener),
            Err(refusal) => unreachable!("the request was admitted: {refusal}"),
        }
    }
}

/// The method to which `auto` leaves the request: the first of [`candidates`] that uses all options of the request and takes
/// it. If no method takes the request, the refusal is that of the first candidate.
fn choose(request: &Request) -> Result<&'static dyn Finder, Refusal> {
    let options = || RequestOption::ALL.into_iter().filter(|option| (option.is_set)(request));
    let uses_options = |finder: &&dyn Finder| options().all(|option| finder.card().takes(&option));
    let mut refused = None;
    for finder in candidates(request).iter().copied().filter(uses_options) {
        match finder.admits(request) {
            Ok(()) => return Ok(finder),
            Err(refusal) => refused = refused.or(Some(refusal)),
        }
    }
    Err(refused.unwrap_or_else(|| {
        Refusal(format!(
            "no method takes all options of this request for a tour of {}; leave out an option",
            request.board()
        ))
    }))
}

/// The methods that may take the request, the fastest first.
///
/// An option that only some methods use decides first. Constructions take no time, but they have one tour or a few.
/// `edges` takes any request and finds tours that differ all over the board, but not on boards of any size.
fn candidates(request: &Request) -> &'static [&'static dyn Finder] {
    let squares = request.board().squares();
    let narrow = request.board().rows().min(request.board().cols()) < 5;
    if RequestOption::ALL.into_iter().any(|option| (option.is_set)(request)) {
        &[&lookup::LookupFinder, &warnsdorff::WARNSDORFF, &dfs::DFS, &gpu_cycles::GpuCyclesFinder, &numbers::NUMBERS]
    } else if !request.restricts_ends_only() || request.end.is_some() {
        &[&edges::EDGES, &warnsdorff::WARNSDORFF]
    } else if request.start.is_some() {
        match squares {
            ..=EDGES_MAX => &[&edges::EDGES, &formula::TILES, &warnsdorff::WARNSDORFF],
            _ => &[&formula::TILES, &warnsdorff::WARNSDORFF, &edges::EDGES],
        }
    } else if request.tours > 1 && squares <= VARIED_MAX && !(narrow && squares > 60) {
        &[&edges::EDGES, &formula::TILES, &warnsdorff::WARNSDORFF]
    } else {
        &[&formula::TILES, &formula::QUADRANTS, &edges::EDGES, &warnsdorff::WARNSDORFF]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::ask;
    use super::*;
    use crate::board::{Ending, Holes, Shape, Tour};
    use crate::find::Tie;
    use crate::gpu::DeviceChoice;

    fn request(board: &str, ending: Ending) -> Request {
        Request::new(board.parse::<Shape>().unwrap(), ending)
    }

    #[test]
    fn every_board_of_up_to_11x11_is_answered() {
        for (rows, cols) in (1..=11).flat_map(|rows| (rows..=11).map(move |cols| (rows, cols))) {
            for ending in [Ending::Open, Ending::Closed] {
                let asked = request(&format!("{rows}x{cols}"), ending);
                let expected = asked.board().existence(ending);
                match ask(&AutoFinder, &asked, 1) {
                    Ok(tours) => assert!(Tour::verify(asked.board(), ending, tours[0].as_slice()).is_ok()),
                    Err(reason) => assert_eq!(reason, format!("impossible: {}", expected.reason), "{rows}x{cols}"),
                }
            }
        }
    }

    #[test]
    fn the_request_decides_on_the_method() {
        let name = |request: &Request| choose(request).map(|finder| finder.name());
        let plain = request("8x8", Ending::Open);
        assert_eq!(name(&Request { tours: 5, ..plain.clone() }), Ok("edges"));
        assert_eq!(name(&Request { start: plain.board().at(0), ..plain.clone() }), Ok("edges"));
        assert_eq!(
            name(&Request { shape: Shape::new(plain.board(), Holes::new(plain.board().at(0))), ..plain.clone() }),
            Ok("edges")
        );
        for (asked, only) in [
            (Request { tie: Some(Tie::Roth), ..plain.clone() }, "warnsdorff"),
            (Request { hops: 2, ..plain.clone() }, "warnsdorff"),
            (Request { order: Some(crate::find::MoveOrder::Natural), ..plain.clone() }, "dfs"),
            (Request { adapter: DeviceChoice::Cpu, ..plain.clone() }, "gpu-cycles"),
        ] {
            assert_eq!(name(&asked).ok(), Some(only));
        }
        let large = request("1000x1000", Ending::Open);
        assert!(name(&Request { end: large.board().at(0), ..large }).unwrap_err().0.contains("1,000,000 squares"));
    }
}
