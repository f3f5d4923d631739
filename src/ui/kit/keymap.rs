//! Which keys stand for which action: the usual keys of the table, or those of the configuration.
//!
//! The keymap of the process is set once, before the first screen ([`use_keymap`]). So every footer, help, palette and
//! message names the keys that the user has.

use super::keys::{Action, Binding, Press, SHIFT, TABLE};
use super::places::latin;
use crate::words::nearest;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::sync::OnceLock;

static KEYMAP: OnceLock<Keymap> = OnceLock::new();

/// The keys that have a name of more than one letter.
const NAMED: [KeyCode; 16] = [
    KeyCode::Char(' '),
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::BackTab,
    KeyCode::Backspace,
    KeyCode::Insert,
    KeyCode::Delete,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Up,
    KeyCode::Down,
];

/// Actions of which no screen has both: they may have one key.
const APART: [Action; 2] = [Action::Arrange, Action::ScrollRight];

/// Letters of a word that tells one action from another; shorter ones are to, the, or.
const TELLING: usize = 4;

/// The keys of every action but the digits.
#[derive(Clone, Debug)]
pub struct Keymap(Vec<ActionKeys>);

#[derive(Clone, Debug)]
struct ActionKeys {
    usual: &'static Binding,
    /// The name of the main key.
    key: String,
    /// What the help calls the further keys; may be empty.
    other: String,
    presses: Vec<Press>,
}

impl Default for Keymap {
    /// The usual keys.
    fn default() -> Keymap {
        let row = |usual: &'static Binding| ActionKeys {
            usual,
            key: usual.keys.first().map(|&press| press_name(press)).unwrap_or_default(),
            other: usual.further.to_owned(),
            presses: usual.keys.to_vec(),
        };
        Keymap(TABLE.iter().map(row).collect())
    }
}

impl Keymap {
    /// The names of the actions, in the order of the table.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|keys| keys.usual.name)
    }

    /// What the action with this name does; empty if there is none.
    pub fn about(&self, name: &str) -> &'static str {
        self.0.iter().find(|keys| keys.usual.name == name).map_or("", |keys| keys.usual.about)
    }

    /// The name of the action that is likely meant by a mistyped one: it is near to its name, or to a word of what it does.
    pub fn nearest(&self, mistyped: &str) -> Option<&'static str> {
        let words = |keys: &ActionKeys| keys.usual.about.split([' ', ',', ';']).filter(|word| word.len() >= TELLING);
        let near = nearest(mistyped, self.names().chain(self.0.iter().flat_map(words)))?;
        let by_word = || self.0.iter().find(|keys| words(keys).any(|word| word == near)).map(|keys| keys.usual.name);
        self.names().find(|name| *name == near).or_else(by_word)
    }

    /// The names of the keys of an action.
    pub fn keys(&self, name: &str) -> Vec<String> {
        let keys = self.0.iter().find(|keys| keys.usual.name == name);
        keys.map_or_else(Vec::new, |keys| keys.presses.iter().map(|&press| press_name(press)).collect())
    }

    /// Gives the action with this name other keys; without keys only the palette reaches it.
    ///
    /// # Errors
    /// A sentence, if a key has no such name or may not be used.
    pub fn change(&mut self, name: &str, keys: &[String]) -> Result<(), String> {
        let presses = keys.iter().map(|key| press_of(key)).collect::<Result<Vec<_>, _>>()?;
        if let Some(row) = self.0.iter_mut().find(|row| row.usual.name == name) {
            if presses.is_empty() && [Action::Quit, Action::Palette].contains(&row.usual.action) {
                return Err(format!("{name} needs a key"));
            }
            let mut names = presses.iter().map(|&press| press_name(press));
            (row.key, row.other) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
            row.presses = presses;
        }
        Ok(())
    }

    /// Takes a key from the action with this name.
    pub fn free(&mut self, name: &str, key: &str) {
        let kept: Vec<String> = self.keys(name).into_iter().filter(|other| other != key).collect();
        if let Some(row) = self.0.iter_mut().find(|row| row.usual.name == name) {
            row.presses.retain(|&press| press_name(press) != key);
            let mut names = kept.into_iter();
            (row.key, row.other) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        }
    }

    /// Two actions of one screen with the same key, and the key.
    pub fn clash(&self) -> Option<(&'static str, &'static str, String)> {
        let pairs = self.0.iter().enumerate().flat_map(|(at, row)| self.0[..at].iter().map(move |other| (other, row)));
        let is_apart = |row: &ActionKeys| APART.contains(&row.usual.action);
        let mut both = pairs.filter(|(one, two)| !(is_apart(one) && is_apart(two))).flat_map(|(one, two)| {
            let same = one.presses.iter().filter(|press| two.presses.contains(press));
            same.map(move |&press| (one.usual.name, two.usual.name, press_name(press)))
        });
        both.next()
    }

    /// The action of a key: the one that the screen knows, if the key has several.
    fn action(&self, pressed: KeyEvent, knows: impl Fn(Action) -> bool) -> Option<Action> {
        if let (KeyCode::Char(digit @ '0'..='9'), KeyModifiers::NONE) = (pressed.code, pressed.modifiers) {
            return Some(Action::Digit(digit as u8 - b'0'));
        }
        let bound = |press| {
            let rows = self.0.iter().filter(|row| row.presses.contains(&press));
            rows.map(|row| row.usual.action).max_by_key(|&action| knows(action))
        };
        // The character already includes shift.
        let plain = (pressed.code, pressed.modifiers.difference(SHIFT));
        let same_place = || latin(pressed).and_then(|key| bound((key.code, key.modifiers.difference(SHIFT))));
        bound((pressed.code, pressed.modifiers)).or_else(|| bound(plain)).or_else(same_place)
    }

    fn row(&self, action: Action) -> Option<&ActionKeys> {
        self.0.iter().find(|row| row.usual.action == action)
    }
}

/// Sets the keymap of this process, before the first screen is shown. Later calls change nothing.
pub fn use_keymap(keymap: Keymap) {
    let _ = KEYMAP.set(keymap);
}

/// The keymap of this process.
fn keymap() -> &'static Keymap {
    KEYMAP.get_or_init(Keymap::default)
}

impl Action {
    /// What a key means on a screen that `knows` some actions.
    pub fn of(pressed: KeyEvent, knows: impl Fn(Action) -> bool) -> Option<Action> {
        keymap().action(pressed, knows)
    }

    /// The name of the action in the configuration and in the palette; a digit has none.
    pub fn name(self) -> &'static str {
        keymap().row(self).map_or("", |row| row.usual.name)
    }

    /// What the action does, on whichever screen.
    pub(super) fn about(self) -> &'static str {
        keymap().row(self).map_or("", |row| row.usual.about)
    }

    /// The name of the main key, as messages use it.
    pub fn key(self) -> &'static str {
        match self {
            Action::Digit(digit) => &"0123456789"[usize::from(digit)..=usize::from(digit)],
            _ => keymap().row(self).map_or("", |row| &row.key),
        }
    }

    /// The name of the first key that is not among the `taken` letters, if there is one.
    pub(super) fn free_key(self, taken: &[char]) -> Option<String> {
        keymap().keys(self.name()).into_iter().find(|key| !is_taken(key, taken))
    }

    /// The name of a key that every keyboard has, or else of the main one.
    pub(super) fn reachable_key(self) -> String {
        let keys = keymap().keys(self.name());
        keys.into_iter().find(|key| key.len() > 1).unwrap_or_else(|| self.key().to_owned())
    }

    /// The name of the key that does the same, or an empty text.
    pub(super) fn other_key(self) -> &'static str {
        keymap().row(self).map_or("", |row| &row.other)
    }
}

/// Whether a key of this name is one of the letters that the screen around this one takes.
pub(super) fn is_taken(key: &str, taken: &[char]) -> bool {
    taken.iter().any(|&letter| press_name((KeyCode::Char(letter), KeyModifiers::NONE)) == key)
}

/// The name of a key with its modifiers.
pub fn written(pressed: KeyEvent) -> String {
    let is_letter = matches!(pressed.code, KeyCode::Char(_) | KeyCode::BackTab);
    let held = |modifier, name| if pressed.modifiers.contains(modifier) { name } else { "" };
    let shift = if is_letter { "" } else { held(SHIFT, "shift-") };
    let with = [held(KeyModifiers::CONTROL, "ctrl-"), held(KeyModifiers::ALT, "alt-"), shift].concat();
    match pressed.code {
        KeyCode::Char(letter) if letter != ' ' => format!("{with}{letter}"),
        code => with + &code.to_string().to_lowercase().replace(' ', ""),
    }
}

fn press_name((code, modifiers): Press) -> String {
    written(KeyEvent::new(code, modifiers))
}

/// The key of a text in the footer: the one that it names, or of several the letter at a place, or else the first.
pub(super) fn pressed(text: &str, place: usize) -> Option<KeyEvent> {
    let letter = text.chars().nth(place).or(text.chars().next())?;
    let (code, modifiers) = press_of(text).unwrap_or((KeyCode::Char(letter), KeyModifiers::NONE));
    Some(KeyEvent::new(code, modifiers))
}

/// The key with this name: the reverse of [`written`].
fn press_of(name: &str) -> Result<Press, String> {
    let prefixes = [("ctrl-", KeyModifiers::CONTROL), ("alt-", KeyModifiers::ALT), ("shift-", SHIFT)];
    let (mut rest, mut modifiers) = (name, KeyModifiers::NONE);
    while let Some((after, modifier)) = prefixes.iter().find_map(|(word, bit)| Some((rest.strip_prefix(word)?, *bit))) {
        (rest, modifiers) = (after, modifiers | modifier);
    }
    let mut letters = rest.chars();
    let code = match (letters.next(), letters.next()) {
        (Some(letter), None) if !letter.is_control() && letter != ' ' => Some(KeyCode::Char(letter)),
        _ => NAMED
            .into_iter()
            .chain((1..=12).map(KeyCode::F))
            .find(|&code| press_name((code, KeyModifiers::NONE)) == rest),
    };
    match code {
        Some(KeyCode::Char('0'..='9')) if modifiers.is_empty() => {
            Err(format!("{name}: digits are the numbers of panes, and how often the next key counts"))
        }
        Some(code) => Ok((code, modifiers)),
        None => {
            Err(format!("no key is named {name:?}: write a letter, ctrl-x, alt-x, f1, enter, space, left or the like"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::SCREENS;
    use crate::ui::kit::screen_keys::{ANY_TIME, KeyList};
    use std::collections::HashSet;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Action> {
        Keymap::default().action(KeyEvent::new(code, modifiers), |action| action != Action::Arrange)
    }

    fn letter(letter: char) -> Option<Action> {
        press(KeyCode::Char(letter), KeyModifiers::NONE)
    }

    #[test]
    fn no_screen_knows_two_actions_that_have_one_key() {
        let known = SCREENS.map(|screen| APART.into_iter().filter(|&action| screen.now().knows(action)).count());
        assert_eq!(known.into_iter().max(), Some(1));
        let pressed = KeyEvent::new(KeyCode::Char('L'), SHIFT);
        for action in APART {
            assert_eq!(Keymap::default().action(pressed, |known| known == action), Some(action));
        }
    }

    /// All screens use one table, in which no key stands twice.
    #[test]
    fn no_key_stands_for_two_actions_and_each_action_has_a_name_and_is_known_somewhere() {
        let keymap = Keymap::default();
        assert_eq!(keymap.clash(), None);
        let names: HashSet<_> = keymap.names().collect();
        assert_eq!(names.len(), keymap.0.len());
        let abouts: HashSet<_> = names.iter().map(|name| keymap.about(name)).collect();
        assert!(
            abouts.len() == names.len() && !abouts.contains(""),
            "each action says what it does, and no other does that"
        );
        for row in &keymap.0 {
            let known = |view| SCREENS.iter().any(|screen| KeyList { view, ..screen.now() }.knows(row.usual.action));
            assert!(ANY_TIME.into_iter().any(known), "{row:?}");
            for name in keymap.keys(row.usual.name) {
                assert!(row.presses.contains(&press_of(&name).unwrap()), "{name} names its key");
            }
        }
        assert!(('0'..='9').all(|digit| press_of(&digit.to_string()).is_err()));
    }

    #[test]
    fn a_mistyped_action_is_known_by_its_name_or_by_what_it_does() {
        let keymap = Keymap::default();
        for (mistyped, name) in [
            ("stepp", "step"),
            ("zom", "zoom"),
            ("pause", "play"),
            ("puase", "play"),
            ("backgruond", "suspend"),
            ("schedluer", "next_scheduler"),
        ] {
            assert_eq!(keymap.nearest(mistyped), Some(name), "{mistyped}");
        }
        assert_eq!(keymap.nearest("nothing_like_that"), None);
    }

    #[test]
    fn shift_is_part_of_a_letter_but_not_of_an_arrow() {
        assert_eq!(letter('s'), Some(Action::Step));
        assert_eq!(press(KeyCode::Char('S'), SHIFT), Some(Action::NextScheduler));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Action::Interrupt));
        assert_eq!(press(KeyCode::BackTab, SHIFT), Some(Action::PreviousPane));
        assert_eq!(press(KeyCode::Left, SHIFT), Some(Action::ScrollLeft));
        assert_eq!(press(KeyCode::Left, KeyModifiers::NONE), Some(Action::Left));
        assert_eq!(letter('7'), Some(Action::Digit(7)));
    }

    #[test]
    fn a_key_of_another_layout_is_that_of_its_place_unless_the_user_has_set_it() {
        assert_eq!(
            (letter('й'), letter('Ы'), letter('ㄴ')),
            (Some(Action::Quit), Some(Action::NextScheduler), Some(Action::Step))
        );
        let mut keymap = Keymap::default();
        keymap.change("zoom", &["й".into()]).unwrap();
        let pressed = KeyEvent::new(KeyCode::Char('й'), KeyModifiers::NONE);
        assert_eq!(keymap.action(pressed, |_| true), Some(Action::Zoom));
    }

    #[test]
    fn changed_keys_replace_the_usual_ones_and_a_clash_names_both_actions() {
        let mut keymap = Keymap::default();
        keymap.change("zoom", &["ctrl-o".into(), "f5".into()]).unwrap();
        let pressed = |code, modifiers| keymap.action(KeyEvent::new(code, modifiers), |_| true);
        assert_eq!(pressed(KeyCode::Char('o'), KeyModifiers::CONTROL), Some(Action::Zoom));
        assert_eq!(pressed(KeyCode::F(5), KeyModifiers::NONE), Some(Action::Zoom));
        assert_eq!(pressed(KeyCode::Char('z'), KeyModifiers::NONE), None);
        assert_eq!(keymap.clash(), None);
        assert_eq!(keymap.keys("zoom"), ["ctrl-o", "f5"]);
        keymap.change("step", &["p".into()]).unwrap();
        assert_eq!(keymap.clash(), Some(("play", "step", "p".to_owned())));
        assert!(keymap.change("step", &["hyper-x".into()]).is_err());
        assert!(keymap.change("quit", &[]).is_err());
    }
}
