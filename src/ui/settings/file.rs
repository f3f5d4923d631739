//! A file of settings: read, with what is wrong and its line; and written as a whole, with an explanation above each
//! setting.

use super::table::{SETTINGS, colour_names, read_colour, read_keys, written_colour, written_keys};
use super::values::ScreenSettings;
use crate::ui::kit::palette::OwnColours;
use crate::words;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// Why a file of settings is refused.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("{file}: {error}: name another file of settings, or leave it out", file = .0.display(), error = .1)]
    Unreadable(PathBuf, std::io::Error),
    /// A line of the file is wrong.
    #[error("{file}:{line}: {what}", file = .0.display(), line = .1, what = .2)]
    Line(PathBuf, usize, String),
}

/// What is wrong, and where in the text.
type Wrong = (String, Range<usize>);

impl ScreenSettings {
    /// Takes what a file says; `is_state` allows only what keys change.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn take(&mut self, path: &Path, text: &str, is_state: bool) -> Result<(), SettingsError> {
        self.take_text(text, is_state).map_err(|(what, span)| {
            let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
            SettingsError::Line(path.to_owned(), line, what)
        })
    }

    fn take_text(&mut self, text: &str, is_state: bool) -> Result<(), Wrong> {
        let table = DeTable::parse(text).map_err(|error| {
            (error.message().lines().next().unwrap_or_default().to_owned(), error.span().unwrap_or_default())
        })?;
        let mut entries: Vec<_> = table.get_ref().iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let name: &str = key.get_ref();
            let setting = SETTINGS.iter().find(|setting| setting.name == name && (setting.is_remembered || !is_state));
            match (setting, value.get_ref()) {
                (Some(setting), of) => {
                    (setting.read)(self, of).map_err(|what| (format!("{name}: {what}"), value.span()))?;
                }
                (None, DeValue::Table(keys)) if name == "keys" && !is_state => self.take_keys(keys)?,
                (None, DeValue::Table(colours)) if name == "colours" && !is_state => self.take_colours(colours)?,
                (None, _) => {
                    let known = SETTINGS.iter().map(|setting| setting.name).chain(["keys", "colours"]);
                    return Err((unknown(name, words::nearest(name, known)), key.span()));
                }
            }
        }
        Ok(())
    }

    fn take_keys(&mut self, keys: &DeTable<'_>) -> Result<(), Wrong> {
        let names: Vec<_> = self.keys.names().collect();
        let mut lines = HashMap::new();
        for (key, value) in keys {
            let action: &str = key.get_ref();
            if !names.contains(&action) {
                return Err((unknown(action, self.keys.nearest(action)), key.span()));
            }
            read_keys(self, action, value.get_ref()).map_err(|what| (format!("{action}: {what}"), value.span()))?;
            lines.insert(action, key.span());
        }
        match self.keys.clash() {
            None => Ok(()),
            Some((one, other, key)) => {
                // Of two actions, at least one has a line here: the usual keys do not clash.
                let span = lines.get(other).or_else(|| lines.get(one)).cloned().unwrap_or_default();
                Err((format!("the key {key} is that of {one} and of {other}: give one of them another key"), span))
            }
        }
    }

    fn take_colours(&mut self, colours: &DeTable<'_>) -> Result<(), Wrong> {
        let mut own = Vec::new();
        for (key, value) in colours {
            let name: &str = key.get_ref();
            if !colour_names().any(|known| known == name) {
                return Err((unknown(name, words::nearest(name, colour_names())), key.span()));
            }
            let colour = read_colour(value.get_ref()).map_err(|what| (format!("{name}: {what}"), value.span()))?;
            own.extend(colour.map(|colour| (name.to_owned(), colour)));
        }
        self.colours = OwnColours::new(own);
        Ok(())
    }

    /// The whole file: every setting at its value, with an explanation above it.
    pub fn whole_file(&self) -> String {
        let mut text = HEAD.to_owned();
        // Writing to a text never fails.
        for setting in &SETTINGS {
            let _ = write!(text, "\n# {}\n{} = {}\n", setting.about, setting.name, (setting.written)(self));
        }
        text.push_str(KEYS_HEAD);
        for action in self.keys.names() {
            let about = self.keys.about(action);
            let _ = write!(text, "# {about}\n{action} = {}\n", written_keys(self, action));
        }
        text.push_str(COLOURS_HEAD);
        for name in colour_names() {
            let about = name.replace('_', " ");
            let _ = write!(text, "# {about}\n{name} = {}\n", written_colour(self, name));
        }
        text
    }

    /// What keys change, as a file.
    pub(super) fn remembered_file(&self) -> String {
        let lines = SETTINGS.iter().filter(|setting| setting.is_remembered);
        let lines = lines.map(|setting| format!("{} = {}\n", setting.name, (setting.written)(self)));
        "# What keys have changed, written by destrier. config.toml comes before it.\n".to_owned()
            + &lines.collect::<String>()
    }
}

const HEAD: &str = "\
# Settings of the screens of destrier: ~/.config/destrier/config.toml, or the file that --config or DESTRIER_CONFIG names.
# destrier never writes this file. Theme, frames, order and zoom are remembered where this file leaves them out.
";
const KEYS_HEAD: &str = "
# The keys of each action: one, or a list of which messages name the first. [] is no key: the palette has it still.
[keys]
";
const COLOURS_HEAD: &str = "
# Colours of one's own: \"#56b4e9\", a name such as \"cyan\", a number of the 256, or \"theme\" for that of the theme.
[colours]
";

/// The message about a name that does not exist; `near` is the one that is likely meant.
fn unknown(name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("{name}: did you mean {near}?"),
        None => format!("{name}: no setting has this name; destrier --print-config lists all"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::kit::palette::ThemeName;
    use ratatui::style::Color;

    fn read(text: &str) -> Result<ScreenSettings, String> {
        let mut settings = ScreenSettings::default();
        settings.take(Path::new("c.toml"), text, false).map(|()| settings).map_err(|error| error.to_string())
    }

    #[test]
    fn the_whole_file_is_read_back_as_it_was_written() {
        let changed = "theme = 'mono'\nframes = 20\nzoom = 3\nmouse = true\norder = 'idle time'\nbackground = 'light'\n\
                       [keys]\nstep = ['f5', '\"']\npicture = []\n[colours]\nbusy = '#010203'\nbad = 5\nidle = 'cyan'\n";
        let changed = changed.replace("picture", "write_picture");
        for text in ["", &changed] {
            let written = read(text).unwrap().whole_file();
            assert_eq!(read(&written).unwrap().whole_file(), written);
            let lines: Vec<&str> = written.lines().filter(|line| !line.is_empty()).collect();
            let is_comment = |line: &str| line.starts_with('#');
            let explained = lines.windows(2).filter(|pair| is_comment(pair[0]) && !is_comment(pair[1])).count();
            assert_eq!(explained, lines.iter().filter(|line| !is_comment(line)).count(), "a comment above each");
        }
        let changed = read(&changed).unwrap();
        assert_eq!((changed.theme, changed.frames, changed.zoom, changed.mouse), (ThemeName::Mono, 20, 3, true));
        assert_eq!(changed.keys.keys("step"), ["f5", "\""]);
        assert_eq!(changed.colours.get("bad"), Some(Color::Indexed(5)));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, says) in [
            ("\nthem = 'dark'", "c.toml:2: them: did you mean theme?"),
            ("theme = 'dak'", "c.toml:1: theme: one of \"colour-blind\", \"dark\""),
            ("frames = 61", "c.toml:1: frames: a number from 1 to 60 is wanted"),
            ("frames = 'ten'", "c.toml:1: frames: a number"),
            ("zoom = 7", "c.toml:1: zoom: a number from 0 to 6"),
            ("mouse = 1", "c.toml:1: mouse: true or false is wanted"),
            ("background = true", "c.toml:1: background: one of"),
            ("order = 'size'", "c.toml:1: order: one of"),
            ("[colours]\n\nbusi = 'red'", "c.toml:3: busi: did you mean busy?"),
            ("[colours]\nbusy = 'rod'", "c.toml:2: busy: a colour is wanted"),
            ("[keys]\nstepp = 'x'", "c.toml:2: stepp: did you mean step?"),
            ("[keys]\npuase = 'x'", "c.toml:2: puase: did you mean play?"),
            ("[keys]\nstep = 3", "c.toml:2: step: a key or a list of keys is wanted"),
            ("[keys]\nstep = 'hyper-x'", "c.toml:2: step: no key is named \"hyper-x\""),
            ("[keys]\nstep = '7'", "c.toml:2: step: 7: digits are"),
            ("[keys]\nquit = []", "c.toml:2: quit: quit needs a key"),
            ("[keys]\nstep = 'p'", "c.toml:2: the key p is that of play and of step"),
            ("[keys]\nplay = 's'", "c.toml:2: the key s is that of play and of step"),
            ("key = 3", "c.toml:1: key: did you mean keys?"),
            ("keys = 3", "c.toml:1: keys: did you mean keys?"),
            ("speed = 3", "c.toml:1: speed: no setting has this name"),
            ("theme = ", "c.toml:1: "),
            ("theme = 'dark'\ntheme = 'light'", "c.toml:2: duplicate key"),
        ] {
            let said = read(text).map(|_| ()).unwrap_err();
            assert!(said.starts_with(says), "{text}: {said}");
        }
    }

    #[test]
    fn what_is_remembered_holds_what_keys_change_alone() {
        let settings = read("theme = 'light'\nframes = 5").unwrap();
        let mut again = ScreenSettings::default();
        again.take(Path::new("s.toml"), &settings.remembered_file(), true).unwrap();
        assert_eq!((again.theme, again.frames), (ThemeName::Light, 5));
        assert!(again.take(Path::new("s.toml"), "mouse = true", true).is_err());
    }
}
