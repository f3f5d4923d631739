//! The model of the view of a campaign, and its updates. This file uses no clock, folder or terminal.

use super::layout::CampaignLayout;
use super::rows::{self, CampaignRow};
use super::words::WORDS;
use crate::run::{Campaign, PartState};
use crate::ui::kit::keys::Action;
use crate::ui::kit::screen_keys::{Keys, Timeline, line};
use crate::ui::kit::{ScreenMsg, StageWish, Surface, SurfaceMessage};
use crate::words;

/// The key table of the view of a campaign.
pub const KEYS: Keys = Keys {
    own: &[
        line(&[Action::Down, Action::Up], "scroll the list", "scroll"),
        line(&[Action::First, Action::Last], "its beginning, its end", "first, last"),
    ],
    times: &[],
    timeline: Timeline::None,
    words: WORDS,
};

/// All that the view of a campaign shows.
pub struct CampaignModel {
    /// The folder of the parts, as the user typed it.
    pub folder: String,
    /// The last state of the campaign.
    pub seen: Campaign,
    /// Whether the folder has been read at least once.
    pub looked: bool,
    /// Whether the source has ended.
    pub over: bool,
    /// The first visible row of the list, if the list does not fit.
    pub top: usize,
    /// The state that all screens share.
    pub surface: Surface,
}

impl CampaignModel {
    /// The model before the folder is read.
    pub fn new(folder: &str, surface: Surface) -> CampaignModel {
        CampaignModel {
            folder: folder.to_owned(),
            seen: Campaign::default(),
            looked: false,
            over: false,
            top: 0,
            surface,
        }
    }

    /// Updates the model with a new state of the folder.
    pub fn take(&mut self, seen: Campaign) {
        (self.seen, self.looked) = (seen, true);
        self.scroll(0);
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<CampaignLayout> {
        CampaignLayout::of(self.surface.screen, self.seen.parts.len())
    }

    /// The finished share of the whole, 0..=1: by nodes if their total is estimated, otherwise by parts.
    pub fn done(&self) -> f64 {
        let seen = &self.seen;
        match &seen.estimate {
            // The share is 1 only when every part is done.
            _ if !seen.parts.is_empty() && seen.count(PartState::Done) == seen.parts.len() => 1.0,
            Some(estimate) if estimate.nodes.sum > 0.0 => {
                (seen.figures.nodes as f64 / estimate.nodes.sum).min(0.999_999)
            }
            _ => words::share(seen.count(PartState::Done) as u64, seen.parts.len() as u64),
        }
    }

    /// The rows of the list in `width` columns.
    pub fn rows(&self, width: u16) -> Vec<CampaignRow> {
        rows::of(&self.seen, &self.folder, self.looked, width)
    }

    /// Scrolls the list by `by` rows, within its bounds.
    fn scroll(&mut self, by: isize) {
        let most = self.layout().map_or(0, |layout| {
            let inner = layout.page.inner(layout.list);
            self.rows(inner.width).len().saturating_sub(usize::from(inner.height))
        });
        self.top = self.top.saturating_add_signed(by).min(most);
    }

    fn perform(&mut self, action: Action) -> Option<StageWish> {
        match action {
            Action::Down => self.scroll(1),
            Action::Up => self.scroll(-1),
            Action::First => self.scroll(isize::MIN),
            Action::Last => self.scroll(isize::MAX),
            other => return self.surface.perform(other),
        }
        None
    }
}

/// Updates the model from an event; returns a wish for the stage, if any. Leaving loses no work and needs no
/// confirmation.
pub fn update(model: &mut CampaignModel, msg: ScreenMsg) -> Option<StageWish> {
    match model.surface.take(msg, KEYS.now()) {
        Some(SurfaceMessage::Asked(action, _) | SurfaceMessage::Agreed(action)) => model.perform(action),
        Some(SurfaceMessage::Passed(_) | SurfaceMessage::Clicked(_)) | None => {
            model.scroll(0);
            None
        }
    }
}
