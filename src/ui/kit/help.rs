//! What lies over a screen: the help, and the list of commands. A low screen shows a part of them.

use super::draw::put;
use super::input::append;
use super::keys::Action;
use super::message::ScreenEvent;
use super::palette::Role;
use super::screen_keys::KeyList;
use super::surface::Surface;
use super::theme::Theme;
use super::words::{NAME_WIDTH, PaneWords};
use crate::words::wrapped;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

/// Width of the list of commands: name, key and meaning.
const COMMANDS_WIDTH: u16 = 62;

/// Draws the help or the list of commands over the middle of the screen, if one is open. The help begins with the words of
/// the pane `first`.
pub fn draw(buf: &mut Buffer, area: Rect, surface: &Surface, keys: KeyList, first: &str) {
    if let Some(list) = &surface.commands {
        draw_commands(buf, area, surface.theme, list, keys);
    } else if surface.help {
        draw_help(buf, area, surface, keys, first);
    }
}

fn draw_help(buf: &mut Buffer, area: Rect, surface: &Surface, keys: KeyList, first: &str) {
    let theme = surface.theme;
    let columns = columns(keys, first, &surface.sought, surface.taken, area.width);
    let widths = widths(area.width);
    let lines = columns.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let title = match surface.sought.is_empty() {
        true => keys.view.title().to_owned(),
        false => format!(" help: '{}' ", surface.sought),
    };
    let inside = framed(buf, area, theme, (widths.iter().sum(), lines as u16), &title);
    let from = usize::from(surface.scrolled).min(lines.saturating_sub(usize::from(inside.height)));
    let [up, down, find] = [Action::Up, Action::Down, Action::Find].map(Action::key);
    // On a narrow screen the key of the search is left out: the list of keys has it.
    let find = if inside.width < 50 { String::new() } else { format!(" {find} searches ") };
    let part = match inside.height < lines as u16 {
        true => format!(" {up} {down}: lines {} to {} of {lines} {find}", from + 1, from + usize::from(inside.height)),
        false => find,
    };
    // The footer may be covered.
    let below = surface.notice.as_ref().map_or(part, |notice| format!(" {} ", notice.text));
    title_below(buf, inside, theme, &below);
    if columns.iter().all(Vec::is_empty) {
        let text = format!("nothing here has '{}'", surface.sought);
        put(buf, inside, inside.x + 1, inside.y, &text, theme.style(Role::Label));
    }
    let mut x = inside.x;
    for (rows, width) in columns.iter().zip(widths) {
        let column = Rect { x, width, ..inside }.intersection(inside);
        for (y, row) in (inside.y..inside.bottom()).zip(rows.iter().skip(from)) {
            match row {
                HelpRow::Blank => {}
                HelpRow::Heading(text) => {
                    put(buf, column, x + 1, y, text, theme.style(Role::Focus));
                }
                HelpRow::Entry(name, text) => {
                    put(buf, column, x + 1, y, name, theme.style(Role::Strong));
                    put(buf, column, x + NAME_WIDTH, y, text, theme.style(Role::Text));
                }
            }
        }
        x += width;
    }
}

fn draw_commands(buf: &mut Buffer, area: Rect, theme: Theme, list: &CommandList, keys: KeyList) {
    let commands = list.commands(keys);
    let height = (commands.len() as u16).max(1) + 1;
    let inside = framed(buf, area, theme, (COMMANDS_WIDTH, height), " commands ");
    title_below(buf, inside, theme, " enter does it, esc closes ");
    let x = put(buf, inside, inside.x + 1, inside.y, ":", theme.style(Role::Label));
    let x = put(buf, inside, x, inside.y, &list.typed, theme.style(Role::Strong));
    put(buf, inside, x, inside.y, " ", theme.style(Role::Text).add_modifier(Modifier::REVERSED));
    let room = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
    if commands.is_empty() {
        put(buf, room, room.x + 1, room.y, "no command here has these words", theme.style(Role::Label));
    }
    let from = (list.chosen + 1).saturating_sub(usize::from(room.height));
    for (y, (place, command)) in (room.y..room.bottom()).zip(commands.iter().enumerate().skip(from)) {
        let chosen = if place == list.chosen { Modifier::REVERSED } else { Modifier::empty() };
        let name = format!(" {:<21}", command.name);
        put(buf, room, room.x, y, &name, theme.style(Role::Text).add_modifier(chosen));
        put(buf, room, room.x + 23, y, command.action.key(), theme.style(Role::Strong));
        put(buf, room, room.x + 32, y, command.help, theme.style(Role::Label));
    }
}

/// Draws an empty frame for so many columns and rows over the middle of the screen, as far as it has them; returns its
/// inside.
fn framed(buf: &mut Buffer, area: Rect, theme: Theme, (columns, rows): (u16, u16), title: &str) -> Rect {
    let (width, height) = ((columns.max(KEYS_WIDTH) + 2).min(area.width), (rows + 2).min(area.height));
    let rect = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    Clear.render(rect, buf);
    let block = Block::bordered()
        .border_set(theme.glyphs().border)
        .border_style(theme.style(Role::Focus))
        .title(Span::styled(title, theme.style(Role::Strong)));
    let inside = block.inner(rect);
    block.render(rect, buf);
    inside
}

/// Writes a text into the lower border.
fn title_below(buf: &mut Buffer, inside: Rect, theme: Theme, text: &str) {
    let border = Rect { y: inside.bottom(), height: 1, ..inside };
    Line::styled(text, theme.style(Role::Strong)).right_aligned().render(border, buf);
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HelpRow {
    /// An empty row.
    Blank,
    /// What the rows below are.
    Heading(String),
    /// A key or a word, and what it means or the rest of that.
    Entry(String, String),
}

/// The keys and their meanings take so many columns.
pub const KEYS_WIDTH: u16 = 46;
/// Least width of a screen for two columns.
const WIDE: u16 = 110;
/// Greatest width of the words: longer lines are hard to read.
const WORDS_MAX: u16 = 88;

/// The widths of the columns on a screen of this width, without the frame.
pub fn widths(width: u16) -> Vec<u16> {
    match width.saturating_sub(2) {
        room if width >= WIDE => vec![(room - KEYS_WIDTH).min(WORDS_MAX), KEYS_WIDTH],
        room => vec![room.min(WORDS_MAX)],
    }
}

/// The columns of the help on a screen of this width; the words of pane `first` come first. A line of which every key is
/// among the `taken` letters is left out.
pub fn columns(keys: KeyList, first: &str, sought: &str, taken: &[char], width: u16) -> Vec<Vec<HelpRow>> {
    let widths = widths(width);
    let is_first = |words: &&PaneWords| words.pane == first;
    let words = PaneWords::read(keys.keys.words);
    let section = |words: &PaneWords| {
        let entries = words.words.iter().map(|&(word, text)| (word.to_owned(), text));
        rows(&keys.keys.heading(words.pane), entries, sought, widths[0])
    };
    let selected = words.iter().filter(is_first).flat_map(section);
    let others = words.iter().filter(|words| !is_first(words)).flat_map(section);
    let lines = keys.lines().map(|line| (line.shown(taken), line.help));
    let lines = lines.filter(|(shown, _)| taken.is_empty() || !shown.is_empty());
    let keys = rows(keys.view.heading(), lines, sought, *widths.last().unwrap_or(&KEYS_WIDTH));
    match widths.len() {
        1 => vec![selected.chain(keys).chain(others).collect()],
        _ => vec![selected.chain(others).collect(), keys],
    }
}

/// The number of rows.
pub fn height(keys: KeyList, sought: &str, taken: &[char], width: u16) -> u16 {
    columns(keys, "", sought, taken, width).iter().map(Vec::len).max().unwrap_or(0) as u16
}

/// The rows under a heading of which the name or the text has what is sought.
fn rows<'a>(heading: &str, entries: impl Iterator<Item = (String, &'a str)>, sought: &str, width: u16) -> Vec<HelpRow> {
    let sought = sought.to_lowercase();
    let is_sought = |(name, text): &(String, &str)| format!("{name} {text}").to_lowercase().contains(&sought);
    let entry = |(name, text): (String, &str)| {
        let lines = wrapped(text, usize::from(width.saturating_sub(NAME_WIDTH + 1)));
        let names = std::iter::once(name).chain(std::iter::repeat(String::new()));
        names.zip(lines).map(|(name, line)| HelpRow::Entry(name, line)).collect::<Vec<_>>()
    };
    let entries: Vec<HelpRow> = entries.filter(is_sought).flat_map(entry).collect();
    if entries.is_empty() {
        return entries;
    }
    [HelpRow::Heading(heading.to_owned())].into_iter().chain(entries).chain([HelpRow::Blank]).collect()
}

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
    pub action: Action,
    pub name: String,
    /// What it does here.
    pub help: &'static str,
}

/// What a key did to the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandKey {
    /// The list is open, and may have changed.
    Open,
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
    pub fn take(&mut self, msg: &ScreenEvent, action: Option<Action>, keys: KeyList) -> CommandKey {
        let last = self.commands(keys).len().saturating_sub(1);
        let code = match msg {
            ScreenEvent::Key(key) => key.code,
            ScreenEvent::Pasted(text) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::SCREENS;
    use crate::ui::kit::keys::Action;
    use crate::ui::kit::screen_keys::{Keys, Timeline, line};

    const SEARCHED: Keys = Keys {
        own: &[line(&[Action::Step], "until a node is entered", "")],
        times: &[],
        timeline: Timeline::None,
        pane_key: |name| (name == "second").then_some(1),
        words: &[
            "== first\nnode            A square that was entered.\ntree            All nodes.\n",
            "== second\nleft            Time until the end.\n",
        ],
    };

    #[test]
    fn every_screen_explains_its_words_and_their_names_have_room() {
        for screen in SCREENS {
            let panes = PaneWords::read(screen.words);
            for PaneWords { pane, words } in &panes {
                assert!(!words.is_empty(), "{pane}");
                for (name, text) in words {
                    assert!(name.chars().count() < usize::from(NAME_WIDTH) - 1, "{name}");
                    let is_sentence = text.ends_with(['.', ':']) || name.is_empty();
                    assert!(is_sentence && !text.starts_with(' '), "{name}: {text}");
                    let twice = words.iter().filter(|(other, _)| other == name && !name.is_empty()).count();
                    assert!(twice <= 1, "{pane}: {name}");
                }
            }
        }
    }

    #[test]
    fn what_is_searched_is_found_in_names_and_sentences_of_all_columns() {
        let keys = SEARCHED.now();
        for width in [40, 80, 200] {
            let all = columns(keys, "second", "", &[], width);
            assert_eq!(all[0].first(), Some(&HelpRow::Heading("pane 1, second".to_owned())));
            let found = columns(keys, "", "ENTERED", &[], width).concat();
            let names =
                found.iter().filter_map(|row| if let HelpRow::Entry(name, _) = row { Some(&**name) } else { None });
            let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
            assert!(names == ["s", "node"] || names == ["node", "s"], "{names:?}");
            assert!(columns(keys, "", "no such word", &[], width).concat().is_empty());
            assert_eq!(usize::from(height(keys, "", &[], width)), all.iter().map(Vec::len).max().unwrap());
            let taken = columns(keys, "", "entered", &['s'], width).concat();
            assert!(!taken.contains(&HelpRow::Heading("keys".to_owned())), "{taken:?}");
        }
    }
}
