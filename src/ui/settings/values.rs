//! The settings as data, and those of this process.

use crate::table::table;
use crate::ui::kit::keymap::{Keymap, use_keymap};
use crate::ui::kit::keys::Action;
use crate::ui::kit::palette::ThemeName;
use crate::ui::kit::theme::{Colours, Signs, Theme, is_light};
use crate::ui::kit::workers::WorkerOrder;
use std::sync::OnceLock;

static SETTINGS: OnceLock<ScreenSettings> = OnceLock::new();

table! {
    /// Whether the background of the terminal is light.
    /// `name`: the name in the file of settings.
    #[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
    pub enum Background(name: &'static str) {
        /// The environment says it (`COLORFGBG`), or else the terminal, which is asked.
        #[default]
        Ask: "ask";
        Dark: "dark";
        Light: "light";
    }
}

/// The usual number of frames a second.
const FPS_DEFAULT: u32 = 10;

#[derive(Debug)]
pub struct ScreenSettings {
    pub theme: ThemeName,
    /// Whether the background is light.
    pub background: Background,
    /// What is drawn with, if not what the environment says.
    pub signs: Option<Signs>,
    /// Frames a second of the live view.
    pub frames: u32,
    /// The order of the workers.
    pub order: WorkerOrder,
    /// The number of the pane that fills the screen; 0 for none.
    pub zoom: u8,
    /// The names of the panes of the live view, in the order of their numbers.
    pub names: Vec<&'static str>,
    /// The panes that are shown; none for all that have room.
    pub panes: Vec<&'static str>,
    /// Whether the mouse is used.
    pub mouse: bool,
    /// The keys of the actions.
    pub keys: Keymap,
    /// What the first screen says of the files: what in them is not used.
    pub notice: Option<String>,
    /// Whether nothing is remembered yet, because no screen has been shown to this user.
    pub is_first: bool,
}

impl Default for ScreenSettings {
    fn default() -> ScreenSettings {
        ScreenSettings {
            theme: ThemeName::default(),
            background: Background::default(),
            signs: None,
            frames: FPS_DEFAULT,
            order: WorkerOrder::default(),
            zoom: 0,
            names: Vec::new(),
            panes: Vec::new(),
            mouse: false,
            keys: Keymap::default(),
            notice: None,
            is_first: false,
        }
    }
}

/// How the screens look on this terminal: its capabilities, the theme, and the background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    terminal: Theme,
    pub name: ThemeName,
    /// What is drawn with, if not what the environment says.
    pub signs: Option<Signs>,
    /// Whether the background is light, as far as that is known.
    pub light: Option<bool>,
}

impl Look {
    /// The look that the environment and the settings ask for. What the environment says of the background comes first.
    pub fn of_terminal() -> Look {
        let get = |name: &str| std::env::var(name).ok();
        let set = match current().background {
            Background::Ask => None,
            Background::Dark => Some(false),
            Background::Light => Some(true),
        };
        let &ScreenSettings { theme: name, signs, .. } = current();
        Look { terminal: Theme::from_env(get), name, signs, light: is_light(get).or(set) }
    }

    pub fn theme(self) -> Theme {
        let colours = if self.name == ThemeName::Mono { Colours::None } else { self.terminal.colours };
        let palette = self.name.palette(self.light.unwrap_or(false));
        Theme { colours, palette, signs: self.signs.unwrap_or(self.terminal.signs) }
    }

    /// The next theme, for every screen of this session; says which it is.
    pub fn turn(&mut self) -> String {
        if self.terminal.colours == Colours::None {
            return "this terminal has no colours, or NO_COLOR is set: there is one theme".to_owned();
        }
        self.name = self.name.next();
        format!("colours: theme {}{}", self.name.name(), for_now())
    }

    /// The next signs, for every screen of this session; says which they are.
    pub fn turn_signs(&mut self) -> String {
        let signs = Signs::ALL[(self.theme().signs as usize + 1) % Signs::ALL.len()];
        self.signs = Some(signs);
        format!("signs {}{}", signs.name(), for_now())
    }

    /// Says that theme and signs are kept for later sessions.
    pub fn kept(self) -> String {
        let kept = format!("kept for later: theme {}, signs {}", self.name.name(), self.theme().signs.name());
        kept + "; config.toml comes before it"
    }

    /// Whether the terminal is to be asked for its background. The oldest ones would show the question.
    pub fn asks_background(self) -> bool {
        self.light.is_none() && self.terminal.colours == Colours::Palette
    }
}

/// How long a look lasts, and the key that keeps it.
fn for_now() -> String {
    format!(", for this session; {} keeps it for later", Action::Keep.key())
}

/// Sets the settings of this process, before its first screen. Later calls change nothing.
pub fn use_settings(settings: ScreenSettings) {
    use_keymap(settings.keys.clone());
    let _ = SETTINGS.set(settings);
}

/// The settings of this process.
pub fn current() -> &'static ScreenSettings {
    SETTINGS.get_or_init(ScreenSettings::default)
}
