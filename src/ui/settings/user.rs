//! The files of settings of this user: where they are, in which order they are read, and what keys change, which is
//! remembered until the next session in `state.toml`: theme and signs, where a key keeps them, and frames.

use super::file::SettingsError;
use super::values::{ScreenSettings, current};
use crate::bounded;
use crate::lock::LockAlways as _;
use crate::ui::kit::palette::ThemeName;
use rustix::fs::{Access, access};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Names the file of settings.
const VARIABLE: &str = "DESTRIER_CONFIG";
/// Bytes of a file of settings, at most.
const BYTES_MAX: u64 = 1 << 20;

/// What has changed in this session, on top of what was remembered before it; `None` while nothing has.
static CHANGED: Mutex<Option<ScreenSettings>> = Mutex::new(None);

/// The settings of this user: those that are remembered, and over them those of the file that `option` or the environment
/// names, or else of the user's own file, if it exists and `uses_own`. The live view has these `panes`.
///
/// # Errors
/// When a named file cannot be read, or when a line of the file is wrong.
pub fn load(option: Option<&Path>, uses_own: bool, panes: Vec<&'static str>) -> Result<ScreenSettings, SettingsError> {
    let mut settings = ScreenSettings { names: panes, ..ScreenSettings::default() };
    if let Some(path) = state_file().filter(|_| uses_own) {
        take_remembered(&mut settings, &path);
    }
    let named = named_file(option);
    let is_named = named.is_some();
    let Some(path) = named.or_else(|| own_file().filter(|_| uses_own)) else { return Ok(settings) };
    match read(&path, is_named) {
        Ok(text) => settings.take(&path, &text, false)?,
        Err(error) if !is_named && is_absent(&error) => {}
        Err(error) if !is_named => settings.note(format!("{}: {error}: it is not used", path.display())),
        Err(error) => return Err(SettingsError::Unreadable(path, error)),
    }
    Ok(settings)
}

/// Whether a file of settings is named, by the option or by the environment.
pub fn is_named(option: Option<&Path>) -> bool {
    named_file(option).is_some()
}

/// The file that a person names: by the option, or by the environment.
fn named_file(option: Option<&Path>) -> Option<PathBuf> {
    let by_environment = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    option.map(Path::to_owned).or_else(by_environment)
}

/// The user's own file, if there is a home for it.
fn own_file() -> Option<PathBuf> {
    Some(folder("XDG_CONFIG_HOME", ".config")?.join("config.toml"))
}

/// The file of what is remembered, if there is a home for it.
fn state_file() -> Option<PathBuf> {
    Some(folder("XDG_STATE_HOME", ".local/state")?.join("state.toml"))
}

/// Whether a file does not exist.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// A file of settings as text. One that is `named` may be a pipe.
fn read(path: &Path, is_named: bool) -> io::Result<String> {
    let file = if is_named { bounded::open_stream(path)? } else { bounded::open(path)? };
    let no_text = |_| io::Error::other("is no text in UTF-8");
    String::from_utf8(bounded::rest(file, BYTES_MAX)?).map_err(no_text)
}

/// The folder of this program under a base folder: the one of a variable, or the usual one in the home.
fn folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named(variable).or_else(|| Some(named("HOME")?.join(usual)));
    base.map(|base| base.join("destrier"))
}

/// Takes what is remembered; leaves a notice if that cannot be read.
fn take_remembered(settings: &mut ScreenSettings, path: &Path) {
    let taken = match read(path, false) {
        Ok(text) => settings.take(path, &text, true).map_err(|error| error.to_string()),
        Err(error) if is_absent(&error) => {
            settings.is_first = true;
            Ok(())
        }
        Err(error) => Err(format!("{}: {error}", path.display())),
    };
    if let Err(why) = taken {
        let next = if can_be_replaced(path) {
            "it is replaced when a key changes a setting"
        } else {
            "nor can it be replaced: remove it, or nothing is remembered"
        };
        let notice = format!("what was remembered is not used: {why}; {next}");
        let names = std::mem::take(&mut settings.names);
        *settings = ScreenSettings { notice: Some(notice), names, ..ScreenSettings::default() };
    }
}

/// Whether [`remember`] can write a file of this name.
fn can_be_replaced(path: &Path) -> bool {
    let is_writable = |folder| access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    !path.is_dir() && path.parent().is_some_and(is_writable)
}

/// Notes a change by a key, which [`remember`] writes.
pub fn note(change: impl FnOnce(&mut ScreenSettings)) {
    let mut changed = CHANGED.locked();
    // What an option or the other file asks for is no wish of a key.
    let settings = changed.get_or_insert_with(|| {
        let kept = remembered().map(|(settings, _)| settings).unwrap_or_default();
        ScreenSettings { frames: current().frames, ..kept }
    });
    change(settings);
}

/// What is remembered, and the file that has it; nothing if there is none, or it cannot be read.
fn remembered() -> Option<(ScreenSettings, PathBuf)> {
    let path = state_file()?;
    let mut settings = ScreenSettings::default();
    settings.take(&path, &read(&path, false).ok()?, true).ok()?;
    Some((settings, path))
}

/// Theme and signs that a key has kept, and the file that has them.
pub fn kept() -> Option<(String, PathBuf)> {
    let (settings, path) = remembered()?;
    let theme = Some(settings.theme).filter(|&theme| theme != ThemeName::default());
    let words =
        [theme.map(|theme| format!("theme {}", theme.name())), settings.signs.map(|it| format!("signs {}", it.name()))];
    let words: Vec<String> = words.into_iter().flatten().collect();
    (!words.is_empty()).then(|| (words.join(", "), path))
}

/// Writes what has changed in this session, if anything has and there is a home for it.
///
/// # Errors
/// When the file cannot be written.
pub fn remember() -> io::Result<()> {
    let (Some(changed), Some(path)) = (CHANGED.locked().take(), state_file()) else { return Ok(()) };
    let folder = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".state").tempfile_in(folder)?;
    file.write_all(changed.remembered_file().as_bytes())?;
    file.persist(path)?;
    Ok(())
}
