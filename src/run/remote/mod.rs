//! Shows a run to viewers in other processes: a journal is read over a socket while it is written.
//!
//! ```text
//!  Attached (a Source)                                   Server (beside the run)
//!    {"destrier":"attach","format":N}          ------->
//!                                             <-------   the first line of a journal, and the history in some lines
//!    "more"                                   ------->   one frame may come
//!                                             <-------   the newest frame, with the events of the frames between
//!    {"wish":{"pause":true}}                  ------->   passed to the run
//!                                             <-------   the last frame, and the last line: how it ended
//! ```
//!
//! The server sends a [journal](super::journal), compressed by zstd, in which a line may have several frames; the client
//! sends short lines of JSON. After the history a request brings one frame, and only the last frame and the end come without
//! one. So no queue forms on the way: a client on a slow connection gets fewer frames, not older ones. The events and
//! positions of a frame that was not requested are sent with the next frame. A line also says how many wishes of this client
//! the run had heard by then: in a frame from before its last wish, the client shows the settings that it wished.
//!
//! The run takes ten frames a second while a client is attached or a journal is written, and one otherwise. It waits for no
//! client: it leaves the newest frame for each, and one thread per client sends it. With 64 threads, figures by depth and
//! ten frames a second, a connection carries some 10 KB a second.
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
pub use server::Server;
