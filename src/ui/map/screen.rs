//! The map view as a screen: the only file of the view that gets time and reads the work.

use super::model::{MapModel, update};
use super::view::view;
use crate::gpu::map::Batch;
use crate::run::{End, Source};
use crate::ui::kit::Playback;
use crate::ui::kit::{ScreenMsg, Surface};
use crate::ui::player::Player;
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// Time between two frames while the work runs.
const FRAME: Duration = Duration::from_millis(100);

/// The map view as a screen.
pub struct MapScreen<'a> {
    model: MapModel,
    source: &'a mut dyn Source,
    due: Instant,
    player: Player,
}

impl<'a> MapScreen<'a> {
    /// The view of a batch.
    pub fn new(batch: Batch, source: &'a mut dyn Source) -> MapScreen<'a> {
        let mut model = MapModel::new(batch, Surface::of_terminal());
        let mut player = Player::default();
        if source.is_recorded() {
            model.replay(Playback::recorded(source));
            player.follow(true);
        } else {
            model.course = Playback::of(source);
        }
        MapScreen { model, source, due: Instant::now(), player }
    }
}

impl Screen for MapScreen<'_> {
    fn take(&mut self, msg: ScreenMsg) -> Turn {
        let wish = update(&mut self.model, msg);
        self.player.follow(self.model.course.is_playing());
        wish.map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        let live = (!self.model.over).then_some(self.due);
        live.into_iter().chain(self.player.due(FRAME)).min()
    }

    /// Reads the work. If the work ends early, the view ends, and the caller reports the reason.
    fn tick(&mut self, now: Instant) -> Turn {
        if let Some(passed) = self.player.passed(now) {
            update(&mut self.model, ScreenMsg::Passed(passed));
            self.player.follow(self.model.course.is_playing());
        }
        if self.model.over || now < self.due {
            return Turn::Stay;
        }
        self.due = now + FRAME;
        while let Some(frame) = self.source.look() {
            self.model.take(frame);
            if !self.source.is_behind() {
                break;
            }
        }
        self.model.unrecorded = self.source.unrecorded();
        let end = self.source.end(Duration::ZERO);
        end.iter().for_each(|end| self.model.course.close(end.clone()));
        match end {
            None | Some(End::Cut) => Turn::Stay,
            Some(End::Map) => {
                self.model.over = true;
                Turn::Stay
            }
            Some(_) => Turn::Quit,
        }
    }
}
