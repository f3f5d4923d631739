//! A folder of parts as a source of frames. A thread reads the folder as often as that is cheap.

use super::folder::PartsFolder;
use super::judge::Judge;
use super::state::Campaign;
use crate::lock::LockAlways as _;
use crate::run::frame::{Body, Frame};
use crate::run::source::{End, Source, Wish};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Shortest pause between two looks.
const EVERY: Duration = Duration::from_secs(1);
/// The pause after a look is at least this many times as long as the look.
const SHARE: u32 = 20;

/// A source of the states of a campaign.
pub struct Gathering {
    news: Arc<Mutex<FolderNews>>,
    looker: JoinHandle<()>,
    end: Option<End>,
    /// Dropped with the source, which ends the thread. The source does not wait for that, because the disk may be slow.
    _stay: Sender<()>,
}

#[derive(Default)]
struct FolderNews {
    /// The newest state that no look has taken.
    latest: Option<Campaign>,
    ended: bool,
}

impl Gathering {
    /// Starts to watch a folder.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(folder: PathBuf) -> io::Result<Gathering> {
        let news: Arc<Mutex<FolderNews>> = Arc::default();
        let (_stay, gone) = crossbeam_channel::bounded(0);
        let tell = {
            let news = Arc::clone(&news);
            move |campaign: Campaign| {
                let mut news = news.locked();
                news.ended = campaign.complete;
                news.latest = Some(campaign);
            }
        };
        let looker =
            std::thread::Builder::new().name("campaign".to_owned()).spawn(move || look(folder, &gone, tell))?;
        Ok(Gathering { news, looker, end: None, _stay })
    }

    /// Whether the thread has ended before the campaign was complete.
    pub fn has_failed(&self) -> bool {
        let ended = self.news.locked().ended;
        self.looker.is_finished() && !ended
    }
}

/// Reads the folder until the campaign is complete or the source is dropped.
fn look(path: PathBuf, gone: &Receiver<()>, tell: impl Fn(Campaign)) {
    let (began, mut folder, mut judge) = (Instant::now(), PartsFolder::new(path), Judge::default());
    loop {
        let from = began.elapsed();
        folder.look(&|| began.elapsed(), &mut |folder, at| tell(judge.partly(folder, at)));
        let campaign = judge.whole(&folder, began.elapsed());
        let complete = campaign.complete;
        tell(campaign);
        let pause = EVERY.max((began.elapsed() - from) * SHARE);
        if complete || gone.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
}

impl Source for Gathering {
    fn look(&mut self) -> Option<Frame> {
        let mut news = self.news.locked();
        let campaign = news.latest.take()?;
        if campaign.complete {
            self.end = Some(End::Campaign);
        }
        Some(Frame { body: Body::Campaign(Box::new(campaign)), events: Vec::new() })
    }

    /// The parts run elsewhere and receive no wishes.
    fn wish(&mut self, _wish: Wish) {}

    fn end(&mut self, _within: Duration) -> Option<End> {
        self.end.clone().or_else(|| self.has_failed().then_some(End::Failed))
    }
}
