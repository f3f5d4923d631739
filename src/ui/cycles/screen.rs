//! The view of the cycles as a screen: gets time, reads the device, and sends it wishes.

use super::model::{CyclesModel, CyclesMsg, update};
use super::subject::{CyclesSubject, LastBoard};
use super::view::view;
use crate::gpu::cycle::Film;
use crate::run::{Body, Source};
use crate::ui::end::{Exit, UiError};
use crate::ui::kit;
use crate::ui::kit::{Clock, Surface};
use crate::ui::stage::Stage;
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// Time between two frames while anything moves.
const FRAME: Duration = Duration::from_millis(50);

/// The view of the cycles as a screen.
pub struct Cycles {
    model: CyclesModel,
    source: Box<dyn Source>,
    clock: Clock,
}

impl Cycles {
    /// The view of a run before its first cycle, on the device of `source`.
    pub fn new(subject: CyclesSubject, source: Box<dyn Source>) -> Cycles {
        let CyclesSubject { first, wanted, runs } = subject;
        let model = CyclesModel::new(Film::of(first), wanted, runs, Surface::of_terminal());
        let mut clock = Clock::default();
        // The device is opened even if nothing moves yet.
        clock.follow(true);
        Cycles { model, source, clock }
    }

    /// The last board of the run, if it is shown.
    pub fn last(&self) -> Option<LastBoard> {
        let CyclesModel { film, machine, at, .. } = &self.model;
        self.model.is_over().then(|| machine.done_by(film).map(|by| (film.state(*at), by)))
    }

    /// Sends wishes to the device, and starts the clock if anything moves.
    fn send_wishes(&mut self) {
        while let Some(wish) = self.model.wish() {
            self.source.wish(wish);
            self.sample();
        }
        self.clock.follow(self.model.moves());
    }

    fn sample(&mut self) {
        if let Some(Body::Cycles(machine)) = self.source.look().map(|frame| frame.body) {
            update(&mut self.model, CyclesMsg::Sampled(machine));
        }
    }
}

impl Screen for Cycles {
    fn take(&mut self, msg: kit::ScreenMsg) -> Turn {
        let wish = update(&mut self.model, CyclesMsg::Screen(msg));
        self.send_wishes();
        wish.map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        self.clock.due(FRAME)
    }

    fn tick(&mut self, now: Instant) -> Turn {
        let Some(passed) = self.clock.passed(now) else { return Turn::Stay };
        self.sample();
        update(&mut self.model, CyclesMsg::Screen(kit::ScreenMsg::Passed(passed)));
        self.send_wishes();
        Turn::Stay
    }
}

/// Shows a run on the terminal until the user leaves or a signal arrives. Also returns the last board, if the view
/// reached it.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run(subject: CyclesSubject) -> Result<(Exit, Option<LastBoard>), UiError> {
    let stage = Stage::enter()?;
    let source = subject.start();
    let mut cycles = Cycles::new(subject, source);
    let exit = stage.show(&mut cycles)?;
    Ok((exit, cycles.last()))
}
