//! What this machine has of Vulkan, found by reading files and variables alone: the loader, the drivers that the
//! loader would find, the graphics hardware, and what to install where something is missing.
//!
//! The loader `libvulkan.so.1` reads one small JSON file per driver, which names the driver's library. Without such
//! files the loader finds no GPU. Packages have the names of Debian and its relatives.

mod site;
mod survey;

pub use site::Site;
pub use survey::{Driver, GpuMaker, LOADER, Library, Nvidia, Survey};

#[cfg(test)]
mod tests;
