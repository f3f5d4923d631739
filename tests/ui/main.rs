//! The live view without a terminal: keys against effects, and pictures of the screen from fixed snapshots.
#![cfg(feature = "tui")]

mod count;
mod cycles;
mod fixture;
mod keys;
mod map;
mod screens;
mod step;
mod tour;
mod wire;
