//! The tour view as a screen: writes pictures for its model.

use super::model::{ShownTour, TourModel, Tours};
use crate::store::write::{self, Picture};
use crate::ui::kit::{Action, Common, Effect, Notice, ScreenEvent};
use crate::ui::save;
use crate::ui::screen::{Exit, Feed, Model, ModelScreen, UiError};
use crate::ui::terminal::TerminalSession;
use crate::words::grouped;
use std::path::Path;

/// Squares of the largest tour that can be written as a picture.
const PICTURE_SQUARES_MAX: u32 = 1 << 18;

/// Writes the tour that is shown as a picture.
pub struct Pictures;

impl Feed<TourModel> for Pictures {
    fn perform(&mut self, model: &mut TourModel, effect: Effect) -> Effect {
        if effect != Effect::Do(Action::Picture) {
            return effect;
        }
        let notice = picture(model.shown(), Path::new("."));
        model.update(ScreenEvent::Said(notice))
    }
}

/// The view of some tours, with the first one at its start.
///
/// # Panics
/// If there is no tour.
pub fn screen(tours: Tours) -> ModelScreen<TourModel, Pictures> {
    ModelScreen::new(TourModel::new(tours, Common::for_session()), Pictures)
}

/// Writes a tour as an SVG picture to a new file in a folder; returns a notice of the result.
fn picture(shown: &ShownTour, folder: &Path) -> Notice {
    let bad = |text: String| Notice { text, bad: true };
    if !shown.route.is_whole() {
        return bad("a picture shows a whole tour, and this is a part".to_owned());
    }
    if shown.route.squares() > PICTURE_SQUARES_MAX {
        return bad(format!("a picture shows tours of up to {} squares", grouped(PICTURE_SQUARES_MAX)));
    }
    let (mut file, path) = match save::create(folder, "destrier-tour", "svg") {
        Ok(made) => made,
        Err(error) => return bad(format!("the picture could not be written: {error}")),
    };
    match write::svg(&*shown.route, Picture { numbers: None, groups: &shown.groups }, &mut file) {
        Ok(()) => Notice { text: format!("written to {}", path.display()), bad: false },
        Err(error) => {
            // An incomplete picture is removed. If that fails, too, the notice of the write error is enough.
            let _ = std::fs::remove_file(&path);
            bad(format!("the picture could not be written: {error}"))
        }
    }
}

/// Shows tours until the user leaves or a signal ends the session.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails. The terminal is restored in that case, too.
///
/// # Panics
/// If there is no tour.
pub fn show(tours: Tours) -> Result<Exit, UiError> {
    TerminalSession::enter()?.show(&mut screen(tours))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, NumberedRoute, Tour, parse_move_list};
    use std::sync::Arc;

    #[test]
    fn a_whole_tour_is_written_as_a_picture_and_a_part_is_not() {
        let (board, squares) = parse_move_list("3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2").unwrap();
        let tour = Tour::verify(board, Ending::Open, squares.clone()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let notice = picture(&ShownTour::new(Arc::new(NumberedRoute::from(&tour)), ""), folder.path());
        assert!(!notice.bad, "{}", notice.text);
        let text = std::fs::read_to_string(folder.path().join("destrier-tour-1.svg")).unwrap();
        assert!(text.contains("</svg>"));
        let part = NumberedRoute::part(board, Ending::Open, squares[..5].to_vec()).unwrap();
        assert!(picture(&ShownTour::new(Arc::new(part), ""), folder.path()).bad);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("none");
        assert!(picture(&ShownTour::new(Arc::new(NumberedRoute::from(&tour)), ""), &nowhere).bad);
    }
}
