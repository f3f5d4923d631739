//! Work for a GPU, each with its twin on the CPU.
//!
//! The twins are plain Rust and always there; the shaders run on a Vulkan [`Device`](DevicePlace::Device) by way of wgpu where
//! the program was built with the feature `gpu` and a driver is found. [`DevicePlace::open`] decides where work is done.
//!
//! * [`cycle`]: the three-cycle board of 2007
//! * [`subtree`]: subtrees of a search side by side
//! * [`Compass`]: the source's numbering of the moves, and their orders
//! * [`map`]: a batch of knights, from every start and with many orders at once
//!
//! # The source's lessons, and today's answers
//!
//! Suraj N. Kurapati, "Knight's Tour in Cg", 2007, ends with what was learned from OpenGL:
//!
//! * *The back buffer is RGBA8; floats need the FBO extension.* A compute shader writes storage buffers of what type it
//!   likes. The state of a square is still four floats of 32 bits, as in the source; they hold whole numbers up to
//!   2^24, so larger boards are refused.
//! * *Rectangle textures do not fit to the screen.* The board is read back once a frame and drawn with characters.
//! * *Reading outside a texture clamps to its edge, so bounds are checked beforehand.* Reading outside a storage buffer
//!   is defined (by wgpu's checks) but yields some square or other: the bounds are still checked beforehand.
//! * *Cg dislikes more than four nested loops; unroll them by a template.* WGSL takes the loops as they are. But the
//!   software driver stops an invocation, silently, after 65,535 iterations in all: every loop here is bounded, and
//!   long work is resumable.
//! * Left unsaid there: the texture that was drawn to was also the one that was read, which OpenGL leaves undefined.
//!   Here two buffers take turns.

mod compass;
mod cost;
pub mod cycle;
#[cfg(feature = "gpu")]
mod device;
mod label;
pub mod map;
mod place;
mod quiet;
pub mod subtree;
#[cfg(test)]
pub(crate) mod trial;
pub mod vulkan;

pub use compass::{Compass, NO_MOVE, ORDERS, STEPS};
pub use cost::{DeviceCost, DispatchPace};
#[cfg(feature = "gpu")]
pub use device::Device;
pub use label::{AdapterOffer, DeviceChoice, DeviceKind, DeviceLabel, GpuError, chosen};
pub use place::{DevicePlace, adapters, offers};
pub use quiet::{QuietStderr, log_path};
