//! The playback of a run: all its frames, the moment that is shown, and the time line that shows it.
//!
//! ```text
//!  PAST 0:00.082  0:00 ─┊┊●┊───────────────────────────────────────────────  now 0:12  45.1M nodes
//!  event 7 of 31: 0 hired 5 at depth 3, kept level 4; 2 and 9 went along  120 frames, 31 events kept
//! ```
//!
//! A running run is shown live until a key goes back in time. Then the selected moment is shown, while the run
//! continues and is recorded. A recorded run has no present: it is played from its start.

use super::draw::{LinePart, fit, put};
use super::footer;
use super::keys::{Action, KeyList, Keys, TimeView};
use super::page::SCREEN_MIN;
use super::surface::{ScreenMsg, Surface, SurfaceMessage};
use super::theme::{Role, Theme};
use crate::event::{Event, EventKind};
use crate::run::{Body, End, Frame, Moment, RunHistory, Source};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Rect, Size};
use ratatui::style::Modifier;
use ratatui::widgets::Widget;
use std::time::Duration;

/// Greatest playback speed, and greatest slow-down, as a power of two.
const SPEED_MAX: i32 = 6;
/// Memory for a recorded run, in bytes.
const RECORDED_ROOM: usize = 512 << 20;
/// Least width of a time line that shows its start.
const WIDE: u16 = 60;
/// Longest text for a moment to jump to.
const TYPED_MAX: usize = 20;

/// The history of a run and the moment that is shown.
#[derive(Clone, Debug, Default)]
pub struct Playback {
    past: RunHistory,
    /// The moment that is shown; `None` for the present.
    shown: Option<Moment>,
    playing: bool,
    /// The playback speed, as a power of two.
    speed: i32,
    /// Whether the run is a recording, and so has no present.
    recorded: bool,
    /// Whether the run continues when the view is left.
    alone: bool,
    /// The text for a moment to jump to; `None` while nothing is typed.
    typed: Option<String>,
    /// How the run ended, if it has ended.
    end: Option<End>,
}

/// What remains for the screen after the playback has handled a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScreenMessage {
    /// Nothing.
    Nothing,
    /// A key asks for an action of the screen.
    Asked(Action),
    /// The user confirmed this action.
    Agreed(Action),
    /// Another moment is shown. Everything up to the moment in `Some` is already on the screen; `None` means: compute
    /// the screen from the start.
    Moved(Option<Moment>),
}

impl Playback {
    /// The playback of a recording: reads all frames of the source, and starts to play.
    pub fn recorded(source: &mut dyn Source) -> Playback {
        let mut past = RunHistory::new(RECORDED_ROOM);
        std::iter::from_fn(|| source.look()).for_each(|frame| past.take(frame));
        let shown = Some(past.first());
        Playback { past, shown, playing: true, recorded: true, ..Playback::default() }
    }

    /// The playback of a run that its source shows from now on.
    pub fn of(source: &dyn Source) -> Playback {
        Playback { alone: source.outlives_viewer(), ..Playback::default() }
    }

    /// Adds a frame.
    pub fn take(&mut self, frame: Frame) {
        self.past.take(frame);
    }

    /// Records how the run ended.
    pub fn close(&mut self, end: End) {
        self.end = Some(end);
    }

    /// The history of the run.
    pub fn past(&self) -> &RunHistory {
        &self.past
    }

    /// The moment that is shown; `None` for the present.
    pub fn shown(&self) -> Option<Moment> {
        self.shown
    }

    /// Whether the run is a recording.
    pub fn is_recorded(&self) -> bool {
        self.recorded
    }

    /// The active keys of a screen with the key table `keys`.
    pub fn keys(&self, keys: &'static Keys) -> KeyList {
        let view = match (self.shown, self.recorded) {
            (None, _) => TimeView::Now,
            (Some(_), false) => TimeView::Past,
            (Some(_), true) => TimeView::Recording,
        };
        KeyList { keys, view }
    }

    /// Whether the run continues when the view is left.
    pub fn goes_on_alone(&self) -> bool {
        self.alone
    }

    /// Whether leaving the view would end a running run.
    pub fn is_at_stake(&self) -> bool {
        !self.recorded && !self.alone
    }

    /// The size that remains above the time line; the whole screen while the present is shown.
    pub fn above(&self, screen: Size) -> Size {
        let lines = match screen.height.saturating_sub(SCREEN_MIN.height) {
            _ if self.shown.is_none() => 0,
            spare @ 0..=5 => spare.min(1),
            _ => 2,
        };
        Size { height: screen.height - lines, ..screen }
    }

    /// Handles an event of a screen with the key table `keys`. `open` says whether the screen has something open,
    /// which `esc` closes first.
    pub fn handle(&mut self, msg: ScreenMsg, surface: &mut Surface, keys: &'static Keys, open: bool) -> ScreenMessage {
        if let (ScreenMsg::Key(key), true) = (&msg, self.typed.is_some())
            && !key.modifiers.contains(KeyModifiers::CONTROL)
        {
            return self.type_key(*key, surface);
        }
        match surface.take(msg, self.keys(keys)) {
            None => ScreenMessage::Nothing,
            Some(SurfaceMessage::Passed(time)) => self.pass(time),
            Some(SurfaceMessage::Agreed(action)) => ScreenMessage::Agreed(action),
            Some(SurfaceMessage::Asked(Action::Close, _)) if open || surface.help => {
                ScreenMessage::Asked(Action::Close)
            }
            Some(SurfaceMessage::Asked(action, _)) => self.act(action, surface),
        }
    }

    /// Whether the playback plays, and so needs the time.
    pub fn is_playing(&self) -> bool {
        self.shown.is_some() && self.playing
    }

    /// Performs an action of the playback; returns any other action.
    fn act(&mut self, action: Action, surface: &mut Surface) -> ScreenMessage {
        let back = self.shown.is_some();
        let here = self.shown.unwrap_or_else(|| self.past.last());
        match action {
            Action::Play if back => {
                self.playing = !self.playing;
                if self.playing && here == self.past.last() {
                    return self.go(self.past.first());
                }
                return ScreenMessage::Nothing;
            }
            Action::Slower | Action::Faster if back => {
                let by = if action == Action::Faster { 1 } else { -1 };
                self.speed = (self.speed + by).clamp(-SPEED_MAX, SPEED_MAX);
                surface.say(format!("plays {}", speed(self.speed)));
                return ScreenMessage::Nothing;
            }
            Action::Close if back && !self.recorded => return self.now(),
            Action::Jump => {
                self.typed = Some(String::new());
                return ScreenMessage::Nothing;
            }
            Action::Step if !back => return ScreenMessage::Asked(action),
            Action::Back | Action::Step | Action::PreviousEvent | Action::NextEvent | Action::Begin | Action::Now => {}
            _ => return ScreenMessage::Asked(action),
        }
        self.playing = false;
        let to = match action {
            Action::Back => self.past.previous_frame(here),
            Action::Step => self.past.next_frame(here),
            Action::PreviousEvent => self.past.previous_event(here),
            Action::NextEvent => self.past.next_event(here),
            Action::Begin => Some(self.past.first()),
            _ if self.recorded => Some(self.past.last()),
            _ => None,
        };
        match (to, action) {
            (Some(to), _) => self.go(to),
            (None, Action::Now | Action::Step) if !self.recorded => self.now(),
            (None, _) => {
                surface.complain(match action {
                    Action::PreviousEvent => "no event is kept before this moment",
                    Action::NextEvent => "no event is kept after this moment",
                    Action::Back => "nothing is kept before this moment",
                    _ => "this is the end",
                });
                ScreenMessage::Nothing
            }
        }
    }

    /// Handles a key while a moment to jump to is typed.
    fn type_key(&mut self, key: KeyEvent, surface: &mut Surface) -> ScreenMessage {
        let Some(typed) = &mut self.typed else { return ScreenMessage::Nothing };
        match key.code {
            KeyCode::Esc => self.typed = None,
            KeyCode::Backspace if typed.pop().is_none() => self.typed = None,
            KeyCode::Char(letter) if typed.len() < TYPED_MAX => typed.push(letter),
            KeyCode::Enter => {
                let typed = self.typed.take().unwrap_or_default();
                return match self.named(&typed) {
                    Some(moment) => {
                        self.playing = false;
                        self.go(moment)
                    }
                    None => {
                        surface.complain("a time (1:02.5, 7s), a share (50%) or an event (#12) is a place to go to");
                        ScreenMessage::Nothing
                    }
                };
            }
            _ => {}
        }
        ScreenMessage::Nothing
    }

    /// Advances the playback by an elapsed time.
    fn pass(&mut self, time: Duration) -> ScreenMessage {
        let Some(shown) = self.shown.filter(|_| self.playing) else { return ScreenMessage::Nothing };
        let at = shown.at + time.mul_f64(2f64.powi(self.speed));
        let last = self.past.last();
        if at < last.at {
            self.shown = Some(self.past.moment(at));
        } else {
            self.playing = false;
            self.shown = self.recorded.then_some(last);
        }
        ScreenMessage::Moved(Some(shown))
    }

    fn go(&mut self, to: Moment) -> ScreenMessage {
        self.shown = Some(to);
        ScreenMessage::Moved(None)
    }

    fn now(&mut self) -> ScreenMessage {
        (self.shown, self.playing) = (None, false);
        ScreenMessage::Moved(None)
    }

    /// Parses a moment: a time since the start, a share of the history, or an event.
    fn named(&self, words: &str) -> Option<Moment> {
        let words = words.trim();
        if let Some(number) = words.strip_prefix('#') {
            let number: usize = number.trim().parse().ok()?;
            return self.past.event(number.checked_sub(1)?);
        }
        let (first, last) = (self.past.first().at, self.past.last().at);
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
        let at = if let Some(share) = words.strip_suffix('%') {
            first + (last - first).mul_f64((number(share)? / 100.0).min(1.0))
        } else {
            let seconds = words.strip_suffix('s').unwrap_or(words).split(':');
            let seconds = seconds.map(number).try_fold(0.0, |sum, part| Some(sum * 60.0 + part?))?;
            Duration::try_from_secs_f64(seconds).ok()?
        };
        Some(self.past.moment(at.clamp(first, last)))
    }

    /// Draws the footer with the keys (or the text that is typed); below it the time line, and the latest event if
    /// there is room. On the smallest screen the time line replaces the keys.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, surface: &Surface, keys: &'static Keys) {
        let above = self.above(area.as_size()).height;
        let line = |y: u16| Rect { y: area.y + y, height: 1, ..area };
        let lines = area.height - above;
        let footer = line(above - 1);
        match (&self.typed, self.shown) {
            (Some(typed), _) => {
                footer::draw_prompt(
                    buf,
                    footer,
                    surface,
                    ("go to ", typed),
                    "1:02.5 or 7s, 50%, #12; enter goes there",
                );
            }
            (None, Some(shown)) if lines == 0 && surface.notice.is_none() => {
                self.draw_line(buf, footer, surface.theme, shown);
            }
            (None, _) => footer::draw(buf, footer, surface, self.keys(keys)),
        }
        let Some(shown) = self.shown.filter(|_| lines > 0) else { return };
        self.draw_line(buf, line(above), surface.theme, shown);
        if lines > 1 {
            let below = line(above + 1);
            let room = Rect { x: below.x + 1, width: below.width - 1, ..below };
            let mut said = self.summary(shown, surface.theme);
            // The event is truncated rather than dropped.
            let event = said.remove(0).line();
            let width = (event.width() as u16).min(room.width);
            event.render(room, buf);
            let rest = Rect { x: room.x + width + 2, width: room.width.saturating_sub(width + 2), ..room };
            fit(said, rest.width, 2).render(rest, buf);
        }
    }

    fn draw_line(&self, buf: &mut Buffer, area: Rect, theme: Theme, shown: Moment) {
        let (first, last) = (self.past.first().at, self.past.last().at);
        let state = if self.playing { format!("{:<5}", speed(self.speed)) } else { "PAST".to_owned() };
        let role = if self.playing { Role::Good } else { Role::Hired };
        let x = put(buf, area, area.x + 1, area.y, &state, theme.style(role).add_modifier(Modifier::BOLD));
        let x = put(buf, area, x + 1, area.y, &exact(shown.at), theme.style(Role::Strong));
        let nodes = self.past.frames().back().and_then(|frame| nodes(frame)).map(words::count);
        let end = match self.end {
            None if self.recorded => "end",
            None => "now",
            Some(End::Cut) => "cut off",
            Some(_) => "end",
        };
        let parts = vec![
            LinePart::new(2).with(theme, Role::Label, end).with(theme, Role::Text, format!(" {}", words::clock(last))),
            LinePart::new(1).with(theme, Role::Text, nodes.map_or(String::new(), |nodes| format!("{nodes:>5} nodes"))),
        ];
        let right = fit(parts, area.width / 3, 2);
        let width = (right.width() as u16).min(area.width);
        let from = Rect { x: area.right() - width - 1, width, ..area };
        right.render(from.intersection(area), buf);
        let x = match area.width {
            ..WIDE => x + 1,
            _ => put(buf, area, x + 2, area.y, &words::clock(first), theme.style(Role::Label)),
        };
        let line = Rect { x: x + 1, width: from.x.saturating_sub(x + 3), ..area };
        if line.width < 4 {
            return;
        }
        let column = |at: Duration| {
            let share = at.saturating_sub(first).as_secs_f64() / (last - first).as_secs_f64().max(1e-9);
            line.x + (share * f64::from(line.width - 1)).round() as u16
        };
        put(buf, line, line.x, line.y, &theme.glyphs().axis.repeat(usize::from(line.width)), theme.style(Role::Border));
        for event in self.past.events().iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })) {
            put(buf, line, column(event.at), line.y, theme.glyphs().mark, theme.style(Role::Waiting));
        }
        put(buf, line, column(shown.at), line.y, theme.glyphs().start, theme.style(Role::Strong));
    }

    /// The latest event, and the numbers of frames and events kept and dropped.
    fn summary(&self, shown: Moment, theme: Theme) -> Vec<LinePart> {
        let count = |n: u64, noun: &str| words::number_of(n, noun);
        let counts = |frames: u64, events: u64| format!("{}, {}", count(frames, "frame"), count(events, "event"));
        let mut parts = Vec::new();
        if let Some(event) = self.past.event_at(shown) {
            let (place, all) = self.past.place(event);
            let what = in_words(&self.past.events()[event]);
            parts.push(LinePart::new(2).with(theme, Role::Label, format!("event {place} of {all}: ")).with(
                theme,
                Role::Text,
                what,
            ));
        }
        let kept = counts(self.past.frames().len() as u64, self.past.events().len() as u64);
        parts.push(LinePart::new(1).with(theme, Role::Label, format!("{kept} kept")));
        if self.past.thinned() + self.past.forgotten() > 0 {
            let gone = counts(self.past.thinned(), self.past.forgotten());
            parts.push(LinePart::new(0).with(theme, Role::Label, format!("{gone} let go")));
        }
        parts
    }
}

fn nodes(frame: &Frame) -> Option<u64> {
    match &frame.body {
        Body::Tree(tree) => Some(tree.snapshot.nodes()),
        Body::Count(_) | Body::Map(_) | Body::Cycles(_) | Body::Campaign(_) => None,
    }
}

/// The playback speed as text: `x 1`, `x 1/8`.
fn speed(power: i32) -> String {
    match power {
        0.. => format!("x {}", 1 << power),
        _ => format!("x 1/{}", 1 << -power),
    }
}

/// A time in thousandths of a second: `1:02.317`.
fn exact(at: Duration) -> String {
    format!("{}.{:03}", words::clock(at), at.subsec_millis())
}

/// An event as a sentence.
pub fn in_words(event: &Event) -> String {
    let worker = event.worker;
    match &event.kind {
        EventKind::Began { depth } => format!("{worker} began at depth {depth}"),
        EventKind::Hired { by, depth, left, company } => {
            let left = left.map_or(String::new(), |left| format!(", kept level {left}"));
            let along = match &company[..] {
                [] => String::new(),
                [one] => format!("; {one} went along"),
                [one, two] => format!("; {one} and {two} went along"),
                some => {
                    let (first, last) = (some.iter().min().unwrap_or(by), some.iter().max().unwrap_or(by));
                    format!("; {} of {first} to {last} went along", some.len())
                }
            };
            format!("{by} hired {worker} at depth {depth}{left}{along}")
        }
        EventKind::Donated { to, helpers } => format!("{worker} ran dry and gave {helpers} of its helpers to {to}"),
        EventKind::Idle { nominee: Some(nominee), .. } => format!("{worker} ran dry and waits at {nominee}"),
        EventKind::Idle { nominee: None, .. } => format!("{worker} ran dry"),
        EventKind::FirstTour => format!("the first tour, by {worker}"),
        EventKind::RuleChanged { rule } => format!("branches are handed over by rule {}", rule.name()),
        EventKind::Paused => "paused".to_owned(),
        EventKind::Resumed => "went on".to_owned(),
        EventKind::Finished => "the run ended".to_owned(),
    }
}
