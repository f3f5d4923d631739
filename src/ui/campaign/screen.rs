//! The view of a campaign as a screen: the only file of the view that gets time and reads the source.

use super::model::{CampaignModel, update};
use super::view::view;
use crate::run::{Body, Campaign, End, Source};
use crate::ui::kit::{ScreenMsg, Surface};
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// How often the source is read. A folder changes seldom.
const LOOK: Duration = Duration::from_millis(250);

/// The view of a campaign as a screen.
pub struct CampaignScreen<'a> {
    model: CampaignModel,
    source: &'a mut dyn Source,
    due: Instant,
}

impl<'a> CampaignScreen<'a> {
    /// A view of the campaign in a folder.
    pub fn new(folder: &str, source: &'a mut dyn Source) -> CampaignScreen<'a> {
        CampaignScreen { model: CampaignModel::new(folder, Surface::of_terminal()), source, due: Instant::now() }
    }

    /// The last state of the campaign.
    pub fn into_seen(self) -> Campaign {
        self.model.seen
    }
}

impl Screen for CampaignScreen<'_> {
    fn take(&mut self, msg: ScreenMsg) -> Turn {
        update(&mut self.model, msg).map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        (!self.model.over).then_some(self.due)
    }

    /// Reads the source. If the source ends before all parts are done, the view ends, and the caller reports the
    /// failure.
    fn tick(&mut self, now: Instant) -> Turn {
        if self.model.over || now < self.due {
            return Turn::Stay;
        }
        self.due = now + LOOK;
        // The frame read after the end is the last one.
        let end = self.source.end(Duration::ZERO);
        if let Some(Body::Campaign(campaign)) = self.source.look().map(|frame| frame.body) {
            self.model.take(*campaign);
        }
        match end {
            None => Turn::Stay,
            Some(End::Campaign | End::Cut) => {
                self.model.over = true;
                Turn::Stay
            }
            Some(_) => Turn::Quit,
        }
    }
}
