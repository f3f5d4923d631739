//! A run that was recorded, as a source of frames: all of them can be had at once.

use super::frame::Frame;
use super::journal::{Damage, Item, Reader};
use super::source::{End, Source, Wish};
use crate::lock::LockAlways as _;
use crate::schedule::StopReason;
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A journal that is read from its first line to its last.
pub struct Recorded {
    reader: Reader,
    /// The first frame, if it was read ahead.
    first: Option<Frame>,
    end: Option<End>,
    account: Arc<Mutex<Account>>,
}

/// What a journal holds, as far as it was read.
#[derive(Clone, Default, Debug)]
pub struct Account {
    /// Frames.
    pub frames: u64,
    /// Events.
    pub events: u64,
    /// When the first frame was, and the last one.
    pub times: Option<[Duration; 2]>,
    /// Lines that could not be read.
    pub damage: Vec<Damage>,
    /// Frames that did not fit while it was written, where it has its last line.
    pub lost: Option<u64>,
    /// Why the run stopped before its end, if so.
    pub stopped: Option<StopReason>,
    /// The report of the run, if it ended.
    pub report: Option<Value>,
}

impl Account {
    /// Whether the journal has its last line.
    pub fn is_complete(&self) -> bool {
        self.lost.is_some()
    }
}

impl Recorded {
    /// Of this journal.
    pub fn new(reader: Reader) -> Recorded {
        Recorded { reader, first: None, end: None, account: Arc::default() }
    }

    /// Whether there is a frame in it.
    pub fn has_frames(&mut self) -> bool {
        self.first = self.first.take().or_else(|| self.look());
        self.first.is_some()
    }

    /// What the journal holds, as far as it was read, also later.
    pub fn account(&self) -> Arc<Mutex<Account>> {
        Arc::clone(&self.account)
    }
}

impl Source for Recorded {
    fn look(&mut self) -> Option<Frame> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            let Some(item) = self.reader.next() else {
                self.end.get_or_insert(End::Cut);
                return None;
            };
            let mut account = self.account.locked();
            match item {
                Item::Frame(frame) => {
                    let at = frame.at();
                    account.frames += 1;
                    account.events += frame.events.len() as u64;
                    account.times = Some(account.times.map_or([at; 2], |[first, last]| [first, last.max(at)]));
                    return Some(*frame);
                }
                Item::Damaged(damage) => account.damage.push(damage),
                Item::Ended(end, report, lost) => {
                    (account.lost, account.report) = (Some(lost), report);
                    account.stopped = if let Some(End::Run(ended)) = &end { ended.stopped } else { None };
                    self.end = Some(end.unwrap_or(End::Cut));
                }
            }
        }
    }

    /// What is past heeds no wish.
    fn wish(&mut self, _wish: Wish) {}

    fn end(&mut self, _within: Duration) -> Option<End> {
        self.end.clone()
    }

    fn is_recorded(&self) -> bool {
        true
    }
}
