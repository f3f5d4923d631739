//! What the view of a campaign shows, and how it changes. Nothing here reads a clock, a folder or a terminal.

use super::keys::KEYS;
use super::layout::CampaignLayout;
use super::rows::{self, CampaignRow};
use crate::run::{Campaign, PartState};
use crate::ui::kit::keys::Action;
use crate::ui::kit::{ScreenMsg, StageWish, Surface, SurfaceMessage};
use crate::words;

/// Everything the screen shows.
pub struct CampaignModel {
    /// Where the parts are looked for, as it is typed.
    pub folder: String,
    /// What was seen last.
    pub seen: Campaign,
    /// Whether anything was.
    pub looked: bool,
    /// Whether nothing more will be seen.
    pub over: bool,
    /// The first row of the list that is shown, if there are as many.
    pub top: usize,
    /// What all screens have.
    pub surface: Surface,
}

impl CampaignModel {
    /// Before the first look.
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

    /// Takes in what was seen of the folder.
    pub fn take(&mut self, seen: Campaign) {
        (self.seen, self.looked) = (seen, true);
        self.scroll(0);
    }

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<CampaignLayout> {
        CampaignLayout::of(self.surface.screen, self.seen.parts.len())
    }

    /// The share of the whole that is done, 0..=1: by its nodes where their number can be told, else by its parts.
    pub fn done(&self) -> f64 {
        let seen = &self.seen;
        match &seen.estimate {
            // That it is all is known when all parts are there.
            _ if !seen.parts.is_empty() && seen.count(PartState::Done) == seen.parts.len() => 1.0,
            Some(estimate) if estimate.nodes.sum > 0.0 => {
                (seen.figures.nodes as f64 / estimate.nodes.sum).min(0.999_999)
            }
            _ => words::share(seen.count(PartState::Done) as u64, seen.parts.len() as u64),
        }
    }

    /// The rows of the list, of so many columns.
    pub fn rows(&self, width: u16) -> Vec<CampaignRow> {
        rows::of(&self.seen, &self.folder, self.looked, width)
    }

    /// Moves the list by so many rows, as far as there are more than are shown.
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

/// Takes in what happened; answers what is wanted of the stage. Leaving loses nothing, and so asks nothing.
pub fn update(model: &mut CampaignModel, msg: ScreenMsg) -> Option<StageWish> {
    match model.surface.take(msg, KEYS.now()) {
        Some(SurfaceMessage::Asked(action, _) | SurfaceMessage::Agreed(action)) => model.perform(action),
        Some(SurfaceMessage::Passed(_)) | None => {
            model.scroll(0);
            None
        }
    }
}
