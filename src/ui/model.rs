//! What the screen shows, and how it changes: a model, and one function that takes in what happened and answers what
//! is to be done about it. Nothing here reads a clock, a terminal or a thread.

use super::about::About;
use super::control::{compare, control, detach, next_down, next_up, restart};
use super::find::{self, Search};
use super::hires::Hires;
use super::keys::KEYS;
use super::kit;
use super::kit::Surface;
use super::kit::history::History;
use super::kit::keys::Action;
use super::kit::{Course, Told};
use super::layout::{Layout, Pane};
use super::order::Order;
use super::rates::Rates;
use super::report::Report;
use crate::run::balance::Balance;
use crate::run::{Ended, Frame, Wish};
use crate::schedule::{Scheduler, Snapshot, StopReason};
use crate::search::{Drawing, HandOver};

/// Lines that a key reads on.
const READ: i32 = 3;
/// Frames a second to choose from.
const REFRESH_RATES: [u32; 8] = [1, 2, 5, 10, 15, 20, 30, 60];

/// How far the run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It runs, or is paused.
    Running,
    /// It has ended; the reason when that was before the tree was exhausted.
    Ended(Option<StopReason>),
}

/// Everything the screen shows.
#[derive(Clone, Debug)]
pub struct Model {
    /// The question.
    pub about: About,
    /// The scheduler of the present run.
    pub scheduler: Scheduler,
    /// How far the run is.
    pub phase: Phase,
    /// How it ended, once it has.
    pub ended: Option<Ended>,
    /// The run when it was last looked at.
    pub snapshot: Snapshot,
    /// The depth of every worker, as its meter shows it: a running mean, for a search jumps up and down some million
    /// times between two looks; the very depth while the run is held.
    pub depths: Vec<f64>,
    /// The position of the selected worker then.
    pub drawing: Drawing,
    /// Figures a second and shares of time.
    pub rates: Rates,
    /// Who hired whom.
    pub hires: Hires,
    /// How well the work is shared, up to what is shown.
    pub balance: Balance,
    /// The first line that is shown of what that comes to.
    pub reading: u16,
    /// The past.
    pub history: History,
    /// The worker whose position is shown.
    pub selected: usize,
    /// In which order the workers are shown.
    pub order: Order,
    /// Which worker is looked for.
    pub search: Search,
    /// The pane that `zoom` zooms.
    pub focus: Pane,
    /// Whether the focused pane has the whole screen.
    pub zoomed: bool,
    /// Frames a second.
    pub fps: u32,
    /// Where a tour was looked for: how many were found, or why none, once the run has ended.
    pub answer: Option<Result<usize, String>>,
    /// All that was seen of the run, and which moment of that is shown.
    pub course: Course,
    /// How many frames the journal of the run could not take, if one is written.
    pub unrecorded: Option<u64>,
    /// Whether the hand-over rules are what is to be compared, not the schedulers.
    pub versus_rule: bool,
    /// What all screens have.
    pub surface: Surface,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Msg {
    /// What happens to every screen.
    Screen(kit::Msg),
    /// The run was looked at.
    Seen(Box<Frame>),
    /// The run was recorded: all of it.
    Recorded(Box<Course>),
    /// A run began: its question, and its scheduler.
    Began(About, Scheduler),
    /// The run ended.
    Ended(Ended),
}

/// Something to be done outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// What the stage does for every screen.
    Stage(kit::Wish),
    /// Ask this of the run.
    Wish(Wish),
    /// Start again under this scheduler.
    Restart(Scheduler),
    /// Show the search under the present scheduler and rule and under these, side by side.
    Compare(Scheduler, HandOver),
    /// Start what was chosen.
    Begin,
    /// Let the user choose something else.
    Choose,
    /// Leave the run to a process without a screen.
    Detach,
    /// Let the user step through what is on the board.
    Tour,
    /// Let the user step through the search.
    Explain,
}

impl Model {
    /// The model of a run that has just begun.
    pub fn new(about: About, surface: Surface, scheduler: Scheduler, fps: u32, snapshot: Snapshot) -> Model {
        Model {
            about,
            scheduler,
            phase: Phase::Running,
            ended: None,
            depths: Vec::new(),
            snapshot,
            drawing: Drawing::default(),
            rates: Rates::default(),
            hires: Hires::default(),
            balance: Balance::default(),
            reading: 0,
            history: History::default(),
            selected: 0,
            order: Order::default(),
            search: Search::default(),
            focus: Pane::Threads,
            zoomed: false,
            fps,
            answer: None,
            course: Course::default(),
            unrecorded: None,
            versus_rule: false,
            surface,
        }
    }

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<Layout> {
        let zoom = self.zoomed.then_some(self.focus);
        Layout::of(self.course.above(self.surface.screen), self.snapshot.workers.len(), self.about.board, zoom)
    }

    /// What the balance comes to, when it has the whole screen.
    pub fn report(&self, width: u16) -> Option<Report> {
        let shown = self.zoomed && self.focus == Pane::Balance && self.snapshot.lanes.is_none();
        shown.then(|| Report::new(&self.balance.figures(), self.surface.theme, width))
    }

    /// Shows other lines of that, from so many on; answers whether it is shown.
    fn read_on(&mut self, by: i32) -> bool {
        let room = self.layout().and_then(|layout| Some(layout.page.inner(layout.rect(Pane::Balance)?)));
        let report = room.and_then(|room| Some((self.report(room.width)?, room)));
        if let Some((report, room)) = &report {
            let most = report.height().saturating_sub(room.height);
            self.reading =
                self.reading.saturating_add_signed(by.clamp(i16::MIN.into(), i16::MAX.into()) as i16).min(most);
        }
        report.is_some()
    }
}

/// Takes in what happened; answers what is to be done, if anything.
pub fn update(model: &mut Model, msg: Msg) -> Option<Effect> {
    match msg {
        Msg::Screen(kit::Msg::Key(key)) if find::typed(model, key) => {}
        Msg::Screen(msg) => match model.course.hear(msg, &mut model.surface, &KEYS, model.zoomed) {
            Told::Nothing => {}
            Told::Asked(action) => return if model.may(action) { act(model, action) } else { None },
            Told::Agreed(Action::Choose) => return Some(Effect::Begin),
            Told::Agreed(action) => return act(model, action),
            Told::Moved(from) => model.look(from),
        },
        Msg::Seen(frame) => {
            if model.course.shown().is_none() {
                model.take(&frame);
            }
            model.course.take(*frame);
        }
        Msg::Recorded(course) => {
            model.course = *course;
            model.look(None);
        }
        Msg::Began(about, scheduler) => {
            if about != model.about {
                model.history.clear();
                model.selected = 0;
                model.drawing = Drawing::default();
            }
            model.about = about;
            model.ended = None;
            model.scheduler = scheduler;
            model.course = Course::default();
            model.forget();
            model.history.restart();
        }
        Msg::Ended(ended) => {
            model.ended = Some(ended);
            model.close();
        }
    }
    None
}

impl Model {
    /// Whether an action may be done at once: what is past cannot be asked for anything, and before a run that goes on is
    /// ended there is a question.
    fn may(&mut self, action: Action) -> bool {
        if self.course.shown().is_some() && is_of_now(action) {
            let (now, key) = (Action::Now.key(), action.key());
            self.surface.complain(match self.course.is_recorded() {
                true => format!("{key} is for a run that goes on: this one was recorded"),
                false => format!("{key} is for what goes on now: {now} goes back there"),
            });
            return false;
        }
        let lost = match action {
            Action::Quit => "leave, and end the run?",
            Action::NextScheduler if self.about.may_restart && !self.about.finds && self.snapshot.lanes.is_none() => {
                "start again, and end this run?"
            }
            _ => return true,
        };
        let goes_on = self.ended.is_none() && self.course.is_at_stake();
        if goes_on && action == Action::NextScheduler && self.snapshot.simulated.is_none() {
            self.versus_rule = false;
            let compare = Action::Compare.key();
            self.surface.ask_or(format!("{lost} {compare} compares instead"), action, Action::Compare);
        } else if goes_on {
            self.surface.ask(lost, action);
        }
        !goes_on
    }

    /// Asks whether the run is to make way for what was chosen; a run that has ended does at once.
    pub fn makes_way(&mut self) -> bool {
        if self.ended.is_none() {
            self.surface.ask("end this run for what was chosen?", Action::Choose);
        }
        self.ended.is_some()
    }
}

fn act(model: &mut Model, action: Action) -> Option<Effect> {
    match action {
        Action::Close if model.zoomed && !model.surface.help => model.zoomed = false,
        Action::Up if model.read_on(-READ) => {}
        Action::Down if model.read_on(READ) => {}
        Action::First if model.read_on(i32::MIN) => {}
        Action::Last if model.read_on(i32::MAX) => {}
        Action::Left => select(model, -1, 0),
        Action::Right => select(model, 1, 0),
        Action::Up => select(model, 0, -1),
        Action::Down => select(model, 0, 1),
        Action::First => show(model, model.ranked().first()),
        Action::Last => show(model, model.ranked().last()),
        Action::Order => {
            let grouped = model.snapshot.workers.iter().any(|worker| worker.group.is_some());
            model.order = model.order.next(grouped);
            model.surface.say(format!("workers in the order of their {}", model.order.name()));
        }
        Action::Find => model.search.ask(),
        Action::NextPane => focus(model, 1),
        Action::PreviousPane => focus(model, Pane::ALL.len() - 1),
        Action::Zoom => model.zoomed = !model.zoomed,
        Action::Digit(key) => {
            model.zoomed = !(model.zoomed && model.focus.key() == key);
            model.focus = Pane::ALL.into_iter().find(|pane| pane.key() == key).unwrap_or(model.focus);
        }
        Action::Larger | Action::Smaller => {
            model.surface.say(model.history.zoom_and_say(action == Action::Larger));
        }
        Action::RefreshFaster => refresh(model, next_up(&REFRESH_RATES, model.fps)),
        Action::RefreshSlower => refresh(model, next_down(&REFRESH_RATES, model.fps)),
        Action::Choose | Action::NextScheduler if model.course.goes_on_alone() => {
            let attached = "this run goes on without this view, and nothing else can be asked of it here";
            model.surface.complain(attached);
        }
        Action::NextScheduler => return restart(model),
        Action::Compare => return compare(model),
        Action::Choose if model.snapshot.simulated.is_some() => {
            let again = Action::NextScheduler.key();
            model.surface.complain(format!("nothing else is simulated here: {again} takes the next scheduler"));
        }
        Action::Choose if !model.about.may_restart => {
            model.surface.complain("nothing else can be asked while this run is written to a file");
        }
        Action::Choose => return Some(Effect::Choose),
        Action::Detach => return detach(model),
        Action::Tour => return Some(Effect::Tour),
        Action::Explain => return Some(Effect::Explain),
        Action::ToggleRule if model.snapshot.lanes.is_some() => {
            model.surface.complain("lanes hand nothing over: the queue is filled from the longest of them");
        }
        Action::Play | Action::Step | Action::Slower | Action::Faster | Action::ToggleRule => {
            return control(model, action);
        }
        other => return model.surface.perform(other).map(Effect::Stage),
    }
    None
}

/// Whether an action asks something of the run that goes on.
fn is_of_now(action: Action) -> bool {
    matches!(action, Action::ToggleRule | Action::NextScheduler | Action::Choose)
}

fn select(model: &mut Model, right: isize, down: isize) {
    let ranked = model.ranked();
    let (workers, place) = (ranked.len(), ranked.iter().position(|&worker| worker == model.selected).unwrap_or(0));
    // Where the workers are not shown they are still in their order.
    let place = match model.layout().and_then(|layout| layout.grid(workers)) {
        Some(grid) => grid.move_from(place, right, down, workers),
        None => place.saturating_add_signed(right + down).min(workers.saturating_sub(1)),
    };
    show(model, ranked.get(place));
}

/// Shows the position of another worker.
fn show(model: &mut Model, worker: Option<&usize>) {
    model.selected = worker.copied().unwrap_or(0);
    model.redraw();
}

/// Moves the focus `by` panes on; without zoom, among the panes that are shown.
fn focus(model: &mut Model, by: usize) {
    let all = Pane::ALL.len();
    let Some(layout) = model.layout() else { return };
    let from = usize::from(model.focus.key()) - 1;
    let found = (1..=all)
        .map(|steps| Pane::ALL[(from + steps * by) % all])
        .find(|&pane| model.zoomed || layout.rect(pane).is_some());
    model.focus = found.unwrap_or(model.focus);
}

fn refresh(model: &mut Model, fps: Option<u32>) {
    model.fps = fps.unwrap_or(model.fps);
    model.surface.say(format!("{} frames a second", model.fps));
}
