//! The model of the step view, and its updates. This file uses no clock or terminal.

use super::layout::StepLayout;
use super::run::{Goal, StepRun};
use super::words::WORDS;
use crate::board::{Board, Ending};
use crate::explain::{Explained, StepEvent, Tape};
use crate::run::Question;
use crate::search::Drawing;
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{Keys, Timeline, line};
use crate::ui::kit::{BoardLook, Pace, ScreenMsg, Sheet, StageWish, Surface, SurfaceMessage};
use std::time::Duration;

/// The key table of the step view.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a step on", "step").or(&[Action::Right]),
        line(&[Action::Back], "a step back", "back").or(&[Action::Left]),
        line(&[Action::Play], "play, stop", "play"),
        line(&[Action::Move, Action::MoveBack], "next node, node before", "node"),
        line(&[Action::Event], "next cut, dead end or tour", "any event"),
        line(&[Action::NextTour], "next tour", "next tour"),
        line(&[Action::DeadEnd], "next dead end", "dead end"),
        line(&[Action::Cut], "next move that is cut", "cut"),
        line(&[Action::Exhaust], "until this one is exhausted", "up"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::First], "back to the beginning", "beginning"),
        line(&[Action::Up, Action::Down], "older lines, later ones", "log"),
        line(&[Action::Look], "numbers, lines", "lines"),
        line(DIGITS, "so many times the next key", ""),
    ],
    times: &[
        (Action::Step, "steps"),
        (Action::Move, "nodes"),
        (Action::Back, "back"),
        (Action::Event, "events"),
        (Action::NextTour, "tours"),
        (Action::DeadEnd, "dead ends"),
        (Action::Cut, "cuts"),
        (Action::MoveBack, "nodes back"),
        (Action::Exhaust, "up"),
    ],
    timeline: Timeline::None,
    words: WORDS,
};

/// The speeds to choose from, in steps a second.
const SPEEDS: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// The index of the first speed in [`SPEEDS`].
const SPEED_FIRST: usize = 1;
/// Lines by which a key scrolls the log.
const SCROLLED: usize = 3;

/// All that the step view shows.
pub struct StepModel {
    /// The question, for the header.
    pub title: StepTitle,
    /// The search and its past steps.
    pub tape: Tape,
    /// The position.
    pub drawing: Drawing,
    /// The run of many steps, if one is active.
    pub run: Option<StepRun>,
    /// Whether the view steps by itself.
    pub playing: bool,
    /// The speed, in steps a second.
    pub pace: Pace,
    /// Events that are scrolled off at the bottom.
    pub scroll: usize,
    /// Lines or numbers.
    pub look: BoardLook,
    /// Row and column of the first visible square, if the board does not fit.
    pub from: (u32, u32),
    /// The state that all screens share.
    pub surface: Surface,
}

impl StepModel {
    /// The model before the first step.
    pub fn new(subject: StepSubject, surface: Surface) -> StepModel {
        let (title, tape) = subject.into_tape();
        let mut model = StepModel {
            title,
            tape,
            drawing: Drawing::default(),
            run: None,
            playing: false,
            pace: Pace::new(&SPEEDS, SPEED_FIRST),
            scroll: 0,
            look: BoardLook::Numbers,
            from: (0, 0),
            surface,
        };
        model.settle();
        model
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<StepLayout> {
        StepLayout::of(self.surface.screen, self.title.board)
    }

    /// The visible part of the board; `None` if the screen is too small.
    pub fn sheet(&self) -> Option<Sheet> {
        // Lines are braille dots; an ASCII screen shows numbers.
        let look = if self.surface.theme.ascii { BoardLook::Numbers } else { self.look };
        Some(self.layout()?.sheet(self.title.board, look, self.from))
    }

    /// Whether the model needs the time.
    pub fn moves(&self) -> bool {
        self.playing || self.run.is_some()
    }

    /// Scrolls the board to the square at which the search stands.
    fn settle(&mut self) {
        self.tape.search().draw(&mut self.drawing);
        if let (Some(sheet), Some(head)) = (self.sheet(), self.tape.search().focus()) {
            self.from = sheet.following(self.title.board.row_col(head));
        }
        self.scroll = self.scroll.min(self.tape.events().len().saturating_sub(1));
    }

    fn stop(&mut self) {
        self.run = None;
        self.playing = false;
    }
}

/// Updates the model from an event; returns a wish for the stage, if any.
pub fn update(model: &mut StepModel, msg: ScreenMsg) -> Option<StageWish> {
    let wish = match model.surface.take(msg, KEYS.now()) {
        Some(SurfaceMessage::Asked(action, times)) => perform(model, action, times),
        Some(SurfaceMessage::Passed(time)) => {
            advance(model, time);
            None
        }
        Some(SurfaceMessage::Agreed(_) | SurfaceMessage::Clicked(_)) | None => None,
    };
    model.settle();
    wish
}

fn perform(model: &mut StepModel, action: Action, count: Option<u32>) -> Option<StageWish> {
    let times = u64::from(count.unwrap_or(1));
    match action {
        Action::Close if model.moves() => model.stop(),
        Action::Look if model.surface.theme.ascii => model.surface.say("lines need more than ASCII characters"),
        Action::Look => model.look = if model.look == BoardLook::Lines { BoardLook::Numbers } else { BoardLook::Lines },
        Action::Up => model.scroll += SCROLLED,
        Action::Down => model.scroll = model.scroll.saturating_sub(SCROLLED),
        Action::Slower | Action::Faster => {
            model.pace.change(action);
            model.surface.say(format!("{} steps a second", model.pace.per_s()));
        }
        Action::Play => play(model),
        // The step key also stops a run.
        Action::Step | Action::Right if model.moves() && count.is_none() => model.stop(),
        Action::Step | Action::Right => begin(model, Goal::Step, times),
        Action::Move => begin(model, Goal::Node, times),
        Action::Event => begin(model, Goal::Event, times),
        Action::Cut => begin(model, Goal::Cut, times),
        Action::DeadEnd => begin(model, Goal::DeadEnd, times),
        Action::NextTour => begin(model, Goal::Tour, times),
        Action::Exhaust => {
            let above = model.tape.search().tree(times as usize + 1);
            begin(model, Goal::Depth(above.first().map_or(0, |level| level.depth)), 1);
        }
        Action::Back | Action::Left => back(model, times),
        Action::MoveBack => back_to_node(model, times),
        Action::First => back(model, u64::MAX),
        other => return model.surface.perform(other),
    }
    None
}

/// Starts a run of steps; a short run ends at once.
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

/// Goes back to the `times`-th earlier entry of a square.
fn back_to_node(model: &mut StepModel, mut times: u64) {
    back(model, 1);
    let tape = &mut model.tape;
    loop {
        let mut is_wanted = |event: &StepEvent| {
            times -= u64::from(event.enters());
            times == 0
        };
        let (remembered, found) = (tape.events().len(), tape.events().position(&mut is_wanted));
        let since = found.unwrap_or(remembered);
        if tape.back(since as u64) == 0 || found.is_some() {
            return;
        }
    }
}

/// Starts to play, or stops what is running.
fn play(model: &mut StepModel) {
    let playing = !model.moves();
    model.stop();
    model.playing = playing && !model.tape.is_finished();
    model.pace.restart();
    model.scroll = 0;
}

/// Continues what is running.
fn advance(model: &mut StepModel, time: Duration) {
    burst(model);
    if !model.playing {
        return;
    }
    // The view is never more than a second behind.
    model.pace.pass(time.min(Duration::from_secs(1)), f64::INFINITY);
    while model.pace.due(1) > 0 && !model.tape.is_finished() {
        model.pace.take(1);
        model.tape.forward();
    }
    model.playing = !model.tape.is_finished();
}

/// A search for the step view.
pub struct StepSubject {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// The name of the method.
    pub method: String,
    /// Further conditions, in few words; may be empty.
    pub detail: String,
    /// A remark for the log before the first step.
    pub note: Option<String>,
    /// The search before its first step.
    pub search: Box<dyn Explained>,
}

impl StepSubject {
    /// The search of a question.
    ///
    /// # Errors
    /// A sentence that says why the search cannot be shown step by step.
    pub fn of(question: &Question) -> Result<StepSubject, String> {
        let search = match question {
            Question::Search(solver, problem) => solver.step_view(problem),
            Question::Find(finder, request) => finder.step_view(request),
        };
        let (method, detail) = (question.method().to_owned(), question.detail());
        let search = search.map_err(|refusal| refusal.to_string())?;
        Ok(StepSubject { board: question.board(), ending: question.ending(), method, detail, note: None, search })
    }

    fn into_tape(self) -> (StepTitle, Tape) {
        let StepSubject { board, ending, method, detail, note, search } = self;
        (StepTitle { board, ending, method, detail, note }, Tape::new(search))
    }
}

/// The question of the search, for the header.
#[derive(Clone, Debug)]
pub struct StepTitle {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// The name of the method.
    pub method: String,
    /// Further conditions.
    pub detail: String,
    /// A remark for the log before the first step.
    pub note: Option<String>,
}
