//! How frames update the live view: rates, log, charts and smoothed depths, of the latest frame or of all frames up
//! to an earlier moment.

use super::hires::Hires;
use super::model::{About, LiveEffect, LiveModel, Phase};
use super::rates::WorkerRates;
use super::update::update;
use crate::event::{Event, EventKind};
use crate::run::balance::Balance;
use crate::run::{Body, End, Frame, Moment, SearchEnded};
use crate::schedule::{Scheduler, Snapshot, WorkerSnapshot, WorkerState};
use crate::search::Drawing;
use crate::ui::kit::{Playback, ScreenMsg};
use crate::ui::playing::RunModel;
use std::time::Duration;

/// Nodes a second and worker up to which its depth is followed node by node.
const FOLLOWED: u32 = 50;
/// Weight of the latest depth in the running mean: of few workers, and of many, whose bars would otherwise tremble.
const DEPTH_WEIGHTS: [f64; 2] = [0.2, 0.1];
/// So many workers, and figures that are renewed so often, can be read as they come.
const READ_AT_ONCE: usize = 16;
const READ_EVERY: Duration = Duration::from_millis(500);

impl RunModel for LiveModel {
    type Effect = LiveEffect;

    fn playback(&self) -> &Playback {
        &self.playback
    }

    fn playback_mut(&mut self) -> &mut Playback {
        &mut self.playback
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
            self.history.rewind();
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
        events.for_each(|event| self.add_event(event));
        if let Some(snapshot) = playback.past().snapshot(to) {
            self.snapshot = snapshot;
        }
        self.figures.clone_from(&self.snapshot);
        self.playback = playback;
        self.redraw();
        self.close();
    }

    fn show_end(&mut self, end: &End) -> bool {
        self.close();
        *end != End::Failed
    }

    fn handle(&mut self, msg: ScreenMsg) -> Option<LiveEffect> {
        update(self, msg)
    }

    fn frame_time(&self) -> Duration {
        Duration::from_secs(1) / self.fps
    }
}

impl LiveModel {
    /// Starts the view of another run, with its question and scheduler.
    pub fn begin(&mut self, about: About, scheduler: Scheduler) {
        if about != self.about {
            self.history.clear();
            self.selected = 0;
            self.drawing = Drawing::default();
        }
        self.about = about;
        self.scheduler = scheduler;
        self.playback = Playback::default();
        self.forget();
        self.history.restart();
    }

    fn add_event(&mut self, event: &Event) {
        if matches!(event.kind, EventKind::RuleChanged { .. }) {
            self.history.mark('r');
        }
        self.balance.happened(event);
        self.hires.take(event.clone());
    }

    /// Resets all that was computed from frames.
    fn forget(&mut self) {
        self.phase = Phase::Running;
        self.answer = None;
        self.rates = WorkerRates::default();
        self.hires = Hires::default();
        self.balance = Balance::of(self.scheduler);
        self.depths.clear();
    }

    /// Shows the end of the run, if it has ended, unless an earlier moment is shown.
    fn close(&mut self) {
        let Some(End::Run(ended)) = self.playback.end_shown() else { return };
        let SearchEnded { stopped, elapsed, answer, tour } = ended.clone();
        self.phase = Phase::Ended(stopped);
        if self.demonstration.is_some() && stopped.is_none() {
            self.playback.set_demonstrated();
        }
        self.snapshot.elapsed = elapsed;
        self.snapshot.paused = false;
        self.figures.clone_from(&self.snapshot);
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
    model.rates.take(&snapshot);
    model.balance.sampled(&snapshot);
    if model.history.due(snapshot.elapsed) {
        let busy = snapshot.workers.iter().filter(|worker| worker.state.has_work()).count();
        let efficiency = model.rates.latest().map(|shares| shares.running);
        model.history.push(snapshot.elapsed, busy, model.rates.nodes_per_s(), efficiency);
    }
    smooth_depths(&mut model.depths, &snapshot);
    model.selected = model.selected.min(snapshot.workers.len().saturating_sub(1));
    if shows_figures(&model.figures, &snapshot) {
        model.figures.clone_from(&snapshot);
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
