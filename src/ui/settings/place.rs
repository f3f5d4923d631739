//! Where the files of settings are.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Names the file of settings.
const VARIABLE: &str = "DESTRIER_CONFIG";
/// Bytes of a file of settings, at most.
const BYTES_MAX: u64 = 1 << 20;

/// The file that a person names: by the option, or by the environment.
pub(super) fn named_file(option: Option<&Path>) -> Option<PathBuf> {
    let by_environment = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    option.map(Path::to_owned).or_else(by_environment)
}

/// The user's own file, if there is a home for it.
pub(super) fn own_file() -> Option<PathBuf> {
    Some(folder("XDG_CONFIG_HOME", ".config")?.join("config.toml"))
}

/// The file of what is remembered, if there is a home for it.
pub(super) fn state_file() -> Option<PathBuf> {
    Some(folder("XDG_STATE_HOME", ".local/state")?.join("state.toml"))
}

/// Whether a file does not exist.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A file of settings as text.
pub(super) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = std::fs::File::open(path)?.take(BYTES_MAX + 1).read_to_string(&mut text)?;
    let too_long = || io::Error::other("is too long for a file of settings");
    if read as u64 > BYTES_MAX { Err(too_long()) } else { Ok(text) }
}

/// The folder of this program under a base folder: the one of a variable, or the usual one in the home.
fn folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named(variable).or_else(|| Some(named("HOME")?.join(usual)));
    base.map(|base| base.join("destrier"))
}
