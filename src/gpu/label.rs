//! Devices in words: which one the user chose, what a device is and can do, and why it does no work.

use crate::table::table;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The device that the user chose.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum DeviceChoice {
    /// The best adapter, software included; the twin on the CPU if there is none.
    #[default]
    Any,
    /// The best adapter that is a GPU; the twin on the CPU if there is none.
    Hardware,
    /// The twin on the CPU.
    Cpu,
    /// A driver that computes in software.
    Software,
    /// The best adapter whose name contains this text, in upper or lower case.
    Named(String),
}

/// The name of an adapter is empty or blank, so that every adapter would match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the name of the adapter is empty: write a part of its name, or any, hardware, software or cpu")]
pub struct EmptyAdapterName;

impl FromStr for DeviceChoice {
    type Err = EmptyAdapterName;

    fn from_str(text: &str) -> Result<DeviceChoice, EmptyAdapterName> {
        Ok(match text {
            blank if blank.trim().is_empty() => return Err(EmptyAdapterName),
            "any" => DeviceChoice::Any,
            "hardware" => DeviceChoice::Hardware,
            "cpu" => DeviceChoice::Cpu,
            "software" => DeviceChoice::Software,
            name => DeviceChoice::Named(name.to_owned()),
        })
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            DeviceChoice::Any => "any",
            DeviceChoice::Hardware => "hardware",
            DeviceChoice::Cpu => "cpu",
            DeviceChoice::Software => "software",
            DeviceChoice::Named(name) => name,
        })
    }
}

impl DeviceChoice {
    /// Whether the CPU may do the work if there is no such device, or if the device refuses the work.
    pub fn allows_cpu(&self) -> bool {
        matches!(self, DeviceChoice::Any | DeviceChoice::Hardware)
    }

    /// The choice as [`GpuError::NotThis`] names it.
    fn description(&self) -> String {
        match self {
            DeviceChoice::Any => "one".to_owned(),
            DeviceChoice::Hardware => "a GPU".to_owned(),
            DeviceChoice::Cpu => "the CPU".to_owned(),
            DeviceChoice::Software => "software".to_owned(),
            DeviceChoice::Named(name) => format!("'{name}'"),
        }
    }
}

table! {
    /// What kind of device does the work, in order of preference.
    /// `name`: the kind in words, for reports.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    pub enum DeviceKind(name: &'static str) {
        /// A separate GPU.
        Discrete: "discrete GPU";
        /// A GPU that is part of the processor.
        Integrated: "integrated GPU";
        /// A GPU that a virtual machine provides.
        Virtual: "virtual GPU";
        /// The driver does not say what it is.
        Other: "device of unknown kind";
        /// A Vulkan driver that computes on the CPU.
        Software: "software Vulkan";
        /// No driver: the twin of the shader, in this program.
        Cpu: "no GPU";
    }
}

impl DeviceKind {
    /// Whether the kind is a GPU.
    pub fn is_hardware(self) -> bool {
        self < DeviceKind::Software
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeviceLabel {
    /// The device's name as its driver gives it.
    pub name: String,
    pub kind: DeviceKind,
    /// The driver and its version; empty for the twin on the CPU.
    pub driver: String,
}

impl DeviceLabel {
    /// The label of the twin on the CPU.
    pub fn cpu() -> DeviceLabel {
        DeviceLabel { name: "CPU twin".to_owned(), kind: DeviceKind::Cpu, driver: String::new() }
    }
}

/// What does some work: a device, or the twin on the CPU.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DoneBy {
    pub label: DeviceLabel,
    /// Why the twin does the work, if a device was chosen.
    pub instead: Option<GpuError>,
}

impl DoneBy {
    /// The twin, after a device that failed.
    pub fn twin(why: GpuError) -> DoneBy {
        DoneBy { label: DeviceLabel::cpu(), instead: Some(why) }
    }
}

/// Name and kind: what reports call the device.
impl fmt::Display for DeviceLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} ({})", self.name, self.kind.name()))
    }
}

/// An adapter that has not been opened, and its limits.
#[derive(Clone, PartialEq, Debug)]
pub struct AdapterOffer {
    /// The adapter's name.
    pub label: DeviceLabel,
    /// Invocations in a workgroup, at most.
    pub invocations: u32,
    /// Bytes that a workgroup shares, at most.
    pub workgroup_bytes: u32,
    /// Bytes of a buffer that a shader sees, at most.
    pub binding_bytes: u64,
    /// Whether the adapter measures its own time.
    pub timestamps: bool,
}

/// What to do where there is no adapter: the packages of Debian and its relatives; but a static program loads no driver.
pub const INSTALL_VULKAN: &str = if cfg!(target_feature = "crt-static") {
    "this program is one static file, which cannot load drivers: for a GPU, build it where it runs (cargo build --release)"
} else {
    "install libvulkan1 (the loader), and mesa-vulkan-drivers (AMD, Intel, software) or the Vulkan part of NVIDIA's driver"
};

/// Why a device does not do the work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
pub enum GpuError {
    /// The program was built without its GPU part.
    #[error("this destrier was built without its GPU part (feature gpu)")]
    NotBuilt,
    /// There is no adapter; the text says why.
    #[error("there is no Vulkan adapter: {0}; {INSTALL_VULKAN}")]
    NoAdapter(String),
    /// This machine has adapters, but not the chosen one.
    #[error("no Vulkan adapter here is {}; there is {}", wanted.description(), names(have))]
    NotThis { wanted: DeviceChoice, have: Vec<DeviceLabel> },
    /// The adapter cannot be used, or not for this board.
    #[error("{0}")]
    Refused(String),
    /// A shader or a call was invalid, which is a fault of this program.
    #[error("the GPU part of this program is at fault: {0}")]
    Invalid(String),
    /// The device is lost for good.
    #[error("the device was lost: {0}")]
    Lost(String),
}

fn names(have: &[DeviceLabel]) -> String {
    have.iter().map(DeviceLabel::to_string).collect::<Vec<_>>().join(", ")
}

/// The index of the first of the adapters that matches the choice.
///
/// # Errors
/// [`GpuError::NotThis`] when none matches.
pub fn choose(choice: &DeviceChoice, have: &[DeviceLabel]) -> Result<usize, GpuError> {
    let suits = |label: &DeviceLabel| match choice {
        DeviceChoice::Any => true,
        DeviceChoice::Hardware => label.kind.is_hardware(),
        DeviceChoice::Cpu => false,
        DeviceChoice::Software => label.kind == DeviceKind::Software,
        DeviceChoice::Named(name) => label.name.to_lowercase().contains(&name.to_lowercase()),
    };
    have.iter().position(suits).ok_or_else(|| GpuError::NotThis { wanted: choice.clone(), have: have.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str, kind: DeviceKind) -> DeviceLabel {
        DeviceLabel { name: name.to_owned(), kind, driver: String::new() }
    }

    #[test]
    fn an_adapter_is_chosen_by_its_kind_or_a_part_of_its_name() {
        let have = [label("Big One", DeviceKind::Discrete), label("llvmpipe (LLVM 15)", DeviceKind::Software)];
        let name = |choice: &str| choose(&choice.parse().unwrap(), &have).map(|at| have[at].name.clone());
        assert_eq!(name("any").unwrap(), "Big One");
        assert_eq!(name("software").unwrap(), "llvmpipe (LLVM 15)");
        assert_eq!(name("LLVM").unwrap(), "llvmpipe (LLVM 15)");
        assert_eq!(
            name("nonsense").unwrap_err().to_string(),
            "no Vulkan adapter here is 'nonsense'; there is Big One (discrete GPU), llvmpipe (LLVM 15) (software Vulkan)"
        );
        let software = &have[1..];
        assert!(matches!(choose(&DeviceChoice::Hardware, software), Err(GpuError::NotThis { .. })));
    }

    #[test]
    fn an_empty_or_blank_name_is_refused() {
        assert_eq!(["", " "].map(str::parse::<DeviceChoice>), [Err(EmptyAdapterName), Err(EmptyAdapterName)]);
        assert_eq!("l".parse(), Ok(DeviceChoice::Named("l".to_owned())));
    }
}
