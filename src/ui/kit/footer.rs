//! The last line of a screen: a typed number, a question, a notice or the keys. A long notice takes more lines.

use super::draw::{LinePart, fit, put};
use super::input::TextInput;
use super::keys::Action;
use super::palette::Role;
use super::screen_keys::KeyList;
use super::surface::Surface;
use crate::words::wrapped;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Widget};

/// Draws the footer of a screen with the given keys.
pub fn draw(buf: &mut Buffer, area: Rect, surface: &Surface, keys: KeyList) {
    let theme = surface.theme;
    if surface.file.text().is_some() {
        let hint = "N: next number; .svg: a picture";
        return draw_input(buf, area, surface, &surface.file, "write the screen to ", hint);
    }
    if surface.search.text().is_some() {
        return draw_input(buf, area, surface, &surface.search, "search the help for ", "enter keeps it, esc ends it");
    }
    if let Some(times) = surface.times {
        let typed = times.to_string();
        // Words are dropped as a whole if they do not fit.
        let room = usize::from(area.width).saturating_sub(typed.len() + 4);
        let words = keys.keys.times.iter().map(|(action, word)| format!("{} {word}", action.key()));
        let all = words.scan(String::from("then:"), |said, more| {
            said.push_str(if said.ends_with(':') { " " } else { ", " });
            said.push_str(&more);
            Some(said.clone())
        });
        let said = all.take_while(|said| said.len() <= room).last().unwrap_or_default();
        return draw_prompt(buf, area, surface, "", &typed, &said);
    }
    if let Some((question, _)) = &surface.asking {
        let said = surface.notice.as_ref().map_or_else(String::new, |notice| format!("  {}", notice.text));
        return draw_prompt(buf, area, surface, question, "", &format!("y/n{said}"));
    }
    if let Some(notice) = &surface.notice {
        let role = if notice.bad { Role::Bad } else { Role::Strong };
        return draw_notice(buf, area, &notice.text, theme.style(role));
    }
    let mouse = surface.mouse.then(|| {
        let off = Action::Mouse.key();
        let text = format!("mouse on: shift selects text, {off} turns it off");
        LinePart::new(u8::MAX).with(theme, Role::Hired, text)
    });
    let parts = keys.lines().filter_map(|line| line.in_footer(surface.taken)).zip((0..u8::MAX).rev()).map(
        |((key, word), worth)| {
            LinePart::new(worth).with(theme, Role::Strong, key).with(theme, Role::Label, format!(" {word}"))
        },
    );
    let line = fit(mouse.into_iter().chain(parts).collect(), area.width.saturating_sub(2), 2);
    line.render(Rect { x: area.x + 1, width: area.width - 1, ..area }, buf);
}

/// Draws a notice. A long notice covers lines above the footer until the next key, so that no text is lost.
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
pub fn draw_input(buf: &mut Buffer, area: Rect, surface: &Surface, input: &TextInput, question: &str, hint: &str) {
    if let Some(text) = input.text() {
        Clear.render(area, buf);
        draw_prompt(buf, area, surface, question, text, hint);
    }
}

/// Draws a prompt, the typed text, and a hint.
pub fn draw_prompt(buf: &mut Buffer, area: Rect, surface: &Surface, question: &str, typed: &str, words: &str) {
    let theme = surface.theme;
    let role = if surface.asking.is_some() { Role::Hired } else { Role::Label };
    let x = put(buf, area, area.x + 1, area.y, question, theme.style(role));
    let x = put(buf, area, x, area.y, typed, theme.style(Role::Strong));
    let x = put(buf, area, x, area.y, " ", theme.style(Role::Text).add_modifier(Modifier::REVERSED));
    put(buf, area, x + 2, area.y, words, theme.style(Role::Label));
}
