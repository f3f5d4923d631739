//! The live view as a screen: some ten frames a second of the run update the model, and keys become wishes for the
//! run.

use super::model::{About, LiveEffect, LiveModel};
use super::position;
use super::view::view;
use crate::run::{Beginning, End, Plan, Source, Tempo, Wish, after_demonstration};
use crate::schedule::{Scheduler, Snapshot};
use crate::search::HandOver;
use crate::ui::compare::{ComparedRun, Comparison};
use crate::ui::end::{STOP_WITHIN, UiError};
use crate::ui::kit::{Clip, Pane, PaneFocus, ScreenEvent, Surface};
use crate::ui::live::layout::LivePane;
use crate::ui::picker::{Chosen, Picker};
use crate::ui::playing::RunReader;
use crate::ui::settings;
use crate::ui::stage::{Screen, Turn};
use crate::ui::tour::{ShownTour, TourScreen, Tours};
use crate::words;
use ratatui::Frame;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// Time limit of each of two compared runs.
const COMPARED_FOR: Duration = Duration::from_secs(10);

/// The settings of a session.
pub struct Session {
    /// The plan of the first run.
    pub plan: Plan,
    /// Whether the user may ask another question or change the scheduler; false while tours are written to a file.
    pub may_restart: bool,
    /// Frames a second, 1..=60; without it those of the settings.
    pub fps: Option<u32>,
    /// How the first run starts.
    pub beginning: Beginning,
    /// Starts runs. It is called again when the user changes the scheduler or asks another question, after the
    /// earlier run has ended.
    pub launch: Launch,
    /// Prepares to detach a run into another process, before the run is stopped here; or says why that is impossible.
    pub prepare_detach: PrepareDetach,
}

/// Prepares to detach a run into another process.
pub type PrepareDetach = Box<dyn FnMut() -> Result<(), String>>;

/// Starts a run, or opens another source of frames, and returns at once.
pub type Launch = Box<dyn FnMut(&Plan, Beginning) -> Box<dyn Source>>;

/// The live view of a session.
pub struct LiveScreen {
    model: LiveModel,
    plan: Plan,
    launch: Launch,
    prepare_detach: PrepareDetach,
    reader: RunReader<Box<dyn Source>>,
    did_not_stop: bool,
    /// Whether the run continues in another process after this view.
    detached: bool,
    chosen: Chosen,
    /// The plan that the user chose last, not started yet.
    next: Option<Plan>,
    /// Whether the run resumes when this screen is uncovered.
    resumes: bool,
}

impl LiveScreen {
    /// Starts the first run of a session, for a screen of this size.
    pub fn new(session: Session, size: Size) -> LiveScreen {
        let Session { plan, may_restart, fps, beginning, mut launch, prepare_detach } = session;
        let source = launch(&plan, beginning);
        let about = About::new(&plan.question, may_restart);
        let mut surface = Surface::for_stage();
        surface.screen = size;
        let settings = settings::current();
        let fps = fps.unwrap_or(settings.frames).clamp(1, 60);
        let mut model = LiveModel::new(about, surface, plan.scheduler, fps, Snapshot::default());
        model.tempo = beginning.tempo;
        model.demonstration = Some(beginning.tempo).filter(|tempo| matches!(tempo, Tempo::WholeRun { .. }));
        model.order = settings.order;
        let pane = LivePane::ALL.iter().find(|pane| pane.key() == settings.zoom);
        // The demonstration tells a story, for which all panes are needed.
        if let Some(&pane) = pane.filter(|_| model.demonstration.is_none()) {
            model.focus = PaneFocus { pane, zoomed: true };
        }
        let mut reader = RunReader::new(source, &mut model);
        reader.sample(&mut model);
        LiveScreen {
            model,
            plan,
            launch,
            prepare_detach,
            reader,
            did_not_stop: false,
            detached: false,
            chosen: Chosen::default(),
            next: None,
            resumes: false,
        }
    }

    /// The same screen with all its panes.
    pub fn unzoomed(mut self) -> LiveScreen {
        self.model.focus.zoomed = false;
        self
    }

    /// Stops the run if it is still running. Returns its plan with the last hand-over rule, and whether the run
    /// continues in another process.
    ///
    /// # Errors
    /// [`UiError::Deaf`] if the run does not stop.
    pub fn close(mut self) -> Result<(Plan, bool), UiError> {
        if self.did_not_stop || self.stop_run().is_none() {
            return Err(UiError::Deaf);
        }
        // Takes the last frame, so that other observers of the run see it as well.
        self.reader.sample(&mut self.model);
        Ok((self.plan, self.detached))
    }

    fn perform(&mut self, effect: LiveEffect) -> Turn {
        match effect {
            LiveEffect::Wish(wish) => {
                if let Wish::Rule(rule) = wish {
                    self.plan.hand_over = rule;
                }
                self.reader.source.wish(wish);
            }
            LiveEffect::Restart(scheduler) => {
                return self.restart(Plan { scheduler, ..self.plan.clone() }, self.model.tempo, self.own_pace());
            }
            LiveEffect::Again(rule) => {
                self.plan = Plan { hand_over: rule, scheduler: Scheduler::Hire, ..self.plan.clone() };
                let tempo = self.model.demonstration.unwrap_or_default();
                return self.restart(self.plan.clone(), tempo, None);
            }
            LiveEffect::Larger => return self.restart(after_demonstration(self.plan.threads), Tempo::Full, None),
            LiveEffect::Begin => return self.begin(),
            LiveEffect::Compare(scheduler, hand_over) => return self.compare(scheduler, hand_over),
            LiveEffect::Choose => {
                let picker = Picker::new(&self.plan, self.model.surface.theme, self.chosen.clone());
                return Turn::Open(Box::new(picker));
            }
            LiveEffect::Detach => match (self.prepare_detach)() {
                Ok(()) => {
                    self.detached = true;
                    return Turn::Quit;
                }
                Err(text) => self.model.surface.complain(text),
            },
            LiveEffect::Tour => {
                return self.open(|live| Ok(Box::new(TourScreen::new(Tours { routes: live.tours()?, note: None }))));
            }
            LiveEffect::Explain => {
                return self.open(|live| position::explanation(&live.plan.question, &live.model));
            }
            LiveEffect::Stage(wish) => return wish.into(),
        }
        Turn::Stay
    }

    /// Opens a screen over this one, or reports why that is impossible.
    fn open(&mut self, screen: impl FnOnce(&LiveScreen) -> Result<Box<dyn Screen>, String>) -> Turn {
        match screen(self) {
            Ok(screen) => Turn::Open(screen),
            Err(text) => {
                self.model.surface.complain(text);
                Turn::Stay
            }
        }
    }

    /// One of the tours that the demonstration has counted; else the tours found so far, or the position of the selected
    /// worker.
    fn tours(&self) -> Result<Vec<ShownTour>, String> {
        let (question, tours) = (&self.plan.question, self.reader.source.tours());
        if self.model.is_demonstrated() {
            return position::any_tour(question).map(|shown| vec![shown]);
        }
        if tours.is_empty() {
            let shown = position::on_screen(question, &self.model.drawing, self.model.selected);
            return shown.map(|shown| vec![shown]);
        }
        Ok(position::found_tours(question, &tours))
    }

    /// The pace that the user has set; one that the tempo has set is not the user's.
    fn own_pace(&self) -> Option<u32> {
        self.model.snapshot.pace.filter(|_| self.model.tempo == Tempo::Full)
    }

    /// Stops the current run and starts another one in this tempo, or at this pace.
    fn restart(&mut self, plan: Plan, tempo: Tempo, pace: Option<u32>) -> Turn {
        match self.stop_run() {
            // The run failed while it was being stopped.
            Some(End::Failed) => return Turn::Quit,
            Some(_) => {}
            None => {
                self.did_not_stop = true;
                return Turn::Quit;
            }
        }
        let seen = &self.model.snapshot;
        let plan = Plan { hand_over: self.plan.hand_over, ..plan };
        let source = (self.launch)(&plan, Beginning { paused: seen.paused, pace, tempo });
        let about = About::new(&plan.question, self.model.about.may_restart);
        self.model.demonstration = self.model.demonstration.filter(|_| about == self.model.about);
        self.model.begin(about, plan.scheduler);
        self.model.tempo = tempo;
        self.plan = plan;
        self.reader = RunReader::new(source, &mut self.model);
        // The new crew may have fewer workers.
        self.reader.sample(&mut self.model);
        self.reader.source.wish(Wish::Select(self.model.selected));
        Turn::Stay
    }

    /// Starts the plan that the user chose.
    fn begin(&mut self) -> Turn {
        let slowed = self.model.tempo != Tempo::Full;
        let tempo = |plan: &Plan| if slowed { Tempo::of_watched(&plan.question) } else { Tempo::Full };
        self.next.take().map_or(Turn::Stay, |plan| {
            let tempo = tempo(&plan);
            self.restart(plan, tempo, self.own_pace())
        })
    }

    /// Pauses the run and compares it with a search under this scheduler and rule.
    fn compare(&mut self, scheduler: Scheduler, hand_over: HandOver) -> Turn {
        self.resumes = self.model.playback.end().is_none() && !self.model.snapshot.paused;
        if self.resumes {
            self.reader.source.wish(Wish::Pause(true));
        }
        let here = Plan { deadline: Some(COMPARED_FOR), ..self.plan.clone() };
        let there = Plan { scheduler, hand_over, ..here.clone() };
        let question = format!("{}, {} each at most", here.subject(), words::span(COMPARED_FOR.as_secs_f64()));
        Turn::Open(Box::new(Comparison::new(&question, vec![ComparedRun::of(here), ComparedRun::of(there)])))
    }

    /// Asks the run for the position of the selected worker.
    fn select(&mut self) {
        self.reader.source.wish(Wish::Select(self.model.selected));
        self.reader.sample(&mut self.model);
    }

    fn stop_run(&mut self) -> Option<End> {
        self.reader.source.wish(Wish::Stop);
        self.reader.source.end(STOP_WITHIN)
    }
}

impl Screen for LiveScreen {
    fn takes_keys(&self) -> bool {
        self.model.surface.takes_keys() || self.model.input.text().is_some()
    }

    fn take(&mut self, msg: ScreenEvent) -> Turn {
        let (selected, kept) = (self.model.selected, self.model.kept());
        let effect = self.reader.handle(&mut self.model, msg);
        let now = self.model.kept();
        if now != kept {
            settings::note(|settings| (settings.frames, settings.order, settings.zoom) = now);
        }
        let turn = effect.map_or(Turn::Stay, |effect| self.perform(effect));
        if self.model.selected != selected {
            self.select();
        }
        turn
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        self.reader.due(&self.model)
    }

    fn tick(&mut self, now: Instant) -> Turn {
        self.reader.tick(&mut self.model, now)
    }

    fn clip(&self) -> Option<Clip> {
        self.model.clip()
    }

    fn has_work_left(&self) -> bool {
        self.detached
    }

    fn uncovered(&mut self) -> Turn {
        if std::mem::take(&mut self.resumes) {
            self.reader.source.wish(Wish::Pause(false));
        }
        self.next = self.chosen.take();
        if self.next.is_some() && self.model.ask_to_end() { self.begin() } else { Turn::Stay }
    }
}
