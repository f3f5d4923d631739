//! The view of the three-cycle board: every cycle, forwards and backwards, and its measured time.
//!
//! The view shows the [`Film`](crate::gpu::cycle::Film) of the run, which can compute every cycle at once. The device
//! runs through the same cycles in the background, in batches that fit between two frames. Boards are read back from
//! the device; of a large board only one a second, and the last. Each is compared with the film, and the time of its
//! batch is shown. So stepping never waits for a device, and the view shows of a device only completed work.
//!
//! A [`CyclesModel`] gets keys, time and the state of the device from a [`Source`](crate::run::Source).
//! [`CyclesModel::wish`] returns the cycle that the device must reach. [`view`](view::view) draws the model.

mod model;
mod screen;
#[cfg(test)]
mod tests;
mod view;

pub use model::{CyclesLayout, CyclesModel, KEYS};
pub use screen::{CyclesSubject, LastBoard, run, screen};
pub use view::view;
