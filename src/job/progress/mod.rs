//! Progress lines: how far a run is, in one line. The parts have a comma between them, the most important first.

mod count;
mod search;

pub use count::count;
pub use search::{race, search};
