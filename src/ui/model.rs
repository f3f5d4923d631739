//! What the screen shows: the model. `update.rs` changes it. Nothing here reads a clock, a terminal or a thread.

use super::about::About;
use super::find::WorkerSearch;
use super::hires::Hires;
use super::kit;
use super::kit::Playback;
use super::kit::Surface;
use super::kit::history::History;
use super::layout::{LiveLayout, LivePane};
use super::order::WorkerOrder;
use super::rates::WorkerRates;
use super::report::BalanceReport;
use crate::run::balance::Balance;
use crate::run::{Frame, SearchEnded, Wish};
use crate::schedule::{Scheduler, Snapshot, StopReason};
use crate::search::{Drawing, HandOver};
use std::cmp::Reverse;

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
pub struct LiveModel {
    /// The question.
    pub about: About,
    /// The scheduler of the present run.
    pub scheduler: Scheduler,
    /// How far the run is.
    pub phase: Phase,
    /// How it ended, once it has.
    pub ended: Option<SearchEnded>,
    /// The run when it was last looked at.
    pub snapshot: Snapshot,
    /// The depth of every worker, as its meter shows it: a running mean, for a search jumps up and down some million
    /// times between two looks; the very depth while the run is held.
    pub depths: Vec<f64>,
    /// The position of the selected worker then.
    pub drawing: Drawing,
    /// Figures a second and shares of time.
    pub rates: WorkerRates,
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
    pub order: WorkerOrder,
    /// Which worker is looked for.
    pub search: WorkerSearch,
    /// The pane that `zoom` zooms.
    pub focus: LivePane,
    /// Whether the focused pane has the whole screen.
    pub zoomed: bool,
    /// Frames a second.
    pub fps: u32,
    /// Where a tour was looked for: how many were found, or why none, once the run has ended.
    pub answer: Option<Result<usize, String>>,
    /// All that was seen of the run, and which moment of that is shown.
    pub course: Playback,
    /// How many frames the journal of the run could not take, if one is written.
    pub unrecorded: Option<u64>,
    /// Whether the hand-over rules are what is to be compared, not the schedulers.
    pub versus_rule: bool,
    /// What all screens have.
    pub surface: Surface,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum LiveMsg {
    /// What happens to every screen.
    Screen(kit::ScreenMsg),
    /// The run was looked at.
    Seen(Box<Frame>),
    /// The run was recorded: all of it.
    Recorded(Box<Playback>),
    /// A run began: its question, and its scheduler.
    Began(About, Scheduler),
    /// The run ended.
    Ended(SearchEnded),
}

/// Something to be done outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiveEffect {
    /// What the stage does for every screen.
    Stage(kit::StageWish),
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

impl LiveModel {
    /// The model of a run that has just begun.
    pub fn new(about: About, surface: Surface, scheduler: Scheduler, fps: u32, snapshot: Snapshot) -> LiveModel {
        LiveModel {
            about,
            scheduler,
            phase: Phase::Running,
            ended: None,
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
            search: WorkerSearch::default(),
            focus: LivePane::Threads,
            zoomed: false,
            fps,
            answer: None,
            course: Playback::default(),
            unrecorded: None,
            versus_rule: false,
            surface,
        }
    }

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<LiveLayout> {
        let zoom = self.zoomed.then_some(self.focus);
        LiveLayout::of(self.course.above(self.surface.screen), self.snapshot.workers.len(), self.about.board, zoom)
    }

    /// What the balance comes to, when it has the whole screen.
    pub fn report(&self, width: u16) -> Option<BalanceReport> {
        let shown = self.zoomed && self.focus == LivePane::Balance && self.snapshot.lanes.is_none();
        shown.then(|| BalanceReport::new(&self.balance.figures(), self.surface.theme, width))
    }

    /// Shows other lines of that, from so many on; answers whether it is shown.
    pub(super) fn read_on(&mut self, by: i32) -> bool {
        let room = self.layout().and_then(|layout| Some(layout.page.inner(layout.rect(LivePane::Balance)?)));
        let report = room.and_then(|room| Some((self.report(room.width)?, room)));
        if let Some((report, room)) = &report {
            let most = report.height().saturating_sub(room.height);
            self.reading =
                self.reading.saturating_add_signed(by.clamp(i16::MIN.into(), i16::MAX.into()) as i16).min(most);
        }
        report.is_some()
    }

    /// The workers in the order in which they are shown.
    pub fn ranked(&self) -> Vec<usize> {
        let workers = &self.snapshot.workers;
        let mut ranked: Vec<usize> = (0..workers.len()).collect();
        match self.order {
            WorkerOrder::Number => {}
            WorkerOrder::Nodes => ranked.sort_by_key(|&worker| Reverse(workers[worker].nodes)),
            // As the meters show it, which is calmer than it is.
            WorkerOrder::Depth => ranked.sort_by(|&a, &b| self.depths[b].total_cmp(&self.depths[a])),
            WorkerOrder::Hires => ranked.sort_by_key(|&worker| Reverse(workers[worker].hires)),
            WorkerOrder::Idle => ranked.sort_by_key(|&worker| Reverse(workers[worker].idle)),
            WorkerOrder::Group => ranked.sort_by_key(|&worker| workers[worker].group.unwrap_or(usize::MAX)),
        }
        ranked
    }
}
