//! The live view without a terminal: keys against effects, and pictures of the screen from fixed snapshots.

mod balance;
mod campaign;
mod compare;
mod count;
mod course;
mod cycles;
mod fixture;
mod keys;
mod map;
mod played;
mod screens;
mod step;
mod tape;
mod tour;
mod wire;
