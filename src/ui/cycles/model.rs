//! The model of the view of the cycles, and its updates by keys, time and the device. This file does no I/O and uses
//! no clock.

use super::channel::Channel;
use super::layout::{CyclesLayout, FOUR};
use super::words::WORDS;
use crate::gpu::DeviceChoice;
use crate::gpu::cycle::{CYCLES_PER_MOVE, CycleFacts, Film};
use crate::run::{self, Machine, Stand};
use crate::ui::kit;
use crate::ui::kit::keys::{Action, DIGITS};
use crate::ui::kit::screen_keys::{KeyList, Keys, Timeline, line};
use crate::ui::kit::{Pace, StageWish, Surface, SurfaceMessage};
use ratatui::layout::Size;
use std::time::Duration;

/// The key table of the view of the cycles.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Step], "a cycle on", "cycle").or(&[Action::Right]),
        line(&[Action::Back], "a cycle back", "back").or(&[Action::Left]),
        line(&[Action::Play], "run, stop", "run"),
        line(&[Action::NextPane, Action::PreviousPane], "next channel, one before", "channel"),
        line(&[Action::Move, Action::MoveBack], "a move on, a move back", "move"),
        line(&[Action::Slower, Action::Faster], "slower, faster", "speed"),
        line(&[Action::Zoom], "one channel, all four", "zoom"),
        line(&[Action::Last], "on to the end", "end"),
        line(&[Action::First], "back to cycle 0", "beginning"),
        line(DIGITS, "so many times the next key", ""),
    ],
    times: &[
        (Action::Step, "cycles"),
        (Action::Back, "back"),
        (Action::Move, "moves"),
        (Action::MoveBack, "moves back"),
    ],
    timeline: Timeline::None,
    words: WORDS,
};

/// The speeds to choose from, in cycles a second. The last one is the full speed of the device.
const SPEEDS: [u32; 12] = [1, 2, 3, 6, 15, 30, 60, 150, 300, 600, 1500, u32::MAX];
/// The index in [`SPEEDS`] of the first speed, and of the first speed of a run that starts at once.
const SPEED_FIRST: usize = 3;
const SPEED_RUNNING: usize = 5;

/// All that the view of the cycles shows.
pub struct CyclesModel {
    /// The computed run.
    pub film: Film,
    /// The device that the user asked for.
    pub wanted: DeviceChoice,
    /// The last state of the device.
    pub machine: Machine,
    /// The cycle that is shown.
    pub at: u32,
    /// The target cycle, while the film does not reach it yet.
    pub seeks: Option<u32>,
    /// Whether the run advances by itself.
    pub running: bool,
    /// The speed in cycles a second; `u32::MAX` is the full speed of the device.
    pub pace: Pace,
    /// The cycle that the device must reach.
    pub goal: u32,
    /// The cycle to which the device must first go back, until the wish is sent.
    back: Option<u32>,
    /// The goal in the last wish to the device.
    sent_goal: u32,
    /// The selected channel.
    pub channel: Channel,
    /// Whether all four channels are shown if they fit.
    pub all: bool,
    /// Row and column of the first visible square, if the board does not fit.
    pub from: (u32, u32),
    /// The state that all screens share.
    pub surface: Surface,
}

/// An event for the view of the cycles.
#[derive(Clone, Debug)]
pub enum CyclesMsg {
    /// An event that every screen gets.
    Screen(kit::ScreenMsg),
    /// A new state of the device.
    Sampled(Box<Machine>),
}

impl CyclesModel {
    /// The model before the first cycle, while the device is opened.
    pub fn new(film: Film, wanted: DeviceChoice, runs: bool, surface: Surface) -> CyclesModel {
        let board = film.first().board();
        let mut model = CyclesModel {
            film,
            wanted,
            machine: Machine::opening(board),
            at: 0,
            seeks: None,
            running: runs,
            pace: Pace::new(&SPEEDS, if runs { SPEED_RUNNING } else { SPEED_FIRST }),
            goal: 0,
            back: None,
            sent_goal: 0,
            channel: Channel::Rank,
            all: true,
            from: (0, 0),
            surface,
        };
        // The film computes the next cycle in advance.
        model.film.look_ahead(CYCLES_PER_MOVE);
        model.settle();
        model
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<CyclesLayout> {
        self.layout_of(self.all)
    }

    fn layout_of(&self, all: bool) -> Option<CyclesLayout> {
        CyclesLayout::of(self.surface.screen, self.film.first().board(), self.surface.theme, self.channel, all)
    }

    /// Whether there is room for the boards of all four channels.
    fn has_room_for_all(&self) -> bool {
        self.layout_of(true).is_some_and(|layout| layout.boards.len() > 1)
    }

    /// The keys that have an effect on this screen.
    pub fn keys(&self) -> KeyList {
        KEYS.now().without((!self.has_room_for_all()).then_some(Action::Zoom))
    }

    /// The figures of the cycle that is shown.
    pub fn facts(&self) -> CycleFacts {
        self.film.facts(self.at)
    }

    /// Whether the tour has ended at the cycle that is shown.
    pub fn is_over(&self) -> bool {
        self.film.end() == Some(self.at)
    }

    /// Whether the model needs the time.
    pub fn moves(&self) -> bool {
        self.running || self.seeks.is_some() || self.machine.is_awaited()
    }

    /// The next wish for the device, if its goal has changed.
    pub fn wish(&mut self) -> Option<run::Wish> {
        let wish = (self.back.take(), self.goal);
        let before = std::mem::replace(&mut self.sent_goal, wish.1);
        (wish != (None, before)).then_some(run::Wish::Reach { from: wish.0, to: wish.1 })
    }

    /// Scrolls the boards to the knight.
    fn settle(&mut self) {
        let board = self.film.first().board();
        let knight = board.row_col(self.facts().knight);
        if let Some(layout) = self.layout() {
            for &(_, pane) in &layout.boards {
                self.from = layout.sheet(pane, board, self.surface.theme, self.from).following(knight);
            }
        }
    }

    fn stop(&mut self) {
        self.running = false;
        self.seeks = None;
    }
}

/// Updates the model from an event; returns a wish for the stage, if any.
pub fn update(model: &mut CyclesModel, msg: CyclesMsg) -> Option<StageWish> {
    let message = match msg {
        CyclesMsg::Screen(msg) => {
            let keys = model.keys();
            model.surface.take(msg, keys)
        }
        CyclesMsg::Sampled(machine) => {
            update_device(model, *machine);
            None
        }
    };
    let wish = match message {
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

fn perform(model: &mut CyclesModel, action: Action, count: Option<u32>) -> Option<StageWish> {
    let times = count.unwrap_or(1);
    let moves = times.saturating_mul(CYCLES_PER_MOVE);
    match action {
        Action::Close if (model.running || model.seeks.is_some()) => model.stop(),
        Action::NextPane => model.channel = model.channel.turned(1),
        Action::PreviousPane => model.channel = model.channel.turned(3),
        Action::Zoom => all(model),
        Action::Slower | Action::Faster => speed(model, action),
        Action::Play => run(model),
        // The step key also stops a run.
        Action::Step | Action::Right if model.running && count.is_none() => model.stop(),
        Action::Step | Action::Right => forward(model, times),
        Action::Move => forward(model, moves),
        Action::Last => forward(model, u32::MAX),
        Action::Back | Action::Left => back(model, times),
        Action::MoveBack => back(model, moves),
        Action::First => back(model, u32::MAX),
        other => return model.surface.perform(other),
    }
    None
}

/// Switches between all four channels and one, if there is room for four.
fn all(model: &mut CyclesModel) {
    if model.has_room_for_all() {
        model.all = !model.all;
        return;
    }
    let (next, screen, Size { width, height }) = (Action::NextPane.key(), model.surface.screen, FOUR);
    let is_small = screen.width < width || screen.height < height;
    let least = if is_small { format!(" below {width}x{height}") } else { String::new() };
    model.surface.say(format!("there is no room for all four boards{least}; {next}: the next channel"));
}

/// Shows a later cycle; the device follows.
fn forward(model: &mut CyclesModel, cycles: u32) {
    model.stop();
    if model.is_over() {
        return model.surface.say(format!(
            "this is the end of the run: {} steps back, {} begins again",
            Action::Back.key(),
            Action::First.key()
        ));
    }
    prepare_resume(model);
    model.seeks = Some(model.at.saturating_add(cycles));
    seek(model);
}

/// Moves towards the target cycle: the film must first compute a far cycle.
fn seek(model: &mut CyclesModel) {
    if let Some(cycle) = model.seeks {
        if model.film.look_ahead(cycle) {
            model.seeks = None;
        }
        model.at = cycle.min(model.film.last_known());
        model.goal = model.at;
    }
}

fn back(model: &mut CyclesModel, cycles: u32) {
    model.stop();
    if model.at == 0 {
        return model.surface.say("this is cycle 0: the board before the first");
    }
    model.at = model.at.saturating_sub(cycles);
    // The device stays at its cycle until the run continues.
    model.goal = model.goal.min(model.machine.at);
}

/// Prepares to continue the run from the cycle shown: a device that is ahead must first go back.
fn prepare_resume(model: &mut CyclesModel) {
    if model.machine.at > model.at || model.goal > model.at {
        model.back = Some(model.at);
    }
    model.goal = model.at;
}

/// Starts the run, or stops it.
fn run(model: &mut CyclesModel) {
    let runs = !model.running && model.seeks.is_none();
    model.stop();
    if runs && model.is_over() {
        return model.surface.say(format!("this is the end of the run: {} begins again", Action::First.key()));
    }
    if runs {
        prepare_resume(model);
    }
    model.running = runs;
    model.pace.restart();
}

fn speed(model: &mut CyclesModel, action: Action) {
    model.pace.change(action);
    model.surface.say(match model.pace.per_s() {
        u32::MAX => "as many cycles as the device does".to_owned(),
        speed => format!("{speed} cycles a second"),
    });
}

/// Advances the run by the elapsed time: asks the device for the cycles that are due, and shows the completed ones.
fn advance(model: &mut CyclesModel, time: Duration) {
    seek(model);
    if !model.running {
        return;
    }
    if model.machine.at > model.at && !model.machine.is_awaited() {
        prepare_resume(model);
    }
    let batch = model.machine.pace;
    // Cycles that a slow device has missed are dropped.
    let most = match model.pace.per_s() {
        u32::MAX => f64::from(batch),
        speed => f64::from(speed) / 4.0 + 1.0,
    };
    model.pace.pass(time, most);
    // Without a device the film advances alone.
    let idle = model.machine.at == model.at && model.goal == model.at && !model.machine.is_awaited();
    let cycles = model.pace.due(batch);
    if cycles == 0 || !(idle || model.machine.is_gone()) {
        return;
    }
    model.pace.take(cycles);
    model.film.look_ahead(model.at.saturating_add(cycles));
    model.goal = model.at.saturating_add(cycles).min(model.film.last_known());
    if model.machine.is_gone() {
        show(model, model.goal);
    }
}

fn show(model: &mut CyclesModel, cycle: u32) {
    model.at = cycle;
    if model.is_over() {
        model.running = false;
    }
}

/// Updates the state of the device, and reports a failure or a fallback.
fn update_device(model: &mut CyclesModel, machine: Machine) {
    let before = std::mem::replace(&mut model.machine, machine);
    let machine = &model.machine;
    let said = match (&machine.stand, &machine.instead) {
        (Stand::Failed(why), _) if !before.is_gone() => {
            Some(format!("{why}; from here on it is computed move by move, without a device"))
        }
        (_, Some(why)) if before.label.is_some() && before.instead.as_ref() != Some(why) => {
            Some(format!("{why}; the twin goes on"))
        }
        _ => None,
    };
    if machine.at != before.at && model.running && machine.reload.is_none() {
        // The cycle may come from another program's file, so limit it to the film.
        show(model, model.machine.at.min(model.film.last_known()));
    }
    if let Some(text) = said {
        model.surface.complain(text);
    }
}
