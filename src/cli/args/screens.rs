//! The options of all screens: configuration, mouse and signs.

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
    /// Draw boards with these signs: blocks where the font has no braille
    #[arg(long, global = true, hide_short_help = true, value_parser = ["braille", "blocks", "ascii"])]
    signs: Option<String>,
}

impl ScreensArgs {
    /// Reads the settings of the screens where they are needed: for a screen, or because a file is named. Returns whether
    /// they were to be printed, which is done.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a named file is missing, or a line of the file is wrong.
    pub fn begin(self) -> Result<bool, Failure> {
        let on_screen = on_screen().unwrap_or(false);
        let is_asked = self.print_config || self.mouse || self.signs.is_some();
        if !cfg!(feature = "tui") && self.config.is_none() && !is_asked {
            return Ok(false);
        }
        let args = self;
        on_screens!(args, on_screen => settings::begin(args, on_screen))
    }
}

#[cfg(feature = "tui")]
mod settings {
    use crate::job::{Failure, put, say, usage};
    use crate::ui::LivePane;
    use crate::ui::kit::Pane;
    use crate::ui::kit::Signs;
    use crate::ui::settings::{is_named, load, use_settings};

    /// See [`ScreensArgs::begin`](super::ScreensArgs::begin).
    pub fn begin(args: super::ScreensArgs, on_screen: bool) -> Result<bool, Failure> {
        let super::ScreensArgs { config, print_config: prints, mouse, signs } = args;
        // The user's own file is read.
        let uses_own = on_screen || prints;
        if !(uses_own || is_named(config.as_deref())) {
            return Ok(false);
        }
        let panes = LivePane::all().map(LivePane::name).collect();
        let mut settings = load(config.as_deref(), uses_own, panes).map_err(usage)?;
        settings.mouse |= mouse;
        let named = |name: String| Signs::ALL.into_iter().find(|signs| signs.name() == name);
        settings.signs = signs.and_then(named).or(settings.signs);
        if prints {
            settings.notice.iter().try_for_each(say)?;
            put(settings.whole_file())?;
        } else {
            use_settings(settings);
        }
        Ok(prints)
    }
}
