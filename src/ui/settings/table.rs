//! Every setting by its name: the explanation above it in the file, how a value is read, and how it is written.

use super::values::{Background, ScreenSettings};
use crate::ui::kit::palette::{Palette, ThemeName};
use crate::ui::kit::workers::WorkerOrder;
use ratatui::style::Color;
use std::str::FromStr;
use toml::de::DeValue;

/// A setting.
pub struct Setting {
    /// Its name in the file.
    pub name: &'static str,
    /// What it does and which values it takes.
    pub about: &'static str,
    /// Whether a key changes it, and the program remembers that.
    pub is_remembered: bool,
    /// Sets it to a value, or says what is wrong with the value.
    pub read: fn(&mut ScreenSettings, &DeValue<'_>) -> Result<(), String>,
    /// Its value, as it stands in the file.
    pub written: fn(&ScreenSettings) -> String,
}

/// Every setting but those in `[keys]` and `[colours]`.
pub const SETTINGS: [Setting; 6] = [
    Setting {
        name: "theme",
        about: "Colours: \"colour-blind\", \"dark\", \"light\", \"high-contrast\" or \"mono\".",
        is_remembered: true,
        read: |settings, value| {
            settings.theme = one_of(value, ThemeName::ALL.map(|name| (name.name(), name)))?;
            Ok(())
        },
        written: |settings| quoted(settings.theme.name()),
    },
    Setting {
        name: "background",
        about: "The background of the terminal: \"dark\", \"light\", or \"ask\" to ask the terminal.",
        is_remembered: false,
        read: |settings, value| {
            settings.background = one_of(value, BACKGROUNDS)?;
            Ok(())
        },
        written: |settings| {
            let name = BACKGROUNDS.into_iter().find(|(_, background)| *background == settings.background);
            quoted(name.map_or("ask", |(name, _)| name))
        },
    },
    Setting {
        name: "frames",
        about: "Frames a second of the live view, 1 to 60.",
        is_remembered: true,
        read: |settings, value| {
            settings.frames = number(value, 1, 60)?;
            Ok(())
        },
        written: |settings| settings.frames.to_string(),
    },
    Setting {
        name: "order",
        about: "Order of the workers: \"number\", \"nodes\", \"depth\", \"hires\", \"idle time\" or \"cache\".",
        is_remembered: true,
        read: |settings, value| {
            settings.order = one_of(value, WorkerOrder::ALL.map(|order| (order.name(), order)))?;
            Ok(())
        },
        written: |settings| quoted(settings.order.name()),
    },
    Setting {
        name: "zoom",
        about: "The pane of the live view that fills the screen, 1 to 6; 0 for none.",
        is_remembered: true,
        read: |settings, value| {
            settings.zoom = number(value, 0, 6)? as u8;
            Ok(())
        },
        written: |settings| settings.zoom.to_string(),
    },
    Setting {
        name: "mouse",
        about: "Whether the mouse selects and scrolls. While it does, the terminal selects text only with shift held.",
        is_remembered: false,
        read: |settings, value| {
            settings.mouse = value.as_bool().ok_or("true or false is wanted")?;
            Ok(())
        },
        written: |settings| settings.mouse.to_string(),
    },
];

const BACKGROUNDS: [(&str, Background); 3] =
    [("ask", Background::Ask), ("dark", Background::Dark), ("light", Background::Light)];

/// Gives an action the keys of a value: a key, or a list of keys.
pub fn read_keys(settings: &mut ScreenSettings, action: &str, value: &DeValue<'_>) -> Result<(), String> {
    const WANTED: &str = "a key or a list of keys is wanted, such as \"x\" or [\"x\", \"ctrl-x\"]";
    let keys = match value {
        DeValue::String(key) => vec![key.to_string()],
        DeValue::Array(keys) => {
            let keys = keys.iter().map(|key| key.get_ref().as_str().map(str::to_owned));
            keys.collect::<Option<Vec<_>>>().ok_or(WANTED)?
        }
        _ => return Err(WANTED.into()),
    };
    settings.keys.change(action, &keys)
}

/// The keys of an action, as they stand in the file.
pub fn written_keys(settings: &ScreenSettings, action: &str) -> String {
    match &settings.keys.keys(action)[..] {
        [key] => quoted(key),
        keys => format!("[{}]", keys.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(", ")),
    }
}

/// Reads a colour: `"#56b4e9"`, the name or the number of a colour of the terminal, or `"theme"` for none of one's own.
pub fn read_colour(value: &DeValue<'_>) -> Result<Option<Color>, String> {
    let text = match value {
        DeValue::String(text) if text == THEME => return Ok(None),
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.as_str().to_owned(),
        _ => String::new(),
    };
    let colour = Color::from_str(&text).ok();
    let wanted = "a colour is wanted: \"#56b4e9\", \"cyan\", a number from 0 to 255, or \"theme\"";
    colour.map(Some).ok_or_else(|| wanted.to_owned())
}

/// A colour, as it stands in the file.
pub fn written_colour(settings: &ScreenSettings, name: &str) -> String {
    quoted(&settings.colours.get(name).map_or_else(|| THEME.to_owned(), |colour| colour.to_string().to_lowercase()))
}

/// The value of a colour that the theme has set.
const THEME: &str = "theme";

/// The names in `[colours]`.
pub fn colour_names() -> impl Iterator<Item = &'static str> {
    Palette::names()
}

/// A text in quotes, with its quotes and backslashes escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn one_of<T: Copy, const N: usize>(value: &DeValue<'_>, known: [(&str, T); N]) -> Result<T, String> {
    let found = value.as_str().and_then(|text| known.iter().find(|(name, _)| *name == text));
    let names = || known.map(|(name, _)| quoted(name)).join(", ");
    found.map(|&(_, value)| value).ok_or_else(|| format!("one of {} is wanted", names()))
}

fn number(value: &DeValue<'_>, least: u32, most: u32) -> Result<u32, String> {
    let number = value.as_integer().and_then(|number| number.as_str().parse().ok());
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("a number from {least} to {most} is wanted"))
}
