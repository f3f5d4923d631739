//! The result of a survey of Vulkan: what is here, why there is no adapter, and what to do.

use crate::gpu::label::DeviceKind;
use serde::Serialize;
use std::collections::BTreeSet;

/// The file name of the loader, as programs ask for it.
pub const LOADER: &str = if cfg!(target_os = "macos") { "libvulkan.dylib" } else { "libvulkan.so.1" };
/// The variables that name the driver files, the one with priority first.
pub(super) const DRIVER_VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// What a machine has of Vulkan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Survey {
    pub loader: Library,
    /// The drivers that the loader would try.
    pub drivers: Vec<Driver>,
    /// The variable that names the driver files, if one is set; then the loader tries no others.
    pub told_by: Option<&'static str>,
    /// The makers of the graphics hardware on the bus.
    pub hardware: BTreeSet<GpuMaker>,
    /// NVIDIA's kernel driver, if it is running.
    pub nvidia: Option<Nvidia>,
    /// The device file of a GPU that this user may not read and write.
    pub forbidden: Option<String>,
    /// Whether the program runs in a container.
    pub container: bool,
}

/// The result of looking for a library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "state", content = "path", rename_all = "snake_case")]
pub enum Library {
    /// The path of a library that can be loaded.
    Found(String),
    /// The path of a file that cannot be loaded: cut short, or made for another machine.
    Unusable(String),
    /// There is no such library.
    Missing,
}

impl Library {
    /// Whether it can be loaded.
    pub fn is_found(&self) -> bool {
        matches!(self, Library::Found(_))
    }
}

/// A driver, as its JSON file describes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Driver {
    /// The JSON file.
    pub file: String,
    /// The library that the file names; `None` if the file cannot be read.
    pub library: Option<String>,
    /// The result of looking for that library.
    pub found: Library,
}

impl Driver {
    /// Whether the driver can be loaded and `word` is part of its library's name.
    fn has_library_named(&self, word: &str) -> bool {
        self.found.is_found() && self.library.as_deref().is_some_and(|library| library.contains(word))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GpuMaker {
    Nvidia,
    Amd,
    Intel,
    /// Another maker, or a virtual machine.
    Other,
}

impl GpuMaker {
    /// The maker's name, for reports.
    pub fn name(self) -> &'static str {
        match self {
            GpuMaker::Nvidia => "NVIDIA",
            GpuMaker::Amd => "AMD",
            GpuMaker::Intel => "Intel",
            GpuMaker::Other => "of another maker, or of a virtual machine",
        }
    }
}

/// NVIDIA's kernel driver.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Nvidia {
    /// The driver's version, if it gives one.
    pub version: Option<String>,
    /// Whether a GPU is cut into slices (MIG).
    pub sliced: bool,
    /// Libraries that the driver's Vulkan part needs and that are missing.
    pub lacks: Vec<&'static str>,
}

impl Survey {
    /// Why there is no adapter, and what to do: a sentence without its full stop.
    pub fn what_is_missing(&self) -> String {
        [vec![self.why()], self.advice(None)].concat().join("; ")
    }

    /// Why there is no adapter.
    pub fn why(&self) -> String {
        match &self.loader {
            Library::Missing => format!("the Vulkan loader {LOADER} is not here"),
            Library::Unusable(path) => format!("the Vulkan loader {path} is no library for this program"),
            Library::Found(_) => self.why_no_driver(),
        }
    }

    pub(super) fn why_no_driver(&self) -> String {
        let usable = self.drivers.iter().filter(|driver| driver.found.is_found()).count();
        match (self.told_by, self.drivers.len(), usable) {
            (Some(name), 0, _) => format!("{name} names no driver file that is here"),
            (None, 0, _) => "the Vulkan loader is here, but no driver".to_owned(),
            (_, 1, 0) => "the library of the one driver here cannot be loaded".to_owned(),
            (_, all, 0) => format!("none of the {all} drivers here has a library that can be loaded"),
            (_, _, 1) => "the one driver here finds no device".to_owned(),
            (_, _, usable) => format!("none of the {usable} drivers here finds a device"),
        }
    }

    /// What to do, in clauses, if `best` is the best kind of adapter that was found; empty if that is a GPU.
    pub fn advice(&self, best: Option<DeviceKind>) -> Vec<String> {
        if best.is_some_and(DeviceKind::is_hardware) {
            return Vec::new();
        }
        let loader = match &self.loader {
            Library::Found(_) => None,
            Library::Missing => Some("install libvulkan1, the Vulkan loader".to_owned()),
            Library::Unusable(path) => Some(format!("remove {path}, or install libvulkan1 again if it is its own")),
        };
        let has_gpu = !self.hardware.is_disjoint(&[GpuMaker::Nvidia, GpuMaker::Amd, GpuMaker::Intel].into())
            || self.nvidia.is_some();
        if let Some(name) = self.told_by.filter(|_| best.is_none() || has_gpu) {
            let unset = format!("unset {name}, so that the loader looks for drivers itself");
            return loader.into_iter().chain([unset]).collect();
        }
        let is_mesa =
            |driver: &Driver| ["_lvp", "_radeon", "_intel"].into_iter().any(|word| driver.has_library_named(word));
        let mesa = best.is_none() && !self.drivers.iter().any(is_mesa);
        let mesa = mesa.then(|| "install mesa-vulkan-drivers (AMD, Intel, and software without a GPU)".to_owned());
        let forbidden = self.forbidden.as_deref().map(|file| {
            format!("let this user read and write {file}: join the group that owns it, mostly render or video")
        });
        [loader, self.nvidia_advice(), forbidden, mesa].into_iter().flatten().collect()
    }

    fn nvidia_advice(&self) -> Option<String> {
        let has_driver = self.drivers.iter().any(|driver| driver.has_library_named("nvidia"));
        let Some(Nvidia { version, sliced, lacks }) = &self.nvidia else {
            let there = self.hardware.contains(&GpuMaker::Nvidia)
                && !self.drivers.iter().any(|driver| driver.has_library_named("nouveau"));
            return there
                .then(|| "install nvidia-driver for the NVIDIA GPU here, whose driver is not running".to_owned());
        };
        match (sliced, has_driver, self.container) {
            (true, ..) => Some("use a whole NVIDIA GPU: a slice of one (MIG) has no Vulkan".to_owned()),
            (_, true, _) if lacks.is_empty() => None,
            (_, true, _) => Some(format!("install libx11-6 and libxext6: NVIDIA's driver needs {}", lacks.join(", "))),
            (_, false, true) => Some(
                "start the container with NVIDIA_DRIVER_CAPABILITIES=all, or with graphics in it: it is given NVIDIA's \
                 driver without the Vulkan part"
                    .to_owned(),
            ),
            (_, false, false) => {
                let major = version.as_deref().and_then(|version| version.split('.').next()).unwrap_or("VERSION");
                Some(format!(
                    "install nvidia-vulkan-icd (Debian) or libnvidia-gl-{major} (Ubuntu; -server for a server driver): \
                     NVIDIA's driver is running without its Vulkan part"
                ))
            }
        }
    }
}
