//! A run on the screen: snapshots of its meters some ten times a second and its rare events go into the model, keys
//! become wishes of the run.

use super::about::{About, Ended};
use super::keys::action;
use super::model::{Effect, Model, Msg, Notice, update};
use super::picker::{Chosen, Picker};
use super::position;
use super::stage::{Screen, Turn};
use super::theme::Theme;
use super::tour::{Shown, TourScreen, Tours};
use super::view::view;
use super::{Beginning, Choice, Done, Launch, Launched, Session, UiError};
use crate::schedule::{RunError, StopReason};
use crate::search::HandOver;
use crate::solve::Answer;
use crossbeam_channel::{RecvTimeoutError, TryRecvError};
use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// The end of a run is noticed at least this often.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The position of a free run is shown this often: seen faster it is but a flicker, and costs most of the line.
const POSITION_EVERY: Duration = Duration::from_millis(250);
/// A run that was told to stop does so within a burst; one that does not is given up after this long.
pub const STOP_WITHIN: Duration = Duration::from_secs(10);
/// Events taken in between two frames at most.
const EVENTS_PER_FRAME: usize = 1 << 16;

/// A session on the screen.
pub struct Live {
    model: Model,
    choice: Choice,
    launch: Launch,
    run: Launched,
    sample_due: Instant,
    look_due: Instant,
    position_due: Instant,
    outcome: Option<Result<Done, RunError>>,
    failure: Option<UiError>,
    chosen: Chosen,
}

impl Live {
    /// Starts the run of a session.
    pub fn new(session: Session, size: Size) -> Live {
        let Session { choice, may_restart, hand_over, fps, mut launch } = session;
        let run = launch(&choice, Beginning { hand_over, paused: false, pace: None });
        let theme = Theme::from_env(|name| std::env::var(name).ok());
        let about = About::new(&choice.question, may_restart);
        let model = Model::new(about, theme, choice.scheduler, fps.clamp(1, 60), size, run.watch.snapshot());
        let now = Instant::now();
        let (outcome, failure) = (None, None);
        Live {
            model,
            choice,
            launch,
            run,
            sample_due: now,
            look_due: now,
            position_due: now,
            outcome,
            failure,
            chosen: Chosen::default(),
        }
    }

    /// Stops the run if it still goes on, and answers how it ended, what it was asked, and its hand-over rule.
    ///
    /// # Errors
    /// [`UiError`] when the run went away or cannot be stopped.
    pub fn close(mut self) -> Result<(Result<Done, RunError>, Choice, HandOver), UiError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let outcome = match self.outcome.take() {
            Some(outcome) => outcome,
            None => self.stop_run()?,
        };
        Ok((outcome, self.choice, self.model.snapshot.hand_over))
    }

    fn perform(&mut self, effect: Effect) -> Turn {
        let watch = &self.run.watch;
        match effect {
            Effect::Pause(paused) => watch.set_paused(paused),
            Effect::Step => watch.step(),
            Effect::Pace(pace) => watch.control().set_pace(pace),
            Effect::Rule(rule) => watch.set_hand_over(rule),
            Effect::Restart(scheduler) => {
                return self.restart(Choice { scheduler, ..self.choice.clone() });
            }
            Effect::Choose => {
                let picker = Picker::new(&self.choice, self.model.theme, self.chosen.clone());
                return Turn::Open(Box::new(picker));
            }
            Effect::Tour => {
                return self.open(|live| Ok(Box::new(TourScreen::new(Tours { routes: live.tours()?, note: None }))));
            }
            Effect::Explain => {
                return self.open(|live| position::explained(&live.choice.question));
            }
            Effect::Redraw => return Turn::Redraw,
            Effect::Save => return Turn::Save,
            Effect::Quit => return Turn::Quit,
            Effect::Interrupt => return Turn::Interrupt,
            Effect::Suspend => return Turn::Suspend,
        }
        Turn::Stay
    }

    /// Opens a screen over this one, or says why it cannot be.
    fn open(&mut self, screen: impl FnOnce(&Live) -> Result<Box<dyn Screen>, String>) -> Turn {
        match screen(self) {
            Ok(screen) => Turn::Open(screen),
            Err(text) => {
                update(&mut self.model, Msg::Said(Notice { text, bad: true }));
                Turn::Stay
            }
        }
    }

    /// The tours that were found, or else the position of the selected worker.
    fn tours(&self) -> Result<Vec<Shown>, String> {
        let question = &self.choice.question;
        match &self.outcome {
            Some(Ok(Done { answer: Some(Answer::Tours(tours)), .. })) => Ok(position::found(question, tours)),
            _ => {
                let drawing = self.run.watch.drawing(self.model.selected);
                position::on_screen(question, &drawing, self.model.selected).map(|shown| vec![shown])
            }
        }
    }

    /// Takes in all that has happened since the last look.
    fn sample(&mut self) {
        for event in self.run.events.try_iter().take(EVENTS_PER_FRAME) {
            update(&mut self.model, Msg::Happened(event));
        }
        let snapshot = self.run.watch.snapshot();
        let held = snapshot.paused || snapshot.pace.is_some();
        update(&mut self.model, Msg::Sampled(Box::new(snapshot)));
        if held || Instant::now() >= self.position_due {
            self.look_at_selected();
        }
    }

    fn look_at_selected(&mut self) {
        self.position_due = Instant::now() + POSITION_EVERY;
        let drawing = self.run.watch.drawing(self.model.selected);
        update(&mut self.model, Msg::Drawn(drawing));
    }

    /// Notices that the run has ended; one that failed ends the session.
    fn look_for_the_end(&mut self) -> Turn {
        if let Some(outcome) = &self.outcome {
            return if outcome.is_err() { Turn::Quit } else { Turn::Stay };
        }
        let outcome = match self.run.outcome.try_recv() {
            Ok(outcome) => outcome,
            Err(TryRecvError::Empty) => return Turn::Stay,
            Err(TryRecvError::Disconnected) => {
                self.failure = Some(UiError::Vanished);
                return Turn::Quit;
            }
        };
        self.sample();
        self.look_at_selected();
        let turn = match &outcome {
            Ok(done) => {
                let ended = Ended::of(done, self.choice.question.board());
                update(&mut self.model, Msg::Ended(ended));
                Turn::Stay
            }
            Err(_) => Turn::Quit,
        };
        self.outcome = Some(outcome);
        turn
    }

    /// Ends the present run and starts another one.
    fn restart(&mut self, choice: Choice) -> Turn {
        if self.outcome.take().is_none() {
            match self.stop_run() {
                Ok(Ok(_)) => {}
                // It failed in its last moment.
                Ok(failed) => {
                    self.outcome = Some(failed);
                    return Turn::Quit;
                }
                Err(error) => {
                    self.failure = Some(error);
                    return Turn::Quit;
                }
            }
        }
        let seen = &self.model.snapshot;
        let (hand_over, paused, pace) = (seen.hand_over, seen.paused, seen.pace);
        self.run = (self.launch)(&choice, Beginning { hand_over, paused, pace });
        let about = About::new(&choice.question, self.model.about.may_restart);
        update(&mut self.model, Msg::Began(about, choice.scheduler));
        self.choice = choice;
        self.sample_due = Instant::now();
        self.sample();
        self.look_at_selected();
        Turn::Stay
    }

    fn stop_run(&self) -> Result<Result<Done, RunError>, UiError> {
        self.run.watch.control().stop(StopReason::Asked);
        self.run.outcome.recv_timeout(STOP_WITHIN).map_err(|error| match error {
            RecvTimeoutError::Timeout => UiError::Deaf,
            RecvTimeoutError::Disconnected => UiError::Vanished,
        })
    }
}

impl Screen for Live {
    fn key(&mut self, key: KeyEvent) -> Turn {
        let selected = self.model.selected;
        let effect = action(key).and_then(|action| update(&mut self.model, Msg::Act(action)));
        let turn = effect.map_or(Turn::Stay, |effect| self.perform(effect));
        if self.model.selected != selected {
            self.look_at_selected();
        }
        turn
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn resized(&mut self, size: Size) {
        update(&mut self.model, Msg::Resized(size));
    }

    fn due(&self) -> Option<Instant> {
        match self.outcome {
            Some(_) => None,
            None => Some(self.sample_due.min(self.look_due)),
        }
    }

    fn tick(&mut self, now: Instant) -> Turn {
        if now >= self.sample_due {
            self.sample_due = now + Duration::from_secs(1) / self.model.fps;
            self.sample();
        }
        self.look_due = now + LOOK_EVERY;
        self.look_for_the_end()
    }

    fn uncovered(&mut self) -> Turn {
        match self.chosen.take() {
            Some(choice) => self.restart(choice),
            None => Turn::Stay,
        }
    }

    fn said(&mut self, notice: Notice) {
        update(&mut self.model, Msg::Said(notice));
    }
}
