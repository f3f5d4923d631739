//! Devices in words: which one is wanted, what it is and can do, what work took there, and why it does none.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Which device is wanted.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum DeviceChoice {
    /// The best there is, software too; the twin on the CPU where there is none.
    #[default]
    Any,
    /// The best that is a GPU; the CPU where there is none.
    Hardware,
    /// The twin on the CPU.
    Cpu,
    /// A driver that does the work in software.
    Software,
    /// The best whose name contains this, in upper or lower case.
    Named(String),
}

/// A name of an adapter in which there is nothing, so that any would do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an adapter has a name: write a part of it, or any, hardware, software or cpu")]
pub struct Nameless;

impl FromStr for DeviceChoice {
    type Err = Nameless;

    fn from_str(text: &str) -> Result<DeviceChoice, Nameless> {
        Ok(match text {
            blank if blank.trim().is_empty() => return Err(Nameless),
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
    /// Whether the CPU will do where there is no such device, or where it does not take the work.
    pub fn is_a_hope(&self) -> bool {
        matches!(self, DeviceChoice::Any | DeviceChoice::Hardware)
    }

    /// What an adapter would have to be.
    fn described(&self) -> String {
        match self {
            DeviceChoice::Any => "one".to_owned(),
            DeviceChoice::Hardware => "a GPU".to_owned(),
            DeviceChoice::Cpu => "the CPU".to_owned(),
            DeviceChoice::Software => "software".to_owned(),
            DeviceChoice::Named(name) => format!("'{name}'"),
        }
    }
}

/// What kind of device does the work, the one that is preferred first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum DeviceKind {
    /// A GPU of its own.
    Discrete,
    /// A GPU that is part of the processor.
    Integrated,
    /// A GPU that a virtual machine is given.
    Virtual,
    /// What the driver does not say.
    Other,
    /// A Vulkan driver that computes on the CPU.
    Software,
    /// No driver: the twin of the shader, in this program.
    Cpu,
}

impl DeviceKind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            DeviceKind::Discrete => "discrete GPU",
            DeviceKind::Integrated => "integrated GPU",
            DeviceKind::Virtual => "virtual GPU",
            DeviceKind::Other => "device of unknown kind",
            DeviceKind::Software => "software Vulkan",
            DeviceKind::Cpu => "no GPU",
        }
    }

    /// Whether there is a GPU in it.
    pub fn is_hardware(self) -> bool {
        self < DeviceKind::Software
    }
}

/// A device, by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeviceLabel {
    /// As its driver names it.
    pub name: String,
    /// What kind it is.
    pub kind: DeviceKind,
    /// The driver and its version; empty where there is none.
    pub driver: String,
}

impl DeviceLabel {
    /// The twin on the CPU.
    pub fn cpu() -> DeviceLabel {
        DeviceLabel { name: "CPU twin".to_owned(), kind: DeviceKind::Cpu, driver: String::new() }
    }
}

/// Name and kind: what reports call the device.
impl fmt::Display for DeviceLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} ({})", self.name, self.kind.name()))
    }
}

/// An adapter, before it is opened.
#[derive(Clone, PartialEq, Debug)]
pub struct AdapterOffer {
    /// What it is.
    pub label: DeviceLabel,
    /// Invocations in a workgroup.
    pub invocations: u32,
    /// Bytes that a workgroup shares.
    pub workgroup_bytes: u32,
    /// Bytes of a buffer that a shader sees.
    pub binding_bytes: u64,
    /// Whether it measures its own time.
    pub timestamps: bool,
}

/// Why a device does not do the work.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
pub enum GpuError {
    /// The program was built without its GPU part.
    #[error("this destrier was built without its GPU part (feature gpu)")]
    NotBuilt,
    /// There is no adapter; why, and what would help.
    #[error("there is no Vulkan adapter: {0}")]
    NoAdapter(String),
    /// There are adapters, but not this one.
    #[error("no Vulkan adapter here is {}; there is {}", wanted.described(), names(have))]
    NotThis {
        /// What was wanted.
        wanted: DeviceChoice,
        /// What there is.
        have: Vec<DeviceLabel>,
    },
    /// The adapter cannot be used, or not for this board.
    #[error("{0}")]
    Refused(String),
    /// A shader or a call was wrong, which is a fault of this program.
    #[error("the GPU part of this program is at fault: {0}")]
    Invalid(String),
    /// The device went away, for good.
    #[error("the device was lost: {0}")]
    Lost(String),
}

fn names(have: &[DeviceLabel]) -> String {
    have.iter().map(DeviceLabel::to_string).collect::<Vec<_>>().join(", ")
}

/// Those of the adapters that are wanted, which keep their order.
///
/// # Errors
/// [`GpuError::NotThis`] when none is.
pub fn chosen<'a>(wanted: &DeviceChoice, have: &'a [DeviceLabel]) -> Result<&'a DeviceLabel, GpuError> {
    let suits = |label: &&DeviceLabel| match wanted {
        DeviceChoice::Any => true,
        DeviceChoice::Hardware => label.kind.is_hardware(),
        DeviceChoice::Cpu => false,
        DeviceChoice::Software => label.kind == DeviceKind::Software,
        DeviceChoice::Named(name) => label.name.to_lowercase().contains(&name.to_lowercase()),
    };
    have.iter().find(suits).ok_or_else(|| GpuError::NotThis { wanted: wanted.clone(), have: have.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str, kind: DeviceKind) -> DeviceLabel {
        DeviceLabel { name: name.to_owned(), kind, driver: String::new() }
    }

    #[test]
    fn an_adapter_is_chosen_by_kind_or_by_a_part_of_its_name() {
        let have = [label("Big One", DeviceKind::Discrete), label("llvmpipe (LLVM 15)", DeviceKind::Software)];
        let name = |wanted: &str| chosen(&wanted.parse().unwrap(), &have).map(|label| label.name.clone());
        assert_eq!(name("any").unwrap(), "Big One");
        assert_eq!(name("software").unwrap(), "llvmpipe (LLVM 15)");
        assert_eq!(name("LLVM").unwrap(), "llvmpipe (LLVM 15)");
        assert_eq!(
            name("nonsense").unwrap_err().to_string(),
            "no Vulkan adapter here is 'nonsense'; there is Big One (discrete GPU), llvmpipe (LLVM 15) (software Vulkan)"
        );
        let software = &have[1..];
        assert!(matches!(chosen(&DeviceChoice::Hardware, software), Err(GpuError::NotThis { .. })));
    }

    #[test]
    fn a_name_in_which_there_is_nothing_is_none() {
        assert_eq!(["", " "].map(str::parse::<DeviceChoice>), [Err(Nameless), Err(Nameless)]);
        assert_eq!("l".parse(), Ok(DeviceChoice::Named("l".to_owned())));
    }
}
