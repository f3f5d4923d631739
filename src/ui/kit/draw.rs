//! Basic drawing for panes and headers: clipped texts, lines that drop their least important parts, meters, frames.

use super::palette::Role;
use super::theme::Theme;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Widget};
use std::borrow::Cow;

/// What stands in the place of words that have no room.
const LEFT_OUT: &str = "..";

/// As much of a text as has room in so many columns: all of it, or whole words and `..`. No number is ever cut, because what
/// is left of it is another number. Only what has neither letters nor digits, such as a bar, is cut where the room ends.
pub fn fitted(text: &str, room: usize) -> Cow<'_, str> {
    let fits = text.len() <= room || Span::raw(text.trim_end()).width() <= room;
    if fits || !text.contains(char::is_alphanumeric) {
        return text.into();
    }
    let Some(room) = room.checked_sub(LEFT_OUT.len()) else { return "".into() };
    let ends = text.char_indices().filter(|(_, letter)| [' ', '-', '_'].contains(letter)).map(|(at, _)| at + 1);
    let end = ends.take_while(|&end| Span::raw(&text[..end]).width() <= room).last().unwrap_or(0);
    format!("{}{LEFT_OUT}", &text[..end]).into()
}

/// Writes `text` at `x`, `y`, [fitted] to what is left of `area`; returns the column behind it.
pub fn put(buf: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
    let right = area.right().min(buf.area.right());
    if y >= area.bottom() || x >= right {
        return x;
    }
    let room = usize::from(right - x);
    let text = &*fitted(text, room);
    if text.is_empty() || !text.chars().all(is_one_cell) {
        return buf.set_stringn(x, y, text, room, style).0;
    }
    // Most texts are such, and to look for the borders of letters is a third of the work of a frame.
    let from = buf.index_of(x, y);
    let letters = text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()]);
    let mut written = 0;
    for (cell, letter) in buf.content[from..from + room].iter_mut().zip(letters) {
        cell.set_symbol(letter).set_style(style);
        written += 1;
    }
    x + written
}

/// Writes a line from the left of `area`, up to the first of its texts that has no room.
pub fn put_line(buf: &mut Buffer, area: Rect, line: &Line<'_>) {
    let mut x = area.x;
    for span in &line.spans {
        let behind = put(buf, area, x, area.y, &span.content, line.style.patch(span.style));
        if usize::from(behind - x) < span.width() {
            break;
        }
        x = behind;
    }
}

/// Whether a letter fills one cell, whatever stands beside it: letters of ASCII, lines, blocks, dots of Braille.
fn is_one_cell(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}')
}

/// A part of a line, which is shown or dropped as a whole.
pub struct LinePart {
    spans: Vec<Span<'static>>,
    /// The priority: parts of low worth are dropped first.
    worth: u8,
}

impl LinePart {
    /// An empty part with this priority.
    pub fn new(worth: u8) -> LinePart {
        LinePart { spans: Vec::new(), worth }
    }

    /// Appends a text in the style of a role.
    pub fn with(self, theme: Theme, role: Role, text: impl Into<String>) -> LinePart {
        self.styled(theme.style(role), text)
    }

    /// Appends a text in any style.
    pub fn styled(mut self, style: Style, text: impl Into<String>) -> LinePart {
        self.spans.push(Span::styled(text.into(), style));
        self
    }

    pub fn figure(theme: Theme, worth: u8, name: &str, text: impl Into<String>) -> LinePart {
        LinePart::new(worth).with(theme, Role::Label, format!("{name} ")).with(theme, Role::Strong, text)
    }

    /// The recording mark, with the number of frames that the journal could not take; `None` if no journal is
    /// written.
    pub fn recording(theme: Theme, unrecorded: Option<u64>) -> Option<LinePart> {
        Some(match unrecorded? {
            0 => LinePart::new(9).with(theme, Role::Label, "REC"),
            n => LinePart::new(10).with(theme, Role::Bad, format!("REC {} frames lost", words::count(n))),
        })
    }

    /// The mark of a view that may only look at its run; empty in any other.
    pub fn read_only(theme: Theme, only_looks: bool) -> LinePart {
        LinePart::new(10).with(theme, Role::Hired, if only_looks { "read only" } else { "" })
    }

    pub fn line(self) -> Line<'static> {
        Line::from(self.spans)
    }

    fn width(&self) -> usize {
        self.spans.iter().map(Span::width).sum()
    }
}

/// Joins the parts that fit in `width`, in their order and `gap` blanks apart.
pub fn fit(parts: Vec<LinePart>, width: u16, gap: usize) -> Line<'static> {
    fit_but(0, parts, width, gap)
}

/// Joins the parts that fit, and at least the `kept` most important ones, fit or not.
fn fit_but(kept: usize, mut parts: Vec<LinePart>, width: u16, gap: usize) -> Line<'static> {
    parts.retain(|part| part.width() > 0);
    let wanted = |parts: &[LinePart]| parts.iter().map(|part| part.width() + gap).sum::<usize>().saturating_sub(gap);
    while parts.len() > kept && wanted(&parts) > usize::from(width) {
        let Some(least) = (0..parts.len()).rev().min_by_key(|&i| parts[i].worth) else { break };
        parts.remove(least);
    }
    let mut spans = Vec::new();
    for part in parts {
        if !spans.is_empty() {
            spans.push(Span::raw(" ".repeat(gap)));
        }
        spans.extend(part.spans);
    }
    Line::from(spans)
}

/// A line with a blank at each end, as in a frame; an empty line stays empty.
pub fn padded(mut line: Line<'static>) -> Line<'static> {
    if !line.spans.is_empty() {
        line.spans.insert(0, " ".into());
        line.push_span(" ");
    }
    line
}

/// Writes why a pane is empty.
pub fn put_reason(buf: &mut Buffer, area: Rect, theme: Theme, text: &str) {
    for (y, line) in (area.y..).zip(words::wrapped(text, usize::from(area.width.saturating_sub(2)))) {
        put(buf, area, area.x + 1, y, &line, theme.style(Role::Label));
    }
}

/// Draws a share, 0..=1, as a meter of the whole width.
pub fn meter(buf: &mut Buffer, area: Rect, theme: Theme, share: f64) {
    let [full, half, empty] = theme.glyphs().meter;
    let halves = (share * 2.0 * f64::from(area.width)) as u16;
    for at in 0..area.width {
        let (glyph, style) = match halves.saturating_sub(at * 2) {
            0 => (empty, theme.style(Role::Border)),
            1 => (half, theme.style(Role::Busy)),
            _ => (full, theme.style(Role::Busy)),
        };
        put(buf, area, area.x + at, area.y, glyph, style);
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PaneTitle<'a> {
    pub text: &'a str,
    /// The key that zooms the pane, if any.
    pub key: Option<u8>,
    /// Whether the pane has the focus.
    pub focused: bool,
    /// A text in the lower border, and its role: how the figures are to be read, or what they mean.
    pub below: (&'a str, Role),
}

impl<'a> From<&'a str> for PaneTitle<'a> {
    fn from(text: &'a str) -> PaneTitle<'a> {
        PaneTitle { text, key: None, focused: false, below: ("", Role::Label) }
    }
}

/// Draws a frame with a title at the top left and a legend at the top right.
pub(super) fn frame_pane<'a>(
    buf: &mut Buffer,
    rect: Rect,
    theme: Theme,
    title: impl Into<PaneTitle<'a>>,
    legend: Line<'_>,
) {
    let PaneTitle { text, key, focused, below: (below, role) } = title.into();
    let key = key.map_or(" ".to_owned(), |key| format!(" {key} "));
    Block::new()
        .borders(Borders::ALL)
        .border_set(theme.glyphs().border)
        .border_style(theme.style(if focused { Role::Focus } else { Role::Border }))
        .render(rect, buf);
    let above = Rect { x: rect.x + 1, height: 1, width: rect.width.saturating_sub(2), ..rect };
    let x = put(buf, above, above.x, above.y, &key, theme.style(Role::Label));
    let x = put(buf, above, x, above.y, &format!("{text} "), theme.style(Role::Strong));
    let right = Rect { x: above.right().saturating_sub(legend.width() as u16), ..above };
    if right.x >= x {
        put_line(buf, right.intersection(above), &legend);
    }
    if !below.is_empty() && rect.width > 4 {
        let border = Rect { x: rect.x + 1, y: rect.bottom() - 1, width: rect.width - 2, height: 1 };
        put(buf, border, border.x, border.y, &format!(" {below} "), theme.style(role));
    }
}

/// A highlighted word for the state of a run.
pub fn badge(theme: Theme, role: Role, text: impl std::fmt::Display) -> Span<'static> {
    Span::styled(format!(" {text} "), theme.style(role).add_modifier(Modifier::BOLD | Modifier::REVERSED))
}

/// A line of a header, counted from 0, without the blanks at its ends.
pub fn header_line(header: Rect, line: u16) -> Rect {
    Rect { x: header.x + 1, y: header.y + line, width: header.width.saturating_sub(2), height: 1 }
}

/// Draws the first line of a header: the parts that fit, and a badge at the right. Of the most important part there are always
/// some words, as of a board with a long name.
pub fn titled(buf: &mut Buffer, header: Rect, parts: Vec<LinePart>, badge: &Line<'_>) {
    let line = header_line(header, 0);
    let width = badge.width() as u16;
    let room = line.width.saturating_sub(if width > 0 { width + 2 } else { 0 });
    put_line(buf, Rect { width: room, ..line }, &fit_but(1, parts, room, 2));
    put_line(buf, Rect { x: line.right() - width.min(line.width), ..line }.intersection(line), badge);
}

/// Draws a header line: the parts that fit, and behind them a share, 0..=1, as a meter of at least `kept` columns.
pub fn metered(buf: &mut Buffer, line: Rect, theme: Theme, parts: Vec<LinePart>, kept: u16, share: f64) {
    let text = fit(parts, line.width.saturating_sub(kept), 2);
    let used = (text.width() as u16 + 2).min(line.width);
    put_line(buf, line, &text);
    meter(buf, Rect { x: line.x + used, width: line.width - used, ..line }, theme, share);
}

/// Draws a chart of columns, in eighths of a cell: one column per value, from the left; `max` is the full height. A value above zero is always visible. An eighth of a cell stays empty at the top,
/// so that charts above one another do not touch.
pub fn columns(buf: &mut Buffer, area: Rect, theme: Theme, style: Style, values: &[f64], max: f64) {
    let full = f64::from(area.height) * 8.0 - 1.0;
    for (x, &value) in (area.x..area.right()).zip(values) {
        let eighths = if value > 0.0 && max > 0.0 { (value / max * full).round().clamp(1.0, full) as usize } else { 0 };
        for row in 0..area.height {
            let filled = eighths.saturating_sub(usize::from(row) * 8).min(8);
            if filled > 0 {
                put(buf, area, x, area.bottom() - 1 - row, theme.glyphs().column[filled], style);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::style::Color;

    proptest! {
        /// Letters of one cell, and others: a wide one, one that changes the letter before it, one without a place.
        #[test]
        fn a_text_is_written_as_the_library_writes_it(
            text in "[a-z ░▄│⣿♞é中\u{301}\n]{0,14}", x in 0..14u16, right in 1..12u16,
        ) {
            is_written_alike(&text, (x, 0), right);
        }
    }

    #[test]
    fn of_a_text_without_room_whole_words_stand_and_no_part_of_a_number() {
        let shown =
            |text: &'static str, rooms: &[usize]| rooms.iter().map(|&room| fitted(text, room)).collect::<Vec<_>>();
        assert_eq!(
            shown("first tour, by 31", &[17, 16, 14, 13, 7, 2, 1]),
            ["first tour, by 31", "first tour, ..", "first tour, ..", "first ..", "..", "..", "",]
        );
        assert_eq!(
            shown("1,769,811,723 nodes", &[19, 18, 16, 15, 13]),
            ["1,769,811,723 nodes", "1,769,811,723 ..", "1,769,811,723 ..", "..", "..",]
        );
        assert_eq!(shown("screen-12.txt", &[13, 12, 9, 8]), ["screen-12.txt", "screen-..", "screen-..", ".."]);
        // Blanks at the end need no room, and a bar is as long as there is room for it.
        assert_eq!(shown(" exact ", &[7, 6, 5]), [" exact ", " exact ", " .."]);
        assert_eq!(shown("━━━━", &[4, 3]), ["━━━━", "━━━━"]);
        assert_eq!(shown("       12", &[9, 8]), ["       12", "      .."]);
    }

    #[test]
    fn a_line_ends_at_the_first_of_its_texts_that_has_no_room() {
        let line = |width: u16| {
            let area = Rect::new(0, 0, 30, 1);
            let mut buf = Buffer::empty(area);
            let texts = ["rows ", "123-456", " of 7 "].map(Span::raw);
            put_line(&mut buf, Rect { width, ..area }, &Line::from(texts.to_vec()));
            buf.content.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
        };
        assert_eq!(
            [18, 17, 16, 12, 11, 7, 6].map(line),
            [
                "rows 123-456 of 7",
                "rows 123-456 of 7",
                "rows 123-456 ..",
                "rows 123-456",
                "rows 123-..",
                "rows ..",
                "rows",
            ]
        );
    }

    /// Writes a text on a screen of 10x1 with both, in an area that is `right` columns wide and two lines high.
    fn is_written_alike(text: &str, (x, y): (u16, u16), right: u16) {
        let (screen, style) = (Rect::new(0, 0, 10, 1), Style::new().fg(Color::Cyan));
        let (mut ours, mut theirs) = (Buffer::empty(screen), Buffer::empty(screen));
        let behind = put(&mut ours, Rect { width: right, height: 2, ..screen }, x, y, text, style);
        let room = usize::from(right.min(screen.right()).saturating_sub(x));
        let expected = if room > 0 { theirs.set_stringn(x, y, fitted(text, room), room, style).0 } else { x };
        assert_eq!((behind, ours), (expected, theirs), "{text:?} at {x}, {y} of {right}");
    }

    /// An area may be larger than the screen: what lies outside is not written.
    #[test]
    fn outside_the_screen_nothing_is_written() {
        for (text, at) in [("", (10, 0)), ("a", (10, 0)), ("♞", (10, 0)), ("", (3, 1)), ("abc", (9, 0))] {
            is_written_alike(text, at, 11);
        }
    }
}
