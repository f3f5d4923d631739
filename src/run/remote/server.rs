//! The side of the run: a socket, whoever comes to it, and the newest frame for each of them.

use super::client;
use super::lines::RunState;
use super::server_state::{Connections, ServerState, ViewerRequest};
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::run::history::RunHistory;
use crate::run::journal::{LastLine, Subject};
use crate::run::source::End;
use crossbeam_channel::Receiver;
use serde_json::Value;
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Room for the past that is told to whoever comes: on a slow line it is a matter of seconds.
const PAST_ROOM: usize = 1 << 20;
/// How long the end of a run waits until its guests know of it.
const FAREWELL: Duration = Duration::from_secs(3);
/// Wishes that wait to be heard: more than that, from guests that send nothing else, are not.
const WISHES: usize = 256;

/// The side of the run; see the module.
pub struct Server {
    house: Arc<ServerState>,
    words: Receiver<ViewerRequest>,
    path: PathBuf,
    door: Mutex<Option<JoinHandle<()>>>,
}

impl Server {
    /// Opens a socket of this name for a run of this subject.
    ///
    /// # Errors
    /// When there can be no such socket, or no thread for it.
    pub fn open(path: &Path, subject: Subject) -> io::Result<Server> {
        let listener = UnixListener::bind(path)?;
        let (sender, words) = crossbeam_channel::bounded(WISHES);
        let room = Connections {
            desks: Vec::new(),
            connections: 0,
            past: RunHistory::new(PAST_ROOM),
            state: RunState::default(),
            end: None,
            closed: false,
            turn: 0,
            told: None,
        };
        let house = Arc::new(ServerState { subject, room: Mutex::new(room), gone: Condvar::new(), words: sender });
        let answering = Arc::clone(&house);
        let door = std::thread::Builder::new().name("door".to_owned()).spawn(move || answer(&listener, &answering))?;
        Ok(Server { house, words, path: path.to_owned(), door: Mutex::new(Some(door)) })
    }

    /// What guests say.
    pub fn words(&self) -> &Receiver<ViewerRequest> {
        &self.words
    }

    /// Shows a frame to whoever looks on.
    pub fn take(&self, frame: &Frame) {
        let mut room = self.house.room();
        room.desks.iter().for_each(|desk| desk.put(frame));
        room.state = RunState::of(frame);
        room.past.take(frame.clone());
    }

    /// Whether anybody looks on.
    pub fn is_watched(&self) -> bool {
        !self.house.room().desks.is_empty()
    }

    /// The worker that is to be looked at from now on: those that guests look at in turn.
    pub fn selected(&self) -> Option<usize> {
        let mut room = self.house.room();
        let mut wanted: Vec<usize> = room.desks.iter().filter_map(|desk| desk.selected()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        room.turn += 1;
        let worker = *wanted.get(room.turn % wanted.len().max(1))?;
        (room.told.replace(worker) != Some(worker)).then_some(worker)
    }

    /// Tells everybody how the run ended, and waits a little until they know. Nobody comes in any more. Only the first
    /// call does.
    pub fn end(&self, end: Option<End>, report: Option<Value>) {
        let Some(door) = self.door.locked().take() else { return };
        let last = LastLine { end, report, lost: 0 };
        {
            let mut room = self.house.room();
            room.desks.iter().for_each(|desk| desk.end(last.clone()));
            (room.end, room.closed) = (Some(last), true);
        }
        // Whoever waits at the door sees that it is closed.
        let woken = UnixStream::connect(&self.path);
        let _ = std::fs::remove_file(&self.path);
        if woken.is_ok() {
            let _ = door.join();
        }
        let room = self.house.room();
        let waiting = |room: &mut Connections| !room.desks.is_empty();
        let left = self.house.gone.wait_timeout_while(room, FAREWELL, waiting);
        drop(left.unwrap_or_else(PoisonError::into_inner));
    }
}

/// A run that went away without a word has failed.
impl Drop for Server {
    fn drop(&mut self) {
        self.end(Some(End::Failed), None);
    }
}

/// Lets everybody in who comes, until the run has ended.
fn answer(listener: &UnixListener, house: &Arc<ServerState>) {
    for stream in listener.incoming() {
        if house.room().closed {
            return;
        }
        match stream {
            // Too many: this one ends here, and takes no file from the run.
            Ok(_) if !house.admits() => {}
            Ok(stream) => {
                let serving = Arc::clone(house);
                let serve = move || {
                    client::serve(stream, &serving);
                    serving.room().connections -= 1;
                };
                // Without a thread for it the connection ends.
                if std::thread::Builder::new().name("guest".to_owned()).spawn(serve).is_err() {
                    house.room().connections -= 1;
                }
            }
            // Too many files are open: some will be closed again.
            Err(_) => std::thread::sleep(Duration::from_millis(100)),
        }
    }
}
