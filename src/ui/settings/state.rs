//! What keys change is remembered until the next session: theme, frames, order and zoom, in `state.toml`.

use super::place::{self, is_absent, state_file};
use super::values::{ScreenSettings, current};
use crate::lock::LockAlways as _;
use rustix::fs::{Access, access};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

/// What has changed in this session, on top of what was remembered before it; `None` while nothing has.
static CHANGED: Mutex<Option<ScreenSettings>> = Mutex::new(None);

/// Takes what is remembered; leaves a notice if that cannot be read.
pub(super) fn read(settings: &mut ScreenSettings, path: &Path) {
    let taken = match place::read(path) {
        Ok(text) => settings.take(path, &text, true).map_err(|error| error.to_string()),
        Err(error) if is_absent(&error) => {
            settings.is_first = true;
            Ok(())
        }
        Err(error) => Err(format!("{}: {error}", path.display())),
    };
    if let Err(why) = taken {
        let next = match can_be_replaced(path) {
            true => "it is replaced when a key changes a setting",
            false => "nor can it be replaced: remove it, or nothing is remembered",
        };
        let notice = format!("what was remembered is not used: {why}; {next}");
        *settings = ScreenSettings { notice: Some(notice), ..ScreenSettings::default() };
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
    let settings = changed.get_or_insert_with(|| {
        let now = current();
        ScreenSettings {
            theme: now.theme,
            frames: now.frames,
            order: now.order,
            zoom: now.zoom,
            ..ScreenSettings::default()
        }
    });
    change(settings);
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
