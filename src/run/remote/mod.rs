//! Shows a run to viewers in other processes: a journal is read over a socket while it is written.
//!
//! ```text
//!  Attached (a Source)                                   Server (beside the run)
//!    {"destrier":"attach","format":N}          ------->
//!    {"more":2}                               ------->     two frames may come
//!                                             <-------   the first line of a journal, and the frames in the history
//!                                             <-------   the newest frame
//!    {"more":1}   after the viewer shows a frame -->
//!    {"wish":{"pause":true}}                  ------->   passed to the run
//!                                             <-------   the newest frame by then; frames between are skipped
//!                                             <-------   the last line: how it ended
//! ```
//!
//! The server sends a [journal](super::journal), compressed by zstd; the client sends short lines of JSON. The server
//! sends one frame for each frame requested, and always the newest. So no queue forms on the way: a client on a slow
//! connection gets fewer frames, not older ones. The events and positions of a skipped frame are sent with the next
//! frame. The run waits for no client: it puts each frame in the outbox of each client, and one thread per client sends
//! from there. With 64 threads, figures by depth and ten frames a second, a connection carries some 10 KB a second.
//!
//! A client that asks `{"destrier":"state","format":N}` gets one line with the state of the run, and the connection
//! ends. The server closes a connection when its first line is neither request, when a later line is invalid or longer
//! than [`LINE_MAX`], or when the client reads nothing for [`CLIENT_TIMEOUT`]. The run and other connections go on.

mod attached;
mod lines;
mod server;
#[cfg(test)]
mod tests;

pub use attached::{AttachError, Attached, state};
pub use lines::{CLIENT_TIMEOUT, CLIENTS_MAX, LINE_MAX, RunState};
pub use server::{Server, ViewerRequest};
