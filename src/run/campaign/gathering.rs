//! A folder of parts as a source of frames: looked into on a thread of its own, as often as that is cheap.

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

/// Two looks are so far apart, at least.
const EVERY: Duration = Duration::from_secs(1);
/// A look takes one part in so many of the time, at most.
const SHARE: u32 = 20;

/// A campaign that is looked at; see the module.
pub struct Gathering {
    news: Arc<Mutex<FolderNews>>,
    looker: JoinHandle<()>,
    end: Option<End>,
    /// Goes away with it, by which the thread ends: nobody waits for that, as a disk may be slow.
    _stay: Sender<()>,
}

#[derive(Default)]
struct FolderNews {
    /// What was seen since the last look of whoever looks.
    latest: Option<Campaign>,
    ended: bool,
}

impl Gathering {
    /// Looks into a folder from now on.
    ///
    /// # Errors
    /// When there can be no thread.
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

    /// Whether it looks no more, though not all is there.
    pub fn has_failed(&self) -> bool {
        let ended = self.news.locked().ended;
        self.looker.is_finished() && !ended
    }
}

/// Looks until all is there, or nobody listens any more.
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

    /// It grants none: who does the parts does not know of it.
    fn wish(&mut self, _wish: Wish) {}

    fn end(&mut self, _within: Duration) -> Option<End> {
        self.end.clone().or_else(|| self.has_failed().then_some(End::Failed))
    }
}
