//! The time line of a playback: the footer, and below it the moment that is shown, between start and end.
//!
//! ```text
//!  PAST 0:00.082  0:00 ─┊┊●┊───────────────────────────────────────────────  now 0:12  45.1M nodes
//!  event 7 of 31: worker 0 gave worker 5 a branch at depth 3  120 frames, 63 events kept, [ ] stop at 31 of them
//! ```

use super::common::Common;
use super::draw::{LinePart, fit, put, put_line};
use super::footer;
use super::keys::Action;
use super::palette::Role;
use super::playback::Playback;
use super::screen_keys::KeyList;
use super::theme::Theme;
use crate::event::EventKind;
use crate::run::{End, Moment};
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Modifier;
use ratatui::text::Line;
use std::time::Duration;

/// Least width of a time line that shows its start.
const WIDE: u16 = 60;

impl Playback {
    /// Draws the footer with the keys (or the text that is typed); below it the time line, and the latest event if
    /// there is room. On the smallest screen the time line replaces the keys.
    pub fn draw(&self, buf: &mut Buffer, area: Rect, common: &Common, keys: KeyList) {
        let above = self.above(area.as_size()).height;
        let line = |y: u16| Rect { y: area.y + y, height: 1, ..area };
        let lines = area.height - above;
        let footer = line(above - 1);
        match self.shown() {
            Some(shown) if lines == 0 && common.notice.is_none() => {
                self.draw_line(buf, footer, common.theme, shown);
            }
            _ => footer::draw(buf, footer, common, keys),
        }
        let hint = "1:02.5, 7s or 30us of the run, 50%, #12; enter goes there";
        footer::draw_input(buf, footer, common, self.input(), "go to ", hint);
        let Some(shown) = self.shown().filter(|_| lines > 0) else { return };
        self.draw_line(buf, line(above), common.theme, shown);
        if lines > 1 {
            let below = line(above + 1);
            let room = Rect { x: below.x + 1, width: below.width - 1, ..below };
            let mut said = self.summary(shown, common.theme);
            // The event is truncated rather than dropped.
            let event = said.remove(0).line();
            let width = (event.width() as u16).min(room.width);
            put_line(buf, room, &event);
            let rest = Rect { x: room.x + width + 2, width: room.width.saturating_sub(width + 2), ..room };
            put_line(buf, rest, &fit(said, rest.width, 2));
        }
    }

    fn draw_line(&self, buf: &mut Buffer, area: Rect, theme: Theme, shown: Moment) {
        let (first, last) = (self.past().first().at, self.past().last().at);
        let role = if self.is_playing() { Role::Good } else { Role::Hired };
        let x = put(buf, area, area.x + 1, area.y, &self.state(), theme.style(role).add_modifier(Modifier::BOLD));
        let x = put(buf, area, x + 1, area.y, &self.time(shown.at), theme.style(Role::Strong));
        let right = self.bounds(area, theme);
        let width = (right.width() as u16).min(area.width);
        put_line(buf, Rect { x: area.right() - width - 1, width, ..area }.intersection(area), &right);
        if area.width >= WIDE {
            put(buf, area, x + 2, area.y, &self.short_time(first), theme.style(Role::Label));
        }
        let Some(line) = self.axis(area, shown) else { return };
        let column = |at: Duration| {
            let share = at.saturating_sub(first).as_secs_f64() / (last - first).as_secs_f64().max(1e-9);
            line.x + (share * f64::from(line.width - 1)).round() as u16
        };
        put(buf, line, line.x, line.y, &theme.glyphs().axis.repeat(usize::from(line.width)), theme.style(Role::Border));
        for event in self.past().events().iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })) {
            put(buf, line, column(event.at), line.y, theme.glyphs().mark, theme.style(Role::Waiting));
        }
        put(buf, line, column(shown.at), line.y, theme.glyphs().start, theme.style(Role::Strong));
    }

    /// How the past is shown: its speed while it plays.
    fn state(&self) -> String {
        match self.end_shown() {
            _ if self.is_playing() => format!("{:<5}", self.speed()),
            Some(_) => "END ".to_owned(),
            None => "PAST".to_owned(),
        }
    }

    /// A moment by the clock of the run, to the millisecond; of a run in slow motion the first second more finely.
    pub fn time(&self, watched: Duration) -> String {
        self.by_clock(watched, words::exact)
    }

    fn short_time(&self, watched: Duration) -> String {
        self.by_clock(watched, words::clock)
    }

    fn by_clock(&self, watched: Duration, as_watched: fn(Duration) -> String) -> String {
        let time = self.past().run_time(watched);
        if time == watched || time >= Duration::from_secs(1) { as_watched(time) } else { words::moment(time) }
    }

    /// The end of the time line, and the nodes until then.
    fn bounds(&self, area: Rect, theme: Theme) -> Line<'static> {
        let nodes =
            self.past().frames().back().and_then(|frame| frame.snapshot()).map(|seen| words::count(seen.nodes()));
        let end = match self.end() {
            None if self.is_recorded() => "end",
            None => "now",
            Some(End::Cut) => "cut off",
            Some(_) => "end",
        };
        let last = self.time(self.past().last().at);
        let parts = vec![
            LinePart::new(2).with(theme, Role::Label, end).with(theme, Role::Text, format!(" {last}")),
            LinePart::new(1).with(theme, Role::Text, nodes.map_or(String::new(), |nodes| format!("{nodes:>5} nodes"))),
        ];
        fit(parts, area.width / 3, 2)
    }

    /// The cells of the axis in the line of the time line, if there is room for one.
    fn axis(&self, area: Rect, shown: Moment) -> Option<Rect> {
        let start = match area.width {
            ..WIDE => 1,
            _ => self.short_time(self.past().first().at).len() as u16 + 2,
        };
        let said = (self.state().len() + self.time(shown.at).len()) as u16;
        // The colours do not change the width.
        let end = (self.bounds(area, Theme::RICH).width() as u16).min(area.width) + 1;
        let x = area.x + 1 + said + 1 + start + 1;
        let width = area.right().saturating_sub(end + 2 + x);
        (width >= 4).then_some(Rect { x, width, ..area })
    }

    /// The moment under a cell of the time line on a screen of this size, if the cell is on it.
    pub(super) fn moment_at(&self, at: Position, screen: Size) -> Option<Moment> {
        let shown = self.shown()?;
        let above = self.above(screen).height;
        let row = if above == screen.height { above - 1 } else { above };
        let axis = self.axis(Rect { x: 0, y: row, width: screen.width, height: 1 }, shown)?;
        let share = f64::from(at.x.checked_sub(axis.x)?) / f64::from(axis.width - 1);
        let (first, last) = (self.past().first().at, self.past().last().at);
        axis.contains(at).then(|| self.past().moment(first + (last - first).mul_f64(share.min(1.0))))
    }

    /// The latest event, whether the times are not those of the clock of the run, and the frames and events kept and dropped.
    fn summary(&self, shown: Moment, theme: Theme) -> Vec<LinePart> {
        let count = |n: u64, noun: &str| words::number_of(n, noun);
        let counts = |frames: u64, events: u64| format!("{}, {}", count(frames, "frame"), count(events, "event"));
        let mut parts = Vec::new();
        if let Some(event) = self.past().event_at(shown) {
            let (place, all) = self.past().place(event);
            let what = self.past().events()[event].sentence();
            let place = LinePart::new(2).with(theme, Role::Label, format!("event {place} of {all}: "));
            parts.push(place.with(theme, Role::Text, what));
        }
        let last = self.past().last().at;
        if self.past().run_time(last) != last {
            parts.push(LinePart::new(2).with(theme, Role::Label, "the line is as watched"));
        }
        let (events, stops) = (self.past().events().len(), self.past().stops());
        let mut kept = format!("{} kept", counts(self.past().frames().len() as u64, events as u64));
        if stops < events {
            let [before, after] = [Action::PreviousEvent, Action::NextEvent].map(Action::key);
            kept += &format!(", {before} {after} stop at {} of them", words::grouped(stops));
        }
        parts.push(LinePart::new(1).with(theme, Role::Label, kept));
        if self.past().thinned() + self.past().forgotten() > 0 {
            let gone = counts(self.past().thinned(), self.past().forgotten());
            parts.push(LinePart::new(0).with(theme, Role::Label, format!("{gone} let go")));
        }
        parts
    }
}
