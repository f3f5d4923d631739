//! Where Vulkan is looked for: the files and variables of this machine, or of a test folder that stands for one.

use super::survey::{DRIVER_VARIABLES, Driver, GpuMaker, LOADER, Library, Nvidia, Survey};
use crate::bounded;
use rustix::fs::{Access, access};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Folders that the linker always searches.
const LIBRARY_FOLDERS: [&str; 4] = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"];
/// Most bytes of a file that is read as text.
const FILE_MAX: u64 = 1 << 20;
/// The first bytes of a library: the ELF magic number, then 64 or 32 bits.
const ELF_HEADER: [u8; 5] = [0x7f, b'E', b'L', b'F', if cfg!(target_pointer_width = "64") { 2 } else { 1 }];
/// Libraries that NVIDIA's driver needs and a container may lack.
const NVIDIA_NEEDS: [&str; 2] = ["libX11.so.6", "libXext.so.6"];

/// Returns the value of an environment variable.
type GetVariable = dyn Fn(&str) -> Option<OsString>;

/// A machine, given by its files and variables.
pub struct Site {
    root: PathBuf,
    get: Box<GetVariable>,
}

impl Site {
    /// This machine.
    pub fn here() -> Site {
        Site::new(Path::new("/"), |name| env::var_os(name))
    }

    /// A machine whose files lie below `root`, and whose variables `get` returns.
    pub fn new(root: &Path, get: impl Fn(&str) -> Option<OsString> + 'static) -> Site {
        Site { root: root.to_owned(), get: Box::new(get) }
    }

    /// Surveys the machine. It loads no library: a broken driver does no harm.
    pub fn survey(&self) -> Survey {
        let marks = ["/.dockerenv", "/run/.containerenv"].iter().any(|file| self.real_path(file).exists());
        let hints = ["container", "KUBERNETES_SERVICE_HOST"].iter().any(|name| (self.get)(name).is_some());
        Survey {
            loader: self.library(LOADER),
            drivers: self.driver_files().iter().map(|file| self.driver(file)).collect(),
            told_by: DRIVER_VARIABLES.into_iter().find(|name| (self.get)(name).is_some()),
            hardware: self.hardware(),
            nvidia: self.nvidia(),
            forbidden: self.forbidden(),
            container: marks || hints,
        }
    }

    fn real_path(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    fn read(&self, path: impl AsRef<Path>) -> Option<String> {
        String::from_utf8(bounded::contents(&self.real_path(path), FILE_MAX).ok()?).ok()
    }

    /// The paths in a folder, sorted.
    fn list_folder(&self, folder: impl AsRef<Path>) -> Vec<PathBuf> {
        let folder = folder.as_ref();
        let found = fs::read_dir(self.real_path(folder)).into_iter().flatten().flatten();
        let mut paths: Vec<_> = found.map(|entry| folder.join(entry.file_name())).collect();
        paths.sort();
        paths
    }

    /// The folders in a variable, or those in `default` if the variable is not set or empty.
    fn folders_of(&self, name: &str, default: &str) -> Vec<PathBuf> {
        let set = (self.get)(name).filter(|value| !value.is_empty()).unwrap_or_else(|| default.into());
        env::split_paths(&set).filter(|path| !path.as_os_str().is_empty()).collect()
    }

    /// What the linker would load. It searches `LD_LIBRARY_PATH`, its cache, and its own folders. It skips a library
    /// of the wrong size; a file that is no library ends the search.
    fn library(&self, name: &str) -> Library {
        let cache = fs::read(self.real_path("/etc/ld.so.cache")).unwrap_or_default();
        let cached =
            cache.split(|&byte| byte == 0).filter_map(|text| std::str::from_utf8(text).ok()).map(PathBuf::from);
        let cached = cached.filter(|path| path.is_absolute() && path.file_name().is_some_and(|file| file == name));
        let preferred = self.folders_of("LD_LIBRARY_PATH", "").into_iter().map(|folder| folder.join(name));
        let standard = LIBRARY_FOLDERS.iter().map(|folder| Path::new(folder).join(name));
        let mut best = Library::Missing;
        for path in preferred.chain(cached).chain(standard) {
            match self.inspect(&path) {
                (found @ Library::Found(_), _) => return found,
                (unusable, true) => return unusable,
                (found, false) => best = if best == Library::Missing { found } else { best },
            }
        }
        best
    }

    /// What a file is, and whether it ends the linker's search because it is no library.
    fn inspect(&self, path: &Path) -> (Library, bool) {
        let name = || path.display().to_string();
        let mut head = [0; 5];
        match fs::File::open(self.real_path(path)).map(|mut file| file.read_exact(&mut head)) {
            Err(_) => (Library::Missing, false),
            Ok(_) if head == ELF_HEADER || cfg!(target_os = "macos") => (Library::Found(name()), false),
            Ok(_) => (Library::Unusable(name()), head[..4] != ELF_HEADER[..4]),
        }
    }

    /// The JSON files of the drivers: only those that [`DRIVER_VARIABLES`] name, if one is set, even to nothing.
    fn driver_files(&self) -> Vec<PathBuf> {
        if let Some(named) = DRIVER_VARIABLES.into_iter().find_map(|name| (self.get)(name)) {
            return env::split_paths(&named).filter(|path| self.real_path(path).is_file()).collect();
        }
        let added =
            self.folders_of("VK_ADD_DRIVER_FILES", "").into_iter().filter(|path| self.real_path(path).is_file());
        let own = (self.get)("HOME").map(|home| PathBuf::from(home).join(".local/share"));
        let config = self.folders_of("XDG_CONFIG_DIRS", "/etc/xdg").into_iter().chain([PathBuf::from("/etc")]);
        let folders = config.chain(own).chain(self.folders_of("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
        let found = folders.flat_map(|folder| self.list_folder(folder.join("vulkan/icd.d")));
        let found = found.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        let mut seen = BTreeSet::new();
        added.chain(found).filter(|path| seen.insert(path.clone())).collect()
    }

    fn driver(&self, file: &Path) -> Driver {
        let json = self.read(file).and_then(|text| bounded::json::<serde_json::Value>(text.as_bytes()).ok());
        let library = json.and_then(|json| Some(json["ICD"]["library_path"].as_str()?.to_owned()));
        let found = match library.as_deref() {
            None => Library::Missing,
            // A bare name is searched for as the linker does; a relative path starts at the JSON file's folder.
            Some(name) if !name.contains('/') => self.library(name),
            Some(path) => self.inspect(&file.parent().unwrap_or(Path::new("/")).join(path)).0,
        };
        Driver { file: file.display().to_string(), library, found }
    }

    fn hardware(&self) -> BTreeSet<GpuMaker> {
        let read = |device: &Path, name: &str| self.read(device.join(name)).unwrap_or_default();
        let devices = self.list_folder("/sys/bus/pci/devices").into_iter();
        let displays = devices.filter(|device| read(device, "class").starts_with("0x03"));
        let maker = |device: PathBuf| match read(&device, "vendor").trim() {
            "0x10de" => GpuMaker::Nvidia,
            "0x1002" => GpuMaker::Amd,
            "0x8086" => GpuMaker::Intel,
            _ => GpuMaker::Other,
        };
        displays.map(maker).collect()
    }

    fn nvidia(&self) -> Option<Nvidia> {
        let text = self.read("/proc/driver/nvidia/version")?;
        let is_version = |word: &&str| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
        // The slices of gpu0 are the folders gpu0/mig/gi1, ..; the folder `mig` exists also without slices.
        let gpus = self.list_folder("/proc/driver/nvidia/capabilities");
        let is_slice = |path: &PathBuf| file_name(path).starts_with("gi");
        Some(Nvidia {
            version: text.split_whitespace().find(is_version).map(str::to_owned),
            sliced: gpus.iter().any(|gpu| self.list_folder(gpu.join("mig")).iter().any(is_slice)),
            lacks: NVIDIA_NEEDS.into_iter().filter(|name| !self.library(name).is_found()).collect(),
        })
    }

    fn forbidden(&self) -> Option<String> {
        let gpus = self.list_folder("/dev/dri").into_iter().filter(|path| file_name(path).starts_with("renderD"));
        let forbidden = |path: &PathBuf| access(self.real_path(path), Access::READ_OK | Access::WRITE_OK).is_err();
        gpus.into_iter().find(forbidden).map(|path| path.display().to_string())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
