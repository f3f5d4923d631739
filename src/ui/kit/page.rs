//! The parts of every screen: header, body and footer; and the panes of the body: where they lie, which one has the
//! focus, and whether it fills the screen.

use super::draw::{PaneTitle, frame_pane, put};
use super::keys::Action;
use super::palette::Role;
use super::theme::Theme;
use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect, Size};
use ratatui::style::Style;
use ratatui::text::Line;

/// The smallest supported screen.
pub const SCREEN_MIN: Size = Size { width: 40, height: 10 };

/// The parts of a screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// The first lines.
    pub header: Rect,
    /// The lines between header and footer.
    pub body: Rect,
    /// The last line.
    pub footer: Rect,
    /// Whether panes have frames.
    pub framed: bool,
}

impl Page {
    /// Divides a screen: `header` lines of header, panes with frames or without; `None` if the screen is too small.
    pub fn of(screen: Size, header: u16, framed: bool) -> Option<Page> {
        if screen.width < SCREEN_MIN.width || screen.height < SCREEN_MIN.height {
            return None;
        }
        let rows = |y, height| Rect::new(0, y, screen.width, height);
        let body = rows(header, screen.height - header - 1);
        Some(Page { header: rows(0, header), body, footer: rows(screen.height - 1, 1), framed })
    }

    /// The inside of a pane: without its frame, if panes have frames.
    pub fn inner(&self, pane: Rect) -> Rect {
        if self.framed { pane.inner(Margin::new(1, 1)) } else { pane }
    }
}

/// Writes the needed and the actual size on a screen that is too small.
pub fn too_small(buf: &mut Buffer, area: Rect) {
    let text = format!("need {}x{}, have {}x{}", SCREEN_MIN.width, SCREEN_MIN.height, area.width, area.height);
    let x = area.x + area.width.saturating_sub(text.len() as u16) / 2;
    put(buf, area, x, area.y + area.height / 2, &text, Style::new());
}

/// A pane that can be focused and zoomed.
pub trait Pane: Copy + PartialEq + 'static {
    /// Every pane in key order: the key of a pane is its position here, from 1.
    const ALL: &'static [Self];

    /// The names of the panes, in key order: those of their words in the help.
    const NAMES: &'static [&'static str];

    fn name(self) -> &'static str {
        Self::NAMES[usize::from(self.key()) - 1]
    }

    /// The digit key that zooms the pane.
    fn key(self) -> u8 {
        Self::ALL.iter().position(|&pane| pane == self).map_or(0, |index| index as u8 + 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PaneFocus<P> {
    /// The pane that the zoom key zooms.
    pub pane: P,
    /// Whether the pane fills the screen.
    pub zoomed: bool,
}

impl<P: Pane> PaneFocus<P> {
    /// The focus on a pane, without zoom.
    pub fn on(pane: P) -> PaneFocus<P> {
        PaneFocus { pane, zoomed: false }
    }

    /// The pane that fills the screen, if one does.
    pub fn zoom(self) -> Option<P> {
        self.zoomed.then_some(self.pane)
    }

    /// The title of a pane with its key; `below` stands in the lower border.
    pub fn title<'a>(self, pane: P, text: &'a str, below: (&'a str, Role)) -> PaneTitle<'a> {
        PaneTitle { text, key: Some(pane.key()), focused: self.pane == pane && !self.zoomed, below }
    }

    /// Performs an action of panes; returns whether it is one. Without zoom the focus moves only to panes that
    /// `is_shown`.
    pub fn perform(&mut self, action: Action, is_shown: impl Fn(P) -> bool) -> bool {
        match action {
            Action::Close if self.zoomed => self.zoomed = false,
            Action::Zoom => self.zoomed = !self.zoomed,
            Action::Digit(key) => {
                self.zoomed = !(self.zoomed && self.pane.key() == key);
                self.pane = P::ALL.iter().copied().find(|pane| pane.key() == key).unwrap_or(self.pane);
            }
            Action::NextPane => self.turn(1, is_shown),
            Action::PreviousPane => self.turn(P::ALL.len() - 1, is_shown),
            _ => return false,
        }
        true
    }

    /// Moves the focus on to a pane, `by` panes at a time.
    fn turn(&mut self, by: usize, is_shown: impl Fn(P) -> bool) {
        let (from, all) = (usize::from(self.pane.key()) - 1, P::ALL.len());
        let found =
            (1..=all).map(|steps| P::ALL[(from + steps * by) % all]).find(|&pane| self.zoomed || is_shown(pane));
        self.pane = found.unwrap_or(self.pane);
    }
}

/// The positions of the panes that are shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PaneLayout<P> {
    /// The header and the footer.
    pub page: Page,
    /// The visible panes.
    pub panes: Vec<(P, Rect)>,
}

impl<P: Pane> PaneLayout<P> {
    /// The rectangle of a pane, if the pane is visible.
    pub fn rect(&self, pane: P) -> Option<Rect> {
        self.panes.iter().find(|(shown, _)| *shown == pane).map(|&(_, rect)| rect)
    }

    /// The inside of a pane, if the pane is visible.
    pub fn inner(&self, pane: P) -> Option<Rect> {
        self.rect(pane).map(|rect| self.page.inner(rect))
    }
}

/// Draws the frame of a pane with a title and a legend, if panes have frames; returns the inside.
pub fn draw_pane<'a>(
    buf: &mut Buffer,
    rect: Rect,
    page: &Page,
    theme: Theme,
    title: impl Into<PaneTitle<'a>>,
    legend: Line<'_>,
) -> Rect {
    if page.framed {
        frame_pane(buf, rect, theme, title, legend);
    }
    page.inner(rect)
}
