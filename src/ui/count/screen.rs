//! The view of a count as a screen: the only file of the view that gets time and reads the count.

use super::model::{CountModel, CountMsg, update};
use super::view::view;
use crate::count::CountQuestion;
use crate::run::{End, Source};
use crate::ui::kit;
use crate::ui::kit::Playback;
use crate::ui::kit::Surface;
use crate::ui::player::Player;
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// Time between two frames while the count runs.
const FRAME: Duration = Duration::from_millis(100);

/// The view of a count as a screen.
pub struct CountScreen<'a> {
    model: CountModel,
    source: &'a mut dyn Source,
    due: Instant,
    player: Player,
}

impl<'a> CountScreen<'a> {
    /// The view of a count by `threads` threads.
    pub fn new(question: &CountQuestion, threads: usize, source: &'a mut dyn Source) -> CountScreen<'a> {
        let mut model = CountModel::new(question, threads, Surface::of_terminal());
        let mut player = Player::default();
        if source.is_recorded() {
            model.replay(Playback::recorded(source));
            player.follow(true);
        } else {
            model.course = Playback::of(source);
        }
        CountScreen { model, source, due: Instant::now(), player }
    }

    fn sample(&mut self) {
        while let Some(frame) = self.source.look() {
            update(&mut self.model, CountMsg::Seen(Box::new(frame)));
            if !self.source.is_behind() {
                break;
            }
        }
        self.model.unrecorded = self.source.unrecorded();
    }
}

impl Screen for CountScreen<'_> {
    fn take(&mut self, msg: kit::ScreenMsg) -> Turn {
        let wish = update(&mut self.model, CountMsg::Screen(msg));
        self.player.follow(self.model.course.is_playing());
        wish.map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        let live = self.model.answer.is_none().then_some(self.due);
        live.into_iter().chain(self.player.due(FRAME)).min()
    }

    /// Reads the count. If the count ends without a result, the view ends, and the caller reports the reason.
    fn tick(&mut self, now: Instant) -> Turn {
        if let Some(passed) = self.player.passed(now) {
            update(&mut self.model, CountMsg::Screen(kit::ScreenMsg::Passed(passed)));
            self.player.follow(self.model.course.is_playing());
        }
        if self.model.answer.is_some() || now < self.due {
            return Turn::Stay;
        }
        self.due = now + FRAME;
        self.sample();
        let end = self.source.end(Duration::ZERO);
        end.iter().for_each(|end| self.model.course.close(end.clone()));
        match end {
            Some(End::Count(answer)) => {
                // Reads the last frames before the result.
                self.sample();
                update(&mut self.model, CountMsg::Answered(Box::new(answer)));
                Turn::Stay
            }
            Some(End::Cut) => {
                if self.model.course.goes_on_alone() {
                    update(&mut self.model, CountMsg::Screen(kit::ScreenMsg::Said(kit::Notice::cut())));
                }
                Turn::Stay
            }
            None => Turn::Stay,
            Some(_) => Turn::Quit,
        }
    }
}
