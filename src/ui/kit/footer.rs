//! The last line of a screen: a typed number, a question, a notice or the keys. A long notice takes more lines.

use super::common::Common;
use super::draw::{LinePart, fit, put, put_line};
use super::input::TextInput;
use super::keymap::pressed;
use super::keys::Action;
use super::palette::Role;
use super::screen_keys::KeyList;
use super::theme::Theme;
use crate::words::wrapped;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

/// Least width of a screen with a word about the mouse beside the keys that leave and help.
const MOUSE_WIDTH: u16 = 64;

/// Draws the footer of a screen: of its keys as many as have room, those most used first.
pub fn draw(buf: &mut Buffer, area: Rect, common: &Common, keys: KeyList) {
    let theme = common.theme;
    if common.file.text().is_some() {
        let hint = "N: next number; .svg: a picture";
        return draw_input(buf, area, common, &common.file, "write the screen to ", hint);
    }
    if common.search.text().is_some() {
        return draw_input(buf, area, common, &common.search, "search the help for ", "enter keeps it, esc ends it");
    }
    if let Some(times) = common.times {
        let words: Vec<String> =
            keys.keys.times.iter().map(|(action, word)| format!("{} {word}", action.key())).collect();
        return draw_prompt(buf, area, theme, "", &times.to_string(), &format!("then: {}", words.join(", ")));
    }
    if let Some((question, _)) = &common.asking {
        let said = common.notice.as_ref().map_or_else(String::new, |notice| format!("  {}", notice.text));
        return draw_notice(buf, area, &format!("{question}  y/n{said}"), theme.style(Role::Hired));
    }
    if let Some(notice) = &common.notice {
        let role = if notice.bad { Role::Bad } else { Role::Strong };
        return draw_notice(buf, area, &notice.text, theme.style(role));
    }
    put_line(buf, Rect { x: area.x + 1, width: area.width - 1, ..area }, &entries(area.width, common, keys));
}

/// The keys that have room in so many columns, and a word about the mouse.
fn entries(width: u16, common: &Common, keys: KeyList) -> Line<'static> {
    let theme = common.theme;
    let mouse = (common.mouse && width >= MOUSE_WIDTH).then(|| {
        let off = Action::Mouse.key();
        LinePart::new(u8::MAX).with(theme, Role::Hired, format!("{off} mouse off; shift selects text"))
    });
    let parts = keys.lines().filter_map(|line| line.in_footer(common.taken)).zip((0..u8::MAX).rev()).map(
        |((key, word), worth)| {
            LinePart::new(worth).with(theme, Role::Strong, key).with(theme, Role::Label, format!(" {word}"))
        },
    );
    fit(mouse.into_iter().chain(parts).collect(), width.saturating_sub(2), 2)
}

/// The key that is shown in a column, or else the first key of the entry there.
pub(super) fn key_at(common: &Common, keys: KeyList, column: u16) -> Option<KeyEvent> {
    let line = entries(common.screen.width, common, keys).to_string();
    let (mut begin, column) = (0, usize::from(column).checked_sub(1)?);
    for entry in line.split("  ") {
        let end = begin + Span::raw(entry).width();
        if (begin..end).contains(&column) {
            return pressed(entry.split(' ').next()?, column - begin);
        }
        begin = end + 2;
    }
    None
}

/// Draws a notice or a question. A long one covers lines above the footer until the next key, so that no text is lost.
fn draw_notice(buf: &mut Buffer, area: Rect, text: &str, style: Style) {
    let lines = wrapped(text, usize::from(area.width.saturating_sub(2)));
    let height = (lines.len() as u16).min(area.y + 1);
    let room = Rect { y: area.y + 1 - height, height, ..area };
    Clear.render(room.intersection(buf.area), buf);
    for (y, line) in (room.y..).zip(&lines) {
        put(buf, room, room.x + 1, y, line, style);
    }
}

/// Draws a field over the footer, if it is open: a question, the text so far, and a hint.
pub fn draw_input(buf: &mut Buffer, area: Rect, common: &Common, input: &TextInput, question: &str, hint: &str) {
    if let Some(text) = input.text() {
        Clear.render(area, buf);
        draw_prompt(buf, area, common.theme, question, text, hint);
    }
}

/// Draws a prompt, the typed text, and of the hint as many phrases as have room.
fn draw_prompt(buf: &mut Buffer, area: Rect, theme: Theme, question: &str, typed: &str, hint: &str) {
    let x = put(buf, area, area.x + 1, area.y, question, theme.style(Role::Label));
    let x = put(buf, area, x, area.y, typed, theme.style(Role::Strong));
    let x = put(buf, area, x, area.y, " ", theme.style(Role::Text).add_modifier(Modifier::REVERSED)) + 2;
    let room = usize::from(area.right().saturating_sub(x));
    let ends_phrase =
        |end: &usize| hint.get(*end..).is_some_and(|rest| rest.is_empty() || rest.starts_with([',', ';']));
    let end = (0..=room.min(hint.len())).rev().find(ends_phrase).unwrap_or(0);
    put(buf, area, x, area.y, &hint[..end], theme.style(Role::Label));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::kit::PaneWords;
    use crate::ui::{KEYS, SCREENS};
    use ratatui::layout::Size;

    fn line(keys: KeyList, common: &Common, width: u16) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        draw(&mut buf, area, common, keys);
        buf.content.iter().map(|cell| cell.symbol()).collect::<String>().trim().to_owned()
    }

    fn common() -> Common {
        Common::new(Theme::RICH, Size::ZERO)
    }

    #[test]
    fn at_every_width_a_footer_has_the_keys_that_leave_and_help_and_cuts_no_entry() {
        let mut common = common();
        for (screen, mouse) in SCREENS.into_iter().flat_map(|screen| [(screen, false), (screen, true)]) {
            common.mouse = mouse;
            for pane in PaneWords::read(screen.words) {
                let keys = screen.now().focused(pane.pane);
                let entries = keys.lines().filter_map(|line| line.in_footer(&[]));
                let mut entries: Vec<String> = entries.map(|(key, word)| format!("{key} {word}")).collect();
                entries.push("m mouse off; shift selects text".to_owned());
                for width in 40..200 {
                    let text = line(keys, &common, width);
                    let shown: Vec<&str> = text.split("  ").collect();
                    assert!(shown.iter().all(|entry| entries.iter().any(|whole| whole == entry)), "{width}: {text}");
                    assert!(shown.contains(&"q quit") && shown.contains(&"? help"), "{width}: {text}");
                }
            }
        }
    }

    #[test]
    fn the_first_keys_are_those_of_the_pane_with_the_focus() {
        let shown = |pane| line(KEYS.now().focused(pane), &common(), 80);
        for (pane, first) in [
            ("threads", "p pause  [] back in time  hjkl select  enter page  o order"),
            ("board", "hjkl select  v view tour  e explain"),
            ("balance", "! why"),
            ("hires", "[] back in time"),
            ("over time", "[] back in time  hjkl select"),
            ("depths", "p pause"),
        ] {
            assert!(
                format!("{}  ", shown(pane)).starts_with(&format!("q quit  ? help  {first}  ")),
                "{pane}: {}",
                shown(pane)
            );
        }
    }

    #[test]
    fn of_a_hint_whole_phrases_are_shown() {
        let mut common = common();
        common.file.suggest("destrier-screen-N.txt");
        assert!(line(KEYS.now(), &common, 80).ends_with("N: next number; .svg: a picture"));
        assert!(line(KEYS.now(), &common, 70).ends_with("N: next number"));
        assert!(line(KEYS.now(), &common, 50).ends_with("destrier-screen-N.txt"));
    }
}
