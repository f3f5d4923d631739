//! What the run and the threads that serve its viewers share: the newest state, the past, and a desk for each viewer.

use super::desk::Desk;
use super::lines::{CONNECTIONS_MAX, GUESTS_MAX, State};
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::run::journal::{Last, Subject};
use crate::run::past::Past;
use crate::run::source::Wish;
use crossbeam_channel::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// What guests say to a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// That one has come, and wants to see something, or another worker.
    Look,
    /// A wish.
    Wish(Wish),
}

/// What the run and the threads of its guests share.
pub struct House {
    /// What is run.
    pub subject: Subject,
    pub(super) room: Mutex<Room>,
    /// Somebody has gone.
    pub(super) gone: Condvar,
    pub(super) words: Sender<Word>,
}

pub(super) struct Room {
    pub(super) desks: Vec<Arc<Desk>>,
    pub(super) connections: usize,
    pub(super) past: Past,
    pub(super) state: State,
    pub(super) end: Option<Last>,
    pub(super) closed: bool,
    /// Whose turn it is to see the worker that it looks at, and which worker was looked at last.
    pub(super) turn: usize,
    pub(super) told: Option<usize>,
}

impl House {
    pub(super) fn room(&self) -> MutexGuard<'_, Room> {
        self.room.locked()
    }

    /// Whether there is room for another connection, which then is counted.
    pub(super) fn admits(&self) -> bool {
        let mut room = self.room();
        let admits = room.connections < CONNECTIONS_MAX;
        room.connections += usize::from(admits);
        admits
    }

    /// How far the run is.
    pub fn state(&self) -> State {
        let room = self.room();
        State { guests: room.desks.len(), ..room.state.clone() }
    }

    /// A desk for somebody who comes, and what was seen before; nothing when there are too many.
    pub fn enter(&self) -> Option<(Arc<Desk>, Vec<Frame>)> {
        let mut room = self.room();
        if room.desks.len() >= GUESTS_MAX {
            return None;
        }
        let desk = Arc::new(Desk::default());
        if let Some(last) = &room.end {
            desk.end(last.clone());
        }
        room.desks.push(Arc::clone(&desk));
        let past = room.past.told();
        drop(room);
        self.say(Word::Look);
        Some((desk, past))
    }

    /// Somebody goes.
    pub fn leave(&self, desk: &Arc<Desk>) {
        desk.leave();
        self.room().desks.retain(|other| !Arc::ptr_eq(other, desk));
        self.gone.notify_all();
    }

    /// Says something to the run, which may be too busy with what was said before.
    pub fn say(&self, word: Word) {
        let _ = self.words.try_send(word);
    }
}
