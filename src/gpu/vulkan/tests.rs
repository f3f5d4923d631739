use super::*;
use crate::gpu::label::DeviceKind;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use tempfile::TempDir;

/// The first bytes of a library of this machine's size.
const GOOD: &[u8] = if cfg!(target_pointer_width = "64") { b"\x7fELF\x02.." } else { b"\x7fELF\x01.." };
/// The first bytes of a library of the other size.
const OTHER: &[u8] = if cfg!(target_pointer_width = "64") { b"\x7fELF\x01.." } else { b"\x7fELF\x02.." };
const VERSION: &[u8] =
    b"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build\nGCC version: 12.2.0\n";

/// The survey of a machine with these files and variables.
fn survey(files: &[(&str, &[u8])], variables: &[(&str, &str)]) -> Survey {
    let root: TempDir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let variables: BTreeMap<String, OsString> =
        variables.iter().map(|(name, value)| (name.to_string(), value.into())).collect();
    Site::new(root.path(), move |name| variables.get(name).cloned()).survey()
}

fn manifest(library: &str) -> Vec<u8> {
    format!(r#"{{ "file_format_version": "1.0.0", "ICD": {{ "library_path": "{library}" }} }}"#).into_bytes()
}

#[test]
fn an_empty_machine_lacks_the_loader_and_a_driver() {
    let bare = survey(&[], &[]);
    assert_eq!(bare.loader, Library::Missing);
    assert_eq!(
        bare.what_is_missing(),
        "the Vulkan loader libvulkan.so.1 is not here; install libvulkan1, the Vulkan loader; install \
         mesa-vulkan-drivers (AMD, Intel, and software without a GPU)"
    );
}

#[test]
fn a_loader_without_drivers_is_not_enough() {
    let found = survey(&[("usr/lib/libvulkan.so.1", GOOD)], &[]);
    assert_eq!(found.loader, Library::Found("/usr/lib/libvulkan.so.1".to_owned()));
    let says = found.what_is_missing();
    assert!(says.starts_with("the Vulkan loader is here, but no driver; install mesa-vulkan-drivers"), "{says}");
}

#[test]
fn the_linker_skips_a_library_of_the_wrong_size_and_stops_at_a_file_that_is_no_library() {
    let cache: &[u8] = b"glibc-ld.so.cache1.1\0\0libvulkan.so.1\0/usr/lib/x86_64-linux-gnu/libvulkan.so.1\0";
    let real = ("usr/lib/x86_64-linux-gnu/libvulkan.so.1", GOOD);
    let path = [("LD_LIBRARY_PATH", "/opt")];
    let cached = ("etc/ld.so.cache", cache);
    let in_front = |text: &'static [u8]| survey(&[cached, real, ("opt/libvulkan.so.1", text)], &path).loader;
    assert_eq!(in_front(GOOD), Library::Found("/opt/libvulkan.so.1".to_owned()));
    assert_eq!(in_front(OTHER), Library::Found("/usr/lib/x86_64-linux-gnu/libvulkan.so.1".to_owned()));
    assert_eq!(in_front(b""), Library::Unusable("/opt/libvulkan.so.1".to_owned()));
    assert_eq!(
        survey(&[("opt/libvulkan.so.1", OTHER)], &path).loader,
        Library::Unusable("/opt/libvulkan.so.1".to_owned())
    );
    let says = survey(&[cached, real, ("opt/libvulkan.so.1", b"")], &path).what_is_missing();
    assert!(says.starts_with("the Vulkan loader /opt/libvulkan.so.1 is no library"), "{says}");
}

#[test]
fn a_driver_needs_its_file_and_its_library() {
    let [bare, absolute, beside, gone] =
        ["libGLX_nvidia.so.0", "/opt/lib/libvulkan_lvp.so", "../lib/libvulkan_radeon.so", "/gone.so"].map(manifest);
    let found = survey(
        &[
            ("usr/lib/libvulkan.so.1", GOOD),
            ("usr/lib/libGLX_nvidia.so.0", GOOD),
            ("opt/lib/libvulkan_lvp.so", GOOD),
            ("usr/share/vulkan/lib/libvulkan_radeon.so", OTHER),
            ("etc/vulkan/icd.d/nvidia_icd.json", &bare),
            ("home/.local/share/vulkan/icd.d/lvp.json", &absolute),
            ("usr/share/vulkan/icd.d/1.json", &beside),
            ("usr/share/vulkan/icd.d/2.json", &gone),
            ("usr/share/vulkan/icd.d/3.json", b"no JSON"),
            ("usr/share/vulkan/icd.d/README", b"no driver"),
        ],
        &[("HOME", "/home")],
    );
    let states: Vec<_> = found.drivers.iter().map(|d| (d.file.as_str(), &d.found)).collect();
    let there = |path: &str| Library::Found(path.to_owned());
    assert_eq!(
        states,
        [
            ("/etc/vulkan/icd.d/nvidia_icd.json", &there("/usr/lib/libGLX_nvidia.so.0")),
            ("/home/.local/share/vulkan/icd.d/lvp.json", &there("/opt/lib/libvulkan_lvp.so")),
            (
                "/usr/share/vulkan/icd.d/1.json",
                &Library::Unusable("/usr/share/vulkan/icd.d/../lib/libvulkan_radeon.so".to_owned())
            ),
            ("/usr/share/vulkan/icd.d/2.json", &Library::Missing),
            ("/usr/share/vulkan/icd.d/3.json", &Library::Missing),
        ]
    );
    assert_eq!(found.why_no_driver(), "none of the 2 drivers here finds a device");
}

#[test]
fn a_variable_that_names_the_drivers_hides_all_others() {
    let lvp = manifest("/lvp.so");
    let files: [(&str, &[u8]); 4] = [
        ("usr/lib/libvulkan.so.1", GOOD),
        ("lvp.so", GOOD),
        ("opt/lvp.json", &lvp),
        ("usr/share/vulkan/icd.d/other.json", &lvp),
    ];
    let hidden = survey(&files, &[("VK_DRIVER_FILES", "/nonexistent")]);
    assert_eq!((hidden.drivers.len(), hidden.told_by), (0, Some("VK_DRIVER_FILES")));
    assert_eq!(
        hidden.what_is_missing(),
        "VK_DRIVER_FILES names no driver file that is here; unset VK_DRIVER_FILES, so that the loader looks for \
         drivers itself"
    );
    let files_of = |variables: &[(&str, &str)]| -> Vec<String> {
        survey(&files, variables).drivers.into_iter().map(|driver| driver.file).collect()
    };
    assert_eq!(files_of(&[("VK_ICD_FILENAMES", "/opt/lvp.json:/gone.json")]), ["/opt/lvp.json"]);
    assert_eq!(files_of(&[("VK_ICD_FILENAMES", "/opt/lvp.json"), ("VK_DRIVER_FILES", "")]), [""; 0]);
    let added = ["/opt/lvp.json", "/usr/share/vulkan/icd.d/other.json"];
    assert_eq!(files_of(&[("VK_ADD_DRIVER_FILES", "/opt/lvp.json")]), added);
    // Software alone was chosen, and the machine has no GPU that could be missing.
    assert_eq!(survey(&files, &[("VK_DRIVER_FILES", "/opt/lvp.json")]).advice(Some(DeviceKind::Software)), [""; 0]);
}

#[test]
fn the_advice_tells_an_nvidia_driver_without_its_vulkan_part() {
    let (mesa, nvidia) = (manifest("/usr/lib/libvulkan_lvp.so"), manifest("libGLX_nvidia.so.0"));
    let base: [(&str, &[u8]); 6] = [
        ("usr/lib/libvulkan.so.1", GOOD),
        ("usr/lib/libvulkan_lvp.so", GOOD),
        ("usr/share/vulkan/icd.d/lvp.json", &mesa),
        ("sys/bus/pci/devices/0000:01:00.0/class", b"0x030200\n"),
        ("sys/bus/pci/devices/0000:01:00.0/vendor", b"0x10de\n"),
        ("proc/driver/nvidia/version", VERSION),
    ];
    let with = |more: &[(&str, &[u8])]| {
        let found = survey(&[&base[..], more].concat(), &[]);
        (found.advice(Some(DeviceKind::Software)).join("; "), found)
    };
    let (advice, found) = with(&[]);
    assert_eq!(found.nvidia.unwrap().version.as_deref(), Some("570.86.15"));
    assert_eq!(found.hardware, [GpuMaker::Nvidia].into());
    assert!(advice.contains("libnvidia-gl-570 (Ubuntu"), "{advice}");
    let (advice, _) = with(&[(".dockerenv", b"")]);
    assert!(advice.contains("NVIDIA_DRIVER_CAPABILITIES") && !advice.contains("libnvidia-gl"), "{advice}");
    // The folder exists on every GPU that can be cut into slices.
    let (advice, _) = with(&[("proc/driver/nvidia/capabilities/gpu0/mig/gi3/access", b"")]);
    assert!(advice.contains("MIG"), "{advice}");
    let (advice, _) = with(&[("proc/driver/nvidia/capabilities/mig/config", b"")]);
    assert!(!advice.contains("MIG"), "{advice}");

    let whole: [(&str, &[u8]); 2] =
        [("usr/lib/libGLX_nvidia.so.0", GOOD), ("usr/share/vulkan/icd.d/nvidia_icd.json", &nvidia)];
    let (advice, _) = with(&whole);
    assert!(advice.contains("libxext6"), "{advice}");
    let x11: [(&str, &[u8]); 2] = [("lib/libX11.so.6", GOOD), ("lib/libXext.so.6", GOOD)];
    assert_eq!(with(&[whole, x11].concat()).0, "");
    assert_eq!(survey(&base[..5], &[]).advice(None).join("; ").matches("nvidia-driver").count(), 1);
    assert_eq!(
        survey(&base, &[]).advice(Some(DeviceKind::Discrete)),
        [""; 0],
        "nothing is missing where there is a GPU"
    );
}
