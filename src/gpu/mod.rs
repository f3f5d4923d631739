//! Work for a GPU. Every shader has a twin: the same computation in plain Rust, on the CPU.
//!
//! The twins are always built. The shaders run on a Vulkan [`Device`](DevicePlace::Device) through wgpu, if the
//! program is built with the feature `gpu` and finds a driver. [`DevicePlace::open`] decides whether work is done on
//! a device or on the CPU.
//!
//! ```text
//!  work ──> DevicePlace::open ──> Device: a shader, through wgpu ──┐
//!                     └─────────> Cpu: its twin in plain Rust ─────┴──> the same result, and the label of what did it
//! ```
//!
//! A work that is prepared at a place knows [who does it](DevicePlace::done_by). If the device is lost, the work continues on the
//! twin from what was last read back, and says so ([`DoneBy::twin`]).
//!
//! **Invariant**: a shader and its twin give equal results, bit by bit; the tests of each work hold them to each other.
//! **Where to begin**: [`map`], the shorter of the two works: `map.wgsl` beside `PlainRule` in `workers.rs`.
//!
//! * [`cycle`]: the three-cycle board of 2007
//! * [`map`]: a batch of knights, from every start and with many orders at once
//! * [`Compass`]: the source's numbering of the moves, and their orders
//! * [`DeviceChoice`], [`DoneBy`], [`GpuError`]: which device to use, what does the work, and why it is not a device
//! * [`DeviceCost`], [`DispatchPace`]: what work cost, and how large the next piece of it is
//! * [`QuietStderr`]: keeps the output of drivers off the screen
//!
//! # The source's lessons, and today's answers
//!
//! Suraj N. Kurapati, "Knight's Tour in Cg", 2007, ends with lessons learned from OpenGL:
//!
//! * *The back buffer is RGBA8; floats need the FBO extension.* A compute shader writes storage buffers of any type.
//!   The state of a square is still four floats of 32 bits, as in the source. They hold whole numbers up to 2^24, so
//!   larger boards are refused.
//! * *Rectangle textures do not fit to the screen.* The board is read back once a frame and drawn with characters.
//! * *Reading outside a texture clamps to its edge, so bounds are checked beforehand.* Reading outside a storage
//!   buffer is defined (by wgpu's checks) but returns an arbitrary square: the bounds are still checked beforehand.
//! * *Cg dislikes more than four nested loops; unroll them by a template.* WGSL accepts nested loops. But the
//!   software driver stops an invocation, silently, after 65,535 iterations in all: every loop here is bounded, and
//!   long work is resumable.
//! * The source does not mention that it reads the texture that it draws to, which OpenGL leaves undefined. Here two
//!   buffers take turns.

mod compass;
mod cost;
pub mod cycle;
#[cfg(feature = "gpu")]
mod device;
mod label;
pub mod map;
mod place;
mod quiet;

pub use compass::{Compass, NO_MOVE, ORDERS, STEPS};
pub use cost::{DeviceCost, DispatchPace};
#[cfg(feature = "gpu")]
pub use device::Device;
pub use label::{AdapterOffer, DeviceChoice, DeviceKind, DeviceLabel, DoneBy, GpuError, INSTALL_VULKAN, choose};
pub use place::{DevicePlace, adapters, offers};
pub use quiet::{QuietStderr, log_path};
