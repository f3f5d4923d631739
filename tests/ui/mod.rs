//! The live view without a terminal: keys against effects, and pictures of the screen from fixed snapshots.

mod agree;
mod balance;
mod before;
mod clock;
mod compare;
mod count;
mod course;
mod fixture;
mod help;
mod keys;
mod order;
mod panes;
mod played;
mod screens;
mod tape;
mod widths;
mod wire;
