//! What a machine has of Vulkan, told from its files and variables alone: the loader, the drivers that it would find,
//! the graphics hardware; and what would help where something is missing.
//!
//! The loader `libvulkan.so.1` reads one small JSON file per driver, by which it knows the library to load. A loader
//! without such files is the same as no GPU. Packages are named as Debian and its kin name them.

mod site;
mod survey;

pub use site::Site;
pub use survey::{Driver, GpuMaker, LOADER, Library, Nvidia, Survey};

#[cfg(test)]
mod tests;
