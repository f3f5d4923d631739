//! The live view as a screen: some ten frames a second of the run update the model, and keys become wishes for the
//! run.

use super::model::{About, LiveModel};
use super::position;
use crate::run::{Beginning, End, Plan, Source, Tempo, Wish, after_demonstration};
use crate::schedule::{Scheduler, Snapshot};
use crate::ui::compare::{self, ComparedRun};
use crate::ui::kit::{Action, Common, Effect, Pane, PaneFocus};
use crate::ui::live::view::LivePane;
use crate::ui::playing::RunReader;
use crate::ui::screen::{Feed, ModelScreen, Screen};
use crate::ui::screen::{UiError, stop};
use crate::ui::settings;
use crate::ui::tour::{self, ShownTour, Tours};
use crate::words;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// Time limit of each of two compared runs.
const COMPARED_FOR: Duration = Duration::from_secs(10);

/// The settings of a session.
pub struct Session {
    /// The plan of the first run.
    pub plan: Plan,
    /// Whether the user may change the scheduler; false while tours are written to a file.
    pub may_restart: bool,
    /// Frames a second, 1..=60; without it those of the settings.
    pub fps: Option<u32>,
    /// How the first run starts.
    pub beginning: Beginning,
    /// Starts runs. It is called again when the user changes the scheduler or goes on from the demonstration, after the
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
pub type LiveScreen = ModelScreen<LiveModel, LiveFeed>;

/// The runs of a session: starts them, gives them wishes, and opens the screens about them.
pub struct LiveFeed {
    plan: Plan,
    launch: Launch,
    prepare_detach: PrepareDetach,
    reader: RunReader<Box<dyn Source>>,
    did_not_stop: bool,
    /// Whether the run continues in another process after this view.
    detached: bool,
    /// Whether the run resumes when this screen is uncovered.
    resumes: bool,
    /// The screen to open.
    opened: Option<Box<dyn Screen>>,
    /// The worker whose position the run was asked for.
    selected: usize,
    /// Frames a second, which the program remembers.
    fps: u32,
}

/// Starts the first run of a session, for a screen of this size.
pub fn screen(session: Session, size: Size) -> LiveScreen {
    let Session { plan, may_restart, fps, beginning, mut launch, prepare_detach } = session;
    let source = launch(&plan, beginning);
    let about = About::new(&plan.question, may_restart);
    let mut common = Common::for_session();
    common.screen = size;
    let settings = settings::current();
    let fps = fps.unwrap_or(settings.frames).clamp(1, 60);
    let mut model = LiveModel::new(about, common, plan.scheduler, fps, Snapshot::default());
    model.tempo = beginning.tempo;
    model.demonstration = Some(beginning.tempo).filter(|tempo| matches!(tempo, Tempo::WholeRun { .. }));
    model.order = settings.order;
    // The demonstration tells a story, for which all panes are needed.
    if model.demonstration.is_none() {
        let pane = LivePane::all().find(|pane| pane.key() == settings.zoom);
        model.own_panes = LivePane::all().filter(|pane| settings.panes.contains(&pane.name())).collect();
        model.choose(model.own_panes.clone());
        model.focus = pane.map_or(model.focus, |pane| PaneFocus { pane, zoomed: true });
    }
    let mut reader = RunReader::new(source, &mut model);
    reader.sample(&mut model);
    let feed = LiveFeed {
        plan,
        launch,
        prepare_detach,
        reader,
        did_not_stop: false,
        detached: false,
        resumes: false,
        opened: None,
        selected: model.selected,
        fps,
    };
    ModelScreen::new(model, feed)
}

impl LiveScreen {
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
    pub fn close(self) -> Result<(Plan, Option<Duration>), UiError> {
        let ModelScreen { mut model, mut feed, .. } = self;
        if feed.did_not_stop || stop(&mut *feed.reader.source).is_none() {
            return Err(UiError::Deaf);
        }
        // Takes the last frame, so that other observers of the run see it as well.
        feed.reader.sample(&mut model);
        Ok((feed.plan, feed.detached.then(|| model.run_time(model.snapshot.elapsed))))
    }
}

impl LiveFeed {
    /// Does what a key means that the model cannot do.
    fn act(&mut self, model: &mut LiveModel, action: Action) -> Effect {
        match action {
            Action::NextScheduler => {
                let plan = Plan { scheduler: model.next_scheduler(), ..self.plan.clone() };
                self.restart(model, plan, beginning_of(model))
            }
            Action::Threads => {
                let plan = Plan { threads: model.wanted_threads, ..self.plan.clone() };
                let resumes_at = Some(model.run_time(model.snapshot.elapsed));
                let began = beginning_of(model);
                let effect = self.restart(model, plan, Beginning { resumes_at, tempo: Tempo::Full, ..began });
                let threads = words::threads(self.plan.threads);
                model.common.say(format!("the run resumes with {threads}; its past begins here"));
                effect
            }
            Action::ToggleRule => {
                self.plan = Plan { hand_over: model.other_rule(), scheduler: Scheduler::HIRE, ..self.plan.clone() };
                let tempo = model.demonstration.unwrap_or_default();
                self.restart(model, self.plan.clone(), Beginning { tempo, pace: None, ..beginning_of(model) })
            }
            Action::LargerBoard => {
                let larger = after_demonstration(self.plan.threads);
                let tempo = Tempo::Full;
                self.restart(model, larger, Beginning { tempo, pace: None, ..beginning_of(model) })
            }
            Action::Compare => self.compare(model),
            Action::Detach => match (self.prepare_detach)() {
                Ok(()) => {
                    self.detached = true;
                    Effect::Quit
                }
                Err(text) => self.open(model, Err(text)),
            },
            Action::Tour => {
                let tours = self.tours(model).map(|routes| Tours { routes, note: None });
                self.open(model, tours.map(|tours| Box::new(tour::screen(tours)) as Box<dyn Screen>))
            }
            Action::Explain => {
                let explained = position::explanation(&self.plan.question, model);
                self.open(model, explained)
            }
            _ => Effect::Stay,
        }
    }

    /// Opens a screen over this one, or reports why that is impossible.
    fn open(&mut self, model: &mut LiveModel, screen: Result<Box<dyn Screen>, String>) -> Effect {
        match screen {
            Ok(screen) => {
                self.opened = Some(screen);
                Effect::Open
            }
            Err(text) => {
                model.common.complain(text);
                Effect::Stay
            }
        }
    }

    /// One of the tours that the demonstration has counted; else the tours found so far, or the position of the selected
    /// worker.
    fn tours(&self, model: &LiveModel) -> Result<Vec<ShownTour>, String> {
        let (question, tours) = (&self.plan.question, self.reader.source.tours());
        if model.is_demonstrated() {
            return position::any_tour(question).map(|shown| vec![shown]);
        }
        if tours.is_empty() {
            return position::on_screen(question, &model.drawing, model.selected).map(|shown| vec![shown]);
        }
        Ok(position::found_tours(question, &tours))
    }

    /// Stops the current run and starts another one, or the same one with another crew.
    fn restart(&mut self, model: &mut LiveModel, plan: Plan, beginning: Beginning) -> Effect {
        match stop(&mut *self.reader.source) {
            // The run failed while it was being stopped.
            Some(End::Failed) => return Effect::Quit,
            Some(_) => {}
            None => {
                self.did_not_stop = true;
                return Effect::Quit;
            }
        }
        let plan = Plan { hand_over: self.plan.hand_over, ..plan };
        let source = (self.launch)(&plan, beginning);
        let about = About::new(&plan.question, model.about.may_restart);
        model.demonstration = model.demonstration.filter(|_| about == model.about);
        model.begin(about, plan.scheduler);
        model.tempo = beginning.tempo;
        self.plan = plan;
        self.reader = RunReader::new(source, model);
        // The new crew may have fewer workers.
        self.reader.sample(model);
        self.reader.source.wish(Wish::Select(model.selected));
        Effect::Stay
    }

    /// Pauses the run and compares it with a search under another scheduler or rule.
    fn compare(&mut self, model: &mut LiveModel) -> Effect {
        self.resumes = model.playback.end().is_none() && !model.snapshot.paused;
        if self.resumes {
            self.reader.source.wish(Wish::Pause(true));
        }
        let (scheduler, hand_over) = model.rival();
        let here = Plan { deadline: Some(COMPARED_FOR), ..self.plan.clone() };
        let there = Plan { scheduler, hand_over, ..here.clone() };
        let question = format!("{}, {} each at most", here.subject(), words::span(COMPARED_FOR.as_secs_f64()));
        let runs = vec![ComparedRun::of(here), ComparedRun::of(there)];
        self.open(model, Ok(Box::new(compare::screen(&question, runs))))
    }
}

/// How another run begins: as this one goes on. A pace that the tempo has set is not the user's.
fn beginning_of(model: &LiveModel) -> Beginning {
    let pace = model.snapshot.pace.filter(|_| model.tempo == Tempo::Full);
    Beginning { paused: model.snapshot.paused, pace, tempo: model.tempo, resumes_at: None }
}

impl Feed<LiveModel> for LiveFeed {
    fn perform(&mut self, model: &mut LiveModel, effect: Effect) -> Effect {
        if model.fps != self.fps {
            self.fps = model.fps;
            settings::note(|settings| settings.frames = self.fps);
        }
        let effect = match effect {
            Effect::Do(action) => self.act(model, action),
            effect => {
                if let Effect::Run(Wish::Rule(rule)) = effect {
                    self.plan.hand_over = rule;
                }
                self.reader.perform(model, effect)
            }
        };
        if model.selected != self.selected {
            self.selected = model.selected;
            self.reader.source.wish(Wish::Select(self.selected));
            self.reader.sample(model);
        }
        effect
    }

    fn due(&self, model: &LiveModel) -> Option<Instant> {
        self.reader.due(model)
    }

    fn tick(&mut self, model: &mut LiveModel, now: Instant) -> Effect {
        self.reader.tick(model, now)
    }

    fn has_work_left(&self) -> bool {
        self.detached
    }

    fn opened(&mut self) -> Option<Box<dyn Screen>> {
        self.opened.take()
    }

    fn uncovered(&mut self) {
        if std::mem::take(&mut self.resumes) {
            self.reader.source.wish(Wish::Pause(false));
        }
    }
}
