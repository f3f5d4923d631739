//! What lies over a screen: the help, and the list of commands. A low screen shows a part of them.

use super::commands::CommandList;
use super::draw::put;
use super::help_text::{self, HelpRow, KEYS_WIDTH, NAME_WIDTH};
use super::keys::Action;
use super::palette::Role;
use super::screen_keys::KeyList;
use super::surface::Surface;
use super::theme::Theme;
use ratatui::buffer::Buffer;
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
    let columns = help_text::columns(keys, first, &surface.sought, surface.taken, area.width);
    let widths = help_text::widths(area.width);
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
