//! The model of the step view, and its updates: what is stepped through is a [`StepTape`], a search or the film of a board on
//! a device. This file uses no clock or terminal.

use super::goal::{Goal, StepRun};
use super::view::view;
use crate::ui::kit::keys::Action;
use crate::ui::kit::screen_keys::KeyList;
use crate::ui::kit::{
    Clip, Common, Effect, EventAnswer, InputKey, Pace, Pane, PaneFocus, PaneLayout, ScreenEvent, Sheet, TextInput,
    Theme,
};
use crate::ui::screen::Model;
use crate::words::{grouped, number_of};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use std::time::Duration;

/// Time between two frames while the view plays.
const FRAME: Duration = Duration::from_millis(50);

/// What is stepped through, forwards and back.
pub trait StepTape: Sized + 'static {
    type Pane: Pane<Model = StepModel<Self>>;

    /// What a step is called.
    const STEP: &'static str = "step";

    /// The layout; `None` if the screen is too small.
    fn layout(&self, screen: Size, theme: Theme, focus: PaneFocus<Self::Pane>) -> Option<PaneLayout<Self::Pane>>;

    /// The visible part of the board in `room`, which begins near square `from` (row and column); `names` says whether rows
    /// and columns are named.
    fn sheet(&self, room: Rect, theme: Theme, names: bool, from: (u32, u32)) -> Sheet;

    /// Row and column of the square that stays visible.
    fn head(&self) -> Option<(u32, u32)>;

    /// Number of steps taken.
    fn at(&self) -> u64;

    fn is_finished(&self) -> bool;

    /// Called before steps are taken.
    fn start(&mut self) {}

    /// Takes many steps of a run. Returns whether the run has ended: the goal is met or there are no more steps.
    fn burst(&mut self, run: &mut StepRun) -> bool;

    /// Takes the steps that are due after an elapsed time.
    fn play(&mut self, pace: &mut Pace, time: Duration);

    /// Goes back by `steps`, at most to the beginning; returns the number of steps taken back.
    fn back(&mut self, steps: u64) -> u64;

    /// Called after every event.
    fn settle(&mut self) {}

    /// Whether a device is expected to report.
    fn is_awaited(&self) -> bool {
        false
    }

    /// Performs an action that only this tape has; returns whether it is one.
    fn perform(model: &mut StepModel<Self>, action: Action, times: u64) -> bool;

    /// Goes to a place that was typed.
    fn go(_model: &mut StepModel<Self>, _place: &str) {}

    /// The keys that have an effect on this screen.
    fn keys(model: &StepModel<Self>) -> KeyList;

    fn draw_header(buf: &mut Buffer, area: Rect, model: &StepModel<Self>);

    /// What is copied of the screen; `None` for all of it.
    fn clip(&self) -> Option<Clip> {
        None
    }
}

/// All that the step view shows.
pub struct StepModel<T: StepTape> {
    pub tape: T,
    /// The run of many steps, if one is active.
    pub run: Option<StepRun>,
    /// Whether the view steps by itself.
    pub playing: bool,
    /// The speed, in steps a second.
    pub pace: Pace,
    pub focus: PaneFocus<T::Pane>,
    /// The field for a place to go to.
    pub jump: TextInput,
    /// Row and column of the first visible square, if the board does not fit.
    pub from: (u32, u32),
    /// The state that all screens share.
    pub common: Common,
}

impl<T: StepTape> StepModel<T> {
    /// The model where the tape stands, with the focus on a pane.
    pub fn at(tape: T, pane: T::Pane, pace: Pace, common: Common) -> StepModel<T> {
        let (focus, jump) = (PaneFocus::on(pane), TextInput::default());
        let mut model = StepModel { tape, run: None, playing: false, pace, focus, jump, from: (0, 0), common };
        model.settle();
        model
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<PaneLayout<T::Pane>> {
        self.tape.layout(self.common.screen, self.common.theme, self.focus)
    }

    /// The visible part of the board in a pane; `None` if the pane is not visible.
    pub fn sheet(&self, pane: T::Pane) -> Option<Sheet> {
        let layout = self.layout()?;
        Some(self.tape.sheet(layout.inner(pane)?, self.common.theme, layout.page.framed, self.from))
    }

    /// Whether steps are taken by themselves.
    pub fn moves(&self) -> bool {
        self.playing || self.run.is_some()
    }

    /// Scrolls the board to the square at which the tape stands.
    pub fn settle(&mut self) {
        self.tape.settle();
        let board = self.layout().map(|layout| layout.panes[0].0);
        if let (Some(sheet), Some(head)) = (board.and_then(|pane| self.sheet(pane)), self.tape.head()) {
            self.from = sheet.following(head);
        }
    }

    pub fn stop(&mut self) {
        self.run = None;
        self.playing = false;
    }

    fn perform(&mut self, action: Action, count: Option<u32>) -> Effect {
        let times = u64::from(count.unwrap_or(1));
        let layout = self.layout();
        let is_shown = |pane| layout.as_ref().is_some_and(|layout| layout.rect(pane).is_some());
        match action {
            Action::Close if self.moves() => self.stop(),
            Action::Digit(_) => {}
            action if T::perform(self, action, times) || self.focus.perform(action, is_shown) => {}
            Action::Slower | Action::Faster => {
                self.pace.change(action);
                self.common.say(match self.pace.per_s() {
                    u32::MAX => "as fast as the device is".to_owned(),
                    speed => format!("{} a second", number_of(speed, T::STEP)),
                });
            }
            Action::Play => self.play(),
            // The step key also stops a run.
            Action::Step | Action::Right if self.moves() && count.is_none() => self.stop(),
            Action::Step | Action::Right => self.begin(Goal::Step, times),
            Action::Last => self.begin(Goal::End, 1),
            Action::Back | Action::Left => self.back(times),
            Action::First if count.is_some() => self.go_to(times),
            Action::First => self.back(u64::MAX),
            other => return self.common.perform(other),
        }
        Effect::Stay
    }

    /// Starts a run of steps; a short run ends at once.
    pub fn begin(&mut self, goal: Goal, times: u64) {
        self.stop();
        if !self.is_at_end() {
            self.tape.start();
            self.run = Some(StepRun { goal, times });
            self.burst();
        }
    }

    /// Whether no step is left; then it is said.
    fn is_at_end(&mut self) -> bool {
        let is_at_end = self.tape.is_finished();
        if is_at_end {
            let [back, first] = [Action::Back, Action::First].map(Action::key);
            self.common.say(format!("this is the end: {back} steps back, {first} goes back to the beginning"));
        }
        is_at_end
    }

    fn burst(&mut self) {
        if let Some(run) = &mut self.run
            && self.tape.burst(run)
        {
            let StepRun { goal, times } = *run;
            self.run = None;
            match goal {
                _ if !self.tape.is_finished() => {}
                Goal::End => {}
                // The end is a step too.
                Goal::Step if times <= 1 => {}
                Goal::Step => self.common.say(format!("the end comes before that, at {}", grouped(self.tape.at()))),
                _ => self.common.say(format!("finished before {}", goal.name())),
            }
        }
    }

    pub fn back(&mut self, steps: u64) {
        self.stop();
        if self.tape.back(steps) == 0 {
            self.common.say("this is the beginning: no step has been taken");
        }
    }

    /// Goes to a step, back or on.
    pub fn go_to(&mut self, step: u64) {
        let at = self.tape.at();
        match step {
            to if to < at => self.back(at - to),
            to if to > at => self.begin(Goal::Step, to - at),
            _ => self.common.say("this is the place"),
        }
    }

    /// Starts to play, or stops what is running.
    fn play(&mut self) {
        let plays = !self.moves();
        self.stop();
        if plays && !self.is_at_end() {
            self.tape.start();
            self.playing = true;
            self.pace.restart();
        }
    }

    /// Continues what is running.
    fn advance(&mut self, time: Duration) {
        self.burst();
        if self.playing {
            self.tape.play(&mut self.pace, time);
            self.playing = !self.tape.is_finished();
        }
    }
}

impl<T: StepTape> Model for StepModel<T> {
    fn update(&mut self, msg: ScreenEvent) -> Effect {
        let keys = T::keys(self);
        let effect = match self.jump.take(&msg) {
            InputKey::Typed => return Effect::Stay,
            InputKey::Entered(place) => {
                T::go(self, &place);
                Effect::Stay
            }
            InputKey::Usual => match self.common.take(msg, keys) {
                Some(EventAnswer::Asked(action, times)) => self.perform(action, times),
                Some(EventAnswer::Passed(time)) => {
                    self.advance(time);
                    Effect::Stay
                }
                Some(_) | None => Effect::Stay,
            },
        };
        self.settle();
        effect
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(self, frame);
    }

    fn moving(&self) -> Option<Duration> {
        let every = if self.run.is_some() { Duration::ZERO } else { FRAME };
        (self.moves() || self.tape.is_awaited()).then_some(every)
    }

    fn takes_keys(&self) -> bool {
        self.common.takes_keys() || self.jump.text().is_some()
    }

    fn clip(&self) -> Option<Clip> {
        self.tape.clip()
    }
}

#[cfg(test)]
mod tests {
    use super::super::film::FilmTape;
    use super::*;
    use crate::board::{Board, Ending};
    use crate::gpu::cycle::CycleState;
    use crate::gpu::{Compass, DeviceChoice};
    use crate::solve::{Problem, solver_by_name};
    use crate::ui::Signs;
    use crate::ui::step::{SearchModel, StepSubject};
    use proptest::prelude::*;

    /// Whether every cell of a screen lies in the header, the footer or one pane.
    fn covers<T: StepTape>(tape: &T, screen: Size, theme: Theme, focus: PaneFocus<T::Pane>) -> bool {
        let layout = tape.layout(screen, theme, focus).unwrap();
        let mut covered = vec![0u8; usize::from(screen.width) * usize::from(screen.height)];
        let panes = layout.panes.iter().map(|&(_, rect)| rect);
        for position in [layout.page.header, layout.page.footer].into_iter().chain(panes).flat_map(Rect::positions) {
            assert!(position.x < screen.width && position.y < screen.height);
            covered[usize::from(position.y) * usize::from(screen.width) + usize::from(position.x)] += 1;
        }
        covered.iter().all(|&times| times == 1)
    }

    proptest! {
        #[test]
        fn panes_lie_on_the_screen_and_do_not_overlap(
            width in 40u16..300, height in 10u16..100, rows in 1u64..80, cols in 1u64..80, pane in 0usize..4,
            zoomed: bool, ascii: bool,
        ) {
            let signs = if ascii { Signs::Ascii } else { Signs::Braille };
            let (screen, theme) = (Size::new(width, height), Theme { signs, ..Theme::RICH });
            let board = Board::new(rows, cols).unwrap();
            let first = CycleState::new(board, board.at(0).unwrap(), Compass::SOURCE).unwrap();
            let film = FilmTape::new(first, DeviceChoice::Any);
            fn focus<P: Pane>(pane: usize, zoomed: bool) -> PaneFocus<P> {
                PaneFocus { pane: P::LIST[pane].pane, zoomed }
            }
            prop_assert!(covers(&film, screen, theme, focus(pane, zoomed)));
            let brute = solver_by_name("brute").unwrap();
            let search = brute.step_view(&Problem::new(board, Ending::Open)).unwrap();
            let (method, detail) = (String::new(), String::new());
            let subject = StepSubject { shape: board.into(), ending: Ending::Open, method, detail, note: None, place: None, search };
            let search = SearchModel::new(subject, Common::new(theme, screen)).tape;
            prop_assert!(covers(&search, screen, theme, focus(pane, zoomed)));
        }
    }
}
