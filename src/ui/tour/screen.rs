//! The tour view as a screen: passes keys and time to the model.

use super::model::{ShownTour, TourEffect, TourModel, Tours, update};
use super::view::view;
use crate::store::write::{self, Picture};
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::{Clip, Clock, Notice, ScreenEvent, Surface};
use crate::ui::save;
use crate::ui::stage::{Screen, Stage, Turn};
use ratatui::Frame;
use std::path::Path;
use std::time::{Duration, Instant};

/// Greatest frame rate while the view plays: smooth enough, and little data for a slow line.
const FRAMES_PER_S: u32 = 15;

/// Squares of the largest tour that can be written as a picture.
const PICTURE_SQUARES_MAX: u32 = 1 << 18;

/// The tour view as a screen.
pub struct TourScreen {
    model: TourModel,
    clock: Clock,
}

impl TourScreen {
    /// The view of some tours, with the first one at its start.
    ///
    /// # Panics
    /// If there is no tour.
    pub fn new(tours: Tours) -> TourScreen {
        TourScreen { model: TourModel::new(tours, Surface::for_stage()), clock: Clock::default() }
    }
}

impl Screen for TourScreen {
    fn takes_keys(&self) -> bool {
        self.model.surface.takes_keys() || self.model.input.text().is_some()
    }

    fn take(&mut self, msg: ScreenEvent) -> Turn {
        let effect = update(&mut self.model, msg);
        self.clock.follow(self.model.playing);
        match effect {
            None => Turn::Stay,
            Some(TourEffect::Stage(wish)) => wish.into(),
            Some(TourEffect::Picture) => {
                let notice = picture(self.model.shown(), Path::new("."));
                self.take(ScreenEvent::Said(notice))
            }
        }
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn clip(&self) -> Option<Clip> {
        self.model.clip()
    }

    fn due(&self) -> Option<Instant> {
        let pace = Duration::from_secs(1) / self.model.pace.per_s().min(FRAMES_PER_S);
        self.clock.due(pace)
    }

    fn tick(&mut self, now: Instant) -> Turn {
        self.clock.passed(now).map_or(Turn::Stay, |passed| self.take(ScreenEvent::Passed(passed)))
    }
}

/// Writes a tour as an SVG picture to a new file in a folder; returns a notice of the result.
fn picture(shown: &ShownTour, folder: &Path) -> Notice {
    let bad = |text: String| Notice { text, bad: true };
    if !shown.route.is_whole() {
        return bad("a picture shows a whole tour, and this is a part".to_owned());
    }
    if shown.route.squares() > PICTURE_SQUARES_MAX {
        return bad(format!("a picture shows tours of up to {PICTURE_SQUARES_MAX} squares"));
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
    Stage::enter()?.show(&mut TourScreen::new(tours))
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
