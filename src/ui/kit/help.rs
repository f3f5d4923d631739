//! What lies over a screen: the help, and the list of commands. A low screen shows a part of them.

use super::common::Common;
use super::draw::put;
use super::input::append;
use super::keys::Action;
use super::message::ScreenEvent;
use super::palette::Role;
use super::screen_keys::{HelpLine, KeyList, Keys};
use super::theme::Theme;
use crate::words::wrapped;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::{Rect, Size};
use ratatui::style::Modifier;
use ratatui::widgets::{Block, Clear, Widget};

/// Width of the list of commands: name, key and meaning.
const COMMANDS_WIDTH: u16 = 76;

/// Draws the help or the list of commands over the middle of the screen, if one is open. The words of the pane `first` come
/// before those of the others.
pub fn draw(buf: &mut Buffer, area: Rect, common: &Common, keys: KeyList, first: &'static str) {
    if let Some(list) = &common.commands {
        draw_commands(buf, area, common.theme, list, keys);
    } else if common.help {
        draw_help(buf, area, common, keys.focused(first));
    }
}

fn draw_help(buf: &mut Buffer, area: Rect, common: &Common, keys: KeyList) {
    let theme = common.theme;
    let rows = rows(keys, &common.sought, common.taken, area.as_size());
    let sought = Some(&common.sought).filter(|sought| !sought.is_empty()).map(|sought| format!(": '{sought}'"));
    let title = format!(" help{} ", sought.unwrap_or_default());
    let all = rows.len().max(1);
    let inside = framed(buf, area, theme, (width(area.width), all as u16), &title);
    let (height, from) = (usize::from(inside.height), usize::from(common.scrolled));
    let from = from.min(all.saturating_sub(height));
    // On a narrow screen the key of the search is left out: the list of keys has it.
    let find = if inside.width < 50 { String::new() } else { format!(" {} searches all words ", Action::Find.key()) };
    let part =
        if height < all { format!(" space: lines {} to {} of {all} {find}", from + 1, from + height) } else { find };
    // The footer may be covered.
    let below = common.notice.as_ref().map_or(part, |notice| format!(" {} ", notice.text));
    title_below(buf, inside, theme, &below);
    if rows.is_empty() {
        let text = format!("nothing here has '{}'", common.sought);
        put(buf, inside, inside.x + 1, inside.y, &text, theme.style(Role::Label));
    }
    for (y, row) in (inside.y..inside.bottom()).zip(rows.iter().skip(from)) {
        for (at, text, role) in row {
            put(buf, inside, inside.x + at, y, text, theme.style(*role));
        }
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
    let (width, height) = ((columns + 2).min(area.width), (rows + 2).min(area.height));
    let rect = Rect { x: (area.width - width) / 2, y: (area.height - height) / 2, width, height };
    Clear.render(rect, buf);
    let block = Block::bordered().border_set(theme.glyphs().border).border_style(theme.style(Role::Focus));
    let inside = block.inner(rect);
    block.render(rect, buf);
    put(buf, Rect { y: rect.y, ..inside }, inside.x, rect.y, title, theme.style(Role::Strong));
    inside
}

/// Writes a text into the lower border.
fn title_below(buf: &mut Buffer, inside: Rect, theme: Theme, text: &str) {
    let border = Rect { y: inside.bottom(), height: 1, ..inside };
    let x = border.right().saturating_sub(text.chars().count() as u16).max(border.x);
    put(buf, border, x, border.y, text, theme.style(Role::Strong));
}

/// A row of the help: texts, each with its first column and its role.
pub type HelpRow = Vec<(u16, String, Role)>;

/// Least width of the keys where they stand in two columns, and where the meaning of a key begins.
const KEYS_HALF: u16 = 38;
const MEANING: u16 = 13;
/// Keys at the beginning of the help.
const MOST_USED: usize = 10;
/// Pages that the help has at most on a screen of 80x24: of the panes without the focus it has fewer words.
const PAGES: usize = 3;
/// Greatest width: longer lines are hard to read.
const WIDTH_MAX: u16 = 88;

/// The width of the help on a screen of this width, without the frame.
fn width(screen: u16) -> u16 {
    screen.saturating_sub(2).min(WIDTH_MAX)
}

/// The rows of the help on a screen of this size: what the screen shows, the keys most used, the other keys, words. A line of
/// which every key is among the `taken` letters is left out.
pub fn rows(keys: KeyList, sought: &str, taken: &[char], screen: Size) -> Vec<HelpRow> {
    let width = width(screen.width);
    let is_sought = |name: &str, text: &str| format!("{name} {text}").to_lowercase().contains(&sought.to_lowercase());
    let lines = keys.lines().map(|line| (line.shown(taken), line.help));
    let lines: Vec<_> = lines.filter(|(shown, help)| !shown.is_empty() && is_sought(shown, help)).collect();
    let (most_used, others) = lines.split_at(lines.len().min(MOST_USED));
    let mut rows: Vec<HelpRow> = Vec::new();
    if sought.is_empty() {
        let about = wrapped(&PaneWords::about(keys.keys.words), usize::from(width.saturating_sub(2)));
        rows.extend(about.into_iter().map(|line| vec![(1, line, Role::Text)]));
        rows.push(Vec::new());
    }
    rows.extend(key_rows(keys.view.heading(), most_used, width));
    rows.extend(key_rows("more keys", others, width));
    let pages = PAGES * usize::from(screen.height.saturating_sub(2));
    let room = if sought.is_empty() { pages.saturating_sub(rows.len()) } else { usize::MAX };
    rows.extend(word_rows(keys, is_sought, width, room));
    rows
}

/// Keys with their meanings under a heading, in two columns where they have room.
fn key_rows(heading: &str, lines: &[(String, &str)], width: u16) -> Vec<HelpRow> {
    if lines.is_empty() {
        return Vec::new();
    }
    let columns = (width / KEYS_HALF).max(1);
    let each = width / columns;
    let parts = lines.chunks(lines.len().div_ceil(columns.into()));
    let rows = |part: &[(String, &str)]| part.iter().flat_map(|(key, text)| entry(key, text, MEANING, each)).collect();
    let parts: Vec<Vec<HelpRow>> = parts.map(rows).collect();
    let height = parts.iter().map(Vec::len).max().unwrap_or(0);
    let row = |y: usize| {
        let moved = |x: u16| move |(at, text, role): &(u16, String, Role)| (x + at, text.clone(), *role);
        let cells = (0..).zip(&parts).filter_map(|(n, part)| Some(part.get(y)?.iter().map(moved(n * each))));
        cells.flatten().collect()
    };
    let heading = vec![(1, heading.to_owned(), Role::Focus)];
    [heading].into_iter().chain((0..height).map(row)).chain([Vec::new()]).collect()
}

/// The words that are sought: those of the pane with the focus, and of every other one the first, as many as have room in
/// so many rows.
fn word_rows(keys: KeyList, is_sought: impl Fn(&str, &str) -> bool, width: u16, room: usize) -> Vec<HelpRow> {
    let mut panes = PaneWords::read(keys.keys.words);
    let focused = panes.iter().position(|words| words.pane == keys.pane).unwrap_or(0);
    panes.get_mut(..=focused).into_iter().for_each(|panes| panes.rotate_right(1));
    let sections: Vec<_> = panes.iter().map(|words| section(keys.keys, words, &is_sought, width)).collect();
    let rows = |share: usize| -> Vec<HelpRow> {
        let most = [usize::MAX].into_iter().chain(std::iter::repeat(share));
        let shown = sections.iter().zip(most).filter(|(section, _)| !section.is_empty());
        let rows = shown.map(|(section, most)| {
            let blank = (most > 1).then(Vec::new);
            section.iter().take(most).flatten().cloned().chain(blank)
        });
        rows.flatten().collect()
    };
    let most = sections.iter().map(Vec::len).max().unwrap_or(0);
    (1..=most).rev().map(rows).find(|rows| rows.len() <= room).unwrap_or_else(|| rows(1))
}

/// The rows of each word of a pane that is sought; the first has the heading. What has no name goes with the word before.
fn section(keys: &Keys, words: &PaneWords, is_sought: impl Fn(&str, &str) -> bool, width: u16) -> Vec<Vec<HelpRow>> {
    let pane = words.pane;
    let heading = (keys.pane_key)(pane).map_or_else(|| pane.to_owned(), |key| format!("{key} {pane}"));
    let heading = (1, heading, Role::Focus);
    let mut section: Vec<Vec<HelpRow>> = Vec::new();
    for (name, text) in words.words.iter().filter(|(name, text)| is_sought(name, text)) {
        let mut rows = entry(name, text, NAME_WIDTH, width);
        match section.last_mut() {
            Some(word) if name.is_empty() => {
                word.extend(rows);
                continue;
            }
            Some(_) => {}
            None if *name == pane => rows[0][0] = heading.clone(),
            None => rows.insert(0, vec![heading.clone()]),
        }
        section.push(rows);
    }
    section
}

/// A name, and behind it its text from a column on, in as many rows as it takes.
fn entry(name: &str, text: &str, at: u16, width: u16) -> Vec<HelpRow> {
    let lines = wrapped(text, usize::from(width.saturating_sub(at + 1)));
    let mut rows: Vec<HelpRow> = lines.into_iter().map(|line| vec![(at, line, Role::Text)]).collect();
    rows[0].insert(0, (1, name.to_owned(), Role::Strong));
    rows
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
        let named = keys.lines().flat_map(HelpLine::commands).filter(|(action, _)| !action.name().is_empty());
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

// What words and marks on a screen mean: the text of its help.
//
// The text is a `help.txt` in the folder of each screen. It begins with what the screen shows. A line `== pane` begins the words of
// a pane; every other line has a word in its first sixteen columns, and behind it the sentence. Without a word a line is
// one of a picture.

/// Columns of a key or a word.
pub const NAME_WIDTH: u16 = 16;

/// The beginning of a line that names a pane.
const PANE: &str = "== ";

/// Ranks of squares. What follows adds the moves: [`COMPASS`] or [`SHADER_MOVES`].
pub const RANKS: &str = include_str!("ranks.txt");
/// The eight moves by the compass and by their numbers in [`MOVES`](crate::board::MOVES).
pub const COMPASS: &str = include_str!("compass.txt");
/// The eight moves by the numbers of the shaders.
pub const SHADER_MOVES: &str = include_str!("shader_moves.txt");
/// The units of numbers and of short times.
pub const UNITS: &str = include_str!("units.txt");

/// The words and figures of a pane, and a sentence for each.
#[derive(Debug)]
pub struct PaneWords {
    pub pane: &'static str,
    /// The words, in the order of the help.
    pub words: Vec<(&'static str, &'static str)>,
}

impl PaneWords {
    /// What the screen shows: the beginning of the texts.
    pub fn about(texts: &[&str]) -> String {
        let first = texts.first().map_or("", |text| text);
        first.lines().take_while(|line| !line.is_empty() && !line.starts_with(PANE)).collect::<Vec<_>>().join(" ")
    }

    /// Reads the words of texts, one behind the other.
    pub fn read(texts: &[&'static str]) -> Vec<PaneWords> {
        let mut panes: Vec<PaneWords> = Vec::new();
        for line in texts.iter().flat_map(|text| text.lines()).filter(|line| !line.is_empty()) {
            match (line.strip_prefix(PANE), panes.last_mut()) {
                (Some(pane), _) => panes.push(PaneWords { pane, words: Vec::new() }),
                (None, Some(PaneWords { words, .. })) => {
                    let (word, sentence) = line.split_at_checked(NAME_WIDTH.into()).unwrap_or((line, ""));
                    words.push((word.trim_end(), sentence));
                }
                (None, None) => {}
            }
        }
        panes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::SCREENS;
    use crate::ui::kit::keys::Action;
    use crate::ui::kit::screen_keys::{ANY_TIME, Keys, Timeline, line};

    const SEARCHED: Keys = Keys {
        own: &[line(&[Action::Step], "until a node is entered", "")],
        times: &[],
        timeline: Timeline::None,
        pane_key: |name| (name == "second").then_some(1),
        words: &[
            "What is seen.\n== first\nnode            A square that was entered.\ntree            All nodes.\n",
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

    fn texts(rows: &[HelpRow]) -> Vec<String> {
        let cells = rows.iter().map(|row| row.iter().map(|(_, text, _)| text.as_str()));
        cells.map(|row| row.collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn what_is_searched_is_found_in_names_and_sentences() {
        for width in [40, 80, 200] {
            let (keys, size) = (SEARCHED.now().focused("second"), Size::new(width, 24));
            let lines = texts(&rows(keys, "", &[], size));
            let at = |text: &str| lines.iter().position(|line| line.starts_with(text)).unwrap();
            assert!(at("What is seen.") == 0 && at("1 second") < at("first"), "{lines:?}");
            let found = texts(&rows(keys, "ENTERED", &[], size)).join("/").replace("/entered.", " entered.");
            assert_eq!(found, "keys/s|until a node is entered//first/node|A square that was entered.", "{width}");
            assert!(rows(keys, "no such word", &[], size).is_empty());
            assert!(!texts(&rows(keys, "entered", &['s'], size)).contains(&"keys".to_owned()));
        }
    }

    #[test]
    fn no_two_commands_of_a_screen_have_one_text() {
        for (screen, view) in SCREENS.into_iter().flat_map(|screen| ANY_TIME.map(|view| (screen, view))) {
            let commands = CommandList::default().commands(KeyList { view, ..screen.now() });
            let mut texts: Vec<&str> = commands.iter().map(|command| command.help).collect();
            texts.sort_unstable();
            assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{view:?}: {texts:?}");
            // The third column begins there.
            let room = usize::from(COMMANDS_WIDTH - 32);
            assert!(texts.iter().all(|text| text.len() <= room), "{texts:?}");
        }
    }

    /// Whichever pane has the focus, and whichever time is shown. The header has no focus.
    #[test]
    fn at_80x24_every_help_begins_with_what_is_seen_and_ten_keys_and_has_three_pages_at_most() {
        let size = Size::new(80, 24);
        let is_focused = |words: &PaneWords| words.pane != "header";
        for screen in SCREENS {
            for PaneWords { pane, .. } in PaneWords::read(screen.words).into_iter().filter(is_focused) {
                for view in ANY_TIME {
                    let keys = KeyList { view, ..screen.now().focused(pane) };
                    let all = rows(keys, "", &[], size);
                    assert!(all.len() <= PAGES * 22, "{pane}, {view:?}: {} rows", all.len());
                    assert!(wrapped(&PaneWords::about(screen.words), 76).len() <= 3, "{pane}");
                    // Two of the meanings may take a row more.
                    let head = format!("|{}", texts(&all)[..MOST_USED + 2].join("|"));
                    let first: Vec<String> = keys.lines().take(MOST_USED).map(|line| line.shown(&[])).collect();
                    let is_there = |key: &String| head.contains(&format!("|{key}|"));
                    assert!(first.iter().all(is_there), "{pane}, {view:?}: {head}");
                }
            }
        }
    }
}
