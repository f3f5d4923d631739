//! The options of all screens: configuration and mouse.

use crate::cli::terminal::{on_screen, on_screens};
use crate::job::Failure;
use clap::Args;
use std::path::PathBuf;

/// The options of all screens.
#[derive(Args, Default)]
pub struct ScreensArgs {
    /// Take the settings of the screens from FILE, in place of ~/.config/destrier/config.toml
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    config: Option<PathBuf>,
    /// Print the whole file of settings, each at its value, with an explanation above it
    #[arg(long, global = true, hide_short_help = true)]
    print_config: bool,
    /// Use the mouse on the screens; text is then selected with shift held
    #[arg(long, global = true, hide_short_help = true)]
    mouse: bool,
}

impl ScreensArgs {
    /// Reads the settings of the screens where they are needed: for a screen, or because a file is named. Returns whether
    /// they were to be printed, which is done.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a named file is missing, or a line of the file is wrong.
    pub fn begin(self) -> Result<bool, Failure> {
        let ScreensArgs { config, print_config, mouse } = self;
        let on_screen = on_screen().unwrap_or(false);
        if !cfg!(feature = "tui") && config.is_none() && !print_config && !mouse {
            return Ok(false);
        }
        on_screens!(config, print_config, mouse, on_screen => settings::begin(config, print_config, mouse, on_screen))
    }
}

#[cfg(feature = "tui")]
mod settings {
    use crate::job::say::{put, say};
    use crate::job::{Failure, usage};
    use crate::ui::LivePane;
    use crate::ui::kit::Pane;
    use crate::ui::settings::{is_named, load, use_settings};
    use std::path::PathBuf;

    /// See [`ScreensArgs::begin`](super::ScreensArgs::begin).
    pub fn begin(config: Option<PathBuf>, prints: bool, mouse: bool, on_screen: bool) -> Result<bool, Failure> {
        if !(on_screen || prints || mouse || is_named(config.as_deref())) {
            return Ok(false);
        }
        let panes = LivePane::LIST.len() as u32;
        let mut settings = load(config.as_deref(), on_screen || prints, panes).map_err(usage)?;
        settings.mouse |= mouse;
        if prints {
            settings.notice.iter().try_for_each(say)?;
            put(settings.whole_file())?;
        } else {
            use_settings(settings);
        }
        Ok(prints)
    }
}
