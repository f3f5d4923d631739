//! The list of commands: every action of a screen by its name, with its key, filtered by what is typed.

use super::input::append;
use super::keys::Action;
use super::message::ScreenMsg;
use super::screen_keys::KeyList;
use ratatui::crossterm::event::KeyCode;

/// Longest text that is typed.
const TYPED_MAX: usize = 40;

/// The open list.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CommandList {
    /// What is typed so far.
    pub typed: String,
    /// The place of the chosen command among those that match.
    pub chosen: usize,
}

/// A line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedAction {
    /// The action.
    pub action: Action,
    /// Its name.
    pub name: String,
    /// What it does here.
    pub help: &'static str,
}

/// What a key did to the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandKey {
    /// The list is open, and may have changed.
    Open,
    /// The list is closed.
    Closed,
    /// A command was chosen, and the list is closed.
    Chosen(Action),
}

impl CommandList {
    /// The commands of a screen of which name or help has every word that is typed; first those whose name begins with it.
    pub fn commands(&self, keys: KeyList) -> Vec<NamedAction> {
        let typed = self.typed.to_lowercase();
        let actions = keys.lines().flat_map(|line| line.all().map(move |action| (action, line.help)));
        let named = actions.filter(|(action, _)| !action.name().is_empty());
        let commands = named.map(|(action, help)| NamedAction { action, name: action.name().replace('_', " "), help });
        let matches = |command: &NamedAction| {
            let said = format!("{} {}", command.name, command.help).to_lowercase();
            typed.split_whitespace().all(|word| said.contains(word))
        };
        let mut commands: Vec<NamedAction> = commands.filter(matches).collect();
        // What is typed is more often a name than a word of a meaning.
        commands.sort_by_key(|command| !command.name.to_lowercase().starts_with(&typed));
        commands
    }

    /// Handles a key or a pasted text; `action` is the usual meaning of the key.
    pub fn take(&mut self, msg: &ScreenMsg, action: Option<Action>, keys: KeyList) -> CommandKey {
        let last = self.commands(keys).len().saturating_sub(1);
        let code = match msg {
            ScreenMsg::Key(key) => key.code,
            ScreenMsg::Pasted(text) => {
                self.write(text);
                return CommandKey::Open;
            }
            _ => return CommandKey::Open,
        };
        match code {
            KeyCode::Esc => return CommandKey::Closed,
            KeyCode::Backspace if self.typed.pop().is_none() => return CommandKey::Closed,
            KeyCode::Enter => {
                let chosen = self.commands(keys).into_iter().nth(self.chosen);
                return chosen.map_or(CommandKey::Open, |command| CommandKey::Chosen(command.action));
            }
            KeyCode::Backspace => self.chosen = 0,
            KeyCode::Char(letter) => self.write(letter.encode_utf8(&mut [0; 4])),
            _ if action == Some(Action::Down) => self.chosen = (self.chosen + 1).min(last),
            _ if action == Some(Action::Up) => self.chosen = self.chosen.saturating_sub(1),
            _ => {}
        }
        CommandKey::Open
    }

    fn write(&mut self, letters: &str) {
        letters.chars().for_each(|letter| append(&mut self.typed, letter, TYPED_MAX));
        self.chosen = 0;
    }
}
