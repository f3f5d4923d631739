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

/// A pane that can be focused and zoomed. The [list](Pane::LIST) says all of it: digit keys, focus and help follow.
pub trait Pane: Copy + PartialEq + 'static {
    /// What the panes show.
    type Model: 'static;

    /// Every pane in key order: the key of a pane is its position here, from 1.
    const LIST: &'static [PaneEntry<Self>];

    /// Whether digits are keys of the panes.
    const HAS_KEYS: bool = true;

    fn all() -> impl Iterator<Item = Self> {
        Self::LIST.iter().map(|entry| entry.pane)
    }

    /// The digit key that zooms the pane.
    fn key(self) -> u8 {
        Self::LIST.iter().position(|entry| entry.pane == self).map_or(0, |index| index as u8 + 1)
    }

    /// The name of the pane: that of its words in the help.
    fn name(self) -> &'static str {
        Self::LIST.iter().find(|entry| entry.pane == self).map_or("", |entry| entry.name)
    }

    /// The digit key of the pane of this name.
    fn key_of(name: &str) -> Option<u8> {
        Self::all().find(|pane| Self::HAS_KEYS && pane.name() == name).map(Self::key)
    }
}

/// A line in the list of panes.
pub struct PaneEntry<P: Pane> {
    pub pane: P,
    pub name: &'static str,
    /// Draws the pane and its [frame](PanePlace::framed).
    pub draw: fn(&mut Buffer, &PanePlace<'_>, &P::Model),
}

/// Where a pane is drawn.
pub struct PanePlace<'a> {
    page: &'a Page,
    /// The pane with its frame.
    pub rect: Rect,
    theme: Theme,
    key: Option<u8>,
    focused: bool,
}

/// What stands in the frame of a pane beside its title.
#[derive(Default)]
pub struct PaneFrame {
    pub title: String,
    /// In the upper border, at the right.
    pub legend: Line<'static>,
    /// In the lower border.
    pub below: String,
    /// Whether what stands below is marked.
    pub marked: bool,
}

impl PaneFrame {
    pub fn titled(title: impl Into<String>) -> PaneFrame {
        PaneFrame { title: title.into(), ..PaneFrame::default() }
    }
}

impl PanePlace<'_> {
    /// The width of the pane with its frame.
    pub fn width(&self) -> u16 {
        self.rect.width
    }

    /// Letters of a caption in the frame, which has its corners, and a blank before and behind the caption.
    pub fn caption_room(&self) -> usize {
        self.rect.width.saturating_sub(6).into()
    }

    /// The inside of the pane.
    pub fn inner(&self) -> Rect {
        self.page.inner(self.rect)
    }

    /// Draws the frame, if panes have frames; returns the inside.
    pub fn framed(&self, buf: &mut Buffer, frame: PaneFrame) -> Rect {
        let PaneFrame { title, legend, below, marked } = frame;
        let below = (below.as_str(), if marked { Role::Hired } else { Role::Label });
        let title = PaneTitle { text: &title, key: self.key, focused: self.focused, below };
        draw_pane(buf, self.rect, self.page, self.theme, title, legend)
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

    /// Performs an action of panes; returns whether it is one. Without zoom the focus moves only to panes that
    /// `is_shown`.
    pub fn perform(&mut self, action: Action, is_shown: impl Fn(P) -> bool) -> bool {
        match action {
            Action::Close if self.zoomed => self.zoomed = false,
            Action::Zoom | Action::Open => self.zoomed = !self.zoomed,
            Action::Digit(key) => {
                self.zoomed = !(self.zoomed && self.pane.key() == key);
                self.pane = P::all().find(|pane| pane.key() == key).unwrap_or(self.pane);
            }
            Action::NextPane => self.turn(1, is_shown),
            Action::PreviousPane => self.turn(P::LIST.len() - 1, is_shown),
            _ => return false,
        }
        true
    }

    /// Moves the focus on to a pane, `by` panes at a time.
    fn turn(&mut self, by: usize, is_shown: impl Fn(P) -> bool) {
        let (from, all) = (usize::from(self.pane.key()) - 1, P::LIST.len());
        let found =
            (1..=all).map(|steps| P::LIST[(from + steps * by) % all].pane).find(|&pane| self.zoomed || is_shown(pane));
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

    /// Draws every visible pane.
    pub fn draw(&self, buf: &mut Buffer, theme: Theme, focus: PaneFocus<P>, model: &P::Model) {
        for &(pane, rect) in &self.panes {
            let key = P::HAS_KEYS.then(|| pane.key());
            let place = PanePlace { page: &self.page, rect, theme, key, focused: focus.pane == pane && !focus.zoomed };
            if let Some(entry) = P::LIST.iter().find(|entry| entry.pane == pane) {
                (entry.draw)(buf, &place, model);
            }
        }
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
