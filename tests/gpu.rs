//! The commands that use a GPU, on machines with a broken Vulkan loader, without a driver, and with software Vulkan alone.
//!
//! The machines are played by variables. Where there is no loader at all no variable plays one: then the machine without
//! a driver is the one that stands here. `XDG_RUNTIME_DIR` is not set on any: then some drivers write to standard error,
//! and nothing of that may be seen. Where there is no software driver its runs are skipped, which is said.

use crate::common::{KURAPATI, destrier, object, stderr, stdout};
use crate::skip::skip_without_device;
use destrier::board::Board;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// What a machine has of Vulkan.
struct Machine {
    name: &'static str,
    /// Holds the log of the drivers, and what plays the machine.
    folder: TempDir,
    variables: Vec<(&'static str, PathBuf)>,
}

impl Machine {
    fn new(name: &'static str, variables: Vec<(&'static str, PathBuf)>) -> Machine {
        Machine { name, folder: tempfile::tempdir().unwrap(), variables }
    }

    /// An empty file stands where the loader is looked for first, which ends the search.
    fn with_broken_loader() -> Machine {
        let mut machine = Machine::new("broken loader", Vec::new());
        std::fs::write(machine.folder.path().join("libvulkan.so.1"), "").unwrap();
        machine.variables = vec![("LD_LIBRARY_PATH", machine.folder.path().to_owned())];
        machine
    }

    /// The loader finds no driver, or is not here itself.
    fn without_driver() -> Machine {
        Machine::new("no driver", vec![("VK_DRIVER_FILES", PathBuf::from("/nonexistent"))])
    }

    /// Mesa's software driver alone; nothing, which is said, where it is not installed.
    fn with_software() -> Option<Machine> {
        if !cfg!(feature = "gpu") {
            skip_without_device("this was built without the GPU part");
            return None;
        }
        let files = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"].map(Path::new).into_iter();
        let files = files.flat_map(std::fs::read_dir).flatten().flatten().map(|entry| entry.path());
        let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lvp_icd"));
        let machine =
            files.into_iter().find(named).map(|file| Machine::new("software", vec![("VK_DRIVER_FILES", file)]));
        let machine = machine.filter(|machine| machine.json(&["doctor"])["vulkan"]["none_because"].is_null());
        if machine.is_none() {
            skip_without_device("there is no software Vulkan here (packages libvulkan1 and mesa-vulkan-drivers)");
        }
        machine
    }

    /// What a command does here; nothing of its drivers may be seen.
    fn run(&self, args: &[&str]) -> Output {
        let mut command = destrier(args);
        command.env("XDG_STATE_HOME", self.folder.path());
        for name in ["XDG_RUNTIME_DIR", "VK_ICD_FILENAMES", "VK_DRIVER_FILES", "NODEVICE_SELECT", "LD_LIBRARY_PATH"] {
            command.env_remove(name);
        }
        let output = command.envs(self.variables.clone()).output().expect("the program starts");
        let errors = stderr(&output);
        assert!(!errors.contains("XDG_RUNTIME_DIR"), "{}, {args:?}: drivers write to stderr: {errors}", self.name);
        output
    }

    /// All of them.
    fn all() -> Vec<Machine> {
        [Machine::with_broken_loader(), Machine::without_driver()].into_iter().chain(Machine::with_software()).collect()
    }

    /// The object of a command that does its work on the best device there is; where there is none the CPU does it, which
    /// is said together with why: in the object, or in one line on standard error.
    fn work(&self, args: &[&str]) -> Value {
        let output = self.run(&[args, &["--json"]].concat());
        let errors = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{}, {args:?}: {errors}", self.name);
        let report = object(&output);
        let device = report["device"].as_str().unwrap();
        if self.name == "software" {
            assert!(device.ends_with("(software Vulkan)") && errors.is_empty(), "{args:?}: {device}, {errors}");
        } else {
            assert!(device.starts_with("CPU") && device.ends_with("(no GPU)"), "{}, {args:?}: {device}", self.name);
            assert!(errors.lines().count() <= 1, "{}, {args:?}: {errors}", self.name);
            let why = report["why"].as_str().map_or(errors, str::to_owned);
            assert!(why.contains(why_none()), "{}, {args:?}: {why}", self.name);
        }
        report
    }

    /// What a command prints that ends well, and without a word on standard error.
    fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let errors = stderr(&output);
        assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{}, {args:?}", self.name);
        stdout(&output)
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.stdout(&[args, &["--json"]].concat())).unwrap()
    }
}

/// Why there is no adapter, in the words of a machine without one.
fn why_none() -> &'static str {
    match cfg!(feature = "gpu") {
        true => "the Vulkan loader or its drivers could not be loaded",
        false => "built without its GPU part",
    }
}

#[test]
fn the_doctor_finds_out_what_is_missing() {
    for machine in [Machine::with_broken_loader(), Machine::without_driver()] {
        let report = machine.json(&["doctor"]);
        assert_eq!(report["vulkan"]["adapters"], Value::Array(Vec::new()), "{}", machine.name);
        let why = report["vulkan"]["none_because"].as_str().unwrap();
        assert!(why.contains(why_none()), "{}: {why}", machine.name);
        let advice = report["advice"].to_string();
        let helps = match (cfg!(feature = "gpu"), cfg!(target_feature = "crt-static")) {
            (true, true) => "one static file",
            (true, false) => "libvulkan1",
            (false, _) => "feature gpu",
        };
        assert!(advice.contains(helps), "{advice}");
        let text = machine.stdout(&["doctor"]);
        assert!(text.contains("\nVulkan         no adapter: "), "{}: {text}", machine.name);
        assert!(text.contains("\nwould help     "), "{}: {text}", machine.name);
    }
}

#[test]
fn the_doctor_calls_software_by_its_name() {
    let Some(machine) = Machine::with_software() else { return };
    let report = machine.json(&["doctor"]);
    let adapter = &report["vulkan"]["adapters"][0];
    assert_eq!((&adapter["kind"], &adapter["is_gpu"]), (&"software Vulkan".into(), &false.into()), "{adapter}");
    assert!(adapter["invocations"].as_u64().unwrap() >= 128, "the least that Vulkan promises: {adapter}");
    let log = PathBuf::from(report["vulkan"]["log"]["path"].as_str().unwrap());
    assert!(log.starts_with(machine.folder.path()) && log.is_file(), "{}", log.display());
    let text = machine.stdout(&["doctor"]);
    assert!(text.contains(&format!("{} (software Vulkan)", adapter["name"].as_str().unwrap())), "{text}");
}

#[test]
fn drivers_are_not_seen_where_no_log_can_be_written_either() {
    let Some(mut machine) = Machine::with_software() else { return };
    machine.variables.push(("XDG_STATE_HOME", PathBuf::from("/dev/null/nowhere")));
    let report = machine.json(&["doctor"]);
    assert_eq!(report["vulkan"]["log"]["bytes"], Value::Null);
    assert_eq!(report["vulkan"]["adapters"][0]["is_gpu"], false);
}

#[test]
fn the_doctor_fits_on_a_sheet_and_names_what_has_no_effect() {
    let mut machine = Machine::without_driver();
    machine.variables.push(("WGPU_BACKEND", PathBuf::from("gl")));
    let text = machine.stdout(&["doctor"]);
    for label in ["program", "cores", "memory", "terminal", "Vulkan", "variables", "drivers' log"] {
        assert!(text.lines().any(|line| line.starts_with(&format!("{label:<15}"))), "{label}: {text}");
    }
    let wide = |line: &&str| line.chars().count() > 80 && line.split_whitespace().count() > 2;
    assert_eq!(text.lines().find(wide), None, "{text}");
    assert!(text.contains("WGPU_BACKEND=gl\n                 no effect here"), "{text}");
}

#[test]
fn the_cycles_make_the_same_tour_on_every_machine() {
    let board: Board = "8x8".parse().unwrap();
    let numbers = KURAPATI.split_whitespace().map(|number| number.parse::<u32>().unwrap());
    let mut tour: Vec<_> = numbers.zip(board.all()).collect();
    tour.sort();
    let names: Vec<Value> = tour.iter().map(|&(_, square)| board.name(square).into()).collect();
    for machine in Machine::all() {
        let report = machine.work(&["find", "8x8", "--method", "gpu-cycles", "--start", "2,4"]);
        assert_eq!(report["tour"], Value::Array(names.clone()), "{}", machine.name);
    }
}

/// From 63 of the 64 starts of 8x8 the source's order makes a tour; so say the twin and the shader.
#[test]
fn the_map_is_the_same_on_every_machine() {
    for machine in Machine::all() {
        let report = machine.work(&["gpu", "map", "8x8", "--adapter", "any"]);
        assert_eq!((&report["starts"], &report["complete"]), (&64.into(), &63.into()), "{}", machine.name);
    }
}

#[test]
fn an_adapter_that_is_not_here_is_refused_with_those_that_are() {
    for machine in Machine::all() {
        let there = match machine.name {
            "software" => "there is llvmpipe",
            _ => why_none(),
        };
        for args in [&["find", "8x8", "--method", "gpu-cycles"][..], &["gpu", "map", "8x8"]] {
            let output = machine.run(&[args, &["--adapter", "nonsense"]].concat());
            let (name, errors) = (machine.name, stderr(&output));
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{name}, {args:?}: {errors}");
            assert!(errors.contains(there), "{name}, {args:?}: {errors}");
        }
    }
}
