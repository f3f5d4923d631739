//! The view of the three-cycle board: each cycle of it, forwards and back, and what it took.
//!
//! What is shown is the [`Film`](crate::gpu::cycle::Film) of the run, which answers for every cycle at once. The device
//! goes through the same cycles elsewhere, in batches that fit between two frames; each board that it reads back, of a
//! large board one a second and the last, is compared with the film, and what the batch took is shown. So stepping waits
//! for no device, and nothing is shown of a device that it has not done.
//!
//! A [`CyclesModel`] takes in keys, time and what is seen of the device, from whatever [`Source`](crate::run::Source), through [`update`], and
//! says by [`CyclesModel::wish`] where the device is to get; [`view`](view::view) draws it; [`Cycles`] puts it on a stage.

mod channel;
mod keys;
mod layout;
mod model;
mod screen;
mod subject;
mod view;

pub use keys::KEYS;
pub use layout::CyclesLayout;
pub use model::{CyclesModel, CyclesMsg, SPEEDS, update};
pub use screen::{Cycles, run};
pub use subject::{CyclesSubject, LastBoard};
pub use view::view;
