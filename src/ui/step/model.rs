//! What the step view shows, and how it changes. Nothing here reads a clock or a terminal.

use super::keys::KEYS;
use super::layout::StepLayout;
use super::run::{Goal, StepRun};
use super::subject::{StepSubject, StepTitle};
use crate::explain::{StepEvent, Tape};
use crate::search::Drawing;
use crate::ui::kit::keys::Action;
use crate::ui::kit::{BoardLook, Sheet};
use crate::ui::kit::{ScreenMsg, StageWish, Surface, SurfaceMessage};
use std::time::Duration;

/// Steps a second to choose from.
pub const SPEEDS: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// The place of the first speed in [`SPEEDS`].
const SPEED_FIRST: usize = 1;
/// Lines of the log that a key scrolls.
const SCROLLED: usize = 3;

/// Everything the screen shows.
pub struct StepModel {
    /// What is searched.
    pub title: StepTitle,
    /// The search and its past.
    pub tape: Tape,
    /// The position.
    pub drawing: Drawing,
    /// Many steps under way.
    pub run: Option<StepRun>,
    /// Whether it steps by itself.
    pub playing: bool,
    /// At which of [`SPEEDS`].
    pub speed: usize,
    /// Steps that the time has earned but that are not taken yet; less than 1.
    pub owed: f64,
    /// Events that have been scrolled away below.
    pub scroll: usize,
    /// Lines or numbers.
    pub look: BoardLook,
    /// Row and column of the first square that is shown, where not all are.
    pub from: (u32, u32),
    /// What all screens have.
    pub surface: Surface,
}

impl StepModel {
    /// The search before its first step.
    pub fn new(subject: StepSubject, surface: Surface) -> StepModel {
        let (title, tape) = subject.into_tape();
        let mut model = StepModel {
            title,
            tape,
            drawing: Drawing::default(),
            run: None,
            playing: false,
            speed: SPEED_FIRST,
            owed: 0.0,
            scroll: 0,
            look: BoardLook::Numbers,
            from: (0, 0),
            surface,
        };
        model.settle();
        model
    }

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<StepLayout> {
        StepLayout::of(self.surface.screen, self.title.board)
    }

    /// The part of the board that is shown; nothing when the screen is too small.
    pub fn sheet(&self) -> Option<Sheet> {
        // Lines are braille dots: where only ASCII is safe there are numbers.
        let look = if self.surface.theme.ascii { BoardLook::Numbers } else { self.look };
        Some(self.layout()?.sheet(self.title.board, look, self.from))
    }

    /// Steps a second while it plays.
    pub fn steps_per_s(&self) -> u32 {
        SPEEDS[self.speed]
    }

    /// Whether time makes a difference.
    pub fn moves(&self) -> bool {
        self.playing || self.run.is_some()
    }

    /// Looks where the knight is, after it may have moved.
    fn settle(&mut self) {
        self.tape.search().draw(&mut self.drawing);
        let head = self.drawing.chains.first().and_then(|chain| chain.last());
        let head = head.and_then(|&square| self.title.board.at(square));
        if let (Some(sheet), Some(head)) = (self.sheet(), head) {
            self.from = sheet.following(self.title.board.row_col(head));
        }
        self.scroll = self.scroll.min(self.tape.events().len().saturating_sub(1));
    }

    fn stop(&mut self) {
        self.run = None;
        self.playing = false;
    }
}

/// Takes in what happened; answers what is to be done, if anything.
pub fn update(model: &mut StepModel, msg: ScreenMsg) -> Option<StageWish> {
    let wish = match model.surface.take(msg, KEYS.now()) {
        Some(SurfaceMessage::Asked(action, times)) => perform(model, action, times),
        Some(SurfaceMessage::Passed(time)) => {
            passed(model, time);
            None
        }
        Some(SurfaceMessage::Agreed(_)) | None => None,
    };
    model.settle();
    wish
}

fn perform(model: &mut StepModel, action: Action, count: Option<u32>) -> Option<StageWish> {
    let times = u64::from(count.unwrap_or(1));
    match action {
        Action::Close if !model.surface.help && model.moves() => model.stop(),
        Action::Close if !model.surface.help && count.is_some() => {}
        Action::Look if model.surface.theme.ascii => model.surface.say("lines need more than ASCII characters"),
        Action::Look => model.look = if model.look == BoardLook::Lines { BoardLook::Numbers } else { BoardLook::Lines },
        Action::Up => model.scroll += SCROLLED,
        Action::Down => model.scroll = model.scroll.saturating_sub(SCROLLED),
        Action::Slower => speed(model, model.speed.saturating_sub(1)),
        Action::Faster => speed(model, model.speed + 1),
        Action::Play => play(model),
        // The key that steps also stops.
        Action::Step | Action::Right if model.moves() && count.is_none() => model.stop(),
        Action::Step | Action::Right => begin(model, Goal::Step, times),
        Action::Move => begin(model, Goal::Node, times),
        Action::Event => begin(model, Goal::Event, times),
        Action::Cut => begin(model, Goal::Cut, times),
        Action::DeadEnd => begin(model, Goal::DeadEnd, times),
        Action::NextTour => begin(model, Goal::Tour, times),
        Action::Exhaust => {
            let depth = model.tape.search().depth().saturating_sub(times as usize);
            begin(model, Goal::Depth(depth), 1);
        }
        Action::Back | Action::Left => back(model, times),
        Action::MoveBack => back_to_node(model, times),
        Action::First => back(model, u64::MAX),
        other => return model.surface.perform(other),
    }
    None
}

/// Begins a run; a short one is over at once.
fn begin(model: &mut StepModel, goal: Goal, times: u64) {
    model.stop();
    model.scroll = 0;
    if model.tape.is_finished() {
        return model.surface.say(format!(
            "everything has been searched: {} steps back, {} goes back to the beginning",
            Action::Back.key(),
            Action::First.key()
        ));
    }
    model.run = Some(StepRun { goal, times });
    burst(model);
}

fn burst(model: &mut StepModel) {
    if let Some(run) = &mut model.run
        && run.burst(&mut model.tape)
    {
        let goal = run.goal;
        model.run = None;
        let missed = model.tape.is_finished() && goal != Goal::Step;
        if missed {
            model.surface.say(format!("finished before {}", goal.name()));
        }
    }
}

fn back(model: &mut StepModel, steps: u64) {
    model.stop();
    model.scroll = 0;
    if model.tape.back(steps) == 0 {
        model.surface.say("this is the beginning: no step has been taken");
    }
}

/// Goes back until the latest event is that a square was entered, so many times.
fn back_to_node(model: &mut StepModel, mut times: u64) {
    back(model, 1);
    let tape = &mut model.tape;
    loop {
        let mut is_wanted = |event: &StepEvent| {
            times -= u64::from(matches!(event, StepEvent::Entered { .. }));
            times == 0
        };
        let (remembered, found) = (tape.events().len(), tape.events().position(&mut is_wanted));
        let since = found.unwrap_or(remembered);
        if tape.back(since as u64) == 0 || found.is_some() {
            return;
        }
    }
}

/// Plays, or stops what is under way.
fn play(model: &mut StepModel) {
    let playing = !model.moves();
    model.stop();
    model.playing = playing && !model.tape.is_finished();
    model.owed = 0.0;
    model.scroll = 0;
}

fn speed(model: &mut StepModel, speed: usize) {
    model.speed = speed.min(SPEEDS.len() - 1);
    model.surface.say(format!("{} steps a second", model.steps_per_s()));
}

/// Goes on with what is under way.
fn passed(model: &mut StepModel, time: Duration) {
    burst(model);
    if !model.playing {
        return;
    }
    // What is shown is never more than a second behind.
    model.owed += time.as_secs_f64().min(1.0) * f64::from(model.steps_per_s());
    while model.owed >= 1.0 && !model.tape.is_finished() {
        model.owed -= 1.0;
        model.tape.forward();
    }
    model.playing = !model.tape.is_finished();
}
