//! The view of the cycles on a stage: it is told the time, and asks the device for what the model orders.

use super::machine::Order;
use super::model::{Model, Msg, update};
use super::{Last, Subject, view};
use crate::gpu::GpuError;
use crate::gpu::cycle::{Film, Remote, Report};
use crate::ui::kit::{self, Notice, Surface};
use crate::ui::stage::{Screen, Turn};
use crossbeam_channel::TryRecvError;
use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// Frames while anything moves are this far apart.
const FRAME: Duration = Duration::from_millis(50);

/// The view of the cycles as a screen.
pub struct Cycles {
    model: Model,
    /// The device on its thread; nothing when there could be none.
    remote: Option<Remote>,
    /// When time was last told, and when it is to be told again, while anything moves.
    clock: Option<(Instant, Instant)>,
}

impl Cycles {
    /// The view of a run before its first cycle; begins to open the device.
    pub fn new(subject: Subject) -> Cycles {
        let Subject { first, wanted, runs } = subject;
        let remote = Remote::start(wanted.clone(), first.clone());
        let mut model = Model::new(Film::of(first), wanted, runs, Surface::of_terminal());
        if let Err(error) = &remote {
            let why = GpuError::Refused(format!("no thread for the device could be started: {error}"));
            update(&mut model, Msg::Reported(Box::new(Report::Failed(why))));
        }
        let now = Instant::now();
        Cycles { model, remote: remote.ok(), clock: Some((now, now + FRAME)) }
    }

    /// The last board of the run, if it is shown.
    pub fn last(&self) -> Option<Last> {
        let Model { film, machine, at, .. } = &self.model;
        self.model.is_over().then(|| machine.done_by(film).map(|by| (film.state(*at), by)))
    }

    fn take(&mut self, msg: kit::Msg) -> Option<kit::Wish> {
        update(&mut self.model, Msg::Screen(msg))
    }

    /// Gives the device what it is to do, and starts the clock if anything moves; time was last told at `last`.
    fn go_on(&mut self, last: Instant) {
        if let Some(remote) = &self.remote
            && let Some(order) = self.model.order()
        {
            // It answers each order before it gets the next one, so that there is room for it, unless its thread has
            // ended: then its last report is the next thing to be read.
            let _ = match order {
                Order::Load(state) => remote.load(state),
                Order::Run(cycles) => remote.run(cycles),
            };
        }
        self.clock = self.model.moves().then_some((last, last + FRAME));
    }

    /// Takes in what the device has to say.
    fn listen(&mut self) {
        let Some(remote) = &self.remote else { return };
        loop {
            let report = match remote.reports().try_recv() {
                Ok(report) => report,
                Err(TryRecvError::Disconnected) if !self.model.machine.is_gone() => {
                    Report::Failed(GpuError::Lost("its thread has ended".to_owned()))
                }
                Err(_) => return,
            };
            update(&mut self.model, Msg::Reported(Box::new(report)));
        }
    }
}

impl Screen for Cycles {
    fn key(&mut self, key: KeyEvent) -> Turn {
        let wish = self.take(kit::Msg::Key(key));
        self.go_on(self.clock.map_or_else(Instant::now, |(last, _)| last));
        wish.map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn resized(&mut self, size: Size) {
        self.take(kit::Msg::Resized(size));
    }

    fn due(&self) -> Option<Instant> {
        self.clock.map(|(_, due)| due)
    }

    fn tick(&mut self, now: Instant) -> Turn {
        let Some((last, _)) = self.clock else { return Turn::Stay };
        self.listen();
        self.take(kit::Msg::Passed(now - last));
        self.go_on(now);
        Turn::Stay
    }

    fn said(&mut self, notice: Notice) {
        self.take(kit::Msg::Said(notice));
    }
}
