//! What was found of Vulkan, why there is no adapter, and what would help.

use crate::gpu::label::DeviceKind;
use serde::Serialize;
use std::collections::BTreeSet;

/// The loader, by the name under which programs ask for it.
pub const LOADER: &str = if cfg!(target_os = "macos") { "libvulkan.dylib" } else { "libvulkan.so.1" };
/// The variables that name the drivers, the one that counts first.
pub(super) const TOLD_BY: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// What a machine has of Vulkan.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Survey {
    /// The loader.
    pub loader: Library,
    /// The drivers that it would try.
    pub drivers: Vec<Driver>,
    /// The variable that names the drivers, if one does; then no other is tried.
    pub told_by: Option<&'static str>,
    /// Who made the graphics hardware on the bus.
    pub hardware: BTreeSet<GpuMaker>,
    /// NVIDIA's driver in the kernel, if it is running.
    pub nvidia: Option<Nvidia>,
    /// The device file of a GPU that this user may not use.
    pub forbidden: Option<String>,
    /// Whether this is the inside of a container.
    pub container: bool,
}

/// What became of a library that was looked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "state", content = "path", rename_all = "snake_case")]
pub enum Library {
    /// It is here.
    Found(String),
    /// A file of its name is here that cannot be loaded: cut short, or made for another machine.
    Unusable(String),
    /// It is not here.
    Missing,
}

impl Library {
    /// Whether it can be loaded.
    pub fn is_found(&self) -> bool {
        matches!(self, Library::Found(_))
    }
}

/// A driver, as its file describes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Driver {
    /// The file.
    pub file: String,
    /// The library that it names; none if the file cannot be read.
    pub library: Option<String>,
    /// What became of that.
    pub found: Library,
}

impl Driver {
    /// Whether it can be loaded, and its library has this in its name.
    fn is(&self, word: &str) -> bool {
        self.found.is_found() && self.library.as_deref().is_some_and(|library| library.contains(word))
    }
}

/// Who made a GPU.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GpuMaker {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Somebody else, or a virtual machine.
    Other,
}

impl GpuMaker {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            GpuMaker::Nvidia => "NVIDIA",
            GpuMaker::Amd => "AMD",
            GpuMaker::Intel => "Intel",
            GpuMaker::Other => "of another maker, or of a virtual machine",
        }
    }
}

/// NVIDIA's driver in the kernel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Nvidia {
    /// Its version, if it says so.
    pub version: Option<String>,
    /// Whether a GPU has been cut into slices (MIG).
    pub sliced: bool,
    /// Libraries that its Vulkan part needs and that are not here.
    pub lacks: Vec<&'static str>,
}

impl Survey {
    /// Why there is no adapter, and what would help: a sentence without its full stop.
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

    /// What would help, in clauses, where `best` is the best kind of adapter that was found; nothing where it is a GPU.
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
        let is_mesa = |driver: &Driver| ["_lvp", "_radeon", "_intel"].into_iter().any(|word| driver.is(word));
        let mesa = best.is_none() && !self.drivers.iter().any(is_mesa);
        let mesa = mesa.then(|| "install mesa-vulkan-drivers (AMD, Intel, and software without a GPU)".to_owned());
        let forbidden = self.forbidden.as_deref().map(|file| {
            format!("let this user read and write {file}: join the group that owns it, mostly render or video")
        });
        [loader, self.nvidia_advice(), forbidden, mesa].into_iter().flatten().collect()
    }

    fn nvidia_advice(&self) -> Option<String> {
        let has_driver = self.drivers.iter().any(|driver| driver.is("nvidia"));
        let Some(Nvidia { version, sliced, lacks }) = &self.nvidia else {
            let there =
                self.hardware.contains(&GpuMaker::Nvidia) && !self.drivers.iter().any(|driver| driver.is("nouveau"));
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
