//! Vulkan: the variables that steer it, and the adapters that answer.

use crate::gpu::{self, AdapterOffer, GpuError, INSTALL_VULKAN};
use serde::Serialize;

/// Variables and what they do; the first that is a beginning of a name counts.
const EFFECTS: [(&str, &str); 16] = [
    ("VK_DRIVER_FILES", "the loader reads these driver files and no others"),
    ("VK_ICD_FILENAMES", "the older name of VK_DRIVER_FILES, which counts more"),
    ("VK_ADD_DRIVER_FILES", "the loader reads these driver files too"),
    ("VK_LOADER_DRIVERS_SELECT", "the loader keeps to driver files of such names"),
    ("VK_LOADER_DRIVERS_DISABLE", "the loader leaves out driver files of such names"),
    ("VK_LOADER_DEBUG", "the loader tells more, which goes to the log"),
    ("VK_INSTANCE_LAYERS", "adds layers, which may slow everything down"),
    ("VK_LOADER_LAYERS_ENABLE", "adds layers, which may slow everything down"),
    ("VK_", "for the loader or its layers"),
    ("MESA_VK_", "for Mesa's drivers and their layer that orders devices"),
    ("NODEVICE_SELECT", "leaves out Mesa's layer that orders devices"),
    ("LP_NUM_THREADS", "threads of Mesa's software driver"),
    ("NVIDIA_DRIVER_CAPABILITIES", "what a container is given of NVIDIA's driver; Vulkan is in graphics and in all"),
    ("NVIDIA_VISIBLE_DEVICES", "which NVIDIA GPUs a container is given"),
    ("CUDA_VISIBLE_DEVICES", "no effect here: it is for CUDA; --adapter chooses"),
    ("WGPU_", "no effect here: Vulkan is always used, and --adapter chooses"),
];

#[derive(Debug, Serialize)]
pub struct Vulkan {
    /// The variables that are set and meant for it.
    pub variables: Vec<Variable>,
    /// The adapters that answer, the one that is preferred first.
    pub adapters: Vec<Adapter>,
    /// Why there is none.
    pub none_because: Option<String>,
    /// Where what the drivers say is written.
    pub log: Log,
    #[serde(skip)]
    advice: Option<&'static str>,
}

/// A variable of the environment.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct Variable {
    pub name: String,
    pub value: String,
    /// What it does.
    pub effect: &'static str,
}

#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct Adapter {
    /// As its driver names it.
    pub name: String,
    pub kind: &'static str,
    /// Whether there is a GPU in it.
    pub is_gpu: bool,
    /// The driver and its version.
    pub driver: String,
    /// Invocations in a workgroup.
    pub invocations: u32,
    /// Bytes that a workgroup shares.
    pub workgroup_bytes: u32,
    /// Bytes of a buffer that a shader sees.
    pub binding_bytes: u64,
    /// Whether it measures its own time.
    pub timestamps: bool,
}

/// The log of the drivers.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub struct Log {
    /// The file; none where the user has no folder for it.
    pub path: Option<String>,
    /// Its size; none where there is no such file.
    pub bytes: Option<u64>,
}

impl Vulkan {
    /// Looks at this machine, whose variables are given, and asks its drivers, which takes up to seconds.
    pub fn here(variables: impl Iterator<Item = (String, String)>) -> Vulkan {
        Vulkan::of(variables, gpu::offers())
    }

    fn of(variables: impl Iterator<Item = (String, String)>, offers: Result<Vec<AdapterOffer>, GpuError>) -> Vulkan {
        let log = gpu::log_path();
        let (none_because, advice) = match &offers {
            Ok(_) => (None, None),
            Err(GpuError::NoAdapter(why)) => (Some(why.clone()), Some(INSTALL_VULKAN)),
            Err(GpuError::NotBuilt) => {
                (Some(GpuError::NotBuilt.to_string()), Some("build with the feature gpu, which is on by default"))
            }
            Err(error) => (Some(error.to_string()), None),
        };
        Vulkan {
            variables: steering(variables),
            none_because,
            adapters: offers.into_iter().flatten().map(Adapter::from).collect(),
            log: Log {
                bytes: log.as_ref().and_then(|log| log.metadata().ok()).map(|file| file.len()),
                path: log.map(|log| log.display().to_string()),
            },
            advice,
        }
    }

    /// What would help.
    pub fn advice(&self) -> Vec<String> {
        self.advice.map(str::to_owned).into_iter().collect()
    }
}

impl From<AdapterOffer> for Adapter {
    fn from(offer: AdapterOffer) -> Adapter {
        Adapter {
            name: offer.label.name,
            kind: offer.label.kind.name(),
            is_gpu: offer.label.kind.is_hardware(),
            driver: offer.label.driver,
            invocations: offer.invocations,
            workgroup_bytes: offer.workgroup_bytes,
            binding_bytes: offer.binding_bytes,
            timestamps: offer.timestamps,
        }
    }
}

/// Those of the variables that are meant for Vulkan, and what each does.
fn steering(variables: impl Iterator<Item = (String, String)>) -> Vec<Variable> {
    let effect = |name: &str| EFFECTS.iter().find(|(begin, _)| name.starts_with(begin)).map(|(_, effect)| *effect);
    let mut steering: Vec<Variable> =
        variables.filter_map(|(name, value)| effect(&name).map(|effect| Variable { name, value, effect })).collect();
    steering.sort_by(|a, b| a.name.cmp(&b.name));
    steering
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{DeviceKind, DeviceLabel};

    #[test]
    fn variables_without_effect_are_called_so() {
        let set = ["WGPU_BACKEND", "PATH", "VK_DRIVER_FILES", "VK_LAYER_PATH", "CUDA_VISIBLE_DEVICES"];
        let found = steering(set.into_iter().map(|name| (name.to_owned(), "x".to_owned())));
        let names: Vec<_> = found.iter().map(|v| (v.name.as_str(), v.effect.starts_with("no effect"))).collect();
        let expected = [
            ("CUDA_VISIBLE_DEVICES", true),
            ("VK_DRIVER_FILES", false),
            ("VK_LAYER_PATH", false),
            ("WGPU_BACKEND", true),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn software_is_not_called_a_gpu() {
        let label = DeviceLabel { name: "llvmpipe".to_owned(), kind: DeviceKind::Software, driver: "Mesa".to_owned() };
        let offer = AdapterOffer {
            label,
            invocations: 1024,
            workgroup_bytes: 32_768,
            binding_bytes: 1 << 27,
            timestamps: true,
        };
        let found = Vulkan::of(std::iter::empty(), Ok(vec![offer]));
        assert_eq!((found.adapters[0].kind, found.adapters[0].is_gpu), ("software Vulkan", false));
        assert_eq!(found.none_because, None);
    }

    #[test]
    fn without_the_gpu_part_nothing_is_to_be_installed() {
        let none = Vulkan::of(std::iter::empty(), Err(GpuError::NotBuilt));
        assert_eq!(none.advice(), ["build with the feature gpu, which is on by default"]);
    }
}
