//! The state of the view and how keys, time and what is seen of the device change it. No I/O, no clock.

use super::channel::Channel;
use super::keys::KEYS;
use super::layout::CyclesLayout;
use crate::gpu::DeviceChoice;
use crate::gpu::cycle::{CYCLES_PER_MOVE, CycleFacts, Film};
use crate::run::{self, Machine, Stand};
use crate::ui::kit;
use crate::ui::kit::keys::Action;
use crate::ui::kit::{StageWish, Surface, SurfaceMessage};
use std::time::Duration;

/// Cycles a second to choose from; the last is as many as the device does.
pub const SPEEDS: [u32; 12] = [1, 2, 3, 6, 15, 30, 60, 150, 300, 600, 1500, u32::MAX];
/// The place of the first speed in [`SPEEDS`], and of that of a run which begins at once.
const SPEED_FIRST: usize = 3;
const SPEED_RUNNING: usize = 5;

/// Everything the screen shows.
pub struct CyclesModel {
    /// The run.
    pub film: Film,
    /// Which device is wanted.
    pub wanted: DeviceChoice,
    /// The device, as it was last seen.
    pub machine: Machine,
    /// The cycle that is shown.
    pub at: u32,
    /// The cycle that is to be shown, while the film is not known so far.
    pub seeks: Option<u32>,
    /// Whether it runs by itself.
    pub running: bool,
    /// At which of [`SPEEDS`].
    pub speed: usize,
    /// Cycles that the time has earned but that are not done yet.
    pub owed: f64,
    /// The cycle that the device is to get to.
    pub goal: u32,
    /// The cycle that it has to go back to first, until it has been told.
    back: Option<u32>,
    /// The goal that it was last told.
    told: u32,
    /// The chosen channel.
    pub channel: Channel,
    /// Whether all four are shown where there is room.
    pub all: bool,
    /// Row and column of the first square that is shown, where not all are.
    pub from: (u32, u32),
    /// What all screens have.
    pub surface: Surface,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum CyclesMsg {
    /// What happens to every screen.
    Screen(kit::ScreenMsg),
    /// The device was looked at.
    Sampled(Box<Machine>),
}

impl CyclesModel {
    /// The run before its first cycle, while the device is being opened.
    pub fn new(film: Film, wanted: DeviceChoice, runs: bool, surface: Surface) -> CyclesModel {
        let board = film.first().board();
        let mut model = CyclesModel {
            film,
            wanted,
            machine: Machine::opening(board),
            at: 0,
            seeks: None,
            running: runs,
            speed: if runs { SPEED_RUNNING } else { SPEED_FIRST },
            owed: 0.0,
            goal: 0,
            back: None,
            told: 0,
            channel: Channel::Rank,
            all: true,
            from: (0, 0),
            surface,
        };
        // What becomes of the next cycle is known before it is asked for.
        model.film.look_ahead(CYCLES_PER_MOVE);
        model.settle();
        model
    }

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<CyclesLayout> {
        CyclesLayout::of(self.surface.screen, self.film.first().board(), self.surface.theme, self.channel, self.all)
    }

    /// The figures of the cycle that is shown.
    pub fn facts(&self) -> CycleFacts {
        self.film.facts(self.at)
    }

    /// Whether the tour has ended at the cycle that is shown.
    pub fn is_over(&self) -> bool {
        self.film.end() == Some(self.at)
    }

    /// Whether time makes a difference.
    pub fn moves(&self) -> bool {
        self.running || self.seeks.is_some() || self.machine.is_awaited()
    }

    /// Where the device is to get now, if elsewhere than before.
    pub fn wish(&mut self) -> Option<run::Wish> {
        let wish = (self.back.take(), self.goal);
        let before = std::mem::replace(&mut self.told, wish.1);
        (wish != (None, before)).then_some(run::Wish::Reach { from: wish.0, to: wish.1 })
    }

    /// Looks where the knight is, after it may have moved.
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

/// Takes in what happened; answers what is to be done, if anything.
pub fn update(model: &mut CyclesModel, msg: CyclesMsg) -> Option<StageWish> {
    let heard = match msg {
        CyclesMsg::Screen(msg) => model.surface.take(msg, KEYS.now()),
        CyclesMsg::Sampled(machine) => {
            sampled(model, *machine);
            None
        }
    };
    let wish = match heard {
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

fn perform(model: &mut CyclesModel, action: Action, count: Option<u32>) -> Option<StageWish> {
    let times = count.unwrap_or(1);
    let moves = times.saturating_mul(CYCLES_PER_MOVE);
    match action {
        Action::Close if !model.surface.help && (model.running || model.seeks.is_some()) => model.stop(),
        Action::Close if !model.surface.help && count.is_some() => {}
        Action::NextPane => model.channel = model.channel.turned(1),
        Action::PreviousPane => model.channel = model.channel.turned(3),
        Action::Zoom => all(model),
        Action::Slower => speed(model, model.speed.saturating_sub(1)),
        Action::Faster => speed(model, model.speed + 1),
        Action::Play => run(model),
        // The key that steps also stops.
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

/// All four channels, or one.
fn all(model: &mut CyclesModel) {
    model.all = !model.all;
    let four = model.layout().is_some_and(|layout| layout.boards.len() > 1);
    if model.all && !four {
        let next = Action::NextPane.key();
        model.surface.say(format!("there is no room for all four boards; {next} shows the next channel"));
    }
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
    go_on(model);
    model.seeks = Some(model.at.saturating_add(cycles));
    seek(model);
}

/// Gets nearer to the cycle that is to be shown: far away the film has to be looked through first.
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
    // The device stays where it is until it is to go on.
    model.goal = model.goal.min(model.machine.at);
}

/// Before the run goes on: a device that is ahead has to go back first.
fn go_on(model: &mut CyclesModel) {
    if model.machine.at > model.at || model.goal > model.at {
        model.back = Some(model.at);
    }
    model.goal = model.at;
}

/// Runs, or stops what is under way.
fn run(model: &mut CyclesModel) {
    let runs = !model.running && model.seeks.is_none();
    model.stop();
    if runs && model.is_over() {
        return model.surface.say(format!("this is the end of the run: {} begins again", Action::First.key()));
    }
    if runs {
        go_on(model);
    }
    model.running = runs;
    model.owed = 0.0;
}

fn speed(model: &mut CyclesModel, speed: usize) {
    model.speed = speed.min(SPEEDS.len() - 1);
    model.surface.say(match SPEEDS[model.speed] {
        u32::MAX => "as many cycles as the device does".to_owned(),
        speed => format!("{speed} cycles a second"),
    });
}

/// Lets the run go on: the device is asked for the cycles that the time has earned, and what it has done is shown.
fn passed(model: &mut CyclesModel, time: Duration) {
    seek(model);
    if !model.running {
        return;
    }
    if model.machine.at > model.at && !model.machine.is_awaited() {
        go_on(model);
    }
    let pace = model.machine.pace;
    model.owed = match SPEEDS[model.speed] {
        u32::MAX => f64::from(pace),
        // What a slow device leaves undone is not made up for.
        speed => (model.owed + time.as_secs_f64() * f64::from(speed)).min(f64::from(speed) / 4.0 + 1.0),
    };
    // Where there is no device the film goes on alone.
    let idle = model.machine.at == model.at && model.goal == model.at && !model.machine.is_awaited();
    let cycles = (model.owed as u32).min(pace);
    if cycles == 0 || !(idle || model.machine.is_gone()) {
        return;
    }
    model.owed -= f64::from(cycles);
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

/// Takes in how the device stands, and says what has become of it.
fn sampled(model: &mut CyclesModel, machine: Machine) {
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
        // Also what somebody else has written down is within the film.
        show(model, model.machine.at.min(model.film.last_known()));
    }
    if let Some(text) = said {
        model.surface.complain(text);
    }
}
