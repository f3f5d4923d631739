//! Where the tours of a search go: nowhere, to stdout, or to a file that gets its name when the run ends.

mod destination;
mod out_file;
mod stream;

pub use destination::{Destination, TourFormat, TourOutputOptions, refuse_bytes_on_terminal};
pub use out_file::{FileLifetime, OutFile, OutPosition, OutWatch};
