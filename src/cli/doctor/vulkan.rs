//! Vulkan: the variables that steer it, and the adapters that answer.

use crate::gpu::{self, AdapterOffer, GpuError, INSTALL_VULKAN};
use crate::job::{Report, keys, object};
use crate::words;
use std::mem::take;

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

/// Vulkan as these variables steer it and its drivers answer, and what would help.
pub fn vulkan(
    variables: impl Iterator<Item = [String; 2]>,
    offers: Result<Vec<AdapterOffer>, GpuError>,
) -> (Report, Option<String>) {
    let (none_because, advice) = match &offers {
        Ok(_) => (None, None),
        Err(GpuError::NoAdapter(why)) => (Some(why.clone()), Some(INSTALL_VULKAN)),
        Err(GpuError::NotBuilt) => {
            (Some(GpuError::NotBuilt.to_string()), Some("build with the feature gpu, which is on by default"))
        }
        Err(error) => (Some(error.to_string()), None),
    };
    let offers = offers.unwrap_or_default();
    let has_gpu = offers.iter().any(|offer| offer.label.kind.is_hardware());
    let mut report = Report::default();
    let adapters = tell_adapters(&mut report, offers);
    match &none_because {
        Some(why) => report.entry("Vulkan", format_args!("no adapter: {why}")),
        None if has_gpu => {}
        None => report.entry("", "  no GPU among them: software Vulkan computes on the CPU"),
    }
    tell_variables(&mut report, variables);
    keys!(report, adapters, none_because);
    tell_log(&mut report);
    (report, advice.map(str::to_owned))
}

/// The adapters that answer, the one that is preferred first. Returns their objects.
fn tell_adapters(report: &mut Report, offers: Vec<AdapterOffer>) -> Vec<Report> {
    let mut label = "Vulkan";
    let tell = |AdapterOffer { label: device, invocations, workgroup_bytes, binding_bytes, timestamps }| {
        let stamps = if timestamps { "measures its own time" } else { "does not measure its own time" };
        let (shared, buffer) = (words::bytes(u64::from(workgroup_bytes)), words::bytes(binding_bytes));
        let limits = format!("  workgroups of {invocations} that share {shared}, buffers of {buffer}; {stamps}");
        let (name, kind, driver) = (device.name, device.kind.name(), device.driver);
        report.entries(take(&mut label), [format!("{name} ({kind})"), format!("  driver {driver}"), limits]);
        let is_gpu = device.kind.is_hardware();
        // Invocations in a workgroup, bytes that a workgroup shares, bytes of a buffer that a shader sees, and whether it
        // measures its own time.
        object!(name, kind, is_gpu, driver, invocations, workgroup_bytes, binding_bytes, timestamps)
    };
    offers.into_iter().map(tell).collect()
}

/// Those of the variables that are meant for Vulkan, and what each does.
fn tell_variables(report: &mut Report, variables: impl Iterator<Item = [String; 2]>) {
    let effect = |name: &str| EFFECTS.iter().find(|(begin, _)| name.starts_with(begin)).map(|(_, effect)| *effect);
    let mut steering: Vec<([String; 2], &str)> =
        variables.filter_map(|variable| effect(&variable[0]).map(|effect| (variable, effect))).collect();
    steering.sort();
    let (mut label, mut variables) = ("variables", Vec::new());
    for ([name, value], effect) in steering {
        report.entries(take(&mut label), [format!("{name}={value}"), format!("  {effect}")]);
        variables.push(object!(name, value, effect));
    }
    keys!(report, variables);
}

/// The file that the drivers' messages are written to, if the user has a folder for it, and its size, if it is there.
fn tell_log(report: &mut Report) {
    let log = gpu::log_path();
    let bytes = log.as_ref().and_then(|log| log.metadata().ok()).map(|file| file.len());
    let path = log.map(|log| log.display().to_string());
    match &path {
        Some(path) => {
            let size = bytes.map_or("no such file".to_owned(), words::bytes);
            report.entry("drivers' log", format_args!("{path}, {size}"));
        }
        None => report.entry("drivers' log", "none: neither XDG_STATE_HOME nor HOME names a folder"),
    }
    report.key("log", object!(path, bytes));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::{DeviceKind, DeviceLabel};
    use serde_json::Value;

    #[test]
    fn variables_without_effect_are_called_so() {
        let set = ["WGPU_BACKEND", "PATH", "VK_DRIVER_FILES", "VK_LAYER_PATH", "CUDA_VISIBLE_DEVICES"];
        let mut report = Report::default();
        tell_variables(&mut report, set.into_iter().map(|name| [name.to_owned(), "x".to_owned()]));
        let found = serde_json::to_value(&report).unwrap();
        let said = |variable: &Value| {
            let [name, effect] = ["name", "effect"].map(|key| variable[key].as_str().unwrap().to_owned());
            (name, effect.starts_with("no effect"))
        };
        let found: Vec<(String, bool)> = found["variables"].as_array().unwrap().iter().map(said).collect();
        let expected = [
            ("CUDA_VISIBLE_DEVICES", true),
            ("VK_DRIVER_FILES", false),
            ("VK_LAYER_PATH", false),
            ("WGPU_BACKEND", true),
        ];
        assert_eq!(found, expected.map(|(name, has_none)| (name.to_owned(), has_none)));
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
        let (report, _) = vulkan(std::iter::empty(), Ok(vec![offer]));
        let object = serde_json::to_value(&report).unwrap();
        let adapter = &object["adapters"][0];
        assert_eq!((&adapter["kind"], &adapter["is_gpu"]), (&"software Vulkan".into(), &false.into()));
        assert_eq!(object["none_because"], Value::Null);
        let expected = "\
Vulkan         llvmpipe (software Vulkan)
                 driver Mesa
                 workgroups of 1024 that share 32 KiB, buffers of 128 MiB;
                 measures its own time
                 no GPU among them: software Vulkan computes on the CPU
drivers' log ";
        assert!(report.to_string().starts_with(expected), "{report}");
    }

    #[test]
    fn without_the_gpu_part_nothing_is_to_be_installed() {
        let (_, advice) = vulkan(std::iter::empty(), Err(GpuError::NotBuilt));
        assert_eq!(advice.as_deref(), Some("build with the feature gpu, which is on by default"));
    }
}
