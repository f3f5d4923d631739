//! The live view as a screen: some ten frames a second of the run update the model, and keys become wishes for the
//! run.

use super::about::About;
use super::compare::{ComparedRun, Comparison};
use super::end::{STOP_WITHIN, UiError};
use super::kit;
use super::kit::Playback;
use super::kit::{Notice, Surface};
use super::model::{LiveEffect, LiveModel, LiveMsg};
use super::picker::{Chosen, Picker};
use super::player::Player;
use super::position;
use super::session::{Launch, MakeRoom, Session};
use super::stage::{Screen, Turn};
use super::tour::TourScreen;
use super::tour::{ShownTour, Tours};
use super::update::update;
use super::view::view;
use crate::run::{Beginning, End, Plan, Source, Wish};
use crate::schedule::{Scheduler, Snapshot};
use crate::search::HandOver;
use crate::words;
use ratatui::Frame;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// How often the view checks for the end of the run.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time limit of each of two compared runs.
const COMPARED_FOR: Duration = Duration::from_secs(10);

/// The live view of a session.
pub struct Watching {
    model: LiveModel,
    plan: Plan,
    launch: Launch,
    berth: MakeRoom,
    source: Box<dyn Source>,
    sample_due: Instant,
    look_due: Instant,
    player: Player,
    end: Option<End>,
    did_not_stop: bool,
    /// Whether the run continues in another process after this view.
    detached: bool,
    chosen: Chosen,
    /// The plan that the user chose last, not started yet.
    next: Option<Plan>,
    /// Whether the run resumes when this screen is uncovered.
    resumes: bool,
}

impl Watching {
    /// Starts the first run of a session, for a screen of this size.
    pub fn new(session: Session, size: Size) -> Watching {
        let Session { plan, may_restart, fps, beginning, mut launch, berth } = session;
        let source = launch(&plan, beginning);
        let about = About::new(&plan.question, may_restart);
        let surface = Surface { screen: size, ..Surface::of_terminal() };
        let model = LiveModel::new(about, surface, plan.scheduler, fps.clamp(1, 60), Snapshot::default());
        let now = Instant::now();
        let chosen = Chosen::default();
        let mut live = Watching {
            model,
            plan,
            launch,
            berth,
            source,
            sample_due: now,
            look_due: now,
            player: Player::default(),
            end: None,
            did_not_stop: false,
            detached: false,
            chosen,
            next: None,
            resumes: false,
        };
        if live.source.is_recorded() {
            update(&mut live.model, LiveMsg::Recorded(Box::new(Playback::recorded(&mut *live.source))));
            live.player.follow(true);
        } else {
            live.model.course = Playback::of(&*live.source);
        }
        live.sample();
        live
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
        self.sample();
        Ok((Plan { hand_over: self.model.snapshot.hand_over, ..self.plan }, self.detached))
    }

    fn perform(&mut self, effect: LiveEffect) -> Turn {
        match effect {
            LiveEffect::Wish(wish) => self.source.wish(wish),
            LiveEffect::Restart(scheduler) => {
                return self.restart(Plan { scheduler, ..self.plan.clone() });
            }
            LiveEffect::Begin => return self.begin(),
            LiveEffect::Compare(scheduler, hand_over) => return self.compare(scheduler, hand_over),
            LiveEffect::Choose => {
                let picker = Picker::new(&self.plan, self.model.surface.theme, self.chosen.clone());
                return Turn::Open(Box::new(picker));
            }
            LiveEffect::Detach => match (self.berth)() {
                Ok(()) => {
                    self.detached = true;
                    return Turn::Quit;
                }
                Err(text) => {
                    let _ = update(&mut self.model, LiveMsg::Screen(kit::ScreenMsg::Said(Notice { text, bad: true })));
                }
            },
            LiveEffect::Tour => {
                return self.open(|live| Ok(Box::new(TourScreen::new(Tours { routes: live.tours()?, note: None }))));
            }
            LiveEffect::Explain => {
                return self.open(|live| position::explanation(&live.plan.question));
            }
            LiveEffect::Stage(wish) => return wish.into(),
        }
        Turn::Stay
    }

    /// Opens a screen over this one, or reports why that is impossible.
    fn open(&mut self, screen: impl FnOnce(&Watching) -> Result<Box<dyn Screen>, String>) -> Turn {
        match screen(self) {
            Ok(screen) => Turn::Open(screen),
            Err(text) => {
                update(&mut self.model, LiveMsg::Screen(kit::ScreenMsg::Said(Notice { text, bad: true })));
                Turn::Stay
            }
        }
    }

    /// The tours found so far, or else the position of the selected worker.
    fn tours(&self) -> Result<Vec<ShownTour>, String> {
        let (question, tours) = (&self.plan.question, self.source.tours());
        if tours.is_empty() {
            let shown = position::on_screen(question, &self.model.drawing, self.model.selected);
            return shown.map(|shown| vec![shown]);
        }
        Ok(position::found_tours(question, &tours))
    }

    /// Takes in all new frames.
    fn sample(&mut self) {
        while let Some(frame) = self.source.look() {
            update(&mut self.model, LiveMsg::Seen(Box::new(frame)));
            if !self.source.is_behind() {
                break;
            }
        }
        self.model.unrecorded = self.source.unrecorded();
    }

    /// Checks whether the run has ended. A failed run ends the session.
    fn look_for_the_end(&mut self) -> Turn {
        if self.end.is_none() {
            self.end = self.source.end(Duration::ZERO);
            if let Some(end) = self.end.clone() {
                self.sample();
                if end == End::Cut && self.model.course.goes_on_alone() {
                    update(&mut self.model, LiveMsg::Screen(kit::ScreenMsg::Said(Notice::cut())));
                }
                self.model.course.close(end.clone());
                if let End::Run(ended) = end {
                    update(&mut self.model, LiveMsg::Ended(ended));
                }
            }
        }
        if self.end == Some(End::Failed) { Turn::Quit } else { Turn::Stay }
    }

    /// Stops the current run and starts another one.
    fn restart(&mut self, plan: Plan) -> Turn {
        match self.stop_run() {
            Some(End::Failed) => {
                // The run failed while it was being stopped.
                self.end = Some(End::Failed);
                return Turn::Quit;
            }
            Some(_) => {}
            None => {
                self.did_not_stop = true;
                return Turn::Quit;
            }
        }
        self.end = None;
        let seen = &self.model.snapshot;
        let plan = Plan { hand_over: seen.hand_over, ..plan };
        self.source = (self.launch)(&plan, Beginning { paused: seen.paused, pace: seen.pace });
        let about = About::new(&plan.question, self.model.about.may_restart);
        update(&mut self.model, LiveMsg::Began(about, plan.scheduler));
        self.plan = plan;
        self.sample_due = Instant::now();
        // The new crew may have fewer workers.
        self.sample();
        self.source.wish(Wish::Select(self.model.selected));
        Turn::Stay
    }

    /// Starts the plan that the user chose.
    fn begin(&mut self) -> Turn {
        self.next.take().map_or(Turn::Stay, |plan| self.restart(plan))
    }

    /// Pauses the run and compares it with a search under this scheduler and rule.
    fn compare(&mut self, scheduler: Scheduler, hand_over: HandOver) -> Turn {
        self.resumes = self.end.is_none() && !self.model.snapshot.paused;
        if self.resumes {
            self.source.wish(Wish::Pause(true));
        }
        let here = Plan { hand_over: self.model.snapshot.hand_over, deadline: Some(COMPARED_FOR), ..self.plan.clone() };
        let there = Plan { scheduler, hand_over, ..here.clone() };
        let question = format!("{}, {} each at most", here.subject(), words::span(COMPARED_FOR.as_secs_f64()));
        Turn::Open(Box::new(Comparison::new(&question, vec![ComparedRun::of(here), ComparedRun::of(there)])))
    }

    /// Asks the run for the position of the selected worker.
    fn select(&mut self) {
        self.source.wish(Wish::Select(self.model.selected));
        self.sample();
    }

    /// Time between two frames.
    fn frame(&self) -> Duration {
        Duration::from_secs(1) / self.model.fps
    }

    fn stop_run(&mut self) -> Option<End> {
        self.source.wish(Wish::Stop);
        self.source.end(STOP_WITHIN)
    }
}

impl Screen for Watching {
    fn take(&mut self, msg: kit::ScreenMsg) -> Turn {
        let selected = self.model.selected;
        let effect = update(&mut self.model, LiveMsg::Screen(msg));
        self.player.follow(self.model.course.is_playing());
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
        let live = self.end.is_none().then(|| self.sample_due.min(self.look_due));
        live.into_iter().chain(self.player.due(self.frame())).min()
    }

    fn tick(&mut self, now: Instant) -> Turn {
        if let Some(passed) = self.player.passed(now) {
            update(&mut self.model, LiveMsg::Screen(kit::ScreenMsg::Passed(passed)));
            self.player.follow(self.model.course.is_playing());
        }
        if self.end.is_none() && now >= self.sample_due {
            self.sample_due = now + self.frame();
            self.sample();
        }
        self.look_due = now + LOOK_EVERY;
        self.look_for_the_end()
    }

    fn lingers(&self) -> bool {
        self.detached
    }

    fn uncovered(&mut self) -> Turn {
        if std::mem::take(&mut self.resumes) {
            self.source.wish(Wish::Pause(false));
        }
        self.next = self.chosen.take();
        if self.next.is_some() && self.model.makes_way() { self.begin() } else { Turn::Stay }
    }
}
