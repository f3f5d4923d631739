//! The terminal: takes it over, reads its bytes as keys, and writes frames to it.
//!
//! | file or folder | contents |
//! | --- | --- |
//! | `session.rs` | the loop of a session: keys, time and signals go to the screen on top |
//! | `keyboard/` | waits for the terminal and reads it; `keyboard/bytes.rs` turns its bytes into keys |
//! | `term.rs`, `wire.rs`, `echo.rs` | enters and leaves the terminal; writes frames to it; measures how far it lags |

mod echo;
mod keyboard;
mod session;
mod term;
mod wire;

pub use session::TerminalSession;
pub use wire::Wire;
