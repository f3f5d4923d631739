//! The model: all that the live view shows. `update.rs` changes it. This file uses no clock, terminal or thread.

use super::about::About;
use super::hires::Hires;
use super::kit;
use super::kit::history::History;
use super::kit::{Playback, Surface, TextInput};
use super::layout::{LiveLayout, LivePane};
use super::order::WorkerOrder;
use super::rates::WorkerRates;
use super::report::BalanceReport;
use crate::run::balance::Balance;
use crate::run::{End, SearchEnded, Wish};
use crate::schedule::{Scheduler, Snapshot, StopReason};
use crate::search::{Drawing, HandOver};
use std::cmp::Reverse;

/// The phase of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The run is running or paused.
    Running,
    /// The run has ended; `Some` gives the reason if it stopped before the tree was exhausted.
    Ended(Option<StopReason>),
}

/// All that the live view shows.
#[derive(Clone, Debug)]
pub struct LiveModel {
    /// The question.
    pub about: About,
    /// The scheduler of the current run.
    pub scheduler: Scheduler,
    /// The phase of the run.
    pub phase: Phase,
    /// The latest snapshot of the run.
    pub snapshot: Snapshot,
    /// The depth of every worker: a running mean, because a search changes depth millions of times between two
    /// snapshots. While the run is paused or slowed, the exact depth.
    pub depths: Vec<f64>,
    /// The position of the selected worker at the latest snapshot.
    pub drawing: Drawing,
    /// Rates a second and shares of time.
    pub rates: WorkerRates,
    /// The hires of the run.
    pub hires: Hires,
    /// The balance of the work up to the moment shown.
    pub balance: Balance,
    /// The first visible line of the balance report.
    pub reading: u16,
    /// The charts over time.
    pub history: History,
    /// The worker whose position is shown.
    pub selected: usize,
    /// The order of the workers on the screen.
    pub order: WorkerOrder,
    /// The field for a worker to find.
    pub input: TextInput,
    /// The last text of a worker to find.
    pub wanted: String,
    /// The pane that the zoom key zooms.
    pub focus: LivePane,
    /// Whether the focused pane fills the screen.
    pub zoomed: bool,
    /// Frames a second.
    pub fps: u32,
    /// For a run that looks for a tour: the number of tours found, or why there is none. Set when the run has ended.
    pub answer: Option<Result<usize, String>>,
    /// All frames of the run, and the moment that is shown.
    pub playback: Playback,
    /// Whether the next comparison is between hand-over rules, not schedulers.
    pub versus_rule: bool,
    /// The state that all screens share.
    pub surface: Surface,
}

/// What the caller of [`update()`](super::update()) must do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiveEffect {
    /// A wish for the stage.
    Stage(kit::StageWish),
    /// Send this wish to the run.
    Wish(Wish),
    /// Restart the run under this scheduler.
    Restart(Scheduler),
    /// Compare the current scheduler and rule with this scheduler and rule, side by side.
    Compare(Scheduler, HandOver),
    /// Start the plan that the user chose.
    Begin,
    /// Open the picker of questions.
    Choose,
    /// Detach the run into a process without a screen.
    Detach,
    /// Open the tour view for the position on the board.
    Tour,
    /// Open the step-by-step view of the search.
    Explain,
}

impl LiveModel {
    /// The model of a run that has just started.
    pub fn new(about: About, surface: Surface, scheduler: Scheduler, fps: u32, snapshot: Snapshot) -> LiveModel {
        LiveModel {
            about,
            scheduler,
            phase: Phase::Running,
            depths: Vec::new(),
            snapshot,
            drawing: Drawing::default(),
            rates: WorkerRates::default(),
            hires: Hires::default(),
            balance: Balance::default(),
            reading: 0,
            history: History::default(),
            selected: 0,
            order: WorkerOrder::default(),
            input: TextInput::default(),
            wanted: String::new(),
            focus: LivePane::Threads,
            zoomed: false,
            fps,
            answer: None,
            playback: Playback::default(),
            versus_rule: false,
            surface,
        }
    }

    /// How the run ended, if it has ended.
    pub fn ended(&self) -> Option<&SearchEnded> {
        if let Some(End::Run(ended)) = self.playback.end() { Some(ended) } else { None }
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<LiveLayout> {
        let zoom = self.zoomed.then_some(self.focus);
        LiveLayout::of(self.playback.above(self.surface.screen), self.snapshot.workers.len(), self.about.board, zoom)
    }

    /// The balance report, if it fills the screen.
    pub fn report(&self, width: u16) -> Option<BalanceReport> {
        let shown = self.zoomed && self.focus == LivePane::Balance && self.snapshot.lanes.is_none();
        shown.then(|| BalanceReport::new(&self.balance.figures(), self.surface.theme, width))
    }

    /// Scrolls the balance report by `by` lines. Returns whether the report is visible.
    pub(super) fn scroll_report(&mut self, by: i32) -> bool {
        let room = self.layout().and_then(|layout| Some(layout.page.inner(layout.rect(LivePane::Balance)?)));
        let report = room.and_then(|room| Some((self.report(room.width)?, room)));
        if let Some((report, room)) = &report {
            let most = report.height().saturating_sub(room.height);
            self.reading =
                self.reading.saturating_add_signed(by.clamp(i16::MIN.into(), i16::MAX.into()) as i16).min(most);
        }
        report.is_some()
    }

    /// The workers in the order on the screen.
    pub fn ranked(&self) -> Vec<usize> {
        let workers = &self.snapshot.workers;
        let mut ranked: Vec<usize> = (0..workers.len()).collect();
        match self.order {
            WorkerOrder::Number => {}
            WorkerOrder::Nodes => ranked.sort_by_key(|&worker| Reverse(workers[worker].nodes)),
            // By the smoothed depth, which changes more slowly than the depth itself.
            WorkerOrder::Depth => ranked.sort_by(|&a, &b| self.depths[b].total_cmp(&self.depths[a])),
            WorkerOrder::Hires => ranked.sort_by_key(|&worker| Reverse(workers[worker].sharing.hires)),
            WorkerOrder::Idle => ranked.sort_by_key(|&worker| Reverse(workers[worker].idle)),
            WorkerOrder::Group => ranked.sort_by_key(|&worker| workers[worker].group.unwrap_or(usize::MAX)),
        }
        ranked
    }
}
