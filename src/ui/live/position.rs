//! Opens the step-by-step screens from the live view: for the tour or position on the screen, and for the search.

use crate::board::{Ending, NumberedRoute, Route, Square, Tour};
use crate::find::strands::{StrandRoot, TourEnds};
use crate::find::{Attempt, AttemptProgress};
use crate::run::Question;
use crate::search::Drawing;
use crate::ui::live::model::LiveModel;
use crate::ui::screen::Screen;
use crate::ui::step::{CyclesSubject, StepSubject, WorkerPlace, cycles, steps};
use crate::ui::tour::ShownTour;
use std::sync::Arc;

/// Attempts to complete pieces to a tour. The node limit doubles each time up to 16 nodes a square, which takes some
/// milliseconds.
const COMPLETIONS: u64 = 16;

/// The tours found, as input of the tour view.
pub fn found_tours(question: &Question, tours: &[Arc<dyn Route>]) -> Vec<ShownTour> {
    let tie = if let Question::Find(_, request) = question { request.tie } else { None };
    let title = format!("found by {}", question.method());
    tours.iter().map(|route| ShownTour { tie, ..ShownTour::new(route.clone(), &*title) }).collect()
}

/// The position on the screen: a partial path as it is, or several pieces within one tour that contains them all.
///
/// # Errors
/// A sentence that says why there is nothing to step through.
pub fn on_screen(question: &Question, drawing: &Drawing, worker: usize) -> Result<ShownTour, String> {
    let (board, ending) = (question.board(), question.ending());
    let title = format!("{}, worker {worker}", question.method());
    if drawing.skipped > 0 {
        return Err(format!("only the end of a path of {board} is kept until it is a tour"));
    }
    let chains: Vec<Vec<Square>> =
        drawing.chains.iter().map(|chain| chain.iter().filter_map(|&index| board.at(index)).collect()).collect();
    match &chains[..] {
        [] | [_] => {
            let path = chains.into_iter().next().unwrap_or_default();
            if path.is_empty() {
                return Err("there is nothing on the board yet".to_owned());
            }
            let part = NumberedRoute::part(question.shape(), ending, path).map_err(|fault| fault.to_string())?;
            Ok(ShownTour::new(Arc::new(part), title))
        }
        pieces => {
            let tour = completed(question, pieces)
                .ok_or("no tour that holds these pieces was found at once; another moment may be better")?;
            Ok(ShownTour::new(Arc::new(NumberedRoute::from(&tour)), format!("{title}, its pieces completed")))
        }
    }
}

/// A tour of the board of the question, found by an attempt of edge strands.
///
/// # Errors
/// A sentence that says that none was found.
pub fn any_tour(question: &Question) -> Result<ShownTour, String> {
    let tour = completed(question, &[]).ok_or("no tour was found at once")?;
    Ok(ShownTour::new(Arc::new(NumberedRoute::from(&tour)), "one of its tours".to_owned()))
}

/// A tour that contains every move of the pieces, if one is found within [`COMPLETIONS`] attempts.
fn completed(question: &Question, pieces: &[Vec<Square>]) -> Option<Tour> {
    let (shape, ending) = (question.shape(), question.ending());
    let must: Vec<[Square; 2]> =
        pieces.iter().flat_map(|piece| piece.windows(2)).map(|pair| [pair[0], pair[1]]).collect();
    let (end, must_not) = match question {
        Question::Find(_, request) => (request.end, &request.must_not[..]),
        Question::Search(..) => (None, &[][..]),
    };
    let ends = match ending {
        Ending::Closed => TourEnds::Closed,
        Ending::Open => TourEnds::Open { start: question.start(), end },
    };
    let root = StrandRoot::new(shape, ends, &must, must_not).ok()?;
    (0..COMPLETIONS).find_map(|attempt| {
        let mut strands = root.attempt(0, attempt);
        match strands.advance(u64::MAX, &mut 0) {
            AttemptProgress::Found(squares) => Tour::verify(shape, ending, squares).ok(),
            _ => None,
        }
    })
}

/// The screen that explains the search of a question step by step, from the position of the selected worker on.
///
/// # Errors
/// A sentence that says why the search cannot be explained.
pub fn explanation(question: &Question, model: &LiveModel) -> Result<Box<dyn Screen>, String> {
    Ok(match question {
        Question::Find(finder, request) if finder.card().cycles => {
            let subject = CyclesSubject::of(request, false)?;
            let source = subject.start();
            Box::new(cycles(subject, source))
        }
        _ => {
            let (worker, position) = (model.selected, model.drawing.clone());
            let place = Some(WorkerPlace { worker, position, meanwhile: meanwhile(model) });
            Box::new(steps(StepSubject { place, ..StepSubject::of(question)? }))
        }
    })
}

/// What the run does while another screen covers it: a screen above does not hold it.
fn meanwhile(model: &LiveModel) -> &'static str {
    let playback = &model.playback;
    let is_paused = || match playback.shown() {
        None => model.snapshot.paused,
        Some(_) => playback.past().snapshot(playback.past().last()).is_some_and(|latest| latest.paused),
    };
    if playback.is_recorded() {
        "its run was recorded"
    } else if playback.end().is_some() {
        "the run has ended"
    } else if is_paused() {
        "the run stays paused"
    } else {
        "the run goes on meanwhile"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::run::End;
    use crate::schedule::{Scheduler, Snapshot};
    use crate::solve::{Problem, solver_by_name};
    use crate::ui::Theme;
    use crate::ui::kit::Common;
    use crate::ui::live::model::About;
    use ratatui::layout::Size;

    fn question(method: &str) -> Question {
        Question::Search(solver_by_name(method).unwrap(), Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed))
    }

    fn drawing(chains: &[&[u32]]) -> Drawing {
        Drawing { chains: chains.iter().map(|chain| chain.to_vec()).collect(), reserved: None, skipped: 0 }
    }

    #[test]
    fn the_step_view_says_what_the_run_does_meanwhile() {
        let common = Common::new(Theme::RICH, Size::new(80, 24));
        let about = About::new(&question("path"), true);
        let mut model = LiveModel::new(about, common, Scheduler::HIRE, 10, Snapshot::default());
        assert_eq!(meanwhile(&model), "the run goes on meanwhile");
        model.snapshot.paused = true;
        assert_eq!(meanwhile(&model), "the run stays paused");
        model.playback.close(End::Cut);
        assert_eq!(meanwhile(&model), "the run has ended");
    }

    #[test]
    fn a_partial_path_is_shown() {
        let shown = on_screen(&question("path"), &drawing(&[&[0, 13, 2]]), 3).unwrap();
        assert_eq!((shown.route.squares(), shown.title.as_str()), (3, "path, worker 3"));
        assert!(on_screen(&question("path"), &drawing(&[&[]]), 0).is_err());
    }

    #[test]
    fn pieces_are_shown_in_a_tour_that_contains_them() {
        let shown = on_screen(&question("edges"), &drawing(&[&[0, 13, 2], &[5, 16]]), 0).unwrap();
        let number = |index| shown.route.number_of(shown.route.board().at(index).unwrap()).unwrap();
        assert!(shown.route.is_whole());
        for (a, b) in [(0, 13), (13, 2), (5, 16)] {
            let apart = number(a).abs_diff(number(b));
            assert!(apart == 1 || apart == 35, "{a} {b}");
        }
    }
}
