//! A recorded run as a source of frames: all of them can be read at once.

use super::frame::Frame;
use super::journal::{Damage, Item, LastLine, Reader};
use super::source::{End, Source, Wish};
use crate::lock::LockAlways as _;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A journal, read from its first line to its last.
pub struct Recorded {
    reader: Reader,
    /// Frames read and not looked at.
    waiting: VecDeque<Frame>,
    end: Option<End>,
    summary: Arc<Mutex<JournalSummary>>,
}

/// What a journal holds, as far as it was read.
#[derive(Clone, Default, Debug)]
pub struct JournalSummary {
    /// Frames read.
    pub frames: u64,
    /// Events read.
    pub events: u64,
    times: Option<[Duration; 2]>,
    /// When the run ended, if an event tells.
    ended: Option<Duration>,
    /// Unreadable lines, and a last line that knows of other frames.
    pub damage: Vec<Damage>,
    /// The last line, if the journal has one: how the run ended, its report, and the frames that the recorder lost.
    pub last: Option<LastLine>,
}

impl JournalSummary {
    /// Times of the first and the last frame; the last look at a run comes a moment later than its end.
    pub fn times(&self) -> Option<[Duration; 2]> {
        self.times.map(|times| times.map(|at| self.ended.map_or(at, |ended| ended.min(at))))
    }
}

impl Recorded {
    /// Replays this journal.
    pub fn new(reader: Reader) -> Recorded {
        Recorded { reader, waiting: VecDeque::new(), end: None, summary: Arc::default() }
    }

    /// Whether the journal has a frame.
    pub fn has_frames(&mut self) -> bool {
        self.read();
        !self.waiting.is_empty()
    }

    /// Reads on until frames wait or the journal ends.
    fn read(&mut self) {
        while self.waiting.is_empty() {
            let Some(item) = self.reader.next() else {
                self.end.get_or_insert(End::Cut);
                return;
            };
            let mut summary = self.summary.locked();
            match item {
                Item::Frames { frames, .. } => {
                    for frame in &frames {
                        let at = frame.at();
                        summary.ended = frame.ended().or(summary.ended);
                        summary.frames += 1;
                        summary.events += frame.events.len() as u64;
                        summary.times = Some(summary.times.map_or([at; 2], |[first, last]| [first, last.max(at)]));
                    }
                    self.waiting.extend(frames);
                }
                Item::Damaged(damage) => summary.damage.push(damage),
                Item::Ended(last) => {
                    // Another program has taken lines away, or put lines in.
                    let there = summary.frames + summary.damage.len() as u64;
                    if let Some(written) = last.frames.filter(|&written| written != there) {
                        let why = format!("{written} frames were written, and it has {there}");
                        summary.damage.push(Damage { line: there + 2, why });
                    }
                    self.end = Some(last.end.clone().unwrap_or(End::Cut));
                    summary.last = Some(last);
                }
            }
        }
    }

    /// What the journal holds so far; updated while it is read.
    pub fn summary(&self) -> Arc<Mutex<JournalSummary>> {
        Arc::clone(&self.summary)
    }
}

impl Source for Recorded {
    fn look(&mut self) -> Option<Frame> {
        self.read();
        self.waiting.pop_front()
    }

    /// A recording takes no wishes.
    fn wish(&mut self, _wish: Wish) {}

    fn end(&mut self, _within: Duration) -> Option<End> {
        self.end.clone()
    }

    fn is_recorded(&self) -> bool {
        true
    }
}
