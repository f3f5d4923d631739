//! A run that is looked at from another process: a journal that is read over a socket while it is written.
//!
//! ```text
//!  Attached (a Source)                                   Host (beside the run)
//!    {"destrier":"attach","format":3}         ------->
//!    {"more":2}                               ------->     two frames may come
//!                                             <-------   the first line of a journal, and what is kept of the past
//!                                             <-------   the newest frame
//!    {"more":1}   once a frame was looked at  ------->
//!    {"wish":{"pause":true}}                  ------->   told to the run
//!                                             <-------   the newest frame by then; frames between are skipped
//!                                             <-------   the last line: how it ended
//! ```
//!
//! What goes to whoever looks on is a [journal](super::journal), compressed by zstd; what comes from there are short
//! lines of JSON. A frame is sent when one more was asked for, and then it is the newest: so nothing is queued anywhere on
//! the way, and somebody behind a slow line sees fewer frames, not older ones. What a skipped frame alone has, its events
//! and its positions, goes with the next one. The run waits for nobody: it puts its frame on the desk of each guest, and
//! a thread for each sends what lies there.
//!
//! Two ask for other things: `{"destrier":"state","format":3}` is answered by one line that says how far the run is, and
//! the connection ends. A first line that is neither, a later one that is no line of these, or longer than [`LINE_MAX`], and
//! a guest that takes nothing for [`PATIENCE`] end that connection, and nothing else.

mod attached;
mod client;
mod lines;
mod outbox;
mod pending_wishes;
mod server;
mod server_state;
#[cfg(test)]
mod tests;

pub use attached::{AttachError, Attached, state};
pub use lines::{GUESTS_MAX, LINE_MAX, PATIENCE, RunState};
pub use server::Server;
pub use server_state::ViewerRequest;
