//! Where Vulkan is looked for: the files and variables of this machine, or of a folder that plays one in a test.

use super::survey::{Driver, GpuMaker, LOADER, Library, Nvidia, Survey, TOLD_BY};
use rustix::fs::{Access, access};
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Folders that the linker looks into without being told.
const LIBRARIES: [&str; 4] = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"];
/// How a library begins: the mark of its format, then whether it is one of 64 bits or of 32.
const ELF: [u8; 5] = [0x7f, b'E', b'L', b'F', if cfg!(target_pointer_width = "64") { 2 } else { 1 }];
/// What NVIDIA's driver needs and a container may lack.
const NVIDIA_NEEDS: [&str; 2] = ["libX11.so.6", "libXext.so.6"];

/// Answers the value of a variable.
type GetVariable = dyn Fn(&str) -> Option<OsString>;

/// A machine, by its files and variables.
pub struct Site {
    root: PathBuf,
    get: Box<GetVariable>,
}

impl Site {
    /// This machine.
    pub fn here() -> Site {
        Site::new(Path::new("/"), |name| env::var_os(name))
    }

    /// One whose files lie below `root`, and whose variables `get` answers.
    pub fn new(root: &Path, get: impl Fn(&str) -> Option<OsString> + 'static) -> Site {
        Site { root: root.to_owned(), get: Box::new(get) }
    }

    /// Looks at everything, and loads nothing: a broken driver does no harm.
    pub fn survey(&self) -> Survey {
        let marks = ["/.dockerenv", "/run/.containerenv"].iter().any(|file| self.at(file).exists());
        let hints = ["container", "KUBERNETES_SERVICE_HOST"].iter().any(|name| (self.get)(name).is_some());
        Survey {
            loader: self.library(LOADER),
            drivers: self.manifests().iter().map(|file| self.driver(file)).collect(),
            told_by: TOLD_BY.into_iter().find(|name| (self.get)(name).is_some()),
            hardware: self.hardware(),
            nvidia: self.nvidia(),
            forbidden: self.forbidden(),
            container: marks || hints,
        }
    }

    fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        let path = path.as_ref();
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    fn text(&self, path: impl AsRef<Path>) -> Option<String> {
        fs::read_to_string(self.at(path)).ok()
    }

    /// What a folder holds, in order.
    fn entries(&self, folder: impl AsRef<Path>) -> Vec<PathBuf> {
        let folder = folder.as_ref();
        let found = fs::read_dir(self.at(folder)).into_iter().flatten().flatten();
        let mut paths: Vec<_> = found.map(|entry| folder.join(entry.file_name())).collect();
        paths.sort();
        paths
    }

    /// The folders of a variable, or those that stand for it when it is not set.
    fn list(&self, name: &str, default: &str) -> Vec<PathBuf> {
        let set = (self.get)(name).filter(|value| !value.is_empty()).unwrap_or_else(|| default.into());
        env::split_paths(&set).filter(|path| !path.as_os_str().is_empty()).collect()
    }

    /// What the linker would load: it looks into `LD_LIBRARY_PATH`, its cache, its own folders. A library of the wrong
    /// size it passes over; a file that is none ends its search.
    fn library(&self, name: &str) -> Library {
        let cache = fs::read(self.at("/etc/ld.so.cache")).unwrap_or_default();
        let cached =
            cache.split(|&byte| byte == 0).filter_map(|text| std::str::from_utf8(text).ok()).map(PathBuf::from);
        let cached = cached.filter(|path| path.is_absolute() && path.file_name().is_some_and(|file| file == name));
        let told = self.list("LD_LIBRARY_PATH", "").into_iter().map(|folder| folder.join(name));
        let known = LIBRARIES.iter().map(|folder| Path::new(folder).join(name));
        let mut best = Library::Missing;
        for path in told.chain(cached).chain(known) {
            match self.judge(&path) {
                (found @ Library::Found(_), _) => return found,
                (unusable, true) => return unusable,
                (found, false) => best = if best == Library::Missing { found } else { best },
            }
        }
        best
    }

    /// What a file is, and whether it is something else than a library.
    fn judge(&self, path: &Path) -> (Library, bool) {
        let shown = || path.display().to_string();
        let mut head = [0; 5];
        match fs::File::open(self.at(path)).map(|mut file| file.read_exact(&mut head)) {
            Err(_) => (Library::Missing, false),
            Ok(_) if head == ELF || cfg!(target_os = "macos") => (Library::Found(shown()), false),
            Ok(_) => (Library::Unusable(shown()), head[..4] != ELF[..4]),
        }
    }

    /// The files that name drivers: those of [`TOLD_BY`] alone if one is set, even if to nothing.
    fn manifests(&self) -> Vec<PathBuf> {
        if let Some(told) = TOLD_BY.into_iter().find_map(|name| (self.get)(name)) {
            return env::split_paths(&told).filter(|path| self.at(path).is_file()).collect();
        }
        let added = self.list("VK_ADD_DRIVER_FILES", "").into_iter().filter(|path| self.at(path).is_file());
        let own = (self.get)("HOME").map(|home| PathBuf::from(home).join(".local/share"));
        let config = self.list("XDG_CONFIG_DIRS", "/etc/xdg").into_iter().chain([PathBuf::from("/etc")]);
        let folders = config.chain(own).chain(self.list("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
        let found = folders.flat_map(|folder| self.entries(folder.join("vulkan/icd.d")));
        let found = found.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        let mut seen = BTreeSet::new();
        added.chain(found).filter(|path| seen.insert(path.clone())).collect()
    }

    fn driver(&self, file: &Path) -> Driver {
        let json = self.text(file).and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        let library = json.and_then(|json| Some(json["ICD"]["library_path"].as_str()?.to_owned()));
        let found = match library.as_deref() {
            None => Library::Missing,
            // A bare name is looked for; a path is seen from the file's folder, if it is not absolute.
            Some(name) if !name.contains('/') => self.library(name),
            Some(path) => self.judge(&file.parent().unwrap_or(Path::new("/")).join(path)).0,
        };
        Driver { file: file.display().to_string(), library, found }
    }

    fn hardware(&self) -> BTreeSet<GpuMaker> {
        let read = |device: &Path, name: &str| self.text(device.join(name)).unwrap_or_default();
        let devices = self.entries("/sys/bus/pci/devices").into_iter();
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
        let text = self.text("/proc/driver/nvidia/version")?;
        let is_version = |word: &&str| word.contains('.') && word.chars().all(|c| c.is_ascii_digit() || c == '.');
        // The slices of gpu0 are folders gpu0/mig/gi1, ..; `mig` itself is also there where none has been cut.
        let gpus = self.entries("/proc/driver/nvidia/capabilities");
        let is_slice = |path: &PathBuf| file_name(path).starts_with("gi");
        Some(Nvidia {
            version: text.split_whitespace().find(is_version).map(str::to_owned),
            sliced: gpus.iter().any(|gpu| self.entries(gpu.join("mig")).iter().any(is_slice)),
            lacks: NVIDIA_NEEDS.into_iter().filter(|name| !self.library(name).is_found()).collect(),
        })
    }

    fn forbidden(&self) -> Option<String> {
        let gpus = self.entries("/dev/dri").into_iter().filter(|path| file_name(path).starts_with("renderD"));
        let forbidden = |path: &PathBuf| access(self.at(path), Access::READ_OK | Access::WRITE_OK).is_err();
        gpus.into_iter().find(forbidden).map(|path| path.display().to_string())
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
