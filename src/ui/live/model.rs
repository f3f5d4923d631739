//! The model: all that the live view shows. `update.rs` changes it. This file uses no clock, terminal or thread.

use super::hires::Hires;
use super::layout::{self, LiveShape};
use super::report::BalanceReport;
use super::story::Story;
use super::timeline::WorkerTimeline;
use super::update::{KEYS, update};
use super::view::{LivePane, strip, view};
use super::workers::{WorkerFigure, WorkerFilter, WorkerRates, look_of};
use crate::board::{Ending, Shape};
use crate::event::Event;
use crate::run::balance::{Balance, Verdict, VerdictName};
use crate::run::{End, Frame, HandedBranch, Moment, Question, SearchEnd, Tempo, TimePart};
use crate::schedule::{Scheduler, Snapshot, StopReason, WorkerSnapshot, WorkerState};
use crate::search::Drawing;
use crate::ui::kit::workers::WorkerOrder;
use crate::ui::kit::{
    Clip, Common, Effect, Grid, Pane, PaneFocus, PaneLayout, Playback, ScreenEvent, TextInput, TimeWindow, WorkerLook,
    chains_text,
};
use crate::ui::playing::RunModel;
use crate::ui::screen::Model;
use crate::words;
use ratatui::Frame as Canvas;
use std::cmp::Reverse;
use std::time::Duration;

/// The question that a run answers, as the header shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    pub shape: Shape,
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
            shape: question.shape().clone(),
            ending: question.ending(),
            convention: question.convention().to_owned(),
            method: question.method().to_owned(),
            detail: question.detail(false),
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
    /// The look that is shown: everything on the screen is of its moment. The depth of a worker in it is a running mean, because
    /// it changes millions of times between two looks; it is exact while the run is paused, past or slow (see `FOLLOWED`).
    pub snapshot: Snapshot,
    /// Frames that are not shown yet. Of many workers at full speed they are shown some at a time: more cannot be read, and each
    /// figure costs bytes on the line.
    unseen: Vec<Frame>,
    /// Until when the nodes by depth were counted, if they are counted anew and none has been yet.
    pub counted_until: Option<Duration>,
    /// The running means of the depths.
    depths: Vec<f64>,
    /// The position of the selected worker at the look that is shown.
    pub drawing: Drawing,
    /// When that position was seen, if it was at another time than the moment of the past that is shown.
    pub drawn_at: Option<Duration>,
    /// Rates a second and shares of time.
    pub rates: WorkerRates,
    /// The hires of the run.
    pub hires: Hires,
    /// The hire that is selected, whose page can be opened.
    pub hire: Option<Event>,
    /// That hire, a moment, and what had become of its branch by then: as its page last showed it.
    pub branch: Option<(Event, Moment, Option<HandedBranch>)>,
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
    /// What the workers of a row have in common, if the table has a row for each group of CPUs.
    pub grouped: Option<&'static str>,
    /// Whether a table of workers shows the page of the selected one, because it was selected in this order; else the first.
    pub follows_selection: bool,
    /// The field for a worker to find, or a filter.
    pub input: TextInput,
    /// The field for a number of threads, and the one that was entered last.
    pub crew_input: TextInput,
    pub wanted_threads: usize,
    /// Which workers are shown; `None` for all.
    pub filter: Option<WorkerFilter>,
    pub focus: PaneFocus<LivePane>,
    /// The panes that are chosen; none for all.
    pub chosen: Vec<LivePane>,
    /// Those that the settings choose.
    pub own_panes: Vec<LivePane>,
    /// Frames a second.
    pub fps: u32,
    /// For a run that looks for a tour: the number of tours found, or why there is none. Set when the run has ended.
    pub answer: Option<Result<usize, String>>,
    /// All frames of the run, and the moment that is shown.
    pub playback: Playback,
    /// Whether the next comparison is between hand-over rules, not schedulers.
    pub versus_rule: bool,
    /// The state that all screens share.
    pub common: Common,
}

impl LiveModel {
    /// The model of a run that has just started.
    pub fn new(about: About, common: Common, scheduler: Scheduler, fps: u32, snapshot: Snapshot) -> LiveModel {
        LiveModel {
            about,
            scheduler,
            tempo: Tempo::Full,
            demonstration: None,
            phase: Phase::Running,
            unseen: Vec::new(),
            counted_until: None,
            depths: Vec::new(),
            snapshot,
            drawing: Drawing::default(),
            drawn_at: None,
            rates: WorkerRates::default(),
            hires: Hires::default(),
            hire: None,
            branch: None,
            story: Story::default(),
            timeline: WorkerTimeline::default(),
            shows_timeline: false,
            balance: Balance::of(scheduler),
            reading: 0,
            window: TimeWindow::default(),
            selected: 0,
            order: WorkerOrder::default(),
            is_reversed: false,
            grouped: None,
            follows_selection: false,
            input: TextInput::default(),
            crew_input: TextInput::default(),
            wanted_threads: 0,
            filter: None,
            focus: PaneFocus::on(LivePane::Threads),
            chosen: Vec::new(),
            own_panes: Vec::new(),
            fps,
            answer: None,
            playback: Playback::default(),
            versus_rule: false,
            common,
        }
    }

    /// How the run ended, if it has ended.
    pub fn ended(&self) -> Option<&SearchEnd> {
        if let Some(End::Run(ended)) = self.playback.end() { Some(ended) } else { None }
    }

    /// The last look at a run that has come to its end: the whole tree.
    pub fn whole(&self) -> Option<&Snapshot> {
        self.ended().filter(|end| end.stopped.is_none())?;
        self.playback.past().frames().back()?.snapshot()
    }

    /// The time of the run when it had been watched for so long. Its last look comes after its end.
    pub fn run_time(&self, watched: Duration) -> Duration {
        let until = self.ended().map_or(watched, |end| watched.min(end.elapsed));
        self.playback.past().run_time(until)
    }

    /// The words for a speed; a virtual clock has none, as its time is not that of any machine.
    pub fn rate(&self, per_s: f64) -> Option<String> {
        self.snapshot.simulated.is_none().then(|| format!("{}/s", words::rate(per_s)))
    }

    /// Of a run that was resumed: since when its workers and their hires are told.
    pub fn since(&self) -> String {
        self.snapshot.earlier.map_or(String::new(), |earlier| format!(" since {}", words::moment(earlier.elapsed)))
    }

    /// How much earlier or later than the moment that is shown another one is; `None` at one time. At full speed workers say what
    /// they do every few milliseconds: of a run that is not short, a look is no finer than that.
    pub fn apart(&self, at: Option<Duration>) -> Option<String> {
        let [other, shown] = [at?, self.snapshot.elapsed].map(|at| self.run_time(at));
        let (way, apart) = (if other < shown { "earlier" } else { "later" }, other.abs_diff(shown));
        let is_full = !self.snapshot.is_held() && self.snapshot.simulated.is_none();
        let is_coarse = is_full && apart < COARSE && apart < shown / 10;
        let apart = if is_coarse { "under 0.1 s".to_owned() } else { words::age(apart) };
        (other != shown).then(|| format!("{apart} {way}"))
    }

    /// At an event of the past that is between two looks: when the look was whose figures are shown.
    pub fn figures_at(&self) -> Option<Duration> {
        let is_at_end = self.phase != Phase::Running || self.playback.is_playing();
        let shown = self.playback.shown().filter(|_| !is_at_end)?;
        self.playback.past().frame(shown).map(|frame| frame.at())
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
        let screen = self.playback.above(self.common.screen);
        let shape = LiveShape {
            workers,
            strip: strip::height(self, screen.width),
            places: self.grouped.map_or(workers, |_| self.group_rows().len()),
            board: self.about.shape.board(),
            is_shared: self.has_timeline(),
            hires: self.tells_hires(workers),
            over_time: self.shows_timeline,
            chosen: &self.chosen,
        };
        layout::arrange(screen, &shape, zoom)
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
            WorkerOrder::Number if !is_zoomed => Grid::fit(workers, inner.width, inner.height),
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
        is_shown.then(|| BalanceReport::new(&self.balance.figures(), self.common.theme, width))
    }

    /// What keeps workers from work, if something does that the user has not asked for.
    pub fn verdict(&self) -> Option<Verdict> {
        let is_judged = !self.about.finds && !self.snapshot.is_held() && !self.balance.is_slowed();
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
        look_of(self.snapshot.workers[worker].state)
    }

    /// Whether a worker has just given a branch, or got one.
    pub(super) fn mark(&self, worker: usize) -> Option<WorkerLook> {
        let has_ended = self.snapshot.workers[worker].state == WorkerState::Done;
        self.hires.mark(worker, &self.snapshot).filter(|_| !has_ended)
    }

    /// The workers that pass the filter, in the order on the screen.
    pub fn ranked(&self) -> Vec<usize> {
        let workers = &self.snapshot.workers;
        let passes = |&worker: &usize| {
            self.filter.as_ref().is_none_or(|filter| filter.passes(&workers[worker], self.look(worker).word))
        };
        let mut ranked: Vec<usize> = (0..workers.len()).filter(passes).collect();
        // Of a share of time the tenths that are written, and whether it is none or all.
        let ends = |share: f64| (share.ceil() + share.floor()) as u8;
        let tenths = |worker, part| self.balance.time_of(worker).map(|time| (time.tenths(part), ends(time[part])));
        let figure = |worker: usize| {
            let seen = &workers[worker];
            match self.order {
                WorkerOrder::Waiting => tenths(worker, TimePart::Waiting),
                WorkerOrder::Searching => tenths(worker, TimePart::Searching),
                WorkerOrder::Depth if !seen.state.has_work() => None,
                order => WorkerFigure::number(order.name(), seen).map(|number| (number as usize, 1)),
            }
        };
        ranked.sort_by_cached_key(|&worker| Reverse(figure(worker)));
        if self.is_reversed {
            ranked.reverse();
        }
        ranked
    }
}

/// A time in which a worker at full speed has told its figures.
const COARSE: Duration = Duration::from_millis(100);
/// Nodes a second and worker up to which the depths of many workers are followed node by node: beyond that they tremble, which
/// costs a third more bytes on the line. That of the selected worker is the one of its board in all slow motion.
const FOLLOWED: u32 = 50;
/// Weight of the latest depth in the running mean: of few workers, and of many, whose bars would otherwise tremble.
const DEPTH_WEIGHTS: [f64; 2] = [0.2, 0.1];
/// Looks at so many workers can be read as they come; of more workers, looks are shown so often a second.
pub(super) const READ_AT_ONCE: usize = 16;
const READ_PER_S: u32 = 4;

impl Model for LiveModel {
    fn update(&mut self, msg: ScreenEvent) -> Effect {
        let effect = update(self, msg);
        self.look_up_hire();
        effect
    }

    fn draw(&self, frame: &mut Canvas<'_>) {
        view(self, frame);
    }

    fn moving(&self) -> Option<Duration> {
        self.common.waits().or_else(|| self.playback.is_playing().then(|| self.frame_time()))
    }

    fn takes_keys(&self) -> bool {
        self.common.takes_keys()
            || self.playback.takes_keys()
            || [&self.input, &self.crew_input].iter().any(|input| input.text().is_some())
    }

    /// The path on the board, the figures of the selected worker, or the text of another pane.
    fn clip(&self) -> Option<Clip> {
        match self.focus.pane {
            LivePane::Board => {
                let text = chains_text(self.about.shape.board(), &self.drawing);
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
        let is_due = self.is_due(&frame);
        self.unseen.push(frame);
        if is_due {
            self.catch_up();
            // Late events may be of the moment that is shown.
            self.branch = None;
            self.look_up_hire();
        }
    }

    fn end(&mut self, end: End) -> bool {
        self.catch_up();
        self.playback.close(end.clone());
        self.look_up_hire();
        self.show_end(&end)
    }

    fn replay(&mut self, playback: Playback) {
        playback.past().frames_with_events().for_each(|(frame, events)| self.timeline.take(frame, events));
        self.playback = playback;
        self.show_moment(None);
    }

    fn show(&mut self, frame: &Frame) {
        let Some(seen) = frame.snapshot() else { return };
        self.balance.gather(seen, &frame.events);
        frame.events.iter().for_each(|event| self.add_event(event));
        self.pass(seen);
        self.put(seen.clone());
        self.playback.wished().show_in(&mut self.snapshot);
        self.smooth();
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
        let frames = playback.past().frames();
        if let Some(seen) = frames.front().and_then(|first| first.snapshot()) {
            self.balance.meet(seen);
        }
        self.balance.set_clock(playback.past().clock().clone());
        // As they came: each look after the events before it.
        let mut events = playback.past().events_between(from, to).peekable();
        for frame in playback.past().frames_between(from, to) {
            let Some(seen) = frame.snapshot() else { continue };
            self.balance.meet(seen);
            while let Some(event) = events.next_if(|event| event.at <= seen.elapsed) {
                self.add_event(event);
            }
            self.pass(seen);
            self.put(seen.clone());
        }
        let shown = playback.past().snapshot(to);
        events.for_each(|event| self.add_event(event));
        if let Some(shown) = shown {
            self.put(shown);
        }
        self.playback = playback;
        if self.playback.shown().is_none() {
            self.smooth();
        }
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
        self.unseen.clear();
        (self.hire, self.branch) = (None, None);
        self.snapshot.nodes_by_depth.clear();
        self.forget();
    }

    fn add_event(&mut self, event: &Event) {
        self.balance.happened(event);
        self.story.take(event, self.snapshot.pace.is_some());
        self.hires.take(event.clone());
    }

    /// Whether a frame and those before it are to be shown at once.
    fn is_due(&self, frame: &Frame) -> bool {
        let (shown, Some(next)) = (&self.snapshot, frame.snapshot()) else { return true };
        next.workers.len() <= READ_AT_ONCE
            || next.is_held()
            || shown.is_held()
            || shown.workers.len() != next.workers.len()
            || next.elapsed < shown.elapsed
            || self.playback.shown().is_some()
            || self.unseen.len() as u32 + 1 >= self.fps.div_ceil(READ_PER_S)
    }

    /// Takes the frames that have come since the look that is shown.
    fn catch_up(&mut self) {
        for frame in std::mem::take(&mut self.unseen) {
            self.timeline.take(&frame, frame.events.iter());
            if self.playback.shown().is_none() {
                self.show(&frame);
            }
            self.playback.take(frame);
        }
    }

    /// Adds a look to all that is made of looks.
    fn pass(&mut self, snapshot: &Snapshot) {
        self.balance.sampled(snapshot);
        let hires = self.tells_hires(snapshot.workers.len());
        self.story.pass(snapshot, hires);
        self.rates.take(snapshot);
    }

    /// Shows a look; with the figures by depth of the one before, as long as it counts anew and has not counted any node.
    fn put(&mut self, snapshot: Snapshot) {
        let before = std::mem::replace(&mut self.snapshot, snapshot);
        self.selected = self.selected.min(self.snapshot.workers.len().saturating_sub(1));
        let counts = |seen: &Snapshot| seen.nodes_by_depth.iter().any(|&nodes| nodes > 0);
        self.counted_until = None;
        if before.nodes() <= self.snapshot.nodes() && counts(&before) && !counts(&self.snapshot) {
            let (seen, Snapshot { nodes_by_depth, pruned_by_depth, levels, depths_since, .. }) =
                (&mut self.snapshot, before);
            self.counted_until = Some(seen.depths_since).filter(|until| *until > depths_since);
            (seen.nodes_by_depth, seen.pruned_by_depth) = (nodes_by_depth, pruned_by_depth);
            (seen.levels, seen.depths_since) = (levels, depths_since);
        }
    }

    /// Puts running means in the place of the depths, where the eye cannot follow those. The mean of a worker without work
    /// restarts, and no mean is above the lowest level with a branch to give.
    fn smooth(&mut self) {
        let seen = &mut self.snapshot;
        let is_many = seen.workers.len() > READ_AT_ONCE;
        let weight = DEPTH_WEIGHTS[usize::from(is_many)];
        self.depths.resize(seen.workers.len(), 0.0);
        for (id, (mean, worker)) in self.depths.iter_mut().zip(&mut seen.workers).enumerate() {
            let is_exact = |pace| pace <= FOLLOWED || !is_many || id == self.selected;
            let held = seen.paused || seen.pace.is_some_and(is_exact);
            let depth = worker.depth as f64;
            *mean = match worker.state.has_work() {
                false => 0.0,
                true if held || *mean == 0.0 => depth,
                true => *mean + (depth - *mean) * weight,
            };
            if worker.state.has_work() {
                worker.depth = (mean.round() as usize).max(worker.level.unwrap_or(0));
            }
        }
    }

    /// Looks up what became of the selected hire, if its page is shown: once for a moment, not for each drawing of it.
    fn look_up_hire(&mut self) {
        let has_page = || self.layout().is_some_and(|layout| layout.rect(LivePane::Hire).is_some());
        let Some(hire) = self.hire.as_ref().filter(|_| has_page()) else { return };
        let past = self.playback.past();
        let moment = self.playback.shown().unwrap_or_else(|| past.last());
        if self.branch.as_ref().is_none_or(|(of, at, _)| (of, *at) != (hire, moment)) {
            self.branch = Some((hire.clone(), moment, past.branch(hire, moment, self.scheduler.times_hand_overs)));
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
        let SearchEnd { stopped, elapsed, answer, tour, .. } = ended.clone();
        self.phase = Phase::Ended(stopped);
        self.common.drop_question();
        self.crew_input = TextInput::default();
        if self.demonstration.is_some() && stopped.is_none() {
            self.playback.set_demonstrated();
        }
        self.snapshot.elapsed = elapsed;
        self.snapshot.paused = false;
        self.answer = answer;
        if let Some(tour) = tour {
            (self.drawing, self.drawn_at) = (tour, None);
        }
    }

    /// Shows the position of the selected worker at the moment shown.
    pub(super) fn redraw(&mut self) {
        self.drawn_at = None;
        // A worker that has done nothing yet stands nowhere: no board of a later moment is shown for it.
        let has_begun = |worker: &WorkerSnapshot| worker.nodes > 0 || worker.state != WorkerState::Idle;
        if !self.snapshot.workers.get(self.selected).is_none_or(has_begun) {
            self.drawing = Drawing::default();
            return;
        }
        let (past, back) = (self.playback.past(), self.playback.shown());
        let moment = back.unwrap_or_else(|| past.last());
        match past.drawing(self.selected, moment) {
            Some((at, drawing)) => {
                self.drawing.clone_from(drawing);
                self.drawn_at = back.map(|_| at).filter(|at| *at != self.snapshot.elapsed);
            }
            // Of a large crew on a large board, only the worker that was selected then was recorded.
            None => self.drawing = Drawing::default(),
        }
    }
}
