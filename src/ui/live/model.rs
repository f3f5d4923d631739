//! The model: all that the live view shows. `update.rs` changes it. This file uses no clock, terminal or thread.

use super::hires::Hires;
use super::layout::{self, LiveShape};
use super::report::BalanceReport;
use super::story::Story;
use super::timeline::WorkerTimeline;
use super::update::{KEYS, update};
use super::view::{LivePane, view};
use super::workers::{WorkerFigure, WorkerFilter, WorkerRates, look_of};
use crate::board::{Board, Ending};
use crate::event::Event;
use crate::run::balance::{Balance, Verdict, VerdictName};
use crate::run::{Body, End, Frame, Moment, Question, SearchEnd, Tempo, TimePart};
use crate::schedule::{Scheduler, Snapshot, StopReason, WorkerSnapshot, WorkerState};
use crate::search::Drawing;
use crate::ui::kit::workers::WorkerOrder;
use crate::ui::kit::{
    Clip, Grid, Pane, PaneFocus, PaneLayout, Playback, ScreenEvent, Surface, TextInput, TimeWindow, Turn, WorkerLook,
    chains_text,
};
use crate::ui::playing::RunModel;
use crate::ui::screen::Model;
use ratatui::Frame as Canvas;
use std::cmp::Reverse;
use std::time::Duration;

/// The question that a run answers, as the header shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// The convention by which tours are counted, for example `undirected`.
    pub convention: String,
    /// The name of the solver or finder.
    pub method: String,
    /// Further conditions, for example `unique` or `from a1`; may be empty.
    pub detail: String,
    /// The search that is faster, if there is one.
    pub faster: Option<&'static str>,
    /// Whether the run looks for one tour by attempts. Otherwise it enumerates tours in a tree.
    pub finds: bool,
    /// Whether the user may change the scheduler. That starts a new run, and so is refused while tours are written to a file.
    pub may_restart: bool,
}

impl About {
    /// Describes a question for the header.
    pub fn new(question: &Question, may_restart: bool) -> About {
        About {
            board: question.board(),
            ending: question.ending(),
            convention: question.convention().to_owned(),
            method: question.method().to_owned(),
            detail: question.detail(),
            faster: question.faster_solver(),
            finds: question.finds(),
            may_restart,
        }
    }
}

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
    /// How fast the run is shown by itself, until the user takes it in hand.
    pub tempo: Tempo,
    /// The tempo in which the run began, if it is the demonstration.
    pub demonstration: Option<Tempo>,
    /// The phase of the run.
    pub phase: Phase,
    /// The latest snapshot of the run.
    pub snapshot: Snapshot,
    /// The snapshot whose figures of workers and depths are shown. Of many workers at full speed it is renewed only twice a
    /// second: more figures cannot be read, and each of them costs bytes on the line.
    pub figures: Snapshot,
    /// The depth of every worker: a running mean, because a search changes depth millions of times between two
    /// snapshots. While the run is paused or very slow, the exact depth.
    pub depths: Vec<f64>,
    /// The position of the selected worker at the latest snapshot.
    pub drawing: Drawing,
    /// Rates a second and shares of time.
    pub rates: WorkerRates,
    /// The hires of the run.
    pub hires: Hires,
    /// What happened last, in a sentence.
    pub story: Story,
    /// What the workers did over the run, whichever moment is shown.
    pub timeline: WorkerTimeline,
    /// Whether the timeline takes the place of the workers where there is no room for both.
    pub shows_timeline: bool,
    /// The balance of the work up to the moment shown.
    pub balance: Balance,
    /// The first visible line of the balance report.
    pub reading: u16,
    /// How much of the run is shown over time.
    pub window: TimeWindow,
    /// The worker whose position is shown.
    pub selected: usize,
    /// The order of the workers on the screen.
    pub order: WorkerOrder,
    pub is_reversed: bool,
    /// Whether a table of workers shows the page of the selected one, because it was selected in this order; else the first.
    pub follows_selection: bool,
    /// The field for a worker to find, or a filter.
    pub input: TextInput,
    /// Which workers are shown; `None` for all.
    pub filter: Option<WorkerFilter>,
    pub focus: PaneFocus<LivePane>,
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

impl LiveModel {
    /// The model of a run that has just started.
    pub fn new(about: About, surface: Surface, scheduler: Scheduler, fps: u32, snapshot: Snapshot) -> LiveModel {
        LiveModel {
            about,
            scheduler,
            tempo: Tempo::Full,
            demonstration: None,
            phase: Phase::Running,
            depths: Vec::new(),
            figures: snapshot.clone(),
            snapshot,
            drawing: Drawing::default(),
            rates: WorkerRates::default(),
            hires: Hires::default(),
            story: Story::default(),
            timeline: WorkerTimeline::default(),
            shows_timeline: false,
            balance: Balance::of(scheduler),
            reading: 0,
            window: TimeWindow::default(),
            selected: 0,
            order: WorkerOrder::default(),
            is_reversed: false,
            follows_selection: false,
            input: TextInput::default(),
            filter: None,
            focus: PaneFocus::on(LivePane::Threads),
            fps,
            answer: None,
            playback: Playback::default(),
            versus_rule: false,
            surface,
        }
    }

    /// How the run ended, if it has ended.
    pub fn ended(&self) -> Option<&SearchEnd> {
        if let Some(End::Run(ended)) = self.playback.end() { Some(ended) } else { None }
    }

    /// Whether the end of the demonstration is shown, with keys for what comes next.
    pub fn is_demonstrated(&self) -> bool {
        self.playback.is_demonstrated()
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<PaneLayout<LivePane>> {
        self.arranged(self.focus.zoom())
    }

    /// The layout without zoom.
    pub(super) fn unzoomed(&self) -> Option<PaneLayout<LivePane>> {
        self.arranged(None)
    }

    fn arranged(&self, zoom: Option<LivePane>) -> Option<PaneLayout<LivePane>> {
        let workers = self.snapshot.workers.len();
        let shape = LiveShape {
            workers,
            board: self.about.board,
            is_shared: self.has_timeline(),
            hires: self.tells_hires(workers),
            over_time: self.shows_timeline,
        };
        layout::arrange(self.playback.above(self.surface.screen), &shape, zoom)
    }

    /// Whether so many workers of this run hire.
    fn tells_hires(&self, workers: usize) -> bool {
        self.scheduler.tells_hires && workers > 1 && self.has_timeline()
    }

    /// Whether the run has workers that share a tree.
    pub fn has_timeline(&self) -> bool {
        !self.about.finds
    }

    /// The grid of the workers, if their pane is visible.
    pub fn grid(&self) -> Option<Grid> {
        let inner = self.layout()?.inner(LivePane::Threads)?;
        let workers = self.ranked().len();
        let is_zoomed = self.focus.zoom() == Some(LivePane::Threads);
        // Ordered by a figure, the first ones are looked for: all figures of some tell more than a bar of each.
        Some(match self.order {
            WorkerOrder::Number | WorkerOrder::Group if !is_zoomed => Grid::fit(workers, inner.width, inner.height),
            _ => {
                let selected = || self.ranked().iter().position(|&worker| worker == self.selected);
                let place = if self.follows_selection { selected().unwrap_or(0) } else { 0 };
                Grid::table(workers, inner.width, inner.height, place)
            }
        })
    }

    /// The balance report, if it fills the screen.
    pub fn report(&self, width: u16) -> Option<BalanceReport> {
        let is_shown = self.focus.zoom() == Some(LivePane::Balance) && self.has_timeline();
        is_shown.then(|| BalanceReport::new(&self.balance.figures(), self.surface.theme, width))
    }

    /// What keeps workers from work, if something does that the user has not asked for.
    pub fn verdict(&self) -> Option<Verdict> {
        let is_judged = !self.about.finds && !self.snapshot.is_held();
        let worst = is_judged.then(|| self.balance.verdicts().into_iter().next()).flatten();
        worst.filter(|verdict| !matches!(verdict.name, VerdictName::Healthy | VerdictName::SmallQuestion))
    }

    /// Scrolls the balance report by `by` lines. Returns whether the report is visible.
    pub(super) fn scroll_report(&mut self, by: i32) -> bool {
        let is_zoomed = self.focus.zoom() == Some(LivePane::Balance);
        let room = self.layout().filter(|_| is_zoomed).and_then(|layout| layout.inner(LivePane::Balance));
        let report = room.and_then(|room| Some((self.report(room.width)?, room)));
        if let Some((report, room)) = &report {
            let most = report.height().saturating_sub(room.height);
            self.reading =
                self.reading.saturating_add_signed(by.clamp(i16::MIN.into(), i16::MAX.into()) as i16).min(most);
        }
        report.is_some()
    }

    pub(super) fn look(&self, worker: usize) -> WorkerLook {
        look_of(self.snapshot.workers[worker].state, self.hires.fresh(worker, &self.snapshot))
    }

    /// The depth of a worker; 0 before the first frame of a run.
    pub(super) fn depth(&self, worker: usize) -> f64 {
        self.depths.get(worker).copied().unwrap_or(0.0)
    }

    /// The share of the time of a worker that went into a part; below zero if no time has passed.
    pub(super) fn share(&self, worker: usize, part: TimePart) -> f64 {
        self.balance.time_of(worker).map_or(-1.0, |time| time[part])
    }

    /// The workers that pass the filter, in the order on the screen.
    pub fn ranked(&self) -> Vec<usize> {
        let workers = &self.snapshot.workers;
        let passes = |&worker: &usize| {
            self.filter.as_ref().is_none_or(|filter| filter.passes(&workers[worker], self.look(worker).word))
        };
        let mut ranked: Vec<usize> = (0..workers.len()).filter(passes).collect();
        // Ordered by the figures that are shown.
        let workers = &self.figures.workers;
        match self.order {
            WorkerOrder::Number => {}
            WorkerOrder::Nodes => ranked.sort_by_key(|&worker| Reverse(workers[worker].nodes)),
            // By the smoothed depth, which changes more slowly than the depth itself.
            WorkerOrder::Depth => ranked.sort_by(|&a, &b| self.depth(b).total_cmp(&self.depth(a))),
            WorkerOrder::Hires => ranked.sort_by_key(|&worker| Reverse(workers[worker].sharing.hires)),
            WorkerOrder::Waiting => {
                let shares: Vec<f64> = (0..workers.len()).map(|worker| self.share(worker, TimePart::Waiting)).collect();
                ranked.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
            }
            WorkerOrder::Group => ranked.sort_by_key(|&worker| workers[worker].group.unwrap_or(usize::MAX)),
        }
        if self.is_reversed {
            ranked.reverse();
        }
        ranked
    }
}

/// Nodes a second and worker up to which its depth is followed node by node.
const FOLLOWED: u32 = 50;
/// Weight of the latest depth in the running mean: of few workers, and of many, whose bars would otherwise tremble.
const DEPTH_WEIGHTS: [f64; 2] = [0.2, 0.1];
/// So many workers, and figures that are renewed so often, can be read as they come.
const READ_AT_ONCE: usize = 16;
const READ_EVERY: Duration = Duration::from_millis(500);

impl Model for LiveModel {
    fn update(&mut self, msg: ScreenEvent) -> Turn {
        update(self, msg)
    }

    fn draw(&self, frame: &mut Canvas<'_>) {
        view(self, frame);
    }

    fn moving(&self) -> Option<Duration> {
        self.surface.waits().or_else(|| self.playback.is_playing().then(|| self.frame_time()))
    }

    fn takes_keys(&self) -> bool {
        self.surface.takes_keys() || self.playback.takes_keys() || self.input.text().is_some()
    }

    /// The path on the board, the figures of the selected worker, or the text of another pane.
    fn clip(&self) -> Option<Clip> {
        match self.focus.pane {
            LivePane::Board => {
                let text = chains_text(self.about.board, &self.drawing);
                Some(Clip::Text(format!("the board of worker {}", self.selected), text))
            }
            LivePane::Threads => {
                let worker = self.snapshot.workers.get(self.selected)?;
                let (selected, state) = (self.selected, self.look(self.selected).word);
                let figures = format!("worker {selected}  {state}{}\n", WorkerFigure::copied(worker));
                Some(Clip::Text(format!("the figures of worker {selected}"), figures))
            }
            pane => Some(Clip::Part(KEYS.heading(pane.name()), self.layout()?.inner(pane)?)),
        }
    }
}

impl RunModel for LiveModel {
    fn playback(&self) -> &Playback {
        &self.playback
    }

    fn playback_mut(&mut self) -> &mut Playback {
        &mut self.playback
    }

    fn take(&mut self, frame: Frame) {
        self.timeline.take(&frame);
        if self.playback.shown().is_none() {
            self.show(&frame);
        }
        self.playback.take(frame);
    }

    fn replay(&mut self, playback: Playback) {
        playback.past().frames().iter().for_each(|frame| self.timeline.take(frame));
        self.playback = playback;
        self.show_moment(None);
    }

    fn show(&mut self, frame: &Frame) {
        let Body::Tree(tree) = &frame.body else { return };
        self.balance.meet(&tree.snapshot);
        frame.events.iter().for_each(|event| self.add_event(event));
        add_snapshot(self, tree.snapshot.clone());
        if let Some(drawing) = frame.position(self.selected) {
            self.drawing.clone_from(drawing);
        }
    }

    fn show_moment(&mut self, from: Option<Moment>) {
        let playback = std::mem::take(&mut self.playback);
        let to = playback.shown().unwrap_or_else(|| playback.past().last());
        if from.is_none() {
            self.forget();
        }
        if let Some(Body::Tree(tree)) = playback.past().frames().front().map(|first| &first.body) {
            self.balance.meet(&tree.snapshot);
        }
        // As they came: each look after the events before it.
        let mut events = playback.past().events_between(from, to).peekable();
        for frame in playback.past().frames_between(from, to) {
            let Body::Tree(tree) = &frame.body else { continue };
            self.balance.meet(&tree.snapshot);
            while let Some(event) = events.next_if(|event| event.at <= tree.snapshot.elapsed) {
                self.add_event(event);
            }
            add_snapshot(self, tree.snapshot.clone());
        }
        let shown = playback.past().snapshot(to);
        // Events behind the last of these looks are judged with the time until the next one.
        let elapsed = shown.as_ref().map_or(Duration::ZERO, |shown| shown.elapsed);
        let frames = playback.past().frames();
        let next = frames.get(frames.partition_point(|frame| frame.at() < elapsed));
        if let Some(Body::Tree(tree)) = next.map(|next| &next.body) {
            self.balance.meet(&tree.snapshot);
        }
        events.for_each(|event| self.add_event(event));
        let shown = shown.unwrap_or_else(|| std::mem::take(&mut self.snapshot));
        self.show_figures(&shown);
        self.snapshot = shown;
        self.playback = playback;
        self.redraw();
        self.close();
    }

    fn show_end(&mut self, end: &End) -> bool {
        self.close();
        *end != End::Failed
    }

    fn frame_time(&self) -> Duration {
        Duration::from_secs(1) / self.fps
    }
}

impl LiveModel {
    /// Starts the view of another run, with its question and scheduler.
    pub fn begin(&mut self, about: About, scheduler: Scheduler) {
        if about != self.about {
            self.selected = 0;
            self.drawing = Drawing::default();
        }
        self.about = about;
        self.scheduler = scheduler;
        self.playback = Playback::default();
        self.timeline = WorkerTimeline::default();
        self.figures.nodes_by_depth.clear();
        self.forget();
    }

    fn add_event(&mut self, event: &Event) {
        self.balance.happened(event);
        self.story.take(event, self.snapshot.pace.is_some());
        self.hires.take(event.clone());
    }

    /// Shows the figures of a snapshot; those by depth of the one before, as long as it counts anew and has not counted any node.
    fn show_figures(&mut self, snapshot: &Snapshot) {
        let before = std::mem::replace(&mut self.figures, snapshot.clone());
        let counts = |seen: &Snapshot| seen.nodes_by_depth.iter().any(|&nodes| nodes > 0);
        if before.nodes() <= snapshot.nodes() && counts(&before) && !counts(snapshot) {
            let (figures, Snapshot { nodes_by_depth, pruned_by_depth, levels, depths_since, .. }) =
                (&mut self.figures, before);
            (figures.nodes_by_depth, figures.pruned_by_depth) = (nodes_by_depth, pruned_by_depth);
            (figures.levels, figures.depths_since) = (levels, depths_since);
        }
    }

    /// Resets all that was computed from frames.
    fn forget(&mut self) {
        self.phase = Phase::Running;
        self.answer = None;
        self.rates = WorkerRates::default();
        self.hires = Hires::default();
        self.story = Story::default();
        self.balance = Balance::of(self.scheduler);
        self.depths.clear();
    }

    /// Shows the end of the run, if it has ended, unless an earlier moment is shown.
    fn close(&mut self) {
        let Some(End::Run(ended)) = self.playback.end_shown() else { return };
        let SearchEnd { stopped, elapsed, answer, tour } = ended.clone();
        self.phase = Phase::Ended(stopped);
        self.surface.drop_question();
        if self.demonstration.is_some() && stopped.is_none() {
            self.playback.set_demonstrated();
        }
        self.snapshot.elapsed = elapsed;
        self.snapshot.paused = false;
        self.show_figures(&self.snapshot.clone());
        self.answer = answer;
        self.drawing = tour.unwrap_or(std::mem::take(&mut self.drawing));
    }

    /// Shows the position of the selected worker at the moment shown.
    pub(super) fn redraw(&mut self) {
        // A worker that has done nothing yet stands nowhere: no board of a later moment is shown for it.
        let has_begun = |worker: &WorkerSnapshot| worker.nodes > 0 || worker.state != WorkerState::Idle;
        if !self.snapshot.workers.get(self.selected).is_none_or(has_begun) {
            self.drawing = Drawing::default();
            return;
        }
        let past = self.playback.past();
        let shown = self.playback.shown().unwrap_or_else(|| past.last());
        match past.drawing(self.selected, shown) {
            Some(drawing) => self.drawing.clone_from(drawing),
            // Of a large crew on a large board, only the worker that was selected then was recorded.
            None => self.drawing = Drawing::default(),
        }
    }
}

fn add_snapshot(model: &mut LiveModel, snapshot: Snapshot) {
    model.balance.sampled(&snapshot);
    let hires = model.tells_hires(snapshot.workers.len());
    model.story.pass(&snapshot, hires, |at| model.balance.run_time(at));
    model.rates.take(&snapshot);
    smooth_depths(&mut model.depths, &snapshot);
    model.selected = model.selected.min(snapshot.workers.len().saturating_sub(1));
    if shows_figures(&model.figures, &snapshot) {
        model.show_figures(&snapshot);
    }
    model.snapshot = snapshot;
}

/// Whether the figures of a snapshot are shown after those of another one.
fn shows_figures(shown: &Snapshot, snapshot: &Snapshot) -> bool {
    let workers = snapshot.workers.len();
    workers <= READ_AT_ONCE
        || snapshot.is_held()
        || shown.workers.len() != workers
        || snapshot.elapsed < shown.elapsed
        || snapshot.elapsed - shown.elapsed >= READ_EVERY
}

/// Updates the running means of the depths. The mean of a worker without work restarts. The exact depth is shown where the
/// eye can follow it.
fn smooth_depths(depths: &mut Vec<f64>, snapshot: &Snapshot) {
    let held = snapshot.paused || snapshot.pace.is_some_and(|pace| pace <= FOLLOWED);
    let weight = DEPTH_WEIGHTS[usize::from(snapshot.workers.len() > READ_AT_ONCE)];
    depths.resize(snapshot.workers.len(), 0.0);
    for (mean, worker) in depths.iter_mut().zip(&snapshot.workers) {
        let depth = worker.depth as f64;
        *mean = match worker.state.has_work() {
            false => 0.0,
            true if held || *mean == 0.0 => depth,
            true => *mean + (depth - *mean) * weight,
        };
    }
}
