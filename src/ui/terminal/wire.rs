//! A terminal backend that sends a frame in few bytes, for slow lines.
//!
//! The backend tracks the cursor position and the current style across frames and sends only differences. A frame
//! without changes sends nothing. Every other frame is one synchronized update and one write.

use crate::ui::kit::palette::SIXTEEN;
use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::{Cell, CellWidth};
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};
use std::io::{self, Write};

/// Starts and ends a synchronized update (DEC private mode 2026). Terminals that do not know the mode ignore both.
const SYNC: (&[u8], &[u8]) = (b"\x1b[?2026h", b"\x1b[?2026l");
/// Buffer size: output is collected up to the end of a frame.
const BUFFER: usize = 64 * 1024;

/// The attributes and their SGR codes.
const MODIFIERS: [(Modifier, u8); 3] = [(Modifier::BOLD, 1), (Modifier::DIM, 2), (Modifier::REVERSED, 7)];

/// The style of a cell, as far as this program uses styles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CellLook {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

const PLAIN: CellLook = CellLook { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

impl CellLook {
    fn of(cell: &Cell) -> CellLook {
        let drawn = Modifier::BOLD | Modifier::DIM | Modifier::REVERSED;
        CellLook { fg: cell.fg, bg: cell.bg, modifier: cell.modifier.intersection(drawn) }
    }

    /// Whether a blank in this style is the bare ground of the terminal.
    fn is_bare(self) -> bool {
        self.bg == Color::Reset && !self.modifier.contains(Modifier::REVERSED)
    }
}

/// A ratatui backend that writes to any writer.
#[derive(Debug)]
pub struct Wire<W: Write> {
    out: io::BufWriter<W>,
    size: Size,
    /// The cursor position, if known.
    cursor: Option<Position>,
    /// The current style, if known.
    look: Option<CellLook>,
    in_frame: bool,
    /// Bytes to send at the end of the next frame.
    postscript: &'static [u8],
}

impl<W: Write> Wire<W> {
    /// A backend for a terminal of this size.
    pub fn new(out: W, size: Size) -> Wire<W> {
        Wire {
            out: io::BufWriter::with_capacity(BUFFER, out),
            size,
            cursor: None,
            look: None,
            in_frame: false,
            postscript: &[],
        }
    }

    /// Sets the size of the terminal.
    pub fn set_size(&mut self, size: Size) {
        self.size = size;
    }

    /// Sends bytes at once, between two frames.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.out.flush()
    }

    /// Appends `postscript` to the next frame that is sent.
    pub fn add(&mut self, postscript: &'static [u8]) {
        self.postscript = postscript;
    }

    /// Whether the bytes given to [`Wire::add`] have been sent.
    pub fn has_added(&self) -> bool {
        self.postscript.is_empty()
    }

    /// Forgets cursor and style, because another program has written to the terminal.
    pub fn forget(&mut self) {
        self.cursor = None;
        self.look = None;
    }

    fn begin(&mut self) -> io::Result<()> {
        if !self.in_frame {
            self.in_frame = true;
            self.out.write_all(SYNC.0)?;
        }
        Ok(())
    }

    fn go_to(&mut self, to: Position) -> io::Result<()> {
        match self.cursor {
            Some(at) if at == to => Ok(()),
            Some(at) if at.y == to.y && at.x + 1 == to.x => self.out.write_all(b"\x1b[C"),
            Some(at) if at.y == to.y && at.x < to.x => write!(self.out, "\x1b[{}C", to.x - at.x),
            Some(at) if at.y + 1 == to.y && to.x == 0 => self.out.write_all(b"\r\n"),
            _ => write!(self.out, "\x1b[{};{}H", to.y + 1, to.x + 1),
        }
    }

    fn set_look(&mut self, look: CellLook) -> io::Result<()> {
        if self.look == Some(look) {
            return Ok(());
        }
        let mut codes = Codes::default();
        let from = match self.look {
            // An attribute can only be removed together with all others.
            Some(on) if look.modifier.contains(on.modifier) => on,
            _ => {
                codes.push("0");
                PLAIN
            }
        };
        for (modifier, code) in MODIFIERS {
            if look.modifier.difference(from.modifier).contains(modifier) {
                codes.push(&code.to_string());
            }
        }
        if look.fg != from.fg {
            codes.push(&colour(look.fg, 30));
        }
        if look.bg != from.bg {
            codes.push(&colour(look.bg, 40));
        }
        self.look = Some(look);
        write!(self.out, "\x1b[{}m", codes.0)
    }
}

/// The codes of one SGR sequence.
#[derive(Default)]
struct Codes(String);

impl Codes {
    fn push(&mut self, code: &str) {
        if !self.0.is_empty() {
            self.0.push(';');
        }
        self.0.push_str(code);
    }
}

/// The SGR code of a colour; `base` is 30 for the foreground, 40 for the background.
fn colour(colour: Color, base: u8) -> String {
    match (colour, SIXTEEN.iter().position(|&named| named == colour)) {
        (Color::Indexed(index), _) => format!("{};5;{index}", base + 8),
        (Color::Rgb(r, g, b), _) => format!("{};2;{r};{g};{b}", base + 8),
        (_, Some(index @ 0..8)) => (base + index as u8).to_string(),
        (_, Some(index)) => (base + 60 + index as u8 - 8).to_string(),
        (_, None) => (base + 9).to_string(),
    }
}

impl<W: Write> Backend for Wire<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (x, y, cell) in content {
            self.begin()?;
            self.go_to(Position { x, y })?;
            let look = CellLook::of(cell);
            // A blank shows its ground alone.
            if cell.symbol() != " " || !look.is_bare() || !self.look.is_some_and(CellLook::is_bare) {
                self.set_look(look)?;
            }
            self.out.write_all(cell.symbol().as_bytes())?;
            // A wide letter fills two cells. Terminals disagree about the cursor position after the last column.
            let behind = x + cell.cell_width();
            self.cursor = (behind < self.size.width).then_some(Position { x: behind, y });
        }
        Ok(())
    }

    /// [`TerminalSession`](super::TerminalSession) hides the cursor for the whole session.
    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor.unwrap_or(Position::ORIGIN))
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let position = position.into();
        self.go_to(position)?;
        self.cursor = Some(position);
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    /// Clears the whole screen for every region: a full-screen view needs nothing else.
    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.begin()?;
        self.forget();
        self.set_look(PLAIN)?;
        self.out.write_all(b"\x1b[2J")
    }

    fn size(&self) -> io::Result<Size> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.in_frame {
            self.in_frame = false;
            self.out.write_all(SYNC.1)?;
            self.out.write_all(std::mem::take(&mut self.postscript))?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use ratatui::Terminal;
    use ratatui::style::Style;

    const SIZE: Size = Size { width: 30, height: 4 };

    /// Sets of attributes, as bits. A terminal shows either bold or dim.
    const MODIFIED: [u8; 6] = [0, 1, 2, 4, 5, 6];

    /// Cells in a row to draw: column, row, how many, letter, colour, attributes, whether the ground has the colour.
    type Run = (u16, u16, u16, char, u8, u8, bool);

    fn runs() -> impl Strategy<Value = Vec<Run>> {
        let run = (
            0..SIZE.width,
            0..SIZE.height,
            1..20u16,
            prop::sample::select(vec!['a', 'b', ' ', '▁', '█']),
            0..4u8,
            prop::sample::select(&MODIFIED[..]),
            any::<bool>(),
        );
        prop::collection::vec(run, 0..20)
    }

    fn style(colour: u8, modifiers: u8, ground: bool) -> Style {
        let colour = [Color::Reset, Color::Cyan, Color::Indexed(74), Color::DarkGray][usize::from(colour)];
        let modifiers = MODIFIERS.iter().enumerate().filter(|(bit, _)| modifiers >> bit & 1 == 1);
        let style = if ground { Style::new().bg(colour) } else { Style::new().fg(colour) };
        style.add_modifier(modifiers.fold(Modifier::empty(), |all, (_, (one, _))| all | *one))
    }

    /// The colour that a terminal shows.
    fn shown(colour: Color) -> vt100::Color {
        match colour {
            Color::Indexed(n) => vt100::Color::Idx(n),
            Color::Cyan => vt100::Color::Idx(6),
            Color::DarkGray => vt100::Color::Idx(8),
            _ => vt100::Color::Default,
        }
    }

    proptest! {
        #[test]
        fn a_terminal_shows_what_was_drawn(frames in prop::collection::vec(runs(), 1..5)) {
            let mut sent = Vec::new();
            let mut last = None;
            {
                let mut terminal = Terminal::new(Wire::new(&mut sent, SIZE)).unwrap();
                for frame in &frames {
                    terminal.draw(|target| {
                        for &(from, y, count, symbol, colour, modifiers, ground) in frame {
                            let style = Style::reset().patch(style(colour, modifiers, ground));
                            for x in from..SIZE.width.min(from + count) {
                                target.buffer_mut()[(x, y)].set_char(symbol).set_style(style);
                            }
                        }
                        last = Some(target.buffer_mut().clone());
                    }).unwrap();
                }
            }
            let side = |cells| std::num::NonZero::new(cells).unwrap();
            let mut seen = vt100::Parser::new(side(SIZE.height), side(SIZE.width), 0);
            seen.process(&sent);
            let last = last.unwrap();
            for y in 0..SIZE.height {
                for x in 0..SIZE.width {
                    let (cell, drawn) = (seen.screen().cell(y, x).unwrap(), &last[(x, y)]);
                    let symbol = if cell.contents().is_empty() { " " } else { cell.contents() };
                    prop_assert_eq!(symbol, drawn.symbol());
                    let reversed = drawn.modifier.contains(Modifier::REVERSED);
                    if drawn.symbol() != " " {
                        prop_assert_eq!(cell.bold(), drawn.modifier.contains(Modifier::BOLD));
                    }
                    // What is seen of a blank is its ground.
                    if drawn.symbol() != " " || reversed {
                        prop_assert_eq!(cell.fgcolor(), shown(drawn.fg));
                    }
                    prop_assert_eq!(cell.bgcolor(), shown(drawn.bg));
                    prop_assert_eq!(cell.inverse(), reversed);
                }
            }
        }
    }

    #[test]
    fn a_frame_without_change_sends_nothing() {
        let mut sent = Vec::new();
        let mut terminal = Terminal::new(Wire::new(&mut sent, SIZE)).unwrap();
        for _ in 0..2 {
            terminal.draw(|frame| frame.buffer_mut().set_string(0, 0, "abc", Style::new())).map(|_| ()).unwrap();
        }
        drop(terminal);
        assert_eq!(String::from_utf8(sent).unwrap(), "\x1b[?2026h\x1b[1;1H\x1b[0mabc\x1b[?2026l");
    }

    #[test]
    fn a_letter_of_two_cells_is_followed_at_once() {
        let mut sent = Vec::new();
        let mut terminal = Terminal::new(Wire::new(&mut sent, SIZE)).unwrap();
        terminal.draw(|frame| frame.buffer_mut().set_string(0, 0, "\u{4e2d}ab", Style::new())).map(|_| ()).unwrap();
        drop(terminal);
        assert_eq!(String::from_utf8(sent).unwrap(), "\x1b[?2026h\x1b[1;1H\x1b[0m\u{4e2d}ab\x1b[?2026l");
    }
}
