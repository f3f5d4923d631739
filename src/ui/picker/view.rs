//! Draws the picker: the rows, a hint for the selected row, and every method below them.
//!
//! ```text
//!  destrier  choose what to watch
//!
//!  board       8x8         type ROWSxCOLS, such as 6x6 or 3x10
//!  question  < search all >  every tour is counted
//!  ..
//! ╭ methods ─────────────────────────────────────────────────────────────────╮
//! │ brute         brute searches closed tours only; use path ..               │
//! │>path          open or closed tours by path extension ..                   │
//! ╰──────────────────────────────────────────────────────────────────────────╯
//!  enter start  esc back  arrows choose
//! ```

use super::form::PickerForm;
use super::row::PickerRow;
use crate::ui::kit::{LinePart, Role, SCREEN_MIN, Theme, fit, put, too_small};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::{Block, Paragraph, Widget, Wrap};

const NAME_WIDTH: u16 = 11;
const VALUE_WIDTH: u16 = 20;
/// Lines for the description of the selected method.
const ABOUT_HEIGHT: u16 = 3;

/// Draws the form.
pub fn draw(buf: &mut Buffer, area: Rect, theme: Theme, form: &PickerForm) {
    if area.width < SCREEN_MIN.width || area.height < SCREEN_MIN.height {
        too_small(buf, area);
        return;
    }
    let x = put(buf, area, area.x + 1, area.y, "destrier", theme.style(Role::Focus));
    put(buf, area, x + 2, area.y, "choose what to watch", theme.style(Role::Strong));
    let rows = form.rows();
    let roomy = area.height as usize >= rows.len() + 6;
    let top = area.y + if roomy { 2 } else { 1 };
    for (y, &row) in (top..).zip(&rows) {
        draw_row(buf, Rect { y, height: 1, ..area }, theme, form, row);
    }
    let below = top + rows.len() as u16 + u16::from(roomy);
    let footer = area.bottom() - 1;
    if footer >= below + 4 {
        draw_methods(buf, Rect { y: below, height: footer - below, ..area }, theme, form);
    }
    draw_footer(buf, Rect { y: footer, height: 1, ..area }, theme, form);
}

fn draw_row(buf: &mut Buffer, area: Rect, theme: Theme, form: &PickerForm, row: PickerRow) {
    let here = form.row() == row;
    let style = theme.style(if here { Role::Focus } else { Role::Label });
    put(buf, area, area.x + 1, area.y, row.name(), style);
    let value = form.value(row);
    let shown = match (here, row.is_typed()) {
        (true, true) => format!(" {value}_"),
        (true, false) => format!("< {value} >"),
        (false, _) => format!("  {value}"),
    };
    let strong = theme.style(Role::Strong);
    let style = if here { strong.add_modifier(Modifier::REVERSED) } else { strong };
    put(buf, area, area.x + NAME_WIDTH, area.y, &shown, style);
    let hint = area.x + NAME_WIDTH + VALUE_WIDTH + 2;
    if here && hint + 10 < area.right() {
        put(buf, area, hint, area.y, &form.hint(row), theme.style(Role::Text));
    }
}

fn draw_methods(buf: &mut Buffer, area: Rect, theme: Theme, form: &PickerForm) {
    let block = Block::bordered()
        .border_set(theme.glyphs().border)
        .border_style(theme.style(Role::Border))
        .title(ratatui::text::Span::styled(" methods ", theme.style(Role::Strong)));
    let inner = block.inner(area);
    block.render(area, buf);
    let chosen = form.offers().iter().position(|offer| offer.name == form.method()).unwrap_or(0);
    let names = form.offers().iter().map(|offer| offer.name.len() as u16 + 3).max().unwrap_or(0);
    let list = Rect { height: inner.height.saturating_sub(ABOUT_HEIGHT).max(1), ..inner };
    let about = Rect { x: inner.x + 1, y: list.bottom(), width: inner.width - 2, height: inner.height - list.height };
    Paragraph::new(form.hint(PickerRow::Method))
        .wrap(Wrap { trim: true })
        .style(theme.style(Role::Text))
        .render(about, buf);
    // The selected method stays visible.
    let skipped = (chosen + 1).saturating_sub(usize::from(list.height));
    for (y, offer) in (list.y..list.bottom()).zip(form.offers().iter().skip(skipped)) {
        let own = offer.name == form.method();
        let name = match (&offer.refusal, own) {
            (_, true) => Role::Strong,
            (None, _) => Role::Text,
            (Some(_), _) => Role::Idle,
        };
        put(buf, inner, inner.x, y, if own { ">" } else { " " }, theme.style(Role::Focus));
        put(buf, inner, inner.x + 1, y, offer.name, theme.style(name));
        let (text, role) = match &offer.refusal {
            Some(reason) => (reason.as_str(), if own { Role::Bad } else { Role::Idle }),
            None => (offer.summary, Role::Label),
        };
        put(buf, inner, inner.x + names, y, text, theme.style(role));
    }
}

fn draw_footer(buf: &mut Buffer, area: Rect, theme: Theme, form: &PickerForm) {
    if let Some(notice) = form.notice() {
        let role = if notice.bad { Role::Bad } else { Role::Strong };
        put(buf, area, area.x + 1, area.y, &notice.text, theme.style(role));
        return;
    }
    let keys = [("enter", "start"), ("esc", "back"), ("arrows", "choose"), ("letters", "type")];
    let parts = keys.iter().zip((0..u8::MAX).rev()).map(|((key, word), worth)| {
        LinePart::new(worth).with(theme, Role::Strong, *key).with(theme, Role::Label, format!(" {word}"))
    });
    let line = fit(parts.collect(), area.width.saturating_sub(2), 2);
    line.render(Rect { x: area.x + 1, width: area.width - 1, ..area }, buf);
}
