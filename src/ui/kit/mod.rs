//! What screens are made of. Screens import from here, never from one another.
//!
//! [`keys`] says which keys ask for what; a [`Surface`] is the part of a model that every screen has, and does what keys
//! mean everywhere.

pub mod keys;
mod surface;

pub use keys::{Action, Keys};
pub use surface::{Heard, Msg, Notice, Surface, Wish};
