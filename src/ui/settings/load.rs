//! The settings of this user, in the order in which they are read.

use super::file::SettingsError;
use super::place::{is_absent, named_file, own_file, read, state_file};
use super::state;
use super::values::ScreenSettings;
use std::path::Path;

/// The settings of this user: those that are remembered, and over them those of the file that `option` or the environment
/// names, or else of the user's own file, if it exists and `uses_own`.
///
/// # Errors
/// When a named file cannot be read, or when a line of the file is wrong.
pub fn load(option: Option<&Path>, uses_own: bool) -> Result<ScreenSettings, SettingsError> {
    let mut settings = ScreenSettings::default();
    if let Some(path) = state_file().filter(|_| uses_own) {
        state::read(&mut settings, &path);
    }
    let named = named_file(option);
    let is_named = named.is_some();
    let Some(path) = named.or_else(|| own_file().filter(|_| uses_own)) else { return Ok(settings) };
    match read(&path) {
        Ok(text) => settings.take(&path, &text, false)?,
        Err(error) if !is_named && is_absent(&error) => {}
        Err(error) => return Err(SettingsError::Unreadable(path, error)),
    }
    Ok(settings)
}
