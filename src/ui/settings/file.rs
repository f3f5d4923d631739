//! A file of settings: read, with what is wrong and its line; and written as a whole, with an explanation above each
//! setting. [`SETTINGS`] lists them: reading, refusing, printing and remembering all follow it.

use super::values::{Background, ScreenSettings};
use crate::ui::kit::palette::ThemeName;
use crate::ui::kit::theme::Signs;
use crate::ui::kit::workers::WorkerOrder;
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
                // They were remembered once.
                (None, _) if is_state && ["order", "zoom"].contains(&name) => {}
                (Some(setting), of) => {
                    (setting.read)(self, of).map_err(|what| (format!("{name}: {what}"), value.span()))?;
                }
                (None, DeValue::Table(keys)) if name == "keys" && !is_state => self.take_keys(keys)?,
                (None, DeValue::Table(_)) if name == "colours" && !is_state => {
                    self.note(COLOURS_GONE.to_owned());
                }
                (None, _) if name == "keys" && !is_state => {
                    return Err(("keys: a table of keys is wanted: [keys]".to_owned(), key.span()));
                }
                (None, _) => {
                    let known = SETTINGS.iter().map(|setting| setting.name).chain(["keys"]);
                    return Err((unknown(name, words::nearest(name, known)), key.span()));
                }
            }
        }
        Ok(())
    }

    /// Adds to the notice of the first screen.
    pub(super) fn note(&mut self, what: String) {
        self.notice = Some(self.notice.take().map_or(what.clone(), |notice| format!("{notice}; {what}")));
    }

    fn take_keys(&mut self, keys: &DeTable<'_>) -> Result<(), Wrong> {
        let names: Vec<_> = self.keys.names().collect();
        let mut lines = HashMap::new();
        for (key, value) in keys {
            let action: &str = key.get_ref();
            if GONE_ACTIONS.contains(&action) {
                self.note(format!("the key of {action} in the settings is no longer used: its screen is gone"));
                continue;
            }
            if !names.contains(&action) {
                return Err((unknown(action, self.keys.nearest(action)), key.span()));
            }
            read_keys(self, action, value.get_ref()).map_err(|what| (format!("{action}: {what}"), value.span()))?;
            lines.insert(action, key.span());
        }
        while let Some((one, other, key)) = self.keys.clash() {
            let is_newer = |action: &&str| NEWER_ACTIONS.contains(action) && !lines.contains_key(action);
            let Some(newer) = [one, other].into_iter().find(is_newer) else {
                // Of two actions, at least one has a line here: the usual keys do not clash.
                let span = lines.get(other).or_else(|| lines.get(one)).cloned().unwrap_or_default();
                return Err((
                    format!("the key {key} is that of {one} and of {other}: give one of them another key"),
                    span,
                ));
            };
            self.keys.free(newer, &key);
            let owner = if newer == one { other } else { one };
            self.note(format!(
                "the key {key} is that of {owner}, as the settings say, and not of {newer}, which is newer"
            ));
        }
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
# destrier never writes this file. Theme and signs that a key keeps, and frames, are remembered where this file leaves them out.
";
const KEYS_HEAD: &str = "
# The keys of each action: one, or a list of which messages name the first. [] is no key: the palette has it still.
[keys]
";
/// Actions that came after settings were first saved. A file that has given their keys to others keeps them there.
const NEWER_ACTIONS: [&str; 6] = ["timeline", "open", "reverse", "signs", "keep", "arrange"];
/// Actions that former screens had.
const GONE_ACTIONS: [&str; 3] = ["best", "choose_question", "worst"];
const COLOURS_GONE: &str = "[colours] in the settings is no longer used: choose a theme instead";

/// The message about a name that does not exist; `near` is the one that is likely meant.
fn unknown(name: &str, near: Option<&str>) -> String {
    match near {
        Some(near) => format!("{name}: did you mean {near}?"),
        None => format!("{name}: no setting has this name; destrier --print-config lists all"),
    }
}

struct Setting {
    name: &'static str,
    /// What it does and which values it takes.
    about: &'static str,
    /// Whether a key changes it, and the program remembers that.
    is_remembered: bool,
    /// Sets it to a value, or says what is wrong with the value.
    read: fn(&mut ScreenSettings, &DeValue<'_>) -> Result<(), String>,
    /// Its value, as it stands in the file.
    written: fn(&ScreenSettings) -> String,
}

/// What `signs` may be.
const SIGNS: [Option<Signs>; 4] = [None, Some(Signs::Braille), Some(Signs::Blocks), Some(Signs::Ascii)];

fn signs_name(signs: Option<Signs>) -> &'static str {
    signs.map_or("auto", Signs::name)
}

/// Every setting but those in `[keys]`.
const SETTINGS: [Setting; 8] = [
    Setting {
        name: "theme",
        about: "Colours: \"colour-blind\", the same for a \"dark\" or \"light\" background, \"high-contrast\" or \"mono\".",
        is_remembered: true,
        read: |settings, value| one_of(value, ThemeName::ALL, ThemeName::name).map(|theme| settings.theme = theme),
        written: |settings| quoted(settings.theme.name()),
    },
    Setting {
        name: "background",
        about: "The background of the terminal: \"dark\", \"light\", or \"ask\" to ask the terminal.",
        is_remembered: false,
        read: |settings, value| one_of(value, Background::ALL, Background::name).map(|it| settings.background = it),
        written: |settings| quoted(settings.background.name()),
    },
    Setting {
        name: "signs",
        about: "What boards are drawn with: \"braille\", \"blocks\" or \"ascii\"; \"auto\" as the environment says.",
        is_remembered: true,
        read: |settings, value| one_of(value, SIGNS, signs_name).map(|signs| settings.signs = signs),
        written: |settings| quoted(signs_name(settings.signs)),
    },
    Setting {
        name: "frames",
        about: "Frames a second of the live view, 1 to 60.",
        is_remembered: true,
        read: |settings, value| number(value, 1, 60).map(|frames| settings.frames = frames),
        written: |settings| settings.frames.to_string(),
    },
    Setting {
        name: "order",
        about: "Order of the workers: \"number\", \"nodes\", \"depth\", \"hires\", \"donations\", \"tours\", \"waiting time\" or \"searching time\".",
        is_remembered: false,
        read: |settings, value| {
            // Orders of earlier versions: one has another name, one is a table of its own now.
            let older = match value.as_str() {
                Some("idle time") => Some(WorkerOrder::Waiting),
                Some("cache") => Some(WorkerOrder::Number),
                _ => None,
            };
            let order = older.map_or_else(|| one_of(value, WorkerOrder::ALL, WorkerOrder::name), Ok);
            order.map(|order| settings.order = order)
        },
        written: |settings| quoted(settings.order.name()),
    },
    Setting {
        name: "zoom",
        about: "The pane of the live view that fills the screen, by its number; 0 for none.",
        is_remembered: false,
        read: |settings, value| number(value, 0, settings.names.len() as u32).map(|pane| settings.zoom = pane as u8),
        written: |settings| settings.zoom.to_string(),
    },
    Setting {
        name: "panes",
        about: "Panes of the live view, such as [\"threads\", \"timeline\", \"hires\"]; [] for all that have room.",
        is_remembered: false,
        read: read_panes,
        written: |settings| format!("{:?}", settings.panes),
    },
    Setting {
        name: "mouse",
        about: "Whether the mouse selects and scrolls. While it does, the terminal selects text only with shift held.",
        is_remembered: false,
        read: |settings, value| {
            value.as_bool().map(|mouse| settings.mouse = mouse).ok_or_else(|| "true or false is wanted".to_owned())
        },
        written: |settings| settings.mouse.to_string(),
    },
];

/// Takes a list of panes; over time is also named timeline, as its key is.
fn read_panes(settings: &mut ScreenSettings, value: &DeValue<'_>) -> Result<(), String> {
    let names = &settings.names;
    let wanted = || format!("a list of some of {names:?} is wanted");
    let known = |name: &str| names.iter().copied().find(|&known| known == name.replace("timeline", "over time"));
    let panes = value.as_array().ok_or_else(wanted)?.iter().map(|pane| {
        let name = pane.get_ref().as_str().ok_or_else(wanted)?;
        known(name).ok_or_else(|| format!("no pane is named {name:?}; {}", wanted()))
    });
    settings.panes = panes.collect::<Result<_, String>>()?;
    Ok(())
}

/// Gives an action the keys of a value: a key, or a list of keys.
fn read_keys(settings: &mut ScreenSettings, action: &str, value: &DeValue<'_>) -> Result<(), String> {
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
fn written_keys(settings: &ScreenSettings, action: &str) -> String {
    match &settings.keys.keys(action)[..] {
        [key] => quoted(key),
        keys => format!("[{}]", keys.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(", ")),
    }
}

/// A text in quotes, with its quotes and backslashes escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn one_of<T: Copy, const N: usize>(value: &DeValue<'_>, all: [T; N], name: fn(T) -> &'static str) -> Result<T, String> {
    let found = value.as_str().and_then(|text| all.into_iter().find(|&each| name(each) == text));
    found.ok_or_else(|| format!("one of {} is wanted", all.map(|each| quoted(name(each))).join(", ")))
}

fn number(value: &DeValue<'_>, least: u32, most: u32) -> Result<u32, String> {
    let number = value.as_integer().and_then(|number| number.as_str().parse().ok());
    let number = number.filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("a number from {least} to {most} is wanted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ScreenSettings, String> {
        let names = vec!["threads", "board", "over time"];
        let mut settings = ScreenSettings { names, ..ScreenSettings::default() };
        settings.take(Path::new("c.toml"), text, false).map(|()| settings).map_err(|error| error.to_string())
    }

    #[test]
    fn the_whole_file_is_read_back_as_it_was_written() {
        let changed = "theme = 'mono'\nframes = 20\nzoom = 3\nmouse = true\norder = 'idle time'\nbackground = 'light'\n\
                       panes = ['timeline', 'threads']\n\
                       [keys]\nstep = ['f5', '\"']\npicture = []\n";
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
        assert_eq!(changed.panes, ["over time", "threads"]);
        assert_eq!(changed.keys.keys("step"), ["f5", "\""]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, says) in [
            ("\nthem = 'dark'", "c.toml:2: them: did you mean theme?"),
            ("theme = 'dak'", "c.toml:1: theme: one of \"colour-blind\", \"dark\""),
            ("frames = 61", "c.toml:1: frames: a number from 1 to 60 is wanted"),
            ("frames = 'ten'", "c.toml:1: frames: a number"),
            ("zoom = 4", "c.toml:1: zoom: a number from 0 to 3 is wanted"),
            ("panes = 'board'", "c.toml:1: panes: a list of some of [\"threads\", \"board\", \"over time\"] is wanted"),
            ("panes = ['board', 'bord']", "c.toml:1: panes: no pane is named \"bord\"; a list of some of"),
            ("mouse = 1", "c.toml:1: mouse: true or false is wanted"),
            ("background = true", "c.toml:1: background: one of"),
            ("order = 'size'", "c.toml:1: order: one of"),
            ("colours = 3", "c.toml:1: colours: no setting has this name"),
            ("[keys]\nstepp = 'x'", "c.toml:2: stepp: did you mean step?"),
            ("[keys]\npuase = 'x'", "c.toml:2: puase: did you mean play?"),
            ("[keys]\nstep = 3", "c.toml:2: step: a key or a list of keys is wanted"),
            ("[keys]\nstep = 'hyper-x'", "c.toml:2: step: no key is named \"hyper-x\""),
            ("[keys]\nstep = '7'", "c.toml:2: step: 7: digits are"),
            ("[keys]\nquit = []", "c.toml:2: quit: quit needs a key"),
            ("[keys]\nstep = 'p'", "c.toml:2: the key p is that of play and of step"),
            ("[keys]\nplay = 's'", "c.toml:2: the key s is that of play and of step"),
            ("key = 3", "c.toml:1: key: did you mean keys?"),
            ("keys = 3", "c.toml:1: keys: a table of keys is wanted: [keys]"),
            ("speed = 3", "c.toml:1: speed: no setting has this name"),
            ("theme = ", "c.toml:1: "),
            ("theme = 'dark'\ntheme = 'light'", "c.toml:2: duplicate key"),
        ] {
            let said = read(text).map(|_| ()).unwrap_err();
            assert!(said.starts_with(says), "{text}: {said}");
        }
    }

    #[test]
    fn a_saved_file_keeps_the_keys_of_actions_that_came_later() {
        let mut settings = ScreenSettings::default();
        settings.take_text("[keys]\nzoom = [\"z\", \"enter\"]\n", false).unwrap();
        let said = "the key enter is that of zoom, as the settings say, and not of open, which is newer";
        assert_eq!(settings.notice.as_deref(), Some(said));
        assert_eq!([settings.keys.keys("zoom").len(), settings.keys.keys("open").len()], [2, 0]);
        // A key that the file itself gives twice is refused.
        let twice = "[keys]\nzoom = \"enter\"\nopen = \"enter\"\n";
        assert!(ScreenSettings::default().take_text(twice, false).is_err());
    }

    #[test]
    fn colours_of_former_files_are_a_notice() {
        let settings = read("[colours]\nbusy = '#010203'\nanything = 1\n[keys]\nstep = 'f5'").unwrap();
        assert_eq!((settings.notice.as_deref(), settings.keys.keys("step").len()), (Some(COLOURS_GONE), 1));
        assert!(!settings.whole_file().contains("colours]"));
        let settings = read("[keys]\nbest = 'b'\nstep = 'f5'").unwrap();
        let notice = "the key of best in the settings is no longer used: its screen is gone";
        assert_eq!((settings.notice.as_deref(), settings.keys.keys("step").len()), (Some(notice), 1));
        let settings = read("[colours]\nbusy = '#010203'\n[keys]\nbest = 'b'").unwrap();
        assert_eq!(settings.notice, Some(format!("{COLOURS_GONE}; {notice}")));
    }

    #[test]
    fn what_is_remembered_holds_what_keys_change_alone() {
        let settings = read("theme = 'light'\nframes = 5").unwrap();
        let mut again = ScreenSettings::default();
        again.take(Path::new("s.toml"), &settings.remembered_file(), true).unwrap();
        assert_eq!((again.theme, again.frames), (ThemeName::Light, 5));
        assert!(again.take(Path::new("s.toml"), "mouse = true", true).is_err());
        again.take(Path::new("s.toml"), "order = 'nodes'\nzoom = 3", true).unwrap();
        assert_eq!((again.order, again.zoom), (WorkerOrder::Number, 0));
    }
}
