//! Where the tours of a search go: nowhere, to stdout or a device, or to a file that gets its name when the run ends.
//!
//! | file | contents |
//! | --- | --- |
//! | `destination.rs` | what `--out` and `--format` ask for |
//! | `out_file.rs` | the file: refused if it exists without `--force`, written under a temporary name, named at the end |
//! | `stream.rs` | blocks of tours, packed or compressed |

mod destination;
mod out_file;
mod stream;

pub use destination::{Destination, PACKED_IS_WHOLE, TourFormat, is_device, refuse_bytes_on_terminal};
pub use out_file::{OutFile, OutWatch, ReopenOptions};
